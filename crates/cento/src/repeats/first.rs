//! What stands earlier in a corpus: the second pass.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::windows::ByDigest;
use super::{Filter, Windows};
use crate::number::index32;
use crate::token::{Span, Tokens};

/// Where the windows that come again stand first. Documents are shown to it in their order.
///
/// It remembers the windows that the filter lets through: about 50 bytes for each, and each
/// different word once.
pub struct FirstPlaces {
    filter: Filter,
    /// Where in `words` a window begins.
    places: HashMap<u64, u64, ByDigest>,
    /// Windows with the digest of another one.
    collided: BTreeMap<u64, Vec<u64>>,
    words: Vec<Known>,
    /// Where words of another document or of another part of it begin.
    pieces: Vec<Place>,
    numbers: HashMap<Box<str>, u32>,
}

/// A run of words of a document that stands earlier, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The words.
    pub words: Range<u32>,
    /// Where they stand first.
    pub first: First,
}

/// A place in a document that was shown before, or earlier in the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// The number that the document was shown with.
    pub document: u32,
    /// The bytes, from the first to the last word.
    pub bytes: Span,
}

/// What is found in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// Runs that stand earlier, in order. Runs with different first places may overlap.
    pub repeats: Vec<Repeat>,
    /// Something in the document may be the first place of what comes later.
    pub is_first: bool,
}

#[derive(Clone, Copy)]
struct Known {
    number: u32,
    source: Span,
}

/// A place in `words`, and where it is in its document.
#[derive(Clone, Copy)]
struct Place {
    at: u64,
    document: u32,
    word: u32,
}

