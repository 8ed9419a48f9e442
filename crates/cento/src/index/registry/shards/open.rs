//! Shards → the registry that they are: the same documents, the same postings, the same answers.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::super::catalog::{Catalog, SegmentRow};
use super::super::postings::{Piece, Slice};
use super::super::{Folder, Prepare};
use super::manifest::{By, Manifest, Origin, SliceFile, SliceKind};
use crate::error::Error;
use crate::index::segment::{DigestRange, Schema, Segment};

/// Opens the slices of the segments that the catalogue of a folder of shards names. What is missing,
/// foreign or older than the catalogue is an error.
pub(in super::super) fn open(
    folder: &Folder,
    catalog: &Catalog,
    rows: Vec<SegmentRow>,
    prepare: &Prepare,
) -> Result<Vec<Piece>, Error> {
    let manifest = Manifest::read(folder)?;
    manifest.expect(folder, &origin(catalog)?)?;
    for number in 0..manifest.shards.len() {
        manifest.expect_shard(folder, number)?;
        expect_catalog(folder, &manifest, number)?;
    }
    let shards = Shards { folder, manifest };
    rows.into_iter()
        .map(|row| shards.piece(row, prepare))
        .collect()
}

/// What shards say about the registry that they are of.
pub(in super::super) fn origin(catalog: &Catalog) -> Result<Origin, Error> {
    let origin = catalog.origin()?;
    Ok(Origin {
        registry: catalog.identity()?.unwrap_or_default(),
        key: origin.key,
        recipe: origin.settings.recipe.to_string(),
    })
}

/// A shard that is a registry must be as it was: what was registered there alone, or forgotten, would
/// be missing in answers, or in them.
fn expect_catalog(folder: &Folder, manifest: &Manifest, number: usize) -> Result<(), Error> {
    let Some(expected) = &manifest.shards[number].catalog else {
        return Ok(());
    };
    let shard = Folder::new(&folder.path().join(&manifest.shards[number].folder));
    let refused = |why: &str| manifest.refused(folder, number, why);
    if !shard.exists() {
        return Err(refused(
            "is missing: the folder has no catalogue; put it back",
        ));
    }
    if Catalog::read(&shard)?.state()? == *expected {
        return Ok(());
    }
    Err(refused(
        "is stale: its catalogue is not the one that it was made with; put the right one back, or make \
         the shards again",
    ))
}

struct Shards<'a> {
    folder: &'a Folder,
    manifest: Manifest,
}

impl Shards<'_> {
    fn piece(&self, row: SegmentRow, prepare: &Prepare) -> Result<Piece, Error> {
        let digests = self.slices(
            &row,
            SliceKind::Digests,
            prepare.schema(),
            row.postings,
            &row.documents,
        )?;
        let stretches = match &row.stretches {
            Some(stretches) => {
                let owners: Vec<u32> = stretches.owners().collect();
                let schema = prepare.stretches_schema();
                self.slices(
                    &row,
                    SliceKind::Stretches,
                    schema,
                    stretches.postings,
                    &owners,
                )?
            }
            None => Vec::new(),
        };
        Ok(Piece {
            row,
            digests,
            stretches,
            vectors: None,
        })
    }

    /// The slices of a segment, in their order. `owners` are the documents of its units.
    fn slices(
        &self,
        row: &SegmentRow,
        kind: SliceKind,
        schema: &Schema,
        postings: u64,
        owners: &[u32],
    ) -> Result<Vec<Slice>, Error> {
        let mut slices = Vec::new();
        let mut first = 0;
        for (number, shard) in self.manifest.shards.iter().enumerate() {
            let refused = |why: &str| self.manifest.refused(self.folder, number, why);
            let (documents, range) = match self.manifest.by {
                By::Digests => (owners.len(), shard.range.digests()),
                By::Documents => {
                    let (from, to) = shard.range.documents().unwrap_or_default();
                    let is_here =
                        |owner: &&u32| **owner >= from && to.is_none_or(|to| **owner < to);
                    (
                        owners.iter().filter(is_here).count(),
                        Some(DigestRange::ALL),
                    )
                }
            };
            let is_it = |file: &&SliceFile| file.segment == row.number && file.kind == kind;
            let Some(file) = shard.slices.iter().find(is_it) else {
                if self.manifest.by == By::Documents && documents == 0 {
                    continue;
                }
                return Err(refused(&format!(
                    "is stale: the list of shards does not name its part of segment {}; make the \
                     shards again",
                    row.number
                )));
            };
            let folder = Folder::new(&self.folder.path().join(&shard.folder));
            let path = folder.segment(kind.kind(), row.number);
            let segment = self.open(&path, number, file)?;
            if segment.schema() != schema || segment.documents() as usize != documents {
                return Err(refused(&format!(
                    "is foreign: {} is not of this registry; put the right file back",
                    path.display()
                )));
            }
            slices.push(Slice {
                segment: Arc::new(segment),
                first,
                range: range.unwrap_or(DigestRange::ALL),
            });
            if self.manifest.by == By::Documents {
                first += u32::try_from(documents).unwrap_or(u32::MAX);
            }
        }
        let found: u64 = slices.iter().map(|slice| slice.segment.postings()).sum();
        let is_all = self.manifest.by == By::Digests || first as usize == owners.len();
        if found != postings || !is_all {
            return Err(Error::Registry {
                path: self.folder.path().to_owned(),
                reason: format!(
                    "its shards have {found} postings of segment {}, and the catalogue speaks of \
                     {postings}; make the shards again",
                    row.number
                ),
            });
        }
        Ok(slices)
    }

    fn open(&self, path: &Path, number: usize, file: &SliceFile) -> Result<Segment, Error> {
        let refused = |why: &str| self.manifest.refused(self.folder, number, why);
        let segment = match Segment::open(path) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Err(refused(&format!(
                    "is stale or not complete: {} is missing; put it back, or make the shards again",
                    path.display()
                )));
            }
            segment => segment?,
        };
        if *file != SliceFile::of(file.segment, file.kind, &segment) {
            return Err(refused(&format!(
                "is stale or foreign: {} is not the file that {} speaks of; put the right one back, or \
                 make the shards again",
                path.display(),
                super::manifest::MANIFEST
            )));
        }
        Ok(segment)
    }
}
