//! `cento recipes`: what methods there are.

use std::fmt::Write as _;

use anyhow::Result;
use cento::select::{DEFAULT_ANCHORS, Selector};
use cento::style::Style;
use cento::{Measure, PRESETS, Preset, Recipe, style};
use serde_json::json;

use crate::args::RecipesArgs;
use crate::{Outcome, output};

pub(crate) fn run(args: &RecipesArgs) -> Result<Outcome> {
    let presets = match &args.name {
        Some(name) => vec![named(name).ok_or_else(|| unknown(name))?],
        None => PRESETS.iter().chain(&style::PRESETS).cloned().collect(),
    };
    let text = if args.json {
        let list: Vec<_> = presets.iter().map(as_json).collect();
        format!("{}\n", serde_json::to_string_pretty(&list)?)
    } else if args.name.is_some() {
        presets.iter().map(page).collect()
    } else {
        list(&presets)
    };
    output::result(&text)?;
    Ok(Outcome::Done)
}

fn named(name: &str) -> Option<Preset> {
    let mut styles = style::PRESETS.iter();
    Preset::named(name).or_else(|| styles.find(|preset| preset.name == name).cloned())
}

/// The error that every verb gives for a name that is no recipe's.
fn unknown(name: &str) -> anyhow::Error {
    match Recipe::named(name) {
        Err(error) => error.into(),
        Ok(_) => anyhow::anyhow!("`{name}` is a text form, not the name of a recipe"),
    }
}

fn as_json(preset: &Preset) -> serde_json::Value {
    json!({
        "name": preset.name,
        "recipe": preset.text,
        "paper": preset.paper,
        "section": preset.section,
        "measure": preset.measure.map(Measure::name),
        "summary": preset.summary,
    })
}

fn list(presets: &[Preset]) -> String {
    let width = presets
        .iter()
        .map(|preset| preset.name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for preset in presets {
        let _ = writeln!(text, "{:<width$}  {}", preset.name, preset.summary);
    }
    text.push_str(
        "\nplagiarex-N exists for every N, and so do plagiarex-zh-N and the like. `cento recipes NAME` shows one, with its paper.\n",
    );
    text
}

fn page(preset: &Preset) -> String {
    let mut text = format!(
        "{}\n  {}\n\nrecipe   {}\npaper    {}\nsection  {}\n",
        preset.name, preset.summary, preset.text, preset.paper, preset.section
    );
    if let Some(measure) = preset.measure {
        let _ = writeln!(text, "measure  {measure}");
    }
    if Style::is_named(&preset.text) {
        text.push_str("verbs    compare, scan\n");
        return text;
    }
    let recipe = preset.recipe();
    if recipe.is_keyed() {
        text.push_str(
            "key      give --key-file; without a key the fingerprints can be predicted\n",
        );
    }
    if recipe.selector == Selector::Anchors(DEFAULT_ANCHORS.map(str::to_owned).to_vec()) {
        let _ = writeln!(text, "anchors  {}", DEFAULT_ANCHORS.join(" "));
    }
    text
}
