//! Fingerprints → report: two documents, or every pair of many.

mod candidates;
mod common;
mod listing;
mod parts;
mod sampled;

use std::mem;

use rayon::prelude::*;

use crate::discount::{Discount, Discounts, common_from};
use crate::disguise::Disguised;
use crate::error::Error;
use crate::eval::chance::Chance;
use crate::evidence::Texts;
use crate::fingerprint::Fingerprint;
use crate::index::{
    AllPairs, DocId, Index, Pair, PairQuery, Rows, SharedLists, Similarities, UnitIndex,
};
use crate::measure::{Measure, Overlap, SetMeasure};
use crate::memory;
use crate::number::index32;
use crate::recipe::Recipe;
use crate::report::{CommonLimit, Evidence, Histogram, Note, Report, Setting, Summary, Top};
use crate::sketch::{Sketcher, Sketches};
use crate::stretch::{Stretches, dense_pairs};
use crate::watch::Watch;
use common::Without;
pub use listing::Listing;
pub use parts::score_parts;

/// A document as a scan needs it.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its id, different from all others.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Whether it is checked or only compared with.
    pub role: Role,
    /// How many words it has.
    pub words: u64,
    /// The language of a program.
    pub language: Option<String>,
    /// Whose it is, if that is known: documents of one author are not listed with each other.
    pub author: Option<String>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// What of it is disguised.
    pub disguised: Disguised,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// The fingerprints of its passages, if the recipe cuts documents into some.
    pub passages: Vec<Fingerprint>,
    /// Its stretches, for a list that is made from what alignment finds.
    pub stretches: Stretches,
}

impl Document {
    /// A document that is checked, and of which there is nothing odd to say.
    pub fn new(id: impl Into<String>, words: u64, fingerprint: Fingerprint) -> Document {
        let id = id.into();
        Document {
            label: id.clone(),
            id,
            role: Role::New,
            words,
            language: None,
            author: None,
            warnings: Vec::new(),
            disguised: Disguised::default(),
            fingerprint,
            passages: Vec::new(),
            stretches: Stretches::default(),
        }
    }

    /// What is ranked: its fingerprint, or those of its passages.
    fn units(&self, recipe: &Recipe) -> &[Fingerprint] {
        match recipe.passages {
            Some(_) => &self.passages,
            None => std::slice::from_ref(&self.fingerprint),
        }
    }
}

/// What a document is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It is checked against all others.
    New,
    /// The new ones are compared with it, but it is not compared with its like.
    Old,
}

/// What a scan is to find.
#[derive(Clone, Debug)]
pub struct ScanSettings {
    /// How the fingerprints were made.
    pub recipe: Recipe,
    /// What makes the score.
    pub measure: Measure,
    /// What decides which pairs are listed, and in which order. By evidence it takes texts.
    pub listing: Listing,
    /// The lowest score of a listed pair; by evidence, the lowest share.
    pub threshold: f64,
    /// From which share of its own score on a passage is like another, if the recipe cuts documents
    /// into passages.
    pub passage_threshold: f64,
    /// List at most so many pairs.
    pub top: Option<usize>,
    /// List only pairs of so many documents: those that come first in the list.
    pub top_documents: Option<usize>,
    /// Digests that more documents have than this do not count.
    pub max_documents: Option<u32>,
    /// What the percentages leave out of the texts.
    pub left_out: Discounts,
    /// Whether pairs below the threshold are counted too, for a histogram of all scores.
    pub count_below: bool,
}

impl Default for ScanSettings {
    fn default() -> ScanSettings {
        ScanSettings {
            recipe: Recipe::default(),
            measure: Measure::default(),
            listing: Listing::default(),
            threshold: THRESHOLD,
            passage_threshold: PASSAGE_THRESHOLD,
            top: None,
            top_documents: None,
            max_documents: None,
            left_out: Discounts::USUAL,
            count_below: true,
        }
    }
}

/// The lowest score of a listed pair, unless somebody wants it otherwise.
pub(crate) const THRESHOLD: f64 = 0.1;

/// The share of its own score from which on a passage is like another, unless somebody wants it
/// otherwise.
pub const PASSAGE_THRESHOLD: f64 = 0.5;

impl ScanSettings {
    /// How much of the list there is to be.
    pub(crate) fn top(&self) -> Top {
        Top {
            pairs: self.top,
            documents: self.top_documents,
        }
    }

