//! A column of a row group, read value by value.

use parquet::basic::{ConvertedType, LogicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::record::Field;
use parquet::schema::types::ColumnDescPtr;
use serde_json::Value;

/// A column and how far it has been read.
pub(super) struct Column {
    pub(super) name: String,
    descriptor: ColumnDescPtr,
    reader: ColumnReader,
    levels: Vec<i16>,
}

impl Column {
    pub(super) fn open(group: &dyn RowGroupReader, number: usize) -> Result<Column, ParquetError> {
        let descriptor = group.metadata().schema_descr().column(number);
        Ok(Column {
            name: descriptor.name().to_owned(),
            descriptor,
            reader: group.get_column_reader(number)?,
            levels: Vec::new(),
        })
    }

    /// Passes over so many values.
    pub(super) fn skip(&mut self, count: usize) -> Result<(), ParquetError> {
        let skipped = match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => reader.skip_records(count),
            ColumnReader::Int32ColumnReader(reader) => reader.skip_records(count),
            ColumnReader::Int64ColumnReader(reader) => reader.skip_records(count),
            ColumnReader::Int96ColumnReader(reader) => reader.skip_records(count),
            ColumnReader::FloatColumnReader(reader) => reader.skip_records(count),
            ColumnReader::DoubleColumnReader(reader) => reader.skip_records(count),
            ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(count),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(count),
        };
        if skipped? < count {
            return Err(ends_early());
        }
        Ok(())
    }

    /// The next value, and how many broken characters were replaced in it.
    pub(super) fn next(&mut self) -> Result<(Value, usize), ParquetError> {
        let (kind, levels) = (&self.descriptor, &mut self.levels);
        let field = match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => one(reader, levels)?.map(Field::Bool),
            ColumnReader::Int32ColumnReader(reader) => {
                one(reader, levels)?.map(|value| int32(kind, value))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                one(reader, levels)?.map(|value| int64(kind, value))
            }
            ColumnReader::Int96ColumnReader(reader) => {
                one(reader, levels)?.map(|value| Field::convert_int96(kind, value))
            }
            ColumnReader::FloatColumnReader(reader) => one(reader, levels)?.map(Field::Float),
            ColumnReader::DoubleColumnReader(reader) => one(reader, levels)?.map(Field::Double),
            ColumnReader::ByteArrayColumnReader(reader) => match one(reader, levels)? {
                Some(bytes) if kind.converted_type() != ConvertedType::DECIMAL => {
                    return Ok(text(kind, bytes));
                }
                decimal => decimal
                    .map(|bytes| Field::convert_byte_array(kind, bytes))
                    .transpose()?,
            },
            ColumnReader::FixedLenByteArrayColumnReader(reader) => one(reader, levels)?
                .map(|bytes| fixed(kind, bytes.into()))
                .transpose()?,
        };
        Ok((field.map_or(Value::Null, |field| field.to_json_value()), 0))
    }
}

/// The next value; none where the row has none.
fn one<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    levels: &mut Vec<i16>,
) -> Result<Option<T::T>, ParquetError> {
    levels.clear();
    let mut values = Vec::with_capacity(1);
    let (records, _, _) = reader.read_records(1, Some(levels), None, &mut values)?;
    if records == 0 {
        return Err(ends_early());
    }
    Ok(values.pop())
}

pub(super) fn ends_early() -> ParquetError {
    ParquetError::EOF("a column ends too early".to_owned())
}

/// The library panics on kinds that it cannot convert, so they never get there.
fn int32(kind: &ColumnDescPtr, value: i32) -> Field {
    match kind.converted_type() {
        ConvertedType::NONE
        | ConvertedType::INT_8
        | ConvertedType::INT_16
        | ConvertedType::INT_32
        | ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::DATE
        | ConvertedType::TIME_MILLIS
        | ConvertedType::DECIMAL => Field::convert_int32(kind, value),
        _ => Field::Int(value),
    }
}

fn int64(kind: &ColumnDescPtr, value: i64) -> Field {
    match kind.converted_type() {
        ConvertedType::NONE
        | ConvertedType::INT_64
        | ConvertedType::UINT_64
        | ConvertedType::TIME_MICROS
        | ConvertedType::TIMESTAMP_MILLIS
        | ConvertedType::TIMESTAMP_MICROS
        | ConvertedType::DECIMAL => Field::convert_int64(kind, value),
        _ => Field::Long(value),
    }
}

fn fixed(kind: &ColumnDescPtr, bytes: ByteArray) -> Result<Field, ParquetError> {
    let is_half = kind.logical_type_ref() == Some(&LogicalType::Float16);
    match kind.converted_type() {
        ConvertedType::DECIMAL => Field::convert_byte_array(kind, bytes),
        ConvertedType::NONE if is_half => Field::convert_byte_array(kind, bytes),
        _ => Ok(Field::Bytes(bytes)),
    }
}

/// Bytes as text, also those of columns that do not claim to be text.
fn text(kind: &ColumnDescPtr, bytes: ByteArray) -> (Value, usize) {
    match std::str::from_utf8(bytes.data()) {
        Ok(text) => (Value::String(text.to_owned()), 0),
        Err(_) if kind.converted_type() == ConvertedType::BSON => {
            (Field::Bytes(bytes).to_json_value(), 0)
        }
        Err(_) => {
            let text = String::from_utf8_lossy(bytes.data()).into_owned();
            let broken = text.matches(char::REPLACEMENT_CHARACTER).count();
            (Value::String(text), broken)
        }
    }
}
