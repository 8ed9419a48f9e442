//! Web pages: the main text, without markup, scripts and what surrounds the article.
//!
//! A fast pass over the tags comes first. It gives all the text there is, and says how deeply the
//! page is nested: builders of trees need time that grows with the square of the depth. It also sees
//! what the page does not show, and puts a sign in its place, which the main text still has.

mod style;

use std::borrow::Cow;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use dom_smoothie::{Config, Readability, TextMode};
use encoding_rs::{Encoding, UTF_8};
use lol_html::html_content::{ContentType, Element, TextChunk, TextType};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};

use self::style::{Look, Sheet};
use super::draft::Draft;
use super::xml::unescape;
use crate::{ConcealedText, Concealment, Scope};

/// The text of a page.
pub(super) fn text(page: &str, draft: &mut Draft) {
    match draft.scope {
        Scope::MainText => main_text(page, draft),
        Scope::AllButCode => all_but_code(page, draft),
    }
}

/// All the text of a page but its title; without its code if that is not to be read.
pub(super) fn chapter(page: &str, draft: &mut Draft) {
    match draft.scope {
        Scope::MainText => {
            *draft = scan(page, std::mem::take(draft), &Sheet::of(page), Parts::Text).draft;
        }
        Scope::AllButCode => all_but_code(page, draft),
    }
}

/// All words that a page shows, its title, menus and footers included, but no computer code. Where
/// there is nothing else, `pre` has the text.
fn all_but_code(page: &str, draft: &mut Draft) {
    let mut whole = shown(page, draft, Parts::AllButCode);
    if whole.seen == 0 {
        whole = shown(page, draft, Parts::Text);
    }
    if whole.draft.is_full() {
        return draft.refuse();
    }
    let concealed = whole.draft.take_concealed();
    draft.append(whole.draft.text(), concealed);
}

/// Scripts show parts of a page; if most of it is one of these, it cannot be told what is hidden.
fn shown(page: &str, draft: &Draft, parts: Parts) -> Page {
    let whole = scan(page, draft.fresh(), &Sheet::of(page), parts);
    if whole.unseen > whole.seen && page.contains("<script") {
        return scan(page, draft.fresh(), &Sheet::blind(), parts);
    }
    whole
}

/// The main text of a page, or all of its text where no main text stands out.
fn main_text(page: &str, draft: &mut Draft) {
    let mut whole = shown(page, draft, Parts::Text);
    let shown = if whole.pieces.is_empty() {
        Cow::Borrowed(page)
    } else {
        String::from_utf8_lossy(&whole.shown)
    };
    let article = (whole.deepest <= DEEPEST && page.len() <= LARGEST).then(|| article(&shown));
    match article.flatten() {
        Some(article) if is_enough(&without_signs(&article), &whole) => {
            draft.push_with_signs(&article, &whole.pieces);
        }
        _ if whole.draft.is_full() => draft.refuse(),
        _ => {
            let concealed = whole.draft.take_concealed();
            draft.append(whole.draft.text(), concealed);
        }
    }
}

/// The encoding that a page says it is in.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    // What the text says of encodings says nothing about itself.
    let head = head.split("<body").next().unwrap_or_default();
    let mark = ["charset=", "encoding="].into_iter().find_map(|mark| {
        let position = head.find(mark)?;
        Some(position + mark.len())
    })?;
    let label = head[mark..].trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c));
    let encoding = Encoding::for_label(&label.as_bytes()[..end.unwrap_or(label.len())])?;
    // What can be read byte by byte is not UTF-16, and what is valid UTF-8 beyond ASCII is UTF-8,
    // whatever the page was copied from.
    let is_utf8 = !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok();
    Some(if is_utf8 {
        UTF_8
    } else {
        encoding.output_encoding()
    })
}

/// A page inside another document, as text.
pub(super) fn decode_page(bytes: &[u8]) -> Cow<'_, str> {
    declared_encoding(bytes).unwrap_or(UTF_8).decode(bytes).0
}

