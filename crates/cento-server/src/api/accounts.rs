//! Accounts: everybody's own password, and for administrators those of others.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::app::App;
use crate::audit::Action;
use crate::auth::accounts::expect_password;
use crate::auth::caller::{Way, cookie};
use crate::auth::changes::{Change, Refused};
use crate::auth::{Account, Caller, Role, Sets, passwords, secret};
use crate::error::Error;
use crate::http::Client;
use crate::http::extract::{Name, Said};
use crate::problem::Problem;

/// `GET /accounts`: who may log in.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Json<Value>, Problem> {
    caller.expect(Role::Admin)?;
    let listed = app.accounts.list()?;
    let told: Vec<Value> = listed
        .iter()
        .map(|listed| {
            let mut told = shown(&listed.account);
            told["created"] = json!(listed.created);
            told["tokens"] = json!(listed.tokens);
            told["disabled"] = json!(listed.is_disabled);
            told["sessions"] = json!(listed.sessions);
            told
        })
        .collect();
    Ok(Json(json!({"accounts": told})))
}

/// The body of `POST /password`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnPassword {
    old: String,
    new: String,
}

/// `POST /password`: another password for oneself.
pub(crate) async fn change_own_password(
    State(app): State<Arc<App>>,
    caller: Caller,
    client: Client,
    headers: HeaderMap,
    Said(said): Said<OwnPassword>,
) -> Result<Json<Value>, Problem> {
    if caller.way == Way::Address {
        return Err(Problem::conflict("there is no account that has a password"));
    }
    expect_password(&said.new).map_err(unusable)?;
    let from = json!({"address": client.address.to_string()});
    if passwords::check(&app, client, caller.name(), said.old)
        .await?
        .is_none()
    {
        app.audit
            .write(caller.name(), Action::PasswordRefused, &from);
        return Err(Problem::unusable("the old password is not right"));
    }
    let kept = passwords::keep(&app, client, said.new).await?;
    let changed =
        app.accounts
            .set_password(caller.name(), &kept, own_session(&caller, &headers))?;
    let ended = changed.map_err(|refused| problem(refused, caller.name()))?;
    app.audit
        .write(caller.name(), Action::ChangedPassword, &from);
    Ok(Json(json!({"ended_sessions": ended})))
}

/// `DELETE /sessions`: logs oneself out everywhere else.
pub(crate) async fn end_own_sessions(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Json<Value>, Problem> {
    let own = own_session(&caller, &headers);
    end(&app, &caller, caller.name(), own)
}

/// The body of `POST /accounts`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    name: String,
    role: RoleName,
    #[serde(default)]
    sets: Option<Vec<String>>,
    /// One is made up without it.
    password: Option<String>,
}

/// `POST /accounts`: lets somebody else log in.
pub(crate) async fn add(
    State(app): State<Arc<App>>,
    caller: Caller,
    client: Client,
    Said(said): Said<NewAccount>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    expect_manager(&caller)?;
    let account = Account {
        name: said.name,
        role: said.role.0,
        sets: sets(said.sets)?,
    };
    if !account.administers_everything() && !app.accounts.have_administrator()? {
        return Err(Problem::unusable(
            "the first account must administer everything, or nobody could",
        ));
    }
    let password = new_password(said.password)?;
    let kept = passwords::keep(&app, client, password.text.clone()).await?;
    if !app.accounts.insert(&account, &kept).map_err(unusable)? {
        let name = &account.name;
        return Err(Problem::conflict(format!(
            "{name}: this account exists already"
        )));
    }
    app.start_having_accounts()?;
    let mut told = shown(&account);
    let about = json!({"account": account.name, "role": told["role"], "sets": told["sets"]});
    app.audit.write(caller.name(), Action::AddedAccount, &about);
    told["password"] = password.to_show();
    Ok((StatusCode::CREATED, Json(told)))
}

/// The body of `PATCH /accounts/{name}`; what is not there stays as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountChange {
    role: Option<RoleName>,
    /// Null is all sets.
    #[serde(default, deserialize_with = "even_null")]
    sets: Option<GivenSets>,
    disabled: Option<bool>,
}

/// Sets, or null.
#[derive(Deserialize)]
struct GivenSets(Option<Vec<String>>);

/// `PATCH /accounts/{name}`: another role, other sets, or nothing for a while.
pub(crate) async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(name): Name,
    Said(said): Said<AccountChange>,
) -> Result<Json<Value>, Problem> {
    expect_manager(&caller)?;
    expect_other(&caller, &name)?;
    let change = Change {
        role: said.role.map(|role| role.0),
        sets: said.sets.map(|given| sets(given.0)).transpose()?,
        is_disabled: said.disabled,
    };
    let changed = app.accounts.change(&name, &change)?;
    let account = changed.map_err(|refused| problem(refused, &name))?;
    let told = shown(&account);
    let about = json!({
        "account": name, "role": told["role"], "sets": told["sets"], "disabled": said.disabled,
    });
    app.audit
        .write(caller.name(), Action::ChangedAccount, &about);
    Ok(Json(told))
}

