//! What `cento eval --pan` prints: a table for people or for spreadsheets.

use std::fmt::Write as _;

use cento::eval::plagdet::Score;
use cento_jobs::eval::figure::Row;
use cento_jobs::eval::pan::{Counts, Outcome};
use cento_report::{Cells, Table};

use crate::verbs::eval_figures_text::{folds, intervals};

/// The table for people.
pub(crate) fn table(evaluation: &Outcome) -> String {
    let rows = &evaluation.rows;
    let names = rows.folders.iter().map(|row| row.folder.chars().count());
    let width = names.max().unwrap_or(0).max("FOLDER".len());
    let mut text = format!(
        "{:<width$} {:>6} {:>6} {:>10} {:>8} {:>9} {:>7} {:>11}\n",
        "FOLDER", "PAIRS", "CASES", "DETECTIONS", "PLAGDET", "PRECISION", "RECALL", "GRANULARITY"
    );
    let all = (rows.folders.len() > 1).then_some(&rows.all);
    for row in rows.folders.iter().chain(all) {
        let counts = &row.counts;
        let cases = counts
            .cases
            .map_or_else(|| "?".to_owned(), |cases| cases.to_string());
        let _ = write!(
            text,
            "{:<width$} {:>6} {cases:>6} {:>10} ",
            row.folder, counts.pairs, counts.detections
        );
        let _ = match &counts.score {
            Some(score) => writeln!(
                text,
                "{:>8.4} {:>9.4} {:>7.4} {:>11.4}",
                score.plagdet, score.precision, score.recall, score.granularity
            ),
            None => writeln!(
                text,
                "detections in {} pairs ({:.1} %)",
                counts.pairs_with_detections,
                100.0 * counts.share_with_detections()
            ),
        };
    }
    let intervals = intervals(rows, |_| Vec::new());
    if !intervals.is_empty() {
        let _ = write!(
            text,
            "\nDETECTED: the share of cases that a detection touches on both sides.\n\
             HALF_DETECTED: the share of cases of which one detection has at least half on both \
             sides.\n{intervals}"
        );
    }
    text + &folds(&evaluation.folds)
}

/// One line a folder, then one for all.
pub(crate) fn csv(evaluation: &Outcome) -> String {
    let columns = COUNTS.into_iter().chain(SCORES.map(|(name, _)| name));
    let mut table = Table::new(Cells::ForPeople, &columns.collect::<Vec<_>>());
    let rows = &evaluation.rows;
    for row in rows.folders.iter().chain([&rows.all]) {
        table.row(cells(row));
    }
    table.finish()
}

const COUNTS: [&str; 5] = [
    "folder",
    "pairs",
    "cases",
    "detections",
    "pairs_with_detections",
];

/// What a column shows of a score.
type Shown = (&'static str, fn(&Score) -> f64);

const SCORES: [Shown; 6] = [
    ("plagdet", |score| score.plagdet),
    ("precision", |score| score.precision),
    ("recall", |score| score.recall),
    ("granularity", |score| score.granularity),
    ("detected", |score| score.detected),
    ("half_detected", |score| score.half_detected),
];

fn cells(row: &Row<Counts>) -> Vec<String> {
    let counts = &row.counts;
    let mut cells = vec![
        row.folder.clone(),
        counts.pairs.to_string(),
        counts
            .cases
            .map_or_else(String::new, |cases| cases.to_string()),
        counts.detections.to_string(),
        counts.pairs_with_detections.to_string(),
    ];
    cells.extend(SCORES.iter().map(|(_, of)| match &counts.score {
        Some(score) => format!("{:.6}", of(score)),
        None => String::new(),
    }));
    cells
}
