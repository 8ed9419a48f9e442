//! Who is behind a request: a token in its head, or the cookie of a login.

use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};

use super::accounts::Account;
use super::secret;
use super::{Role, Sets};
use crate::app::App;
use crate::http::Client;
use crate::problem::Problem;
use crate::redact::Viewer;

/// The cookie with the name of a session.
pub(crate) const COOKIE: &str = "cento_session";
/// The head field with the secret of forms.
pub(crate) const FORMS: &str = "x-cento-forms";

/// Somebody who was let in.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    account: Account,
    pub(crate) way: Way,
    /// The secret of forms, if they came by a browser.
    pub(crate) forms: Option<String>,
}

/// How somebody was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Token,
    Password,
    /// A proxy says who they are.
    Proxy,
    /// Without an account.
    Address,
}

impl Way {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Token => "token",
            Way::Password => "password",
            Way::Proxy => "proxy",
            Way::Address => "address",
        }
    }
}

/// Where the name of the caller is left for the log.
#[derive(Clone, Default)]
pub(crate) struct Whose(pub(crate) Arc<OnceLock<String>>);

impl Caller {
    pub(crate) fn name(&self) -> &str {
        &self.account.name
    }

    pub(crate) fn role(&self) -> Role {
        self.account.role
    }

    pub(crate) fn sets(&self) -> &Sets {
        &self.account.sets
    }

    /// Whose a document is: who may only submit does so in their own name, whatever they say; others may
    /// speak for somebody.
    pub(crate) fn submitter(&self, said: Option<String>) -> Option<String> {
        let own = (!self.account.is_anonymous()).then(|| self.account.name.clone());
        match self.account.role {
            Role::Submit => own,
            _ => said.filter(|said| !said.is_empty()).or(own),
        }
    }

    /// What they may hear about registered documents depends on this.
    pub(crate) fn viewer(&self) -> Viewer {
        Viewer {
            role: self.account.role,
            sets: self.account.sets.clone(),
            account: self.account.name.clone(),
        }
    }

    /// Refuses those who may not do what this role may.
    pub(crate) fn expect(&self, role: Role) -> Result<(), Problem> {
        if self.account.role >= role {
            return Ok(());
        }
        Err(Problem::wrong_role(format!(
            "{} has the role {}, but this needs the role {role}",
            self.account.name, self.account.role
        )))
    }

    /// The set that something is registered in or verified for, if that is theirs to say.
    pub(crate) fn expect_set(&self, set: Option<String>) -> Result<Option<String>, Problem> {
        let set = set.filter(|set| !set.is_empty());
        match (&self.account.sets.0, set) {
            (None, set) => Ok(set),
            (Some(own), None) if own.len() == 1 => Ok(own.first().cloned()),
            (Some(own), None) => Err(Problem::unusable(format!("name a set: {}", own.join(", ")))),
            (Some(own), Some(set)) if own.contains(&set) => Ok(Some(set)),
            (Some(own), Some(_)) => Err(Problem::wrong_role(format!(
                "{} is limited to the sets {}",
                self.account.name,
                own.join(", ")
            ))),
        }
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Caller, Problem> {
        let client = parts.extensions.get::<Client>().copied();
        let client = client.unwrap_or_default();
        let Some(caller) = find(parts, app, client)? else {
            // Guessing tokens and sessions is slow.
            let per_minute = app.config.limits.requests;
            let from = format!("address {}", client.network());
            app.rates.take(&from, per_minute)?;
            return Err(Problem::not_logged_in());
        };
        if caller.role() == Role::Submit {
            let from = format!("account {}", caller.name());
            app.rates.take(&from, app.config.limits.requests)?;
        }
        if let Some(Whose(name)) = parts.extensions.get() {
            let _ = name.set(caller.name().to_owned());
        }
        Ok(caller)
    }
}

fn find(parts: &Parts, app: &App, client: Client) -> Result<Option<Caller>, Problem> {
    let headers = &parts.headers;
    if let Some(token) = bearer(headers) {
        let account = app.accounts.of_token(token)?;
        return Ok(account.map(|account| Caller {
            account,
            way: Way::Token,
            forms: None,
        }));
    }
    // Before the session: that may be of somebody who used the same browser earlier.
    let found = match of_proxy(headers, app, client)? {
        Some(found) => Some(found),
        None => of_session(headers, app)?,
    };
    let Some((account, way, forms)) = found else {
        return Ok(None);
    };
    // The browser adds a cookie and the proxy a name to what other sites make it send, too.
    if !is_harmless(&parts.method) {
        expect_own_page(headers, app)?;
        let given = headers.get(FORMS).map(HeaderValue::as_bytes);
        let is_right = given.is_some_and(|given| secret::equal(given, forms.as_bytes()));
        if !is_right {
            return Err(Problem::forged());
        }
    }
    Ok(Some(Caller {
        account,
        way,
        forms: Some(forms),
    }))
}

/// Whom the proxy names, with the secret of forms.
fn of_proxy(headers: &HeaderMap, app: &App, client: Client) -> Result<Option<Known>, Problem> {
    let Some(institution) = &app.institution else {
        return Ok(None);
    };
    let account = institution.find(app, client, headers)?;
    Ok(account.map(|account| {
        let forms = institution.forms(&account);
        (account, Way::Proxy, forms)
    }))
}

/// Who has logged in with the browser, with the secret of forms.
fn of_session(headers: &HeaderMap, app: &App) -> Result<Option<Known>, Problem> {
    let session = match cookie(headers) {
        Some(session) => app.sessions.find(session)?,
        None => None,
    };
    Ok(session.map(|session| {
        let is_anonymous = session.account.is_anonymous();
        let way = if is_anonymous {
            Way::Address
        } else {
            Way::Password
        };
        (session.account, way, session.forms)
    }))
}

type Known = (Account, Way, String);

/// Refuses what a browser says comes from a page of another site.
pub(crate) fn expect_own_page(headers: &HeaderMap, app: &App) -> Result<(), Problem> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_other = |site: &str| !matches!(site, "same-origin" | "none");
    if text("sec-fetch-site").is_some_and(is_other) {
        return Err(Problem::forged());
    }
    match text("origin") {
        None => Ok(()),
        Some(origin) if app.hosts.is_own_origin(origin) => Ok(()),
        Some(_) => Err(Problem::forged()),
    }
}

fn is_harmless(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The session that the cookies name.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok());
    let mut named = cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='));
    let found = named.find(|(name, _)| *name == COOKIE);
    found.map(|(_, value)| value)
}
