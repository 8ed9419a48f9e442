//! Word documents (DOCX): what a reader of the printed document can see.
//!
//! Inserted revisions, footnotes, text boxes, headers and footers are text. Deleted and moved-away
//! revisions, comments, the instructions of fields and the numbers of lists are not. Text that is
//! hidden, has the colour of its background or is too small to be read is left out.

mod style;

use std::collections::BTreeSet;

use self::style::{Look, Styles, fill};
use super::draft::Draft;
use super::package::{Package, Relation, lacks};
use super::paint::Paint;
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
    let relations = package.relations(&main, &mut draft.warnings)?;
    let mut styles = Styles::default();
    for part in targets(&relations, "styles") {
        if let Some(bytes) = package.read(part, &mut draft.warnings)? {
            styles = Styles::read(&bytes);
        }
    }
    read_part(&body, &styles, draft);
    for kind in ["footnotes", "endnotes", "diagramData"] {
        for part in targets(&relations, kind) {
            if let Some(bytes) = package.read(part, &mut draft.warnings)? {
                read_part(&bytes, &styles, draft);
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
        read_part(&bytes, &styles, &mut margin);
        draft.warnings.append(&mut margin.warnings);
        if seen.insert(margin.text().to_owned()) {
            let concealed = margin.take_concealed();
            draft.append(margin.text(), concealed);
            draft.paragraph();
        }
    }
    Ok(())
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
                draft.append(&text.content, text.concealed);
                draft.paragraph();
            }
            Err(reason) => draft.warn(format!("the imported file {part} is not read ({reason})")),
        }
    }
    Ok(())
}

fn read_part(bytes: &[u8], styles: &Styles, draft: &mut Draft) {
    let mut body = Body {
        draft,
        styles,
        paragraphs: Vec::new(),
        runs: Vec::new(),
        surfaces: vec![Paint::WHITE],
        properties: None,
        is_behind_text: false,
        in_text: false,
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
    styles: &'a Styles,
    /// The paragraphs that we are in; text boxes have their own.
    paragraphs: Vec<Paragraph>,
    runs: Vec<Run>,
    /// What is behind the text: the page, and the tables, cells and text boxes that we are in.
    surfaces: Vec<Paint>,
    /// Whose properties we are in.
    properties: Option<Properties>,
    /// We are in a picture behind the text.
    is_behind_text: bool,
    in_text: bool,
    /// For each set of alternatives around here, whether one was taken.
    alternatives: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Properties {
    Run,
    Paragraph,
    Table,
}

#[derive(Default)]
struct Paragraph {
    style: Option<String>,
    fill: Option<Paint>,
}

#[derive(Default)]
struct Run {
    style: Option<String>,
    look: Look,
}

/// A picture behind the text that is larger than this, in square centimetres, may be what white text
/// stands on.
const LARGE_PICTURE: f64 = 25.0;
/// The length that drawings are measured in.
const PER_CENTIMETRE: f64 = 360_000.0;

impl Body<'_> {
    /// A property of what we are in; nothing in it is text.
    fn property(&mut self, of: Properties, element: &Element<'_>) -> Visit {
        match (of, element.name()) {
            (Properties::Run, name) => {
                if let Some(run) = self.runs.last_mut() {
                    match name {
                        "rStyle" => run.style = element.attribute("val"),
                        _ => run.look.read(element),
                    }
                }
            }
            (Properties::Paragraph, name) => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    match name {
                        "pStyle" => paragraph.style = element.attribute("val"),
                        "shd" => paragraph.fill = Some(fill(element)),
                        _ => {}
                    }
                }
            }
            (Properties::Table, "tblStyle") => {
                let style = element.attribute("val").unwrap_or_default();
                if self.styles.may_shade(&style) {
                    self.stand_on(Paint::Unknown);
                }
            }
            (Properties::Table, "shd") => self.stand_on(fill(element)),
            (Properties::Table, _) => {}
        }
        Visit::Skip
    }

    /// What we are in has a background of its own.
    fn stand_on(&mut self, paint: Paint) {
        if let (Some(surface), true) = (self.surfaces.last_mut(), paint != Paint::Clear) {
            *surface = paint;
        }
    }

    fn enter_surface(&mut self) {
        let surface = self.surfaces.last().copied();
        self.surfaces.push(surface.unwrap_or(Paint::Unknown));
    }

    fn leave_surface(&mut self) {
        if self.surfaces.len() > 1 {
            self.surfaces.pop();
        }
    }

    /// How text looks here, and what it stands on.
    fn look(&self) -> (Look, Paint) {
        let paragraph = self.paragraphs.last();
        let style = paragraph.and_then(|paragraph| paragraph.style.as_deref());
        let below = self.styles.paragraph(style);
        let mut look = below.look;
        if let Some(run) = self.runs.last() {
            let style = run.style.as_deref();
            look = run.look.over(self.styles.character(style)).over(look);
        }
        let fills = [
            look.fill,
            paragraph.and_then(|paragraph| paragraph.fill),
            below.fill,
            self.surfaces.last().copied(),
        ];
        let mut fills = fills.into_iter().flatten();
        let surface = fills.find(|fill| *fill != Paint::Clear);
        (look, surface.unwrap_or(Paint::Unknown))
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

    /// The size of a picture.
    fn extent(&mut self, element: &Element<'_>) {
        let length = |name: &str| -> f64 {
            let length = element
                .attribute(name)
                .and_then(|length| length.parse().ok());
            length.unwrap_or(0.0) / PER_CENTIMETRE
        };
        if self.is_behind_text && length("cx") * length("cy") > LARGE_PICTURE {
            self.surfaces[0] = Paint::Unknown;
        }
    }
}

