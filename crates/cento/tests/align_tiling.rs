//! Greedy string tiling: equal to its definition on every small input, and quick on input that
//! repeats itself.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use cento::align::{Aligner, Alignment, Kind, Sequence, Vocabulary};
use cento::token::{Tokenizer, View};
use proptest::prelude::*;

/// Left start, right start, words.
type Tile = (u32, u32, u32);

fn align(left: &str, right: &str, shortest: u32) -> (Alignment, [Sequence; 2]) {
    let mut vocabulary = Vocabulary::default();
    let [left, right] = [left, right].map(|text| vocabulary.read(text));
    let aligner = Aligner::Tiling(NonZeroU32::new(shortest).unwrap());
    (aligner.align(&left, &right, &vocabulary), [left, right])
}

fn tiles(alignment: &Alignment) -> Vec<Tile> {
    assert!(!alignment.limited);
    let tile = |passage: &cento::align::Passage| {
        assert_eq!(passage.kind, Kind::Exact);
        assert_eq!(passage.similarity.to_bits(), 1f64.to_bits());
        assert_eq!(passage.left.len(), passage.right.len());
        let words = passage.left.end - passage.left.start;
        (passage.left.start, passage.right.start, words)
    };
    alignment.passages.iter().map(tile).collect()
}

/// The definition: look at every pair of places, take the longest match, and again.
fn by_definition(left: &Sequence, right: &Sequence, shortest: u32) -> Vec<Tile> {
    let mut free = [left, right].map(|text| vec![true; text.words().len()]);
    let mut tiles = Vec::new();
    loop {
        let mut best: Option<Tile> = None;
        for from in 0..left.len() {
            for to in 0..right.len() {
                let is_match = |n: &u32| {
                    let (a, b) = ((from + n) as usize, (to + n) as usize);
                    a < free[0].len()
                        && b < free[1].len()
                        && free[0][a]
                        && free[1][b]
                        && left.words()[a] == right.words()[b]
                };
                let words = (0..left.len()).find(|n| !is_match(n)).unwrap_or(left.len());
                if words >= shortest && best.is_none_or(|(_, _, most)| words > most) {
                    best = Some((from, to, words));
                }
            }
        }
        let Some((from, to, words)) = best else {
            tiles.sort_unstable();
            return tiles;
        };
        for n in 0..words {
            free[0][(from + n) as usize] = false;
            free[1][(to + n) as usize] = false;
        }
        tiles.push((from, to, words));
    }
}

/// Words of a small alphabet, in pieces that come again.
fn text(letters: u32) -> impl Strategy<Value = String> {
    let word = (0..letters).prop_map(|n| char::from_u32(u32::from('a') + n).unwrap().to_string());
    let piece = (prop::collection::vec(word, 1..8), 1..4_usize)
        .prop_map(|(words, times)| vec![words.join(" "); times].join(" "));
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn equals_the_definition(
        (left, right) in (1..5_u32).prop_flat_map(|letters| (text(letters), text(letters))),
        shortest in 1..6_u32,
    ) {
        let (alignment, [left, right]) = align(&left, &right, shortest);
        prop_assert_eq!(tiles(&alignment), by_definition(&left, &right, shortest));
    }
}

#[test]
fn worked_by_hand() {
    let check = |left: &str, right: &str, shortest: u32, expected: &[Tile]| {
        let (alignment, _) = align(left, right, shortest);
        assert_eq!(tiles(&alignment), expected, "{left} / {right}");
    };
    // The halves have changed places.
    check("a b c d e f", "d e f a b c", 2, &[(0, 3, 3), (3, 0, 3)]);
    // The longest first, and what it takes is gone for others.
    check("a b c d", "a b c x b c d y a b c d", 2, &[(0, 8, 4)]);
    check("a b c x b c d", "a b c d", 1, &[(0, 0, 3), (6, 3, 1)]);
    // A word that comes twice on one side is matched once.
    check("a b a b", "a b", 2, &[(0, 0, 2)]);
    check("a b", "a b a b", 2, &[(0, 0, 2)]);
    check("a b c", "a b c", 4, &[]);
    check("", "a", 1, &[]);
    check("a", "b", 1, &[]);
}

#[test]
fn tokens_of_any_kind_will_do() {
    let mut vocabulary = Vocabulary::default();
    let [left, right] = [
        "int sum = 0; for (i = 0; i < n; i++) sum += a[i];",
        "for (k = 0; k < size; k++) total += values[k]; int total = 0;",
    ]
    .map(|code| vocabulary.sequence(&Tokenizer::Code(View::Letters).tokens(code)));
    let alignment = "tiling:4"
        .parse::<Aligner>()
        .unwrap()
        .align(&left, &right, &vocabulary);
    // The loop and the declaration, whatever the names are.
    assert_eq!(tiles(&alignment).len(), 2);
    let words: u32 = tiles(&alignment).iter().map(|tile| tile.2).sum();
    assert_eq!([words; 2], [left.len(), right.len()]);
}

/// Every shape of repetition that makes a search for matches quadratic.
#[test]
fn repetition_is_no_trap() {
    let words = 100_000;
    let one = "step ".repeat(words);
    let lines = "it says the same on every line of this\n".repeat(words / 9);
    let flights = |factor: usize, longest: usize| -> String {
        let flight = |n: usize| "step ".repeat(1 + n * factor % longest) + "end ";
        (0..words / 50).map(flight).collect()
    };
    let [stairs, shorter_stairs] = [flights(7919, 97), flights(104_729, 89)];
    for (left, right) in [
        (&one, &one),
        (&lines, &lines),
        (&stairs, &shorter_stairs),
        (&stairs, &one),
    ] {
        let start = Instant::now();
        let (alignment, _) = align(left, right, 9);
        let time = start.elapsed();
        assert!(!alignment.limited);
        assert!(time < Duration::from_secs(20), "{time:?}");
    }
    let (alignment, _) = align(&lines, &lines, 9);
    assert_eq!(alignment.passages.len(), 1);
}
