//! Documents of the registry: one in, a page of them out, some forgotten.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use cento::index::registry::{Entry, Facts, OnChange};
use cento_jobs::InMemory;
use cento_jobs::forget::Forgotten;
use cento_jobs::register::{Taken, candidate};
use cento_jobs::registry::{Described, described};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::extract::{Params, Said, Sent};
use crate::jobs::id_prefix;
use crate::problem::Problem;
use crate::registry::Addition;
use crate::time;

/// The query of `POST /documents`: what the sender says about the document.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Announced {
    pub(super) id: String,
    pub(super) label: Option<String>,
    pub(super) set: Option<String>,
    pub(super) submitter: Option<String>,
    pub(super) date: Option<String>,
    pub(super) expires: Option<String>,
    #[serde(default)]
    pub(super) on_change: Changed,
}

/// What to do with an id that has another text.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Changed {
    #[default]
    Version,
    Refuse,
}

/// The most bytes of an id, and of everything else that is said about a document.
const LONGEST: usize = 1000;

impl Announced {
    /// What goes into the catalogue, if the caller may say that.
    pub(super) fn facts(self, caller: &Caller) -> Result<(Facts, OnChange), Problem> {
        let some = |text: Option<String>| text.filter(|text| !text.is_empty());
        let Announced {
            id,
            label,
            set,
            submitter,
            date,
            expires,
            on_change,
        } = self;
        if id.is_empty() {
            return Err(Problem::unusable("a document needs an id"));
        }
        let texts = [
            Some(&id),
            label.as_ref(),
            set.as_ref(),
            submitter.as_ref(),
            date.as_ref(),
        ];
        if texts.into_iter().flatten().any(|text| text.len() > LONGEST) {
            return Err(Problem::unusable(format!(
                "id, label, set, submitter and date may have at most {LONGEST} bytes each"
            )));
        }
        let expires = match some(expires) {
            None => None,
            Some(text) => Some(expected_time(&text)?),
        };
        let (submitter, set) = (caller.submitter(submitter), caller.expect_set(set)?);
        // Who may only submit names their own documents: neither an archive's nor another's.
        let prefix = match caller.role() {
            Role::Submit => id_prefix(set.as_deref(), submitter.as_deref(), None),
            _ => String::new(),
        };
        let facts = Facts {
            id: if id.starts_with(&prefix) {
                id
            } else {
                format!("{prefix}{id}")
            },
            label: some(label),
            submitter,
            set,
            date: some(date),
            expires,
            registered: time::now_text(),
            file: None,
            extractor: None,
        };
        let on_change = match on_change {
            Changed::Version => OnChange::Version,
            Changed::Refuse => OnChange::Refuse,
        };
        Ok((facts, on_change))
    }
}

/// A time in UTC, as the registry compares them: letter by letter.
fn expected_time(text: &str) -> Result<String, Problem> {
    let time: Result<jiff::Timestamp, _> = text.parse();
    match time {
        Ok(time) => Ok(time::text(time.as_second())),
        Err(_) => Err(Problem::unusable(
            "expires must be a time such as 2030-12-31T00:00:00Z",
        )),
    }
}

/// `POST /documents`: registers the document in the body. When this has answered, no crash can undo
/// it, and the next verification finds it.
pub(crate) async fn register(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(said): Params<Announced>,
    Sent(bytes): Sent,
) -> Result<Response, Problem> {
    let (shared, writer) = app.registry()?;
    writer.expect()?;
    let (facts, on_change) = said.facts(&caller)?;
    let id = facts.id.clone();
    let set = facts.set.clone();
    let prepare = shared.snapshot().prepare().clone();
    let reader = app.reader.clone();
    let name = id.clone();
    let work = move || {
        let given = InMemory { name, bytes };
        let candidate = candidate(&given, facts, &prepare, &reader);
        candidate.map_err(|skipped| Problem::unusable(skipped.reason))
    };
    let candidate = app.pool.run(work).await?;
    let addition = Addition {
        candidate: Box::new(candidate),
        on_change,
        viewer: caller.viewer(),
    };
    let registered = writer.add(addition).await?;
    let created = StatusCode::CREATED;
    let (status, what, version, same_text_as) = match registered.taken {
        Taken::New { same_text_as } => (created, "new", Some(1), same_text_as),
        Taken::Version {
            version,
            same_text_as,
        } => (created, "version", Some(version), same_text_as),
        Taken::Unchanged => (StatusCode::OK, "unchanged", None, None),
        Taken::Refused(refusal) => return Err(Problem::conflict(refusal.reason)),
    };
    if version.is_some() {
        let audited = json!({"ids": [id], "set": set});
        app.audit.write(caller.name(), Action::Registered, &audited);
    }
    let mut told = json!({"id": id, "registered": what, "version": version});
    if let Some(other) = same_text_as {
        told["same_text_as"] = other.into();
    }
    Ok((status, Json(told)).into_response())
}

