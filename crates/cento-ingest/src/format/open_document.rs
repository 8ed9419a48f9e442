//! OpenDocument texts, presentations and sheets (ODT, ODP, ODS).
//!
//! Notes, text boxes, headers and footers are text. Tracked deletions and comments are not.

use std::collections::BTreeMap;

use super::Extract;
use super::draft::Draft;
use super::package::{Package, lacks};
use super::word::Hidden;
use super::xml::{self, Element, Visit, Visitor};
use crate::Error;

pub(super) fn read(bytes: &[u8], options: &Extract, draft: &mut Draft) -> Result<(), Error> {
    let mut package = Package::open(bytes, options)?;
    if let Some(manifest) = package.read("META-INF/manifest.xml", &mut draft.warnings)? {
        let mut search = Search {
            wanted: "encryption-data",
            is_found: false,
        };
        draft.warnings.extend(xml::walk(&manifest, &mut search));
        if search.is_found {
            return Err(Error::Encrypted);
        }
    }
    let Some(content) = package.read("content.xml", &mut draft.warnings)? else {
        return Err(lacks("OpenDocument file", "content.xml"));
    };
    let mut hidden = Hidden::default();
    read_part(&content, draft, &mut hidden, false);
    // Headers and footers belong to the styles of pages.
    if let Some(styles) = package.read("styles.xml", &mut draft.warnings)? {
        read_part(&styles, draft, &mut hidden, true);
    }
    hidden.report(draft);
    Ok(())
}

fn read_part(bytes: &[u8], draft: &mut Draft, hidden: &mut Hidden, is_styles: bool) {
    let mut body = Body {
        draft,
        hidden,
        is_styles,
        looks: BTreeMap::new(),
        style: None,
        spans: Vec::new(),
        paragraphs: 0,
        margins: 0,
    };
    let damage = xml::walk(bytes, &mut body);
    draft.paragraph();
    if let Some(damage) = damage {
        draft.warn(damage);
    }
}

/// Whether a document has an element.
struct Search {
    wanted: &'static str,
    is_found: bool,
}

impl Visitor for Search {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        self.is_found |= element.name() == self.wanted;
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Hidden,
    White,
    Plain,
}

struct Body<'a> {
    draft: &'a mut Draft,
    hidden: &'a mut Hidden,
    /// In the styles only headers and footers are text; the rest are names and samples.
    is_styles: bool,
    /// Styles that do not show their text.
    looks: BTreeMap<String, Look>,
    /// The style that is being described.
    style: Option<String>,
    /// How the text in the paragraphs and spans around here looks.
    spans: Vec<Look>,
    /// How many paragraphs we are in; text elsewhere is layout of the file.
    paragraphs: usize,
    /// How many headers and footers we are in.
    margins: usize,
}

impl Body<'_> {
    fn describe(&mut self, element: &Element<'_>) {
        let Some(style) = &self.style else { return };
        let has = |name, value| element.attribute(name).as_deref() == Some(value);
        if has("display", "none") {
            self.looks.insert(style.clone(), Look::Hidden);
        } else if has("color", "#ffffff")
            && element
                .attribute("background-color")
                .is_none_or(|color| matches!(color.as_str(), "#ffffff" | "transparent"))
        {
            self.looks.insert(style.clone(), Look::White);
        }
    }

    fn enter_span(&mut self, element: &Element<'_>) {
        let style = element.attribute("style-name");
        let look = style.and_then(|style| self.looks.get(&style).copied());
        let outer = self.spans.last().copied().unwrap_or(Look::Plain);
        self.spans.push(look.unwrap_or(outer));
    }
}

impl Visitor for Body<'_> {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            "style" => self.style = element.attribute("name"),
            "text-properties" => self.describe(element),
            "tracked-changes"
            | "annotation"
            | "annotation-end"
            | "note-citation"
            | "ruby-text"
            | "forms"
            | "desc"
            | "scripts"
            | "font-face-decls"
            | "list-style"
            | "outline-style"
            | "page-layout"
            | "notes-configuration"
            | "event-listeners"
            | "page-number"
            | "page-count"
            | "sheet-name"
            | "sequence-decls" => return Visit::Skip,
            "header" | "footer" | "header-left" | "footer-left" | "header-first"
            | "footer-first" => self.margins += 1,
            "p" | "h" => {
                self.paragraphs += 1;
                self.enter_span(element);
            }
            "span" => self.enter_span(element),
            // Of a picture; a field of the same name is text.
            "title" if element.prefix() == "svg" => return Visit::Skip,
            "s" => {
                let count = element.attribute("c").and_then(|count| count.parse().ok());
                self.draft
                    .push(&" ".repeat(count.unwrap_or(1_usize).min(100)));
            }
            "tab" => self.draft.push("\t"),
            "line-break" => self.draft.push("\n"),
            "note-body" | "text-box" => self.draft.open_aside(),
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        if self.paragraphs == 0 || self.is_styles && self.margins == 0 {
            return;
        }
        let visible = text.chars().filter(|c| !c.is_whitespace()).count();
        match self.spans.last() {
            Some(Look::Hidden) => {
                self.hidden.left_out += visible;
                self.draft.space();
            }
            Some(Look::White) => {
                self.hidden.white += visible;
                self.draft.push_flowing(text);
            }
            _ => self.draft.push_flowing(text),
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "style" => self.style = None,
            "p" | "h" => {
                self.paragraphs = self.paragraphs.saturating_sub(1);
                self.spans.pop();
                self.draft.paragraph();
            }
            "span" => {
                self.spans.pop();
            }
            "header" | "footer" | "header-left" | "footer-left" | "header-first"
            | "footer-first" => self.margins = self.margins.saturating_sub(1),
            "note-body" | "text-box" => self.draft.close_aside(),
            _ => {}
        }
    }
}
