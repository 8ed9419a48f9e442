//! How much of a list there is to be.

use std::collections::BTreeSet;

use crate::index::DocId;

/// Limits of a list of pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Top {
    /// How many pairs it has at most.
    pub(crate) pairs: Option<usize>,
    /// How many documents its pairs have at most: those that come first in the list.
    pub(crate) documents: Option<usize>,
}

impl Top {
    /// At most so many pairs.
    pub(crate) fn pairs(pairs: impl Into<Option<usize>>) -> Top {
        Top {
            pairs: pairs.into(),
            documents: None,
        }
    }

    pub(crate) fn is_limited(self) -> bool {
        self.pairs.is_some() || self.documents.is_some()
    }

    /// Leaves what is within the limits of a list that is in order.
    pub(crate) fn of<T>(self, list: &mut Vec<T>, both: impl Fn(&T) -> [DocId; 2]) {
        if let Some(most) = self.documents {
            let mut first = BTreeSet::new();
            for document in list.iter().flat_map(&both) {
                if first.len() == most {
                    break;
                }
                first.insert(document);
            }
            list.retain(|one| both(one).iter().all(|document| first.contains(document)));
        }
        list.truncate(self.pairs.unwrap_or(usize::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_documents_keep_all_their_pairs() {
        let list = [[1, 2], [3, 4], [2, 3], [1, 5], [1, 3]];
        let within = |top: Top| {
            let mut list = list.to_vec();
            top.of(&mut list, |pair| pair.map(DocId));
            list
        };
        assert_eq!(within(Top::default()), list);
        assert_eq!(within(Top::pairs(2)), [[1, 2], [3, 4]]);
        let documents = |documents, pairs| Top {
            pairs,
            documents: Some(documents),
        };
        assert_eq!(within(documents(4, None)), [[1, 2], [3, 4], [2, 3], [1, 3]]);
        assert_eq!(within(documents(3, None)), [[1, 2], [2, 3], [1, 3]]);
        assert_eq!(within(documents(4, Some(3))), [[1, 2], [3, 4], [2, 3]]);
        assert!(within(documents(1, None)).is_empty());
    }
}
