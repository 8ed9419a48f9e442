//! The pairs as comma-separated values (RFC 4180), one line each.

use std::fmt::Write as _;

use cento::report::{Evidence, Report};

/// The pairs of a report as CSV with a header line.
pub fn csv(report: &Report) -> String {
    let mut text = String::from(
        "left,right,score,shared,containment_left,containment_right,symmetric,resemblance,max_containment,\
         overlap_left,overlap_right,net_left,net_right,longest,passages",
    );
    let has_distances = report.pairs.iter().any(|pair| pair.distance.is_some());
    text.push_str(if has_distances { ",distance\n" } else { "\n" });
    for pair in &report.pairs {
        let [left_in_right, right_in_left] = pair.containment;
        let numbers = [
            left_in_right,
            right_in_left,
            pair.symmetric,
            pair.resemblance,
            pair.max_containment,
        ];
        let numbers: Vec<String> = numbers
            .iter()
            .map(|number| format!("{number:.6}"))
            .collect();
        let _ = writeln!(
            text,
            "{},{},{:.6},{},{},{}{}",
            field(&pair.left),
            field(&pair.right),
            pair.score,
            pair.shared,
            numbers.join(","),
            pair.evidence
                .as_ref()
                .map_or_else(|| ",,,,,".to_owned(), evidence_fields),
            pair.distance
                .map_or_else(String::new, |distance| format!(",{distance}")),
        );
    }
    text
}

fn evidence_fields(evidence: &Evidence) -> String {
    let shares = evidence.overlap.iter().chain(&evidence.net);
    let shares: Vec<String> = shares.map(|share| format!("{share:.6}")).collect();
    let (longest, passages) = (evidence.longest, evidence.passages.len());
    format!("{},{longest},{passages}", shares.join(","))
}

/// A field, in quotes where it must be.
pub(crate) fn field(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("a.txt"), "a.txt");
        assert_eq!(field("a, \"b\"\n"), "\"a, \"\"b\"\"\n\"");
    }
}
