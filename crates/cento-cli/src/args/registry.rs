//! The flags of `cento register`, `verify`, `forget` and `registry`.

use std::path::PathBuf;

use cento::index::registry;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::{BaseFrom, EvidenceOptions, InputOptions, PublishOptions, ReadOptions};

/// Which registry, for the verbs that read documents.
#[derive(Args, Clone, Default)]
pub(crate) struct WhichRegistry {
    /// The registry's folder [default: registry]
    #[arg(
        long,
        value_name = "DIR",
        env = "CENTO_REGISTRY",
        hide_env_values = true
    )]
    pub(crate) registry: Option<PathBuf>,
}

/// Which registry and which key, for the verbs that read no documents.
#[derive(Args, Clone, Default)]
pub(crate) struct RegistryOptions {
    #[command(flatten)]
    pub(crate) which: WhichRegistry,
    /// The registry's secret key: 32 hex digits in FILE (or in `CENTO_KEY` in the environment)
    /// [default: the file key in the registry's folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Under which names documents are registered, and for how long.
#[derive(Args)]
pub(crate) struct FilingOptions {
    /// Who submitted the documents; may be an opaque code. Nobody else can register their ids
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
}

#[derive(Args)]
#[command(group(ArgGroup::new("documents").required(true).args(["paths", "manifest"])))]
pub(crate) struct RegisterArgs {
    /// Folders and files; `-` is standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Register the documents that FILE lists, CSV or JSON lines: path, and if known id, label,
    /// submitter, set, date, expire, `text_path` (a file with the text, already extracted)
    #[arg(long, value_name = "FILE", conflicts_with = "submitter_from")]
    pub(crate) manifest: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) which: WhichRegistry,
    #[command(flatten)]
    pub(crate) filing: FilingOptions,
    /// Only say whose each document is; register nothing
    #[arg(long, requires = "submitter_from", conflicts_with = "verify")]
    pub(crate) preview: bool,
    /// When they were made
    #[arg(long, value_name = "DATE")]
    pub(crate) date: Option<String>,
    /// What to do with an id that is registered with another text
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = OnChange::Version)]
    pub(crate) on_change: OnChange,
    /// Also say what the documents share with registered ones, both ways
    #[arg(long)]
    pub(crate) verify: bool,
    /// With --manifest: write what could not be registered to FILE [default: rejects.csv]
    #[arg(long, value_name = "FILE", requires = "manifest")]
    pub(crate) rejects: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
    #[command(flatten)]
    pub(crate) publishing: PublishOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnChange {
    /// The new text is the next version; the old one stays
    Version,
    /// The new text is refused
    Refuse,
}

impl From<OnChange> for registry::OnChange {
    fn from(on_change: OnChange) -> registry::OnChange {
        match on_change {
            OnChange::Version => registry::OnChange::Version,
            OnChange::Refuse => registry::OnChange::Refuse,
        }
    }
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// Folders and files; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) which: WhichRegistry,
    /// Who submitted the documents: hits of the same submitter are marked, and registered versions
    /// with the same id do not count
    #[arg(long, value_name = "ID")]
    pub(crate) submitter: Option<String>,
    /// The set that they belong to: its standard text does not count
    #[arg(long, value_name = "NAME")]
    pub(crate) set: Option<String>,
    /// What comes before every id in the registry
    #[arg(long, value_name = "TEXT")]
    pub(crate) id_prefix: Option<String>,
    #[command(flatten)]
    pub(crate) search: SearchOptions,
    #[command(flatten)]
    pub(crate) reading: ReadOptions,
    #[command(flatten)]
    pub(crate) evidence: EvidenceOptions,
    #[command(flatten)]
    pub(crate) publishing: PublishOptions,
    /// End with exit code 1 if any registered document is at or above the threshold
    #[arg(long)]
    pub(crate) exit_code: bool,
}

