//! The one who writes: documents of many requests become one commit, and each request hears of its
//! document after that commit is safe and can be seen.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cento::index::registry::{Added, Candidate, OnChange, Registry, SameText, Which};
use cento_jobs::register::Taken;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use super::Shared;
use crate::auth::Role;
use crate::log;
use crate::problem::Problem;
use crate::redact::{Viewer, hidden_name};

/// The one thread that writes to the registry, as those who order something see it.
#[derive(Clone)]
pub(crate) struct Writer {
    orders: Result<mpsc::Sender<Order>, NoWriter>,
}

/// Why nobody writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoWriter {
    /// Another process does.
    Replica,
    /// The registry is cut into shards.
    Shards,
}

impl NoWriter {
    fn problem(self) -> Problem {
        Problem::read_only(match self {
            NoWriter::Replica => {
                "this server is a replica, which only reads the registry; send this to the server \
                 that writes to it"
            }
            NoWriter::Shards => {
                "the registry of this server is cut into shards, which are only read; register and \
                 forget where the shards are made"
            }
        })
    }
}

/// A document to be registered.
pub(crate) struct Addition {
    pub(crate) candidate: Box<Candidate>,
    pub(crate) on_change: OnChange,
    /// Who wants it registered, and so what they hear about other documents.
    pub(crate) viewer: Viewer,
}

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Registered {
    pub(crate) taken: Taken,
    /// How many registered documents it is like.
    pub(crate) pairs: u64,
}

/// Why a document is not taken whose id is that of another in a set that is not theirs.
const FOREIGN: &str = "a document in another set has this id";
/// The same for an id of another submitter, whose name they may not hear.
const OTHER_SUBMITTER: &str = "another submitter has registered this id; it needs another id";

enum Order {
    Add(Addition, oneshot::Sender<Result<Registered, Problem>>),
    Forget(Vec<Which>, oneshot::Sender<Result<Vec<u64>, Problem>>),
}

/// A document that waits for the commit.
type Waiting = (oneshot::Sender<Result<Registered, Problem>>, Taken);

/// A commit has at most this many documents or postings.
const BATCH: usize = 1000;
const BATCH_POSTINGS: u64 = 1 << 23;
/// After this long without work other programs may write.
const IDLE: Duration = Duration::from_secs(5);

impl Writer {
    /// Starts a thread that writes until nobody can order anything any more. The handle ends with
    /// it.
    pub(crate) fn start(
        shared: &Arc<Shared>,
        most_waiting: usize,
    ) -> std::io::Result<(Writer, std::thread::JoinHandle<()>)> {
        let (orders, received) = mpsc::channel(most_waiting);
        let shared = Arc::clone(shared);
        let handle = Handle::current();
        let thread = std::thread::Builder::new()
            .name("registry".to_owned())
            .spawn(move || write(&shared, received, &handle))?;
        Ok((Writer { orders: Ok(orders) }, thread))
    }

    /// Refuses every order.
    pub(crate) fn nobody(why: NoWriter) -> Writer {
        Writer { orders: Err(why) }
    }

    /// Refuses what nobody here can do, before anything is read.
    pub(crate) fn expect(&self) -> Result<(), Problem> {
        self.orders().map(|_| ())
    }

    fn orders(&self) -> Result<&mpsc::Sender<Order>, Problem> {
        self.orders.as_ref().map_err(|why| why.problem())
    }

