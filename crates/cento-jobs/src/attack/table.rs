//! What attacks leave of fingerprints: Table 2 of the text sifting paper, for any recipe.

use cento::Measure;
use cento::report::Skipped;
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::system::{Left, System, is_empty, left_of, mean_span, nearest, systems};
use super::{Original, Plan, TableOptions};
use crate::error::Result;
use crate::method::Method;
use crate::watch::{Step, Watch};

/// The averages, and what they are averages of.
#[derive(Clone, Debug)]
pub struct Table {
    /// How many documents were attacked.
    pub documents: usize,
    /// How many keys keyed recipes had.
    pub keys: u32,
    /// The S3 from which on a copy counts as found, or the score of a program, if somebody asked.
    pub threshold: Option<f64>,
    /// What decided the random choices.
    pub seed: u64,
    /// The share of the programs that was touched, if they are programs.
    pub level: Option<f64>,
    /// The names of the attacks.
    pub attacks: Vec<String>,
    /// A column for each recipe.
    pub columns: Vec<Column>,
    /// What could not be read.
    pub skipped: Vec<Skipped>,
}

/// What one recipe makes of the attacks.
#[derive(Clone, Debug)]
pub struct Column {
    /// The recipe as it was given.
    pub recipe: String,
    /// S1 and S3 for every attack; none if all fingerprints are empty, or the attack touched none.
    pub means: Vec<Option<[f64; 2]>>,
    /// For every attack on programs, the score by the recipe's own measure.
    pub scores: Vec<Option<f64>>,
    /// For every attack on programs, how many of them it found nothing in that it could touch: those
    /// are no part of the means.
    pub untouched: Vec<usize>,
    /// For every attack, how many of the copies are not found at the threshold; none without one.
    pub missed: Vec<Option<Missed>>,
    /// The highest S3 of two different documents,
    pub between: f64,
    /// and which ones.
    pub nearest: Option<[String; 2]>,
    /// The highest score of two different programs by the recipe's own measure, and which ones.
    pub highest: Option<(f64, Option<[String; 2]>)>,
    /// How many fingerprints of originals there are,
    pub fingerprints: usize,
    /// and how many of them are empty.
    pub empty: usize,
    /// Mean number of digests of an original.
    pub digests: f64,
    /// Mean distance in words from a chunk's first to its last token: what `adapted:N` adapts to.
    pub span: f64,
}

/// Attacked copies that a system does not find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// The share of copies whose S3 is below the threshold; of programs, whose score is.
    pub below: f64,
    /// The share of successful attacks, in the paper's words (section 3): S3 is below the threshold
    /// although the mean over all keys is not. Not known with one key.
    pub success: Option<f64>,
}

/// Attacks every document and measures what is left, by every recipe and key.
pub(super) fn measure(
    originals: &[Original],
    plan: &Plan,
    methods: &[Method],
    wanted: &TableOptions,
    skipped: Vec<Skipped>,
    watch: &Watch<'_>,
) -> Result<Table> {
    let systems: Vec<Vec<System<'_>>> = methods
        .iter()
        .map(|method| systems(method, wanted.keys, originals, watch))
        .collect::<Result<_>>()?;
    let threshold = wanted.threshold;
    let are_programs = originals.iter().any(|original| original.program.is_some());
    let sums = sums(originals, plan, &systems, threshold.unwrap_or(0.0), watch)?;
    let mut columns = Vec::with_capacity(methods.len());
    for (number, systems) in systems.into_iter().enumerate() {
        let of_method = |attack: usize| {
            let sums = sums.iter().map(move |document| document[attack][number]);
            sums.fold(Left::default(), Left::add)
        };
        let fingerprints = || systems.iter().flat_map(|system| &system.originals);
        let all = fingerprints().count();
        let empty = fingerprints().filter(|f| is_empty(f)).count();
        let digests: usize = fingerprints().map(|f| f.digests().len()).sum();
        let lefts: Vec<Left> = (0..plan.kinds.len()).map(of_method).collect();
        let mean = |left: &Left, sum: f64| (left.measured > 0).then(|| sum / left.measured as f64);
        let means = lefts.iter().map(|left| {
            let [s1, s3] = [left.s1, left.s3].map(|sum| mean(left, sum));
            Some([s1?, s3?])
        });
        let means = means.collect();
        let missed = lefts.iter().map(|left| {
            threshold?;
            let success = mean(left, left.successes as f64);
            Some(Missed {
                below: mean(left, left.below as f64)?,
                success: success.filter(|_| systems.len() > 1),
            })
        });
        let missed = missed.collect();
        let span = mean_span(originals, &systems[0], watch)?;
        let (between, pair) = nearest(originals, &systems, Measure::MaxContainment, watch)?;
        let own = methods[number].recipe.measure();
        let highest = if are_programs {
            Some(nearest(originals, &systems, own, watch)?)
        } else {
            None
        };
        let scores = lefts.iter().map(|left| mean(left, left.score));
        columns.push(Column {
            recipe: methods[number].name.clone(),
            means,
            scores: scores.map(|score| score.filter(|_| are_programs)).collect(),
            untouched: lefts.iter().map(|left| left.untouched).collect(),
            missed,
            between,
            nearest: pair,
            highest,
            fingerprints: all,
            empty,
            digests: digests as f64 / all.max(1) as f64,
            span,
        });
    }
    Ok(Table {
        documents: originals.len(),
        keys: wanted.keys,
        threshold,
        seed: plan.seed,
        level: are_programs.then_some(plan.level),
        attacks: plan.kinds.iter().map(|kind| kind.name().into()).collect(),
        columns,
        skipped,
    })
}

