//! A folder in which documents arrive, for those who have a scanner and cron and no program of their
//! own: each file is registered and verified, and a report says each night what came.
//!
//! The folders are the journal. Each file is in exactly one of these places, and goes from one to the
//! next by renaming, so that a kill at any moment leaves nothing lost and nothing twice:
//!
//! ```text
//!  DIR/essay.pdf ─registered─▶ DIR/done/waiting/ ─at night─▶ DIR/done/reporting/DATE/ ─report written─▶ DIR/done/DATE/
//! ```
//!
//! What cannot be registered stays where it is, is said once, and is tried again when it changes.

mod clock;
mod failures;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use cento::report::Skipped;

use crate::error::{Error, File as _, Result};
use crate::files;
use crate::register::{self, Registered};
use crate::report::{Reported, TextOptions, TextsOf};
use crate::verify;
use crate::watch::Watch;

pub use clock::ReportAt;
use failures::Failures;

/// What is done with documents that arrive.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder in which they arrive.
    pub folder: PathBuf,
    /// How they are registered, and what is looked for then; paths, texts and lists are none of it.
    pub register: register::Options,
    /// A file that has not changed for this long is complete.
    pub settle: Duration,
}

/// A folder that nobody else watches.
pub struct Inbox {
    options: Options,
    failures: Failures,
    /// What files that are not complete looked like, and since when.
    seen: BTreeMap<String, (Look, Instant)>,
    _lock: File,
}

/// A file that was registered.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// Its name.
    pub name: String,
    /// The documents in it.
    pub documents: Vec<Registered>,
    /// Those that could not be registered, if it holds several.
    pub rejected: Vec<Skipped>,
    /// What they share with registered documents.
    pub found: Reported,
}

/// What happened to a file.
#[derive(Clone, Debug)]
pub enum Event {
    /// It was registered and verified.
    Arrived(Box<Arrived>),
    /// It could not be registered, and stays.
    Failed(Skipped),
}

/// How a look at the folder ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// How many files were registered.
    pub arrived: usize,
    /// How many failed that had not failed before.
    pub failed: usize,
    /// How many files are still being written.
    pub unfinished: usize,
}

/// A report that is to be written down.
pub struct Nightly {
    /// The day, with a number if it is not the first one of it: a name for the report.
    pub name: String,
    /// The report.
    pub reported: Reported,
}

/// Size and time of a file.
type Look = (u64, SystemTime);

/// What is in the folder.
#[derive(Default)]
struct Arrivals {
    /// The files, with what they look like.
    files: BTreeMap<String, Look>,
    /// What is not registered whatever it holds, with the reason.
    others: BTreeMap<String, &'static str>,
}

const DONE: &str = "done";
const WAITING: &str = "waiting";
const REPORTING: &str = "reporting";
/// Files that were replaced by one of the same name before they were reported.
const REPLACED: &str = "replaced";

impl Inbox {
    /// Takes a folder, unless somebody else watches it.
    pub fn open(options: Options) -> Result<Inbox> {
        let folder = &options.folder;
        if !folder.is_dir() {
            let reason = format!("{}: there is no such folder", folder.display());
            return Err(Error::refused(reason));
        }
        let done = folder.join(DONE);
        for inner in [WAITING, REPORTING] {
            let inner = done.join(inner);
            files::make_folder(&inner).of(&inner)?;
        }
        let lock = take_lock(&done.join("lock"), folder)?;
        Ok(Inbox {
            failures: Failures::read(&done)?,
            seen: BTreeMap::new(),
            options,
            _lock: lock,
        })
    }

    /// Registers and verifies what has arrived and is complete, file by file.
    pub fn look(&mut self, watch: &Watch<'_>, tell: &mut dyn FnMut(Event)) -> Result<Looked> {
        let mut looked = Looked::default();
        let now = self.arrivals()?;
        self.failures.forget_missing(&now)?;
        self.seen.retain(|name, _| now.files.contains_key(name));
        for (name, reason) in now.others {
            if !self.failures.has_other(&name, reason) {
                // Told first, as everything is: a line may come twice after a kill, and is never lost.
                tell(Event::Failed(Skipped::new(name.clone(), reason)));
                self.failures.add_other(&name, reason)?;
            }
        }
        for (name, look) in now.files {
            watch.go_on()?;
            if self.failures.has(&name, look) {
                continue;
            }
            if !self.is_complete(&name, look) {
                looked.unfinished += 1;
                continue;
            }
            match self.register(&name, watch)? {
                Ok(arrived) => {
                    // Told first: a find may be told twice after a kill, and is never kept back.
                    tell(Event::Arrived(Box::new(arrived)));
                    self.put_by(&name)?;
                    looked.arrived += 1;
                }
                Err(skipped) => {
                    tell(Event::Failed(skipped.clone()));
                    self.failures.add(&name, look, &skipped)?;
                    looked.failed += 1;
                }
            }
            self.seen.remove(&name);
        }
        Ok(looked)
    }

