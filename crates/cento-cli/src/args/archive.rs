//! The flags of `cento archive`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{InputOptions, LIMITS, READING};

#[derive(Args)]
pub(crate) struct ArchiveArgs {
    #[command(subcommand)]
    pub(crate) verb: ArchiveVerb,
}

#[derive(Subcommand)]
pub(crate) enum ArchiveVerb {
    /// Make an archive
    Init(ArchiveInitArgs),
    /// Add versions of a page from files, or of all pages of a web archive
    Add(Box<ArchiveAddArgs>),
    /// List the versions of a page, or all pages
    Log(ArchiveLogArgs),
    /// Write a version as it was, byte for byte
    Get(ArchiveGetArgs),
    /// Show which words two versions do not share, and which have moved
    Diff(ArchiveDiffArgs),
    /// Check every version and everything that is stored
    Check(ArchiveCheckArgs),
    /// Write all versions, or those of some pages, as a web archive (WARC)
    Export(ArchiveExportArgs),
    /// Remove pages or versions for good
    Forget(ArchiveForgetArgs),
    /// Say what is in the archive and what it takes
    Stats(ArchiveStatsArgs),
    /// Stop a crawl that loops: answer each of its pages with go or stop
    Guard(ArchiveGuardArgs),
}

/// Which archive.
#[derive(Args, Clone, Default)]
pub(crate) struct WhichArchive {
    /// The archive's folder
    #[arg(
        long,
        value_name = "DIR",
        env = "CENTO_ARCHIVE",
        hide_env_values = true,
        default_value = "archive"
    )]
    pub(crate) archive: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ArchiveInitArgs {
    /// The Plagiarex digest that tells significant changes: plagiarex (English), plagiarex-mixed (all
    /// scripts), or another one from `cento recipes`
    #[arg(long, value_name = "RECIPE", default_value = "plagiarex")]
    pub(crate) recipe: String,
    /// From this similarity on, 0 to 1, a change is insignificant even if the digest is another one
    #[arg(long, value_name = "SIMILARITY", default_value_t = 0.9)]
    pub(crate) level: f64,
    /// Store a page whole again when its difference from the last whole version is more than this share
    /// of it, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    pub(crate) patch_share: f64,
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

#[derive(Args)]
pub(crate) struct ArchiveAddArgs {
    /// The name or the address of the page, and files with versions of it, the oldest first; or web
    /// archives alone, whose records say which pages they are. `-` is standard input
    #[arg(required = true, value_name = "NAME> <FILE")]
    pub(crate) name_and_files: Vec<String>,
    /// When the pages were fetched, such as 2026-03-01T12:00:00Z [default: what web archives say, or when
    /// a file was changed]
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// From this similarity on, 0 to 1, a change is insignificant [default: that of the archive]
    #[arg(long, value_name = "SIMILARITY")]
    pub(crate) level: Option<f64>,
    #[command(flatten)]
    pub(crate) which: WhichArchive,
    #[command(flatten)]
    pub(crate) reading: PageReading,
}

/// How much of a page is read, and how: what other commands that read documents have, as far as it is
/// about single files.
#[derive(Args, Clone, Default)]
pub(crate) struct PageReading {
    /// The encoding of texts that do not name theirs, such as windows-1250 [default: guessed]
    #[arg(long, value_name = "NAME", help_heading = READING, hide_short_help = true)]
    encoding: Option<String>,
    /// The largest page, or record of a web archive [default: 1GiB]
    #[arg(long, value_name = "SIZE", help_heading = LIMITS, hide_short_help = true)]
    max_file_size: Option<String>,
    /// The longest text of a page [default: 256MiB]
    #[arg(long, value_name = "SIZE", help_heading = LIMITS, hide_short_help = true)]
    max_text_size: Option<String>,
    /// How many times its own size a web archive may unpack to; 16 MiB are always allowed [default: 200]
    #[arg(long, value_name = "N", help_heading = LIMITS, hide_short_help = true)]
    max_ratio: Option<u64>,
    /// How long reading the text of one page may take [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = LIMITS, hide_short_help = true)]
    max_time: Option<f64>,
    /// How much memory reading one page may take [default: 4GiB]
    #[arg(long, value_name = "SIZE", help_heading = LIMITS, hide_short_help = true)]
    max_reader_memory: Option<String>,
}

impl From<PageReading> for InputOptions {
    fn from(reading: PageReading) -> InputOptions {
        InputOptions {
            encoding: reading.encoding,
            max_file_size: reading.max_file_size,
            max_text_size: reading.max_text_size,
            max_ratio: reading.max_ratio,
            max_time: reading.max_time,
            max_reader_memory: reading.max_reader_memory,
            ..InputOptions::default()
        }
    }
}

#[derive(Args)]
pub(crate) struct ArchiveLogArgs {
    /// The page; without it, all pages are listed
    pub(crate) name: Option<String>,
    /// Also print SHA-1 in the form of web archives; every version is unpacked for it
    #[arg(long)]
    pub(crate) sha1: bool,
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

#[derive(Args)]
pub(crate) struct ArchiveGetArgs {
    /// The page and the number of the version; without @ the last one
    #[arg(value_name = "NAME@VERSION")]
    pub(crate) version: String,
    /// Write it to FILE [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// As the server sent it, chunked or compressed perhaps, instead of the page
    #[arg(long)]
    pub(crate) transferred: bool,
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

#[derive(Args)]
pub(crate) struct ArchiveDiffArgs {
    /// One version, the name of its page before the @; without @ the last one
    #[arg(value_name = "NAME@VERSION")]
    pub(crate) left: String,
    /// The other one; a number alone is a version of the same page
    #[arg(value_name = "NAME@VERSION")]
    pub(crate) right: String,
    /// Write a page with the differences to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Show all of the text, not only what is around the changes
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

#[derive(Args)]
pub(crate) struct ArchiveCheckArgs {
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

#[derive(Args)]
pub(crate) struct ArchiveStatsArgs {
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

#[derive(Args)]
pub(crate) struct ArchiveExportArgs {
    /// Pages, or versions as NAME@VERSION [default: everything]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// The web archive to write, mostly called something.warc.gz
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

#[derive(Args)]
pub(crate) struct ArchiveForgetArgs {
    /// Pages with all their versions, or versions as NAME@VERSION
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) which: WhichArchive,
}

/// Stop a crawl that loops: answer each of its pages with go or stop.
///
/// Prints a line {"url","verdict":"go|stop","reason"} for each page, before it reads the next one. A
/// page with new text always goes. Memory is bounded: at most 80 KiB for each host that is remembered.
#[derive(Args)]
pub(crate) struct ArchiveGuardArgs {
    /// A web archive (WARC), or JSON lines {"url","html"} or {"url","text"}; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) crawl: PathBuf,
    /// Write what need not be fetched to FILE, a regular expression for addresses a line, as `wget
    /// --reject-regex` takes it
    #[arg(long, value_name = "FILE")]
    pub(crate) skip_patterns: Option<PathBuf>,
    /// Stop addresses of one shape after N pages in a row that bring nothing new; odd shapes (loops,
    /// calendars, ids of visits) after a half to an eighth of that
    #[arg(long, value_name = "N", default_value = "40")]
    pub(crate) patience: NonZeroU32,
    /// Stop everything after N pages of a host; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) pages_per_host: u64,
    /// Remember N hosts, each in at most 80 KiB; the one that was not seen for the longest time is
    /// forgotten first
    #[arg(long, value_name = "N", default_value = "1024")]
    pub(crate) hosts: NonZeroUsize,
    /// How sameness is found
    #[arg(long, value_enum, default_value_t = GuardMethod::Content)]
    pub(crate) method: GuardMethod,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GuardMethod {
    /// By what is new on a page and the shape of its address
    Content,
    /// By its five longest words, as in the paper, whatever else is on it
    Plagiarex,
}