/// Per document, attack and recipe: what is left, over the keys. Each attacked text is made
/// once and dropped again.
fn sums(
    originals: &[Original],
    plan: &Plan,
    systems: &[Vec<System<'_>>],
    threshold: f64,
    watch: &Watch<'_>,
) -> Result<Vec<Vec<Vec<Left>>>> {
    watch.begin(Step::Attacking, originals.len(), 0);
    let sums = (0..originals.len())
        .into_par_iter()
        .map(|number| {
            let original = &originals[number];
            let sums = plan.kinds.iter().map(|kind| {
                let copy = plan.copy(original, kind)?;
                if original.program.is_some() && copy == original.content.text {
                    let untouched = Left {
                        untouched: 1,
                        ..Left::default()
                    };
                    return Ok(vec![untouched; systems.len()]);
                }
                let attacked = plan.read(original, kind, copy)?;
                let left = |systems: &Vec<System<'_>>| {
                    left_of(systems, number, &attacked, threshold, watch)
                };
                systems.iter().map(left).collect::<Result<_>>()
            });
            let sums = sums.collect::<Result<_>>();
            watch.advance(1, 0);
            sums
        })
        .collect::<Result<_>>()?;
    watch.end();
    Ok(sums)
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = Vec::new();
        for (number, attack) in self.attacks.iter().enumerate() {
            for column in &self.columns {
                let [s1, s3] = match column.means[number] {
                    Some(means) => means.map(|mean| Some(six_decimals(mean))),
                    None => [None, None],
                };
                let mut row = json!({
                    "attack": attack, "recipe": column.recipe, "s1": s1, "s3": s3,
                });
                if self.threshold.is_some() {
                    let missed = column.missed[number];
                    row["below"] = json!(missed.map(|missed| six_decimals(missed.below)));
                    let success = missed.and_then(|missed| missed.success);
                    row["success"] = json!(success.map(six_decimals));
                }
                if self.level.is_some() {
                    row["score"] = json!(column.scores[number].map(six_decimals));
                    row["untouched"] = json!(column.untouched[number]);
                }
                rows.push(row);
            }
        }
        let different: Vec<Value> = self.columns.iter().map(Column::json).collect();
        let mut value = json!({
            "documents": self.documents,
            "keys": self.keys,
            "seed": self.seed,
            "rows": rows,
            "different_documents": different,
            "skipped": self.skipped,
        });
        if let Some(level) = self.level {
            value["level"] = json!(level);
        }
        if let Some(threshold) = self.threshold {
            value["threshold"] = json!(threshold);
        }
        value.serialize(serializer)
    }
}

impl Column {
    fn json(&self) -> Value {
        let mut value = json!({
            "recipe": self.recipe,
            "s3": six_decimals(self.between),
            "nearest": self.nearest,
            "fingerprints": self.fingerprints,
            "empty": self.empty,
            "digests": six_decimals(self.digests),
            "span": six_decimals(self.span),
        });
        if let Some((score, nearest)) = &self.highest {
            value["score"] = json!(six_decimals(*score));
            value["nearest_by_score"] = json!(nearest);
        }
        value
    }
}

/// Six decimals, as in reports: more would only show the rounding of the division.
fn six_decimals(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
