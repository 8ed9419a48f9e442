//! Arrow in and out, through the C interface: no value of a column is copied on the way.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::{FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, ListArray, RecordBatch, RecordBatchIterator, StringArray, make_array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow as _;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use cento::Digest;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};

use crate::error::CentoError;

/// Texts that Python holds: Arrow arrays, or strings that were made into one.
pub(crate) struct Texts {
    chunks: Vec<ArrayRef>,
}

impl Texts {
    /// The texts of a list of columns in a row, each an Arrow array, a table with one column, or a list
    /// of strings.
    pub(crate) fn of(chunks: &Bound<'_, PyAny>) -> PyResult<Texts> {
        let mut all = Vec::new();
        for chunk in chunks.try_iter()? {
            let chunk = chunk?;
            if chunk.is_instance_of::<PyList>() {
                let texts: Vec<Option<String>> = chunk.extract()?;
                all.push(Arc::new(StringArray::from(texts)) as ArrayRef);
            } else if chunk.hasattr("__arrow_c_array__")? {
                let data = ArrayData::from_pyarrow_bound(&chunk)?;
                all.push(make_array(data));
            } else {
                let batches = RecordBatchStreamReader::from_pyarrow_bound(&chunk)?;
                for batch in batches {
                    let batch = batch.map_err(|error| of_arrow(&error))?;
                    all.extend(batch.columns().iter().cloned());
                }
            }
        }
        let texts = Texts { chunks: all };
        texts.expect_texts()?;
        Ok(texts)
    }

    /// The texts of one column.
    pub(crate) fn of_array(column: ArrayRef) -> PyResult<Texts> {
        let texts = Texts {
            chunks: vec![column],
        };
        texts.expect_texts()?;
        Ok(texts)
    }

