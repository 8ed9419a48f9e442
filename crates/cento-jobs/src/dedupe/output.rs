//! Where everything is written.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use cento_ingest::{PackedWriter, ParquetEdit, Shard};

use super::corpus::Corpus;
use super::options::{Kind, Options};
use super::stoppable::Stoppable;
use super::tables::{Table, expect_there};
use crate::error::{At as _, Error, File as _, Result};
use crate::watch::Watch;

/// A new folder, or a new file and some beside it.
///
/// Until everything is whole, all files have `.part` behind their names: [`Output::finish`] gives them
/// their own. A run that ends before leaves nothing.
pub(super) struct Output {
    folder: PathBuf,
    /// The file of a single table, and what the names of the other files begin with.
    single: Option<PathBuf>,
    /// What has been begun; lists about the data come last.
    begun: BTreeSet<(Role, PathBuf)>,
    /// The folders that were made for it.
    folders: Vec<PathBuf>,
}

/// What a file of the output is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Data,
    List,
}

impl Kind {
    /// The names of the lists that such a run may write.
    fn lists(&self) -> &'static [&'static str] {
        match self {
            Kind::NearDuplicates(_) => &["clusters.csv", "removed.txt", "skipped.jsonl"],
            Kind::Passages(_) => &["removed.txt", "skipped.jsonl", "spans.jsonl"],
            Kind::Against(_) => &[
                "contaminated.csv",
                "removed.txt",
                "skipped.jsonl",
                "spans.jsonl",
                "tests.csv",
            ],
        }
    }
}

impl Output {
    /// A new folder; or a new file, if there is one table and the names end alike. Nothing of this
    /// name may be there yet, nor a list of those that stand beside it; a run that goes on may find
    /// some of its own output.
    pub(super) fn at(options: &Options, goes_on: bool) -> Result<Output> {
        expect_there(&options.inputs)?;
        let output = options.output.as_path();
        let refused = |reason: &str| Err(Error::refused(reason)).at(output.display());
        let is_single = match options.inputs.as_slice() {
            [input] => input.is_file() && ending(input) == ending(output),
            _ => false,
        };
        if !is_single && Shard::is_name(output) && !output.is_dir() {
            return refused(
                "several tables, or one of another kind, cannot be written to one file; name a \
                 folder, or for a single table a file with the same ending",
            );
        }
        if is_single && output.extension().is_some() && !output.is_dir() {
            let folder = output.parent().unwrap_or(Path::new(""));
            let single = Output::new(folder, Some(output));
            if !goes_on {
                expect_new(output)?;
                for name in options.kind.lists() {
                    expect_new(&single.list_path(name))?;
                }
            }
            return Ok(single);
        }
        let is_empty = match std::fs::read_dir(output) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        };
        if !is_empty && !goes_on {
            return refused("it is not an empty folder; name a new one");
        }
        Ok(Output::new(output, None))
    }

    fn new(folder: &Path, single: Option<&Path>) -> Output {
        Output {
            folder: folder.to_owned(),
            single: single.map(Path::to_owned),
            begun: BTreeSet::new(),
            folders: Vec::new(),
        }
    }

    /// Refuses a corpus of which two things would be written to one file.
    pub(super) fn expect_room(&self, corpus: &Corpus, kind: &Kind) -> Result<()> {
        if self.single.is_some() || corpus.tables.is_empty() {
            return Ok(());
        }
        let kept = corpus
            .files
            .iter()
            .map(|input| Path::new("kept").join(input.id()));
        let taken: HashSet<PathBuf> = kind.lists().iter().map(PathBuf::from).chain(kept).collect();
        match corpus
            .tables
            .iter()
            .find(|table| taken.contains(&table.name))
        {
            Some(table) => Err(Error::refused(format!(
                "the input {} would be written where another file of the output goes; rename it",
                table.name.display()
            ))),
            None => Ok(()),
        }
    }

    /// Writes a table, compressed as it was.
    pub(super) fn write_table(
        &mut self,
        table: &Table,
        write: impl FnOnce(&mut TableWriter) -> Result<()>,
    ) -> Result<()> {
        let path = match &self.single {
            Some(file) => file.clone(),
            None => self.folder.join(&table.name),
        };
        let file = self.begin(Role::Data, &path)?;
        let packed = table.shard.writer(file).at(path.display())?;
        let mut out = TableWriter { path, packed };
        write(&mut out)?;
        out.packed.finish().of(&out.path)
    }

    /// Begins a list about the data.
    pub(super) fn list(&mut self, name: &str) -> Result<List> {
        let path = self.list_path(name);
        let file = self.begin(Role::List, &path)?;
        let out = BufWriter::with_capacity(1 << 18, file);
        Ok(List { path, out })
    }

    /// Copies a file that is kept.
    pub(super) fn keep_file(&mut self, from: &Path, id: &str) -> Result<()> {
        let path = self.kept(id);
        self.announce(Role::Data, &path)?;
        std::fs::copy(from, part(&path)).of(&path)?;
        Ok(())
    }

    /// Writes a file that is kept with another text.
    pub(super) fn write_file(&mut self, id: &str, text: &str) -> Result<()> {
        let path = self.kept(id);
        let mut file = self.begin(Role::Data, &path)?;
        file.write_all(text.as_bytes()).of(&path)
    }

    /// Everything is whole.
    pub(super) fn finish(mut self) -> Result<()> {
        for (_, path) in std::mem::take(&mut self.begun) {
            std::fs::rename(part(&path), &path).of(&path)?;
        }
        self.folders.clear();
        Ok(())
    }

    /// A list stands in the folder, or beside the single file.
    fn list_path(&self, name: &str) -> PathBuf {
        match &self.single {
            Some(file) => {
                let own = file.file_name().unwrap_or_default().to_string_lossy();
                let stem = own.strip_suffix(&ending(file)).unwrap_or(&own);
                self.folder.join(format!("{stem}.{name}"))
            }
            None => self.folder.join(name),
        }
    }

    fn kept(&self, id: &str) -> PathBuf {
        self.folder.join("kept").join(id)
    }

    fn begin(&mut self, role: Role, path: &Path) -> Result<File> {
        self.announce(role, path)?;
        File::create(part(path)).of(path)
    }

    /// Makes the folder of a file that is about to be written.
    fn announce(&mut self, role: Role, path: &Path) -> Result<()> {
        if !self.begun.insert((role, path.to_owned())) {
            let reason = "two documents would be written to this file; rename one of them";
            return Err(Error::refused(reason)).at(path.display());
        }
        let above = path.ancestors().skip(1);
        let missing = above.take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        for folder in missing.into_iter().rev() {
            std::fs::create_dir(&folder).of(&folder)?;
            self.folders.push(folder);
        }
        Ok(())
    }
}

impl Drop for Output {
    /// Of what is not finished, nothing stays; whatever cannot be removed keeps its other name.
    fn drop(&mut self) {
        for (_, path) in &self.begun {
            let _ = std::fs::remove_file(part(path));
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// A table while it is being written.
pub(super) struct TableWriter {
    path: PathBuf,
    packed: PackedWriter,
}

impl TableWriter {
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
    out: BufWriter<File>,
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

/// Refuses to write where something is.
fn expect_new(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        let reason = "this file exists already; name another output, or move it away";
        return Err(Error::refused(reason)).at(path.display());
    }
    Ok(())
}

/// What a file is called until everything is whole.
fn part(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    name.push(".part");
    path.with_file_name(name)
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
