//! Every formula on one page: how much two documents have in common.
//!
//! A measure is a sum over the digests that query and document share, and a formula that finishes
//! it: `finish(Σ term)`. For set measures every term is 1. The letters are those of the papers: f_t
//! documents have the digest, f_q,t and f_d,t times it occurs in query and document, f_q and f_d are
//! their lengths in tokens, N is the number of documents, W_d the weight of a document.

#![allow(clippy::doc_markdown, reason = "formulas are written as in the papers")]

use std::fmt;
use std::str::FromStr;

use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::number::index32;
use crate::text_form::serde_as_text;

/// The sizes of two sets of digests and of their intersection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// |A ∩ B|.
    pub shared: u32,
    /// |A|.
    pub left: u32,
    /// |B|.
    pub right: u32,
}

/// A digest that query and document share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// f_q,t: how often it occurs in the query.
    pub in_query: u32,
    /// f_d,t: how often it occurs in the document.
    pub in_document: u32,
    /// f_t: how many documents have it.
    pub documents_with: u32,
}

/// What a measure needs to know of a query or a document as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// f: how many tokens it has.
    pub tokens: u32,
    /// How many distinct digests.
    pub digests: u32,
    /// W: the root of the sum of the squares of 1 + ln f_d,t.
    pub weight: f64,
}

/// A formula for the score of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// |A ∩ B| / |A| for a query A; of a pair, the larger of the two directions (Finkel's a,
    /// Masaryk's percentage, S2).
    Containment,
    /// 2 |A ∩ B| / (|A| + |B|) (Finkel's s as his tables use it).
    Symmetric,
    /// |A ∩ B| / |A ∪ B| (text sifting's S1).
    Resemblance,
    /// |A ∩ B| / min(|A|, |B|) (text sifting's S3).
    #[default]
    MaxContainment,
    /// Σ (1 + ln f_d,t) · ln(1 + N / f_t) (Hoad & Zobel).
    Inner,
    /// The inner product over √f_d.
    NormalizedInner,
    /// The inner product over W_d.
    Cosine,
    /// Hoad & Zobel's identity measure, in one of its variations.
    Identity(Variation),
    /// Containment in which a digest counts for the more the fewer documents have it: the share of what
    /// is rare in A that is also in B. Of a pair, the larger of the two directions.
    RareContainment,
}

/// A measure that looks at the sets of digests alone: it can say how alike two documents are, without
/// a collection around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetMeasure {
    /// [`Measure::Containment`], of a pair the larger of the two directions.
    Containment,
    /// [`Measure::Symmetric`].
    Symmetric,
    /// [`Measure::Resemblance`].
    Resemblance,
    /// [`Measure::MaxContainment`].
    MaxContainment,
}

/// The variations of the identity measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variation {
    /// ln(N / f_t), lengths compared as they are.
    One,
    /// ln(1 + N / f_t), lengths compared by their logarithm, as in all that follow.
    Two,
    /// As two, times f_d,t + f_q,t.
    Three,
    /// ln(N / f_t).
    Four,
    /// N / f_t.
    Five,
}

impl Overlap {
    /// What two sorted sets of digests have in common.
    pub(crate) fn of(left: &[Digest], right: &[Digest]) -> Overlap {
        let (mut at, mut other, mut shared) = (0, 0, 0);
        while let (Some(a), Some(b)) = (left.get(at), right.get(other)) {
            shared += u32::from(a == b);
            at += usize::from(a <= b);
            other += usize::from(b <= a);
        }
        Overlap {
            shared,
            left: index32(left.len()),
            right: index32(right.len()),
        }
    }

    /// How much of the left one is in the right one, and the other way round.
    pub fn containment(self) -> [f64; 2] {
        [
            ratio(self.shared, self.left),
            ratio(self.shared, self.right),
        ]
    }
}

impl Side {
    /// The side of a fingerprint.
    pub fn of(fingerprint: &Fingerprint) -> Side {
        // Nearly all digests occur once, and the logarithm of one is nothing.
        let count = fingerprint.digests().len();
        let repeats: Vec<u32> = fingerprint
            .repeats_in(0..count)
            .map(|(_, times)| times)
            .collect();
        let square = |times: &u32| (1.0 + f64::from(*times).ln()).powi(2);
        let squares = (count - repeats.len()) as f64 + repeats.iter().map(square).sum::<f64>();
        Side {
            tokens: fingerprint.tokens(),
            digests: index32(count),
            weight: squares.sqrt(),
        }
    }

    /// The side of a document that has so many digests, each of them once.
    pub(crate) fn of_each_once(digests: u32) -> Side {
        Side {
            tokens: digests,
            digests,
            weight: f64::from(digests).sqrt(),
        }
    }
}

impl SetMeasure {
    /// All of them.
    pub const ALL: [SetMeasure; 4] = [
        SetMeasure::Containment,
        SetMeasure::Symmetric,
        SetMeasure::Resemblance,
        SetMeasure::MaxContainment,
    ];

