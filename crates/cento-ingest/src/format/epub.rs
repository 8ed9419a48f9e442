//! Electronic books (EPUB): the chapters in the order of the spine.

use std::collections::BTreeMap;

use super::Extract;
use super::draft::Draft;
use super::html;
use super::package::{Package, lacks, resolve};
use super::xml::{self, Element, Visit, Visitor};
use crate::Error;

pub(super) fn read(bytes: &[u8], options: &Extract, draft: &mut Draft) -> Result<(), Error> {
    let mut package = Package::open(bytes, options)?;
    let mut book = Book::default();
    if let Some(container) = package.read("META-INF/container.xml", &mut draft.warnings)? {
        draft.warnings.extend(xml::walk(&container, &mut book));
    }
    let root = match book.root.take() {
        Some(root) => root,
        None => match package.names().find(|name| is_package_document(name)) {
            Some(name) => name.into_owned(),
            None => return Err(lacks("electronic book", "list of contents")),
        },
    };
    let Some(contents) = package.read(&root, &mut draft.warnings)? else {
        return Err(lacks("electronic book", &root));
    };
    draft.warnings.extend(xml::walk(&contents, &mut book));
    let mut locks = Locks::default();
    if let Some(encryption) = package.read("META-INF/encryption.xml", &mut draft.warnings)? {
        draft.warnings.extend(xml::walk(&encryption, &mut locks));
    }
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    for id in &book.spine {
        let Some(reference) = book.items.get(id) else {
            continue;
        };
        let name = resolve(folder, &unquote(reference));
        // Fonts are often scrambled and hurt nobody; a chapter that is, cannot be read.
        if locks.names.contains(&name) {
            return Err(Error::Encrypted);
        }
        match package.read(&name, &mut draft.warnings)? {
            Some(chapter) => {
                html::chapter(&html::decode_page(&chapter), draft);
                draft.paragraph();
            }
            None => draft.warn(format!("the chapter {name} is missing")),
        }
    }
    Ok(())
}

#[derive(Default)]
struct Book {
    /// The list of contents.
    root: Option<String>,
    /// File names by id.
    items: BTreeMap<String, String>,
    /// Ids in reading order.
    spine: Vec<String>,
}

impl Visitor for Book {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        match element.name() {
            "rootfile" if self.root.is_none() => self.root = element.attribute("full-path"),
            "item" => {
                if let (Some(id), Some(file)) = (element.attribute("id"), element.attribute("href"))
                {
                    self.items.insert(id, file);
                }
            }
            "itemref" => self.spine.extend(element.attribute("idref")),
            _ => {}
        }
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}

/// The files that are encrypted.
#[derive(Default)]
struct Locks {
    names: Vec<String>,
}

impl Visitor for Locks {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        if element.name() == "CipherReference" {
            let name = element.attribute("URI").unwrap_or_default();
            self.names.push(unquote(&name));
        }
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}

fn is_package_document(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, end)| end.eq_ignore_ascii_case("opf"))
}

/// A reference as the name of a file: without a fragment, with `%20` undone.
fn unquote(reference: &str) -> String {
    let reference = reference.split('#').next().unwrap_or_default();
    let mut bytes = Vec::with_capacity(reference.len());
    let mut rest = reference.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let code = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        rest = after;
        if let (b'%', Some(byte)) = (first, code) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
