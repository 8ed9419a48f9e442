//! Tiles that lie close together → one passage.
//!
//! Whoever edits a line in the middle of a copied function breaks one tile into two. To a reader it is
//! one passage with a change in it.

use crate::align::{Kind, Passage};

/// Tiles of programs with so few tokens between them are one passage: a changed line.
pub(crate) const GAP: u32 = 8;

/// Puts tiles together that follow each other on both sides with at most `gap` words between them.
/// The tiles must be in the order of the left text.
pub(crate) fn merged(tiles: &[Passage], gap: u32) -> Vec<Passage> {
    let mut passages: Vec<(Passage, u32)> = Vec::new();
    for tile in tiles {
        let words = tile.left.end - tile.left.start;
        match passages.last_mut() {
            Some((last, covered)) if follows(last, tile, gap) => {
                last.left.end = tile.left.end;
                last.right.end = tile.right.end;
                last.kind = Kind::Edited;
                *covered += words;
            }
            _ => passages.push((tile.clone(), words)),
        }
    }
    passages.into_iter().map(finished).collect()
}

fn follows(last: &Passage, tile: &Passage, gap: u32) -> bool {
    let near = |end: u32, start: u32| start.checked_sub(end).is_some_and(|between| between <= gap);
    near(last.left.end, tile.left.start) && near(last.right.end, tile.right.start)
}

fn finished((mut passage, covered): (Passage, u32)) -> Passage {
    let words = passage.left.len() + passage.right.len();
    passage.similarity = 2.0 * f64::from(covered) / words.max(1) as f64;
    passage
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(left: u32, right: u32, words: u32) -> Passage {
        Passage {
            left: left..left + words,
            right: right..right + words,
            kind: Kind::Exact,
            similarity: 1.0,
        }
    }

    #[test]
    fn near_tiles_in_order_are_one_passage() {
        let found = merged(&[tile(0, 10, 10), tile(12, 21, 10), tile(30, 60, 9)], 3);
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].left.clone(), found[0].right.clone()),
            (0..22, 10..31)
        );
        assert_eq!(found[0].kind, Kind::Edited);
        assert!((found[0].similarity - 40.0 / 43.0).abs() < 1e-12);
        assert_eq!(found[1], tile(30, 60, 9));
    }

    #[test]
    fn moved_tiles_stay_apart() {
        let tiles = [tile(0, 50, 10), tile(10, 0, 10)];
        assert_eq!(merged(&tiles, 5), tiles);
        assert!(merged(&[], 5).is_empty());
    }
}
