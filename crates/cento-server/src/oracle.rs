//! Who may ask again and again can find the smallest edit that escapes: each answer says whether the
//! last edit helped (section 3 of the paper on text sifting). So questions about one text count.
//!
//! A question belongs to the family of an earlier one if they share enough of what says something,
//! or if both have something of the same registered document: an edit that nearly escapes leaves
//! little in common with the edit before it, but always a little of what it was made from. Digests
//! that many registered documents have and standard text do not make a family. Within a
//! window a family has a budget, and each further question has to wait twice as long as the one
//! before. The same text again is free: its answer is known.

use std::sync::Arc;
use std::time::Duration;

use cento::{Digest, Frequencies};
use rusqlite::params;

use crate::config::Budget;
use crate::error::Error;
use crate::store::Store;
use crate::time::{self, Seconds};

/// What was asked, and by whom.
pub(crate) struct Oracle {
    store: Arc<Store>,
    budget: Budget,
}

/// Whether a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is answered; `left` more questions about this text are allowed in this window.
    Answer { left: u32 },
    /// Not before this time has passed.
    Wait { wait: Duration, why: Why },
}

/// Why a question has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It comes too soon after others about nearly the same text.
    TooSoon,
    /// The budget of this text is used up.
    UsedUp,
}

/// What is remembered of a text: its digests, or one in 2^shift of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    shift: u32,
    /// Ascending.
    digests: Vec<u64>,
    /// The numbers of the registered documents that have the most of it.
    near: Vec<u32>,
}

struct Question {
    family: i64,
    at: Seconds,
    sketch: Sketch,
}

/// Texts with more digests are sampled.
const LARGEST: usize = 1024;
/// What more registered documents have than this does not make a family.
const COMMON: u32 = 100;
/// Two texts are of one family if this share of one is in the other.
const FAMILY: f64 = 0.2;
/// How many earlier questions of a person a text is compared with.
const REMEMBERED: u32 = 500;

impl Oracle {
    pub(crate) fn new(store: Arc<Store>, budget: Budget) -> Oracle {
        Oracle { store, budget }
    }

    /// Decides about a question, and remembers it if it is to be answered.
    pub(crate) fn ask(
        &self,
        account: &str,
        sketch: &Sketch,
        now: Seconds,
    ) -> Result<Verdict, Error> {
        let since = now - time::seconds(self.budget.window);
        let asked = self.asked(account, since)?;
        if asked.iter().any(|question| question.sketch.is_same(sketch)) {
            let left = self.budget.questions.saturating_sub(1);
            return Ok(Verdict::Answer { left });
        }
        // A text between two families joins them.
        let kin: Vec<i64> = asked
            .iter()
            .filter(|question| question.sketch.is_kin(sketch))
            .map(|question| question.family)
            .collect();
        let family: Vec<&Question> = asked
            .iter()
            .filter(|question| kin.contains(&question.family))
            .collect();
        let used = u32::try_from(family.len()).unwrap_or(u32::MAX);
        let oldest = family.iter().map(|question| question.at).min();
        let latest = family.iter().map(|question| question.at).max();
        if let (Some(oldest), Some(latest)) = (oldest, latest) {
            if used >= self.budget.questions {
                let free = oldest + time::seconds(self.budget.window);
                let wait = time::until(free, now).max(Duration::from_secs(1));
                return Ok(Verdict::Wait {
                    wait,
                    why: Why::UsedUp,
                });
            }
            // The first two are a draft and its correction; each further one waits twice as long.
            let doubled = 1_u32
                .checked_shl(used.saturating_sub(2))
                .unwrap_or(u32::MAX);
            let pause = self.budget.pause.saturating_mul(doubled);
            let free = latest + time::seconds(pause);
            if used >= 2 && free > now {
                return Ok(Verdict::Wait {
                    wait: time::until(free, now),
                    why: Why::TooSoon,
                });
            }
        }
        let family = kin.iter().min().copied();
        self.remember(account, family, sketch, now, since)?;
        Ok(Verdict::Answer {
            left: self.budget.questions.saturating_sub(used + 1),
        })
    }

