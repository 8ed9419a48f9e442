//! What two documents share by their chunks themselves, where a registry has short digests of them.
//!
//! A registry of 24 or 28 bits says that two chunks are equal now and then where they are not, so its
//! scores are too high, never too low. Masaryk, section 4.2: whoever needs exact values computes them for
//! the pairs that such an index has found, once somebody looks at them.

use crate::chunk::Chunker;
use crate::digest::{Digest, Digester, Hash};
use crate::index::registry::Snapshot;
use crate::measure::Overlap;
use crate::recipe::Recipe;
use crate::select::{NoCollection, Selector};

/// As good as the chunks themselves.
const EXACT: u8 = 64;

/// A text, and the set that its document is in.
#[derive(Clone, Copy, Debug)]
pub struct TextOfSet<'t> {
    /// The text.
    pub text: &'t str,
    /// The set.
    pub set: Option<&'t str>,
}

/// Compares texts by the chunks that a registry has short digests of.
pub struct ExactOverlap<'a> {
    snapshot: &'a Snapshot,
    recipe: Recipe,
    /// How many bits of an exact digest are not in the registry's.
    shift: u32,
    /// The digests of templates by the registry's recipe, which count for no document; sorted.
    base: &'a [Digest],
}

impl<'a> ExactOverlap<'a> {
    /// For a registry; none if its recipe looks at more of a chunk's digest than whether it is equal, so
    /// that longer digests would make another method.
    pub fn new(snapshot: &'a Snapshot, base: &'a [Digest]) -> Option<ExactOverlap<'a>> {
        let recipe = &snapshot.settings().recipe;
        let is_cut_off = match recipe.digester.hash {
            Hash::Md5 | Hash::Fast | Hash::Keyed => true,
            Hash::ShiftXor => false,
        };
        let is_plain = recipe.selector == Selector::All
            && matches!(recipe.chunker, Chunker::Window { .. })
            && recipe.passages.is_none();
        // The tokens of programs come from parsers, which are elsewhere.
        if !is_cut_off || !is_plain || recipe.is_for_programs() {
            return None;
        }
        Some(ExactOverlap {
            snapshot,
            shift: u32::from(EXACT).saturating_sub(recipe.digester.index_bits()),
            recipe: Recipe {
                digester: Digester {
                    bits: EXACT,
                    ..recipe.digester
                },
                ..recipe.clone()
            },
            base,
        })
    }

    /// What two texts share.
    pub fn of(&self, left: TextOfSet<'_>, right: TextOfSet<'_>) -> Overlap {
        Overlap::of(&self.digests(left), &self.digests(right))
    }

    /// The exact digests of a text without those that the registry does not count.
    fn digests(&self, of: TextOfSet<'_>) -> Vec<Digest> {
        let key = self.snapshot.prepare().key();
        let exact = self.recipe.fingerprint(of.text, key, &NoCollection);
        let digests = exact.digests().iter().copied();
        let counts = |digest: &Digest| {
            let short = self.snapshot.remembered(Digest(digest.0 >> self.shift));
            self.base.binary_search(&short).is_err() && !self.snapshot.is_ignored(short, of.set)
        };
        digests.filter(counts).collect()
    }
}
