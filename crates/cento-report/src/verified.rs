//! What documents share with those of a registry, for a person at a terminal.

use std::collections::HashMap;
use std::fmt::Write as _;

use cento::report::{DigestRarity, OwnVersion, PairReport, Report, Summary};

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
        let pairs = of_query
            .get(query.id.as_str())
            .map_or(&[][..], Vec::as_slice);
        without += usize::from(pairs.is_empty());
        if pairs.is_empty() && own(query).is_empty() {
            continue;
        }
        line(out, "");
        line(out, &heading(query));
        table(pairs, own(query), &registered, out);
    }
    line(out, "");
    let all = queries().count();
    line(
        out,
        &match (all, without) {
            (1, 1) if queries().any(|query| !own(query).is_empty()) => {
                "nothing else that is registered shares that much with it".to_owned()
            }
            (1, 1) => "nothing registered shares that much with it".to_owned(),
            (_, 0) => format!("{} registered documents listed", report.pairs.len()),
            _ => format!(
                "{} registered documents listed; {without} of {all} documents share less with any",
                report.pairs.len()
            ),
        },
    );
}

/// The registered versions of the document itself.
fn own(query: &Summary) -> &[OwnVersion] {
    let verified = query.verified.as_ref();
    verified.map_or(&[][..], |verified| verified.own.as_slice())
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

fn table(
    pairs: &[&PairReport],
    own: &[OwnVersion],
    registered: &HashMap<&str, &Summary>,
    out: &mut String,
) {
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
    for version in own {
        line(
            out,
            &format!(
                "{:<10}  {:>6}  {:>6}  {:>6}  {}",
                "own",
                percent(version.containment),
                "",
                "",
                own_name(version)
            ),
        );
    }
}

/// What an own version is called, and that it does not count.
fn own_name(version: &OwnVersion) -> String {
    let mut text = format!("{} (version {}", printable(&version.id), version.version);
    // Without it where the reader may not see it.
    if let Some(day) = version.registered.get(..10) {
        let _ = write!(text, " of {}", printable(day));
    }
    text + ", does not count)"
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