    fn asked(&self, account: &str, since: Seconds) -> Result<Vec<Question>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT family, at, shift, digests, near FROM questions \
                       WHERE account = ?1 AND at > ?2 ORDER BY at DESC, number DESC LIMIT ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![account, since, REMEMBERED], |row| {
                let (digests, near): (Vec<u8>, String) = (row.get(3)?, row.get(4)?);
                let digests = digests
                    .chunks_exact(8)
                    .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()));
                Ok(Question {
                    family: row.get(0)?,
                    at: row.get(1)?,
                    sketch: Sketch {
                        shift: row.get(2)?,
                        digests: digests.collect(),
                        near: serde_json::from_str(&near).unwrap_or_default(),
                    },
                })
            })?;
            rows.collect()
        })
    }

    fn remember(
        &self,
        account: &str,
        family: Option<i64>,
        sketch: &Sketch,
        now: Seconds,
        since: Seconds,
    ) -> Result<(), Error> {
        let digests: Vec<u8> = sketch
            .digests
            .iter()
            .flat_map(|digest| digest.to_le_bytes())
            .collect();
        self.store.write(|transaction| {
            transaction.execute("DELETE FROM questions WHERE at <= ?1", [since])?;
            let sql = "INSERT INTO questions (account, family, at, shift, digests, near) \
                       VALUES (?1, coalesce(?2, (SELECT coalesce(max(number), 0) + 1 FROM questions)), \
                       ?3, ?4, ?5, ?6)";
            let near = serde_json::json!(sketch.near).to_string();
            let values = params![account, family, now, sketch.shift, digests, near];
            transaction.execute(sql, values)
        })?;
        Ok(())
    }
}

impl Sketch {
    /// What is remembered of the digests of a text that say something, and of the registered
    /// documents that have the most of them.
    pub(crate) fn of(telling: &[Digest], near: Vec<u32>) -> Sketch {
        let mut digests: Vec<u64> = telling.iter().map(|digest| mixed(digest.0)).collect();
        digests.sort_unstable();
        digests.dedup();
        let mut sketch = Sketch {
            shift: 0,
            digests,
            near,
        };
        while sketch.digests.len() > LARGEST {
            sketch = sketch.sampled(sketch.shift + 1);
        }
        sketch
    }

    /// Whether a digest says something about a text: not many registered documents have it.
    pub(crate) fn is_telling(digest: Digest, registry: &dyn Frequencies) -> bool {
        registry.documents_with(digest) <= COMMON
    }

    /// Whether both are the same text, whatever was registered meanwhile.
    fn is_same(&self, other: &Sketch) -> bool {
        self.shift == other.shift && self.digests == other.digests
    }

    /// Whether both are states of one text, or one is part of the other.
    fn is_kin(&self, other: &Sketch) -> bool {
        if self.near.iter().any(|number| other.near.contains(number)) {
            return true;
        }
        let shift = self.shift.max(other.shift);
        let (left, right) = (self.sampled(shift), other.sampled(shift));
        let smaller = left.digests.len().min(right.digests.len());
        let has = |digest: &&u64| right.digests.binary_search(digest).is_ok();
        let shared = left.digests.iter().filter(has).count();
        smaller > 0 && shared as f64 / smaller as f64 >= FAMILY
    }

    /// One digest in 2^shift.
    fn sampled(&self, shift: u32) -> Sketch {
        let mask = 1_u64.checked_shl(shift).map_or(u64::MAX, |bit| bit - 1);
        let kept = self.digests.iter().copied();
        Sketch {
            shift,
            digests: kept.filter(|digest| digest & mask == 0).collect(),
            near: self.near.clone(),
        }
    }
}

/// Digests may be cut to their upper bits; here all bits depend on all others.
fn mixed(digest: u64) -> u64 {
    let folded = (digest ^ (digest >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    folded ^ (folded >> 29)
}