    /// Writes the reports that are due: `write` has to have them safely on the disk when it returns.
    /// One that an earlier run did not finish comes first.
    pub fn report(
        &mut self,
        at: Option<ReportAt>,
        watch: &Watch<'_>,
        write: &mut dyn FnMut(Nightly) -> Result<()>,
    ) -> Result<()> {
        for name in self.unfinished_reports()? {
            self.finish_report(&name, watch, write)?;
        }
        let done = self.done();
        let Some(day) = at.map_or(Ok(None), |at| clock::due(&done, at))? else {
            return Ok(());
        };
        let waiting = done.join(WAITING);
        if names_in(&waiting)?.is_empty() {
            return clock::note(&done);
        }
        let name = free_name(&done, &day);
        let reporting = done.join(REPORTING).join(&name);
        fs::rename(&waiting, &reporting).of(&waiting)?;
        files::make_folder(&waiting).of(&waiting)?;
        files::sync_name(&reporting).of(&reporting)?;
        self.finish_report(&name, watch, write)?;
        clock::note(&done)
    }

    fn finish_report(
        &self,
        name: &str,
        watch: &Watch<'_>,
        write: &mut dyn FnMut(Nightly) -> Result<()>,
    ) -> Result<()> {
        let done = self.done();
        let reporting = done.join(REPORTING).join(name);
        let names = names_in(&reporting)?;
        if !names.is_empty() {
            let register = &self.options.register;
            let options = verify::Options {
                // One by one, as they were registered: what belongs together is the same.
                paths: names.iter().map(|name| reporting.join(name)).collect(),
                registry: register.registry.clone(),
                submitter: register.submitter.clone(),
                submitter_from: register.submitter_from.clone(),
                are_registered: true,
                set: register.set.clone(),
                id_prefix: register.id_prefix.clone(),
                search: register.search.clone(),
                evidence: register.evidence.clone(),
                input: register.input.clone(),
                texts: TextOptions {
                    texts: TextsOf::Listed,
                    hashes: true,
                },
                ..verify::Options::default()
            };
            let mut reported = verify::run(&options, watch)?.reported;
            let skipped = &mut reported.report.skipped;
            skipped.extend(self.failures.all());
            skipped.sort();
            write(Nightly {
                name: name.to_owned(),
                reported,
            })?;
        }
        let by = done.join(name);
        fs::rename(&reporting, &by).of(&reporting)?;
        files::sync_name(&by).of(&by)
    }

    fn unfinished_reports(&self) -> Result<Vec<String>> {
        names_in(&self.done().join(REPORTING))
    }

    fn done(&self) -> PathBuf {
        self.options.folder.join(DONE)
    }

