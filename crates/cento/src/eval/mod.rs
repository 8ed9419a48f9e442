//! How well a method does: effectiveness on labelled collections (Hoad & Zobel, measuring
//! effectiveness).

pub mod advise;
pub mod judge;