    /// The most documents that a digest may have to count.
    fn most_documents(&self, documents: usize) -> Option<u32> {
        let common = self
            .left_out
            .has(Discount::Common)
            .then(|| common_from(index32(documents)) - 1);
        self.max_documents.into_iter().chain(common).min()
    }

    /// How many words the longest passage has that counts for a list: text that many documents have
    /// does not.
    fn longest_passage(&self, evidence: &Evidence) -> u32 {
        evidence.longest_passage(self.left_out.with(Discount::Common))
    }
}

/// What two fingerprints share.
///
/// ```
/// use cento::{Key, NoCollection, Recipe, SetMeasure, overlap};
///
/// let recipe = Recipe::named("default")?;
/// let fingerprint = |text| recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
/// let left = fingerprint("The town rebuilt its canal in nine years.");
/// let right = fingerprint("In nine years the town rebuilt its canal.");
/// let shared = overlap(&left, &right)?;
/// assert!(SetMeasure::MaxContainment.score(shared) >= 0.25);
/// # Ok::<(), cento::Error>(())
/// ```
pub fn overlap(left: &Fingerprint, right: &Fingerprint) -> Result<Overlap, Error> {
    refuse_others(left, right)?;
    Ok(left.overlap(right))
}

fn refuse_others(left: &Fingerprint, right: &Fingerprint) -> Result<(), Error> {
    if left.recipe() == right.recipe() {
        return Ok(());
    }
    let (left, right) = (left.recipe().to_string(), right.recipe().to_string());
    Err(Error::RecipeMismatch { left, right })
}

/// Compares two documents; their one pair is always listed. With texts it is aligned, too.
///
/// The others are the collection that says how rare text is; they are not compared.
pub fn compare(
    documents: &[Document; 2],
    others: &[Document],
    settings: &ScanSettings,
    texts: Option<&Texts<'_>>,
    watch: Watch<'_>,
) -> Result<Report, Error> {
    refuse_passages(settings)?;
    let [left, right] = documents.each_ref().map(|document| &document.fingerprint);
    refuse_others(left, right)?;
    let overlap = sampled::overlap(&settings.recipe, left, right);
    let collection: Vec<&Fingerprint> = documents
        .iter()
        .chain(others)
        .map(|document| &document.fingerprint)
        .collect();
    let index = Index::build(&collection, watch.silent())?;
    let score = match settings.measure.of_sets() {
        Some(measure) => measure.score(overlap),
        None => index
            .share(left, DocId(1), settings.measure)
            .max(index.share(right, DocId(0), settings.measure)),
    };
    let pairs = AllPairs {
        pairs: vec![Pair {
            left: DocId(0),
            right: DocId(1),
            overlap,
            score,
        }],
        below: Some(u64::from(score < settings.threshold)),
        scores: Histogram::default(),
        rows: Rows::default(),
        shared_with_any: vec![overlap.shared; 2],
        sizes: [left, right]
            .map(|fingerprint| index32(fingerprint.digests().len()))
            .to_vec(),
        ignored_digests: 0,
    };
    let found = Found {
        pairs,
        similarities: Similarities::default(),
        without: None,
    };
    let mut report = report(
        "compare",
        documents,
        Some(&index),
        found,
        settings,
        texts,
        watch,
    )?;
    if let Some(bar) = settings.listing.bar(settings)
        && let [pair] = &report.pairs[..]
    {
        let evidence = pair.evidence.as_ref();
        let passage = evidence.map_or(0, |evidence| settings.longest_passage(evidence));
        let reason = bar.reason(pair.larger_share(), passage);
        report.at_threshold = u64::from(reason.is_some());
        report.below_threshold = Some(u64::from(reason.is_none()));
        report.families = match reason {
            Some(_) => vec![vec![pair.left.clone(), pair.right.clone()]],
            None => Vec::new(),
        };
    }
    Ok(report)
}

fn refuse_passages(settings: &ScanSettings) -> Result<(), Error> {
    match settings.recipe.passages {
        Some(_) => Err(Error::Passages {
            recipe: settings.recipe.to_string(),
        }),
        None => Ok(()),
    }
}

