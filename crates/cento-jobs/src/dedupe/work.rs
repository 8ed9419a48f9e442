//! The work folder of a run that is larger than its memory: what was read so far, so that a run that
//! was ended in the middle goes on where it was.
//!
//! Documents are appended. A line in `progress.jsonl` says how much of the other files is valid, and
//! is written only after they are safe; what stands behind that is cut off when a run goes on. What a
//! registry knew of the documents is written once: when the run has registered them, the registry
//! knows them all.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{
    self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _,
};
use std::path::{Path, PathBuf};

use cento::index::DigestStore;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::corpus::{Identity, Reached};
use super::dataset::Document;
use super::registered::Known;
use super::skipped::SkippedRow;
use crate::error::{At as _, Error, File as _, Result};
use crate::files;

/// What is being done.
const RUN: &str = "run.json";
/// How far reading is.
const PROGRESS: &str = "progress.jsonl";
/// How far the search for stars is.
const STARS: &str = "stars";
/// What a registry knows.
const KNOWN: &str = "known.json";

/// An open work folder.
pub(super) struct Work {
    folder: PathBuf,
    documents: BufWriter<File>,
    documents_bytes: u64,
    progress: File,
}

/// What a run had read when it was ended.
pub(super) struct Before {
    pub(super) documents: Vec<Document>,
    pub(super) skipped: Vec<SkippedRow>,
    pub(super) store: DigestStore,
    pub(super) reached: Reached,
}

impl Default for Before {
    /// Nothing.
    fn default() -> Before {
        Before {
            documents: Vec::new(),
            skipped: Vec::new(),
            store: DigestStore::in_memory(),
            reached: Reached::default(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Step {
    reached: Reached,
    /// How many bytes of `documents.jsonl` are valid.
    bytes: u64,
}

/// A line of `documents.jsonl`.
#[derive(Serialize, Deserialize)]
enum Line {
    /// Id, table or file, start, end, bytes and characters of the text, the field that decides,
    /// digests.
    #[serde(rename = "row")]
    Row(String, u32, u64, u64, u64, u64, Option<f64>, u32),
    #[serde(rename = "file")]
    File(String, u32, u64, u64, u32),
    /// File, line, reason, limit.
    #[serde(rename = "skipped")]
    Skipped(String, Option<u64>, String, Option<String>),
}

impl Work {
    /// Where the work of an output goes if nothing else is said.
    pub(super) fn beside(output: &Path) -> PathBuf {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".work");
        output.with_file_name(name)
    }

    /// Whether a run was begun in a folder.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(RUN).exists()
    }

    /// Removes what is left of a run that is over and was killed while it removed its folder; says how
    /// many files that were.
    pub(super) fn clean(folder: &Path) -> Result<u64> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        let mut cleaned = 0;
        if !names.is_empty() && names.iter().all(|name| name == KNOWN) {
            cleaned += names.len() as u64;
            std::fs::remove_dir_all(folder).of(folder)?;
        }
        let over = files::unfinished(folder);
        if over.is_dir() {
            cleaned += files::count(&over);
            std::fs::remove_dir_all(&over).of(&over)?;
        }
        Ok(cleaned)
    }

    /// Opens the folder, or makes it. `run` says what is being done: a folder of another run is
    /// refused.
    pub(super) fn open(folder: &Path, run: &Value) -> Result<(Work, Before)> {
        files::make_folder(folder).of(folder)?;
        let described = folder.join(RUN);
        let before = std::fs::read_to_string(&described).ok();
        // Whoever is ended while writing it has done nothing else yet.
        let before = before.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        match before {
            Some(before) if &before == run => {}
            Some(before) => {
                return Err(Error::refused(format!(
                    "it has the work of another run, with other inputs or options{}; remove the \
                     folder, or name another one",
                    difference(&before, run)
                )))
                .at(folder.display());
            }
            None => begin(folder, run)?,
        }
        Work::reopen(folder).at(folder.display())
    }

    fn reopen(folder: &Path) -> Result<(Work, Before)> {
        let open = |name: &str| {
            let mut options = OpenOptions::new();
            options.create(true).append(true).read(true);
            let path = folder.join(name);
            options.open(&path).of(&path)
        };
        let progress = open(PROGRESS)?;
        // The last line may have been cut off.
        let steps = BufReader::new(&progress).lines().map_while(io::Result::ok);
        let steps = steps.map_while(|line| serde_json::from_str::<Step>(&line).ok());
        let valid = steps.last().unwrap_or(Step {
            reached: Reached::default(),
            bytes: 0,
        });
        let mut documents = open("documents.jsonl")?;
        let (mut before, sizes) = read_documents(&mut documents, &valid)?;
        before.store = DigestStore::in_file(&folder.join("digests"), sizes)?;
        // Progress is worth nothing without what it speaks of.
        files::sync_folder(folder).of(folder)?;
        let work = Work {
            folder: folder.to_owned(),
            documents: BufWriter::with_capacity(1 << 18, documents),
            documents_bytes: valid.bytes,
            progress,
        };
        Ok((work, before))
    }

    pub(super) fn push(&mut self, document: &Document, digests: u32) -> Result<()> {
        let id = document.id.to_string();
        self.write(&match document.identity {
            Identity::Row { table, start } => Line::Row(
                id,
                table,
                start,
                document.end,
                document.length,
                document.characters,
                document.field,
                digests,
            ),
            Identity::File(number) => {
                Line::File(id, number, document.length, document.characters, digests)
            }
        })
    }

    pub(super) fn skip(&mut self, row: &SkippedRow) -> Result<()> {
        self.write(&Line::Skipped(
            row.file.clone(),
            row.line,
            row.reason.clone(),
            row.limit.clone(),
        ))
    }

    /// Makes everything that was pushed safe.
    pub(super) fn commit(&mut self, reached: Reached, store: &mut DigestStore) -> Result<()> {
        store.sync()?;
        let mut committed = || -> io::Result<()> {
            self.documents.flush()?;
            self.documents.get_ref().sync_data()?;
            let step = Step {
                reached,
                bytes: self.documents_bytes,
            };
            writeln!(self.progress, "{}", serde_json::to_string(&step)?)?;
            self.progress.sync_data()
        };
        committed().of(&self.folder)
    }

    /// What a registry knew of the documents when they were first looked up; by the number of the
    /// document.
    pub(super) fn known(&self) -> Result<Option<Vec<Option<Known>>>> {
        let path = self.folder.join(KNOWN);
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).of(&path)?;
        let known = serde_json::from_str(&text).map_err(io::Error::from);
        known.of(&path).map(Some)
    }

