//! The pages: one shell, one script, one style, the same for every address; the script asks the API.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::api::enter;
use crate::app::App;
use crate::problem::Problem;

/// The addresses of pages.
const PAGES: [&str; 9] = [
    "/",
    "/login",
    "/pairwise",
    "/verify",
    "/register",
    "/jobs/{id}",
    "/registry",
    "/admin",
    "/api",
];

/// The scripts, in the order in which they run.
const SCRIPTS: [&str; 11] = [
    cento_report::ui::NAMESPACE,
    cento_report::ui::DOM,
    cento_report::ui::WORDS,
    include_str!("../ui/ask.js"),
    include_str!("../ui/drop.js"),
    include_str!("../ui/forms.js"),
    include_str!("../ui/job.js"),
    include_str!("../ui/registry.js"),
    include_str!("../ui/admin.js"),
    include_str!("../ui/reference.js"),
    include_str!("../ui/site.js"),
];

/// The styles, in the order in which they apply.
const STYLES: [&str; 3] = [
    cento_report::ui::COLOURS,
    cento_report::ui::PAGE,
    include_str!("../ui/site.css"),
];

const SHELL: &str = include_str!("../ui/shell.html");

struct Page {
    html: String,
    policy: String,
}

static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let script = format!("\n{}", SCRIPTS.join("\n"));
    let style = format!("\n{}", STYLES.join("\n"));
    let hash = |text: &str| BASE64.encode(Sha256::digest(text));
    // `trusted-types 'none'` makes every way from a string to markup an error.
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; connect-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(&script),
        hash(&style)
    );
    let html = SHELL
        .replace("{{style}}", &style)
        .replace("{{script}}", &script);
    Page { html, policy }
});

/// Every page.
pub(crate) fn routes() -> Router<Arc<App>> {
    PAGES
        .iter()
        .fold(Router::new(), |router, page| router.route(page, get(show)))
}

async fn show(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Problem> {
    let mut response = Html(PAGE.html.as_str()).into_response();
    let policy = HeaderValue::from_str(&PAGE.policy);
    let policy = policy.map_err(|error| Problem::internal("a page", &error))?;
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    enter(&app, &headers, &mut response)?;
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_cannot_end_their_elements() {
        for part in SCRIPTS.iter().chain(&STYLES) {
            let lower = part.to_lowercase();
            assert!(!lower.contains("</script") && !lower.contains("</style"));
            assert!(!lower.contains("<!--"));
        }
    }

    #[test]
    fn nothing_in_the_sources_makes_markup() {
        for part in SCRIPTS.iter().chain(&STYLES) {
            for way in [
                "innerHTML",
                "outerHTML =",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                ".style.",
                "import(",
                "@import",
                "url(",
            ] {
                assert!(!part.contains(way), "{way}");
            }
        }
    }
}
