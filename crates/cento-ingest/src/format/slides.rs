//! PowerPoint presentations (PPTX): the slides in order, each followed by its speaker's notes.

use super::Extract;
use super::draft::Draft;
use super::package::{Package, lacks};
use super::xml::{self, Element, Visit, Visitor};
use crate::Error;

pub(super) fn read(bytes: &[u8], options: &Extract, draft: &mut Draft) -> Result<(), Error> {
    let mut package = Package::open(bytes, options)?;
    let main = package.main_part("ppt/presentation.xml", &mut draft.warnings)?;
    let Some(presentation) = package.read(&main, &mut draft.warnings)? else {
        return Err(lacks("presentation", &main));
    };
    let mut order = Order { ids: Vec::new() };
    draft.warnings.extend(xml::walk(&presentation, &mut order));
    let relations = package.relations(&main, &mut draft.warnings)?;
    let mut hidden = 0;
    for id in order.ids {
        let slide = relations.iter().find(|link| link.id == id);
        let Some(slide) = slide.and_then(|link| link.target.as_deref()) else {
            continue;
        };
        read_part(&mut package, slide, draft, &mut hidden)?;
        for link in package.relations(slide, &mut draft.warnings)? {
            if let ("notesSlide" | "diagramData", Some(part)) = (link.kind.as_str(), &link.target) {
                read_part(&mut package, part, draft, &mut hidden)?;
            }
        }
    }
    match hidden {
        0 => {}
        1 => draft.warn("includes 1 hidden slide"),
        hidden => draft.warn(format!("includes {hidden} hidden slides")),
    }
    Ok(())
}

fn read_part(
    package: &mut Package<'_>,
    part: &str,
    draft: &mut Draft,
    hidden: &mut usize,
) -> Result<(), Error> {
    let Some(bytes) = package.read(part, &mut draft.warnings)? else {
        draft.warn(format!("{part} is missing"));
        return Ok(());
    };
    let mut slide = Slide {
        draft,
        in_text: false,
        is_hidden: false,
        alternatives: Vec::new(),
    };
    let damage = xml::walk(&bytes, &mut slide);
    *hidden += usize::from(slide.is_hidden);
    draft.paragraph();
    if let Some(damage) = damage {
        draft.warn(format!("{part}: {damage}"));
    }
    Ok(())
}

/// The slides as the presentation shows them.
struct Order {
    ids: Vec<String>,
}

impl Visitor for Order {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            // The number of the slide has the same local name.
            "sldId" => self.ids.extend(element.attribute_ending(":id")),
            "sldMasterIdLst" | "notesMasterIdLst" | "handoutMasterIdLst" => return Visit::Skip,
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}

struct Slide<'a> {
    draft: &'a mut Draft,
    in_text: bool,
    is_hidden: bool,
    /// For each set of alternatives around here, whether one was taken.
    alternatives: Vec<bool>,
}

impl Visitor for Slide<'_> {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            "sld" => self.is_hidden = element.attribute("show").as_deref() == Some("0"),
            "t" => self.in_text = true,
            "br" => self.draft.push("\n"),
            // The number of the slide, the date.
            "fld" => return Visit::Skip,
            "AlternateContent" => self.alternatives.push(false),
            "Choice" | "Fallback" => match self.alternatives.last_mut() {
                Some(taken) if *taken => return Visit::Skip,
                Some(taken) => *taken = true,
                None => {}
            },
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.draft.push(text);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" => self.draft.line(),
            "txBody" => self.draft.paragraph(),
            "AlternateContent" => {
                self.alternatives.pop();
            }
            _ => {}
        }
    }
}
