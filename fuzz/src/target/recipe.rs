//! Recipes: what parses prints, and what is printed parses to the same.

use cento::{Key, NoCollection, PRESETS, Recipe};

use super::{Seed, Target, holds};

pub(super) fn target() -> Target {
    let named = PRESETS
        .iter()
        .map(|preset| Seed::new(preset.name.as_ref(), preset.name.as_bytes()));
    let written = PRESETS
        .iter()
        .map(|preset| Seed::new(preset.name.as_ref(), preset.text.as_bytes()));
    Target {
        name: "recipes",
        seeds: written.chain(named).collect(),
        check,
    }
}

fn check(_: &str, input: &[u8]) -> Result<(), String> {
    let Ok(recipe) = Recipe::named(&String::from_utf8_lossy(input)) else {
        return Ok(());
    };
    let text = recipe.to_string();
    let again: Recipe = text
        .parse()
        .map_err(|error| format!("{text} is printed and does not parse: {error}"))?;
    holds(again == recipe, || format!("{text} is read as {again}"))?;
    // Whatever it says, it makes a fingerprint of a text.
    let words = "It chose the water, although the pipe was cheaper: a pipe gives nobody a seat.";
    let fingerprint = recipe.fingerprint(words, &Key::PUBLIC, &NoCollection);
    holds(*fingerprint.recipe() == recipe.id(), || {
        format!("{text} has another id than its fingerprints")
    })
}
