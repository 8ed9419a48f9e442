//! What people decide about the pairs of a report. All who may see the job see it, with who and when.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::job::own;
use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::extract::{Name, Said};
use crate::jobs::{Decision, Kept, Row, State as JobState, Verdict};
use crate::problem::Problem;

/// Decisions that come at a time, bytes of an id and characters of a note.
const MOST: usize = 500;
const LONGEST_ID: usize = 4096;
const LONGEST_NOTE: usize = 4000;

/// `GET /jobs/{id}/decisions`: what counts, and what was decided before.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
) -> Result<Json<Value>, Problem> {
    expect_report(&own(&app, &caller, &id)?)?;
    Ok(Json(app.jobs.decisions(&id)?))
}

/// The body of `POST /jobs/{id}/decisions`. What else a file of decisions has is left aside: who and
/// when is for the server to say.
#[derive(Deserialize)]
pub(crate) struct Decided {
    pairs: Vec<Decision>,
}

/// `POST /jobs/{id}/decisions`: what somebody has decided. It answers with all that counts then.
pub(crate) async fn decide(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
    Said(said): Said<Decided>,
) -> Result<Json<Value>, Problem> {
    let row = own(&app, &caller, &id)?;
    expect_report(&row)?;
    if !may_decide(&caller) {
        return Err(Problem::wrong_role(format!(
            "{} has the role {}, but deciding needs the role verify",
            caller.name(),
            caller.role()
        )));
    }
    let pairs = said.pairs;
    if pairs.is_empty() || pairs.len() > MOST {
        return Err(Problem::unusable(format!(
            "pairs must have from 1 to {MOST} decisions"
        )));
    }
    for one in &pairs {
        let is_id = |id: &String| !id.is_empty() && id.len() <= LONGEST_ID;
        if !is_id(&one.left) || !is_id(&one.right) {
            return Err(Problem::unusable(
                "left and right must be ids of documents of the report",
            ));
        }
        if one.note.chars().count() > LONGEST_NOTE {
            return Err(Problem::unusable(format!(
                "note: at most {LONGEST_NOTE} characters"
            )));
        }
    }
    let pairs = expect_listed(&app, row, pairs).await?;
    match app.jobs.decide(&id, caller.name(), &pairs)? {
        Kept::All => {}
        Kept::NoReport => return Err(no_result()),
        Kept::NoRoom => {
            return Err(Problem::conflict(
                "there is no room for more decisions about this report; export those that there are",
            ));
        }
    }
    for one in pairs.iter().filter(|one| one.state == Verdict::Find) {
        let about = json!({
            "job": id,
            "page": format!("/jobs/{id}/report"),
            "who": caller.name(),
            "pair": {"left": one.left, "right": one.right},
            "state": one.state.name(),
            "note": one.note,
        });
        app.events.tell("decision", about);
    }
    // The log outlives the report, so it names no documents.
    for state in [
        Verdict::Find,
        Verdict::Explained,
        Verdict::Reviewed,
        Verdict::Undecided,
    ] {
        let count = pairs.iter().filter(|one| one.state == state).count();
        if count > 0 {
            let state = match state {
                Verdict::Undecided => "undecided",
                state => state.name(),
            };
            let about = json!({"job": id, "as": state, "pairs": count});
            app.audit.write(caller.name(), Action::Decided, &about);
        }
    }
    Ok(Json(app.jobs.decisions(&id)?))
}

/// Refuses decisions about pairs that the report does not list; gives them back otherwise.
async fn expect_listed(
    app: &Arc<App>,
    row: Row,
    pairs: Vec<Decision>,
) -> Result<Vec<Decision>, Problem> {
    let shared = Arc::clone(app);
    let checked = app.pool.run(move || {
        let listed = shared.jobs.listed(&row);
        let listed = listed.map_err(|error| Problem::internal("reading a result", &error))?;
        let listed = listed.ok_or_else(no_result)?;
        for (number, one) in pairs.iter().enumerate() {
            if !listed.contains(&(one.left.clone(), one.right.clone())) {
                let [left, right] = [&one.left, &one.right].map(|id| id.escape_debug());
                let number = number + 1;
                return Err(Problem::unusable(format!(
                    "decision {number}: the report lists no pair with {left} on the left and {right} on \
                     the right; nothing is kept"
                )));
            }
        }
        Ok(pairs)
    });
    checked.await
}

fn no_result() -> Problem {
    Problem::gone("the job has no result, or the result has been removed")
}

/// Whether somebody may say what a pair is. Those who hand documents in may look, not judge.
pub(super) fn may_decide(caller: &Caller) -> bool {
    caller.role() >= Role::Verify
}

/// Refuses where there is no report to decide about.
pub(super) fn expect_report(row: &Row) -> Result<(), Problem> {
    match row.state {
        JobState::Done => Ok(()),
        JobState::Failed | JobState::Cancelled | JobState::Expired => Err(no_result()),
        JobState::Uploading | JobState::Asking | JobState::Waiting | JobState::Running => {
            Err(Problem::conflict("the job is not done yet"))
        }
    }
}
