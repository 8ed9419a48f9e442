//! Which documents are kept, and which one each of the others is like.

use std::cmp::Reverse;
use std::str::FromStr;

use anyhow::{Result, bail};
use cento::Watch;
use cento::index::{ClusterQuery, Stars, components};

use super::dataset::{Dataset, Document};
use super::registered::Known;
use super::work::Work;
use crate::args::Clusters;
use crate::progress::Progress;

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
    fn order(&self, documents: &[Document]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..).take(documents.len()).collect();
        let document = |place: u32| &documents[place as usize];
        match self {
            Keep::First => {}
            Keep::Last => order.reverse(),
            Keep::Longest => order.sort_by_key(|&place| Reverse(document(place).length)),
            Keep::Shortest => order.sort_by_key(|&place| document(place).length),
            Keep::Max(_) => order.sort_by(|&a, &b| {
                // What has no such number comes last.
                let value = |place: u32| document(place).field.unwrap_or(f64::NEG_INFINITY);
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

/// The choice for each document, by the order of the input. With a work folder a search that was ended
/// goes on. Documents that are known from elsewhere are not kept, and nothing is compared with them.
pub(super) fn choose(
    dataset: &Dataset,
    known: &[Option<Known>],
    keep: &Keep,
    clusters: Clusters,
    query: &ClusterQuery,
    work: Option<&Work>,
    quiet: bool,
) -> Result<Vec<Choice>> {
    let mut order = keep.order(&dataset.documents);
    order.retain(|place| !matches!(known.get(*place as usize), Some(Some(_))));
    let progress = Progress::new("comparing", order.len(), quiet);
    let tell = |done, all| progress.reach(done, all);
    let watch = Watch::new(&tell, &|| false);
    let fates: Vec<(u32, f64)> = match clusters {
        Clusters::Components => components(&dataset.store, &order, query, watch)?,
        Clusters::Star => {
            let mut stars = Stars::new(&dataset.store, &order, *query, watch)?;
            // What a registry knows may have changed meanwhile.
            let saved = work.filter(|_| known.is_empty()).map(Work::stars);
            if let Some(saved) = saved.as_ref().filter(|saved| saved.exists()) {
                stars.load(saved)?;
            }
            while !stars.is_done() {
                stars.pass(watch)?;
                if let Some(saved) = &saved {
                    stars.save(saved)?;
                }
            }
            let fates = stars.fates().into_iter();
            fates.map(|fate| (fate.star, fate.similarity)).collect()
        }
    };
    progress.finish();
    let mut choices: Vec<Choice> = (0..dataset.documents.len())
        .map(|kept| Choice {
            kept,
            is_kept: false,
            similarity: match known.get(kept) {
                Some(Some(known)) => known.similarity,
                _ => 0.0,
            },
        })
        .collect();
    for (place, (kept, similarity)) in fates.into_iter().enumerate() {
        choices[order[place] as usize] = Choice {
            kept: order[kept as usize] as usize,
            is_kept: kept as usize == place,
            similarity,
        };
    }
    Ok(choices)
}
