//! Tombstones: documents of a segment that are no longer there, until a merge leaves them out.

use super::DocId;

/// A set of removed documents, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    words: Vec<u64>,
    count: u32,
}

impl Removed {
    /// Nothing is removed.
    pub const NONE: Removed = Removed {
        words: Vec::new(),
        count: 0,
    };

    /// Removes a document; says whether it was still there.
    pub fn insert(&mut self, document: DocId) -> bool {
        let word = document.0 as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << (document.0 % 64);
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.count += u32::from(is_new);
        is_new
    }

    /// Whether a document is removed.
    #[inline]
    pub fn contains(&self, document: DocId) -> bool {
        let word = self.words.get(document.0 as usize / 64);
        word.is_some_and(|word| word >> (document.0 % 64) & 1 == 1)
    }

    /// How many documents are removed.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether nothing is removed.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The removed documents, ascending.
    pub fn iter(&self) -> impl Iterator<Item = DocId> {
        (0..)
            .map(DocId)
            .take(64 * self.words.len())
            .filter(|&document| self.contains(document))
    }
}

impl FromIterator<DocId> for Removed {
    fn from_iter<I: IntoIterator<Item = DocId>>(documents: I) -> Removed {
        let mut removed = Removed::default();
        for document in documents {
            removed.insert(document);
        }
        removed
    }
}
