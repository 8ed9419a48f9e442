//! Where the output goes: what everything is called, and that nothing of that name is there.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use cento_ingest::{Form, Shard};

use super::corpus::Corpus;
use super::options::{Kind, Options};
use super::streams::{STDIN, is_standard};
use super::tables::{Table, expect_there};
use crate::error::{At as _, Error, File as _, Result};
use crate::files;

/// Where the data and the lists about it go.
pub(super) struct Places {
    pub(super) data: DataPlace,
    lists: ListPlace,
    /// What is there may be of the same run.
    goes_on: bool,
}

/// Where the data goes.
pub(super) enum DataPlace {
    /// Into a new folder.
    Folder(PathBuf),
    /// Into a new file, as the only table.
    File(PathBuf),
    /// To standard output, all tables one after the other.
    StandardOutput,
}

/// Where the lists about the data go.
enum ListPlace {
    Folder(PathBuf),
    /// Beside a file; their names begin with its own.
    Beside(PathBuf),
    Nowhere,
}

impl Kind {
    /// The names of the lists that such a run may write.
    fn lists(&self) -> &'static [&'static str] {
        match self {
            Kind::NearDuplicates(_) => {
                &["clusters.csv", "removed.txt", "skipped.jsonl", "run.json"]
            }
            Kind::Passages(_) => &["removed.txt", "skipped.jsonl", "spans.jsonl", "run.json"],
            Kind::Against(_) => &[
                "contaminated.csv",
                "removed.txt",
                "skipped.jsonl",
                "spans.jsonl",
                "tests.csv",
                "run.json",
            ],
        }
    }
}

impl Places {
    /// The places that the options name. Nothing may be there yet; a run that goes on may find some
    /// of its own output.
    pub(super) fn of(options: &Options, goes_on: bool) -> Result<Places> {
        expect_there(&options.inputs)?;
        let data = DataPlace::of(options)?;
        let lists = match (&options.lists, &data) {
            (Some(folder), _) | (None, DataPlace::Folder(folder)) => {
                ListPlace::Folder(folder.clone())
            }
            (None, DataPlace::File(file)) => ListPlace::Beside(file.clone()),
            (None, DataPlace::StandardOutput) => ListPlace::Nowhere,
        };
        let places = Places {
            data,
            lists,
            goes_on,
        };
        if !goes_on {
            places.expect_new(options)?;
        }
        Ok(places)
    }

    fn expect_new(&self, options: &Options) -> Result<()> {
        match &self.data {
            DataPlace::Folder(folder) => expect_empty(folder)?,
            DataPlace::File(file) => expect_nothing(file)?,
            DataPlace::StandardOutput => {}
        }
        match &self.lists {
            ListPlace::Folder(folder) => expect_empty(folder),
            // The data comes last, so the lists are those of a run that was interrupted.
            ListPlace::Beside(file) if part(file).exists() => Ok(()),
            ListPlace::Beside(_) => {
                let names = options.kind.lists().iter();
                names
                    .filter_map(|name| self.list(name))
                    .try_for_each(|path| expect_nothing(&path))
            }
            ListPlace::Nowhere => Ok(()),
        }
    }

    /// Refuses a corpus of which two things would be written to one file, or one that standard
    /// output does not take.
    pub(super) fn expect_room(&self, corpus: &Corpus, kind: &Kind) -> Result<()> {
        let folder = match &self.data {
            DataPlace::Folder(folder) => folder,
            // It is no table after all, and what is kept goes into a folder.
            DataPlace::File(file) if !corpus.files.is_empty() && !self.goes_on => {
                return expect_empty(&file.with_file_name("kept"));
            }
            DataPlace::File(_) => return Ok(()),
            DataPlace::StandardOutput => return expect_json_lines(corpus),
        };
        let kept = corpus.files.iter().map(|input| self.kept(input.id()));
        let lists = kind.lists().iter().filter_map(|name| self.list(name));
        let taken: HashSet<PathBuf> = lists.chain(kept.flatten()).collect();
        let is_taken = |table: &&Table| taken.contains(&folder.join(&table.name));
        match corpus.tables.iter().find(is_taken) {
            Some(table) => Err(Error::refused(format!(
                "the input {} would be written where another file of the output goes; rename it",
                table.name.display()
            ))),
            None => Ok(()),
        }
    }

    /// Whether the data goes into a file and nothing of it was there before.
    pub(super) fn is_new_file(&self) -> bool {
        matches!(self.data, DataPlace::File(_)) && !self.goes_on
    }

    /// The folders that appear at once.
    pub(super) fn folders(&self) -> Vec<&Path> {
        let mut folders = Vec::new();
        if let DataPlace::Folder(folder) = &self.data {
            folders.push(folder.as_path());
        }
        if let ListPlace::Folder(folder) = &self.lists {
            folders.push(folder);
        }
        folders.dedup();
        // The folder that the run is in has no name that it could get.
        folders.retain(|folder| folder.file_name().is_some());
        folders
    }

    /// Where a file is until everything is whole.
    pub(super) fn part(&self, path: &Path) -> PathBuf {
        for folder in self.folders() {
            if let Ok(name) = path.strip_prefix(folder) {
                return files::unfinished(folder).join(name);
            }
        }
        part(path)
    }

    /// Makes a folder appear that is whole, unless there is one with something in it.
    pub(super) fn appear(folder: &Path) -> io::Result<()> {
        let unfinished = files::unfinished(folder);
        let is_there = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        if !unfinished.exists() || is_there || folder.is_symlink() {
            return Ok(());
        }
        files::sync_folders(&unfinished)?;
        // An empty folder that cannot be replaced gets the files one by one.
        match std::fs::rename(&unfinished, folder) {
            Err(_) if folder.exists() => Ok(()),
            renamed => renamed.and_then(|()| files::sync_name(folder)),
        }
    }

