//! The exact overlap of listed pairs.

use super::reading::Readings;
use crate::align::{Sequence, Shortest, Vocabulary, maximal};
use crate::error::Error;
use crate::family::families;
use crate::index::DocId;
use crate::number::index32;
use crate::watch::Watch;

/// The exact overlap of each pair whose texts are at hand.
///
/// It is taken family by family: one suffix array serves all pairs of a family, and documents that
/// no pair connects need not be in memory together.
pub(super) fn overlaps(
    pairs: &[(DocId, DocId)],
    readings: &Readings,
    watch: Watch<'_>,
) -> Result<Vec<Option<[f64; 2]>>, Error> {
    let known: Vec<Option<[usize; 2]>> = pairs
        .iter()
        .map(|&(left, right)| Some([readings.position(left)?, readings.position(right)?]))
        .collect();
    let families = families(readings.all.len(), known.iter().flatten().copied());
    let mut place = vec![(0, 0); readings.all.len()];
    for (family, members) in families.iter().enumerate() {
        for (member, &number) in members.iter().enumerate() {
            place[number] = (family, index32(member));
        }
    }
    let mut wanted: Vec<Vec<(usize, [u32; 2])>> = vec![Vec::new(); families.len()];
    for (at, pair) in known.iter().enumerate() {
        if let Some(pair) = pair {
            wanted[place[pair[0]].0].push((at, pair.map(|number| place[number].1)));
        }
    }
    let mut found = vec![None; pairs.len()];
    for (members, wanted) in families.iter().zip(wanted) {
        let sequences: Vec<&Sequence> = members
            .iter()
            .map(|&number| &readings.all[number].1.sequence)
            .collect();
        let (places, wanted): (Vec<usize>, Vec<[u32; 2]>) = wanted.into_iter().unzip();
        let overlaps = of_family(&sequences, &wanted, &readings.vocabulary, watch)?;
        for (at, overlap) in places.into_iter().zip(overlaps) {
            found[at] = overlap;
        }
    }
    Ok(found)
}

fn of_family(
    sequences: &[&Sequence],
    pairs: &[[u32; 2]],
    vocabulary: &Vocabulary,
    watch: Watch<'_>,
) -> Result<Vec<Option<[f64; 2]>>, Error> {
    let words = |place: u32| sequences[place as usize].words();
    // Equal texts overlap in full, however short they are.
    let equal = |left: u32, right: u32| words(left) == words(right) && !words(left).is_empty();
    let shortest = Shortest::DEFAULT;
    match maximal::overlaps(
        sequences,
        vocabulary,
        shortest,
        maximal::Wanted::Pairs(pairs),
        watch,
    ) {
        Ok(all) => {
            let overlap = |pair: &maximal::PairOverlap| match pair.documents {
                [left, right] if equal(left, right) => Some([1.0; 2]),
                _ => Some(pair.overlap),
            };
            Ok(all.pairs.iter().map(overlap).collect())
        }
        Err(Error::Stopped) => Err(Error::Stopped),
        // Too long together: two by two then.
        Err(_) => pairs
            .iter()
            .map(|pair| {
                let [left, right] = pair.map(|place| sequences[place as usize]);
                match maximal::overlap(left, right, vocabulary, shortest, watch) {
                    Err(Error::Stopped) => Err(Error::Stopped),
                    overlap => Ok(overlap.ok()),
                }
            })
            .collect(),
    }
}
