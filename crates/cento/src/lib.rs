//! Cento finds the text that documents share.
//!
//! ```text
//!  text ─tokenizer─▶ Tokens ─chunker─▶ [Chunk] ─digester─▶ [Minutia] ─selector─▶ Fingerprint ─▶ Index ─▶ Report
//! ```
//!
//! A [`Recipe`] is the whole way from a text to its [`Fingerprint`] as one value, which is printed and
//! parsed as one line; the methods of five papers are [`PRESETS`]. Two fingerprints of one recipe
//! have an [`Overlap`], and a [`SetMeasure`] makes a score of it. A [`Measure`] may also ask how rare
//! the shared text is in a collection.
//!
//! [`scan()`] takes a [`Document`] for each text and finds every pair that shares text; [`compare()`]
//! looks at two of them. With [`Texts`] at hand, an [`Aligner`](align::Aligner) says which passages a
//! pair shares. The result is a [`Report`](report::Report): data that every front end renders, and
//! that JSON keeps.
//!
//! ```
//! use cento::{Document, Key, NoCollection, Recipe, ScanSettings, Watch, scan};
//!
//! let recipe = Recipe::default();
//! let document = |id: &str, text: &str| {
//!     let fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
//!     let words = recipe.count_words(text, &fingerprint);
//!     Document::new(id, words, fingerprint)
//! };
//! let documents = vec![
//!     document("anna", "The town rebuilt its canal in nine years, and it paid for that with a loan."),
//!     document("ben", "Everybody knows that the town rebuilt its canal in nine years."),
//!     document("cleo", "This essay is about the price of bread before the war."),
//! ];
//! let report = scan(documents, &ScanSettings::default(), None, Watch::NOBODY)?;
//! assert_eq!(report.pairs.len(), 1);
//! assert_eq!([&report.pairs[0].left, &report.pairs[0].right], ["anna", "ben"]);
//! # Ok::<(), cento::Error>(())
//! ```
//!
//! Where to go from here:
//!
//! * A collection that stays and grows is a registry: [`index::registry`] makes one, and
//!   [`mod@verify`] holds new documents against it.
//! * Near-duplicates among millions of documents are [`index::Stars`] or [`index::components()`].
//! * Which words of two texts correspond is what [`align`] finds, and [`repeats`] what stands
//!   more than once in a corpus.
//! * A crawl that loops is stopped by a [`guard::Guard`].
//! * How well a method does is what [`eval`] measures, with or without labelled documents.
//! * A method of your own makes minutiae and calls [`Fingerprint::from_minutiae`].
//! * Work that takes long is told to a [`Watch`], which can stop it.
//!
//! The features `registry` (a database, in C) and `compress` (five compressors, one of them in C) are on
//! by default; nothing else needs them.

pub mod token;

pub mod chunk;

pub mod digest;

pub mod select;

mod fingerprint;
mod fused;
mod recipe;
mod sort;

mod measure;

pub mod message;

pub mod index;

pub mod sketch;

pub mod align;

mod stretch;

#[cfg(feature = "compress")]
pub mod compress;

pub mod discount;

pub mod disguise;

pub mod repeats;

pub mod style;

pub mod report;

pub mod eval;

pub mod guard;

mod evidence;
mod family;
mod scan;
#[cfg(feature = "registry")]
pub mod verify;

mod error;
mod memory;
mod number;
mod text_form;
mod watch;
mod word_map;

pub use digest::{Digest, Key};
pub use error::Error;
pub use evidence::Texts;
pub use fingerprint::{Fingerprint, RecipeId};
pub use measure::{Measure, Overlap, SetMeasure, Shared, Side, Variation};
pub use recipe::{PRESETS, ParseError, Passages, Preset, Recipe};
pub use scan::{
    Document, Listing, PASSAGE_THRESHOLD, Role, ScanSettings, compare, overlap, scan,
    scan_approximately, score_parts,
};
pub use select::{Counts, Frequencies, NoCollection};
pub use stretch::{Stretches, Terms};
pub use watch::Watch;

/// The program of docs/starts/library.md runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/starts/library.md")]
struct StartOfTheLibrary;
