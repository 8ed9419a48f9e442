//! Web pages: the main text, without markup, scripts and what surrounds the article.
//!
//! A fast pass over the tags comes first. It gives all the text there is, and says how deeply the
//! page is nested: builders of trees need time that grows with the square of the depth.

use std::borrow::Cow;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use dom_smoothie::{Config, Readability, TextMode};
use encoding_rs::{Encoding, UTF_8};
use lol_html::html_content::{Element, TextChunk, TextType};
use lol_html::{DocumentContentHandlers, ElementContentHandlers, HtmlRewriter, Selector, Settings};

use super::draft::Draft;
use super::xml::unescape;

/// The main text of a page, or all of its text where no main text stands out.
pub(super) fn main_text(page: &str, draft: &mut Draft) {
    let whole = scan(page, draft.fresh());
    let article = (whole.deepest <= DEEPEST && page.len() <= LARGEST).then(|| article(page));
    let text = whole.draft.text();
    match article.flatten() {
        Some(article) if is_enough(&article, &whole) => draft.push(&article),
        _ if whole.draft.is_full() => draft.refuse(),
        _ => draft.push(text),
    }
}

/// All the text of a page but its title.
pub(super) fn all_text(page: &str, draft: &mut Draft) {
    *draft = scan(page, std::mem::take(draft)).draft;
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
}

fn scan(page: &str, draft: Draft) -> Page {
    let state = Rc::new(RefCell::new(Page {
        draft,
        ..Page::default()
    }));
    let (on_element, on_text) = (Rc::clone(&state), Rc::clone(&state));
    let every: Result<Selector, _> = "*".parse();
    if let Ok(every) = every {
        let elements =
            ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
                open(&on_element, element);
                Ok(())
            });
        let texts = DocumentContentHandlers::default().text(move |chunk: &mut TextChunk<'_>| {
            let mut page = on_text.borrow_mut();
            if page.skipped == 0 && is_shown(chunk.text_type()) {
                page.pending.push_str(chunk.as_str());
            }
            Ok(())
        });
        let settings = Settings::new()
            .with_strict(false)
            .append_element_content_handler((Cow::Owned(every), elements))
            .append_document_content_handler(texts);
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
        // A page that cannot be rewritten has still been read up to that point.
        if rewriter.write(page.as_bytes()).is_ok() {
            let _ = rewriter.end();
        }
    }
    let mut page = state.take();
    page.flush();
    page
}

fn open(state: &Rc<RefCell<Page>>, element: &mut Element<'_, '_>) {
    let name = element.tag_name();
    let mut page = state.borrow_mut();
    page.flush();
    page.draft.separate(&name);
    let before = (page.depth, page.skipped, page.preformatted, page.linked);
    if let Some(handlers) = element.end_tag_handlers() {
        page.depth += usize::from(!CLOSED_BY_OTHERS.contains(&name.as_str()));
        page.deepest = page.deepest.max(page.depth);
        page.skipped += usize::from(matches!(
            name.as_str(),
            "svg" | "template" | "select" | "nav"
        ));
        page.preformatted += usize::from(matches!(name.as_str(), "pre" | "textarea"));
        page.linked += usize::from(matches!(name.as_str(), "a" | "footer" | "aside" | "form"));
        let state = Rc::clone(state);
        handlers.push(Box::new(move |_| {
            let mut page = state.borrow_mut();
            page.flush();
            // Elements inside that were never closed end here too.
            (page.depth, page.skipped, page.preformatted, page.linked) = before;
            page.draft.separate(&name);
            Ok(())
        }));
    }
}

impl Page {
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let text = unescape(&pending);
        if self.linked == 0 {
            self.prose += letters(&text);
        }
        if self.preformatted > 0 {
            self.draft.push(&text);
        } else {
            self.draft.push_flowing(&text);
        }
    }
}

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
            | "hr" | "center" | "details" | "body" | "noscript" => self.paragraph(),
            _ => {}
        }
    }
}

/// Elements that the next of their kind ends, so that they never pile up.
const CLOSED_BY_OTHERS: [&str; 15] = [
    "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "rp",
    "rt", "colgroup",
];

/// Titles, scripts and styles are not.
fn is_shown(text: TextType) -> bool {
    matches!(
        text,
        TextType::Data | TextType::CDataSection | TextType::PlainText
    )
}
