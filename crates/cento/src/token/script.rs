//! Plagiarex's words in other scripts than English (Kellogg, section 6): for each script, which
//! characters a word may have; and texts in which scripts are mixed.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

use super::{Builder, gb2312_code, jisx0208_code, lowercase};

/// A script whose words stand between spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    /// Lower-case Latin letters, with accents or without.
    Latin,
    /// Lower-case Cyrillic letters.
    Cyrillic,
    /// Lower-case Greek letters, with accents or without.
    Greek,
    /// Arabic letters, Persian and Urdu included; vowel signs do not count.
    Arabic,
    /// Devanagari letters and vowel signs.
    Devanagari,
    /// Korean syllables.
    Hangul,
}

impl Script {
    /// All of them.
    pub const ALL: [Script; 6] = [
        Script::Latin,
        Script::Cyrillic,
        Script::Greek,
        Script::Arabic,
        Script::Devanagari,
        Script::Hangul,
    ];

    /// What stands for it in a recipe's text form.
    pub fn name(self) -> &'static str {
        match self {
            Script::Latin => "latin",
            Script::Cyrillic => "cyrillic",
            Script::Greek => "greek",
            Script::Arabic => "arabic",
            Script::Devanagari => "devanagari",
            Script::Hangul => "hangul",
        }
    }

    /// The script of a letter that its words may have.
    pub(crate) fn of(letter: char) -> Option<Script> {
        let mut scripts = Script::ALL.into_iter();
        scripts.find(|script| script.has(letter))
    }

    /// Whether a word of it may have this character. Where there are capitals, they are no part of
    /// a word, as in the paper: names say less about a text than its long words.
    fn has(self, c: char) -> bool {
        match self {
            Script::Latin => {
                let is_latin = matches!(c, 'a'..='z' | 'ß'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
                is_latin && c.is_lowercase()
            }
            Script::Cyrillic => matches!(c, '\u{400}'..='\u{52f}') && c.is_lowercase(),
            Script::Greek => {
                matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}') && c.is_lowercase()
            }
            Script::Arabic => {
                let is_arabic = matches!(c, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}');
                is_arabic && c.is_alphabetic() && !self.passes_over(c)
            }
            // The nukta and the virama are parts of letters; both dandas end sentences.
            Script::Devanagari => {
                let is_devanagari = matches!(c, '\u{900}'..='\u{97f}');
                is_devanagari && (c.is_alphabetic() || matches!(c, '\u{93c}' | '\u{94d}'))
            }
            Script::Hangul => matches!(c, '\u{ac00}'..='\u{d7a3}'),
        }
    }

    /// What may stand in a word and is not written by all: joiners, soft hyphens, and in Arabic the
    /// vowel signs and the stroke that makes a word wider.
    fn passes_over(self, c: char) -> bool {
        match c {
            '\u{ad}' | '\u{200c}' | '\u{200d}' => true,
            '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' => self == Script::Arabic,
            _ => false,
        }
    }

    /// What ends sentences and clauses as `. ; : ! ?` do.
    fn is_stop(self, c: char) -> bool {
        let is_own = match self {
            Script::Greek => matches!(c, '\u{b7}' | '\u{387}' | '\u{37e}'),
            Script::Arabic => matches!(c, '؛' | '؟' | '۔'),
            Script::Devanagari => matches!(c, '।' | '॥'),
            Script::Latin | Script::Cyrillic | Script::Hangul => false,
        };
        is_own || lowercase::STOPS.contains(&c)
    }

    /// The word that a piece of text between spaces is, and how it is written there.
    fn word(self, piece: &str) -> Option<(&str, Cow<'_, str>)> {
        const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
        let written = piece.trim_matches(|c| self.is_stop(c));
        let mut word = NFKC.normalize(written);
        if word.contains(|c| self.passes_over(c)) {
            let kept = word.chars().filter(|&c| !self.passes_over(c));
            word = Cow::Owned(kept.collect());
        }
        let is_word = !word.is_empty() && word.chars().all(|c| self.has(c));
        is_word.then_some((written, word))
    }
}

