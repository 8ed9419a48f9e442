//! Segments of an index: damage is refused or gives a wrong answer, nothing worse.
//!
//! The bodies are asked without their checksums having been compared, and half of the headers get
//! the right one. Whole files with right checksums are forged in the library's own tests.

use std::hash::Hasher as _;
use std::path::Path;

use cento::Watch;
use cento::index::DocId;
use cento::index::segment::{Counter, Removed, Schema, Segment, build, consecutive, merge};
use cento::{Digest, Error, Fingerprint, Recipe};

use super::{Seed, Target, holds};

const OLD: &[u8] = include_bytes!("../../../crates/cento/tests/compat/segment-1.cento");
/// Bytes of a header that its last eight are the checksum of.
const CHECKED: usize = 160;

pub(super) fn target() -> Target {
    let mut seeds = vec![Seed::new("segment-1.cento", OLD)];
    seeds.extend(
        [0, 1, 40].map(|documents| Seed::new(format!("{documents}.cento"), made(documents))),
    );
    Target {
        name: "segments",
        seeds,
        check,
    }
}

/// A segment of so many documents that share some of their digests.
#[expect(
    clippy::unwrap_used,
    reason = "without its inputs there is nothing to do"
)]
fn made(documents: u32) -> Vec<u8> {
    let recipe: Recipe = "words+fold | window:5 | md5:52 | all".parse().unwrap();
    let schema = Schema::new(&recipe, 44).unwrap();
    let document = |number: u32| {
        let digest =
            |n: u32| u64::from(number / 2 * 10 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12;
        let mut digests: Vec<Digest> = (0..30).map(|n| Digest(digest(n))).collect();
        digests.extend(std::iter::repeat_n(
            Digest(digest(3)),
            200 * number as usize,
        ));
        Fingerprint::from_digests(recipe.id(), 300, digests)
    };
    let fingerprints: Vec<Fingerprint> = (0..documents).map(document).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new");
    build(
        &path,
        &schema,
        &fingerprints.iter().collect::<Vec<_>>(),
        Watch::NOBODY,
    )
    .unwrap();
    std::fs::read(path).unwrap()
}

fn check(_: &str, input: &[u8]) -> Result<(), String> {
    open(input.to_vec())?;
    let mut repaired = input.to_vec();
    if let Some((header, sum)) = repaired.split_at_mut_checked(CHECKED)
        && let Some(sum) = sum.first_chunk_mut::<8>()
    {
        let mut hasher = twox_hash::XxHash3_64::with_seed(0);
        hasher.write(header);
        *sum = hasher.finish().to_le_bytes();
        return open(repaired);
    }
    Ok(())
}

fn open(bytes: Vec<u8>) -> Result<(), String> {
    match Segment::from_bytes(Path::new("fuzzed"), bytes) {
        Ok(segment) => ask(&segment),
        Err(Error::Format { reason, .. }) => holds(!reason.is_empty(), || "no reason".to_owned()),
        Err(other) => Err(format!("refused with {other}")),
    }
}

/// Asks everything of a segment that it can be asked.
fn ask(segment: &Segment) -> Result<(), String> {
    let mut digests = Vec::new();
    let mut lists = segment.lists();
    while let Ok(Some(list)) = lists.next_list() {
        digests.push(list.digest);
    }
    digests.extend((0..50).map(|n: u64| Digest(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12)));
    digests.extend([0, 1, u64::MAX, 1 << 51].map(Digest));
    digests.sort_unstable();
    for &digest in &digests {
        let _ = segment.postings_of(digest);
        let _ = segment.documents_with(digest);
    }
    let mut room = Counter::default();
    if let Ok(found) = segment.find(&digests) {
        let _ = segment.visit(&found, &Removed::NONE, &mut room, |_, _| ());
        let removed = [DocId(1)].into_iter().collect();
        let _ = segment.live_documents_with(&found, &removed, &mut room);
    }
    if segment.check(Watch::NOBODY).is_err() {
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let sources = consecutive(&[(segment, &Removed::NONE)]);
    let merged = merge(
        &folder.path().join("merged"),
        segment.schema(),
        &sources,
        Watch::NOBODY,
    );
    holds(merged.is_ok(), || {
        "what is sound cannot be merged".to_owned()
    })
}
