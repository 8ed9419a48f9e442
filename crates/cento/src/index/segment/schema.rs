//! What all segments of an index have in common.

use std::borrow::Cow;

use super::format::{LEAST_KEPT, LONGEST_RECIPE};
use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::recipe::Recipe;

/// The recipe of the digests, and how many of their bits are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    pub(super) recipe: String,
    pub(super) digest_bits: u8,
    pub(super) kept_bits: u8,
    pub(super) sides: Sides,
}

/// What a segment remembers of each document as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sides {
    /// All of [`Side`](crate::measure::Side).
    #[default]
    Whole,
    /// How many digests it has, at most 255, each of them once: enough where documents are small and
    /// many.
    Counts,
}

impl Schema {
    /// A schema that keeps the upper `kept_bits` of the recipe's digests, or all if there are fewer.
    ///
    /// `None` if that is fewer than [`LEAST_KEPT`] although there are more, or the text of the
    /// recipe is longer than a mebibyte.
    pub fn new(recipe: &Recipe, kept_bits: u8) -> Option<Schema> {
        let digest_bits = recipe.digester.bits.min(64);
        Schema::of_text(
            recipe.to_string(),
            digest_bits,
            kept_bits.min(digest_bits),
            Sides::Whole,
        )
    }

    /// A schema of digests that a recipe does not make; `text` says which.
    pub(crate) fn of_text(
        recipe: String,
        digest_bits: u8,
        kept_bits: u8,
        sides: Sides,
    ) -> Option<Schema> {
        let kept = LEAST_KEPT.min(digest_bits)..=digest_bits.min(64);
        let is_short = recipe.len() <= LONGEST_RECIPE as usize;
        (digest_bits > 0 && is_short && kept.contains(&kept_bits)).then_some(Schema {
            recipe,
            digest_bits,
            kept_bits,
            sides,
        })
    }

    /// The recipe's text.
    pub fn recipe(&self) -> &str {
        &self.recipe
    }

    /// How many bits of a digest are kept.
    pub fn kept_bits(&self) -> u8 {
        self.kept_bits
    }

    /// A fingerprint as a segment remembers it: the bits that are not kept are zero, and digests that
    /// differ in nothing else are one, their counts added.
    ///
    /// Queries are cut too, so that a document has everything in common with itself.
    pub fn cut<'a>(&self, fingerprint: &'a Fingerprint) -> Cow<'a, Fingerprint> {
        if self.dropped() == 0 {
            return Cow::Borrowed(fingerprint);
        }
        let cut = |(digest, count): (Digest, u32)| (self.cut_digest(digest), count);
        Cow::Owned(fingerprint.with_digests(fingerprint.counted().map(cut)))
    }

    /// A digest as a segment remembers it: the bits that are not kept are zero.
    pub fn cut_digest(&self, digest: Digest) -> Digest {
        self.whole(digest.0 >> self.dropped())
    }

    /// Where a digest is among all, whatever its length: its bits are the upper ones of 64.
    #[cfg(feature = "registry")]
    pub(in crate::index) fn place_of(&self, digest: Digest) -> u64 {
        digest.0 << (64 - u32::from(self.digest_bits))
    }

    /// The kept bits of a digest, moved to the right; `None` if the digest has more bits than it may.
    #[inline]
    pub(super) fn kept(&self, digest: Digest) -> Option<u64> {
        let above = digest.0.checked_shr(self.digest_bits.into()).unwrap_or(0);
        (above == 0).then_some(digest.0 >> self.dropped())
    }

    /// The digest of kept bits, with zeros for the bits that were not kept.
    #[inline]
    pub(super) fn whole(&self, kept: u64) -> Digest {
        Digest(kept << self.dropped())
    }

    /// How many bits are not kept: at most 20.
    #[inline]
    fn dropped(&self) -> u32 {
        u32::from(self.digest_bits - self.kept_bits)
    }
}
