//! What is written: the data in its own format, the clusters, the ids that were removed, and what
//! could not be read.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento_ingest::Form;
use serde_json::json;

use super::choose::Choice;
use super::dataset::{Dataset, Document, Source, Table};

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
            [input] => input.is_file() && input.extension() == output.extension(),
            _ => false,
        };
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
        annotate: bool,
    ) -> Result<()> {
        if !self.folder.as_os_str().is_empty() {
            let name = || self.folder.display().to_string();
            std::fs::create_dir_all(&self.folder).with_context(name)?;
        }
        let all = || dataset.documents.iter().zip(choices);
        for (number, table) in (0..).zip(&dataset.tables) {
            let rows = all().filter_map(|(document, choice)| match document.source {
                Source::Row { table, start, end } if table == number => Some((start, end, choice)),
                _ => None,
            });
            let path = match &self.single {
                Some(file) => file.clone(),
                None => self.folder.join(&table.name),
            };
            create(&path, |out| {
                write_table(table, rows, &dataset.documents, annotate, out)
            })?;
        }
        self.copy_files(dataset, choices)?;
        create(&self.beside("clusters.csv"), |out| {
            writeln!(out, "doc_id,cluster_id,is_kept,similarity_to_kept")?;
            for (document, choice) in all() {
                let cluster = &dataset.documents[choice.kept].id;
                writeln!(
                    out,
                    "{},{},{},{:.6}",
                    field(&document.id),
                    field(cluster),
                    choice.is_kept,
                    choice.similarity
                )?;
            }
            Ok(())
        })?;
        create(&self.beside("removed.txt"), |out| {
            for (document, _) in all().filter(|(_, choice)| !choice.is_kept) {
                writeln!(out, "{}", document.id)?;
            }
            Ok(())
        })?;
        if dataset.skipped.is_empty() {
            return Ok(());
        }
        create(&self.beside("skipped.jsonl"), |out| {
            for row in &dataset.skipped {
                let row = json!({"file": row.file, "line": row.line, "reason": row.reason});
                writeln!(out, "{row}")?;
            }
            Ok(())
        })
    }

    /// The name of a file about the data: in the folder, or beside the single file.
    fn beside(&self, name: &str) -> PathBuf {
        match &self.single {
            Some(file) => {
                let stem = file.file_stem().unwrap_or_default().to_string_lossy();
                self.folder.join(format!("{stem}.{name}"))
            }
            None => self.folder.join(name),
        }
    }

    /// Copies the files that are kept; of archives only what was found out is written.
    fn copy_files(&self, dataset: &Dataset, choices: &[Choice]) -> Result<()> {
        for (document, choice) in dataset.documents.iter().zip(choices) {
            let Source::File(number) = document.source else {
                continue;
            };
            let Some(path) = dataset.files[number as usize].file() else {
                continue;
            };
            if choice.is_kept {
                let to = self.folder.join("kept").join(&*document.id);
                let name = || to.display().to_string();
                if let Some(folder) = to.parent() {
                    std::fs::create_dir_all(folder).with_context(name)?;
                }
                std::fs::copy(path, &to).with_context(name)?;
            }
        }
        Ok(())
    }
}

/// Writes a file, and names it if that fails.
fn create(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let name = || path.display().to_string();
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder).with_context(name)?;
    }
    // Whole or not at all: a run that is ended leaves nothing that looks finished.
    let mut part = path.file_name().unwrap_or_default().to_owned();
    part.push(".part");
    let part = path.with_file_name(part);
    let mut out = BufWriter::with_capacity(1 << 18, File::create(&part).with_context(name)?);
    write(&mut out).with_context(name)?;
    out.flush().with_context(name)?;
    std::fs::rename(&part, path).with_context(name)
}

/// Copies the rows that are kept, byte for byte; or all of them, with what was found out.
fn write_table<'c>(
    table: &Table,
    rows: impl Iterator<Item = (u64, u64, &'c Choice)>,
    documents: &[Document],
    annotate: bool,
    out: &mut impl Write,
) -> Result<()> {
    let path = table.shard.path();
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    let mut header = vec![0; usize::try_from(table.shard.start())?];
    file.read_exact(&mut header)?;
    match table.shard.form() {
        Form::Separated(delimiter) if annotate => {
            let names = ["cluster_id", "is_kept", "similarity_to_kept"];
            write_annotated(&header, &names.map(str::to_owned), delimiter, out)?;
        }
        _ => out.write_all(&header)?,
    }
    let mut at = table.shard.start();
    let mut record = Vec::new();
    for (start, end, choice) in rows {
        if !annotate && !choice.is_kept {
            continue;
        }
        // Rows come in the order of the file, so that this is mostly reading on.
        file.seek_relative(i64::try_from(start - at)?)?;
        record.resize(usize::try_from(end - start)?, 0);
        file.read_exact(&mut record)?;
        at = end;
        if annotate {
            annotated(&record, choice, documents, table.shard.form(), out)?;
        } else {
            out.write_all(&record)?;
            if record.last() != Some(&b'\n') {
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}

/// Writes a record with what was found out about it; all that it had stays as it was.
fn annotated(
    record: &[u8],
    choice: &Choice,
    documents: &[Document],
    form: Form,
    out: &mut impl Write,
) -> Result<()> {
    let cluster = &documents[choice.kept].id;
    let similarity = (choice.similarity * 1e6).round() / 1e6;
    match form {
        Form::Separated(delimiter) => {
            let values = [
                field(cluster),
                choice.is_kept.to_string(),
                format!("{similarity:.6}"),
            ];
            write_annotated(record, &values, delimiter, out)
        }
        Form::JsonLines => {
            let trimmed = record.trim_ascii_end();
            let Some(object) = trimmed.strip_suffix(b"}") else {
                bail!("a row that was an object is none any more: the input has changed");
            };
            out.write_all(object)?;
            if !object.trim_ascii_end().ends_with(b"{") {
                out.write_all(b", ")?;
            }
            let what = json!({
                "cluster_id": cluster,
                "is_kept": choice.is_kept,
                "similarity_to_kept": similarity,
            });
            writeln!(out, "\"cento\": {what}}}")?;
            Ok(())
        }
    }
}

fn write_annotated(
    record: &[u8],
    values: &[String; 3],
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
fn field(value: &str) -> String {
    if value.contains([',', ';', '\t', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}
