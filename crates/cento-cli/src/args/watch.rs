//! The flags of `cento watch`.

use std::path::PathBuf;

use clap::Args;

use super::{EvidenceOptions, ReadOptions, SearchOptions, WhichRegistry};

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
    /// Who submitted the documents; may be an opaque code
    #[arg(long, value_name = "ID")]
    pub(crate) submitter: Option<String>,
    /// Take each document's submitter from the names in a Moodle or Canvas export or from folders
    /// (layout), or from a pattern such as {submitter}_*
    #[arg(long, value_name = "PATTERN")]
    pub(crate) submitter_from: Option<String>,
    /// The set that they belong to
    #[arg(long, value_name = "NAME")]
    pub(crate) set: Option<String>,
    /// Let them expire after a time such as 90d, 12w or 1y, or after a date such as 2030-12-31
    #[arg(long, value_name = "TIME")]
    pub(crate) expire: Option<String>,
    /// Put this before every id
    #[arg(long, value_name = "TEXT")]
    pub(crate) id_prefix: Option<String>,
    #[command(flatten)]
    pub(crate) search: SearchOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
}
