//! What an executor does: texts cut for all shards, slices written, counts, answers.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray as _;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, BinaryArray, Float64Array, Int64Array, ListArray, StringArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field};
use cento::index::registry::{NewDocument, ShardCounter};
use cento_jobs::shards::{Cut, Document, Machine, Said};
use cento_jobs::verify::shards::Asking;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::super::columns::{Bytes, batch, column, numbers_in, sizes};
use super::super::{NOBODY, binaries};
use super::asking::{answer_table, of_shards, values_of};
use super::{changed, lock, read, strings};
use crate::arrow::Table;
use crate::error::of_library;
use crate::eval::json;
use crate::fingerprint::raised;
use crate::options::Keywords;

/// What an executor does with shards.
#[pyclass(frozen, module = "cento._cento")]
pub(crate) struct ShardWork(Mutex<Machine>);

#[pymethods]
impl ShardWork {
    #[new]
    #[pyo3(signature = (path, **options))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<ShardWork> {
        let mut keywords = Keywords::of("ShardWork", options, py)?;
        let registry = keywords.registry(path)?;
        keywords.finish()?;
        let machine = py.detach(|| raised(Machine::open(&registry, NOBODY)))?;
        Ok(ShardWork(Mutex::new(machine)))
    }

    /// How many shards there are.
    #[getter]
    fn shards(&self) -> usize {
        self.with(Machine::shards)
    }

    /// What texts come to that are to be registered; why they cannot be, in `reason`.
    fn documents(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<Table> {
        let rows = batch(rows)?;
        let [ids, texts, sets] = ["id", "text", "set"].map(|name| strings(&rows, name));
        let (ids, texts, sets) = (ids?, texts?, sets?);
        py.detach(|| {
            let cut = self.with(|machine| {
                let rows = texts.all().into_iter().zip(ids.all()).zip(sets.all());
                let rows = rows.map(|((text, id), set)| match text {
                    Some(text) => raised(machine.document(id.unwrap_or_default(), text, set)),
                    None => Ok(Cut::Skipped(NO_TEXT.to_owned())),
                });
                rows.collect::<PyResult<Vec<_>>>()
            })?;
            let documents: Vec<_> = cut.iter().map(Cut::ready).collect();
            let numbers = |of: &dyn Fn(&Document) -> i64| -> ArrayRef {
                let numbers = documents.iter().map(|one| one.map(of));
                Arc::new(numbers.collect::<Int64Array>())
            };
            let weights = documents.iter().map(|one| one.map(|one| one.cut.weight));
            let contents = documents.iter();
            let contents = contents.map(|one| one.map(|one| &one.cut.content[..]));
            let retained = documents.iter();
            let retained = retained.map(|one| one.and_then(|one| one.cut.retained.as_deref()));
            let extractors = documents.iter();
            let extractors = extractors.map(|one| one.map(|one| one.extractor.as_str()));
            let portions = documents.iter();
            let portions = portions.map(|one| one.map(|one| one.cut.portions.as_slice()));
            Table::of(vec![
                ("reason", reasons(&cut)),
                ("content", Arc::new(binaries(contents)?)),
                ("words", numbers(&|one| one.cut.words.cast_signed())),
                ("digests", numbers(&|one| i64::from(one.cut.digests))),
                ("ignored", numbers(&|one| i64::from(one.cut.ignored))),
                ("blocks", numbers(&|one| i64::from(one.cut.blocks))),
                ("tokens", numbers(&|one| i64::from(one.cut.tokens))),
                ("weight", Arc::new(weights.collect::<Float64Array>())),
                ("extractor", Arc::new(extractors.collect::<StringArray>())),
                ("retained", Arc::new(binaries(retained)?)),
                ("portions", Arc::new(lists(&portions.collect::<Vec<_>>())?)),
            ])
        })
    }

    /// What texts come to that are asked about.
    fn questions(&self, py: Python<'_>, rows: &Bound<'_, PyAny>, asking: &str) -> PyResult<Table> {
        let asking: Asking = read(asking)?;
        let rows = batch(rows)?;
        let (ids, texts) = (strings(&rows, "id")?, strings(&rows, "text")?);
        py.detach(|| {
            let cut = self.with(|machine| {
                let rows = texts.all().into_iter().zip(ids.all());
                let rows = rows.map(|(text, id)| match text {
                    Some(text) => raised(machine.question(id.unwrap_or_default(), text, &asking)),
                    None => Ok(Cut::Skipped(NO_TEXT.to_owned())),
                });
                rows.collect::<PyResult<Vec<_>>>()
            })?;
            let questions: Vec<_> = cut.iter().map(Cut::ready).collect();
            let words = questions.iter();
            let words = words.map(|one| one.map(|one| one.words.cast_signed()));
            let digests = questions.iter();
            let digests = digests.map(|one| one.map(|one| i64::from(one.digests)));
            let portions = questions.iter();
            let portions = portions.map(|one| one.map(|one| one.portions.as_slice()));
            Table::of(vec![
                ("reason", reasons(&cut)),
                ("words", Arc::new(words.collect::<Int64Array>())),
                ("digests", Arc::new(digests.collect::<Int64Array>())),
                ("portions", Arc::new(lists(&portions.collect::<Vec<_>>())?)),
            ])
        })
    }

    /// Writes the slice of a shard of new documents. What was built, as JSON.
    fn build(
        &self,
        py: Python<'_>,
        shard: usize,
        order: &str,
        attempt: &str,
        documents: &NewDocuments,
    ) -> PyResult<Vec<String>> {
        let order = read(order)?;
        let documents = std::mem::take(&mut *lock(&documents.0));
        let built = py.detach(|| {
            self.with(|machine| raised(machine.build(shard, &order, attempt, documents)))
        })?;
        Ok(built.iter().map(json).collect())
    }

    /// Writes the slice of a shard of several segments that become one. What was built, as JSON.
    fn merge(
        &self,
        py: Python<'_>,
        shard: usize,
        order: &str,
        attempt: &str,
    ) -> PyResult<Vec<String>> {
        let order = read(order)?;
        let built = py.detach(|| {
            self.with(|machine| raised(machine.merge(shard, &order, attempt, NOBODY)))
        })?;
        Ok(built.iter().map(json).collect())
    }

    /// The postings of one shard, for many questions.
    fn counter(&self, py: Python<'_>, shard: usize, asking: &str) -> PyResult<Counter> {
        let asking = read(asking)?;
        let counter = py.detach(|| self.with(|machine| raised(machine.counter(shard, &asking))))?;
        Ok(Counter(Mutex::new(counter)))
    }

    /// What is listed for questions, by what all shards have said: `digests`, `words`, and lists in
    /// `shards` and `counts`. In `row` is the row of the question.
    fn answers(
        &self,
        py: Python<'_>,
        questions: &Bound<'_, PyAny>,
        asking: &str,
    ) -> PyResult<Table> {
        let asking: Asking = read(asking)?;
        let questions = batch(questions)?;
        let (digests, words) = (
            sizes(&questions, "digests")?,
            numbers_in(&questions, "words")?,
        );
        let ids = strings(&questions, "id")?;
        let shards = values_of(&questions, "shards", &DataType::Int32)?;
        let counts = values_of(&questions, "counts", &DataType::Binary)?;
        py.detach(|| {
            let asked = ids.all().into_iter().enumerate().map(|(row, id)| Said {
                id: id.unwrap_or_default(),
                words: words[row],
                digests: digests[row],
                of_shards: of_shards(&shards[row], &counts[row]),
            });
            let asked: Vec<Said<'_>> = asked.collect();
            let answers = self.with(|machine| raised(machine.answers(&asking, &asked)))?;
            answer_table(&answers)
        })
    }
}