    /// The score of a pair. Two empty fingerprints have nothing in common: 0.
    pub fn score(self, overlap: Overlap) -> f64 {
        let Overlap {
            shared,
            left,
            right,
        } = overlap;
        match self {
            SetMeasure::Containment | SetMeasure::MaxContainment => ratio(shared, left.min(right)),
            SetMeasure::Symmetric => 2.0 * ratio(shared, left.saturating_add(right)),
            SetMeasure::Resemblance => ratio(shared, left.saturating_add(right - shared)),
        }
    }

    /// The score of a document for a query, which is the left one. It is that of the pair, but that
    /// containment has a direction: how much of the query is in the document.
    pub fn score_for_query(self, overlap: Overlap) -> f64 {
        match self {
            SetMeasure::Containment => ratio(overlap.shared, overlap.left),
            SetMeasure::Symmetric | SetMeasure::Resemblance | SetMeasure::MaxContainment => {
                self.score(overlap)
            }
        }
    }
}

impl From<SetMeasure> for Measure {
    fn from(measure: SetMeasure) -> Measure {
        match measure {
            SetMeasure::Containment => Measure::Containment,
            SetMeasure::Symmetric => Measure::Symmetric,
            SetMeasure::Resemblance => Measure::Resemblance,
            SetMeasure::MaxContainment => Measure::MaxContainment,
        }
    }
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 13] = [
        Measure::Containment,
        Measure::Symmetric,
        Measure::Resemblance,
        Measure::MaxContainment,
        Measure::Inner,
        Measure::NormalizedInner,
        Measure::Cosine,
        Measure::Identity(Variation::One),
        Measure::Identity(Variation::Two),
        Measure::Identity(Variation::Three),
        Measure::Identity(Variation::Four),
        Measure::Identity(Variation::Five),
        Measure::RareContainment,
    ];

    /// What a shared digest adds to the sum, in a collection of so many documents.
    pub fn term(self, shared: &Shared, documents: u32) -> f64 {
        self.weight(shared.documents_with, documents)
            * self.factor(shared.in_query, shared.in_document)
    }

    /// The part of a term that depends on the collection.
    pub(crate) fn weight(self, documents_with: u32, documents: u32) -> f64 {
        // A query from outside may have digests that no document has.
        let rarity = f64::from(documents) / f64::from(documents_with.max(1));
        match self {
            Measure::Containment
            | Measure::Symmetric
            | Measure::Resemblance
            | Measure::MaxContainment => 1.0,
            Measure::Inner
            | Measure::NormalizedInner
            | Measure::Cosine
            | Measure::Identity(Variation::Two | Variation::Three) => (1.0 + rarity).ln(),
            Measure::Identity(Variation::One | Variation::Four) => rarity.ln(),
            Measure::Identity(Variation::Five) => rarity,
            // What two documents have counts as much as what one has, or two alone could share nothing
            // but what is common to all there are.
            Measure::RareContainment => {
                let [others, others_with] =
                    [documents, documents_with].map(|count| f64::from(count.max(2) - 1));
                (1.0 + others / others_with).ln().powi(2)
            }
        }
    }

    /// The part of a term that depends on query and document.
    pub(crate) fn factor(self, in_query: u32, in_document: u32) -> f64 {
        let (f_q, f_d) = (f64::from(in_query), f64::from(in_document));
        match self {
            Measure::Containment
            | Measure::Symmetric
            | Measure::Resemblance
            | Measure::MaxContainment
            | Measure::RareContainment => 1.0,
            Measure::Inner | Measure::NormalizedInner | Measure::Cosine => 1.0 + f_d.ln(),
            Measure::Identity(Variation::Three) => (f_d + f_q) / (1.0 + (f_d - f_q).abs()),
            Measure::Identity(_) => 1.0 / (1.0 + (f_d - f_q).abs()),
        }
    }

    /// The score that a sum of terms comes to.
    pub fn finish(self, sum: f64, query: &Side, document: &Side) -> f64 {
        let (q, d) = (f64::from(query.digests), f64::from(document.digests));
        let f_d = f64::from(document.tokens);
        let difference = (f_d - f64::from(query.tokens)).abs();
        match self {
            Measure::Containment => over(sum, q),
            Measure::MaxContainment => over(sum, q.min(d)),
            Measure::Symmetric => over(2.0 * sum, q + d),
            Measure::Resemblance => over(sum, q + d - sum),
            // Its share of the query's own score is what is wanted.
            Measure::Inner | Measure::RareContainment => sum,
            Measure::NormalizedInner => over(sum, f_d.sqrt()),
            Measure::Cosine => over(sum, document.weight),
            Measure::Identity(Variation::One) => sum / (1.0 + difference),
            Measure::Identity(_) => sum / (1.0 + (1.0 + difference).ln()),
        }
    }

    /// The same as a measure of sets, if it looks at nothing else.
    pub fn of_sets(self) -> Option<SetMeasure> {
        match self {
            Measure::Containment => Some(SetMeasure::Containment),
            Measure::Symmetric => Some(SetMeasure::Symmetric),
            Measure::Resemblance => Some(SetMeasure::Resemblance),
            Measure::MaxContainment => Some(SetMeasure::MaxContainment),
            Measure::Inner
            | Measure::NormalizedInner
            | Measure::Cosine
            | Measure::Identity(_)
            | Measure::RareContainment => None,
        }
    }

    /// The same as a measure of sets, or [`Error::NotOfSets`].
    pub fn expect_sets(self) -> Result<SetMeasure, Error> {
        self.of_sets().ok_or_else(|| Error::NotOfSets {
            measure: self.to_string(),
        })
    }

    /// Whether it looks at the sets of digests alone.
    pub fn is_set(self) -> bool {
        self.of_sets().is_some()
    }

    /// Whether no document can score higher than one that is identical to the query. Only then is a
    /// percentage of the query's own score never above 100.
    pub fn is_ideal(self) -> bool {
        match self {
            Measure::Inner
            | Measure::NormalizedInner
            | Measure::Cosine
            | Measure::Identity(Variation::Three) => false,
            Measure::Containment
            | Measure::Symmetric
            | Measure::Resemblance
            | Measure::MaxContainment
            | Measure::Identity(_)
            | Measure::RareContainment => true,
        }
    }

    /// Its name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Containment => "containment",
            Measure::Symmetric => "symmetric",
            Measure::Resemblance => "resemblance",
            Measure::MaxContainment => "max-containment",
            Measure::Inner => "inner",
            Measure::NormalizedInner => "normalized-inner",
            Measure::Cosine => "cosine",
            Measure::Identity(Variation::One) => "identity-1",
            Measure::Identity(Variation::Two) => "identity-2",
            Measure::Identity(Variation::Three) => "identity-3",
            Measure::Identity(Variation::Four) => "identity-4",
            Measure::Identity(Variation::Five) => "identity-5",
            Measure::RareContainment => "rare-containment",
        }
    }
}

