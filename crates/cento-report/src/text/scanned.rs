//! The pairs of a scan, and how they hang together.

use std::collections::HashSet;
use std::fmt::Write as _;

use cento::report::{Listed, PairReport, Remedy, Report, SHORT, Setting, Summary, WithoutCommon};
use cento::style::MEASURE;

use super::Hint;
use super::pair_table::{PairRow, PairTable};
use super::remarks::{MOST_REMARKS, lists_all};
use super::words::{bar, counted, label, labels, line, percent, printable};
use crate::paint::Screen;
use crate::units::Units;

pub(super) fn scanned(report: &Report, screen: Screen, hint: Option<Hint>, out: &mut String) {
    let enough = enough(report);
    let found = report.at_threshold;
    let pairs = if found == 1 {
        "pair shares"
    } else {
        "pairs share"
    };
    let mut summary = format!("{found} {pairs} {enough}");
    if let Some(less) = report.below_threshold.filter(|less| *less > 0) {
        let share = if less == 1 { "shares" } else { "share" };
        let _ = write!(summary, "; {less} {share} less");
    }
    if let Some(without) = changing(report) {
        line(out, &common_text(report, without, &enough, hint));
    }
    // What was not compared must not read as nothing found.
    if report.documents.len() == 1 {
        "there is nothing to compare the only document with".clone_into(&mut summary);
    }
    line(out, &screen.paint.strong(&summary));
    line(out, "");
    if !report.pairs.is_empty() {
        table(report, screen, out);
        name_disguised(report, hint, out);
        line(out, "");
    }
    families(report, out);
}

/// How much the pairs of a list share at least.
pub(crate) fn enough(report: &Report) -> String {
    let threshold = match report.settings.get("threshold") {
        Some(Setting::Number(threshold)) => percent(*threshold),
        _ => "0 %".to_owned(),
    };
    match report.settings.get("passage") {
        Some(Setting::Count(words)) => {
            let units = Units::of(&report.documents).many();
            format!("{threshold} or more, or a passage of {words} {units}")
        }
        _ => format!("{threshold} or more"),
    }
}

pub(crate) fn families(report: &Report, out: &mut String) {
    let labels = labels(report);
    for family in report.families.iter().filter(|family| family.len() > 2) {
        let names = family.iter().take(12);
        let names: Vec<String> = names.map(|id| printable(label(&labels, id))).collect();
        let more = family.len().saturating_sub(12);
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        line(
            out,
            &format!(
                "{} documents are connected: {}{rest}",
                family.len(),
                names.join(", ")
            ),
        );
    }
}

/// What the list would be without text that many documents have, if it would have other pairs.
pub(super) fn changing(report: &Report) -> Option<&WithoutCommon> {
    let without = report.without_common.as_ref();
    without.filter(|without| without.at_threshold != report.at_threshold)
}

fn common_text(
    report: &Report,
    without: &WithoutCommon,
    enough: &str,
    hint: Option<Hint>,
) -> String {
    let WithoutCommon {
        words,
        having,
        at_threshold,
        ..
    } = without;
    let pairs = match at_threshold {
        1 => "1 pair shares".to_owned(),
        0 => "no pair shares".to_owned(),
        pairs => format!("{pairs} pairs share"),
    };
    let option = hint.and_then(|hint| hint(&Remedy::LeaveOutCommon));
    let option = option.map_or_else(String::new, |option| format!(" ({option})"));
    format!(
        "{having} of {} documents have the same {words} {}; without such text {pairs} \
         {enough}{option}",
        report.documents.len(),
        Units::of(&report.documents).many()
    )
}

