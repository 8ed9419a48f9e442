//! A page that was written before → the data in it.

use serde_json::Value;

use super::pack::unpacked;

/// What a page has.
#[derive(Debug)]
pub struct Found {
    /// The report, as the version that wrote it had it.
    pub report: Value,
    /// The text of each of its documents.
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
}

/// What unpacks to more than this was not made to be read.
const MOST: u64 = 1 << 30;

/// The data of a page.
pub fn read(page: &str) -> Result<Found, ReadError> {
    let report = block(page, "report").ok_or(ReadError::NotOurs)?;
    let damaged = || ReadError::Damaged("report");
    let json = unpacked(report, MOST).ok_or_else(damaged)?;
    let report: Value = serde_json::from_slice(&json).map_err(|_| damaged())?;
    let documents = report["documents"].as_array().map_or(0, Vec::len);
    let mut texts = texts(page, "texts")?;
    texts.resize(documents, None);
    let templates = self::texts(page, "templates")?;
    Ok(Found {
        report,
        texts,
        templates: templates.into_iter().flatten().collect(),
    })
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
