//! Web pages: the main text, without markup, scripts and what surrounds the article.
//!
//! A fast pass over the tags comes first. It gives all the text there is, and says how deeply the
//! page is nested: builders of trees need time that grows with the square of the depth. It also sees
//! what the page does not show, and puts a sign in its place, which the main text still has.

mod signs;
mod style;
mod tags;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dom_smoothie::{Config, Readability, TextMode};
use encoding_rs::{Encoding, UTF_8};

use self::signs::without_signs;
use self::style::Sheet;
use self::tags::{LARGEST, Page, Parts, letters, scan};
pub(super) use self::tags::{QUOTATION, QUOTATION_END};
use super::draft::Draft;
use crate::Scope;

/// The text of a page.
pub(super) fn text(page: &str, draft: &mut Draft) {
    match draft.scope {
        Scope::MainText | Scope::Message => main_text(page, draft),
        Scope::AllButCode => all_but_code(page, draft),
        Scope::Shown => all_shown(page, draft),
    }
}

/// All the text of a page but its title; without its code if that is not to be read.
pub(super) fn chapter(page: &str, draft: &mut Draft) {
    match draft.scope {
        Scope::MainText | Scope::Message => {
            *draft = scan(page, std::mem::take(draft), &Sheet::of(page), Parts::Text).draft;
        }
        Scope::AllButCode => all_but_code(page, draft),
        Scope::Shown => all_shown(page, draft),
    }
}

/// All words that a page shows.
fn all_shown(page: &str, draft: &mut Draft) {
    let whole = shown(page, draft, Parts::Shown);
    take_all(whole, draft);
}

/// All words that a page shows, its title, menus and footers included, but no computer code. Where
/// there is nothing else, `pre` has the text.
fn all_but_code(page: &str, draft: &mut Draft) {
    let mut whole = shown(page, draft, Parts::AllButCode);
    if whole.seen == 0 {
        whole = shown(page, draft, Parts::Text);
    }
    take_all(whole, draft);
}

/// All the text of a letter, with lines around what it quotes of others.
pub(super) fn letter(page: &str, draft: &mut Draft) {
    *draft = scan(page, std::mem::take(draft), &Sheet::of(page), Parts::Letter).draft;
}

fn take_all(mut whole: Page, draft: &mut Draft) {
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
/// An article has at least two thirds of the text outside links and menus; less is a scrap.
fn is_enough(article: &str, page: &Page) -> bool {
    letters(article) * 3 >= page.prose * 2
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
