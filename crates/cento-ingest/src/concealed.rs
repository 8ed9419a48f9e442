//! Text that a file has and does not show.

use serde::{Deserialize, Serialize};

/// Why a reader does not see a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concealment {
    /// The file says that it is not to be shown.
    Hidden,
    /// It has the colour of what it stands on.
    Background,
    /// It is smaller than three points.
    Tiny,
}

/// What is not shown. Where it can be told from the rest, it is not part of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Concealed {
    /// How many characters the file says are hidden, without white space.
    pub hidden: u64,
    /// How many have the colour of their background.
    pub background: u64,
    /// How many are too small to be read.
    pub tiny: u64,
    /// Where they would stand, in the order of the text; the first two thousand places.
    pub places: Vec<ConcealedText>,
}

/// Characters that are not shown, in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConcealedText {
    /// The byte of the text before which they would stand.
    pub at: u32,
    /// Why they are not shown.
    pub why: Concealment,
    /// How many there are, without white space.
    pub characters: u32,
    /// How they begin.
    pub text: String,
}

/// So many places are kept.
pub(crate) const MOST_PLACES: usize = 2000;
/// So many characters of a text that is not shown are kept.
const BEGINNING: usize = 200;

impl Concealed {
    /// Whether everything is shown.
    pub fn is_empty(&self) -> bool {
        self.hidden + self.background + self.tiny == 0
    }

    /// Counts characters.
    pub(crate) fn count(&mut self, why: Concealment, characters: u64) {
        match why {
            Concealment::Hidden => self.hidden += characters,
            Concealment::Background => self.background += characters,
            Concealment::Tiny => self.tiny += characters,
        }
    }

    /// Adds what another part of the document does not show; its text begins at this byte.
    pub(crate) fn append(&mut self, other: Concealed, start: usize) {
        self.hidden += other.hidden;
        self.background += other.background;
        self.tiny += other.tiny;
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let moved = other.places.into_iter().map(|mut place| {
            place.at = place.at.saturating_add(start);
            place
        });
        self.places.extend(moved);
        self.places.truncate(MOST_PLACES);
    }
}

impl ConcealedText {
    pub(crate) fn new(why: Concealment, text: &str) -> ConcealedText {
        let mut concealed = ConcealedText {
            at: 0,
            why,
            characters: 0,
            text: String::new(),
        };
        concealed.add(text);
        concealed
    }

    /// Adds text that goes on in the same place.
    pub(crate) fn add(&mut self, text: &str) {
        let characters = text.chars().filter(|c| !c.is_whitespace()).count();
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        self.characters = self.characters.saturating_add(characters);
        let room = BEGINNING.saturating_sub(self.text.chars().count());
        self.text.extend(text.chars().take(room));
    }
}
