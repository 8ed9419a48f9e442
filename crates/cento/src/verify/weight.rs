//! How much of two documents is in text that they share and that few registered documents have.

use crate::digest::Digest;
use crate::index::registry::Findings;

/// What the digests of a query say, each by how many registered documents have it.
pub(super) struct Weights<'a> {
    known: &'a [(Digest, u32)],
    /// Of each known digest.
    of_known: Vec<f64>,
    /// Of all digests of the query together.
    whole: f64,
    digests: u32,
}

/// What shared digests weigh.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    /// All together; 1 is what a digest weighs that one document alone has.
    pub(super) sum: f64,
    /// The share of the query and of the document: the geometric mean of both, from 0 to 1.
    pub(super) share: f64,
}

impl Weights<'_> {
    /// The weights of the digests that count.
    pub(super) fn of(found: &Findings) -> Weights<'_> {
        let known = found.known.as_slice();
        let of_known: Vec<f64> = known.iter().map(|(_, with)| weight(*with)).collect();
        let unknown = f64::from(found.digests) - known.len() as f64;
        Weights {
            known,
            whole: unknown * weight(0) + of_known.iter().sum::<f64>(),
            of_known,
            digests: found.digests,
        }
    }

    /// What these digests weigh, which are sorted, in the query and in a document of so many digests.
    ///
    /// What the document's other digests weigh is not known. They are taken to weigh what those of
    /// the query do on average.
    pub(super) fn of_shared(&self, shared: &[Digest], digests: u32) -> Weight {
        let place = |digest| self.known.binary_search_by_key(digest, |(known, _)| *known);
        let places = shared.iter().filter_map(|digest| place(digest).ok());
        let sum: f64 = places.map(|place| self.of_known[place]).sum();
        if sum <= 0.0 {
            return Weight::default();
        }
        let document = self.whole * f64::from(digests) / f64::from(self.digests);
        let share = (sum / self.whole * (sum / document.max(sum))).sqrt();
        Weight {
            sum,
            share: share.min(1.0),
        }
    }
}

/// What a digest says that so many documents have.
///
/// It falls slower than their number: what ten have copied from one another is still worth a third of
/// what one alone has, and what a thousand have a thirtieth.
fn weight(documents: u32) -> f64 {
    1.0 / f64::from(documents.max(1)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::registry::Rarity;

    /// The share of a query of six digests, of which one, four and a hundred documents have one each.
    #[track_caller]
    fn check(shared: &[u64], digests: u32, expected: f64) {
        let found = Findings {
            alike: Vec::new(),
            at_least: 0,
            below: 0,
            own: 1.0,
            digests: 6,
            shared: Rarity::default(),
            known: vec![(Digest(1), 1), (Digest(2), 4), (Digest(3), 100)],
        };
        let shared: Vec<Digest> = shared.iter().copied().map(Digest).collect();
        let share = Weights::of(&found).of_shared(&shared, digests).share;
        assert!((share - expected).abs() < 1e-9, "{share} {expected}");
    }

    #[test]
    fn rare_text_weighs_more_and_length_takes_some_of_it() {
        let whole = 3.0 + 1.0 + 0.5 + 0.1;
        check(&[], 6, 0.0);
        check(&[1], 6, 1.0 / whole);
        check(&[2], 6, 0.5 / whole);
        check(&[1, 2, 3], 6, 1.6 / whole);
        check(&[1], 24, 1.0 / whole / 2.0);
        // A document that is all there, and weighs more than the query does on average.
        check(&[1], 1, (1.0 / whole).sqrt());
    }
}
