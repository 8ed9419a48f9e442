//! `cento registry`: make, inspect and maintain a registry.

mod copy;
mod ignore;
mod init;
mod inspect;
mod nearest;
mod pairs;
mod shards;

use anyhow::Result;

use crate::Outcome;
use crate::args::{General, IgnoreVerb, RegistryArgs, RegistryOptions, RegistryVerb};
use crate::config::{Settings, Typed, settle};

pub(crate) fn run(args: RegistryArgs, general: &General) -> Result<Outcome> {
    match args.verb {
        RegistryVerb::Init(args) => init::run(args, general),
        RegistryVerb::Status(args) => inspect::status(args, general),
        RegistryVerb::List(args) => inspect::list(args, general),
        RegistryVerb::Check(args) => inspect::check(args, general),
        RegistryVerb::Compact(args) => copy::compact(args, general),
        RegistryVerb::Pairs(args) => pairs::run(args, general),
        RegistryVerb::Nearest(args) => nearest::run(*args, general),
        RegistryVerb::Ignore(args) => match args.verb {
            IgnoreVerb::Add(args) => ignore::add(args, general),
            IgnoreVerb::Remove(args) => ignore::remove(args, general),
            IgnoreVerb::List(args) => ignore::list(args, general),
        },
        RegistryVerb::Backup(args) => copy::backup(args, general),
        RegistryVerb::Merge(args) => copy::merge(args, general),
        RegistryVerb::Export(args) => copy::export(args, general),
        RegistryVerb::Import(args) => copy::import(args, general),
        RegistryVerb::Rekey(args) => copy::rekey(args, general),
        RegistryVerb::Shard(args) => shards::shard(args, general),
        RegistryVerb::Join(args) => shards::join(args, general),
    }
}

/// The settings of a verb that reads no documents.
pub(super) fn settings(options: RegistryOptions, general: &General) -> Result<Settings> {
    let mut typed = Typed {
        which: options.which,
        ..Typed::default()
    };
    typed.reading.key_file = options.key_file;
    settle(typed, general)
}
