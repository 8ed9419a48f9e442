//! The flags of `cento mail`.

use std::path::PathBuf;

use cento_jobs::mail::{check, mark};
use cento_server::MilterAddress;
use clap::{Args, Subcommand, ValueEnum};

use super::InputOptions;

#[derive(Args)]
pub(crate) struct MailArgs {
    #[command(subcommand)]
    pub(crate) verb: MailVerb,
}

#[derive(Subcommand)]
pub(crate) enum MailVerb {
    /// Make a store, in which messages are counted
    Init(MailInitArgs),
    /// Say how often messages were seen before, and count them
    Check(Box<MailCheckArgs>),
    /// Say what messages are: bulk, or wanted and never counted
    Mark(Box<MailMarkArgs>),
    /// Say what is in a store
    Stats(MailStatsArgs),
    /// Check the messages of Postfix or Sendmail
    Milter(MilterArgs),
}

/// Which store and which key.
#[derive(Args, Clone, Default)]
pub(crate) struct StoreOptions {
    /// The folder of the store [default: mail-store]
    #[arg(
        long,
        value_name = "DIR",
        env = "CENTO_MAIL_STORE",
        hide_env_values = true
    )]
    pub(crate) store: Option<PathBuf>,
    /// The secret key of the store: 32 hex digits in FILE (or in `CENTO_KEY` in the environment)
    /// [default: the file key in the folder of the store]
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct MailInitArgs {
    #[command(flatten)]
    pub(crate) which: StoreOptions,
    /// How much memory the store may use, which bounds the disk as well; when it is full, what was not seen
    /// for longest is forgotten
    #[arg(long, value_name = "SIZE", default_value = "512MiB")]
    pub(crate) max_memory: String,
    /// The time, if it is not now, such as 2026-11-18T10:00:00Z
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(crate) time: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct MailCheckArgs {
    /// Messages, mailboxes, and folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) which: StoreOptions,
    /// Read one message from standard input, and write the same message with a field X-Cento-Bulk in its
    /// header. Whatever fails, the message is written
    #[arg(long)]
    pub(crate) headers: bool,
    /// Ask about messages without counting them
    #[arg(long)]
    pub(crate) look: bool,
    /// A message is bulk that was seen so often in a day
    #[arg(long, value_name = "N", default_value_t = check::Options::BULK_FROM)]
    pub(crate) bulk_from: u64,
    /// When the messages came, if that is not now, such as 2026-11-18T10:00:00Z
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(crate) time: Option<String>,
    /// End with exit code 1 if any message is bulk
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Args)]
pub(crate) struct MailMarkArgs {
    /// What they are
    #[arg(value_enum)]
    pub(crate) what: What,
    /// Messages, mailboxes, and folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) which: StoreOptions,
    /// When that is said, if it is not now, such as 2026-11-18T10:00:00Z
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(crate) time: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) input: InputOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// They are bulk, however few of them came
    Bulk,
    /// They are wanted, such as a newsletter, and never counted
    Wanted,
    /// What was said before does not hold
    None,
}

impl From<What> for mark::Change {
    fn from(what: What) -> mark::Change {
        match what {
            What::Bulk => mark::Change::Bulk,
            What::Wanted => mark::Change::Wanted,
            What::None => mark::Change::None,
        }
    }
}

#[derive(Args)]
pub(crate) struct MailStatsArgs {
    #[command(flatten)]
    pub(crate) which: StoreOptions,
    /// The time, if it is not now, such as 2026-11-18T10:00:00Z
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub(crate) time: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct MilterArgs {
    #[command(flatten)]
    pub(crate) which: StoreOptions,
    /// Where to listen: inet:PORT@HOST or unix:PATH
    #[arg(long, value_name = "ADDRESS", default_value = "inet:8893@127.0.0.1")]
    pub(crate) listen: MilterAddress,
    /// A message is bulk that was seen so often in a day
    #[arg(long, value_name = "N", default_value_t = check::Options::BULK_FROM)]
    pub(crate) bulk_from: u64,
    /// Larger messages pass without a verdict
    #[arg(long, value_name = "SIZE", default_value = "32MiB")]
    pub(crate) max_message: String,
    /// How many connections there may be at the same time
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_connections: u32,
}
