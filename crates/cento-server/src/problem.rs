//! Errors for programs and for the people who use them (RFC 9457).

mod kind;

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

pub(crate) use kind::Kind;

/// A refusal or a failure.
#[derive(Debug)]
pub(crate) struct Problem {
    kind: Kind,
    detail: String,
    retry: Option<Duration>,
}

/// The sentence of a problem, beside the answer that has it as JSON.
#[derive(Clone, Debug)]
pub(crate) struct Told(pub(crate) String);

impl Problem {
    fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        Problem {
            kind,
            detail: detail.into(),
            retry: None,
        }
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::BadRequest, detail)
    }

    /// The request is well formed, but what it says cannot be done.
    pub(crate) fn unusable(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::Unusable, detail)
    }

    pub(crate) fn not_logged_in() -> Problem {
        let detail = "log in, or send a token: Authorization: Bearer …";
        Problem::new(Kind::NotLoggedIn, detail)
    }

    pub(crate) fn wrong_password() -> Problem {
        let detail = "no account has this name and password";
        Problem::new(Kind::WrongPassword, detail)
    }

    /// The institution knows them, and we do not.
    pub(crate) fn no_account(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::NoAccount, detail)
    }

    pub(crate) fn wrong_role(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::WrongRole, detail)
    }

    pub(crate) fn forged() -> Problem {
        let detail = "the request did not come from a page of this server; load the page again";
        Problem::new(Kind::Forged, detail)
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::NotFound, detail)
    }

    pub(crate) fn wrong_method() -> Problem {
        let detail = "this address does not accept this method";
        Problem::new(Kind::WrongMethod, detail)
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::Conflict, detail)
    }

    pub(crate) fn gone(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::Gone, detail)
    }

    pub(crate) fn too_large(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::TooLarge, detail)
    }

    pub(crate) fn wrong_media_type(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::WrongMediaType, detail)
    }

    pub(crate) fn too_slow(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::TooSlow, detail)
    }

    pub(crate) fn unknown_host() -> Problem {
        let detail = "the server does not answer to this name; `cento serve --name` adds one";
        Problem::new(Kind::UnknownHost, detail)
    }

    pub(crate) fn too_many(detail: impl Into<String>, retry: Duration) -> Problem {
        let problem = Problem::new(Kind::TooMany, detail);
        problem.retry_after(retry)
    }

    /// The caller has asked about one text too often.
    pub(crate) fn over_budget(detail: impl Into<String>, retry: Duration) -> Problem {
        let problem = Problem::new(Kind::OverBudget, detail);
        problem.retry_after(retry)
    }

    pub(crate) fn busy() -> Problem {
        let detail = "the server is busy; try again in a moment";
        Problem::busy_for(detail, Duration::from_secs(5))
    }

    /// Too many want the same at the same time.
    pub(crate) fn busy_for(detail: impl Into<String>, retry: Duration) -> Problem {
        let problem = Problem::new(Kind::Busy, detail);
        problem.retry_after(retry)
    }

    pub(crate) fn unavailable(detail: impl Into<String>) -> Problem {
        let problem = Problem::new(Kind::Unavailable, detail);
        problem.retry_after(Duration::from_secs(30))
    }

    pub(crate) fn no_registry() -> Problem {
        let detail = "this server has no registry; only pairwise tests are possible";
        Problem::new(Kind::NoRegistry, detail)
    }

    /// Nobody writes to the registry here.
    pub(crate) fn read_only(detail: impl Into<String>) -> Problem {
        Problem::new(Kind::ReadOnly, detail)
    }

    pub(crate) fn no_mail_store() -> Problem {
        let detail = "this server counts no mail; `cento serve --mail-store` names a store";
        Problem::new(Kind::NoMailStore, detail)
    }

    /// The store of messages does not answer: a message that is asked about passes without a verdict.
    pub(crate) fn store_failed(cause: &dyn std::fmt::Display) -> Problem {
        crate::log::fault("the mail store", cause);
        Problem::unavailable("the mail store does not answer; the server's log says why")
    }

    /// A fault of ours. What exactly happened is for the log, not for the caller.
    pub(crate) fn internal(what: &str, cause: &dyn std::fmt::Display) -> Problem {
        crate::log::fault(what, cause);
        let detail = format!("{what} failed; the server's log says why");
        Problem::new(Kind::Internal, detail)
    }

    fn retry_after(mut self, retry: Duration) -> Problem {
        self.retry = Some(retry);
        self
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.kind.status()
    }

    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.kind.status();
        let body = json!({
            "type": format!("urn:cento:problem:{}", self.kind.name()),
            "title": status.canonical_reason().unwrap_or("Problem"),
            "status": status.as_u16(),
            "detail": &self.detail,
        });
        let mut response = (status, Json(body)).into_response();
        // For a page in its place, where it is a person who asks.
        response.extensions_mut().insert(Told(self.detail));
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(retry) = self.retry {
            headers.insert(header::RETRY_AFTER, retry.as_secs().max(1).into());
        }
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

impl From<cento::Error> for Problem {
    fn from(error: cento::Error) -> Problem {
        match error {
            cento::Error::Locked { .. } => Problem::unavailable(
                "another program is writing to the registry; try again when it is done",
            ),
            error => Problem::internal("the registry", &error),
        }
    }
}

impl From<cento_jobs::Error> for Problem {
    fn from(error: cento_jobs::Error) -> Problem {
        match error {
            cento_jobs::Error::Library(error) => error.into(),
            cento_jobs::Error::Io { .. } => Problem::internal("a job", &error),
            error => Problem::unusable(error.sentence()),
        }
    }
}

impl From<crate::Error> for Problem {
    fn from(error: crate::Error) -> Problem {
        Problem::internal("the server's database", &error)
    }
}
