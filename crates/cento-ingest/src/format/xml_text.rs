//! XML of any vocabulary (TEI, `DocBook`, feeds): what stands between the tags.
//!
//! No vocabulary says for all others which elements are parts of a sentence. So the document does:
//! an element that somewhere stands beside text is one, and all others begin a line of their own.

use std::collections::BTreeSet;

use super::draft::Draft;
use super::xml::{self, Element, Visit, Visitor};
use super::{Extract, Kind, plain};
use crate::text::decode;
use crate::{Error, Scope, Text};

/// The text between the tags. A document that has none is read as it is: what it says is in its
/// attributes.
pub(super) fn read(bytes: Vec<u8>, options: &Extract) -> Result<Text, Error> {
    let encoding = options.encoding.or_else(|| xml::declared_encoding(&bytes));
    let source = decode(bytes, encoding)?;
    let mut inline = Inline::default();
    let damage = xml::walk_text(&source.content, &mut inline);
    let mut draft = Draft::new(options);
    draft.warnings.clone_from(&source.warnings);
    draft.warnings.extend(damage);
    let mut body = Body {
        draft: &mut draft,
        inline: &inline.names,
        scope: options.scope,
    };
    let _ = xml::walk_text(&source.content, &mut body);
    if draft.text().trim().is_empty() {
        return plain(Kind::Plain, source.content.into_bytes(), options);
    }
    let mut text = draft.finish(Kind::Xml)?;
    text.encoding = source.encoding;
    Ok(text)
}

/// Finds the elements that stand beside text.
#[derive(Default)]
struct Inline {
    names: BTreeSet<String>,
    open: Vec<Parent>,
}

#[derive(Default)]
struct Parent {
    has_text: bool,
    children: BTreeSet<String>,
}

impl Visitor for Inline {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        if let Some(parent) = self.open.last_mut() {
            let name = element.name();
            if !parent.children.contains(name) {
                parent.children.insert(name.to_owned());
            }
        }
        self.open.push(Parent::default());
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        if let Some(parent) = self.open.last_mut() {
            parent.has_text |= !text.trim().is_empty();
        }
    }

    fn close(&mut self, _name: &str) {
        if let Some(parent) = self.open.pop().filter(|parent| parent.has_text) {
            self.names.extend(parent.children);
        }
    }
}

/// Takes the text down.
struct Body<'d> {
    draft: &'d mut Draft,
    inline: &'d BTreeSet<String>,
    scope: Scope,
}

impl Body<'_> {
    fn separate(&mut self, name: &str) {
        match name {
            "lb" | "br" => self.draft.line(),
            // Single words and letters that are marked one by one, with their spaces.
            "w" | "c" | "pc" => {}
            _ if PARAGRAPHS.contains(&name) => self.draft.paragraph(),
            _ if self.inline.contains(name) => {}
            _ => self.draft.line(),
        }
    }
}

impl Visitor for Body<'_> {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        let name = element.name();
        let is_code = CODE.contains(&name) && self.scope == Scope::AllButCode;
        // The header of a TEI document is about it, as a catalogue's card is.
        if is_code || matches!(name, "script" | "style" | "teiHeader") {
            return Visit::Skip;
        }
        self.separate(name);
        Visit::Enter
    }

    fn text(&mut self, text: &str) {
        self.draft.push_flowing(text);
    }

    fn close(&mut self, name: &str) {
        self.separate(name);
    }
}

/// Elements that are paragraphs or have some, in the vocabularies that are used most.
const PARAGRAPHS: [&str; 14] = [
    "p", "para", "simpara", "ab", "lg", "sp", "div", "section", "sec", "head", "title", "stage",
    "item", "entry",
];

/// Elements that have computer code.
const CODE: [&str; 9] = [
    "pre",
    "code",
    "programlisting",
    "screen",
    "computeroutput",
    "userinput",
    "kbd",
    "samp",
    "var",
];