    /// Remembers that.
    pub(super) fn save_known(&self, known: &[Option<Known>]) -> Result<()> {
        let path = self.folder.join(KNOWN);
        let new = self.folder.join("known.new");
        let write = || {
            let mut out = BufWriter::with_capacity(1 << 18, File::create(&new)?);
            serde_json::to_writer(&mut out, known)?;
            out.into_inner()?.sync_data()?;
            std::fs::rename(&new, &path)?;
            files::sync_name(&path)
        };
        write().of(&path)
    }

    /// Where the search for stars says how far it is.
    pub(super) fn stars(&self) -> PathBuf {
        self.folder.join(STARS)
    }

    /// The run is over.
    pub(super) fn remove(mut self) -> Result<()> {
        // Under another name it is gone at once; where that cannot be had, file by file.
        let over = files::unfinished(&self.folder);
        if std::fs::rename(&self.folder, &over).is_ok() {
            files::sync_name(&over).of(&over)?;
            self.folder = over;
        }
        let removed = || -> io::Result<()> {
            for file in self.in_order_of_removal()? {
                std::fs::remove_file(file)?;
            }
            std::fs::remove_dir(&self.folder)
        };
        removed().of(&self.folder)
    }

    /// Everything in the folder, in an order in which a run can go on or begin again wherever the
    /// removal is ended: first what needs other files, then what says whose folder it is. What a
    /// registry knew is needed as long as the run can go on: meanwhile it knows everything.
    fn in_order_of_removal(&self) -> io::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(&self.folder)?;
        let mut files = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<Vec<PathBuf>>>()?;
        files.sort_by_key(|file| {
            let name = file.file_name().unwrap_or_default();
            let needed_by = [STARS, PROGRESS].iter().position(|first| name == *first);
            let needed_by = needed_by.unwrap_or(usize::MAX);
            (name == KNOWN, name == RUN, needed_by)
        });
        Ok(files)
    }

    fn write(&mut self, line: &Line) -> Result<()> {
        let text = serde_json::to_vec(line).map_err(io::Error::from);
        let mut text = text.of(&self.folder)?;
        text.push(b'\n');
        self.documents_bytes += text.len() as u64;
        self.documents.write_all(&text).of(&self.folder)
    }
}

/// Says in an empty folder what is being done there.
fn begin(folder: &Path, run: &Value) -> Result<()> {
    let known = folder.join(KNOWN);
    let entries = std::fs::read_dir(folder).of(folder)?;
    let is_ours = |name: &OsStr| name == RUN || name == KNOWN;
    if entries.flatten().any(|entry| !is_ours(&entry.file_name())) {
        let reason = "it is not an empty folder; name a new one";
        return Err(Error::refused(reason)).at(folder.display());
    }
    // Of a run that is over.
    if known.exists() {
        std::fs::remove_file(&known).of(&known)?;
    }
    let path = folder.join(RUN);
    let write = || {
        let mut file = File::create(&path)?;
        file.write_all(format!("{run:#}\n").as_bytes())?;
        file.sync_all()?;
        files::sync_name(&path)
    };
    write().of(&path)
}

