//! What executors of Spark do with their parts of the data: steps of the search over columns of Arrow.
//!
//! The JVM has no unsigned numbers, so numbers of documents and digests travel as signed ones with the
//! same bits. What is exchanged by digest is packed into bytes (`packed.rs`), so that the engine moves
//! a few large rows instead of one for every digest.

mod columns;
mod packed;
mod shards;
mod tests;

pub(crate) use packed::{Groups, Scatter, spark_frequent};
pub(crate) use shards::{Counter, NewDocuments, ShardWork, Shards, shards_asking};
pub(crate) use tests::Tests;

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, RecordBatch};
use cento::Digest;
use cento::index::parts::{Forest, Parts as Steps, Sample, settle};
use cento_jobs::Watch;
use cento_jobs::dedupe::Clusters;
use cento_jobs::dedupe::parts::NearDuplicateParts;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrow::{Column, Table, Texts};
use crate::dedupe::{max_errors, near_duplicates};
use crate::error::CentoError;
use crate::fingerprint::raised;
use crate::options::Keywords;
use columns::{Digests, numbers, packed_digests, sizes};

/// When documents are alike, which ones are kept, and what is looked at of each.
#[pyclass(frozen, module = "cento._cento")]
pub(crate) struct Parts {
    settled: NearDuplicateParts,
    steps: Steps,
}

#[pymethods]
impl Parts {
    /// With the digests that many documents have, eight bytes each.
    #[new]
    #[pyo3(signature = (frequent, **options))]
    fn new(
        py: Python<'_>,
        frequent: &[u8],
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Parts> {
        let mut keywords = Keywords::of("dedupe", options, py)?;
        let audience = keywords.audience()?;
        let max_errors = max_errors(&mut keywords)?;
        let wanted = near_duplicates(&mut keywords)?;
        keywords.finish()?;
        let settled = audience.run(py, |watch| {
            NearDuplicateParts::new(&wanted, max_errors, watch)
        })?;
        let (frequent, _) = frequent.as_chunks();
        let frequent = frequent.iter().map(|one| Digest(u64::from_le_bytes(*one)));
        let steps = Steps::new(settled.query(), frequent.collect());
        Ok(Parts { settled, steps })
    }

    /// What a known text becomes: the same wherever recipe and key are the same.
    fn check<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let digests = self.settled.check();
        let bytes: Vec<u8> = digests.iter().flat_map(|one| one.0.to_le_bytes()).collect();
        PyBytes::new(py, &bytes)
    }

    /// The field that decides which one is kept, if one does.
    #[getter]
    fn field(&self) -> Option<&str> {
        self.settled.field()
    }

    /// The rank of a document without a number in that field.
    #[getter]
    fn rank_without_field(&self) -> i64 {
        self.settled.rank("", None)
    }

    /// Whether of several with the same rank the last one is preferred.
    #[getter]
    fn is_last(&self) -> bool {
        self.settled.is_last()
    }

