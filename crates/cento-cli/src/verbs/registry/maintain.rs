//! `cento registry compact`, `backup`, `merge`, `export`, `import` and `rekey`.

use anyhow::{Result, bail};
use cento::index::registry::{
    self, Absorbed, Compacted, Export, Facts, Names, Registry, Retained, Retention, Snapshot,
};

use super::place::{Place, expect_empty, key_in};
use crate::args::{
    ExportArgs, General, ImportArgs, MergeArgs, OnChange, RekeyArgs, StatusArgs, ToArgs,
};
use crate::progress::Progress;
use crate::{Outcome, output, time};

pub(super) fn compact(args: StatusArgs, general: &General) -> Result<Outcome> {
    let (place, settings) = Place::named(args.options, general)?;
    let mut writer = place.writer("registry compact")?;
    let Compacted {
        before,
        after,
        is_swept,
    } = Progress::watching("compacting", settings.quiet, |watch| writer.compact(watch))?;
    output::result(&format!("{after} bytes in one segment; it was {before}\n"))?;
    if !is_swept {
        output::message(
            "warning: somebody is still reading an older state, so traces of forgotten documents \
             may be left in the journal; compact again when nobody reads",
        );
    }
    Ok(Outcome::Done)
}

pub(super) fn backup(args: ToArgs, general: &General) -> Result<Outcome> {
    let (place, settings) = Place::named(args.options, general)?;
    let done = Progress::watching("copying", settings.quiet, |watch| {
        registry::backup(&place.path, &args.to, watch)
    })?;
    output::result(&format!(
        "{} of {} segments copied, {} bytes, and the catalogue\n",
        done.copied, done.segments, done.bytes
    ))?;
    if place.snapshot()?.status()?.key.is_some() {
        output::message("the key is not part of the backup; keep a copy of it in another place");
    }
    Ok(Outcome::Done)
}

pub(super) fn merge(args: MergeArgs, general: &General) -> Result<Outcome> {
    expect_empty(&args.into)?;
    let mut snapshots = Vec::new();
    let mut key_file = args.key_file;
    for path in &args.from {
        let place = Place::at(path, key_file.as_deref())?;
        snapshots.push(place.snapshot()?);
        // All have the key of the first one.
        let beside = registry::Folder::new(path).key();
        if key_file.is_none() && beside.exists() && std::env::var_os("CENTO_KEY").is_none() {
            key_file = Some(beside);
        }
    }
    let all: Vec<&Snapshot> = snapshots.iter().collect();
    let absorbed = Progress::watching("merging", general.quiet, |watch| {
        registry::merge(&all, &args.into, watch)
    })?;
    report(&absorbed)?;
    if snapshots[0].status()?.key.is_some() {
        output::message(&format!(
            "the new registry has the same key; it was not copied to {}",
            args.into.display()
        ));
    }
    Ok(Outcome::Done)
}

pub(super) fn export(args: ExportArgs, general: &General) -> Result<Outcome> {
    expect_empty(&args.to)?;
    let (place, settings) = Place::named(args.options, general)?;
    let names = if args.without_ids {
        Names::Opaque
    } else {
        Names::Kept
    };
    let from = place.snapshot()?;
    let Export {
        documents,
        needs_key,
    } = Progress::watching("exporting", settings.quiet, |watch| {
        registry::export(&from, &args.to, names, watch)
    })?;
    output::result(&format!("{documents} documents exported\n"))?;
    if needs_key {
        output::message(
            "the key is not part of the export; whoever imports it needs a registry with the same \
             key",
        );
    }
    Ok(Outcome::Done)
}

pub(super) fn import(args: ImportArgs, general: &General) -> Result<Outcome> {
    let (place, settings) = Place::named(args.options, general)?;
    let key_file = settings.key_file.clone().or_else(|| {
        let beside = registry::Folder::new(&place.path).key();
        beside.exists().then_some(beside)
    });
    let from = Place::at(&args.from, key_file.as_deref())?.snapshot()?;
    let mut writer = place.writer("registry import")?;
    let absorbed = Progress::watching("importing", settings.quiet, |watch| {
        registry::import(&mut writer, &from, on_change(args.on_change), watch)
    })?;
    writer.finish()?;
    report(&absorbed)?;
    if !absorbed.refused.is_empty() {
        bail!(
            "{} ids are registered with another text, and --on-change refuse was given",
            absorbed.refused.len()
        );
    }
    Ok(Outcome::Done)
}

pub(crate) fn on_change(on_change: OnChange) -> registry::OnChange {
    match on_change {
        OnChange::Version => registry::OnChange::Version,
        OnChange::Refuse => registry::OnChange::Refuse,
    }
}

fn report(absorbed: &Absorbed) -> Result<()> {
    for id in &absorbed.refused {
        output::message(&format!(
            "warning: {} refused: registered with another text",
            id.escape_debug()
        ));
    }
    output::result(&format!(
        "{} documents added, {} were there already\n",
        absorbed.added, absorbed.unchanged
    ))
}

/// Registers every text again under another key.
pub(super) fn rekey(args: RekeyArgs, general: &General) -> Result<Outcome> {
    expect_empty(&args.into)?;
    let (place, settings) = Place::named(args.options, general)?;
    let from = place.snapshot()?;
    if from.settings().retention != Retention::Text {
        bail!(
            "{}: it keeps no texts, so its digests cannot be made anew; make a new registry and \
             register everything again",
            place.path.display()
        );
    }
    let (key, _) = key_in(&args.new_key_file)?;
    let status = from.status()?;
    Registry::create(&args.into, status.settings, Some(&key), &time::now())?;
    let mut into = Place::at(&args.into, Some(&args.new_key_file))?.writer("registry rekey")?;
    let mut entries = Vec::new();
    from.entries(|entry| {
        entries.push(entry);
        Ok(())
    })?;
    let count = entries.len();
    let progress = Progress::new("registering again", count, settings.quiet);
    for entry in entries {
        let Some(Retained::Text(text)) = from.retained(entry.number)? else {
            bail!("the text of {} is missing", entry.facts.id.escape_debug());
        };
        // The hash of the file was made with the old key, and the file is not at hand.
        let facts = Facts {
            file: None,
            ..entry.facts
        };
        let candidate = into.prepare().candidate(facts, &text);
        into.add(candidate, registry::OnChange::Version)?;
        if into.pending_postings() > super::super::register::COMMIT_AT {
            into.commit()?;
        }
        progress.step();
    }
    progress.finish();
    into.finish()?;
    output::result(&format!(
        "{count} documents registered again in {} under the key {}\n",
        args.into.display(),
        key.name()
    ))?;
    output::message(&format!(
        "{} is as it was; remove it when the new one is in use",
        place.path.display()
    ));
    Ok(Outcome::Done)
}
