//! `cento registry shard` and `join`.

use anyhow::Result;
use cento_jobs::registry::{RegistryOptions, join, shard};
use cento_report::counted;

use super::settings;
use crate::args::{General, JoinArgs, ShardArgs};
use crate::config::given_key;
use crate::run::{run as watched, watched as watched_quietly};
use crate::{Outcome, output};

pub(super) fn shard(args: ShardArgs, general: &General) -> Result<Outcome> {
    let is_json = args.options.json;
    let settings = settings(args.options, general)?;
    let options = shard::Options {
        registry: settings.registry.clone(),
        by: args.by.into(),
        count: args.count,
        into: args.into,
    };
    let done = watched(&settings, |watch| shard::run(&options, watch))?;
    if is_json {
        output::result(&format!("{}\n", serde_json::to_string_pretty(&done)?))?;
    } else {
        let least = done.postings.iter().min().copied().unwrap_or(0);
        let most = done.postings.iter().max().copied().unwrap_or(0);
        output::result(&format!(
            "{} in {}, {least} to {most} postings each\n",
            counted(done.documents, "document"),
            counted(done.postings.len() as u64, "shard"),
        ))?;
    }
    if done.needs_key {
        output::message("the key is not part of the shards; give it with --key-file");
    }
    Ok(Outcome::Done)
}

pub(super) fn join(args: JoinArgs, general: &General) -> Result<Outcome> {
    let options = join::Options {
        shards: RegistryOptions {
            registry: args.shards,
            key_file: args.key_file,
            key: given_key(),
        },
        into: args.into,
    };
    let done = watched_quietly(general.quiet, |watch| join::run(&options, watch))?;
    if args.json {
        output::result(&format!("{}\n", serde_json::to_string_pretty(&done)?))?;
    } else {
        output::result(&format!(
            "{} in {}, {} postings\n",
            counted(done.documents, "document"),
            counted(done.segments, "segment"),
            done.postings
        ))?;
    }
    if done.needs_key {
        output::message(&format!(
            "the registry has the same key; it was not copied to {}",
            options.into.display()
        ));
    }
    Ok(Outcome::Done)
}