/// What `verify` and `register --verify` look for.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchOptions {
    /// What makes the score: containment, symmetric, resemblance, max-containment, or for ranking
    /// inner, normalized-inner, cosine, identity-1 to identity-5 [default: that of the recipe, see
    /// `cento recipes NAME`]
    #[arg(long, value_name = "MEASURE")]
    pub(crate) measure: Option<String>,
    /// List registered documents from this score on, 0 to 1 [default: 0.1]
    #[arg(long, value_name = "SCORE")]
    pub(crate) threshold: Option<f64>,
    /// List at most N registered documents for each document
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Another recipe for the documents in question; it may differ in the selector only
    #[arg(long, value_name = "RECIPE")]
    pub(crate) query_recipe: Option<String>,
    /// Passages match from this share of the passage's own score on (in a registry of passages)
    /// [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    pub(crate) passage_threshold: Option<f64>,
    /// Leave out what this submitter registered; without ID, what the documents' own submitter did
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    pub(crate) exclude_submitter: Vec<String>,
    /// Leave out this set (may be given again)
    #[arg(long, value_name = "NAME")]
    pub(crate) exclude_set: Vec<String>,
    /// Count registered versions of the documents themselves, too: same id, same submitter
    #[arg(long)]
    pub(crate) include_own: bool,
    /// List also registered documents that share only text that many have: more than 100, or most of a
    /// small registry
    #[arg(long)]
    pub(crate) include_standard: bool,
    /// Treat as template what more than a tenth of the registered documents have, and at least 5
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) base_from: Option<BaseFrom>,
    /// The folder with the texts of registered documents, by id; they are aligned, not kept
    #[arg(long, value_name = "DIR")]
    pub(crate) texts: Option<PathBuf>,
    /// Say also what the scores are by the texts themselves, where a registry has digests of few bits
    #[arg(long)]
    pub(crate) exact: bool,
}

#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).multiple(true).args(["ids", "sets", "submitters", "expired"])))]
pub(crate) struct ForgetArgs {
    /// All versions of these ids
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// A whole set (may be given again)
    #[arg(long = "set", value_name = "NAME")]
    pub(crate) sets: Vec<String>,
    /// Everything of a submitter (may be given again)
    #[arg(long = "submitter", value_name = "ID")]
    pub(crate) submitters: Vec<String>,
    /// Everything that has expired
    #[arg(long)]
    pub(crate) expired: bool,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct RegistryArgs {
    #[command(subcommand)]
    pub(crate) verb: RegistryVerb,
}

#[derive(Subcommand)]
pub(crate) enum RegistryVerb {
    /// Make a registry
    Init(InitArgs),
    /// Say what is in it
    Status(StatusArgs),
    /// List the registered documents
    List(StatusArgs),
    /// Check every checksum and every cross-reference, and that documents have their digests
    Check(CheckArgs),
    /// Write everything into one segment and remove forgotten documents for good
    Compact(StatusArgs),
    /// List the pairs of similar registered documents
    Pairs(PairsArgs),
    /// List the registered documents whose style is nearest, in a registry that keeps styles
    Nearest(Box<NearestArgs>),
    /// Keep standard text out of all scores
    Ignore(IgnoreArgs),
    /// Copy the registry to a folder, or bring an earlier copy up to date
    Backup(ToArgs),
    /// Make one new registry from several
    Merge(MergeArgs),
    /// Write all documents into a new registry without the key, to be imported elsewhere
    Export(ExportArgs),
    /// Add the documents of an export or of another registry
    Import(ImportArgs),
    /// Change the key of a registry that keeps texts
    Rekey(RekeyArgs),
    /// Cut a registry into shards, for more machines than one
    Shard(ShardArgs),
    /// Put shards together to the registry that they were cut from
    Join(JoinArgs),
}

#[derive(Args)]
pub(crate) struct InitArgs {
    /// How texts become fingerprints: a name from `cento recipes`, or four stages
    #[arg(long, value_name = "RECIPE", default_value = "default")]
    pub(crate) recipe: String,
    /// Only the words in FILE count; the registry keeps them
    #[arg(long, value_name = "FILE")]
    pub(crate) dictionary: Option<PathBuf>,
    /// What to keep of documents besides their digests
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Retain::Digests)]
    pub(crate) retain: Retain,
    /// Use no secret key: anyone who has the registry can test whether a text is in it
    #[arg(long, conflicts_with = "key_file")]
    pub(crate) unkeyed: bool,
    /// Do not count or list similar pairs
    #[arg(long)]
    pub(crate) no_pairs: bool,
    /// How many bits of a digest to keep: at least 44, or all there are
    #[arg(long, value_name = "N", default_value_t = registry::Settings::KEPT_BITS)]
    pub(crate) keep_bits: u8,
    /// What to keep of stretches, which find a copied page and a rewritten paragraph
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = StretchesOf::Pairs)]
    pub(crate) stretches: StretchesOf,
    /// Keep the style of each document as a vector of numbers, for `registry nearest`: style,
    /// style-english, style-full or style:WORD,... as in `cento recipes` [default: none]
    #[arg(long, value_name = "STYLE")]
    pub(crate) style: Option<String>,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StretchesOf {
    /// Digests of pairs of neighbouring words
    Pairs,
    /// Nothing: documents are found by their fingerprints alone
    None,
}