/// `DELETE /accounts/{name}`.
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(name): Name,
) -> Result<StatusCode, Problem> {
    expect_manager(&caller)?;
    expect_other(&caller, &name)?;
    let removed = app.accounts.remove_unless_last(&name)?;
    removed.map_err(|refused| problem(refused, &name))?;
    app.audit.write(
        caller.name(),
        Action::RemovedAccount,
        &json!({"account": name}),
    );
    Ok(StatusCode::NO_CONTENT)
}

/// The body of `POST /accounts/{name}/password`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// One is made up without it.
    password: Option<String>,
}

/// `POST /accounts/{name}/password`: another password for somebody who has forgotten theirs.
pub(crate) async fn reset_password(
    State(app): State<Arc<App>>,
    caller: Caller,
    client: Client,
    Name(name): Name,
    Said(said): Said<NewPassword>,
) -> Result<Json<Value>, Problem> {
    expect_manager(&caller)?;
    expect_other(&caller, &name)?;
    let password = new_password(said.password)?;
    let kept = passwords::keep(&app, client, password.text.clone()).await?;
    let ended = app.accounts.set_password(&name, &kept, None)?;
    let ended = ended.map_err(|refused| problem(refused, &name))?;
    let about = json!({"account": name});
    app.audit
        .write(caller.name(), Action::ResetPassword, &about);
    Ok(Json(json!({
        "name": name, "password": password.to_show(), "ended_sessions": ended,
    })))
}

/// `DELETE /accounts/{name}/sessions`: logs somebody out everywhere.
pub(crate) async fn end_sessions(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    Name(name): Name,
) -> Result<Json<Value>, Problem> {
    expect_manager(&caller)?;
    let own = own_session(&caller, &headers).filter(|_| caller.name() == name);
    end(&app, &caller, &name, own)
}

/// `DELETE /accounts/{name}/tokens`: takes back what programs log in with.
pub(crate) async fn revoke_tokens(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(name): Name,
) -> Result<Json<Value>, Problem> {
    expect_manager(&caller)?;
    let revoked = app.accounts.revoke_all(&name)?;
    let revoked = revoked.map_err(|refused| problem(refused, &name))?;
    let about = json!({"account": name, "tokens": revoked});
    app.audit
        .write(caller.name(), Action::RevokedTokens, &about);
    Ok(Json(json!({"revoked_tokens": revoked})))
}

fn end(
    app: &App,
    caller: &Caller,
    name: &str,
    except: Option<[u8; 32]>,
) -> Result<Json<Value>, Problem> {
    let ended = app.accounts.end_sessions(name, except)?;
    let ended = ended.map_err(|refused| problem(refused, name))?;
    let about = json!({"account": name, "sessions": ended});
    app.audit
        .write(caller.name(), Action::EndedSessions, &about);
    Ok(Json(json!({"ended_sessions": ended})))
}

/// The session of the browser that asks.
fn own_session(caller: &Caller, headers: &HeaderMap) -> Option<[u8; 32]> {
    let session = cookie(headers).filter(|_| caller.way == Way::Password)?;
    Some(secret::token_hash(session))
}

/// Refuses those who could give others more than they have themselves.
fn expect_manager(caller: &Caller) -> Result<(), Problem> {
    caller.expect(Role::Admin)?;
    match caller.sets().0 {
        None => Ok(()),
        Some(_) => Err(Problem::wrong_role(
            "accounts are changed by administrators who are not limited to sets",
        )),
    }
}

/// Nobody locks themselves out by a slip.
fn expect_other(caller: &Caller, name: &str) -> Result<(), Problem> {
    if caller.name() == name {
        let detail = "this is your own account; another administrator can change it";
        return Err(Problem::conflict(detail));
    }
    Ok(())
}

fn problem(refused: Refused, name: &str) -> Problem {
    match refused {
        Refused::Unknown => Problem::not_found(format!("{name}: there is no such account")),
        Refused::LastAdministrator => Problem::conflict(format!(
            "{name} is the last account that can administer everything"
        )),
    }
}

fn unusable(error: Error) -> Problem {
    match error {
        Error::Account(detail) => Problem::unusable(detail),
        error => error.into(),
    }
}

/// A password that somebody chose, or one that has to be shown to them.
struct Password {
    text: String,
    is_made_up: bool,
}

impl Password {
    /// Those that people chose themselves are not sent back.
    fn to_show(&self) -> Value {
        json!(self.is_made_up.then_some(&self.text))
    }
}

fn new_password(given: Option<String>) -> Result<Password, Problem> {
    let is_made_up = given.is_none();
    let text = match given {
        Some(text) => text,
        None => secret::new_name()?,
    };
    expect_password(&text).map_err(unusable)?;
    Ok(Password { text, is_made_up })
}

fn sets(given: Option<Vec<String>>) -> Result<Sets, Problem> {
    if let Some(sets) = &given
        && (sets.is_empty() || sets.iter().any(String::is_empty))
    {
        let detail = "name the sets, or leave them out if the account may see all";
        return Err(Problem::unusable(detail));
    }
    Ok(Sets(given))
}

fn shown(account: &Account) -> Value {
    json!({
        "name": account.name,
        "role": account.role.to_string(),
        "sets": account.sets.0,
    })
}

/// A role by its name.
struct RoleName(Role);

impl<'de> Deserialize<'de> for RoleName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RoleName, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map(RoleName).map_err(serde::de::Error::custom)
    }
}

/// Tells what is null from what is not there.
fn even_null<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
