//! What a page says: its text, the digest of it, and how similar two texts are.

use cento::{Fingerprint, Key, NoCollection, Overlap, Recipe, SetMeasure};
use cento_ingest::{Options, Scope};

use crate::documents::{InMemory, Reader};
use crate::error::{Error, Result};

/// Reads pages and digests their texts.
pub(super) struct Pages {
    reader: Reader,
    recipe: Recipe,
    /// What similarity is measured by.
    windows: Recipe,
}

/// A text that was read.
pub(super) struct Page {
    /// Its words, one space between them.
    pub(super) text: String,
    /// Its Plagiarex digest as the paper prints it, if it has words for one.
    pub(super) mark: Option<String>,
}

impl Pages {
    pub(super) fn new(recipe: &str, options: &Options) -> Result<Pages> {
        let recipe = Recipe::named(recipe)?;
        let mut options = options.clone();
        options.reading.scope = Scope::AllButCode;
        Ok(Pages {
            reader: Reader::new(&options),
            recipe,
            windows: Recipe::default(),
        })
    }

    /// The text of a page, or why it has none. The name may say what it is.
    pub(super) fn read(&self, name: &str, bytes: &[u8]) -> Result<Page, String> {
        let given = InMemory {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
        };
        let read = self.reader.in_memory(&given).read();
        let document = read.map_err(|error| Error::from(error).sentence())?;
        let mark = self.mark(&document.content);
        let words: Vec<&str> = document.content.split_whitespace().collect();
        Ok(Page {
            text: words.join(" "),
            mark,
        })
    }

    /// The text of a page as it is, with its lines.
    pub(super) fn text(&self, name: &str, bytes: &[u8]) -> Result<String, String> {
        let given = InMemory {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
        };
        let read = self.reader.in_memory(&given).read();
        let document = read.map_err(|error| Error::from(error).sentence())?;
        Ok(document.content)
    }

    /// The digests of a text, of which there are several if it has several scripts.
    fn mark(&self, text: &str) -> Option<String> {
        let (tokens, minutiae) = self.recipe.minutiae(text, &Key::PUBLIC, &NoCollection);
        let mut marks: Vec<String> = minutiae
            .iter()
            .map(|minutia| self.recipe.digester.printed(&tokens, minutia))
            .collect();
        marks.sort();
        marks.dedup();
        (!marks.is_empty()).then(|| marks.join(","))
    }

    /// How similar two texts are, from 0 to 1: the resemblance of their windows of five words.
    pub(super) fn similarity(&self, left: &str, right: &str) -> f64 {
        if left == right {
            return 1.0;
        }
        let of = |text: &str| self.windows.fingerprint(text, &Key::PUBLIC, &NoCollection);
        SetMeasure::Resemblance.score(overlap(&of(left), &of(right)))
    }
}

fn overlap(left: &Fingerprint, right: &Fingerprint) -> Overlap {
    let (left, right) = (left.digests(), right.digests());
    let mut others = right.iter().peekable();
    let mut shared = 0;
    for digest in left {
        while others.next_if(|other| *other < digest).is_some() {}
        shared += u32::from(others.peek() == Some(&digest));
    }
    let count = |digests: &[cento::Digest]| u32::try_from(digests.len()).unwrap_or(u32::MAX);
    Overlap {
        shared,
        left: count(left),
        right: count(right),
    }
}
