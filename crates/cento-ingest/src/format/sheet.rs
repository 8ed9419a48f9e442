//! Excel workbooks (XLSX): the sheets in order, a line per row, a tab between cells.
//!
//! Numbers stand as they are stored, so a date is a number; formulas are represented by their
//! values.

use super::Extract;
use super::draft::Draft;
use super::package::{Package, lacks};
use super::xml::{self, Element, Visit, Visitor};
use crate::Error;

pub(super) fn read(bytes: &[u8], options: &Extract, draft: &mut Draft) -> Result<(), Error> {
    let mut package = Package::open(bytes, options)?;
    let main = package.main_part("xl/workbook.xml", &mut draft.warnings)?;
    let Some(workbook) = package.read(&main, &mut draft.warnings)? else {
        return Err(lacks("workbook", &main));
    };
    let mut order = Order::default();
    draft.warnings.extend(xml::walk(&workbook, &mut order));
    let relations = package.relations(&main, &mut draft.warnings)?;
    let mut strings = Strings::default();
    let shared = relations.iter().find(|link| link.kind == "sharedStrings");
    if let Some(part) = shared.and_then(|link| link.target.as_deref())
        && let Some(bytes) = package.read(part, &mut draft.warnings)?
    {
        draft.warnings.extend(xml::walk(&bytes, &mut strings));
    }
    for id in order.ids {
        let sheet = relations.iter().find(|link| link.id == id);
        let Some(part) = sheet.and_then(|link| link.target.as_deref()) else {
            continue;
        };
        let Some(bytes) = package.read(part, &mut draft.warnings)? else {
            draft.warn(format!("{part} is missing"));
            continue;
        };
        let damage = xml::walk(&bytes, &mut Rows::new(draft, &strings));
        draft.paragraph();
        if let Some(damage) = damage {
            draft.warn(format!("{part}: {damage}"));
        }
    }
    match order.hidden {
        0 => {}
        1 => draft.warn("includes 1 hidden sheet"),
        hidden => draft.warn(format!("includes {hidden} hidden sheets")),
    }
    Ok(())
}

/// The sheets as the workbook shows them.
#[derive(Default)]
struct Order {
    ids: Vec<String>,
    hidden: usize,
}

impl Visitor for Order {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        if element.name() == "sheet" {
            self.ids.extend(element.attribute("id"));
            let state = element.attribute("state");
            self.hidden += usize::from(state.is_some_and(|state| state != "visible"));
        }
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}

/// Strings that cells name by number, one after the other.
#[derive(Default)]
struct Strings {
    text: String,
    ends: Vec<usize>,
    in_text: bool,
}

impl Strings {
    fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }
}

impl Visitor for Strings {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            "t" => self.in_text = true,
            // How to pronounce it.
            "rPh" => return Visit::Skip,
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.text.push_str(text);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "si" => self.ends.push(self.text.len()),
            _ => {}
        }
    }
}

struct Rows<'a> {
    draft: &'a mut Draft,
    strings: &'a Strings,
    content: Content,
    in_value: bool,
    value: String,
}

/// What a cell holds.
enum Content {
    /// The number of a shared string.
    Shared,
    /// A string or a number.
    Literal,
    /// Truth values and errors, which are no text.
    Other,
}

impl<'a> Rows<'a> {
    fn new(draft: &'a mut Draft, strings: &'a Strings) -> Rows<'a> {
        Rows {
            draft,
            strings,
            content: Content::Other,
            in_value: false,
            value: String::new(),
        }
    }
}

impl Visitor for Rows<'_> {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            "c" => {
                self.value.clear();
                self.content = match element.attribute("t").as_deref() {
                    Some("s") => Content::Shared,
                    None | Some("str" | "inlineStr" | "n" | "d") => Content::Literal,
                    Some(_) => Content::Other,
                };
            }
            "v" | "t" => self.in_value = true,
            "f" | "rPh" | "headerFooter" => return Visit::Skip,
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        if self.in_value {
            self.value.push_str(text);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "v" | "t" => self.in_value = false,
            "c" => {
                let value = match self.content {
                    Content::Literal => Some(self.value.as_str()),
                    Content::Shared => {
                        let number = self.value.trim().parse().ok();
                        number.and_then(|number| self.strings.get(number))
                    }
                    Content::Other => None,
                };
                if let Some(value) = value.filter(|value| !value.is_empty()) {
                    self.draft.push(value);
                    self.draft.push("\t");
                }
            }
            "row" => self.draft.line(),
            _ => {}
        }
    }
}
