//! Slight paraphrases that have only the words of their subject in common.
//!
//! Alignment weighs words by the two texts alone, so that a share is the same whatever else is read.
//! Two honest answers to one question have the words of the question in common, and sentences of
//! theirs look like rewritten ones. The other documents know better: words that most of them have say
//! nothing, and what several others have in one place, too, is how one writes about it. So a pair that
//! would be listed for slight paraphrases only is doubtful, and the others are asked.
//!
//! docs/methods.md, section Slight paraphrases, has the rule and how its numbers were measured.

use std::collections::HashSet;
use std::ops::Range;

use rayon::prelude::*;

use super::passages::{Aligned, discount};
use super::reading::{Reading, Readings};
use super::{Collection, Counted, Texts, WithoutCommon};
use crate::align::{Alignment, Kind, Passage, SharedRuns, Term, Word};
use crate::discount::Discount;
use crate::error::Error;
use crate::index::DocId;
use crate::number::index32;
use crate::report::{Listed, Tally};
use crate::token::Tokens;
use crate::watch::Watch;
use crate::word_map::WordMap;

/// What a pair needs to be listed.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    /// The larger share,
    pub(crate) share: f64,
    /// or so many words of a passage.
    pub(crate) passage: u32,
}

impl Bar {
    /// Why a pair is listed with this share and this longest passage, if it is.
    pub(crate) fn reason(self, share: f64, passage: u32) -> Option<Listed> {
        if share >= self.share {
            return Some(Listed::Share);
        }
        (passage >= self.passage).then_some(Listed::Passage)
    }
}

/// What a pair has without slight paraphrases.
#[derive(Clone, Copy)]
pub(crate) struct Firm {
    /// The larger share.
    pub(crate) share: f64,
    /// The same without text that many documents have.
    pub(crate) share_without_common: Option<f64>,
    /// How many words the longest passage has, on its shorter side, that is no text that many have.
    pub(crate) passage: u32,
}

/// A pair that is not listed for what it has without slight paraphrases.
pub(super) struct Doubt {
    pub(super) firm: Firm,
    /// The words of the slight paraphrases that count.
    slight: Vec<[Range<u32>; 2]>,
}

/// A pair with the doubt about it.
pub(super) type Doubtful<'d> = ((DocId, DocId), &'d Doubt);

/// A paraphrase that is less alike is slight. One that is more alike is evidence whatever others write.
const ALIKE: f64 = 0.47;
/// What the terms of a slight paraphrase must weigh together, each the logarithm of how many times
/// more documents there are than documents that have it,
const WEIGHT: f64 = 10.0;
/// as if there were at least so many: two or three do not know which words are rare.
const FEWEST: usize = 10;
/// Who has this much of the weight within as many words writes the same way,
const SAME: f64 = 0.5;
/// which does not matter if the terms weigh as much as so many that only two documents have: a group
/// of copies does not hide itself.
const RARE: f64 = 8.0;
/// How many documents are asked about words that have no candidate: what they do not share with
/// anybody else is mostly the usual words.
const ELSEWHERE: usize = 100;

/// So many others who write the same way make a slight paraphrase no evidence: a hundredth of the
/// documents, and at least five.
fn many(documents: usize) -> usize {
    (documents / 100).max(5)
}

impl Doubt {
    /// The doubt about an aligned pair; none if it is listed without slight paraphrases or has none.
    pub(super) fn of(
        sides: [&Reading; 2],
        runs: &SharedRuns,
        alignment: &Alignment,
        counted: Counted,
        bar: Bar,
    ) -> Option<Doubt> {
        let is_slight =
            |passage: &Passage| passage.kind == Kind::Paraphrased && passage.similarity < ALIKE;
        let (slight, firm): (Vec<Passage>, Vec<Passage>) =
            alignment.passages.iter().cloned().partition(is_slight);
        if slight.is_empty() {
            return None;
        }
        let without_common = counted.left_out.with(Discount::Common);
        let [left, right] = sides;
        let counts = |passage: &&Passage| {
            !discount(left, right, passage).is_some_and(|found| without_common.has(found))
        };
        let words = |passage: &Passage| index32(passage.left.len().min(passage.right.len()));
        let passage = firm.iter().filter(counts).map(words).max().unwrap_or(0);
        if passage >= bar.passage {
            return None;
        }
        let rest = Alignment {
            passages: firm,
            limited: alignment.limited,
        };
        let rest = Aligned::new(sides, runs, &rest);
        let share = |(tally, _): WithoutCommon| {
            let [left, right] = tally.map(Tally::net);
            left.max(right)
        };
        let firm = Firm {
            share: share(rest.sums(counted.left_out)),
            share_without_common: (counted.also_without_common)
                .then(|| share(rest.sums(without_common))),
            passage,
        };
        let shares = [Some(firm.share), firm.share_without_common];
        let is_listed = |share: f64| bar.reason(share, passage).is_some();
        if shares.into_iter().flatten().all(is_listed) {
            return None;
        }
        let slight = slight.iter().filter(counts);
        Some(Doubt {
            firm,
            slight: slight
                .map(|passage| [passage.left.clone(), passage.right.clone()])
                .collect(),
        })
    }
}

