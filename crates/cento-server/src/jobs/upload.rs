//! Files that come up: a form of several parts, written to the folder of their job as they arrive.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Multipart;
use axum::extract::multipart::Field;
use cento_jobs::{BaseFrom, SubmitterFrom};
use serde_json::json;
use tokio::io::{AsyncWriteExt as _, BufWriter};

use super::name::{Names, Title};
use super::watch::Step;
use super::{FILES, Kind, Method, Row, State, TEMPLATES, Task, Watch};
use crate::app::App;
use crate::auth::{Caller, Role, secret};
use crate::folder;
use crate::http::body::{Pace, too_large};
use crate::problem::Problem;
use crate::time;

/// The longest value of a field that is no file.
const LONGEST: usize = 1000;
/// The longest name of a job, in characters.
const LONGEST_NAME: usize = 200;
/// Files that nobody says more about are kept this long.
const ANSWERED_WITHIN: Duration = Duration::from_hours(1);
/// The usual threshold, and the only one for those who are answered in bands.
const THRESHOLD: f64 = 0.1;

/// Takes files in; the job is ready to be started when this returns.
pub(crate) async fn receive(
    app: &Arc<App>,
    caller: &Caller,
    form: Multipart,
) -> Result<(Row, Arc<Watch>), Problem> {
    let id = secret::new_name()?;
    let watch = app.jobs.admit(&id, caller.name())?;
    watch.begin(Step::Uploading, 0);
    let arrival = Arrival {
        app: Arc::clone(app),
        id: id.clone(),
        is_complete: false,
    };
    receive_into(app, caller, form, arrival, &watch)
        .await
        .map(|row| (row, watch))
}

/// An upload that is not complete yet; it is removed if the client disconnects.
struct Arrival {
    app: Arc<App>,
    id: String,
    is_complete: bool,
}

impl Drop for Arrival {
    fn drop(&mut self) {
        if self.is_complete {
            return;
        }
        if let Err(error) = folder::remove(&self.app.jobs.folder(&self.id)) {
            crate::log::fault("removing an upload", &error);
        }
        self.app.jobs.release(&self.id);
    }
}

async fn receive_into(
    app: &Arc<App>,
    caller: &Caller,
    mut form: Multipart,
    mut arrival: Arrival,
    watch: &Watch,
) -> Result<Row, Problem> {
    let place = app.jobs.folder(&arrival.id);
    let limits = &app.config.limits;
    for inner in [FILES, TEMPLATES] {
        folder::make_private(&place.join(inner))?;
    }
    let mut fields = Fields::default();
    let mut intake = Intake {
        pace: Pace::new(limits.patience),
        bytes: 0,
        files: 0,
        templates: 0,
        limit: limits.upload,
    };
    let mut names = [Names::default(), Names::default()];
    let mut title = Title::default();
    while let Some(mut field) = intake.pace.next(form.next_field()).await?.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        match name.as_str() {
            "file" | "template" => {
                if intake.files >= limits.files as u64 {
                    let most = limits.files;
                    return Err(Problem::too_large(format!(
                        "at most {most} files at a time"
                    )));
                }
                let is_template = name == "template";
                let inner = if is_template { TEMPLATES } else { FILES };
                let given = field.file_name().unwrap_or_default().to_owned();
                let relative = names[usize::from(is_template)].place(&given);
                if !is_template {
                    title.add(&relative);
                }
                let to = free_place(&place.join(inner), &relative, intake.files);
                intake.save(&mut field, &to, watch).await?;
                intake.files += 1;
                intake.templates += u64::from(is_template);
            }
            _ => {
                let value = intake.value(&mut field).await?;
                fields.set(&name, &value)?;
            }
        }
    }
    let asks = fields.asks;
    let task = fields.task(caller, &intake, title)?;
    if task.kind != Kind::Pairwise && app.registry.get().is_none() {
        return Err(Problem::no_registry());
    }
    if task.kind == Kind::Register {
        app.registry()?.1.expect()?;
    }
    let (state, keep) = if asks {
        if app.jobs.asking(caller.name())? >= limits.jobs_of_one {
            return Err(Problem::too_many(
                "your other jobs ask whose their documents are; answer that, or cancel some",
                Duration::from_secs(10),
            ));
        }
        (State::Asking, app.config.keep.min(ANSWERED_WITHIN))
    } else {
        (State::Waiting, app.config.keep)
    };
    let row = Row {
        id: arrival.id.clone(),
        owner: caller.name().to_owned(),
        state,
        created: time::now(),
        expires: time::now() + time::seconds(keep),
        task,
        outcome: json!({}),
    };
    app.jobs.insert(&row)?;
    arrival.is_complete = true;
    Ok(row)
}

