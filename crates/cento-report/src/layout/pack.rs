//! Families side by side: rows as wide as the picture, the most alike families first.

/// Room around a family, for the names of its documents.
const GAP: f64 = 70.0;

/// Moves each family to a place of its own.
pub(super) fn side_by_side(families: &mut [(Vec<usize>, Vec<[f64; 2]>)]) {
    for (_, points) in families.iter_mut() {
        let [left, top] = [0, 1].map(|axis| edge(points, axis, f64::min));
        for point in points.iter_mut() {
            *point = [point[0] - left, point[1] - top];
        }
    }
    let size = |points: &[[f64; 2]]| [0, 1].map(|axis| edge(points, axis, f64::max) + GAP);
    let area: f64 = families
        .iter()
        .map(|(_, points)| size(points))
        .map(|[width, height]| width * height)
        .sum();
    // A little wider than high, as screens are.
    let full = (area * 1.6).sqrt();
    let (mut across, mut down, mut row) = (0.0, 0.0, 0.0_f64);
    for (_, points) in families.iter_mut() {
        let [width, height] = size(points);
        if across > 0.0 && across + width > full {
            across = 0.0;
            down += row;
            row = 0.0;
        }
        for point in points.iter_mut() {
            *point = [point[0] + across, point[1] + down];
        }
        across += width;
        row = row.max(height);
    }
}

/// The outermost number on an axis.
fn edge(points: &[[f64; 2]], axis: usize, outer: fn(f64, f64) -> f64) -> f64 {
    points
        .iter()
        .map(|point| point[axis])
        .reduce(outer)
        .unwrap_or(0.0)
}
