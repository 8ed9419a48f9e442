//! One pass over the tags of a page: the text in order, how deeply elements are nested, and what the
//! page does not show.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use lol_html::html_content::{ContentType, Element, TextChunk, TextType};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};

use super::super::draft::Draft;
use super::super::mail::{BACKWARDS, BACKWARDS_END};
use super::super::xml::unescape;
use super::signs::sign;
use super::style::{Look, Sheet};
use crate::{ConcealedText, Concealment};

/// No tree is built of a page with more bytes than this.
pub(super) const LARGEST: usize = 16 << 20;

/// Which elements have text that counts.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Parts {
    /// All but menus and the title.
    #[default]
    Text,
    /// All but computer code.
    AllButCode,
    /// All that is shown.
    Shown,
    /// As [`Parts::Text`], with lines around what a message quotes, and marks around what is to be
    /// read backwards.
    Letter,
}

/// The line above what a message quotes.
pub(in crate::format) const QUOTATION: &str = "\u{fdd2}";
/// The line below it.
pub(in crate::format) const QUOTATION_END: &str = "\u{fdd3}";

impl Parts {
    fn skips(self, element: &str) -> bool {
        match element {
            "svg" | "template" => true,
            "select" | "nav" => matches!(self, Parts::Text | Parts::Letter),
            "pre" | "code" | "kbd" | "samp" | "var" => self == Parts::AllButCode,
            _ => false,
        }
    }

    /// Scripts and styles are never text; titles and fields of forms may be.
    fn shows(self, text: TextType) -> bool {
        match text {
            TextType::Data | TextType::CDataSection | TextType::PlainText => true,
            TextType::RCData => !matches!(self, Parts::Text | Parts::Letter),
            TextType::RawText | TextType::ScriptData => false,
        }
    }
}

/// What the pass over the tags has found.
#[derive(Default)]
pub(super) struct Page {
    pub(super) draft: Draft,
    /// Text since the last tag, with entities; it may come in pieces that cut one.
    pending: String,
    /// How many elements we are in that show no text.
    skipped: usize,
    /// How many elements we are in that lead elsewhere.
    linked: usize,
    /// Characters outside of them.
    pub(super) prose: usize,
    /// How many elements we are in that keep their line breaks.
    preformatted: usize,
    depth: usize,
    pub(super) deepest: usize,
    /// How text looks here; of elements around here, how it looks outside of them.
    look: Option<Look>,
    open: Vec<(String, Option<Look>)>,
    /// Texts that are not shown, by the number of the sign in their place.
    pub(super) pieces: Vec<ConcealedText>,
    /// The one that text goes to, in an element that is not shown or until the next tag.
    piece: Option<usize>,
    /// Characters that are shown, and that are not.
    pub(super) seen: usize,
    pub(super) unseen: usize,
    /// The page without what it does not show.
    pub(super) shown: Vec<u8>,
}

/// Passes over the tags of a page; its text goes to a draft.
pub(super) fn scan(page: &str, draft: Draft, sheet: &Sheet, parts: Parts) -> Page {
    let state = Rc::new(RefCell::new(Page {
        draft,
        look: sheet.start(),
        ..Page::default()
    }));
    let is_rewritten = page.len() <= LARGEST;
    let mut shown = Vec::new();
    let (on_element, on_text) = (Rc::clone(&state), Rc::clone(&state));
    let every: Result<Selector, _> = "*".parse();
    if let Ok(every) = every {
        let elements =
            ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
                open(&on_element, element, sheet, parts);
                Ok(())
            });
        let texts = DocumentContentHandlers::default().text(move |chunk: &mut TextChunk<'_>| {
            let mut page = on_text.borrow_mut();
            if page.skipped == 0 && parts.shows(chunk.text_type()) {
                page.pending.push_str(chunk.as_str());
                page.sign(chunk);
            }
            Ok(())
        });
        let settings = Settings::new()
            .with_strict(false)
            .append_element_content_handler((Cow::Owned(every), elements))
            .append_document_content_handler(texts);
        let mut rewriter = HtmlRewriter::new(settings, |part: &[u8]| {
            if is_rewritten {
                shown.extend_from_slice(part);
            }
        });
        // A page that cannot be rewritten has still been read up to that point.
        if rewriter.write(page.as_bytes()).is_ok() {
            let _ = rewriter.end();
        }
    }
    let mut page = state.take();
    page.flush();
    page.shown = shown;
    page
}

fn open(state: &Rc<RefCell<Page>>, element: &mut Element<'_, '_>, sheet: &Sheet, parts: Parts) {
    let name = element.tag_name();
    let mut page = state.borrow_mut();
    page.flush();
    page.draft.separate(&name);
    page.end_siblings(&name);
    let outer = page.look;
    let look = outer.map(|look| look.inside(element, sheet));
    let before = (page.depth, page.skipped, page.preformatted, page.linked);
    let is_letter = parts == Parts::Letter;
    let is_quoted = is_letter && is_quotation(&name, element);
    let is_backwards = is_letter && is_backwards(&name, element);
    if is_quoted {
        page.draft.push(QUOTATION);
        page.draft.paragraph();
    }
    if is_backwards {
        page.draft.push_char(BACKWARDS);
    }
    if element.can_have_content() {
        page.enter(look, element);
    }
    if let Some(handlers) = element.end_tag_handlers() {
        page.depth += usize::from(!CLOSED_BY_OTHERS.contains(&name.as_str()));
        page.deepest = page.deepest.max(page.depth);
        page.skipped += usize::from(parts.skips(&name));
        page.preformatted += usize::from(matches!(name.as_str(), "pre" | "textarea"));
        page.linked += usize::from(matches!(name.as_str(), "a" | "footer" | "aside" | "form"));
        let place = page.open.len();
        page.open.push((name.clone(), outer));
        let state = Rc::clone(state);
        handlers.push(Box::new(move |_| {
            let mut page = state.borrow_mut();
            page.flush();
            // Elements inside that were never closed end here too.
            (page.depth, page.skipped, page.preformatted, page.linked) = before;
            page.leave(place, outer);
            if is_backwards {
                page.draft.push_char(BACKWARDS_END);
            }
            page.draft.separate(&name);
            if is_quoted {
                page.draft.paragraph();
                page.draft.push(QUOTATION_END);
                page.draft.paragraph();
            }
            Ok(())
        }));
    }
}

