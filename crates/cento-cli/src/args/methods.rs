//! The flags of the verbs that are about methods: `recipes`, `explain`, `eval`, `attack`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::{EvidenceOptions, MethodOptions, ReadOptions};

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
