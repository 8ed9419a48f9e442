//! Cento over HTTP: pairwise tests, verification and registration, as an API and as pages.
//!
//! ```text
//!  connection ─http::listen─▶ guard ─▶ api ─▶ Caller ─▶ pool ─▶ a snapshot of the registry ─▶ redact ─▶ answer
//!                                       │                          ▲
//!                                       ├─▶ jobs ─▶ a folder ─▶ report page
//!                                       └─▶ registry::Writer ─▶ one commit for many requests
//! ```
//!
//! [`Server::bind`] settles everything that can go wrong before the first request; [`Server::run`]
//! answers until it is told to stop. How a job is done is in `cento-jobs`.
//!
//! A [`Config`] says where it listens, which registry it serves ([`Place`]) and how much of anything
//! is allowed ([`Limits`]). [`Accounts`] are who may log in; without any, the printed address has a
//! token that works once.
//!
//! ```no_run
//! use cento_server::{Config, Server};
//!
//! # async fn serve() -> Result<(), cento_server::Error> {
//! let config = Config::new(([127, 0, 0, 1], 8077).into(), "cento-server".into());
//! let server = Server::bind(config).await?;
//! println!("{}", server.page());
//! server.run(std::future::pending()).await
//! # }
//! ```

mod api;
mod app;
mod audit;
mod auth;
mod config;
mod error;
mod events;
mod folder;
mod http;
mod jobs;
mod log;
mod milter;
mod oracle;
mod pages;
mod problem;
mod redact;
mod registry;
mod sorting;
mod store;
mod time;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use cento_jobs::mail::{Desk, Duty};
use cento_jobs::{Reader, Watch};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use auth::accounts::Listed;
pub use auth::{Account, Accounts, Role, Sets};
pub use config::{
    Backups, Budget, Config, Limits, Logging, Openness, Place, Proxy, SignIn, Writing,
};
pub use error::Error;
pub use milter::{Milter, MilterAddress, MilterLimits};
pub use sorting::{VERB as SORT_SUFFIXES, serve as sort_suffixes};

use crate::app::App;
use crate::audit::Audit;
use crate::auth::attempts::Attempts;
use crate::auth::institution::Institution;
use crate::auth::secret;
use crate::auth::sessions::Sessions;
use crate::auth::turns::{Most, Turns};
use crate::events::Events;
use crate::http::hosts::Hosts;
use crate::http::pool::Pool;
use crate::jobs::{Jobs, Stop};
use crate::oracle::Oracle;
use crate::store::Store;

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
    address: SocketAddr,
    way_in: Option<String>,
    /// Held as long as the data folder is ours.
    _lock: std::fs::File,
}

/// The note that a run leaves which ended in order.
const ENDED: &str = "ended";
/// How often it is looked for what has to go, and for what others changed.
const TIDY: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_secs(2);

