//! Listed pairs and their texts → what they share, where, and what of it counts.
//!
//! Each text is read once more ([`reading`]); then all pairs get their exact overlap ([`overlap`]),
//! the classes of their words ([`classes`]), and their passages with the sums ([`passages`]).
//! Of programs, [`program`] says what the tokens are.
//! Where a list is made of them, [`subject`] asks the other documents about slight paraphrases.
//! [`notes`] says what a person should know.

mod classes;
mod notes;
mod overlap;
mod passages;
mod program;
mod reading;
mod subject;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::align::{Aligner, Alignment, Meanings, Passage, SharedRuns, Side, Vocabulary};
use crate::digest::Key;
use crate::discount::{Discount, Discounts};
use crate::error::Error;
use crate::index::DocId;
use crate::memory;
use crate::recipe::Recipe;
use crate::report::{Evidence, Ignored, Note, Tally};
use crate::select::Frequencies;
use crate::token::{Content, Tokenizer, Tokens};
use crate::watch::Watch;
pub(crate) use notes::CommonText;
use reading::{Reading, Readings};
pub(crate) use subject::{Bar, Firm};
use subject::{Doubt, Doubtful, Elsewhere};

/// Where the texts of documents come from, and what is done with them.
pub struct Texts<'a> {
    /// What finds the shared text.
    pub aligner: Aligner,
    /// Which words of all texts mean the same; asked once, when all texts have been read.
    pub meanings: &'a (dyn Fn(&Vocabulary) -> Result<Meanings, Error> + Sync),
    /// The document with an id, once more.
    pub read: &'a (dyn Fn(&str) -> Option<Content> + Sync),
    /// Whether the report is to say what each word is, for those who show the texts.
    pub marks: bool,
    /// The texts whose content does not count.
    pub templates: Vec<Content>,
    /// The key of the fingerprints.
    pub key: &'a Key,
    /// What the recipe was told about the collection.
    pub seen: &'a (dyn Frequencies + Sync),
}

/// What was found in the texts of some pairs.
pub(crate) struct Gathered {
    /// For each pair; none if a text could not be read again.
    pub(crate) pairs: Vec<Option<(Evidence, Option<WithoutCommon>)>>,
    /// For each pair what alone counts for the list, if slight paraphrases do not.
    pub(crate) firm: Vec<Option<Firm>>,
    /// For each document that was read, what may be left out of it.
    pub(crate) ignored: BTreeMap<DocId, Vec<Ignored>>,
    pub(crate) notes: Vec<Note>,
    /// Text that many documents have and that counts, the most of it first.
    pub(crate) common: Vec<CommonText>,
}

/// What is counted.
#[derive(Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) left_out: Discounts,
    /// Also what it would be without text that many documents have.
    pub(crate) also_without_common: bool,
}

/// The words of both sides, and the longest run, without text that many documents have.
pub(crate) type WithoutCommon = ([Tally; 2], u32);

/// The documents that pairs come from.
pub(crate) struct Collection<'a> {
    /// Their ids, by their numbers.
    pub(crate) ids: Vec<&'a str>,
    /// How many of all documents, these and others, have a digest.
    pub(crate) frequencies: &'a dyn Frequencies,
    pub(crate) recipe: &'a Recipe,
}

impl Collection<'_> {
    /// The tokens that are aligned: those of the recipe for programs, and words whatever recipe found
    /// the pair otherwise.
    fn tokens(&self, content: &Content) -> Tokens {
        match self.recipe.tokenizer {
            Tokenizer::Code(view) => Tokenizer::Code(view.aligned()).tokens(content),
            _ => Vocabulary::tokens(&content.text),
        }
    }
}

/// A pair with what its texts say, if they could be read.
type Looked = ((DocId, DocId), Option<Seen>);

/// What the texts of a pair say.
struct Seen {
    evidence: Evidence,
    without_common: Option<WithoutCommon>,
    /// The aligner reached a limit.
    limited: bool,
    /// It reaches the bar of a list, but not without slight paraphrases.
    doubt: Option<Doubt>,
}

