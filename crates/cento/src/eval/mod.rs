//! How well a method does: effectiveness on labelled collections (Hoad & Zobel, measuring
//! effectiveness), what attacks on a text leave of its fingerprint (text sifting, section 3), and
//! how well passages are found (plagdet).

pub mod advise;
pub mod attack;
pub mod judge;
pub mod plagdet;
