//! Shards that the executors of Spark fill and ask. Orders, what was built and what is asked travel as
//! JSON, texts and portions as columns.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array as _, ArrayRef, BinaryArray, Float64Array, Int32Array, Int64Array, ListArray,
    RecordBatch, StringArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field};
use cento::index::registry::{NewDocument, ShardCounter};
use cento_jobs::register::shards::{Filling, Row, RowRead};
use cento_jobs::shards::{Cut, Machine};
use cento_jobs::verify::SearchOptions;
use cento_jobs::verify::shards::Asking;
use cento_jobs::{register as registering, verify as verifying};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::de::DeserializeOwned;

use super::columns::{Bytes, batch, column, numbers_in, sizes};
use super::{NOBODY, binaries};
use crate::arrow::{Table, Texts};
use crate::error::{CentoError, of_library};
use crate::eval::json;
use crate::fingerprint::raised;
use crate::options::Keywords;
use crate::report::rounded;

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
            let ready = |one| match one {
                &Cut::Ready(ref document) => Some(document),
                Cut::Skipped(_) => None,
            };
            let documents: Vec<_> = cut.iter().map(ready).collect();
            let numbers = |of: &dyn Fn(&cento_jobs::shards::Document) -> i64| -> ArrayRef {
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
            let ready = |one| match one {
                &Cut::Ready(ref question) => Some(question),
                Cut::Skipped(_) => None,
            };
            let questions: Vec<_> = cut.iter().map(ready).collect();
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
        let said = said(&questions)?;
        py.detach(|| {
            let asked: Vec<_> = said.iter().map(Said::all).collect();
            let asked: Vec<_> = digests.iter().copied().zip(asked).collect();
            let answers = self.with(|machine| raised(machine.answers(&asking, &asked)))?;
            answer_table(&ids.all(), &words, &answers)
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
        let weights = weights.as_primitive_opt::<arrow_array::types::Float64Type>();
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

/// What is asked of shards, as JSON, and how many there are.
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub(crate) fn shards_asking(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<(String, usize)> {
    let mut keywords = Keywords::of("verify", options, py)?;
    let audience = keywords.audience()?;
    let options = verifying::Options {
        registry: keywords.registry(path)?,
        set: keywords.take("set")?,
        search: SearchOptions {
            measure: keywords.take("measure")?,
            threshold: keywords.take("threshold")?,
            top: keywords.take("top")?,
            include_standard: keywords.take("include_standard")?.unwrap_or(false),
            ..SearchOptions::default()
        },
        ..verifying::Options::default()
    };
    keywords.finish()?;
    audience
        .run(py, |watch| {
            let asking = Asking::of(&options, watch)?;
            let shards = Machine::open(&options.registry, watch)?.shards();
            Ok((asking, shards))
        })
        .map(|(asking, shards)| (json(&asking), shards))
}

/// What the shards have said about a question.
struct Said {
    shards: ArrayRef,
    counts: ArrayRef,
}

impl Said {
    fn all(&self) -> Vec<(usize, &[u8])> {
        let shards = self.shards.as_primitive::<arrow_array::types::Int32Type>();
        let shards = shards.values().iter();
        let shards = shards.map(|shard| usize::try_from(*shard).unwrap_or(usize::MAX));
        let counts = self.counts.as_binary::<i32>().iter();
        shards.zip(counts.map(Option::unwrap_or_default)).collect()
    }
}

fn said(questions: &RecordBatch) -> PyResult<Vec<Said>> {
    let list = |name: &str, kind: &DataType| {
        let column = column(questions, name)?;
        let lists = column.as_list_opt::<i32>();
        let lists = lists.filter(|lists| lists.value_type() == *kind && lists.null_count() == 0);
        lists.cloned().ok_or_else(|| changed(name))
    };
    let shards = list("shards", &DataType::Int32)?;
    let counts = list("counts", &DataType::Binary)?;
    Ok((0..questions.num_rows())
        .map(|row| Said {
            shards: shards.value(row),
            counts: counts.value(row),
        })
        .collect())
}

/// Rows as a report has them, with the columns of its pairs.
fn answer_table(
    ids: &[Option<&str>],
    words: &[u64],
    answers: &[Vec<cento::index::registry::Answered>],
) -> PyResult<Table> {
    let mut pairs = Vec::new();
    let mut late = Vec::new();
    for (row, answers) in answers.iter().enumerate() {
        for answered in answers {
            let id = ids[row].unwrap_or_default();
            pairs.push(cento::verify::listed_pair(id, answered));
            late.push(i32::from(cento::verify::is_late(words[row], answered)));
        }
    }
    let names = |of: fn(&cento::report::PairReport) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(pairs.iter().map(of)))
    };
    let shares = |of: fn(&cento::report::PairReport) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(pairs.iter().map(of)))
    };
    let rarity = |of: fn(&cento::report::DigestRarity) -> u32| -> ArrayRef {
        let counts = pairs.iter().map(|pair| {
            let registry = pair.registry.as_ref()?;
            Some(i64::from(of(&registry.rarity)))
        });
        Arc::new(counts.collect::<Int64Array>())
    };
    let shared = pairs.iter().map(|pair| i64::from(pair.shared));
    Table::of(vec![
        ("left", names(|pair| &pair.left)),
        ("right", names(|pair| &pair.right)),
        ("score", shares(|pair| rounded(pair.score))),
        ("shared", Arc::new(Int64Array::from_iter_values(shared))),
        (
            "containment_left",
            shares(|pair| rounded(pair.containment[0])),
        ),
        (
            "containment_right",
            shares(|pair| rounded(pair.containment[1])),
        ),
        ("symmetric", shares(|pair| rounded(pair.symmetric))),
        ("resemblance", shares(|pair| rounded(pair.resemblance))),
        (
            "max_containment",
            shares(|pair| rounded(pair.max_containment)),
        ),
        ("rare", rarity(|one| one.rare)),
        ("some", rarity(|one| one.some)),
        ("common", rarity(|one| one.common)),
        ("is_late", Arc::new(Int32Array::from(late))),
        ("exact_score", shares(|pair| pair.score)),
    ])
}

fn reasons<T>(cut: &[Cut<T>]) -> ArrayRef {
    let reasons = cut.iter().map(|one| match one {
        Cut::Ready(_) => None,
        Cut::Skipped(reason) => Some(reason.as_str()),
    });
    Arc::new(reasons.collect::<StringArray>())
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

/// A column of texts, of which some may be missing.
fn strings(rows: &RecordBatch, name: &str) -> PyResult<Texts> {
    Texts::of_array(column(rows, name)?)
}

/// A column of numbers; one that is missing is 0.
fn filled(rows: &RecordBatch, name: &str) -> PyResult<Vec<u64>> {
    let column = column(rows, name)?;
    let numbers = column.as_primitive_opt::<arrow_array::types::Int64Type>();
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

fn changed(name: &str) -> PyErr {
    CentoError::new_err(format!("the engine has changed the column {name}"))
}

fn read<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    let wrong = |_| CentoError::new_err("an order of another version of Cento; install one");
    serde_json::from_str(text).map_err(wrong)
}

fn read_all<T: DeserializeOwned>(texts: &[String]) -> PyResult<Vec<T>> {
    texts.iter().map(|text| read(text)).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