    /// What is there.
    fn arrivals(&self) -> Result<Arrivals> {
        let folder = &self.options.folder;
        let mut arrivals = Arrivals::default();
        for entry in fs::read_dir(folder).of(folder)? {
            let entry = entry.of(folder)?;
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                let name = entry.file_name().to_string_lossy().into_owned();
                arrivals.others.insert(name, "its name is not UTF-8");
                continue;
            };
            if is_unfinished(&name) || name == DONE {
                continue;
            }
            // It may be gone by now, or not be there yet.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if !metadata.is_file() {
                arrivals.others.insert(name, why_no_file(&metadata));
            } else if let Ok(modified) = metadata.modified() {
                arrivals.files.insert(name, (metadata.len(), modified));
            }
        }
        Ok(arrivals)
    }

    /// Whether nobody writes to a file any more: it has its size and its time for a while, by its own
    /// account or by ours.
    fn is_complete(&mut self, name: &str, look: Look) -> bool {
        let settle = self.options.settle;
        let age = SystemTime::now().duration_since(look.1);
        if age.is_ok_and(|age| age >= settle) {
            return true;
        }
        // Its clock may not be ours.
        match self.seen.get(name) {
            Some((before, since)) if *before == look => since.elapsed() >= settle,
            _ => {
                self.seen.insert(name.to_owned(), (look, Instant::now()));
                settle.is_zero()
            }
        }
    }

    /// Registers and verifies a file; says why it cannot be registered.
    fn register(
        &self,
        name: &str,
        watch: &Watch<'_>,
    ) -> Result<std::result::Result<Arrived, Skipped>> {
        let options = register::Options {
            paths: vec![self.options.folder.join(name)],
            given: Vec::new(),
            manifest: None,
            verify: true,
            ..self.options.register.clone()
        };
        let outcome = match register::run(&options, watch) {
            Ok(outcome) => outcome,
            // What is wrong with one file must not keep the others waiting.
            Err(error) if is_of_file(&error) => {
                return Ok(Err(Skipped::new(name, error.sentence())));
            }
            Err(error) => return Err(error),
        };
        let mut rejected = outcome.skipped();
        let (Some(found), false) = (outcome.verification, outcome.documents.is_empty()) else {
            let first = rejected.drain(..).next();
            let reason = first.map_or("there is no document in it".to_owned(), |one| one.reason);
            return Ok(Err(Skipped::new(name, reason)));
        };
        Ok(Ok(Arrived {
            name: name.to_owned(),
            documents: outcome.documents,
            rejected,
            found,
        }))
    }

    /// Puts a registered file where it waits for the report.
    fn put_by(&self, name: &str) -> Result<()> {
        let done = self.done();
        let waiting = done.join(WAITING).join(name);
        if waiting.exists() {
            // A later version of it has come, which the report is about; no file is ever lost.
            let replaced = done.join(REPLACED);
            files::make_folder(&replaced).of(&replaced)?;
            let to = replaced.join(free_name(&replaced, name));
            fs::rename(&waiting, &to).of(&waiting)?;
        }
        let from = self.options.folder.join(name);
        fs::rename(&from, &waiting).of(&from)?;
        files::sync_name(&waiting).of(&waiting)
    }
}

fn why_no_file(metadata: &fs::Metadata) -> &'static str {
    if metadata.is_dir() {
        "it is a folder, and only files are registered; put it into an archive"
    } else if metadata.is_symlink() {
        "it is a link, and only files are registered; put the file itself there"
    } else {
        "it is not a file"
    }
}

/// Names of files that are being written, as programs choose them.
fn is_unfinished(name: &str) -> bool {
    const ENDS: [&str; 6] = [
        ".part",
        ".partial",
        ".tmp",
        ".crdownload",
        ".filepart",
        ".download",
    ];
    let name = name.to_lowercase();
    name.starts_with(['.', '~'])
        || name.ends_with('~')
        || ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether an error is about what was to be read, not about the registry or the disk.
fn is_of_file(error: &Error) -> bool {
    match error {
        Error::Ingest(_) => true,
        Error::At { source, .. } => is_of_file(source),
        _ => false,
    }
}

/// The names in a folder, in their order.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).of(folder)? {
        let name = entry.of(folder)?.file_name();
        names.extend(name.into_string().ok());
    }
    names.sort();
    Ok(names)
}

/// A name that nothing in a folder has yet.
fn free_name(folder: &Path, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while folder.join(&name).exists() {
        name = format!("{wanted}-{number}");
        number += 1;
    }
    name
}

fn take_lock(path: &Path, folder: &Path) -> Result<File> {
    let mut options = File::options();
    let options = options.write(true).create(true).truncate(false);
    let file = options.open(path).of(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            let reason = format!(
                "{}: another `cento watch` is at work there",
                folder.display()
            );
            Err(Error::refused(reason))
        }
        Err(fs::TryLockError::Error(error)) => Err(error).of(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_written_is_left_alone() {
        for name in [
            ".essay.pdf.new",
            "scan.PDF.part",
            "~$essay.docx",
            "a.txt~",
            "x.tmp",
        ] {
            assert!(is_unfinished(name), "{name}");
        }
        for name in ["essay.pdf", "part.txt", "tmp", "a.b.c"] {
            assert!(!is_unfinished(name), "{name}");
        }
    }
}
