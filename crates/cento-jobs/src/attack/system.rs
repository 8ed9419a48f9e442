//! A recipe with its keys, and what it makes of the documents.

use cento::chunk::Chunk;
use cento::discount::Discounts;
use cento::token::{Content, Tokenizer, Words};
use cento::{
    Counts, Document, Fingerprint, Frequencies as _, Key, Measure, NoCollection, Recipe,
    ScanSettings, SetMeasure, Shared, Side, overlap,
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
    /// How many originals have what, for programs, which are scored by what is rare among them.
    rarity: Option<Counts>,
}

impl System<'_> {
    fn fingerprint(&self, content: &Content) -> Fingerprint {
        self.recipe.fingerprint(content, &self.key, &self.counts)
    }

    /// The score of an original and its copy by the recipe's own measure, as `scan` has it in a
    /// collection of the originals and this copy.
    fn score(&self, original: &Fingerprint, copy: &Fingerprint) -> Result<Option<f64>> {
        let Some(rarity) = &self.rarity else {
            return Ok(None);
        };
        let measure = self.recipe.measure();
        if let Some(measure) = measure.of_sets() {
            return Ok(Some(measure.score(overlap(original, copy)?)));
        }
        let share = |query: &Fingerprint, document: &Fingerprint| {
            let [own, score] = [query, document].map(|document| {
                let sum = sum(measure, query, document, copy, rarity);
                measure.finish(sum, &Side::of(query), &Side::of(document))
            });
            if own > 0.0 { score / own } else { 0.0 }
        };
        Ok(Some(share(original, copy).max(share(copy, original))))
    }
}

/// What the digests that a query shares with a document add up to, in a collection of the documents
/// that are counted and the copy.
fn sum(
    measure: Measure,
    query: &Fingerprint,
    document: &Fingerprint,
    copy: &Fingerprint,
    counts: &Counts,
) -> f64 {
    let mut there = document.counted().peekable();
    let mut sum = 0.0;
    for (digest, in_query) in query.counted() {
        while there.next_if(|(other, _)| *other < digest).is_some() {}
        if let Some((_, in_document)) = there.next_if(|(other, _)| *other == digest) {
            let in_copy = copy.digests().binary_search(&digest).is_ok();
            let shared = Shared {
                in_query,
                in_document,
                documents_with: counts.documents_with(digest) + u32::from(in_copy),
            };
            sum += measure.term(&shared, counts.documents() + 1);
        }
    }
    sum
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
            rarity: None,
        };
        let fingerprint = |original: &Original| {
            watch.go_on()?;
            Ok(system.fingerprint(&original.content))
        };
        let fingerprints = originals.par_iter().map(fingerprint);
        system.originals = fingerprints.collect::<Result<_>>()?;
        if originals.iter().any(|original| original.program.is_some()) {
            let mut rarity = Counts::default();
            for fingerprint in &system.originals {
                rarity.add(fingerprint);
            }
            system.rarity = Some(rarity);
        }
        Ok(system)
    };
    (0..keys).map(system).collect()
}

fn count(originals: &[Original], counted: &Recipe, key: &Key, watch: &Watch<'_>) -> Result<Counts> {
    let mut counts = Counts::default();
    for original in originals {
        watch.go_on()?;
        counts.add(&counted.fingerprint(&original.content, key, &NoCollection));
    }
    Ok(counts)
}

pub(super) fn is_empty(fingerprint: &Fingerprint) -> bool {
    fingerprint.digests().is_empty()
}

/// What an attack leaves of a document, over all keys.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    /// How many originals there were something left of: documents times keys.
    pub(super) measured: usize,
    /// The sum of S1,
    pub(super) s1: f64,
    /// that of S3,
    pub(super) s3: f64,
    /// and that of the scores by the recipe's own measure, for programs.
    pub(super) score: f64,
    /// Whether the attack found nothing in the program that it could touch.
    pub(super) untouched: usize,
    /// Under how many keys S3 is below the threshold, or the score of a program,
    pub(super) below: usize,
    /// and under how many although the mean of all keys is not: the attack succeeds there.
    pub(super) successes: usize,
}

impl Left {
    pub(super) fn add(self, other: Left) -> Left {
        Left {
            measured: self.measured + other.measured,
            s1: self.s1 + other.s1,
            s3: self.s3 + other.s3,
            score: self.score + other.score,
            untouched: self.untouched + other.untouched,
            below: self.below + other.below,
            successes: self.successes + other.successes,
        }
    }
}

/// What is left under the keys. An empty original has nothing that could be left.
pub(super) fn left_of(
    systems: &[System<'_>],
    number: usize,
    attacked: &Content,
    threshold: f64,
    watch: &Watch<'_>,
) -> Result<Left> {
    let mut left = Left::default();
    let mut found_by = Vec::with_capacity(systems.len());
    for system in systems {
        watch.go_on()?;
        let original = &system.originals[number];
        if !is_empty(original) {
            let copy = system.fingerprint(attacked);
            let shared = overlap(original, &copy)?;
            let score = system.score(original, &copy)?;
            let s3 = SetMeasure::MaxContainment.score(shared);
            left.score += score.unwrap_or(0.0);
            left.s3 += s3;
            found_by.push(score.unwrap_or(s3));
            left.s1 += SetMeasure::Resemblance.score(shared);
        }
    }
    left.measured = found_by.len();
    left.below = found_by.iter().filter(|by| **by < threshold).count();
    // The paper's attack similarity, which says whether the copy still resembles its original.
    let mean = found_by.iter().sum::<f64>() / found_by.len() as f64;
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
            Ok(spans(&original.content, system))
        })
        .collect::<Result<_>>()?;
    let (sum, count) = spans
        .iter()
        .fold((0, 0), |(sum, count), (s, n)| (sum + s, count + n));
    Ok(sum as f64 / count.max(1) as f64)
}

/// The sum of these distances, and how many there are.
fn spans(content: &Content, system: &System<'_>) -> (u64, u64) {
    let tokens = system.recipe.tokenizer.tokens(content);
    let words = Tokenizer::Words(Words::default()).tokens(content.text.as_str());
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

/// The highest score between different documents, which an attack must stay above to be found; and
/// whose it is.
pub(super) fn nearest(
    originals: &[Original],
    systems: &[System<'_>],
    measure: Measure,
    watch: &Watch<'_>,
) -> Result<(f64, Option<[String; 2]>)> {
    let mut highest = 0.0;
    let mut nearest = None;
    for system in systems {
        let documents = originals.iter().zip(&system.originals);
        let documents = documents.map(|(original, fingerprint)| {
            let tokens = fingerprint.tokens().into();
            Document::new(&original.id, tokens, fingerprint.clone())
        });
        let documents = documents.collect();
        let settings = ScanSettings {
            recipe: system.recipe.clone(),
            measure,
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
