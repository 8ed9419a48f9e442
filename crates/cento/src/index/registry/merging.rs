//! Small segments become large ones in the background, so that there are never many.
//!
//! Four segments of a level make one of the next, so a posting is written about once for each level
//! and a registry has at most three segments a level. Merging reads files that never change and
//! writes one that nobody knows yet; documents that are removed meanwhile are simply still in it,
//! like in any other segment.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use super::catalog::SegmentRow;
use super::postings::Piece;
use super::{Folder, Registry};
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{MergeInput, Schema, Segment, Summary, merge};
use crate::watch::Watch;

/// A merge under way.
pub(super) struct Merging {
    /// The number of the segment that is being written.
    pub(super) number: u64,
    /// The segments that it will replace.
    replaced: Vec<u64>,
    documents: Vec<u32>,
    thread: JoinHandle<Result<Summary, Error>>,
}

/// How often it is looked whether a merge is done that is waited for.
const LOOK: Duration = Duration::from_millis(20);

/// How many segments of a level become one of the next.
const FAN: usize = 4;
/// Segments with fewer postings than this are all on the lowest level.
const LOWEST: u64 = 1 << 16;

impl Registry {
    /// Begins to merge if some level has enough segments.
    pub(super) fn merge_when_due(&mut self) -> Result<(), Error> {
        if self.merging.is_some() {
            return Ok(());
        }
        let Some(level) = due(&self.pieces) else {
            return Ok(());
        };
        let pieces: Vec<Piece> = self
            .pieces
            .iter()
            .filter(|piece| level_of(piece) == level)
            .cloned()
            .collect();
        let live = self.catalog.live(super::write::NOTHING_EXPIRED)?;
        let is_live = |number: u32| live.binary_search_by_key(&number, |(n, _)| *n).is_ok();
        let plan = Plan::of(&pieces, is_live, |number| number);
        let number = self.next_segment()?;
        let (folder, schema) = (self.folder.clone(), self.prepare().schema().clone());
        let documents = plan.documents.clone();
        let replaced = pieces.iter().map(|piece| piece.row.number).collect();
        let thread =
            std::thread::spawn(move || plan.write(&folder, number, &schema, Watch::NOBODY));
        self.merging = Some(Merging {
            number,
            replaced,
            documents,
            thread,
        });
        Ok(())
    }

    /// Waits until no merging goes on or is due.
    pub(super) fn settle(&mut self, watch: Watch<'_>) -> Result<(), Error> {
        while let Some(merging) = &self.merging {
            if merging.thread.is_finished() {
                self.adopt_merged()?;
                self.merge_when_due()?;
            } else {
                watch.go_on()?;
                std::thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// Takes over what a merge has written, if it is done.
    pub(super) fn adopt_merged(&mut self) -> Result<(), Error> {
        let is_done = |merging: &mut Merging| merging.thread.is_finished();
        let Some(merging) = self.merging.take_if(is_done) else {
            return Ok(());
        };
        let written = merging.thread.join();
        let summary = written.unwrap_or_else(|_| {
            Err(Error::Registry {
                path: self.folder.path().to_owned(),
                reason: "merging segments failed; nothing is lost".to_owned(),
            })
        })?;
        let row = SegmentRow {
            number: merging.number,
            documents: merging.documents,
            postings: summary.postings,
            bytes: summary.bytes,
        };
        self.replace(&merging.replaced, row)
    }

    /// Puts a finished segment in the place of others.
    pub(super) fn replace(&mut self, replaced: &[u64], row: SegmentRow) -> Result<(), Error> {
        self.catalog.write(|transaction| {
            for &number in replaced {
                SegmentRow::delete(number, transaction)?;
            }
            row.insert(transaction)
        })?;
        let segment = Arc::new(Segment::open(&self.folder.segment(row.number))?);
        let is_kept = |piece: &Piece| !replaced.contains(&piece.row.number);
        self.pieces.retain(is_kept);
        self.pieces.push(Piece { row, segment });
        self.pieces.sort_by_key(|piece| piece.row.number);
        for &number in replaced {
            // Readers that have it open keep it. One that cannot be removed is swept away later.
            let _ = std::fs::remove_file(self.folder.segment(number));
        }
        Ok(())
    }
}

/// What goes into a new segment.
pub(super) struct Plan {
    sources: Vec<(Arc<Segment>, Vec<Option<DocId>>)>,
    /// The documents of the new segment.
    pub(super) documents: Vec<u32>,
}

impl Plan {
    /// The units of live documents in the order of what `rank` says of their documents; units of
    /// one document keep their order.
    pub(super) fn of<K: Ord>(
        pieces: &[Piece],
        is_live: impl Fn(u32) -> bool,
        rank: impl Fn(u32) -> K,
    ) -> Plan {
        let mut units: Vec<(usize, usize, u32)> = Vec::new();
        for (source, piece) in pieces.iter().enumerate() {
            let owners = piece.row.documents.iter().enumerate();
            let live = owners.filter(|(_, owner)| is_live(**owner));
            units.extend(live.map(|(unit, &owner)| (source, unit, owner)));
        }
        units.sort_by_key(|&(source, unit, owner)| (rank(owner), source, unit));
        let mut sources: Vec<(Arc<Segment>, Vec<Option<DocId>>)> = pieces
            .iter()
            .map(|piece| {
                let none = vec![None; piece.row.documents.len()];
                (Arc::clone(&piece.segment), none)
            })
            .collect();
        for (number, &(source, unit, _)) in (0..).zip(&units) {
            sources[source].1[unit] = Some(DocId(number));
        }
        Plan {
            sources,
            documents: units.into_iter().map(|(_, _, owner)| owner).collect(),
        }
    }

    /// Writes the new segment; it is safely there when this returns.
    pub(super) fn write(
        self,
        folder: &Folder,
        number: u64,
        schema: &Schema,
        watch: Watch<'_>,
    ) -> Result<Summary, Error> {
        let sources: Vec<MergeInput<'_>> = self
            .sources
            .iter()
            .map(|(segment, numbers)| MergeInput {
                segment,
                numbers: numbers.clone(),
            })
            .collect();
        folder.write_segment(number, |path| merge(path, schema, &sources, watch))
    }
}

/// The lowest level that has enough segments to be merged.
fn due(pieces: &[Piece]) -> Option<u32> {
    let mut levels: Vec<u32> = pieces.iter().map(level_of).collect();
    levels.sort_unstable();
    levels
        .chunk_by(|a, b| a == b)
        .find(|level| level.len() >= FAN)
        .map(|level| level[0])
}

fn level_of(piece: &Piece) -> u32 {
    let postings = piece.row.postings.max(LOWEST);
    (postings / LOWEST).ilog2() / FAN.ilog2()
}