/// Whether an element has what a message quotes, by what programs that write mail say of it.
fn is_quotation(name: &str, element: &Element<'_, '_>) -> bool {
    let has = |attribute: &str, word: &str| {
        let value = element.get_attribute(attribute).unwrap_or_default();
        value.to_ascii_lowercase().contains(word)
    };
    name == "blockquote" && (has("type", "cite") || has("class", "quote"))
}

/// Whether an element is shown backwards.
fn is_backwards(name: &str, element: &Element<'_, '_>) -> bool {
    let direction = element.get_attribute("dir").unwrap_or_default();
    let style = element.get_attribute("style").unwrap_or_default();
    let style = style.to_ascii_lowercase();
    name == "bdo" && direction.eq_ignore_ascii_case("rtl")
        || style.contains("bidi-override") && style.contains("rtl")
}

impl Page {
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let text = unescape(&pending);
        let count = letters(&text);
        if let Some(why) = self.look.and_then(|look| look.concealment()) {
            self.unseen += count;
            if let Some(piece) = self.piece.and_then(|piece| self.pieces.get_mut(piece)) {
                piece.add(&text);
            }
            if !self.look.is_some_and(|look| look.is_hidden()) {
                self.piece = None;
            }
            if !text.is_empty() {
                self.draft.conceal(why, &text);
            }
            return;
        }
        self.seen += count;
        if self.linked == 0 {
            self.prose += count;
        }
        if self.preformatted > 0 {
            self.draft.push(&text);
        } else {
            self.draft.push_flowing(&text);
        }
    }

    /// Goes into an element; one that is not shown gets a sign in its place.
    fn enter(&mut self, look: Option<Look>, element: &mut Element<'_, '_>) {
        let is_hidden = |look: Option<Look>| look.is_some_and(|look| look.is_hidden());
        let was_hidden = is_hidden(self.look);
        self.look = look;
        if is_hidden(look) && !was_hidden && self.skipped == 0 {
            let sign = self.new_piece();
            element.before(&sign, ContentType::Text);
        }
    }

    /// Leaves an element that was the one at this place of those that are open.
    fn leave(&mut self, place: usize, outer: Option<Look>) {
        if self.open.len() > place {
            self.open.truncate(place);
            self.look = outer;
            if !outer.is_some_and(|look| look.is_hidden()) {
                self.piece = None;
            }
        }
    }

    /// A paragraph ends where the next one begins, whether it says so or not.
    fn end_siblings(&mut self, name: &str) {
        while let Some((open, outer)) = self.open.last()
            && ends(name, open)
        {
            self.look = *outer;
            let place = self.open.len() - 1;
            self.leave(place, self.look);
        }
    }

    /// Takes text that is not shown out of the page, and puts a sign in its place.
    fn sign(&mut self, chunk: &mut TextChunk<'_>) {
        let Some(look) = self.look.filter(|look| look.concealment().is_some()) else {
            return;
        };
        if look.is_hidden() || self.piece.is_some() {
            chunk.remove();
        } else if !chunk.as_str().is_empty() {
            let sign = self.new_piece();
            chunk.replace(&sign, ContentType::Text);
        }
    }

    fn new_piece(&mut self) -> String {
        let number = self.pieces.len();
        let why = self.look.and_then(|look| look.concealment());
        let why = why.unwrap_or(Concealment::Hidden);
        self.pieces.push(ConcealedText::new(why, ""));
        self.piece = Some(number);
        sign(number)
    }
}

/// Characters that are no space.
pub(super) fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// Whether an element that begins ends one that is open.
fn ends(name: &str, open: &str) -> bool {
    match open {
        "p" => BLOCKS.contains(&name),
        "li" => name == "li",
        "dt" | "dd" => matches!(name, "dt" | "dd"),
        "tr" => name == "tr",
        "td" | "th" => matches!(name, "td" | "th" | "tr"),
        "option" => name == "option",
        _ => false,
    }
}

/// Elements that end a paragraph.
const BLOCKS: [&str; 27] = [
    "p",
    "div",
    "section",
    "article",
    "main",
    "aside",
    "header",
    "footer",
    "nav",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "dl",
    "table",
    "pre",
    "blockquote",
    "figure",
    "form",
    "fieldset",
    "address",
    "hr",
    "details",
];

impl Draft {
    /// What the beginning or end of an element means for the text around it.
    fn separate(&mut self, element: &str) {
        match element {
            "br" => {
                self.line();
            }
            "td" | "th" | "option" | "button" | "label" => self.space(),
            "li" | "dt" | "dd" | "tr" | "caption" | "summary" | "legend" => self.line(),
            "p" | "div" | "section" | "article" | "main" | "aside" | "header" | "footer"
            | "nav" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "dl" | "table"
            | "pre" | "blockquote" | "figure" | "figcaption" | "form" | "fieldset" | "address"
            | "hr" | "center" | "title" | "details" | "body" | "noscript" => self.paragraph(),
            _ => {}
        }
    }
}

/// Elements that the next of their kind ends, so that they never pile up.
const CLOSED_BY_OTHERS: [&str; 15] = [
    "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "rp",
    "rt", "colgroup",
];
