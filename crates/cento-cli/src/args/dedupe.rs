//! The flags of `cento dedupe`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ApproximateOptions, InputOptions};

#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub(crate) struct DedupeArgs {
    /// Tables (JSONL, CSV, Parquet), folders of tables, or folders of documents; several shards are
    /// one dataset; `-` is standard input, as JSON lines
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Where to write: a new folder, or for a single table a file with the same ending; `-` is
    /// standard output, for JSON lines
    #[arg(long, short, value_name = "OUT", required = true)]
    pub(crate) output: PathBuf,
    /// A new folder for clusters.csv and the other lists [default: with the data; with `-o -` they
    /// are not written]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) lists: Option<PathBuf>,
    /// Documents are duplicates from this score on, 0 to 1
    #[arg(long, value_name = "SCORE", default_value_t = 0.8)]
    pub(crate) threshold: f64,
    /// What makes the score: resemblance, containment, max-containment or symmetric
    #[arg(long, value_name = "MEASURE", default_value = "resemblance")]
    pub(crate) measure: String,
    /// Which one of several is kept: first, last, longest, shortest, source (of the input that was
    /// given first), or max:FIELD or min:FIELD (with the largest or smallest number)
    #[arg(long, value_name = "WHICH", default_value = "first")]
    pub(crate) keep: String,
    /// Only documents with the same text, byte for byte, are duplicates
    #[arg(
        long,
        conflicts_with_all = [
            "passages", "against", "registry", "approximate", "clusters", "measure", "threshold",
            "recipe"
        ]
    )]
    pub(crate) exact: bool,
    /// Keep none of several: remove every document that has a duplicate
    #[arg(long, conflicts_with_all = ["passages", "against"])]
    pub(crate) drop_all: bool,
    /// How duplicates form clusters
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Clusters::Star)]
    pub(crate) clusters: Clusters,
    /// Write all documents, each with what was found about it
    #[arg(long, conflicts_with = "remove")]
    pub(crate) annotate: bool,
    /// Write only the documents that are kept (the default)
    #[arg(long)]
    pub(crate) remove: bool,
    /// How much memory to use, such as 2G; the rest goes to a work folder [default: half of what is
    /// free]
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["passages", "against"])]
    pub(crate) max_memory: Option<String>,
    /// The work folder, where an interrupted run continues [default: OUT.work, beside the output]
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["passages", "against"])]
    pub(crate) work: Option<PathBuf>,
    /// Cut out passages that occur earlier in the data, instead of removing documents
    #[arg(long, conflicts_with_all = ["registry", "keep", "clusters", "measure", "threshold", "recipe"])]
    pub(crate) passages: bool,
    /// Remove documents that contain text of these test documents, instead of duplicates; with
    /// --passages cut out the text only
    #[arg(
        long,
        value_name = "TEST",
        num_args = 1..,
        conflicts_with_all = ["registry", "keep", "clusters", "measure", "threshold", "recipe"]
    )]
    pub(crate) against: Vec<PathBuf>,
    /// With --against: the field of the test rows that has the text [default: as --text-key]
    #[arg(long, value_name = "FIELD", requires = "against")]
    pub(crate) against_text_key: Option<String>,
    /// With --against: the field of the test rows that has the id [default: as --id-key]
    #[arg(long, value_name = "FIELD", requires = "against")]
    pub(crate) against_id_key: Option<String>,
    /// The fewest words of a passage [default: 50, with --against 13]
    #[arg(long, value_name = "N")]
    pub(crate) min_words: Option<u32>,
    /// With --against: only documents with this share of a test document, 0 to 1
    #[arg(long, value_name = "SHARE", requires = "against")]
    pub(crate) min_share: Option<f64>,
    /// Also remove duplicates of documents in this registry, and register what is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) registry: Option<PathBuf>,
    /// Stop if more than this share of the rows cannot be read
    #[arg(long, value_name = "SHARE", default_value_t = 0.001)]
    pub(crate) max_errors: f64,
    /// How texts become fingerprints: a name from `cento recipes`, or four stages
    #[arg(long, value_name = "RECIPE", default_value = "default")]
    pub(crate) recipe: String,
    #[command(flatten)]
    pub(crate) approximate: ApproximateOptions,
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// The secret key of keyed recipes: 32 hex digits in FILE (or in `CENTO_KEY` in the
    /// environment)
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Print what was done as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clusters {
    /// A document joins the most similar one that is kept, or is kept itself
    Star,
    /// Everything that a chain of duplicates connects
    Components,
}

impl From<Clusters> for cento_jobs::dedupe::Clusters {
    fn from(clusters: Clusters) -> cento_jobs::dedupe::Clusters {
        match clusters {
            Clusters::Star => cento_jobs::dedupe::Clusters::Star,
            Clusters::Components => cento_jobs::dedupe::Clusters::Components,
        }
    }
}
