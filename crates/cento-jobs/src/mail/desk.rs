//! Who asks a store, wherever it is open.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use cento::index::registry::Folder;
use cento::index::sightings::{Answer, Mark, Settings, Sightings, Stats, exists};
use cento::{Digest, NoCollection};
use cento_ingest::Input;

use super::wire::{Reply, Request, act};
use super::{Checked, StoreOptions};
use crate::documents::{InMemory, Reader};
use crate::error::{At as _, Error, Result};
use crate::registry::Place;
use crate::time;
use crate::watch::Watch;

/// How long a process stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// For some messages.
    Once,
    /// For as long as it runs; it answers for others, too.
    Serve,
}

/// Asks a store: opens it, or asks the process that has it open.
///
/// If that process ends, this one opens the store. A store that fails is tried again after some seconds, and
/// until then every question is answered with what is wrong.
pub struct Desk {
    place: Place,
    duty: Duty,
    holder: String,
    settings: Settings,
    reader: Reader,
    state: Mutex<State>,
}

/// Where the store is open.
enum State {
    Closed,
    Own(Own),
    #[cfg(unix)]
    Other(super::socket::Client),
    /// It cannot be opened, since when and why.
    Failed(Instant, String),
}

struct Own {
    store: Arc<Mutex<Sightings>>,
    #[cfg(unix)]
    _host: Option<super::socket::Host>,
}

/// How long a store that failed is left alone.
const REST: Duration = Duration::from_secs(3);
/// How often those who wait for a store look again.
const AGAIN: Duration = Duration::from_millis(20);
/// How often what was counted is made safe.
const SYNC: Duration = Duration::from_secs(1);

impl Desk {
    /// Finds a store and its key, and opens it or a way to it. `job` is what others are told who want it.
    pub fn open(
        store: &StoreOptions,
        input: &cento_ingest::Options,
        job: &str,
        duty: Duty,
        watch: &Watch<'_>,
    ) -> Result<Desk> {
        let place = store.place(watch)?;
        let beside = Folder::new(&place.path).key();
        if place.key.is_public() && exists(&place.path) && !beside.exists() {
            let reason = format!("the key of this mail store is not in {}", beside.display());
            return Err(Error::refused(reason)).at(place.path.display());
        }
        let settings = Settings::read(&place.path, &place.key)?;
        let desk = Desk {
            reader: Reader::for_recipes(input, [&settings.recipe]),
            holder: format!("`cento {job}` since {}", time::now()),
            place,
            duty,
            settings,
            state: Mutex::new(State::Closed),
        };
        desk.request(&Request::Stats {
            now: time::given(None)?,
        })?;
        if let State::Own(own) = &*lock(&desk.state) {
            watch.cleaned_up(&desk.place.path, lock(&own.store).cleaned());
        }
        Ok(desk)
    }

    /// Who reads messages.
    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Checks a message in memory at a time in seconds since 1970; one that was seen so often in a day is
    /// bulk.
    pub fn check(
        &self,
        message: &InMemory,
        now: u64,
        count: bool,
        bulk_from: u64,
    ) -> Result<Checked> {
        let input = self.reader.in_memory(message);
        let digests = self.digests(&input).at(input.id())?;
        let answer = self.ask(&digests, now, count)?;
        Ok(Checked::of(input.id(), &answer, bulk_from))
    }

    /// Marks a message in memory, or takes its mark back.
    pub fn mark(&self, message: &InMemory, mark: Option<Mark>, now: u64) -> Result<Checked> {
        let input = self.reader.in_memory(message);
        let digests = self.digests(&input).at(input.id())?;
        let answer = self.say(&digests, mark, now)?;
        Ok(Checked::of(input.id(), &answer, u64::MAX))
    }

    /// What is in the store.
    pub fn stats(&self, now: u64) -> Result<Stats> {
        let reply = self.request(&Request::Stats { now })?;
        reply.stats().ok_or_else(unexpected)
    }

    /// Bytes of memory that the store may use.
    pub(crate) fn most_memory(&self) -> u64 {
        self.settings.memory
    }

    /// What a message consists of; nothing if it shows no text, as one that is an attachment only.
    pub(crate) fn digests(&self, input: &Input) -> Result<Vec<Digest>> {
        let text = match input.read() {
            Err(error) if error.is_empty_message() => return Ok(Vec::new()),
            read => read?,
        };
        let Place { key, .. } = &self.place;
        let recipe = &self.settings.recipe;
        let fingerprint = recipe.fingerprint(&text.content, key, &NoCollection);
        Ok(fingerprint.digests().to_vec())
    }

