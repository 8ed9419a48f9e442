//! A pair that somebody compared.

use std::collections::BTreeSet;

use cento::discount::Discount;
use cento::report::{Evidence, PairReport, Report, Summary};

use super::words::{counted, label, labels, line, percent, printable};
use super::{Hint, other, passages};
use crate::paint::Paint;
use crate::units::Units;

pub(super) fn compared(
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
