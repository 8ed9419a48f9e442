//! `cento registry compact`, `backup`, `merge`, `export`, `import` and `rekey`.

use anyhow::{Result, bail};
use cento::index::registry::OtherSubmitter;
use cento_jobs::register::other_submitter;
use cento_jobs::registry::{backup, compact, export, import, merge, rekey};
use cento_report::counted;

use super::settings;
use crate::args::{ExportArgs, General, ImportArgs, MergeArgs, RekeyArgs, StatusArgs, ToArgs};
use crate::config::given_key;
use crate::run::{run as watched, watched as watched_quietly};
use crate::{Outcome, output};

pub(super) fn compact(args: StatusArgs, general: &General) -> Result<Outcome> {
    let settings = settings(args.options, general)?;
    let options = compact::Options {
        registry: settings.registry.clone(),
    };
    let done = watched(&settings, |watch| compact::run(&options, watch))?;
    output::result(&format!(
        "{} bytes in one segment; before, {} bytes\n",
        done.after, done.before
    ))?;
    if !done.is_swept {
        output::message(
            "warning: somebody is still reading an older state, so traces of forgotten documents \
             may be left in the journal; compact again when nobody reads",
        );
    }
    Ok(Outcome::Done)
}

pub(super) fn backup(args: ToArgs, general: &General) -> Result<Outcome> {
    let settings = settings(args.options, general)?;
    let options = backup::Options {
        registry: settings.registry.clone(),
        to: args.to,
    };
    let done = watched(&settings, |watch| backup::run(&options, watch))?;
    output::result(&format!(
        "{} of {} segments copied, {} bytes, and the catalogue\n",
        done.copied, done.segments, done.bytes
    ))?;
    if done.needs_key {
        output::message("the key is not part of the backup; keep a copy of it in another place");
    }
    Ok(Outcome::Done)
}

pub(super) fn merge(args: MergeArgs, general: &General) -> Result<Outcome> {
    let options = merge::Options {
        from: args.from,
        into: args.into,
        key_file: args.key_file,
        key: given_key(),
    };
    let done = watched_quietly(general.quiet, |watch| merge::run(&options, watch))?;
    absorbed(done.added, done.unchanged)?;
    if done.needs_key {
        output::message(&format!(
            "the new registry has the same key; it was not copied to {}",
            options.into.display()
        ));
    }
    expect_same_submitters(&done.other_submitters)?;
    Ok(Outcome::Done)
}

pub(super) fn export(args: ExportArgs, general: &General) -> Result<Outcome> {
    let settings = settings(args.options, general)?;
    let options = export::Options {
        registry: settings.registry.clone(),
        to: args.to,
        without_ids: args.without_ids,
    };
    let done = watched(&settings, |watch| export::run(&options, watch))?;
    let documents = counted(done.documents, "document");
    output::result(&format!("{documents} exported\n"))?;
    if done.needs_key {
        output::message(
            "the key is not part of the export; a registry that imports it must have the same key",
        );
    }
    Ok(Outcome::Done)
}

pub(super) fn import(args: ImportArgs, general: &General) -> Result<Outcome> {
    let settings = settings(args.options, general)?;
    let options = import::Options {
        registry: settings.registry.clone(),
        from: args.from,
        on_change: args.on_change.into(),
    };
    let done = watched(&settings, |watch| import::run(&options, watch))?;
    for id in &done.refused {
        output::message(&format!(
            "warning: {} refused: registered with another text",
            id.escape_debug()
        ));
    }
    absorbed(done.added, done.unchanged)?;
    expect_same_submitters(&done.other_submitters)?;
    if !done.refused.is_empty() {
        bail!(
            "{} ids are registered with another text, and --on-change refuse was given",
            done.refused.len()
        );
    }
    Ok(Outcome::Done)
}

/// Names the documents whose ids are somebody else's; they were not added.
fn expect_same_submitters(refused: &[OtherSubmitter]) -> Result<()> {
    for one in refused {
        let why = other_submitter(one.registered.as_deref(), one.given.as_deref());
        let id = one.id.escape_debug();
        output::message(&format!("warning: {id} refused: {why}"));
    }
    if refused.is_empty() {
        return Ok(());
    }
    let refused = counted(refused.len() as u64, "document");
    bail!("{refused} refused, because other submitters have registered the ids");
}

fn absorbed(added: u64, unchanged: u64) -> Result<()> {
    output::result(&format!(
        "{} added, {unchanged} were there already\n",
        counted(added, "document")
    ))
}

pub(super) fn rekey(args: RekeyArgs, general: &General) -> Result<Outcome> {
    let settings = settings(args.options, general)?;
    let options = rekey::Options {
        registry: settings.registry.clone(),
        new_key_file: args.new_key_file,
        into: args.into,
    };
    let done = watched(&settings, |watch| rekey::run(&options, watch))?;
    output::result(&format!(
        "{} registered again in {} under the key {}\n",
        counted(done.documents as u64, "document"),
        options.into.display(),
        done.key
    ))?;
    output::message(&format!(
        "{} is as it was; remove it when the new one is in use",
        settings.registry.registry.display()
    ));
    Ok(Outcome::Done)
}
