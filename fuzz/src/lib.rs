//! Broken inputs for every reader of Cento.
//!
//! A [`Target`] is a reader, some sound inputs for it, and what must hold whatever it is given: it
//! may refuse an input, but neither panic nor go past its limits. [`mutate`] breaks the sound
//! inputs. Input number n of a run follows from the run's seed and n alone, so every failure can be
//! had again.
//!
//! `cargo test -p cento-fuzz` tries a few thousand inputs; `scripts/fuzz` goes on for as long as it
//! is told to, with a limit on memory, and leaves failing inputs in `target/fuzz`.

mod mutate;
mod seeds;
mod target;

pub use mutate::{Random, mutate};
pub use target::{Failure, Seed, Target, targets};