/// No tree is built of elements that are nested deeper than this.
const DEEPEST: usize = 250;
/// A page names its encoding within so many bytes; some have long scripts before it.
const HEAD: usize = 16 << 10;
/// No tree is built of a page with more bytes than this.
const LARGEST: usize = 16 << 20;

/// An article has at least two thirds of the text outside links and menus; less is a scrap.
fn is_enough(article: &str, page: &Page) -> bool {
    letters(article) * 3 >= page.prose * 2
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

fn article(page: &str) -> Option<String> {
    let config = Config {
        text_mode: TextMode::Formatted,
        disable_json_ld: true,
        ..Config::default()
    };
    let parse = || {
        Readability::new(page, None, Some(config))
            .ok()?
            .parse()
            .ok()
    };
    let article = catch_unwind(AssertUnwindSafe(parse)).ok()??;
    let text = article.text_content.trim();
    let title = article.title.trim();
    Some(if title.is_empty() || text.contains(title) {
        text.to_owned()
    } else {
        format!("{title}\n\n{text}")
    })
}

/// Which elements have text that counts.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Parts {
    /// All but menus and the title.
    #[default]
    Text,
    /// All but computer code.
    AllButCode,
}

impl Parts {
    fn skips(self, element: &str) -> bool {
        match element {
            "svg" | "template" => true,
            "select" | "nav" => self == Parts::Text,
            "pre" | "code" | "kbd" | "samp" | "var" => self == Parts::AllButCode,
            _ => false,
        }
    }

    /// Scripts and styles are never text; titles and fields of forms may be.
    fn shows(self, text: TextType) -> bool {
        match text {
            TextType::Data | TextType::CDataSection | TextType::PlainText => true,
            TextType::RCData => self == Parts::AllButCode,
            TextType::RawText | TextType::ScriptData => false,
        }
    }
}

/// What the pass over the tags has found.
#[derive(Default)]
struct Page {
    draft: Draft,
    /// Text since the last tag, with entities; it may come in pieces that cut one.
    pending: String,
    /// How many elements we are in that show no text.
    skipped: usize,
    /// How many elements we are in that lead elsewhere.
    linked: usize,
    /// Characters outside of them.
    prose: usize,
    /// How many elements we are in that keep their line breaks.
    preformatted: usize,
    depth: usize,
    deepest: usize,
    /// How text looks here; of elements around here, how it looks outside of them.
    look: Option<Look>,
    open: Vec<(String, Option<Look>)>,
    /// Texts that are not shown, by the number of the sign in their place.
    pieces: Vec<ConcealedText>,
    /// The one that text goes to, in an element that is not shown or until the next tag.
    piece: Option<usize>,
    /// Characters that are shown, and that are not.
    seen: usize,
    unseen: usize,
    /// The page without what it does not show.
    shown: Vec<u8>,
}

fn scan(page: &str, draft: Draft, sheet: &Sheet, parts: Parts) -> Page {
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
            page.draft.separate(&name);
            Ok(())
        }));
    }
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
        format!("{SIGN}{number}{SIGN_END}")
    }
}

/// Characters that no text has, around the number of something that is not shown.
const SIGN: char = '\u{fdd0}';
const SIGN_END: char = '\u{fdd1}';

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

fn without_signs(text: &str) -> Cow<'_, str> {
    if !text.contains(SIGN) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(by_signs(text).map(|(text, _)| text).collect())
}

/// The texts between signs, and the number of the sign behind each.
fn by_signs(text: &str) -> impl Iterator<Item = (&str, Option<usize>)> {
    text.split_inclusive(SIGN_END)
        .map(|part| match part.split_once(SIGN) {
            Some((text, sign)) => (text, sign.trim_end_matches(SIGN_END).parse().ok()),
            None => (part.trim_end_matches(SIGN_END), None),
        })
}

impl Draft {
    /// Adds text in which signs stand for what is not shown.
    fn push_with_signs(&mut self, text: &str, pieces: &[ConcealedText]) {
        if pieces.is_empty() {
            return self.push(text);
        }
        for (text, number) in by_signs(text) {
            self.push(text);
            if let Some(piece) = number.and_then(|number| pieces.get(number)) {
                self.place(piece.clone());
            }
        }
    }

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
