//! What `cento eval` prints: a table for people or for spreadsheets.

use std::fmt::Write as _;

use cento_jobs::eval::by_itself;
use cento_jobs::eval::labelled::{Detail, Row};
use cento_report::{Cells, Table};

/// The table for people, and how each query went if that was asked for.
pub(crate) fn table(rows: &[Row]) -> String {
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
        let mark = if row.ideal { "" } else { "*" };
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
    if rows.iter().any(|row| !row.ideal) {
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
    for row in rows {
        let Some(details) = &row.details else {
            continue;
        };
        let _ = writeln!(text, "\n{} by {}", row.recipe, row.measure);
        for detail in details {
            query(detail, &mut text);
        }
    }
    if has_rankings(rows) {
        text.push_str(
            "\nPERCENT is the similarity in percent of what the query scores against itself; + is a \
             correct document, - a false one.\n",
        );
    }
    text
}

/// How a query went, and which documents came first.
fn query(detail: &Detail, text: &mut String) {
    let judged = &detail.judged;
    let _ = writeln!(
        text,
        "  precision {:.3}  recall {:.3}  HFM {:>6.2}  SEP {:>7.2}  {}",
        judged.precision,
        judged.recall,
        judged.highest_false_match,
        judged.separation,
        detail.query.escape_debug()
    );
    if detail.ranking.is_empty() {
        return;
    }
    let _ = writeln!(text, "    RANK  SIMILARITY  PERCENT    DOCUMENT");
    for (rank, document) in (1..).zip(&detail.ranking) {
        let _ = writeln!(
            text,
            "    {rank:>4}  {:>10.2}  {:>7.2}  {} {}",
            document.similarity,
            document.percent,
            if document.correct { '+' } else { '-' },
            document.id.escape_debug()
        );
    }
}

fn has_rankings(rows: &[Row]) -> bool {
    let details = rows.iter().flat_map(|row| row.details.iter().flatten());
    details.into_iter().any(|detail| !detail.ranking.is_empty())
}

/// One line a method; or one a query, or one a document that was found, if those were asked for.
pub(crate) fn csv(rows: &[Row]) -> String {
    if has_rankings(rows) {
        return rankings(rows);
    }
    if rows.iter().any(|row| row.details.is_some()) {
        return details(rows);
    }
    let mut table = Table::new(
        Cells::ForPeople,
        &[
            "recipe",
            "measure",
            "queries",
            "precision",
            "recall",
            "hfm",
            "separation",
            "ratio",
            "imprecise_queries",
            "negative_queries",
            "index_bytes",
            "index_seconds",
            "query_seconds",
        ],
    );
    let optional = |value: Option<f64>| value.map(decimals).unwrap_or_default();
    for row in rows {
        let e = &row.effectiveness;
        table.row([
            row.recipe.clone(),
            row.measure.to_string(),
            e.queries.to_string(),
            decimals(e.precision),
            decimals(e.recall),
            optional(e.highest_false_match),
            optional(e.separation),
            optional(e.ratio()),
            e.imprecise.to_string(),
            e.negative.to_string(),
            row.index_bytes.to_string(),
            format!("{:.3}", row.index_seconds),
            format!("{:.3}", row.query_seconds),
        ]);
    }
    table.finish()
}

fn details(rows: &[Row]) -> String {
    let columns = [
        "recipe",
        "measure",
        "query",
        "precision",
        "recall",
        "hfm",
        "separation",
    ];
    let mut table = Table::new(Cells::ForPeople, &columns);
    for row in rows {
        for Detail { query, judged, .. } in row.details.iter().flatten() {
            table.row([
                row.recipe.clone(),
                row.measure.to_string(),
                query.clone(),
                decimals(judged.precision),
                decimals(judged.recall),
                decimals(judged.highest_false_match),
                decimals(judged.separation),
            ]);
        }
    }
    table.finish()
}

fn rankings(rows: &[Row]) -> String {
    let columns = [
        "recipe",
        "measure",
        "query",
        "rank",
        "document",
        "similarity",
        "percent",
        "correct",
    ];
    let mut table = Table::new(Cells::ForPeople, &columns);
    for row in rows {
        for Detail { query, ranking, .. } in row.details.iter().flatten() {
            for (rank, document) in (1..).zip(ranking) {
                table.row([
                    row.recipe.clone(),
                    row.measure.to_string(),
                    query.clone(),
                    rank.to_string(),
                    document.id.clone(),
                    decimals(document.similarity),
                    decimals(document.percent),
                    if document.correct { "yes" } else { "no" }.to_owned(),
                ]);
            }
        }
    }
    table.finish()
}

/// What each method says of a collection without labels.
pub(crate) fn by_itself(rows: &[by_itself::Row]) -> String {
    let widths = rows.iter().map(|row| row.recipe.len());
    let width = widths.max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let (recipe, measure) = (&row.recipe, row.measure.name());
        let sentence = match &row.advice {
            Some(advice) => format!(
                "{}; an edited quarter reads {:.1} %",
                advice.sentence(),
                100.0 * advice.related
            ),
            None => {
                "no advice: too few documents, too many of them related, not a set measure, or \
                     passages"
                    .to_owned()
            }
        };
        let _ = writeln!(text, "{recipe:<width$}  {measure:<16} {sentence}");
    }
    text
}

fn points(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.2}"))
}

fn decimals(number: f64) -> String {
    format!("{number:.4}")
}
