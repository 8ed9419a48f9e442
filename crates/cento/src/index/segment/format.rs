//! The header of a segment and where its sections are: docs/format.md in code.

use std::hash::Hasher as _;
use std::ops::Range;

use twox_hash::XxHash3_64;

use super::bits::{bytes_for, ceil_log2};
use super::schema::Sides;
use super::table::{BUCKET_SHIFT, bucket_bits};

/// The version of the format that this library writes.
pub const VERSION: u32 = 1;
/// How many bytes the header has.
pub(super) const HEADER: usize = 168;
/// How many bits of a digest are kept at least, if it has so many.
pub const LEAST_KEPT: u8 = 44;
/// How long the text of a recipe may be.
pub(super) const LONGEST_RECIPE: u32 = 1 << 20;

const MAGIC: [u8; 8] = *b"\x89CENTO\r\n";
const CHECKED: usize = HEADER - 8;
/// A segment has fewer postings than this.
pub(super) const MOST_POSTINGS: u64 = 1 << 48;
const MOST_COUNT_BITS: u8 = 16;

/// The sections of a segment, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Section {
    Recipe,
    Sides,
    Ends,
    Documents,
    Remainders,
    Buckets,
    BucketSamples,
    ListSamples,
    Repeats,
    RepeatBuckets,
    RepeatSamples,
    Large,
}

impl Section {
    pub(super) const ALL: [Section; 12] = [
        Section::Recipe,
        Section::Sides,
        Section::Ends,
        Section::Documents,
        Section::Remainders,
        Section::Buckets,
        Section::BucketSamples,
        Section::ListSamples,
        Section::Repeats,
        Section::RepeatBuckets,
        Section::RepeatSamples,
        Section::Large,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Section::Recipe => "recipe",
            Section::Sides => "sides",
            Section::Ends => "ends",
            Section::Documents => "documents",
            Section::Remainders => "remainders",
            Section::Buckets => "buckets",
            Section::BucketSamples => "bucket samples",
            Section::ListSamples => "list samples",
            Section::Repeats => "repeats",
            Section::RepeatBuckets => "repeat buckets",
            Section::RepeatSamples => "repeat samples",
            Section::Large => "large counts",
        }
    }
}

/// The numbers of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) digest_bits: u8,
    pub(super) kept_bits: u8,
    pub(super) bucket_bits: u8,
    pub(super) document_bits: u8,
    pub(super) documents: u32,
    pub(super) recipe_bytes: u32,
    pub(super) postings: u64,
    pub(super) digests: u64,
    pub(super) repeats: u64,
    pub(super) large: u64,
    pub(super) list_shift: u8,
    pub(super) repeat_bucket_bits: u8,
    pub(super) count_bits: u8,
    pub(super) sides: Sides,
    pub(super) checksums: [u64; Section::ALL.len()],
}

impl Header {
    /// The header of so many documents and postings: all that is known before the first posting.
    pub(super) fn new(
        digest_bits: u8,
        kept_bits: u8,
        recipe_bytes: u32,
        documents: u32,
        postings: u64,
        sides: Sides,
    ) -> Header {
        Header {
            sides,
            digest_bits,
            kept_bits,
            bucket_bits: narrow(bucket_bits(postings, kept_bits.into())),
            document_bits: narrow(ceil_log2(documents.into())),
            documents,
            recipe_bytes,
            postings,
            ..Header::default()
        }
    }

    /// Settles what depends on the repeats; `widths[n]` of them have a count of which count - 1 has
    /// n bits.
    pub(super) fn set_repeats(&mut self, widths: &[u64; 33]) {
        self.repeats = widths.iter().sum();
        if self.repeats == 0 {
            return;
        }
        let large = |bits: u8| widths[usize::from(bits) + 1..].iter().sum::<u64>();
        let cost = |bits: &u8| self.repeats * u64::from(*bits) + 96 * large(*bits);
        self.count_bits = (1..=MOST_COUNT_BITS).min_by_key(cost).unwrap_or(1);
        self.large = large(self.count_bits);
        self.repeat_bucket_bits = narrow(bucket_bits(self.repeats, self.posting_bits()));
    }

