//! Selection by frequency (Hoad & Zobel, frequency-based strategies), and the counts behind it.

use std::collections::HashMap;
use std::num::NonZeroU32;

use super::{Frequencies, order_by};
use crate::digest::{Digest, Minutia};
use crate::fingerprint::Fingerprint;
use crate::token::Tokens;

/// Frozen document frequencies of a collection: counted once, asked at indexing and at query time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    documents: u32,
    with: HashMap<Digest, u32>,
}

impl Counts {
    /// Counts one more document.
    pub fn add(&mut self, fingerprint: &Fingerprint) {
        self.documents += 1;
        for &digest in fingerprint.digests() {
            *self.with.entry(digest).or_default() += 1;
        }
    }
}

impl Frequencies for Counts {
    fn documents(&self) -> u32 {
        self.documents
    }

    fn documents_with(&self, digest: Digest) -> u32 {
        self.with.get(&digest).copied().unwrap_or_default()
    }
}

/// Counts, or none for a recipe that does not ask about the collection.
impl Frequencies for Option<Counts> {
    fn documents(&self) -> u32 {
        self.as_ref().map_or(0, Frequencies::documents)
    }

    fn documents_with(&self, digest: Digest) -> u32 {
        self.as_ref()
            .map_or(0, |counts| counts.documents_with(digest))
    }
}

/// The rarest in the document; among equals "the first r substrings", as the paper says.
pub(super) fn in_document(minutiae: &[Minutia], keep: NonZeroU32) -> Vec<usize> {
    let mut counts: HashMap<Digest, u32> = HashMap::new();
    for minutia in minutiae {
        *counts.entry(minutia.digest).or_default() += 1;
    }
    rarest(minutiae, keep, |minutia| counts[&minutia.digest])
}

/// The rarest in the collection.
pub(super) fn in_collection(
    minutiae: &[Minutia],
    keep: NonZeroU32,
    seen: &dyn Frequencies,
) -> Vec<usize> {
    rarest(minutiae, keep, |minutia| {
        seen.documents_with(minutia.digest)
    })
}

/// Those whose first word begins as few words of the document do.
pub(super) fn prefix(
    tokens: &Tokens,
    minutiae: &[Minutia],
    chars: NonZeroU32,
    keep: NonZeroU32,
) -> Vec<usize> {
    let prefix_of = |term| prefix_of(term, chars.get() as usize);
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for term in tokens.terms() {
        *counts.entry(prefix_of(term)).or_default() += 1;
    }
    rarest(minutiae, keep, |minutia| {
        counts[prefix_of(tokens.term(minutia.chunk.first()))]
    })
}

fn prefix_of(term: &str, chars: usize) -> &str {
    term.char_indices()
        .nth(chars)
        .map_or(term, |(end, _)| &term[..end])
}

fn rarest(
    minutiae: &[Minutia],
    keep: NonZeroU32,
    frequency: impl Fn(&Minutia) -> u32,
) -> Vec<usize> {
    let mut order = order_by(minutiae.len(), |position| frequency(&minutiae[position]));
    order.truncate(keep.get() as usize);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunk;
    use crate::token::Tokenizer;

    fn minutiae(digests: &[u64]) -> Vec<Minutia> {
        let minutia = |(n, &digest): (usize, &u64)| {
            let n = u32::try_from(n).unwrap();
            Minutia {
                digest: Digest(digest),
                chunk: Chunk::Run(n..n + 1),
            }
        };
        digests.iter().enumerate().map(minutia).collect()
    }

    #[test]
    fn rarest_first() {
        let keep = NonZeroU32::new(2).unwrap();
        assert_eq!(in_document(&minutiae(&[5, 5, 6, 7, 8]), keep), [2, 3]);
        let mut counts = Counts::default();
        counts
            .with
            .extend([(Digest(5), 1), (Digest(6), 9), (Digest(7), 3)]);
        assert_eq!(
            in_collection(&minutiae(&[6, 7, 5, 7]), keep, &counts),
            [2, 1]
        );
        let tokens = Tokenizer::Lowercase(None).tokens("canal canary town candle wharf");
        let three = NonZeroU32::new(3).unwrap();
        assert_eq!(
            prefix(&tokens, &minutiae(&[1, 2, 3, 4, 5]), three, keep),
            [2, 4]
        );
    }
}
