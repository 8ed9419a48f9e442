//! What unrelated documents share by chance: a model of shared runs.
//!
//! Two people who write about one thing use the same words in a row now and then. How many such runs
//! two documents have is as random as the number of calls in an hour (Poisson), and how long a run
//! is falls off geometrically. Two numbers describe that, how many runs and how long; the documents
//! that share least and the pairs that share nothing tell them, so that copies have no say.
//! `docs/choosing.md` has the reasons and what was measured.

use crate::index::{Row, Rows};
use crate::measure::{Overlap, SetMeasure};

/// What unrelated pairs of a collection reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// The score that one of them is expected to reach.
    pub highest: f64,
    /// The score that one of them reaches in one of ten such collections.
    pub rarely: f64,
    /// How long the runs are on average that they share, in digests.
    pub run: f64,
}

impl Chance {
    /// What a collection says by itself; nothing if there are too few pairs.
    pub fn of(rows: &Rows, measure: SetMeasure) -> Option<Chance> {
        if rows.pairs < LEAST_PAIRS || rows.others <= Row::HIGHEST as u64 {
            return None;
        }
        let one = Overlap {
            shared: 1,
            left: rows.small,
            right: rows.small,
        };
        let digest = measure.score(one);
        let chance_of = |runs: Runs| Chance {
            highest: runs.highest_of(rows.pairs as f64),
            rarely: runs.highest_of(10.0 * rows.pairs as f64),
            run: runs.length / digest,
        };
        let at_least = Runs::of_zeros(rows, digest).map_or(Chance::NONE, chance_of);
        let quiet = quiet(&rows.rows);
        let mut chance = at_least;
        // A quiet document may still have copies, so its highest scores count only if chance explains
        // them. With them chance explains more, until nothing is added any more.
        loop {
            let next = Runs::of_rows(&quiet, rows.others, chance.highest);
            let next = next.map_or(Chance::NONE, chance_of);
            if next.highest <= chance.highest {
                return Some(chance);
            }
            let rarely = next.rarely.max(at_least.rarely);
            chance = Chance { rarely, ..next };
        }
    }

    /// Nobody shares anything.
    const NONE: Chance = Chance {
        highest: 0.0,
        rarely: 0.0,
        run: 0.0,
    };
}

/// Fewer pairs than this say nothing.
const LEAST_PAIRS: u64 = 20;

/// The third of the documents that share least. Copies are not among them unless more than two thirds
/// of all documents are copies or were copied from. What is shared is counted in digests: text that
/// all have makes no difference then, however long they are.
fn quiet(rows: &[Row]) -> Vec<Row> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| row.shared);
    rows.truncate(rows.len().div_ceil(3));
    rows
}

/// Runs that two documents share by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Runs {
    /// How many there are on average.
    number: f64,
    /// What one of them adds to the score on average.
    length: f64,
}

impl Runs {
    /// How long the runs of pairs are that share only what everybody says, in digests. As their lengths
    /// fall off exponentially here, a run is one digest longer than another half as often.
    const USUAL_LENGTH: f64 = 1.5;

    /// The runs of pairs of which so many share nothing. Related pairs all share something, so there
    /// are rather too many runs than too few: at most half a run too many if not more than sixty
    /// percent of the documents are copies. A digest is what one adds to the score of two small
    /// documents. None if all pairs share something, or none does.
    fn of_zeros(rows: &Rows, digest: f64) -> Option<Runs> {
        let tell = rows.zero > 0 && rows.zero < rows.pairs;
        tell.then(|| Runs {
            number: (rows.pairs as f64 / rows.zero as f64).ln(),
            length: Runs::USUAL_LENGTH * digest,
        })
    }

    /// The runs that fit the mean and the variance of the scores in these rows, of the highest ones
    /// only those up to a score. None if they are all 0.
    fn of_rows(rows: &[Row], others: u64, up_to: f64) -> Option<Runs> {
        let (mut scores, mut sum, mut squares) = (0, 0.0, 0.0);
        for row in rows {
            let [rest, rest_squares] = row.rest();
            scores += others - Row::HIGHEST as u64;
            sum += rest;
            squares += rest_squares;
            for score in row.highest() {
                if score <= up_to {
                    scores += 1;
                    sum += score;
                    squares += score * score;
                }
            }
        }
        if sum <= 0.0 {
            return None;
        }
        let mean = sum / scores as f64;
        // Equal scores are as good as equal ones with a little noise.
        let variance = (squares / scores as f64 - mean * mean).max(1e-6 * mean * mean);
        let length = variance / (2.0 * mean);
        Some(Runs {
            number: mean / length,
            length,
        })
    }

