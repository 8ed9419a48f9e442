//! What every front end renders: the result of a run as data (`cento.report/1`).

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::eval::advise::{Advice, Histogram};

/// The version of this data.
pub const SCHEMA: &str = "cento.report/1";

/// The result of a run. Pairs come by score, highest first, then by ids; pairs with a short
/// document come after all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The version of Cento.
    pub cento: &'static str,
    /// What was run: `compare` or `scan`.
    pub command: &'static str,
    /// The recipe's text form.
    pub recipe: String,
    /// The measure's name.
    pub measure: String,
    /// Every other parameter that has a say in the result.
    pub settings: BTreeMap<&'static str, Setting>,
    /// The documents, in the order of their ids.
    pub documents: Vec<Summary>,
    /// The pairs at or above the threshold.
    pub pairs: Vec<PairReport>,
    /// How many pairs are at or above the threshold, listed or not.
    pub at_threshold: u64,
    /// How many pairs share something but score below the threshold.
    pub below_threshold: u64,
    /// How many pairs have which score.
    #[serde(skip_serializing_if = "is_empty", serialize_with = "percents")]
    pub histogram: Histogram,
    /// What the scores mean in this collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
    /// Groups of documents that the pairs connect.
    pub families: Vec<Vec<String>>,
    /// What could not be read, and why.
    pub skipped: Vec<Skipped>,
    /// Limits that acted, and other things worth knowing.
    pub notes: Vec<String>,
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Setting {
    /// A share.
    Number(f64),
    /// A count.
    Count(u64),
    /// A name.
    Text(String),
    /// Several names.
    List(Vec<String>),
}

/// One document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its path relative to what was given.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// How many words it has.
    pub words: u64,
    /// How many distinct digests count.
    pub digests: u32,
    /// The share of its digests that some other document has too.
    #[serde(serialize_with = "rounded")]
    pub global: f64,
    /// It has fewer than [`SHORT`] words.
    #[serde(skip_serializing_if = "is_false")]
    pub short: bool,
    /// It is only compared with, not among its like.
    #[serde(skip_serializing_if = "is_false")]
    pub old: bool,
    /// What is odd about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Documents with fewer words than this are marked short and never lead the list.
pub const SHORT: u64 = 50;

/// Two documents and what they share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairReport {
    /// Id of one.
    pub left: String,
    /// Id of the other.
    pub right: String,
    /// The value of the chosen measure, of the larger direction where it has one.
    #[serde(serialize_with = "rounded")]
    pub score: f64,
    /// How many distinct digests they share.
    pub shared: u32,
    /// How much of the left one is in the right one, and the other way round.
    #[serde(serialize_with = "rounded_both")]
    pub containment: [f64; 2],
    /// Twice the shared digests over the sum of both.
    #[serde(serialize_with = "rounded")]
    pub symmetric: f64,
    /// The shared digests over the union.
    #[serde(serialize_with = "rounded")]
    pub resemblance: f64,
    /// The larger containment.
    #[serde(serialize_with = "rounded")]
    pub max_containment: f64,
}

/// A document that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    /// Its path relative to what was given.
    pub id: String,
    /// Why.
    pub reason: String,
}

fn is_empty(histogram: &Histogram) -> bool {
    histogram.buckets.is_empty()
}

/// Pairs by whole percent: the first of 101 numbers counts those that share nothing, the next those
/// up to one percent, the last those above 99.
fn percents<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    let shared = histogram
        .buckets
        .chunks(Histogram::BUCKETS / 100)
        .map(|chunk| chunk.iter().sum());
    std::iter::once(histogram.zero)
        .chain(shared)
        .collect::<Vec<u64>>()
        .serialize(serializer)
}

/// Six decimals: more would only show the rounding of the division.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(six_decimals(*value))
}

fn rounded_both<S: Serializer>(values: &[f64; 2], serializer: S) -> Result<S::Ok, S::Error> {
    values.map(six_decimals).serialize(serializer)
}

/// Rounds to six decimals, but never up to 1: only identical sets read 1.
fn six_decimals(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded >= 1.0 && value < 1.0 {
        0.999_999
    } else {
        rounded
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}
