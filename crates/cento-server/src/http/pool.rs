//! Work that keeps a core busy, off the threads that talk to the network. A limited number of tasks
//! runs, a limited number waits, and all others are refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::problem::Problem;

/// Runs such work.
pub(crate) struct Pool {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
    patience: Duration,
}

impl Pool {
    pub(crate) fn new(computing: usize, most_waiting: usize, patience: Duration) -> Pool {
        Pool {
            places: Arc::new(Semaphore::new(computing)),
            waiting: Arc::default(),
            most_waiting,
            patience,
        }
    }

    /// Computes something; refuses when too much waits already or when it takes too long.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        if self.waiting.load(Ordering::Relaxed) >= self.most_waiting {
            return Err(Problem::busy());
        }
        let waits = Waiting::new(&self.waiting);
        let places = Arc::clone(&self.places);
        let computed = async {
            let place = places.acquire_owned().await;
            drop(waits);
            let work = tokio::task::spawn_blocking(move || {
                // Held until the work is done, even if nobody waits for it any more.
                let _place = place;
                work()
            });
            work.await
        };
        match tokio::time::timeout(self.patience, computed).await {
            Err(_) => Err(Problem::unavailable("it took too long; try again later")),
            Ok(Err(panicked)) => Err(Problem::internal("a computation", &panicked)),
            Ok(Ok(result)) => result,
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// Counts somebody who waits, however that ends.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn new(count: &Arc<AtomicUsize>) -> Waiting {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(Arc::clone(count))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
