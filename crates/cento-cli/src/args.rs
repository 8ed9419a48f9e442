//! The verbs and flags of the command line; the doc comments are the text of `--help`.

mod approximate;
mod archive;
mod dedupe;
mod mail;
mod plan;
mod registry;
mod serve;
mod watch;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};

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

#[derive(Args, Clone, Default)]
pub(crate) struct MethodOptions {
    /// How texts become fingerprints: a name from `cento recipes`, or four stages such as
    /// 'words+fold | window:5 | fast:64+sorted | all' [default: default, and code for programs]
    #[arg(long, value_name = "RECIPE", help_heading = METHOD)]
    pub(crate) recipe: Option<String>,
    /// What makes the score: containment, symmetric, resemblance, max-containment, or for ranking
    /// inner, normalized-inner, cosine, identity-1 to identity-5, rare-containment [default: that of the recipe, see
    /// `cento recipes NAME`]
    #[arg(long, value_name = "MEASURE", help_heading = METHOD, hide_short_help = true)]
    pub(crate) measure: Option<String>,
    /// List pairs from this score on, 0 to 1 [default: 0.1]
    #[arg(long, value_name = "SCORE", visible_alias = "min-similarity")]
    pub(crate) threshold: Option<f64>,
    /// Keep only the words of FILE (for recipes that take words)
    #[arg(long, value_name = "FILE", help_heading = METHOD, hide_short_help = true)]
    pub(crate) dictionary: Option<PathBuf>,
}

/// Flags of every verb that reads documents.
#[derive(Args, Clone, Default)]
pub(crate) struct ReadOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// The secret key of keyed recipes: 32 hex digits in FILE (or in `CENTO_KEY` in the
    /// environment)
    #[arg(long, value_name = "FILE", help_heading = METHOD, hide_short_help = true)]
    pub(crate) key_file: Option<PathBuf>,
    /// How the result is printed [default: text]
    #[arg(long, short, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<Format>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// A document that cannot be read is an error, not a warning
    #[arg(long, help_heading = READING, hide_short_help = true)]
    pub(crate) strict: bool,
}

/// Which files make a document, and how large they may be.
#[derive(Args, Clone, Default)]
pub(crate) struct InputOptions {
    /// Every child of a root, file or folder, is one document [default: if it holds only folders
    /// and none of them nests, and for exports of Moodle and Canvas]
    #[arg(long, conflicts_with = "per_file", help_heading = READING)]
    pub(crate) per_folder: bool,
    /// Every file is a document, whatever the layout
    #[arg(long, help_heading = READING)]
    pub(crate) per_file: bool,
    /// Only files that match PATTERN, by the rules of .gitignore files (may be given again)
    #[arg(long, value_name = "PATTERN", help_heading = READING)]
    pub(crate) include: Vec<String>,
    /// No files that match PATTERN (may be given again)
    #[arg(long, value_name = "PATTERN", help_heading = READING)]
    pub(crate) exclude: Vec<String>,
    /// Go where links in folders lead; otherwise they are skipped
    #[arg(long, help_heading = READING, hide_short_help = true)]
    pub(crate) follow_links: bool,
    /// Read all documents as programs in LANGUAGE, such as java or c++ (`generic` for any other one), or
    /// none as a program (`text`) [default: by their names and contents]
    #[arg(long, short = 'l', value_name = "LANGUAGE", help_heading = READING)]
    pub(crate) language: Option<String>,
    /// The field of JSONL, CSV and Parquet rows that has the text [default: text, content, body, …]
    #[arg(long, value_name = "FIELD", help_heading = READING, hide_short_help = true)]
    pub(crate) text_key: Option<String>,
    /// The field that has the id [default: id, `doc_id`, …, otherwise the line]
    #[arg(long, value_name = "FIELD", help_heading = READING, hide_short_help = true)]
    pub(crate) id_key: Option<String>,
    /// The encoding of texts that do not name theirs, such as windows-1250 [default: guessed]
    #[arg(long, value_name = "NAME", help_heading = READING, hide_short_help = true)]
    pub(crate) encoding: Option<String>,
    /// The largest file to read, in an archive or not [default: 1GiB]
    #[arg(long, value_name = "SIZE", help_heading = LIMITS, hide_short_help = true)]
    pub(crate) max_file_size: Option<String>,
    /// The longest text of a document [default: 256MiB]
    #[arg(long, value_name = "SIZE", help_heading = LIMITS, hide_short_help = true)]
    pub(crate) max_text_size: Option<String>,
    /// How many times its own size a file may unpack to; 16 MiB are always allowed [default: 200]
    #[arg(long, value_name = "N", help_heading = LIMITS, hide_short_help = true)]
    pub(crate) max_ratio: Option<u64>,
    /// How many archives may be inside one another [default: 3]
    #[arg(long, value_name = "N", help_heading = LIMITS, hide_short_help = true)]
    pub(crate) max_nesting: Option<usize>,
    /// How many entries of an archive are read [default: 100000]
    #[arg(long, value_name = "N", help_heading = LIMITS, hide_short_help = true)]
    pub(crate) max_entries: Option<u64>,
    /// How long reading one file may take [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = LIMITS, hide_short_help = true)]
    pub(crate) max_time: Option<f64>,
    /// How much memory reading one file may take [default: 4GiB]
    #[arg(long, value_name = "SIZE", help_heading = LIMITS, hide_short_help = true)]
    pub(crate) max_reader_memory: Option<String>,
}