/// Compares every document with every other one.
///
/// All fingerprints must come from one recipe. Documents are numbered in the order of role and id,
/// so that the result does not depend on the order in which they were read. With texts the listed
/// pairs are aligned, too, and the watch is told how many are done.
///
/// ```
/// use cento::align::Meanings;
/// use cento::{Document, Key, NoCollection, Recipe, ScanSettings, Texts, Watch, scan};
///
/// let read = |id: &str| match id {
///     "one" => Some("A short preface. The town rebuilt its canal in nine years.".to_owned()),
///     _ => Some("The town rebuilt its canal in nine years, they say.".to_owned()),
/// };
/// let recipe = Recipe::default();
/// let documents = ["one", "two"].map(|id| {
///     let fingerprint = recipe.fingerprint(&read(id).unwrap(), &Key::PUBLIC, &NoCollection);
///     Document::new(id, 10, fingerprint)
/// });
/// let texts = Texts {
///     aligner: "tiling:5".parse()?,
///     meanings: &Meanings::none,
///     read: &|id| Some(read(id)?.into()),
///     marks: false,
///     templates: Vec::new(),
///     key: &Key::PUBLIC,
///     seen: &NoCollection,
/// };
/// let settings = ScanSettings { threshold: 0.2, ..ScanSettings::default() };
/// let report = scan(documents.into(), &settings, Some(&texts), Watch::NOBODY)?;
/// let evidence = report.pairs[0].evidence.as_ref().unwrap();
/// let passage = &evidence.passages[0].left;
/// let shared = &read("one").unwrap()[passage.start as usize..passage.end as usize];
/// assert_eq!(shared, "The town rebuilt its canal in nine years");
/// # Ok::<(), cento::Error>(())
/// ```
pub fn scan(
    documents: Vec<Document>,
    settings: &ScanSettings,
    texts: Option<&Texts<'_>>,
    watch: Watch<'_>,
) -> Result<Report, Error> {
    let mut documents = in_order(documents)?;
    let measure = settings.measure.of_sets();
    let query = PairQuery {
        measure: measure.unwrap_or(SetMeasure::MaxContainment),
        at_least: settings.threshold,
        old_from: old_from(&documents),
        max_documents: settings.most_documents(documents.len()),
        steps: if settings.count_below {
            PairQuery::STEPS
        } else {
            0
        },
    };
    if measure.is_none() || settings.recipe.passages.is_some() {
        return ranked(&documents, settings, &query, texts, watch);
    }
    if sampled::is_sampled(&settings.recipe) {
        return sampled::scan(&documents, settings, &query, texts, watch);
    }
    let (index, pairs, without) = if let Some(texts) = texts {
        let index = Index::take(digests_of(&mut documents), watch.silent())?;
        memory::give_back();
        let pairs = index.pairs(&query, watch.silent())?;
        let without = Without::find(&index, &query, settings, watch.silent())?;
        if let Listing::Evidence { passage } = settings.listing {
            let stretches = documents.iter_mut();
            let stretches = stretches.map(|document| mem::take(&mut document.stretches));
            let dense = dense_pairs(stretches.collect(), query.old_from, watch.silent())?;
            memory::give_back();
            let scan = listing::Scan {
                documents: &documents,
                index: &index,
                found: Found {
                    pairs,
                    similarities: Similarities::default(),
                    without,
                },
                dense,
                passage,
            };
            return scan.report(settings, texts, watch);
        }
        (Some(index), pairs, without)
    } else {
        let lists = SharedLists::take(digests_of(&mut documents), watch.silent())?;
        memory::give_back();
        (None, lists.pairs(&query, watch.silent())?, None)
    };
    let found = Found {
        pairs,
        similarities: Similarities::default(),
        without,
    };
    report(
        "scan",
        &documents,
        index.as_ref(),
        found,
        settings,
        texts,
        watch,
    )
}

/// The same by a ranking measure, or by passages.
fn ranked(
    documents: &[Document],
    settings: &ScanSettings,
    query: &PairQuery,
    texts: Option<&Texts<'_>>,
    watch: Watch<'_>,
) -> Result<Report, Error> {
    let index = Index::build(&fingerprints(documents), watch.silent())?;
    // What does not depend on the measure.
    let every = PairQuery {
        at_least: 0.0,
        ..*query
    };
    let counted = index.pairs(&every, watch.silent())?;
    let units = documents
        .iter()
        .map(|document| document.units(&settings.recipe));
    let units: Vec<&[Fingerprint]> = units.collect();
    let alike_from = settings.recipe.passages.map(|_| settings.passage_threshold);
    let by_unit = UnitIndex::build(&units, alike_from, watch.silent())?;
    let (pairs, similarities) =
        by_unit.pairs(&units, settings.measure, query, counted, watch.silent())?;
    let found = Found {
        pairs,
        // The share is all that a person can make something of.
        similarities: match settings.measure {
            Measure::RareContainment => Similarities::default(),
            _ => similarities,
        },
        without: None,
    };
    report(
        "scan",
        documents,
        Some(&index),
        found,
        settings,
        texts,
        watch,
    )
}