    pub(crate) fn ask(&self, digests: &[Digest], now: u64, count: bool) -> Result<Answer> {
        let digests = plain(digests);
        let reply = self.request(&Request::Ask {
            digests,
            now,
            count,
        })?;
        reply.answer().ok_or_else(unexpected)
    }

    pub(crate) fn say(&self, digests: &[Digest], mark: Option<Mark>, now: u64) -> Result<Answer> {
        let digests = plain(digests);
        let mark = mark.map(|mark| mark.name().to_owned());
        let reply = self.request(&Request::Mark { digests, now, mark })?;
        reply.answer().ok_or_else(unexpected)
    }

    /// Makes safe what this process has counted. Another that has the store open does so every second.
    pub fn sync(&self) -> Result<()> {
        match &*lock(&self.state) {
            State::Own(own) => Ok(lock(&own.store).sync()?),
            _ => Ok(()),
        }
    }

    fn request(&self, request: &Request) -> Result<Reply> {
        let patience = match self.duty {
            Duty::Once => Duration::from_secs(30),
            Duty::Serve => Duration::from_secs(5),
        };
        let start = Instant::now();
        let mut state = lock(&self.state);
        loop {
            match &mut *state {
                State::Own(own) => {
                    let done = act(&mut lock(&own.store), request);
                    return done.map_err(|error| {
                        let error = Error::from(error);
                        *state = State::Failed(Instant::now(), error.sentence());
                        error
                    });
                }
                #[cfg(unix)]
                State::Other(client) => match client.ask(request) {
                    Ok(Reply::Failed(reason)) => {
                        return Err(Error::refused(reason)).at(self.place.path.display());
                    }
                    Ok(reply) => return Ok(reply),
                    // It has ended, and somebody takes over.
                    Err(_) => *state = State::Closed,
                },
                State::Failed(since, reason) if since.elapsed() < REST => {
                    return Err(Error::refused(reason.clone()));
                }
                State::Closed | State::Failed(..) => match self.opened() {
                    Ok(opened) => *state = opened,
                    Err(Error::Library(locked @ cento::Error::Locked { .. })) => {
                        if start.elapsed() > patience {
                            return Err(locked.into());
                        }
                        std::thread::sleep(AGAIN);
                    }
                    Err(error) => {
                        *state = State::Failed(Instant::now(), error.sentence());
                        return Err(error);
                    }
                },
            }
        }
    }

    /// Opens the store, or a way to the process that has it open.
    fn opened(&self) -> Result<State> {
        let Place { path, key, .. } = &self.place;
        let store = match Sightings::open(path, key, &self.holder) {
            Ok(store) => Arc::new(Mutex::new(store)),
            #[cfg(unix)]
            Err(locked @ cento::Error::Locked { .. }) => {
                return match super::socket::Client::connect(path) {
                    Ok(client) => Ok(State::Other(client)),
                    Err(_) => Err(locked.into()),
                };
            }
            Err(error) => return Err(error.into()),
        };
        if self.duty == Duty::Once {
            return Ok(State::Own(Own {
                store,
                #[cfg(unix)]
                _host: None,
            }));
        }
        let weak = Arc::downgrade(&store);
        std::thread::spawn(move || keep_safe(&weak));
        #[cfg(unix)]
        let host = {
            let weak = Arc::downgrade(&store);
            let host = super::socket::Host::start(path, move |request| answer(&weak, request));
            crate::error::File::of(host, &path.join("socket"))?
        };
        Ok(State::Own(Own {
            store,
            #[cfg(unix)]
            _host: Some(host),
        }))
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.sync();
    }
}

/// The answer for another process.
#[cfg(unix)]
fn answer(store: &Weak<Mutex<Sightings>>, request: &Request) -> Reply {
    let Some(store) = store.upgrade() else {
        return Reply::Failed("the store is being closed; ask again".to_owned());
    };
    let done = act(&mut lock(&store), request);
    done.unwrap_or_else(|error| Reply::Failed(Error::from(error).sentence()))
}

/// Makes safe what was counted, as long as the store is open.
fn keep_safe(store: &Weak<Mutex<Sightings>>) {
    loop {
        std::thread::sleep(SYNC);
        let Some(store) = store.upgrade() else { return };
        // What fails here fails every question from now on.
        let _ = lock(&store).sync();
    }
}

fn plain(digests: &[Digest]) -> Vec<u64> {
    digests.iter().map(|digest| digest.0).collect()
}

fn unexpected() -> Error {
    Error::refused("the process that has the mail store open is of another version; end it first")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
