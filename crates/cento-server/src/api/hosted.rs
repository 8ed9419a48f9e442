//! A report as a page of this server: it leads back to its job, and decisions are kept here.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse as _, Response};
use serde_json::json;

use super::decisions::{expect_report, may_decide};
use super::job::own;
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::Name;
use crate::jobs::PAGE;
use crate::problem::Problem;

const SCRIPT: &str = include_str!("../../ui/host.js");

/// `GET /jobs/{id}/report`.
pub(crate) async fn page(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
) -> Result<Response, Problem> {
    let row = own(&app, &caller, &id)?;
    expect_report(&row)?;
    let stored = match tokio::fs::read_to_string(app.jobs.folder(&id).join(PAGE)).await {
        Ok(stored) => stored,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Problem::not_found("this job has no report"));
        }
        Err(error) => return Err(Problem::internal("reading a result", &error)),
    };
    let about = json!({
        "job": id,
        "name": row.task.name,
        "user": caller.name(),
        "forms": caller.forms,
        "may_decide": may_decide(&caller),
        "expires": crate::time::text(row.expires),
        "work": app.jobs.decisions(&id)?,
        "policy": cento_report::page_policy(),
    });
    let hosted = cento_report::hosted(&stored, SCRIPT, &about.to_string());
    let hosted = hosted.ok_or_else(|| {
        Problem::internal(
            "reading a result",
            &"the page has no data in it that is ours",
        )
    })?;
    let mut response = Html(hosted.page).into_response();
    let policy = format!("{}; frame-ancestors 'none'", hosted.policy);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    /// The page lets nothing become markup; neither may what is put before it.
    #[test]
    fn nothing_in_the_script_makes_markup() {
        let parts = cento_report::ui::Parts::new(&[super::SCRIPT], &[], "");
        assert_eq!(parts.dangers(), Vec::<&str>::new());
    }
}