    /// The score that one of so many pairs is expected to reach.
    fn highest_of(self, pairs: f64) -> f64 {
        // Chernoff's bound is never too low.
        let most = (self.number.sqrt() + pairs.ln().sqrt()).powi(2);
        let (mut low, mut high) = (0.0, most);
        while high - low > 1e-6 * most {
            let middle = f64::midpoint(low, high);
            if self.reaches(middle) * pairs > 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (high * self.length).min(1.0)
    }

    /// How probable it is that the runs of a pair are together longer than so many average ones.
    fn reaches(self, lengths: f64) -> f64 {
        let number = self.number;
        if number > 100.0 {
            return self.reaches_with_many(lengths);
        }
        // So many runs (Poisson), and together longer than that (Erlang).
        let (mut runs, mut longer) = ((-number).exp(), 0.0);
        let (mut next, mut sum) = ((-lengths).exp(), 0.0);
        let enough = number + lengths + 12.0 * (number + lengths + 1.0).sqrt() + 30.0;
        let mut count = 1.0;
        while count < enough {
            runs *= number / count;
            longer += next;
            next *= lengths / count;
            sum += runs * longer;
            count += 1.0;
        }
        sum
    }

    /// The same by a saddlepoint approximation, for a sum that would be long.
    fn reaches_with_many(self, lengths: f64) -> f64 {
        if lengths <= self.number {
            return 1.0;
        }
        let ratio = (self.number / lengths).sqrt();
        let exponent = -(lengths.sqrt() - self.number.sqrt()).powi(2);
        let scale = (1.0 - ratio) * (2.0 * self.number / ratio.powi(3)).sqrt();
        (exponent.exp() / (scale * std::f64::consts::TAU.sqrt())).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(number: f64, length: f64) -> Runs {
        Runs { number, length }
    }

    #[test]
    fn the_sum_and_the_approximation_meet() {
        for pairs in [66.0, 4950.0, 1e6] {
            let (few, many) = (runs(100.0, 0.001), runs(100.001, 0.001));
            let (few, many) = (few.highest_of(pairs), many.highest_of(pairs));
            assert!((few / many - 1.0).abs() < 0.01, "{few} {many}");
        }
    }

    #[test]
    fn rare_runs_are_as_long_as_the_longest_of_them() {
        // A tenth of 4950 pairs has a run; the longest of n exponential ones is ln n on average.
        let highest = runs(0.1, 0.01).highest_of(4950.0);
        assert!((highest - 0.01 * 450.0f64.ln()).abs() < 0.005, "{highest}");
        assert!(runs(0.1, 1.0).highest_of(4950.0) >= 1.0);
        // Hardly any run at all.
        assert!(runs(1e-4, 0.01).highest_of(100.0) < 1e-6);
    }

    #[test]
    fn text_that_all_have_is_not_noise() {
        let mut row = Row::default();
        for _ in 0..19 {
            row.add(30, 0.2);
        }
        let rows = Rows {
            rows: vec![row; 20],
            others: 19,
            pairs: 190,
            zero: 0,
            small: 150,
        };
        let chance = Chance::of(&rows, SetMeasure::MaxContainment).unwrap();
        assert!((chance.highest - 0.2).abs() < 0.01, "{chance:?}");
    }

    #[test]
    fn copies_have_no_say() {
        let mut quiet = Row::default();
        quiet.add(1, 0.005);
        let mut loud = quiet;
        for _ in 0..12 {
            loud.add(100, 0.5);
        }
        let rows = |loud_ones: usize| Rows {
            rows: [vec![quiet; 20 - loud_ones], vec![loud; loud_ones]].concat(),
            others: 19,
            pairs: 190,
            zero: 110,
            small: 200,
        };
        let highest = |loud_ones| {
            let chance = Chance::of(&rows(loud_ones), SetMeasure::MaxContainment);
            chance.unwrap().highest
        };
        assert!(highest(0) < 0.06, "{}", highest(0));
        assert!((highest(13) - highest(0)).abs() < 1e-9);
        assert!(highest(20) > 0.5);
    }

    #[test]
    fn few_pairs_say_nothing() {
        let rows = Rows {
            rows: vec![Row::default(); 6],
            others: 5,
            pairs: 15,
            zero: 15,
            small: 200,
        };
        assert_eq!(Chance::of(&rows, SetMeasure::MaxContainment), None);
    }
}
