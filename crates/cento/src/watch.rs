//! Long work that somebody watches, and may stop.

use crate::error::Error;

/// Who is told how far some work has come, and who may stop it.
///
/// Everything in this library that may take long has one as its last parameter. What is counted is
/// the work's own business; only the ratio means something. Work that was stopped ends with
/// [`Error::Stopped`] soon after, and leaves nothing behind that looks complete.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use cento::{Error, Watch};
///
/// let stopped = AtomicBool::new(false);
/// let (tell, stop) = (|done, all| println!("{done} of {all}"), || stopped.load(Ordering::Relaxed));
/// let watch = Watch::new(&tell, &stop);
/// assert!(watch.go_on().is_ok());
/// stopped.store(true, Ordering::Relaxed);
/// assert!(matches!(watch.go_on(), Err(Error::Stopped)));
/// ```
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    tell: &'a (dyn Fn(u64, u64) + Sync),
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Watch<'static> {
    /// Nobody watches, and nobody stops.
    pub const NOBODY: Watch<'static> = Watch {
        tell: &|_, _| (),
        stop: &|| false,
    };
}

impl<'a> Watch<'a> {
    /// Work calls `tell` with what is done and what there is to do, a few thousand times at most or
    /// once for each document or pair, and asks `stop` often: it should be cheap.
    pub fn new(
        tell: &'a (dyn Fn(u64, u64) + Sync),
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Watch<'a> {
        Watch { tell, stop }
    }

    /// So much of all there is to do is done.
    pub fn tell(self, done: u64, all: u64) {
        (self.tell)(done, all);
    }

    /// Whether somebody wants the work to end.
    pub fn is_stopped(self) -> bool {
        (self.stop)()
    }

    /// [`Error::Stopped`] if somebody wants the work to end.
    pub fn go_on(self) -> Result<(), Error> {
        if self.is_stopped() {
            return Err(Error::Stopped);
        }
        Ok(())
    }

    /// The same for a part of the work that would count something else: it can be stopped, and tells
    /// nothing.
    pub(crate) fn silent(self) -> Watch<'a> {
        Watch {
            tell: Watch::NOBODY.tell,
            ..self
        }
    }

    /// Begins work of so many steps.
    pub(crate) fn steps(self, all: u64) -> Steps<'a> {
        Steps {
            watch: self,
            all,
            done: 0,
            told: 0,
            asked: 0,
        }
    }
}

/// Work of which every step is counted, and not every step is told.
pub(crate) struct Steps<'a> {
    watch: Watch<'a>,
    all: u64,
    done: u64,
    /// How many steps were done when somebody was told,
    told: u64,
    /// and when it was asked whether to go on.
    asked: u64,
}

/// Work is told in about so many parts.
const PARTS: u64 = 2000;
/// After so many steps it is asked whether to go on.
const ASK: u64 = 1 << 16;

impl Steps<'_> {
    /// So many more steps are done. [`Error::Stopped`] if somebody wants the work to end.
    #[inline]
    pub(crate) fn advance(&mut self, steps: u64) -> Result<(), Error> {
        self.done += steps;
        if self.done - self.told > self.all / PARTS {
            self.told = self.done;
            self.watch.tell(self.done.min(self.all), self.all);
        }
        if self.done - self.asked < ASK {
            return Ok(());
        }
        self.asked = self.done;
        self.watch.go_on()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn few_parts_of_many_steps_are_told() {
        let told = Mutex::new(Vec::new());
        let tell = |done, all| told.lock().unwrap().push((done, all));
        let mut steps = Watch::new(&tell, &|| false).steps(1_000_000);
        for _ in 0..1_000_001 {
            steps.advance(1).unwrap();
        }
        let told = told.into_inner().unwrap();
        assert!((1000..=2001).contains(&told.len()), "{}", told.len());
        assert!(told.is_sorted());
        assert!(told.iter().all(|(done, all)| done <= all));
    }

    #[test]
    fn work_ends_soon_after_it_was_stopped() {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) == 2;
        let mut steps = Watch::new(&|_, _| (), &stop).steps(u64::MAX);
        let done = (0..u64::MAX).find(|_| steps.advance(1).is_err());
        assert_eq!(done, Some(3 * ASK - 1));
    }
}