fn ratio(part: u32, whole: u32) -> f64 {
    over(f64::from(part), f64::from(whole))
}

fn over(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

impl fmt::Display for SetMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Measure::from(*self).fmt(f)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(name: &str) -> Result<Measure, Error> {
        Measure::ALL
            .into_iter()
            .find(|measure| measure.name() == name)
            .ok_or_else(|| {
                let choices = Measure::ALL.map(Measure::name).join(", ");
                Error::UnknownMeasure {
                    name: name.to_owned(),
                    choices,
                }
            })
    }
}

impl FromStr for SetMeasure {
    type Err = Error;

    fn from_str(name: &str) -> Result<SetMeasure, Error> {
        name.parse::<Measure>()?.expect_sets()
    }
}

serde_as_text!(Measure);
serde_as_text!(SetMeasure);

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(measure: SetMeasure, overlap: [u32; 3], expected: f64) {
        let [shared, left, right] = overlap;
        let overlap = Overlap {
            shared,
            left,
            right,
        };
        let score = measure.score(overlap);
        assert!((score - expected).abs() < 1e-12, "{measure}: {score}");
        let side = |digests| Side {
            tokens: 0,
            digests,
            weight: 0.0,
        };
        let finished = Measure::from(measure).finish(f64::from(shared), &side(left), &side(right));
        let of_query = measure.score_for_query(overlap);
        assert!(
            (finished - of_query).abs() < 1e-12,
            "{measure}: {finished} {of_query}"
        );
        if measure != SetMeasure::Containment {
            assert!((finished - expected).abs() < 1e-12, "{measure}: {finished}");
        }
    }

    #[test]
    fn set_formulas() {
        check(SetMeasure::Containment, [3, 4, 12], 0.75);
        check(SetMeasure::Symmetric, [3, 4, 12], 6.0 / 16.0);
        check(SetMeasure::Resemblance, [3, 4, 12], 3.0 / 13.0);
        check(SetMeasure::MaxContainment, [3, 4, 12], 0.75);
        let [left, right] = Overlap {
            shared: 3,
            left: 4,
            right: 12,
        }
        .containment();
        assert!((left - 0.75).abs() < 1e-12 && (right - 0.25).abs() < 1e-12);
        // Of a pair it is the larger direction, for a query its own.
        check(SetMeasure::Containment, [3, 12, 4], 0.75);
    }

    #[test]
    fn identical_is_exactly_one_and_empty_is_zero() {
        for measure in SetMeasure::ALL {
            for size in [1, 2, 3, 7, 1_000_003] {
                let score = measure.score(Overlap {
                    shared: size,
                    left: size,
                    right: size,
                });
                assert!((score - 1.0).abs() < f64::EPSILON && score <= 1.0);
            }
            check(measure, [0, 0, 0], 0.0);
            check(measure, [0, 0, 5], 0.0);
        }
    }

    #[test]
    fn names_round_trip() {
        for measure in Measure::ALL {
            assert_eq!(measure.name().parse::<Measure>().unwrap(), measure);
            assert!(
                measure
                    .of_sets()
                    .is_none_or(|sets| Measure::from(sets) == measure)
            );
        }
        let error = "overlap".parse::<Measure>().unwrap_err().to_string();
        assert!(error.contains("identity-5"), "{error}");
    }
}
