//! What we write is read back by readers that know nothing of us.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::collections::{BTreeMap, HashMap};

use quick_xml::Reader;
use quick_xml::events::Event;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use support::report;

/// The columns that Dolos' viewer reads.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DolosPair {
    id: u32,
    left_file_id: u32,
    left_file_path: String,
    right_file_id: u32,
    right_file_path: String,
    similarity: f64,
    total_overlap: u64,
    longest_fragment: u32,
    left_covered: u32,
    right_covered: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DolosFile {
    id: u32,
    ignored: bool,
    path: String,
    content: String,
    amount_of_kgrams: u32,
    ast: String,
    mapping: String,
    extra: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DolosProperty {
    property: String,
    value: String,
    r#type: String,
}

fn rows<T: DeserializeOwned>(text: &str) -> Vec<T> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn tables_of_dolos() {
    let report = report();
    let files: Vec<DolosFile> = rows(&cento_report::dolos_files(&report));
    assert_eq!(files.len(), report.documents.len());
    for (file, document) in files.iter().zip(&report.documents) {
        assert_eq!(file.path, document.id);
        assert_eq!(Some(&file.content), document.text.as_ref());
        assert_eq!(file.amount_of_kgrams, document.digests);
        assert!(!file.ignored);
        let nothing: Vec<Value> = serde_json::from_str(&file.ast).unwrap();
        assert_eq!(
            nothing,
            serde_json::from_str::<Vec<Value>>(&file.mapping).unwrap()
        );
        let extra: Value = serde_json::from_str(&file.extra).unwrap();
        assert_eq!(extra["fullName"], document.label.as_str());
        assert_eq!(extra["createdAt"].as_str(), document.date.as_deref());
    }
    let ids: HashMap<u32, &DolosFile> = files.iter().map(|file| (file.id, file)).collect();
    let pairs: Vec<DolosPair> = rows(&cento_report::dolos_pairs(&report));
    assert_eq!(pairs.len(), report.pairs.len());
    for (number, (pair, ours)) in (0..).zip(pairs.iter().zip(&report.pairs)) {
        assert_eq!(pair.id, number);
        let [left, right] = [pair.left_file_id, pair.right_file_id].map(|id| ids[&id]);
        assert_eq!([&left.path, &right.path], [&ours.left, &ours.right]);
        assert_eq!(
            [&pair.left_file_path, &pair.right_file_path],
            [&ours.left, &ours.right]
        );
        // Dolos' own definition of similarity and overlap.
        let covered = pair.left_covered + pair.right_covered;
        let all = left.amount_of_kgrams + right.amount_of_kgrams;
        assert!((pair.similarity - f64::from(covered) / f64::from(all)).abs() < 1e-5);
        assert_eq!(pair.total_overlap, u64::from(covered));
        assert!(pair.longest_fragment > 0);
    }
    let properties: Vec<DolosProperty> = rows(&cento_report::dolos_metadata(&report));
    let value = |name: &str| {
        let found = properties.iter().find(|row| row.property == name).unwrap();
        (found.value.as_str(), found.r#type.as_str())
    };
    assert_eq!(value("threshold"), ("0.1", "number"));
    assert_eq!(value("base"), ("[\"sheets/template, 1.txt\"]", "object"));
}

#[test]
fn our_own_table() {
    let report = report();
    let all: Vec<BTreeMap<String, String>> = rows(&cento_report::csv(&report));
    // A spreadsheet must not run a name as a formula.
    let shown = |id: &str| match id.strip_prefix('=') {
        Some(_) => format!("'{id}"),
        None => id.to_owned(),
    };
    assert!(report.pairs.iter().any(|pair| pair.left.starts_with('=')));
    for (row, pair) in all.iter().zip(&report.pairs) {
        assert_eq!(row["left"], shown(&pair.left));
        assert_eq!(row["right"], shown(&pair.right));
        assert_eq!(row["shared"], pair.shared.to_string());
    }
}

/// The elements of a document: name and attributes.
fn elements(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = Reader::from_str(xml);
    let mut found = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let key = attribute.key.as_ref().to_owned();
                    (
                        key,
                        attribute
                            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                            .unwrap()
                            .into_owned(),
                    )
                });
                let name = tag.name().as_ref().to_owned();
                found.push((name, attributes.collect()));
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn pan_xml_points_at_the_passages() {
    let report = report();
    let text = |id: &str| {
        let document = report.documents.iter().find(|one| one.id == id).unwrap();
        (document, document.text.as_deref().unwrap())
    };
    let mut passages = 0;
    for pair in &report.pairs {
        let [(left, left_text), (right, right_text)] = [text(&pair.left), text(&pair.right)];
        let xml = cento_report::pan_pair(pair, [left, right]).unwrap();
        let all = elements(&xml);
        assert_eq!(all[0].0, "document");
        assert_eq!(all[0].1["reference"], pair.left);
        let expected = &pair.evidence.as_ref().unwrap().passages;
        assert_eq!(all.len() - 1, expected.len());
        for ((name, attributes), passage) in all[1..].iter().zip(expected) {
            assert_eq!(name, "feature");
            assert_eq!(attributes["source_reference"], pair.right);
            let part = |text: &str, side: &str| -> String {
                let number = |what: &str| attributes[&format!("{side}_{what}")].parse().unwrap();
                let (offset, length): (usize, usize) = (number("offset"), number("length"));
                text.chars().skip(offset).take(length).collect()
            };
            let bytes = |text: &str, place: cento::report::Place| {
                text[place.start as usize..place.end as usize].to_owned()
            };
            assert_eq!(part(left_text, "this"), bytes(left_text, passage.left));
            assert_eq!(part(right_text, "source"), bytes(right_text, passage.right));
            passages += 1;
        }
    }
    assert!(passages > 3);
}

#[test]
fn graphml_is_a_graph() {
    let report = report();
    let all = elements(&cento_report::graphml(&report));
    let ids: Vec<&str> = all
        .iter()
        .filter(|(name, _)| name == "node")
        .map(|(_, attributes)| attributes["id"].as_str())
        .collect();
    assert_eq!(ids.len(), report.documents.len());
    let edges = all.iter().filter(|(name, _)| name == "edge");
    assert_eq!(edges.clone().count(), report.pairs.len());
    for (_, attributes) in edges {
        assert!(ids.contains(&attributes["source"].as_str()));
        assert!(ids.contains(&attributes["target"].as_str()));
    }
    let keys: Vec<&str> = all
        .iter()
        .filter(|(name, _)| name == "key")
        .map(|(_, attributes)| attributes["id"].as_str())
        .collect();
    for (_, attributes) in all.iter().filter(|(name, _)| name == "data") {
        assert!(keys.contains(&attributes["key"].as_str()));
    }
}

#[test]
fn passages_point_at_their_text() {
    let report = report();
    let mut clusters: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for line in cento_report::passages_jsonl(&report, true).lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().unwrap();
        let document = report.documents.iter().find(|one| one.id == id).unwrap();
        let text = document.text.as_deref().unwrap();
        let number = |name: &str| usize::try_from(row[name].as_u64().unwrap()).unwrap();
        let by_bytes = &text[number("begin_byte")..number("end_byte")];
        let by_characters: String = text
            .chars()
            .skip(number("begin"))
            .take(number("end") - number("begin"))
            .collect();
        assert_eq!(by_bytes, by_characters);
        assert_eq!(row["text"], by_bytes);
        let lines = text.lines().collect::<Vec<_>>();
        let first = lines[number("begin_line") - 1];
        assert!(first.contains(by_bytes.lines().next().unwrap()));
        let last = lines[number("end_line") - 1];
        assert!(last.contains(by_bytes.lines().next_back().unwrap()));
        clusters
            .entry(row["cluster"].as_u64().unwrap())
            .or_default()
            .push(row);
    }
    for rows in clusters.values() {
        let [left, right] = rows.as_slice() else {
            panic!("a cluster is a passage and its counterpart");
        };
        assert_eq!(left["src"][0]["id"], right["id"]);
        assert_eq!(right["src"][0]["begin"], left["begin"]);
    }
}
