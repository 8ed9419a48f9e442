//! The work folder of a run that is larger than its memory: what was read so far, so that a run that
//! was ended in the middle goes on where it was.
//!
//! Everything is appended. A line in `progress.jsonl` says how much of the other files is valid, and
//! is written only after they are safe; what stands behind that is cut off when a run goes on.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::index::DigestStore;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dataset::{Document, SkippedRow, Source};

/// What is being done.
const RUN: &str = "run.json";
/// How far reading is.
const PROGRESS: &str = "progress.jsonl";
/// How far the search for stars is.
const STARS: &str = "stars";

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

/// How far the input has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reached {
    /// How many tables are done.
    pub(super) tables: usize,
    /// How many records of the next one.
    pub(super) records: u64,
    /// How many files that are no tables.
    pub(super) files: usize,
    /// Whether that is all.
    pub(super) is_all: bool,
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
    /// Id, table or file, start, end, length of the text, the field that decides, digests.
    #[serde(rename = "row")]
    Row(String, u32, u64, u64, u64, Option<f64>, u32),
    #[serde(rename = "file")]
    File(String, u32, u64, u32),
    #[serde(rename = "skipped")]
    Skipped(String, Option<u64>, String),
}

impl Work {
    /// Where the work of an output goes if nothing else is said.
    pub(super) fn beside(output: &Path) -> PathBuf {
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".work");
        output.with_file_name(name)
    }

    /// Opens the folder, or makes it. `run` says what is being done: a folder of another run is
    /// refused.
    pub(super) fn open(folder: &Path, run: &Value) -> Result<(Work, Before)> {
        let name = || folder.display().to_string();
        std::fs::create_dir_all(folder).with_context(name)?;
        let described = folder.join(RUN);
        let before = std::fs::read_to_string(&described).ok();
        // Whoever is ended while writing it has done nothing else yet.
        let before = before.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        if let Some(before) = before {
            if &before != run {
                bail!(
                    "{}: it has the work of another run, with other inputs or options{}; remove \
                     the folder, or name another one with --work",
                    folder.display(),
                    difference(&before, run)
                );
            }
        } else {
            let entries = std::fs::read_dir(folder).with_context(name)?;
            if entries.flatten().any(|entry| entry.file_name() != RUN) {
                bail!(
                    "{}: it is not an empty folder; name a new one with --work",
                    folder.display()
                );
            }
            let mut file = File::create(&described).with_context(name)?;
            file.write_all(format!("{run:#}\n").as_bytes())
                .and_then(|()| file.sync_all())
                .with_context(name)?;
        }
        Work::reopen(folder).with_context(name)
    }

    fn reopen(folder: &Path) -> Result<(Work, Before)> {
        let open = |name: &str| {
            let mut options = OpenOptions::new();
            options.create(true).append(true).read(true);
            options.open(folder.join(name))
        };
        let progress = open(PROGRESS)?;
        // The last line may have been cut off.
        let steps = BufReader::new(&progress).lines().map_while(Result::ok);
        let steps = steps.map_while(|line| serde_json::from_str::<Step>(&line).ok());
        let valid = steps.last().unwrap_or(Step {
            reached: Reached::default(),
            bytes: 0,
        });
        let mut documents = open("documents.jsonl")?;
        if documents.metadata()?.len() < valid.bytes {
            bail!("documents.jsonl is shorter than it was; remove the folder to begin again");
        }
        documents.set_len(valid.bytes)?;
        documents.seek(SeekFrom::Start(0))?;
        let mut before = Before {
            reached: valid.reached,
            ..Before::default()
        };
        let mut sizes = Vec::new();
        for line in BufReader::with_capacity(1 << 20, (&documents).take(valid.bytes)).lines() {
            let line = serde_json::from_str(&line?).context("documents.jsonl is damaged")?;
            add(line, &mut before, &mut sizes);
        }
        before.store = DigestStore::in_file(&folder.join("digests"), sizes)?;
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
        self.write(&match document.source {
            Source::Row { table, start, end } => Line::Row(
                id,
                table,
                start,
                end,
                document.length,
                document.field,
                digests,
            ),
            Source::File(number) => Line::File(id, number, document.length, digests),
        })
    }

    pub(super) fn skip(&mut self, row: &SkippedRow) -> Result<()> {
        self.write(&Line::Skipped(
            row.file.clone(),
            row.line,
            row.reason.clone(),
        ))
    }

    /// Makes everything that was pushed safe.
    pub(super) fn commit(&mut self, reached: Reached, store: &mut DigestStore) -> Result<()> {
        let name = self.folder.display().to_string();
        store.sync()?;
        let mut committed = || -> std::io::Result<()> {
            self.documents.flush()?;
            self.documents.get_ref().sync_data()?;
            let step = Step {
                reached,
                bytes: self.documents_bytes,
            };
            writeln!(self.progress, "{}", serde_json::to_string(&step)?)?;
            self.progress.sync_data()
        };
        committed().with_context(|| name)
    }

    /// Where the search for stars says how far it is.
    pub(super) fn stars(&self) -> PathBuf {
        self.folder.join(STARS)
    }

    /// The run is over.
    pub(super) fn remove(self) -> Result<()> {
        let removed = || -> std::io::Result<()> {
            for file in self.in_order_of_removal()? {
                std::fs::remove_file(file)?;
            }
            std::fs::remove_dir(&self.folder)
        };
        removed().with_context(|| self.folder.display().to_string())
    }

    /// Everything in the folder, in an order in which a run can go on or begin again wherever the
    /// removal is ended: first what needs other files, last what says whose folder it is.
    fn in_order_of_removal(&self) -> std::io::Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(&self.folder)?;
        let mut files = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<Vec<PathBuf>>>()?;
        files.sort_by_key(|file| {
            let name = file.file_name().unwrap_or_default();
            let needed_by = [STARS, PROGRESS].iter().position(|first| name == *first);
            (name == RUN, needed_by.unwrap_or(usize::MAX))
        });
        Ok(files)
    }

    fn write(&mut self, line: &Line) -> Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.documents_bytes += text.len() as u64;
        let written = self.documents.write_all(&text);
        written.with_context(|| self.folder.display().to_string())
    }
}

fn add(line: Line, before: &mut Before, sizes: &mut Vec<u32>) {
    let (id, source, length, field, digests) = match line {
        Line::Row(id, table, start, end, length, field, digests) => (
            id,
            Source::Row { table, start, end },
            length,
            field,
            digests,
        ),
        Line::File(id, number, length, digests) => {
            (id, Source::File(number), length, None, digests)
        }
        Line::Skipped(file, line, reason) => {
            before.skipped.push(SkippedRow { file, line, reason });
            return;
        }
    };
    sizes.push(digests);
    before.documents.push(Document {
        id: id.into(),
        source,
        length,
        field,
    });
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
            source: Source::File(0),
            length: 100,
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
        work
    }

    #[test]
    fn wherever_removal_is_ended_a_run_can_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("work");
        let whole = work(&folder);
        let files = whole.in_order_of_removal().unwrap();
        assert_eq!(files.len(), 5);
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
