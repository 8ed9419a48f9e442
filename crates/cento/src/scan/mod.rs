//! Fingerprints → report: two documents, or every pair of many.

mod candidates;
mod common;
mod document;
mod found;
mod listing;
mod parts;
mod sampled;
mod settings;

use std::mem;

use rayon::prelude::*;

use crate::error::Error;
use crate::evidence::Texts;
use crate::fingerprint::Fingerprint;
use crate::index::{
    AllPairs, DocId, Index, Pair, PairQuery, Rows, SharedLists, Similarities, UnitIndex,
};
use crate::measure::{Measure, Overlap, SetMeasure};
use crate::memory;
use crate::number::index32;
use crate::report::{Histogram, Note, Report};
use crate::sketch::{Sketcher, Sketches};
use crate::stretch::dense_pairs;
use crate::watch::Watch;
use common::Without;
pub use document::{Document, Role};
use found::{Found, report};
pub use listing::Listing;
pub use parts::score_parts;
pub(crate) use settings::THRESHOLD;
pub use settings::{PASSAGE_THRESHOLD, ScanSettings};

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