/// Why a row without a text is not registered.
const NO_TEXT: &str = "no text in it";

impl ShardWork {
    fn with<T>(&self, act: impl FnOnce(&Machine) -> T) -> T {
        act(&lock(&self.0))
    }
}

/// New documents of a shard, batch by batch.
#[pyclass(frozen, module = "cento._cento")]
pub(crate) struct NewDocuments(Mutex<Vec<NewDocument>>);

#[pymethods]
impl NewDocuments {
    #[new]
    fn new() -> NewDocuments {
        NewDocuments(Mutex::default())
    }

    /// Takes some of them.
    fn add(&self, documents: &Bound<'_, PyAny>) -> PyResult<()> {
        let documents = batch(documents)?;
        let units = sizes(&documents, "unit")?;
        let blocks = sizes(&documents, "first_block")?;
        let tokens = sizes(&documents, "tokens")?;
        let weights = column(&documents, "weight")?;
        let weights = weights.as_primitive_opt::<Float64Type>();
        let weights = weights.ok_or_else(|| changed("weight"))?;
        let portions = Bytes::of(&documents, "portion")?;
        let rows = (0..documents.num_rows()).map(|row| NewDocument {
            unit: units[row],
            first_block: blocks[row],
            tokens: tokens[row],
            weight: weights.value(row),
            portion: portions.value(row).to_vec(),
        });
        lock(&self.0).extend(rows);
        Ok(())
    }
}

/// Counts what the documents of a shard share with questions.
#[pyclass(frozen, module = "cento._cento")]
pub(crate) struct Counter(Mutex<ShardCounter>);

#[pymethods]
impl Counter {
    /// What the shard says about each of some questions.
    fn count(&self, py: Python<'_>, questions: &Bound<'_, PyAny>) -> PyResult<Table> {
        let questions = batch(questions)?;
        let portions = Bytes::of(&questions, "portion")?;
        py.detach(|| {
            let mut counter = lock(&self.0);
            let mut all = Vec::with_capacity(portions.len());
            for row in 0..portions.len() {
                let counts = counter.count(portions.value(row)).map_err(of_library)?;
                all.push(counts.ok_or_else(|| changed("portion"))?);
            }
            let counts = binaries(all.iter().map(|one| Some(one.as_slice())))?;
            Table::of(vec![("counts", Arc::new(counts))])
        })
    }
}

/// Why rows are no documents.
fn reasons<T>(cut: &[Cut<T>]) -> ArrayRef {
    Arc::new(cut.iter().map(Cut::reason).collect::<StringArray>())
}

/// Lists of bytes, one for each row that has one.
fn lists(rows: &[Option<&[Vec<u8>]>]) -> PyResult<ListArray> {
    let lengths = rows.iter().map(|row| row.map_or(0, <[_]>::len));
    let offsets = OffsetBuffer::from_lengths(lengths);
    let all: Vec<&Vec<u8>> = rows.iter().copied().flatten().flatten().collect();
    let values: BinaryArray = binaries(all.iter().map(|one| Some(one.as_slice())))?;
    let nulls = rows.iter().map(Option::is_some).collect();
    let field = Arc::new(Field::new("item", DataType::Binary, true));
    Ok(ListArray::new(
        field,
        offsets,
        Arc::new(values),
        Some(nulls),
    ))
}
