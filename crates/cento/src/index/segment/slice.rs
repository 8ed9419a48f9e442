//! A segment cut into slices, each with the postings of a range of digests, and put together again.
//!
//! Postings are sorted by digest, so that a slice is a stretch of them. It is a segment of its own, of
//! the same documents: what it says of each as a whole is what the whole segment says, except for how
//! many digests it has, which are those of the slice. So the digests of all slices add up to those of
//! the document, and a digest is in one slice, with all documents that have it.

use std::ops::Range;
use std::path::Path;

use super::format::{Header, Layout};
use super::{Lists, Schema, Segment, Summary, Writer};
use crate::digest::Digest;
use crate::error::Error;
use crate::measure::Side;
use crate::number::index32;
use crate::watch::Steps;

/// A range of digests: their bits as the upper ones of 64, so that one range serves digests of any
/// length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestRange {
    /// The first.
    pub from: u64,
    /// The first behind it; none if it reaches to the end.
    pub to: Option<u64>,
}

impl DigestRange {
    /// All digests.
    pub const ALL: DigestRange = DigestRange { from: 0, to: None };

    /// So many ranges of the same length that have all digests together.
    pub fn equal(count: u32) -> Vec<DigestRange> {
        let start = |number: u32| {
            let start = (u128::from(number) << 64) / u128::from(count.max(1));
            u64::try_from(start).ok()
        };
        let range = |number: u32| DigestRange {
            from: start(number).unwrap_or(u64::MAX),
            to: start(number + 1),
        };
        (0..count).map(range).collect()
    }

    fn is_behind(self, place: u64) -> bool {
        self.to.is_some_and(|to| place >= to)
    }

    /// Where in ascending digests those of the range are.
    pub(in crate::index) fn within(self, schema: &Schema, digests: &[Digest]) -> Range<usize> {
        if self == DigestRange::ALL {
            return 0..digests.len();
        }
        let start = digests.partition_point(|digest| schema.place_of(*digest) < self.from);
        let end = digests.partition_point(|digest| !self.is_behind(schema.place_of(*digest)));
        start..end.max(start)
    }
}

impl Segment {
    /// Tells this content from any other: the checksum of the header, which has those of all parts.
    pub(in crate::index) fn checksum(&self) -> u64 {
        let header = self.header().encode();
        let (_, last) = header.split_at(header.len() - 8);
        u64::from_le_bytes(std::array::from_fn(|place| last[place]))
    }
}

/// Cuts a segment into slices, one after the other.
pub(in crate::index) struct Cutter<'a> {
    segment: &'a Segment,
    lists: Lists<'a>,
}

impl<'a> Cutter<'a> {
    pub(in crate::index) fn of(segment: &'a Segment) -> Cutter<'a> {
        Cutter {
            segment,
            lists: segment.lists(),
        }
    }

    /// Writes the slice of the next range; ranges come in their order and leave out no digest.
    pub(in crate::index) fn write(
        &mut self,
        path: &Path,
        range: DigestRange,
        steps: &mut Steps<'_>,
    ) -> Result<Summary, Error> {
        let schema = self.segment.schema();
        let mut sides: Vec<Side> = self.segment.all_sides().collect();
        for side in &mut sides {
            side.digests = 0;
        }
        let mut ahead = self.lists.clone();
        let mut count = 0u64;
        while let Some(list) = ahead.next_list()? {
            if range.is_behind(schema.place_of(list.digest)) {
                break;
            }
            for posting in list.postings {
                sides[posting.document.0 as usize].digests += 1;
            }
            count += 1;
        }
        let mut writer = Writer::create(path, schema, &sides)?;
        for _ in 0..count {
            let Some(list) = self.lists.next_list()? else {
                break;
            };
            for posting in list.postings {
                writer.push(list.digest, posting.document, posting.count)?;
            }
            steps.advance(list.postings.len() as u64)?;
        }
        writer.finish()
    }
}

/// How many bytes the segment has of which these are all slices.
pub(in crate::index) fn whole_bytes(schema: &Schema, slices: &[Summary]) -> Option<u64> {
    let documents = slices.first()?.documents;
    let postings = slices.iter().map(|slice| slice.postings).sum();
    let recipe = index32(schema.recipe.len());
    let mut header = Header::new(
        schema.digest_bits,
        schema.kept_bits,
        recipe,
        documents,
        postings,
        schema.sides,
    );
    header.digests = slices.iter().map(|slice| slice.digests).sum();
    let mut widths = [0; 33];
    for slice in slices {
        for (width, more) in widths.iter_mut().zip(slice.repeats) {
            *width += more;
        }
    }
    header.set_repeats(&widths);
    let most = header.most_list_samples();
    let samples = |shift: &u8| header.digests.div_ceil(1u64 << *shift) <= most;
    header.list_shift = (0..=40).find(samples)?;
    Layout::of(&header).map(|layout| layout.file_bytes())
}

/// The sides of whole documents, from those in slices of them.
pub(in crate::index) fn add_side(whole: &mut Side, of_slice: Side, schema: &Schema) -> bool {
    let is_same = match schema.sides {
        super::schema::Sides::Whole => {
            whole.tokens == of_slice.tokens && whole.weight.to_bits() == of_slice.weight.to_bits()
        }
        super::schema::Sides::Counts => true,
    };
    whole.digests += of_slice.digests;
    is_same
}
