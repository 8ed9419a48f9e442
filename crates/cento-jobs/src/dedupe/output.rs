//! How everything is written.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cento_ingest::{PackedWriter, ParquetEdit};
use serde_json::Value;

use super::corpus::Corpus;
use super::options::{Kind, Options};
use super::place::{DataPlace, Places};
use super::stoppable::Stoppable;
use super::streams::StandardOutput;
use super::tables::Table;
use crate::error::{At as _, Error, File as _, Result};
use crate::files;
use crate::watch::Watch;

/// A new folder, a new file and some beside it, or standard output.
///
/// Until everything is whole, a folder has another name, and so has a file, with `.part` behind it:
/// [`Output::finish`] gives them their own, and prints what goes to standard output. A folder appears at
/// once, and of single files the data comes last: it says that the run is whole. A run that ends before
/// leaves nothing, and what one leaves that is killed is removed by the next.
pub(super) struct Output {
    places: Places,
    standard: Option<StandardOutput>,
    /// What has been begun.
    begun: BTreeSet<(Role, PathBuf)>,
    /// The folders that were made for it.
    folders: Vec<PathBuf>,
}

/// What a file of the output is, in the order in which they get their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Data,
    List,
    Record,
}

impl Output {
    /// Where the options say. Nothing may be there yet; a run that goes on may find some of its own
    /// output.
    pub(super) fn at(options: &Options, goes_on: bool, watch: &Watch<'_>) -> Result<Output> {
        let places = Places::of(options, goes_on)?;
        watch.cleaned_up(&options.output, places.clean(options)?);
        let standard = match places.data {
            DataPlace::StandardOutput => Some(StandardOutput::new()?),
            DataPlace::Folder(_) | DataPlace::File(_) => None,
        };
        Ok(Output {
            places,
            standard,
            begun: BTreeSet::new(),
            folders: Vec::new(),
        })
    }

    /// Refuses a corpus that cannot be written here.
    pub(super) fn expect_room(&self, corpus: &Corpus, kind: &Kind) -> Result<()> {
        self.places.expect_room(corpus, kind)
    }

    /// Writes a table, compressed as it was; to standard output, as it is.
    pub(super) fn write_table(
        &mut self,
        table: &Table,
        write: impl FnOnce(&mut TableWriter) -> Result<()>,
    ) -> Result<()> {
        let mut out = match (self.places.table(table), &self.standard) {
            (Some(path), _) => {
                let file = self.begin(Role::Data, &path)?;
                let packed = table.shard.writer(file).at(path.display())?;
                let has_header = true;
                TableWriter {
                    path,
                    packed,
                    has_header,
                }
            }
            (None, Some(standard)) => TableWriter {
                path: PathBuf::from("standard output"),
                packed: PackedWriter::plain(standard.file()?),
                has_header: false,
            },
            (None, None) => return Ok(()),
        };
        write(&mut out)?;
        out.packed.finish().of(&out.path)
    }

    /// Begins a list about the data; it goes nowhere if lists are not written.
    pub(super) fn list(&mut self, name: &str) -> Result<List> {
        self.list_as(Role::List, name)
    }

    /// Writes the record of the run.
    pub(super) fn write_record(&mut self, record: &Value) -> Result<()> {
        let mut list = self.list_as(Role::Record, "run.json")?;
        list.line(format_args!("{record:#}"))?;
        list.finish()
    }

    fn list_as(&mut self, role: Role, name: &str) -> Result<List> {
        let Some(path) = self.places.list(name) else {
            return Ok(List {
                path: PathBuf::from(name),
                out: Box::new(io::sink()),
            });
        };
        let file = self.begin(role, &path)?;
        let out = Box::new(BufWriter::with_capacity(1 << 18, file));
        Ok(List { path, out })
    }

    /// Copies a file that is kept.
    pub(super) fn keep_file(&mut self, from: &Path, id: &str) -> Result<()> {
        let Some(path) = self.places.kept(id) else {
            return Ok(());
        };
        self.announce(Role::Data, &path)?;
        std::fs::copy(from, self.places.part(&path)).of(&path)?;
        Ok(())
    }

    /// Writes a file that is kept with another text.
    pub(super) fn write_file(&mut self, id: &str, text: &str) -> Result<()> {
        let Some(path) = self.places.kept(id) else {
            return Ok(());
        };
        let mut file = self.begin(Role::Data, &path)?;
        file.write_all(text.as_bytes()).of(&path)
    }

