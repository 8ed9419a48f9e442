//! How many pairs have which score.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How many pairs have which score.
///
/// In JSON it is 101 numbers, pairs by whole percent: the first counts those that share nothing, the
/// next those up to one percent, the last those above 99.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Pairs with a score above 0, by thousandths: the first bucket is up to 0.001. Empty if they
    /// were not counted.
    pub buckets: Vec<u64>,
    /// Pairs that share nothing.
    pub zero: u64,
}

/// How many buckets are one percent.
const PERCENT: usize = Histogram::BUCKETS / 100;

impl Histogram {
    /// How many buckets there are.
    pub const BUCKETS: usize = 1000;

    /// The bucket of a score above 0.
    pub(crate) fn bucket(score: f64) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 1000"
        )]
        let number = (score.clamp(0.0, 1.0) * Histogram::BUCKETS as f64).ceil() as usize;
        number.saturating_sub(1).min(Histogram::BUCKETS - 1)
    }

    /// Counts a pair elsewhere, now that more is known about it.
    pub(crate) fn change(&mut self, from: f64, to: f64) {
        if self.is_empty() {
            return;
        }
        let before = self.count_of(from);
        *before = before.saturating_sub(1);
        *self.count_of(to) += 1;
    }

    fn count_of(&mut self, score: f64) -> &mut u64 {
        if score > 0.0 {
            &mut self.buckets[Histogram::bucket(score)]
        } else {
            &mut self.zero
        }
    }

    /// How many pairs share something; none if they were not counted.
    pub(crate) fn sharing(&self) -> Option<u64> {
        (!self.is_empty()).then(|| self.buckets.iter().sum())
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.zero + self.buckets.iter().sum::<u64>()
    }
}

impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shared = self.buckets.chunks(PERCENT);
        let shared = shared.map(|percent| percent.iter().sum());
        serializer.collect_seq(std::iter::once(self.zero).chain(shared))
    }
}

/// What is left of the thousandths after they were added up: each percent is in its last bucket.
impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Histogram, D::Error> {
        let percents: Vec<u64> = Vec::deserialize(deserializer)?;
        let [zero, shared @ ..] = percents.as_slice() else {
            return Ok(Histogram::default());
        };
        if shared.len() * PERCENT != Histogram::BUCKETS {
            return Err(de::Error::invalid_length(percents.len(), &"101 numbers"));
        }
        let mut buckets = vec![0; Histogram::BUCKETS];
        let last = buckets.chunks_mut(PERCENT).filter_map(<[u64]>::last_mut);
        for (bucket, count) in last.zip(shared) {
            *bucket = *count;
        }
        Ok(Histogram {
            buckets,
            zero: *zero,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_end_at_their_score() {
        assert_eq!(Histogram::bucket(0.0005), 0);
        assert_eq!(Histogram::bucket(0.001), 0);
        assert_eq!(Histogram::bucket(0.0011), 1);
        assert_eq!(Histogram::bucket(1.0), 999);
    }

    #[test]
    fn a_pair_is_counted_once() {
        let mut histogram = Histogram {
            buckets: vec![0; Histogram::BUCKETS],
            zero: 2,
        };
        histogram.change(0.0, 0.5);
        histogram.change(0.5, 0.25);
        assert_eq!((histogram.zero, histogram.sharing()), (1, Some(1)));
        assert_eq!(histogram.buckets[Histogram::bucket(0.25)], 1);
        let mut uncounted = Histogram::default();
        uncounted.change(0.0, 0.5);
        assert_eq!(uncounted.sharing(), None);
    }

    #[test]
    fn percents_and_back() {
        let mut buckets = vec![0; Histogram::BUCKETS];
        (buckets[0], buckets[9], buckets[10], buckets[999]) = (1, 2, 3, 4);
        let written = serde_json::to_string(&Histogram { buckets, zero: 7 }).unwrap();
        assert!(written.starts_with("[7,3,3,0") && written.ends_with("0,4]"));
        let read: Histogram = serde_json::from_str(&written).unwrap();
        assert_eq!(read.pairs(), 17);
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
        assert!(serde_json::from_str::<Histogram>("[1,2]").is_err());
    }
}
