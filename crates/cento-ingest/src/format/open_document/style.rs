//! How text looks in OpenDocument files: styles, which are in two parts of the file.

use std::collections::HashMap;

use crate::Concealment;
use crate::format::paint::Paint;
use crate::format::xml::{self, Element, Visit, Visitor};

/// What is said about the look of some text, as far as it tells whether it can be seen.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    is_hidden: Option<bool>,
    colour: Option<Paint>,
    /// The background of the characters or of the cell.
    fill: Option<Paint>,
    paragraph_fill: Option<Paint>,
    points: Option<f32>,
}

/// Text of fewer points than this is too small to be read.
const READABLE: f32 = 3.0;

impl Look {
    /// This where it says something, and else what is below it.
    #[must_use]
    pub(super) fn over(self, below: Look) -> Look {
        Look {
            is_hidden: self.is_hidden.or(below.is_hidden),
            colour: self.colour.or(below.colour),
            fill: self.fill.or(below.fill),
            paragraph_fill: self.paragraph_fill.or(below.paragraph_fill),
            points: self.points.or(below.points),
        }
    }

    /// Why text that looks so cannot be seen where what is behind it has this colour.
    pub(super) fn concealment(&self, behind: Paint) -> Option<Concealment> {
        let fills = [self.fill, self.paragraph_fill, Some(behind)];
        let mut fills = fills.into_iter().flatten();
        let background = fills.find(|fill| *fill != Paint::Clear);
        let is_lost = |own: Paint| own.is_lost_on(background.unwrap_or(Paint::Unknown));
        if self.is_hidden == Some(true) {
            Some(Concealment::Hidden)
        } else if self.points.is_some_and(|points| points < READABLE) {
            Some(Concealment::Tiny)
        } else if self.colour.is_some_and(is_lost) {
            Some(Concealment::Background)
        } else {
            None
        }
    }

    /// What a cell or a paragraph of this style puts behind its text.
    pub(super) fn background(&self) -> Option<Paint> {
        self.fill.filter(|fill| *fill != Paint::Clear)
    }

    fn read(&mut self, element: &Element<'_>) {
        let fill = element.attribute("background-color");
        let fill = fill.map(|value| Paint::css(&value));
        match element.name() {
            "text-properties" => {
                let display = element.attribute("display");
                self.is_hidden = display.map(|display| display == "none").or(self.is_hidden);
                if let Some(colour) = element.attribute("color") {
                    self.colour = Some(Paint::css(&colour));
                }
                if element.attribute("use-window-font-color").as_deref() == Some("true") {
                    self.colour = Some(Paint::Automatic);
                }
                let size = element.attribute("font-size");
                let points = size.as_deref().and_then(|size| size.strip_suffix("pt"));
                self.points = points
                    .and_then(|points| points.parse().ok())
                    .or(self.points);
                self.fill = fill.or(self.fill);
            }
            "paragraph-properties" => self.paragraph_fill = fill.or(self.paragraph_fill),
            "table-cell-properties" | "table-row-properties" | "table-properties" => {
                self.fill = fill.or(self.fill);
            }
            _ => {}
        }
    }
}

/// The styles of a document by family and name, each with everything that it is based on.
#[derive(Default)]
pub(super) struct Styles {
    described: HashMap<(String, String), Described>,
    /// What paragraphs have that no style says otherwise of.
    default: Look,
    /// What pages are painted with.
    page: Option<Paint>,
    /// The style that is being described.
    current: Option<(String, String)>,
    in_default: bool,
}

#[derive(Clone, Default)]
struct Described {
    parent: Option<String>,
    look: Look,
}

/// Styles are based on no more than so many others.
const DEEPEST: usize = 20;

impl Styles {
    /// Adds the styles that a part describes; later ones of the same name win.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        // What is damaged here is said when the text is read.
        let _ = xml::walk(bytes, self);
        (self.current, self.in_default) = (None, false);
    }

    pub(super) fn find(&self, family: &str, name: Option<String>) -> Look {
        let mut look = Look::default();
        let mut next = name;
        for _ in 0..DEEPEST {
            let Some(name) = next.take() else { break };
            let Some(style) = self.described.get(&(family.to_owned(), name)) else {
                break;
            };
            look = look.over(style.look);
            next.clone_from(&style.parent);
        }
        look
    }

    pub(super) fn default_look(&self) -> Look {
        self.default
    }

    pub(super) fn page(&self) -> Paint {
        self.page.unwrap_or(Paint::WHITE)
    }
}

impl Visitor for Styles {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        let family = || element.attribute("family").unwrap_or_default();
        match element.name() {
            "style" => {
                // Older files leave the family out where only text can be meant.
                let family = match family() {
                    family if family.is_empty() => "text".to_owned(),
                    family => family,
                };
                let name = element.attribute("name").unwrap_or_default();
                let described = Described {
                    parent: element.attribute("parent-style-name"),
                    look: Look::default(),
                };
                self.described
                    .insert((family.clone(), name.clone()), described);
                self.current = Some((family, name));
            }
            "default-style" => self.in_default = family() == "paragraph",
            "page-layout-properties" | "drawing-page-properties" => {
                // Pages of several colours cannot be told apart.
                let fill = element.attribute("background-color");
                let fill = fill.map_or(Paint::Clear, |fill| Paint::css(&fill));
                let is_plain = matches!(fill, Paint::Clear | Paint::WHITE);
                if !is_plain || element.attribute("fill").is_some_and(|fill| fill != "none") {
                    self.page = Some(Paint::Unknown);
                }
            }
            "body" => return Visit::Skip,
            _ if self.in_default => self.default.read(element),
            _ => {
                let current = self.current.as_ref();
                let style = current.and_then(|style| self.described.get_mut(style));
                if let Some(style) = style {
                    style.look.read(element);
                }
            }
        }
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, name: &str) {
        match name {
            "style" => self.current = None,
            "default-style" => self.in_default = false,
            _ => {}
        }
    }
}
