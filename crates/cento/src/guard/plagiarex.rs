//! The rule of the paper: a host whose pages have one Plagiarex again and again is in a loop
//! (Kellogg, section 5).

use super::{Decision, Limits, Reason, Verdict};
use crate::{Digest, Key, NoCollection, Recipe};

/// Makes the Plagiarex of a page.
pub(super) struct Plagiarex(Recipe);

impl Plagiarex {
    pub(super) fn new() -> Plagiarex {
        Plagiarex(Recipe::named("plagiarex").expect("a preset"))
    }

    /// `None` for a page without words in lower case.
    pub(super) fn of(&self, text: &str) -> Option<Digest> {
        let fingerprint = self.0.fingerprint(text, &Key::PUBLIC, &NoCollection);
        fingerprint.digests().first().copied()
    }
}

/// How often a host has given each Plagiarex lately.
#[derive(Default)]
pub(super) struct Repeats {
    pages: u64,
    /// The newest last.
    counts: Vec<(Digest, u32)>,
}

/// So many are remembered.
const KEPT: usize = 256;

impl Repeats {
    pub(super) const BYTES: usize = size_of::<Repeats>() + 2 * KEPT * size_of::<(Digest, u32)>();

    pub(super) fn see(&mut self, plagiarex: Option<Digest>, limits: &Limits) -> Verdict {
        self.pages += 1;
        if let Some(most) = limits.pages_per_host
            && self.pages > most.get()
        {
            return Verdict::stop(Reason::Budget { pages: most.get() });
        }
        let go = |reason| Verdict {
            decision: Decision::Go,
            reason,
        };
        let Some(plagiarex) = plagiarex else {
            return go(Reason::NoText);
        };
        let known = self.counts.iter().position(|(one, _)| *one == plagiarex);
        let pages = known
            .map_or(0, |at| self.counts.remove(at).1)
            .saturating_add(1);
        if self.counts.len() == KEPT {
            self.counts.remove(0);
        }
        self.counts.push((plagiarex, pages));
        match pages {
            1 => go(Reason::New),
            _ if pages >= limits.patience.get() => Verdict::stop(Reason::SamePlagiarex { pages }),
            _ => go(Reason::NothingNew),
        }
    }
}
