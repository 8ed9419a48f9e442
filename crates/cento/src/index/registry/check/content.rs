//! Whether documents have the digests that their texts make: a registry can be whole and not that of
//! its texts.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::postings::{Piece, Slice};
use super::super::retained::Retained;
use super::super::{Entry, Snapshot};
use super::{Checked, Extent};
use crate::digest::Digest;
use crate::error::Error;
use crate::style::tree;
use crate::watch::Watch;

/// How many documents a sample has.
const SAMPLE: usize = 100;

pub(super) fn check(
    snapshot: &Snapshot,
    extent: Extent,
    checked: &mut Checked,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let mut entries = Vec::new();
    snapshot.entries(|entry| {
        entries.push(entry);
        Ok(())
    })?;
    let apart = match extent {
        Extent::Sample => entries.len().div_ceil(SAMPLE).max(1),
        Extent::All => 1,
    };
    let chosen: Vec<&Entry> = entries.iter().step_by(apart).collect();
    let units = units(snapshot);
    let blocks = blocks(snapshot);
    let vectors = vectors(snapshot)?;
    for entry in &chosen {
        watch.go_on()?;
        let of_entry = units.get(&entry.number).map_or(&[][..], Vec::as_slice);
        match has_its_digests(snapshot, entry, of_entry)? {
            Some(true)
                if has_its_stretches(snapshot, entry, &blocks)?
                    && has_its_vector(snapshot, entry, &vectors)? =>
            {
                checked.proved += 1;
            }
            Some(_) => checked.faults.push(format!(
                "{} has other digests than what is kept of it makes",
                entry.facts.id.escape_debug()
            )),
            None => {}
        }
    }
    Ok(())
}

/// Where a unit is: its segment, and its number there.
type Place = (usize, u32);

/// The units of each document, in their order.
fn units(snapshot: &Snapshot) -> BTreeMap<u32, Vec<Place>> {
    let mut units: BTreeMap<u32, Vec<Place>> = BTreeMap::new();
    for (piece, Piece { row, .. }) in snapshot.pieces().iter().enumerate() {
        for (unit, number) in (0..).zip(&row.documents) {
            units.entry(*number).or_default().push((piece, unit));
        }
    }
    units
}

/// Where the blocks of a document are: their segment, and their numbers there.
type BlockPlaces = (usize, Range<u32>);

/// The blocks of each document.
fn blocks(snapshot: &Snapshot) -> BTreeMap<u32, BlockPlaces> {
    let mut blocks = BTreeMap::new();
    for (piece, Piece { row, .. }) in snapshot.pieces().iter().enumerate() {
        let mut first = 0;
        for &(number, count) in row.stretches.iter().flat_map(|row| &row.documents) {
            blocks.insert(number, (piece, first..first + count));
            first += count;
        }
    }
    blocks
}

/// Whether the blocks of a document whose text is kept have the pairs of words that it makes.
fn has_its_stretches(
    snapshot: &Snapshot,
    entry: &Entry,
    blocks: &BTreeMap<u32, BlockPlaces>,
) -> Result<bool, Error> {
    let Some(Retained::Text(text)) = snapshot.retained(entry.number)? else {
        return Ok(true);
    };
    let expected = snapshot.prepare().stretches(&text);
    let Some((piece, own)) = blocks.get(&entry.number) else {
        return Ok(expected.blocks() == 0);
    };
    let slices = &snapshot.pieces()[*piece].stretches;
    if slices.is_empty() {
        return Ok(expected.blocks() == 0);
    }
    let first = own.start;
    let behind = first + expected.blocks();
    let mut all = 0;
    for slice in slices {
        let blocks = (slice.first..).zip(slice.segment.counts());
        let own = blocks.filter(|(block, _)| own.contains(block));
        all += own.map(|(_, count)| count as usize).sum::<usize>();
    }
    let pairs: Vec<(Digest, u32)> = expected
        .entries()
        .map(|(digest, block)| (Digest(digest), first + block))
        .collect();
    let mut digests: Vec<Digest> = pairs.iter().map(|(digest, _)| *digest).collect();
    digests.dedup();
    let mut there = 0;
    for Slice {
        segment,
        first: before,
        ..
    } in slices
    {
        segment.visit_documents(&segment.find(&digests)?, |found, block| {
            let block = before + block.0;
            if (first..behind).contains(&block) {
                let pair = (digests[found.place as usize], block);
                there += usize::from(pairs.binary_search(&pair).is_ok());
            }
        })?;
    }
    Ok(own.end == behind && all == pairs.len() && there == pairs.len())
}

/// The row of each document's vector.
fn vectors(snapshot: &Snapshot) -> Result<BTreeMap<u32, &[u8]>, Error> {
    let mut rows = BTreeMap::new();
    for vectors in (snapshot.pieces().iter()).filter_map(|piece| piece.vectors.as_ref()) {
        rows.extend(vectors.given()?);
    }
    Ok(rows)
}

/// Whether a document whose text is kept has the vector that it makes.
fn has_its_vector(
    snapshot: &Snapshot,
    entry: &Entry,
    vectors: &BTreeMap<u32, &[u8]>,
) -> Result<bool, Error> {
    let Some(Retained::Text(text)) = snapshot.retained(entry.number)? else {
        return Ok(true);
    };
    let expected = snapshot.prepare().vector(&text);
    let expected = expected.map(|vector| tree::row(&vector.0));
    Ok(expected.as_deref() == vectors.get(&entry.number).copied())
}

/// Whether a document has the digests that what is kept of it makes; nothing, if nothing is kept.
fn has_its_digests(
    snapshot: &Snapshot,
    entry: &Entry,
    units: &[Place],
) -> Result<Option<bool>, Error> {
    let expected: Vec<Vec<Digest>> = match snapshot.retained(entry.number)? {
        // The tokens of programs come from parsers, which are elsewhere.
        Some(Retained::Text(_)) if snapshot.settings().recipe.is_for_programs() => {
            return Ok(None);
        }
        Some(Retained::Text(text)) => {
            let fingerprints = snapshot.prepare().fingerprints(&text);
            let digests = fingerprints.iter().map(|unit| unit.digests().to_vec());
            digests.collect()
        }
        Some(Retained::Spans(spans)) => {
            let mut digests: Vec<Digest> = spans.iter().map(|span| span.digest).collect();
            digests.sort_unstable();
            digests.dedup();
            vec![digests]
        }
        None => return Ok(None),
    };
    if expected.len() != units.len() {
        // Spans are those of the whole text, and its passages overlap.
        return Ok(None);
    }
    for (digests, &(piece, unit)) in expected.iter().zip(units) {
        let (mut there, mut all) = (0, 0);
        for slice in &snapshot.pieces()[piece].digests {
            let Some(place) = unit.checked_sub(slice.first) else {
                continue;
            };
            let segment = &slice.segment;
            segment.visit_documents(&segment.find(digests)?, |_, document| {
                there += usize::from(document.0 == place);
            })?;
            let side = segment.sides().get(place as usize);
            all += side.map_or(0, |side| side.digests as usize);
        }
        if there != digests.len() || all != digests.len() {
            return Ok(Some(false));
        }
    }
    Ok(Some(true))
}
