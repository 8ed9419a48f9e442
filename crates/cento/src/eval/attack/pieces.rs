//! A text as words and what stands between them, so that words can be moved and the rest stays.

use std::borrow::Cow;

use crate::eval::random::Random;
use crate::number::index32;
use crate::token::{Tokenizer, Words};

/// A text in pieces. Together they are the text again.
pub(super) struct Pieces<'t> {
    /// What stands before the first word.
    lead: &'t str,
    pub(super) words: Vec<Word<'t>>,
}

/// A word and what stands between it and the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) gap: Cow<'t, str>,
}

/// Where random words come from.
pub(super) struct WordSource<'v>(Vec<Cow<'v, str>>);

impl<'t> Pieces<'t> {
    pub(super) fn of(text: &'t str) -> Pieces<'t> {
        let tokens = Tokenizer::Words(Words::default()).tokens(text);
        let count = index32(tokens.len());
        let span = |index| tokens.get(index).source;
        let start = |index| {
            if index < count {
                span(index).start as usize
            } else {
                text.len()
            }
        };
        let word = |index: u32| {
            let end = span(index).end as usize;
            Word {
                text: Cow::Borrowed(&text[start(index)..end]),
                gap: Cow::Borrowed(&text[end..start(index + 1)]),
            }
        };
        Pieces {
            lead: &text[..start(0)],
            words: (0..count).map(word).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = self.lead.to_owned();
        for word in &self.words {
            text.push_str(&word.text);
            text.push_str(&word.gap);
        }
        text
    }

    /// The words to draw from: those of `vocabulary`, or of this text if there are none.
    pub(super) fn source<'v>(&self, vocabulary: &'v [String]) -> WordSource<'v> {
        if vocabulary.is_empty() {
            let own = self.words.iter();
            WordSource(own.map(|word| word.text.to_string().into()).collect())
        } else {
            WordSource(vocabulary.iter().map(|word| word.as_str().into()).collect())
        }
    }
}

impl Word<'_> {
    /// A word that was put in, with a space behind it.
    pub(super) fn added(text: String) -> Word<'static> {
        Word {
            text: Cow::Owned(text),
            gap: Cow::Borrowed(" "),
        }
    }

    /// Makes sure that whatever word comes next does not run into this one.
    pub(super) fn separate(&mut self) {
        let separates = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
        if !self.gap.contains(separates) {
            self.gap.to_mut().push(' ');
        }
    }

    /// Takes over the gap of the next word, which is leaving: one of two spaces goes, and
    /// punctuation stays.
    pub(super) fn absorb(&mut self, gap: &str) {
        if self.gap.trim().is_empty() {
            self.gap = Cow::Owned(gap.to_owned());
        } else if !gap.trim().is_empty() {
            self.gap.to_mut().push_str(gap);
        }
        self.separate();
    }
}

impl WordSource<'_> {
    pub(super) fn word(&mut self, random: &mut Random) -> String {
        self.0[random.below(self.0.len())].to_string()
    }

    /// A word other than `word`, also to a reader who does not mind upper case.
    ///
    /// If there is no other one, a letter is added: "changing a word can mean anything from changing
    /// one letter in the word to substituting a new word" (section 3.2).
    pub(super) fn other_than(&mut self, word: &str, random: &mut Random) -> String {
        let word_folded = word.to_lowercase();
        let first = random.below(self.0.len());
        let (before, after) = self.0.split_at(first);
        let other = after
            .iter()
            .chain(before)
            .find(|other| other.to_lowercase() != word_folded);
        other.map_or_else(|| format!("{word}x"), ToString::to_string)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_the_text() {
        for text in [
            "",
            "  ",
            "(One, two—three!)\n",
            "漢字 ca\u{200b}nal\u{200b}",
        ] {
            assert_eq!(Pieces::of(text).text(), text);
        }
        assert_eq!(Pieces::of("(One, two—three!)\n").words.len(), 3);
    }

    #[test]
    fn another_word() {
        let mut random = Random::new(1);
        let vocabulary = ["One".to_owned(), "two".to_owned()];
        let mut source = Pieces::of("").source(&vocabulary);
        for _ in 0..20 {
            assert_eq!(source.other_than("ONE", &mut random), "two");
        }
        let mut source = Pieces::of("one").source(&[]);
        assert_eq!(source.other_than("one", &mut random), "onex");
    }
}
