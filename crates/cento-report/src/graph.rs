//! The pairs as a graph for other programs: GraphML and DOT.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use cento::report::{PairReport, Report, Summary};

use crate::layout::{distance, graph_scale};
use crate::pan::escaped;

/// The graph as GraphML: documents with what is known of them, pairs with their scores and the
/// distance of the picture.
pub fn graphml(report: &Report) -> String {
    let scale = graph_scale(report);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Cento {} -->\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
        escaped(&report.cento)
    );
    for (owner, name, kind) in [
        ("node", "id", "string"),
        ("node", "label", "string"),
        ("node", "words", "long"),
        ("node", "global", "double"),
        ("node", "family", "int"),
        ("node", "date", "string"),
        ("node", "x", "double"),
        ("node", "y", "double"),
        ("edge", "score", "double"),
        ("edge", "weight", "double"),
        ("edge", "distance", "int"),
        ("edge", "symmetric", "double"),
        ("edge", "left_in_right", "double"),
        ("edge", "right_in_left", "double"),
    ] {
        let _ = writeln!(
            xml,
            "  <key id=\"{name}\" for=\"{owner}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
        );
    }
    xml.push_str("  <graph edgedefault=\"undirected\">\n");
    let families = families(report);
    for (number, document) in report.documents.iter().enumerate() {
        let _ = writeln!(xml, "    <node id=\"n{number}\">");
        for (key, value) in node_data(document, &families) {
            let _ = writeln!(xml, "      <data key=\"{key}\">{}</data>", escaped(&value));
        }
        xml.push_str("    </node>\n");
    }
    let numbers = numbers(report);
    for (number, (ends, pair)) in edges(report, &numbers).enumerate() {
        let [source, target] = ends;
        let _ = writeln!(
            xml,
            "    <edge id=\"e{number}\" source=\"n{source}\" target=\"n{target}\">"
        );
        for (key, value) in edge_data(pair, scale) {
            let _ = writeln!(xml, "      <data key=\"{key}\">{value}</data>");
        }
        xml.push_str("    </edge>\n");
    }
    xml.push_str("  </graph>\n</graphml>\n");
    xml
}

/// The same for Graphviz; only documents that are in a pair.
pub fn dot(report: &Report) -> String {
    let scale = graph_scale(report);
    let mut dot = format!("// Cento {}\ngraph cento {{\n", report.cento);
    dot.push_str("  node [shape=ellipse];\n");
    let families = families(report);
    let numbers = numbers(report);
    let mut connected = vec![false; report.documents.len()];
    for ([left, right], _) in edges(report, &numbers) {
        connected[left] = true;
        connected[right] = true;
    }
    for (number, document) in report.documents.iter().enumerate() {
        if !connected[number] {
            continue;
        }
        let _ = write!(dot, "  n{number} [label={}", quoted(&document.label));
        if let Some(family) = families.get(document.id.as_str()) {
            let _ = write!(dot, ", group={family}");
        }
        if let Some([x, y]) = document.position {
            // Graphviz counts in points and upwards.
            let _ = write!(dot, ", pos=\"{x},{}\"", 0.0 - y);
        }
        dot.push_str("];\n");
    }
    for ([left, right], pair) in edges(report, &numbers) {
        let apart = distance(pair.value(), scale);
        let _ = writeln!(
            dot,
            "  n{left} -- n{right} [label=\"{:.2}\", weight={:.6}, len={:.2}];",
            pair.value(),
            pair.value(),
            // Inches.
            apart.max(1.0) / 72.0
        );
    }
    dot.push_str("}\n");
    dot
}

fn numbers(report: &Report) -> HashMap<&str, usize> {
    let ids = report.documents.iter().map(|document| document.id.as_str());
    ids.zip(0..).collect()
}

fn edges<'r>(
    report: &'r Report,
    numbers: &HashMap<&str, usize>,
) -> impl Iterator<Item = ([usize; 2], &'r PairReport)> {
    report.pairs.iter().filter_map(|pair| {
        let left = numbers.get(pair.left.as_str())?;
        let right = numbers.get(pair.right.as_str())?;
        Some(([*left, *right], pair))
    })
}

/// The number of each document's family, from 1.
fn families(report: &Report) -> HashMap<&str, usize> {
    (1..)
        .zip(&report.families)
        .flat_map(|(number, family)| family.iter().map(move |id| (id.as_str(), number)))
        .collect()
}

fn node_data(
    document: &Summary,
    families: &HashMap<&str, usize>,
) -> BTreeMap<&'static str, String> {
    let mut data = BTreeMap::from([
        ("id", document.id.clone()),
        ("label", document.label.clone()),
        ("words", document.words.to_string()),
        ("global", format!("{:.6}", document.global)),
    ]);
    if let Some(family) = families.get(document.id.as_str()) {
        data.insert("family", family.to_string());
    }
    if let Some(date) = &document.date {
        data.insert("date", date.clone());
    }
    if let Some([x, y]) = document.position {
        data.insert("x", x.to_string());
        data.insert("y", y.to_string());
    }
    data
}

fn edge_data(pair: &PairReport, scale: f64) -> [(&'static str, String); 6] {
    let [left, right] = pair.shares();
    let number = |value: f64| format!("{value:.6}");
    [
        ("distance", distance(pair.value(), scale).to_string()),
        ("left_in_right", number(left)),
        ("right_in_left", number(right)),
        ("score", number(pair.score)),
        ("symmetric", number(pair.symmetric)),
        ("weight", number(pair.value())),
    ]
}

/// A string of DOT, in which only quotes and line ends mean anything.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
