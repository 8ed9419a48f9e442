//! Logging in and out, and who one is.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::setup;
use crate::app::App;
use crate::audit::Action;
use crate::auth::caller::{COOKIE, cookie, expect_own_page};
use crate::auth::sessions::LASTS;
use crate::auth::{Caller, Role, passwords};
use crate::config::Openness;
use crate::http::Client;
use crate::http::extract::{Params, Said};
use crate::jobs::Method;
use crate::problem::Problem;

/// The body of `POST /session`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    name: String,
    password: String,
}

/// `GET /session`: who one is, and what the pages need to know.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    caller: Result<Caller, Problem>,
) -> Result<Json<Value>, Problem> {
    // Whoever asks without a login asks whether they need one.
    let caller = match caller {
        Ok(caller) => Some(caller),
        Err(problem) if problem.status() == StatusCode::UNAUTHORIZED => None,
        Err(problem) => return Err(problem),
    };
    let limits = &app.config.limits;
    Ok(Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "accounts": app.has_accounts(),
        "registry": app.registry.get().is_some(),
        // Why nobody can register here, if so: pages say it before anything is chosen or sent.
        "read_only": read_only(&app),
        "setup": caller.as_ref().is_some_and(|caller| setup::is_first(&app, caller)),
        "keep_seconds": app.config.keep.as_secs(),
        "limits": {
            "upload": limits.upload,
            "files": limits.files,
            "document": limits.document,
        },
        "recipes": Method::recipes().map(|preset| &preset.name).collect::<Vec<_>>(),
        "user": caller.map(|caller| json!({
            "name": caller.name(),
            "role": caller.role().to_string(),
            "sets": caller.sets().0,
            "forms": caller.forms,
            "by": caller.way.name(),
        })),
    })))
}

/// Why nobody can write to the registry here, if there is one.
fn read_only(app: &App) -> Option<String> {
    let (_, writer) = app.registry.get()?;
    let problem = writer.expect().err()?;
    Some(problem.detail().to_owned())
}

/// `POST /session`: logs in.
pub(crate) async fn log_in(
    State(app): State<Arc<App>>,
    client: Client,
    headers: HeaderMap,
    Said(login): Said<Login>,
) -> Result<Response, Problem> {
    expect_own_page(&headers, &app)?;
    let from = json!({"address": client.address.to_string()});
    let Some(account) = passwords::check(&app, client, &login.name, login.password).await? else {
        app.audit
            .write(&shortened(&login.name), Action::LoginRefused, &from);
        return Err(Problem::wrong_password());
    };
    app.audit.write(&account.name, Action::LoggedIn, &from);
    // A session that was there before, whoever put it there, ends; the new one has a new name.
    if let Some(before) = cookie(&headers) {
        app.sessions.close(before)?;
    }
    let opened = app.sessions.open(Some(&account.name), account.role)?;
    let told = json!({"name": account.name, "role": account.role.to_string()});
    let mut response = Json(told).into_response();
    set_cookie(&mut response, &app, &opened.secret, LASTS);
    Ok(response)
}

/// A name that somebody made up may be a book.
fn shortened(name: &str) -> String {
    name.chars().take(64).collect()
}

/// `DELETE /session`: logs out.
pub(crate) async fn log_out(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if let Some(session) = cookie(&headers) {
        app.sessions.close(session)?;
        app.audit
            .write(caller.name(), Action::LoggedOut, &json!({}));
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    set_cookie(&mut response, &app, "", 0);
    Ok(response)
}

/// The token in the address that was printed.
#[derive(Deserialize)]
pub(crate) struct Token {
    token: String,
}

/// `GET /open?token=…`: the way in without accounts, once.
pub(crate) async fn open(
    State(app): State<Arc<App>>,
    Params(Token { token }): Params<Token>,
) -> Result<Response, Problem> {
    if app.has_accounts() || !app.take_way_in(&token) {
        return Err(Problem::gone(
            "this address works once and has been used; restart the server for a new one",
        ));
    }
    let opened = app.sessions.open(None, Role::Admin)?;
    app.audit
        .write("(this machine)", Action::LoggedIn, &json!({}));
    let is_new = app.config.setup.is_some() && app.registry.get().is_none();
    let next = if is_new { "/setup" } else { "/" };
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, next)]).into_response();
    set_cookie(&mut response, &app, &opened.secret, LASTS);
    Ok(response)
}

/// Lets somebody in who has no account, on a server that is open to anyone.
pub(crate) fn enter(
    app: &App,
    headers: &HeaderMap,
    response: &mut Response,
) -> Result<(), Problem> {
    let is_open = !app.has_accounts() && app.config.openness == Openness::Anyone;
    if !is_open {
        return Ok(());
    }
    let known = match cookie(headers) {
        Some(session) => app.sessions.find(session)?.is_some(),
        None => false,
    };
    if !known {
        let opened = app.sessions.open(None, Role::Verify)?;
        set_cookie(response, app, &opened.secret, LASTS);
    }
    Ok(())
}

pub(super) fn set_cookie(response: &mut Response, app: &App, secret: &str, lasts: i64) {
    let secure = if app.config.https { "; Secure" } else { "" };
    let cookie =
        format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={lasts}{secure}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}
