//! What is asked, and what is listed.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array as _, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};
use arrow_schema::DataType;
use cento::report::{DigestRarity, PairReport};
use cento::verify::ListedPair;
use cento_jobs::shards::Machine;
use cento_jobs::verify as verifying;
use cento_jobs::verify::SearchOptions;
use cento_jobs::verify::shards::Asking;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::super::columns::column;
use super::changed;
use crate::arrow::Table;
use crate::eval::json;
use crate::options::Keywords;
use crate::report::rounded;

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

/// Lists of a column, one for each row.
pub(super) fn values_of(
    questions: &RecordBatch,
    name: &str,
    kind: &DataType,
) -> PyResult<Vec<ArrayRef>> {
    let column = column(questions, name)?;
    let lists = column.as_list_opt::<i32>();
    let lists = lists.filter(|lists| lists.value_type() == *kind && lists.null_count() == 0);
    let lists = lists.ok_or_else(|| changed(name))?;
    Ok((0..lists.len()).map(|row| lists.value(row)).collect())
}

/// The shards by their numbers, and what each has said.
pub(super) fn of_shards<'a>(shards: &ArrayRef, counts: &'a ArrayRef) -> Vec<(usize, &'a [u8])> {
    let shards = shards.as_primitive::<Int32Type>().values().iter();
    let shards = shards.map(|shard| usize::try_from(*shard).unwrap_or(usize::MAX));
    let counts = counts.as_binary::<i32>().iter();
    shards.zip(counts.map(Option::unwrap_or_default)).collect()
}

/// Rows as a report has them, with the columns of its pairs.
pub(super) fn answer_table(listed: &[ListedPair]) -> PyResult<Table> {
    let pairs: Vec<&PairReport> = listed.iter().map(|one| &one.pair).collect();
    let ranks: Int32Array = listed.iter().map(|one| Some(i32::from(one.rank))).collect();
    let thin: BooleanArray = pairs.iter().map(|pair| Some(pair.thin)).collect();
    let names = |of: fn(&PairReport) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(
            pairs.iter().map(|pair| of(pair)),
        ))
    };
    let shares = |of: fn(&PairReport) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(
            pairs.iter().map(|pair| of(pair)),
        ))
    };
    let rarity = |of: fn(&DigestRarity) -> u32| -> ArrayRef {
        let counts = pairs.iter().map(|pair| {
            let registry = pair.registry.as_ref()?;
            Some(i64::from(of(&registry.rarity)))
        });
        Arc::new(counts.collect::<Int64Array>())
    };
    let counts = pairs.iter().map(|pair| i64::from(pair.shared));
    Table::of(vec![
        ("left", names(|pair| &pair.left)),
        ("right", names(|pair| &pair.right)),
        ("score", shares(|pair| rounded(pair.score))),
        ("shared", Arc::new(Int64Array::from_iter_values(counts))),
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
        ("thin", Arc::new(thin)),
        ("rank", Arc::new(ranks)),
        ("exact_score", shares(|pair| pair.score)),
    ])
}
