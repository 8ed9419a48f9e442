//! `cento registry`: make, inspect and maintain a registry.

mod ignore;
mod init;
mod inspect;
mod maintain;
mod pairs;
pub(super) mod place;
pub(super) mod texts;

pub(super) use maintain::on_change;

use anyhow::Result;

use crate::Outcome;
use crate::args::{General, IgnoreVerb, RegistryArgs, RegistryVerb};

pub(crate) fn run(args: RegistryArgs, general: &General) -> Result<Outcome> {
    match args.verb {
        RegistryVerb::Init(args) => init::run(args, general),
        RegistryVerb::Status(args) => inspect::status(args, general),
        RegistryVerb::List(args) => inspect::list(args, general),
        RegistryVerb::Check(args) => inspect::check(args, general),
        RegistryVerb::Compact(args) => maintain::compact(args, general),
        RegistryVerb::Pairs(args) => pairs::run(args, general),
        RegistryVerb::Ignore(args) => match args.verb {
            IgnoreVerb::Add(args) => ignore::add(args, general),
            IgnoreVerb::Remove(args) => ignore::remove(args, general),
            IgnoreVerb::List(args) => ignore::list(args, general),
        },
        RegistryVerb::Backup(args) => maintain::backup(args, general),
        RegistryVerb::Merge(args) => maintain::merge(args, general),
        RegistryVerb::Export(args) => maintain::export(args, general),
        RegistryVerb::Import(args) => maintain::import(args, general),
        RegistryVerb::Rekey(args) => maintain::rekey(args, general),
    }
}
