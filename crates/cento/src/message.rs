//! Whether two messages are the same one in disguise: the one rule that `cento mail`, its counting
//! store and the measurements share.
//!
//! A fingerprint by the preset `mail` is a sample: of a long message it has only the digests that are 0
//! modulo a power of two. Two of them are compared at the coarser of their rates. How this rule was
//! chosen is in docs/mail.md.

use crate::digest::Digest;
use crate::measure::Overlap;
use crate::number::index32;

/// What two messages have in common, by the digests that both would have kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Likeness {
    /// Digests that both have.
    pub shared: u32,
    /// Digests of the one that has fewer.
    pub smaller: u32,
    /// Digests of the one that has more.
    pub larger: u32,
}

/// From which likeness on two messages are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sameness {
    /// The share of the smaller message that the other must have, above the evidence; less than 1.
    pub share: f64,
    /// Shared digests that say nothing yet: phrases that any two messages may have.
    pub evidence: u32,
    /// So many shared digests are enough, however long the messages are: what different ones have in
    /// common does not grow with them.
    pub enough: u32,
}

impl Sameness {
    /// The rule for messages under the preset `mail`.
    pub const MAIL: Sameness = Sameness {
        share: 0.35,
        evidence: 4,
        enough: 48,
    };

    /// Whether messages so alike are the same.
    pub fn holds(&self, likeness: Likeness) -> bool {
        let asked = self.share * f64::from(likeness.smaller) + f64::from(self.evidence);
        f64::from(likeness.shared) >= asked.min(f64::from(self.enough))
    }

    /// The fewest shared digests with which any two messages can be the same: what a search by shared
    /// digests may start from.
    pub fn fewest_shared(&self) -> u32 {
        // A message has at least as many digests as it shares.
        let is_enough = |shared: &u32| {
            self.holds(Likeness {
                shared: *shared,
                smaller: *shared,
                larger: *shared,
            })
        };
        (0..=self.enough).find(is_enough).unwrap_or(self.enough)
    }
}

impl Likeness {
    /// Compares the sorted, distinct digests of two samples of keyed digests.
    pub fn of(left: &[Digest], right: &[Digest]) -> Likeness {
        let Overlap {
            shared,
            left,
            right,
        } = overlap(left, right);
        Likeness {
            shared,
            smaller: left.min(right),
            larger: left.max(right),
        }
    }

    /// How much of the smaller message the other has, from 0 to 1.
    pub fn similarity(self) -> f64 {
        match self.smaller {
            0 => 0.0,
            smaller => f64::from(self.shared) / f64::from(smaller),
        }
    }
}

/// What two samples have in common at the coarser of their rates.
pub(crate) fn overlap(left: &[Digest], right: &[Digest]) -> Overlap {
    let level = level(left).max(level(right));
    let count = |digests: &[Digest]| {
        let kept = digests.iter().filter(|digest| is_at(**digest, level));
        index32(kept.count())
    };
    Overlap {
        left: count(left),
        right: count(right),
        // What is shared is at the level of both.
        ..Overlap::of(left, right)
    }
}

/// The power of two of which all digests are multiples: the rate of a sample, or a coarser one that
/// its digests would not be distinguished by. An empty sample tells none.
pub fn level(digests: &[Digest]) -> u32 {
    let all = digests.iter().fold(0, |bits, digest| bits | digest.0);
    if all == 0 { 0 } else { all.trailing_zeros() }
}

fn is_at(digest: Digest, level: u32) -> bool {
    digest.0.trailing_zeros() >= level
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, NoCollection, Recipe};

    fn digests(numbers: &[u64]) -> Vec<Digest> {
        numbers.iter().copied().map(Digest).collect()
    }

    #[test]
    fn samples_of_different_rates_are_compared_at_the_coarser_one() {
        let fine = digests(&[1, 4, 5, 8, 11, 12, 16, 17]);
        let coarse = digests(&[4, 8, 20, 24, 28]);
        let likeness = Likeness::of(&fine, &coarse);
        assert_eq!(
            likeness,
            Likeness {
                shared: 2,
                smaller: 4,
                larger: 5
            }
        );
        assert_eq!(likeness, Likeness::of(&coarse, &fine));
        assert!((likeness.similarity() - 0.5).abs() < f64::EPSILON);
    }

    #[test]
    fn nothing_is_like_nothing() {
        let likeness = Likeness::of(&[], &digests(&[1, 2]));
        assert_eq!((likeness.shared, likeness.smaller), (0, 0));
        assert!(!Sameness::MAIL.holds(likeness) && likeness.similarity() <= 0.0);
    }

    #[test]
    fn a_rule_of_little_evidence() {
        let rule = Sameness {
            share: 0.2,
            evidence: 6,
            enough: 50,
        };
        let alike = |shared, smaller| {
            rule.holds(Likeness {
                shared,
                smaller,
                larger: 300,
            })
        };
        assert!(alike(8, 8) && !alike(7, 7) && alike(16, 50) && !alike(15, 50));
        // A long message need not have more than enough.
        assert!(alike(50, 256) && !alike(49, 256));
        assert_eq!(rule.fewest_shared(), 8);
    }

    fn fingerprint(text: &str) -> Vec<Digest> {
        let recipe = Recipe::named("mail").unwrap();
        let key = Key::new([3; 16]);
        let fingerprint = recipe.fingerprint(text, &key, &NoCollection);
        fingerprint.digests().to_vec()
    }

    /// A message of so many made-up words.
    fn message(seed: u64, words: usize) -> Vec<String> {
        let mut state = seed;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let word = |next: &mut dyn FnMut(u64) -> u64| {
            let syllables = [
                "ba", "ke", "tir", "mon", "la", "sed", "ru", "pin", "go", "fa",
            ];
            let count = 1 + next(4);
            (0..count)
                .map(|_| syllables[usize::try_from(next(10)).unwrap()])
                .collect()
        };
        (0..words).map(|_| word(&mut next)).collect()
    }

    #[test]
    fn a_message_is_bounded_and_found_among_added_words() {
        let own = message(1, 120);
        let others = message(2, 2000);
        let added: Vec<&str> = own
            .iter()
            .zip(&others)
            .flat_map(|(own, other)| [own.as_str(), other.as_str()])
            .enumerate()
            .filter(|(place, _)| place % 2 == 0 || place % 10 == 1)
            .map(|(_, word)| word)
            .collect();
        let alike = |left: &str, right: &str| {
            Sameness::MAIL.holds(Likeness::of(&fingerprint(left), &fingerprint(right)))
        };
        let own = own.join(" ");
        assert!(alike(&own, &added.join(" ")));
        assert!(alike(&own, &format!("{own}\n{}", others[..400].join(" "))));
        assert!(!alike(&own, &others[..150].join(" ")));
        let long = fingerprint(&others.join(" "));
        assert!((64..=256).contains(&long.len()), "{}", long.len());
    }
}
