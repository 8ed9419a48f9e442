//! What is written: the data in its own format, the clusters, the ids that were removed, and what
//! could not be read.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento_ingest::{AddedColumn, AddedValues, Form, PackedWriter, ParquetEdit, Shard};
use serde_json::{Value, json};

use super::choose::Choice;
use super::dataset::{Dataset, Document, Source, Table};
use super::registered::Known;

/// Where everything goes.
pub(super) struct Target {
    /// The folder.
    folder: PathBuf,
    /// The file of a single table, and what the other files begin with.
    single: Option<PathBuf>,
}

impl Target {
    /// A new folder; or a new file, if there is one table and the names end alike. A run that goes on
    /// may find some of its output there.
    pub(super) fn of(output: &Path, inputs: &[PathBuf], goes_on: bool) -> Result<Target> {
        let is_single = match inputs {
            [input] => input.is_file() && ending(input) == ending(output),
            _ => false,
        };
        if !is_single && Shard::is_name(output) && !output.is_dir() {
            bail!(
                "{}: several tables, or one of another kind, are not written to one file; name a \
                 folder, or for a single table a file with the same ending",
                output.display()
            );
        }
        if is_single && output.extension().is_some() && !output.is_dir() {
            if output.exists() && !goes_on {
                bail!("{}: there is such a file; name a new one", output.display());
            }
            let folder = output.parent().unwrap_or(Path::new(""));
            return Ok(Target {
                folder: folder.to_owned(),
                single: Some(output.to_owned()),
            });
        }
        let is_empty = match std::fs::read_dir(output) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        };
        if !is_empty && !goes_on {
            bail!(
                "{}: it is not an empty folder; name a new one",
                output.display()
            );
        }
        Ok(Target {
            folder: output.to_owned(),
            single: None,
        })
    }

    pub(super) fn write(
        &self,
        dataset: &Dataset,
        choices: &[Choice],
        known: &[Option<Known>],
        annotate: bool,
    ) -> Result<()> {
        self.make_folder()?;
        let found = |place: usize| Found::new(&dataset.documents, choices, known, place);
        let all = || (0..choices.len()).map(found);
        for (number, table) in (0..).zip(&dataset.tables) {
            // Documents stand in the order of the tables.
            let documents = &dataset.documents;
            let before = |table: u32| documents.partition_point(|one| one.table() < table);
            let rows = (before(number)..before(number + 1)).filter_map(|place| {
                match documents[place].source {
                    Source::Row { start, end, .. } => Some((start, end, found(place))),
                    Source::File(_) => None,
                }
            });
            let path = self.table(table);
            create_table(&path, table, |out| match table.shard.form() {
                Some(form) => write_table(table, form, rows, annotate, out),
                None => write_parquet(table, rows, annotate, out),
            })?;
        }
        for found in all().filter(|found| found.is_kept) {
            if let Source::File(number) = found.document.source
                && let Some(path) = dataset.files[number as usize].file()
            {
                self.keep_file(path, &found.document.id)?;
            }
        }
        create(&self.beside("clusters.csv"), |out| {
            writeln!(out, "doc_id,cluster_id,is_kept,similarity_to_kept")?;
            for found in all() {
                writeln!(
                    out,
                    "{},{},{},{:.6}",
                    field(&found.document.id),
                    field(found.cluster),
                    found.is_kept,
                    found.similarity
                )?;
            }
            Ok(())
        })?;
        create(&self.beside("removed.txt"), |out| {
            for found in all().filter(|found| !found.is_kept) {
                writeln!(out, "{}", found.document.id)?;
            }
            Ok(())
        })?;
        if dataset.skipped.is_empty() {
            return Ok(());
        }
        create(&self.beside("skipped.jsonl"), |out| {
            for row in &dataset.skipped {
                writeln!(out, "{}", row.json())?;
            }
            Ok(())
        })
    }

    pub(super) fn make_folder(&self) -> Result<()> {
        if self.folder.as_os_str().is_empty() {
            return Ok(());
        }
        let name = || self.folder.display().to_string();
        std::fs::create_dir_all(&self.folder).with_context(name)
    }

    /// Where a shard is written to.
    pub(super) fn table(&self, table: &Table) -> PathBuf {
        match &self.single {
            Some(file) => file.clone(),
            None => self.folder.join(&table.name),
        }
    }

    /// The name of a file about the data: in the folder, or beside the single file.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        match &self.single {
            Some(file) => {
                let own = file.file_name().unwrap_or_default().to_string_lossy();
                let stem = own.strip_suffix(&ending(file)).unwrap_or(&own);
                self.folder.join(format!("{stem}.{name}"))
            }
            None => self.folder.join(name),
        }
    }

    /// Where a document goes that was a file.
    pub(super) fn kept(&self, id: &str) -> PathBuf {
        self.folder.join("kept").join(id)
    }

    /// Copies a file that is kept; of archives only what was found out is written.
    pub(super) fn keep_file(&self, from: &Path, id: &str) -> Result<()> {
        let to = self.kept(id);
        let name = || to.display().to_string();
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder).with_context(name)?;
        }
        std::fs::copy(from, &to).with_context(name)?;
        Ok(())
    }
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

