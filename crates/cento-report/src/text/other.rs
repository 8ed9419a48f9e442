//! What stands in the text report in place of shares: compression and style.

use std::collections::HashSet;
use std::fmt::Write as _;

use cento::report::{Compression, PairReport, Report, SHORT};

use super::pair_table::{PairRow, PairTable};
use super::scanned::{enough, families};
use super::words::{counted, line, percent, printable};
use crate::paint::Screen;
use crate::units::Units;

/// How alike two texts compress, as one line.
pub(crate) fn similar(compression: &Compression) -> String {
    format!(
        "{:>6} similar by {} (symmetric, from compressed lengths)",
        percent(compression.similarity),
        compression.by
    )
}

/// The pairs that compress well together, the most alike first.
pub(crate) fn alike(report: &Report, screen: Screen, out: &mut String) {
    let by = report.measure.trim_start_matches("compression:");
    let found = report.at_threshold;
    let pairs = if found == 1 { "pair is" } else { "pairs are" };
    let mut summary = format!("{found} {pairs} alike by {by}, {}", enough(report));
    if let Some(less) = report.below_threshold.filter(|less| *less > 0) {
        let are = if less == 1 { "is" } else { "are" };
        let _ = write!(summary, "; {less} {are} less");
    }
    line(out, &screen.paint.strong(&summary));
    line(out, "");
    let row = |pair: &PairReport| {
        let score = format!("{:>7}   ", percent(pair.score));
        PairRow {
            numbers: [score.clone(), score],
            names: [printable(&pair.left), printable(&pair.right)],
            sign: "",
            remark: "",
        }
    };
    let head = "  ALIKE   ".to_owned();
    table(report, head, row, screen, out);
    families(report, out);
}

/// A row for each pair, below one heading for both sides.
fn table<'r>(
    report: &'r Report,
    head: String,
    row: impl Fn(&'r PairReport) -> PairRow,
    screen: Screen,
    out: &mut String,
) {
    if report.pairs.is_empty() {
        return;
    }
    let table = PairTable {
        heads: [head.clone(), head],
        rows: report.pairs.iter().map(row).collect(),
    };
    out.push_str(&table.rendered(screen));
    line(out, "");
}

/// How far two documents are apart by style.
pub(crate) fn apart(report: &Report, pair: &PairReport, out: &mut String) {
    let [left, right] = [&pair.left, &pair.right].map(|id| printable(id));
    let distance = digits(pair.distance.unwrap_or_default());
    line(
        out,
        &format!("{distance:>9} from {left} to {right} by style; the same style is 0"),
    );
    line(out, "");
    let sizes: Vec<String> = report
        .documents
        .iter()
        .map(|document| {
            let note = if document.short { ", short" } else { "" };
            let words = counted(document.words, Units::of([document]).one());
            format!("{}: {words}{note}", printable(&document.id))
        })
        .collect();
    line(out, &sizes.join("; "));
}

/// The nearest neighbour of each document by style, nearest first.
pub(crate) fn neighbours(report: &Report, screen: Screen, out: &mut String) {
    line(
        out,
        &screen.paint.strong(&format!(
            "the nearest neighbours by style of {}",
            counted(report.documents.len() as u64, "document")
        )),
    );
    line(out, "");
    let short: HashSet<&str> = report
        .documents
        .iter()
        .filter(|document| document.short)
        .map(|document| document.id.as_str())
        .collect();
    let name = |id: &str| {
        let mark = if short.contains(id) { "*" } else { "" };
        format!("{}{mark}", printable(id))
    };
    let row = |pair: &PairReport| {
        let distance = digits(pair.distance.unwrap_or_default());
        let distance = format!("{distance:>9}    ");
        PairRow {
            numbers: [distance.clone(), distance],
            names: [name(&pair.left), name(&pair.right)],
            sign: if pair.mutual == Some(true) {
                "↔"
            } else {
                "→"
            },
            remark: "",
        }
    };
    let head = format!("{:>9}    ", "DISTANCE");
    table(report, head, row, screen, out);
    let shown = |arrow: bool| {
        let is = |pair: &&PairReport| (pair.mutual == Some(true)) == arrow;
        report.pairs.iter().any(|pair| is(&pair))
    };
    if shown(true) {
        line(out, "↔ each is the other's nearest neighbour");
    }
    if shown(false) {
        line(out, "→ the right one is the left one's nearest neighbour");
    }
    if report.pairs.iter().any(|pair| {
        [&pair.left, &pair.right]
            .iter()
            .any(|id| short.contains(id.as_str()))
    }) {
        line(
            out,
            &format!("* fewer than {SHORT} words: too few to tell a style"),
        );
    }
}

/// Four digits of a distance that count, as distances may be tiny or large.
pub fn digits(distance: f64) -> String {
    if distance == 0.0 {
        return "0".to_owned();
    }
    let decimals = (3.0 - distance.abs().log10().floor()).clamp(0.0, 9.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 9"
    )]
    let decimals = decimals as usize;
    format!("{distance:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn four_digits_that_count() {
        for (distance, expected) in [
            (0.0, "0"),
            (0.164_419_2, "0.1644"),
            (10.942_93, "10.94"),
            (1974.232, "1974"),
            (123_456.7, "123457"),
            (1e-12, "0.000000000"),
        ] {
            assert_eq!(digits(distance), expected);
        }
    }
}
