//! Reading a whole segment to see whether it is what was written.

use super::Segment;
use super::bits::Damage;
use super::format::Section;
use super::read::verify;
use crate::error::Error;

impl Segment {
    /// Checks everything: all checksums, the order of digests and documents, the samples, and that
    /// every document has as many postings as its side says.
    pub fn check(&self) -> Result<(), Error> {
        self.expect_walk();
        for section in Section::ALL {
            verify(self.header(), section, self.section(section))
                .map_err(|reason| self.refused(reason))?;
        }
        self.check_vectors()
            .map_err(|damage| self.damaged(damage))?;
        let mut missing: Vec<u32> = self.sides().iter().map(|side| side.digests).collect();
        let mut lists = self.lists();
        while let Some(list) = lists.next_list()? {
            for posting in list.postings {
                let missing = &mut missing[posting.document.0 as usize];
                *missing = missing
                    .checked_sub(1)
                    .ok_or_else(|| self.damaged(COUNTS_DIFFER))?;
            }
        }
        // Every posting was one that its document expects, and both have the same sum.
        Ok(())
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

const COUNTS_DIFFER: Damage = Damage("a document has more postings than digests");
