//! Documents by style → the ones that are nearest, without looking at all of them.

use super::Vector;
use super::tree::{Given, Near, Order, Search, Trees, row};
use crate::index::DocId;
use crate::number::index32;

/// Vectors of one style in k-d trees.
#[derive(Debug)]
pub struct Neighbours {
    dimensions: usize,
    vectors: usize,
    groups: usize,
    /// As [`Trees`] reads them.
    bytes: Vec<u8>,
}

/// A document that is near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Which one.
    pub document: DocId,
    /// The square of its Euclidean distance, in the dimensions that both have.
    pub square: f64,
    /// How many dimensions these are.
    pub shared: u32,
}

impl Neighbours {
    /// The vectors of documents that are numbered from 0.
    pub fn of(vectors: &[&Vector]) -> Neighbours {
        let dimensions = vectors.first().map_or(0, |vector| vector.0.len());
        let rows: Vec<Vec<u8>> = vectors.iter().map(|vector| row(&vector.0)).collect();
        let given: Vec<Given<'_>> = (0..).zip(rows.iter().map(Vec::as_slice)).collect();
        let order = Order::of(&given, dimensions);
        let places = || order.places.iter().map(|&place| given[place as usize]);
        let mut bytes: Vec<u8> = places().flat_map(|(_, row)| row).copied().collect();
        bytes.extend(places().flat_map(|(owner, _)| owner.to_le_bytes()));
        for section in [&order.least, &order.groups, &order.splits] {
            bytes.extend(section);
        }
        Neighbours {
            dimensions,
            vectors: vectors.len(),
            groups: order.groups.len() / 4,
            bytes,
        }
    }

    /// The documents nearest to a vector, nearest first, then by number; `except` is left out.
    ///
    /// The distance is the mean over the dimensions that both have. A document that has none of
    /// them in common is not near.
    pub fn nearest(&self, vector: &Vector, count: usize, except: Option<DocId>) -> Vec<Neighbour> {
        let is_wanted = |owner: u32| except != Some(DocId(owner));
        let mut search = Search::new(&vector.0, count, &is_wanted);
        let trees = Trees::new(&self.bytes, self.dimensions, self.vectors, self.groups);
        if let Some(trees) = trees {
            search.look(trees);
        }
        search.found().into_iter().map(Neighbour::of).collect()
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        index32(self.vectors) as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.vectors == 0
    }
}

impl Neighbour {
    fn of(near: Near) -> Neighbour {
        Neighbour {
            document: DocId(near.owner),
            square: near.square,
            shared: near.shared,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::style::tree::square_of_distance;

    fn neighbours(vectors: &[Vector]) -> Neighbours {
        Neighbours::of(&vectors.iter().collect::<Vec<_>>())
    }

    /// The definition: look at all of them.
    fn linear(
        vectors: &[Vector],
        from: &Vector,
        count: usize,
        except: Option<DocId>,
    ) -> Vec<Neighbour> {
        let near = |(vector, owner): (&Vector, u32)| {
            let [left, right] = [from, vector].map(|vector| vector.0.iter().copied());
            let (square, shared) = square_of_distance(left, right);
            Near {
                owner,
                square,
                shared,
            }
        };
        let mut all: Vec<Near> = vectors.iter().zip(0..).map(near).collect();
        all.retain(|near| near.shared > 0 && except != Some(DocId(near.owner)));
        all.sort_by(Near::order);
        all.truncate(count);
        all.into_iter().map(Neighbour::of).collect()
    }

    /// A coarse grid makes equal vectors and equal distances common; one number in four is missing.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            2 => (0..6_u8).prop_map(|at| f64::from(at) / 7.0),
            1 => -1.0..1.0_f64,
            1 => Just(f64::NAN),
        ]
    }

    fn vectors(most: usize) -> impl Strategy<Value = Vec<Vector>> {
        let vector = proptest::collection::vec(number(), 4).prop_map(Vector);
        proptest::collection::vec(vector, 1..most)
    }

    proptest! {
        /// Trees find what a search through all documents finds, whatever dimensions are missing.
        #[test]
        fn trees_equal_a_linear_search(
            vectors in vectors(120),
            queries in vectors(12),
            count in 0..6_usize,
        ) {
            let trees = neighbours(&vectors);
            for query in &queries {
                let found = trees.nearest(query, count, None);
                prop_assert_eq!(found, linear(&vectors, query, count, None));
            }
            for (number, vector) in (0..).zip(&vectors) {
                let found = trees.nearest(vector, count, Some(DocId(number)));
                prop_assert_eq!(found, linear(&vectors, vector, count, Some(DocId(number))));
            }
        }

        /// Bytes that are not those of trees mislead a search and nothing else.
        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            for dimensions in 0..4 {
                for groups in 0..3 {
                    let width = 8 * dimensions + 4 + 4 + 2;
                    let vectors = bytes.len().saturating_sub(4 * groups) / width;
                    let length = vectors * width + 4 * groups;
                    let Some(bytes) = bytes.get(..length) else { continue };
                    let trees = Trees::new(bytes, dimensions, vectors, groups).unwrap();
                    let query = vec![0.5; 2];
                    let mut search = Search::new(&query, 2, &|_| true);
                    search.look(trees);
                    prop_assert!(search.found().len() <= 2);
                }
            }
        }
    }

    #[test]
    fn ties_go_to_the_lower_number() {
        assert!(neighbours(&[]).is_empty());
        let places = [3.0, 1.0, 1.0, 2.0].map(|place| Vector(vec![place, 0.0]));
        let trees = neighbours(&places);
        assert_eq!(trees.len(), 4);
        let found = trees.nearest(&places[3], 2, Some(DocId(3)));
        let found: Vec<u32> = found.iter().map(|near| near.document.0).collect();
        assert_eq!(found, [0, 1]);
        assert!(trees.nearest(&places[3], 0, None).is_empty());
    }

    #[test]
    fn dimensions_that_one_lacks_do_not_count() {
        let vectors = [
            Vector(vec![f64::NAN, 1.0]),
            Vector(vec![0.0, 5.0]),
            Vector(vec![f64::NAN, f64::NAN]),
        ];
        let found = neighbours(&vectors).nearest(&Vector(vec![0.0, 2.0]), 3, None);
        let found: Vec<(u32, f64, u32)> = found
            .iter()
            .map(|near| (near.document.0, near.square, near.shared))
            .collect();
        assert_eq!(found, [(0, 1.0, 1), (1, 9.0, 2)]);
    }

    #[test]
    fn many_equal_documents_cost_no_more_than_one() {
        let same = vec![Vector(vec![0.0; 4]); 20_000];
        let trees = neighbours(&same);
        for number in 0..20_000 {
            let nearest = trees.nearest(&same[0], 1, Some(DocId(number)))[0];
            assert_eq!(nearest.document, DocId(u32::from(number == 0)));
        }
    }

    #[test]
    fn a_search_reads_few_of_many() {
        let mut state = 1_u64;
        let mut number = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        let vectors: Vec<Vector> = (0..20_000)
            .map(|_| Vector((0..4).map(|_| number()).collect()))
            .collect();
        let trees = neighbours(&vectors);
        let trees = Trees::new(&trees.bytes, 4, trees.vectors, trees.groups).unwrap();
        let mut search = Search::new(&[0.5, 0.4, 0.6, 0.5], 3, &|_| true);
        search.look(trees);
        assert!(search.looked_at() < 1000, "{}", search.looked_at());
    }
}
