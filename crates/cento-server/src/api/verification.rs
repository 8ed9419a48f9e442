//! One document against the registry, answered at once.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use cento_ingest::{Input, Part, Place, Root, Source};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::extract::{Params, Sent};
use crate::jobs::verification::{Question, answered, sketch};
use crate::problem::Problem;
use crate::reading::query;

/// What is said about the document.
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

/// What is listed without a wish.
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
            "threshold is a share from 0 to 1 (10 % is 0.1)",
        ));
    }
    let is_coarse = caller.role() == Role::Submit;
    let question = Question {
        threshold: if is_coarse { THRESHOLD } else { threshold },
        top: Some(about.top.unwrap_or(TOP)).filter(|_| !is_coarse),
        set: caller.expect_set(about.set)?,
        submitter: about.submitter.filter(|submitter| !submitter.is_empty()),
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
        let input = Input::new(source(&name, bytes), &shared.shelf);
        let about = question.about();
        let query = query(&input, &about, &snapshot).map_err(Problem::unusable)?;
        if is_coarse {
            shared.expect_budget(&question, &query.id, &sketch(&query, &snapshot)?)?;
        }
        let read = |_: &str| input.read().ok().map(|document| document.content);
        let queries = [query];
        let report = answered(&question, &queries, &snapshot, &read, None);
        let report = report.map_err(Problem::unavailable)?;
        let hits = report.pairs.len();
        let audited = json!({"document": name, "set": question.set, "hits": hits});
        shared
            .audit
            .write(&question.account, Action::Verified, &audited);
        Ok(cento_report::json(&report))
    });
    let mut response = Response::new(Body::from(report.await?));
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}

/// A document that is in memory.
pub(super) fn source(name: &str, bytes: Vec<u8>) -> Source {
    let size = bytes.len() as u64;
    Source {
        id: name.to_owned(),
        label: name.to_owned(),
        argument: 0,
        parts: vec![Part {
            file: name.to_owned(),
            place: Place {
                root: Root::Stdin(Arc::new(bytes)),
                steps: Vec::new(),
                is_foreign: true,
            },
            size,
            warning: None,
        }],
        date: None,
        is_submission: false,
    }
}
