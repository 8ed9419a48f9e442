//! What was found → its report.

use super::common::Without;
use super::{Document, Role, ScanSettings};
use crate::error::Error;
use crate::eval::chance::Chance;
use crate::evidence::Texts;
use crate::index::{AllPairs, DocId, Index, Pair, Similarities};
use crate::measure::Overlap;
use crate::recipe::Recipe;
use crate::report::{CommonLimit, Note, Report, Setting, Summary};
use crate::watch::Watch;

/// What was found out about the pairs.
pub(super) struct Found {
    pub(super) pairs: AllPairs,
    /// What a ranking measure comes to for them, or how many passages they have in common.
    pub(super) similarities: Similarities,
    /// The same without the text that many documents have, if there is such text.
    pub(super) without: Option<Without>,
}

impl Found {
    /// Leaves out the pairs of documents by one author.
    pub(super) fn leave_out_own(&mut self, documents: &[Document]) {
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
pub(super) fn is_of_one_author(documents: &[Document], left: DocId, right: DocId) -> bool {
    let [left, right] = [left, right].map(|document| &documents[document.0 as usize].author);
    left.is_some() && left == right
}

/// The report on what was found.
pub(super) fn report(
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
pub(super) fn begun(
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