/// How shared text is found and which of it counts.
#[derive(Args, Clone, Default)]
pub(crate) struct EvidenceOptions {
    /// How to find the shared text of listed pairs: passages (edited text too), maximal or
    /// maximal:CHARS (equal text), tiling or tiling:WORDS (equal text without overlaps), or none
    /// [default: passages, and tiling:12 for programs]
    #[arg(long, value_name = "ALIGNER", help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) aligner: Option<String>,
    /// Words that mean the same, so that a sentence with other words is found: a group on each line,
    /// with commas, tabs or spaces between the words, or `word: others`; # begins a remark
    #[arg(long, value_name = "FILE", help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) synonyms: Option<PathBuf>,
    /// Vectors of words, for the same: a word and its numbers on each line, as `GloVe`, `word2vec`
    /// (as text) and `fastText` (.vec) have them
    #[arg(long, value_name = "FILE", help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) vectors: Option<PathBuf>,
    /// A template: what it contains does not count (may be given again)
    #[arg(long, value_name = "FILE", visible_aliases = ["base-code", "ignore", "distro", "boilerplate"])]
    pub(crate) base: Vec<PathBuf>,
    /// Count text in quotation marks as shared text too
    #[arg(long, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) count_quotes: bool,
    /// Count lists of references as shared text too
    #[arg(long, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) count_bibliography: bool,
    /// Put the documents' texts into the JSON report
    #[arg(long, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) with_text: bool,
}

/// Where a report goes, and what it contains.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Output")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub(crate) struct PublishOptions {
    /// Write the report to FILE (.html, .json, .csv, .graphml, .dot, .jsonl, .txt) or, in every
    /// format, into the folder DIR
    #[arg(long, short, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Show the report as a page in the browser; without -o it is written to a temporary file
    #[arg(long)]
    pub(crate) open: bool,
    /// Keep the documents' texts out of what is written: numbers and places only
    #[arg(long, conflicts_with = "with_text")]
    pub(crate) no_text: bool,
    /// Pixels in the graph: documents of similarity s stand ⌈−B ln s⌉ apart [default: 100]
    #[arg(long, value_name = "B", hide_short_help = true)]
    pub(crate) graph_scale: Option<f64>,
    /// Replace names by codes everywhere and mask known names inside texts; the key goes to a
    /// separate file
    #[arg(long)]
    pub(crate) anonymize: bool,
    /// The file for that key [default: beside the output, as NAME.key.csv]
    #[arg(long, value_name = "FILE", requires = "anonymize")]
    pub(crate) anonymize_key: Option<PathBuf>,
    /// Overwrite files that Cento did not write
    #[arg(long)]
    pub(crate) force: bool,
}

/// Flags of `scan` alone.
#[derive(Args, Clone, Default)]
pub(crate) struct ManyOptions {
    /// Treat as template what more than a tenth of the documents have, and at least 5
    #[arg(long, value_name = "WHAT", value_enum, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) base_from: Option<BaseFrom>,
    /// Documents to compare with, but not among themselves (may be given again)
    #[arg(long, value_name = "PATH", visible_aliases = ["archive", "ref"])]
    pub(crate) old: Vec<PathBuf>,
    /// Where the author is in the ids of documents, such as `{author}_*` or `*/{author}/*`: two documents
    /// of one author are not listed
    #[arg(long, value_name = "PATTERN", help_heading = READING)]
    pub(crate) author: Option<String>,
    /// List pairs that have a passage of N words in common, however little of them that is; not with
    /// --recipe, --measure or --max-df [default: 12]
    #[arg(long, value_name = "N", help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) passage: Option<u32>,
    /// List at most N pairs
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) top: Option<usize>,
    /// List only pairs of the N documents that come first
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) top_documents: Option<usize>,
    /// Say what score unrelated pairs reach here and where to look, even for few documents
    #[arg(long, help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) advise: bool,
    /// Text that more than N documents have does not count
    #[arg(long, value_name = "N", help_heading = EVIDENCE, hide_short_help = true)]
    pub(crate) max_df: Option<u32>,
}