    /// Refuses what is no text, and text that is not what it says.
    fn expect_texts(&self) -> PyResult<()> {
        for chunk in &self.chunks {
            match chunk.data_type() {
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                    let checked = chunk.to_data().validate_full();
                    checked.map_err(|error| of_arrow(&error))?;
                }
                DataType::Null => {}
                kind @ (DataType::Binary | DataType::LargeBinary | DataType::BinaryView) => {
                    return Err(PyTypeError::new_err(format!(
                        "a column of bytes ({kind}), not of text; decode it first"
                    )));
                }
                kind => {
                    return Err(PyTypeError::new_err(format!(
                        "a column of {kind}, not of text; cast it to strings first"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The texts, one by one.
    pub(crate) fn all(&self) -> Vec<Option<&str>> {
        let count = self.chunks.iter().map(Array::len).sum();
        let mut all = Vec::with_capacity(count);
        for chunk in &self.chunks {
            match chunk.data_type() {
                DataType::Utf8 => all.extend(chunk.as_string::<i32>().iter()),
                DataType::LargeUtf8 => all.extend(chunk.as_string::<i64>().iter()),
                DataType::Utf8View => all.extend(chunk.as_string_view().iter()),
                _ => all.extend(std::iter::repeat_n(None, chunk.len())),
            }
        }
        all
    }
}

/// A column of lists of digests that grows by one list after the other.
#[derive(Default)]
pub(crate) struct Lists {
    values: Vec<u64>,
    lengths: Vec<usize>,
    is_there: Vec<bool>,
}

impl Lists {
    /// Adds the digests of a text, or none where there is no text.
    pub(crate) fn push(&mut self, digests: Option<&[Digest]>) {
        let before = self.values.len();
        let digests = digests.inspect(|digests| {
            self.values.extend(digests.iter().map(|digest| digest.0));
        });
        self.lengths.push(self.values.len() - before);
        self.is_there.push(digests.is_some());
    }

    /// Adds the lists of another column.
    pub(crate) fn append(&mut self, behind: &Lists) {
        self.values.extend_from_slice(&behind.values);
        self.lengths.extend_from_slice(&behind.lengths);
        self.is_there.extend_from_slice(&behind.is_there);
    }

    /// The column, unless it has more digests than one can hold.
    pub(crate) fn finish(self) -> PyResult<ListArray> {
        let total = self.values.len();
        if i32::try_from(total).is_err() {
            return Err(CentoError::new_err(format!(
                "{total} digests are too many for one column; give fewer documents at a time"
            )));
        }
        let values = arrow_array::UInt64Array::new(ScalarBuffer::from(self.values), None);
        let nulls = NullBuffer::from(self.is_there);
        Ok(ListArray::new(
            Arc::new(Field::new("item", DataType::UInt64, false)),
            OffsetBuffer::from_lengths(self.lengths),
            Arc::new(values),
            Some(nulls).filter(|nulls| nulls.null_count() > 0),
        ))
    }
}

/// A column of values, which any library that knows Arrow takes without copying it.
#[pyclass(frozen, module = "cento")]
pub(crate) struct Column(pub(crate) ArrayRef);

#[pymethods]
impl Column {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A wish that need not be fulfilled.
        let _ = requested_schema;
        let (array, schema) = to_ffi(&self.0.to_data()).map_err(|error| of_arrow(&error))?;
        let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
        let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
        PyTuple::new(py, [schema, array])
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.data_type());
        let schema = schema.map_err(|error| of_arrow(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let length = self.0.len();
        let place = if index < 0 {
            length.checked_sub(index.unsigned_abs())
        } else {
            Some(index.unsigned_abs()).filter(|place| *place < length)
        };
        let place = place.ok_or_else(|| PyIndexError::new_err("there is no such row"))?;
        value(py, &self.0, place)
    }

    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = (0..self.0.len()).map(|place| value(py, &self.0, place));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    fn to_pyarrow(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("array", (slf,))
    }

    fn __repr__(&self) -> String {
        let kind = match self.0.data_type() {
            DataType::List(item) => format!("list<{}>", item.data_type()).to_lowercase(),
            kind => kind.to_string().to_lowercase(),
        };
        format!("<cento.Column of {} × {kind}>", self.0.len())
    }
}

/// Rows with named columns, which any library that knows Arrow takes without copying them.
#[pyclass(frozen, module = "cento")]
pub(crate) struct Table(pub(crate) RecordBatch);

impl Table {
    /// A table of these columns, which all have the same length.
    pub(crate) fn of(columns: Vec<(&str, ArrayRef)>) -> PyResult<Table> {
        let fields: Vec<Field> = columns
            .iter()
            .map(|(name, values)| Field::new(*name, values.data_type().clone(), true))
            .collect();
        let values = columns.into_iter().map(|(_, values)| values).collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), values);
        batch.map(Table).map_err(|error| of_arrow(&error))
    }
}

#[pymethods]
impl Table {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A wish that need not be fulfilled.
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema().as_ref());
        let schema = schema.map_err(|error| of_arrow(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        let schema = self.0.schema();
        let fields = schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.column_names();
        let rows = (0..self.0.num_rows()).map(|place| {
            let row = PyDict::new(py);
            for (name, column) in names.iter().zip(self.0.columns()) {
                row.set_item(name, value(py, column, place)?)?;
            }
            Ok(row)
        });
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    fn to_pyarrow(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    fn to_pandas(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        Table::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    fn to_polars(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    fn __repr__(&self) -> String {
        let names = self.column_names().join(", ");
        format!("<cento.Table of {} rows: {names}>", self.0.num_rows())
    }
}

/// A value of a column as Python has it; of the kinds that are made here.
fn value<'py>(py: Python<'py>, column: &ArrayRef, place: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(place) {
        return Ok(py.None().into_bound(py));
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(place).into_bound_py_any(py),
        DataType::LargeUtf8 => column.as_string::<i64>().value(place).into_bound_py_any(py),
        DataType::Boolean => column.as_boolean().value(place).into_bound_py_any(py),
        DataType::Float64 => {
            let column = column.as_primitive::<Float64Type>();
            column.value(place).into_bound_py_any(py)
        }
        DataType::Int64 => {
            let column = column.as_primitive::<Int64Type>();
            column.value(place).into_bound_py_any(py)
        }
        DataType::UInt64 => {
            let column = column.as_primitive::<UInt64Type>();
            column.value(place).into_bound_py_any(py)
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(place);
            let values = (0..list.len()).map(|place| value(py, &list, place));
            PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_bound_py_any(py)
        }
        kind => Err(PyTypeError::new_err(format!("a column of {kind}"))),
    }
}

pub(crate) fn of_arrow(error: &ArrowError) -> PyErr {
    CentoError::new_err(error.to_string())
}