/// A place where nothing is yet; a file cannot be where a folder of that name has to be.
fn free_place(folder: &Path, relative: &Path, number: u64) -> PathBuf {
    let wanted = folder.join(relative);
    let parent = wanted.parent().unwrap_or(folder);
    if !wanted.exists() && folder::make_private(parent).is_ok() {
        return wanted;
    }
    let name = relative.file_name().unwrap_or_default().to_string_lossy();
    // Somebody may have called another file so.
    let mut names = (number..).map(|number| folder.join(format!("{number}-{name}")));
    names.find(|path| !path.exists()).unwrap_or(wanted)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what map_err hands over"
)]
fn broken(error: axum::extract::multipart::MultipartError) -> Problem {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::too_large("the upload is too large");
    }
    Problem::bad_request(format!("the form is broken: {}", error.body_text()))
}

/// What comes in, and how fast.
struct Intake {
    pace: Pace,
    bytes: u64,
    files: u64,
    /// How many of them are templates.
    templates: u64,
    limit: u64,
}

impl Intake {
    async fn save(
        &mut self,
        field: &mut Field<'_>,
        to: &Path,
        watch: &Watch,
    ) -> Result<(), Problem> {
        let failed = |error: std::io::Error| Problem::internal("writing an upload", &error);
        let file = folder::create_private(to).map_err(failed)?;
        // Each write goes to another thread, so there should not be one for every packet.
        let mut file = BufWriter::with_capacity(256 << 10, tokio::fs::File::from_std(file));
        while let Some(chunk) = self.pace.next(field.chunk()).await?.map_err(broken)? {
            self.pace.received(chunk.len());
            self.bytes += chunk.len() as u64;
            if self.bytes > self.limit {
                return Err(too_large(self.limit));
            }
            if watch.stopped().is_some() {
                return Err(Problem::gone("the job was cancelled"));
            }
            file.write_all(&chunk).await.map_err(failed)?;
            watch.advance(chunk.len() as u64);
        }
        file.flush().await.map_err(failed)
    }

    async fn value(&mut self, field: &mut Field<'_>) -> Result<String, Problem> {
        let mut value = Vec::new();
        while let Some(chunk) = self.pace.next(field.chunk()).await?.map_err(broken)? {
            self.pace.received(chunk.len());
            value.extend_from_slice(&chunk);
            if value.len() > LONGEST {
                let name = field.name().unwrap_or_default().to_owned();
                return Err(Problem::unusable(format!("{name} is too long")));
            }
        }
        let text = String::from_utf8(value).ok();
        text.ok_or_else(|| Problem::bad_request("a field of the form is not UTF-8"))
    }
}

/// The fields that are no files.
#[derive(Default)]
struct Fields {
    kind: Option<Kind>,
    threshold: Option<f64>,
    name: Option<String>,
    set: Option<String>,
    submitter: Option<String>,
    submitter_from: Option<SubmitterFrom>,
    /// Whether the owner wants to see whose the documents would be before anything happens.
    asks: bool,
    base_from: Option<BaseFrom>,
    method: Method,
}

