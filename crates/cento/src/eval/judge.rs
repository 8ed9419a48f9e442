//! Precision, recall, highest false match and separation.

use std::collections::BTreeSet;

/// How one query went. Percentages are points from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Share of correct documents among the first s, where s is how many there are.
    pub precision: f64,
    /// Share of the correct documents among the first 20, out of at most 20.
    pub recall: f64,
    /// The highest percentage of an incorrect document; 0 if none was found.
    pub highest_false_match: f64,
    /// The lowest percentage of a correct document, 0 if one was not found, less the highest false
    /// match.
    pub separation: f64,
    /// A correct document was found: without one, there is nothing to separate.
    pub has_correct: bool,
}

/// How many results recall looks at.
const LOOKED_AT: usize = 20;

impl Judged {
    /// Judges the documents that were found, with their percentages of the query's own score.
    ///
    /// They may come in any order; equal percentages rank by number.
    pub fn new(mut ranking: Vec<(u32, f64)>, correct: &BTreeSet<u32>) -> Judged {
        // Only the front of the ranking has to be in order.
        let front = correct.len().max(LOOKED_AT);
        let better = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if front < ranking.len() {
            ranking.select_nth_unstable_by(front, better);
        }
        let front = front.min(ranking.len());
        ranking[..front].sort_unstable_by(better);
        let found = |count: usize| {
            ranking
                .iter()
                .take(count)
                .filter(|(document, _)| correct.contains(document))
                .count()
        };
        let wanted = correct.len();
        let share = |found: usize, of: usize| {
            if of == 0 {
                0.0
            } else {
                found as f64 / of as f64
            }
        };
        let falses = ranking
            .iter()
            .filter(|(document, _)| !correct.contains(document));
        let highest = falses.map(|(_, percent)| *percent).reduce(f64::max);
        let corrects = ranking
            .iter()
            .filter(|(document, _)| correct.contains(document));
        let percents: Vec<f64> = corrects.map(|(_, percent)| *percent).collect();
        let lowest = if percents.len() < wanted {
            0.0
        } else {
            percents.iter().copied().reduce(f64::min).unwrap_or(0.0)
        };
        Judged {
            precision: share(found(wanted), wanted),
            recall: share(found(LOOKED_AT), wanted.min(LOOKED_AT)),
            highest_false_match: highest.unwrap_or(0.0),
            separation: lowest - highest.unwrap_or(0.0),
            has_correct: !percents.is_empty(),
        }
    }

    /// Whether all correct documents were ranked first: only then is separation meaningful to the
    /// letter of the paper.
    pub fn is_complete(&self) -> bool {
        self.precision >= 1.0 && self.recall >= 1.0
    }
}

/// The averages over queries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effectiveness {
    /// How many queries.
    pub queries: usize,
    /// Mean precision.
    pub precision: f64,
    /// Mean recall.
    pub recall: f64,
    /// Mean highest false match; none if there is no query.
    pub highest_false_match: Option<f64>,
    /// Mean separation, negative ones included; none if no query found a correct document.
    pub separation: Option<f64>,
    /// Mean highest false match of the complete queries only.
    pub complete_highest_false_match: Option<f64>,
    /// Mean separation of the complete queries only.
    pub complete_separation: Option<f64>,
    /// Queries with precision below 1.
    pub imprecise: usize,
    /// Queries with negative separation.
    pub negative: usize,
}

impl Effectiveness {
    /// The averages of some queries.
    pub fn of(queries: &[Judged]) -> Effectiveness {
        let complete: Vec<Judged> = queries
            .iter()
            .filter(|query| query.is_complete())
            .copied()
            .collect();
        let mean = |queries: &[Judged], value: fn(&Judged) -> f64| {
            let sum: f64 = queries.iter().map(value).sum();
            (!queries.is_empty()).then(|| sum / queries.len() as f64)
        };
        // No false match is the lowest that the highest can be, 0.
        let highest = |queries: &[Judged]| mean(queries, |query| query.highest_false_match);
        let separation = |queries: &[Judged]| {
            let any = queries.iter().any(|query| query.has_correct);
            mean(queries, |query| query.separation).filter(|_| any)
        };
        Effectiveness {
            queries: queries.len(),
            precision: mean(queries, |query| query.precision).unwrap_or(0.0),
            recall: mean(queries, |query| query.recall).unwrap_or(0.0),
            highest_false_match: highest(queries),
            separation: separation(queries),
            complete_highest_false_match: highest(&complete),
            complete_separation: separation(&complete),
            imprecise: queries.iter().filter(|query| query.precision < 1.0).count(),
            negative: queries
                .iter()
                .filter(|query| query.separation < 0.0)
                .count(),
        }
    }

