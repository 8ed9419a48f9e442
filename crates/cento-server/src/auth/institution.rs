//! People whom a proxy has identified: the institution's login, of which we see a name in the head of
//! each request.
//!
//! Anyone can write that field, so it counts only on connections of trusted proxies, which replace what
//! a client sent. Nothing is kept of such a login: when the institution ends it, it is over here.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderName};
use serde_json::json;

use super::{Account, Role, Sets, secret};
use crate::app::App;
use crate::audit::Action;
use crate::config::SignIn;
use crate::error::Error;
use crate::http::Client;
use crate::problem::Problem;
use crate::time::{self, Seconds};

/// Fields that have a meaning of their own.
const TAKEN: [&str; 8] = [
    "authorization",
    "cookie",
    "forwarded",
    "host",
    "origin",
    "sec-fetch-site",
    "x-cento-forms",
    "x-forwarded-for",
];
/// After this long a login is one more in the audit log.
const ONE_LOGIN: Seconds = super::sessions::LASTS;

/// How people log in elsewhere.
pub(crate) struct Institution {
    header: HeaderName,
    new: Option<Role>,
    /// What the secrets of forms are made of; only pages of this run know them.
    secret: String,
    /// When people were noted in the audit log.
    noted: Mutex<HashMap<String, Seconds>>,
}

impl Institution {
    /// Refuses what would let in anyone, or nobody.
    pub(crate) fn new(sign_in: &SignIn, has_proxies: bool) -> Result<Institution, Error> {
        let name = &sign_in.header;
        if !has_proxies {
            return Err(Error::SignIn(format!(
                "--sign-in-header {name} needs --trusted-proxy: without a proxy that sets it, anyone \
                 could log in as anybody"
            )));
        }
        let header = name.to_lowercase().parse::<HeaderName>();
        let header = header.ok().filter(|name| !TAKEN.contains(&name.as_str()));
        let Some(header) = header else {
            return Err(Error::SignIn(format!(
                "--sign-in-header {}: choose a name that nothing else uses, such as X-Remote-User",
                name.escape_debug()
            )));
        };
        if sign_in.new == Some(Role::Admin) {
            return Err(Error::SignIn(
                "--sign-in-new: an administrator has to be named (`cento serve user add NAME --role \
                 admin`); choose submit or verify"
                    .to_owned(),
            ));
        }
        Ok(Institution {
            header,
            new: sign_in.new,
            secret: secret::new_token()?,
            noted: Mutex::default(),
        })
    }

    /// Who has logged in, as far as a trusted proxy says so.
    pub(crate) fn find(
        &self,
        app: &App,
        client: Client,
        headers: &HeaderMap,
    ) -> Result<Option<Account>, Problem> {
        if !client.is_through_proxy {
            return Ok(None);
        }
        let mut values = headers.get_all(&self.header).iter();
        let Some(value) = values.next() else {
            return Ok(None);
        };
        if values.next().is_some() {
            // One of them is what the client sent.
            let detail = "the proxy must replace the field with the name, not add to it";
            return Err(Problem::bad_request(detail));
        }
        let name = std::str::from_utf8(value.as_bytes()).map_err(|_| no_account("(unreadable)"))?;
        let name = name.trim();
        if name.is_empty() {
            return Ok(None);
        }
        let account = match (app.accounts.find(name)?, self.new) {
            (Some((account, _)), _) => account,
            (None, Some(role)) => add(app, name, role)?,
            (None, None) => return Err(no_account(name)),
        };
        self.note(app, &account.name, client);
        Ok(Some(account))
    }

    /// What every change that a page asks for has to name: other sites cannot know it.
    pub(crate) fn forms(&self, account: &Account) -> String {
        secret::derived(&self.secret, &account.name)
    }

    fn note(&self, app: &App, name: &str, client: Client) {
        let now = time::now();
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.get(name).is_some_and(|at| now - at < ONE_LOGIN) {
            return;
        }
        noted.retain(|_, at| now - *at < ONE_LOGIN);
        noted.insert(name.to_owned(), now);
        drop(noted);
        let detail = json!({"address": client.address.to_string(), "by": "proxy"});
        app.audit.write(name, Action::LoggedIn, &detail);
    }
}

/// An account for somebody who comes for the first time. No password is right for it.
fn add(app: &App, name: &str, role: Role) -> Result<Account, Problem> {
    let account = Account {
        name: name.to_owned(),
        role,
        sets: Sets::default(),
    };
    match app.accounts.add_without_password(&account) {
        Ok(true) => {
            let detail = json!({"account": name, "role": role.to_string()});
            app.audit.write("(sign-in)", Action::AddedAccount, &detail);
            Ok(account)
        }
        // Another request of the same person was faster.
        Ok(false) => {
            let found = app.accounts.find(name)?;
            found
                .map(|(account, _)| account)
                .ok_or_else(|| no_account(name))
        }
        Err(Error::Account(_)) => Err(no_account(name)),
        Err(error) => Err(error.into()),
    }
}

fn no_account(name: &str) -> Problem {
    let name: String = name.chars().take(64).collect();
    Problem::no_account(format!(
        "{} is logged in but has no account here; an administrator can add one",
        name.escape_debug()
    ))
}