    /// What belongs together: stars, components, or only equal texts.
    #[getter]
    fn clusters(&self) -> &'static str {
        match self.settled.clusters() {
            Some(Clusters::Star) => "star",
            Some(Clusters::Components) => "components",
            None => "exact",
        }
    }

    #[getter]
    fn drop_all(&self) -> bool {
        self.settled.drops_all()
    }

    /// The options that the result depends on, with those that were not given.
    fn described<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let described = PyDict::new(py);
        described.set_item("keep", self.settled.keep().to_string())?;
        described.set_item("drop_all", self.settled.drops_all())?;
        described.set_item("exact", self.settled.clusters().is_none())?;
        if self.settled.clusters().is_some() {
            described.set_item("clusters", self.clusters())?;
            described.set_item("measure", self.settled.query().measure.to_string())?;
            described.set_item("recipe", self.settled.recipe())?;
            described.set_item("threshold", self.settled.query().at_least)?;
        }
        Ok(described)
    }

    /// For each text the rank in the order of preference, its digests, and how many characters it has;
    /// nothing of a row without a text.
    fn documents(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        fields: Option<Vec<Option<f64>>>,
    ) -> PyResult<Table> {
        let texts = Texts::of(texts)?;
        let columns = py.detach(|| {
            let texts = texts.all();
            let field = |row: usize| fields.as_ref().and_then(|fields| fields.get(row).copied()?);
            let ranks = texts.iter().enumerate();
            let ranks = ranks.map(|(row, text)| Some(self.settled.rank((*text)?, field(row))));
            let digests = texts
                .iter()
                .map(|text| text.map(|text| self.settled.digests(text)));
            let digests = digests.map(Option::transpose);
            let digests = raised(digests.collect::<cento_jobs::Result<Vec<_>>>())?;
            let characters = texts
                .iter()
                .map(|text| i64::try_from((*text)?.chars().count()).ok());
            Ok::<[(&str, ArrayRef); 3], PyErr>([
                ("rank", Arc::new(ranks.collect::<Int64Array>())),
                ("digests", Arc::new(packed_digests(&digests)?)),
                ("characters", Arc::new(characters.collect::<Int64Array>())),
            ])
        })?;
        Table::of(columns.into())
    }

    /// Which pairs may be alike, by how often they met.
    fn may_be_alike(&self, py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<Column> {
        let pairs = columns::batch(pairs)?;
        let column = |name: &str| sizes(&pairs, name);
        let met = column("met")?;
        let left = [column("left_size")?, column("left_rest")?];
        let right = [column("right_size")?, column("right_rest")?];
        let mask: BooleanArray = py.detach(|| {
            let alike = (0..pairs.num_rows()).map(|row| {
                let sides = [0, 1].map(|at| [left[at][row], right[at][row]]);
                Some(self.steps.may_be_alike(met[row], sides[0], sides[1]))
            });
            alike.collect()
        });
        Ok(Column(Arc::new(mask)))
    }

    /// How alike the documents of pairs are by their digests, where they are alike enough.
    fn alike(&self, py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<Column> {
        compared(py, pairs, |left, right| self.steps.alike(left, right))
    }

    /// How alike the documents of pairs are.
    fn score(&self, py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<Column> {
        compared(py, pairs, |left, right| Some(self.steps.score(left, right)))
    }
}

/// What a comparison says of the digests of each pair.
fn compared(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    compare: impl Fn(&[Digest], &[Digest]) -> Option<f64> + Sync,
) -> PyResult<Column> {
    let pairs: RecordBatch = columns::batch(pairs)?;
    let left = Digests::of(&pairs, "left_digests")?;
    let right = Digests::of(&pairs, "right_digests")?;
    let compared = py.detach(|| {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        let compared = (0..pairs.num_rows()).map(|row| {
            left.read(row, &mut one)?;
            right.read(row, &mut other)?;
            Ok(compare(&one, &other))
        });
        compared.collect::<PyResult<Float64Array>>()
    })?;
    Ok(Column(Arc::new(compared)))
}

/// Which documents tell how frequent digests are: every so-manieth, and how many of them must have one.
#[pyfunction]
pub(crate) fn spark_sample(digests: u64) -> (u64, u64) {
    let sample = Sample::of(digests);
    (sample.step, sample.least)
}

/// What can be settled of the documents of pairs that are alike.
#[pyfunction]
pub(crate) fn spark_settle(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    late: &Bound<'_, PyAny>,
) -> PyResult<Table> {
    let (left, right, late) = (numbers(left)?, numbers(right)?, numbers(late)?);
    let settled = py.detach(|| {
        let pairs: Vec<(u64, u64)> = left.into_iter().zip(right).collect();
        settle(&pairs, &late)
    });
    let kept = settled.kept.iter().map(|number| (*number, true));
    let removed = settled.removed.iter().map(|number| (*number, false));
    let all: Vec<(u64, bool)> = kept.chain(removed).collect();
    let number: Int64Array = all.iter().map(|(one, _)| Some(one.cast_signed())).collect();
    let is_kept: BooleanArray = all.iter().map(|(_, is_kept)| Some(*is_kept)).collect();
    let columns: [(&str, ArrayRef); 2] =
        [("number", Arc::new(number)), ("is_kept", Arc::new(is_kept))];
    Table::of(columns.into())
}

/// Each document of pairs with the first one that it is connected with.
#[pyfunction]
pub(crate) fn spark_forest(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Table> {
    let (left, right) = (numbers(left)?, numbers(right)?);
    let trees = py.detach(|| {
        let mut forest = Forest::default();
        for (left, right) in left.into_iter().zip(right) {
            forest.connect(left, right);
        }
        forest.trees()
    });
    let number: Int64Array = trees.iter().map(|one| Some(one.0.cast_signed())).collect();
    let root: Int64Array = trees.iter().map(|one| Some(one.1.cast_signed())).collect();
    let columns: [(&str, ArrayRef); 2] = [("number", Arc::new(number)), ("root", Arc::new(root))];
    Table::of(columns.into())
}

/// Values of bytes as a column; an error if they are too many for one.
fn binaries<'b>(
    values: impl ExactSizeIterator<Item = Option<&'b [u8]>> + Clone,
) -> PyResult<BinaryArray> {
    let total: usize = values.clone().flatten().map(<[u8]>::len).sum();
    if i32::try_from(total).is_err() {
        return Err(CentoError::new_err(format!(
            "{total} bytes of digests are too many for one batch; set \
             spark.sql.execution.arrow.maxRecordsPerBatch to a smaller number"
        )));
    }
    Ok(values.collect())
}

/// Nobody watches the steps of a search: the engine follows its tasks.
const NOBODY: &Watch<'_> = &Watch::NOBODY;
