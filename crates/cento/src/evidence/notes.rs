//! What a person should know about the texts of a run.

use std::collections::BTreeMap;

use super::reading::Readings;
use super::{Collection, Looked};
use crate::align::{Aligner, Word};
use crate::discount::{Discount, Discounts};
use crate::index::DocId;
use crate::report::Note;

/// Which pairs have no evidence.
pub(super) fn missing(collection: &Collection<'_>, looked: &[Looked]) -> Vec<Note> {
    let missing = looked.iter().filter(|(_, found)| found.is_none());
    let note = |pair| Note::NotAligned { pair };
    some(collection, missing, note, |pairs| Note::MoreNotAligned {
        pairs,
    })
}

/// Which pairs were too repetitive to be looked at in full.
pub(super) fn limits(
    collection: &Collection<'_>,
    looked: &[Looked],
    aligner: Aligner,
) -> Vec<Note> {
    let limited = looked
        .iter()
        .filter(|(_, found)| found.as_ref().is_some_and(|seen| seen.limited));
    let note = |pair| Note::Limited {
        pair,
        aligner: aligner.to_string(),
    };
    some(collection, limited, note, |pairs| Note::MoreLimited {
        pairs,
    })
}

/// Notes on the first pairs, and how many more there are.
fn some<'l>(
    collection: &Collection<'_>,
    pairs: impl Iterator<Item = &'l Looked>,
    note: impl Fn([String; 2]) -> Note,
    more: impl Fn(u64) -> Note,
) -> Vec<Note> {
    const MOST: usize = 10;
    let id = |document: DocId| collection.ids[document.0 as usize].to_owned();
    let mut pairs = pairs.map(|((left, right), _)| [id(*left), id(*right)]);
    let mut notes: Vec<Note> = pairs.by_ref().take(MOST).map(note).collect();
    match pairs.count() as u64 {
        0 => {}
        pairs => notes.push(more(pairs)),
    }
    notes
}

/// A piece of text that many documents have.
#[derive(Clone, Copy)]
pub(crate) struct CommonText {
    pub(crate) words: u64,
    /// Whether they are tokens of programs.
    pub(crate) is_code: bool,
    /// How many documents.
    pub(crate) having: u32,
}

/// Common text that is still counted, the most of it first.
pub(super) fn common(readings: &Readings, left_out: Discounts) -> Vec<CommonText> {
    const SHORTEST: usize = 8;
    // What is common among programs counts for little anyway.
    let are_programs = (readings.all.iter()).any(|(_, reading)| reading.spelling.is_some());
    if left_out.has(Discount::Common) || are_programs {
        return Vec::new();
    }
    // The same text in many documents is one proposal: it is known by the words it begins with.
    let mut proposals: BTreeMap<&[Word], (usize, u32, bool)> = BTreeMap::new();
    for (_, reading) in &readings.all {
        for run in reading.marks.runs(Discount::Common) {
            // Pieces of it that stand side by side here and nowhere else are no text that many have.
            let having = reading.rarity.documents(reading.sequence.source(&run));
            let Some(having) = having.filter(|having| *having > 1) else {
                continue;
            };
            let words = &reading.sequence.words()[run.start as usize..run.end as usize];
            if words.len() >= SHORTEST {
                let entry = proposals.entry(&words[..SHORTEST]).or_default();
                let is_code = reading.spelling.is_some();
                *entry = (*entry).max((words.len(), having, is_code));
            }
        }
    }
    let mut proposals: Vec<(usize, u32, bool)> = proposals.into_values().collect();
    proposals.sort_by_key(|&(words, having, _)| std::cmp::Reverse(words * having as usize));
    let text = |(words, having, is_code): (usize, u32, bool)| CommonText {
        words: words as u64,
        is_code,
        having,
    };
    proposals.into_iter().map(text).collect()
}

/// That it could be left out.
pub(super) fn proposals(
    collection: &Collection<'_>,
    common: &[CommonText],
) -> impl Iterator<Item = Note> {
    const MOST: usize = 3;
    let documents = collection.frequencies.documents();
    let note = move |text: &CommonText| Note::CommonCounts {
        words: text.words,
        is_code: text.is_code,
        having: text.having,
        documents,
    };
    common.iter().take(MOST).map(note)
}
