//! Which documents are kept, and which one each of the others is like.

use cento::index::{DigestStore, Stars, components};

use super::compare::Comparison;
use super::corpus::{Corpus, Identity};
use super::dataset::{Dataset, Document};
use super::exact::equal;
use super::options::{Clusters, Keep};
use super::registered::Known;
use super::work::Work;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// What becomes of the documents of a dataset.
pub(super) struct Chosen<'d> {
    documents: &'d [Document],
    /// By the number of the document.
    choices: Vec<Choice>,
    /// The registered documents that some are like; empty without a registry.
    known: Vec<Option<Known>>,
}

/// What becomes of a document.
#[derive(Clone, Copy)]
pub(super) struct Fate<'d> {
    pub(super) document: &'d Document,
    /// The id of the document that is kept in its place: its own, if it is kept.
    pub(super) cluster: &'d str,
    pub(super) is_kept: bool,
    pub(super) similarity: f64,
    /// It gave the cluster its name: it is kept, unless none of several is.
    pub(super) is_first: bool,
    /// The document in its place is a registered one.
    pub(super) is_registered: bool,
}

/// The choice for a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    /// The number of the document that is kept in its place: its own, if it is kept.
    pub(super) kept: usize,
    pub(super) is_kept: bool,
    pub(super) similarity: f64,
}

/// What decides which one of several documents is kept.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    /// The bytes of its text.
    pub(super) length: u64,
    /// The number of its input.
    pub(super) source: usize,
    /// The number in the field that was named.
    pub(super) field: Option<f64>,
}

impl<'d> Chosen<'d> {
    /// With a work folder a search that was ended goes on. Documents that a registry knows are not
    /// kept, and nothing is compared with them.
    pub(super) fn of(
        corpus: &Corpus,
        dataset: &'d Dataset,
        known: Vec<Option<Known>>,
        comparison: &Comparison,
        work: Option<&Work>,
        watch: &Watch<'_>,
    ) -> Result<Chosen<'d>> {
        let documents = &dataset.documents;
        let mut order = comparison.keep.order(documents.len(), |place| {
            let document = &documents[place as usize];
            Standing {
                length: document.length,
                source: corpus.source(document.identity),
                field: document.field,
            }
        });
        order.retain(|place| !matches!(known.get(*place as usize), Some(Some(_))));
        let kept = if comparison.exact {
            let memory = comparison.query.memory;
            kept_of_equal(&order, &equal(corpus, dataset, memory, watch)?)
        } else {
            kept(&dataset.store, &order, comparison, work, watch)?
        };
        Ok(Chosen {
            documents,
            choices: choices(documents.len(), &order, kept, comparison.drop_all),
            known,
        })
    }

    /// All documents, in the order of the input.
    pub(super) fn all(&self) -> impl Iterator<Item = Fate<'_>> {
        (0..self.documents.len()).map(|number| self.fate(number))
    }

    /// The rows of a table, in their order.
    pub(super) fn rows(&self, table: u32) -> impl Iterator<Item = Fate<'_>> {
        let before = |table: u32| {
            let first = Identity::Row { table, start: 0 };
            self.documents.partition_point(|one| one.identity < first)
        };
        (before(table)..before(table + 1)).map(|number| self.fate(number))
    }

    /// What becomes of a document that is read again; nothing, if it was not read before.
    pub(super) fn find(&self, identity: Identity) -> Option<Fate<'_>> {
        let place = self
            .documents
            .binary_search_by_key(&identity, |document| document.identity);
        place.ok().map(|number| self.fate(number))
    }

    fn fate(&self, number: usize) -> Fate<'_> {
        let choice = &self.choices[number];
        let document = &self.documents[number];
        match self.known.get(number) {
            Some(Some(known)) => Fate {
                document,
                cluster: &known.id,
                is_kept: false,
                similarity: known.similarity,
                is_first: false,
                is_registered: true,
            },
            _ => Fate {
                document,
                cluster: &self.documents[choice.kept].id,
                is_kept: choice.is_kept,
                similarity: choice.similarity,
                is_first: choice.kept == number,
                is_registered: false,
            },
        }
    }
}

