//! Report pages: the data in them, the letters that they are packed in, and the report itself.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::{Seed, Target, holds};
use crate::seeds::report;

pub(super) fn target() -> Target {
    let mut report = report::report();
    let json = cento_report::json(&report);
    let page = cento_report::html(&mut report, &[report::TEMPLATE.to_owned()]);
    Target {
        name: "pages",
        seeds: vec![
            Seed::new("blocks.html", data(&page)),
            Seed::new("report.json", json),
        ],
        check,
    }
}

/// The blocks of a page that hold data: the rest is the same in all of them.
fn data(page: &str) -> String {
    let blocks = page.match_indices("<script type=\"text/plain\"");
    let blocks = blocks.filter_map(|(start, _)| {
        let end = start + page[start..].find("</script>")?;
        Some(format!("{}</script>\n", &page[start..end]))
    });
    blocks.collect()
}

fn check(name: &str, input: &[u8]) -> Result<(), String> {
    let page = if name == "report.json" {
        let block =
            |name, data| format!("<script type=\"text/plain\" id=\"cento-{name}\">{data}</script>");
        let report = packed(input).map_err(|error| error.to_string())?;
        [
            ("report", report.as_str()),
            ("texts", ""),
            ("templates", ""),
        ]
        .map(|(name, data)| block(name, data))
        .concat()
    } else {
        String::from_utf8_lossy(input).into_owned()
    };
    let Ok(found) = cento_report::read(&page) else {
        return Ok(());
    };
    let documents = found.report.documents.len();
    holds(found.texts.len() == documents, || {
        format!("{} texts of {documents} documents", found.texts.len())
    })
}

fn packed(data: &[u8]) -> std::io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data)?;
    Ok(BASE64.encode(encoder.finish()?))
}
