//! `cento register`: documents into a registry.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use cento::index::registry::{Added, Candidate, Facts, Prepare, Registry};
use cento::report::Skipped;
use cento::verify::Query;
use rayon::prelude::*;
use serde_json::json;

use super::plan::Forecast;
use super::register_list::{Item, from_manifest, from_paths, write_rejects};
use super::registry::place::Place;
use super::{use_threads, verify};
use crate::args::{Format, General, RegisterArgs};
use crate::config::{Settings, Typed, settle};
use crate::estimate::Sample;
use crate::load::account;
use crate::progress::Progress;
use crate::publish::Publication;
use crate::{Outcome, output};

/// Committed when so many postings wait, which is 128 MiB of digests, or after a while.
pub(super) const COMMIT_AT: u64 = 1 << 24;
const COMMIT_AFTER: Duration = Duration::from_mins(2);
/// How many documents are read at a time.
const BATCH: usize = 256;

/// What became of the documents.
#[derive(Default)]
struct Tally {
    new: u64,
    versions: u64,
    unchanged: u64,
    pairs: u64,
    rejected: Vec<Rejected>,
}

/// A document that could not be registered.
pub(super) struct Rejected {
    /// Its place in the list, if there is one.
    pub(super) line: Option<u64>,
    pub(super) path: String,
    pub(super) id: String,
    pub(super) reason: String,
}

pub(crate) fn run(args: &RegisterArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        which: args.which.clone(),
        reading: args.reading.clone(),
        evidence: args.evidence.clone(),
        method: verify::method(&args.search),
        ..Typed::default()
    };
    let mut settings = settle(typed, general)?;
    let publication = Publication::settle(args.publishing.clone(), &settings)?;
    use_threads(&settings)?;
    let place = Place::of(&settings)?;
    // Said before any work is done: a slip in an option, a wrong key.
    verify::adopt(&mut settings, &place.snapshot()?);
    let common = Common::of(args)?;
    let mut registry = place.writer("register")?;
    let (items, rejected) = match &args.manifest {
        Some(list) => from_manifest(list, &common)?,
        None => from_paths(&args.paths, &common, &settings)?,
    };
    let mut tally = Tally {
        rejected,
        ..Tally::default()
    };
    let mut queries = args.verify.then(Vec::new);
    register(
        &items,
        &mut registry,
        &mut tally,
        &mut queries,
        args,
        &settings,
    )?;
    registry.finish()?;
    tell(&tally, args, &settings)?;
    if let Some(queries) = queries {
        let snapshot = place.snapshot()?;
        let read = |id: &str| {
            let item = items.iter().find(|item| item.id() == id)?;
            Some(item.read(&settings).ok()?.content)
        };
        let (mut report, templates, _) = verify::report(
            &snapshot,
            &queries,
            &args.search,
            &publication,
            &settings,
            &read,
        )?;
        report.skipped = skipped(&tally);
        publication.publish(&mut report, &templates, &settings)?;
    }
    if args.manifest.is_some() {
        write_rejects(args.rejects.as_deref(), &tally.rejected)?;
    }
    let read = tally.new + tally.versions + tally.unchanged;
    let read = usize::try_from(read).unwrap_or(usize::MAX);
    account(read, &skipped(&tally), &settings)?;
    Ok(Outcome::Done)
}

/// What a run with these arguments will take.
pub(super) fn forecast(args: &RegisterArgs, general: &General) -> Result<Forecast> {
    /// A posting in a segment that is not compacted yet.
    const POSTING: u64 = 6;
    /// A document in the catalogue.
    const DOCUMENT: u64 = 400;
    let typed = Typed {
        which: args.which.clone(),
        reading: args.reading.clone(),
        ..Typed::default()
    };
    let mut settings = settle(typed, general)?;
    use_threads(&settings)?;
    let place = Place::of(&settings)?;
    verify::adopt(&mut settings, &place.snapshot()?);
    let common = Common::of(args)?;
    let (items, _) = match &args.manifest {
        Some(list) => from_manifest(list, &common)?,
        None => from_paths(&args.paths, &common, &settings)?,
    };
    let read = |item: &Item| Some(item.read(&settings).ok()?.content);
    let sample = Sample::of(&items, Item::size, read, &settings);
    let whole = sample.whole(items.iter().map(Item::size).sum());
    // While segments are merged, the old ones are still there.
    let bytes = 2 * (whole.digests * POSTING + whole.documents * DOCUMENT);
    Ok(Forecast {
        seconds: whole.seconds * 1.5,
        memory: 16 * whole.digests.min(COMMIT_AT) + (200 << 20),
        whole,
        disk: vec![("the registry", place.path.clone(), bytes)],
        notes: Vec::new(),
    })
}

/// What was said about all documents.
pub(super) struct Common {
    pub(super) submitter: Option<String>,
    pub(super) set: Option<String>,
    pub(super) date: Option<String>,
    pub(super) expires: Option<String>,
    pub(super) id_prefix: String,
    pub(super) now: String,
}

impl Common {
    fn of(args: &RegisterArgs) -> Result<Common> {
        let expires = args.expire.as_deref().map(crate::time::expiry);
        Ok(Common {
            submitter: args.submitter.clone(),
            set: args.set.clone(),
            date: args.date.clone(),
            expires: expires.transpose().context("--expire")?,
            id_prefix: args.id_prefix.clone().unwrap_or_default(),
            now: crate::time::now(),
        })
    }
}

