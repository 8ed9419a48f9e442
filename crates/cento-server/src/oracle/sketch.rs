//! What is remembered of a question, and when two questions are about one text.
//!
//! Fingerprints are no help here: an edit that nearly escapes leaves little of them in common with
//! the edit before it. What does stay are words that stand near each other. So a text is remembered
//! as pairs of words at most a few words apart, and in which stretch of it they stand, as keyed
//! hashes.
//!
//! A stretch of a text is the *same* as in another text, *changed*, or not there. Stretches that are
//! the same tell nothing: forms and quotations are that, and so is what somebody puts around a text
//! to hide edits in it. Two texts are kin if much of what is not the same is changed, if changed
//! stretches stand amid others that are there, or if most of one is in the other.

use std::collections::BTreeMap;

use cento::index::registry::Snapshot;
use cento::token::{Tokenizer, Words};
use cento::verify::Query;
use cento::{Fingerprint, Frequencies as _, Key};

/// What is remembered of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    /// A keyed hash of all its words and its whole fingerprint: the same for the same text only.
    pub(super) same: [u8; 16],
    /// Ascending.
    pub(super) pairs: Vec<Pair>,
}

/// The hash of two words, and in the lower bits the stretch that they stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair(pub(super) u64);

/// What a sketch is made from.
pub(crate) struct Sketching<'a> {
    pub(crate) query: &'a Query,
    pub(crate) text: &'a str,
    pub(crate) snapshot: &'a Snapshot,
}

/// What more registered documents have than this does not make texts kin.
const COMMON: u32 = 100;
/// Shorter words stand in every text.
const SHORTEST: usize = 4;
/// Each word makes pairs with so many of those after it that are not too short.
const REACH: usize = 4;
/// Words in a stretch, and stretches in a cell: what stands in a cell of one text is looked for in two
/// neighbouring cells of the other.
const STRETCH: u32 = 25;
const CELL: u32 = 4;
const STRETCH_BITS: u32 = 24;
/// One pair in so many is remembered.
const SAMPLE: u64 = 2;
/// One remembered pair in so many leads from a question to earlier ones.
const MARK: u64 = 16;

/// Fewer shared pairs in a cell, or in a stretch, are chance.
const CHANCE: u32 = 4;
const CHANGED: u32 = 3;
/// From this part of its pairs on a stretch is the same.
const SAME: f64 = 0.95;
/// Texts are kin if most stretches that are not the same are changed, and this part of them is there. Of two texts in which a third of
/// the words was replaced at random places, 16 % are; of two texts on one subject about 4 %.
const KIN: f64 = 0.1;
/// Texts are kin if this part of the smaller one is in the other, changed or not.
const PART: f64 = 0.4;
/// Texts are kin if so many changed stretches stand between others that are there; fewer are never
/// enough.
const AMID: usize = 4;
/// In a run of so many stretches that are there, one changed one is enough.
const LONG: usize = 8;
/// One stretch that was changed beyond recognition does not end a run.
const STEP: usize = 2;
/// What stands in more places than this is looked for in none: it would take too long.
const PLACES: usize = 4096;

impl Pair {
    fn hash(self) -> u64 {
        self.0 >> STRETCH_BITS
    }

    fn stretch(self) -> u32 {
        u32::try_from(self.0 & ((1 << STRETCH_BITS) - 1)).unwrap_or(u32::MAX)
    }

    fn cell(self) -> u32 {
        self.stretch() / CELL
    }

    /// Whether it leads to earlier questions.
    pub(super) fn is_mark(self) -> bool {
        (self.hash() / SAMPLE).is_multiple_of(MARK)
    }

    /// What it is found by.
    pub(super) fn mark(self) -> i64 {
        self.hash().cast_signed()
    }
}

impl Sketch {
    pub(crate) fn of(sketching: &Sketching<'_>) -> Sketch {
        let &Sketching {
            query,
            text,
            snapshot,
        } = sketching;
        let key = snapshot.prepare().key();
        let standard = standard(query, snapshot);
        let tokens = Tokenizer::Words(Words::default()).tokens(text);
        let mut all = String::with_capacity(text.len());
        let mut words = Vec::with_capacity(tokens.len());
        let mut before = standard.iter().peekable();
        for (number, term) in (0..).zip(tokens.terms()) {
            all.push_str(term);
            all.push('\n');
            let source = tokens.get(number).source;
            while before.next_if(|part| part.1 <= source.start).is_some() {}
            let is_standard = before.peek().is_some_and(|part| part.0 < source.end);
            if !is_standard {
                words.push(term);
            }
        }
        let mut whole = all.into_bytes();
        for fingerprint in &query.fingerprints {
            for (digest, count) in fingerprint.counted() {
                whole.extend(digest.0.to_le_bytes());
                whole.extend(count.to_le_bytes());
            }
        }
        Sketch {
            same: key.content_hash(&whole),
            pairs: pairs(&words, key),
        }
    }

