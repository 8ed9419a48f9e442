//! How sure a figure is that was measured on a collection: intervals by drawing its groups again,
//! and folds, so that what is chosen on some groups can be judged on others.
//!
//! Pairs that have a document in common are not independent, so what is drawn, and what goes into a
//! fold, are groups of pairs: mostly all pairs of one source document.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::random::Random;

/// How often groups are drawn.
pub const RESAMPLES: usize = 1000;

/// The seed of the draws.
pub const SEED: u64 = 1;

/// How many in a hundred draws an [`Interval`] holds.
pub const PERCENT: usize = 95;

/// Where a figure is likely to be on another collection of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What a figure comes to over folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean of the folds.
    pub mean: f64,
    /// The standard deviation between them; none for a single one.
    pub deviation: Option<f64>,
}

/// The sums over as many groups as there are, drawn with replacement, [`RESAMPLES`] times.
///
/// A figure that is made of such sums has the [`Interval`] of its values. One group says nothing
/// about others, so it gives none.
pub fn resampled<T: Copy + Default + AddAssign>(groups: &[T]) -> Vec<T> {
    if groups.len() < 2 {
        return Vec::new();
    }
    let mut random = Random::new(SEED);
    let mut draw = || {
        let mut sum = T::default();
        for _ in groups {
            sum += groups[random.below(groups.len())];
        }
        sum
    };
    (0..RESAMPLES).map(|_| draw()).collect()
}

impl Interval {
    /// The middle [`PERCENT`] of some values, if there are any.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Interval> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        // Rounding down widens the interval: both ends are values that occurred.
        let cut = last * (100 - PERCENT) / 200;
        Some(Interval {
            low: values[cut],
            high: values[last - cut],
        })
    }
}

impl Spread {
    /// The spread of some values, if there are any.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let count = values.len() as f64;
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        Some(Spread { mean, deviation })
    }
}

/// The fold of each group, from 0, if they have these sizes: the largest group first, each into the
/// fold that has least.
pub fn folds(sizes: &[usize], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&group| std::cmp::Reverse(sizes[group]));
    let mut filled = vec![0; count];
    let mut fold_of = vec![0; sizes.len()];
    for group in order {
        let least = (0..count).min_by_key(|&fold| filled[fold]).unwrap_or(0);
        filled[least] += sizes[group];
        fold_of[group] = least;
    }
    fold_of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_agree_leave_no_doubt() {
        assert_eq!(resampled(&[7, 7, 7]), [21; RESAMPLES]);
        assert!(resampled(&[7]).is_empty());
        let interval = Interval::of(vec![21.0; 9]).unwrap();
        assert_eq!((interval.low, interval.high), (21.0, 21.0));
        assert_eq!(Interval::of([]), None);
    }

    #[test]
    fn intervals_are_the_same_on_every_run_and_as_wide_as_chance_makes_them() {
        // 100 coins, half of them heads: the standard deviation of the sum is 5.
        let coins: Vec<u32> = (0..100).map(|coin| coin % 2).collect();
        let sums = resampled(&coins);
        assert_eq!(sums, resampled(&coins));
        let interval = Interval::of(sums.iter().map(|&sum| f64::from(sum))).unwrap();
        assert!((38.0..=42.0).contains(&interval.low), "{interval:?}");
        assert!((58.0..=62.0).contains(&interval.high), "{interval:?}");
    }

    #[test]
    fn ends_of_an_interval() {
        // Of 0 to 100, two and a half values are outside on each side.
        let interval = Interval::of((0..=100).rev().map(f64::from)).unwrap();
        assert_eq!((interval.low, interval.high), (2.0, 98.0));
    }

    #[test]
    fn folds_are_even() {
        assert_eq!(folds(&[1, 5, 2, 2], 2), [1, 0, 1, 1]);
        assert_eq!(folds(&[1, 1, 1, 1], 3), [0, 1, 2, 0]);
        assert!(folds(&[], 3).is_empty());
    }

    #[test]
    fn spread_by_hand() {
        let spread = Spread::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((spread.mean, spread.deviation), (2.0, Some(1.0)));
        assert_eq!(Spread::of(&[4.0]).unwrap().deviation, None);
        assert_eq!(Spread::of(&[]), None);
    }
}