/// The query of `GET /documents`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Those after this id.
    after: Option<String>,
    limit: Option<usize>,
    set: Option<String>,
    /// Part of an id, label or submitter.
    search: Option<String>,
}

/// As many are shown at a time, and looked at for a search.
const SHOWN: usize = 500;
const LOOKED_AT: usize = 200_000;

/// `GET /documents`: what is registered, as far as it is the caller's to see.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(page): Params<Page>,
) -> Result<Json<Value>, Problem> {
    caller.expect(Role::Verify)?;
    let (shared, _) = app.registry()?;
    let limit = page.limit.unwrap_or(100);
    if !(1..=SHOWN).contains(&limit) {
        return Err(Problem::unusable(format!(
            "limit must be from 1 to {SHOWN}"
        )));
    }
    let snapshot = shared.snapshot();
    let sets = caller.sets().clone();
    let listed = app.pool.run(move || {
        let search = page.search.unwrap_or_default().to_lowercase();
        let mut documents: Vec<Described> = Vec::new();
        let (mut looked_at, mut next) = (0, None);
        snapshot.entries_after(page.after.as_deref().unwrap_or_default(), |entry| {
            looked_at += 1;
            let is_new_id = next.as_deref() != Some(entry.facts.id.as_str());
            // Versions of a document stay together.
            if is_new_id && (documents.len() >= limit || looked_at > LOOKED_AT) {
                return ControlFlow::Break(());
            }
            next = Some(entry.facts.id.clone());
            let is_wanted = page.set.is_none() || entry.facts.set == page.set;
            if is_wanted && sets.allow(entry.facts.set.as_deref()) && has(&entry, &search) {
                documents.push(described(entry));
            }
            ControlFlow::Continue(())
        })?;
        let is_more = documents.len() >= limit || looked_at > LOOKED_AT;
        let next = next.filter(|_| is_more);
        Ok(json!({"documents": documents, "next": next}))
    });
    Ok(Json(listed.await?))
}

fn has(entry: &Entry, search: &str) -> bool {
    let facts = &entry.facts;
    let texts = [
        Some(&facts.id),
        facts.label.as_ref(),
        facts.submitter.as_ref(),
    ];
    search.is_empty()
        || texts
            .into_iter()
            .flatten()
            .any(|text| text.to_lowercase().contains(search))
        || entry.number.to_string() == search
}

/// `POST /forget`: documents that shall no longer be there. When this has answered, no verification
/// finds them.
pub(crate) async fn forget(
    State(app): State<Arc<App>>,
    caller: Caller,
    Said(forget): Said<Forgotten>,
) -> Result<Json<Value>, Problem> {
    caller.expect(Role::Admin)?;
    let (shared, writer) = app.registry()?;
    writer.expect()?;
    if caller.sets().0.is_some() {
        let is_theirs = |id: &String| -> Result<bool, Problem> {
            let entry = shared.snapshot().latest(id)?;
            Ok(entry.is_none_or(|entry| caller.sets().allow(entry.facts.set.as_deref())))
        };
        let sets = forget.sets.iter().all(|set| caller.sets().allow(Some(set)));
        let mut are_theirs = sets && forget.submitters.is_empty() && !forget.expired;
        for id in &forget.ids {
            are_theirs = are_theirs && is_theirs(id)?;
        }
        if !are_theirs {
            return Err(Problem::wrong_role(
                "an account that is limited to sets can forget only documents of these sets, by \
                 id or set",
            ));
        }
    }
    let audited = json!({
        "ids": forget.ids,
        "sets": forget.sets,
        "submitters": forget.submitters,
        "expired": forget.expired,
    });
    let which = forget.which();
    if which.is_empty() {
        return Err(Problem::unusable(
            "say what to forget: ids, sets, submitters or expired",
        ));
    }
    let counts = writer.forget(which).await?;
    let forgotten: u64 = counts.iter().sum();
    let audited = json!({"what": audited, "documents": forgotten});
    app.audit.write(caller.name(), Action::Forgot, &audited);
    Ok(Json(json!({"forgotten": forgotten})))
}
