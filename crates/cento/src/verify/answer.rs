//! A document in question → the registered ones that share text with it.

use std::collections::{BTreeMap, BTreeSet};

use super::dense::{self, Candidate, ForStretch};
use super::listed::{self, Listed};
use super::query::{left_out, own_score, own_versions, stretches};
use super::weight::Weights;
use super::{Order, Query, VerifySettings};
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::registry::{
    Entry, Exclusions, Findings, Rarity, Request, Scratch, Snapshot, Which,
};
use crate::number::index32;
use crate::select::Frequencies as _;

/// What was found for one query.
pub(super) struct Answer {
    pub(super) found: Findings,
    /// The registered versions of the query itself, oldest first, each with how much of it it has.
    pub(super) own: Vec<(Entry, f64)>,
    /// How many other documents were left out.
    pub(super) excluded: u32,
    /// For each listed document which digests it shares, sorted.
    pub(super) shared: BTreeMap<u32, Vec<Digest>>,
    /// For each listed document how much is shared that few have.
    pub(super) weights: BTreeMap<u32, f64>,
    /// How many more share only text that many have.
    pub(super) standard: u32,
    /// The digests of the query that do not count, sorted.
    pub(super) left_out: Vec<Digest>,
    /// More documents, which have a stretch in common with it and were not looked at yet.
    pub(super) candidates: Vec<Candidate>,
    /// Those of them that are listed.
    pub(super) stretches: BTreeMap<u32, ForStretch>,
}

pub(super) fn answer(
    snapshot: &Snapshot,
    query: &Query,
    settings: &VerifySettings,
    scratch: &mut Scratch,
) -> Result<Answer, Error> {
    let own = own_versions(snapshot, query)?;
    let own_left_out: Exclusions = if settings.include_own {
        Exclusions::default()
    } else {
        own.iter().map(|entry| entry.number).collect()
    };
    let mut which = settings.exclude.clone();
    if settings.exclude_own_submitter {
        which.extend(query.submitter.clone().map(Which::Submitter));
    }
    let others = snapshot.exclusions(&which)?;
    let exclusions = own_left_out.with(&others);
    let excluded = index32(exclusions.len() - own_left_out.len());
    let whole = Fingerprint::union(&query.fingerprints);
    let left_out = left_out(snapshot, &whole, settings);
    let request = Request {
        query: &whole,
        set: query.set.as_deref(),
        measure: settings.measure,
        at_least: listed::at_least(settings, snapshot),
        limit: usize::MAX,
        exclusions: &exclusions,
        base: &left_out,
    };
    let has_passages = snapshot.settings().recipe.passages.is_some();
    let mut found = if settings.measure.is_set() && !has_passages {
        search(snapshot, query, &request, scratch)?
    } else {
        let from = settings.passage_threshold;
        snapshot.ranked(&request, &query.questions(), from, scratch)?
    };
    listed::preselect(&mut found, settings);
    let mut asked: BTreeSet<u32> = found.alike.iter().map(|alike| alike.number).collect();
    asked.extend(own.iter().map(|entry| entry.number));
    let dense = match settings.order_in(snapshot) {
        Order::Weight => {
            let stretches = stretches(snapshot, query, &whole, &left_out);
            let mut dense = snapshot.dense(&stretches, &exclusions, scratch)?;
            dense::preselect(&mut dense, found.alike.len(), snapshot.documents());
            dense
        }
        Order::Score => Vec::new(),
    };
    asked.extend(dense.iter().map(|dense| dense.number));
    let asked: Vec<u32> = asked.into_iter().collect();
    let mut shared = snapshot.shared_digests(&request, &asked)?;
    if has_passages {
        for alike in &mut found.alike {
            let digests = shared.get(&alike.number).map_or(&[][..], Vec::as_slice);
            alike.rarity = Rarity::of_digests(digests, &found.known);
        }
    }
    let Listed { weights, standard } = listed::list(snapshot, &mut found, &shared, settings);
    let mut listed: BTreeSet<u32> = found.alike.iter().map(|alike| alike.number).collect();
    let mut candidates = Vec::new();
    let of_found = Weights::of(&found);
    for dense in dense
        .into_iter()
        .filter(|dense| !listed.contains(&dense.number))
    {
        let digests = shared.get(&dense.number).map_or(&[][..], Vec::as_slice);
        let measure = settings.measure;
        let entry = snapshot.entry(dense.number)?;
        candidates.extend(
            entry.map(|entry| Candidate::of(dense, entry, digests, &found, &of_found, measure)),
        );
    }
    found.alike.truncate(settings.top.unwrap_or(usize::MAX));
    listed.extend(candidates.iter().map(|candidate| candidate.alike.number));
    let share = |entry: Entry| {
        let digests = shared.get(&entry.number).map_or(0, Vec::len);
        (entry, digests as f64 / f64::from(found.digests.max(1)))
    };
    let own = own.into_iter().map(share).collect();
    // What only versions of the query itself have is not marked in its text.
    shared.retain(|number, _| listed.contains(number));
    Ok(Answer {
        found,
        own,
        excluded,
        shared,
        weights,
        standard,
        left_out,
        candidates,
        stretches: BTreeMap::new(),
    })
}

/// Searches by a measure of sets, in shares of what the query scores against itself.
fn search(
    snapshot: &Snapshot,
    query: &Query,
    request: &Request<'_>,
    scratch: &mut Scratch,
) -> Result<Findings, Error> {
    let own = own_score(snapshot, query, request);
    let at_least = request.at_least * own;
    let request = Request {
        at_least,
        ..*request
    };
    let mut found = snapshot.search(&request, scratch)?;
    found.own = own;
    for alike in &mut found.alike {
        alike.score /= own;
    }
    Ok(found)
}
