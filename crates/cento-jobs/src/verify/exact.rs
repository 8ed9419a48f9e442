//! The scores of listed documents by their texts, where a registry has digests of few bits.

use std::collections::HashMap;

use cento::index::registry::{Entry, Retention, Snapshot};
use cento::report::{ExactPair, Report};
use cento::verify::{ExactOverlap, Query, TextOfSet};
use cento::{Digest, Measure};
use rayon::prelude::*;

use super::SearchOptions;
use crate::error::{Error, Result};
use crate::method::BaseFrom;
use crate::watch::Watch;

/// Digests of so few bits are equal by chance often enough to be seen in a score.
const SHORT: u8 = 32;

/// Whether the digests of a registry are so short that its scores are not to be relied on.
pub(super) fn are_short(snapshot: &Snapshot) -> bool {
    snapshot.settings().kept_bits <= SHORT
}

/// Refuses to be exact where that has no meaning or there is nothing to be exact with.
pub(super) fn expect(search: &SearchOptions, measure: Measure, snapshot: &Snapshot) -> Result<()> {
    if !search.exact {
        return Ok(());
    }
    let keeps_text = snapshot.settings().retention == Retention::Text;
    let texts = &search.texts;
    let reason = if !keeps_text && texts.folder.is_none() && texts.command.is_none() {
        "the registry keeps no texts; say by `texts` where those of registered documents are"
    } else if ExactOverlap::new(snapshot, &[]).is_none() {
        "this works for recipes that keep all windows of words, such as masaryk-24"
    } else if measure.of_sets().is_none() {
        "a measure of ranks has no exact value; choose containment, symmetric, resemblance or \
         max-containment"
    } else if search.query_recipe.is_some() {
        "another recipe for the query makes other scores; leave one of the two out"
    } else if search.base_from == Some(BaseFrom::Common) {
        "what many registered documents have is known by its digests only; count it"
    } else {
        return Ok(());
    };
    Err(Error::option("exact", reason))
}

/// The sets of documents, by their ids in a report.
pub(super) struct Sets<'a> {
    queries: HashMap<&'a str, Option<&'a str>>,
    entries: &'a HashMap<String, Entry>,
}

impl<'a> Sets<'a> {
    pub(super) fn new(queries: &'a [Query], entries: &'a HashMap<String, Entry>) -> Sets<'a> {
        let queries = queries.iter();
        let queries = queries.map(|query| (query.id.as_str(), query.set.as_deref()));
        Sets {
            queries: queries.collect(),
            entries,
        }
    }

    fn of(&self, id: &str) -> Option<&str> {
        match self.entries.get(id) {
            Some(entry) => entry.facts.set.as_deref(),
            None => self.queries.get(id).copied().flatten(),
        }
    }
}

/// Adds what listed documents share by their texts, where these can be had.
pub(super) fn add(
    report: &mut Report,
    snapshot: &Snapshot,
    measure: Measure,
    base: &[Digest],
    sets: &Sets<'_>,
    read: &(dyn Fn(&str) -> Option<String> + Sync),
    watch: &Watch<'_>,
) {
    let exact = ExactOverlap::new(snapshot, base);
    let (Some(exact), Some(measure)) = (exact, measure.of_sets()) else {
        return;
    };
    report.pairs.par_iter_mut().for_each(|pair| {
        if watch.is_stopped() {
            return;
        }
        let (Some(left), Some(right)) = (read(&pair.left), read(&pair.right)) else {
            return;
        };
        let [left, right] = [(&left, &pair.left), (&right, &pair.right)].map(|(text, id)| {
            let set = sets.of(id);
            TextOfSet { text, set }
        });
        let overlap = exact.of(left, right);
        pair.exact = Some(ExactPair {
            score: measure.score_for_query(overlap),
            shared: overlap.shared,
            containment: overlap.containment(),
        });
    });
}
