//! The kinds of problems that programs can tell apart.

use axum::http::StatusCode;

/// What a problem is; its name is part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    BadRequest,
    NotLoggedIn,
    WrongPassword,
    NoAccount,
    WrongRole,
    Forged,
    NotFound,
    WrongMethod,
    TooSlow,
    Conflict,
    NoRegistry,
    ReadOnly,
    NoMailStore,
    Gone,
    TooLarge,
    WrongMediaType,
    UnknownHost,
    Unusable,
    TooMany,
    OverBudget,
    Internal,
    Busy,
    /// Stays the last one: a test counts by it.
    Unavailable,
}

impl Kind {
    /// All of them, as the description of the API lists them: by their status.
    pub(crate) const ALL: [Kind; 23] = [
        Kind::BadRequest,
        Kind::NotLoggedIn,
        Kind::WrongPassword,
        Kind::NoAccount,
        Kind::WrongRole,
        Kind::Forged,
        Kind::NotFound,
        Kind::WrongMethod,
        Kind::TooSlow,
        Kind::Conflict,
        Kind::NoRegistry,
        Kind::ReadOnly,
        Kind::NoMailStore,
        Kind::Gone,
        Kind::TooLarge,
        Kind::WrongMediaType,
        Kind::UnknownHost,
        Kind::Unusable,
        Kind::TooMany,
        Kind::OverBudget,
        Kind::Internal,
        Kind::Busy,
        Kind::Unavailable,
    ];

    /// Its name in answers: `urn:cento:problem:` and this.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::BadRequest => "bad-request",
            Kind::NotLoggedIn => "not-logged-in",
            Kind::WrongPassword => "wrong-password",
            Kind::NoAccount => "no-account",
            Kind::WrongRole => "wrong-role",
            Kind::Forged => "forged",
            Kind::NotFound => "not-found",
            Kind::WrongMethod => "wrong-method",
            Kind::TooSlow => "too-slow",
            Kind::Conflict => "conflict",
            Kind::NoRegistry => "no-registry",
            Kind::ReadOnly => "read-only",
            Kind::NoMailStore => "no-mail-store",
            Kind::Gone => "gone",
            Kind::TooLarge => "too-large",
            Kind::WrongMediaType => "wrong-media-type",
            Kind::UnknownHost => "unknown-host",
            Kind::Unusable => "unusable",
            Kind::TooMany => "too-many",
            Kind::OverBudget => "over-budget",
            Kind::Internal => "internal",
            Kind::Busy => "busy",
            Kind::Unavailable => "unavailable",
        }
    }

    /// The status of answers with it.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Kind::BadRequest => StatusCode::BAD_REQUEST,
            Kind::NotLoggedIn | Kind::WrongPassword => StatusCode::UNAUTHORIZED,
            Kind::NoAccount | Kind::WrongRole | Kind::Forged => StatusCode::FORBIDDEN,
            Kind::NotFound => StatusCode::NOT_FOUND,
            Kind::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            Kind::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Kind::Conflict | Kind::NoRegistry | Kind::ReadOnly | Kind::NoMailStore => {
                StatusCode::CONFLICT
            }
            Kind::Gone => StatusCode::GONE,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::WrongMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::UnknownHost => StatusCode::MISDIRECTED_REQUEST,
            Kind::Unusable => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::TooMany | Kind::OverBudget => StatusCode::TOO_MANY_REQUESTS,
            Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Kind::Busy | Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// What it means, for those who read the description of the API.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Kind::BadRequest => {
                "The request is not well formed, or has a field or a value that there is not"
            }
            Kind::NotLoggedIn => "Nobody is logged in, and there is no token",
            Kind::WrongPassword => "No account has this name and password",
            Kind::NoAccount => "The institution knows them, and this server does not",
            Kind::WrongRole => "The account may not do this",
            Kind::Forged => "The request did not come from a page of this server",
            Kind::NotFound => "There is no such thing, or it is somebody else's",
            Kind::WrongMethod => "The address does not accept this method",
            Kind::TooSlow => "The request did not arrive in time",
            Kind::Conflict => "It cannot be done as things are now",
            Kind::NoRegistry => "The server has no registry",
            Kind::ReadOnly => {
                "Nobody writes to the registry here: the server is a replica, or the registry is cut into shards"
            }
            Kind::NoMailStore => "The server counts no mail",
            Kind::Gone => "There is no result, or it has been removed",
            Kind::TooLarge => "More was sent than is allowed",
            Kind::WrongMediaType => "The body is not of a kind that is expected here",
            Kind::UnknownHost => "The server does not answer to this name",
            Kind::Unusable => "The request is well formed, but what it says cannot be done",
            Kind::TooMany => {
                "Too many requests, jobs or attempts; Retry-After says when to come again"
            }
            Kind::OverBudget => {
                "The same text was verified too often; Retry-After says when it can be again"
            }
            Kind::Internal => "A fault of the server; its log says what happened",
            Kind::Busy => "Too much waits already; Retry-After says when to come again",
            Kind::Unavailable => "Something that the server needs is not there now",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    /// A kind that is added and not listed would be missing in the description of the API.
    #[test]
    fn every_kind_is_listed() {
        for (place, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place, "{kind:?}");
        }
        assert_eq!(Kind::Unavailable as usize + 1, Kind::ALL.len());
    }
}
