//! From pairs that are alike to clusters.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What could be settled of the documents that are in pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Those that are kept.
    pub kept: Vec<u64>,
    /// Those that are like one that is kept.
    pub removed: Vec<u64>,
}

/// Settles which documents of pairs that are alike are kept, in the order of their numbers: one is kept
/// unless one before it is, and of those that are late only that they are not.
pub fn settle(pairs: &[(u64, u64)], late: &[u64]) -> Settled {
    let mut before: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for &(left, right) in pairs {
        before.entry(left.min(right)).or_default();
        before
            .entry(left.max(right))
            .or_default()
            .push(left.min(right));
    }
    let late: BTreeSet<u64> = late.iter().copied().collect();
    let mut is_kept: HashMap<u64, bool> = HashMap::new();
    let mut settled = Settled::default();
    for (document, others) in before {
        let has_kept = others.iter().any(|other| is_kept.get(other) == Some(&true));
        let all_are_removed = others
            .iter()
            .all(|other| is_kept.get(other) == Some(&false));
        if has_kept {
            is_kept.insert(document, false);
            settled.removed.push(document);
        } else if all_are_removed && !late.contains(&document) {
            is_kept.insert(document, true);
            settled.kept.push(document);
        }
    }
    settled
}

/// Documents that pairs connect; each knows one before it.
#[derive(Default)]
pub struct Forest {
    parents: HashMap<u64, u64>,
}

impl Forest {
    /// Connects two documents.
    pub fn connect(&mut self, left: u64, right: u64) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents.insert(left.max(right), left.min(right));
    }

    /// Each document with the first one that it is connected with, sorted.
    pub fn trees(mut self) -> Vec<(u64, u64)> {
        let mut documents: Vec<u64> = self.parents.keys().copied().collect();
        documents.sort_unstable();
        let with_root = documents.into_iter().map(|one| (one, self.root(one)));
        with_root.collect()
    }

    fn root(&mut self, document: u64) -> u64 {
        let mut root = document;
        while let Some(parent) = self.parents.get(&root).filter(|parent| **parent != root) {
            root = *parent;
        }
        // A shorter way for the next one.
        let mut next = document;
        while next != root {
            next = self.parents.insert(next, root).unwrap_or(root);
        }
        self.parents.entry(root).or_insert(root);
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_wait_for_those_before_them() {
        // 1 is like 2, 2 like 3, 3 like 4.
        let pairs = [(1, 2), (2, 3), (3, 4)];
        let all = settle(&pairs, &[]);
        assert_eq!((all.kept, all.removed), (vec![1, 3], vec![2, 4]));
        let some = settle(&pairs, &[3]);
        assert_eq!((some.kept, some.removed), (vec![1], vec![2]));
        let none = settle(&pairs, &[1]);
        assert_eq!(none, Settled::default());
    }

    #[test]
    fn the_first_document_names_its_tree() {
        let mut forest = Forest::default();
        for (left, right) in [(7, 9), (3, 5), (9, 5), (20, 10)] {
            forest.connect(left, right);
        }
        let trees = [(3, 3), (5, 3), (7, 3), (9, 3), (10, 10), (20, 10)];
        assert_eq!(forest.trees(), trees);
    }
}
