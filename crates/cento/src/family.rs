//! Pairs → families: documents that hang together.

use std::collections::BTreeMap;

use crate::index::{DocId, Pair};

/// The connected groups of two or more documents, largest first, then by their first document.
pub(crate) fn families<'a>(
    documents: usize,
    pairs: impl Iterator<Item = &'a Pair>,
) -> Vec<Vec<DocId>> {
    let mut parent: Vec<usize> = (0..documents).collect();
    for pair in pairs {
        let left = root(&mut parent, pair.left.0 as usize);
        let right = root(&mut parent, pair.right.0 as usize);
        // The lower number is the root, whatever the order of the pairs.
        parent[left.max(right)] = left.min(right);
    }
    let mut groups: BTreeMap<usize, Vec<DocId>> = BTreeMap::new();
    for document in 0..documents {
        let number = DocId(crate::token::index32(document));
        groups
            .entry(root(&mut parent, document))
            .or_default()
            .push(number);
    }
    let mut families: Vec<Vec<DocId>> = groups
        .into_values()
        .filter(|group| group.len() > 1)
        .collect();
    families.sort_by_key(|family| std::cmp::Reverse(family.len()));
    families
}

fn root(parent: &mut [usize], mut document: usize) -> usize {
    while parent[document] != document {
        parent[document] = parent[parent[document]];
        document = parent[document];
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Overlap;

    #[test]
    fn connected_groups() {
        let pair = |left, right| Pair {
            left: DocId(left),
            right: DocId(right),
            overlap: Overlap {
                shared: 1,
                left: 1,
                right: 1,
            },
            score: 1.0,
        };
        let groups = families(8, [pair(1, 2), pair(4, 6), pair(2, 7), pair(5, 6)].iter());
        let numbers: Vec<Vec<u32>> = groups
            .iter()
            .map(|group| group.iter().map(|document| document.0).collect())
            .collect();
        assert_eq!(numbers, [vec![1, 2, 7], vec![4, 5, 6]]);
    }
}
