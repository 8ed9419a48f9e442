//! What documents share with those of a registry, for a person at a terminal.

use std::collections::HashMap;
use std::fmt::Write as _;

use cento::report::{
    DigestRarity, Listed, OwnVersion, PairReport, Remedy, Report, Setting, Summary,
};

use unicode_width::UnicodeWidthStr as _;

use super::Hint;
use super::scanned::{FEW_DIGESTS, Ranking};
use super::words::{bar, counted, line, percent, printable};
use crate::paint::Screen;

/// One document after the other: how much of it is registered, and where.
pub(crate) fn verified(report: &Report, screen: Screen, hint: Option<Hint>, out: &mut String) {
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
    let all = queries().count();
    let with = |query: &&Summary| of_query.contains_key(query.id.as_str());
    let without = all - queries().filter(with).count();
    let listed = counted(report.pairs.len() as u64, "registered document");
    let summary = match (all, without) {
        (0, _) => "no document could be verified".to_owned(),
        (1, 1) if queries().any(|query| !own(query).is_empty()) => {
            "nothing else that is registered shares that much with it".to_owned()
        }
        (1, 1) => "nothing registered shares that much with it".to_owned(),
        (_, 0) => format!("{listed} listed{}", order(report)),
        _ => format!(
            "{listed} listed{}; {without} of {all} documents share less with any",
            order(report)
        ),
    };
    line(out, &screen.paint.strong(&summary));
    let ranking = Ranking::of(report);
    for query in queries() {
        let pairs = of_query
            .get(query.id.as_str())
            .map_or(&[][..], Vec::as_slice);
        let standard = standard(query);
        if pairs.is_empty() && own(query).is_empty() && standard == 0 {
            continue;
        }
        line(out, "");
        line(out, &heading(query, pairs));
        if !pairs.is_empty() || !own(query).is_empty() {
            let rows = rows(pairs, own(query), &registered, ranking);
            table(&rows, ranking, screen, out);
        }
        if standard > 0 {
            line(out, &only_standard(standard, hint));
        }
    }
}

/// What stands first, if there is a choice.
fn order(report: &Report) -> &'static str {
    let is_by_weight = report.settings.get("order") == Some(&Setting::Text("weight".to_owned()));
    if is_by_weight && report.pairs.len() > 1 {
        ", those with most text that few have first"
    } else {
        ""
    }
}

/// The registered versions of the document itself.
fn own(query: &Summary) -> &[OwnVersion] {
    let verified = query.verified.as_ref();
    verified.map_or(&[][..], |verified| verified.own.as_slice())
}

/// How many registered documents share only text that many have.
fn standard(query: &Summary) -> u32 {
    let verified = query.verified.as_ref();
    verified.map_or(0, |verified| verified.standard)
}

/// They are one line, and it says how to see them.
fn only_standard(documents: u32, hint: Option<Hint>) -> String {
    let shares = if documents == 1 { "shares" } else { "share" };
    let option = hint.and_then(|hint| hint(&Remedy::IncludeStandard));
    let option = option.map_or_else(String::new, |option| format!(" ({option} lists them)"));
    format!("{documents} more {shares} only text that many have{option}")
}

