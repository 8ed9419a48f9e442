//! Some rows of a Parquet file into a new one: the same schema, the same order, the same metadata.
//!
//! Row groups are copied column by column, values and levels as they are, so that nothing depends on
//! what a column means; nested and repeated ones are copied like all others.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr, WriterVersion};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::{ParquetRows, damage, guarded};
use crate::Error;
use crate::table::Shard;

/// What is written of a Parquet file.
#[derive(Clone, Debug, Default)]
pub struct ParquetEdit {
    /// The rows that are written, by their numbers, ascending.
    pub rows: Vec<u64>,
    /// Rows with another text.
    pub texts: BTreeMap<u64, String>,
    /// New columns, behind the others.
    pub added: Vec<AddedColumn>,
}

/// A new column.
#[derive(Clone, Debug)]
pub struct AddedColumn {
    /// Its name.
    pub name: String,
    /// One value for every row that is written.
    pub values: AddedValues,
}

/// The values of a new column.
#[derive(Clone, Debug)]
pub enum AddedValues {
    /// Texts.
    Text(Vec<String>),
    /// Yes or no.
    Bool(Vec<bool>),
    /// Numbers.
    Number(Vec<f64>),
}

/// How many rows are in memory at a time.
const BATCH: usize = 256;

impl Shard {
    /// Writes some rows of this Parquet file to a new one.
    pub fn copy_parquet(&self, edit: &ParquetEdit, out: impl Write + Send) -> Result<(), Error> {
        let rows = self.parquet_rows(None)?;
        guarded(|| copy(&rows, edit, out).map_err(explained))
    }
}

fn explained(error: Failure) -> Error {
    match error {
        // It could not be written.
        Failure::Parquet(ParquetError::External(error)) => Error::Io(error.to_string()),
        Failure::Parquet(error) => damage(&error),
        Failure::Told(error) => error,
    }
}

enum Failure {
    Parquet(ParquetError),
    Told(Error),
}

impl From<ParquetError> for Failure {
    fn from(error: ParquetError) -> Failure {
        Failure::Parquet(error)
    }
}

fn copy(rows: &ParquetRows, edit: &ParquetEdit, out: impl Write + Send) -> Result<(), Failure> {
    let metadata = rows.file.metadata();
    let schema = schema(metadata, &edit.added)?;
    let properties = properties(metadata, !edit.added.is_empty());
    let mut writer = SerializedFileWriter::new(out, schema, properties)?;
    let text = text_column(metadata, &rows.columns.text);
    let mut written = 0;
    for group in 0..metadata.num_row_groups() {
        let (start, end) = (rows.starts[group], rows.starts[group + 1]);
        let from = edit.rows.partition_point(|row| *row < start);
        let to = edit.rows.partition_point(|row| *row < end);
        if from == to {
            continue;
        }
        let runs = runs(&edit.rows[from..to], start)?;
        let reader = rows.file.get_row_group(group)?;
        let mut into = writer.next_row_group()?;
        for column in 0..reader.num_columns() {
            let texts = (Some(column) == text && !edit.texts.is_empty()).then_some(Texts {
                start,
                texts: &edit.texts,
            });
            copy_column(reader.as_ref(), column, &runs, texts, &mut into)?;
        }
        let count = to - from;
        for column in &edit.added {
            add_column(column, written..written + count, &mut into)?;
        }
        written += count;
        into.close()?;
    }
    writer.close()?;
    Ok(())
}