/// The documents that are valid, and how many digests each has; cuts off what stands behind them.
fn read_documents(file: &mut File, valid: &Step) -> Result<(Before, Vec<u32>)> {
    let name = Path::new("documents.jsonl");
    if file.metadata().of(name)?.len() < valid.bytes {
        return Err(Error::refused(
            "documents.jsonl is shorter than it was; remove the folder to begin again",
        ));
    }
    file.set_len(valid.bytes).of(name)?;
    file.seek(SeekFrom::Start(0)).of(name)?;
    let mut before = Before {
        reached: valid.reached,
        ..Before::default()
    };
    let mut sizes = Vec::new();
    let lines = BufReader::with_capacity(1 << 20, file.take(valid.bytes)).lines();
    for line in lines {
        let line = line.of(name)?;
        let line = serde_json::from_str(&line).map_err(|_| {
            Error::refused("documents.jsonl is damaged; remove the folder to begin again")
        })?;
        add(line, &mut before, &mut sizes);
    }
    Ok((before, sizes))
}

fn add(line: Line, before: &mut Before, sizes: &mut Vec<u32>) {
    let (document, digests) = match line {
        Line::Row(id, table, start, end, length, characters, field, digests) => {
            let document = Document {
                id: id.into(),
                identity: Identity::Row { table, start },
                end,
                length,
                characters,
                field,
            };
            (document, digests)
        }
        Line::File(id, number, length, characters, digests) => {
            let document = Document {
                id: id.into(),
                identity: Identity::File(number),
                end: 0,
                length,
                characters,
                field: None,
            };
            (document, digests)
        }
        Line::Skipped(file, line, reason, limit) => {
            before.skipped.push(SkippedRow {
                file,
                line,
                reason,
                limit,
            });
            return;
        }
    };
    sizes.push(digests);
    before.documents.push(document);
}

/// What two runs differ in.
fn difference(before: &Value, now: &Value) -> String {
    let (Value::Object(before), Value::Object(now)) = (before, now) else {
        return String::new();
    };
    let changed = now
        .iter()
        .filter(|(name, value)| before.get(*name) != Some(value));
    let names: Vec<&str> = changed.map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(" ({})", names.join(", "))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use cento::{Digest, Fingerprint, Recipe};
    use serde_json::json;

    use super::*;

    /// A folder with the work of a run that has read one document.
    fn work(folder: &Path) -> Work {
        let (mut work, mut before) = Work::open(folder, &json!({"what": "a test"})).unwrap();
        let document = Document {
            id: "one".into(),
            identity: Identity::File(0),
            end: 0,
            length: 100,
            characters: 90,
            field: None,
        };
        let recipe = Recipe::named("words | window:3 | fast:64 | all").unwrap();
        let digests = vec![Digest(1), Digest(2)];
        work.push(&document, 2).unwrap();
        let fingerprint = Fingerprint::from_digests(recipe.id(), 4, digests);
        before.store.push(&fingerprint).unwrap();
        let reached = Reached {
            files: 1,
            ..Reached::default()
        };
        work.commit(reached, &mut before.store).unwrap();
        std::fs::write(work.stars(), "stars").unwrap();
        let known = Known {
            id: "registry:one".to_owned(),
            similarity: 1.0,
        };
        work.save_known(&[Some(known)]).unwrap();
        work
    }

    #[test]
    fn wherever_removal_is_ended_a_run_can_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("work");
        let whole = work(&folder);
        let files = whole.in_order_of_removal().unwrap();
        assert_eq!(files.len(), 6);
        whole.remove().unwrap();
        for removed in 0..=files.len() {
            drop(work(&folder));
            for file in &files[..removed] {
                std::fs::remove_file(file).unwrap();
            }
            let (work, before) = Work::open(&folder, &json!({"what": "a test"})).unwrap();
            // What is left of the progress is either all of it or nothing.
            assert_eq!(before.documents.len(), before.reached.files);
            assert_eq!(before.store.sizes().len(), before.reached.files);
            // As long as the run can go on, it knows what the registry knew.
            let is_begun = removed < files.len() - 1;
            assert_eq!(work.known().unwrap().is_some(), is_begun, "{removed}");
            work.remove().unwrap();
            assert!(!folder.exists());
        }
    }

    #[test]
    fn a_run_that_was_ended_before_it_said_what_it_does() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(RUN), "{").unwrap();
        let (_, before) = Work::open(folder.path(), &json!({"what": "a test"})).unwrap();
        assert!(before.documents.is_empty());
        assert!(Work::open(folder.path(), &json!({"what": "another"})).is_err());
    }
}
