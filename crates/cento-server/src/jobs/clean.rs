//! What has to go: at the start, and when time is up.

use std::collections::BTreeSet;

use serde_json::json;

use super::{Jobs, State};
use crate::error::Error;
use crate::{folder, time};

impl Jobs {
    /// Puts things in order after the last run. Results stay for as long as was promised. If the run
    /// ended in order, its waiting jobs go on; after a crash nothing that was uploaded stays.
    pub(crate) fn settle(&self, ended_in_order: bool) -> Result<(), Error> {
        let mut kept = BTreeSet::new();
        for state in [
            State::Uploading,
            State::Asking,
            State::Waiting,
            State::Running,
            State::Done,
        ] {
            for row in self.in_state(state)? {
                if state == State::Done
                    || ended_in_order && matches!(state, State::Asking | State::Waiting)
                {
                    kept.insert(row.id);
                    continue;
                }
                let message = "the server stopped suddenly; send the files again";
                let outcome = json!({"message": message});
                self.set_outcome(&row.id, State::Failed, time::now(), &outcome)?;
            }
        }
        let entries = std::fs::read_dir(&self.folder);
        let entries = entries.map_err(|source| folder::failed(&self.folder, source))?;
        for entry in entries.flatten() {
            let name = entry.file_name();
            if !name.to_str().is_some_and(|name| kept.contains(name)) {
                folder::remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Removes what there is of a job that is at its end.
    pub(crate) fn remove(&self, id: &str, state: State) -> Result<(), Error> {
        folder::remove(&self.folder(id))?;
        self.forget_decisions(id, state)
    }
}

/// Removes what has been kept for as long as was promised.
pub(crate) fn tidy(jobs: &Jobs) -> Result<(), Error> {
    for row in jobs.expired()? {
        jobs.remove(&row.id, State::Expired)?;
    }
    jobs.forget_old()
}
