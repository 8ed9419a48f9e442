//! The texts of a pair → what they share, word for word or edited, and where.
//!
//! A fingerprint says which pairs to look at; an aligner looks. Which one?
//!
//! * [`maximal`]: every run of equal text from a minimal length on, exactly. What it covers is the
//!   `overlap` of a report, whatever aligner was chosen.
//! * [`tiling`]: equal runs that never overlap, the longest first, so that rearranged text is
//!   counted once.
//! * [`passages`]: edited text as well, in passages as a person would mark them.
//!
//! ```
//! use cento::align::{Aligner, Vocabulary};
//!
//! let (left, right) = ("the town rebuilt its canal in nine years", "its canal in nine years is new");
//! let mut vocabulary = Vocabulary::default();
//! let sequences = [left, right].map(|text| vocabulary.read(text));
//! let aligner: Aligner = "maximal:3words".parse()?;
//! let found = aligner.align(&sequences[0], &sequences[1], &vocabulary);
//! let passage = &found.passages[0];
//! let span = sequences[0].source(&passage.left);
//! assert_eq!(&left[span.start as usize..span.end as usize], "its canal in nine years");
//! # Ok::<(), cento::Error>(())
//! ```

pub mod maximal;
mod meanings;
pub mod passages;
mod sequence;
mod suffix_sort;
mod tables;
pub mod tiling;
mod word_runs;

use std::fmt;
use std::num::NonZeroU32;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use meanings::{Meanings, Vectors};
pub(crate) use passages::{Outline, Side};
pub(crate) use sequence::Term;
pub use sequence::{Sequence, Vocabulary, Word};
pub use suffix_sort::{SortElsewhere, SortedSuffixes, SuffixText, sort_elsewhere, sort_here};

pub(crate) use tables::tables;
pub(crate) use word_runs::{EqualRuns, RUN, SharedRuns, WordRuns};

use crate::error::Error;
use crate::text_form::serde_as_text;

/// How the shared text of a pair is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aligner {
    /// All maximal common runs (Finkel et al., MDR); `maximal`, `maximal:60`, `maximal:10words`.
    Maximal(Shortest),
    /// Greedy string tiling with matches of at least so many words; `tiling`, `tiling:12`.
    Tiling(NonZeroU32),
    /// Edited text too; `passages`.
    #[default]
    Passages,
}

/// The shortest run that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortest {
    /// In characters of the normalised text: words joined by one space.
    Chars(NonZeroU32),
    /// In whole words.
    Words(NonZeroU32),
}

/// What two texts share, in the order of the left one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alignment {
    /// The passages; those of one side may overlap.
    pub passages: Vec<Passage>,
    /// A limit on the work acted: there may be more than this.
    pub limited: bool,
}

/// Text of one document and the text of the other that corresponds to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Which words of the left text.
    pub left: Range<u32>,
    /// Which words of the right text.
    pub right: Range<u32>,
    /// How the two differ.
    pub kind: Kind,
    /// How alike the two are, from 0 to 1; 1 is equal text.
    pub similarity: f64,
}

/// How the two sides of a passage differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// They do not: the words are equal, one by one.
    Exact,
    /// Most words are equal and in order.
    Edited,
    /// The matter is the same, the words mostly are not.
    Paraphrased,
}

impl Aligner {
    /// Greedy string tiling with tiles that programs do not share by chance.
    pub const FOR_PROGRAMS: Aligner = Aligner::Tiling(TILE_OF_TOKENS);

    /// What two texts share. Both sequences must come from `vocabulary`.
    pub fn align(&self, left: &Sequence, right: &Sequence, vocabulary: &Vocabulary) -> Alignment {
        match *self {
            Aligner::Maximal(shortest) => maximal::align(left, right, vocabulary, shortest),
            Aligner::Tiling(shortest) => tiling::align(left, right, shortest),
            Aligner::Passages => passages::align(left, right, vocabulary),
        }
    }
}

impl Aligner {
    /// The same as people are shown it: paraphrased passages sentence by sentence, so that none holds
    /// text without a counterpart.
    pub fn align_by_sentence(
        &self,
        left: &Sequence,
        right: &Sequence,
        vocabulary: &Vocabulary,
    ) -> Alignment {
        match self {
            Aligner::Passages => {
                passages::align_with(left, right, vocabulary, &passages::Settings::by_sentence())
            }
            Aligner::Maximal(_) | Aligner::Tiling(_) => self.align(left, right, vocabulary),
        }
    }

