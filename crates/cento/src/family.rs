//! Pairs → families: documents that hang together.

use std::collections::BTreeMap;

/// The connected groups of two or more documents, largest first, then by their first document.
pub(crate) fn families(
    documents: usize,
    pairs: impl Iterator<Item = [usize; 2]>,
) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..documents).collect();
    for [left, right] in pairs {
        let left = root(&mut parent, left);
        let right = root(&mut parent, right);
        // The lower number is the root, whatever the order of the pairs.
        parent[left.max(right)] = left.min(right);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for document in 0..documents {
        let group = groups.entry(root(&mut parent, document)).or_default();
        group.push(document);
    }
    let mut families: Vec<Vec<usize>> = groups
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

    #[test]
    fn connected_groups() {
        let groups = families(8, [[1, 2], [4, 6], [2, 7], [5, 6]].into_iter());
        assert_eq!(groups, [vec![1, 2, 7], vec![4, 5, 6]]);
    }
}