/// Where template text comes from if not from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BaseFrom {
    /// Text that many of the documents have
    Common,
}

impl From<BaseFrom> for cento_jobs::BaseFrom {
    fn from(from: BaseFrom) -> cento_jobs::BaseFrom {
        match from {
            BaseFrom::Common => cento_jobs::BaseFrom::Common,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
    Csv,
    /// One page with everything in it
    Html,
    /// The graph of the pairs, for network tools
    Graphml,
    /// The graph of the pairs, for Graphviz
    Dot,
    /// The passages, one per line
    Jsonl,
}

/// The formats of results that are plain tables.
#[derive(Clone, Copy)]
pub(crate) enum TableFormat {
    Text,
    Json,
    Csv,
}

impl Format {
    /// The format of a verb whose result is a plain table.
    pub(crate) fn of_table(self) -> anyhow::Result<TableFormat> {
        match self {
            Format::Text => Ok(TableFormat::Text),
            Format::Json => Ok(TableFormat::Json),
            Format::Csv => Ok(TableFormat::Csv),
            Format::Html | Format::Graphml | Format::Dot | Format::Jsonl => anyhow::bail!(
                "--format: this result is text, json or csv; other formats go with scan and compare"
            ),
        }
    }
}

#[derive(Args)]
pub(crate) struct RecipesArgs {
    /// Show this one
    pub(crate) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Which stage
    #[arg(value_enum)]
    pub(crate) stage: Stage,
    /// The document, or the two of a pair; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The collection that says how rare the text of a pair is (may be given again)
    #[arg(long, value_name = "PATH")]
    pub(crate) among: Vec<PathBuf>,
    /// Show the text as it is read for a recipe: plagiarex takes all of a page but its code, others
    /// the main text (for `explain text`)
    #[arg(long = "for", value_name = "RECIPE", conflicts_with = "recipe")]
    pub(crate) reader: Option<String>,
    #[command(flatten)]
    pub(crate) method: MethodOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// The text that was read, with its type, encoding and language
    Text,
    /// The tokens of the text
    Tokens,
    /// The chunks of tokens
    Chunks,
    /// The digest of every chunk
    Digests,
    /// The digests that are kept
    Fingerprint,
    /// What two documents share, how rare it is, what does not count, and the arithmetic
    Pair,
}

#[derive(Args)]
#[command(group(ArgGroup::new("of_sources").args(["pan", "retrieval"])))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub(crate) struct EvalArgs {
    /// A folder with documents/, truth.tsv (query id, tab, correct id), and perhaps queries/; with
    /// --pan, a PAN corpus; with --retrieval, either
    pub(crate) collection: PathBuf,
    /// A recipe to try (may be given again)
    #[arg(long = "recipe", value_name = "RECIPE")]
    pub(crate) recipes: Vec<String>,
    /// A measure to try with each recipe (may be given again) [default: that of the recipe, see
    /// `cento recipes NAME`]
    #[arg(long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// The recipe of the queries, if its selector differs from that of the documents
    #[arg(long, value_name = "RECIPE")]
    pub(crate) query_recipe: Option<String>,
    /// Passages match from this share of the passage's own score on (for rank-passages)
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub(crate) passage_threshold: f64,
    /// Ask also with the N rarest terms of each query alone that another document has (may be given
    /// again)
    #[arg(long, value_name = "N")]
    pub(crate) query_terms: Vec<usize>,
    /// Estimate from the documents alone what unrelated pairs reach; needs no truth.tsv
    #[arg(long = "self", conflicts_with_all = ["query_recipe", "query_terms", "detail", "top"])]
    pub(crate) by_itself: bool,
    /// Show every query, not only the averages
    #[arg(long)]
    pub(crate) detail: bool,
    /// Show the first N documents of every query with their scores, in percent of the query's own, too
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Align the pairs of a corpus of the PAN competitions (pairs, susp/, src/, and the truth in XML)
    /// and score the passages by plagdet, folder by folder
    #[arg(long, conflicts_with_all = ["recipes", "measures", "query_recipe", "passage_threshold",
        "query_terms", "by_itself", "detail", "top"])]
    pub(crate) pan: bool,
    /// Look whether `scan` and `verify` list the source of every suspicious document, among all
    /// sources of the collection, and how far in front; other true sources of the document are left
    /// out when one is ranked
    #[arg(long, conflicts_with_all = ["recipes", "measures", "query_recipe", "passage_threshold",
        "query_terms", "by_itself", "detail", "top", "pan"])]
    pub(crate) retrieval: bool,
    /// List pairs from this score on, 0 to 1 [default: that of `scan` and `verify`]
    #[arg(long, value_name = "SCORE", requires = "retrieval")]
    pub(crate) threshold: Option<f64>,
    /// Also give the figures of N parts of the collection, with all pairs of a source in one part
    #[arg(long, value_name = "N", requires = "of_sources")]
    pub(crate) folds: Option<usize>,
    /// How to find shared text: passages, maximal:60 (characters), maximal:10words or tiling:9
    /// (words) [default: passages]
    #[arg(long, value_name = "ALIGNER", requires = "pan")]
    pub(crate) aligner: Option<String>,
    /// Words that mean the same, as `scan` takes them
    #[arg(long, value_name = "FILE", requires = "pan")]
    pub(crate) synonyms: Option<PathBuf>,
    /// Vectors of words, as `scan` takes them
    #[arg(long, value_name = "FILE", requires = "pan")]
    pub(crate) vectors: Option<PathBuf>,
    /// Write into this folder: with --pan, the detections as PAN XML, one file per pair; with
    /// --retrieval, the pairs that are listed or should be, as pairs.csv
    #[arg(long, short, value_name = "DIR", requires = "of_sources")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
}