impl Fate<'_> {
    pub(super) fn rounded_similarity(&self) -> f64 {
        rounded(self.similarity)
    }
}

/// A similarity as it is written.
pub(super) fn rounded(similarity: f64) -> f64 {
    (similarity * 1e6).round() / 1e6
}

/// The choice for each of so many documents, by those that stand in an order of preference.
pub(super) fn choices(
    documents: usize,
    order: &[u32],
    kept: Vec<(u32, f64)>,
    none_of_several: bool,
) -> Vec<Choice> {
    let mut choices: Vec<Choice> = (0..documents)
        .map(|kept| Choice {
            kept,
            is_kept: false,
            similarity: 0.0,
        })
        .collect();
    for (place, (kept, similarity)) in kept.into_iter().enumerate() {
        choices[order[place] as usize] = Choice {
            kept: order[kept as usize] as usize,
            is_kept: kept as usize == place,
            similarity,
        };
    }
    if none_of_several {
        drop_all(&mut choices);
    }
    choices
}

/// Keeps none of several.
fn drop_all(choices: &mut [Choice]) {
    let mut copies = vec![0_u32; choices.len()];
    for choice in choices.iter() {
        copies[choice.kept] += 1;
    }
    for choice in choices {
        choice.is_kept &= copies[choice.kept] == 1;
    }
}

/// For each document in an order of preference the place of the one that is kept for it, and how alike
/// the two are.
pub(super) fn kept(
    store: &DigestStore,
    order: &[u32],
    comparison: &Comparison,
    work: Option<&Work>,
    watch: &Watch<'_>,
) -> Result<Vec<(u32, f64)>> {
    let query = &comparison.query;
    watch.during(Step::Comparing, |watch| match comparison.clusters {
        Clusters::Components => components(store, order, query, watch),
        Clusters::Star => {
            let mut stars = Stars::new(store, order, *query, watch)?;
            let saved = work.map(Work::stars);
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
            Ok(fates.map(|fate| (fate.star, fate.similarity)).collect())
        }
    })
}

/// The same for documents of which the first with the same text is known.
pub(super) fn kept_of_equal(order: &[u32], first: &[u32]) -> Vec<(u32, f64)> {
    let mut kept = vec![None; first.len()];
    let places = (0..).zip(order);
    let kept = places.map(|(place, number)| {
        let preferred = &mut kept[first[*number as usize] as usize];
        (*preferred.get_or_insert(place), 1.0)
    });
    kept.collect()
}

impl Keep {
    /// The documents in the order in which they are preferred; ties by the order of the input.
    pub(super) fn order(&self, documents: usize, standing: impl Fn(u32) -> Standing) -> Vec<u32> {
        let mut order: Vec<u32> = (0..).take(documents).collect();
        if self.is_last() {
            order.reverse();
        } else {
            order.sort_by_key(|&place| self.rank(&standing(place)));
        }
        order
    }

    /// Whether of several documents with the same rank the last one is preferred, and not the first.
    pub(super) fn is_last(&self) -> bool {
        *self == Keep::Last
    }

    /// A number that is the smaller the more a document is preferred.
    pub(super) fn rank(&self, standing: &Standing) -> i64 {
        let length = i64::try_from(standing.length).unwrap_or(i64::MAX);
        match self {
            Keep::First | Keep::Last => 0,
            Keep::Longest => !length,
            Keep::Shortest => length,
            Keep::Source => i64::try_from(standing.source).unwrap_or(i64::MAX),
            // What has no such number comes last; numbers are finite.
            Keep::Max(_) => !total(standing.field.unwrap_or(f64::NEG_INFINITY)),
            Keep::Min(_) => total(standing.field.unwrap_or(f64::INFINITY)),
        }
    }
}

/// A number that stands in the same order as the one with a fraction, as `f64::total_cmp` has it.
fn total(number: f64) -> i64 {
    let bits = number.to_bits().cast_signed();
    bits ^ ((bits >> 63) & i64::MAX)
}
