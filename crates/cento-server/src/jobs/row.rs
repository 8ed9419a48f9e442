//! Jobs as the database has them.

use rusqlite::{OptionalExtension as _, params};
use serde::Serialize;
use serde_json::Value;

use super::{Jobs, Task};
use crate::error::Error;
use crate::time::{self, Seconds};

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// Its files are coming up.
    Uploading,
    /// Its files are there, and its owner is asked whose they are.
    Asking,
    Waiting,
    Running,
    Done,
    Failed,
    Cancelled,
    /// Its result was kept for as long as was promised.
    Expired,
}

/// A job.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) state: State,
    pub(crate) created: Seconds,
    pub(crate) expires: Seconds,
    pub(crate) task: Task,
    pub(crate) outcome: Value,
}

impl State {
    const ALL: [State; 8] = [
        State::Uploading,
        State::Asking,
        State::Waiting,
        State::Running,
        State::Done,
        State::Failed,
        State::Cancelled,
        State::Expired,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Uploading => "uploading",
            State::Asking => "asking",
            State::Waiting => "waiting",
            State::Running => "running",
            State::Done => "done",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
            State::Expired => "expired",
        }
    }

    /// Whether nothing more will happen to it.
    pub(crate) fn is_final(self) -> bool {
        !matches!(
            self,
            State::Uploading | State::Asking | State::Waiting | State::Running
        )
    }
}

impl Jobs {
    pub(super) fn insert(&self, row: &Row) -> Result<(), Error> {
        let task = serde_json::json!(row.task).to_string();
        self.store.run(|connection| {
            let sql = "INSERT OR REPLACE INTO jobs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            connection.execute(
                sql,
                params![
                    row.id,
                    row.owner,
                    row.state.name(),
                    row.created,
                    row.expires,
                    task,
                    row.outcome.to_string()
                ],
            )
        })?;
        Ok(())
    }

    pub(super) fn set_state(&self, id: &str, state: State) -> Result<(), Error> {
        self.store.run(|connection| {
            let sql = "UPDATE jobs SET state = ?2 WHERE id = ?1";
            connection.execute(sql, [id, state.name()]).map(|_| ())
        })
    }

    pub(super) fn set_outcome(
        &self,
        id: &str,
        state: State,
        expires: Seconds,
        outcome: &Value,
    ) -> Result<(), Error> {
        self.store.run(|connection| {
            let sql = "UPDATE jobs SET state = ?2, expires = ?3, outcome = ?4 WHERE id = ?1";
            let values = params![id, state.name(), expires, outcome.to_string()];
            connection.execute(sql, values).map(|_| ())
        })
    }

    /// Lets a job that asked go on with what it was told; false if it does not ask any more.
    pub(crate) fn answer(&self, row: &Row) -> Result<bool, Error> {
        let task = serde_json::json!(row.task).to_string();
        let changed = self.store.run(|connection| {
            let sql = "UPDATE jobs SET state = 'waiting', expires = ?2, task = ?3 \
                       WHERE id = ?1 AND state = 'asking'";
            connection.execute(sql, params![row.id, row.expires, task])
        })?;
        Ok(changed > 0)
    }

    /// How many jobs of somebody ask.
    pub(super) fn asking(&self, owner: &str) -> Result<usize, Error> {
        self.store.run(|connection| {
            let sql = "SELECT count(*) FROM jobs WHERE owner = ?1 AND state = 'asking'";
            connection.query_row(sql, [owner], |row| row.get(0))
        })
    }

    /// The job with an id.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Row>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT id, owner, state, created, expires, task, outcome FROM jobs \
                       WHERE id = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_row([id], row).optional()?;
            Ok(found.flatten())
        })
    }

    /// The latest jobs of somebody, or of all, latest first.
    pub(crate) fn list(&self, owner: Option<&str>) -> Result<Vec<Row>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT id, owner, state, created, expires, task, outcome FROM jobs \
                       WHERE ?1 IS NULL OR owner = ?1 ORDER BY created DESC, id LIMIT 100";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([owner], row)?;
            let rows: Vec<Option<Row>> = rows.collect::<rusqlite::Result<_>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }

    /// Those in a state, oldest first.
    pub(super) fn in_state(&self, state: State) -> Result<Vec<Row>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT id, owner, state, created, expires, task, outcome FROM jobs \
                       WHERE state = ?1 ORDER BY created, id";
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([state.name()], row)?;
            let rows: Vec<Option<Row>> = rows.collect::<rusqlite::Result<_>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }

    /// Those whose time is up.
    pub(super) fn expired(&self) -> Result<Vec<Row>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT id, owner, state, created, expires, task, outcome FROM jobs \
                       WHERE state IN ('done', 'asking') AND expires <= ?1";
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([time::now()], row)?;
            let rows: Vec<Option<Row>> = rows.collect::<rusqlite::Result<_>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }

    /// Forgets jobs that ended long ago.
    pub(super) fn forget_old(&self) -> Result<(), Error> {
        const LONG: Seconds = 30 * 86_400;
        self.store.run(|connection| {
            let sql = "DELETE FROM jobs WHERE expires <= ?1 \
                       AND state NOT IN ('uploading', 'asking', 'waiting', 'running')";
            connection.execute(sql, [time::now() - LONG]).map(|_| ())
        })
    }
}

/// A job; none if this version cannot read it.
fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Row>> {
    let (state, task, outcome): (String, String, String) = (row.get(2)?, row.get(5)?, row.get(6)?);
    let state = State::ALL.into_iter().find(|known| known.name() == state);
    let task = serde_json::from_str(&task).ok();
    let (Some(state), Some(task)) = (state, task) else {
        return Ok(None);
    };
    Ok(Some(Row {
        id: row.get(0)?,
        owner: row.get(1)?,
        state,
        created: row.get(3)?,
        expires: row.get(4)?,
        task,
        outcome: serde_json::from_str(&outcome).unwrap_or(Value::Null),
    }))
}
