//! Whose the documents of a job would be, before anything is registered or compared.

use std::path::Path;

use cento_jobs::register::{Options, Preview};
use cento_jobs::{Reader, SubmitterFrom, Watch};

use super::Task;
use super::scan::paths;

/// The submitters of a job's documents by this rule.
pub(crate) fn preview(
    task: &Task,
    from: &SubmitterFrom,
    folder: &Path,
    reader: &Reader,
) -> cento_jobs::Result<Preview> {
    let options = Options {
        paths: paths(folder),
        submitter: task.submitter.clone(),
        submitter_from: Some(from.clone()),
        ..Options::default()
    };
    cento_jobs::register::preview(&options, reader, &Watch::NOBODY)
}
