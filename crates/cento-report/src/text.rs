//! The report for a person at a terminal.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use cento::discount::Discount;
use cento::report::{
    Evidence, Listed, Note, PairReport, Remedy, Report, SHORT, Setting, Summary, WithoutCommon,
};
use cento::style::MEASURE;

use crate::paint::{Paint, Screen};
use crate::pair_table::{PairRow, PairTable};
use crate::units::Units;
use crate::{other, passages, verified};

/// How a front end calls an option.
pub type Hint = fn(&Remedy) -> Option<String>;

/// The report as text: what was found, the pairs, the families, what to know about it, and last how it
/// was computed. Notes have the front end's hints in parentheses behind them, if there are any.
pub fn text(report: &Report, hint: Option<Hint>) -> String {
    shown_on(Screen::FILE, report, hint)
}

/// The same for a screen: in its colours, and tables no wider than it is.
pub fn shown_on(screen: Screen, report: &Report, hint: Option<Hint>) -> String {
    let mut out = String::new();
    match (report.command.as_str(), report.pairs.as_slice()) {
        _ if report.documents.is_empty() => line(&mut out, "no document could be read"),
        ("compare", [pair]) if pair.distance.is_some() => other::apart(report, pair, &mut out),
        _ if report.measure == MEASURE => other::neighbours(report, screen, &mut out),
        ("compare", [pair]) => compared(report, pair, screen.paint, hint, &mut out),
        ("scan", _) if is_compressed(report) => other::alike(report, screen, &mut out),
        ("verify", _) => verified::verified(report, screen, hint, &mut out),
        _ => scanned(report, screen, hint, &mut out),
    }
    let mut remarks = String::new();
    warnings(report, hint, &mut remarks);
    notes(report, hint, &mut remarks);
    if let Some(advice) = &report.advice {
        line(&mut remarks, &advice.sentence());
    }
    // Passages are set apart from what follows them.
    let has_passages = |pair: &PairReport| {
        let evidence = pair.evidence.as_ref();
        evidence.is_some_and(|evidence| !evidence.passages.is_empty())
    };
    if report.command == "compare" && !remarks.is_empty() && report.pairs.iter().any(has_passages) {
        line(&mut out, "");
    }
    out += &remarks;
    if !out.ends_with("\n\n") {
        line(&mut out, "");
    }
    line(&mut out, &screen.paint.faint(&parameters(report)));
    out
}

/// What a person should know; what was assumed about the layout is said when files are found, and
/// own versions and what shares only standard text have lines of their own.
pub(crate) fn notes(report: &Report, hint: Option<Hint>, out: &mut String) {
    let is_said =
        |note: &Note| matches!(note, Note::CommonCounts { .. }) && changing(report).is_some();
    let is_new = |note: &&Note| {
        !is_said(note)
            && !matches!(
                note,
                Note::Layout(_) | Note::OwnVersions { .. } | Note::OnlyStandard { .. }
            )
    };
    for note in report.notes.iter().filter(is_new) {
        let remedy = note.remedy().zip(hint);
        let hint = remedy.and_then(|(remedy, hint)| hint(&remedy));
        let hint = hint.map_or_else(String::new, |hint| format!(" ({hint})"));
        let sentence = printable(&note.to_string());
        line(out, &format!("note: {sentence}{hint}"));
    }
}

/// So many remarks on documents have room on a screen.
const MOST_REMARKS: usize = 20;

/// What is odd about documents, as far as a screen has room for it.
fn warnings(report: &Report, hint: Option<Hint>, out: &mut String) {
    let named: HashSet<&str> = if has_table(report) {
        disguised_in_pairs(report).map(id_of).collect()
    } else {
        HashSet::new()
    };
    let remarks = |document: &Summary| {
        let disguised = if named.contains(document.id.as_str()) {
            Vec::new()
        } else {
            document.disguised.remarks()
        };
        let disguised = (!disguised.is_empty()).then(|| disguised.join(", "));
        let all = disguised.into_iter().chain(document.warnings.clone());
        all.map(|text| (document.label.clone(), text))
            .collect::<Vec<_>>()
    };
    let all: Vec<(String, String)> = report.documents.iter().flat_map(remarks).collect();
    for (label, warning) in all.iter().take(MOST_REMARKS) {
        line(
            out,
            &format!("{}: {}", printable(label), printable(warning)),
        );
    }
    if all.len() > MOST_REMARKS {
        let more = all.len() - MOST_REMARKS;
        line(
            out,
            &format!("{more} more such remarks; {}", lists_all(hint)),
        );
    }
}

