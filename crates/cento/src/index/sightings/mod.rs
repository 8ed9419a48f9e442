//! How often a message, or one nearly the same, was seen in the last hour, day and week.
//!
//! Messages that are nearly the same are a family: the digests of the first of them, and when the others
//! came. [`Sightings`] has all families in memory, in no more of it than it was made with, and writes what
//! changes to a log. So a question takes a few lookups and a short write, and a store that is opened again
//! is what it was. One process has a store open; it answers for the others.
//!
//! Time is what the caller says it is, in seconds since 1970.

mod families;
mod log;
mod postings;
mod record;
mod settings;
#[cfg(test)]
mod tests;
mod windows;

use std::path::Path;
use std::str::FromStr;

pub use families::Nearest;
pub use settings::{Settings, clean, exists, is_unfinished};
pub use windows::Seen;

use self::families::Families;
use self::log::Log;
use self::record::{Record, Totals, Whole, Why};
use self::settings::{Made, refused};
use self::windows::{Minute, Moments, WEEK};
use super::registry::Lock;
use crate::digest::{Digest, Key};
use crate::error::Error;

/// The least bytes of memory that a store can be made with.
pub const LEAST_MEMORY: u64 = 1 << 20;

/// Of a message with more digests the smallest count. It is a guard: a recipe for mail keeps fewer.
pub const MOST_DIGESTS: usize = 1024;

/// A family that somebody has marked is forgotten when it was not seen for a year.
const MARKED_FOR: Minute = 365 * 24 * 60;

/// How many families that have expired are forgotten with a question at most.
const AT_A_TIME: usize = 32;

/// A store, open to be asked and to be written.
pub struct Sightings {
    settings: Settings,
    families: Families,
    log: Log,
    made: Minute,
    /// Segments that were no longer needed when it was opened.
    cleaned: u64,
    // Given back when this is dropped.
    _lock: Lock,
}

/// What somebody has said about messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// They are bulk, however few of them came.
    Bulk,
    /// They are wanted, and never counted.
    Wanted,
}

impl Mark {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Bulk => "bulk",
            Mark::Wanted => "wanted",
        }
    }
}

impl FromStr for Mark {
    type Err = String;

    fn from_str(text: &str) -> Result<Mark, String> {
        match text {
            "bulk" => Ok(Mark::Bulk),
            "wanted" => Ok(Mark::Wanted),
            _ => Err(format!("mark `{text}` is not known; choose bulk or wanted")),
        }
    }
}

/// Whether a message that is asked about counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// It has come, and is counted for those that come later.
    Count,
    /// It is only asked about.
    Look,
}

/// What is known about a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It has too few digests to be compared.
    TooShort,
    /// How often messages nearly the same came before this one.
    Known {
        /// The family that is most like it, even if it is not the same.
        nearest: Option<Nearest>,
        /// How often messages of it came; never if there is none.
        seen: Seen,
        /// What somebody has said about it.
        mark: Option<Mark>,
        /// From when on nothing is missing in the counts, in seconds since 1970.
        since: u64,
    },
}

/// What is in a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many families there are.
    pub families: u64,
    /// How many of them are marked as bulk.
    pub bulk: u64,
    /// How many are marked as wanted.
    pub wanted: u64,
    /// How many messages were counted, ever.
    pub counted: u64,
    /// How many families were forgotten because they were not seen for a week.
    pub expired: u64,
    /// How many were forgotten sooner, because there was no room.
    pub evicted: u64,
    /// From when on nothing is missing in the counts, in seconds since 1970.
    pub since: u64,
    /// Bytes of memory, by an estimate.
    pub memory: u64,
    /// Bytes on the disk.
    pub disk: u64,
}

impl Sightings {
    /// Makes an empty store in a folder that is there.
    pub fn create(path: &Path, settings: &Settings, key: &Key, now: u64) -> Result<(), Error> {
        if settings.memory < LEAST_MEMORY {
            let reason = format!("a store takes at least {LEAST_MEMORY} bytes of memory");
            return Err(refused(path, reason));
        }
        let made = minute(now);
        let totals = Totals {
            oldest: 1,
            since: made,
            ..Totals::default()
        };
        Log::create(path, &Record::Totals(totals))?;
        settings.write(path, key, made)
    }

