//! How much of each of many documents is in each other one, exactly.

use rayon::prelude::*;

use super::super::{Sequence, Shortest, Vocabulary};
use super::symbols::Symbols;
use super::windows::Windows;
use crate::error::Error;
use crate::number::index32;
use crate::watch::Watch;

/// What documents share with each other; they are numbered as they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlaps {
    /// The pairs that were wanted, in the order of the list, or by the numbers of their documents.
    pub pairs: Vec<PairOverlap>,
    /// For each document, the share of it that is in any of the others.
    pub global: Vec<f64>,
}

/// What two documents share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOverlap {
    /// The numbers of the two.
    pub documents: [u32; 2],
    /// How much of the first is in the second, and the other way round, from 0 to 1.
    pub overlap: [f64; 2],
}

/// Which pairs are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted<'a> {
    /// These, in any order and more than once if need be.
    Pairs(&'a [[u32; 2]]),
    /// Those of which one document is in the other to at least this share, and that share anything
    /// at all.
    AtLeast(f64),
}

/// The exact overlap of many documents at once.
///
/// The overlap of A in B is the share of A's characters that common runs of at least `shortest`
/// characters cover, or the share of its words where `shortest` counts words.
///
/// One suffix array over all documents serves all pairs, so the time grows with the length of the
/// texts and with the pairs that share something, not with all pairs of texts. The memory is 9 bytes
/// for each character, or 12 where there are more than 255 different ones or words are counted, and
/// 4 for each document of each different set of documents that share a window, seldom more than
/// another byte. At 2^31 characters, joining spaces and one for each document included, it fails
/// with [`Error::TooLong`]: parts that have no pair in common can be given one after another, and
/// only the global overlap needs all of them together.
///
/// # Panics
///
/// If a wanted pair names a document that is not there.
pub fn overlaps(
    documents: &[&Sequence],
    vocabulary: &Vocabulary,
    shortest: Shortest,
    wanted: Wanted<'_>,
    watch: Watch<'_>,
) -> Result<Overlaps, Error> {
    watch.go_on()?;
    let symbols = Symbols::read(documents, vocabulary, shortest)?;
    let windows = Windows::of(symbols, shortest.length(), watch)?;
    match wanted {
        Wanted::Pairs(pairs) => of_pairs(&windows, documents.len(), pairs, watch),
        Wanted::AtLeast(lowest) => {
            let pairs = reaching(&windows, documents.len(), lowest, watch)?;
            of_pairs(&windows, documents.len(), &pairs, watch)
        }
    }
}

/// The overlaps of listed pairs.
fn of_pairs(
    windows: &Windows,
    documents: usize,
    pairs: &[[u32; 2]],
    watch: Watch<'_>,
) -> Result<Overlaps, Error> {
    // Each document needs to know its partners, and each pair is needed both ways.
    let mut ways: Vec<[u32; 2]> = pairs.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
    ways.sort_unstable();
    ways.dedup();
    let partners = |document: u32| {
        let start = ways.partition_point(|way| way[0] < document);
        let count = ways[start..].partition_point(|way| way[0] == document);
        &ways[start..start + count]
    };
    let sweep = |marks: &mut Marks, document: u32| {
        watch.go_on()?;
        let partners: Vec<u32> = partners(document).iter().map(|way| way[1]).collect();
        let any = marks.sweep(windows, document, Some(&partners));
        let shares: Vec<f64> = partners
            .iter()
            .map(|&partner| share(windows, document, marks.covered(partner)))
            .collect();
        Ok((share(windows, document, any), shares))
    };
    let swept: Vec<(f64, Vec<f64>)> = (0..index32(documents))
        .into_par_iter()
        .map_init(|| Marks::new(documents), sweep)
        .collect::<Result<_, Error>>()?;
    let (global, shares): (Vec<f64>, Vec<Vec<f64>>) = swept.into_iter().unzip();
    let shares: Vec<f64> = shares.concat();
    let way = |way: [u32; 2]| match ways.binary_search(&way) {
        // The sets say nothing of what a document shares with itself alone.
        _ if way[0] == way[1] => f64::from(u8::from(windows.has_any(way[0]))),
        Ok(position) => shares[position],
        Err(_) => 0.0,
    };
    let pair = |&[a, b]: &[u32; 2]| PairOverlap {
        documents: [a, b],
        overlap: [way([a, b]), way([b, a])],
    };
    Ok(Overlaps {
        pairs: pairs.iter().map(pair).collect(),
        global,
    })
}

/// The pairs that reach a share one way or the other, in order.
fn reaching(
    windows: &Windows,
    documents: usize,
    lowest: f64,
    watch: Watch<'_>,
) -> Result<Vec<[u32; 2]>, Error> {
    let sweep = |marks: &mut Marks, document: u32| {
        watch.go_on()?;
        marks.sweep(windows, document, None);
        let reaches = |&&other: &&u32| {
            other != document && share(windows, document, marks.covered(other)) >= lowest
        };
        let others = marks.touched.iter().filter(reaches);
        let pair = |&other: &u32| [document.min(other), document.max(other)];
        Ok(others.map(pair).collect())
    };
    let pairs: Vec<Vec<[u32; 2]>> = (0..index32(documents))
        .into_par_iter()
        .map_init(|| Marks::new(documents), sweep)
        .collect::<Result<_, Error>>()?;
    let mut pairs = pairs.concat();
    pairs.par_sort_unstable();
    pairs.dedup();
    Ok(pairs)
}

fn share(windows: &Windows, document: u32, covered: u32) -> f64 {
    match windows.symbols(document) {
        0 => 0.0,
        symbols => f64::from(covered) / f64::from(symbols),
    }
}

/// How much of one document each other one covers. Made once for many sweeps.
struct Marks {
    /// Up to where, and how many symbols, for each other document.
    reached: Vec<Reached>,
    /// The other documents that cover anything.
    touched: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Reached {
    up_to: u32,
    covered: u32,
}

impl Marks {
    fn new(documents: usize) -> Marks {
        Marks {
            reached: vec![Reached::default(); documents],
            touched: Vec::new(),
        }
    }

    /// Goes through a document; what all others cover together is the result. With `partners`, only
    /// they are certain to be right afterwards.
    fn sweep(&mut self, windows: &Windows, document: u32, partners: Option<&[u32]>) -> u32 {
        for other in self.touched.drain(..) {
            self.reached[other as usize] = Reached::default();
        }
        let mut any = Reached::default();
        for stretch in windows.stretches(document) {
            any.cover(stretch.symbols.start, stretch.symbols.end);
            let all = stretch.documents;
            match partners {
                // Looking for each partner is less work than going through all that have it.
                Some(partners) if partners.len() * (all.len().ilog2() as usize + 1) < all.len() => {
                    for &partner in partners {
                        if all.binary_search(&partner).is_ok() {
                            self.mark(partner, stretch.symbols.start, stretch.symbols.end);
                        }
                    }
                }
                _ => {
                    for &other in all {
                        self.mark(other, stretch.symbols.start, stretch.symbols.end);
                    }
                }
            }
        }
        any.covered
    }

    fn mark(&mut self, other: u32, start: u32, end: u32) {
        let reached = &mut self.reached[other as usize];
        if reached.up_to == 0 {
            self.touched.push(other);
        }
        reached.cover(start, end);
    }

    fn covered(&self, other: u32) -> u32 {
        self.reached[other as usize].covered
    }
}

impl Reached {
    /// Counts a stretch that ends behind all before it.
    fn cover(&mut self, start: u32, end: u32) {
        self.covered += end - start.max(self.up_to);
        self.up_to = end;
    }
}