/// The words of one script.
pub(super) fn tokenize(script: Script, builder: &mut Builder<'_>) {
    for piece in builder.text.split_whitespace() {
        if let Some((written, word)) = script.word(piece) {
            builder.push_slice(written, &word);
        }
    }
}

/// The words of all scripts, those of the Latin letters as the paper has them, and the single
/// characters of Chinese and Japanese.
pub(super) fn tokenize_all(builder: &mut Builder<'_>) {
    const OTHERS: [Script; 5] = [
        Script::Cyrillic,
        Script::Greek,
        Script::Arabic,
        Script::Devanagari,
        Script::Hangul,
    ];
    let text = builder.text;
    for piece in text.split_whitespace() {
        if let Some(word) = lowercase::word(piece) {
            builder.push_slice(word, word);
        } else if piece.is_ascii() {
            // It can be no other word.
        } else if let Some((written, word)) = OTHERS.iter().find_map(|script| script.word(piece)) {
            builder.push_slice(written, &word);
        } else {
            for (at, c) in piece.char_indices() {
                if gb2312_code(c).is_some() || jisx0208_code(c).is_some() {
                    let character = &piece[at..at + c.len_utf8()];
                    builder.push_slice(character, character);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Tokenizer;

    #[track_caller]
    fn check(tokenizer: &Tokenizer, text: &str, expected: &[&str]) {
        let tokens = tokenizer.tokens(text);
        let terms: Vec<&str> = tokens.terms().collect();
        assert_eq!(terms, expected);
    }

    #[test]
    fn words_of_each_script() {
        let of = Tokenizer::Lowercase;
        let latin = "Příliš žluťoučký kůň: úpěl, ďábelské ódy!";
        check(
            &of(Some(Script::Latin)),
            latin,
            &["žluťoučký", "kůň", "ďábelské", "ódy"],
        );
        let russian = "Москва: город, река; мост и 2й дом";
        check(
            &of(Some(Script::Cyrillic)),
            russian,
            &["река", "мост", "и", "дом"],
        );
        let greek = "Ὁ λόγος· τί ἐστιν; καλός, Αθήνα";
        check(&of(Some(Script::Greek)), greek, &["λόγος", "τί", "ἐστιν"]);
        let hindi = "यह किताब, अच्छी है। १२ पन्ने";
        check(
            &of(Some(Script::Devanagari)),
            hindi,
            &["यह", "अच्छी", "है", "पन्ने"],
        );
        let korean = "도서관은 9시에 열린다. (그리고) KBS";
        check(&of(Some(Script::Hangul)), korean, &["도서관은", "열린다"]);
    }

    #[test]
    fn signs_that_not_all_write_do_not_count() {
        let arabic = Tokenizer::Lowercase(Some(Script::Arabic));
        check(&arabic, "كِتَابٌ جمـــيل؟ ٣ كتب،", &["كتاب", "جميل"]);
        let persian = "می\u{200c}روم";
        check(&arabic, persian, &["میروم"]);
        // A letter and its accent apart are the letter with the accent.
        let apart = "и\u{306}од";
        check(
            &Tokenizer::Lowercase(Some(Script::Cyrillic)),
            apart,
            &["йод"],
        );
    }

    #[test]
    fn a_mixed_text() {
        let text = "the archive архив Архив 图书馆 αρχείο, 도서관 naïve";
        let expected = ["the", "archive", "архив", "图", "书", "馆", "도서관"];
        check(&Tokenizer::Scripts, text, &expected);
        let tokens = Tokenizer::Scripts.tokens(text);
        let span = tokens.source(3..6);
        assert_eq!(&text[span.start as usize..span.end as usize], "图书馆");
    }
}
