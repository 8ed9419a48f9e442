//! Pairs → a place for every document in the plane: the picture of a collection (Finkel et al.,
//! section 2.6).
//!
//! Two documents stand ⌈−b ln s⌉ pixels apart, as far as the plane allows. Each family is laid out
//! for itself by stress, and the families stand side by side. The same report always gives the same
//! picture.

mod distances;
mod pack;
mod stress;

use std::collections::HashMap;

use cento::report::{Report, Setting};

use distances::Graph;

/// The paper's typical b.
pub const GRAPH_SCALE: f64 = 100.0;
/// The setting of a report that says otherwise.
pub const GRAPH_SCALE_SETTING: &str = "graph-scale";
/// Equal documents are 0 apart; drawn so, one would hide the other.
const NEAREST: f64 = 28.0;

/// The b of a report: how many pixels a similarity of 1/e is worth.
pub fn graph_scale(report: &Report) -> f64 {
    match report.settings.get(GRAPH_SCALE_SETTING) {
        Some(Setting::Number(scale)) if *scale > 0.0 => *scale,
        _ => GRAPH_SCALE,
    }
}

/// How far apart two documents stand whose similarity is `score`: ⌈−b ln s⌉.
pub fn distance(score: f64, scale: f64) -> f64 {
    let distance = (-scale * score.clamp(f64::MIN_POSITIVE, 1.0).ln()).ceil();
    // The ceiling of -0.3 is -0.
    distance.max(0.0) + 0.0
}

/// Gives every document that is in a listed pair its position.
pub fn place(report: &mut Report) {
    let scale = graph_scale(report);
    let numbers: HashMap<&str, usize> = (0..)
        .zip(&report.documents)
        .map(|(number, document)| (document.id.as_str(), number))
        .collect();
    let edges = report.pairs.iter().filter_map(|pair| {
        let ends = [
            *numbers.get(pair.left.as_str())?,
            *numbers.get(pair.right.as_str())?,
        ];
        // Distances of style are no similarities: near is whatever is nearest.
        let apart = pair.distance.map_or_else(
            || distance(pair.value(), scale),
            |distance| scale * distance.max(0.0).ln_1p(),
        );
        Some((ends, apart.max(NEAREST)))
    });
    let edges: Vec<([usize; 2], f64)> = edges.collect();
    let positions = positions(report.documents.len(), &edges);
    for (document, position) in report.documents.iter_mut().zip(positions) {
        document.position = position;
    }
}

/// Where documents with these distances stand; those without any stand nowhere.
fn positions(documents: usize, edges: &[([usize; 2], f64)]) -> Vec<Option<[f64; 2]>> {
    let mut positions = vec![None; documents];
    let mut places = Vec::new();
    for graph in Graph::components(documents, edges) {
        let points = stress::layout(&graph);
        places.push((graph.members, points));
    }
    pack::side_by_side(&mut places);
    for (members, points) in places {
        for (member, point) in members.into_iter().zip(points) {
            positions[member] = Some(point.map(|number| (number * 10.0).round() / 10.0 + 0.0));
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(positions: &[Option<[f64; 2]>], [a, b]: [usize; 2]) -> f64 {
        let [a, b] = [a, b].map(|number| positions[number].unwrap());
        (a[0] - b[0]).hypot(a[1] - b[1])
    }

    #[test]
    fn distances_of_the_paper() {
        for (score, expected) in [(1.0, 0.0), (0.99, 2.0), (0.5, 70.0), (0.1, 231.0)] {
            assert!(
                (distance(score, GRAPH_SCALE) - expected).abs() < 1e-9,
                "{score}"
            );
        }
        assert!(distance(0.0, GRAPH_SCALE).is_finite());
        assert!(distance(7.0, GRAPH_SCALE).abs() < 1e-9);
        assert!((distance(0.5, 40.0) - 28.0).abs() < 1e-9);
    }

    #[test]
    fn a_triangle_and_a_pair_keep_their_distances() {
        let edges = [
            ([0, 1], 80.0),
            ([1, 2], 60.0),
            ([0, 2], 100.0),
            ([4, 5], 40.0),
        ];
        let positions = positions(6, &edges);
        assert_eq!(positions[3], None);
        for (ends, wanted) in edges {
            let got = apart(&positions, ends);
            assert!((got - wanted).abs() < 2.0, "{ends:?}: {got} for {wanted}");
        }
    }

    #[test]
    fn families_do_not_overlap_and_the_picture_is_the_same_again() {
        let edges: Vec<([usize; 2], f64)> = (0..300)
            .map(|number| ([number * 2, number * 2 + 1], 50.0))
            .chain((0..200).map(|number| ([600 + number, 601 + number / 2], 70.0)))
            .filter(|([a, b], _)| a != b)
            .collect();
        let first = positions(801, &edges);
        assert_eq!(first, positions(801, &edges));
        for a in 0..300 {
            for b in 0..a {
                assert!(apart(&first, [a * 2, b * 2]) > 30.0, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_family_of_thousands_is_laid_out_by_its_pivots() {
        let edges: Vec<([usize; 2], f64)> = (1..3000)
            .map(|number| ([number, number / 3], 50.0))
            .collect();
        let positions = positions(3000, &edges);
        let stretched = edges
            .iter()
            .filter(|(ends, wanted)| !(0.3..3.0).contains(&(apart(&positions, *ends) / wanted)))
            .count();
        assert!(stretched < 300, "{stretched}");
    }
}
