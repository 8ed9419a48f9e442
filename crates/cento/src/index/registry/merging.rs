//! Small segments become large ones in the background, so that there are never many.
//!
//! Four segments of a level make one of the next, so a posting is written about once for each level
//! and a registry has at most three segments a level. Merging reads files that never change and
//! writes one that nobody knows yet; documents that are removed meanwhile are simply still in it,
//! like in any other segment.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::catalog::{SegmentRow, StretchesRow};
use super::folder::Kind;
use super::postings::{Piece, Slice};
use super::vectors::Chosen;
use super::{Folder, Prepare, Registry};
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{
    DigestRange, MergeInput, Schema, Segment, Summary, merge, merge_slices,
};
use crate::number::index32;
use crate::watch::Watch;

/// A merge under way.
pub(super) struct Merging {
    /// The number of the segment that is being written.
    pub(super) number: u64,
    /// The segments that it will replace.
    replaced: Vec<u64>,
    is_given_up: Arc<AtomicBool>,
    /// Until its end was waited for.
    thread: Option<JoinHandle<Result<SegmentRow, Error>>>,
}

impl Merging {
    fn begin(
        number: u64,
        replaced: Vec<u64>,
        plan: Plan,
        folder: Folder,
        prepare: Prepare,
    ) -> Self {
        let is_given_up = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_given_up);
        let thread = std::thread::spawn(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            let watch = Watch::new(&|_, _| (), &is_stopped);
            plan.write(&folder, number, &prepare, watch)
        });
        Merging {
            number,
            replaced,
            is_given_up,
            thread: Some(thread),
        }
    }

    fn is_done(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for it; nothing if the thread panicked.
    fn wait(&mut self) -> Option<Result<SegmentRow, Error>> {
        self.thread.take()?.join().ok()
    }
}

/// A merge that is still going on when its registry is closed must not outlive the lock: the next
/// writer gives the same number to another segment.
impl Drop for Merging {
    fn drop(&mut self) {
        self.is_given_up.store(true, Ordering::Relaxed);
        let _ = self.wait();
    }
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
        let postings = self.pieces.iter().map(|piece| piece.row.postings);
        let Some(level) = due_level(postings) else {
            return Ok(());
        };
        let pieces: Vec<Piece> = self
            .pieces
            .iter()
            .filter(|piece| level_of(piece.row.postings) == level)
            .cloned()
            .collect();
        // Of these documents only: adding one must not cost a look at all.
        let documents = pieces.iter().flat_map(|piece| &piece.row.documents);
        let live = self.catalog.registered(documents.copied())?;
        let is_live = |number: u32| live.contains(&number);
        let plan = Plan::of(&pieces, |_, number| {
            is_live(number).then_some((number, number))
        });
        let number = self.next_segment()?;
        let (folder, prepare) = (self.folder.clone(), self.prepare().clone());
        let replaced = pieces.iter().map(|piece| piece.row.number).collect();
        self.merging = Some(Merging::begin(number, replaced, plan, folder, prepare));
        Ok(())
    }

    /// Waits until no merging goes on or is due.
    pub(super) fn settle(&mut self, watch: Watch<'_>) -> Result<(), Error> {
        loop {
            // What was due while another merge went on has not been begun.
            self.merge_when_due()?;
            let Some(merging) = &self.merging else {
                return Ok(());
            };
            if merging.is_done() {
                self.adopt_merged()?;
            } else {
                watch.go_on()?;
                std::thread::sleep(LOOK);
            }
        }
    }

    /// Takes over what a merge has written, if it is done.
    pub(super) fn adopt_merged(&mut self) -> Result<(), Error> {
        let Some(mut merging) = self.merging.take_if(|merging| merging.is_done()) else {
            return Ok(());
        };
        let row = merging.wait().ok_or_else(|| Error::Registry {
            path: self.folder.path().to_owned(),
            reason: "merging segments failed; nothing is lost".to_owned(),
        })??;
        self.replace(&merging.replaced, row)
    }

    /// Puts a finished segment in the place of others.
    pub(super) fn replace(&mut self, replaced: &[u64], row: SegmentRow) -> Result<(), Error> {
        let is_replaced = |piece: &&Piece| replaced.contains(&piece.row.number);
        let old: Vec<SegmentRow> = (self.pieces.iter().filter(is_replaced))
            .map(|piece| piece.row.clone())
            .collect();
        self.catalog.write(|transaction| {
            for old in &old {
                old.delete(transaction)?;
            }
            row.insert(transaction)
        })?;
        let piece = self.piece(row)?;
        let is_kept = |piece: &Piece| !replaced.contains(&piece.row.number);
        self.pieces.retain(is_kept);
        self.pieces.push(piece);
        self.pieces.sort_by_key(|piece| piece.row.number);
        for &number in replaced {
            // Readers that have it open keep it. One that cannot be removed is swept away later.
            for kind in Kind::ALL {
                let _ = std::fs::remove_file(self.folder.segment(kind, number));
            }
        }
        Ok(())
    }
}

