//! What is written of near-duplicates: the data in its own format, the clusters, the ids that were
//! removed, and what could not be read.

use cento_ingest::{AddedColumn, AddedValues, Form, ParquetEdit};
use serde_json::json;

use super::annotate::{with_fields, with_json};
use super::choose::{Chosen, Fate};
use super::corpus::{Corpus, Identity};
use super::output::{Output, TableWriter};
use super::skipped::SkippedRow;
use super::stoppable::TableBytes;
use super::tables::Table;
use crate::error::{At as _, Result};
use crate::watch::{Step, Watch};

/// Writes everything; all rows if they are to be annotated, and those that are kept otherwise.
pub(super) fn write(
    output: &mut Output,
    corpus: &Corpus,
    chosen: &Chosen<'_>,
    skipped: &[SkippedRow],
    annotate: bool,
    watch: &Watch<'_>,
) -> Result<()> {
    watch.begin(Step::Writing, 0, corpus.bytes());
    for (number, table) in (0..).zip(&corpus.tables) {
        let rows = chosen.rows(number);
        output.write_table(table, |out| match table.shard.form() {
            Some(form) => write_table(table, form, rows, annotate, out, watch),
            None => write_parquet(table, rows, annotate, out, watch),
        })?;
        watch.advance(0, table.shard.size());
    }
    for fate in chosen.all().filter(|fate| fate.is_kept) {
        if let Identity::File(number) = fate.document.identity {
            watch.go_on()?;
            let input = &corpus.files[number as usize];
            if let Some(path) = input.file() {
                output.keep_file(path, &fate.document.id)?;
            }
            watch.advance(1, input.size());
        }
    }
    write_lists(output, chosen, skipped, watch)?;
    watch.end();
    Ok(())
}

fn write_lists(
    output: &mut Output,
    chosen: &Chosen<'_>,
    skipped: &[SkippedRow],
    watch: &Watch<'_>,
) -> Result<()> {
    let rows = chosen.all().map(|fate| {
        watch.go_on()?;
        Ok([
            fate.document.id.to_string(),
            fate.cluster.to_owned(),
            fate.is_kept.to_string(),
            format!("{:.6}", fate.similarity),
        ])
    });
    let header = ["doc_id", "cluster_id", "is_kept", "similarity_to_kept"];
    output.list("clusters.csv")?.write_csv(header, rows)?;
    let mut removed = output.list("removed.txt")?;
    for fate in chosen.all().filter(|fate| !fate.is_kept) {
        watch.go_on()?;
        removed.line(&fate.document.id)?;
    }
    removed.finish()?;
    write_skipped(output, skipped)
}

/// Writes down what could not be read, if there is anything.
pub(super) fn write_skipped<'s>(
    output: &mut Output,
    skipped: impl IntoIterator<Item = &'s SkippedRow>,
) -> Result<()> {
    let mut skipped = skipped.into_iter().peekable();
    if skipped.peek().is_none() {
        return Ok(());
    }
    let mut list = output.list("skipped.jsonl")?;
    for row in skipped {
        list.line(row.json())?;
    }
    list.finish()
}

/// The names of what is added to tables.
pub(super) const ADDED: [&str; 3] = ["cluster_id", "is_kept", "similarity_to_kept"];

/// Copies the rows that are kept, byte for byte; or all of them, with what was found out.
fn write_table<'d>(
    table: &Table,
    form: Form,
    rows: impl Iterator<Item = Fate<'d>>,
    annotate: bool,
    out: &mut TableWriter,
    watch: &Watch<'_>,
) -> Result<()> {
    let mut input = TableBytes::of(table, watch)?;
    let header = input.read(0, table.shard.start())?;
    match form {
        Form::Separated(delimiter) if annotate => {
            out.write_header(&with_fields(header, &ADDED, delimiter))?;
        }
        _ => out.write_header(header)?,
    }
    for fate in rows.filter(|fate| annotate || fate.is_kept) {
        let Identity::Row { start, .. } = fate.document.identity else {
            continue;
        };
        let record = input.read(start, fate.document.end)?;
        if annotate {
            out.write(&annotated(record, &fate, form).at(table.name.display())?)?;
            continue;
        }
        out.write(record)?;
        if record.last() != Some(&b'\n') {
            out.write(b"\n")?;
        }
    }
    Ok(())
}

/// The same for a Parquet file.
fn write_parquet<'d>(
    table: &Table,
    rows: impl Iterator<Item = Fate<'d>>,
    annotate: bool,
    out: &mut TableWriter,
    watch: &Watch<'_>,
) -> Result<()> {
    let mut edit = ParquetEdit::default();
    let (mut clusters, mut kept, mut similarities) = (Vec::new(), Vec::new(), Vec::new());
    for fate in rows.filter(|fate| annotate || fate.is_kept) {
        let Identity::Row { start, .. } = fate.document.identity else {
            continue;
        };
        edit.rows.push(start);
        if annotate {
            clusters.push(fate.cluster.to_owned());
            kept.push(fate.is_kept);
            similarities.push(fate.rounded_similarity());
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
    out.copy_parquet(table, &edit, watch)
}

/// A record with what was found out about it.
fn annotated(record: &[u8], fate: &Fate<'_>, form: Form) -> Result<Vec<u8>> {
    match form {
        Form::Separated(delimiter) => {
            let similarity = format!("{:.6}", fate.similarity);
            let is_kept = fate.is_kept.to_string();
            let values = [fate.cluster, &is_kept, &similarity];
            Ok(with_fields(record, &values, delimiter))
        }
        Form::JsonLines => with_json(
            record,
            &json!({
                "cluster_id": fate.cluster,
                "is_kept": fate.is_kept,
                "similarity_to_kept": fate.rounded_similarity(),
            }),
        ),
    }
}
