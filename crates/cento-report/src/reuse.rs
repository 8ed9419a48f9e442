//! Passages, one per line, in the format of passim: for those who study text reuse.

use std::collections::HashMap;

use cento::report::{PassageReport, Place, Report, Summary};
use serde_json::{Map, Value, json};

use crate::characters::Characters;

/// Each passage of each pair as two lines of JSON, one for either document, that have a `cluster` in
/// common and name each other as `src`.
///
/// `begin` and `end` are characters, as passim's are; `begin_byte` and `begin_line` and their ends
/// count bytes of the UTF-8 text and lines from 1. Without a text only its bytes are known.
pub fn passages_jsonl(report: &Report, with_text: bool) -> String {
    let texts: HashMap<&str, Text> = report
        .documents
        .iter()
        .map(|document| (document.id.as_str(), Text::new(document)))
        .collect();
    let mut lines = String::new();
    let mut cluster = 0_u64;
    for pair in &report.pairs {
        let (Some(left), Some(right)) = (
            texts.get(pair.left.as_str()),
            texts.get(pair.right.as_str()),
        ) else {
            continue;
        };
        let passages = pair.evidence.iter().flat_map(|found| &found.passages);
        for passage in passages {
            for (own, other) in [
                ((left, passage.left), (right, passage.right)),
                ((right, passage.right), (left, passage.left)),
            ] {
                let row = row(cluster, passage, own, other, with_text);
                lines.push_str(&row.to_string());
                lines.push('\n');
            }
            cluster += 1;
        }
    }
    lines
}

fn row(
    cluster: u64,
    passage: &PassageReport,
    (text, place): (&Text, Place),
    other: (&Text, Place),
    with_text: bool,
) -> Value {
    let mut row = Map::new();
    row.insert("cluster".to_owned(), json!(cluster));
    row.insert("size".to_owned(), json!(2));
    text.locate(place, &mut row);
    row.insert("words".to_owned(), json!(place.words));
    row.insert("kind".to_owned(), json!(passage.kind));
    row.insert(
        "similarity".to_owned(),
        json!((passage.similarity * 1e6).round() / 1e6),
    );
    if let Some(documents) = passage.documents {
        row.insert("documents".to_owned(), json!(documents));
    }
    let boilerplate = if passage.discount.is_some() { 1.0 } else { 0.0 };
    row.insert("pboiler".to_owned(), json!(boilerplate));
    if let Some(discount) = passage.discount {
        row.insert("discount".to_owned(), json!(discount));
    }
    let mut source = Map::new();
    other.0.locate(other.1, &mut source);
    row.insert("src".to_owned(), json!([source]));
    if with_text && let Some(text) = text.summary.text.as_deref() {
        let span = place.start as usize..place.end as usize;
        row.insert("text".to_owned(), json!(text.get(span)));
    }
    Value::Object(row)
}

/// A document whose characters and lines can be counted.
struct Text<'r> {
    summary: &'r Summary,
    counted: Option<(Characters<'r>, Vec<u32>)>,
}

impl<'r> Text<'r> {
    fn new(summary: &'r Summary) -> Text<'r> {
        let counted = summary.text.as_deref().map(|text| {
            let ends = (0_u32..).zip(text.bytes());
            let ends = ends.filter(|(_, byte)| *byte == b'\n');
            (
                Characters::new(text),
                ends.map(|(offset, _)| offset).collect(),
            )
        });
        Text { summary, counted }
    }

    fn locate(&self, place: Place, row: &mut Map<String, Value>) {
        let mut put = |name: &str, value: u32| row.insert(name.to_owned(), json!(value));
        if let Some((characters, lines)) = &self.counted {
            put("begin", characters.before(place.start));
            put("end", characters.before(place.end));
            let line = |byte: u32| {
                let before = lines.partition_point(|&end| end < byte);
                u32::try_from(before + 1).unwrap_or(u32::MAX)
            };
            put("begin_line", line(place.start));
            put("end_line", line(place.end.saturating_sub(1)));
        }
        put("begin_byte", place.start);
        put("end_byte", place.end);
        row.insert("id".to_owned(), json!(self.summary.id));
    }
}
