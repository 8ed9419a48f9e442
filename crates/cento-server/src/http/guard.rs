//! What happens around every request: the name it was sent to, what every answer says, the log.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde_json::json;

use super::{Client, Peer, proxies};
use crate::app::App;
use crate::auth::caller::Whose;
use crate::log;
use crate::pages;
use crate::problem::Problem;

/// What an answer that is no page allows: nothing.
const NOTHING: &str =
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Lets a request through if it is for us, and notes what became of it.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    // The pattern, not the address: that may have names and tokens in it.
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("(none)", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let whose = Whose::default();
    request.extensions_mut().insert(whose.clone());
    let client = client(&request, &app);
    request.extensions_mut().insert(client);
    let is_probe = matches!(route.as_str(), "/healthz" | "/readyz");
    let is_for_people = !is_probe && wants_page(&request);
    let mut response = if is_probe || is_for_us(&request, &app) {
        next.run(request).await
    } else {
        Problem::unknown_host().into_response()
    };
    if is_for_people {
        response = pages::instead_of(response);
    }
    add_headers(&mut response);
    let (status, took) = (response.status(), started.elapsed());
    app.metrics.answered(&route, status, took);
    if !is_probe {
        log::event(
            "request",
            json!({
                "method": method.as_str(),
                "route": route,
                "status": status.as_u16(),
                "milliseconds": took.as_millis(),
                "account": whose.0.get(),
                "address": client.address.to_string(),
            }),
        );
    }
    response
}

fn client(request: &Request, app: &App) -> Client {
    let peer = request.extensions().get::<Peer>().copied();
    let peer = peer.unwrap_or_default().address();
    let proxies = &app.config.proxies;
    Client {
        address: proxies::client(proxies, peer, request.headers()),
        is_through_proxy: proxies::is_trusted(proxies, peer),
    }
}

/// Whether a browser asks for something to show to a person. The API answers programs, whoever asks.
fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get_all(header::ACCEPT).iter();
    let mut accepts = accepts.filter_map(|value| value.to_str().ok());
    [Method::GET, Method::HEAD].contains(request.method())
        && !request.uri().path().starts_with("/api/")
        && accepts.any(|value| value.to_ascii_lowercase().contains("text/html"))
}

fn is_for_us(request: &Request, app: &App) -> bool {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    let uri: &Uri = request.uri();
    // A request in the form for proxies names the host twice; both have to be ours.
    let authority = uri.authority().map(axum::http::uri::Authority::as_str);
    host.is_some_and(|host| app.hosts.has(host)) && authority.is_none_or(|name| app.hosts.has(name))
}

fn add_headers(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), geolocation=(), microphone=()",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = HeaderValue::from_static(NOTHING);
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(policy);
    // Results are for one pair of eyes.
    let store = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(store);
}
