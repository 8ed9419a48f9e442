//! Which registered documents are listed for a query, and in which order.

use std::collections::{BTreeMap, BTreeSet};

use super::standard::{is_only_standard, standard_from};
use super::weight::Weights;
use super::{Order, VerifySettings};
use crate::digest::Digest;
use crate::index::registry::{Alike, Findings, Rarity, Snapshot};
use crate::number::index32;
use crate::select::Frequencies as _;

/// A document whose score is below the threshold is listed from this part of the threshold on, if its
/// weight reaches that, too.
const PART: f64 = 0.2;
/// And if what is shared, without standard text, weighs as much as so many digests that one document
/// alone has: a phrase is a good part of a short text, and still only a phrase.
const ENOUGH: f64 = 20.0;

/// What a digest weighs at most that four documents have.
const MOST_OF_SOME: f64 = 0.5;
/// What one weighs at most that more than a hundred have.
const MOST_OF_COMMON: f64 = 0.1;

/// What was decided about the documents that share text with a query.
pub(super) struct Listed {
    /// How much each one has that few have.
    pub(super) weights: BTreeMap<u32, f64>,
    /// How many are not listed because they share only text that many have.
    pub(super) standard: u32,
}

/// The lowest score of a document that may be listed.
pub(super) fn at_least(settings: &VerifySettings, snapshot: &Snapshot) -> f64 {
    match settings.order_in(snapshot) {
        Order::Weight => settings.threshold * PART,
        Order::Score => settings.threshold,
    }
}

/// Leaves the documents that may be listed, by what is known of them before it is known which digests
/// they share.
pub(super) fn preselect(found: &mut Findings, settings: &VerifySettings) {
    let all = found.alike.len();
    let most = |Rarity { rare, some, common }| {
        f64::from(rare) + f64::from(some) * MOST_OF_SOME + f64::from(common) * MOST_OF_COMMON
    };
    found
        .alike
        .retain(|alike| alike.score >= settings.threshold || most(alike.rarity) >= ENOUGH);
    found.below += (all - found.alike.len()) as u64;
}

/// Leaves the documents that are listed, in their order; `shared` has which digests each one has.
pub(super) fn list(
    snapshot: &Snapshot,
    found: &mut Findings,
    shared: &BTreeMap<u32, Vec<Digest>>,
    settings: &VerifySettings,
) -> Listed {
    let of = |alike: &Alike| shared.get(&alike.number).map_or(&[][..], Vec::as_slice);
    let order = settings.order_in(snapshot);
    let mut all = std::mem::take(&mut found.alike);
    let weights = Weights::of(found);
    let weight = |alike: &Alike| weights.of_shared(of(alike), alike.overlap.right).share;
    let mut by_number: BTreeMap<u32, f64> = all
        .iter()
        .map(|alike| (alike.number, weight(alike)))
        .collect();
    let share = |alike: &Alike| by_number[&alike.number];
    let from = standard_from(snapshot);
    // What passages have in common is not told apart by how many have it.
    let has_passages = snapshot.settings().recipe.passages.is_some();
    let has_standard = snapshot.documents() >= from && !has_passages;
    // What is shared of the text that not everybody has.
    let others = |alike: &Alike| {
        let mut others = of(alike).to_vec();
        others.retain(|digest| !has_standard || known_by(&found.known, digest) < from);
        others
    };
    let by_weight = |alike: &Alike| {
        if order != Order::Weight || share(alike) < settings.threshold * PART {
            return false;
        }
        let weight = weights.of_shared(&others(alike), alike.overlap.right);
        weight.share >= settings.threshold * PART && weight.sum >= ENOUGH
    };
    let is_standard = |alike: &Alike| {
        !settings.include_standard
            && has_standard
            && is_only_standard(
                alike.overlap,
                index32(others(alike).len()),
                settings,
                found.own,
            )
    };
    let (mut standard, mut below) = (0, 0);
    all.retain(|alike| {
        let is_listed = by_weight(alike)
            || alike.score >= settings.threshold && {
                let is_standard = is_standard(alike);
                standard += u32::from(is_standard);
                !is_standard
            };
        below += u64::from(!is_listed && alike.score < settings.threshold);
        is_listed
    });
    if order == Order::Weight {
        let order = |a: &Alike, b: &Alike| share(b).total_cmp(&share(a));
        all.sort_by(|a, b| order(a, b).then(a.number.cmp(&b.number)));
    }
    found.at_least = all.len() as u64;
    found.below += below;
    found.alike = all;
    let listed: BTreeSet<u32> = found.alike.iter().map(|alike| alike.number).collect();
    by_number.retain(|number, _| listed.contains(number));
    Listed {
        weights: by_number,
        standard,
    }
}

/// How many documents have a digest.
fn known_by(known: &[(Digest, u32)], digest: &Digest) -> u32 {
    let place = known.binary_search_by_key(digest, |(digest, _)| *digest);
    place.map_or(0, |place| known[place].1)
}
