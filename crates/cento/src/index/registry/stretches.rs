//! The stretches of documents in a registry: segments whose documents are blocks.

use std::path::Path;

use rayon::prelude::*;

use crate::digest::Digest;
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{Schema, Sides, Summary, Writer};
use crate::measure::Side;
use crate::number::index32;
use crate::stretch::{DIGEST_BITS, Stretches};

/// What all segments of stretches have in common.
pub(super) fn schema() -> Schema {
    let schema = Schema::of_text(
        "stretches:pairs".to_owned(),
        DIGEST_BITS,
        DIGEST_BITS,
        Sides::Counts,
    );
    schema.expect("all bits are kept")
}

/// Writes a segment of the stretches of documents; their blocks stand one behind the other.
pub(super) fn build(path: &Path, documents: &[&Stretches]) -> Result<Summary, Error> {
    let mut entries: Vec<(u64, u32)> = Vec::new();
    let mut counts: Vec<u32> = Vec::new();
    for stretches in documents {
        let first = index32(counts.len());
        counts.resize(counts.len() + stretches.blocks() as usize, 0);
        for (digest, block) in stretches.entries() {
            counts[(first + block) as usize] += 1;
            entries.push((digest, first + block));
        }
    }
    entries.par_sort_unstable();
    let sides: Vec<Side> = counts.into_iter().map(Side::of_each_once).collect();
    let mut writer = Writer::create(path, &schema(), &sides)?;
    for (digest, block) in entries {
        writer.push(Digest(digest), DocId(block), 1)?;
    }
    writer.finish()
}