/// The schema, with the new columns.
fn schema(metadata: &ParquetMetaData, added: &[AddedColumn]) -> Result<TypePtr, Failure> {
    let root = metadata.file_metadata().schema_descr().root_schema_ptr();
    if added.is_empty() {
        return Ok(root);
    }
    let mut fields = root.get_fields().to_vec();
    for column in added {
        if fields.iter().any(|field| field.name() == column.name) {
            let name = &column.name;
            return Err(Failure::Told(Error::Unsupported(format!(
                "it already has a column {name}; rename that one to annotate"
            ))));
        }
        let (kind, logical) = match &column.values {
            AddedValues::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            AddedValues::Bool(_) => (PhysicalType::BOOLEAN, None),
            AddedValues::Number(_) => (PhysicalType::DOUBLE, None),
        };
        let field = Type::primitive_type_builder(&column.name, kind)
            .with_logical_type(logical)
            .with_repetition(Repetition::REQUIRED)
            .build()?;
        fields.push(Arc::new(field));
    }
    let root = Type::group_type_builder(root.name()).with_fields(fields);
    Ok(Arc::new(root.build()?))
}

/// What other programs say of the columns, which new columns would make wrong.
const ABOUT_COLUMNS: [&str; 3] = ["ARROW:schema", "pandas", "huggingface"];

/// Compression and everything else as it was.
fn properties(metadata: &ParquetMetaData, has_more: bool) -> WriterPropertiesPtr {
    let file = metadata.file_metadata();
    let version = if file.version() > 1 {
        WriterVersion::PARQUET_2_0
    } else {
        WriterVersion::PARQUET_1_0
    };
    let about = file.key_value_metadata().map(|all| -> Vec<KeyValue> {
        let is_right = |one: &&KeyValue| !has_more || !ABOUT_COLUMNS.contains(&one.key.as_str());
        all.iter().filter(is_right).cloned().collect()
    });
    let mut properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_created_by(format!("cento version {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(about);
    if let Some(group) = metadata.row_groups().first() {
        properties = properties.set_sorting_columns(group.sorting_columns().cloned());
        for column in group.columns() {
            let path = column.column_path().clone();
            let has_dictionary = column.dictionary_page_offset().is_some();
            properties = properties
                .set_column_compression(path.clone(), column.compression())
                .set_column_dictionary_enabled(path, has_dictionary);
        }
    }
    Arc::new(properties.build())
}

fn text_column(metadata: &ParquetMetaData, name: &str) -> Option<usize> {
    let schema = metadata.file_metadata().schema_descr();
    (0..schema.num_columns()).find(|number| {
        let column = schema.column(*number);
        super::is_flat(&column) && column.name() == name
    })
}

/// Numbers in a row as ranges, counted from the first row of the group.
fn runs(rows: &[u64], start: u64) -> Result<Vec<Range<usize>>, ParquetError> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for row in rows {
        let row = usize::try_from(row - start)?;
        match runs.last_mut() {
            Some(run) if run.end == row => run.end += 1,
            _ => runs.push(row..row + 1),
        }
    }
    Ok(runs)
}

/// Texts that take the place of others.
#[derive(Clone, Copy)]
struct Texts<'t> {
    /// The number of the group's first row.
    start: u64,
    texts: &'t BTreeMap<u64, String>,
}

fn copy_column<W: Write + Send>(
    group: &dyn RowGroupReader,
    number: usize,
    runs: &[Range<usize>],
    texts: Option<Texts<'_>>,
    into: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), Failure> {
    let reader = group.get_column_reader(number)?;
    let mut writer = into.next_column()?.ok_or_else(lost)?;
    match (reader, writer.untyped()) {
        (ColumnReader::BoolColumnReader(from), ColumnWriter::BoolColumnWriter(to)) => {
            copy_values(from, to, runs, |_, _, _| {})?;
        }
        (ColumnReader::Int32ColumnReader(from), ColumnWriter::Int32ColumnWriter(to)) => {
            copy_values(from, to, runs, |_, _, _| {})?;
        }
        (ColumnReader::Int64ColumnReader(from), ColumnWriter::Int64ColumnWriter(to)) => {
            copy_values(from, to, runs, |_, _, _| {})?;
        }
        (ColumnReader::Int96ColumnReader(from), ColumnWriter::Int96ColumnWriter(to)) => {
            copy_values(from, to, runs, |_, _, _| {})?;
        }
        (ColumnReader::FloatColumnReader(from), ColumnWriter::FloatColumnWriter(to)) => {
            copy_values(from, to, runs, |_, _, _| {})?;
        }
        (ColumnReader::DoubleColumnReader(from), ColumnWriter::DoubleColumnWriter(to)) => {
            copy_values(from, to, runs, |_, _, _| {})?;
        }
        (ColumnReader::ByteArrayColumnReader(from), ColumnWriter::ByteArrayColumnWriter(to)) => {
            copy_values(from, to, runs, |row, levels, values| {
                if let Some(texts) = texts {
                    replace(texts, row, levels, values);
                }
            })?;
        }
        (
            ColumnReader::FixedLenByteArrayColumnReader(from),
            ColumnWriter::FixedLenByteArrayColumnWriter(to),
        ) => copy_values(from, to, runs, |_, _, _| {})?,
        _ => return Err(lost().into()),
    }
    writer.close()?;
    Ok(())
}

