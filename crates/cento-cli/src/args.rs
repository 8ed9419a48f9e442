//! The verbs and flags of the command line; the doc comments are the text of `--help`.

mod approximate;
mod archive;
mod dedupe;
mod mail;
mod methods;
mod options;
mod plan;
mod registry;
mod serve;
mod watch;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use approximate::ApproximateOptions;
pub(crate) use archive::{
    ArchiveAddArgs, ArchiveArgs, ArchiveCheckArgs, ArchiveDiffArgs, ArchiveExportArgs,
    ArchiveForgetArgs, ArchiveGetArgs, ArchiveGuardArgs, ArchiveInitArgs, ArchiveLogArgs,
    ArchiveStatsArgs, ArchiveVerb, GuardMethod, WhichArchive,
};
pub(crate) use dedupe::DedupeArgs;
pub(crate) use mail::{
    MailArgs, MailCheckArgs, MailInitArgs, MailMarkArgs, MailStatsArgs, MailVerb, MilterArgs,
    StoreOptions,
};
pub(crate) use methods::{AttackArgs, EvalArgs, ExplainArgs, RecipesArgs, Stage};
pub(crate) use options::{
    BaseFrom, EvidenceOptions, Format, InputOptions, ManyOptions, MethodOptions, PublishOptions,
    ReadOptions, TableFormat,
};
pub(crate) use plan::{PlanArgs, PlanVerb};
pub(crate) use registry::{
    CheckArgs, ExportArgs, FilingOptions, ForgetArgs, IgnoreFileArgs, IgnoreVerb, ImportArgs,
    InitArgs, JoinArgs, MergeArgs, NearestArgs, PairsArgs, PairsFormat, RegisterArgs, RegistryArgs,
    RegistryOptions, RegistryVerb, RekeyArgs, SearchOptions, ShardArgs, StatusArgs, ToArgs,
    VerifyArgs, WhichRegistry,
};
pub(crate) use serve::{
    ServeArgs, ServeOptions, ServeVerb, UserAddArgs, UserListArgs, UserNameArgs, UserPasswordArgs,
    UserRole, UserTokenArgs, UserVerb,
};
pub(crate) use watch::WatchArgs;

// Flags without a heading are those that most people need; they come first.
const METHOD: &str = "Method";
const EVIDENCE: &str = "Evidence";
const READING: &str = "Reading documents";
const LIMITS: &str = "Limits";
const GENERAL: &str = "General";

/// Finds the text that documents share. The output is evidence; a person decides what it means.
#[derive(Parser)]
#[command(name = "cento", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) general: General,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Flags of every verb.
#[derive(Args)]
pub(crate) struct General {
    /// Read settings from FILE as well as from cento.toml in the working folder and your own settings
    #[arg(long, global = true, value_name = "FILE", help_heading = GENERAL, hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,
    /// Print results and errors only
    #[arg(long, short, global = true, help_heading = GENERAL)]
    pub(crate) quiet: bool,
    /// How many threads to use (default: one per core)
    #[arg(long, global = true, value_name = "N", value_parser = threads, help_heading = GENERAL, hide_short_help = true)]
    pub(crate) threads: Option<usize>,
}

/// More threads than this help nobody, and the system may refuse them in the middle of the work.
const MOST_THREADS: usize = 1024;