#[derive(Args)]
#[command(group(ArgGroup::new("result").required(true).args(["output", "table"])))]
pub(crate) struct AttackArgs {
    /// Folders and files; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Which attacks, separated by commas, or `all`; programs, texts and mail have different ones
    /// [default: all, but for a table of texts the eight of the text sifting paper]
    ///
    /// On texts: cosmetic, intelligent-add, intelligent-delete, intelligent-change,
    /// intelligent-combine, random-add, random-delete, random-change, random-combine, adapted:N,
    /// large-add, large-delete, large-rearrange, synonym, homoglyph, zero-width, rewrap, swap.
    ///
    /// On programs in C, Java and Python, which still compile and print the same afterwards: rename,
    /// reorder-functions, reorder-statements, dead-code, literals, loops, conditions, extract, inline,
    /// comments.
    ///
    /// On mail, one or several over each other (mail-leet+mail-words): mail-marks, mail-spaces,
    /// mail-split, mail-leet, mail-look-alikes, mail-zero-width, mail-repeats, mail-typos, mail-words,
    /// mail-replace, mail-drop, mail-hidden, mail-comments, mail-hash-buster, mail-poison,
    /// mail-shuffle, mail-greeting, mail-tracking, mail-quoted, mail-transport.
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
    /// How much of a program is touched: the share of its statements, from 0 to 1; of its names for
    /// rename, of its functions for reorder-functions [default: 0.3]; of a mail, the share of its words
    /// or letters [default: each disguise has its own, see docs/mail.md]
    #[arg(long, value_name = "SHARE")]
    pub(crate) level: Option<f64>,
    /// The seed of the random choices: the same seed makes the same copies
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Write the attacked copies into this folder: texts as NAME.KIND.txt, programs as
    /// KIND/NAME, mail as NAME.KIND.eml
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing; print how much of each fingerprint is left: the mean S1 (resemblance) and S3
    /// (max-containment) of originals and attacked copies; for programs, the score by the recipe's
    /// own measure and S3
    #[arg(long)]
    pub(crate) table: bool,
    /// A recipe to measure (may be given again) [default: sift-window, sift-skip,
    /// sift-partition, sift; for programs code, code-winnow, se-code]
    #[arg(long = "recipe", value_name = "RECIPE", requires = "table")]
    pub(crate) recipes: Vec<String>,
    /// Average over N keys: the one in force and N - 1 others
    #[arg(long, value_name = "N", default_value_t = 1, requires = "table")]
    pub(crate) keys: u32,
    /// Say how many copies have an S3 below this, 0 to 1, or programs a score, and how many of them
    /// are successful attacks: those whose mean over all keys is not below it (--keys)
    #[arg(long, value_name = "SCORE", requires = "table")]
    pub(crate) threshold: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
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
