//! All postings of a segment in order, one digest after the other.

use super::bits::Damage;
use super::table::{Entries, Entry};
use super::view::View;
use super::{Posting, Segment};
use crate::digest::Digest;
use crate::error::Error;

/// The postings of one digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List<'a> {
    /// The digest; its bits that are not kept are zero.
    pub digest: Digest,
    /// Its documents, ascending.
    pub postings: &'a [Posting],
}

/// Reads a segment from beginning to end.
#[derive(Clone)]
pub struct Lists<'a> {
    segment: &'a Segment,
    view: View<'a>,
    digests: Entries<'a>,
    repeats: Entries<'a>,
    /// The next repeat, once it was read.
    next_repeat: Option<Entry>,
    /// The digest before, as its kept bits.
    last: Option<u64>,
    /// The first posting that was not read.
    place: u64,
    postings: Vec<Posting>,
}

impl Segment {
    /// All postings, by digest and then document.
    pub fn lists(&self) -> Lists<'_> {
        self.expect_walk();
        let view = self.view();
        Lists {
            segment: self,
            view,
            digests: view.digests.all(),
            repeats: view.repeats.all(),
            next_repeat: None,
            last: None,
            place: 0,
            postings: Vec::new(),
        }
    }
}

impl Lists<'_> {
    /// The next list, if there is one.
    pub fn next_list(&mut self) -> Result<Option<List<'_>>, Error> {
        match self.advance() {
            Ok(Some(kept)) => Ok(Some(List {
                digest: self.segment.schema().whole(kept),
                postings: &self.postings,
            })),
            Ok(None) => Ok(None),
            Err(damage) => Err(self.segment.damaged(damage)),
        }
    }

    fn advance(&mut self) -> Result<Option<u64>, Damage> {
        if self.last.is_none() {
            self.next_repeat = self.repeats.next()?;
        }
        let Some(entry) = self.digests.next()? else {
            let is_all = self.place == self.view.postings && self.next_repeat.is_none();
            return if is_all { Ok(None) } else { Err(LEFT_OVER) };
        };
        if self.last.is_some_and(|last| last >= entry.key) {
            return Err(Damage("the digests are not in order"));
        }
        self.last = Some(entry.key);
        let start = self.place;
        let last = self.view.ends.next_one(start)?;
        self.place = last + 1;
        let run = self.view.run_between(start, last)?;
        self.view.read_documents(&run, &mut self.postings)?;
        while let Some(repeat) = self.next_repeat.filter(|repeat| repeat.key < self.place) {
            self.view.set_count(repeat, start, &mut self.postings)?;
            self.next_repeat = self.repeats.next()?;
        }
        Ok(Some(entry.key))
    }
}

const LEFT_OVER: Damage = Damage("postings or repeats are left over behind the last digest");
