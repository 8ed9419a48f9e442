//! The first run: the first administrator, the registry and its key, from the page behind the printed
//! address. Whoever has that address may; nobody else, and only once.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use cento::index::registry::Retention;
use cento_jobs::Watch;
use cento_jobs::registry::{RegistryOptions, init};
use serde::Deserialize;
use serde_json::json;

use super::session::set_cookie;
use crate::app::App;
use crate::audit::Action;
use crate::auth::accounts::{expect_name, expect_password};
use crate::auth::caller::{Way, cookie};
use crate::auth::sessions::LASTS;
use crate::auth::{Account, Caller, Role, Sets, passwords};
use crate::http::Client;
use crate::http::extract::Said;
use crate::problem::Problem;
use crate::registry::open;

/// The body of `POST /setup`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Setup {
    name: String,
    password: String,
    /// What the registry keeps of documents besides their digests.
    #[serde(default)]
    retention: Kept,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kept {
    #[default]
    Digests,
    Text,
}

/// `POST /setup`: makes the registry and the first administrator, and logs them in.
pub(crate) async fn make(
    State(app): State<Arc<App>>,
    caller: Caller,
    client: Client,
    headers: HeaderMap,
    Said(said): Said<Setup>,
) -> Result<Response, Problem> {
    expect_first(&app, &caller)?;
    let unusable = |error: crate::Error| Problem::unusable(error.to_string());
    expect_name(&said.name).map_err(unusable)?;
    expect_password(&said.password).map_err(unusable)?;
    let account = Account {
        name: said.name,
        role: Role::Admin,
        sets: Sets::default(),
    };
    let kept = passwords::keep(&app, client, said.password).await?;
    let working = Arc::clone(&app);
    let made = tokio::task::spawn_blocking(move || {
        // Two pages of one browser may both be sent: one of them is too late.
        let made = working.setting_up.lock();
        let mut made = made.unwrap_or_else(PoisonError::into_inner);
        if working.accounts.exist()? {
            return Err(done_already());
        }
        // What fails from here on can be sent again, and goes on where it stopped.
        match &*made {
            Some(made) if made.kept != said.retention => return Err(made.keeps_otherwise()),
            Some(_) => (),
            None => *made = make_registry(&working, said.retention)?,
        }
        open_registry(&working)?;
        if !working.accounts.insert(&account, &kept)? {
            return Err(done_already());
        }
        working.start_having_accounts()?;
        working.sessions.close_anonymous()?;
        Ok((account, made.take()))
    });
    let made = made.await;
    let (account, made) =
        made.map_err(|panicked| Problem::internal("the first run", &panicked))??;
    let about = json!({"account": account.name, "role": "admin", "registry": made.is_some()});
    app.audit.write(caller.name(), Action::AddedAccount, &about);
    if let Some(before) = cookie(&headers) {
        app.sessions.close(before)?;
    }
    let opened = app.sessions.open(Some(&account.name), account.role)?;
    if let Some(NewRegistry {
        key_file: Some(file),
        ..
    }) = &made
    {
        let mut copy = app.key_copy.lock().unwrap_or_else(PoisonError::into_inner);
        *copy = Some(KeyCopy {
            account: account.name.clone(),
            file: file.clone(),
        });
    }
    let told = json!({
        "name": account.name,
        "registry": app.registry.get().map(|(shared, _)| {
            let path = shared.place().path.clone();
            std::path::absolute(&path).unwrap_or(path)
        }),
        "key": made.map(|made| json!({
            "name": made.key,
            "file": made.key_file.map(|file| std::path::absolute(&file).unwrap_or(file)),
        })),
    });
    let mut response = (StatusCode::CREATED, Json(told)).into_response();
    set_cookie(&mut response, &app, &opened.secret, LASTS);
    Ok(response)
}

/// Makes the registry, unless there is one; says where its new key is.
fn make_registry(app: &App, kept: Kept) -> Result<Option<NewRegistry>, Problem> {
    let (Some(place), None) = (&app.config.setup, app.registry.get()) else {
        return Ok(None);
    };
    let options = init::Options {
        registry: place.clone(),
        retention: match kept {
            Kept::Digests => Retention::Digests,
            Kept::Text => Retention::Text,
        },
        ..init::Options::default()
    };
    let made = init::run(&options, &Watch::NOBODY)?;
    // A key that was given in the environment is in no file that could be copied.
    let is_file = place_has_file(place);
    Ok(Some(NewRegistry {
        kept,
        key: made.key,
        key_file: made.key_place.map(PathBuf::from).filter(|_| is_file),
    }))
}

/// Opens the registry, unless it is open.
fn open_registry(app: &App) -> Result<(), Problem> {
    let (Some(place), None) = (&app.config.setup, app.registry.get()) else {
        return Ok(());
    };
    let found = place.place(&Watch::NOBODY)?;
    let place = crate::Place {
        path: found.path,
        key: found.key,
    };
    let (served, thread) = open(&place, &app.config)
        .map_err(|error| Problem::internal("opening the registry", &error))?;
    let mut writing = app.writing.lock().unwrap_or_else(PoisonError::into_inner);
    *writing = thread;
    let _ = app.registry.set(served);
    Ok(())
}

fn place_has_file(place: &RegistryOptions) -> bool {
    place.key_file.is_some() || place.key.is_none()
}

/// A registry that the first run has made.
pub(crate) struct NewRegistry {
    kept: Kept,
    /// The name of its key.
    key: Option<String>,
    key_file: Option<PathBuf>,
}

impl NewRegistry {
    fn keeps_otherwise(&self) -> Problem {
        let kept = match self.kept {
            Kept::Digests => "digests only",
            Kept::Text => "texts",
        };
        Problem::conflict(format!(
            "an earlier try has made the registry, which keeps {kept}; choose that"
        ))
    }
}

/// Who may copy a new key, once.
pub(crate) struct KeyCopy {
    account: String,
    file: PathBuf,
}

/// `POST /setup/key`: the new key, once, for the one who made it.
pub(crate) async fn copy_key(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Response, Problem> {
    let gone = || {
        Problem::gone(
            "the key can be copied from here once, by whoever made it; it is in its file on the \
             server",
        )
    };
    let file = {
        let mut copy = app.key_copy.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = copy.take_if(|copy| copy.account == caller.name());
        theirs.ok_or_else(gone)?.file
    };
    let key = std::fs::read_to_string(&file);
    let key = key.map_err(|error| Problem::internal("reading the key", &error))?;
    app.audit
        .write(caller.name(), Action::CopiedKey, &json!({}));
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, key).into_response())
}

/// Whether the first run is still to come, for this caller.
pub(super) fn is_first(app: &App, caller: &Caller) -> bool {
    app.config.setup.is_some() && !app.has_accounts() && is_owner(caller)
}

/// Whoever came through the printed address.
fn is_owner(caller: &Caller) -> bool {
    caller.way == Way::Address && caller.role() == Role::Admin
}

fn expect_first(app: &App, caller: &Caller) -> Result<(), Problem> {
    if app.has_accounts() || app.config.setup.is_none() {
        return Err(done_already());
    }
    if !is_owner(caller) {
        return Err(Problem::wrong_role(
            "only whoever opened the printed address can do this",
        ));
    }
    Ok(())
}

fn done_already() -> Problem {
    Problem::conflict("this server is set up already; log in, or load the page again")
}