/// What reading a document came to.
enum Read {
    /// Its file has the bytes that were registered under its id.
    Known,
    Ready(Box<Candidate>, Option<Box<Query>>),
    Failed(String),
}

fn register(
    items: &[Item],
    registry: &mut Registry,
    tally: &mut Tally,
    queries: &mut Option<Vec<Query>>,
    args: &RegisterArgs,
    settings: &Settings,
) -> Result<()> {
    let on_change = super::registry::on_change(args.on_change);
    let bytes = items.iter().map(Item::size).sum();
    let progress = Progress::reading(items.len(), bytes, settings.quiet);
    let mut committed = Instant::now();
    for batch in items.chunks(BATCH) {
        let prepare = registry.prepare().clone();
        let hashes: Vec<Option<[u8; 16]>> =
            batch.par_iter().map(|item| item.hash(&prepare)).collect();
        let mut known = Vec::with_capacity(batch.len());
        for (item, hash) in batch.iter().zip(&hashes) {
            // Verifying needs the text in any case.
            known.push(match hash {
                Some(hash) if queries.is_none() => registry.has_file(&item.facts.id, hash)?,
                _ => false,
            });
        }
        let wants_queries = queries.is_some();
        let read: Vec<Read> = batch
            .par_iter()
            .zip(known.into_par_iter().zip(hashes))
            .map(|(item, (known, hash))| {
                let read = if known {
                    Read::Known
                } else {
                    read(item, hash, &prepare, settings, wants_queries)
                };
                progress.read(item.size());
                read
            })
            .collect();
        for (item, read) in batch.iter().zip(read) {
            let (candidate, query) = match read {
                Read::Known => {
                    tally.unchanged += 1;
                    continue;
                }
                Read::Failed(reason) => {
                    tally.rejected.push(item.rejected(reason));
                    continue;
                }
                Read::Ready(candidate, query) => (candidate, query),
            };
            match registry.add(*candidate, on_change)? {
                Added::New => tally.new += 1,
                Added::Version(_) => tally.versions += 1,
                Added::Unchanged => tally.unchanged += 1,
                Added::Refused => {
                    let reason = "registered with another text (--on-change refuse)";
                    tally.rejected.push(item.rejected(reason.to_owned()));
                    continue;
                }
            }
            if let (Some(queries), Some(query)) = (queries.as_mut(), query) {
                queries.push(*query);
            }
        }
        if registry.pending_postings() > COMMIT_AT || committed.elapsed() > COMMIT_AFTER {
            tally.pairs += registry.commit()?.pairs;
            committed = Instant::now();
        }
    }
    tally.pairs += registry.commit()?.pairs;
    progress.finish();
    Ok(())
}

fn read(
    item: &Item,
    file: Option<[u8; 16]>,
    prepare: &Prepare,
    settings: &Settings,
    wants_query: bool,
) -> Read {
    let document = match item.read(settings) {
        Ok(document) => document,
        Err(reason) => return Read::Failed(reason),
    };
    let kind = document.kind.map(|kind| format!(" {kind}"));
    let facts = Facts {
        file,
        extractor: Some(format!(
            "cento {}{}",
            env!("CARGO_PKG_VERSION"),
            kind.unwrap_or_default()
        )),
        ..item.facts.clone()
    };
    let candidate = prepare.candidate(facts, &document.content);
    if candidate.words() == 0 {
        return Read::Failed("no words in it".to_owned());
    }
    let query = wants_query.then(|| {
        Box::new(Query {
            id: item.id().to_owned(),
            label: item
                .facts
                .label
                .clone()
                .unwrap_or_else(|| item.id().to_owned()),
            registry_id: item.facts.id.clone(),
            submitter: item.facts.submitter.clone(),
            set: item.facts.set.clone(),
            words: candidate.words(),
            warnings: document.warnings.clone(),
            fingerprints: candidate.fingerprints().to_vec(),
            spans: prepare.spans(&document.content),
        })
    });
    Read::Ready(Box::new(candidate), query)
}

/// Says what was registered: to people on the way, or as the result where nothing else is.
fn tell(tally: &Tally, args: &RegisterArgs, settings: &Settings) -> Result<()> {
    let Tally {
        new,
        versions,
        unchanged,
        pairs,
        ..
    } = tally;
    if settings.format == Format::Json && !args.verify {
        let skipped = skipped(tally);
        let result = json!({
            "schema": "cento.register/1",
            "registered": new + versions,
            "new": new,
            "versions": versions,
            "unchanged": unchanged,
            "pairs": pairs,
            "skipped": skipped,
        });
        return output::result(&format!("{result:#}\n"));
    }
    let mut text = match new {
        1 => "1 document registered".to_owned(),
        new => format!("{new} documents registered"),
    };
    if *versions > 0 {
        let _ = write!(text, ", {versions} new versions");
    }
    if *unchanged > 0 {
        let _ = write!(text, ", {unchanged} were registered already");
    }
    if *pairs > 0 {
        let _ = write!(text, "; {pairs} pairs share 1 % or more");
    }
    if args.verify {
        output::message(&text);
        return Ok(());
    }
    output::result(&format!("{text}\n"))
}

fn skipped(tally: &Tally) -> Vec<Skipped> {
    let mut skipped: Vec<Skipped> = tally
        .rejected
        .iter()
        .map(|rejected| Skipped {
            id: rejected.id.clone(),
            reason: rejected.reason.clone(),
            limit: None,
        })
        .collect();
    skipped.sort();
    skipped
}
