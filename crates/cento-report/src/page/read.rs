//! A page that was written before → the data in it.

use cento::report::{Report, SCHEMA};
use serde::Deserialize;

use super::pack::unpacked;

/// The data of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageData {
    /// The report without the texts of its documents. What a later version of Cento added to it is
    /// left out.
    pub report: Report,
    /// The text of each of its documents, if it was written.
    pub texts: Vec<Option<String>>,
    /// The templates that do not count.
    pub templates: Vec<String>,
}

/// Why a file is no page with data.
#[derive(Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It has none of our marks.
    NotOurs,
    /// Some of its data is missing or damaged; which.
    Damaged(&'static str),
    /// Its data has another form; which.
    OtherSchema(String),
}

/// What unpacks to more than this was not made to be read.
const MOST: u64 = 1 << 30;

/// The data of a page.
pub fn read(page: &str) -> Result<PageData, ReadError> {
    let report = block(page, "report").ok_or(ReadError::NotOurs)?;
    let damaged = || ReadError::Damaged("report");
    let json = unpacked(report, MOST).ok_or_else(damaged)?;
    let Form { schema } = serde_json::from_slice(&json).map_err(|_| damaged())?;
    if schema != SCHEMA {
        return Err(ReadError::OtherSchema(schema));
    }
    let report: Report = serde_json::from_slice(&json).map_err(|_| damaged())?;
    let mut texts = texts(page, "texts")?;
    texts.resize(report.documents.len(), None);
    let templates = self::texts(page, "templates")?;
    Ok(PageData {
        report,
        texts,
        templates: templates.into_iter().flatten().collect(),
    })
}

/// What every form of the data has.
#[derive(Deserialize)]
struct Form {
    schema: String,
}

fn texts(page: &str, name: &'static str) -> Result<Vec<Option<String>>, ReadError> {
    let lines = block(page, name).ok_or(ReadError::Damaged(name))?;
    let text = |line: &str| {
        if line.is_empty() {
            return Ok(None);
        }
        let bytes = unpacked(line, MOST).ok_or(ReadError::Damaged(name))?;
        let text = String::from_utf8(bytes).map_err(|_| ReadError::Damaged(name))?;
        Ok(Some(text))
    };
    lines.split('\n').map(text).collect()
}

fn block<'p>(page: &'p str, name: &str) -> Option<&'p str> {
    let start = format!("<script type=\"text/plain\" id=\"cento-{name}\">");
    let (_, rest) = page.split_once(&start)?;
    rest.split_once("</script>").map(|(data, _)| data)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::pack::packed;
    use super::*;

    fn page(report: &Value) -> String {
        let block = |name: &str, data: &str| {
            format!("<script type=\"text/plain\" id=\"cento-{name}\">{data}</script>")
        };
        let report = packed(report.to_string().as_bytes());
        let texts = packed("Bees do not care.".as_bytes());
        block("report", &report) + &block("texts", &texts) + &block("templates", "")
    }

    fn golden() -> Value {
        let golden = include_str!("../../tests/golden/report.json");
        serde_json::from_str(golden).unwrap()
    }

    /// A browser writes 1 for 1.0; a later version has more to say.
    #[test]
    fn what_others_wrote_reads_the_same() {
        let ours = golden();
        let mut theirs = golden();
        assert_eq!(theirs["pairs"][0]["score"], 1.0);
        theirs["pairs"][0]["score"] = 1.into();
        theirs["pairs"][0]["mood"] = "good".into();
        theirs["documents"][0]["mood"] = "good".into();
        theirs["mood"] = "good".into();
        let [ours, theirs] = [ours, theirs].map(|report| read(&page(&report)).unwrap());
        assert_eq!(ours, theirs);
        assert_eq!(ours.texts.len(), ours.report.documents.len());
        assert_eq!(ours.texts[0].as_deref(), Some("Bees do not care."));
        assert_eq!(ours.texts[1], None);
    }

    #[test]
    fn another_form_is_named() {
        let mut report = golden();
        report["schema"] = "cento.report/2".into();
        report["pairs"] = "elsewhere".into();
        let error = read(&page(&report)).unwrap_err();
        assert_eq!(error, ReadError::OtherSchema("cento.report/2".to_owned()));
        report["schema"] = SCHEMA.into();
        let error = read(&page(&report)).unwrap_err();
        assert_eq!(error, ReadError::Damaged("report"));
    }
}