    /// Removes folders whose files all have their names.
    pub(super) fn remove_unfinished(&self) {
        for folder in self.folders() {
            let _ = std::fs::remove_dir_all(files::unfinished(folder));
        }
    }

    /// Removes what an interrupted run left; says how many files that were. What a run left that goes
    /// on now is used.
    pub(super) fn clean(&self, options: &Options) -> Result<u64> {
        let mut cleaned = 0;
        for folder in self.folders() {
            let unfinished = files::unfinished(folder);
            if unfinished.exists() {
                cleaned += files::count(&unfinished).max(1);
                std::fs::remove_dir_all(&unfinished).of(&unfinished)?;
            }
        }
        let DataPlace::File(data) = &self.data else {
            return Ok(cleaned);
        };
        if self.goes_on {
            return Ok(cleaned);
        }
        let was_interrupted = part(data).exists();
        let lists = options.kind.lists().iter();
        let mut left = Vec::new();
        for list in lists.filter_map(|name| self.list(name)) {
            left.push(part(&list));
            if was_interrupted {
                left.push(list);
            }
        }
        // What tells that there is something to remove goes last.
        left.push(part(data));
        for path in left.iter().filter(|path| path.exists()) {
            std::fs::remove_file(path).of(path)?;
            cleaned += 1;
        }
        Ok(cleaned)
    }

    /// The file of a table, unless it goes to standard output.
    pub(super) fn table(&self, table: &Table) -> Option<PathBuf> {
        match &self.data {
            DataPlace::Folder(folder) => Some(folder.join(&table.name)),
            DataPlace::File(file) => Some(file.clone()),
            DataPlace::StandardOutput => None,
        }
    }

    /// The file of a list, if lists are written.
    pub(super) fn list(&self, name: &str) -> Option<PathBuf> {
        match &self.lists {
            ListPlace::Folder(folder) => Some(folder.join(name)),
            ListPlace::Beside(file) => {
                let own = file.file_name().unwrap_or_default().to_string_lossy();
                let stem = own.strip_suffix(&ending(file)).unwrap_or(&own);
                Some(file.with_file_name(format!("{stem}.{name}")))
            }
            ListPlace::Nowhere => None,
        }
    }

    /// The file of a document that is kept and was a file.
    pub(super) fn kept(&self, id: &str) -> Option<PathBuf> {
        match &self.data {
            DataPlace::Folder(folder) => Some(folder.join("kept").join(id)),
            DataPlace::File(file) => Some(file.with_file_name("kept").join(id)),
            DataPlace::StandardOutput => None,
        }
    }
}

impl DataPlace {
    /// A file if there is one table and the names end alike, otherwise a folder.
    fn of(options: &Options) -> Result<DataPlace> {
        let output = options.output.as_path();
        if is_standard(output) {
            return Ok(DataPlace::StandardOutput);
        }
        let is_single = match options.inputs.as_slice() {
            [input] if is_standard(input) => {
                [ending(Path::new(STDIN)).as_str(), ".ndjson"].contains(&ending(output).as_str())
            }
            [input] => input.is_file() && ending(input) == ending(output),
            _ => false,
        };
        if !is_single && Shard::is_name(output) && !output.is_dir() {
            return Err(Error::refused(
                "several tables, or one of another kind, cannot be written to one file; name a \
                 folder, or for a single table a file with the same ending",
            ))
            .at(output.display());
        }
        if is_single && output.extension().is_some() && !output.is_dir() {
            return Ok(DataPlace::File(output.to_owned()));
        }
        Ok(DataPlace::Folder(output.to_owned()))
    }

    /// Where disk is needed for the data.
    pub(super) fn disk(output: &Path) -> PathBuf {
        if is_standard(output) {
            std::env::temp_dir()
        } else {
            output.to_owned()
        }
    }
}

fn expect_json_lines(corpus: &Corpus) -> Result<()> {
    let is_other = |table: &&Table| table.shard.form() != Some(Form::JsonLines);
    let other = corpus.tables.iter().find(is_other);
    let other = other.map(|table| table.name.display().to_string());
    let other = other.or_else(|| Some(corpus.files.first()?.id().escape_debug().to_string()));
    match other {
        Some(name) => Err(Error::refused(
            "it is not JSON lines, and standard output takes nothing else; name a file or a folder",
        ))
        .at(name),
        None => Ok(()),
    }
}

/// The name of a file until everything is whole.
fn part(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    name.push(".part");
    path.with_file_name(name)
}

/// Refuses to write where something is.
fn expect_nothing(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        let reason = "this file exists already; name another output, or move it away";
        return Err(Error::refused(reason)).at(path.display());
    }
    Ok(())
}

/// Refuses a folder with something in it.
fn expect_empty(folder: &Path) -> Result<()> {
    let is_empty = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    if !is_empty {
        let reason = "it is not an empty folder; name a new one";
        return Err(Error::refused(reason)).at(folder.display());
    }
    Ok(())
}

/// How the name of a table ends: `.jsonl`, `.jsonl.gz`.
fn ending(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let packed = [".gz", ".bz2", ".xz", ".zst"];
    let lower = name.to_ascii_lowercase();
    let outer = packed.iter().find(|end| lower.ends_with(**end));
    let inner = outer.map_or(&*name, |end| &name[..name.len() - end.len()]);
    let from = inner.rfind('.').filter(|from| *from > 0);
    name[from.unwrap_or(inner.len())..].to_owned()
}
