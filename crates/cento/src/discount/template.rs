//! Which words of a document come from a template, even where the template was edited.

use std::collections::HashSet;
use std::ops::Range;

use crate::align::{Aligner, Sequence, Vocabulary, Word};
use crate::number::index32;

/// The shortest run of words that is recognised for itself; the window of the default recipe.
const WINDOW: usize = 5;

/// The templates of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Templates {
    texts: Vec<Sequence>,
    windows: HashSet<[Word; WINDOW]>,
}

impl Templates {
    pub(crate) fn new(texts: Vec<Sequence>) -> Templates {
        let windows = texts
            .iter()
            .flat_map(|text| text.words().array_windows().copied())
            .collect();
        Templates { texts, windows }
    }

    /// The runs of words that a document has from the templates: exact ones however short, and
    /// passages that were edited.
    pub(crate) fn runs(&self, document: &Sequence, vocabulary: &Vocabulary) -> Vec<Range<u32>> {
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
