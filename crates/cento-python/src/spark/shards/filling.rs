//! The one who decides what becomes of documents, and commits.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, Int64Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use cento_jobs::register as registering;
use cento_jobs::register::shards::{Filling, Row, RowRead};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::super::columns::{batch, column};
use super::{changed, lock, read, read_all, strings};
use crate::arrow::{Table, Texts};
use crate::error::CentoError;
use crate::eval::json;
use crate::fingerprint::raised;
use crate::options::Keywords;

/// Shards that are being filled: who has it is the only one who writes to them.
#[pyclass(frozen, module = "cento._cento")]
pub(crate) struct Shards(Mutex<Option<Filling>>);

#[pymethods]
impl Shards {
    #[new]
    #[pyo3(signature = (path, **options))]
    fn new(py: Python<'_>, path: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<Shards> {
        let mut keywords = Keywords::of("register", options, py)?;
        let audience = keywords.audience()?;
        let options = registering::Options {
            registry: keywords.registry(path)?,
            submitter: keywords.take("submitter")?,
            set: keywords.take("set")?,
            date: keywords.take("date")?,
            expire: keywords.take("expire")?,
            id_prefix: keywords.take("id_prefix")?.unwrap_or_default(),
            on_change: keywords.on_change()?,
            ..registering::Options::default()
        };
        keywords.finish()?;
        let filling = audience.run(py, |watch| Filling::open(options, watch))?;
        Ok(Shards(Mutex::new(Some(filling))))
    }

    /// How many shards there are.
    #[getter]
    fn shards(&self) -> PyResult<usize> {
        self.with(|filling| Ok(filling.shards()))
    }

    /// Takes what executors have read of documents, all but their digests.
    fn add(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<()> {
        let rows = batch(rows)?;
        let text = |name: &str| strings(&rows, name);
        let names = ["id", "reason", "extractor"];
        let [ids, reasons, extractors] = names.map(text);
        let (ids, reasons, extractors) = (ids?, reasons?, extractors?);
        let facts = ["label", "submitter", "set", "date", "expire"].map(text);
        let facts = facts.into_iter().collect::<PyResult<Vec<Texts>>>()?;
        let facts: Vec<_> = facts.iter().map(Texts::all).collect();
        let numbers = ["words", "digests", "ignored", "blocks"].map(|name| filled(&rows, name));
        let numbers = numbers.into_iter().collect::<PyResult<Vec<_>>>()?;
        let contents = optional(&rows, "content")?;
        let retained = optional(&rows, "retained")?;
        py.detach(|| {
            let (ids, reasons, extractors) = (ids.all(), reasons.all(), extractors.all());
            self.with(|filling| {
                for row in 0..rows.num_rows() {
                    let owned = |text: Option<&str>| text.map(str::to_owned);
                    let small = |of: usize| u32::try_from(numbers[of][row]).unwrap_or(u32::MAX);
                    let content = contents[row]
                        .as_deref()
                        .and_then(|bytes| bytes.try_into().ok());
                    let read = match (reasons[row], content) {
                        (Some(reason), _) => Err(reason.to_owned()),
                        (None, None) => return Err(changed("content")),
                        (None, Some(content)) => Ok(RowRead {
                            content,
                            words: numbers[0][row],
                            digests: small(1),
                            ignored: small(2),
                            blocks: small(3),
                            retained: retained[row].clone(),
                            extractor: extractors[row].unwrap_or_default().to_owned(),
                        }),
                    };
                    filling.add(Row {
                        id: ids[row].unwrap_or_default().to_owned(),
                        label: owned(facts[0][row]),
                        submitter: owned(facts[1][row]),
                        set: owned(facts[2][row]),
                        date: owned(facts[3][row]),
                        expire: owned(facts[4][row]),
                        read,
                    });
                }
                Ok(())
            })
        })
    }

    /// Decides what becomes of the documents: the order for all shards, as JSON, and the places of those
    /// that are registered.
    fn plan(&self, py: Python<'_>) -> PyResult<(String, Table)> {
        py.detach(|| {
            self.with(|filling| {
                let batch = raised(filling.plan())?;
                let ids = batch.places.iter().map(|(id, _, _)| id.as_str());
                let units = batch.places.iter().map(|(_, unit, _)| i64::from(*unit));
                let blocks = batch.places.iter().map(|(_, _, first)| i64::from(*first));
                let places = Table::of(vec![
                    ("id", Arc::new(StringArray::from_iter_values(ids))),
                    ("unit", Arc::new(Int64Array::from_iter_values(units))),
                    (
                        "first_block",
                        Arc::new(Int64Array::from_iter_values(blocks)),
                    ),
                ])?;
                Ok((json(&batch.order), places))
            })
        })
    }

    /// Registers the documents, all of them or none.
    fn commit(&self, py: Python<'_>, built: Vec<String>) -> PyResult<()> {
        let built = read_all(&built)?;
        py.detach(|| self.with(|filling| raised(filling.commit(&built))))
    }

    /// The segments that are to become one in every shard, as JSON, if there are some.
    fn due(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let due = py.detach(|| self.with(|filling| raised(filling.due())))?;
        Ok(due.as_ref().map(json))
    }

    /// Puts a segment in the place of others.
    fn replace(&self, py: Python<'_>, order: &str, built: Vec<String>) -> PyResult<()> {
        let (order, built) = (read(order)?, read_all(&built)?);
        py.detach(|| self.with(|filling| raised(filling.replace(&order, &built))))
    }

    /// What became of the documents, as JSON.
    fn outcome(&self) -> PyResult<String> {
        self.with(|filling| Ok(json(filling.outcome())))
    }

    /// Others may write again.
    fn close(&self) {
        *lock(&self.0) = None;
    }
}

impl Shards {
    fn with<T>(&self, act: impl FnOnce(&mut Filling) -> PyResult<T>) -> PyResult<T> {
        match lock(&self.0).as_mut() {
            Some(filling) => act(filling),
            None => Err(CentoError::new_err("the shards are closed")),
        }
    }
}

/// A column of numbers; one that is missing is 0.
fn filled(rows: &RecordBatch, name: &str) -> PyResult<Vec<u64>> {
    let column = column(rows, name)?;
    let numbers = column.as_primitive_opt::<Int64Type>();
    let numbers = numbers.ok_or_else(|| changed(name))?;
    Ok(numbers
        .iter()
        .map(|number| number.unwrap_or(0).cast_unsigned())
        .collect())
}

/// A column of bytes, of which some may be missing.
fn optional(rows: &RecordBatch, name: &str) -> PyResult<Vec<Option<Vec<u8>>>> {
    let column = column(rows, name)?;
    let owned = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
    Ok(match column.data_type() {
        DataType::Binary => column.as_binary::<i32>().iter().map(owned).collect(),
        DataType::LargeBinary => column.as_binary::<i64>().iter().map(owned).collect(),
        DataType::BinaryView => column.as_binary_view().iter().map(owned).collect(),
        _ => return Err(changed(name)),
    })
}