/// The end of a sentence about what there is no room for.
pub(crate) fn lists_all(hint: Option<Hint>) -> String {
    let option = hint.and_then(|hint| hint(&Remedy::Json));
    let option = option.unwrap_or_else(|| "the report as JSON".to_owned());
    format!("{option} lists them all")
}

fn compared(
    report: &Report,
    pair: &PairReport,
    paint: Paint,
    hint: Option<Hint>,
    out: &mut String,
) {
    let labels = labels(report);
    let [left, right] = [&pair.left, &pair.right].map(|id| printable(label(&labels, id)));
    let [left_in_right, right_in_left] = pair.shares();
    if let Some(compression) = &pair.compression {
        line(out, &other::similar(compression));
    } else {
        let [more_left, more_right] = pair.evidence.as_ref().map_or_else(Default::default, more);
        let is_counted = pair.evidence.is_some() && Units::of(&report.documents) == Units::Tokens;
        let (of, is) = if is_counted {
            ("of the tokens of", "are")
        } else {
            ("of", "is")
        };
        for (share, one, other, more) in [
            (left_in_right, &left, &right, more_left),
            (right_in_left, &right, &left, more_right),
        ] {
            let share = paint.strong(&format!("{:>6}", percent(share)));
            line(out, &format!("{share} {of} {one} {is} in {other}{more}"));
        }
    }
    line(out, "");
    if let Some(evidence) = &pair.evidence {
        left_out(report, evidence, out);
        line(out, &exactly(report, evidence));
    }
    let sizes: Vec<String> = report.documents.iter().map(size).collect();
    line(
        out,
        &format!(
            "{} shared; {}",
            counted(pair.shared, "digest"),
            sizes.join("; ")
        ),
    );
    line(
        out,
        &format!(
            "symmetric {:.3}, resemblance {:.3}, max-containment {:.3}",
            pair.symmetric, pair.resemblance, pair.max_containment
        ),
    );
    if let (Some(evidence), [left, right]) = (&pair.evidence, report.documents.as_slice()) {
        passages::list(&evidence.passages, &[left, right], paint, hint, out);
    }
}

/// What is reworded, of either one.
fn more(evidence: &Evidence) -> [String; 2] {
    evidence.paraphrased.map(|share| {
        if share > 0.0 {
            format!(", and {} reworded", percent(share))
        } else {
            String::new()
        }
    })
}

/// What the percentages would be if nothing were left out.
fn left_out(report: &Report, evidence: &Evidence, out: &mut String) {
    let kinds: BTreeSet<Discount> = report
        .documents
        .iter()
        .flat_map(|document| document.ignored.iter().map(|ignored| ignored.kind))
        .filter(|&kind| report.left_out.has(kind))
        .collect();
    if kinds.is_empty() {
        return;
    }
    let kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
    let [left, right] = evidence.aligned.map(percent);
    line(
        out,
        &format!(
            "{} left out; with it {left} and {right}",
            kinds.join(" and ")
        ),
    );
}

fn exactly(report: &Report, evidence: &Evidence) -> String {
    let [left, right] = evidence.classes.map(|classes| percent(classes.verbatim));
    let units = Units::of(&report.documents);
    match units {
        Units::Tokens => {
            let longest = evidence.longest;
            format!(
                "written the same: {left} and {right}; the longest run of shared tokens has {longest}"
            )
        }
        Units::Words | Units::Both => {
            let longest = counted(evidence.longest, "word");
            format!("word for word: {left} and {right}; the longest run has {longest}")
        }
    }
}