    /// Opens a store; nobody else can until this is dropped. `holder` is what they are told.
    pub fn open(path: &Path, key: &Key, holder: &str) -> Result<Sightings, Error> {
        let Made { settings, made } = Made::read(path, key)?;
        let lock = Lock::take(&super::registry::Folder::new(path), holder)?;
        let mut families = Families::new();
        let mut log = Log::replay(path, |record, segment| families.apply(record, segment))?;
        let oldest = families.totals.oldest;
        if log.first() > oldest {
            let reason = format!(
                "segment {oldest} of the log is missing; what was counted is lost; restore a copy, or \
                 make a new store"
            );
            return Err(refused(path, reason));
        }
        log.complete(families.totals)?;
        let cleaned = log.delete_before(oldest)?;
        Ok(Sightings {
            settings,
            families,
            log,
            made,
            cleaned,
            _lock: lock,
        })
    }

    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many files an interrupted run had left, which were removed.
    pub fn cleaned(&self) -> u64 {
        self.cleaned
    }

    /// Says how often messages nearly the same were seen, and counts this one if that is wanted. The digests
    /// are those of a fingerprint: sorted, without repetition.
    ///
    /// What is counted survives the end of this process when this returns, and a power cut when
    /// [`Sightings::sync`] has returned.
    pub fn ask(
        &mut self,
        digests: &[Digest],
        now: u64,
        counting: Counting,
    ) -> Result<Answer, Error> {
        let now = minute(now);
        let Some(digests) = self.comparable(digests) else {
            return Ok(Answer::TooShort);
        };
        let answer = self.look(digests, now);
        if counting == Counting::Look {
            return Ok(answer);
        }
        match &answer {
            Answer::Known {
                mark: Some(Mark::Wanted),
                ..
            }
            | Answer::TooShort => {}
            Answer::Known {
                nearest: Some(nearest),
                ..
            } if nearest.is_same => self.write(Record::Again {
                family: nearest.family,
                minute: now,
            })?,
            Answer::Known { .. } => {
                let mut moments = Moments::default();
                moments.add(now);
                self.write(self.new_family(digests, now, moments, None))?;
            }
        }
        self.forget(now)?;
        Ok(answer)
    }

    /// Says what messages like this one are, or takes that back. One that was never seen becomes a family
    /// that was never seen.
    pub fn mark(
        &mut self,
        digests: &[Digest],
        mark: Option<Mark>,
        now: u64,
    ) -> Result<Answer, Error> {
        let now = minute(now);
        let Some(digests) = self.comparable(digests) else {
            return Ok(Answer::TooShort);
        };
        let record = match self.look(digests, now) {
            Answer::Known {
                nearest: Some(nearest),
                mark: old,
                ..
            } if nearest.is_same => (old != mark).then_some(Record::Marked {
                family: nearest.family,
                mark,
                minute: now,
            }),
            _ => mark.map(|_| self.new_family(digests, now, Moments::default(), mark)),
        };
        if let Some(record) = record {
            self.write(record)?;
            self.forget(now)?;
        }
        Ok(self.look(digests, now))
    }

    /// What is in it.
    pub fn stats(&self, now: u64) -> Stats {
        let totals = self.families.totals;
        Stats {
            families: self.families.len() as u64,
            bulk: self.families.marked(Mark::Bulk) as u64,
            wanted: self.families.marked(Mark::Wanted) as u64,
            counted: totals.counted,
            expired: totals.expired,
            evicted: totals.evicted,
            since: self.since(minute(now)),
            memory: self.families.cost.max(self.families.table_bytes()),
            disk: self.log.bytes(),
        }
    }

