//! `cento compare`: two documents.

use anyhow::Result;
use cento_jobs::compare::{self, Options};

use super::scan::refuse_exit_code;
use crate::Outcome;
use crate::args::{CompareArgs, General};
use crate::config::{Typed, settle_method};
use crate::publish::Publication;
use crate::run::run as watched;

pub(crate) fn run(args: CompareArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        method: args.method,
        reading: args.reading,
        evidence: args.evidence,
        ..Typed::default()
    };
    let settings = settle_method(typed, general)?;
    let publication = Publication::settle(args.publishing, &settings)?;
    refuse_exit_code(args.exit_code, &settings)?;
    let options = Options {
        left: args.left,
        right: args.right,
        compress: args.compress,
        method: settings.method.clone(),
        evidence: settings.evidence.clone(),
        input: settings.input.clone(),
        ..Options::default()
    };
    let mut done = watched(&settings, |watch| compare::run(&options, watch))?;
    publication.publish(&mut done.report, &done.templates, &settings)?;
    Ok(Outcome::of(args.exit_code && done.is_found))
}
