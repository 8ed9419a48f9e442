//! Shared text that says little: templates, quotations, bibliographies, what everybody has.
//!
//! It is recognised always and word by word, so that a pair's percentages can be given with and
//! without it; what the headline leaves out is a choice of the person who asks.

mod bibliography;
mod common;
mod quotation;
mod template;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use bibliography::bibliographies;
pub(crate) use common::{Rarity, common_from};
pub use quotation::quotations;
pub(crate) use template::Templates;

use crate::number::index32;

/// Why shared text may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Discount {
    /// It is in a template that was given.
    Template,
    /// It stands in quotation marks or in a block quotation.
    Quotation,
    /// It is an entry of a list of references.
    Bibliography,
    /// Many documents have it.
    Common,
}

/// Some of the discounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discounts(u8);

/// Which discounts apply to each word of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Vec<Discounts>);

impl Discount {
    /// All of them; where several apply to a passage that they cover alike, the first names it.
    pub const ALL: [Discount; 4] = [
        Discount::Template,
        Discount::Quotation,
        Discount::Bibliography,
        Discount::Common,
    ];
}

impl Discounts {
    /// What the headline of a report leaves out unless told otherwise.
    pub const USUAL: Discounts = Discounts(0b0111);

    /// These and one more.
    #[must_use]
    pub fn with(self, discount: Discount) -> Discounts {
        Discounts(self.0 | 1 << discount as u8)
    }

    /// These without one.
    #[must_use]
    pub fn without(self, discount: Discount) -> Discounts {
        Discounts(self.0 & !(1 << discount as u8))
    }

    /// Whether it is among them.
    pub fn has(self, discount: Discount) -> bool {
        self.0 & 1 << discount as u8 != 0
    }

    /// Whether any is in both.
    pub fn meets(self, other: Discounts) -> bool {
        self.0 & other.0 != 0
    }
}

impl Serialize for Discounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list = Discount::ALL
            .into_iter()
            .filter(|&discount| self.has(discount));
        serializer.collect_seq(list)
    }
}

impl<'de> Deserialize<'de> for Discounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Discounts, D::Error> {
        let list: Vec<Discount> = Vec::deserialize(deserializer)?;
        Ok(list.into_iter().fold(Discounts::default(), Discounts::with))
    }
}

impl Marks {
    /// No discount on any of so many words.
    pub fn none(words: u32) -> Marks {
        Marks(vec![Discounts::default(); words as usize])
    }

    /// Marks a run of words.
    pub fn mark(&mut self, run: Range<u32>, discount: Discount) {
        for mark in &mut self.0[run.start as usize..run.end as usize] {
            *mark = mark.with(discount);
        }
    }

    /// The marks of a run of words.
    pub fn of(&self, run: &Range<u32>) -> &[Discounts] {
        &self.0[run.start as usize..run.end as usize]
    }

    /// Each word's marks.
    pub fn all(&self) -> &[Discounts] {
        &self.0
    }

    /// How many words have any of these discounts.
    pub fn count(&self, discounts: Discounts) -> u32 {
        index32(self.0.iter().filter(|mark| mark.meets(discounts)).count())
    }

    /// The runs of words that have a discount.
    pub fn runs(&self, discount: Discount) -> Vec<Range<u32>> {
        let mut runs: Vec<Range<u32>> = Vec::new();
        for (word, _) in (0..).zip(&self.0).filter(|(_, mark)| mark.has(discount)) {
            match runs.last_mut() {
                Some(run) if run.end == word => run.end += 1,
                _ => runs.push(word..word + 1),
            }
        }
        runs
    }
}

impl fmt::Display for Discount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Discount::Template => "template",
            Discount::Quotation => "quotation",
            Discount::Bibliography => "bibliography",
            Discount::Common => "common",
        })
    }
}
