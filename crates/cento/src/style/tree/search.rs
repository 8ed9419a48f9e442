//! What is nearest to a vector, and what a search need not look at.

use std::cmp::Ordering;

use super::{Trees, at, number, numbers};

/// A vector that is near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    /// The number of its document.
    pub(crate) owner: u32,
    /// The square of the distance in the dimensions that both vectors have.
    pub(crate) square: f64,
    /// How many these are.
    pub(crate) shared: u32,
}

/// A search in any number of trees for what is nearest to a vector.
pub(crate) struct Search<'q> {
    query: &'q [f64],
    count: usize,
    is_wanted: &'q dyn Fn(u32) -> bool,
    /// The nearest ones so far, nearest first.
    found: Vec<Near>,
    looked_at: u64,
}

impl Near {
    /// The mean square: vectors that share few dimensions are not near for that reason.
    pub(crate) fn mean(&self) -> f64 {
        self.square / f64::from(self.shared)
    }

    /// Nearest first, then by number.
    pub(crate) fn order(&self, other: &Near) -> Ordering {
        let by_distance = self.mean().total_cmp(&other.mean());
        by_distance.then(self.owner.cmp(&other.owner))
    }
}

impl<'q> Search<'q> {
    /// Looks for this many vectors; documents that are not wanted do not count.
    pub(crate) fn new(
        query: &'q [f64],
        count: usize,
        is_wanted: &'q dyn Fn(u32) -> bool,
    ) -> Search<'q> {
        Search {
            query,
            count,
            is_wanted,
            found: Vec::new(),
            looked_at: 0,
        }
    }

    /// How many vectors were looked at so far.
    #[cfg(any(test, feature = "registry"))]
    pub(crate) fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// What was found, nearest first, then by number.
    pub(crate) fn found(self) -> Vec<Near> {
        self.found
    }

    /// Looks at what may be near in some trees.
    pub(crate) fn look(&mut self, trees: Trees<'_>) {
        for places in trees.trees() {
            if places.is_empty() {
                continue;
            }
            // All vectors of a tree have the same dimensions.
            let first = trees.row(places.start);
            let (_, shared) = square_of_distance(self.query.iter().copied(), numbers(first));
            if shared > 0 {
                let mut descent = Descent {
                    trees,
                    shared,
                    away: vec![0.0; self.query.len()],
                };
                self.descend(&mut descent, places.start, places.end);
            }
        }
    }

    fn descend(&mut self, descent: &mut Descent<'_>, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let middle = start + (end - start) / 2;
        let trees = descent.trees;
        let nearest = Near {
            owner: at(trees.least, middle),
            square: descent.square(),
            shared: descent.shared,
        };
        if !self.may_take(&nearest) {
            return;
        }
        let row = trees.row(middle);
        let split = trees.split(middle);
        let query = self.query.get(split).copied().unwrap_or(f64::NAN);
        let away = query - number(row, split);
        let (left, right) = ((start, middle), (middle + 1, end));
        // Not a number if the query lacks the dimension: then both sides are as near.
        let (near, far) = if away > 0.0 {
            (right, left)
        } else {
            (left, right)
        };
        self.descend(descent, near.0, near.1);
        self.take(at(trees.owners, middle), row);
        if away.is_nan() {
            self.descend(descent, far.0, far.1);
        } else {
            let before = std::mem::replace(&mut descent.away[split], away);
            self.descend(descent, far.0, far.1);
            descent.away[split] = before;
        }
    }

    fn take(&mut self, owner: u32, row: &[u8]) {
        self.looked_at += 1;
        let (square, shared) = square_of_distance(self.query.iter().copied(), numbers(row));
        let near = Near {
            owner,
            square,
            shared,
        };
        if shared == 0 || !self.may_take(&near) || !(self.is_wanted)(owner) {
            return;
        }
        let place = self
            .found
            .partition_point(|found| found.order(&near).is_lt());
        self.found.insert(place, near);
        self.found.truncate(self.count);
    }

    /// Whether something this near could be among the nearest.
    fn may_take(&self, near: &Near) -> bool {
        match self.found.last() {
            _ if self.count == 0 => false,
            Some(last) if self.found.len() == self.count => near.order(last).is_lt(),
            _ => true,
        }
    }
}

/// The part of a tree that a search has come to.
struct Descent<'a> {
    trees: Trees<'a>,
    /// How many dimensions the query has in common with the vectors of the tree.
    shared: u32,
    /// How far it is away from the query at least, in each dimension.
    away: Vec<f64>,
}

impl Descent<'_> {
    /// The least square of a distance to a vector here.
    ///
    /// Added up in the order of [`square_of_distance`]: every term is at most the one there, and so
    /// is every sum, rounding included.
    fn square(&self) -> f64 {
        self.away.iter().map(|away| away * away).sum()
    }
}

/// The square of the distance in the dimensions that both have, and how many these are.
pub(in crate::style) fn square_of_distance(
    left: impl IntoIterator<Item = f64>,
    right: impl IntoIterator<Item = f64>,
) -> (f64, u32) {
    let (mut square, mut shared) = (0.0, 0);
    for (left, right) in left.into_iter().zip(right) {
        let difference = left - right;
        if !difference.is_nan() {
            square += difference * difference;
            shared += 1;
        }
    }
    (square, shared)
}
