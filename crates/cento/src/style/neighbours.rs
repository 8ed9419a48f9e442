//! Documents by style → the ones that are nearest, without looking at all of them.

use std::collections::BTreeMap;

use kdtree::KdTree;

use super::{Vector, square_of_distance};
use crate::index::DocId;
use crate::number::index32;

/// Vectors of one style in a k-d tree, to which more can be added.
///
/// Documents with the same vector share one point of the tree, so that many equal documents, or
/// many that have none of the words, cost no more than one.
#[derive(Debug, Default)]
pub struct Neighbours {
    tree: Option<KdTree<f64, usize, Vec<f64>>>,
    /// The documents at each point, in the order in which they were added.
    points: Vec<Vec<DocId>>,
    /// The bits of a vector → its point.
    known: BTreeMap<Vec<u64>, usize>,
    documents: u32,
}

/// A document that is near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Which one.
    pub document: DocId,
    /// The square of its Euclidean distance.
    pub square: f64,
}

impl Neighbours {
    /// Adds a document; documents are numbered from 0 as they come.
    ///
    /// # Panics
    ///
    /// If the vector is of another style than those before it, or has infinite components, which
    /// no style makes.
    pub fn add(&mut self, vector: &Vector) -> DocId {
        let document = DocId(self.documents);
        self.documents += 1;
        let bits: Vec<u64> = vector.0.iter().map(|number| number.to_bits()).collect();
        if let Some(&point) = self.known.get(&bits) {
            self.points[point].push(document);
            return document;
        }
        let point = self.points.len();
        let dimensions = vector.0.len();
        let tree = self.tree.get_or_insert_with(|| KdTree::new(dimensions));
        tree.add(vector.0.clone(), point)
            .expect("vectors of one style have the same, finite dimensions");
        self.points.push(vec![document]);
        self.known.insert(bits, point);
        document
    }

    /// The documents nearest to a vector, nearest first, then by number; `except` is left out.
    pub fn nearest(&self, vector: &Vector, count: usize, except: Option<DocId>) -> Vec<Neighbour> {
        let points = self
            .tree
            .as_ref()
            .and_then(|tree| tree.iter_nearest(&vector.0, &square_of_distance).ok());
        let mut found: Vec<Neighbour> = Vec::new();
        for (square, &point) in points.into_iter().flatten() {
            // Whoever is as far as the last one may still have a lower number.
            if found.len() >= count && found.last().is_none_or(|last| last.square < square) {
                break;
            }
            let documents = self.points[point].iter().copied();
            let others = documents.filter(|&document| Some(document) != except);
            found.extend(
                others
                    .take(count)
                    .map(|document| Neighbour { document, square }),
            );
        }
        found.sort_by(|a, b| (a.square.total_cmp(&b.square)).then(a.document.cmp(&b.document)));
        found.truncate(count);
        found
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        index32(self.documents as usize) as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition: look at all of them.
    fn brute_force(
        vectors: &[Vector],
        from: &Vector,
        count: usize,
        except: Option<DocId>,
    ) -> Vec<Neighbour> {
        let mut all: Vec<Neighbour> = vectors
            .iter()
            .zip(0..)
            .map(|(vector, number)| Neighbour {
                document: DocId(number),
                square: from.square_of_distance(vector),
            })
            .filter(|neighbour| Some(neighbour.document) != except)
            .collect();
        all.sort_by(|a, b| (a.square.total_cmp(&b.square)).then(a.document.cmp(&b.document)));
        all.truncate(count);
        all
    }

    proptest! {
        /// The tree finds what a search through all documents finds, after every addition; a coarse
        /// grid makes equal vectors and equal distances common.
        #[test]
        fn the_tree_equals_brute_force(
            grid in proptest::collection::vec(proptest::collection::vec(0..6_u8, 3), 1..90),
            fine in proptest::collection::vec(proptest::collection::vec(-1.0..1.0_f64, 3), 0..40),
            count in 0..6_usize,
        ) {
            let coarse = grid.iter().map(|point| point.iter().map(|&at| f64::from(at) / 7.0).collect());
            let vectors: Vec<Vector> = coarse.chain(fine).map(Vector).collect();
            let mut neighbours = Neighbours::default();
            for (number, vector) in vectors.iter().enumerate() {
                let outside = neighbours.nearest(vector, count, None);
                prop_assert_eq!(outside, brute_force(&vectors[..number], vector, count, None));
                let document = neighbours.add(vector);
                prop_assert_eq!(document, DocId(index32(number)));
                let others = neighbours.nearest(vector, count, Some(document));
                prop_assert_eq!(
                    others,
                    brute_force(&vectors[..=number], vector, count, Some(document))
                );
            }
            prop_assert_eq!(neighbours.len(), vectors.len());
        }
    }

    #[test]
    fn ties_go_to_the_lower_number() {
        let mut neighbours = Neighbours::default();
        assert!(neighbours.is_empty());
        for place in [3.0, 1.0, 1.0, 2.0] {
            neighbours.add(&Vector(vec![place, 0.0]));
        }
        let two = Vector(vec![2.0, 0.0]);
        let found = neighbours.nearest(&two, 2, Some(DocId(3)));
        assert_eq!(
            found.iter().map(|n| n.document.0).collect::<Vec<_>>(),
            [0, 1]
        );
        assert!(neighbours.nearest(&two, 0, None).is_empty());
    }

    #[test]
    fn many_equal_documents_cost_no_more_than_one() {
        let mut neighbours = Neighbours::default();
        let same = Vector(vec![0.0; 4]);
        for _ in 0..20_000 {
            neighbours.add(&same);
        }
        for number in 0..20_000 {
            let nearest = neighbours.nearest(&same, 1, Some(DocId(number)))[0];
            assert_eq!(nearest.document, DocId(u32::from(number == 0)));
        }
    }
}
