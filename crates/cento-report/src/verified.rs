//! What documents share with those of a registry, for a person at a terminal.

use std::collections::HashMap;
use std::fmt::Write as _;

use cento::report::{DigestRarity, PairReport, Report, Summary};

use crate::text::{bar, line, parameters, percent, printable};

/// One document after the other: how much of it is registered, and where.
pub(crate) fn verified(report: &Report, out: &mut String) {
    line(out, &parameters(report));
    let mut of_query: HashMap<&str, Vec<&PairReport>> = HashMap::new();
    for pair in &report.pairs {
        of_query.entry(&pair.left).or_default().push(pair);
    }
    let registered: HashMap<&str, &Summary> = report
        .documents
        .iter()
        .map(|document| (document.id.as_str(), document))
        .collect();
    let queries = || report.documents.iter().filter(|document| !document.old);
    let mut without = 0;
    for query in queries() {
        match of_query.get(query.id.as_str()) {
            Some(pairs) => {
                line(out, "");
                line(out, &heading(query));
                table(pairs, &registered, out);
            }
            None => without += 1,
        }
    }
    line(out, "");
    let all = queries().count();
    line(
        out,
        &match (all, without) {
            (1, 1) => "nothing registered shares that much with it".to_owned(),
            (_, 0) => format!("{} registered documents listed", report.pairs.len()),
            _ => format!(
                "{} registered documents listed; {without} of {all} documents share less with any",
                report.pairs.len()
            ),
        },
    );
}

fn heading(query: &Summary) -> String {
    let mut text = format!(
        "{}: {} of it is registered",
        printable(&query.label),
        percent(query.global)
    );
    if let Some(verified) = &query.verified
        && verified.rarity.common > 0
    {
        text += ", ";
        text += &percent(verified.global_without_common);
        text += " without what more than 100 documents have";
    }
    text
}

fn table(pairs: &[&PairReport], registered: &HashMap<&str, &Summary>, out: &mut String) {
    line(
        out,
        &format!(
            "{:<10}  {:>6}  {:>6}  {:>6}  REGISTERED",
            "SCORE", "OF IT", "OF REG", "RARE"
        ),
    );
    for pair in pairs {
        let [of_query, of_registered] = pair.shares().map(percent);
        let rarity = pair.registry.as_ref().map(|registry| registry.rarity);
        let document = registered.get(pair.right.as_str());
        line(
            out,
            &format!(
                "{}  {of_query:>6}  {of_registered:>6}  {:>6}  {}",
                bar(pair.score),
                percent(rarity.map_or(0.0, rare)),
                document.map_or_else(|| printable(&pair.right), |document| name(document, pair)),
            ),
        );
    }
}

/// The share of the shared digests that at most three documents have.
fn rare(rarity: DigestRarity) -> f64 {
    let all = rarity.rare + rarity.some + rarity.common;
    if all == 0 {
        return 0.0;
    }
    f64::from(rarity.rare) / f64::from(all)
}

/// What a registered document is called, and what there is to know about it.
fn name(document: &Summary, pair: &PairReport) -> String {
    let mut text = printable(&document.label);
    let mut remarks: Vec<String> = Vec::new();
    if let Some(registered) = &document.registered {
        if registered.id != document.label {
            remarks.push(printable(&registered.id));
        }
        if registered.version > 1 {
            remarks.push(format!("version {}", registered.version));
        }
        remarks.extend(registered.set.as_deref().map(printable));
    }
    if let Some(registry) = &pair.registry {
        if registry.same_document {
            remarks.push("the same document".to_owned());
        } else if registry.same_submitter {
            remarks.push("same submitter".to_owned());
        }
    }
    if document.short {
        remarks.push("short".to_owned());
    }
    if !remarks.is_empty() {
        let _ = write!(text, " ({})", remarks.join(", "));
    }
    text
}
