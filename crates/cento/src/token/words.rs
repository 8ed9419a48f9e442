//! Words of any script, with the options that the papers ask for.

use unicode_segmentation::UnicodeSegmentation;

use super::form::{self, is_clustered, is_ignorable, is_mark, is_single};
use super::language::LanguageStemmer;
use super::{Builder, Language, Tokenizer, WordList};

/// Words and what is done to them, in this order: normalise, fold, drop, keep, stem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// What a word is made of.
    pub alphabet: Alphabet,
    /// Upper case reads as lower case; `+fold`.
    pub fold: bool,
    /// Drop the stop words of a language; `+stop`, `+stop:cs`.
    pub stop: Option<Language>,
    /// Keep only the words of a dictionary (Masaryk, section 3.1); `+keep:NAME`.
    pub keep: Option<WordList>,
    /// Reduce words to their stems; `+stem`, `+stem:cs`.
    pub stem: Option<Language>,
}

/// What a word is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alphabet {
    /// Letters, digits and marks of every script, normalised, so that one word has one form.
    ///
    /// Han, Hiragana and Katakana characters are words of their own; Thai, Lao, Khmer and Burmese
    /// are cut into character clusters.
    #[default]
    Unicode,
    /// As `Unicode`, but nothing is normalised; `+raw`.
    Raw,
    /// `[A-Za-z0-9]+`, the reading that reproduces the tables of Finkel et al.; `+ascii`.
    Ascii,
}

impl Words {
    /// The words of a dictionary, in the form that these words have before they are filtered.
    pub fn list(&self, dictionary: &str) -> WordList {
        let plain = Words {
            alphabet: self.alphabet,
            fold: self.fold,
            ..Words::default()
        };
        let tokens = Tokenizer::Words(plain).tokens(dictionary);
        WordList::new(tokens.terms())
    }

    pub(super) fn tokenize(&self, builder: &mut Builder<'_>) {
        let text = builder.text;
        let mut refiner = Refiner::new(self);
        let mut at = 0;
        while let Some(piece) = self.alphabet.next_piece(text, at) {
            if let Some(term) = refiner.refine(text, piece) {
                builder.push(piece.start..piece.end, term);
            }
            at = piece.end;
        }
    }
}

/// The bytes of one word in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// All its bytes are ASCII letters and digits.
    pub(crate) ascii: bool,
}

impl Alphabet {
    /// The first word that starts at or after `from`, which is not inside a word.
    pub(crate) fn next_piece(self, text: &str, from: usize) -> Option<Piece> {
        match self {
            Alphabet::Unicode | Alphabet::Raw => next_unicode(text, from),
            Alphabet::Ascii => next_ascii(text.as_bytes(), from),
        }
    }
}

fn next_ascii(bytes: &[u8], from: usize) -> Option<Piece> {
    let start = from + bytes[from..].iter().position(u8::is_ascii_alphanumeric)?;
    let rest = &bytes[start..];
    let length = rest
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric())
        .unwrap_or(rest.len());
    Some(Piece {
        start,
        end: start + length,
        ascii: true,
    })
}

fn next_unicode(text: &str, from: usize) -> Option<Piece> {
    let start = from + text[from..].find(char::is_alphanumeric)?;
    let mut rest = text[start..].chars();
    let first = rest.next()?;
    if is_single(first) {
        let marks = rest
            .take_while(|&c| is_mark(c))
            .map(char::len_utf8)
            .sum::<usize>();
        return Some(Piece {
            start,
            end: start + first.len_utf8() + marks,
            ascii: false,
        });
    }
    if is_clustered(first) {
        let cluster = text[start..].graphemes(true).next()?;
        return Some(Piece {
            start,
            end: start + cluster.len(),
            ascii: false,
        });
    }
    // An ignorable character belongs to the word only if the word goes on behind it.
    let mut end = start;
    let mut at = start;
    let mut ascii = true;
    for c in text[start..].chars() {
        let in_word = if c.is_ascii() {
            c.is_ascii_alphanumeric()
        } else {
            !is_single(c) && !is_clustered(c) && (c.is_alphanumeric() || is_mark(c))
        };
        if !in_word && !is_ignorable(c) {
            break;
        }
        let adjacent = at == end;
        at += c.len_utf8();
        if in_word {
            end = at;
            ascii &= c.is_ascii() && adjacent;
        }
    }
    Some(Piece { start, end, ascii })
}

/// Turns a piece of text into its term: normalised, folded, filtered and stemmed.
pub(crate) struct Refiner<'w> {
    words: &'w Words,
    stemmer: Option<LanguageStemmer>,
    term: String,
}

impl<'w> Refiner<'w> {
    pub(crate) fn new(words: &'w Words) -> Self {
        Refiner {
            words,
            stemmer: words.stem.map(Language::stemmer),
            term: String::new(),
        }
    }

