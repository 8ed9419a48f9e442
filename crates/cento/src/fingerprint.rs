//! Minutiae → fingerprint: what is kept of a document.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::digest::{Digest, Minutia};
use crate::measure::Overlap;
use crate::number::index32;
use crate::token::Tokens;

/// A sorted bag of digests, and the recipe that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    recipe: RecipeId,
    /// Sorted, without repetition.
    digests: Vec<Digest>,
    /// Positions in `digests` of those that occur more than once, with how often they do.
    repeats: Vec<(u32, u32)>,
    tokens: u32,
}

/// What two fingerprints must have in common to be compared: a recipe up to its selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipeId(pub(crate) Arc<str>);

impl RecipeId {
    /// The name of a method of your own. Only fingerprints of the same name can be compared.
    pub fn new(name: &str) -> RecipeId {
        RecipeId(Arc::from(name))
    }
}

impl Fingerprint {
    /// The fingerprint of selected minutiae; the way in for a method of your own.
    ///
    /// ```
    /// use cento::chunk::Chunk;
    /// use cento::digest::Minutia;
    /// use cento::token::{Tokenizer, Words};
    /// use cento::{Digest, Fingerprint, RecipeId, overlap};
    ///
    /// // A method that compares which words stand at the ends of sentences.
    /// fn last_words(text: &str) -> Fingerprint {
    ///     let words = Words { fold: true, ..Words::default() };
    ///     let tokens = Tokenizer::Words(words).tokens(text);
    ///     let last = |&index: &u32| {
    ///         let next = (index as usize + 1 < tokens.len()).then(|| tokens.get(index + 1));
    ///         next.is_none_or(|next| next.sentence > tokens.get(index).sentence)
    ///     };
    ///     let minutia = |index: u32| Minutia {
    ///         digest: Digest(tokens.term(index).bytes().fold(0, |sum, byte| 31 * sum + u64::from(byte))),
    ///         chunk: Chunk::Run(index..index + 1),
    ///     };
    ///     let count = u32::try_from(tokens.len()).unwrap();
    ///     let minutiae: Vec<Minutia> = (0..count).filter(last).map(minutia).collect();
    ///     Fingerprint::from_minutiae(RecipeId::new("last words of sentences"), &tokens, &minutiae)
    /// }
    ///
    /// let left = last_words("The cat sat. The dog ran. Nobody saw it.");
    /// let right = last_words("A bird sat. A horse ran.");
    /// assert_eq!(overlap(&left, &right)?.shared, 2);
    /// # Ok::<(), cento::Error>(())
    /// ```
    pub fn from_minutiae(recipe: RecipeId, tokens: &Tokens, kept: &[Minutia]) -> Fingerprint {
        let digests = kept.iter().map(|minutia| minutia.digest).collect();
        Fingerprint::from_digests(recipe, index32(tokens.len()), digests)
    }

    /// The fingerprint of digests in any order, repeated as often as they occur.
    pub fn from_digests(recipe: RecipeId, tokens: u32, mut digests: Vec<Digest>) -> Fingerprint {
        crate::sort::sort(&mut digests);
        let repeats = dedup_counting(&mut digests);
        digests.shrink_to_fit();
        Fingerprint {
            recipe,
            digests,
            repeats,
            tokens,
        }
    }

    /// The same document with other digests, sorted; equal neighbours become one.
    pub(crate) fn with_digests(&self, counted: impl Iterator<Item = (Digest, u32)>) -> Fingerprint {
        let mut digests: Vec<Digest> = Vec::with_capacity(self.digests.len());
        let mut repeats: Vec<(u32, u32)> = Vec::new();
        let mut last_count = 0u32;
        for (digest, count) in counted {
            if digests.last() != Some(&digest) {
                digests.push(digest);
                last_count = 0;
            }
            last_count = last_count.saturating_add(count);
            let place = index32(digests.len() - 1);
            match repeats.last_mut() {
                Some(repeat) if repeat.0 == place => repeat.1 = last_count,
                _ if last_count > 1 => repeats.push((place, last_count)),
                _ => {}
            }
        }
        Fingerprint {
            recipe: self.recipe.clone(),
            digests,
            repeats,
            tokens: self.tokens,
        }
    }

    /// The fingerprint of everything that some passages contain.
    pub fn union(passages: &[Fingerprint]) -> Fingerprint {
        match passages {
            [whole] => whole.clone(),
            [] => Fingerprint::from_digests(RecipeId(Arc::from("")), 0, Vec::new()),
            [first, ..] => {
                let all = passages.iter().flat_map(|passage| passage.digests.clone());
                let tokens = passages.iter().map(|passage| passage.tokens).sum();
                Fingerprint::from_digests(first.recipe.clone(), tokens, all.collect())
            }
        }
    }

