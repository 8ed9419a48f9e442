//! What is known about a pair, as PAN writes it.
//!
//! ```xml
//! <document reference="suspicious-document00005.txt">
//!   <feature name="plagiarism" this_offset="3593" this_length="698"
//!            source_reference="source-document01090.txt" source_offset="1300" source_length="698" />
//! </document>
//! ```

use std::ops::Range;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::Error;

/// Characters of a suspicious document, and those of the source that they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanCase {
    /// Characters of the suspicious document.
    pub suspicious: Range<u32>,
    /// Characters of the source.
    pub source: Range<u32>,
}

/// The cases in the XML of a pair whose source has this name. Features of other names say other
/// things, and a case of no characters marks nothing: neither counts.
pub fn parse_truth(xml: &str, source: &str) -> Result<Vec<PanCase>, Error> {
    let mut reader = Reader::from_str(xml);
    let mut cases = Vec::new();
    let mut features = 0;
    let mut depth = 0_u32;
    let mut has_root = false;
    loop {
        let event = reader.read_event().map_err(|error| {
            let byte = reader.error_position();
            Error::Damaged(format!("not well-formed XML near byte {byte}: {error}"))
        })?;
        let (tag, is_open) = match event {
            Event::Start(tag) => (tag, true),
            Event::Empty(tag) => (tag, false),
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        if depth == 0 && (has_root || tag.name().as_ref() != "document") {
            return Err(not_a_pair("its root must be one `document`"));
        }
        has_root = true;
        depth += u32::from(is_open);
        if tag.name().as_ref() == "feature" {
            features += 1;
            let case = case(&tag, source);
            cases.extend(case.map_err(|error| error.at(format_args!("feature {features}")))?);
        }
    }
    if depth > 0 || !has_root {
        return Err(not_a_pair("it ends before its `document` does"));
    }
    Ok(cases)
}

fn not_a_pair(problem: &str) -> Error {
    Error::Damaged(format!("not the XML of a pair: {problem}"))
}

/// The case that a feature states, if it does.
fn case(feature: &BytesStart, source: &str) -> Result<Option<PanCase>, Error> {
    if attribute(feature, "name")?.as_deref() != Some("plagiarism") {
        return Ok(None);
    }
    if let Some(other) = attribute(feature, "source_reference")?
        && other != source
    {
        return Err(Error::Damaged(format!(
            "source_reference is `{other}`, but the pair's source is `{source}`"
        )));
    }
    let suspicious = range(feature, "this_offset", "this_length")?;
    let source = range(feature, "source_offset", "source_length")?;
    let marks_nothing = suspicious.is_empty() || source.is_empty();
    Ok((!marks_nothing).then_some(PanCase { suspicious, source }))
}

fn range(feature: &BytesStart, offset: &str, length: &str) -> Result<Range<u32>, Error> {
    let start = number(feature, offset)?;
    let length = number(feature, length)?;
    let end = start.checked_add(length);
    let end = end
        .ok_or_else(|| Error::Damaged(format!("{offset} and length go past 4 billion characters")));
    Ok(start..end?)
}

fn number(feature: &BytesStart, name: &str) -> Result<u32, Error> {
    let value = attribute(feature, name)?;
    let value = value.ok_or_else(|| Error::Damaged(format!("{name} is missing")))?;
    let number = value.trim().parse();
    number.map_err(|_| {
        Error::Damaged(format!(
            "{name} is `{value}`, which is not a number of characters"
        ))
    })
}

fn attribute(feature: &BytesStart, name: &str) -> Result<Option<String>, Error> {
    let broken = |error: &dyn std::fmt::Display| {
        Error::Damaged(format!("attributes are not well formed: {error}"))
    };
    for attribute in feature.attributes() {
        let attribute = attribute.map_err(|error| broken(&error))?;
        if attribute.key.as_ref() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return Ok(Some(value.map_err(|error| broken(&error))?.into_owned()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = r#"<feature name="plagiarism" source_length="5" source_offset="20"
        source_reference="b &amp; c.txt" this_length="4" this_offset="10" type="x"/>"#;

    fn parse(body: &str) -> Result<Vec<PanCase>, Error> {
        parse_truth(
            &format!("<document reference=\"a\">{body}</document>"),
            "b & c.txt",
        )
    }

    #[test]
    fn cases_and_what_is_none() {
        let case = PanCase {
            suspicious: 10..14,
            source: 20..25,
        };
        let about = r#"<!-- no --><feature name="about" title="x"></feature>"#;
        assert_eq!(
            parse(&format!("{about}{CASE}\n{CASE}")).unwrap(),
            [case.clone(), case]
        );
        assert_eq!(parse("").unwrap(), []);
        assert_eq!(
            parse_truth("<?xml version=\"1.0\"?>\n<document/>\n", "b").unwrap(),
            []
        );
        assert_eq!(parse(&CASE.replace("\"4\"", "\"0\"")).unwrap(), []);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |body: &str| parse(body).unwrap_err().to_string();
        assert!(error(&CASE.replace("\"4\"", "\"-4\"")).contains("feature 1: this_length is `-4`"));
        assert!(error(&CASE.replace("this_offset", "at")).contains("this_offset is missing"));
        assert!(error(&CASE.replace("b &amp;", "d")).contains("source_reference is `d c.txt`"));
        assert!(error(&CASE.replace("\"10\"", "\"4294967295\"")).contains("4 billion"));
        assert!(error("<feature name=plagiarism/>").contains("not well formed"));
        assert!(error("</feature>").contains("not well-formed XML near byte"));
        for xml in [
            "",
            "text",
            "<html></html>",
            "<document>",
            "<document/><document/>",
        ] {
            assert!(
                parse_truth(xml, "b")
                    .unwrap_err()
                    .to_string()
                    .contains("not the XML of a pair"),
                "{xml}"
            );
        }
    }
}
