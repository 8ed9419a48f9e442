//! Cento finds the text that documents share.
//!
//! ```text
//!  text ─tokenizer─▶ Tokens ─chunker─▶ [Chunk] ─digester─▶ [Minutia] ─selector─▶ Fingerprint ─▶ Index ─▶ Report
//! ```
//!
//! A [`Recipe`] is the whole way from text to fingerprint as one value; the methods of the five
//! papers are [`PRESETS`]. A [`Measure`] says how much two fingerprints have in common.
//!
//! ```
//! use cento::{Key, NoCollection, Recipe, SetMeasure, overlap};
//!
//! let recipe = Recipe::named("default")?;
//! let fingerprint = |text| recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
//! let left = fingerprint("The town rebuilt its canal in nine years.");
//! let right = fingerprint("In nine years the town rebuilt its canal.");
//! let shared = overlap(&left, &right)?;
//! assert!(SetMeasure::MaxContainment.score(shared) >= 0.25);
//! # Ok::<(), cento::Error>(())
//! ```

pub mod token;

pub mod chunk;

pub mod digest;

pub mod select;

mod fingerprint;
mod fused;
mod recipe;
mod sort;

mod measure;

pub mod index;

pub mod sketch;

pub mod align;

#[cfg(feature = "compress")]
pub mod compress;

pub mod discount;

pub mod repeats;

pub mod style;

pub mod report;

pub mod eval;

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

pub use digest::{Digest, Key};
pub use error::Error;
pub use evidence::Texts;
pub use fingerprint::{Fingerprint, RecipeId};
pub use measure::{Measure, Overlap, SetMeasure, Shared, Side, Variation};
pub use recipe::{PRESETS, ParseError, Passages, Preset, Recipe};
pub use scan::{Document, Role, ScanSettings, compare, overlap, scan, scan_approximately};
pub use select::{Counts, Frequencies, NoCollection};
pub use watch::Watch;
