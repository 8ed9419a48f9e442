//! What is served, to whom, and how much of anything is allowed.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use cento::Key;
use cento_jobs::mail::StoreOptions;
use cento_jobs::registry::RegistryOptions;

use crate::auth::Role;

pub use crate::http::proxies::Proxy;

/// Everything that is settled before the server starts.
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The folder of accounts, the audit log and the jobs.
    pub data: PathBuf,
    /// The registry; without one only pairwise tests are possible.
    pub registry: Option<Place>,
    /// Who writes to it.
    pub writing: Writing,
    /// Where the first run may make one, if there is none.
    pub setup: Option<RegistryOptions>,
    /// How often it is checked for damage, if it is.
    pub check_every: Option<Duration>,
    /// The copies that are made of it, if there are any.
    pub backups: Option<Backups>,
    /// The store in which messages are counted, if there is one.
    pub mail: Option<StoreOptions>,
    /// The largest registry that is held in memory, in bytes.
    pub memory: u64,
    /// Names by which the server may be called, besides its own address; with a port if it is not
    /// the one that it listens on.
    pub names: Vec<String>,
    /// Whether people reach it through a proxy that speaks HTTPS: cookies are sent over that only.
    pub https: bool,
    /// Proxies that are believed when they say where a request comes from.
    pub proxies: Vec<Proxy>,
    /// How people log in through the institution, if they do.
    pub sign_in: Option<SignIn>,
    /// Whether people without an account may use it from other machines.
    pub openness: Openness,
    /// How long results are kept.
    pub keep: Duration,
    /// How much of anything is allowed.
    pub limits: Limits,
    /// How uploaded files are found and read.
    pub input: cento_ingest::Options,
    /// The program, and its arguments, that gets each finished job and each find on its standard input;
    /// none if it is empty.
    pub on_event: Vec<String>,
    /// How often somebody may ask about one text.
    pub budget: Budget,
    /// Whether requests are logged, besides faults.
    pub logging: Logging,
}

impl Config {
    /// A server without a registry, with the usual limits.
    pub fn new(listen: SocketAddr, data: PathBuf) -> Config {
        Config {
            listen,
            data,
            registry: None,
            writing: Writing::Here,
            setup: None,
            mail: None,
            check_every: None,
            backups: None,
            memory: 0,
            names: Vec::new(),
            https: false,
            proxies: Vec::new(),
            sign_in: None,
            openness: Openness::Closed,
            keep: Duration::from_hours(24),
            limits: Limits::default(),
            input: cento_ingest::Options::default(),
            on_event: Vec::new(),
            budget: Budget::default(),
            logging: Logging::Everything,
        }
    }
}

/// What is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logging {
    /// One line a request, and what else happens.
    Everything,
    /// What goes wrong.
    Faults,
}

/// Who writes to the registry that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// This server, for all who ask it to.
    Here,
    /// Another process: this server is a replica, which takes up what is committed there.
    Elsewhere,
}

/// Where a registry is, and its key.
#[derive(Clone)]
pub struct Place {
    /// Its folder.
    pub path: PathBuf,
    /// Its key.
    pub key: Key,
}

/// Copies of the registry that the server makes by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backups {
    /// How often.
    pub every: Duration,
    /// The folder of the copy.
    pub to: PathBuf,
}

/// A proxy that knows who people are says it in the head of each request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// The field with the name of the account, such as X-Remote-User.
    pub header: String,
    /// The role of accounts that are made when somebody comes for the first time; none are made
    /// without it.
    pub new: Option<Role>,
}

/// Who may use a server that has no accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Openness {
    /// Anyone on this machine who has the address with the token in it.
    Closed,
    /// Anyone who reaches it over the network, to test and to verify.
    Anyone,
}

/// How much of anything is allowed.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of one upload, all files together.
    pub upload: u64,
    /// Files of one upload.
    pub files: usize,
    /// Bytes of one document that is sent by itself.
    pub document: usize,
    /// Bytes of the head of a request.
    pub head: usize,
    /// How long the head of a request may take to arrive, and then each further piece of its body.
    pub patience: Duration,
    /// How long an answer may take to be computed, uploads and jobs aside.
    pub answer: Duration,
    /// How long a job may run.
    pub job: Duration,
    /// How long the command that hears of events may take.
    pub event: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// Connections of one address at a time, trusted proxies aside.
    pub connections_of_one: usize,
    /// Requests that are computed at a time.
    pub computing: usize,
    /// Requests that may wait to be computed.
    pub waiting: usize,
    /// Jobs at a time.
    pub jobs: usize,
    /// Jobs that may wait, of all people and of one.
    pub jobs_waiting: usize,
    /// The jobs of one person that wait or run.
    pub jobs_of_one: usize,
    /// Documents that may wait to be registered.
    pub registrations: usize,
    /// Requests a minute of somebody who may submit only, and of an address without a login.
    pub requests: u32,
    /// Wrong passwords a minute of one address for one account.
    pub logins: u32,
    /// Wrong passwords a minute of one address.
    pub logins_of_address: u32,
    /// Wrong passwords a minute for one account from addresses where nobody has logged in to it; more
    /// than one address can use up.
    pub logins_of_account: u32,
    /// Passwords that are hashed at a time.
    pub hashing: usize,
    /// Passwords that may wait to be hashed.
    pub hashes_waiting: usize,
    /// How long running jobs are waited for at the end.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Limits {
            upload: 512 << 20,
            files: 20_000,
            document: 32 << 20,
            head: 32 << 10,
            patience: Duration::from_secs(20),
            answer: Duration::from_mins(1),
            job: Duration::from_mins(15),
            event: Duration::from_secs(30),
            connections: 1024,
            connections_of_one: 256,
            computing: cores * 2,
            waiting: 1000,
            jobs: 2,
            jobs_waiting: 100,
            jobs_of_one: 10,
            registrations: 1000,
            requests: 300,
            logins: 10,
            logins_of_address: 30,
            logins_of_account: 20,
            // One that is hashed keeps a core busy, which others want, too.
            hashing: (cores / 2).clamp(1, 4),
            hashes_waiting: 64,
            farewell: Duration::from_secs(30),
        }
    }
}

/// How often those who may submit only may verify one text; `oracle/` says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many different states of a text are verified within the window.
    pub questions: u32,
    /// How long a question counts.
    pub window: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            questions: 5,
            window: Duration::from_hours(182 * 24),
        }
    }
}
