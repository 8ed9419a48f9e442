//! Columns of batches that Spark hands over.

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, BinaryArray, RecordBatch, make_array};
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow as _;
use arrow_schema::DataType;
use cento::Digest;
use pyo3::prelude::*;

use crate::error::CentoError;

/// A batch of rows.
pub(super) fn batch(given: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    RecordBatch::from_pyarrow_bound(given)
}

/// A column of a batch.
pub(super) fn column(batch: &RecordBatch, name: &str) -> PyResult<ArrayRef> {
    let column = batch.column_by_name(name).cloned();
    column.ok_or_else(|| CentoError::new_err(format!("the engine has lost the column {name}")))
}

/// A column of numbers without gaps.
pub(super) fn numbers_in(batch: &RecordBatch, name: &str) -> PyResult<Vec<u64>> {
    let column = column(batch, name)?;
    unsigned(&column).ok_or_else(|| wrong(name, &column))
}

/// A column of numbers that are small.
pub(super) fn sizes(batch: &RecordBatch, name: &str) -> PyResult<Vec<u32>> {
    let numbers = numbers_in(batch, name)?.into_iter();
    Ok(numbers
        .map(|number| u32::try_from(number).unwrap_or(u32::MAX))
        .collect())
}

/// An array of numbers without gaps.
pub(super) fn numbers(given: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let array = make_array(ArrayData::from_pyarrow_bound(given)?);
    unsigned(&array).ok_or_else(|| wrong("number", &array))
}

fn unsigned(column: &ArrayRef) -> Option<Vec<u64>> {
    let numbers = column.as_primitive_opt::<Int64Type>()?;
    let is_whole = numbers.null_count() == 0;
    is_whole.then(|| {
        numbers
            .values()
            .iter()
            .map(|one| one.cast_unsigned())
            .collect()
    })
}

fn wrong(name: &str, column: &ArrayRef) -> PyErr {
    CentoError::new_err(format!(
        "the engine has changed the column {name}: it has {} with {} missing",
        column.data_type(),
        column.null_count()
    ))
}

/// A column of bytes.
pub(super) struct Bytes(ArrayRef);

impl Bytes {
    pub(super) fn of(batch: &RecordBatch, name: &str) -> PyResult<Bytes> {
        let column = column(batch, name)?;
        let is_bytes = matches!(
            column.data_type(),
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView
        );
        if !is_bytes || column.null_count() > 0 {
            return Err(wrong(name, &column));
        }
        Ok(Bytes(column))
    }

    pub(super) fn value(&self, row: usize) -> &[u8] {
        match self.0.data_type() {
            DataType::LargeBinary => self.0.as_binary::<i64>().value(row),
            DataType::BinaryView => self.0.as_binary_view().value(row),
            _ => self.0.as_binary::<i32>().value(row),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A column of digests, eight bytes each.
pub(super) struct Digests(Bytes);

impl Digests {
    pub(super) fn of(batch: &RecordBatch, name: &str) -> PyResult<Digests> {
        Bytes::of(batch, name).map(Digests)
    }

    /// The digests of a document. They must be sorted: everything rests on that.
    pub(super) fn read(&self, row: usize, digests: &mut Vec<Digest>) -> PyResult<()> {
        let (words, rest) = self.0.value(row).as_chunks();
        digests.clear();
        digests.extend(words.iter().map(|bytes| Digest(u64::from_le_bytes(*bytes))));
        if rest.is_empty() && digests.is_sorted_by(|left, right| left < right) {
            return Ok(());
        }
        Err(CentoError::new_err(
            "the digests of a document were damaged on their way",
        ))
    }
}

/// Digests as bytes.
pub(super) fn packed_digests(digests: &[Option<Vec<Digest>>]) -> PyResult<BinaryArray> {
    let packed: Vec<Option<Vec<u8>>> = digests
        .iter()
        .map(|digests| {
            let digests = digests.as_ref()?.iter();
            Some(digests.flat_map(|digest| digest.0.to_le_bytes()).collect())
        })
        .collect();
    super::binaries(packed.iter().map(Option::as_deref))
}
