//! Reading a whole registry to see whether everything fits together: every checksum and every
//! cross-reference, and what each document's digests must be (`content.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

mod content;

use super::postings::Piece;
use super::retained::Retained;
use super::write::NOTHING_EXPIRED;
use super::{Retention, Snapshot};
use crate::digest::Key;
use crate::error::Error;
use crate::watch::Watch;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many documents were checked.
    pub documents: u64,
    /// How many postings.
    pub postings: u64,
    /// How many pairs of documents are alike; 0 if something is wrong.
    pub pairs: u64,
    /// How many postings are those of documents that were forgotten; `compact` removes them.
    pub forgotten: u64,
    /// How many documents have the digests that their kept text makes.
    pub proved: u64,
    /// How many pages of the catalogue are free, and may hold what was deleted if it was not
    /// overwritten; `compact` removes them.
    pub free_pages: u64,
    /// What is wrong. Nothing, if all is well.
    pub faults: Vec<String>,
}

/// Of how many documents digests are made again from what is kept of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Of a hundred, spread over the registry.
    #[default]
    Sample,
    /// Of all.
    All,
}

/// Checks every checksum and every cross-reference, and what documents consist of.
pub fn check(path: &Path, key: &Key, extent: Extent, watch: Watch<'_>) -> Result<Checked, Error> {
    let snapshot = Snapshot::open(path, key, NOTHING_EXPIRED)?;
    let mut checked = Checked::default();
    check_segments(&snapshot, &mut checked, watch)?;
    check_documents(&snapshot, &mut checked, watch)?;
    check_files(&snapshot, &mut checked);
    // What is made from damaged parts says nothing more.
    if checked.faults.is_empty() {
        content::check(&snapshot, extent, &mut checked, watch)?;
        checked.pairs = snapshot.pair_count(watch.silent())?;
    }
    let mut catalog = snapshot.catalog();
    checked.faults.extend(catalog.faults(watch)?);
    checked.free_pages = catalog.free_pages()?;
    drop(catalog);
    Ok(checked)
}

fn check_segments(
    snapshot: &Snapshot,
    checked: &mut Checked,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let segments = || snapshot.pieces().iter().flat_map(Piece::segments);
    let mut steps = watch.steps(segments().map(|segment| segment.check_steps()).sum());
    for segment in segments() {
        match segment.check_in_steps(&mut steps) {
            Err(Error::Stopped) => return Err(Error::Stopped),
            Err(error) => checked.faults.push(error.to_string()),
            Ok(()) => {}
        }
    }
    for piece in snapshot.pieces() {
        watch.go_on()?;
        let faults = piece.vectors.iter().map(|vectors| vectors.check());
        let faults = faults.filter_map(Result::err);
        checked.faults.extend(faults.map(|error| error.to_string()));
    }
    let rows = snapshot.pieces().iter().map(|piece| &piece.row);
    checked.postings = rows.map(|row| row.postings).sum();
    checked.forgotten = snapshot.postings().removed_postings();
    Ok(())
}

/// Every document is in one segment, with as many digests as the catalogue says, and with the text
/// that it was registered with.
fn check_documents(
    snapshot: &Snapshot,
    checked: &mut Checked,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let mut digests: BTreeMap<u32, (u64, usize)> = BTreeMap::new();
    check_blocks(snapshot, checked);
    check_vectors(snapshot, checked)?;
    for (place, piece) in snapshot.pieces().iter().enumerate() {
        for (&number, side) in piece.row.documents.iter().zip(&*piece.sides()) {
            let (sum, part) = digests.entry(number).or_insert((0, place));
            *sum += u64::from(side.digests);
            if *part != place {
                let fault = format!("document {number} is in two segments");
                checked.faults.push(fault);
            }
        }
    }
    let ignored = snapshot.postings().ignored_counts()?;
    let mut numbers = Vec::new();
    snapshot.entries(|entry| {
        checked.documents += 1;
        let id = entry.facts.id.escape_debug();
        let found = digests.get(&entry.number).map_or(0, |(sum, _)| *sum);
        if found != u64::from(entry.digests) {
            let fault = format!(
                "{id} has {found} postings and should have {}",
                entry.digests
            );
            checked.faults.push(fault);
        }
        if ignored.get(&entry.number).copied().unwrap_or(0) != entry.ignored {
            let fault = format!("{id} has another number of digests that do not count");
            checked.faults.push(fault);
        }
        numbers.push((entry.number, entry.content, id.to_string()));
        Ok(())
    })?;
    let retention = snapshot.settings().retention;
    for (number, content, id) in numbers {
        watch.go_on()?;
        let fits = match snapshot.retained(number) {
            Ok(None) => retention == Retention::Digests,
            Ok(Some(Retained::Spans(_))) => retention == Retention::Spans,
            Ok(Some(Retained::Text(text))) => {
                let hash = snapshot.prepare().key().content_hash(text.as_bytes());
                retention == Retention::Text && hash == content
            }
            Err(_) => false,
        };
        if !fits {
            checked
                .faults
                .push(format!("what is kept of {id} is damaged"));
        }
    }
    Ok(())
}

/// The blocks of stretches are those of documents of the same segment, and stand together.
fn check_blocks(snapshot: &Snapshot, checked: &mut Checked) {
    for Piece { row, .. } in snapshot.pieces() {
        let Some(stretches) = &row.stretches else {
            continue;
        };
        let here: BTreeSet<u32> = row.documents.iter().copied().collect();
        let mut seen = BTreeSet::new();
        for &(number, _) in &stretches.documents {
            if !here.contains(&number) || !seen.insert(number) {
                let fault = format!("the stretches of document {number} are in the wrong place");
                checked.faults.push(fault);
            }
        }
    }
}

/// The vectors are those of documents of the same segment, one each at most.
fn check_vectors(snapshot: &Snapshot, checked: &mut Checked) -> Result<(), Error> {
    for Piece { row, vectors, .. } in snapshot.pieces() {
        let Some(vectors) = vectors else {
            continue;
        };
        let here: BTreeSet<u32> = row.documents.iter().copied().collect();
        let mut seen = BTreeSet::new();
        for (number, _) in vectors.given()? {
            if !here.contains(&number) || !seen.insert(number) {
                let fault = format!("the vector of document {number} is in the wrong place");
                checked.faults.push(fault);
            }
        }
    }
    Ok(())
}

/// Files that no catalogue names are no fault: a writer may be at work, or have ended early.
fn check_files(snapshot: &Snapshot, checked: &mut Checked) {
    for path in snapshot.pieces().iter().flat_map(Piece::paths) {
        if !path.exists() {
            let fault = format!("{} is missing", path.display());
            checked.faults.push(fault);
        }
    }
}