/// Which of these doubtful pairs have a slight paraphrase that is evidence among all documents.
///
/// `firm` are the pairs that are listed without doubt. Who is listed with both documents of a pair
/// has no say about it: they are of one group, and the others of a group are no witnesses.
pub(super) fn dispelled(
    doubts: &[Doubtful<'_>],
    firm: &HashSet<(DocId, DocId)>,
    readings: &Readings,
    elsewhere: &Elsewhere,
    watch: Watch<'_>,
) -> Result<Vec<bool>, Error> {
    let passages: Vec<Vec<Vec<Term>>> = doubts
        .par_iter()
        .map(|&(pair, doubt)| common_terms(pair, doubt, readings))
        .collect();
    let others = Others::of(&passages, readings, elsewhere);
    let decide = |(&(pair, doubt), passages): (&Doubtful<'_>, &Vec<Vec<Term>>)| {
        watch.go_on()?;
        let are_firm = |one: DocId, other: DocId| firm.contains(&(one.min(other), one.max(other)));
        let has_say = |other: DocId| {
            let (left, right) = pair;
            other != left && other != right && !(are_firm(left, other) && are_firm(right, other))
        };
        let mut both = doubt.slight.iter().zip(passages);
        Ok(both.any(|([left, right], terms)| {
            others.is_evidence(terms, left.len().max(right.len()), &has_say)
        }))
    };
    doubts.par_iter().zip(&passages).map(decide).collect()
}

/// What documents that are in no candidate say about words.
pub(super) struct Elsewhere {
    /// How many there are.
    documents: usize,
    /// The different terms of some of them.
    asked: Vec<Vec<Term>>,
}

impl Elsewhere {
    /// Reads some of the documents that were not read yet, evenly spaced.
    pub(super) fn ask(
        collection: &Collection<'_>,
        readings: &mut Readings,
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<Elsewhere, Error> {
        let all = (0..index32(collection.ids.len())).map(DocId);
        let unread: Vec<DocId> = all.filter(|&id| readings.get(id).is_none()).collect();
        let step = unread.len().div_ceil(ELSEWHERE).max(1);
        let chosen: Vec<DocId> = unread.iter().step_by(step).copied().collect();
        let read = |id: DocId| {
            watch.go_on()?;
            let text = (texts.read)(collection.ids[id.0 as usize]);
            Ok(text.map(|content| collection.tokens(&content)))
        };
        let chosen: Vec<Option<Tokens>> = chosen
            .into_par_iter()
            .map(read)
            .collect::<Result<_, Error>>()?;
        let vocabulary = &mut readings.vocabulary;
        let terms = |tokens: Tokens| {
            let sequence = vocabulary.sequence(&tokens);
            distinct(vocabulary.terms_of(sequence.words()))
        };
        Ok(Elsewhere {
            documents: unread.len(),
            asked: chosen.into_iter().flatten().map(terms).collect(),
        })
    }
}

/// For each slight paraphrase of a pair, the different terms that both sides have, ascending.
fn common_terms(
    (left, right): (DocId, DocId),
    doubt: &Doubt,
    readings: &Readings,
) -> Vec<Vec<Term>> {
    let terms = |document: DocId, run: &Range<u32>| {
        let words = readings
            .get(document)
            .map(|reading| reading.sequence.words());
        let words = words.map_or(&[][..], |all| &all[run.start as usize..run.end as usize]);
        distinct(readings.vocabulary.terms_of(words))
    };
    let common = |[of_left, of_right]: &[Range<u32>; 2]| {
        let (mut left, right) = (terms(left, of_left), terms(right, of_right));
        left.retain(|term| right.binary_search(term).is_ok());
        left
    };
    doubt.slight.iter().map(common).collect()
}

fn distinct(terms: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut terms: Vec<Term> = terms.collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// All documents, by the terms that matter.
struct Others<'r> {
    readings: &'r Readings,
    /// How many there are, those included that were not read.
    documents: usize,
    /// How many have a term, of those that were not read as an estimate.
    counts: WordMap<Term, f64>,
    /// The places of the documents that have it among those that were read, ascending.
    having: WordMap<Term, Vec<u32>>,
}

impl<'r> Others<'r> {
    fn of(
        passages: &[Vec<Vec<Term>>],
        readings: &'r Readings,
        elsewhere: &Elsewhere,
    ) -> Others<'r> {
        let terms = passages.iter().flatten().flatten();
        let mut having: WordMap<Term, Vec<u32>> = terms.map(|&term| (term, Vec::new())).collect();
        let of_document = |(_, reading): &(DocId, Reading)| {
            let terms = readings.vocabulary.terms_of(reading.sequence.words());
            distinct(terms.filter(|term| having.contains_key(term)))
        };
        let all: Vec<Vec<Term>> = readings.all.par_iter().map(of_document).collect();
        let mut counts: WordMap<Term, f64> = WordMap::default();
        for (place, terms) in all.iter().enumerate() {
            for term in terms {
                having.entry(*term).or_default().push(index32(place));
                *counts.entry(*term).or_default() += 1.0;
            }
        }
        let each = elsewhere.documents as f64 / elsewhere.asked.len() as f64;
        for term in elsewhere.asked.iter().flatten() {
            if let Some(count) = counts.get_mut(term) {
                *count += each;
            }
        }
        Others {
            readings,
            documents: readings.all.len() + elsewhere.documents,
            counts,
            having,
        }
    }

    /// Whether these terms are evidence, if others of whom `has_say` holds are asked whether they have
    /// them within so many words.
    fn is_evidence(&self, terms: &[Term], words: usize, has_say: &dyn Fn(DocId) -> bool) -> bool {
        let documents = self.documents.max(FEWEST) as f64;
        let weight = |term: &Term| (*term, (documents / self.counts[term]).ln());
        let weights: WordMap<Term, f64> = terms.iter().map(weight).collect();
        let all: f64 = terms.iter().map(|term| weights[term]).sum();
        if all < WEIGHT {
            return false;
        }
        if all >= RARE * (documents / 2.0).ln() {
            return true;
        }
        let mut found = vec![0.0; self.readings.all.len()];
        for term in terms {
            for &place in &self.having[term] {
                found[place as usize] += weights[term];
            }
        }
        let read = self.readings.all.iter().zip(found);
        let same = read.filter(|((id, reading), found)| {
            *found >= SAME * all
                && has_say(*id)
                && self.densest(reading.sequence.words(), &weights, words) >= SAME * all
        });
        let many = many(self.documents);
        same.take(many).count() < many
    }

    /// The most that terms within so many words of a text weigh.
    fn densest(&self, text: &[Word], weights: &WordMap<Term, f64>, words: usize) -> f64 {
        let places = self.readings.vocabulary.terms_of(text).enumerate();
        let places: Vec<(usize, Term, f64)> = places
            .filter_map(|(at, term)| Some((at, term, *weights.get(&term)?)))
            .collect();
        let mut counts: WordMap<Term, u32> = WordMap::default();
        let (mut first, mut sum, mut densest) = (0, 0.0, 0.0_f64);
        for &(at, term, weight) in &places {
            let count = counts.entry(term).or_default();
            *count += 1;
            if *count == 1 {
                sum += weight;
            }
            while places[first].0 + words <= at {
                let (_, gone, weight) = places[first];
                first += 1;
                if let Some(count) = counts.get_mut(&gone) {
                    *count -= 1;
                    if *count == 0 {
                        sum -= weight;
                    }
                }
            }
            densest = densest.max(sum);
        }
        densest
    }
}
