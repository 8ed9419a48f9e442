//! Where words begin and end among the symbols of a text.

use std::ops::Range;

use super::super::{Sequence, Shortest, Vocabulary};

/// The places of the words of one document.
pub(super) struct Borders {
    start: u32,
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Borders {
    /// The words of a document whose symbols start at `start`.
    pub(super) fn of(
        document: &Sequence,
        vocabulary: &Vocabulary,
        shortest: Shortest,
        start: u32,
    ) -> Borders {
        let joint = match shortest {
            Shortest::Chars(_) => 1,
            Shortest::Words(_) => 0,
        };
        let mut at = start;
        let mut borders = Borders {
            start,
            starts: Vec::with_capacity(document.words().len()),
            ends: Vec::with_capacity(document.words().len()),
        };
        for &word in document.words() {
            borders.starts.push(at);
            at += match shortest {
                Shortest::Chars(_) => {
                    let characters = vocabulary.term(word).chars().count();
                    crate::number::index32(characters)
                }
                Shortest::Words(_) => 1,
            };
            borders.ends.push(at);
            at += joint;
        }
        borders
    }

    /// Where the document starts.
    pub(super) fn start(&self) -> u32 {
        self.start
    }

    /// Marks in `flags` where words begin and end.
    pub(super) fn mark(&self, flags: &mut [u8]) {
        for &start in &self.starts {
            flags[start as usize] |= BEGINS;
        }
        for &end in &self.ends {
            flags[end as usize] |= ENDS;
        }
    }

    /// The symbols of the whole words in a run; empty if there are none.
    pub(super) fn whole(&self, run: &Range<u32>) -> Range<u32> {
        let first = self.starts.partition_point(|&start| start < run.start);
        let end = self.ends.partition_point(|&end| end <= run.end);
        if first < end {
            self.starts[first]..self.ends[end - 1]
        } else {
            run.end..run.end
        }
    }

    /// The words of a run that begins and ends with one.
    pub(super) fn words(&self, run: &Range<u32>) -> Range<u32> {
        let first = self.starts.partition_point(|&start| start < run.start);
        let end = self.ends.partition_point(|&end| end <= run.end);
        crate::number::index32(first)..crate::number::index32(end)
    }
}

/// A word begins here.
pub(super) const BEGINS: u8 = 1;
/// A word ends before this.
pub(super) const ENDS: u8 = 2;
