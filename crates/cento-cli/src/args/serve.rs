//! The flags of `cento serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use cento_server::Proxy;
use clap::{Args, Subcommand, ValueEnum};

use super::WhichRegistry;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<ServeVerb>,
    #[command(flatten)]
    pub(crate) options: ServeOptions,
}

#[derive(Args)]
pub(crate) struct ServeOptions {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8077")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) which: WhichRegistry,
    /// Serve the registry in DIR and only read it, while another process writes to it; what is
    /// committed there is found here within seconds
    #[arg(long, value_name = "DIR", conflicts_with = "registry")]
    pub(crate) replica_of: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Count the messages that programs send to /api/v1/mail in this store, see `cento mail init`
    #[arg(long, value_name = "DIR")]
    pub(crate) mail_store: Option<PathBuf>,
    /// Show the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// A name by which people reach the server, such as cento.example.edu (may be given again)
    #[arg(long, value_name = "HOST")]
    pub(crate) name: Vec<String>,
    /// People reach the server through an HTTPS proxy: send cookies over HTTPS only
    #[arg(long)]
    pub(crate) https: bool,
    /// A proxy that is believed when it says where a request comes from (Forwarded, X-Forwarded-For):
    /// an address or a range such as 10.0.0.0/24 (may be given again)
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) trusted_proxy: Vec<Proxy>,
    /// People log in at the proxy, which says who they are in this field of each request, such as
    /// X-Remote-User; needs --trusted-proxy
    #[arg(long, value_name = "NAME")]
    pub(crate) sign_in_header: Option<String>,
    /// Make an account with this role for those who come through --sign-in-header for the first time
    #[arg(long, value_name = "ROLE", value_enum, requires = "sign_in_header")]
    pub(crate) sign_in_new: Option<UserRole>,
    /// Let anyone who reaches the server test, verify and browse without logging in, from other
    /// machines too
    #[arg(long)]
    pub(crate) allow_anyone_on_the_network: bool,
    /// How long to keep results: 90m, 24h, 7d
    #[arg(long, value_name = "TIME", default_value = "24h")]
    pub(crate) keep: String,
    /// Run this program for each finished job and each find, with JSON on its standard input: a path
    /// and arguments, separated by spaces, without a shell
    #[arg(long, value_name = "COMMAND")]
    pub(crate) on_event: Option<String>,
    /// The secret key of the registry: 32 hex digits in FILE (or in `CENTO_KEY` in the environment)
    /// [default: the file key in the registry]
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) care: ServeCare,
    #[command(flatten)]
    pub(crate) limits: ServeLimits,
}

#[derive(Args)]
#[command(next_help_heading = "Checks and backups")]
pub(crate) struct ServeCare {
    /// Check the registry for damage this often: 12h, 7d
    #[arg(long, value_name = "TIME")]
    pub(crate) check_every: Option<String>,
    /// Bring a copy of the registry up to date this often: 1h, 1d
    #[arg(long, value_name = "TIME", requires = "backup_to")]
    pub(crate) backup_every: Option<String>,
    /// The folder of that copy
    #[arg(long, value_name = "DIR", requires = "backup_every")]
    pub(crate) backup_to: Option<PathBuf>,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct ServeLimits {
    /// The largest upload, all files together
    #[arg(long, value_name = "SIZE", default_value = "512MiB")]
    pub(crate) max_upload: String,
    /// The largest single document
    #[arg(long, value_name = "SIZE", default_value = "32MiB")]
    pub(crate) max_document: String,
    /// How many jobs run at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,
    /// How long a job may run: 15m, 1h
    #[arg(long, value_name = "TIME", default_value = "15m")]
    pub(crate) max_job_time: String,
    /// How many versions of one text accounts with the role submit may verify
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) budget: u32,
    /// How long a verification counts for that: 7d, 182d
    #[arg(long, value_name = "TIME", default_value = "182d")]
    pub(crate) budget_window: String,
}

#[derive(Args)]
pub(crate) struct DataFolder {
    /// The folder of accounts, the audit log, uploads and results
    #[arg(
        long,
        value_name = "DIR",
        env = "CENTO_DATA",
        default_value = "cento-server"
    )]
    pub(crate) data: PathBuf,
}

#[derive(Subcommand)]
pub(crate) enum ServeVerb {
    /// Make, list and remove accounts
    User(UserArgs),
}

#[derive(Args)]
pub(crate) struct UserArgs {
    #[command(subcommand)]
    pub(crate) verb: UserVerb,
}

#[derive(Subcommand)]
pub(crate) enum UserVerb {
    /// Make an account; its password is printed once
    Add(UserAddArgs),
    /// List the accounts
    List(UserListArgs),
    /// Remove an account with its logins and tokens
    Remove(UserNameArgs),
    /// Give an account a new password, which is printed once, and log it out
    Password(UserPasswordArgs),
    /// Make a token for programs; it is printed once
    Token(UserTokenArgs),
}

#[derive(Args)]
pub(crate) struct UserAddArgs {
    /// The name to log in with
    pub(crate) name: String,
    /// What the account may do
    #[arg(long, value_enum)]
    pub(crate) role: UserRole,
    /// Limit it to this set (may be given again)
    #[arg(long = "set", value_name = "NAME")]
    pub(crate) sets: Vec<String>,
    /// Read the password from standard input instead of generating one
    #[arg(long)]
    pub(crate) password_stdin: bool,
    #[command(flatten)]
    pub(crate) data: DataFolder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UserRole {
    /// Register documents, test pairs, and verify within a budget and with coarse answers
    Submit,
    /// Verify as often and as exactly as they like, and browse
    Verify,
    /// Forget documents, import many, read the audit log
    Admin,
}

#[derive(Args)]
pub(crate) struct UserListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataFolder,
}

#[derive(Args)]
pub(crate) struct UserNameArgs {
    /// The name
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) data: DataFolder,
}

#[derive(Args)]
pub(crate) struct UserPasswordArgs {
    /// The account
    pub(crate) name: String,
    /// Read the password from standard input instead of generating one
    #[arg(long)]
    pub(crate) password_stdin: bool,
    #[command(flatten)]
    pub(crate) data: DataFolder,
}

#[derive(Args)]
pub(crate) struct UserTokenArgs {
    /// The account that it belongs to
    pub(crate) name: String,
    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "token")]
    pub(crate) label: String,
    /// Take back the tokens with this label instead
    #[arg(long)]
    pub(crate) revoke: bool,
    #[command(flatten)]
    pub(crate) data: DataFolder,
}
