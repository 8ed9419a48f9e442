//! What scores mean in a collection: the advice at the end of a scan, and of an evaluation without
//! labels.

use cento::eval::advise::{Advice, related_text};
use cento::report::{Note, Report};
use cento::{Fingerprint, Key, Measure, NoCollection, Recipe};
use cento_ingest::Input;
use rayon::prelude::*;

use crate::error::Result;
use crate::method::Method;
use crate::watch::Watch;

/// From how many documents on every scan ends with advice, if the documents tell.
const ENOUGH: usize = 10;
/// The same where no texts are compared: what programs read there stays as it was.
const ENOUGH_WITHOUT_TEXTS: usize = 20;
/// How many related texts are made at most.
const SAMPLE: usize = 40;

/// Adds advice to a report that is large enough, or where it was asked for.
pub(crate) fn add(
    report: &mut Report,
    inputs: &[&Input],
    base: Option<&Fingerprint>,
    method: &Method,
    is_asked_for: bool,
    watch: &Watch<'_>,
) -> Result<()> {
    let enough = if report.settings.contains_key("aligner") {
        ENOUGH
    } else {
        ENOUGH_WITHOUT_TEXTS
    };
    let is_wanted = is_asked_for || report.documents.len() >= enough;
    if !is_wanted || report.histogram.is_empty() {
        return Ok(());
    }
    let Some(chance) = report.chance else {
        note(report, is_asked_for, Note::TooFewForAdvice);
        return Ok(());
    };
    let texts: Vec<String> = sample(inputs)
        .filter_map(|input| input.read().ok())
        .map(|text| text.content)
        .collect();
    watch.go_on()?;
    let Method {
        recipe,
        measure,
        key,
        ..
    } = method;
    let related = related_scores(&texts, recipe, *measure, base, key, watch)?;
    report.advice = Advice::of(chance, &related);
    if report.advice.is_none() {
        note(report, is_asked_for, Note::NoAdvice);
    }
    Ok(())
}

/// Says why there is no advice, to whoever wants it.
fn note(report: &mut Report, is_asked_for: bool, note: Note) {
    if is_asked_for {
        report.notes.push(note);
    }
}

/// Some items, evenly spaced.
pub(crate) fn sample<T>(items: &[T]) -> impl Iterator<Item = &T> {
    items.iter().step_by(items.len().div_ceil(SAMPLE).max(1))
}

/// What documents reach that took an edited quarter from another.
pub(crate) fn related_scores(
    texts: &[String],
    recipe: &Recipe,
    measure: Measure,
    base: Option<&Fingerprint>,
    key: &Key,
    watch: &Watch<'_>,
) -> Result<Vec<f64>> {
    // Counts of the collection would have to know the texts that are made here.
    let Some(measure) = measure.of_sets() else {
        return Ok(Vec::new());
    };
    if recipe.counted().is_some() || texts.len() < 2 {
        return Ok(Vec::new());
    }
    let fingerprint = |text: &str| {
        let mut fingerprint = recipe.fingerprint(text, key, &NoCollection);
        if let Some(base) = base {
            fingerprint.subtract(base);
        }
        fingerprint
    };
    let scores = (0..texts.len())
        .into_par_iter()
        .filter(|_| !watch.is_stopped())
        .filter_map(|number| {
            let (source, other) = (&texts[number], &texts[(number + 1) % texts.len()]);
            let made = fingerprint(&related_text(source, other));
            let overlap = cento::overlap(&fingerprint(source), &made).ok()?;
            // A text without digests says nothing about the others.
            (overlap.left > 0 && overlap.right > 0).then(|| measure.score(overlap))
        })
        .collect();
    watch.go_on()?;
    Ok(scores)
}