    /// Whether both are about one text.
    pub(super) fn is_kin(&self, other: &Sketch) -> bool {
        let stretches = self.found_in(other);
        let found: u32 = stretches.iter().map(|stretch| stretch.shared).sum();
        let smaller = self.pairs.len().min(other.pairs.len());
        if found > 0 && f64::from(found) >= PART * smaller as f64 {
            return true;
        }
        let (changed, rest): (Vec<&Stretch>, Vec<&Stretch>) = stretches
            .iter()
            .filter(|stretch| !stretch.is_same())
            .partition(|stretch| stretch.is_changed());
        let pairs = |of: &[&Stretch]| of.iter().map(|stretch| stretch.pairs).sum::<u32>();
        let shared: u32 = changed.iter().map(|stretch| stretch.shared).sum();
        let not_same = pairs(&changed) + pairs(&rest);
        // The ends of a quotation look changed; so few stretches among many say nothing.
        let are_most = changed.len() >= rest.len() && !changed.is_empty();
        if are_most && f64::from(shared) >= KIN * f64::from(not_same) {
            return true;
        }
        let is_there = |stretch: &Stretch| stretch.is_same() || stretch.is_changed();
        let there: Vec<usize> = (0..stretches.len())
            .filter(|&place| is_there(&stretches[place]))
            .collect();
        let mut runs = there.chunk_by(|one, next| next - one <= STEP);
        runs.any(|run| {
            let amid = run.iter().skip(1).take(run.len().saturating_sub(2));
            let changed = amid.filter(|&&place| stretches[place].is_changed()).count();
            changed >= AMID || (changed > 0 && run.len() >= LONG)
        })
    }

    /// What of each stretch is in the other text, all in one place.
    fn found_in(&self, other: &Sketch) -> Vec<Stretch> {
        let matches = self.matches(other);
        let mut cells: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for (own, their) in &matches {
            *cells.entry((own.cell(), their.cell())).or_default() += 1;
        }
        let mut best: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for (&(own, their), &shared) in &cells {
            let next = cells.get(&(own, their + 1)).copied().unwrap_or(0);
            let best = best.entry(own).or_default();
            // Ties by place, so that the same texts are always kin or never.
            *best = (*best).max((shared + next, their));
        }
        let last = self.pairs.iter().map(|pair| pair.stretch()).max();
        let count = last.map_or(0, |last| last as usize + 1);
        let mut stretches = vec![Stretch::default(); count];
        for pair in &self.pairs {
            stretches[pair.stretch() as usize].pairs += 1;
        }
        let mut counted: Option<Pair> = None;
        for (own, their) in matches {
            let (shared, cell) = best.get(&own.cell()).copied().unwrap_or_default();
            let is_there = shared >= CHANCE && [cell, cell + 1].contains(&their.cell());
            // Matches of a pair follow each other.
            if is_there && counted != Some(own) {
                stretches[own.stretch() as usize].shared += 1;
                counted = Some(own);
            }
        }
        stretches
    }

    /// Pairs and the same ones of the other text.
    fn matches(&self, other: &Sketch) -> Vec<(Pair, Pair)> {
        let mut matches = Vec::new();
        let mut theirs = other.pairs.as_slice();
        for own in self.pairs.chunk_by(|a, b| a.hash() == b.hash()) {
            let hash = own[0].hash();
            theirs = &theirs[theirs.partition_point(|pair| pair.hash() < hash)..];
            let (same, rest) = theirs.split_at(theirs.partition_point(|pair| pair.hash() == hash));
            theirs = rest;
            if own.len() * same.len() <= PLACES {
                let of_pair = |pair: &Pair| same.iter().map(|their| (*pair, *their)).collect();
                matches.extend(own.iter().flat_map(|pair| -> Vec<_> { of_pair(pair) }));
            }
        }
        matches
    }
}

/// What another text has of a stretch.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    pairs: u32,
    shared: u32,
}

impl Stretch {
    fn is_same(&self) -> bool {
        self.shared > 0 && f64::from(self.shared) >= SAME * f64::from(self.pairs)
    }

    fn is_changed(&self) -> bool {
        self.shared >= CHANGED && !self.is_same()
    }
}

/// The places of standard text and of what many registered documents have, in order.
fn standard(query: &Query, snapshot: &Snapshot) -> Vec<(u32, u32)> {
    let digests = query.spans.iter().map(|span| span.digest).collect();
    let recipe = snapshot.settings().recipe.id();
    let all = Fingerprint::from_digests(recipe, 0, digests);
    let mut telling = snapshot.counted(&all, query.set.as_deref());
    telling.retain(|digest| snapshot.documents_with(*digest) <= COMMON);
    let mut places: Vec<(u32, u32)> = query
        .spans
        .iter()
        .filter(|span| telling.binary_search(&span.digest).is_err())
        .map(|span| (span.start, span.end))
        .collect();
    places.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in places {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// The remembered pairs of a text.
fn pairs(words: &[&str], key: &Key) -> Vec<Pair> {
    let long: Vec<(u32, u64)> = (0..)
        .zip(words)
        .filter(|(_, word)| !word.is_ascii() || word.len() >= SHORTEST)
        .map(|(place, word)| (place, word_hash(word, key)))
        .collect();
    let mut pairs = Vec::new();
    for (number, &(place, first)) in long.iter().enumerate() {
        let near = long.iter().skip(number + 1).take(REACH);
        for &(_, second) in near.filter(|(_, second)| *second != first) {
            let hash = mixed(first.wrapping_add(second)) >> STRETCH_BITS;
            if hash.is_multiple_of(SAMPLE) {
                let stretch = u64::from(place / STRETCH).min((1 << STRETCH_BITS) - 1);
                pairs.push(Pair(hash << STRETCH_BITS | stretch));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn word_hash(word: &str, key: &Key) -> u64 {
    // A hash of its own kind: none of a file that has only this word.
    let hash = key.content_hash(&[b"\0", word.as_bytes()].concat());
    hash.iter()
        .take(8)
        .fold(0, |all, byte| all << 8 | u64::from(*byte))
}

/// Sums keep the low bits of their parts apart from the high ones; here all depend on all.
fn mixed(sum: u64) -> u64 {
    let folded = (sum ^ (sum >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    folded ^ (folded >> 29)
}
