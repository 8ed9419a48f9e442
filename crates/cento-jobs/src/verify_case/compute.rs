//! The texts of a case → its numbers.

use cento::align::{Aligner, Meanings};
use cento::report::{PairReport, Setting};
use cento::token::Content;
use cento::{Document, Key, Measure, Recipe, ScanSettings, Texts};
use cento_report::PageData;

use crate::error::{Error, Result};
use crate::method::MethodOptions;
use crate::prepare::{Templates, counts_of};
use crate::watch::Watch;

/// The pair, computed from the texts in the file.
pub(super) fn compute(
    page: &PageData,
    recipe: Recipe,
    key: &Key,
    watch: &Watch<'_>,
) -> Result<PairReport> {
    let report = &page.report;
    let measure: Measure = report.measure.parse::<Measure>()?;
    let aligner: Option<Aligner> = match report.settings.get("aligner") {
        Some(Setting::Text(name)) => Some(name.parse::<Aligner>()?),
        _ => None,
    };
    for file in ["synonyms", "vectors"] {
        if report.settings.contains_key(file) {
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
    if recipe.is_for_programs() {
        let reason = "is one of programs, and what a part of a program counts for depends on the \
                      whole collection, so it cannot be computed again";
        return Err(Error::refused(reason));
    }
    let threshold = match report.settings.get("threshold") {
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
    let texts: Vec<&str> = page.texts.iter().flatten().map(String::as_str).collect();
    let Ok([left, right]) = <[&str; 2]>::try_from(texts) else {
        let reason = "has no texts, so it cannot be computed again";
        return Err(Error::refused(reason));
    };
    let templates = page.templates.iter().cloned().map(Content::from);
    let templates = Templates::of(templates.collect(), recipe, key);
    let counts = counts_of(recipe, key, &[left.into(), right.into()]);
    let document = |id: &str, text: &str| {
        let mut fingerprint = recipe.fingerprint(text, key, &counts);
        let words = recipe.count_words(text, &fingerprint);
        if let Some(base) = &templates.fingerprint {
            fingerprint.subtract(base);
        }
        Document::new(id, words, fingerprint)
    };
    let documents = [document("left", left), document("right", right)];
    let read = |id: &str| Some(if id == "left" { left } else { right }.to_owned().into());
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