impl Seen {
    /// Whether it reaches a bar, with or without text that many documents have.
    fn is_listed(&self, bar: Bar, counted: Counted) -> bool {
        let passage = (self.evidence).longest_passage(counted.left_out.with(Discount::Common));
        let without = self.without_common.map(|(tally, _)| tally.map(Tally::net));
        let shares = [Some(self.evidence.net), without];
        let mut shares = shares.into_iter().flatten().flatten();
        shares.any(|share| bar.reason(share, passage).is_some())
    }
}

/// Looks at the texts of these pairs of documents; tells how many pairs are done.
pub(crate) fn gather(
    collection: &Collection<'_>,
    pairs: &[(DocId, DocId)],
    texts: &Texts<'_>,
    counted: Counted,
    watch: Watch<'_>,
) -> Result<Gathered, Error> {
    gather_for_list(collection, pairs, texts, counted, None, watch)
}

/// The same for a list of the pairs that reach a bar: finds out which of them do so only by slight
/// paraphrases that are no evidence.
pub(crate) fn gather_for_list(
    collection: &Collection<'_>,
    pairs: &[(DocId, DocId)],
    texts: &Texts<'_>,
    counted: Counted,
    bar: Option<Bar>,
    watch: Watch<'_>,
) -> Result<Gathered, Error> {
    let mut readings = Readings::of(collection, pairs, texts, watch)?;
    // The overlap takes more memory than anything else, so nothing else is kept for it or made before.
    memory::give_back();
    let overlaps = overlap::overlaps(pairs, &readings, watch)?;
    memory::give_back();
    readings.prepare(texts.aligner, watch)?;
    let look = |(left, right): (DocId, DocId), overlap: Option<[f64; 2]>| {
        let sides = [readings.get(left)?, readings.get(right)?];
        let words = sides.map(|side| side.sequence.words());
        let runs = sides[0].runs.shared(&sides[1].runs, words);
        let alignment = align(sides, &runs, texts.aligner, &readings);
        let aligned = passages::Aligned::new(sides, &runs, &alignment);
        let mut seen = Seen {
            evidence: aligned.evidence(overlap?, counted.left_out, texts.marks),
            without_common: counted
                .also_without_common
                .then(|| aligned.sums(counted.left_out.with(Discount::Common))),
            limited: alignment.limited,
            doubt: None,
        };
        if let Some(bar) = bar.filter(|&bar| seen.is_listed(bar, counted)) {
            seen.doubt = Doubt::of(sides, &runs, &alignment, counted, bar);
        }
        Some(seen)
    };
    let done = AtomicU64::new(0);
    let looked: Vec<Looked> = pairs
        .par_iter()
        .zip(overlaps)
        .map(|(&pair, overlap)| {
            watch.go_on()?;
            let found = look(pair, overlap);
            watch.tell(done.fetch_add(1, Ordering::Relaxed) + 1, pairs.len() as u64);
            Ok((pair, found))
        })
        .collect::<Result<_, Error>>()?;
    let firm = match bar {
        Some(bar) if looked.iter().any(is_doubtful) => {
            let elsewhere = Elsewhere::ask(collection, &mut readings, texts, watch)?;
            firm(&looked, bar, counted, &readings, &elsewhere, watch)?
        }
        _ => vec![None; looked.len()],
    };
    let mut notes = notes::missing(collection, &looked);
    notes.extend(notes::limits(collection, &looked, texts.aligner));
    let common = notes::common(&readings, counted.left_out);
    notes.extend(notes::proposals(collection, &common));
    Ok(Gathered {
        pairs: looked
            .into_iter()
            .map(|(_, found)| found.map(|seen| (seen.evidence, seen.without_common)))
            .collect(),
        firm,
        ignored: readings
            .all
            .iter()
            .map(|(id, reading)| (*id, reading.ignored()))
            .collect(),
        notes,
        common,
    })
}

fn is_doubtful((_, found): &Looked) -> bool {
    found.as_ref().is_some_and(|seen| seen.doubt.is_some())
}

