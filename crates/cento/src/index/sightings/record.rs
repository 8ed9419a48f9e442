//! What the log of a store says, and how it is written: little-endian numbers, one after the other.

use super::Mark;
use super::windows::{Bucket, Minute, Moments};
use crate::digest::Digest;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// Everything about a family: it is new, or its earlier records are about to go.
    Whole(Whole),
    /// A message of a family was seen.
    Again { family: u64, minute: Minute },
    /// Somebody said what a family is.
    Marked {
        family: u64,
        mark: Option<Mark>,
        minute: Minute,
    },
    /// A family is forgotten.
    Gone { family: u64, why: Why, last: Minute },
    /// The sums so far; every segment begins with them.
    Totals(Totals),
    /// Segments before this one are no longer needed.
    Oldest(u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    pub(super) family: u64,
    pub(super) last: Minute,
    pub(super) mark: Option<Mark>,
    pub(super) moments: Moments,
    /// Sorted, without repetition.
    pub(super) digests: Box<[Digest]>,
}

/// Why a family is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It was not seen for long enough.
    Expired,
    /// There was no room.
    Evicted,
}

/// Sums over all time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    /// The oldest segment that is needed.
    pub(super) oldest: u64,
    /// The bytes of the segment before.
    pub(super) previous: u64,
    /// The number of the next new family.
    pub(super) next: u64,
    pub(super) counted: u64,
    pub(super) expired: u64,
    pub(super) evicted: u64,
    /// From when on nothing was evicted.
    pub(super) since: Minute,
}

impl Record {
    pub(super) fn write(&self, into: &mut Vec<u8>) {
        let mut bytes = Writer(into);
        match self {
            Record::Whole(whole) => {
                bytes.byte(1);
                bytes.long(whole.family);
                bytes.short(whole.last);
                bytes.byte(code(whole.mark));
                bytes.count(whole.moments.buckets().len());
                for bucket in whole.moments.buckets() {
                    bytes.short(bucket.start);
                    bytes.short(bucket.count);
                }
                bytes.count(whole.digests.len());
                for digest in &whole.digests {
                    bytes.long(digest.0);
                }
            }
            Record::Again { family, minute } => {
                bytes.byte(2);
                bytes.long(*family);
                bytes.short(*minute);
            }
            Record::Marked {
                family,
                mark,
                minute,
            } => {
                bytes.byte(3);
                bytes.long(*family);
                bytes.byte(code(*mark));
                bytes.short(*minute);
            }
            Record::Gone { family, why, last } => {
                bytes.byte(4);
                bytes.long(*family);
                bytes.byte(u8::from(*why == Why::Evicted));
                bytes.short(*last);
            }
            Record::Totals(totals) => {
                bytes.byte(5);
                for number in [
                    totals.oldest,
                    totals.previous,
                    totals.next,
                    totals.counted,
                    totals.expired,
                    totals.evicted,
                ] {
                    bytes.long(number);
                }
                bytes.short(totals.since);
            }
            Record::Oldest(segment) => {
                bytes.byte(6);
                bytes.long(*segment);
            }
        }
    }

    /// The record that some bytes are, if they are one.
    pub(super) fn read(bytes: &[u8]) -> Option<Record> {
        let mut bytes = Bytes(bytes);
        let record = match bytes.byte()? {
            1 => {
                let family = bytes.long()?;
                let last = bytes.short()?;
                let mark = mark(bytes.byte()?).ok()?;
                let count = bytes.count(8)?;
                let mut buckets = Vec::with_capacity(count);
                for _ in 0..count {
                    let (start, count) = (bytes.short()?, bytes.short()?);
                    buckets.push(Bucket { start, count });
                }
                let count = bytes.count(8)?;
                let mut digests = Vec::with_capacity(count);
                for _ in 0..count {
                    digests.push(Digest(bytes.long()?));
                }
                if !digests.is_sorted_by(|left, right| left < right) {
                    return None;
                }
                Record::Whole(Whole {
                    family,
                    last,
                    mark,
                    moments: Moments::of(buckets),
                    digests: digests.into(),
                })
            }
            2 => Record::Again {
                family: bytes.long()?,
                minute: bytes.short()?,
            },
            3 => Record::Marked {
                family: bytes.long()?,
                mark: mark(bytes.byte()?).ok()?,
                minute: bytes.short()?,
            },
            4 => Record::Gone {
                family: bytes.long()?,
                why: match bytes.byte()? {
                    0 => Why::Expired,
                    1 => Why::Evicted,
                    _ => return None,
                },
                last: bytes.short()?,
            },
            5 => Record::Totals(Totals {
                oldest: bytes.long()?,
                previous: bytes.long()?,
                next: bytes.long()?,
                counted: bytes.long()?,
                expired: bytes.long()?,
                evicted: bytes.long()?,
                since: bytes.short()?,
            }),
            6 => Record::Oldest(bytes.long()?),
            _ => return None,
        };
        bytes.0.is_empty().then_some(record)
    }
}

fn code(mark: Option<Mark>) -> u8 {
    match mark {
        None => 0,
        Some(Mark::Bulk) => 1,
        Some(Mark::Wanted) => 2,
    }
}

/// The mark of a code, or that there is none of it.
fn mark(code: u8) -> Result<Option<Mark>, Unknown> {
    match code {
        0 => Ok(None),
        1 => Ok(Some(Mark::Bulk)),
        2 => Ok(Some(Mark::Wanted)),
        _ => Err(Unknown),
    }
}

struct Unknown;

struct Writer<'b>(&'b mut Vec<u8>);

impl Writer<'_> {
    fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    fn short(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn long(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn count(&mut self, value: usize) {
        self.short(crate::number::index32(value));
    }
}

struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn short(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*first))
    }

    fn long(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    /// How many items of a size follow; no more than there are bytes for.
    fn count(&mut self, size: usize) -> Option<usize> {
        let count = self.short()? as usize;
        (count <= self.0.len() / size).then_some(count)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut moments = Moments::default();
        moments.add(30_000_000);
        let all = [
            Record::Whole(Whole {
                family: 7,
                last: 30_000_000,
                mark: Some(Mark::Wanted),
                moments,
                digests: [3, 9, u64::MAX].map(Digest).into(),
            }),
            Record::Again {
                family: 7,
                minute: 5,
            },
            Record::Marked {
                family: 7,
                mark: None,
                minute: 6,
            },
            Record::Gone {
                family: 7,
                why: Why::Evicted,
                last: 8,
            },
            Record::Totals(Totals {
                oldest: 1,
                previous: 9,
                next: 2,
                counted: 3,
                expired: 4,
                evicted: 5,
                since: 6,
            }),
            Record::Oldest(3),
        ];
        for record in all {
            let mut bytes = Vec::new();
            record.write(&mut bytes);
            assert_eq!(Record::read(&bytes).unwrap(), record);
            assert_eq!(Record::read(&bytes[..bytes.len() - 1]), None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_record_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Record::read(&bytes);
        }
    }
}
