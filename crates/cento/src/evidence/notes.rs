//! What a person should know about the texts of a run.

use std::collections::{BTreeMap, HashSet};

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
    /// How many documents.
    pub(crate) having: u32,
}

/// A text of fewer words is a turn of phrase.
const SHORTEST: usize = 8;

/// The largest pieces of common text that are still counted, the most of it first.
pub(super) fn common(readings: &Readings, left_out: Discounts) -> Vec<CommonText> {
    const MOST: usize = 3;
    // What is common among programs counts for little anyway.
    let are_programs = (readings.all.iter()).any(|(_, reading)| reading.spelling.is_some());
    if left_out.has(Discount::Common) || are_programs {
        return Vec::new();
    }
    // Most documents that have a text have it from its beginning.
    let mut by_beginning: BTreeMap<&[Word], (usize, u32, &[Word])> = BTreeMap::new();
    for (_, reading) in &readings.all {
        for run in reading.marks.runs(Discount::Common) {
            // Pieces of it that stand side by side here and nowhere else are no text that many have.
            let having = reading.rarity.documents(reading.sequence.source(&run));
            let Some(having) = having.filter(|having| *having > 1) else {
                continue;
            };
            let words = &reading.sequence.words()[run.start as usize..run.end as usize];
            if words.len() >= SHORTEST {
                let piece = by_beginning.entry(&words[..SHORTEST]).or_default();
                *piece = (*piece).max((words.len(), having, words));
            }
        }
    }
    let mut pieces: Vec<(usize, u32, &[Word])> = by_beginning.into_values().collect();
    pieces.sort_by_key(|&(length, having, _)| std::cmp::Reverse(length * having as usize));
    let mut told = HashSet::new();
    let pieces = pieces
        .into_iter()
        .filter(|(_, _, words)| is_new(words, &mut told));
    let text = |(length, having, _): (usize, u32, &[Word])| CommonText {
        words: length as u64,
        having,
    };
    pieces.take(MOST).map(text).collect()
}

/// Whether less than half of a text is in those before it; it is then one of them. What a few
/// documents have from another beginning, or in part, is no text of its own.
fn is_new<'w>(words: &'w [Word], told: &mut HashSet<&'w [Word]>) -> bool {
    let pieces = words.windows(SHORTEST);
    let known = pieces.clone().filter(|piece| told.contains(piece)).count();
    let is_new = 2 * known < pieces.len();
    if is_new {
        told.extend(pieces);
    }
    is_new
}

/// That it could be left out.
pub(super) fn proposals(
    collection: &Collection<'_>,
    common: &[CommonText],
) -> impl Iterator<Item = Note> {
    let documents = collection.frequencies.documents();
    common.iter().map(move |text| Note::CommonCounts {
        words: text.words,
        having: text.having,
        documents,
    })
}
