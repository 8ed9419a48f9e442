//! What requests say, with a clear answer where they say it wrongly.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::body;
use crate::app::App;
use crate::problem::Problem;

/// The parameters behind the question mark.
pub(crate) struct Params<T>(pub(crate) T);

/// The one part of the path that varies.
pub(crate) struct Name(pub(crate) String);

/// A small body of JSON.
pub(crate) struct Said<T>(pub(crate) T);

/// A document: the whole body, whatever format it has.
pub(crate) struct Sent(pub(crate) Vec<u8>);

/// Bodies of JSON are questions, not documents.
const LARGEST_JSON: usize = 64 << 10;

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Params<T>, Problem> {
        match Query::<T>::from_request_parts(parts, app).await {
            Ok(Query(params)) => Ok(Params(params)),
            Err(error) => Err(Problem::bad_request(error.body_text())),
        }
    }
}

impl FromRequestParts<Arc<App>> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Name, Problem> {
        match Path::<String>::from_request_parts(parts, app).await {
            Ok(Path(name)) => Ok(Name(name)),
            Err(error) => Err(Problem::bad_request(error.body_text())),
        }
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Said<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Said<T>, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            return Err(Problem::wrong_media_type("send application/json"));
        }
        let patience = app.config.limits.patience;
        let bytes = body::collect(request.into_body(), LARGEST_JSON, patience).await?;
        let said = serde_json::from_slice(&bytes);
        said.map(Said)
            .map_err(|error| Problem::bad_request(format!("the body cannot be read: {error}")))
    }
}

impl FromRequest<Arc<App>> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Sent, Problem> {
        let limits = &app.config.limits;
        let bytes = body::collect(request.into_body(), limits.document, limits.patience).await?;
        Ok(Sent(bytes))
    }
}