impl Server {
    /// Opens the data folder and the registry, and listens.
    pub async fn bind(config: Config) -> Result<Server, Error> {
        if let cento_ingest::Isolation::Worker { program, .. } = &config.input.isolation {
            sorting::isolate(program);
        }
        log::settle(config.logging);
        let store = Arc::new(Store::open(&config.data)?);
        let lock = take_lock(&config.data)?;
        let accounts = Accounts::of(Arc::clone(&store));
        let has_proxies = !config.proxies.is_empty();
        let sign_in = config.sign_in.as_ref();
        let institution = sign_in.map(|sign_in| Institution::new(sign_in, has_proxies));
        let institution = institution.transpose()?;
        let has_accounts = accounts.exist()?;
        if !has_accounts && sign_in.is_some_and(|sign_in| sign_in.new.is_none()) {
            return Err(Error::SignIn(
                "--sign-in-header: there are no accounts, so nobody could log in; make one with \
                 `cento serve user add NAME`"
                    .to_owned(),
            ));
        }
        let has_accounts = has_accounts || institution.is_some();
        let is_closed = !has_accounts && config.openness == Openness::Closed;
        if is_closed && !config.listen.ip().is_loopback() {
            return Err(Error::Exposed {
                address: config.listen,
            });
        }
        let has_care = config.check_every.is_some() || config.backups.is_some();
        if has_care && config.registry.is_none() {
            return Err(Error::NoRegistry);
        }
        let open = |place| registry::open(place, &config);
        let (registry, writing) = config.registry.as_ref().map(open).transpose()?.unzip();
        let mut reader = Reader::new(&config.input);
        if let Some((shared, _)) = &registry {
            reader = reader.for_recipe(&shared.snapshot().settings().recipe);
        }
        let mail = open_mail_store(&config)?;
        let jobs = Jobs::new(&store, &config.data, &config.limits)?;
        jobs.settle(store.note(ENDED)?.as_deref() == Some("in order"))?;
        store.set_note(ENDED, "no")?;
        let sessions = Sessions::of(Arc::clone(&store));
        sessions.close_anonymous()?;
        let way_in = if has_accounts {
            None
        } else {
            Some(secret::new_token()?)
        };
        let listener = TcpListener::bind(config.listen).await;
        let listen = |source| Error::Listen {
            address: config.listen,
            source,
        };
        let listener = listener.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let limits = &config.limits;
        let app = Arc::new(App {
            accounts,
            sessions,
            audit: Audit::of(Arc::clone(&store)),
            hosts: Hosts::new(address, &config.names, config.openness, config.https),
            jobs,
            pool: Pool::new(limits.computing, limits.waiting, limits.answer),
            rates: http::rates::Rates::default(),
            attempts: Attempts::new(Arc::clone(&store), limits),
            turns: Turns::new(Most {
                running: limits.hashing,
                waiting: limits.hashes_waiting,
                waiting_of_one: limits.hashes_waiting.div_ceil(8),
            }),
            metrics: http::metrics::Metrics::default(),
            oracle: Oracle::new(Arc::clone(&store), config.budget),
            reader,
            registry: registry.map_or_else(OnceLock::new, OnceLock::from),
            writing: Mutex::new(writing.flatten()),
            setting_up: Mutex::new(None),
            key_copy: Mutex::new(None),
            mail,
            events: Events::start(&config.on_event, config.limits.event)?,
            checks: registry::Checks::default(),
            copies: registry::Copies::default(),
            has_accounts: AtomicBool::new(has_accounts),
            institution,
            way_in: Mutex::new(way_in.as_deref().map(secret::token_hash)),
            started: Instant::now(),
            is_ready: AtomicBool::new(false),
            stopping: watch::Sender::new(false),
            store,
            config,
        });
        Ok(Server {
            app,
            listener,
            address,
            way_in,
            _lock: lock,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open: without accounts it has a token that works once.
    pub fn page(&self) -> String {
        let address = self.address;
        match &self.way_in {
            Some(token) => format!("http://{address}/open?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Whether people have to log in.
    pub fn has_accounts(&self) -> bool {
        self.app.has_accounts()
    }

    /// Answers until `stop` is done; then finishes what is under way, or keeps it for the next run.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<(), Error> {
        let Server { app, listener, .. } = self;
        jobs::resume(&app)?;
        let chores = tokio::spawn(chores(Arc::clone(&app)));
        app.is_ready.store(true, Ordering::Relaxed);
        log::event("started", json!({"address": self.address.to_string()}));
        let router = api::router(&app);
        let told = async {
            stop.await;
            app.stopping.send_replace(true);
            log::event("stopping", json!({"jobs": app.jobs.count()}));
        };
        http::listen::listen(listener, router, &app.config, told).await;
        chores.abort();
        wait_for_jobs(&app).await;
        let told = Instant::now() + app.config.limits.farewell;
        while !app.events.are_told() && Instant::now() < told {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let ended = tokio::task::spawn_blocking({
            let app = Arc::clone(&app);
            move || app.events.end()
        });
        let _ = ended.await;
        app.store.set_note(ENDED, "in order")?;
        // The writer ends when nobody can order anything any more; what it has accepted is written.
        let farewell = app.config.limits.farewell;
        let writing = app
            .writing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(app);
        if let Some(thread) = writing {
            let joined = tokio::task::spawn_blocking(move || thread.join());
            let _ = tokio::time::timeout(farewell, joined).await;
        }
        log::event("stopped", json!({}));
        Ok(())
    }
}

/// Opens the store of messages, if there is one.
fn open_mail_store(config: &Config) -> Result<Option<Arc<Desk>>, Error> {
    let Some(store) = &config.mail else {
        return Ok(None);
    };
    let nobody = Watch::NOBODY;
    let desk = Desk::open(store, &config.input, "serve", Duty::Serve, &nobody);
    Ok(Some(Arc::new(desk.map_err(Error::Mail)?)))
}

/// Lets jobs come to their end, as long as that does not take too long; the others wait for the next
/// run.
async fn wait_for_jobs(app: &App) {
    let wait = |time: Duration| async move {
        let end = Instant::now() + time;
        while app.jobs.count() > 0 && Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    wait(app.config.limits.farewell).await;
    app.jobs.stop_all(Stop::Pausing);
    wait(Duration::from_secs(10)).await;
}

/// Removes what has expired and looks for changes of the registry, now and then.
async fn chores(app: Arc<App>) {
    let mut tidied = Instant::now();
    loop {
        tokio::time::sleep(LOOK).await;
        let is_due = tidied.elapsed() > TIDY;
        if is_due {
            tidied = Instant::now();
        }
        let app = Arc::clone(&app);
        let work = tokio::task::spawn_blocking(move || {
            if let Some((shared, _)) = app.registry.get() {
                shared.refresh_when_due();
            }
            if let Err(error) = registry::schedule::start_due(&app) {
                log::fault("looking for what is due", &error);
            }
            if is_due && let Err(error) = jobs::tidy(&app.jobs) {
                log::fault("removing what has expired", &error);
            }
        });
        let _ = work.await;
    }
}

/// Makes sure that only one server uses a data folder.
fn take_lock(data: &std::path::Path) -> Result<std::fs::File, Error> {
    let path = data.join("lock");
    let mut options = std::fs::File::options();
    let options = options.write(true).create(true).truncate(false);
    let file = options.open(&path);
    let file = file.map_err(|source| folder::failed(&path, source))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(Error::InUse {
            path: data.to_owned(),
        }),
        Err(std::fs::TryLockError::Error(source)) => Err(folder::failed(&path, source)),
    }
}
