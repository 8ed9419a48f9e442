//! What `cento eval --retrieval` prints: tables for people or for spreadsheets.

use std::fmt::Write as _;

use cento_jobs::eval::figure::Row;
use cento_jobs::eval::retrieval::{Counts, Door, DoorOutcome, Outcome};
use cento_report::{Cells, Table};

use crate::verbs::eval_figures_text::{folds, intervals};

/// The tables for people, one for each door.
pub(crate) fn table(evaluation: &Outcome) -> String {
    let mut text = String::from(
        "Of the pairs that have a case: the share whose source is listed at all, and among the \
         first 1, 5 and 10 that are listed for the document, its other true sources left out.\n",
    );
    for door in &evaluation.doors {
        let _ = writeln!(text, "\n{}", heading(door.door));
        text.push_str(&intervals(&door.rows, |row| {
            vec![("pairs", row.counts.with_case.to_string())]
        }));
        text.push_str(&counts(door));
        text.push_str(&folds(&door.folds));
    }
    text
}

fn heading(door: Door) -> &'static str {
    match door {
        Door::Scan => "scan: the documents are new, the sources old",
        Door::Verify => "verify: the documents against a registry of the sources",
    }
}

/// How many pairs are listed of which no case is known.
fn counts(door: &DoorOutcome) -> String {
    let mut text = String::new();
    let rows = door.rows.folders.iter();
    for row in rows.filter(|row| row.counts.without_case > 0) {
        let _ = writeln!(
            text,
            "{}: {} of {} pairs without a case are listed",
            row.folder, row.counts.listed_without_case, row.counts.without_case
        );
    }
    let _ = writeln!(
        text,
        "{} pairs are listed; no case is known of {} of them (--json and -o list these)",
        door.listed, door.listed_without_case
    );
    text
}

/// One line a door and folder, then one for all.
pub(crate) fn csv(evaluation: &Outcome) -> String {
    let mut table = Table::new(Cells::ForPeople, &COLUMNS);
    for door in &evaluation.doors {
        for row in door.rows.folders.iter().chain([&door.rows.all]) {
            table.row(cells(door.door, row));
        }
    }
    table.finish()
}

fn cells(door: Door, row: &Row<Counts>) -> Vec<String> {
    let door = match door {
        Door::Scan => "scan",
        Door::Verify => "verify",
    };
    let mut cells = vec![
        door.to_owned(),
        row.folder.clone(),
        row.counts.with_case.to_string(),
        row.counts.without_case.to_string(),
        row.counts.listed_without_case.to_string(),
    ];
    let shares = row.figures.iter();
    cells.extend(shares.map(|figure| format!("{:.6}", figure.value)));
    cells.resize(COLUMNS.len(), String::new());
    cells
}

const COLUMNS: [&str; 9] = [
    "door",
    "folder",
    "with_case",
    "without_case",
    "listed_without_case",
    "listed",
    "among_first_1",
    "among_first_5",
    "among_first_10",
];
