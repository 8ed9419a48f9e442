//! The pages: one shell, one script, one style, the same for every address; the script asks the API.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;
use cento_report::ui::Parts;

use crate::api::enter;
use crate::app::App;
use crate::problem::{Problem, Told};

/// The addresses of pages.
const PAGES: [&str; 13] = [
    "/",
    "/login",
    "/pairwise",
    "/verify",
    "/register",
    "/jobs",
    "/jobs/{id}",
    "/registry",
    "/admin",
    "/account",
    "/accounts",
    "/api",
    "/setup",
];

/// The scripts, in the order in which they run.
const SCRIPTS: [&str; 16] = [
    cento_report::ui::NAMESPACE,
    cento_report::ui::DOM,
    cento_report::ui::WORDS,
    include_str!("../ui/ask.js"),
    include_str!("../ui/confirm.js"),
    include_str!("../ui/drop.js"),
    include_str!("../ui/submitters.js"),
    include_str!("../ui/forms.js"),
    include_str!("../ui/job.js"),
    include_str!("../ui/registry.js"),
    include_str!("../ui/admin.js"),
    include_str!("../ui/account.js"),
    include_str!("../ui/accounts.js"),
    include_str!("../ui/reference.js"),
    include_str!("../ui/setup.js"),
    include_str!("../ui/site.js"),
];

/// The styles, in the order in which they apply.
const STYLES: [&str; 3] = [
    cento_report::ui::COLOURS,
    cento_report::ui::PAGE,
    include_str!("../ui/site.css"),
];

const SHELL: &str = include_str!("../ui/shell.html");
const PROBLEM: &str = include_str!("../ui/problem.html");

static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let more = "connect-src 'self'; form-action 'self'; frame-ancestors 'none'";
    Parts::new(&SCRIPTS, &STYLES, more)
});

static PAGE: LazyLock<String> = LazyLock::new(|| {
    SHELL
        .replace("{{style}}", &PARTS.style)
        .replace("{{script}}", &PARTS.script)
});

/// Every page.
pub(crate) fn routes() -> Router<Arc<App>> {
    PAGES
        .iter()
        .fold(Router::new(), |router, page| router.route(page, get(show)))
}

async fn show(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Problem> {
    let mut response = Html(PAGE.as_str()).into_response();
    allow_own_parts(&mut response);
    enter(&app, &headers, &mut response)?;
    Ok(response)
}

/// The page for a person in place of an answer that only programs can read: where to log in, or what
/// is wrong with the address. Any other answer stays as it is.
pub(crate) fn instead_of(response: Response) -> Response {
    let Some(Told(detail)) = response.extensions().get::<Told>().cloned() else {
        return response;
    };
    let status = response.status();
    let page = match status {
        // The script asks for a name and a password, and goes on to this address.
        StatusCode::UNAUTHORIZED => PAGE.clone(),
        status => problem_page(status, &detail),
    };
    let (mut parts, _) = response.into_parts();
    for old in [header::CONTENT_LENGTH, header::CONTENT_TYPE] {
        parts.headers.remove(old);
    }
    let mut response = (parts.status, parts.headers, Html(page)).into_response();
    allow_own_parts(&mut response);
    response
}

fn problem_page(status: StatusCode, detail: &str) -> String {
    let heading = match status {
        StatusCode::GONE => "This address is gone",
        StatusCode::NOT_FOUND => "There is nothing here",
        StatusCode::CONFLICT => "Not now",
        StatusCode::FORBIDDEN => "Not for you",
        _ => "That did not work",
    };
    PROBLEM
        .replace("{{style}}", &PARTS.style)
        .replace("{{heading}}", heading)
        .replace("{{detail}}", &as_text(detail))
}

/// A text that is no markup.
fn as_text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn allow_own_parts(response: &mut Response) {
    if let Ok(policy) = HeaderValue::from_str(&PARTS.policy) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_sources_makes_markup() {
        assert_eq!(PARTS.dangers(), Vec::<&str>::new());
    }
}
