//! The texts of a case → its numbers.

use cento::align::{Aligner, Meanings};
use cento::report::{PairReport, Setting};
use cento::token::Content;
use cento::{Document, Key, Measure, Recipe, ScanSettings, Texts};
use cento_ingest::Readers;
use cento_report::PageData;

use super::saved::{Saved, content};
use crate::error::{Error, Result};
use crate::method::MethodOptions;
use crate::prepare::counts_of;
use crate::templates::Templates;
use crate::watch::Watch;

/// The pair, computed from the texts in the file.
pub(super) fn compute(
    page: &PageData,
    recipe: Recipe,
    key: &Key,
    readers: &Readers,
    watch: &Watch<'_>,
) -> Result<PairReport> {
    let report = &page.report;
    let method = Saved::of(report);
    let measure: Measure = method.measure().parse::<Measure>()?;
    let aligner: Option<Aligner> = match method.setting("aligner") {
        Some(Setting::Text(name)) => Some(name.parse::<Aligner>()?),
        _ => None,
    };
    for file in ["synonyms", "vectors"] {
        if method.setting(file).is_some() {
            let reason = format!(
                "was made with a file of {file}, which it does not contain, so it cannot be \
                 computed again"
            );
            return Err(Error::refused(reason));
        }
    }
    if recipe.passages.is_some() {
        let reason = "was made passage by passage, and what a passage scores depends on the whole \
                      collection, so it cannot be computed again";
        return Err(Error::refused(reason));
    }
    let threshold = match method.setting("threshold") {
        Some(Setting::Number(share)) => *share,
        // A browser writes 1 where we write 1.0.
        Some(Setting::Count(share)) => *share as f64,
        _ => MethodOptions::THRESHOLD,
    };
    let settings = ScanSettings {
        recipe,
        measure,
        threshold,
        left_out: report.left_out,
        ..ScanSettings::default()
    };
    let recipe = &settings.recipe;
    let contents = contents(page, readers)?;
    let templates = method.templates(&page.templates, readers)?;
    let templates = Templates::of(templates, recipe, key);
    let [left, right] = &contents;
    let counts = counts_of(recipe, key, &[left.into(), right.into()]);
    let document = |id: &str, content: &Content| {
        let mut fingerprint = recipe.fingerprint(content, key, &counts);
        let words = recipe.count_words(content, &fingerprint);
        if let Some(base) = &templates.fingerprint {
            fingerprint.subtract(base);
        }
        Document::new(id, words, fingerprint)
    };
    let documents = [document("left", left), document("right", right)];
    let read = |id: &str| Some(if id == "left" { left } else { right }.clone());
    let looked = aligner.map(|aligner| Texts {
        aligner,
        meanings: &Meanings::none,
        read: &read,
        marks: false,
        templates: templates.texts.clone(),
        key,
        seen: &counts,
    });
    let mut report = watch.while_comparing(|watch| {
        cento::compare(&documents, &[], &settings, looked.as_ref(), watch)
    })?;
    let mut pair = report.pairs.remove(0);
    // The one who verifies asks about the left document, who compares about both.
    if page.report.command == "verify" && measure == Measure::Containment {
        pair.score = pair.containment[0];
    }
    Ok(pair)
}

/// Both texts, with the tokens of their programs.
fn contents(page: &PageData, readers: &Readers) -> Result<[Content; 2]> {
    let documents = page
        .report
        .documents
        .iter()
        .zip(page.texts.iter().flatten());
    let contents: Result<Vec<Content>> = documents
        .map(|(document, text)| content(document, text.clone(), readers))
        .collect();
    contents?.try_into().map_err(|_| {
        let reason = "has no texts, so it cannot be computed again";
        Error::refused(reason)
    })
}
