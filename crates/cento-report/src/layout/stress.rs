//! Distances → places by stress: Σ w (|x − y| − d)² is made small, one pair at a time.
//!
//! Moving two points along their line towards their distance, pair after pair in a shuffled order
//! and with a step that shrinks, comes to rest sooner than moving all at once, and needs no matrix
//! (Zheng, Pawar and Goodman, Graph drawing by stochastic gradient descent, 2018). The shuffle has a
//! fixed seed.

use super::distances::Graph;

/// Up to this many members every pair counts; in larger families the edges and some pivots do.
const ALL_PAIRS: usize = 250;
const PIVOTS: usize = 24;
const ROUNDS: u32 = 40;

/// Two members that should be so far apart, and how much that matters.
struct Term {
    ends: [usize; 2],
    apart: f64,
    weight: f64,
}

/// A place for each member of a family.
pub(super) fn layout(graph: &Graph) -> Vec<[f64; 2]> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut terms = terms(graph);
    let size = graph.members.len();
    let spread = 100.0 * (size as f64).sqrt();
    let mut points: Vec<[f64; 2]> = (0..size)
        .map(|_| [random.share() * spread, random.share() * spread])
        .collect();
    let weights = || terms.iter().map(|term| term.weight);
    let largest = 1.0 / weights().fold(f64::INFINITY, f64::min);
    let smallest = 0.05 / weights().fold(0.0, f64::max);
    let fall = (smallest / largest).ln() / f64::from(ROUNDS - 1);
    for round in 0..ROUNDS {
        let step = largest * (fall * f64::from(round)).exp();
        random.shuffle(&mut terms);
        for term in &terms {
            pull(&mut points, term, (term.weight * step).min(1.0));
        }
    }
    points
}

/// Moves both ends towards their distance by a share of what is missing.
fn pull(points: &mut [[f64; 2]], term: &Term, share: f64) {
    let [a, b] = term.ends;
    let (across, down) = (points[a][0] - points[b][0], points[a][1] - points[b][1]);
    let length = (across * across + down * down).sqrt().max(1e-6);
    let half = share * (length - term.apart) / 2.0 / length;
    points[a][0] -= half * across;
    points[a][1] -= half * down;
    points[b][0] += half * across;
    points[b][1] += half * down;
}

fn terms(graph: &Graph) -> Vec<Term> {
    let term = |a: usize, b: usize, apart: f64| Term {
        ends: [a, b],
        apart,
        weight: 1.0 / (apart * apart),
    };
    let size = graph.members.len();
    if size <= ALL_PAIRS {
        let of = |a: usize| {
            let distances = graph.from(a);
            (0..a).map(move |b| term(a, b, distances[b]))
        };
        return (0..size).flat_map(of).collect();
    }
    let edges = (0..size).flat_map(|a| {
        let later = graph.neighbours[a].iter().filter(move |(b, _)| *b < a);
        later.map(move |&(b, apart)| term(a, b, apart))
    });
    let mut terms: Vec<Term> = edges.collect();
    // Each pivot is the member farthest from all pivots before it.
    let mut pivot = 0;
    let mut nearest = vec![f64::INFINITY; size];
    for _ in 0..PIVOTS {
        let distances = graph.from(pivot);
        let others = (0..size).filter(|&member| member != pivot);
        terms.extend(others.map(|member| term(pivot, member, distances[member])));
        for (nearest, distance) in nearest.iter_mut().zip(&distances) {
            *nearest = nearest.min(*distance);
        }
        pivot = (0..size).fold(0, |far, member| {
            if nearest[member] > nearest[far] {
                member
            } else {
                far
            }
        });
    }
    terms
}

/// Splitmix64: enough for a shuffle, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }
}
