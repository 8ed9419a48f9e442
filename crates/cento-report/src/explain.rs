//! Why two documents match, for a person at a terminal: each passage, and the sums.

use std::fmt::Write as _;

use cento::discount::Discount;
use cento::report::{
    Chunks, Evidence, PairReport, PassageReport, Remedy, Report, ScorePart, Summary, Tally,
};

use crate::text::{Hint, counted, headline, line, notes, percent, printable, shown};
use crate::units::Units;

/// Every passage of a report's pair with its rarity among so many documents and what was left out,
/// and the arithmetic to the percent.
pub fn explained(
    report: &Report,
    documents: usize,
    score_parts: &[ScorePart],
    hint: Option<Hint>,
) -> String {
    let mut out = String::new();
    for pair in &report.pairs {
        if let Some(evidence) = &pair.evidence {
            texts(report, evidence, documents, hint, &mut out);
        }
        fingerprints(report, pair, score_parts, &mut out);
    }
    notes(report, hint, &mut out);
    out
}

fn texts(
    report: &Report,
    evidence: &Evidence,
    documents: usize,
    hint: Option<Hint>,
    out: &mut String,
) {
    let documents_of: Vec<&Summary> = report.documents.iter().collect();
    for (number, passage) in (1..).zip(&evidence.passages) {
        let headline = headline(passage, &documents_of);
        line(out, &format!("passage {number}: {headline}"));
        for (place, document) in [passage.left, passage.right]
            .into_iter()
            .zip(&report.documents)
        {
            line(out, &shown(place, document));
        }
        line(out, &format!("  {}", rarity(passage.chunks, documents)));
        if let Some(discount) = passage.discount {
            line(
                out,
                &format!("  {}", reason(discount, passage, report, hint)),
            );
        }
        line(out, "");
    }
    if evidence.passages.is_empty() {
        line(out, "no passages");
        line(out, "");
    }
    if let [left, right] = report.documents.as_slice() {
        for (sides, tally) in [[left, right], [right, left]]
            .into_iter()
            .zip(evidence.tally)
        {
            sums(report, sides, tally, out);
        }
    }
}

fn rarity(chunks: Chunks, documents: usize) -> String {
    let groups = [
        (chunks.one, "in no other document"),
        (chunks.two, "in two"),
        (chunks.few, "in three to ten"),
        (chunks.many, "in more than ten"),
    ];
    let all: u32 = groups.iter().map(|(count, _)| count).sum();
    let groups: Vec<String> = groups
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let collection = match documents {
        2 => String::new(),
        _ => format!(" (of {documents} documents)"),
    };
    match all {
        0 => "none of its chunks is in a fingerprint".to_owned(),
        _ => format!(
            "{}: {}{collection}",
            counted(all, "chunk"),
            groups.join(", ")
        ),
    }
}

fn reason(
    discount: Discount,
    passage: &PassageReport,
    report: &Report,
    hint: Option<Hint>,
) -> String {
    let why = match discount {
        Discount::Template => "it is in the template".to_owned(),
        Discount::Quotation => "it stands in quotation marks".to_owned(),
        Discount::Bibliography => "it is in a list of references".to_owned(),
        Discount::Common => match passage.documents {
            Some(documents) => format!("{documents} documents have it"),
            None => "many documents have it".to_owned(),
        },
    };
    if report.left_out.has(discount) {
        return format!("does not count: {why}");
    }
    let option = match discount {
        Discount::Common => hint.and_then(|hint| hint(&Remedy::LeaveOutCommon)),
        Discount::Template | Discount::Quotation | Discount::Bibliography => None,
    };
    let option = option.map(|option| format!("; {option} leaves it out"));
    format!("counts, although {why}{}", option.unwrap_or_default())
}

fn sums(report: &Report, [document, other]: [&Summary; 2], tally: Tally, out: &mut String) {
    let Tally {
        words,
        shared,
        left_out,
        shared_left_out,
        verbatim,
        paraphrased,
    } = tally;
    let (name, other) = (printable(&document.label), printable(&other.label));
    let (counting, of) = (tally.counted_shared(), tally.counted());
    let units = Units::of([document]);
    line(
        out,
        &format!(
            "{} of {name} is in {other}: {counting} of {of} {}",
            percent(tally.net()),
            units.many()
        ),
    );
    let edited = counting - verbatim;
    let classes = match units {
        Units::Tokens => format!("{verbatim} written the same, {edited} with other names"),
        Units::Words | Units::Both => format!("{verbatim} word for word, {edited} edited"),
    };
    line(out, &format!("  {classes}"));
    if paraphrased > 0 {
        let share = percent(tally.paraphrased());
        line(
            out,
            &format!("  and {paraphrased} reworded, {share}, which do not count as shared"),
        );
    }
    if left_out > 0 {
        let mut text =
            format!("  left out: {left_out} of {words}, {shared_left_out} of them shared");
        let kinds = Discount::ALL
            .into_iter()
            .filter(|&kind| report.left_out.has(kind))
            .filter(|&kind| document.ignored.iter().any(|ignored| ignored.kind == kind));
        let kinds: Vec<String> = kinds.map(|kind| kind.to_string()).collect();
        let _ = write!(text, " ({})", kinds.join(", "));
        line(out, &text);
        let all = percent(tally.aligned());
        line(
            out,
            &format!(
                "  with everything: {shared} of {words} {}, {all}",
                units.many()
            ),
        );
    }
    line(out, "");
}

fn fingerprints(report: &Report, pair: &PairReport, score_parts: &[ScorePart], out: &mut String) {
    let shared = pair.shared;
    let sides: Vec<String> = report
        .documents
        .iter()
        .map(|document| {
            let (digests, name) = (document.digests, printable(&document.label));
            format!("{shared} of {digests} digests of {name}")
        })
        .collect();
    line(out, &format!("fingerprints: {}", sides.join(", ")));
    let whole = [0, 1].map(|side| {
        score_parts
            .iter()
            .map(|part| part.weight[side])
            .sum::<f64>()
    });
    for part in score_parts {
        let ScorePart {
            name,
            digests: [left, right],
            shared,
            ..
        } = part;
        // The smaller document is the one whose share counts.
        let side = usize::from(whole[1] < whole[0]);
        let score = percent(over(part.shared_weight, part.weight[side]));
        let weight = percent(over(part.weight[side], whole[side]));
        line(
            out,
            &format!(
                "  {name}: {shared} of {left} and {right}, by weight {score}; \
                 {weight} of the score is decided by it"
            ),
        );
    }
    line(
        out,
        &format!("score {:.3} ({})", pair.score, report.measure),
    );
}

fn over(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
