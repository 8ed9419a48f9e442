//! What `cento eval` prints: a table, JSON or CSV.

use std::fmt::Write as _;

use anyhow::Result;
use cento::Measure;
use cento::eval::advise::Advice;
use serde_json::json;

use super::eval::Row;

/// The table for people.
pub(crate) fn table(rows: &[Row], detail: bool) -> String {
    let width = rows
        .iter()
        .map(|row| row.recipe.len())
        .max()
        .unwrap_or(0)
        .max(6);
    let mut text = format!(
        "{:<width$}  {:<16} {:>9} {:>6} {:>6} {:>6} {:>7} {:>4} {:>4} {:>9} {:>8} {:>8}\n",
        "RECIPE",
        "MEASURE",
        "PRECISION",
        "RECALL",
        "HFM",
        "SEP",
        "SEP/HFM",
        "P<1",
        "S<0",
        "INDEX MB",
        "INDEX S",
        "QUERY MS"
    );
    for row in rows {
        let e = &row.effectiveness;
        let mark = if row.measure.is_ideal() { "" } else { "*" };
        let _ = writeln!(
            text,
            "{:<width$}  {:<16} {:>9.3} {:>6.3} {:>6} {:>6} {:>7} {:>4} {:>4} {:>9.1} {:>8.2} {:>8.2}",
            row.recipe,
            format!("{}{mark}", row.measure),
            e.precision,
            e.recall,
            points(e.highest_false_match),
            points(e.separation),
            e.ratio()
                .map_or_else(|| "n/a".to_owned(), |ratio| format!("{ratio:.2}")),
            e.imprecise,
            e.negative,
            row.index_bytes as f64 / 1e6,
            row.index_seconds,
            1000.0 * row.query_seconds / e.queries as f64,
        );
    }
    if rows.iter().any(|row| !row.measure.is_ideal()) {
        text.push_str(
            "* not ideal: another document can score higher than the query itself, so percentages may exceed 100\n",
        );
    }
    text.push_str("\nHFM and SEP in points, over all queries; over the complete ones only:\n");
    for row in rows {
        let e = &row.effectiveness;
        let _ = writeln!(
            text,
            "{:<width$}  {:<16} HFM {:>6}  SEP {:>6}",
            row.recipe,
            row.measure.name(),
            points(e.complete_highest_false_match),
            points(e.complete_separation),
        );
    }
    if detail {
        for row in rows {
            let _ = writeln!(text, "\n{} by {}", row.recipe, row.measure);
            for (id, judged) in &row.details {
                let _ = writeln!(
                    text,
                    "  precision {:.3}  recall {:.3}  HFM {:>6.2}  SEP {:>7.2}  {}",
                    judged.precision,
                    judged.recall,
                    judged.highest_false_match,
                    judged.separation,
                    id.escape_debug()
                );
            }
        }
    }
    text
}

/// `cento.eval/1`.
pub(crate) fn json(rows: &[Row], detail: bool) -> Result<String> {
    let rows: Vec<serde_json::Value> = rows.iter().map(|row| json_row(row, detail)).collect();
    let value =
        json!({ "schema": "cento.eval/1", "cento": env!("CARGO_PKG_VERSION"), "rows": rows });
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

fn json_row(row: &Row, detail: bool) -> serde_json::Value {
    let e = &row.effectiveness;
    let mut value = json!({
        "recipe": row.recipe,
        "measure": row.measure.name(),
        "ideal": row.measure.is_ideal(),
        "queries": e.queries,
        "precision": e.precision,
        "recall": e.recall,
        "hfm": e.highest_false_match,
        "separation": e.separation,
        "ratio": e.ratio(),
        "complete_hfm": e.complete_highest_false_match,
        "complete_separation": e.complete_separation,
        "imprecise_queries": e.imprecise,
        "negative_queries": e.negative,
        "postings": row.postings,
        "index_bytes": row.index_bytes,
        "index_seconds": row.index_seconds,
        "query_seconds": row.query_seconds,
        "postings_read": row.postings_read,
    });
    if detail {
        let details: Vec<serde_json::Value> = row
            .details
            .iter()
            .map(|(id, judged)| {
                json!({
                    "query": id,
                    "precision": judged.precision,
                    "recall": judged.recall,
                    "hfm": judged.highest_false_match,
                    "separation": judged.separation,
                })
            })
            .collect();
        value["details"] = details.into();
    }
    value
}

/// One line a method, or with `--detail` one a query.
pub(crate) fn csv(rows: &[Row], detail: bool) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let optional =
        |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
    if detail {
        let mut text = String::from("recipe,measure,query,precision,recall,hfm,separation\n");
        for row in rows {
            for (id, judged) in &row.details {
                let _ = writeln!(
                    text,
                    "{},{},{},{:.4},{:.4},{:.4},{:.4}",
                    quoted(&row.recipe),
                    row.measure,
                    quoted(id),
                    judged.precision,
                    judged.recall,
                    judged.highest_false_match,
                    judged.separation
                );
            }
        }
        return text;
    }
    let mut text = String::from(
        "recipe,measure,queries,precision,recall,hfm,separation,ratio,imprecise_queries,negative_queries,index_bytes,index_seconds,query_seconds\n",
    );
    for row in rows {
        let e = &row.effectiveness;
        let _ = writeln!(
            text,
            "{},{},{},{:.4},{:.4},{},{},{},{},{},{},{:.3},{:.3}",
            quoted(&row.recipe),
            row.measure,
            e.queries,
            e.precision,
            e.recall,
            optional(e.highest_false_match),
            optional(e.separation),
            optional(e.ratio()),
            e.imprecise,
            e.negative,
            row.index_bytes,
            row.index_seconds,
            row.query_seconds
        );
    }
    text
}

/// What each method says of a collection without labels.
pub(crate) fn self_table(rows: &[(String, Measure, Option<Advice>)]) -> String {
    let width = rows
        .iter()
        .map(|(recipe, _, _)| recipe.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (recipe, measure, advice) in rows {
        let sentence = match advice {
            Some(advice) => format!(
                "{}; an edited quarter reads {:.1} %",
                advice.sentence(),
                100.0 * advice.related
            ),
            None => "no advice: too few documents, or not a set measure".to_owned(),
        };
        let _ = writeln!(text, "{recipe:<width$}  {:<16} {sentence}", measure.name());
    }
    text
}

/// The same as JSON.
pub(crate) fn self_json(rows: &[(String, Measure, Option<Advice>)]) -> Result<String> {
    let row = |(recipe, measure, advice): &(String, Measure, Option<Advice>)| json!({ "recipe": recipe, "measure": measure.name(), "advice": advice });
    let rows: Vec<serde_json::Value> = rows.iter().map(row).collect();
    let value =
        json!({ "schema": "cento.eval/1", "cento": env!("CARGO_PKG_VERSION"), "rows": rows });
    Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
}

fn points(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.1}"))
}
