//! Selection among the two views of a program.

use std::num::NonZeroU32;

use crate::digest::Minutia;
use crate::token::{Tokens, is_letter};

/// All chunks of the structure, and of the letters behind it those whose digest is 0 modulo a number.
pub(super) fn select(tokens: &Tokens, minutiae: &[Minutia], modulus: NonZeroU32) -> Vec<usize> {
    let is_kept = |minutia: &Minutia| {
        let first = minutia.chunk.indices().next();
        let is_letter = first.is_some_and(|first| is_letter(tokens.term(first)));
        !is_letter || minutia.digest.0.is_multiple_of(u64::from(modulus.get()))
    };
    let all = minutiae.iter().enumerate();
    all.filter(|(_, minutia)| is_kept(minutia))
        .map(|(position, _)| position)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::{Key, NoCollection, Recipe};

    #[test]
    fn letters_count_for_less() {
        let digests = |selector: &str| {
            let recipe = format!("structure+letters | window:4 | fast:64 | {selector}");
            let recipe: Recipe = recipe.parse().unwrap();
            let program = "while (left < right) { left += step; right -= step; }";
            let found = recipe.fingerprint(program, &Key::PUBLIC, &NoCollection);
            found.digests().len()
        };
        let whole = Recipe::named("structure | window:4 | fast:64 | all").unwrap();
        let program = "while (left < right) { left += step; right -= step; }";
        let structure = whole.fingerprint(program, &Key::PUBLIC, &NoCollection);
        assert!(digests("all") > digests("letters:4"));
        assert!(digests("letters:4") >= structure.digests().len());
    }
}
