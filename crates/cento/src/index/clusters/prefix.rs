//! Which digests of a document have to be looked at so that nobody alike is missed.
//!
//! Two documents at or above the threshold share a known least number of digests. If the digests of
//! all documents stand in one order, the same for all, then such a pair already meets among the
//! first few of each: in as many as a document has, less that number, plus one. The order is: first
//! the digests that few documents have, then the frequent ones; so text that most documents have is
//! hardly ever looked at. Which digests count as frequent is a guess from a sample. It decides how
//! long the search takes, and never what it finds.
//!
//! A measure of containment allows a small document in a large one, of which then nothing may be left
//! out. Instead, documents leave their frequent digests *aside* as long as enough others remain: two
//! documents meet wherever one of them did not leave the digest aside.
//!
//! With sketches none of this holds: documents meet by the keys of their sketches, and some never do.

use super::store::{DigestStore, ReadBuffer};
use crate::digest::Digest;
use crate::error::Error;
use crate::measure::{Overlap, SetMeasure};
use crate::number::index32;
use crate::sketch::Sketcher;
use crate::watch::Watch;

/// Digests that many documents have.
pub(super) struct Frequent {
    sorted: Vec<Digest>,
    /// A bit for each value of the lowest bits that a frequent digest has: most digests have none.
    hints: Vec<u64>,
}

const HINT_BITS: u32 = 20;

impl Frequent {
    /// Looks at about this many digests.
    pub(super) const SAMPLE: u64 = 4 << 20;
    /// Frequent is what about this many documents have.
    const DOCUMENTS: u64 = 128;
    /// And surely so many of the sample.
    const AT_LEAST: usize = 3;

    /// The frequent digests, from every so-manieth document.
    pub(super) fn sampled(store: &DigestStore, watch: Watch<'_>) -> Result<Frequent, Error> {
        let step = store.total() / Frequent::SAMPLE + 1;
        let mut sample = Vec::new();
        let mut buffer = ReadBuffer::default();
        let documents = index32(store.sizes().len());
        for document in (0..documents).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
            watch.go_on()?;
            sample.extend_from_slice(store.digests(document, &mut buffer)?);
        }
        crate::sort::sort(&mut sample);
        let least = Frequent::least(step);
        let runs = sample.chunk_by(|left, right| left == right);
        let runs = runs.filter(|run| run.len() >= least);
        Ok(Frequent::of(runs.map(|run| run[0]).collect()))
    }

    /// How many documents of a sample, of which every so-manieth is one, have a frequent digest.
    pub(super) fn least(step: u64) -> usize {
        let least = usize::try_from(Frequent::DOCUMENTS / step).unwrap_or(usize::MAX);
        least.max(Frequent::AT_LEAST)
    }

    /// These digests, which are sorted.
    pub(super) fn of(sorted: Vec<Digest>) -> Frequent {
        let mut hints = vec![0; 1 << (HINT_BITS - 6)];
        for digest in &sorted {
            let (word, bit) = hint(*digest);
            hints[word] |= bit;
        }
        Frequent { sorted, hints }
    }

    fn contains(&self, digest: Digest) -> bool {
        let (word, bit) = hint(digest);
        self.hints[word] & bit != 0 && self.sorted.binary_search(&digest).is_ok()
    }
}

fn hint(digest: Digest) -> (usize, u64) {
    let low = digest.0 & ((1 << HINT_BITS) - 1);
    let word = usize::try_from(low >> 6).expect("a few bits");
    (word, 1 << (low & 63))
}

/// What of a document is looked at.
#[derive(Default)]
pub(super) struct Prefix {
    /// Digests at which it meets everybody.
    pub(super) near: Vec<Digest>,
    /// Digests at which it meets only those that have them near.
    pub(super) aside: Vec<Digest>,
    /// How many more digests it may share with another one than they have met at.
    pub(super) rest: u32,
    /// Whether others may have left digests aside.
    pub(super) rest_is_aside: bool,
}

/// When documents are alike, and which of their digests have to be looked at for that.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub(super) measure: SetMeasure,
    pub(super) at_least: f64,
    pub(super) sketcher: Option<Sketcher>,
}

