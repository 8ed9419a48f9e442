//! What a person should know about the texts of a run.

use std::collections::BTreeMap;

use super::reading::Readings;
use super::{Collection, Looked};
use crate::align::{Aligner, Word};
use crate::discount::{Discount, Discounts};

/// Which pairs have no evidence.
pub(super) fn missing(collection: &Collection<'_>, looked: &[Looked]) -> Vec<String> {
    let ids = &collection.ids;
    let missing = looked.iter().filter(|(_, found)| found.is_none());
    some(missing.map(|&((left, right), _)| {
        format!(
            "{} and {} are not aligned: a text cannot be read again, or both are too long",
            ids[left.0 as usize], ids[right.0 as usize]
        )
    }))
}

/// The first notes of a kind, and how many more there are.
fn some(notes: impl Iterator<Item = String>) -> Vec<String> {
    const MOST: usize = 10;
    let mut notes: Vec<String> = notes.collect();
    if notes.len() > MOST {
        let more = notes.len() - MOST;
        notes.truncate(MOST);
        notes.push(format!("the same of {more} more pairs"));
    }
    notes
}

/// Which pairs were too repetitive to be looked at in full.
pub(super) fn limits(
    collection: &Collection<'_>,
    looked: &[Looked],
    aligner: Aligner,
) -> Vec<String> {
    let ids = &collection.ids;
    let limited = looked
        .iter()
        .filter(|(_, found)| found.as_ref().is_some_and(|(_, limited)| *limited));
    some(limited.map(|&((left, right), _)| {
        format!(
            "{} and {}: their text repeats itself so often that {aligner} stopped at its limit; there may be more passages",
            ids[left.0 as usize], ids[right.0 as usize]
        )
    }))
}

/// Common text that is still counted, with the option that leaves it out.
pub(super) fn proposals(
    collection: &Collection<'_>,
    readings: &Readings,
    left_out: Discounts,
) -> Vec<String> {
    const SHORTEST: usize = 8;
    const MOST: usize = 3;
    let documents = collection.frequencies.documents();
    if left_out.has(Discount::Common) {
        return Vec::new();
    }
    // The same text in many documents is one proposal: it is known by the words it begins with.
    let mut proposals: BTreeMap<&[Word], (usize, u32)> = BTreeMap::new();
    for (_, reading) in &readings.all {
        for run in reading.marks.runs(Discount::Common) {
            let Some(having) = reading.rarity.documents(reading.sequence.source(&run)) else {
                continue;
            };
            let words = &reading.sequence.words()[run.start as usize..run.end as usize];
            if words.len() >= SHORTEST {
                let entry = proposals.entry(&words[..SHORTEST]).or_default();
                *entry = (*entry).max((words.len(), having));
            }
        }
    }
    let mut proposals: Vec<(usize, u32)> = proposals.into_values().collect();
    proposals.sort_by_key(|&(words, having)| std::cmp::Reverse(words * having as usize));
    proposals
        .iter()
        .take(MOST)
        .map(|(words, having)| {
            format!("{words} words occur in {having} of {documents} documents: --base-from common")
        })
        .collect()
}
