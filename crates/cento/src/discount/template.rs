//! Which words of a document come from a template, even where the template was edited.

use std::collections::HashSet;
use std::ops::Range;

use crate::align::tiling::{GAP, merged};
use crate::align::{Aligner, Sequence, Vocabulary, Word};
use crate::number::index32;

/// The shortest run of words that is recognised for itself; the window of the default recipe.
const WINDOW: usize = 5;

/// The templates of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Templates {
    texts: Vec<Sequence>,
    windows: HashSet<[Word; WINDOW]>,
    /// They are programs.
    are_programs: bool,
}

impl Templates {
    pub(crate) fn new(texts: Vec<Sequence>) -> Templates {
        let windows = texts
            .iter()
            .flat_map(|text| text.words().array_windows().copied())
            .collect();
        Templates {
            texts,
            windows,
            are_programs: false,
        }
    }

    /// The same for programs, of which all have the same few tokens in a row.
    pub(crate) fn of_programs(texts: Vec<Sequence>) -> Templates {
        Templates {
            texts,
            windows: HashSet::new(),
            are_programs: true,
        }
    }

    /// The runs of words that a document has from the templates: exact ones however short, and
    /// passages that were edited.
    pub(crate) fn runs(&self, document: &Sequence, vocabulary: &Vocabulary) -> Vec<Range<u32>> {
        if self.are_programs {
            let tiles = self.texts.iter().flat_map(|text| {
                let alignment = Aligner::FOR_PROGRAMS.align(document, text, vocabulary);
                merged(&alignment.passages, GAP)
            });
            return tiles.map(|tile| tile.left).collect();
        }
        let mut runs = Vec::new();
        for (start, window) in document.words().array_windows::<WINDOW>().enumerate() {
            if self.windows.contains(window) {
                runs.push(index32(start)..index32(start + WINDOW));
            }
        }
        if !runs.is_empty() {
            for text in &self.texts {
                let alignment = Aligner::Passages.align(document, text, vocabulary);
                runs.extend(alignment.passages.into_iter().map(|passage| passage.left));
            }
        }
        runs
    }
}