    /// What this aligner makes of a text once for all of its pairs; nothing if it has no use for it.
    pub(crate) fn outline(&self, text: &Sequence, vocabulary: &Vocabulary) -> Outline {
        match self {
            Aligner::Passages => Outline::of(text, vocabulary),
            Aligner::Maximal(_) | Aligner::Tiling(_) => Outline::default(),
        }
    }

    /// The same as [`Aligner::align_by_sentence`] with what was made of the texts before.
    pub(crate) fn align_sides(&self, sides: [Side<'_>; 2], vocabulary: &Vocabulary) -> Alignment {
        match self {
            Aligner::Passages => {
                passages::align_sides(sides, vocabulary, &passages::Settings::by_sentence())
            }
            Aligner::Maximal(_) => self.align(sides[0].sequence, sides[1].sequence, vocabulary),
            // Where there are fewer words than in a tile, all of them are one.
            Aligner::Tiling(shortest) => {
                let [left, right] = sides.map(|side| side.sequence);
                let whole = NonZeroU32::new(left.len().min(right.len()));
                let shortest = whole.map_or(*shortest, |whole| whole.min(*shortest));
                tiling::align(left, right, shortest)
            }
        }
    }
}

impl Shortest {
    /// What reproduces the figures of Finkel et al.
    pub const DEFAULT: Shortest = Shortest::Chars(NonZeroU32::new(60).expect("60 is not 0"));

    /// How many characters or words.
    pub fn length(self) -> u32 {
        match self {
            Shortest::Chars(length) | Shortest::Words(length) => length.get(),
        }
    }
}

/// What `JPlag` asks of Java; of words it asks 5, which phrases that everybody uses reach too.
const TILE: NonZeroU32 = NonZeroU32::new(9).expect("9 is not 0");

/// Tokens of programs are fewer and more alike than words.
const TILE_OF_TOKENS: NonZeroU32 = NonZeroU32::new(12).expect("12 is not 0");

impl fmt::Display for Aligner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aligner::Maximal(Shortest::Chars(chars)) => write!(f, "maximal:{chars}"),
            Aligner::Maximal(Shortest::Words(words)) => write!(f, "maximal:{words}words"),
            Aligner::Tiling(words) => write!(f, "tiling:{words}"),
            Aligner::Passages => f.write_str("passages"),
        }
    }
}

impl FromStr for Aligner {
    type Err = Error;

    fn from_str(text: &str) -> Result<Aligner, Error> {
        let unknown = || Error::UnknownAligner {
            name: text.to_owned(),
        };
        let (name, length) = match text.split_once(':') {
            Some((name, length)) => (name, Some(length)),
            None => (text, None),
        };
        let number = |digits: &str| digits.parse::<NonZeroU32>().map_err(|_| unknown());
        match (name, length) {
            ("maximal", None) => Ok(Aligner::Maximal(Shortest::DEFAULT)),
            ("maximal", Some(length)) => Ok(Aligner::Maximal(match length.strip_suffix("words") {
                Some(words) => Shortest::Words(number(words)?),
                None => Shortest::Chars(number(length)?),
            })),
            ("tiling", None) => Ok(Aligner::Tiling(TILE)),
            ("tiling", Some(length)) => Ok(Aligner::Tiling(number(length)?)),
            ("passages", None) => Ok(Aligner::Passages),
            _ => Err(unknown()),
        }
    }
}

serde_as_text!(Aligner);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Exact => "exact",
            Kind::Edited => "edited",
            Kind::Paraphrased => "paraphrased",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_back() {
        for text in ["maximal:60", "maximal:10words", "tiling:9", "passages"] {
            assert_eq!(text.parse::<Aligner>().unwrap().to_string(), text);
        }
        assert_eq!(
            "maximal".parse::<Aligner>().unwrap().to_string(),
            "maximal:60"
        );
        for text in [
            "",
            "maximal:",
            "maximal:0",
            "tiling:x",
            "passages:3",
            "diff",
        ] {
            assert!(text.parse::<Aligner>().is_err(), "{text:?}");
        }
    }
}
