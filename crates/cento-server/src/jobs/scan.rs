//! The pairwise test of section 2.6 of Finkel et al.: files → fingerprints that nobody keeps → every
//! pair, as a report.

use std::path::{Path, PathBuf};

use cento::report::{Report, Setting};
use cento_jobs::scan::{Options, run};
use cento_jobs::{EvidenceOptions, MethodOptions, Reported, TextOptions, TextsOf};

use super::watch::Watch;
use super::{FILES, TEMPLATES, Task};

/// More pairs are counted, but nobody reads them.
const MOST_PAIRS: usize = 20_000;

/// Compares every file of a job with every other one.
pub(crate) fn scan(
    task: &Task,
    folder: &Path,
    input: &cento_ingest::Options,
    watch: &Watch,
) -> cento_jobs::Result<Reported> {
    let base = templates(folder);
    let options = Options {
        paths: paths(folder),
        method: MethodOptions {
            recipe: task.method.recipe.clone(),
            measure: task.method.measure.clone(),
            threshold: Some(task.threshold),
            ..MethodOptions::default()
        },
        evidence: EvidenceOptions {
            base: base.clone(),
            aligner: task.method.aligner.clone(),
            ..EvidenceOptions::default()
        },
        input: input.clone(),
        base_from: task.base_from,
        top: Some(MOST_PAIRS),
        top_documents: task.method.top_documents,
        texts: TextOptions {
            texts: TextsOf::Listed,
            hashes: true,
        },
        ..Options::default()
    };
    let mut tested = watch.follow_job(|watch| run(&options, watch))?;
    name_templates(&mut tested.report, folder, &base);
    if let Some(scale) = task.method.graph_scale {
        let name = cento_report::GRAPH_SCALE_SETTING.to_owned();
        tested.report.settings.insert(name, Setting::Number(scale));
    }
    Ok(tested)
}

/// The templates that came with a job.
pub(super) fn templates(folder: &Path) -> Vec<PathBuf> {
    files_in(&folder.join(TEMPLATES))
}

/// Names them as whoever sent them does: paths of the server do not belong in a report.
pub(super) fn name_templates(report: &mut Report, folder: &Path, templates: &[PathBuf]) {
    if let Some(base) = report.settings.get_mut("base") {
        let folder = folder.join(TEMPLATES);
        let within = |path: &PathBuf| {
            let name = path.strip_prefix(&folder).unwrap_or(path);
            name.to_string_lossy().replace('\\', "/")
        };
        *base = Setting::List(templates.iter().map(within).collect());
    }
}

/// The path that a job reads: a file that came alone, such as an archive, or the folder of all files.
pub(super) fn paths(folder: &Path) -> Vec<PathBuf> {
    let files = folder.join(FILES);
    let only = || {
        let mut entries = std::fs::read_dir(&files).ok()?;
        let first = entries.next()?.ok()?.path();
        (entries.next().is_none() && first.is_file()).then_some(first)
    };
    vec![only().unwrap_or(files)]
}

/// The files below a folder, in the order of their names.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