    /// The recipe that made it, up to the selector.
    pub fn recipe(&self) -> &RecipeId {
        &self.recipe
    }

    /// The distinct digests, sorted.
    pub fn digests(&self) -> &[Digest] {
        &self.digests
    }

    /// The distinct digests, sorted, with how often each occurs.
    pub fn counted(&self) -> impl Iterator<Item = (Digest, u32)> {
        let mut repeats = self.repeats.iter().peekable();
        self.digests
            .iter()
            .enumerate()
            .map(move |(position, &digest)| {
                let count = repeats
                    .next_if(|(at, _)| *at as usize == position)
                    .map_or(1, |r| r.1);
                (digest, count)
            })
    }

    /// The distinct digests from `first` to `last`, and the position of the first of them.
    pub(crate) fn between(&self, first: Digest, last: Digest) -> (usize, &[Digest]) {
        let start = crate::sort::lower_bound(&self.digests, first);
        let end = match last.0.checked_add(1) {
            Some(next) => crate::sort::lower_bound(&self.digests, Digest(next)),
            None => self.digests.len(),
        };
        (start, &self.digests[start..end])
    }

    /// The positions in a range that occur more than once, with how often they do.
    pub(crate) fn repeats_in(&self, positions: Range<usize>) -> impl Iterator<Item = (usize, u32)> {
        let start = self
            .repeats
            .partition_point(|&(at, _)| (at as usize) < positions.start);
        let within = move |&(at, count): &(u32, u32)| {
            let at = at as usize;
            (at < positions.end).then_some((at, count))
        };
        self.repeats[start..].iter().map_while(within)
    }

    /// What it shares with another one of the same recipe.
    pub(crate) fn overlap(&self, other: &Fingerprint) -> Overlap {
        Overlap::of(&self.digests, &other.digests)
    }

    /// Takes its digests away; the number of tokens is left.
    pub(crate) fn take(&mut self) -> Fingerprint {
        let emptied = Fingerprint {
            recipe: self.recipe.clone(),
            digests: Vec::new(),
            repeats: Vec::new(),
            tokens: self.tokens,
        };
        std::mem::replace(self, emptied)
    }

    pub(crate) fn into_digests(self) -> Vec<Digest> {
        self.digests
    }

    /// How many tokens the document has.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Takes away what another fingerprint has: template text that should not count.
    pub fn subtract(&mut self, template: &Fingerprint) {
        self.leave_out(&template.digests);
    }

    /// Takes away sorted digests that should not count.
    pub(crate) fn leave_out(&mut self, digests: &[Digest]) {
        let mut others = digests.iter().peekable();
        let mut is_template = |digest: Digest| {
            while others.next_if(|&&other| other < digest).is_some() {}
            others.peek().is_some_and(|&&other| other == digest)
        };
        *self = self.with_digests(self.counted().filter(|&(digest, _)| !is_template(digest)));
    }
}

impl fmt::Display for RecipeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Removes repetitions from sorted digests; says which ones were repeated, and how often.
fn dedup_counting(digests: &mut Vec<Digest>) -> Vec<(u32, u32)> {
    let mut repeats: Vec<(u32, u32)> = Vec::new();
    let mut kept = 0;
    for position in 0..digests.len() {
        let digest = digests[position];
        if kept > 0 && digests[kept - 1] == digest {
            let at = index32(kept - 1);
            match repeats.last_mut() {
                Some((last, count)) if *last == at => *count += 1,
                _ => repeats.push((at, 2)),
            }
        } else {
            digests[kept] = digest;
            kept += 1;
        }
    }
    digests.truncate(kept);
    repeats
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(digests: &[u64]) -> Fingerprint {
        let digests = digests.iter().copied().map(Digest).collect();
        Fingerprint::from_digests(RecipeId("test".into()), 9, digests)
    }

    #[test]
    fn a_sorted_bag() {
        let fingerprint = of(&[5, 3, 5, 9, 3, 5]);
        let counted: Vec<(u64, u32)> = fingerprint.counted().map(|(d, n)| (d.0, n)).collect();
        assert_eq!(counted, [(3, 2), (5, 3), (9, 1)]);
        assert_eq!(fingerprint.digests().len(), 3);
    }

    #[test]
    fn a_template_is_taken_away() {
        let mut fingerprint = of(&[5, 3, 5, 9, 3, 11, 11]);
        fingerprint.subtract(&of(&[1, 3, 9, 10]));
        assert_eq!(fingerprint, of(&[5, 5, 11, 11]));
    }
}
