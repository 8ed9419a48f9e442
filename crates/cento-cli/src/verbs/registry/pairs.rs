//! `cento registry pairs`: the registered documents that are alike.

use std::fmt::Write as _;

use anyhow::Result;
use cento::index::registry::{AlikePair, Prepare};
use cento::{NoCollection, SetMeasure};
use serde_json::{Value, json};

use super::place::Place;
use super::texts::RegisteredTexts;
use crate::args::{General, PairsArgs, PairsFormat};
use crate::{Outcome, output};

pub(super) fn run(args: PairsArgs, general: &General) -> Result<Outcome> {
    let format = if args.options.json {
        PairsFormat::Json
    } else {
        args.format
    };
    let (place, settings) = Place::named(args.options, general)?;
    let snapshot = place.snapshot()?;
    if !snapshot.settings().pairs {
        anyhow::bail!(
            "{}: it was made without the list of pairs (registry init --no-pairs)",
            place.path.display()
        );
    }
    let mut pairs = snapshot.pairs(args.threshold, args.id.as_deref())?;
    let total = pairs.len();
    pairs.truncate(args.top.unwrap_or(usize::MAX));
    let texts = RegisteredTexts::new(&snapshot, args.texts, &settings);
    let exact = |pair: &AlikePair| {
        let exact = || exact(pair, &texts, snapshot.prepare());
        args.exact.then(exact).flatten()
    };
    let rows: Vec<(AlikePair, Option<[f64; 2]>)> = pairs
        .into_iter()
        .map(|pair| {
            let exact = exact(&pair);
            (pair, exact)
        })
        .collect();
    output::result(&match format {
        PairsFormat::Json => {
            let rows: Vec<Value> = rows.iter().map(row_json).collect();
            format!("{:#}\n", json!({"schema": "cento.pairs/1", "pairs": rows}))
        }
        PairsFormat::Csv => csv(&rows),
        PairsFormat::Text => text(&rows),
    })?;
    for note in texts.notes() {
        output::message(&format!("note: {note}"));
    }
    if rows.len() < total {
        output::message(&format!(
            "{} more pairs are not listed (--top)",
            total - rows.len()
        ));
    }
    Ok(Outcome::Done)
}

/// How much of each one is in the other by all 64 bits of the digests (Masaryk, section 4.2: estimate
/// first, exact when someone looks).
fn exact(pair: &AlikePair, texts: &RegisteredTexts<'_>, prepare: &Prepare) -> Option<[f64; 2]> {
    let mut recipe = prepare.settings().recipe.clone();
    recipe.digester.bits = recipe.digester.bits.max(64);
    let fingerprint = |entry| {
        let text = texts.read(entry)?;
        Some(recipe.fingerprint(&text, prepare.key(), &NoCollection))
    };
    let (left, right) = (fingerprint(&pair.earlier)?, fingerprint(&pair.later)?);
    let overlap = cento::overlap(&left, &right).ok()?;
    Some(overlap.containment())
}

fn marks(pair: &AlikePair) -> &'static str {
    match (pair.is_same_document(), pair.is_same_submitter()) {
        (true, _) => "same document",
        (_, true) => "same submitter",
        _ => "",
    }
}

fn row_json((pair, exact): &(AlikePair, Option<[f64; 2]>)) -> Value {
    let side = |entry: &cento::index::registry::Entry| {
        json!({"id": entry.facts.id, "version": entry.version, "submitter": entry.facts.submitter,
               "set": entry.facts.set})
    };
    let rounded = |share: f64| (share * 1e6).round() / 1e6;
    json!({
        "left": side(&pair.earlier),
        "right": side(&pair.later),
        "shared": pair.overlap.shared,
        "containment": pair.overlap.containment().map(rounded),
        "resemblance": rounded(SetMeasure::Resemblance.score(pair.overlap)),
        "exact": exact.map(|shares| shares.map(rounded)),
        "same_document": pair.is_same_document(),
        "same_submitter": pair.is_same_submitter(),
    })
}

fn name(entry: &cento::index::registry::Entry) -> String {
    let id = entry.facts.id.escape_debug();
    match entry.version {
        1 => id.to_string(),
        version => format!("{id}@{version}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn text(rows: &[(AlikePair, Option<[f64; 2]>)]) -> String {
    let mut text = String::new();
    let left = rows
        .iter()
        .map(|(pair, _)| name(&pair.earlier).chars().count());
    let width = left.max().unwrap_or(0).clamp(4, 48);
    if !rows.is_empty() {
        let _ = writeln!(
            text,
            "{:>7}  {:>7}  {:<width$}  RIGHT",
            "OF L", "OF R", "LEFT"
        );
    }
    for (pair, exact) in rows {
        let [of_left, of_right] = exact.unwrap_or(pair.overlap.containment()).map(percent);
        let (left, right) = (name(&pair.earlier), name(&pair.later));
        let mark = match marks(pair) {
            "" => String::new(),
            mark => format!("  ({mark})"),
        };
        let _ = writeln!(
            text,
            "{of_left:>7}  {of_right:>7}  {left:<width$}  {right}{mark}"
        );
    }
    text
}

fn csv(rows: &[(AlikePair, Option<[f64; 2]>)]) -> String {
    let mut text =
        String::from("left,right,shared,of_left,of_right,exact_of_left,exact_of_right\n");
    let field = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
    for (pair, exact) in rows {
        let [of_left, of_right] = pair.overlap.containment();
        let exact = exact.map_or(",".to_owned(), |[left, right]| {
            format!("{left:.6},{right:.6}")
        });
        let _ = writeln!(
            text,
            "{},{},{},{of_left:.6},{of_right:.6},{exact}",
            field(&name(&pair.earlier)),
            field(&name(&pair.later)),
            pair.overlap.shared
        );
    }
    text
}
