//! The registry while it is served: readers share a snapshot, one writer commits for all.

pub(crate) mod check;
pub(crate) mod copies;
pub(crate) mod schedule;
mod under_way;
pub(crate) mod writer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use cento::index::registry::{Folder, Snapshot};

use crate::config::{Config, Place, Writing};
use crate::log;
use crate::time::{self, Seconds};

pub(crate) use check::Checks;
pub(crate) use copies::Copies;
pub(crate) use writer::{Addition, NoWriter, Registered, Writer};

/// A registry that is read by many.
pub(crate) struct Shared {
    place: Place,
    /// The largest registry that is held in memory, in bytes.
    memory: u64,
    current: RwLock<Current>,
    /// The registry could not be opened again: what is shown is older than what is there.
    is_lost: AtomicBool,
}

struct Current {
    snapshot: Snapshot,
    /// What the catalogue's files looked like when it was opened.
    look: Look,
    opened: Seconds,
}

/// Size and time of the catalogue and its journal: they change with every commit.
type Look = [Option<(u64, SystemTime)>; 2];

/// A snapshot is opened anew after this long, so that documents expire.
const OLD: Seconds = 600;

/// A registry that is served, and the thread that writes to it, if there is one.
pub(crate) type Opened = ((Arc<Shared>, Writer), Option<std::thread::JoinHandle<()>>);

/// Opens a registry, and starts who writes to it.
pub(crate) fn open(place: &Place, config: &Config) -> Result<Opened, crate::Error> {
    let shared = Arc::new(Shared::open(place.clone(), config.memory)?);
    let nobody = match config.writing {
        Writing::Elsewhere => Some(NoWriter::Replica),
        Writing::Here if shared.snapshot().is_sharded() => Some(NoWriter::Shards),
        Writing::Here => None,
    };
    if let Some(nobody) = nobody {
        return Ok(((shared, Writer::nobody(nobody)), None));
    }
    let (writer, thread) = Writer::start(&shared, config.limits.registrations)?;
    Ok(((shared, writer), Some(thread)))
}

impl Shared {
    pub(crate) fn open(place: Place, memory: u64) -> Result<Shared, cento::Error> {
        let current = Current::open(&place)?;
        let shared = Shared {
            place,
            memory,
            current: RwLock::new(current),
            is_lost: AtomicBool::new(false),
        };
        let snapshot = shared.snapshot();
        if shared.fits(&snapshot) {
            // Nobody has to wait for it, and later snapshots have hardly anything else. Without a
            // thread for it, questions bring it into memory.
            let holding = std::thread::Builder::new();
            let _ = holding.spawn(move || snapshot.hold(true));
        }
        Ok(shared)
    }

    fn fits(&self, snapshot: &Snapshot) -> bool {
        snapshot.segment_bytes() <= self.memory
    }

    /// What was committed when somebody last looked.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.snapshot.clone()
    }

    /// Shows everything that is committed by now to those who come later.
    pub(crate) fn refresh(&self) -> Result<(), cento::Error> {
        let fresh = Current::open(&self.place)?;
        if self.fits(&fresh.snapshot) {
            fresh.snapshot.hold(false);
        }
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = fresh;
        Ok(())
    }

    /// The same if another program has changed the registry, or after a while.
    pub(crate) fn refresh_when_due(&self) {
        let is_due = self.is_lost() || {
            let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
            current.look != look(&self.place) || time::now() - current.opened > OLD
        };
        if !is_due {
            return;
        }
        let refreshed = self.refresh();
        self.is_lost.store(refreshed.is_err(), Ordering::Relaxed);
        if let Err(error) = refreshed {
            log::fault("opening the registry again", &error);
        }
    }

    /// Whether the registry is gone, or another one: questions are answered from the last state of it
    /// that could be opened.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }
}

impl Current {
    fn open(place: &Place) -> Result<Current, cento::Error> {
        // Before, so that what is committed meanwhile is noticed later.
        let look = look(place);
        let opened = time::now();
        let snapshot = Snapshot::open(&place.path, &place.key, &time::text(opened))?;
        Ok(Current {
            snapshot,
            look,
            opened,
        })
    }
}

fn look(place: &Place) -> Look {
    let folder = Folder::new(&place.path);
    ["catalog.sqlite", "catalog.sqlite-wal"].map(|name| {
        let metadata = folder.path().join(name).metadata().ok()?;
        Some((metadata.len(), metadata.modified().ok()?))
    })
}
