//! `cento config`: the settings in force.

use anyhow::Result;
use cento::discount::Discount;

use crate::args::{BaseFrom, ConfigArgs, General};
use crate::config::{Keys, Method, Settings, Typed, settle_method};
use crate::{Outcome, input, output};

pub(crate) fn run(args: ConfigArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        method: args.method,
        reading: args.reading,
        evidence: args.evidence,
        many: args.many,
        ..Typed::default()
    };
    let (method, settings) = settle_method(typed, general)?;
    let keys = effective(&settings, method == Method::Fingerprints);
    output::result(&toml::to_string(&keys)?)?;
    Ok(Outcome::Done)
}

/// The settings in force, as cento.toml would have them; a style has no scores.
pub(crate) fn effective(settings: &Settings, has_scores: bool) -> Keys {
    let left_out = settings.scan.left_out;
    Keys {
        recipe: Some(settings.recipe_name.clone()),
        measure: has_scores.then(|| settings.scan.measure.to_string()),
        threshold: has_scores.then_some(settings.scan.threshold),
        dictionary: settings.dictionary.clone(),
        key_file: settings.key_file.clone(),
        format: Some(settings.format),
        strict: Some(settings.strict),
        aligner: Some(match settings.aligner {
            Some(aligner) => aligner.to_string(),
            None => "none".to_owned(),
        }),
        base: Some(settings.base.clone()),
        base_from: left_out.has(Discount::Common).then_some(BaseFrom::Common),
        count_quotes: Some(!left_out.has(Discount::Quotation)),
        count_bibliography: Some(!left_out.has(Discount::Bibliography)),
        with_text: Some(settings.with_text),
        old: Some(settings.old.clone()),
        top: settings.scan.top,
        max_df: settings.scan.max_documents,
        advise: Some(settings.advise),
        threads: settings.threads,
        quiet: Some(settings.quiet),
        ..input::effective(&settings.input)
    }
}