impl Visitor for Body<'_> {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        if let Some(of) = self.properties {
            return self.property(of, element);
        }
        match element.name() {
            "sectPr" | "trPr" | "sdtPr" | "del" | "moveFrom" | "rt" => return Visit::Skip,
            // The lines between the text and its notes.
            "footnote" | "endnote" if element.attribute("type").is_some_and(|t| t != "normal") => {
                return Visit::Skip;
            }
            "background" => {
                let colour = element.attribute("color").unwrap_or_default();
                self.surfaces[0] = Paint::hexadecimal(&colour);
            }
            "anchor" => {
                let behind = element.attribute("behindDoc");
                self.is_behind_text = matches!(behind.as_deref(), Some("1" | "true"));
            }
            "extent" => self.extent(element),
            "p" => self.paragraphs.push(Paragraph::default()),
            "pPr" => self.properties = Some(Properties::Paragraph),
            "r" => self.runs.push(Run::default()),
            "rPr" => self.properties = Some(Properties::Run),
            "tbl" | "tc" => self.enter_surface(),
            "tblPr" => self.properties = Some(Properties::Table),
            "shd" => self.stand_on(fill(element)),
            "t" => self.in_text = true,
            "tab" | "ptab" => self.draft.push("\t"),
            "br" | "cr" => self.draft.push("\n"),
            "noBreakHyphen" => self.draft.push("-"),
            "sym" => self.draft.space(),
            "txbxContent" => {
                self.draft.open_aside();
                // A shape may have any colour.
                self.surfaces.push(Paint::Unknown);
            }
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
        let (look, surface) = self.look();
        match look.concealment(surface) {
            Some(why) => self.draft.conceal(why, text),
            None => self.draft.push(text),
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "rPr" | "pPr" | "tblPr" => self.properties = None,
            "t" => self.in_text = false,
            "r" => {
                self.runs.pop();
            }
            "tc" | "tbl" => self.leave_surface(),
            "anchor" => self.is_behind_text = false,
            "p" => {
                self.paragraphs.pop();
                self.draft.paragraph();
            }
            "txbxContent" => {
                self.leave_surface();
                self.draft.close_aside();
            }
            "AlternateContent" => {
                self.alternatives.pop();
            }
            _ => {}
        }
    }
}
