//! What a large input will be like, from a few documents of it.

use std::time::{Duration, Instant};

use cento::{Key, NoCollection, Recipe};
use rayon::prelude::*;

use crate::error::Result;
use crate::watch::Watch;

/// A few documents, or what all of them will be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// Bytes of the files that they came from.
    pub(crate) bytes: u64,
    pub(crate) documents: u64,
    pub(crate) digests: u64,
    /// How long it took to read them and to take their fingerprints, on all threads.
    pub(crate) seconds: f64,
}

/// How many files are looked at, and how many bytes of them.
const FILES: usize = 64;
const BYTES: u64 = 32 << 20;

impl Sample {
    /// Some of these documents.
    pub(crate) fn of<T: Sync>(
        all: &[T],
        size: impl Fn(&T) -> u64 + Sync,
        read: impl Fn(&T) -> Option<String> + Sync,
        recipe: &Recipe,
        key: &Key,
        watch: &Watch<'_>,
    ) -> Result<Sample> {
        let mut left = BYTES;
        let some = all.iter().step_by(all.len().div_ceil(FILES).max(1));
        let some = some.take_while(|one| {
            let fits = left > 0;
            left = left.saturating_sub(size(one));
            fits
        });
        let some: Vec<&T> = some.collect();
        let started = Instant::now();
        let read = some.par_iter().map(|one| {
            watch.go_on()?;
            Ok(read(one).map(|text| {
                let fingerprint = recipe.fingerprint(&text, key, &NoCollection);
                (size(one), fingerprint.digests().len() as u64)
            }))
        });
        let read: Vec<Option<(u64, u64)>> = read.collect::<Result<_>>()?;
        let (sizes, digests): (Vec<u64>, Vec<u64>) = read.into_iter().flatten().unzip();
        let mut sample = Sample::default();
        sample.add(sizes.iter().sum(), &digests, started.elapsed());
        Ok(sample)
    }

    /// More documents.
    pub(crate) fn add(&mut self, bytes: u64, digests: &[u64], time: Duration) {
        self.bytes += bytes;
        self.documents += digests.len() as u64;
        self.digests += digests.iter().sum::<u64>();
        self.seconds += time.as_secs_f64();
    }

    /// What so many bytes of input will be.
    pub(crate) fn whole(&self, bytes: u64) -> Sample {
        let times = bytes as f64 / self.bytes.max(1) as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an estimate of positive numbers"
        )]
        let scaled = |number: u64| (number as f64 * times).ceil() as u64;
        Sample {
            bytes,
            documents: scaled(self.documents),
            digests: scaled(self.digests),
            seconds: self.seconds * times,
        }
    }
}