/// Copies the values of some rows; `change` sees the number of the first of them, which of them have
/// a value, and the values.
fn copy_values<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    to: &mut ColumnWriterImpl<'_, T>,
    runs: &[Range<usize>],
    mut change: impl FnMut(usize, &[i16], &mut [T::T]),
) -> Result<(), ParquetError> {
    let descriptor = to.get_descriptor();
    let has_definitions = descriptor.max_def_level() > 0;
    let has_repetitions = descriptor.max_rep_level() > 0;
    let (mut definitions, mut repetitions, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    for run in runs {
        if run.start > at && from.skip_records(run.start - at)? < run.start - at {
            return Err(super::column::ends_early());
        }
        at = run.start;
        while at < run.end {
            definitions.clear();
            repetitions.clear();
            values.clear();
            let (records, _, _) = from.read_records(
                BATCH.min(run.end - at),
                Some(&mut definitions),
                Some(&mut repetitions),
                &mut values,
            )?;
            if records == 0 {
                return Err(super::column::ends_early());
            }
            change(at, &definitions, &mut values);
            to.write_batch(
                &values,
                has_definitions.then_some(definitions.as_slice()),
                has_repetitions.then_some(repetitions.as_slice()),
            )?;
            at += records;
        }
    }
    Ok(())
}

/// Puts other texts in the place of those of some rows of a plain column.
fn replace(texts: Texts<'_>, row: usize, levels: &[i16], values: &mut [ByteArray]) {
    let from = texts.start + row as u64;
    // A column that may be empty has one level a row, 1 where there is a value.
    let mut values = values.iter_mut();
    let rows = levels.len().max(values.len());
    for (number, level) in
        (from..from + rows as u64).zip(levels.iter().chain(std::iter::repeat(&1)))
    {
        if *level == 0 {
            continue;
        }
        let Some(value) = values.next() else {
            return;
        };
        if let Some(text) = texts.texts.get(&number) {
            *value = ByteArray::from(text.as_str());
        }
    }
}

fn add_column<W: Write + Send>(
    column: &AddedColumn,
    rows: Range<usize>,
    into: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    let mut writer = into.next_column()?.ok_or_else(lost)?;
    match &column.values {
        AddedValues::Text(values) => {
            let values = values.get(rows).ok_or_else(lost)?;
            let values: Vec<ByteArray> =
                values.iter().map(|v| ByteArray::from(v.as_str())).collect();
            writer
                .typed::<ByteArrayType>()
                .write_batch(&values, None, None)?;
        }
        AddedValues::Bool(values) => {
            let values = values.get(rows).ok_or_else(lost)?;
            writer.typed::<BoolType>().write_batch(values, None, None)?;
        }
        AddedValues::Number(values) => {
            let values = values.get(rows).ok_or_else(lost)?;
            writer
                .typed::<DoubleType>()
                .write_batch(values, None, None)?;
        }
    }
    writer.close()
}

fn lost() -> ParquetError {
    ParquetError::General("a column is missing".to_owned())
}
