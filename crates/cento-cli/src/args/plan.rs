//! The flags of `cento plan`.

use clap::{Args, Subcommand};

use super::{DedupeArgs, RegisterArgs, ScanArgs};

#[derive(Args)]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    pub(crate) verb: PlanVerb,
    /// Print it as JSON (before the name of the command)
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum PlanVerb {
    /// What `cento dedupe` with these arguments will take
    Dedupe(Box<DedupeArgs>),
    /// What `cento scan` with these arguments will take
    Scan(Box<ScanArgs>),
    /// What `cento register` with these arguments will take
    Register(Box<RegisterArgs>),
}
