//! Runs a job for Python: without its lock, with progress, and until somebody presses Ctrl-C.
//!
//! The job has threads of its own. The thread that called waits for it, and is the only one that talks
//! to Python: it looks for signals and calls back, so that no thread of a job ever waits for the lock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cento_jobs::{Event, Remark, Step, Watch};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{exception, of_option};

/// How often signals are looked for.
const TURN: Duration = Duration::from_millis(50);

/// More threads than this help nobody.
const MOST_THREADS: usize = 1024;

/// Who is told how far a job is, and on how many threads it runs.
#[derive(Default)]
pub(crate) struct Audience {
    /// Is called with the step, what is done of it, and what there is to do, or none.
    pub(crate) progress: Option<Py<PyAny>>,
    /// Is called with each remark, and whether it is a warning.
    pub(crate) remarks: Option<Py<PyAny>>,
    pub(crate) threads: Option<usize>,
}

/// What has been heard of a job and not been told.
#[derive(Default)]
struct Heard {
    step: Option<Step>,
    done: u64,
    of: u64,
    /// Bytes are counted, and not documents.
    in_bytes: bool,
    is_new: bool,
    /// Steps that ended since somebody was told, with how much there was to do.
    ended: Vec<(Step, u64)>,
    remarks: Vec<(String, bool)>,
    is_over: bool,
}

impl Audience {
    /// Runs a job.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&Watch<'_>) -> cento_jobs::Result<T> + Send,
    ) -> PyResult<T> {
        let pool = pool(self.threads)?;
        let heard = (Mutex::new(Heard::default()), Condvar::new());
        let stop = AtomicBool::new(false);
        let tell = |event| lock(&heard.0).hear(event);
        let is_stopped = || stop.load(Ordering::Relaxed);
        let watch = Watch::new(&tell, &is_stopped);
        let work = || {
            // Whatever becomes of the job, the one who waits for it must hear that it is over.
            let _over = Over(&heard);
            pool.install(|| job(&watch))
        };
        std::thread::scope(|scope| {
            let worker = scope.spawn(work);
            let waited = self.wait(py, &heard);
            stop.store(waited.is_err(), Ordering::Relaxed);
            let done = py.detach(|| worker.join());
            waited?;
            match done {
                Ok(done) => done.map_err(|error| exception(&error)),
                Err(_) => Err(PyRuntimeError::new_err(
                    "a bug in Cento ended the job; please report it",
                )),
            }
        })
    }

    /// Waits until the job is over, or a signal or a callback raises an exception.
    fn wait(&self, py: Python<'_>, heard: &(Mutex<Heard>, Condvar)) -> PyResult<()> {
        loop {
            let mut now = py.detach(|| {
                let guard = lock(&heard.0);
                let waits = |heard: &mut Heard| !heard.is_over;
                let waited = heard.1.wait_timeout_while(guard, TURN, waits);
                waited.unwrap_or_else(PoisonError::into_inner).0.take()
            });
            py.check_signals()?;
            self.tell(py, &mut now)?;
            if now.is_over {
                return Ok(());
            }
        }
    }

    fn tell(&self, py: Python<'_>, heard: &mut Heard) -> PyResult<()> {
        if let Some(remarks) = &self.remarks {
            for (text, is_warning) in heard.remarks.drain(..) {
                remarks.call1(py, (text, is_warning))?;
            }
        }
        let Some(progress) = &self.progress else {
            return Ok(());
        };
        for (step, of) in heard.ended.drain(..) {
            progress.call1(py, (step.name(), of, of))?;
        }
        if let Some(step) = heard.step.filter(|_| heard.is_new) {
            let of = (heard.of > 0).then_some(heard.of);
            progress.call1(py, (step.name(), heard.done, of))?;
        }
        Ok(())
    }
}

impl Heard {
    fn hear(&mut self, event: Event) {
        match event {
            Event::Begin { step, parts, bytes } => {
                self.end();
                self.step = Some(step);
                self.in_bytes = bytes > 0;
                self.done = 0;
                self.of = if self.in_bytes { bytes } else { parts };
            }
            Event::Advance { parts, bytes } => {
                self.done += if self.in_bytes { bytes } else { parts };
            }
            Event::Reached { done, of } => {
                self.done = done;
                self.of = of;
            }
            Event::End => self.end(),
            Event::Remark(remark) => {
                let is_warning = matches!(
                    remark,
                    Remark::OpenKey(_) | Remark::OpenRegistry { .. } | Remark::Odd { .. }
                );
                let said = (remark.to_string(), is_warning);
                if !self.remarks.contains(&said) {
                    self.remarks.push(said);
                }
            }
        }
        self.is_new = true;
    }

    fn end(&mut self) {
        if let Some(step) = self.step.take() {
            self.ended.push((step, self.of.max(self.done)));
        }
    }

    /// What is new, as it is now.
    fn take(&mut self) -> Heard {
        Heard {
            step: self.step,
            done: self.done,
            of: self.of,
            in_bytes: self.in_bytes,
            is_new: std::mem::take(&mut self.is_new),
            ended: std::mem::take(&mut self.ended),
            remarks: std::mem::take(&mut self.remarks),
            is_over: self.is_over,
        }
    }
}

/// Says that a job is over when it is dropped.
struct Over<'a>(&'a (Mutex<Heard>, Condvar));

impl Drop for Over<'_> {
    fn drop(&mut self) {
        lock(&self.0.0).is_over = true;
        self.0.1.notify_all();
    }
}

/// The threads of this process. A process that was forked has none of those that its parent started.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// As many threads as were asked for, or one per core.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let build = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Arc::new)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    };
    if let Some(threads) = threads {
        if !(1..=MOST_THREADS).contains(&threads) {
            let reason = format!("{threads} is not a number of threads from 1 to {MOST_THREADS}");
            return Err(of_option("threads", reason));
        }
        return build(threads);
    }
    let mut shared = lock(&POOL);
    let process = std::process::id();
    if let Some((owner, pool)) = shared.as_ref()
        && *owner == process
    {
        return Ok(Arc::clone(pool));
    }
    let pool = build(0)?;
    if let Some(others) = shared.replace((process, Arc::clone(&pool))) {
        // Its threads are not here, so nobody can wait for their end.
        std::mem::forget(others);
    }
    Ok(pool)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
