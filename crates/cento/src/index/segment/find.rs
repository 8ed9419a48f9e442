//! Looking up many digests in one go.
//!
//! A digest is looked up in steps, each of which reads what the one before has found the place of.
//! Memory takes as long for one read as the processor for hundreds of instructions, but it answers
//! many at once. So digests are taken in groups: each step is done for the whole group before the
//! next one, and between two steps everything that the next one will read is asked for. The group
//! then waits for memory about as often as one digest would.

use std::ops::Range;

use super::bits::Damage;
use super::view::{FoundDigest, View};
use super::{Schema, Segment};
use crate::digest::Digest;
use crate::error::Error;
use crate::number::index32;

/// How many digests are looked up together: enough that their ways to memory overlap, few enough
/// that what was fetched is still near when it is used.
const GROUP: usize = 128;

impl Segment {
    /// Those of many digests that are in the segment, in their order. Much faster than one by one.
    pub fn find(&self, digests: &[Digest]) -> Result<Vec<FoundDigest>, Error> {
        self.find_visiting(digests, |_| Ok(()))
    }

    /// As [`Segment::find`]; visits what was found, some at a time and in order, when the lists are
    /// near and will not be for long.
    pub(in crate::index) fn find_visiting(
        &self,
        digests: &[Digest],
        visit: impl FnMut(&[FoundDigest]) -> Result<(), Error>,
    ) -> Result<Vec<FoundDigest>, Error> {
        self.find_within(digests, 0..digests.len(), visit)
    }

    /// As [`Segment::find_visiting`], for some of the digests only.
    pub(in crate::index) fn find_within(
        &self,
        digests: &[Digest],
        within: Range<usize>,
        mut visit: impl FnMut(&[FoundDigest]) -> Result<(), Error>,
    ) -> Result<Vec<FoundDigest>, Error> {
        let first = within.start;
        let mut found = Vec::new();
        let mut visited = 0;
        let view = self.view();
        for (number, group) in digests[within].chunks(GROUP).enumerate() {
            let before = found.len();
            find_group(
                &view,
                self.schema(),
                first + number * GROUP,
                group,
                &mut found,
            )
            .map_err(|damage| self.damaged(damage))?;
            // The lists of this group are still on their way; those of the last one have come.
            visit(&found[visited..before])?;
            visited = before;
        }
        visit(&found[visited..])?;
        Ok(found)
    }
}

/// A digest of a group.
#[derive(Clone, Copy, Default)]
struct Wanted {
    /// Its place in the query.
    place: u32,
    kept: u64,
    bucket: u64,
}

/// Looks up a group of digests, of which the first is number `first` of the query.
fn find_group(
    view: &View<'_>,
    schema: &Schema,
    first: usize,
    digests: &[Digest],
    found: &mut Vec<FoundDigest>,
) -> Result<(), Damage> {
    let table = &view.digests;
    // Groups of bits begin behind the one before.
    let before = |number: u64| number.saturating_sub(1);
    let mut wanted = [Wanted::default(); GROUP];
    let mut count = 0;
    for (place, &digest) in (index32(first)..).zip(digests) {
        let kept = schema.kept(digest);
        let bucket = kept.and_then(|kept| Some((kept, table.bucket_of(kept)?)));
        if let Some((kept, bucket)) = bucket {
            wanted[count] = Wanted {
                place,
                kept,
                bucket,
            };
            count += 1;
        }
    }
    let wanted = &wanted[..count];
    for wanted in wanted {
        table.buckets.fetch_samples(before(wanted.bucket));
    }
    for wanted in wanted {
        table.buckets.fetch(before(wanted.bucket));
    }
    let mut entries = [(0, 0); GROUP];
    for (wanted, entries) in wanted.iter().zip(&mut entries) {
        *entries = table.bucket(wanted.bucket)?;
    }
    let entries = &entries[..count];
    for &(first, behind) in entries {
        table.records.fetch(first, behind);
    }
    let mut numbers = [(0, 0); GROUP];
    let mut count = 0;
    for (wanted, &entries) in wanted.iter().zip(entries) {
        if let Some(number) = table.find_in(wanted.kept, entries)? {
            numbers[count] = (wanted.place, number);
            count += 1;
        }
    }
    let numbers = &numbers[..count];
    for (_, number) in numbers {
        view.ends.fetch_samples(before(*number));
    }
    for (_, number) in numbers {
        view.ends.fetch(before(*number));
    }
    let start = found.len();
    for &(place, number) in numbers {
        let run = view.run(number)?;
        found.push(FoundDigest { place, run });
    }
    for FoundDigest { run, .. } in &found[start..] {
        view.documents.fetch(run.first(), run.behind());
    }
    Ok(())
}