impl Rule {
    /// The most digests that are looked at of a document of this size.
    pub(super) fn most(self, size: u32) -> u32 {
        if let Some(sketcher) = self.sketcher {
            return sketcher.bands.bands;
        }
        match self.measure {
            SetMeasure::Resemblance => rest_of(size, self.at_least),
            SetMeasure::Symmetric => rest_of(size, self.at_least / (2.0 - self.at_least)),
            SetMeasure::Containment | SetMeasure::MaxContainment => size,
        }
    }

    /// What of a document is looked at.
    pub(super) fn prefix(self, digests: &[Digest], frequent: &Frequent, prefix: &mut Prefix) {
        let size = index32(digests.len());
        prefix.near.clear();
        prefix.aside.clear();
        if let Some(sketcher) = self.sketcher {
            prefix.near.extend(sketcher.sketch(digests).keys());
            prefix.rest = size;
            prefix.rest_is_aside = false;
            return;
        }
        match self.measure {
            SetMeasure::Resemblance | SetMeasure::Symmetric => {
                let most = self.most(size);
                prefix.take(digests, frequent, most as usize);
                prefix.fill_up(most as usize);
                prefix.aside.clear();
                prefix.rest = size - most;
                prefix.rest_is_aside = false;
            }
            SetMeasure::Containment | SetMeasure::MaxContainment => {
                prefix.take(digests, frequent, digests.len());
                prefix.fill_up(rest_of(size, self.at_least) as usize);
                prefix.rest = index32(prefix.aside.len());
                prefix.rest_is_aside = true;
            }
        }
    }

    /// Whether two documents that met at so many digests may be alike.
    pub(super) fn may_be_alike(self, met: u32, sizes: [u32; 2], rests: [u32; 2]) -> bool {
        let rest = match self.measure {
            // Beyond where the shorter prefix ends nothing is known.
            SetMeasure::Resemblance | SetMeasure::Symmetric => rests[0].max(rests[1]),
            // What both left aside.
            SetMeasure::Containment | SetMeasure::MaxContainment => rests[0].min(rests[1]),
        };
        self.score(met.saturating_add(rest), sizes) >= self.at_least
    }

    /// How alike two documents are, if they are alike enough.
    pub(super) fn alike(self, left: &[Digest], right: &[Digest]) -> Option<f64> {
        if left == right {
            return (!left.is_empty()).then_some(1.0);
        }
        let sizes = [left, right].map(|side| index32(side.len()));
        let (mut at, mut other, mut shared) = (0, 0, 0);
        while at < left.len() && other < right.len() {
            // Now and then it is seen whether it can still be enough.
            let most = index32((left.len() - at).min(right.len() - other));
            if self.score(shared + most, sizes) < self.at_least {
                return None;
            }
            for _ in 0..256 {
                let (Some(a), Some(b)) = (left.get(at), right.get(other)) else {
                    break;
                };
                shared += u32::from(a == b);
                at += usize::from(a <= b);
                other += usize::from(b <= a);
            }
        }
        let score = self.score(shared, sizes);
        (score >= self.at_least && shared > 0).then_some(score)
    }

    fn score(self, shared: u32, [left, right]: [u32; 2]) -> f64 {
        self.measure.score(Overlap {
            shared: shared.min(left).min(right),
            left,
            right,
        })
    }
}

impl Prefix {
    /// How many entries it makes in a table.
    pub(super) fn entries(&self) -> usize {
        self.near.len() + self.aside.len()
    }

    /// Takes the first digests that are not frequent, and sees the frequent ones among them.
    fn take(&mut self, digests: &[Digest], frequent: &Frequent, most: usize) {
        for digest in digests {
            if self.near.len() == most {
                return;
            }
            if frequent.contains(*digest) {
                self.aside.push(*digest);
            } else {
                self.near.push(*digest);
            }
        }
    }

    /// Takes as many of the frequent ones as are still missing.
    fn fill_up(&mut self, enough: usize) {
        let missing = enough.saturating_sub(self.near.len());
        let taken = missing.min(self.aside.len());
        self.near.extend(self.aside.drain(..taken));
    }
}

/// How many digests of a document must be looked at if it shares at least this part of them.
fn rest_of(size: u32, share: f64) -> u32 {
    // A little less, so that rounding never makes it too much.
    let least = share * f64::from(size) * (1.0 - 1e-9);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the size"
    )]
    let least = (least.ceil() as u32).clamp(1, size.max(1));
    (size + 1).saturating_sub(least).min(size)
}