/// For each pair what alone counts for the list, if its slight paraphrases are no evidence.
fn firm(
    looked: &[Looked],
    bar: Bar,
    counted: Counted,
    readings: &Readings,
    elsewhere: &Elsewhere,
    watch: Watch<'_>,
) -> Result<Vec<Option<Firm>>, Error> {
    let seen = looked
        .iter()
        .filter_map(|(pair, found)| Some((*pair, found.as_ref()?)));
    let firm: HashSet<(DocId, DocId)> = seen
        .clone()
        .filter(|(_, seen)| seen.doubt.is_none() && seen.is_listed(bar, counted))
        .map(|((left, right), _)| (left.min(right), left.max(right)))
        .collect();
    let doubts: Vec<Doubtful<'_>> = seen
        .filter_map(|(pair, seen)| Some((pair, seen.doubt.as_ref()?)))
        .collect();
    let dispelled = subject::dispelled(&doubts, &firm, readings, elsewhere, watch)?;
    let mut dispelled = dispelled.into_iter();
    let of_pair = |(_, found): &Looked| {
        let doubt = found.as_ref()?.doubt.as_ref()?;
        (dispelled.next() == Some(false)).then_some(doubt.firm)
    };
    Ok(looked.iter().map(of_pair).collect())
}

/// Aligns what comes from templates and the rest for themselves, so that no passage is half of each.
///
/// The text that comes first by length and words is always the aligner's left one: who asks about B
/// and A is told what they would be told about A and B, the other way round. The passages stay in the
/// order of that text, because those of one side may overlap, and the first has the words.
fn align(
    sides: [&Reading; 2],
    runs: &SharedRuns,
    aligner: Aligner,
    readings: &Readings,
) -> Alignment {
    let [left, right] = sides;
    let starts = runs.starts.each_ref().map(Vec::as_slice);
    let is_first = |one: &Reading, other: &Reading| {
        let lengths = one.sequence.len().cmp(&other.sequence.len());
        let terms = |reading: &Reading| {
            let words = reading.sequence.words().to_vec();
            words.into_iter().map(|word| readings.vocabulary.term(word))
        };
        lengths.then_with(|| terms(one).cmp(terms(other))).is_le()
    };
    if is_first(left, right) {
        return in_order(sides, starts, aligner, readings);
    }
    let mut alignment = in_order([right, left], [starts[1], starts[0]], aligner, readings);
    for passage in &mut alignment.passages {
        std::mem::swap(&mut passage.left, &mut passage.right);
    }
    alignment
}

fn in_order(
    sides: [&Reading; 2],
    starts: [&[u32]; 2],
    aligner: Aligner,
    readings: &Readings,
) -> Alignment {
    let template = |side: usize, word: usize| sides[side].marks.all()[word].has(Discount::Template);
    let vocabulary = &readings.vocabulary;
    if !sides.iter().all(|side| side.has_template) {
        let whole = [0, 1].map(|side| Side {
            sequence: &sides[side].sequence,
            outline: &sides[side].outline,
            runs: starts[side],
        });
        return aligner.align_sides(whole, vocabulary);
    }
    let of_kind = |from_template: bool| {
        let masked = [0, 1].map(|side| {
            let kept = |word| template(side, word) == from_template;
            sides[side].sequence.masked(kept, readings.masks[side])
        });
        let outlines = masked
            .each_ref()
            .map(|text| aligner.outline(text, vocabulary));
        let parts = [0, 1].map(|side| Side {
            sequence: &masked[side],
            outline: &outlines[side],
            runs: starts[side],
        });
        aligner.align_sides(parts, vocabulary)
    };
    let (mut own, template) = (of_kind(false), of_kind(true));
    own.limited |= template.limited;
    own.passages.extend(template.passages);
    by_place(&mut own);
    own
}

fn by_place(alignment: &mut Alignment) {
    alignment.passages.sort_by_key(place);
}

/// Where a passage stands among others.
fn place(passage: &Passage) -> [u32; 4] {
    let (left, right) = (&passage.left, &passage.right);
    [left.start, left.end, right.start, right.end]
}
