//! Vectors → the order in which they stand in trees.

use super::{Given, number, numbers};
use crate::number::index32;

/// How trees are to be laid out.
pub(crate) struct Order {
    /// Which of the given vectors stands in each place.
    pub(crate) places: Vec<u32>,
    /// In bytes, as [`Trees`] has them.
    pub(crate) least: Vec<u8>,
    pub(crate) groups: Vec<u8>,
    pub(crate) splits: Vec<u8>,
}

impl Order {
    /// Lays out vectors whose documents are all different. The result does not depend on the order
    /// in which they are given.
    pub(crate) fn of(given: &[Given<'_>], dimensions: usize) -> Order {
        let mut places: Vec<u32> = (0..index32(given.len())).collect();
        places.sort_by_cached_key(|&place| {
            let (owner, row) = given[place as usize];
            (lacking(row), owner)
        });
        let mut building = Building {
            given,
            dimensions,
            least: vec![0; given.len()],
            splits: vec![0; given.len()],
        };
        let mut groups = Vec::new();
        let mut first = 0;
        let is_same = |a: &u32, b: &u32| {
            let [a, b] = [a, b].map(|place| lacking(given[*place as usize].1));
            a == b
        };
        let ends: Vec<usize> = places.chunk_by(is_same).map(<[u32]>::len).collect();
        for length in ends {
            groups.push(index32(first));
            building.build(&mut places[first..first + length], first);
            first += length;
        }
        let bytes = |numbers: &[u32]| {
            let numbers = numbers.iter();
            numbers.flat_map(|number| number.to_le_bytes()).collect()
        };
        let splits = building.splits.iter();
        Order {
            places,
            least: bytes(&building.least),
            groups: bytes(&groups),
            splits: splits.flat_map(|split| split.to_le_bytes()).collect(),
        }
    }
}

/// The dimensions that a row lacks.
fn lacking(row: &[u8]) -> Vec<u16> {
    let numbers = numbers(row).zip(0..);
    let lacks = |(number, dimension): (f64, u16)| number.is_nan().then_some(dimension);
    numbers.filter_map(lacks).collect()
}

struct Building<'a> {
    given: &'a [Given<'a>],
    dimensions: usize,
    least: Vec<u32>,
    splits: Vec<u16>,
}

impl Building<'_> {
    /// Arranges a tree whose first vector has the place `first` among all; gives back the least
    /// number of its documents.
    fn build(&mut self, places: &mut [u32], first: usize) -> u32 {
        let middle = places.len() / 2;
        let Some(&any) = places.get(middle) else {
            return u32::MAX;
        };
        let given = self.given;
        let split = if places.len() > 1 {
            self.widest(places)
        } else {
            0
        };
        let key = |place: u32| {
            let (owner, row) = given[place as usize];
            (number(row, split), owner)
        };
        // Equal numbers are in the order of the documents, so that of many equal vectors the first
        // ones are found first.
        places.select_nth_unstable_by(middle, |&a, &b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        let root = places.get(middle).copied().unwrap_or(any);
        let (left, right) = places.split_at_mut(middle);
        let least = given[root as usize]
            .0
            .min(self.build(left, first))
            .min(self.build(&mut right[1..], first + middle + 1));
        self.least[first + middle] = least;
        self.splits[first + middle] = u16::try_from(split).unwrap_or(u16::MAX);
        least
    }

    /// The dimension in which vectors are farthest apart.
    fn widest(&self, places: &[u32]) -> usize {
        let mut ends = vec![(f64::INFINITY, f64::NEG_INFINITY); self.dimensions];
        for &place in places {
            for (ends, number) in ends.iter_mut().zip(numbers(self.given[place as usize].1)) {
                *ends = (ends.0.min(number), ends.1.max(number));
            }
        }
        let mut widest = (0, f64::NEG_INFINITY);
        for (dimension, (low, high)) in ends.into_iter().enumerate() {
            if high - low > widest.1 {
                widest = (dimension, high - low);
            }
        }
        widest.0
    }
}
