//! `cento scan`: every pair.

use anyhow::Result;

use super::{advise, complete, rendered, use_threads};
use crate::args::{General, ScanArgs};
use crate::config::settle;
use crate::load::{account, load};
use crate::{Outcome, output};

pub(crate) fn run(args: ScanArgs, general: &General) -> Result<Outcome> {
    let settings = settle(args.method, args.reading, args.many, general)?;
    use_threads(&settings)?;
    let mut loaded = load(&args.paths, &settings.old, &settings)?;
    let documents = std::mem::take(&mut loaded.documents);
    let read = documents.len();
    let mut report = cento::scan(documents, &settings.scan)?;
    complete(&mut report, &settings);
    advise::add(&mut report, &loaded.inputs, loaded.base.as_ref(), &settings);
    report.skipped.clone_from(&loaded.skipped);
    output::result(&rendered(&report, settings.format))?;
    account(read, &loaded.skipped, &settings)?;
    let found = args.exit_code && !report.families.is_empty();
    Ok(if found { Outcome::Found } else { Outcome::Done })
}
