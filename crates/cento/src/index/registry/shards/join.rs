//! Shards → one registry again, file by file the one that they were cut from.

use std::path::Path;

use super::super::catalog::Catalog;
use super::super::folder::Kind;
use super::super::postings::Slice;
use super::super::transfer::make_at_once;
use super::super::{Folder, Snapshot};
use crate::error::Error;
use crate::index::DocId;
use crate::index::private;
use crate::index::segment::{MergeInput, Schema, Summary, merge_slices};
use crate::watch::Watch;

/// What was put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// How many documents.
    pub documents: u64,
    /// How many segments.
    pub segments: u64,
    /// How many postings.
    pub postings: u64,
    /// Whether the registry has a key, which was not copied.
    pub needs_key: bool,
}

/// Makes the registry that shards are of, with its segments and its catalogue. It appears complete or
/// not at all.
pub fn join(from: &Snapshot, to: &Path, watch: Watch<'_>) -> Result<Joined, Error> {
    if !from.is_sharded() {
        return Err(Error::Registry {
            path: from.folder().path().to_owned(),
            reason: "it is one registry, and not cut into shards".to_owned(),
        });
    }
    make_at_once(to, |place| put_together(from, &Folder::new(place), watch))?;
    let status = from.status()?;
    Ok(Joined {
        documents: status.documents,
        segments: status.segments,
        postings: status.postings,
        needs_key: status.key.is_some(),
    })
}

fn put_together(from: &Snapshot, to: &Folder, watch: Watch<'_>) -> Result<(), Error> {
    let segments = to.segments();
    private::make_folder(&segments).map_err(|source| Error::Io {
        path: segments,
        source,
    })?;
    for piece in from.pieces() {
        let row = &piece.row;
        let write = |kind: Kind, schema: &Schema, slices: &[Slice], expected: (u64, u64)| {
            let Summary {
                postings, bytes, ..
            } = to.write_segment(kind, row.number, |path| {
                merge_slices(path, schema, &inputs(slices), watch)
            })?;
            if (postings, bytes) == expected {
                return Ok(());
            }
            Err(Error::Format {
                path: from.folder().path().to_owned(),
                reason: format!(
                    "what its shards have of segment {} is not what the catalogue speaks of",
                    row.number
                ),
            })
        };
        let schema = from.prepare().schema();
        write(
            Kind::Digests,
            schema,
            &piece.digests,
            (row.postings, row.bytes),
        )?;
        if let Some(stretches) = &row.stretches {
            let schema = from.prepare().stretches_schema();
            let expected = (stretches.postings, stretches.bytes);
            write(Kind::Stretches, schema, &piece.stretches, expected)?;
        }
    }
    from.catalog().copy_to(&to.unfinished_catalog(), watch)?;
    Catalog::put_in_place(to)
}

/// The slices, of which every document keeps its number.
fn inputs(slices: &[Slice]) -> Vec<MergeInput<'_>> {
    slices
        .iter()
        .map(|slice| MergeInput {
            segment: &slice.segment,
            numbers: (slice.first..slice.first + slice.segment.documents())
                .map(|unit| Some(DocId(unit)))
                .collect(),
        })
        .collect()
}
