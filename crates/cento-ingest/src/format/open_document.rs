//! OpenDocument texts, presentations and sheets (ODT, ODP, ODS).
//!
//! Notes, text boxes, headers and footers are text. Tracked deletions and comments are not. Text that
//! is hidden, has the colour of its background or is too small to be read is left out.

mod style;

use self::style::{Look, Styles};
use super::Extract;
use super::draft::Draft;
use super::package::{Package, lacks};
use super::paint::Paint;
use super::xml::{self, Element, Visit, Visitor};
use crate::{Concealment, Error};

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
    let shared = package.read("styles.xml", &mut draft.warnings)?;
    let mut styles = Styles::default();
    if let Some(shared) = &shared {
        styles.read(shared);
    }
    styles.read(&content);
    read_part(&content, &styles, draft, false);
    // Headers and footers belong to the styles of pages.
    if let Some(shared) = shared {
        read_part(&shared, &styles, draft, true);
    }
    Ok(())
}

fn read_part(bytes: &[u8], styles: &Styles, draft: &mut Draft, is_styles: bool) {
    let mut body = Body {
        draft,
        styles,
        is_styles,
        spans: Vec::new(),
        surfaces: vec![styles.page()],
        hidden: Vec::new(),
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

struct Body<'a> {
    draft: &'a mut Draft,
    styles: &'a Styles,
    /// In the styles only headers and footers are text; the rest are names and samples.
    is_styles: bool,
    /// How the text in the paragraphs and spans around here looks.
    spans: Vec<Look>,
    /// What is behind the text: the page, and the cells and text boxes that we are in.
    surfaces: Vec<Paint>,
    /// For each section around here, whether it is hidden.
    hidden: Vec<bool>,
    /// How many paragraphs we are in; text elsewhere is layout of the file.
    paragraphs: usize,
    /// How many headers and footers we are in.
    margins: usize,
}

impl Body<'_> {
    fn enter_span(&mut self, family: &str, element: &Element<'_>) {
        let own = self.styles.find(family, element.attribute("style-name"));
        let outer = match family {
            // A note in a paragraph looks as its own style says.
            "paragraph" => self.styles.default_look(),
            _ => self.spans.last().copied().unwrap_or_default(),
        };
        self.spans.push(own.over(outer));
    }

    fn enter_cell(&mut self, family: &str, element: &Element<'_>) {
        let own = self.styles.find(family, element.attribute("style-name"));
        let outer = self.surfaces.last().copied().unwrap_or(Paint::Unknown);
        self.surfaces.push(own.background().unwrap_or(outer));
    }

    fn leave_surface(&mut self) {
        if self.surfaces.len() > 1 {
            self.surfaces.pop();
        }
    }

    fn concealment(&self) -> Option<Concealment> {
        if self.hidden.contains(&true) {
            return Some(Concealment::Hidden);
        }
        let surface = self.surfaces.last().copied().unwrap_or(Paint::Unknown);
        self.spans.last()?.concealment(surface)
    }
}

impl Visitor for Body<'_> {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            // Slides have pictures behind their text, and cells of sheets have rules for theirs.
            "presentation" | "drawing" | "spreadsheet" if element.prefix() == "office" => {
                self.surfaces[0] = Paint::Unknown;
            }
            "section" => {
                let display = element.attribute("display");
                self.hidden.push(display.as_deref() == Some("none"));
            }
            "table" => self.enter_cell("table", element),
            "table-row" => self.enter_cell("table-row", element),
            "table-cell" => self.enter_cell("table-cell", element),
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
                self.enter_span("paragraph", element);
            }
            "span" => self.enter_span("text", element),
            // Of a picture; a field of the same name is text.
            "title" if element.prefix() == "svg" => return Visit::Skip,
            "s" => {
                let count = element.attribute("c").and_then(|count| count.parse().ok());
                self.draft
                    .push(&" ".repeat(count.unwrap_or(1_usize).min(100)));
            }
            "tab" => self.draft.push("\t"),
            "line-break" => self.draft.push("\n"),
            "note-body" => self.draft.open_aside(),
            "text-box" => {
                self.draft.open_aside();
                // A shape may have any colour.
                self.surfaces.push(Paint::Unknown);
            }
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        if self.paragraphs == 0 || self.is_styles && self.margins == 0 {
            return;
        }
        match self.concealment() {
            Some(why) => self.draft.conceal(why, text),
            None => self.draft.push_flowing(text),
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "section" => {
                self.hidden.pop();
            }
            "table" | "table-row" | "table-cell" => self.leave_surface(),
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
            "note-body" => self.draft.close_aside(),
            "text-box" => {
                self.leave_surface();
                self.draft.close_aside();
            }
            _ => {}
        }
    }
}