/// What was found out about a document.
#[derive(Clone, Copy)]
struct Found<'d> {
    document: &'d Document,
    /// The id of the document that is kept in its place.
    cluster: &'d str,
    is_kept: bool,
    similarity: f64,
}

impl<'d> Found<'d> {
    fn new(
        documents: &'d [Document],
        choices: &[Choice],
        known: &'d [Option<Known>],
        place: usize,
    ) -> Found<'d> {
        let choice = &choices[place];
        let document = &documents[place];
        match known.get(place) {
            Some(Some(known)) => Found {
                document,
                cluster: &known.id,
                is_kept: false,
                similarity: known.similarity,
            },
            _ => Found {
                document,
                cluster: &documents[choice.kept].id,
                is_kept: choice.is_kept,
                similarity: choice.similarity,
            },
        }
    }

    fn rounded_similarity(&self) -> f64 {
        (self.similarity * 1e6).round() / 1e6
    }
}

/// The names of what is added to tables.
const ADDED: [&str; 3] = ["cluster_id", "is_kept", "similarity_to_kept"];

/// Writes a shard, compressed as it was, and names it if that fails.
pub(super) fn create_table(
    path: &Path,
    table: &Table,
    write: impl FnOnce(&mut PackedWriter) -> Result<()>,
) -> Result<()> {
    new_file(path, |file| {
        let mut out = table.shard.writer(file)?;
        write(&mut out)?;
        Ok(out.finish()?)
    })
}

/// Writes a file, and names it if that fails.
pub(super) fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    new_file(path, |file| {
        let mut out = BufWriter::with_capacity(1 << 18, file);
        write(&mut out)?;
        Ok(out.flush()?)
    })
}

/// A new file in a folder that may have to be made; whole or not at all, so that a run that is ended
/// leaves nothing that looks finished.
fn new_file(path: &Path, write: impl FnOnce(File) -> Result<()>) -> Result<()> {
    let name = || path.display().to_string();
    let folder = path.parent();
    if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(name)?;
    }
    let mut part = path.file_name().unwrap_or_default().to_owned();
    part.push(".part");
    let part = path.with_file_name(part);
    File::create(&part)
        .map_err(Into::into)
        .and_then(write)
        .with_context(name)?;
    std::fs::rename(&part, path).with_context(name)
}