/// What goes into a new segment, and into the files of its stretches and vectors.
pub(super) struct Plan {
    digests: Part,
    stretches: Option<Part>,
    vectors: Option<Chosen>,
}

/// What goes into a segment of one kind.
struct Part {
    sources: Vec<(Arc<Segment>, Vec<Option<DocId>>)>,
    /// Whether some documents are in several of them.
    is_cut: bool,
    /// The documents of the new segment.
    documents: Vec<u32>,
}

impl Plan {
    /// `becomes` says of a document of a piece where it stands among all and which number it has in
    /// the new segment; nothing if it is left out. Units of one document keep their order.
    pub(super) fn of<K: Ord>(
        pieces: &[Piece],
        becomes: impl Fn(usize, u32) -> Option<(K, u32)>,
    ) -> Plan {
        let digests = |piece: &Piece| (piece.digests.clone(), piece.row.documents.clone());
        let stretches = |piece: &Piece| {
            let row = piece.row.stretches.as_ref()?;
            Some((piece.stretches.clone(), row.owners().collect()))
        };
        let with_stretches: Option<Vec<_>> = pieces.iter().map(stretches).collect();
        Plan {
            digests: Part::of(&pieces.iter().map(digests).collect::<Vec<_>>(), &becomes),
            stretches: with_stretches.map(|pieces| Part::of(&pieces, &becomes)),
            vectors: Chosen::of(pieces, |source, owner| {
                becomes(source, owner).map(|(_, number)| number)
            }),
        }
    }

    /// Writes the slices of the new segment, of digests and of stretches if these are kept.
    pub(super) fn write_slices(
        &self,
        digests: &Path,
        stretches: &Path,
        prepare: &Prepare,
        watch: Watch<'_>,
    ) -> Result<Vec<Summary>, Error> {
        let write = |part: &Part, path: &Path, schema: &Schema| {
            merge_slices(path, schema, &part.inputs(), watch)
        };
        let mut written = vec![write(&self.digests, digests, prepare.schema())?];
        if let Some(part) = self.stretches.as_ref().filter(|_| prepare.has_stretches()) {
            written.push(write(part, stretches, prepare.stretches_schema())?);
        }
        Ok(written)
    }

    /// The documents of the new segment that have blocks of stretches, and how many.
    pub(super) fn block_runs(&self) -> Vec<(u32, u32)> {
        self.stretches.as_ref().map(Part::runs).unwrap_or_default()
    }

    /// The documents of the new segment.
    pub(super) fn documents(&self) -> &[u32] {
        &self.digests.documents
    }

