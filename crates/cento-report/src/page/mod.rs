//! The report as one page that needs nothing else: `ui/` joined into a single HTML file.
//!
//! The page has one script and one style, and its content security policy allows these two, by
//! their SHA-256, and nothing else: no request, no image, no other script, whatever a name or a text
//! contains. The data are base64, so no document can end the element that it stands in.

mod hosted;
mod pack;
mod read;

use std::fmt::Write as _;
use std::sync::LazyLock;

use cento::report::Report;

use crate::ui::Parts;
pub use hosted::{Hosted, hosted, with_work};
use pack::packed;
pub use read::{PageData, ReadError, read};

/// The scripts, in the order in which they run.
const SCRIPTS: [&str; 35] = [
    include_str!("../../ui/namespace.js"),
    include_str!("../../ui/dom.js"),
    include_str!("../../ui/words.js"),
    include_str!("../../ui/program.js"),
    include_str!("../../ui/common.js"),
    include_str!("../../ui/disguise.js"),
    include_str!("../../ui/work.js"),
    include_str!("../../ui/names.js"),
    include_str!("../../ui/data.js"),
    include_str!("../../ui/earlier.js"),
    include_str!("../../ui/measures.js"),
    include_str!("../../ui/search.js"),
    include_str!("../../ui/state.js"),
    include_str!("../../ui/address.js"),
    include_str!("../../ui/table.js"),
    include_str!("../../ui/histogram.js"),
    include_str!("../../ui/run.js"),
    include_str!("../../ui/registered.js"),
    include_str!("../../ui/own.js"),
    include_str!("../../ui/overview.js"),
    include_str!("../../ui/packing.js"),
    include_str!("../../ui/labels.js"),
    include_str!("../../ui/graph.js"),
    include_str!("../../ui/families.js"),
    include_str!("../../ui/text.js"),
    include_str!("../../ui/code.js"),
    include_str!("../../ui/lines.js"),
    include_str!("../../ui/pane.js"),
    include_str!("../../ui/step.js"),
    include_str!("../../ui/decide.js"),
    include_str!("../../ui/pair.js"),
    include_str!("../../ui/document.js"),
    include_str!("../../ui/case.js"),
    include_str!("../../ui/decisions.js"),
    include_str!("../../ui/main.js"),
];

/// The styles, in the order in which they apply.
const STYLES: [&str; 7] = [
    include_str!("../../ui/colours.css"),
    include_str!("../../ui/page.css"),
    include_str!("../../ui/graph.css"),
    include_str!("../../ui/pair.css"),
    include_str!("../../ui/code.css"),
    include_str!("../../ui/work.css"),
    include_str!("../../ui/print.css"),
];

const SHELL: &str = include_str!("../../ui/shell.html");

/// The page without data: its parts are the same in every report.
static PARTS: LazyLock<Parts> =
    LazyLock::new(|| Parts::new(&SCRIPTS, &STYLES, "form-action 'none'"));

/// What the page allows itself: its own script and its own style, by their hashes. Whoever serves it
/// over a network says the same in the head of the answer.
pub fn page_policy() -> &'static str {
    &PARTS.policy
}

/// The report as a page. Texts that its documents have go into it, compressed, and so do the
/// templates, without which a pair could not be computed again.
///
/// The report is the same afterwards; its texts are taken out only while the rest is written.
pub fn html(report: &mut Report, templates: &[String]) -> String {
    let texts: Vec<Option<String>> = report
        .documents
        .iter_mut()
        .map(|document| document.text.take())
        .collect();
    let data = packed(crate::json::compact(report).as_bytes());
    let mut blocks = String::new();
    block(&mut blocks, "report", &data);
    block(&mut blocks, "texts", &pack::lines(&texts));
    let templates: Vec<Option<String>> = templates.iter().cloned().map(Some).collect();
    block(&mut blocks, "templates", &pack::lines(&templates));
    for (document, text) in report.documents.iter_mut().zip(texts) {
        document.text = text;
    }
    filled(SHELL, &report.cento, &blocks)
}

/// A shell with the parts of the page and with data in it.
fn filled(shell: &str, version: &str, blocks: &str) -> String {
    let parts = &*PARTS;
    let mut page = String::with_capacity(blocks.len() + parts.script.len() + parts.style.len());
    for (number, piece) in shell.split("{{").enumerate() {
        let (name, rest) = match (number, piece.split_once("}}")) {
            (0, _) | (_, None) => ("", piece),
            (_, Some((name, rest))) => (name, rest),
        };
        page.push_str(match name {
            "version" => version,
            "policy" => &parts.policy,
            "style" => &parts.style,
            "script" => &parts.script,
            "data" => blocks,
            _ => "",
        });
        page.push_str(rest);
    }
    page
}

fn block(out: &mut String, name: &str, data: &str) {
    let _ = writeln!(
        out,
        "<script type=\"text/plain\" id=\"cento-{name}\">{data}</script>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_sources_makes_markup_or_asks_for_anything() {
        let parts = &*PARTS;
        assert_eq!(parts.dangers(), Vec::<&str>::new());
        for way in ["fetch(", "XMLHttpRequest", "style="] {
            assert!(!parts.script.contains(way), "{way} in a script");
            assert!(!parts.style.contains(way), "{way} in a style");
        }
        assert!(!SHELL.contains(" style=") && !SHELL.contains("://"));
    }
}
