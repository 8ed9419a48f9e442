//! The sections of a segment, ready to be looked up in.

use super::bits::{Bits, Damage, Packed, low_bits};
use super::format::Section;
use super::table::{BUCKET_SHIFT, Entry, Table};
use super::{DocId, Posting, Segment};

/// Where the postings of a digest are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    first: u64,
    documents: u32,
}

/// A digest of a query that is in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundDigest {
    /// Its place in the query.
    pub place: u32,
    /// Its postings.
    pub run: Run,
}

impl Run {
    /// How many documents have the digest.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The number of its first posting, which no other digest of the segment has.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The number of the first posting behind it.
    pub(super) fn behind(&self) -> u64 {
        self.first + u64::from(self.documents)
    }
}

impl Segment {
    pub(super) fn view(&self) -> View<'_> {
        let header = self.header();
        let of = |section: Section| self.section(section);
        let ends = Bits {
            bytes: of(Section::Ends),
            len: header.postings,
            samples: of(Section::ListSamples),
            shift: header.list_shift.into(),
        };
        let table = |buckets, samples, records, entries, bits: u8, rest, payload| Table {
            buckets: Bits {
                bytes: of(buckets),
                len: entries + (1 << bits),
                samples: of(samples),
                shift: BUCKET_SHIFT,
            },
            records: Packed {
                bytes: of(records),
                width: rest + payload,
            },
            entries,
            bucket_count: 1 << bits,
            rest_bits: rest,
            payload_bits: payload,
        };
        View {
            ends,
            postings: header.postings,
            document_count: header.documents,
            documents: Packed {
                bytes: of(Section::Documents),
                width: header.document_bits.into(),
            },
            digests: table(
                Section::Buckets,
                Section::BucketSamples,
                Section::Remainders,
                header.digests,
                header.bucket_bits,
                header.remainder_bits(),
                0,
            ),
            repeats: table(
                Section::RepeatBuckets,
                Section::RepeatSamples,
                Section::Repeats,
                header.repeats,
                header.repeat_bucket_bits,
                header.repeat_rest_bits(),
                header.count_bits.into(),
            ),
            large: of(Section::Large)
                .get(..usize::try_from(12 * header.large).unwrap_or(0))
                .unwrap_or_default(),
        }
    }
}

/// The sections of a segment, ready to be read.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) digests: Table<'a>,
    pub(super) ends: Bits<'a>,
    pub(super) documents: Packed<'a>,
    pub(super) repeats: Table<'a>,
    large: &'a [u8],
    pub(super) postings: u64,
    document_count: u32,
}

impl View<'_> {
    /// The postings of digest number `number`.
    #[inline]
    pub(super) fn run(&self, number: u64) -> Result<Run, Damage> {
        let (first, last) = self.ends.group(number)?;
        self.run_between(first, last)
    }

    /// The postings from `first` to `last`, which are those of one digest.
    #[inline]
    pub(super) fn run_between(&self, first: u64, last: u64) -> Result<Run, Damage> {
        const TOO_LONG: Damage = Damage("a list has more postings than there are documents");
        let documents = u32::try_from(last - first + 1).map_err(|_| TOO_LONG)?;
        if documents <= self.document_count {
            Ok(Run { first, documents })
        } else {
            Err(TOO_LONG)
        }
    }

    /// Reads the postings of a digest, in place of what is in `postings`.
    pub(super) fn read_postings(
        &self,
        run: &Run,
        postings: &mut Vec<Posting>,
    ) -> Result<(), Damage> {
        self.read_documents(run, postings)?;
        if self.repeats.entries == 0 {
            return Ok(());
        }
        let mut repeats = self.repeats.from(run.first)?;
        while let Some(repeat) = repeats.next()?.filter(|repeat| repeat.key < run.behind()) {
            self.set_count(repeat, run.first, postings)?;
        }
        Ok(())
    }

    /// As `read_postings`, without looking up the counts: all are 1.
    #[inline]
    pub(super) fn read_documents(
        &self,
        run: &Run,
        postings: &mut Vec<Posting>,
    ) -> Result<(), Damage> {
        postings.clear();
        self.each_document(run, |document| {
            postings.push(Posting { document, count: 1 });
        })
    }

    /// Visits the documents of a digest, which are in order and below the number of documents.
    #[inline]
    pub(super) fn each_document(
        &self,
        run: &Run,
        mut visit: impl FnMut(DocId),
    ) -> Result<(), Damage> {
        let width = self.documents.width;
        let mask = low_bits(width);
        // As many numbers as are surely in the bits that are read at once; all of them if they
        // have no bits.
        let together = Packed::SURE_BITS.checked_div(width).unwrap_or(u32::MAX);
        // Below 2^48 postings of at most 32 bits.
        let mut bit = run.first * u64::from(width);
        let mut left = run.documents;
        let mut least = 0;
        while left > 0 {
            let mut word = self.documents.some_from(bit)?;
            let now = left.min(together);
            for _ in 0..now {
                let document = word & mask;
                word >>= width;
                if document < least || document >= self.document_count.into() {
                    return Err(Damage("the documents of a list are not in order"));
                }
                least = document + 1;
                let document = u32::try_from(document).expect("below the number of documents");
                visit(DocId(document));
            }
            bit += u64::from(now * width);
            left -= now;
        }
        Ok(())
    }

    /// Gives a repeat its count, in the list of postings from number `start` on.
    pub(super) fn set_count(
        &self,
        repeat: Entry,
        start: u64,
        postings: &mut [Posting],
    ) -> Result<(), Damage> {
        let place = repeat.key.checked_sub(start);
        let place = place.and_then(|place| usize::try_from(place).ok());
        let posting = place
            .and_then(|place| postings.get_mut(place))
            .ok_or(UNSORTED)?;
        posting.count = self.count(repeat)?;
        Ok(())
    }

    /// The count of a repeat.
    fn count(&self, repeat: Entry) -> Result<u32, Damage> {
        if repeat.payload < low_bits(self.repeats.payload_bits) {
            return u32::try_from(repeat.payload + 2).map_err(|_| UNSORTED);
        }
        let (large, _) = self.large.as_chunks::<12>();
        let found = large.binary_search_by_key(&repeat.key, |entry| large_entry(entry).0);
        let count = found.ok().map(|found| large_entry(&large[found]).1);
        count.ok_or(Damage("a large count is missing"))
    }

    /// The large counts: posting numbers and counts.
    pub(super) fn large(&self) -> impl Iterator<Item = (u64, u32)> {
        self.large.as_chunks::<12>().0.iter().map(large_entry)
    }
}

const UNSORTED: Damage = Damage("the repeats are not in order");

fn large_entry(entry: &[u8; 12]) -> (u64, u32) {
    let posting = u64::from_le_bytes(std::array::from_fn(|place| entry[place]));
    let count = u32::from_le_bytes(std::array::from_fn(|place| entry[8 + place]));
    (posting, count)
}
