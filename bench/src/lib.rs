//! Corpora with known truth: documents of made-up words, some of them edited copies of others.
//!
//! Everything follows from one seed. A document is made from its number alone, so that documents can
//! be made on any number of threads and a copy can make its original again instead of keeping it.

pub mod corpus;
pub mod plan;
pub mod random;
pub mod shingles;
pub mod vocabulary;
pub mod write;

pub use corpus::{Corpus, Settings};
pub use write::Format;
