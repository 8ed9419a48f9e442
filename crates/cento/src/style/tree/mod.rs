//! Vectors in k-d trees, as bytes that may be those of a file: nothing is read that a search does not
//! look at.
//!
//! ```text
//!  rows     the numbers of each vector, 8 bytes each; not a number where it lacks a dimension
//!  owners   the number of each vector's document
//!  least    the least number of a document in the tree below each vector
//!  groups   where the vectors with another set of dimensions begin
//!  splits   the dimension by which each vector divides those below it
//! ```
//!
//! All vectors of a tree have the same dimensions: a distance counts what both vectors have, so a
//! tree with others in it could leave nothing out. The middle vector of a tree is its root; what is
//! before it is the tree on its left, and what is behind it the one on its right. So there are no
//! pointers, and damaged bytes can mislead a search but not make it go round in circles.

mod build;
mod search;

pub(crate) use build::Order;
pub(super) use search::square_of_distance;
pub(crate) use search::{Near, Search};

/// The trees of some vectors.
#[derive(Clone, Copy)]
pub(crate) struct Trees<'a> {
    dimensions: usize,
    rows: &'a [u8],
    owners: &'a [u8],
    least: &'a [u8],
    groups: &'a [u8],
    splits: &'a [u8],
}

/// A vector that is to go into trees: the number of its document, and its row.
pub(crate) type Given<'a> = (u32, &'a [u8]);

/// How many bytes a number of a row has.
const NUMBER: usize = 8;

/// The row of a vector.
pub(crate) fn row(vector: &[f64]) -> Vec<u8> {
    let numbers = vector.iter();
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

/// The numbers of a row.
pub(crate) fn numbers(row: &[u8]) -> impl Iterator<Item = f64> {
    let (numbers, _) = row.as_chunks::<NUMBER>();
    numbers.iter().map(|bytes| f64::from_le_bytes(*bytes))
}

impl<'a> Trees<'a> {
    /// Trees from their sections, one behind the other; nothing if the length does not fit.
    pub(crate) fn new(
        bytes: &'a [u8],
        dimensions: usize,
        vectors: usize,
        groups: usize,
    ) -> Option<Trees<'a>> {
        let (rows, rest) =
            bytes.split_at_checked(NUMBER.checked_mul(dimensions.checked_mul(vectors)?)?)?;
        let (owners, rest) = rest.split_at_checked(4 * vectors)?;
        let (least, rest) = rest.split_at_checked(4 * vectors)?;
        let (groups, splits) = rest.split_at_checked(4 * groups)?;
        let is_whole = splits.len() == 2 * vectors;
        is_whole.then_some(Trees {
            dimensions,
            rows,
            owners,
            least,
            groups,
            splits,
        })
    }

    /// How many vectors there are.
    fn len(&self) -> usize {
        self.owners.len() / 4
    }

    /// The vectors, each with the number of its document.
    #[cfg(feature = "registry")]
    pub(crate) fn vectors(self) -> impl Iterator<Item = Given<'a>> {
        (0..self.len()).map(move |place| (at(self.owners, place), self.row(place)))
    }

    fn row(&self, place: usize) -> &'a [u8] {
        let width = NUMBER * self.dimensions;
        let row = self.rows.get(place * width..(place + 1) * width);
        row.unwrap_or_default()
    }

    fn split(&self, place: usize) -> usize {
        let split = self.splits.get(2 * place..).and_then(<[u8]>::first_chunk);
        split.map_or(0, |bytes| usize::from(u16::from_le_bytes(*bytes)))
    }

    /// The places of each tree.
    fn trees(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let count = self.groups.len() / 4;
        let start = move |group: usize| match group {
            _ if group >= count => self.len(),
            _ => (at(self.groups, group) as usize).min(self.len()),
        };
        (0..count).map(move |group| start(group)..start(group + 1))
    }
}

/// A number of 32 bits.
fn at(numbers: &[u8], place: usize) -> u32 {
    let bytes = numbers.get(4 * place..).and_then(<[u8]>::first_chunk);
    bytes.map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes))
}

/// A number of a row.
fn number(row: &[u8], dimension: usize) -> f64 {
    let bytes = row.get(dimension * NUMBER..).and_then(<[u8]>::first_chunk);
    bytes.map_or(f64::NAN, |bytes| f64::from_le_bytes(*bytes))
}