    /// The term of a piece; `None` if the word is dropped.
    pub(crate) fn refine(&mut self, text: &str, piece: Piece) -> Option<&str> {
        let source = &text[piece.start..piece.end];
        self.term.clear();
        match self.words.alphabet {
            Alphabet::Unicode if !piece.ascii => {
                form::normalise(source, self.words.fold, &mut self.term);
            }
            Alphabet::Unicode | Alphabet::Raw | Alphabet::Ascii => {
                if self.words.fold {
                    form::fold(source, &mut self.term);
                } else {
                    self.term.push_str(source);
                }
            }
        }
        let dropped = self.term.is_empty()
            || self
                .words
                .stop
                .is_some_and(|language| language.is_stop_word(&self.term))
            || self
                .words
                .keep
                .as_ref()
                .is_some_and(|list| !list.contains(&self.term));
        if dropped {
            return None;
        }
        if let Some(stemmer) = &self.stemmer {
            let stem = stemmer.stem(&self.term);
            self.term = stem;
        }
        Some(&self.term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Undone;

    fn folded() -> Words {
        Words {
            fold: true,
            ..Words::default()
        }
    }

    #[track_caller]
    fn check(words: Words, text: &str, expected: &[&str]) {
        let tokens = Tokenizer::Words(words).tokens(text);
        assert_eq!(tokens.terms().collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn words_of_many_scripts() {
        check(
            folded(),
            "It's 2 B-sides_ok",
            &["it", "s", "2", "b", "sides", "ok"],
        );
        check(folded(), "Žluťoučký KŮŇ", &["žluťoučký", "kůň"]);
        check(folded(), "Das ist Straße.", &["das", "ist", "straße"]);
        check(folded(), "ΣΟΦΟΣ σοφος", &["σοφοσ", "σοφοσ"]);
        check(folded(), "abc漢字がdef", &["abc", "漢", "字", "が", "def"]);
        check(folded(), "ภาษาไทย", &["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]);
        check(folded(), "ที่นี่", &["ที่", "นี่"]);
        check(folded(), "हिन्दी भाषा", &["हिन्दी", "भाषा"]);
        check(folded(), "한국어 문서", &["한국어", "문서"]);
    }

    #[test]
    fn one_word_has_one_form() {
        check(folded(), "caf\u{e9} cafe\u{301}", &["café", "café"]);
        check(folded(), "\u{fb01}nd ＣＡＮＡＬ", &["find", "canal"]);
        check(
            folded(),
            "ca\u{200b}nal ca\u{ad}nal\u{200b} x",
            &["canal", "canal", "x"],
        );
        check(folded(), "c\u{430}nal \u{41a}anal", &["canal", "kanal"]);
        check(folded(), "\u{43c}a\u{43c}a", &["мама"]);
        check(folded(), "\u{406}nk \u{456}nk", &["ink", "ink"]);
        check(folded(), "мама", &["мама"]);
        let raw = Words {
            alphabet: Alphabet::Raw,
            ..folded()
        };
        check(
            raw,
            "Cafe\u{301} c\u{430}nal",
            &["cafe\u{301}", "c\u{430}nal"],
        );
    }

    #[test]
    fn what_was_undone_is_counted() {
        let undone = Undone::in_text("c\u{430}nal \u{fb01}n\u{200b}d café cafe\u{301} мама plain");
        assert_eq!(undone, Undone { compatibility: 1 });
        assert!(undone.sentence().is_some());
        assert!(Undone::in_text("plain café").sentence().is_none());
    }

    #[test]
    fn options() {
        check(Words::default(), "The Canal", &["The", "Canal"]);
        let ascii = Words {
            alphabet: Alphabet::Ascii,
            ..folded()
        };
        check(ascii, "Café, 2nd", &["caf", "2nd"]);
        let stopped = Words {
            stop: Some(Language::ENGLISH),
            ..folded()
        };
        check(stopped, "The canals of the town", &["canals", "town"]);
        let stemmed = Words {
            stem: Some(Language::ENGLISH),
            ..folded()
        };
        check(stemmed, "running canals", &["run", "canal"]);
        assert!(folded().list("Canal\ncafe\u{301}").contains("café"));
        let kept = Words {
            keep: Some(WordList::new(["canal", "town"])),
            ..folded()
        };
        check(kept, "The canal of the xyzzy town", &["canal", "town"]);
    }

    #[test]
    fn spans_point_into_the_original() {
        let text = "A ca\u{200b}nal\u{ad}, ﬁne";
        let tokens = Tokenizer::Words(folded()).tokens(text);
        let spans: Vec<&str> = (0..3)
            .map(|i| tokens.get(i).source)
            .map(|span| &text[span.start as usize..span.end as usize])
            .collect();
        assert_eq!(spans, ["A", "ca\u{200b}nal", "ﬁne"]);
    }
}