/// Takes the digests away from documents: they are most of the memory, and not needed any more once
/// they are in an index.
fn digests_of(documents: &mut [Document]) -> Vec<Fingerprint> {
    let take = |document: &mut Document| document.fingerprint.take();
    documents.iter_mut().map(take).collect()
}

/// Compares the documents that their sketches say are alike: a pair may be missed, with the
/// probability that [`Bands::chance`](crate::sketch::Bands::chance) leaves, but what is listed is
/// counted exactly.
///
/// The measure must be one of sets; how many documents may have a digest has no say.
pub fn scan_approximately(
    documents: Vec<Document>,
    settings: &ScanSettings,
    sketcher: &Sketcher,
    texts: Option<&Texts<'_>>,
    watch: Watch<'_>,
) -> Result<Report, Error> {
    let measure = settings.measure.expect_sets()?;
    refuse_passages(settings)?;
    let documents = in_order(documents)?;
    let fingerprints = fingerprints(&documents);
    let all = fingerprints
        .par_iter()
        .map(|fingerprint| {
            watch.go_on()?;
            Ok(sketcher.sketch(fingerprint.digests()))
        })
        .collect::<Result<_, Error>>()?;
    let digests = |document: DocId| fingerprints[document.0 as usize].digests();
    let found = Sketches::new(sketcher.bands, all).pairs(
        measure,
        settings.threshold,
        old_from(&documents),
        digests,
        watch.silent(),
    )?;
    // How rare shared text is can only be told among the documents that are listed.
    let mut is_listed = vec![false; documents.len()];
    let mut shared_with_any = vec![0; documents.len()];
    for pair in &found.pairs {
        for document in [pair.left, pair.right].map(|document| document.0 as usize) {
            is_listed[document] = true;
            shared_with_any[document] = pair.overlap.shared.max(shared_with_any[document]);
        }
    }
    let listed = fingerprints.iter().zip(&is_listed);
    let listed: Vec<&Fingerprint> = listed
        .filter_map(|(fingerprint, is_listed)| is_listed.then_some(*fingerprint))
        .collect();
    let listed = if texts.is_some() { &listed[..] } else { &[] };
    let index = Index::build(listed, watch.silent())?;
    let all = AllPairs {
        pairs: found.pairs,
        below: None,
        scores: Histogram::default(),
        rows: Rows::default(),
        shared_with_any,
        sizes: fingerprints
            .iter()
            .map(|f| index32(f.digests().len()))
            .collect(),
        ignored_digests: 0,
    };
    // What is below the threshold is not counted here, and nobody has to be told why.
    let settings = &ScanSettings {
        count_below: false,
        ..settings.clone()
    };
    let index = Some(&index);
    let all = Found {
        pairs: all,
        similarities: Similarities::default(),
        without: None,
    };
    let mut report = report("scan", &documents, index, all, settings, texts, watch)?;
    report.notes.push(Note::Approximate {
        candidates: found.candidates,
    });
    Ok(report)
}

/// The documents in the order of role and id.
fn in_order(mut documents: Vec<Document>) -> Result<Vec<Document>, Error> {
    documents.sort_by(|a, b| (a.role, &a.id).cmp(&(b.role, &b.id)));
    let recipe = |document: &Document| document.fingerprint.recipe().clone();
    if let Some(first) = documents.first().map(recipe)
        && let Some(odd) = documents.iter().map(recipe).find(|odd| *odd != first)
    {
        let (left, right) = (first.to_string(), odd.to_string());
        return Err(Error::RecipeMismatch { left, right });
    }
    Ok(documents)
}

fn fingerprints(documents: &[Document]) -> Vec<&Fingerprint> {
    documents
        .iter()
        .map(|document| &document.fingerprint)
        .collect()
}

/// The number of the first document that is only compared with.
fn old_from(documents: &[Document]) -> u32 {
    index32(documents.partition_point(|document| document.role == Role::New))
}

/// What was found out about the pairs.
struct Found {
    pairs: AllPairs,
    /// What a ranking measure comes to for them, or how many passages they have in common.
    similarities: Similarities,
    /// The same without the text that many documents have, if there is such text.
    without: Option<Without>,
}

impl Found {
    /// Leaves out the pairs of documents by one author.
    fn leave_out_own(&mut self, documents: &[Document]) {
        if documents.iter().all(|document| document.author.is_none()) {
            return;
        }
        let is_kept = |pair: &Pair| !is_of_one_author(documents, pair.left, pair.right);
        self.pairs.pairs.retain(is_kept);
        if let Some(without) = &mut self.without {
            without.retain(is_kept);
        }
    }
}