    /// How many bits the number of a posting has.
    pub(super) fn posting_bits(&self) -> u32 {
        ceil_log2(self.postings)
    }

    /// How many lists there may be samples of.
    pub(super) fn most_list_samples(&self) -> u64 {
        self.postings / 128 + 1
    }

    /// How many bits of a digest are in its remainder.
    pub(super) fn remainder_bits(&self) -> u32 {
        u32::from(self.kept_bits - self.bucket_bits)
    }

    /// How many bits of a repeat's posting number are in its record.
    pub(super) fn repeat_rest_bits(&self) -> u32 {
        self.posting_bits() - u32::from(self.repeat_bucket_bits)
    }

    fn side_bytes(&self) -> u64 {
        match self.sides {
            Sides::Whole => 16,
            Sides::Counts => 1,
        }
    }

    /// How many bytes a section takes without the padding behind it; `None` if that is absurd.
    pub(super) fn bytes_of(&self, section: Section) -> Option<u64> {
        let is_about_postings = !matches!(section, Section::Recipe | Section::Sides);
        if is_about_postings && self.postings == 0
            || section >= Section::Repeats && self.repeats == 0
        {
            return Some(0);
        }
        let packed = |count: u64, width: u32| bytes_for(count.checked_mul(width.into())?);
        let samples = |bits: u8| Some(8 * (1u64 << bits).div_ceil(1 << BUCKET_SHIFT));
        match section {
            Section::Recipe => Some(self.recipe_bytes.into()),
            Section::Sides => Some(self.side_bytes() * u64::from(self.documents)),
            Section::Ends => bytes_for(self.postings),
            Section::Documents => packed(self.postings, self.document_bits.into()),
            Section::Remainders => packed(self.digests, self.remainder_bits()),
            Section::Buckets => bytes_for(self.digests + (1 << self.bucket_bits)),
            Section::BucketSamples => samples(self.bucket_bits),
            Section::ListSamples => Some(8 * self.digests.div_ceil(1 << self.list_shift)),
            Section::Repeats => {
                let width = self.repeat_rest_bits() + u32::from(self.count_bits);
                packed(self.repeats, width)
            }
            Section::RepeatBuckets => bytes_for(self.repeats + (1 << self.repeat_bucket_bits)),
            Section::RepeatSamples => samples(self.repeat_bucket_bits),
            Section::Large => Some(12 * self.large),
        }
    }

