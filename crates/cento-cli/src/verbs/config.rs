//! `cento config`: the settings in force.

use anyhow::Result;
use cento::discount::Discount;

use crate::args::{BaseFrom, ConfigArgs, General};
use crate::config::{Keys, Method, Typed, settle_method};
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
    let has_scores = method == Method::Fingerprints;
    let left_out = settings.scan.left_out;
    let effective = Keys {
        recipe: Some(settings.recipe_name),
        measure: has_scores.then(|| settings.scan.measure.to_string()),
        threshold: has_scores.then_some(settings.scan.threshold),
        dictionary: settings.dictionary,
        key_file: settings.key_file,
        format: Some(settings.format),
        strict: Some(settings.strict),
        aligner: Some(match settings.aligner {
            Some(aligner) => aligner.to_string(),
            None => "none".to_owned(),
        }),
        base: Some(settings.base),
        base_from: left_out.has(Discount::Common).then_some(BaseFrom::Common),
        count_quotes: Some(!left_out.has(Discount::Quotation)),
        count_bibliography: Some(!left_out.has(Discount::Bibliography)),
        with_text: Some(settings.with_text),
        old: Some(settings.old),
        top: settings.scan.top,
        max_df: settings.scan.max_documents,
        advise: Some(settings.advise),
        threads: settings.threads,
        quiet: Some(settings.quiet),
        ..input::effective(&settings.input)
    };
    output::result(&toml::to_string(&effective)?)?;
    Ok(Outcome::Done)
}
