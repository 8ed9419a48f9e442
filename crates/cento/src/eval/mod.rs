//! How well a method does: effectiveness on labelled collections (Hoad & Zobel, measuring
//! effectiveness), and what attacks on a text leave of its fingerprint (text sifting, section 3).

pub mod advise;
pub mod attack;
pub mod judge;
