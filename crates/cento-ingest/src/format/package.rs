//! Zip packages of office documents and books: members by name, within one budget of bytes.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::Extract;
use super::xml::{self, Element, Visit, Visitor};
use crate::options::{Limits, size};
use crate::{Error, Limit};

/// A zip archive whose members are parts of one document.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
    /// The error of a package that unpacks to more.
    too_large: Error,
}

/// A link from one part to another.
pub(super) struct Relation {
    pub(super) id: String,
    /// The last word of the type, such as `footnotes`.
    pub(super) kind: String,
    /// The name of the part, if it is in the package.
    pub(super) target: Option<String>,
}

impl<'a> Package<'a> {
    pub(super) fn open(bytes: &'a [u8], options: &Extract) -> Result<Package<'a>, Error> {
        let by_ratio = (bytes.len() as u64).saturating_mul(options.ratio_limit);
        let by_ratio = by_ratio.max(Limits::ALWAYS_ALLOWED);
        let (most, limit) = if by_ratio < options.unpacked_limit {
            (by_ratio, Limit::Ratio)
        } else {
            (options.unpacked_limit, Limit::FileSize)
        };
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| Error::Damaged(format!("damaged zip archive ({error})")))?;
        Ok(Package {
            archive,
            left: most,
            too_large: limit.reached(format!("unpacks to more than {}", size(most))),
        })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.archive.file_names().flatten()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// A member's bytes, if there is one of this name. Of a damaged member, what can be
    /// read, with a warning.
    pub(super) fn read(
        &mut self,
        name: &str,
        warnings: &mut Vec<String>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(index) = self.index(name) else {
            return Ok(None);
        };
        let file = match self.archive.by_index(index) {
            Ok(file) => file,
            Err(ZipError::InvalidPassword) => return Err(Error::Encrypted),
            Err(ZipError::UnsupportedArchive(reason))
                if reason.to_lowercase().contains("password") =>
            {
                return Err(Error::Encrypted);
            }
            Err(error) => {
                warnings.push(format!("{name} cannot be read ({error})"));
                return Ok(None);
            }
        };
        let mut bytes = Vec::new();
        // The size that the archive declares may be a lie.
        let outcome = file
            .take(self.left.saturating_add(1))
            .read_to_end(&mut bytes);
        match self.left.checked_sub(bytes.len() as u64) {
            Some(left) => self.left = left,
            None => return Err(self.too_large.clone()),
        }
        if let Err(error) = outcome {
            warnings.push(format!(
                "{name} is damaged ({error}), read up to that point"
            ));
        }
        Ok(Some(bytes))
    }

    /// Where a part of an office document links to; of the package as a whole for an empty name.
    pub(super) fn relations(
        &mut self,
        part: &str,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Relation>, Error> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let name = resolve(folder, &format!("_rels/{name}.rels"));
        let mut found = Relations {
            folder: folder.to_owned(),
            list: Vec::new(),
        };
        if let Some(bytes) = self.read(&name, warnings)? {
            warnings.extend(xml::walk(&bytes, &mut found));
        }
        Ok(found.list)
    }

    /// The part that an office document begins with.
    pub(super) fn main_part(
        &mut self,
        usual: &str,
        warnings: &mut Vec<String>,
    ) -> Result<String, Error> {
        let relations = self.relations("", warnings)?;
        let main = relations
            .into_iter()
            .find(|link| link.kind == "officeDocument");
        Ok(main
            .and_then(|link| link.target)
            .filter(|target| self.index(target).is_some())
            .unwrap_or_else(|| usual.to_owned()))
    }

    /// Names differ in case where a program was careless.
    fn index(&self, name: &str) -> Option<usize> {
        self.archive.index_for_name(name).or_else(|| {
            let similar = self
                .names()
                .find(|other| other.eq_ignore_ascii_case(name))?;
            self.archive.index_for_name(&similar)
        })
    }
}

/// The error of a document that lacks a necessary part. Its name may come from the document.
pub(super) fn lacks(document: &str, part: &str) -> Error {
    let part = part.escape_debug();
    Error::Damaged(format!("damaged {document}: it has no {part}"))
}

/// The name that a reference in a file of this folder leads to.
pub(super) fn resolve(folder: &str, reference: &str) -> String {
    let mut parts: Vec<&str> = if reference.starts_with('/') {
        Vec::new()
    } else {
        folder.split('/').filter(|part| !part.is_empty()).collect()
    };
    for part in reference.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

struct Relations {
    folder: String,
    list: Vec<Relation>,
}

impl Visitor for Relations {
    fn open(&mut self, element: &Element<'_>) -> Visit {
        if element.name() == "Relationship" {
            let attribute = |name| element.attribute(name).unwrap_or_default();
            let kind = attribute("Type");
            let is_inside = attribute("TargetMode") != "External";
            self.list.push(Relation {
                id: attribute("Id"),
                kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                target: is_inside.then(|| resolve(&self.folder, &attribute("Target"))),
            });
        }
        Visit::Enter
    }

    fn text(&mut self, _: &str) {}

    fn close(&mut self, _: &str) {}
}