    /// Registers a document, or says that too many are waiting already.
    pub(crate) async fn add(&self, addition: Addition) -> Result<Registered, Problem> {
        let (done, answer) = oneshot::channel();
        let sent = self.orders()?.try_send(Order::Add(addition, done));
        sent.map_err(|_| Problem::busy())?;
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Puts a document in the row, however long that is; the answer comes later. This is what makes
    /// a bulk import as slow as the disk.
    pub(crate) async fn queue(
        &self,
        addition: Addition,
    ) -> Result<oneshot::Receiver<Result<Registered, Problem>>, Problem> {
        let (done, answer) = oneshot::channel();
        let sent = self.orders()?.send(Order::Add(addition, done)).await;
        sent.map_err(|_| stopped())?;
        Ok(answer)
    }

    /// Removes documents; says how many each condition meant.
    pub(crate) async fn forget(&self, which: Vec<Which>) -> Result<Vec<u64>, Problem> {
        let (done, answer) = oneshot::channel();
        let sent = self.orders()?.send(Order::Forget(which, done)).await;
        sent.map_err(|_| stopped())?;
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// How many orders wait.
    pub(crate) fn waiting(&self) -> usize {
        let waiting = |orders: &mpsc::Sender<Order>| orders.max_capacity() - orders.capacity();
        self.orders.as_ref().map_or(0, waiting)
    }
}

fn stopped() -> Problem {
    Problem::unavailable("the server is stopping")
}

fn write(shared: &Shared, mut orders: mpsc::Receiver<Order>, handle: &Handle) {
    let mut registry: Option<Registry> = None;
    loop {
        let next = handle.block_on(async { tokio::time::timeout(IDLE, orders.recv()).await });
        let order = match next {
            Ok(Some(order)) => order,
            Ok(None) => break,
            Err(_) => {
                close(registry.take());
                continue;
            }
        };
        let opened = match registry.take() {
            Some(registry) => Ok(registry),
            None => open(shared),
        };
        match opened {
            // A registry that failed is opened anew: what was not committed must not be later.
            Ok(opened) => registry = serve(shared, opened, order, &mut orders),
            Err(error) => refuse(order, error),
        }
    }
    close(registry);
}

fn open(shared: &Shared) -> Result<Registry, cento::Error> {
    let holder = format!("`cento serve` since {}", crate::time::now_text());
    Registry::open(&shared.place().path, &shared.place().key, &holder)
}

/// Lets the merging come to its end, and others write.
fn close(registry: Option<Registry>) {
    if let Some(registry) = registry
        && let Err(error) = registry.finish()
    {
        log::fault("closing the registry", &error);
    }
}

fn refuse(order: Order, error: cento::Error) {
    let problem = Problem::from(error);
    // Nobody waiting any more is no reason to fail.
    match order {
        Order::Add(_, done) => drop(done.send(Err(problem))),
        Order::Forget(_, done) => drop(done.send(Err(problem))),
    }
}

/// Does what was ordered, with everything that waits behind it; gives the registry back if it is
/// in order.
fn serve(
    shared: &Shared,
    mut registry: Registry,
    first: Order,
    orders: &mut mpsc::Receiver<Order>,
) -> Option<Registry> {
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut batch = Batch::default();
    let mut next = Some(first);
    while let Some(order) = next.take() {
        match order {
            Order::Add(addition, done) => match batch.add(shared, &mut registry, addition) {
                Ok(taken) => waiting.push((done, taken)),
                Err(error) => drop(done.send(Err(error.into()))),
            },
            Order::Forget(which, done) => {
                let forgotten = forget(shared, &mut registry, &which);
                let is_failed = forgotten.is_err();
                drop(done.send(forgotten));
                if is_failed {
                    fail(waiting);
                    return None;
                }
            }
        }
        if waiting.len() < BATCH && registry.pending_postings() < BATCH_POSTINGS {
            next = orders.try_recv().ok();
        }
    }
    if waiting.is_empty() {
        return Some(registry);
    }
    let started = Instant::now();
    let committed = registry.commit().and_then(|committed| {
        shared.refresh()?;
        Ok(committed)
    });
    match committed {
        Ok(committed) => {
            log::event(
                "commit",
                serde_json::json!({
                    "documents": committed.documents,
                    "postings": committed.postings,
                    "milliseconds": started.elapsed().as_millis(),
                }),
            );
            // Those that were added come in the order in which they were.
            let mut pairs = committed.pairs_of.into_iter();
            for (done, taken) in waiting {
                let pairs = taken
                    .is_added()
                    .then(|| pairs.next())
                    .flatten()
                    .unwrap_or(0);
                let _ = done.send(Ok(Registered { taken, pairs }));
            }
            Some(registry)
        }
        Err(error) => {
            log::fault("committing", &error);
            fail(waiting);
            None
        }
    }
}

fn fail(waiting: Vec<Waiting>) {
    for (done, _) in waiting {
        let problem = Problem::unavailable("it was not registered; the server's log says why");
        let _ = done.send(Err(problem));
    }
}

fn forget(shared: &Shared, registry: &mut Registry, which: &[Which]) -> Result<Vec<u64>, Problem> {
    let counts = registry.forget_all(which)?;
    shared.refresh()?;
    Ok(counts)
}

/// The documents that are committed together.
#[derive(Default)]
struct Batch {
    /// The sets of documents that are not committed yet, by id.
    sets: HashMap<String, Option<String>>,
}

impl Batch {
    fn add(
        &mut self,
        shared: &Shared,
        registry: &mut Registry,
        addition: Addition,
    ) -> Result<Taken, cento::Error> {
        let Addition {
            candidate,
            on_change,
            viewer,
        } = addition;
        let id = candidate.facts.id.clone();
        let before = if let Some(set) = self.sets.get(&id) {
            Some(set.clone())
        } else {
            let latest = shared.snapshot().latest(&id)?;
            latest.map(|entry| entry.facts.set)
        };
        if let Some(set) = &before
            && !viewer.sets.allow(set.as_deref())
        {
            return Ok(Taken::Refused(FOREIGN.to_owned().into()));
        }
        let set = candidate.facts.set.clone();
        let same_text = registry.same_text(&candidate)?;
        let added = registry.add(*candidate, on_change)?;
        if let Added::OtherSubmitter { registered, .. } = &added
            && !viewer.sees(registered.as_deref(), before.flatten().as_deref())
        {
            return Ok(Taken::Refused(OTHER_SUBMITTER.to_owned().into()));
        }
        let same_text = same_text.and_then(|same| name_of(&same, &viewer));
        let taken = Taken::of(added, same_text);
        if taken.is_added() {
            self.sets.insert(id, set);
        }
        Ok(taken)
    }
}

/// What a document with the same text is called, as far as its name is theirs to hear. Those who may
/// submit only are told of their own: that a text is registered is an answer, and answers have a
/// budget.
fn name_of(same: &SameText, viewer: &Viewer) -> Option<String> {
    if viewer.sees(same.submitter.as_deref(), same.set.as_deref()) {
        return Some(same.id.clone());
    }
    (viewer.role > Role::Submit).then(|| hidden_name(same.number))
}
