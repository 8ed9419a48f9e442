//! Which scores mean something in a collection: advice without labels.
//!
//! Hoad & Zobel's highest false match and separation need a person who says what is correct. A
//! collection can say much of it by itself: nearly all of its pairs are unrelated, and related
//! texts can be made from its own documents. `docs/choosing.md` explains the estimates.

use serde::{Deserialize, Serialize};

use crate::report::Histogram;
use crate::token::{Tokenizer, Words};

/// What to make of scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// What unrelated pairs reach.
    pub unrelated: f64,
    /// What a document reaches that took a quarter of its text from another and edited it.
    pub related: f64,
    /// Pairs from here on are worth a look.
    pub look_above: f64,
}

impl Histogram {
    /// The score that a share of the first `pairs` pairs that share something does not exceed.
    fn quantile(&self, share: f64, pairs: u64) -> f64 {
        let wanted = share * pairs as f64;
        let mut seen = 0.0;
        for (number, &count) in self
            .buckets
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            let count = count as f64;
            if seen + count >= wanted {
                // As if the scores were spread evenly over their bucket.
                return (number as f64 + (wanted - seen) / count) / Histogram::BUCKETS as f64;
            }
            seen += count;
        }
        0.0
    }

    /// How many pairs share something, and score at most this.
    fn up_to(&self, score: f64) -> u64 {
        self.buckets[..=Histogram::bucket(score)].iter().sum()
    }

    /// The highest score to expect of unrelated pairs.
    ///
    /// Most pairs are unrelated, and the scores of those that share anything at all fall off about
    /// exponentially. The lower quartile and the median say how fast, and that says how high the
    /// highest of so many is. What scores more is not unrelated, and is left out when the same is
    /// asked again, until nothing changes.
    fn highest_unrelated(&self) -> f64 {
        let mut highest = 1.0;
        loop {
            let pairs = self.up_to(highest);
            if pairs == 0 {
                return 0.0;
            }
            let (quartile, median) = (self.quantile(0.25, pairs), self.quantile(0.5, pairs));
            let mean = (median - quartile) / 1.5f64.ln();
            // The expected largest of n exponential numbers is their mean times about ln n + 0.577.
            let next = mean * ((pairs as f64).ln() + 0.577);
            if next >= highest || self.up_to(next) == pairs {
                return next.min(highest);
            }
            highest = next;
        }
    }
}

impl Advice {
    /// The advice of a collection's scores and of those of related texts made from it; none if
    /// there are too few of either.
    pub fn of(scores: &Histogram, related: &[f64]) -> Option<Advice> {
        if scores.pairs() < 20 || related.is_empty() {
            return None;
        }
        let mut related = related.to_vec();
        related.sort_by(f64::total_cmp);
        // Nine of ten related texts reach more.
        let related = related[related.len() / 10];
        let unrelated = scores.highest_unrelated();
        let look_above = if related > unrelated {
            unrelated + (related - unrelated) / 4.0
        } else {
            unrelated
        };
        Some(Advice {
            unrelated,
            related,
            look_above,
        })
    }

    /// The advice in one sentence.
    pub fn sentence(&self) -> String {
        let percent = |share: f64| format!("{} %", (100.0 * share).ceil());
        let mut sentence = format!(
            "in this collection unrelated pairs reach {}; look at pairs above {}",
            percent(self.unrelated),
            percent(self.look_above)
        );
        if self.related <= self.unrelated {
            sentence.push_str(
                " (an edited quarter of a document would not stand out from unrelated pairs)",
            );
        }
        sentence
    }
}

/// A text that took a quarter from `source` and changed every tenth word of it; the rest is from
/// `other`. Every tenth word becomes one of `other`'s.
pub fn related_text(source: &str, other: &str) -> String {
    let words = |text| -> Vec<String> {
        let words = Words {
            fold: true,
            ..Words::default()
        };
        Tokenizer::Words(words)
            .tokens(text)
            .terms()
            .map(str::to_owned)
            .collect()
    };
    let (source, other) = (words(source), words(other));
    let taken = &source[source.len() * 3 / 8..source.len() * 5 / 8];
    let keep = (3 * taken.len()).min(other.len());
    let edited = taken.iter().enumerate().map(|(place, word)| {
        if place % 10 == 9 {
            other.get(place % other.len().max(1)).unwrap_or(word)
        } else {
            word
        }
    });
    let (before, behind) = other[..keep].split_at(keep / 2);
    before
        .iter()
        .chain(edited)
        .chain(behind)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(zero: u64, scores: &[(f64, u64)]) -> Histogram {
        let mut buckets = vec![0; Histogram::BUCKETS];
        for (score, count) in scores {
            buckets[Histogram::bucket(*score)] += count;
        }
        Histogram { buckets, zero }
    }

    #[test]
    fn the_tail_is_extrapolated_and_outliers_have_no_say() {
        // Exponential with mean 0.02: of 10,000 pairs the highest is near 0.02 · ln 10,000 = 0.18.
        let exponential: Vec<(f64, u64)> = (0..10_000)
            .map(|n| (-0.02 * (1.0 - (f64::from(n) + 0.5) / 10_000.0).ln(), 1))
            .collect();
        let clean = histogram(0, &exponential).highest_unrelated();
        assert!((clean - 0.18).abs() < 0.03, "{clean}");
        let with_copies: Vec<(f64, u64)> = exponential.iter().copied().chain([(0.9, 50)]).collect();
        let still = histogram(0, &with_copies).highest_unrelated();
        assert!((still - clean).abs() < 0.01, "{still}");
    }

    #[test]
    fn advice_needs_pairs() {
        assert_eq!(Advice::of(&histogram(3, &[]), &[0.5]), None);
        assert_eq!(Advice::of(&histogram(300, &[]), &[]), None);
        let advice = Advice::of(&histogram(300, &[]), &[0.2, 0.16]).unwrap();
        assert_eq!(
            advice.sentence(),
            "in this collection unrelated pairs reach 0 %; look at pairs above 4 %"
        );
    }

    #[test]
    fn related_texts_share_an_edited_quarter() {
        let numbered = |letter: char| {
            (0..400)
                .map(|n| format!("{letter}{n}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let text = related_text(&numbered('a'), &numbered('b'));
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(words.len(), 400);
        assert_eq!(
            words.iter().filter(|word| word.starts_with('a')).count(),
            90
        );
    }
}