impl Fields {
    fn set(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        let value = value.trim();
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        match name {
            "kind" => {
                self.kind = Some(match value {
                    "pairwise" => Kind::Pairwise,
                    "verify" => Kind::Verify,
                    "register" => Kind::Register,
                    _ => {
                        return Err(Problem::unusable(
                            "kind must be pairwise, verify or register",
                        ));
                    }
                });
            }
            "threshold" => {
                let share = value
                    .parse()
                    .ok()
                    .filter(|share| (0.0..=1.0).contains(share));
                let problem = "threshold must be a share from 0 to 1 (10 % is 0.1)";
                self.threshold = Some(share.ok_or_else(|| Problem::unusable(problem))?);
            }
            "name" => {
                if value.chars().count() > LONGEST_NAME {
                    return Err(Problem::unusable(format!(
                        "name: at most {LONGEST_NAME} characters"
                    )));
                }
                if value.chars().any(char::is_control) {
                    return Err(Problem::unusable("name: it has control characters in it"));
                }
                self.name = text();
            }
            "set" => self.set = text(),
            "submitter_from" => {
                let from = text().map(|text| text.parse()).transpose();
                let unusable = |error: cento_jobs::Error| Problem::unusable(error.sentence());
                self.submitter_from = from.map_err(unusable)?;
            }
            "preview" => {
                self.asks = match value {
                    "" | "no" => false,
                    "yes" => true,
                    _ => return Err(Problem::unusable("preview can only be yes or no")),
                };
            }
            "submitter" => self.submitter = text(),
            "base_from" => {
                self.base_from = match value {
                    "" => None,
                    "common" => Some(BaseFrom::Common),
                    _ => return Err(Problem::unusable("base_from can only be common")),
                };
            }
            _ if self.method.set(name, value)? => {}
            _ => {
                return Err(Problem::unusable(format!(
                    "the field {} is not known; there are kind, name, threshold, set, submitter, \
                     submitter_from, preview, base_from, recipe, measure, aligner, top_documents, graph_scale, file \
                     and template",
                    name.escape_debug()
                )));
            }
        }
        Ok(())
    }

    fn task(self, caller: &Caller, intake: &Intake, title: Title) -> Result<Task, Problem> {
        let kind = self.kind.ok_or_else(|| {
            Problem::unusable("the field kind is missing: pairwise, verify or register")
        })?;
        if intake.files == intake.templates {
            return Err(Problem::unusable("the form has no files"));
        }
        let leaves_out = intake.templates > 0 || self.base_from.is_some();
        match (kind, caller.role()) {
            (Kind::Register, _) if leaves_out => {
                return Err(Problem::unusable(
                    "documents are registered whole: leave template and base_from out",
                ));
            }
            // Templates of one's own would tell which part of a text is known.
            (Kind::Verify, Role::Submit) if leaves_out => {
                return Err(Problem::unusable(
                    "your account verifies whole documents: leave template and base_from out",
                ));
            }
            _ => {}
        }
        if kind != Kind::Pairwise && self.method != Method::default() {
            return Err(Problem::unusable(format!(
                "a registry has its recipe already: leave {} to pairwise tests",
                Method::FIELDS.join(", ")
            )));
        }
        if kind == Kind::Pairwise && self.submitter_from.is_some() {
            return Err(Problem::unusable(
                "nobody submits the documents of a pairwise test: leave submitter_from out",
            ));
        }
        if self.submitter_from.is_some() && caller.role() == Role::Submit {
            return Err(Problem::unusable(
                "your account registers and verifies under its own name: leave submitter_from out",
            ));
        }
        if self.asks && self.submitter_from.is_none() {
            return Err(Problem::unusable(
                "preview shows whose documents are: give submitter_from, too",
            ));
        }
        let threshold = match (kind, caller.role(), self.threshold) {
            // A threshold of one's own would tell the exact share by and by.
            (Kind::Verify, Role::Submit, _) | (_, _, None) => THRESHOLD,
            (_, _, Some(threshold)) => threshold,
        };
        let (set, submitter) = match kind {
            Kind::Pairwise => (None, None),
            Kind::Verify | Kind::Register => {
                let set = caller.expect_set(self.set)?;
                let submitter = match self.submitter_from {
                    // Only what was said is for documents that nothing says anything about.
                    Some(_) => self.submitter,
                    None => caller.submitter(self.submitter),
                };
                (set, submitter)
            }
        };
        Ok(Task {
            name: self
                .name
                .unwrap_or_else(|| title.of(intake.files - intake.templates)),
            kind,
            threshold,
            set,
            submitter,
            submitter_from: self.submitter_from,
            base_from: self.base_from,
            method: self.method,
            role: caller.role().to_string(),
            sets: caller.sets().0.clone(),
            files: intake.files,
            bytes: intake.bytes,
        })
    }
}
