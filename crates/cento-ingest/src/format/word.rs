//! Word documents (DOCX): what a reader of the printed document can see.
//!
//! Inserted revisions, footnotes, text boxes, headers and footers are text. Deleted and moved-away
//! revisions, comments, the instructions of fields and the numbers of lists are not.

use std::collections::BTreeSet;

use super::draft::Draft;
use super::package::{Package, Relation, lacks};
use super::xml::{self, Element, Visit, Visitor};
use super::{Extract, Kind};
use crate::Error;

/// Reads the body, then the notes, then headers and footers.
pub(super) fn read(bytes: &[u8], options: &Extract, draft: &mut Draft) -> Result<(), Error> {
    let mut package = Package::open(bytes, options)?;
    let main = package.main_part("word/document.xml", &mut draft.warnings)?;
    let Some(body) = package.read(&main, &mut draft.warnings)? else {
        return Err(lacks("Word document", &main));
    };
    let mut hidden = Hidden::default();
    read_part(&body, draft, &mut hidden);
    let relations = package.relations(&main, &mut draft.warnings)?;
    for kind in ["footnotes", "endnotes", "diagramData"] {
        for part in targets(&relations, kind) {
            if let Some(bytes) = package.read(part, &mut draft.warnings)? {
                read_part(&bytes, draft, &mut hidden);
            }
        }
    }
    read_imported(&mut package, &relations, options, draft)?;
    // First, even and other pages often have the same header.
    let mut seen = BTreeSet::new();
    for part in targets(&relations, "header").chain(targets(&relations, "footer")) {
        let Some(bytes) = package.read(part, &mut draft.warnings)? else {
            continue;
        };
        let mut margin = Draft::new(options);
        read_part(&bytes, &mut margin, &mut hidden);
        draft.warnings.append(&mut margin.warnings);
        if seen.insert(margin.text().to_owned()) {
            draft.push(margin.text());
            draft.paragraph();
        }
    }
    hidden.report(draft);
    Ok(())
}

/// Characters that the document has and does not show.
#[derive(Default)]
pub(super) struct Hidden {
    /// Marked as hidden: left out.
    pub(super) left_out: usize,
    /// White on white, as far as can be told: kept.
    pub(super) white: usize,
}

impl Hidden {
    pub(super) fn report(&self, draft: &mut Draft) {
        if self.left_out > 0 {
            draft.warn(format!("{} hidden characters left out", self.left_out));
        }
        if self.white > 0 {
            draft.warn(format!("{} characters are white", self.white));
        }
    }
}

fn targets<'a>(relations: &'a [Relation], kind: &'a str) -> impl Iterator<Item = &'a str> {
    let wanted = relations.iter().filter(move |link| link.kind == kind);
    wanted.filter_map(|link| link.target.as_deref())
}

/// Files of other formats that Word shows as part of the text.
fn read_imported(
    package: &mut Package<'_>,
    relations: &[Relation],
    options: &Extract,
    draft: &mut Draft,
) -> Result<(), Error> {
    for part in targets(relations, "aFChunk") {
        let Some(bytes) = package.read(part, &mut draft.warnings)? else {
            continue;
        };
        let imported = match super::detect(&bytes, part, options) {
            Ok(kind @ (Kind::Html | Kind::Plain | Kind::Rtf | Kind::Mail)) => {
                super::read(kind, bytes, options)
            }
            Ok(kind) => Err(Error::Unsupported(kind.to_string())),
            Err(reason) => Err(reason),
        };
        match imported {
            Ok(text) => {
                draft.push(&text.content);
                draft.paragraph();
            }
            Err(reason) => draft.warn(format!("the imported file {part} is not read ({reason})")),
        }
    }
    Ok(())
}

fn read_part(bytes: &[u8], draft: &mut Draft, hidden: &mut Hidden) {
    let mut body = Body {
        draft,
        hidden,
        run: Run::default(),
        in_run_properties: false,
        in_text: false,
        is_cell_shaded: false,
        alternatives: Vec::new(),
    };
    let damage = xml::walk(bytes, &mut body);
    draft.paragraph();
    if let Some(damage) = damage {
        draft.warn(damage);
    }
}

struct Body<'a> {
    draft: &'a mut Draft,
    hidden: &'a mut Hidden,
    run: Run,
    in_run_properties: bool,
    in_text: bool,
    is_cell_shaded: bool,
    /// For each set of alternatives around here, whether one was taken.
    alternatives: Vec<bool>,
}

/// How a run of characters looks.
#[derive(Default)]
struct Run {
    is_hidden: bool,
    is_white: bool,
    is_shaded: bool,
}

impl Body<'_> {
    fn run_property(&mut self, element: &Element<'_>) {
        match element.name() {
            "vanish" => self.run.is_hidden = element.is_on(),
            "color" => {
                let color = element.attribute("val").unwrap_or_default();
                self.run.is_white = color.eq_ignore_ascii_case("ffffff");
            }
            "shd" => self.run.is_shaded = is_shaded(element),
            "highlight" => self.run.is_shaded = element.is_on(),
            _ => {}
        }
    }

    /// The same text for several versions of Word: the first one is enough.
    fn alternative(&mut self) -> Visit {
        match self.alternatives.last_mut() {
            Some(taken) if *taken => Visit::Skip,
            Some(taken) => {
                *taken = true;
                Visit::Enter
            }
            None => Visit::Enter,
        }
    }
}

impl Visitor for Body<'_> {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            _ if self.in_run_properties => self.run_property(element),
            "pPr" | "sectPr" | "tblPr" | "trPr" | "sdtPr" | "del" | "moveFrom" | "rt" => {
                return Visit::Skip;
            }
            // The lines between the text and its notes.
            "footnote" | "endnote" if element.attribute("type").is_some_and(|t| t != "normal") => {
                return Visit::Skip;
            }
            "r" => self.run = Run::default(),
            "rPr" => self.in_run_properties = true,
            "tc" => self.is_cell_shaded = false,
            "shd" => self.is_cell_shaded |= is_shaded(element),
            "t" => self.in_text = true,
            "tab" | "ptab" => self.draft.push("\t"),
            "br" | "cr" => self.draft.push("\n"),
            "noBreakHyphen" => self.draft.push("-"),
            "sym" => self.draft.space(),
            "txbxContent" => self.draft.open_aside(),
            "AlternateContent" => self.alternatives.push(false),
            "Choice" | "Fallback" => return self.alternative(),
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        if !self.in_text {
            return;
        }
        let visible = text.chars().filter(|c| !c.is_whitespace()).count();
        if self.run.is_hidden {
            self.hidden.left_out += visible;
            self.draft.space();
        } else if self.run.is_white && !self.run.is_shaded && !self.is_cell_shaded {
            self.hidden.white += visible;
            // A white letter between two words is seen as the space that it replaces.
            if visible <= 2 {
                self.draft.space();
            } else {
                self.draft.push(text);
            }
        } else {
            self.draft.push(text);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "rPr" => self.in_run_properties = false,
            "t" => self.in_text = false,
            "tc" => self.is_cell_shaded = false,
            "p" => self.draft.paragraph(),
            "txbxContent" => self.draft.close_aside(),
            "AlternateContent" => {
                self.alternatives.pop();
            }
            _ => {}
        }
    }
}

fn is_shaded(element: &Element<'_>) -> bool {
    let fill = element.attribute("fill").unwrap_or_default();
    !matches!(fill.to_ascii_lowercase().as_str(), "" | "auto" | "ffffff")
}
