//! How far long work has come, for somebody who watches.

/// Who is told how far some work has come: how much of it is done, and how much there is to do.
///
/// What is counted is the work's own business; only the ratio means something.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    tell: &'a dyn Fn(u64, u64),
}

impl Watch<'static> {
    /// Nobody watches.
    pub const NOBODY: Watch<'static> = Watch { tell: &|_, _| () };
}

impl<'a> Watch<'a> {
    /// Calls `tell` with what is done and what there is to do, a few thousand times at most.
    pub fn new(tell: &'a dyn Fn(u64, u64)) -> Watch<'a> {
        Watch { tell }
    }

    /// Begins work of so many steps.
    pub(in crate::index) fn steps(self, all: u64) -> Steps<'a> {
        Steps {
            watch: self,
            all,
            done: 0,
            told: 0,
        }
    }
}

/// Work of which every step is counted, and not every step is told.
pub(in crate::index) struct Steps<'a> {
    watch: Watch<'a>,
    all: u64,
    done: u64,
    /// How many steps were done when somebody was told.
    told: u64,
}

/// Work is told in about so many parts.
const PARTS: u64 = 2000;

impl Steps<'_> {
    /// So many more steps are done.
    #[inline]
    pub(in crate::index) fn advance(&mut self, steps: u64) {
        self.done += steps;
        if self.done - self.told > self.all / PARTS {
            self.told = self.done;
            (self.watch.tell)(self.done.min(self.all), self.all);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn few_parts_of_many_steps_are_told() {
        let told = RefCell::new(Vec::new());
        let tell = |done, all| told.borrow_mut().push((done, all));
        let mut steps = Watch::new(&tell).steps(1_000_000);
        for _ in 0..1_000_001 {
            steps.advance(1);
        }
        let told = told.into_inner();
        assert!((1000..=2001).contains(&told.len()), "{}", told.len());
        assert!(told.is_sorted());
        assert!(told.iter().all(|(done, all)| done <= all));
    }
}
