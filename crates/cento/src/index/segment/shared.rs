//! What a query shares with each document of a segment.
//!
//! A search over several segments works in two steps: find the query's digests in every segment, so
//! that it is known how many documents have each, then add up what their postings contribute.

use super::bits::Damage;
use super::view::View;
use super::{DocId, FoundDigest, Posting, Removed, Segment};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::number::index32;

/// A document that shares digests with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Common {
    /// The document.
    pub document: DocId,
    /// How many distinct digests it shares.
    pub digests: u32,
}

/// Room for counting, to be used again for the next query.
#[derive(Default)]
pub struct Counter {
    shared: Vec<u32>,
    touched: Vec<DocId>,
    postings: Vec<Posting>,
}

impl Segment {
    /// Visits what a query shares with the documents that are not removed: for each digest that was
    /// found its postings, in the order of the query's digests.
    pub fn visit(
        &self,
        found: &[FoundDigest],
        removed: &Removed,
        counter: &mut Counter,
        mut visit: impl FnMut(&FoundDigest, &[Posting]),
    ) -> Result<(), Error> {
        let view = self.view();
        for found in found {
            view.read_postings(&found.run, &mut counter.postings)
                .map_err(|damage| self.damaged(damage))?;
            if !removed.is_empty() {
                counter
                    .postings
                    .retain(|posting| !removed.contains(posting.document));
            }
            visit(found, &counter.postings);
        }
        Ok(())
    }

    /// Visits the documents of each digest that was found, removed or not, without their counts.
    #[inline]
    pub fn visit_documents<'f>(
        &self,
        found: impl IntoIterator<Item = &'f FoundDigest>,
        mut visit: impl FnMut(&FoundDigest, DocId),
    ) -> Result<(), Error> {
        let view = self.view();
        for found in found {
            view.each_document(&found.run, |document| visit(found, document))
                .map_err(|damage| self.damaged(damage))?;
        }
        Ok(())
    }

    /// How many documents that are not removed have each digest that was found.
    pub fn live_documents_with(
        &self,
        found: &[FoundDigest],
        removed: &Removed,
        counter: &mut Counter,
    ) -> Result<Vec<u32>, Error> {
        if removed.is_empty() {
            return Ok(found.iter().map(|found| found.run.documents()).collect());
        }
        let mut counts = Vec::with_capacity(found.len());
        self.visit(found, removed, counter, |_, postings| {
            counts.push(index32(postings.len()));
        })?;
        Ok(counts)
    }

    /// How many distinct digests each document shares with a query, by document.
    ///
    /// The query is a fingerprint cut by the segment's schema; documents that share nothing and
    /// documents that are removed are not listed.
    pub fn shared(
        &self,
        query: &Fingerprint,
        removed: &Removed,
        counter: &mut Counter,
    ) -> Result<Vec<Common>, Error> {
        let found = self.find(query.digests())?;
        counter.shared.resize(self.documents() as usize, 0);
        let counts = counter.count(&self.view(), &found);
        counter.touched.sort_unstable();
        let mut all = Vec::with_capacity(counter.touched.len());
        for document in counter.touched.drain(..) {
            let digests = std::mem::take(&mut counter.shared[document.0 as usize]);
            if !removed.contains(document) {
                all.push(Common { document, digests });
            }
        }
        counts.map_err(|damage| self.damaged(damage))?;
        Ok(all)
    }
}

impl Counter {
    /// Counts the postings of some digests by document.
    fn count(&mut self, view: &View<'_>, found: &[FoundDigest]) -> Result<(), Damage> {
        let Counter {
            shared, touched, ..
        } = self;
        for found in found {
            view.each_document(&found.run, |document| {
                let count = &mut shared[document.0 as usize];
                if *count == 0 {
                    touched.push(document);
                }
                *count += 1;
            })?;
        }
        Ok(())
    }
}
