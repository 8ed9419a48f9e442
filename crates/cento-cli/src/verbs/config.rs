//! `cento config`: the settings in force.

use anyhow::Result;

use crate::args::{ConfigArgs, General};
use crate::config::{Keys, settle};
use crate::{Outcome, output};

pub(crate) fn run(args: ConfigArgs, general: &General) -> Result<Outcome> {
    let settings = settle(args.method, args.reading, args.many, general)?;
    let effective = Keys {
        recipe: Some(settings.recipe_name),
        measure: Some(settings.scan.measure.to_string()),
        threshold: Some(settings.scan.threshold),
        dictionary: settings.dictionary,
        key_file: settings.key_file,
        format: Some(settings.format),
        strict: Some(settings.strict),
        base: Some(settings.base),
        old: Some(settings.old),
        top: settings.scan.top,
        max_df: settings.scan.max_documents,
        advise: Some(settings.advise),
        threads: settings.threads,
        quiet: Some(settings.quiet),
    };
    output::result(&toml::to_string(&effective)?)?;
    Ok(Outcome::Done)
}
