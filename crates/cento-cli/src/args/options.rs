//! The flags that several verbs share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::{EVIDENCE, LIMITS, METHOD, READING};

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
