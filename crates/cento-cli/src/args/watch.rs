//! The flags of `cento watch`.

use std::path::PathBuf;

use clap::Args;

use super::{EvidenceOptions, FilingOptions, ReadOptions, SearchOptions, WhichRegistry};

#[derive(Args)]
pub(crate) struct WatchArgs {
    /// The folder in which documents arrive; what is registered moves on to the folder done in it
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) which: WhichRegistry,
    /// Look once and end, for cron
    #[arg(long)]
    pub(crate) once: bool,
    /// Write a report on what came in each night, at this time of the day, such as 02:00
    #[arg(long, value_name = "TIME", requires = "reports")]
    pub(crate) report_at: Option<String>,
    /// The folder of those reports: a page and JSON for each day
    #[arg(long, value_name = "DIR", requires = "report_at")]
    pub(crate) reports: Option<PathBuf>,
    /// A file is complete if it has not changed for this long: 10s, 2m
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) settle: String,
    /// How often to look: 5s, 1m
    #[arg(
        long,
        value_name = "TIME",
        default_value = "5s",
        conflicts_with = "once"
    )]
    pub(crate) every: String,
    #[command(flatten)]
    pub(crate) filing: FilingOptions,
    #[command(flatten)]
    pub(crate) search: SearchOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
}