/// Refuses a number of threads that cannot be.
pub(crate) fn expect_threads(threads: usize) -> Result<usize, String> {
    match threads {
        1..=MOST_THREADS => Ok(threads),
        _ => Err(not_threads(&threads.to_string())),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().map_err(|_| not_threads(text))?;
    expect_threads(threads)
}

fn not_threads(text: &str) -> String {
    format!("{text} is not a number of threads from 1 to {MOST_THREADS}")
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Compare two documents: how much of each is in the other
    Compare(CompareArgs),
    /// Compare every document with every other one
    Scan(ScanArgs),
    /// Add documents to a registry
    Register(Box<RegisterArgs>),
    /// Find what documents share with those of a registry
    Verify(Box<VerifyArgs>),
    /// Remove documents from a registry
    Forget(ForgetArgs),
    /// Make, inspect and maintain a registry
    Registry(RegistryArgs),
    /// Find near-duplicates in a large corpus and keep one of each
    Dedupe(Box<DedupeArgs>),
    /// Keep versions of pages: what changed significantly whole, small changes as patches
    Archive(ArchiveArgs),
    /// Say how often messages, or some nearly the same, were seen: for pipes, procmail, Postfix, Sendmail
    Mail(MailArgs),
    /// Estimate how much time, memory and disk a run will take
    Plan(PlanArgs),
    /// Serve pages and an HTTP API
    Serve(Box<ServeArgs>),
    /// Register and verify what arrives in a folder, with a report each night
    Watch(Box<WatchArgs>),
    /// List the recipes, or show one: its text form, its paper and section
    Recipes(RecipesArgs),
    /// Print any stage of a recipe for a document, or why two documents match
    Explain(ExplainArgs),
    /// Measure how well methods find related documents in a labelled collection
    Eval(EvalArgs),
    /// Disguise copies of documents, or measure how much of a fingerprint survives that
    Attack(AttackArgs),
    /// Compute a saved pair again and say whether it still holds
    VerifyCase(VerifyCaseArgs),
    /// Print the settings in force, as cento.toml would have them
    Config(ConfigArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
    /// Read files for another process of this program
    #[command(hide = true, name = crate::input::WORKER)]
    ReadFiles,
    /// Sort the suffixes of texts for another process of this program
    #[command(hide = true, name = cento_server::SORT_SUFFIXES)]
    SortSuffixes,
}

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// One document; `-` is standard input
    pub(crate) left: PathBuf,
    /// The other one
    pub(crate) right: PathBuf,
    /// Score by how well the two texts compress together: gzip, bzip2, ppm, xz or zstd
    #[arg(long, value_name = "COMPRESSOR", conflicts_with = "measure")]
    pub(crate) compress: Option<String>,
    #[command(flatten)]
    pub(crate) method: MethodOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
    #[command(flatten)]
    pub(crate) publishing: PublishOptions,
    /// End with exit code 1 if the score is at or above the threshold
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Args)]
pub(crate) struct ScanArgs {
    /// Folders and files; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Score by how well two texts compress together: gzip, bzip2, ppm, xz or zstd. The time grows with
    /// the square of the number of documents
    #[arg(
        long,
        value_name = "COMPRESSOR",
        conflicts_with = "measure",
        hide_short_help = true
    )]
    pub(crate) compress: Option<String>,
    #[command(flatten)]
    pub(crate) method: MethodOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
    #[command(flatten)]
    pub(crate) many: ManyOptions,
    /// Passages match from this share of the passage's own score on (for rank-passages) [default: 0.5]
    #[arg(long, value_name = "SHARE", help_heading = METHOD, hide_short_help = true)]
    pub(crate) passage_threshold: Option<f64>,
    #[command(flatten)]
    pub(crate) approximate: ApproximateOptions,
    #[command(flatten)]
    pub(crate) publishing: PublishOptions,
    /// End with exit code 1 if any pair is at or above the threshold
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Args)]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    pub(crate) method: MethodOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
    #[command(flatten)]
    pub(crate) many: ManyOptions,
}

#[derive(Args)]
pub(crate) struct VerifyCaseArgs {
    /// A page that `cento compare -o` wrote or that was saved from a report
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The words of the recipe, if it keeps only those of a dictionary
    #[arg(long, value_name = "FILE")]
    pub(crate) dictionary: Option<PathBuf>,
    /// The secret key, if the recipe is keyed (or in `CENTO_KEY` in the environment)
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// Write one page per verb into this folder; without it, print the main page
    pub(crate) folder: Option<PathBuf>,
}
