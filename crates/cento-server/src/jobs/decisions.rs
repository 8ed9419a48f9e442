//! What people have decided about the pairs of a report: who, when and why. The later decision counts,
//! and those before it stay on record as long as the job does.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{DATA, Jobs, Kind, Row, State};
use crate::error::Error;
use crate::time::{self, Seconds};

/// What a pair is, in the eyes of somebody who has looked at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Reviewed,
    Find,
    Explained,
    /// An earlier decision is taken back.
    #[serde(rename = "")]
    Undecided,
}

/// A decision about a pair, as somebody sends it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Decision {
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) state: Verdict,
    #[serde(default)]
    pub(crate) note: String,
}

/// What became of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    All,
    /// There is no room for more about this job.
    NoRoom,
    /// The report went in the meantime.
    NoReport,
}

/// The ids of a pair, as a report lists it.
pub(crate) type Ends = (String, String);

/// More decisions about one report than this are no work of people.
const MOST: i64 = 20_000;
/// Nor are more bytes of ids and notes: every page of the report has all of them.
const MOST_BYTES: i64 = 16 << 20;
/// The form of decisions in files and pages.
const SCHEMA: &str = "cento.work/1";

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Reviewed => "reviewed",
            Verdict::Find => "find",
            Verdict::Explained => "explained",
            Verdict::Undecided => "",
        }
    }
}

impl Jobs {
    /// The pairs that the report of a job lists; none if its result is gone.
    pub(crate) fn listed(&self, job: &Row) -> io::Result<Option<BTreeSet<Ends>>> {
        #[derive(Deserialize)]
        struct Listing {
            pairs: Vec<Listed>,
        }
        #[derive(Deserialize)]
        struct Listed {
            left: String,
            right: String,
        }
        if job.task.kind == Kind::Register {
            return Ok(Some(BTreeSet::new()));
        }
        let text = match std::fs::read(self.folder(&job.id).join(DATA)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        let listing: Listing = serde_json::from_slice(&text)?;
        let pairs = listing.pairs.into_iter();
        Ok(Some(pairs.map(|pair| (pair.left, pair.right)).collect()))
    }

    /// Keeps all of these decisions or none.
    pub(crate) fn decide(
        &self,
        job: &str,
        account: &str,
        decisions: &[Decision],
    ) -> Result<Kept, Error> {
        self.store.write(|transaction| {
            let sql = "SELECT state FROM jobs WHERE id = ?1";
            let state: Option<String> = transaction
                .query_row(sql, [job], |row| row.get(0))
                .optional()?;
            if state.as_deref() != Some(State::Done.name()) {
                return Ok(Kept::NoReport);
            }
            let sql = "SELECT count(*), coalesce(sum(octet_length(left_id) + octet_length(right_id) \
                       + octet_length(note)), 0) FROM decisions WHERE job = ?1";
            let (kept, bytes): (i64, i64) =
                transaction.query_row(sql, [job], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let new = decisions.iter();
            let new = new.map(|one| one.left.len() + one.right.len() + one.note.len());
            let new: usize = new.sum();
            if kept.saturating_add_unsigned(decisions.len() as u64) > MOST
                || bytes.saturating_add_unsigned(new as u64) > MOST_BYTES
            {
                return Ok(Kept::NoRoom);
            }
            let sql = "INSERT INTO decisions (job, at, account, left_id, right_id, state, note) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let mut statement = transaction.prepare(sql)?;
            for Decision {
                left,
                right,
                state,
                note,
            } in decisions
            {
                let state = state.name();
                statement.execute(params![job, time::now(), account, left, right, state, note])?;
            }
            Ok(Kept::All)
        })
    }

    /// What counts, as pages and files have it, with the decisions before as `history`: oldest first.
    pub(crate) fn decisions(&self, job: &str) -> Result<Value, Error> {
        let mut latest: BTreeMap<(String, String), Value> = BTreeMap::new();
        let mut history = Vec::new();
        for one in self.decided(job)? {
            let pair = (one.left.clone(), one.right.clone());
            let told = one.told();
            let before = if one.state.is_empty() {
                latest.remove(&pair)
            } else {
                latest.insert(pair, told)
            };
            history.extend(before);
        }
        let pairs: Vec<Value> = latest.into_values().collect();
        Ok(json!({"schema": SCHEMA, "pairs": pairs, "history": history}))
    }

    /// How many pairs are decided.
    pub(crate) fn decided_count(&self, job: &str) -> Result<u64, Error> {
        self.store.run(|connection| {
            let sql = "SELECT count(*) FROM decisions AS one WHERE job = ?1 AND state <> '' AND \
                       number = (SELECT max(number) FROM decisions WHERE job = one.job AND \
                       left_id = one.left_id AND right_id = one.right_id)";
            connection.query_row(sql, [job], |row| row.get(0))
        })
    }

    /// Notes that a job has no report any more, and forgets what was decided about it. Whoever decides
    /// at the same time comes before that or too late.
    pub(super) fn forget_decisions(&self, job: &str, state: State) -> Result<(), Error> {
        self.store.write(|transaction| {
            let sql = "UPDATE jobs SET state = ?2 WHERE id = ?1";
            transaction.execute(sql, [job, state.name()])?;
            let sql = "DELETE FROM decisions WHERE job = ?1";
            transaction.execute(sql, [job]).map(|_| ())
        })
    }

    fn decided(&self, job: &str) -> Result<Vec<Decided>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT at, account, left_id, right_id, state, note FROM decisions \
                       WHERE job = ?1 ORDER BY number";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([job], |row| {
                Ok(Decided {
                    at: row.get(0)?,
                    account: row.get(1)?,
                    left: row.get(2)?,
                    right: row.get(3)?,
                    state: row.get(4)?,
                    note: row.get(5)?,
                })
            })?;
            rows.collect()
        })
    }
}

struct Decided {
    at: Seconds,
    account: String,
    left: String,
    right: String,
    state: String,
    note: String,
}

impl Decided {
    fn told(&self) -> Value {
        json!({
            "left": self.left,
            "right": self.right,
            "state": self.state,
            "note": self.note,
            "when": time::text(self.at),
            "who": self.account,
        })
    }
}