    /// Everything is whole.
    pub(super) fn finish(mut self) -> Result<()> {
        // First what can fail for reasons of others: without it there is no list either.
        if let Some(standard) = self.standard.take() {
            standard.print()?;
        }
        for (_, path) in &self.begun {
            let part = self.places.part(path);
            let synced = File::options().append(true).open(part);
            synced.and_then(|file| file.sync_all()).of(path)?;
        }
        for folder in self.places.folders() {
            Places::appear(folder).of(folder)?;
        }
        let mut named = Vec::new();
        for path in self.in_order() {
            let part = self.places.part(path);
            // It is there already if its folder is.
            if part.exists() {
                let result = put(&part, path);
                named.push(path);
                if result.is_err() && self.places.is_new_file() {
                    // Lists without the data would be in the way of the next run.
                    for path in &named {
                        let _ = std::fs::remove_file(path);
                    }
                }
                result.of(path)?;
            }
        }
        self.begun.clear();
        self.folders.clear();
        self.places.remove_unfinished();
        Ok(())
    }

    /// The files in the order in which they get their names.
    fn in_order(&self) -> Vec<&PathBuf> {
        let mut files: Vec<&(Role, PathBuf)> = self.begun.iter().collect();
        if matches!(self.places.data, DataPlace::File(_)) {
            files.sort_by_key(|(role, _)| *role == Role::Data);
        }
        files.into_iter().map(|(_, path)| path).collect()
    }

    fn begin(&mut self, role: Role, path: &Path) -> Result<File> {
        self.announce(role, path)?;
        File::create(self.places.part(path)).of(path)
    }

    /// Makes the folder of a file that is about to be written.
    fn announce(&mut self, role: Role, path: &Path) -> Result<()> {
        if !self.begun.insert((role, path.to_owned())) {
            let reason = "two documents would be written to this file; rename one of them";
            return Err(Error::refused(reason)).at(path.display());
        }
        let part = self.places.part(path);
        let above = part.parent().map_or(Vec::new(), files::missing);
        for folder in above.into_iter().rev() {
            std::fs::create_dir(&folder).of(&folder)?;
            files::sync_name(&folder).of(&folder)?;
            self.folders.push(folder);
        }
        Ok(())
    }
}

impl Drop for Output {
    /// Of what is not finished, nothing stays; whatever cannot be removed keeps its other name.
    fn drop(&mut self) {
        for (_, path) in &self.begun {
            let _ = std::fs::remove_file(self.places.part(path));
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Gives a file its name; it is safely there when this returns.
fn put(part: &Path, path: &Path) -> io::Result<()> {
    files::make_folder(path.parent().unwrap_or(Path::new(".")))?;
    std::fs::rename(part, path)?;
    files::sync_name(path)
}

/// A table while it is being written.
pub(super) struct TableWriter {
    path: PathBuf,
    packed: PackedWriter,
    /// What stands before the rows is written too.
    has_header: bool,
}

impl TableWriter {
    /// Writes what stands before the rows. Several tables in a row have nothing between them.
    pub(super) fn write_header(&mut self, bytes: &[u8]) -> Result<()> {
        if self.has_header {
            self.write(bytes)?;
        }
        Ok(())
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.packed.write_all(bytes).of(&self.path)
    }

    /// Copies rows of a Parquet file.
    pub(super) fn copy_parquet(
        &mut self,
        table: &Table,
        edit: &ParquetEdit,
        watch: &Watch<'_>,
    ) -> Result<()> {
        let out = Stoppable {
            inner: &mut self.packed,
            watch: *watch,
        };
        let copied = table.shard.copy_parquet(edit, out);
        watch.go_on()?;
        copied.at(self.path.display())
    }
}

/// A list about the data, while it is being written.
pub(super) struct List {
    path: PathBuf,
    out: Box<dyn Write>,
}

impl List {
    pub(super) fn line(&mut self, line: impl std::fmt::Display) -> Result<()> {
        writeln!(self.out, "{line}").of(&self.path)
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.out.flush().of(&self.path)
    }

    /// Writes all of it as comma-separated values.
    pub(super) fn write_csv<const N: usize>(
        self,
        header: [&str; N],
        rows: impl IntoIterator<Item = Result<[String; N]>>,
    ) -> Result<()> {
        let List { path, out } = self;
        let mut out = csv::Writer::from_writer(out);
        out.write_record(header)
            .map_err(std::io::Error::from)
            .of(&path)?;
        for row in rows {
            let written = out.write_record(&row?);
            written.map_err(std::io::Error::from).of(&path)?;
        }
        out.flush().of(&path)
    }
}