    pub(super) fn encode(&self) -> [u8; HEADER] {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([
            self.digest_bits,
            self.kept_bits,
            self.bucket_bits,
            self.document_bits,
        ]);
        bytes.extend(self.documents.to_le_bytes());
        bytes.extend(self.recipe_bytes.to_le_bytes());
        for number in [self.postings, self.digests, self.repeats, self.large] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([
            self.list_shift,
            self.repeat_bucket_bits,
            self.count_bits,
            u8::from(self.sides == Sides::Counts),
            0,
            0,
            0,
            0,
        ]);
        for checksum in self.checksums {
            bytes.extend(checksum.to_le_bytes());
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes.try_into().expect("the fields fill the header")
    }

    /// The header at the start of a file, if it is one that this library can read.
    pub(super) fn decode(file: &[u8]) -> Result<Header, String> {
        let Some(bytes) = file.first_chunk::<HEADER>() else {
            return Err(format!(
                "it has {} bytes and the header alone takes {HEADER}",
                file.len()
            ));
        };
        if !bytes.starts_with(&MAGIC) {
            return Err("it is not a segment, or one that was not finished".to_owned());
        }
        let version = u32::try_from(number(bytes, 8, 4)).expect("four bytes");
        if version != VERSION {
            return Err(format!(
                "it has version {version} of the format and this program reads version {VERSION}"
            ));
        }
        if number(bytes, CHECKED, 8) != checksum(&bytes[..CHECKED]) {
            return Err("its header is damaged: the checksum differs".to_owned());
        }
        let header = Header {
            digest_bits: bytes[12],
            kept_bits: bytes[13],
            bucket_bits: bytes[14],
            document_bits: bytes[15],
            documents: u32::try_from(number(bytes, 16, 4)).expect("four bytes"),
            recipe_bytes: u32::try_from(number(bytes, 20, 4)).expect("four bytes"),
            postings: number(bytes, 24, 8),
            digests: number(bytes, 32, 8),
            repeats: number(bytes, 40, 8),
            large: number(bytes, 48, 8),
            list_shift: bytes[56],
            repeat_bucket_bits: bytes[57],
            count_bits: bytes[58],
            sides: match bytes[59] {
                0 => Sides::Whole,
                1 => Sides::Counts,
                _ => return Err("its header names sides of an unknown kind".to_owned()),
            },
            checksums: std::array::from_fn(|section| number(bytes, 64 + 8 * section, 8)),
        };
        if bytes[60..64] != [0; 4] {
            return Err("its header has something where nothing should be".to_owned());
        }
        match header.contradiction() {
            Some(reason) => Err(format!("its header contradicts itself: {reason}")),
            None => Ok(header),
        }
    }

    /// What is impossible about it. All arithmetic on a header relies on this.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let kept = LEAST_KEPT.min(self.digest_bits)..=self.digest_bits;
        let checks = [
            (
                (1..=64).contains(&self.digest_bits),
                "digests have 1 to 64 bits",
            ),
            (
                kept.contains(&self.kept_bits),
                "too few or too many bits are kept",
            ),
            (
                self.bucket_bits <= self.kept_bits.min(40),
                "the buckets have too many bits",
            ),
            (
                u32::from(self.document_bits) == ceil_log2(self.documents.into()),
                "the width of documents is not that of their number",
            ),
            (
                self.recipe_bytes <= LONGEST_RECIPE,
                "the recipe is too long",
            ),
            (self.postings < MOST_POSTINGS, "there are too many postings"),
            (
                self.postings == 0 || self.documents > 0,
                "postings without documents",
            ),
            (self.digests <= self.postings, "more digests than postings"),
            (
                (self.digests == 0) == (self.postings == 0),
                "postings without digests",
            ),
            (self.repeats <= self.postings, "more repeats than postings"),
            (self.large <= self.repeats, "more large counts than repeats"),
            (self.list_shift <= 40, "lists are sampled too rarely"),
            (
                u32::from(self.repeat_bucket_bits) <= self.posting_bits().min(40),
                "the repeats' buckets have too many bits",
            ),
            (
                (self.repeats > 0) == (1..=MOST_COUNT_BITS).contains(&self.count_bits),
                "the width of counts is impossible",
            ),
        ];
        checks
            .into_iter()
            .find(|(holds, _)| !holds)
            .map(|(_, reason)| reason)
    }
}

/// Where the sections of a segment are.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    sections: [Range<u64>; Section::ALL.len()],
}

impl Layout {
    /// The layout that follows from a header; `None` if no file can be that long.
    pub(super) fn of(header: &Header) -> Option<Layout> {
        let mut end = HEADER as u64;
        let mut sections = Vec::with_capacity(Section::ALL.len());
        for section in Section::ALL {
            let start = end;
            end = start
                .checked_add(header.bytes_of(section)?)?
                .checked_next_multiple_of(8)?;
            sections.push(start..end);
        }
        let sections = sections.try_into().expect("one range for each section");
        Some(Layout { sections })
    }

    /// Where a section is, with the padding behind it.
    pub(super) fn of_section(&self, section: Section) -> Range<u64> {
        self.sections[section as usize].clone()
    }

    /// How long the file is.
    pub(super) fn file_bytes(&self) -> u64 {
        self.sections[Section::ALL.len() - 1].end
    }
}

/// The checksum of a section or a header.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut checksum = Checksum::default();
    checksum.add(bytes);
    checksum.value()
}

/// A checksum of bytes that come piece by piece.
#[derive(Default)]
pub(super) struct Checksum(XxHash3_64);

impl Checksum {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    pub(super) fn value(&self) -> u64 {
        self.0.finish()
    }
}

/// The little-endian number in `count` bytes from `start` on.
fn number(bytes: &[u8; HEADER], start: usize, count: usize) -> u64 {
    let mut eight = [0; 8];
    eight[..count].copy_from_slice(&bytes[start..start + count]);
    u64::from_le_bytes(eight)
}

fn narrow(bits: u32) -> u8 {
    u8::try_from(bits).expect("at most 64 bits")
}
