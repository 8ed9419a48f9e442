//! `cento scan`: every pair.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use cento::discount::Discount;
use cento::report::{Report, Setting};
use cento::sketch::Sketcher;
use cento::{Texts, Watch};
use cento_server::reading::describe;

use super::plan::Forecast;
use super::{advise, complete, style, use_threads};
use crate::Outcome;
use crate::args::{ApproximateOptions, General, ScanArgs, curve};
use crate::config::{Method, Settings, Typed, settle, settle_method};
use crate::estimate::Sample;
use crate::load::{Input, Loaded, account, bytes, find, load};
use crate::output;
use crate::progress::Progress;
use crate::publish::Publication;

pub(crate) fn run(args: ScanArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        method: args.method,
        reading: args.reading,
        evidence: args.evidence,
        many: args.many,
        ..Typed::default()
    };
    let (method, mut settings) = settle_method(typed, general)?;
    let publication = Publication::settle(args.publishing, &settings)?;
    settings.scan.count_below = settings.advise || publication.wants_histogram();
    use_threads(&settings)?;
    if let Method::Style(method) = method {
        style::refuse_exit_code(args.exit_code)?;
        if args.approximate.approximate {
            bail!("--approximate: no use with a style recipe, which has no digests");
        }
        return style::scan(&args.paths, method, &publication, &settings);
    }
    let sketcher = sketcher(&args.approximate, &settings)?;
    let mut loaded = load(&args.paths, &settings.old, &settings)?;
    let read = loaded.documents.len();
    let mut report = report(&mut loaded, &publication, sketcher.as_ref(), &settings)?;
    complete(&mut report, &settings);
    let base = loaded.base.fingerprint.as_ref();
    advise::add(&mut report, &loaded.inputs, base, &settings);
    report.skipped.clone_from(&loaded.skipped);
    publication.publish(&mut report, &loaded.base.texts, &settings)?;
    account(read, &loaded.skipped, &settings)?;
    let found = args.exit_code && !report.families.is_empty();
    Ok(if found { Outcome::Found } else { Outcome::Done })
}

/// What a run with these arguments will take.
pub(super) fn forecast(args: &ScanArgs, general: &General) -> Result<Forecast> {
    /// A digest in the index and in the lists that are walked,
    const INDEXED: u64 = 30;
    /// and one in a fingerprint and, if it is shared, in the lists.
    const SHARED: u64 = 14;
    let typed = Typed {
        method: args.method.clone(),
        reading: args.reading.clone(),
        evidence: args.evidence.clone(),
        many: args.many.clone(),
        ..Typed::default()
    };
    let settings = settle(typed, general)?;
    use_threads(&settings)?;
    let paths: Vec<PathBuf> = args.paths.iter().chain(&settings.old).cloned().collect();
    let inputs = find(&paths, &settings)?.inputs;
    let read = |input: &Input| Some(input.read().ok()?.content);
    let sample = Sample::of(&inputs, Input::size, read, &settings);
    let whole = sample.whole(bytes(&inputs));
    let lists_are_enough = settings.aligner.is_none() && settings.scan.measure.is_set();
    let digest = if lists_are_enough { SHARED } else { INDEXED };
    Ok(Forecast {
        seconds: whole.seconds * 1.3,
        memory: whole.digests * digest + (100 << 20),
        whole,
        disk: Vec::new(),
        notes: settings
            .aligner
            .map(
                |_| "aligning the listed pairs comes on top; how many there are is known only then",
            )
            .map(str::to_owned)
            .into_iter()
            .collect(),
    })
}

/// What makes sketches, if the run is to be approximate; says what it will find.
fn sketcher(args: &ApproximateOptions, settings: &Settings) -> Result<Option<Sketcher>> {
    let scan = &settings.scan;
    let sketcher = args.sketcher(scan.measure, scan.threshold)?;
    if let Some(sketcher) = &sketcher {
        if scan.max_documents.is_some() || scan.left_out.has(Discount::Common) {
            bail!(
                "--approximate: how many documents have a text is not known then, so --max-df and \
                 --base-from common have no say; leave them out"
            );
        }
        if !settings.quiet {
            output::message(&curve(sketcher.bands));
        }
    }
    Ok(sketcher)
}

fn report(
    loaded: &mut Loaded,
    publication: &Publication,
    sketcher: Option<&Sketcher>,
    settings: &Settings,
) -> Result<Report> {
    let documents = std::mem::take(&mut loaded.documents);
    let inputs: HashMap<&str, &Input> = loaded
        .inputs
        .iter()
        .map(|input| (input.id(), input))
        .collect();
    let read = |id: &str| Some(inputs.get(id)?.read().ok()?.content);
    let progress = Progress::new("aligning", 0, settings.quiet);
    let tell = |done, all| progress.reach(done, all);
    let watch = Watch::new(&tell, &|| false);
    let texts = settings.aligner.map(|aligner| Texts {
        aligner,
        read: &read,
        templates: loaded.base.texts.clone(),
        key: &settings.key,
        seen: &loaded.counts,
    });
    let mut report = match sketcher {
        None => cento::scan(documents, &settings.scan, texts.as_ref(), watch)?,
        Some(sketcher) => {
            let scan = &settings.scan;
            cento::scan_approximately(documents, scan, sketcher, texts.as_ref(), watch)?
        }
    };
    if let Some(sketcher) = sketcher {
        let (bands, rows) = (sketcher.bands.bands, sketcher.bands.rows);
        report
            .settings
            .insert("bands".into(), Setting::Count(bands.into()));
        report
            .settings
            .insert("rows".into(), Setting::Count(rows.into()));
        report
            .settings
            .insert("sketch-seed".into(), Setting::Count(sketcher.seed));
    }
    progress.finish();
    for document in &mut report.documents {
        if let Some(input) = inputs.get(document.id.as_str()) {
            describe(input, document);
        }
    }
    publication.add_texts(&mut report, &read);
    Ok(report)
}
