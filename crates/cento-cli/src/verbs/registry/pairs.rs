//! `cento registry pairs`: similar registered documents.

use anyhow::Result;
use cento::index::registry::{AlikePair, Entry};
use cento_jobs::registry::TextSources;
use cento_jobs::registry::pairs::{self, Options, Row};
use cento_report::{Cells, PairRow, PairTable, Screen, Table};

use super::settings;
use crate::args::{General, PairsArgs, PairsFormat};
use crate::run::run as watched;
use crate::{Outcome, output};

pub(super) fn run(args: PairsArgs, general: &General) -> Result<Outcome> {
    let format = if args.options.json {
        PairsFormat::Json
    } else {
        args.format
    };
    let settings = settings(args.options, general)?;
    let options = Options {
        registry: settings.registry.clone(),
        id: args.id,
        threshold: args.threshold,
        top: args.top,
        exact: args.exact,
        texts: TextSources {
            folder: args.texts,
            command: settings.texts.clone(),
        },
        input: settings.input.clone(),
    };
    let done = watched(&settings, |watch| pairs::run(&options, watch))?;
    match format {
        PairsFormat::Json => output::json(&done)?,
        PairsFormat::Csv => output::result(&csv(&done.pairs))?,
        PairsFormat::Text => output::result(&text(&done.pairs, output::screen()))?,
    }
    for note in &done.notes {
        output::message(&format!("note: {note}"));
    }
    if done.more > 0 {
        output::message(&format!("{} more pairs are not listed (--top)", done.more));
    }
    Ok(Outcome::Done)
}

fn marks(pair: &AlikePair) -> &'static str {
    match (pair.is_same_document(), pair.is_same_submitter()) {
        (true, _) => "(same document)",
        (_, true) => "(same submitter)",
        _ => "",
    }
}

fn name(entry: &Entry) -> String {
    let id = entry.facts.id.escape_debug();
    match entry.version {
        1 => id.to_string(),
        version => format!("{id}@{version}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn text(rows: &[Row], screen: Screen) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let row = |Row { pair, exact }: &Row| {
        let [of_left, of_right] = exact.unwrap_or(pair.overlap.containment()).map(percent);
        let numbers = format!("{of_left:>7}  {of_right:>7}  ");
        PairRow {
            numbers: [numbers.clone(), numbers],
            names: [name(&pair.earlier), name(&pair.later)],
            sign: "",
            remark: marks(pair),
        }
    };
    let head = format!("{:>7}  {:>7}  ", "OF L", "OF R");
    let table = PairTable {
        heads: [head.clone(), head],
        rows: rows.iter().map(row).collect(),
    };
    table.rendered(screen)
}

fn csv(rows: &[Row]) -> String {
    let names = [
        "left",
        "right",
        "shared",
        "of_left",
        "of_right",
        "exact_of_left",
        "exact_of_right",
    ];
    let mut table = Table::new(Cells::ForPeople, &names);
    for Row { pair, exact } in rows {
        let [of_left, of_right] = pair.overlap.containment().map(six_decimals);
        let exact = exact.map(|shares| shares.map(six_decimals));
        let [exact_left, exact_right] = exact.unwrap_or_default();
        table.row([
            name(&pair.earlier),
            name(&pair.later),
            pair.overlap.shared.to_string(),
            of_left,
            of_right,
            exact_left,
            exact_right,
        ]);
    }
    table.finish()
}

fn six_decimals(share: f64) -> String {
    format!("{share:.6}")
}
