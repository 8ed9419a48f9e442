//! How often somebody may ask: a bucket that fills again with time.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::problem::Problem;

/// Counts requests, to refuse those who ask too often.
#[derive(Default)]
pub(crate) struct Rates {
    /// By the hash of a name: names are long if strangers make them up, and they cannot know what
    /// hashes to the same number here.
    buckets: Mutex<HashMap<u64, Bucket>>,
    hasher: RandomState,
}

struct Bucket {
    /// How many requests are left, as a part of all.
    left: f64,
    seen: Instant,
}

/// With this many names some are forgotten.
const MOST: usize = 20_000;
/// After this long every bucket is full again.
const FULL_AFTER: Duration = Duration::from_mins(1);

impl Rates {
    /// Takes one of `per_minute` requests, all of which may come at once.
    pub(crate) fn take(&self, whose: &str, per_minute: u32) -> Result<(), Problem> {
        self.take_at(whose, per_minute, Instant::now())
            .map_err(|wait| Problem::too_many("too many requests; slow down", wait))
    }

    /// The same; says how long to wait if there is none left.
    pub(crate) fn take_at(
        &self,
        whose: &str,
        per_minute: u32,
        now: Instant,
    ) -> Result<(), Duration> {
        let one = 1.0 / f64::from(per_minute.max(1));
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let whose = self.hasher.hash_one(whose);
        if buckets.len() >= MOST && !buckets.contains_key(&whose) {
            forget(&mut buckets, now);
        }
        let bucket = buckets.entry(whose).or_insert(Bucket {
            left: 1.0,
            seen: now,
        });
        bucket.left = bucket.left_at(now);
        bucket.seen = bucket.seen.max(now);
        // What is left is a sum of parts that are not exact.
        if bucket.left < one * 0.999_999 {
            let wait = FULL_AFTER.mul_f64(one - bucket.left);
            return Err(wait.min(FULL_AFTER));
        }
        bucket.left -= one;
        Ok(())
    }

    /// Gives one of `per_minute` back that was taken and does not count after all.
    pub(crate) fn give_back(&self, whose: &str, per_minute: u32) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = buckets.get_mut(&self.hasher.hash_one(whose)) {
            bucket.left = (bucket.left + 1.0 / f64::from(per_minute.max(1))).min(1.0);
        }
    }
}

impl Bucket {
    fn left_at(&self, now: Instant) -> f64 {
        let filled = now.saturating_duration_since(self.seen).as_secs_f64();
        (self.left + filled / FULL_AFTER.as_secs_f64()).min(1.0)
    }
}

/// Makes room: the fullest buckets go, because forgetting them changes least. Somebody who comes under
/// ever new names does not make an empty one full again.
fn forget(buckets: &mut HashMap<u64, Bucket>, now: Instant) {
    let mut left: Vec<f64> = buckets.values().map(|bucket| bucket.left_at(now)).collect();
    let middle = left.len() / 2;
    let (_, median, _) = left.select_nth_unstable_by(middle, f64::total_cmp);
    let median = *median;
    // Of those that are equally full any may go.
    let mut spare = middle;
    buckets.retain(|_, bucket| {
        let is_spare = bucket.left_at(now) >= median && spare > 0;
        spare -= usize::from(is_spare);
        !is_spare
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_fills_again() {
        let (rates, start) = (Rates::default(), Instant::now());
        for _ in 0..6 {
            assert!(rates.take_at("anna", 6, start).is_ok());
        }
        let wait = rates.take_at("anna", 6, start).unwrap_err();
        assert_eq!(wait.as_millis().div_ceil(10), 1000);
        assert!(rates.take_at("ben", 6, start).is_ok());
        assert!(rates.take_at("anna", 6, start + wait).is_ok());
        assert!(rates.take_at("anna", 6, start + wait).is_err());
        rates.give_back("anna", 6);
        assert!(rates.take_at("anna", 6, start + wait).is_ok());
    }

    #[test]
    fn many_names_are_forgotten_but_not_who_is_refused() {
        let (rates, start) = (Rates::default(), Instant::now());
        for _ in 0..10 {
            let _ = rates.take_at("anna", 3, start);
        }
        for n in 0..3 * MOST {
            rates.take_at(&format!("made up {n}"), 3, start).unwrap();
        }
        assert!(rates.buckets.lock().unwrap().len() <= MOST);
        assert!(rates.take_at("anna", 3, start).is_err());
    }
}