/// Whether two documents are known to be by the same author.
fn is_of_one_author(documents: &[Document], left: DocId, right: DocId) -> bool {
    let [left, right] = [left, right].map(|document| &documents[document.0 as usize].author);
    left.is_some() && left == right
}

fn report(
    command: &str,
    documents: &[Document],
    index: Option<&Index>,
    mut found: Found,
    settings: &ScanSettings,
    texts: Option<&Texts<'_>>,
    watch: Watch<'_>,
) -> Result<Report, Error> {
    found.leave_out_own(documents);
    let Found {
        pairs: found,
        similarities,
        without,
    } = found;
    let mut report = begun(command, documents, &found, settings);
    // `compare` lists its pair even below the threshold.
    let at_threshold = |pair: &&Pair| pair.score >= settings.threshold;
    report.at_threshold = found.pairs.iter().filter(at_threshold).count() as u64;
    report.connect(found.pairs.iter().filter(at_threshold));
    report.below_threshold = found.below;
    report.histogram = found.scores;
    let mut listed = report.list(found.pairs, settings.top());
    for (pair, listed) in listed.iter().zip(&mut report.pairs) {
        listed.similarity = similarities.get(&(pair.left, pair.right)).copied();
    }
    if let Some(without) = without {
        let more = without.add_to(&mut report, &listed, settings);
        listed.extend(more);
    }
    if let Some((texts, index)) = texts.zip(index) {
        report.align(&listed, &settings.recipe, index, texts, watch)?;
    }
    report.mark_thin();
    Ok(report)
}

/// A report without pairs.
fn begun(
    command: &str,
    documents: &[Document],
    found: &AllPairs,
    settings: &ScanSettings,
) -> Report {
    let (recipe, measure) = (settings.recipe.to_string(), settings.measure.to_string());
    let summaries = summaries(documents, found, &settings.recipe);
    let mut report = Report::new(command, recipe, measure, summaries);
    report.set("threshold", Setting::Number(settings.threshold));
    if settings.recipe.passages.is_some() {
        let from = Setting::Number(settings.passage_threshold);
        report.set("passage-threshold", from);
    }
    if let Some(most) = settings.max_documents {
        report.set("max-df", Setting::Count(most.into()));
    }
    report.left_out = settings.left_out;
    report.notes = notes(documents, found, settings);
    report.chance =
        (settings.measure.of_sets()).and_then(|measure| Chance::of(&found.rows, measure));
    report
}

fn summaries(documents: &[Document], found: &AllPairs, recipe: &Recipe) -> Vec<Summary> {
    let summary = |(number, document): (usize, &Document)| {
        let digests = found.sizes[number];
        let overlap = Overlap {
            shared: found.shared_with_any[number],
            left: digests,
            right: digests,
        };
        Summary {
            digests,
            thin: recipe.is_thin(digests, document.fingerprint.tokens().into()),
            global: overlap.containment()[0],
            old: document.role == Role::Old,
            warnings: document.warnings.clone(),
            disguised: document.disguised,
            language: document.language.clone(),
            ..Summary::new(&document.id, &document.label, document.words)
        }
    };
    documents.iter().enumerate().map(summary).collect()
}

fn notes(documents: &[Document], found: &AllPairs, settings: &ScanSettings) -> Vec<Note> {
    let mut notes = Vec::new();
    if documents.len() < 2 {
        notes.push(Note::NothingToCompare);
    }
    // How many passages a document has of another is never more than all, whatever the measure.
    if !settings.measure.is_ideal() && settings.recipe.passages.is_none() {
        notes.push(Note::NotIdeal {
            measure: settings.measure.to_string(),
        });
    }
    if found.below.is_none() && settings.count_below {
        notes.push(Note::BelowNotCounted);
    }
    if found.ignored_digests > 0
        && let Some(most) = settings.most_documents(documents.len())
    {
        notes.push(Note::TooCommon {
            digests: found.ignored_digests,
            documents: most,
            limit: if settings.max_documents == Some(most) {
                CommonLimit::MaxDocuments
            } else {
                CommonLimit::LeftOut
            },
        });
    }
    let empty = documents.iter().zip(&found.sizes);
    let empty = empty.filter(|(_, size)| **size == 0);
    notes.extend(empty.map(|(document, _)| Note::Empty {
        document: document.id.clone(),
    }));
    notes
}
