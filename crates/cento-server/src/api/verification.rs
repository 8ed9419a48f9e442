//! One document against the registry, answered at once.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use cento::index::registry::Snapshot;
use cento::report::Report;
use cento_jobs::verify::Asked;
use cento_jobs::{InMemory, Watch};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::extract::{Params, Sent};
use crate::jobs::verify::Question;
use crate::problem::Problem;

/// The query of `POST /verifications`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    /// What it is called.
    name: Option<String>,
    set: Option<String>,
    submitter: Option<String>,
    threshold: Option<f64>,
    top: Option<usize>,
}

/// How many documents are listed by default.
const TOP: usize = 100;
const THRESHOLD: f64 = 0.1;

/// `POST /verifications`: what the document in the body shares with those of the registry.
pub(crate) async fn verify(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(about): Params<About>,
    Sent(bytes): Sent,
) -> Result<Response, Problem> {
    app.registry()?;
    let threshold = about.threshold.unwrap_or(THRESHOLD);
    if !(0.0..=1.0).contains(&threshold) {
        return Err(Problem::unusable(
            "threshold must be a share from 0 to 1 (10 % is 0.1)",
        ));
    }
    let is_coarse = caller.role() == Role::Submit;
    let question = Question {
        threshold: if is_coarse { THRESHOLD } else { threshold },
        top: Some(about.top.unwrap_or(TOP)).filter(|_| !is_coarse),
        set: caller.expect_set(about.set)?,
        base_from: None,
        submitter: match caller.role() {
            Role::Submit => caller.submitter(None),
            _ => about.submitter.filter(|submitter| !submitter.is_empty()),
        },
        submitter_from: None,
        role: caller.role(),
        sets: caller.sets().clone(),
        account: caller.name().to_owned(),
    };
    let name = about.name.filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "document".to_owned());
    let shared = Arc::clone(&app);
    let report = app.pool.run(move || {
        let (registry, _) = shared.registry()?;
        let snapshot = registry.snapshot();
        let given = InMemory { name, bytes };
        let report = answer(&shared, &question, given, &snapshot)?;
        Ok(cento_report::json(&report))
    });
    let mut response = Response::new(Body::from(report.await?));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// What a document shares with those of the registry, if the question is to be answered.
fn answer(
    app: &App,
    question: &Question,
    given: InMemory,
    snapshot: &Snapshot,
) -> Result<Report, Problem> {
    let name = given.name.clone();
    let mut options = question.options(&snapshot.settings().recipe);
    options.given.push(given);
    let mut refused = None;
    let mut gate = |asked: &Asked<'_>| {
        let allowed = app.expect_budget(question, asked, snapshot);
        allowed.map_err(|problem| {
            let detail = problem.detail().to_owned();
            refused = Some(problem);
            detail
        })
    };
    let nobody = Watch::NOBODY;
    let answered = question.answer(&options, snapshot, &app.reader, &mut gate, &nobody);
    if let Some(problem) = refused {
        return Err(problem);
    }
    let report = answered.map_err(Problem::from)?.report;
    // There is one document; an empty report would look like a clean one.
    if let Some(skipped) = report.skipped.first() {
        return Err(Problem::unusable(skipped.reason.clone()));
    }
    let audited = json!({"document": name, "set": question.set, "hits": report.pairs.len()});
    app.audit
        .write(&question.account, Action::Verified, &audited);
    Ok(report)
}
