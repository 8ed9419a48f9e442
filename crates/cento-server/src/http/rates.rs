//! How often somebody may ask: a bucket that fills again with time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::problem::Problem;

/// Counts requests, to refuse those who ask too often.
#[derive(Default)]
pub(crate) struct Rates {
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    /// How many requests are left.
    left: f64,
    seen: Instant,
}

/// With more names than this those that have been quiet are forgotten.
const MOST: usize = 10_000;
/// After this long every bucket is full again.
const FULL_AFTER: Duration = Duration::from_mins(1);

impl Rates {
    /// Takes one of `per_minute` requests, all of which may come at once.
    pub(crate) fn take(&self, whose: &str, per_minute: u32) -> Result<(), Problem> {
        self.take_at(whose, per_minute, Instant::now())
            .map_err(|wait| Problem::too_many("too many requests; slow down", wait))
    }

    fn take_at(&self, whose: &str, per_minute: u32, now: Instant) -> Result<(), Duration> {
        let most = f64::from(per_minute);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST {
            buckets.retain(|_, bucket| now.duration_since(bucket.seen) < FULL_AFTER);
        }
        let bucket = buckets.entry(whose.to_owned()).or_insert(Bucket {
            left: most,
            seen: now,
        });
        let filled = now.duration_since(bucket.seen).as_secs_f64() / FULL_AFTER.as_secs_f64();
        bucket.left = (bucket.left + filled * most).min(most);
        bucket.seen = now;
        if bucket.left < 1.0 {
            let wait = (1.0 - bucket.left) / most.max(1e-6) * FULL_AFTER.as_secs_f64();
            return Err(Duration::from_secs_f64(wait.min(60.0)));
        }
        bucket.left -= 1.0;
        Ok(())
    }
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
        assert_eq!(wait, Duration::from_secs(10));
        assert!(rates.take_at("ben", 6, start).is_ok());
        assert!(rates.take_at("anna", 6, start + wait).is_ok());
        assert!(rates.take_at("anna", 6, start + wait).is_err());
    }
}
