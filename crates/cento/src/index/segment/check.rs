//! Reading a whole segment to see whether it is what was written.

use super::Segment;
use super::bits::Damage;
use super::format::{Checksum, Section};
use super::read::verify;
use crate::error::Error;
use crate::watch::{Steps, Watch};

impl Segment {
    /// Checks everything: all checksums, the order of digests and documents, the samples, and that
    /// every document has as many postings as its side says.
    pub fn check(&self, watch: Watch<'_>) -> Result<(), Error> {
        self.check_in_steps(&mut watch.steps(self.check_steps()))
    }

    /// The same, in as many steps as [`Segment::check_steps`] says.
    pub(in crate::index) fn check_in_steps(&self, steps: &mut Steps<'_>) -> Result<(), Error> {
        self.expect_walk();
        self.check_sums(steps)?;
        self.check_vectors()
            .map_err(|damage| self.damaged(damage))?;
        let mut missing: Vec<u32> = self.counts().collect();
        let mut lists = self.lists();
        while let Some(list) = lists.next_list()? {
            for posting in list.postings {
                let missing = &mut missing[posting.document.0 as usize];
                *missing = missing
                    .checked_sub(1)
                    .ok_or_else(|| self.damaged(COUNTS_DIFFER))?;
            }
            steps.advance(STEPS_A_POSTING * list.postings.len() as u64)?;
        }
        // Every posting was one that its document expects, and both have the same sum.
        Ok(())
    }

    /// Checks all checksums, for what is to be written again: a copy of damaged bytes would have the
    /// right checksums, and nobody could find the damage any more.
    pub(in crate::index) fn expect_whole(&self, watch: Watch<'_>) -> Result<(), Error> {
        self.check_sums(&mut watch.silent().steps(self.bytes()))
    }

    fn check_sums(&self, steps: &mut Steps<'_>) -> Result<(), Error> {
        for section in Section::ALL {
            let bytes = self.section(section);
            let mut checksum = Checksum::default();
            for bytes in bytes.chunks(TOGETHER) {
                checksum.add(bytes);
                steps.advance(bytes.len() as u64)?;
            }
            verify(self.header(), section, checksum.value())
                .map_err(|reason| self.refused(reason))?;
        }
        Ok(())
    }

    /// How much work it is to check everything.
    pub(in crate::index) fn check_steps(&self) -> u64 {
        self.bytes() + STEPS_A_POSTING * self.postings()
    }

    fn check_vectors(&self) -> Result<(), Damage> {
        let (view, header) = (self.view(), self.header());
        if header.postings > 0 {
            view.ends.check(header.digests)?;
            view.digests.buckets.check(view.digests.bucket_count)?;
        }
        if header.repeats > 0 {
            view.repeats.buckets.check(view.repeats.bucket_count)?;
        }
        let mut least = 0;
        for (posting, count) in view.large() {
            if posting < least || posting >= header.postings || count < 2 {
                return Err(Damage("the large counts are not in order"));
            }
            least = posting + 1;
        }
        Ok(())
    }
}

/// How many bytes are summed up before it is asked whether to go on.
const TOGETHER: usize = 1 << 22;
/// Reading a posting takes about as long as the checksums of so many bytes.
const STEPS_A_POSTING: u64 = 8;
const COUNTS_DIFFER: Damage = Damage("a document has more postings than digests");
