//! What a run will take, from a sample of its rows.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use cento::index::ClusterQuery;
use rayon::prelude::*;

use super::choose::Keep;
use super::dataset::{Found, next_batch, row};
use crate::config::Settings;
use crate::estimate::Sample;
use crate::machine::{free_disk, free_memory, size};

/// What a run will take.
pub(super) struct Plan {
    pub(super) sample: Sample,
    /// The bytes of the input.
    pub(super) input: u64,
    /// The memory that it may take.
    pub(super) limit: u64,
    /// The memory that holds everything.
    pub(super) all_in_memory: u64,
    /// The memory that is there for comparing, beside what each document takes.
    pub(super) table: u64,
    /// The bytes of the work folder, if it needs one.
    pub(super) work: u64,
    /// How often all documents are gone through.
    pub(super) passes: u64,
    pub(super) seconds: f64,
}

/// What a document takes in memory beside its digests: its id, its place, its fate.
const DOCUMENT: u64 = 180;
/// Rows that are being read, and everything that does not grow.
const FIXED: u64 = 160 << 20;
const DIGEST: u64 = 8;
/// Of how many tables some rows are looked at.
const TABLES: usize = 5;

impl Plan {
    pub(super) fn of(
        found: &Found,
        keep: &Keep,
        query: &ClusterQuery,
        limit: Option<u64>,
        settings: &Settings,
    ) -> Result<Plan> {
        let sample = sample(found, keep, settings)?;
        let input = found.bytes();
        // Without a limit half of what is free, and if nobody knows that, a usual machine.
        let limit = limit.unwrap_or_else(|| free_memory().map_or(2 << 30, |free| free / 2));
        let whole = sample.whole(input);
        let in_table = |digests: u64| scaled(digests * 16, query.share());
        let of_documents = whole.documents * DOCUMENT + FIXED;
        let all_in_memory = of_documents + whole.digests * DIGEST + in_table(whole.digests);
        let table = limit.saturating_sub(of_documents);
        let passes = in_table(whole.digests).div_ceil(table.max(1)).max(1);
        Ok(Plan {
            input,
            limit,
            all_in_memory,
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
            let least = self.limit - self.table + (64 << 20);
            bail!(
                "--max-memory: {} is too little for about {} documents; it takes {} at least",
                size(self.limit),
                self.sample.whole(self.input).documents,
                size(least)
            );
        }
        let needed = if fits {
            self.input
        } else {
            self.input + self.work
        };
        let place = if fits { output } else { work };
        match free_disk(place) {
            Some(free) if free < needed => bail!(
                "{}: the run needs about {} there, and {} are free; name another place with {}",
                place.display(),
                size(needed),
                size(free),
                if fits { "-o" } else { "--work and -o" }
            ),
            _ => Ok(()),
        }
    }
}

/// Reads some rows of some tables.
fn sample(found: &Found, keep: &Keep, settings: &Settings) -> Result<Sample> {
    let mut sample = Sample::of_paths(&found.others, settings)?;
    let step = found.tables.len().div_ceil(TABLES).max(1);
    for table in found.tables.iter().step_by(step) {
        let Ok(mut records) = table.shard.records(keep.field()) else {
            continue;
        };
        let (batch, bytes) = next_batch(&mut records);
        let started = Instant::now();
        let digests: Vec<u64> = batch
            .into_par_iter()
            .filter_map(|record| row(table, 0, &record.ok()?, keep, settings).ok())
            .map(|(_, fingerprint)| fingerprint.digests().len() as u64)
            .collect();
        sample.add(bytes, &digests, started.elapsed());
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
