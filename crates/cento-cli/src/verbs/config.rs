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
    output::result(&toml::to_string(&effective(&settings))?)?;
    Ok(Outcome::Done)
}
