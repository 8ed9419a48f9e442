//! What `cento eval --pan` prints: a table for people or for spreadsheets.

use std::fmt::Write as _;

use cento::eval::plagdet::Score;
use cento_jobs::eval::pan::{Outcome, Row};
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
        let cases = row
            .cases
            .map_or_else(|| "?".to_owned(), |cases| cases.to_string());
        let _ = write!(
            text,
            "{:<width$} {:>6} {cases:>6} {:>10} ",
            row.folder, row.pairs, row.detections
        );
        let _ = match &row.score {
            Some(score) => writeln!(
                text,
                "{:>8.4} {:>9.4} {:>7.4} {:>11.4}",
                score.plagdet, score.precision, score.recall, score.granularity
            ),
            None => writeln!(
                text,
                "detections in {} pairs ({:.1} %)",
                row.pairs_with_detections,
                100.0 * row.share_with_detections()
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
    let columns = [
        "folder",
        "pairs",
        "cases",
        "detections",
        "pairs_with_detections",
        "plagdet",
        "precision",
        "recall",
        "granularity",
        "detected",
        "half_detected",
    ];
    let mut table = Table::new(Cells::ForPeople, &columns);
    let rows = &evaluation.rows;
    for row in rows.folders.iter().chain([&rows.all]) {
        table.row(cells(row));
    }
    table.finish()
}

fn cells(row: &Row) -> [String; 11] {
    let scores = row.score.map(|score| {
        let Score {
            plagdet,
            precision,
            recall,
            granularity,
            detected,
            half_detected,
            ..
        } = score;
        [
            plagdet,
            precision,
            recall,
            granularity,
            detected,
            half_detected,
        ]
        .map(|number| format!("{number:.6}"))
    });
    let [
        plagdet,
        precision,
        recall,
        granularity,
        detected,
        half_detected,
    ] = scores.unwrap_or_default();
    let cases = row.cases.map(|cases| cases.to_string());
    [
        row.folder.clone(),
        row.pairs.to_string(),
        cases.unwrap_or_default(),
        row.detections.to_string(),
        row.pairs_with_detections.to_string(),
        plagdet,
        precision,
        recall,
        granularity,
        detected,
        half_detected,
    ]
}