    /// Makes safe what was counted.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.log.sync()
    }

    fn comparable<'d>(&self, digests: &'d [Digest]) -> Option<&'d [Digest]> {
        let digests = &digests[..digests.len().min(MOST_DIGESTS)];
        let fewest = self.settings.sameness.fewest_shared().max(1);
        (digests.len() >= fewest as usize).then_some(digests)
    }

    fn look(&self, digests: &[Digest], now: Minute) -> Answer {
        let nearest = self.families.nearest(digests, self.settings.sameness);
        let same = nearest.filter(|nearest| nearest.is_same);
        let family = same.and_then(|same| self.families.get(same.family));
        let whole = family.map(|family| &family.whole);
        Answer::Known {
            nearest,
            seen: whole.map_or(Seen::default(), |whole| whole.moments.seen(now)),
            mark: whole.and_then(|whole| whole.mark),
            since: self.since(now),
        }
    }

    /// Nothing is remembered for longer than a week. A clock that was ahead has made older things be
    /// forgotten than it should have.
    fn since(&self, now: Minute) -> u64 {
        let since = self.families.totals.since.max(self.made);
        let latest = now.max(self.families.latest());
        60 * u64::from(since.max(latest.saturating_sub(WEEK)))
    }

    fn new_family(
        &self,
        digests: &[Digest],
        now: Minute,
        moments: Moments,
        mark: Option<Mark>,
    ) -> Record {
        Record::Whole(Whole {
            family: self.families.totals.next,
            last: now,
            mark,
            moments,
            digests: digests.into(),
        })
    }

    /// Writes a record and does what it says.
    fn write(&mut self, record: Record) -> Result<(), Error> {
        if self.log.length() >= self.segment_bytes() {
            self.roll()?;
        }
        self.log.append(std::slice::from_ref(&record))?;
        self.families.apply(record, self.log.number());
        Ok(())
    }

    /// Forgets what has expired, some of it at a time, and what there is no room for.
    fn forget(&mut self, now: Minute) -> Result<(), Error> {
        for (is_marked, after) in [(false, WEEK), (true, MARKED_FOR)] {
            for _ in 0..AT_A_TIME {
                let longest = self.families.longest_unseen(is_marked);
                let Some((last, family)) = longest else { break };
                if last.saturating_add(after) > now {
                    break;
                }
                let why = Why::Expired;
                self.write(Record::Gone { family, why, last })?;
            }
        }
        while self.families.cost > self.settings.memory {
            let longest = self.families.longest_unseen(false);
            let longest = longest.or_else(|| self.families.longest_unseen(true));
            let Some((last, family)) = longest else { break };
            let why = Why::Evicted;
            self.write(Record::Gone { family, why, last })?;
        }
        Ok(())
    }

    fn segment_bytes(&self) -> u64 {
        (self.settings.memory / 32).clamp(64 << 10, 16 << 20)
    }

    /// Begins a new segment, and gives up the oldest ones while more than half of the log is about what has
    /// changed since.
    fn roll(&mut self) -> Result<(), Error> {
        const MOST: usize = 4;
        self.log.roll(self.families.totals)?;
        for _ in 0..MOST {
            let oldest = self.log.first();
            let enough = 2 * self.families.live + 4 * self.segment_bytes();
            if self.log.bytes() <= enough || oldest == self.log.number() {
                break;
            }
            self.give_up(oldest)?;
        }
        Ok(())
    }

    /// Deletes the oldest segment after what is still true in it was written again.
    fn give_up(&mut self, oldest: u64) -> Result<(), Error> {
        let families = self.families.of_segment(oldest);
        for numbers in families.chunks(256) {
            let wholes = numbers
                .iter()
                .filter_map(|number| self.families.get(*number));
            let records: Vec<Record> = wholes
                .map(|family| Record::Whole(family.whole.clone()))
                .collect();
            self.log.append(&records)?;
            for number in numbers {
                self.families.moved(*number, self.log.number());
            }
        }
        self.log.append(&[Record::Oldest(oldest + 1)])?;
        self.families.totals.oldest = oldest + 1;
        self.log.sync()?;
        self.log.delete_before(oldest + 1)?;
        Ok(())
    }
}

fn minute(seconds: u64) -> Minute {
    Minute::try_from(seconds / 60).unwrap_or(Minute::MAX)
}