/// Copies the rows that are kept, byte for byte; or all of them, with what was found out.
fn write_table<'d>(
    table: &Table,
    form: Form,
    rows: impl Iterator<Item = (u64, u64, Found<'d>)>,
    annotate: bool,
    out: &mut impl Write,
) -> Result<()> {
    let mut file = BufReader::with_capacity(1 << 20, table.shard.unpacked()?);
    let mut header = vec![0; usize::try_from(table.shard.start())?];
    file.read_exact(&mut header)?;
    match form {
        Form::Separated(delimiter) if annotate => {
            write_more_fields(&header, &ADDED.map(str::to_owned), delimiter, out)?;
        }
        _ => out.write_all(&header)?,
    }
    let mut at = table.shard.start();
    let mut record = Vec::new();
    for (start, end, found) in rows {
        if !annotate && !found.is_kept {
            continue;
        }
        // Rows come in the order of the file.
        io::copy(&mut file.by_ref().take(start - at), &mut io::sink())?;
        record.resize(usize::try_from(end - start)?, 0);
        file.read_exact(&mut record)?;
        at = end;
        if annotate {
            annotated(&record, &found, form, out)?;
        } else {
            out.write_all(&record)?;
            if record.last() != Some(&b'\n') {
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}

/// The same for a Parquet file.
fn write_parquet<'d>(
    table: &Table,
    rows: impl Iterator<Item = (u64, u64, Found<'d>)>,
    annotate: bool,
    out: &mut PackedWriter,
) -> Result<()> {
    let mut edit = ParquetEdit::default();
    let (mut clusters, mut kept, mut similarities) = (Vec::new(), Vec::new(), Vec::new());
    for (row, _, found) in rows.filter(|(.., found)| annotate || found.is_kept) {
        edit.rows.push(row);
        if annotate {
            clusters.push(found.cluster.to_owned());
            kept.push(found.is_kept);
            similarities.push(found.rounded_similarity());
        }
    }
    if annotate {
        let values = [
            AddedValues::Text(clusters),
            AddedValues::Bool(kept),
            AddedValues::Number(similarities),
        ];
        let added = ADDED.iter().zip(values).map(|(name, values)| AddedColumn {
            name: (*name).to_owned(),
            values,
        });
        edit.added = added.collect();
    }
    let copied = table.shard.copy_parquet(&edit, out);
    copied.map_err(anyhow::Error::msg)
}

/// Writes a record with what was found out about it; all that it had stays as it was.
fn annotated(record: &[u8], found: &Found<'_>, form: Form, out: &mut impl Write) -> Result<()> {
    match form {
        Form::Separated(delimiter) => {
            let values = [
                field(found.cluster),
                found.is_kept.to_string(),
                format!("{:.6}", found.similarity),
            ];
            write_more_fields(record, &values, delimiter, out)
        }
        Form::JsonLines => {
            let what = json!({
                "cluster_id": found.cluster,
                "is_kept": found.is_kept,
                "similarity_to_kept": found.rounded_similarity(),
            });
            write_more_json(record, &what, out)
        }
    }
}

/// Writes a JSON object with one more field, `cento`.
pub(super) fn write_more_json(record: &[u8], what: &Value, out: &mut impl Write) -> Result<()> {
    let trimmed = record.trim_ascii_end();
    let Some(object) = trimmed.strip_suffix(b"}") else {
        bail!("a row that was an object is none any more: the input has changed");
    };
    out.write_all(object)?;
    if !object.trim_ascii_end().ends_with(b"{") {
        out.write_all(b", ")?;
    }
    writeln!(out, "\"cento\": {what}}}")?;
    Ok(())
}

/// Writes a record with more fields behind the others.
pub(super) fn write_more_fields(
    record: &[u8],
    values: &[String],
    delimiter: u8,
    out: &mut impl Write,
) -> Result<()> {
    let trimmed = record.strip_suffix(b"\n").unwrap_or(record);
    let (trimmed, end) = match trimmed.strip_suffix(b"\r") {
        Some(trimmed) => (trimmed, &b"\r\n"[..]),
        None => (trimmed, &b"\n"[..]),
    };
    out.write_all(trimmed)?;
    for value in values {
        out.write_all(&[delimiter])?;
        out.write_all(value.as_bytes())?;
    }
    out.write_all(end)?;
    Ok(())
}

/// A field, in quotes where it must be.
pub(super) fn field(value: &str) -> String {
    if value.contains([',', ';', '\t', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}