    /// Writes the new segments; they are safely there when this returns.
    pub(super) fn write(
        self,
        folder: &Folder,
        number: u64,
        prepare: &Prepare,
        watch: Watch<'_>,
    ) -> Result<SegmentRow, Error> {
        let write = |part: &Part, kind: Kind, schema: &Schema| {
            folder.write_segment(kind, number, |path| {
                let inputs = part.inputs();
                if part.is_cut {
                    merge_slices(path, schema, &inputs, watch)
                } else {
                    merge(path, schema, &inputs, watch)
                }
            })
        };
        let Summary {
            postings, bytes, ..
        } = write(&self.digests, Kind::Digests, prepare.schema())?;
        let stretches = match self.stretches {
            Some(part) if prepare.has_stretches() => {
                let summary = write(&part, Kind::Stretches, prepare.stretches_schema())?;
                Some(StretchesRow {
                    documents: part.runs(),
                    postings: summary.postings,
                    bytes: summary.bytes,
                })
            }
            _ => None,
        };
        let vectors = match (self.vectors, prepare.style()) {
            (Some(chosen), Some(style)) => {
                watch.go_on()?;
                Some(
                    folder
                        .write_segment(Kind::Vectors, number, |path| chosen.write(path, style))?,
                )
            }
            _ => None,
        };
        Ok(SegmentRow {
            number,
            documents: self.digests.documents,
            postings,
            bytes,
            stretches,
            vectors,
        })
    }
}

impl Part {
    fn of<K: Ord>(
        pieces: &[(Vec<Slice>, Vec<u32>)],
        becomes: &impl Fn(usize, u32) -> Option<(K, u32)>,
    ) -> Part {
        let mut units: Vec<(K, u32, usize, usize)> = Vec::new();
        for (source, (_, owners)) in pieces.iter().enumerate() {
            for (unit, &owner) in owners.iter().enumerate() {
                let new = becomes(source, owner);
                units.extend(new.map(|(rank, number)| (rank, number, source, unit)));
            }
        }
        units.sort_by(|a, b| (&a.0, a.2, a.3).cmp(&(&b.0, b.2, b.3)));
        let none = |(_, owners): &(_, Vec<u32>)| vec![None; owners.len()];
        let mut numbers: Vec<Vec<Option<DocId>>> = pieces.iter().map(none).collect();
        for (number, &(_, _, source, unit)) in (0..).zip(&units) {
            numbers[source][unit] = Some(DocId(number));
        }
        let of_piece = |(slices, numbers): (&Vec<Slice>, &Vec<Option<DocId>>)| {
            let source = |slice: &Slice| {
                let numbers = numbers[slice.units()].to_vec();
                (Arc::clone(&slice.segment), numbers)
            };
            slices.iter().map(source).collect::<Vec<_>>()
        };
        let slices = pieces.iter().map(|(slices, _)| slices);
        Part {
            sources: slices.clone().zip(&numbers).flat_map(of_piece).collect(),
            is_cut: slices
                .flatten()
                .any(|slice| slice.range != DigestRange::ALL),
            documents: units.into_iter().map(|(_, number, _, _)| number).collect(),
        }
    }

    /// The documents in their order, and how many units each has, which stand together.
    fn runs(&self) -> Vec<(u32, u32)> {
        let runs = self.documents.chunk_by(|a, b| a == b);
        runs.map(|run| (run[0], index32(run.len()))).collect()
    }

    fn inputs(&self) -> Vec<MergeInput<'_>> {
        let inputs = self.sources.iter().map(|(segment, numbers)| MergeInput {
            segment,
            numbers: numbers.clone(),
        });
        inputs.collect()
    }
}

/// The lowest level that has enough segments to be merged.
pub(super) fn due_level(postings: impl Iterator<Item = u64>) -> Option<u32> {
    let mut levels: Vec<u32> = postings.map(level_of).collect();
    levels.sort_unstable();
    levels
        .chunk_by(|a, b| a == b)
        .find(|level| level.len() >= FAN)
        .map(|level| level[0])
}

pub(super) fn level_of(postings: u64) -> u32 {
    let postings = postings.max(LOWEST);
    (postings / LOWEST).ilog2() / FAN.ilog2()
}
