//! The questions of all accounts in the server's database, and how those are found that a new one is
//! kin to.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{OptionalExtension as _, params};

use super::sketch::{Pair, Sketch};
use crate::error::Error;
use crate::store::Store;
use crate::time::Seconds;

pub(super) struct Memory {
    store: Arc<Store>,
}

/// A question that is to be remembered.
pub(super) struct Remembered<'a> {
    pub(super) account: &'a str,
    pub(super) sketch: &'a Sketch,
    pub(super) at: Seconds,
    pub(super) is_answered: bool,
}

/// An earlier question about the very same text.
pub(super) struct Same {
    pub(super) number: i64,
    pub(super) is_answered: bool,
}

/// An earlier question about nearly the same text.
pub(super) struct Kin {
    pub(super) number: i64,
    pub(super) account: String,
}

/// A mark that more questions have leads nowhere.
const COMMON_MARK: u32 = 30;
/// A question is looked at if it has so many marks of the new one.
const MARKS: u32 = 2;
/// What is remembered of one account at most: enough for three drafts of three hundred theses.
const BYTES_OF_ACCOUNT: usize = 256 << 20;
const PAIR: usize = size_of::<u64>();

impl Memory {
    pub(super) fn new(store: Arc<Store>) -> Memory {
        Memory { store }
    }

    /// Forgets what was asked until then.
    pub(super) fn forget_until(&self, then: Seconds) -> Result<(), Error> {
        self.store.run(|connection| {
            let sql = "DELETE FROM questions WHERE at <= ?1";
            connection.prepare_cached(sql)?.execute([then])
        })?;
        Ok(())
    }

    pub(super) fn same(&self, sketch: &Sketch) -> Result<Option<Same>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT number, is_answered FROM questions WHERE same = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_row([&sketch.same], |row| {
                Ok(Same {
                    number: row.get(0)?,
                    is_answered: row.get(1)?,
                })
            });
            found.optional()
        })
    }

    /// The earlier questions about nearly the same text, in the order in which they were asked.
    pub(super) fn kin(&self, sketch: &Sketch) -> Result<Vec<Kin>, Error> {
        let mut kin = Vec::new();
        for number in self.candidates(sketch)? {
            let (account, earlier) = self.store.run(|connection| {
                let sql = "SELECT account, same, pairs FROM questions WHERE number = ?1";
                let mut statement = connection.prepare_cached(sql)?;
                statement.query_row([number], |row| {
                    let pairs: Vec<u8> = row.get(2)?;
                    let pairs = pairs.chunks_exact(PAIR).map(|bytes| {
                        Pair(u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
                    });
                    let earlier = Sketch {
                        same: row.get(1)?,
                        pairs: pairs.collect(),
                    };
                    Ok((row.get(0)?, earlier))
                })
            })?;
            // Who pads a text decides which of the two is the larger one.
            if sketch.is_kin(&earlier) || earlier.is_kin(sketch) {
                kin.push(Kin { number, account });
            }
        }
        Ok(kin)
    }

    /// The questions that share marks, in the order in which they were asked.
    fn candidates(&self, sketch: &Sketch) -> Result<Vec<i64>, Error> {
        let mut marks: Vec<i64> = marks(sketch).collect();
        marks.dedup();
        let mut found: HashMap<i64, u32> = HashMap::new();
        // In parts: others need the database, too.
        for part in marks.chunks(1000) {
            self.store.run(|connection| {
                let sql = "SELECT question FROM question_marks WHERE mark = ?1 LIMIT ?2";
                let mut statement = connection.prepare_cached(sql)?;
                for mark in part {
                    let limit = COMMON_MARK + 1;
                    let rows = statement.query_map(params![mark, limit], |row| row.get(0))?;
                    let questions = rows.collect::<rusqlite::Result<Vec<i64>>>()?;
                    if questions.len() <= COMMON_MARK as usize {
                        for question in questions {
                            *found.entry(question).or_default() += 1;
                        }
                    }
                }
                Ok(())
            })?;
        }
        let needed = MARKS.min(u32::try_from(marks.len()).unwrap_or(MARKS));
        found.retain(|_, shared| *shared >= needed);
        let mut numbers: Vec<i64> = found.into_keys().collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Whether another question of the account can be remembered.
    pub(super) fn has_room(&self, account: &str, sketch: &Sketch) -> Result<bool, Error> {
        let remembered: i64 = self.store.run(|connection| {
            let sql = "SELECT coalesce(sum(length(pairs)), 0) FROM questions WHERE account = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row([account], |row| row.get(0))
        })?;
        let remembered = usize::try_from(remembered).unwrap_or(usize::MAX);
        let new = sketch.pairs.len() * PAIR;
        Ok(remembered.saturating_add(new) <= BYTES_OF_ACCOUNT)
    }

    pub(super) fn remember(&self, question: &Remembered<'_>) -> Result<(), Error> {
        let sketch = question.sketch;
        let pairs: Vec<u8> = sketch
            .pairs
            .iter()
            .flat_map(|pair| pair.0.to_le_bytes())
            .collect();
        self.store.write(|transaction| {
            let sql = "INSERT OR IGNORE INTO questions (account, at, is_answered, same, pairs) \
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            let values = params![
                question.account,
                question.at,
                question.is_answered,
                sketch.same,
                pairs
            ];
            if transaction.prepare_cached(sql)?.execute(values)? == 0 {
                return Ok(());
            }
            let number = transaction.last_insert_rowid();
            let sql = "INSERT OR IGNORE INTO question_marks VALUES (?1, ?2)";
            let mut statement = transaction.prepare_cached(sql)?;
            for mark in marks(sketch) {
                statement.execute([mark, number])?;
            }
            Ok(())
        })
    }

    /// Lets questions count from now on again.
    pub(super) fn renew(&self, questions: &[i64], now: Seconds) -> Result<(), Error> {
        self.store.write(|transaction| {
            let sql = "UPDATE questions SET at = ?2 WHERE number = ?1";
            let mut statement = transaction.prepare_cached(sql)?;
            for number in questions {
                statement.execute(params![number, now])?;
            }
            Ok(())
        })
    }
}

fn marks(sketch: &Sketch) -> impl Iterator<Item = i64> {
    let marks = sketch.pairs.iter().filter(|pair| pair.is_mark());
    marks.map(|pair| pair.mark())
}