fn table(report: &Report, screen: Screen, out: &mut String) {
    let paint = screen.paint;
    let labels = labels(report);
    let short: HashSet<&str> = report
        .documents
        .iter()
        .filter(|document| document.short)
        .map(|document| document.id.as_str())
        .collect();
    let disguised: HashSet<&str> = disguised_in_pairs(report).map(id_of).collect();
    let name = |id: &str| {
        let short = if short.contains(id) { "*" } else { "" };
        let disguised = if disguised.contains(id) { "!" } else { "" };
        format!("{}{short}{disguised}", printable(label(&labels, id)))
    };
    let ranking = Ranking::of(report);
    let row = |pair: &PairReport| {
        let [of_left, of_right] = pair.shares().map(|share| format!("{:>6}", percent(share)));
        let shares = format!("{}  {}  ", paint.strong(&of_left), paint.strong(&of_right));
        // What decided comes first; the shares are there anyway.
        let score = match pair.listed {
            Some(_) => String::new(),
            None => format!("{}{:>6}  ", ranking.cell(pair), percent(pair.score)),
        };
        PairRow {
            numbers: [
                format!("{score}{}  {shares}", paint.bar(&bar(pair.value()))),
                format!("{score}{shares}"),
            ],
            names: [name(&pair.left), name(&pair.right)],
            sign: "",
            remark: match pair.listed {
                _ if pair.thin => FEW_DIGESTS,
                Some(Listed::Passage) => "a passage",
                Some(Listed::Stretch) => "a stretch",
                _ => "",
            },
        }
    };
    let by_share = report.pairs.iter().any(|pair| pair.listed.is_some());
    let score = if by_share {
        String::new()
    } else {
        format!("{} SCORE  ", ranking.head())
    };
    let table = PairTable {
        heads: [
            format!("{score}{:<10}  {:>6}  {:>6}  ", "", "OF L", "OF R"),
            format!("{score}{:>6}  {:>6}  ", "OF L", "OF R"),
        ],
        rows: report.pairs.iter().map(row).collect(),
    };
    out.push_str(&table.rendered(screen));
    let marked = |pair: &PairReport| {
        [&pair.left, &pair.right]
            .iter()
            .any(|id| short.contains(id.as_str()))
    };
    if report.pairs.iter().any(marked) {
        let short = report.documents.iter().filter(|document| document.short);
        let units = Units::of(short).many();
        line(
            out,
            &format!("* fewer than {SHORT} {units}: a few shared {units} weigh much"),
        );
    }
}

/// The column of what a ranking measure comes to, of which the score beside it is a share.
#[derive(Clone, Copy)]
pub(crate) enum Ranking {
    /// There is none.
    None,
    /// The value of the measure.
    Similarity,
    /// How many passages are alike.
    Passages,
}

impl Ranking {
    pub(crate) fn of(report: &Report) -> Ranking {
        let is_ranked = report.pairs.iter().any(|pair| pair.similarity.is_some());
        match report.settings.contains_key("passage-threshold") {
            _ if !is_ranked => Ranking::None,
            true => Ranking::Passages,
            false => Ranking::Similarity,
        }
    }

    pub(crate) fn head(self) -> &'static str {
        match self {
            Ranking::None => "",
            Ranking::Similarity => "SIMILARITY  ",
            Ranking::Passages => "PASSAGES  ",
        }
    }

    pub(crate) fn cell(self, pair: &PairReport) -> String {
        let similarity = pair.similarity.unwrap_or(0.0);
        match self {
            Ranking::None => String::new(),
            Ranking::Similarity => format!("{similarity:>10.2}  "),
            Ranking::Passages => format!("{similarity:>8.0}  "),
        }
    }
}

/// What is said of a pair that rests on too few digests.
pub(crate) const FEW_DIGESTS: &str = "few digests";

/// Whether pairs are listed in a table that names what is disguised.
pub(super) fn has_table(report: &Report) -> bool {
    report.measure != MEASURE
        && !is_compressed(report)
        && !matches!(report.command.as_str(), "compare" | "verify")
}

/// Whether the scores come from compressed lengths.
pub(crate) fn is_compressed(report: &Report) -> bool {
    report.measure.starts_with("compression:")
}

/// The documents of listed pairs that have something disguised, in the order of the documents.
pub(super) fn disguised_in_pairs(report: &Report) -> impl Iterator<Item = &Summary> {
    let ends = |pair: &PairReport| [pair.left.clone(), pair.right.clone()];
    let listed: HashSet<String> = report.pairs.iter().flat_map(ends).collect();
    let documents = report.documents.iter();
    documents.filter(move |document| {
        !document.disguised.is_empty() && listed.contains(document.id.as_str())
    })
}

pub(super) fn id_of(document: &Summary) -> &str {
    &document.id
}

/// What is disguised in the documents of a table, behind the sign that their names have in it.
fn name_disguised(report: &Report, hint: Option<Hint>, out: &mut String) {
    let disguised: Vec<&Summary> = disguised_in_pairs(report).collect();
    for document in disguised.iter().take(MOST_REMARKS) {
        let label = printable(&document.label);
        let remarks = document.disguised.remarks().join(", ");
        line(out, &format!("! {label}: {remarks}"));
    }
    if let Some(more) = disguised.len().checked_sub(MOST_REMARKS + 1) {
        let more = counted(more as u64 + 1, "more document");
        line(out, &format!("! {more}; {}", lists_all(hint)));
    }
}
