//! Text that stands somewhere else too: runs of at least so many words, found exactly.
//!
//! A window is so many words in a row, normalised and folded. Windows are found by their digests and
//! believed only when the words themselves are equal, so a collision changes nothing.
//!
//! [`FirstPlaces`] finds what stands earlier in a corpus that is read twice: in the first pass
//! [`Filter`] sees which windows may come again, and in the second one only those are remembered.
//! [`TestSet`] finds what stands in some texts that are in memory, for one pass over anything.
//! [`without`] takes such runs out of a text.

mod against;
mod cut;
mod filter;
mod first;
mod windows;

pub use against::{Contained, Match, TestCover, TestSet};
pub use cut::{join, without};
pub use filter::Filter;
pub use first::{First, FirstPlaces, Repeat, Repeats};
pub use windows::Windows;
