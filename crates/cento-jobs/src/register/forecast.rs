//! What registering documents will take.

use super::list::{Common, Item, from_manifest, from_paths};
use super::{COMMIT_AT, Options};
use crate::documents::Reader;
use crate::error::Result;
use crate::estimate::Sample;
use crate::plan::{Disk, Forecast};
use crate::watch::Watch;

/// A posting in a segment that is not compacted yet.
const POSTING: u64 = 6;
/// A document in the catalogue.
const DOCUMENT: u64 = 400;

/// What a run will take.
pub(crate) fn forecast(options: &Options, watch: &Watch<'_>) -> Result<Forecast> {
    let place = options.registry.place_to_read(watch)?;
    let snapshot = place.snapshot()?;
    let (recipe, key) = (&snapshot.settings().recipe, snapshot.prepare().key());
    let common = Common::of(options)?;
    let reader = Reader::for_recipes(&options.input, [recipe]);
    let (items, _) = match &options.manifest {
        Some(list) => from_manifest(list, &common)?,
        None => from_paths(&options.paths, &options.given, &common, &reader, watch)?,
    };
    let read = |item: &Item| Some(item.read(&reader).ok()?.content);
    let sample = Sample::of(&items, Item::size, read, recipe, key, watch)?;
    let whole = sample.whole(items.iter().map(Item::size).sum());
    // While segments are merged, the old ones are still there.
    let bytes = 2 * (whole.digests * POSTING + whole.documents * DOCUMENT);
    Ok(Forecast {
        seconds: whole.seconds * 1.5,
        memory: 16 * whole.digests.min(COMMIT_AT) + (200 << 20),
        whole,
        disk: vec![Disk::new("the registry", &place.path, bytes)],
        notes: Vec::new(),
    })
}
