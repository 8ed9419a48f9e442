//! What `cento eval --pan` prints: a table, JSON or CSV.

use std::fmt::Write as _;

use anyhow::Result;
use cento::eval::plagdet::Score;
use serde_json::{Value, json};

use super::eval_pan::{Evaluation, FolderRow};

/// The table for people.
pub(crate) fn table(evaluation: &Evaluation) -> String {
    let names = evaluation
        .folders
        .iter()
        .map(|row| row.folder.chars().count());
    let width = names.max().unwrap_or(0).max("FOLDER".len());
    let mut text = format!(
        "{:<width$} {:>6} {:>6} {:>10} {:>8} {:>9} {:>7} {:>11}\n",
        "FOLDER", "PAIRS", "CASES", "DETECTIONS", "PLAGDET", "PRECISION", "RECALL", "GRANULARITY"
    );
    let rows = evaluation.folders.iter().cloned();
    let all = (evaluation.folders.len() > 1).then(|| total(evaluation));
    for row in rows.chain(all) {
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
                100.0 * share(&row)
            ),
        };
    }
    text
}

/// The same as JSON.
pub(crate) fn json(evaluation: &Evaluation) -> Result<String> {
    let mut value = values(&total(evaluation));
    let folder = |row: &FolderRow| {
        let mut value = values(row);
        value["folder"] = row.folder.clone().into();
        value
    };
    value["schema"] = "cento.eval/1".into();
    value["cento"] = env!("CARGO_PKG_VERSION").into();
    value["aligner"] = evaluation.aligner.to_string().into();
    value["limited"] = evaluation.limited.into();
    value["folders"] = evaluation.folders.iter().map(folder).collect();
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

/// One line a folder, then one for all.
pub(crate) fn csv(evaluation: &Evaluation) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = String::from(
        "folder,pairs,cases,detections,pairs_with_detections,plagdet,precision,recall,granularity\n",
    );
    for row in evaluation
        .folders
        .iter()
        .cloned()
        .chain([total(evaluation)])
    {
        let numbers = row.score.map_or_else(
            || ",,,".to_owned(),
            |score| {
                format!(
                    "{:.6},{:.6},{:.6},{:.6}",
                    score.plagdet, score.precision, score.recall, score.granularity
                )
            },
        );
        let _ = writeln!(
            text,
            "{},{},{},{},{},{numbers}",
            quoted(&row.folder),
            row.pairs,
            row.cases
                .map_or_else(String::new, |cases| cases.to_string()),
            row.detections,
            row.pairs_with_detections
        );
    }
    text
}

fn values(row: &FolderRow) -> Value {
    let number = |of: fn(&Score) -> f64| row.score.as_ref().map(of);
    json!({
        "pairs": row.pairs,
        "cases": row.cases,
        "detections": row.detections,
        "pairs_with_detections": row.pairs_with_detections,
        "share_with_detections": share(row),
        "plagdet": number(|score| score.plagdet),
        "precision": number(|score| score.precision),
        "recall": number(|score| score.recall),
        "granularity": number(|score| score.granularity),
    })
}

/// All folders together; the score is that of the folders whose truth is known.
fn total(evaluation: &Evaluation) -> FolderRow {
    let sum = |of: fn(&FolderRow) -> usize| evaluation.folders.iter().map(of).sum();
    FolderRow {
        folder: "all".to_owned(),
        pairs: sum(|row| row.pairs),
        pairs_with_detections: sum(|row| row.pairs_with_detections),
        detections: sum(|row| row.detections),
        cases: evaluation
            .folders
            .iter()
            .filter_map(|row| row.cases)
            .reduce(|a, b| a + b),
        score: evaluation.score,
    }
}

fn share(row: &FolderRow) -> f64 {
    row.pairs_with_detections as f64 / row.pairs as f64
}
