//! Texts → one array of small numbers, the symbols: equal characters, or equal words, are equal.

use std::ops::Range;

use super::super::{Sequence, Shortest, Vocabulary};
use crate::error::Error;
use crate::number::index32;

/// Several documents in one array, with a symbol between two of them that is in none.
pub(super) struct Symbols {
    pub(super) text: Text,
    /// Where each document ends.
    ends: Vec<u32>,
}

/// The array, as narrow as the alphabet allows.
pub(super) enum Text {
    /// At most 255 different symbols; nearly every text in an alphabet is of this kind.
    Bytes(Vec<u8>),
    /// More, as in Chinese or when words are the symbols.
    Numbers(Vec<i32>),
}

/// Stands between two documents.
pub(super) const SEPARATOR: u32 = 0;

/// Joins words; no character, so that a word with a space in it never looks like two.
const JOINT: u32 = 0x11_0000;

/// What the suffix array can address.
const LIMIT: u64 = i32::MAX as u64;

impl Symbols {
    /// The characters or the words of some documents, as `shortest` counts; fails above 2^31 of
    /// them.
    pub(super) fn read(
        documents: &[&Sequence],
        vocabulary: &Vocabulary,
        shortest: Shortest,
    ) -> Result<Symbols, Error> {
        let length = |document: &&Sequence| match shortest {
            Shortest::Chars(_) => characters(document, vocabulary),
            Shortest::Words(_) => u64::from(document.len()),
        };
        let all = documents.iter().map(length).sum::<u64>() + documents.len() as u64;
        if all > LIMIT {
            return Err(Error::TooLong {
                length: all,
                limit: LIMIT,
            });
        }
        let mut writer = Writer::new(usize::try_from(all).expect("less than 2^31"));
        let mut ends = Vec::with_capacity(documents.len());
        for (number, document) in documents.iter().enumerate() {
            if number > 0 {
                writer.text.push(SEPARATOR);
            }
            match shortest {
                Shortest::Chars(_) => writer.characters(document, vocabulary),
                Shortest::Words(_) => document.words().iter().for_each(|word| writer.add(word.0)),
            }
            ends.push(index32(writer.text.len()));
        }
        Ok(Symbols {
            text: writer.text,
            ends,
        })
    }

    /// Where a document stands.
    pub(super) fn document(&self, number: u32) -> Range<u32> {
        let number = number as usize;
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1] + 1
        };
        start..self.ends[number]
    }

    /// How many documents there are.
    pub(super) fn documents(&self) -> u32 {
        index32(self.ends.len())
    }
}

impl Text {
    pub(super) fn len(&self) -> usize {
        match self {
            Text::Bytes(bytes) => bytes.len(),
            Text::Numbers(numbers) => numbers.len(),
        }
    }

    fn push(&mut self, symbol: u32) {
        match self {
            Text::Bytes(bytes) => {
                if let Ok(byte) = u8::try_from(symbol) {
                    bytes.push(byte);
                } else {
                    let mut numbers = Vec::with_capacity(bytes.capacity());
                    numbers.extend(bytes.iter().map(|&byte| i32::from(byte)));
                    numbers.push(symbol.cast_signed());
                    *self = Text::Numbers(numbers);
                }
            }
            Text::Numbers(numbers) => numbers.push(symbol.cast_signed()),
        }
    }
}

/// How many characters the words have with a space between each two.
fn characters(document: &Sequence, vocabulary: &Vocabulary) -> u64 {
    let words = document.words().iter();
    let letters = words.map(|&word| vocabulary.term(word).chars().count() as u64 + 1);
    letters.sum::<u64>().saturating_sub(1)
}

/// Numbers symbols from 1 on, in the order in which they come.
struct Writer {
    text: Text,
    /// What has a number already, in pages that exist only where something is numbered: a pair of
    /// short texts must not pay for all of Unicode.
    pages: Vec<Option<Box<Page>>>,
    used: u32,
}

type Page = [u32; 256];

impl Writer {
    fn new(length: usize) -> Writer {
        Writer {
            text: Text::Bytes(Vec::with_capacity(length)),
            pages: Vec::new(),
            used: SEPARATOR,
        }
    }

    fn characters(&mut self, document: &Sequence, vocabulary: &Vocabulary) {
        for (number, &word) in document.words().iter().enumerate() {
            if number > 0 {
                self.add(JOINT);
            }
            for character in vocabulary.term(word).chars() {
                self.add(u32::from(character));
            }
        }
    }

    fn add(&mut self, symbol: u32) {
        let page = symbol as usize >> 8;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([0; 256]));
        let number = &mut page[symbol as usize & 255];
        if *number == 0 {
            self.used += 1;
            *number = self.used;
        }
        self.text.push(*number);
    }
}
