//! Figures with intervals, and what they come to over folds, whatever is measured.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use cento::eval::resample::{Interval, PERCENT, RESAMPLES, SEED, Spread, folds, resampled};
use serde_json::{Map, Value, json};

use crate::error::{Error, Result};

/// A share that was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// What it is called in JSON.
    pub name: &'static str,
    /// What was measured.
    pub value: f64,
    /// Where it is likely to be for other documents; none if there is one source document only.
    pub interval: Option<Interval>,
}

/// Rows for the folders of a collection, and one for all of them together.
#[derive(Clone, Debug)]
pub struct Rows<C> {
    /// A row for every folder that has pairs.
    pub folders: Vec<Row<C>>,
    /// All together.
    pub all: Row<C>,
}

/// What was counted in the pairs of a folder, and the figures that come of it.
#[derive(Clone, Debug)]
pub struct Row<C> {
    /// The folder.
    pub folder: String,
    /// What was counted.
    pub counts: C,
    /// The shares with their intervals; none if there is nothing to measure.
    pub figures: Vec<Figure>,
}

/// What the figures of a folder come to over folds.
#[derive(Clone, Debug, PartialEq)]
pub struct FolderSpread {
    /// The folder.
    pub folder: String,
    /// By the names of the figures, in their order.
    pub figures: Vec<(&'static str, Spread)>,
}

/// How a figure is made of what was counted; none if nothing that it is about was counted.
pub(super) type Made<T> = (&'static str, fn(&T) -> Option<f64>);

/// The figures of a sum over groups of pairs that do not depend on each other.
pub(super) fn figures<T: Copy + Default + AddAssign>(
    sum: &T,
    groups: &[T],
    made: &[Made<T>],
) -> Vec<Figure> {
    let draws = resampled(groups);
    let figure = |&(name, of): &Made<T>| {
        Some(Figure {
            name,
            value: of(sum)?,
            interval: Interval::of(draws.iter().filter_map(of)),
        })
    };
    made.iter().filter_map(figure).collect()
}

/// The fold of every group of pairs, by the groups of the pairs.
pub(super) fn folds_of<'a>(
    groups: impl Iterator<Item = &'a str>,
    count: usize,
) -> Result<BTreeMap<&'a str, usize>> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups {
        *sizes.entry(group).or_default() += 1;
    }
    if count < 2 || count > sizes.len() {
        let reason = format!(
            "must be at least 2, and at most {}: all pairs of a source document are in one fold",
            sizes.len()
        );
        return Err(Error::option("folds", reason));
    }
    let fold_of = folds(&sizes.values().copied().collect::<Vec<_>>(), count);
    Ok(sizes.into_keys().zip(fold_of).collect())
}

/// What the figures come to over folds: for every folder, then for all together.
pub fn spread<C>(folds: &[Rows<C>]) -> Vec<FolderSpread> {
    let rows = || folds.iter().flat_map(|fold| &fold.folders);
    let mut folders: Vec<&str> = rows().map(|row| row.folder.as_str()).collect();
    folders.sort_unstable();
    folders.dedup();
    let of_folder = folders.into_iter().map(|folder| {
        let rows = rows().filter(|row| row.folder == folder);
        folder_spread(folder, &rows.collect::<Vec<_>>())
    });
    let all: Vec<&Row<C>> = folds.iter().map(|fold| &fold.all).collect();
    let all = all.first().map(|row| folder_spread(&row.folder, &all));
    of_folder.chain(all).collect()
}

fn folder_spread<C>(folder: &str, rows: &[&Row<C>]) -> FolderSpread {
    let mut names: Vec<&str> = Vec::new();
    for figure in rows.iter().flat_map(|row| &row.figures) {
        if !names.contains(&figure.name) {
            names.push(figure.name);
        }
    }
    let spread = |name| {
        let figures = rows.iter().flat_map(|row| &row.figures);
        let values = figures.filter(|figure| figure.name == name);
        let spread = Spread::of(&values.map(|figure| figure.value).collect::<Vec<_>>());
        Some((name, spread?))
    };
    FolderSpread {
        folder: folder.to_owned(),
        figures: names.into_iter().filter_map(spread).collect(),
    }
}

/// How intervals are made.
pub(super) fn intervals_json() -> Value {
    let level = PERCENT as f64 / 100.0;
    json!({ "level": level, "draws": RESAMPLES, "seed": SEED, "by": "source" })
}

/// The intervals of some figures, by their names.
pub(super) fn intervals_of(figures: &[Figure]) -> Value {
    let named = figures.iter().map(|figure| {
        let interval = figure.interval.map(|Interval { low, high }| [low, high]);
        (figure.name.to_owned(), json!(interval))
    });
    Value::Object(named.collect::<Map<_, _>>())
}

/// Folds and what they come to, if there are any.
pub(super) fn add_folds<C>(value: &mut Value, folds: &[Rows<C>], json: impl Fn(&Rows<C>) -> Value) {
    if folds.is_empty() {
        return;
    }
    value["folds"] = folds.iter().map(json).collect();
    let spread = spread(folds).into_iter().map(|row| {
        let named = row.figures.into_iter();
        let named = named.map(|(name, spread)| (name.to_owned(), json!(spread)));
        let mut value = Value::Object(named.collect::<Map<_, _>>());
        value["folder"] = row.folder.into();
        value
    });
    value["spread"] = spread.collect();
}
