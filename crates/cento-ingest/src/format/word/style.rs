//! How text looks in Word: what a run says of itself, and what the styles say that it has.

use std::collections::{HashMap, HashSet};

use crate::Concealment;
use crate::format::paint::Paint;
use crate::format::xml::{self, Element, Visit, Visitor};

/// What is said about the look of some text, as far as it tells whether it can be seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    pub(super) is_hidden: Option<bool>,
    pub(super) colour: Option<Paint>,
    pub(super) fill: Option<Paint>,
    pub(super) half_points: Option<u32>,
}

/// Text of fewer half points than this is too small to be read.
const READABLE: u32 = 6;

impl Look {
    /// Takes a property of a run.
    pub(super) fn read(&mut self, element: &Element<'_>) {
        match element.name() {
            "vanish" => self.is_hidden = Some(element.is_on()),
            "color" => self.colour = Some(colour(element)),
            "shd" => self.fill = Some(fill(element)),
            "highlight" => {
                let name = element.attribute("val").unwrap_or_default();
                let is_none = matches!(name.as_str(), "" | "none");
                self.fill = Some(if is_none {
                    Paint::Clear
                } else {
                    Paint::css(&name)
                });
            }
            "sz" => {
                let size = element.attribute("val").and_then(|size| size.parse().ok());
                self.half_points = size.or(self.half_points);
            }
            _ => {}
        }
    }

    /// This where it says something, and else what is below it.
    #[must_use]
    pub(super) fn over(self, below: Look) -> Look {
        Look {
            is_hidden: self.is_hidden.or(below.is_hidden),
            colour: self.colour.or(below.colour),
            fill: self.fill.or(below.fill),
            half_points: self.half_points.or(below.half_points),
        }
    }

    /// Why text that looks so cannot be seen on a background.
    pub(super) fn concealment(&self, background: Paint) -> Option<Concealment> {
        if self.is_hidden == Some(true) {
            Some(Concealment::Hidden)
        } else if self.half_points.is_some_and(|size| size < READABLE) {
            Some(Concealment::Tiny)
        } else if self.colour.is_some_and(|own| own.is_lost_on(background)) {
            Some(Concealment::Background)
        } else {
            None
        }
    }
}

fn colour(element: &Element<'_>) -> Paint {
    match element.attribute("val").as_deref() {
        Some("auto") => Paint::Automatic,
        Some(digits) => Paint::hexadecimal(digits),
        None => match element.attribute("themeColor").as_deref() {
            Some("background1" | "light1") if element.attribute("themeShade").is_none() => {
                Paint::WHITE
            }
            _ => Paint::Unknown,
        },
    }
}

/// What shading paints the background with.
pub(super) fn fill(element: &Element<'_>) -> Paint {
    let (name, theme) = match element.attribute("val").as_deref() {
        Some("solid") => ("color", "themeColor"),
        Some("clear" | "nil") | None => ("fill", "themeFill"),
        Some(_) => return Paint::Unknown,
    };
    match element.attribute(name).as_deref() {
        Some("auto") => Paint::Clear,
        Some(digits) => Paint::hexadecimal(digits),
        None if element.attribute(theme).is_some() => Paint::Unknown,
        None => Paint::Clear,
    }
}

/// The styles of a document, each with everything that it is based on.
#[derive(Default)]
pub(super) struct Styles {
    defaults: Look,
    by_id: HashMap<String, Style>,
    /// The style of paragraphs that name none.
    paragraph: Option<String>,
    /// Table styles that shade nothing.
    clear_tables: HashSet<String>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Style {
    pub(super) look: Look,
    /// What paragraphs of this style stand on.
    pub(super) fill: Option<Paint>,
}

impl Styles {
    pub(super) fn read(bytes: &[u8]) -> Styles {
        let mut reader = Reader::default();
        // What is damaged here says nothing about the text.
        let _ = xml::walk(bytes, &mut reader);
        let described = &reader.described;
        let whole = |(id, own): (&String, &Described)| {
            let mut style = own.style;
            let mut is_shading = own.is_shading;
            let mut base = own.base.as_ref();
            // Styles that are based on each other in a circle end somewhere.
            for _ in 0..DEEPEST {
                let Some(below) = base.and_then(|base| described.get(base)) else {
                    break;
                };
                style.look = style.look.over(below.style.look);
                style.fill = style.fill.or(below.style.fill);
                is_shading |= below.is_shading;
                base = below.base.as_ref();
            }
            (id.clone(), style, is_shading)
        };
        let mut styles = Styles {
            defaults: reader.defaults,
            paragraph: reader.paragraph,
            ..Styles::default()
        };
        for (id, style, is_shading) in described.iter().map(whole) {
            if !is_shading {
                styles.clear_tables.insert(id.clone());
            }
            styles.by_id.insert(id, style);
        }
        styles
    }

    /// The style of a paragraph.
    pub(super) fn paragraph(&self, style: Option<&str>) -> Style {
        let style = style.or(self.paragraph.as_deref());
        let style = style.and_then(|style| self.by_id.get(style)).copied();
        let style = style.unwrap_or_default();
        Style {
            look: style.look.over(self.defaults),
            ..style
        }
    }

    pub(super) fn character(&self, style: Option<&str>) -> Look {
        let style = style.and_then(|style| self.by_id.get(style));
        style.map_or_else(Look::default, |style| style.look)
    }

    /// Whether tables of a style may have a background of their own.
    pub(super) fn may_shade(&self, style: &str) -> bool {
        !self.clear_tables.contains(style)
    }
}

/// Styles are based on no more than so many others.
const DEEPEST: usize = 20;

#[derive(Default)]
struct Described {
    base: Option<String>,
    style: Style,
    is_shading: bool,
}

/// Reads the part that describes the styles.
#[derive(Default)]
struct Reader {
    defaults: Look,
    described: HashMap<String, Described>,
    paragraph: Option<String>,
    /// The style that is being described.
    id: Option<String>,
    in_run_properties: bool,
    /// How many elements of a table style we are in that apply to parts of a table only.
    in_part_of_table: usize,
}

impl Visitor for Reader {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        let name = element.name();
        match name {
            "style" => {
                self.id = element.attribute("styleId");
                let is =
                    |name: &str, value: &str| element.attribute(name).as_deref() == Some(value);
                if is("type", "paragraph") && (is("default", "1") || is("default", "true")) {
                    self.paragraph.clone_from(&self.id);
                }
            }
            "rPr" => self.in_run_properties = true,
            "tblStylePr" => self.in_part_of_table += 1,
            _ => {}
        }
        let described = match &self.id {
            Some(id) => self.described.entry(id.clone()).or_default(),
            None if self.in_run_properties => {
                self.defaults.read(element);
                return Visit::Enter;
            }
            None => return Visit::Enter,
        };
        match name {
            "basedOn" => described.base = element.attribute("val"),
            "shd" => described.is_shading |= !matches!(fill(element), Paint::Clear | Paint::WHITE),
            _ => {}
        }
        if self.in_part_of_table == 0 {
            match name {
                _ if self.in_run_properties => described.style.look.read(element),
                "shd" => described.style.fill = Some(fill(element)),
                _ => {}
            }
        }
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, name: &str) {
        match name {
            "style" => self.id = None,
            "rPr" => self.in_run_properties = false,
            "tblStylePr" => self.in_part_of_table = self.in_part_of_table.saturating_sub(1),
            _ => {}
        }
    }
}