/// Whether pairs are listed in a table that names what is disguised.
fn has_table(report: &Report) -> bool {
    report.measure != MEASURE
        && !is_compressed(report)
        && !matches!(report.command.as_str(), "compare" | "verify")
}

/// Whether the scores come from compressed lengths.
pub(crate) fn is_compressed(report: &Report) -> bool {
    report.measure.starts_with("compression:")
}

fn id_of(document: &Summary) -> &str {
    &document.id
}

/// The documents of listed pairs that have something disguised, in the order of the documents.
fn disguised_in_pairs(report: &Report) -> impl Iterator<Item = &Summary> {
    let ends = |pair: &PairReport| [pair.left.clone(), pair.right.clone()];
    let listed: HashSet<String> = report.pairs.iter().flat_map(ends).collect();
    let documents = report.documents.iter();
    documents.filter(move |document| {
        !document.disguised.is_empty() && listed.contains(document.id.as_str())
    })
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

fn scanned(report: &Report, screen: Screen, hint: Option<Hint>, out: &mut String) {
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

/// What the list would be without text that many documents have, if it would have other pairs.
fn changing(report: &Report) -> Option<&WithoutCommon> {
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

fn parameters(report: &Report) -> String {
    let mut text = format!("recipe {}; measure {}", report.recipe, report.measure);
    for (name, setting) in &report.settings {
        let value = match setting {
            Setting::Number(number) => number.to_string(),
            Setting::Count(count) => count.to_string(),
            Setting::Text(text) => printable(text),
            Setting::List(list) => list
                .iter()
                .map(|item| printable(item))
                .collect::<Vec<_>>()
                .join(", "),
        };
        let _ = write!(text, "; {name} {value}");
    }
    text
}

fn size(document: &Summary) -> String {
    let note = match (document.short, document.thin) {
        (true, true) => ", short, few",
        (true, false) => ", short",
        (false, true) => ", few",
        (false, false) => "",
    };
    format!(
        "{}: {}, {}{note}",
        printable(&document.label),
        counted(document.words, Units::of([document]).one()),
        counted(document.digests, "digest")
    )
}

/// What people call the documents that are not called by their ids.
fn labels(report: &Report) -> HashMap<&str, &str> {
    let documents = report.documents.iter();
    documents
        .filter(|document| document.label != document.id)
        .map(|document| (document.id.as_str(), document.label.as_str()))
        .collect()
}

fn label<'r>(labels: &HashMap<&str, &'r str>, id: &'r str) -> &'r str {
    labels.get(id).copied().unwrap_or(id)
}

/// A number of things.
pub fn counted(count: impl Into<u64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// Ten cells, an eighth of a cell at a time.
pub(crate) fn bar(score: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 80"
    )]
    let eighths = (score.clamp(0.0, 1.0) * 80.0).round() as usize;
    let text = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
    format!("{text:<10}")
}

/// A share in whole percent. Only all of it reads 100, and only nothing reads 0.
pub fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    if rounded >= 100.0 && share < 1.0 {
        "99 %".to_owned()
    } else if rounded < 1.0 && share > 0.0 {
        "< 1 %".to_owned()
    } else {
        format!("{rounded} %")
    }
}

/// A name without control and direction characters, which could forge lines on a terminal.
pub(crate) fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        let forges = c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if forges {
            text.extend(c.escape_unicode());
        } else {
            text.push(c);
        }
    }
    text
}

pub(crate) fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_honest_at_the_ends() {
        for (share, expected) in [
            (0.0, "0 %"),
            (0.001, "< 1 %"),
            (0.104, "10 %"),
            (0.9999, "99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(share), expected);
        }
    }

    #[test]
    fn names_cannot_forge_lines() {
        assert_eq!(
            printable("a\u{1b}[2J\nb\u{202e}"),
            "a\\u{1b}[2J\\u{a}b\\u{202e}"
        );
    }

    #[test]
    fn bars_have_one_width() {
        for score in [0.0, 0.1, 0.55, 0.99, 1.0] {
            assert_eq!(bar(score).chars().count(), 10);
        }
    }
}
