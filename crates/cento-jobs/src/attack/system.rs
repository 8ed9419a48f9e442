//! A recipe with its keys, and what it makes of the documents.

use cento::chunk::Chunk;
use cento::discount::Discounts;
use cento::token::{Tokenizer, Words};
use cento::{
    Counts, Document, Fingerprint, Key, Measure, NoCollection, Recipe, ScanSettings, SetMeasure,
    overlap,
};
use rayon::prelude::*;

use super::Original;
use crate::error::Result;
use crate::method::Method;
use crate::watch::{Step, Watch};

/// A recipe with one of its keys, and the fingerprints of the originals.
pub(super) struct System<'m> {
    recipe: &'m Recipe,
    key: Key,
    counts: Option<Counts>,
    pub(super) originals: Vec<Fingerprint>,
}

impl System<'_> {
    fn fingerprint(&self, text: &str) -> Fingerprint {
        self.recipe.fingerprint(text, &self.key, &self.counts)
    }
}

/// The recipe with the key that was given and with others that follow from their number; with one
/// key if it has no use for any.
pub(super) fn systems<'m>(
    method: &'m Method,
    keys: u32,
    originals: &[Original],
    watch: &Watch<'_>,
) -> Result<Vec<System<'m>>> {
    let recipe = &method.recipe;
    let keys = if recipe.is_keyed() { keys } else { 1 };
    let system = |number: u32| {
        let key = match number {
            0 => method.key.clone(),
            _ => Key::new(u128::from(number).to_be_bytes()),
        };
        let counts = match recipe.counted() {
            Some(counted) => Some(count(originals, &counted, &key, watch)?),
            None => None,
        };
        let mut system = System {
            recipe,
            key,
            counts,
            originals: Vec::new(),
        };
        let fingerprint = |original: &Original| {
            watch.go_on()?;
            Ok(system.fingerprint(&original.text))
        };
        let fingerprints = originals.par_iter().map(fingerprint);
        system.originals = fingerprints.collect::<Result<_>>()?;
        Ok(system)
    };
    (0..keys).map(system).collect()
}

fn count(originals: &[Original], counted: &Recipe, key: &Key, watch: &Watch<'_>) -> Result<Counts> {
    let mut counts = Counts::default();
    for original in originals {
        watch.go_on()?;
        counts.add(&counted.fingerprint(&original.text, key, &NoCollection));
    }
    Ok(counts)
}

pub(super) fn is_empty(fingerprint: &Fingerprint) -> bool {
    fingerprint.digests().is_empty()
}

/// What an attack leaves of a document, over all keys.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    /// The sum of S1,
    pub(super) s1: f64,
    /// and that of S3.
    pub(super) s3: f64,
    /// Under how many keys S3 is below the threshold,
    pub(super) below: usize,
    /// and under how many although the mean of all keys is not: the attack succeeds there.
    pub(super) successes: usize,
}

impl Left {
    pub(super) fn add(self, other: Left) -> Left {
        Left {
            s1: self.s1 + other.s1,
            s3: self.s3 + other.s3,
            below: self.below + other.below,
            successes: self.successes + other.successes,
        }
    }
}

/// What is left under the keys. An empty original has nothing that could be left.
pub(super) fn left_of(
    systems: &[System<'_>],
    number: usize,
    attacked: &str,
    threshold: f64,
    watch: &Watch<'_>,
) -> Result<Left> {
    let mut left = Left::default();
    let mut measured = Vec::with_capacity(systems.len());
    for system in systems {
        watch.go_on()?;
        let original = &system.originals[number];
        if !is_empty(original) {
            let shared = overlap(original, &system.fingerprint(attacked))?;
            left.s1 += SetMeasure::Resemblance.score(shared);
            measured.push(SetMeasure::MaxContainment.score(shared));
        }
    }
    left.s3 = measured.iter().sum();
    left.below = measured.iter().filter(|s3| **s3 < threshold).count();
    // The paper's attack similarity, which says whether the copy still resembles its original.
    let mean = left.s3 / measured.len() as f64;
    if mean >= threshold {
        left.successes = left.below;
    }
    Ok(left)
}

/// How many words of the text lie between the first and the last token of a chunk, on average.
pub(super) fn mean_span(
    originals: &[Original],
    system: &System<'_>,
    watch: &Watch<'_>,
) -> Result<f64> {
    let spans: Vec<(u64, u64)> = originals
        .par_iter()
        .map(|original| {
            watch.go_on()?;
            Ok(spans(&original.text, system))
        })
        .collect::<Result<_>>()?;
    let (sum, count) = spans
        .iter()
        .fold((0, 0), |(sum, count), (s, n)| (sum + s, count + n));
    Ok(sum as f64 / count.max(1) as f64)
}

/// The sum of these distances, and how many there are.
fn spans(text: &str, system: &System<'_>) -> (u64, u64) {
    let tokens = system.recipe.tokenizer.tokens(text);
    let words = Tokenizer::Words(Words::default()).tokens(text);
    let starts: Vec<u32> = (0..)
        .zip(words.terms())
        .map(|(word, _)| words.get(word).source.start)
        .collect();
    let place = |token: u32| {
        starts.partition_point(|start| *start <= tokens.get(token).source.start) as u64
    };
    let chunker = &system.recipe.chunker;
    let chunks = chunker.chunks(&tokens, &system.key, &NoCollection);
    let span = |chunk: &Chunk| {
        let last = chunk.indices().last().unwrap_or(chunk.first());
        place(last).abs_diff(place(chunk.first()))
    };
    (chunks.iter().map(span).sum(), chunks.len() as u64)
}

/// The highest S3 between different documents, which an attack must stay above to be found; and
/// whose it is.
pub(super) fn nearest(
    originals: &[Original],
    systems: Vec<System<'_>>,
    watch: &Watch<'_>,
) -> Result<(f64, Option<[String; 2]>)> {
    let mut highest = 0.0;
    let mut nearest = None;
    for system in systems {
        let documents = originals.iter().zip(system.originals);
        let documents = documents.map(|(original, fingerprint)| {
            Document::new(&original.id, fingerprint.tokens().into(), fingerprint)
        });
        let documents = documents.collect();
        let settings = ScanSettings {
            recipe: system.recipe.clone(),
            measure: Measure::MaxContainment,
            threshold: 0.0,
            left_out: Discounts::default(),
            ..ScanSettings::default()
        };
        let report = watch.during(Step::Comparing, |watch| {
            cento::scan(documents, &settings, None, watch)
        })?;
        for pair in report.pairs {
            if pair.score > highest {
                highest = pair.score;
                nearest = Some([pair.left, pair.right]);
            }
        }
    }
    Ok((highest, nearest))
}
