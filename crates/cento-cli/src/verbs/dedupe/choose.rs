//! Which documents are kept, and which one each of the others is like.

use std::cmp::Reverse;
use std::str::FromStr;

use anyhow::bail;
use cento::index::{Index, PairQuery};
use cento::{Fingerprint, Measure, overlap};

use super::dataset::Document;
use crate::args::Clusters;

/// Which one of several is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    First,
    Last,
    Longest,
    Shortest,
    /// The one with the largest number in a field.
    Max(String),
}

/// What becomes of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    /// The number of the document that is kept in its place: its own, if it is kept.
    pub(super) kept: usize,
    pub(super) is_kept: bool,
    pub(super) similarity: f64,
}

impl Keep {
    /// The field that decides.
    pub(super) fn field(&self) -> Option<&str> {
        match self {
            Keep::Max(field) => Some(field),
            _ => None,
        }
    }

    /// The documents in the order in which they are preferred; ties by the order of the input.
    fn order(&self, documents: &[Document]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..documents.len()).collect();
        match self {
            Keep::First => {}
            Keep::Last => order.reverse(),
            Keep::Longest => order.sort_by_key(|&place| Reverse(documents[place].length)),
            Keep::Shortest => order.sort_by_key(|&place| documents[place].length),
            Keep::Max(_) => order.sort_by(|&a, &b| {
                // What has no such number comes last.
                let value = |place: usize| documents[place].field.unwrap_or(f64::NEG_INFINITY);
                value(b).total_cmp(&value(a))
            }),
        }
        order
    }
}

impl FromStr for Keep {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Keep, anyhow::Error> {
        Ok(match text {
            "first" => Keep::First,
            "last" => Keep::Last,
            "longest" => Keep::Longest,
            "shortest" => Keep::Shortest,
            _ => match text.strip_prefix("max:") {
                Some(field) if !field.is_empty() => Keep::Max(field.to_owned()),
                _ => bail!("{text} is none of first, last, longest, shortest and max:FIELD"),
            },
        })
    }
}

/// The choice for each document, by the order of the input.
pub(super) fn choose(
    documents: &[Document],
    fingerprints: &[Fingerprint],
    keep: &Keep,
    measure: Measure,
    threshold: f64,
    clusters: Clusters,
) -> Vec<Choice> {
    let order = keep.order(documents);
    let preferred: Vec<&Fingerprint> = order.iter().map(|&place| &fingerprints[place]).collect();
    let index = Index::build(&preferred);
    let choices = match clusters {
        Clusters::Star => stars(&index, measure, threshold),
        Clusters::Components => components(&index, &preferred, measure, threshold),
    };
    let mut by_input = vec![None; documents.len()];
    for (place, choice) in order.iter().zip(choices) {
        by_input[*place] = Some(Choice {
            kept: order[choice.kept],
            ..choice
        });
    }
    by_input.into_iter().flatten().collect()
}

fn stars(index: &Index, measure: Measure, threshold: f64) -> Vec<Choice> {
    let fates = index.stars(measure, threshold, STEPS);
    let choice = |(place, fate): (usize, &cento::index::Fate)| Choice {
        kept: fate.star as usize,
        is_kept: fate.star as usize == place,
        similarity: fate.similarity,
    };
    fates.iter().enumerate().map(choice).collect()
}

/// Lists of digests are walked again and again up to this many steps; it costs nothing to look at
/// the others late.
const STEPS: u64 = 1 << 28;

/// The first of everything that pairs connect is kept.
fn components(
    index: &Index,
    fingerprints: &[&Fingerprint],
    measure: Measure,
    threshold: f64,
) -> Vec<Choice> {
    let found = index.pairs(&PairQuery {
        measure,
        at_least: threshold,
        old_from: u32::MAX,
        max_documents: None,
        steps: STEPS,
    });
    let mut parent: Vec<usize> = (0..fingerprints.len()).collect();
    for pair in &found.pairs {
        let left = root(&mut parent, pair.left.0 as usize);
        let right = root(&mut parent, pair.right.0 as usize);
        parent[left.max(right)] = left.min(right);
    }
    (0..fingerprints.len())
        .map(|place| {
            let kept = root(&mut parent, place);
            let similarity = if kept == place {
                1.0
            } else {
                let shared = overlap(fingerprints[place], fingerprints[kept]);
                shared.map_or(0.0, |shared| measure.score(shared))
            };
            Choice {
                kept,
                is_kept: kept == place,
                similarity,
            }
        })
        .collect()
}

fn root(parent: &mut [usize], mut place: usize) -> usize {
    while parent[place] != place {
        parent[place] = parent[parent[place]];
        place = parent[place];
    }
    place
}
