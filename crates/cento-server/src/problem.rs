//! Errors for programs and for the people who use them (RFC 9457).

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A refusal or a failure.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    kind: &'static str,
    detail: String,
    retry: Option<Duration>,
}

/// The sentence of a problem, beside the answer that has it as JSON.
#[derive(Clone, Debug)]
pub(crate) struct Told(pub(crate) String);

impl Problem {
    fn new(status: StatusCode, kind: &'static str, detail: impl Into<String>) -> Problem {
        Problem {
            status,
            kind,
            detail: detail.into(),
            retry: None,
        }
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad-request", detail)
    }

    /// The request is well formed, but what it says cannot be done.
    pub(crate) fn unusable(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unusable", detail)
    }

    pub(crate) fn not_logged_in() -> Problem {
        let detail = "log in, or send a token: Authorization: Bearer …";
        Problem::new(StatusCode::UNAUTHORIZED, "not-logged-in", detail)
    }

    pub(crate) fn wrong_password() -> Problem {
        let detail = "no account has this name and password";
        Problem::new(StatusCode::UNAUTHORIZED, "wrong-password", detail)
    }

    /// The institution knows them, and we do not.
    pub(crate) fn no_account(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, "no-account", detail)
    }

    pub(crate) fn wrong_role(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, "wrong-role", detail)
    }

    pub(crate) fn forged() -> Problem {
        let detail = "the request did not come from a page of this server; load the page again";
        Problem::new(StatusCode::FORBIDDEN, "forged", detail)
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    pub(crate) fn wrong_method() -> Problem {
        let detail = "this address does not accept this method";
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", detail)
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, "conflict", detail)
    }

    pub(crate) fn gone(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::GONE, "gone", detail)
    }

    pub(crate) fn too_large(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
    }

    pub(crate) fn wrong_media_type(detail: impl Into<String>) -> Problem {
        Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "wrong-media-type",
            detail,
        )
    }

    pub(crate) fn too_slow(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", detail)
    }

    pub(crate) fn unknown_host() -> Problem {
        let detail = "the server does not answer to this name; `cento serve --name` adds one";
        Problem::new(StatusCode::MISDIRECTED_REQUEST, "unknown-host", detail)
    }

    pub(crate) fn too_many(detail: impl Into<String>, retry: Duration) -> Problem {
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail);
        problem.retry_after(retry)
    }

    /// The caller has asked about one text too often.
    pub(crate) fn over_budget(detail: impl Into<String>, retry: Duration) -> Problem {
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "over-budget", detail);
        problem.retry_after(retry)
    }

    pub(crate) fn busy() -> Problem {
        let detail = "the server is busy; try again in a moment";
        Problem::busy_for(detail, Duration::from_secs(5))
    }

    /// Too many want the same at the same time.
    pub(crate) fn busy_for(detail: impl Into<String>, retry: Duration) -> Problem {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail);
        problem.retry_after(retry)
    }

    pub(crate) fn unavailable(detail: impl Into<String>) -> Problem {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail);
        problem.retry_after(Duration::from_secs(30))
    }

    pub(crate) fn no_registry() -> Problem {
        let detail = "this server has no registry; only pairwise tests are possible";
        Problem::new(StatusCode::CONFLICT, "no-registry", detail)
    }

    /// Nobody writes to the registry here.
    pub(crate) fn read_only(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, "read-only", detail)
    }

    pub(crate) fn no_mail_store() -> Problem {
        let detail = "this server counts no mail; `cento serve --mail-store` names a store";
        Problem::new(StatusCode::CONFLICT, "no-mail-store", detail)
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
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    fn retry_after(mut self, retry: Duration) -> Problem {
        self.retry = Some(retry);
        self
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({
            "type": format!("urn:cento:problem:{}", self.kind),
            "title": self.status.canonical_reason().unwrap_or("Problem"),
            "status": self.status.as_u16(),
            "detail": &self.detail,
        });
        let mut response = (self.status, Json(body)).into_response();
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
        if self.status == StatusCode::UNAUTHORIZED {
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
