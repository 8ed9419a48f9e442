//! The pairs as `JPlag` exports them, so that what reads that table can read it.

use cento::report::{PairReport, Report};

use crate::table::{Cells, Table};

/// `results.csv`: how much two submissions have in common, of both together and of the smaller one.
///
/// As in `JPlag`, that is what alignment found; where no texts were compared, what the fingerprints say.
pub fn jplag_results(report: &Report) -> String {
    let columns = [
        "submissionName1",
        "submissionName2",
        "averageSimilarity",
        "maxSimilarity",
    ];
    let mut table = Table::new(Cells::Verbatim, &columns);
    for pair in &report.pairs {
        let [average, largest] = similarities(pair);
        table.row([
            pair.left.clone(),
            pair.right.clone(),
            format!("{average:.6}"),
            format!("{largest:.6}"),
        ]);
    }
    table.finish()
}

fn similarities(pair: &PairReport) -> [f64; 2] {
    let Some(evidence) = &pair.evidence else {
        return [pair.symmetric, pair.max_containment];
    };
    let counted = evidence
        .tally
        .map(|tally| f64::from(tally.words - tally.left_out));
    let all = counted[0] + counted[1];
    let shared = evidence.share[0] * counted[0] + evidence.share[1] * counted[1];
    let average = if all > 0.0 { shared / all } else { 0.0 };
    [average, evidence.share[0].max(evidence.share[1])]
}
