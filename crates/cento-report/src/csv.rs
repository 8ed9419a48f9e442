//! The pairs as a table.

use std::collections::HashMap;

use cento::discount::Discounts;
use cento::report::{Evidence, Listed, PairReport, Report};

use crate::table::{Cells, Table};

const COLUMNS: [&str; 17] = [
    "left",
    "right",
    "score",
    "shared",
    "containment_left",
    "containment_right",
    "symmetric",
    "resemblance",
    "max_containment",
    "overlap_left",
    "overlap_right",
    "net_left",
    "net_right",
    "longest",
    "passages",
    "share_left",
    "share_right",
];

/// The pairs of a report as CSV with a header line. Registered versions of a verified document itself
/// come last: they have no score, because they do not count, and are marked in a column that is there
/// only then. So are the columns that say what is disguised. If documents were verified, `weight`
/// follows; then `listed`, if a pair is there for a passage or a stretch and not for its share; and
/// the languages of both, if any document is a program.
pub fn csv(report: &Report) -> String {
    let has_distances = report.pairs.iter().any(|pair| pair.distance.is_some());
    let own = own_rows(report);
    let mut columns = COLUMNS.to_vec();
    if has_distances {
        columns.push("distance");
    }
    if !own.is_empty() {
        columns.push("own");
    }
    let disguised = disguised(report);
    let has_disguised = |pair: &PairReport| {
        [&pair.left, &pair.right]
            .iter()
            .any(|id| disguised.contains_key(id.as_str()))
    };
    let has_disguised = report.pairs.iter().any(has_disguised);
    if has_disguised {
        // Before what own versions have, which is last.
        let end = columns.len() - usize::from(!own.is_empty());
        columns.splice(end..end, ["disguised_left", "disguised_right"]);
    }
    let before_weight = columns.len();
    let has_weights = report.command == "verify";
    if has_weights {
        columns.push("weight");
    }
    let has_listed = report.pairs.iter().any(|pair| listed(pair) != "share");
    if has_listed {
        columns.push("listed");
    }
    let languages = languages(report);
    if !languages.is_empty() {
        columns.extend(["language_left", "language_right"]);
    }
    let mut table = Table::new(Cells::ForPeople, &columns);
    for pair in &report.pairs {
        let mut row = row(pair, report.left_out);
        if has_distances {
            let distance = pair.distance.map(|distance| distance.to_string());
            row.push(distance.unwrap_or_default());
        }
        if has_disguised {
            let of = |id: &str| disguised.get(id).cloned().unwrap_or_default();
            row.extend([of(&pair.left), of(&pair.right)]);
        }
        row.resize(before_weight, String::new());
        if has_weights {
            row.push(pair.weight.as_ref().map(decimals).unwrap_or_default());
        }
        if has_listed {
            row.push(listed(pair).to_owned());
        }
        if !languages.is_empty() {
            let of = |id: &str| (*languages.get(id).unwrap_or(&"")).to_owned();
            row.extend([of(&pair.left), of(&pair.right)]);
        }
        table.row(row);
    }
    for mut row in own {
        row.resize(before_weight - 1, String::new());
        row.push("yes".to_owned());
        row.resize(columns.len(), String::new());
        table.row(row);
    }
    table.finish()
}

/// What a pair is listed for.
fn listed(pair: &PairReport) -> &'static str {
    match pair.listed {
        None | Some(Listed::Share) => "share",
        Some(Listed::Passage) => "passage",
        Some(Listed::Stretch) => "stretch",
        Some(Listed::Score) => "score",
    }
}

/// The languages of programs, by their ids.
fn languages(report: &Report) -> HashMap<&str, &str> {
    let documents = report.documents.iter();
    documents
        .filter_map(|document| Some((document.id.as_str(), document.language.as_deref()?)))
        .collect()
}

/// What is disguised in documents, by their ids.
fn disguised(report: &Report) -> HashMap<&str, String> {
    let documents = report.documents.iter();
    documents
        .filter(|document| !document.disguised.is_empty())
        .map(|document| {
            let remarks = document.disguised.remarks();
            (document.id.as_str(), remarks.join(", "))
        })
        .collect()
}

/// The document, its version, and how much of it that has.
fn own_rows(report: &Report) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for document in &report.documents {
        for own in document.verified.iter().flat_map(|verified| &verified.own) {
            // Where the reader may not see it, its name is that of a hidden document.
            let version = match own.registered.as_str() {
                "" => own.id.clone(),
                _ => own.report_id(),
            };
            let (score, shared) = (String::new(), String::new());
            let containment = decimals(&own.containment);
            rows.push(vec![
                document.id.clone(),
                version,
                score,
                shared,
                containment,
            ]);
        }
    }
    rows
}

fn row(pair: &PairReport, left_out: Discounts) -> Vec<String> {
    let [left_in_right, right_in_left] = pair.containment;
    let shares = [
        left_in_right,
        right_in_left,
        pair.symmetric,
        pair.resemblance,
        pair.max_containment,
    ];
    let mut row = vec![
        pair.left.clone(),
        pair.right.clone(),
        decimals(&pair.score),
        pair.shared.to_string(),
    ];
    row.extend(shares.iter().map(decimals));
    match &pair.evidence {
        Some(evidence) => row.extend(evidence_cells(evidence, left_out)),
        None => row.extend(std::iter::repeat_n(String::new(), 6)),
    }
    let share = match (&pair.evidence, &pair.estimate) {
        (Some(evidence), _) => Some(evidence.share),
        (None, estimate) => estimate.as_ref().map(|estimate| estimate.share),
    };
    let share = share.map_or_else(Default::default, |share| share.map(|of| decimals(&of)));
    row.extend(share);
    row
}

fn evidence_cells(evidence: &Evidence, left_out: Discounts) -> Vec<String> {
    let shares = evidence.overlap.iter().chain(&evidence.net);
    let mut cells: Vec<String> = shares.map(decimals).collect();
    cells.push(evidence.longest.to_string());
    cells.push(evidence.passages_counted(left_out).to_string());
    cells
}

fn decimals(number: &f64) -> String {
    format!("{number:.6}")
}
