//! What a run will take, from a sample of its documents.

use std::path::Path;
use std::time::Instant;

use cento_ingest::{Input, size};

use super::compare::Comparison;
use super::corpus::Corpus;
use super::near::{wants_work, work_folder};
use super::options::{NearDuplicates, Options};
use super::place::DataPlace;
use super::registered::Registered;
use super::streams::is_standard;
use crate::documents::Reader;
use crate::error::{At as _, Error, Result};
use crate::estimate::Sample;
use crate::machine::{free_disk, free_memory};
use crate::plan::{Disk, Forecast, ForecastNote};
use crate::watch::Watch;

/// What a search for near-duplicates will take.
pub(super) struct Needs {
    sample: Sample,
    /// The bytes of the input.
    input: u64,
    /// The memory that it may take.
    limit: u64,
    /// The memory that holds everything.
    all_in_memory: u64,
    /// The memory that the documents take beside their digests, and everything that does not grow.
    of_documents: u64,
    /// The memory that is left for comparing.
    pub(super) table: u64,
    /// The bytes of the work folder, if it needs one.
    work: u64,
    /// How often all documents are gone through.
    passes: u64,
    seconds: f64,
}

/// What a document takes in memory beside its digests: its id, its place, its fate.
const DOCUMENT: u64 = 180;
/// Rows that are being read, and everything that does not grow.
const FIXED: u64 = 160 << 20;
const DIGEST: u64 = 8;
/// Of how many tables some rows are looked at.
const TABLES: usize = 5;

/// What a search for near-duplicates will take, for people.
pub(super) fn forecast(
    options: &Options,
    wanted: &NearDuplicates,
    watch: &Watch<'_>,
) -> Result<Forecast> {
    if options.inputs.iter().any(|input| is_standard(input)) {
        return Err(Error::refused(
            "standard input cannot be planned: it could not be read again; give files",
        ));
    }
    let mut comparison = Comparison::of(options, wanted, watch)?;
    if let Some(path) = &wanted.registry {
        Registered::look(path, wanted, &mut comparison, watch)?;
    }
    let reader = Reader::for_recipes(&options.input, [&comparison.recipe]);
    let corpus = Corpus::find(&options.inputs, comparison.keep.field(), &reader, watch)?;
    corpus.expect_field()?;
    let needs = Needs::of(&corpus, &comparison, wanted.max_memory, watch)?;
    let mut disk = vec![Disk::new(
        "the output, at most",
        &DataPlace::disk(&options.output),
        needs.input,
    )];
    let note = if needs.fits() && !wants_work(options, wanted) {
        ForecastNote::FitsIntoMemory
    } else {
        disk.push(Disk::new("work", &work_folder(options, wanted), needs.work));
        ForecastNote::Passes {
            passes: needs.passes,
            all_in_memory: needs.all_in_memory,
        }
    };
    Ok(Forecast {
        whole: needs.sample.whole(needs.input),
        seconds: needs.seconds,
        memory: needs.all_in_memory.min(needs.limit),
        disk,
        notes: vec![note],
    })
}

impl Needs {
    pub(super) fn of(
        corpus: &Corpus,
        comparison: &Comparison,
        limit: Option<u64>,
        watch: &Watch<'_>,
    ) -> Result<Needs> {
        let sample = sample(corpus, comparison, watch)?;
        let input = corpus.bytes();
        // Without a limit half of what is free, and if nobody knows that, a usual machine.
        let limit = limit.unwrap_or_else(|| free_memory().map_or(2 << 30, |free| free / 2));
        let whole = sample.whole(input);
        let in_table = |digests: u64| scaled(digests * 16, comparison.query.share());
        let of_documents = whole.documents * DOCUMENT + FIXED;
        let all_in_memory = of_documents + whole.digests * DIGEST + in_table(whole.digests);
        let table = limit.saturating_sub(of_documents);
        let passes = in_table(whole.digests).div_ceil(table.max(1)).max(1);
        Ok(Needs {
            input,
            limit,
            all_in_memory,
            of_documents,
            table,
            work: whole.digests * DIGEST + whole.documents * 100,
            passes,
            // Comparing takes about half as long as reading, and each pass a third of that again.
            seconds: whole.seconds * (1.5 + 0.17 * (passes - 1) as f64),
            sample,
        })
    }

    /// Whether everything fits into memory.
    pub(super) fn fits(&self) -> bool {
        self.all_in_memory <= self.limit
    }

    /// Refuses a run that cannot be done: too little memory even for the names of the documents, or
    /// too little disk for the work and the output.
    pub(super) fn expect_possible(&self, work: &Path, output: &Path, fits: bool) -> Result<()> {
        if !fits && self.table < 16 << 20 {
            let least = self.of_documents + (64 << 20);
            let reason = format!(
                "{} is too little for about {} documents; they need at least {}",
                size(self.limit),
                self.sample.whole(self.input).documents,
                size(least)
            );
            return Err(Error::option("max-memory", reason));
        }
        let (place, needed, what) = if fits {
            (output, self.input, "the output")
        } else {
            (work, self.input + self.work, "the work and the output")
        };
        match free_disk(place) {
            Some(free) if free < needed => Err(Error::refused(format!(
                "the run needs about {} there, and {} are free; name another place for {what}",
                size(needed),
                size(free),
            )))
            .at(place.display()),
            _ => Ok(()),
        }
    }
}

/// Reads some files, and some rows of some tables.
fn sample(corpus: &Corpus, comparison: &Comparison, watch: &Watch<'_>) -> Result<Sample> {
    let (recipe, key) = (&comparison.recipe, &comparison.key);
    let read = |input: &Input| Some(input.read().ok()?.content);
    let mut sample = Sample::of(&corpus.files, Input::size, read, recipe, key, watch)?;
    let watch = &watch.silent();
    let step = corpus.tables.len().div_ceil(TABLES).max(1);
    for table in (0..corpus.tables.len()).step_by(step) {
        watch.go_on()?;
        let Ok(mut rows) = corpus.rows(table, 0, watch) else {
            continue;
        };
        let started = Instant::now();
        let digests = |item| comparison.document(item).1.digests().len() as u64;
        if let Some(batch) = rows.next(watch, digests)? {
            let digests: Vec<u64> = batch.items.into_iter().flatten().collect();
            sample.add(batch.bytes, &digests, started.elapsed());
        }
    }
    if comparison.exact {
        // A document has one hash, whatever the recipe makes of files.
        sample.digests = sample.documents;
    }
    Ok(sample)
}

fn scaled(number: u64, share: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate, and a share of a positive number"
    )]
    let scaled = (number as f64 * share) as u64;
    scaled
}