impl From<StretchesOf> for registry::KeptStretches {
    fn from(stretches: StretchesOf) -> registry::KeptStretches {
        match stretches {
            StretchesOf::Pairs => registry::KeptStretches::Pairs,
            StretchesOf::None => registry::KeptStretches::None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Retain {
    /// Nothing: no word of any document is stored
    Digests,
    /// Where each chunk is in its text
    Spans,
    /// The whole text
    Text,
}

impl From<Retain> for registry::Retention {
    fn from(retain: Retain) -> registry::Retention {
        match retain {
            Retain::Digests => registry::Retention::Digests,
            Retain::Spans => registry::Retention::Spans,
            Retain::Text => registry::Retention::Text,
        }
    }
}

#[derive(Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Make the digests of all documents again from the kept texts, not of a sample of 100
    #[arg(long)]
    pub(crate) all: bool,
    /// Count standard text anew where it is wrong, and say what cannot be repaired; checks all
    #[arg(long)]
    pub(crate) repair: bool,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct PairsArgs {
    /// Only pairs of this document
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// List pairs in which at least this share of one is in the other, 0.01 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub(crate) threshold: f64,
    /// List at most N pairs
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Compute the shares from the texts where they are available, not from the digests
    #[arg(long)]
    pub(crate) exact: bool,
    /// The folder with the texts, by id
    #[arg(long, value_name = "DIR", requires = "exact")]
    pub(crate) texts: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, short, value_name = "FORMAT", value_enum, default_value_t = PairsFormat::Text)]
    pub(crate) format: PairsFormat,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct NearestArgs {
    /// Folders and files; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// List N registered documents for each document
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: u32,
    #[command(flatten)]
    pub(crate) input: InputOptions,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairsFormat {
    Text,
    Json,
    Csv,
}

#[derive(Args)]
pub(crate) struct IgnoreArgs {
    #[command(subcommand)]
    pub(crate) verb: IgnoreVerb,
}

#[derive(Subcommand)]
pub(crate) enum IgnoreVerb {
    /// Stop counting what FILE contains
    Add(IgnoreFileArgs),
    /// Count what FILE contains again
    Remove(IgnoreFileArgs),
    /// List the standard texts
    List(StatusArgs),
}

#[derive(Args)]
pub(crate) struct IgnoreFileArgs {
    /// The text; it is known by the name of the file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// For the documents of one set only
    #[arg(long, value_name = "NAME")]
    pub(crate) set: Option<String>,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct ToArgs {
    /// The folder to copy to
    #[arg(value_name = "DEST")]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct MergeArgs {
    /// The registries to merge
    #[arg(required = true, num_args = 2.., value_name = "DIR")]
    pub(crate) from: Vec<PathBuf>,
    /// The folder of the new one
    #[arg(long, value_name = "DIR", required = true)]
    pub(crate) into: PathBuf,
    /// The secret key of all of them: 32 hex digits in FILE (or in `CENTO_KEY` in the environment)
    /// [default: the file key in the first one]
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct ShardArgs {
    /// What to cut by
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = ShardBy::Digests)]
    pub(crate) by: ShardBy,
    /// How many shards
    #[arg(short = 'n', long = "count", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9999))]
    pub(crate) count: u32,
    /// The folder of the shards
    #[arg(long, value_name = "DIR", required = true)]
    pub(crate) into: PathBuf,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShardBy {
    /// Each shard has the postings of a range of digests, of all documents
    Digests,
    /// Each shard is a registry of a range of documents
    Documents,
}

impl From<ShardBy> for registry::By {
    fn from(by: ShardBy) -> registry::By {
        match by {
            ShardBy::Digests => registry::By::Digests,
            ShardBy::Documents => registry::By::Documents,
        }
    }
}

#[derive(Args)]
pub(crate) struct JoinArgs {
    /// The folder of the shards
    #[arg(value_name = "DIR")]
    pub(crate) shards: PathBuf,
    /// The folder of the registry
    #[arg(long, value_name = "DIR", required = true)]
    pub(crate) into: PathBuf,
    /// The secret key: 32 hex digits in FILE (or in `CENTO_KEY` in the environment)
    /// [default: the file key beside the shards]
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The folder of the new registry
    #[arg(value_name = "DEST")]
    pub(crate) to: PathBuf,
    /// Leave out everything that names a document or a person
    #[arg(long)]
    pub(crate) without_ids: bool,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// The export
    #[arg(value_name = "DIR")]
    pub(crate) from: PathBuf,
    /// What to do with an id that is registered with another text
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = OnChange::Version)]
    pub(crate) on_change: OnChange,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}

#[derive(Args)]
pub(crate) struct RekeyArgs {
    /// The new key: 32 hex digits in FILE; made if there is no such file
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) new_key_file: PathBuf,
    /// The folder of the registry with the new key; the old one stays as it is
    #[arg(long, value_name = "DIR", required = true)]
    pub(crate) into: PathBuf,
    #[command(flatten)]
    pub(crate) options: RegistryOptions,
}