impl FirstPlaces {
    /// Nothing has been shown yet, and the filter has seen every window.
    pub fn new(filter: Filter) -> FirstPlaces {
        FirstPlaces {
            filter,
            places: HashMap::default(),
            collided: BTreeMap::new(),
            words: Vec::new(),
            pieces: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Which runs of the next document stand earlier: in a document before, or before them in the
    /// same one without touching them.
    pub fn find(&mut self, document: u32, windows: &Windows) -> Repeats {
        let length = windows.length();
        let mut numbers = vec![None; windows.tokens().len()];
        let mut found = Repeats::default();
        // Where the window before stands first, and the one that was remembered last.
        let mut last: Option<Place> = None;
        let mut remembered: Option<u32> = None;
        for (word, digest) in (0..).zip(windows.digests()) {
            let before = last.take();
            if !self.filter.may_come_again(*digest) {
                continue;
            }
            for place in word..word + length {
                let number = &mut numbers[place as usize];
                if number.is_none() {
                    *number = Some(self.number(windows.tokens(), place));
                }
            }
            let these = &numbers[word as usize..][..length as usize];
            let Some(at) = self.place_of(*digest, these, before.as_ref()) else {
                self.remember(document, word, windows, &numbers, remembered);
                remembered = Some(word);
                found.is_first = true;
                continue;
            };
            let first = self.place(at);
            if first.document == document && first.word + length > word {
                continue;
            }
            let bytes = self.bytes(at, length);
            match found.repeats.last_mut() {
                Some(run) if before.is_some_and(|before| before.is_followed_by(&first)) => {
                    run.words.end = word + length;
                    run.first.bytes.end = bytes.end;
                }
                _ => found.repeats.push(Repeat {
                    words: word..word + length,
                    first: First {
                        document: first.document,
                        bytes,
                    },
                }),
            }
            last = Some(first);
        }
        found
    }

    /// Where a window stands first; `before` is where the window before it does.
    fn place_of(&self, digest: u64, window: &[Option<u32>], before: Option<&Place>) -> Option<u64> {
        let is_same = |at: u64| {
            let known = &self.words[usize_of(at)..];
            if before.is_some_and(|before| before.at + 1 == at) {
                // All but the last word have been compared.
                let last = window.len() - 1;
                return known.get(last).map(|word| word.number) == window[last];
            }
            known.len() >= window.len()
                && known
                    .iter()
                    .zip(window)
                    .all(|(known, word)| Some(known.number) == *word)
        };
        let at = *self.places.get(&digest)?;
        if is_same(at) {
            return Some(at);
        }
        let others = self.collided.get(&digest)?;
        others.iter().copied().find(|at| is_same(*at))
    }

    fn remember(
        &mut self,
        document: u32,
        word: u32,
        windows: &Windows,
        numbers: &[Option<u32>],
        before: Option<u32>,
    ) {
        let (tokens, length) = (windows.tokens(), windows.length());
        let end = before.map(|before| before + length);
        let new = if let Some(end) = end.filter(|end| word <= *end) {
            // The window that was remembered before has the other words.
            end..word + length
        } else {
            self.pieces.push(Place {
                at: self.words.len() as u64,
                document,
                word,
            });
            word..word + length
        };
        for place in new {
            self.words.push(Known {
                number: numbers[place as usize].unwrap_or(u32::MAX),
                source: tokens.get(place).source,
            });
        }
        let at = self.words.len() as u64 - u64::from(length);
        let digest = windows.digests()[word as usize];
        match self.places.entry(digest) {
            Entry::Occupied(_) => self.collided.entry(digest).or_default().push(at),
            Entry::Vacant(place) => {
                place.insert(at);
            }
        }
    }

    /// Whose a word is, and where.
    fn place(&self, at: u64) -> Place {
        let piece = self.pieces.partition_point(|piece| piece.at <= at) - 1;
        let piece = self.pieces[piece];
        Place {
            at,
            document: piece.document,
            word: piece.word + u32::try_from(at - piece.at).unwrap_or(u32::MAX),
        }
    }

    /// The bytes of a window in its document.
    fn bytes(&self, at: u64, length: u32) -> Span {
        let window = &self.words[usize_of(at)..][..length as usize];
        Span {
            start: window[0].source.start,
            end: window[window.len() - 1].source.end,
        }
    }

    fn number(&mut self, tokens: &Tokens, place: u32) -> u32 {
        let term = tokens.term(place);
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = index32(self.numbers.len());
        self.numbers.insert(term.into(), number);
        number
    }
}

impl Place {
    fn is_followed_by(&self, next: &Place) -> bool {
        self.document == next.document && self.word + 1 == next.word
    }
}

impl Repeats {
    /// The words that stand earlier, each run as long as it can be.
    pub fn runs(&self) -> Vec<Range<u32>> {
        super::join(self.repeats.iter().map(|repeat| repeat.words.clone()))
    }
}

fn usize_of(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition: a window is a repeat if the same words stand in an earlier document, or in
    /// the same one and end before it begins.
    fn naive(documents: &[Vec<u8>], length: usize) -> Vec<Vec<(usize, (usize, usize))>> {
        let mut all = Vec::new();
        for (number, words) in documents.iter().enumerate() {
            let mut found = Vec::new();
            for place in 0..(words.len() + 1).saturating_sub(length) {
                let wanted = &words[place..place + length];
                let first = documents[..=number]
                    .iter()
                    .enumerate()
                    .find_map(|(other, words)| {
                        let at = words.windows(length).position(|w| w == wanted)?;
                        (other < number || at + length <= place).then_some((other, at))
                    });
                found.extend(first.map(|first| (place, first)));
            }
            all.push(found);
        }
        all
    }

    fn text(words: &[u8]) -> String {
        words
            .iter()
            .map(|word| format!("w{word}"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn check(documents: &[Vec<u8>], length: u32, kinds: u64) {
        let windows: Vec<Windows> = documents
            .iter()
            .map(|words| Windows::of(&text(words), length).colliding(kinds))
            .collect();
        let filter = Filter::for_text(1 << 12);
        for windows in &windows {
            filter.add(windows);
        }
        let mut places = FirstPlaces::new(filter);
        let expected = naive(documents, length as usize);
        for (number, (windows, expected)) in (0..).zip(windows.iter().zip(expected)) {
            let found = places.find(number, windows);
            let mut windows_found = Vec::new();
            for Repeat { words, first } in &found.repeats {
                let source = documents[first.document as usize].clone();
                let before = &text(&source)[..first.bytes.start as usize];
                let start = before.matches(' ').count();
                let many = (words.len() + 1) - length as usize;
                for step in 0..many {
                    windows_found.push((
                        words.start as usize + step,
                        (first.document as usize, start + step),
                    ));
                }
                let words = &documents[number as usize][words.start as usize..words.end as usize];
                assert_eq!(words, &source[start..start + words.len()]);
            }
            assert_eq!(windows_found, expected, "document {number}");
        }
    }

    proptest! {
        #[test]
        fn finds_what_the_definition_says(
            documents in proptest::collection::vec(proptest::collection::vec(0_u8..3, 0..40), 1..6),
            length in 1_u32..6,
            kinds in prop_oneof![Just(u64::MAX), Just(3_u64)],
        ) {
            check(&documents, length, kinds);
        }
    }

    #[test]
    fn the_first_place_stays_whole() {
        check(&[vec![1, 1, 1, 1, 1, 1]], 2, u64::MAX);
        check(
            &[vec![1, 2, 3, 4], vec![9, 1, 2, 3, 4, 9], vec![2, 3, 4, 9]],
            3,
            u64::MAX,
        );
    }
}