/// How much of a document is registered: by its fingerprint, and at least what one document has of it.
fn heading(query: &Summary, pairs: &[&PairReport]) -> String {
    let shares = pairs.iter().map(|pair| pair.shares()[0]);
    let registered = shares.fold(query.global, f64::max);
    let mut text = format!(
        "{}: {} of it is registered",
        printable(&query.label),
        percent(registered)
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

/// A line of the table, but for its bar.
struct Row {
    /// What a ranking measure comes to, with the space behind it.
    similarity: String,
    score: String,
    /// The score by the texts themselves, where it was computed.
    exact: Option<String>,
    /// How long the bar is; an own version has none.
    bar: Option<f64>,
    of_query: String,
    of_registered: String,
    rare: String,
    name: String,
}

/// What a document is listed for, if that is no share.
fn listed_for(pair: &PairReport) -> String {
    let place = pair.registry.as_ref().and_then(|registry| registry.stretch);
    match (pair.listed, place) {
        (Some(Listed::Passage), _) => ", a passage".to_owned(),
        (Some(Listed::Stretch), Some(place)) => {
            let [first, last] = place.words;
            format!(", a stretch: look at words {first} to {last}")
        }
        (Some(Listed::Stretch), None) => ", a stretch".to_owned(),
        (Some(Listed::Share | Listed::Score) | None, _) => String::new(),
    }
}

impl Row {
    fn of_pair(pair: &PairReport, registered: &HashMap<&str, &Summary>, ranking: Ranking) -> Row {
        let [of_query, of_registered] = pair.shares().map(percent);
        let rarity = pair.registry.as_ref().map(|registry| registry.rarity);
        let document = registered.get(pair.right.as_str());
        Row {
            similarity: ranking.cell(pair),
            score: percent(pair.score),
            exact: pair.exact.as_ref().map(|exact| percent(exact.score)),
            bar: Some(pair.score),
            of_query,
            of_registered,
            rare: percent(rarity.map_or(0.0, rare)),
            name: document.map_or_else(|| printable(&pair.right), |document| name(document, pair))
                + &listed_for(pair),
        }
    }

    fn of_own(version: &OwnVersion, ranking: Ranking) -> Row {
        Row {
            similarity: " ".repeat(ranking.head().len()),
            score: "own".to_owned(),
            exact: None,
            bar: None,
            of_query: percent(version.containment),
            of_registered: String::new(),
            rare: String::new(),
            name: own_name(version),
        }
    }
}

fn rows(
    pairs: &[&PairReport],
    own: &[OwnVersion],
    registered: &HashMap<&str, &Summary>,
    ranking: Ranking,
) -> Vec<Row> {
    let pairs = pairs.iter();
    let pairs = pairs.map(|pair| Row::of_pair(pair, registered, ranking));
    let own = own.iter().map(|version| Row::of_own(version, ranking));
    pairs.chain(own).collect()
}

fn table(rows: &[Row], ranking: Ranking, screen: Screen, out: &mut String) {
    let widest = rows.iter().map(|row| row.name.width()).max().unwrap_or(0);
    let has_exact = rows.iter().any(|row| row.exact.is_some());
    let exact = |value: &str| {
        if has_exact {
            format!("{value:>6}  ")
        } else {
            String::new()
        }
    };
    let heads = |bar: &str| {
        let [of_it, of_registered, rare] = ["OF IT", "OF REG", "RARE"];
        format!(
            "{}{:>6}  {bar}{}{of_it:>6}  {of_registered:>6}  {rare:>6}  ",
            ranking.head(),
            "SCORE",
            exact("EXACT")
        )
    };
    let fits = |head: &str| {
        screen
            .width
            .is_none_or(|room| head.width() + widest <= room)
    };
    let with_bar = heads(&" ".repeat(12));
    let without = heads("");
    let (head, has_bar) = if fits(&with_bar) {
        (with_bar, true)
    } else {
        (without, false)
    };
    // Where there is no room beside the numbers, names are whole below them.
    let is_beside = fits(&head);
    let title = if is_beside { "REGISTERED" } else { "" };
    line(out, &screen.paint.faint(&format!("{head}{title}")));
    for row in rows {
        let bar = match row.bar {
            _ if !has_bar => String::new(),
            Some(score) => format!("{}  ", screen.paint.bar(&bar(score))),
            None => " ".repeat(12),
        };
        let numbers = format!(
            "{}{:>6}  {bar}{}{:>6}  {:>6}  {:>6}  ",
            row.similarity,
            row.score,
            exact(row.exact.as_deref().unwrap_or_default()),
            row.of_query,
            row.of_registered,
            row.rare,
        );
        if is_beside {
            line(out, &format!("{numbers}{}", row.name));
        } else {
            line(out, &numbers);
            line(out, &format!("  {}", row.name));
        }
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
    if pair.thin {
        remarks.push(FEW_DIGESTS.to_owned());
    }
    if !remarks.is_empty() {
        let _ = write!(text, " ({})", remarks.join(", "));
    }
    text
}