    /// Separation over highest false match; none where either is missing or nothing false was found.
    pub fn ratio(&self) -> Option<f64> {
        let hfm = self.highest_false_match.filter(|hfm| *hfm > 0.0)?;
        Some(self.separation? / hfm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hoad & Zobel, figure 1: documents 1 to 10 are correct.
    #[test]
    fn figure_one() {
        let similarities = [
            (1, 53.57),
            (5, 53.04),
            (3, 45.96),
            (6, 44.95),
            (8, 44.37),
            (4, 43.12),
            (10, 41.21),
            (2, 36.01),
            (7, 35.93),
            (9, 21.93),
            (3064, 11.86),
            (520, 11.06),
            (1298, 10.75),
            (509, 10.67),
        ];
        let ranking: Vec<(u32, f64)> = similarities
            .iter()
            .map(|(document, similarity)| (*document, 100.0 * similarity / 53.57))
            .collect();
        let judged = Judged::new(ranking, &(1..=10).collect());
        assert!((judged.precision - 1.0).abs() < 1e-9 && (judged.recall - 1.0).abs() < 1e-9);
        assert!((judged.highest_false_match - 22.14).abs() < 0.01);
        // The figure's own percentages, 40.93 and 22.14, give 18.79.
        assert!((judged.separation - 18.79).abs() < 0.015);
        let all = Effectiveness::of(&[judged]);
        assert!((all.ratio().unwrap() - 0.85).abs() < 0.005);
    }

    #[test]
    fn missing_and_mixed_results() {
        let correct: BTreeSet<u32> = [1, 2, 3].into();
        let mixed = Judged::new(vec![(9, 50.0), (2, 30.0), (1, 100.0)], &correct);
        assert!((mixed.precision - 2.0 / 3.0).abs() < 1e-9);
        assert!((mixed.recall - 2.0 / 3.0).abs() < 1e-9);
        assert!(
            (mixed.separation + 50.0).abs() < 1e-9,
            "document 3 was not found: 0 − 50"
        );
        let clean = Judged::new(vec![(1, 100.0), (3, 40.0), (2, 30.0)], &correct);
        assert!(clean.has_correct && clean.is_complete());
        assert!((clean.separation - 30.0).abs() < 1e-9);
        let all = Effectiveness::of(&[mixed, clean]);
        assert_eq!((all.queries, all.imprecise, all.negative), (2, 1, 1));
        assert!((all.highest_false_match.unwrap() - 25.0).abs() < 1e-9);
        assert_eq!(Effectiveness::of(&[]).ratio(), None);
    }

    /// Hoad & Zobel, table 4: first-r-sliding has no false match, so its highest is 0.00 and its
    /// separation, 20.00, is what the lowest correct document has; their ratio is not stated.
    #[test]
    fn no_false_match_is_a_highest_of_zero() {
        let correct: BTreeSet<u32> = [1, 2].into();
        let clean = Judged::new(vec![(1, 100.0), (2, 20.0)], &correct);
        let all = Effectiveness::of(&[clean]);
        assert_eq!(all.highest_false_match, Some(0.0));
        assert_eq!(all.separation, Some(20.0));
        assert_eq!(all.complete_highest_false_match, Some(0.0));
        assert_eq!(all.complete_separation, Some(20.0));
        assert_eq!(all.ratio(), None);
        let nothing = Judged::new(Vec::new(), &correct);
        let all = Effectiveness::of(&[nothing]);
        assert_eq!(all.highest_false_match, Some(0.0));
        assert_eq!(all.separation, None, "nothing correct was found");
        assert_eq!(all.complete_highest_false_match, None);
        assert_eq!(Effectiveness::of(&[]).highest_false_match, None);
    }
}
