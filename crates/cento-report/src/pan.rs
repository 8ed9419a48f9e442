//! What was found in a pair of documents, in the XML of the PAN competitions.

use std::fmt::Write as _;

use cento::align::{Alignment, Sequence};
use cento::eval::plagdet::{Case, CharRange};
use cento::report::{PairReport, Place, Summary};
use cento::token::Span;

use crate::characters::Characters;

/// The passages of an alignment by the characters that they cover, in their order.
pub fn pan_detections(
    alignment: &Alignment,
    [left, right]: [&Sequence; 2],
    [left_text, right_text]: [&Characters; 2],
) -> Vec<Case> {
    let characters = |text: &Characters, span: Span| CharRange {
        start: text.before(span.start),
        end: text.before(span.end),
    };
    let detection = |passage: &cento::align::Passage| Case {
        suspicious: characters(left_text, left.source(&passage.left)),
        source: characters(right_text, right.source(&passage.right)),
    };
    alignment.passages.iter().map(detection).collect()
}

/// The XML that says what was detected in a pair of files.
pub fn pan(suspicious: &str, source: &str, detections: &[Case]) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<document reference=\"{}\">\n",
        escaped(suspicious)
    );
    let source = escaped(source);
    for detection in detections {
        let _ = writeln!(
            xml,
            "  <feature name=\"detected-plagiarism\" this_offset=\"{}\" this_length=\"{}\" \
             source_reference=\"{source}\" source_offset=\"{}\" source_length=\"{}\" />",
            detection.suspicious.start,
            detection.suspicious.len(),
            detection.source.start,
            detection.source.len(),
        );
    }
    xml.push_str("</document>\n");
    xml
}

/// The passages of a listed pair as PAN XML, if the texts are at hand: its offsets are characters.
pub fn pan_pair(pair: &PairReport, documents: [&Summary; 2]) -> Option<String> {
    let [left, right] = documents.map(|document| document.text.as_deref().map(Characters::new));
    let (left, right) = (left?, right?);
    let characters = |text: &Characters, place: Place| CharRange {
        start: text.before(place.start),
        end: text.before(place.end),
    };
    let passages = pair.evidence.iter().flat_map(|evidence| &evidence.passages);
    let detections: Vec<Case> = passages
        .map(|passage| Case {
            suspicious: characters(&left, passage.left),
            source: characters(&right, passage.right),
        })
        .collect();
    Some(pan(&pair.left, &pair.right, &detections))
}

/// The value of an attribute. What XML has no way to write becomes U+FFFD.
pub(crate) fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(text, "&#{};", u32::from(c));
            }
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => text.push(char::REPLACEMENT_CHARACTER),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use cento::align::{Aligner, Vocabulary};

    use super::*;

    #[test]
    fn offsets_are_characters() {
        let texts = ["Čaj: žluť a kůň.", "„Žluť a kůň“"];
        let mut vocabulary = Vocabulary::default();
        let [left, right] = texts.map(|text| vocabulary.read(text));
        let aligner: Aligner = "tiling:2".parse().unwrap();
        let alignment = aligner.align(&left, &right, &vocabulary);
        let [in_left, in_right] = texts.map(Characters::new);
        let detections = pan_detections(&alignment, [&left, &right], [&in_left, &in_right]);
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
            <document reference=\"a&amp;b.txt\">\n  \
            <feature name=\"detected-plagiarism\" this_offset=\"5\" this_length=\"10\" \
            source_reference=\"&quot;c&quot;.txt\" source_offset=\"1\" source_length=\"10\" />\n\
            </document>\n";
        assert_eq!(pan("a&b.txt", "\"c\".txt", &detections), expected);
    }

    #[test]
    fn nothing_detected_and_odd_names() {
        let xml = pan("a\u{1}<b>\n", "c", &[]);
        assert!(xml.contains("<document reference=\"a\u{fffd}&lt;b&gt;&#10;\">\n</document>\n"));
    }
}
