//! When something was seen, in less detail the longer ago that is.
//!
//! Minutes of the last hour, quarters of the last day, three hours of the last week: however often a
//! message is seen, that is at most some two hundred numbers.

/// Minutes since 1970.
pub(super) type Minute = u32;

pub(super) const HOUR: Minute = 60;
pub(super) const DAY: Minute = 24 * HOUR;
pub(super) const WEEK: Minute = 7 * DAY;

/// How long a bucket is that lies more than a time back.
const COARSER: [(Minute, Minute); 2] = [(DAY, 180), (HOUR, 15)];

/// How often something was seen before a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// In the hour before, to the minute.
    pub hour: u64,
    /// In the day before, to a quarter of an hour; never more than it was.
    pub day: u64,
    /// In the week before, to three hours; never more than it was.
    pub week: u64,
}

/// The moments at which something was seen, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moments {
    buckets: Vec<Bucket>,
}

/// How often something was seen from a minute on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bucket {
    pub(super) start: Minute,
    pub(super) count: u32,
}

impl Moments {
    /// Of buckets that were written, in any order.
    pub(super) fn of(mut buckets: Vec<Bucket>) -> Moments {
        buckets.sort_by_key(|bucket| bucket.start);
        Moments { buckets }
    }

    pub(super) fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// One more at this moment; what is older loses detail.
    pub(super) fn add(&mut self, now: Minute) {
        let place = self.buckets.partition_point(|bucket| bucket.start < now);
        match self.buckets.get_mut(place) {
            Some(bucket) if bucket.start == now => {
                bucket.count = bucket.count.saturating_add(1);
            }
            _ => {
                let bucket = Bucket {
                    start: now,
                    count: 1,
                };
                self.buckets.insert(place, bucket);
            }
        }
        self.coarsen(now);
    }

    fn coarsen(&mut self, now: Minute) {
        let mut kept: usize = 0;
        for place in 0..self.buckets.len() {
            let bucket = self.buckets[place];
            if bucket.start.saturating_add(WEEK) <= now {
                continue;
            }
            let start = coarse_start(bucket.start, now);
            match kept.checked_sub(1).map(|last| &mut self.buckets[last]) {
                Some(last) if last.start == start => {
                    last.count = last.count.saturating_add(bucket.count);
                }
                _ => {
                    let count = bucket.count;
                    self.buckets[kept] = Bucket { start, count };
                    kept += 1;
                }
            }
        }
        self.buckets.truncate(kept);
    }

    pub(super) fn seen(&self, now: Minute) -> Seen {
        let within = |time: Minute| {
            let is_within =
                |bucket: &&Bucket| bucket.start <= now && bucket.start.saturating_add(time) > now;
            let buckets = self.buckets.iter().filter(is_within);
            buckets.map(|bucket| u64::from(bucket.count)).sum()
        };
        Seen {
            hour: within(HOUR),
            day: within(DAY),
            week: within(WEEK),
        }
    }
}

/// Where a bucket begins that has as much detail as its age deserves. It is only made longer once all of
/// it is that old, so that no window has what lies before it.
fn coarse_start(start: Minute, now: Minute) -> Minute {
    for (age, length) in COARSER {
        let longer = start / length * length;
        if longer.saturating_add(length).saturating_add(age) <= now {
            return longer;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some Wednesday, at noon.
    const NOON: Minute = 29_900_880;

    #[test]
    fn windows_count_what_lies_in_them() {
        let mut moments = Moments::default();
        for ago in [8 * DAY, 2 * DAY, 3 * HOUR, 59, 0] {
            moments.add(NOON - ago);
        }
        let seen = moments.seen(NOON);
        assert_eq!((seen.hour, seen.day, seen.week), (2, 3, 4));
        // An hour later nothing is of the last hour.
        let seen = moments.seen(NOON + HOUR);
        assert_eq!((seen.hour, seen.day, seen.week), (0, 3, 4));
        assert_eq!(moments.seen(NOON + WEEK + DAY), Seen::default());
    }

    #[test]
    fn what_was_seen_all_the_time_is_counted_exactly_within_the_stated_detail() {
        let mut moments = Moments::default();
        for ago in (0..10 * DAY).rev() {
            moments.add(NOON - ago);
        }
        let seen = moments.seen(NOON);
        assert_eq!(seen.hour, u64::from(HOUR));
        assert!((DAY - 15..=DAY).contains(&u32::try_from(seen.day).unwrap_or(0)));
        assert!((WEEK - 180..=WEEK).contains(&u32::try_from(seen.week).unwrap_or(0)));
        assert!(
            moments.buckets.len() < 250,
            "{} buckets",
            moments.buckets.len()
        );
    }

    #[test]
    fn a_clock_that_goes_back_does_not_lose_anything() {
        let mut moments = Moments::default();
        moments.add(NOON);
        moments.add(NOON - 30);
        assert_eq!(moments.seen(NOON).hour, 2);
        // What is still to come was not seen.
        assert_eq!(moments.seen(NOON - 10).hour, 1);
    }
}
