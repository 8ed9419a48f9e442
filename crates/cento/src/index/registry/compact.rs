//! One segment, without anything that was removed.

use std::collections::HashMap;

use super::Registry;
use super::merging::Plan;
use super::postings::Piece;
use crate::error::Error;
use crate::watch::Watch;

/// What compacting came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// How many bytes the segments took before.
    pub before: u64,
    /// How many they take now.
    pub after: u64,
    /// Nobody was reading an older state, so that nothing of what was removed is left in any file.
    pub is_swept: bool,
}

impl Registry {
    /// Writes all documents into one segment, in the order of their ids, and frees the catalogue of
    /// what was removed.
    ///
    /// The segment depends on the documents alone, not on the order in which they came. Stopped, the
    /// registry has the same documents as before and is as compact as before, or more.
    pub fn compact(&mut self, watch: Watch<'_>) -> Result<Compacted, Error> {
        self.commit()?;
        // What a merge would write is written here, too.
        self.merging = None;
        let bytes = |registry: &Registry| registry.pieces.iter().map(Piece::bytes).sum();
        let before = bytes(self);
        let mut order: HashMap<u32, u32> = HashMap::new();
        let mut place = 0;
        self.catalog.entries(|entry| {
            order.insert(entry.number, place);
            place += 1;
            Ok(())
        })?;
        let plan = Plan::of(&self.pieces, |_, number| {
            order.get(&number).map(|place| (*place, number))
        });
        let is_compact = match &self.pieces[..] {
            [] => true,
            [piece] => piece.row.documents == plan.documents(),
            _ => false,
        };
        if !is_compact {
            let number = self.next_segment()?;
            let row = plan.write(&self.folder, number, self.prepare(), watch)?;
            let replaced: Vec<u64> = self.pieces.iter().map(|piece| piece.row.number).collect();
            self.replace(&replaced, row)?;
        }
        let numbers: Vec<u64> = self.pieces.iter().map(|piece| piece.row.number).collect();
        self.folder.sweep(&numbers)?;
        let is_swept = self.catalog.sweep(watch)?;
        Ok(Compacted {
            before,
            after: bytes(self),
            is_swept,
        })
    }
}
