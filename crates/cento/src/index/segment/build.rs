//! Fingerprints → a segment file.

use std::borrow::Cow;
use std::path::Path;

use rayon::prelude::*;

use super::{Schema, Summary, Writer};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::Range;
use crate::index::build::{Ranges, Which};
use crate::measure::Side;
use crate::watch::Watch;

/// Writes a segment of these fingerprints; the first one is document 0.
///
/// The postings are gathered and sorted a few ranges of digests at a time, so that beside the
/// fingerprints little memory is needed.
pub fn build(
    path: &Path,
    schema: &Schema,
    fingerprints: &[&Fingerprint],
    watch: Watch<'_>,
) -> Result<Summary, Error> {
    let cut: Vec<Cow<'_, Fingerprint>> = fingerprints
        .par_iter()
        .map(|fingerprint| schema.cut(fingerprint))
        .collect();
    let sides: Vec<Side> = cut.par_iter().map(|cut| Side::of(cut)).collect();
    let mut writer = Writer::create(path, schema, &sides)?;
    Ranges::of(&cut).each(cut, Which::All, watch, |range| {
        write_range(&range, &mut writer)
    })?;
    writer.finish()
}

fn write_range(range: &Range, writer: &mut Writer) -> Result<(), Error> {
    let mut repeats = range.repeats.iter().peekable();
    let mut place = 0;
    for (&digest, documents) in range.digests.iter().zip(range.lists()) {
        for &document in documents {
            let repeat = repeats.next_if(|(at, _)| *at == place);
            writer.push(digest, document, repeat.map_or(1, |(_, count)| *count))?;
            place += 1;
        }
    }
    Ok(())
}
