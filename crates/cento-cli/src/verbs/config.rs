//! `cento config`: the settings in force.

use anyhow::Result;

use crate::args::{ConfigArgs, General};
use crate::config::{Typed, effective, settle_method};
use crate::{Outcome, output};

pub(crate) fn run(args: ConfigArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        method: args.method,
        reading: args.reading,
        evidence: args.evidence,
        many: args.many,
        ..Typed::default()
    };
    let settings = settle_method(typed, general)?;
    let mut keys = effective(&settings);
    // What is listed depends on whether somebody asked for a recipe or a measure, and these lines must
    // mean the same when they are in a cento.toml.
    if settings.method.recipe.is_none() && settings.method.measure.is_none() {
        (keys.recipe, keys.measure) = (None, None);
    }
    output::result(&toml::to_string(&keys)?)?;
    Ok(Outcome::Done)
}
