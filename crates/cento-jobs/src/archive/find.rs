//! Finds pages and versions by what people call them.

use super::name;
use super::store::{Tables, Version};
use crate::error::{Error, Result};

/// The page of a name: its number and its name.
pub(super) fn page(tables: &Tables<'_>, text: &str) -> Result<(i64, String)> {
    let canonical = name::canonical(text)?;
    match tables.find_name(&canonical)? {
        Some(id) => Ok((id, canonical)),
        None => Err(missing(&canonical)),
    }
}

/// A page, and a version of it if the name says which: `NAME@3`.
///
/// A name that ends like that itself is found by `a@5@1`, or by `a@5` if there is no page `a`.
pub(super) fn page_or_version(
    tables: &Tables<'_>,
    text: &str,
) -> Result<((i64, String), Option<Version>)> {
    let (whole, versioned) = name::versioned(text);
    if let Some((name, number)) = versioned
        && let Ok(page) = page(tables, name)
    {
        let found = tables.version((page.0, &page.1), number)?;
        let Some(found) = found else {
            let last = tables.last_version((page.0, &page.1))?;
            let last = last.map_or(0, |last| last.number);
            let name = page.1.escape_debug();
            let reason = format!("{name} has no version {number}; its last one is {last}");
            if let Ok((_, whole)) = self::page(tables, whole) {
                let whole = whole.escape_debug();
                return Err(Error::refused(format!(
                    "{reason}; of the page {whole}, say which version: {whole}@1"
                )));
            }
            return Err(Error::refused(reason));
        };
        return Ok((page, Some(found)));
    }
    let found = match (page(tables, whole), versioned) {
        (Err(_), Some((name, _))) => return Err(missing(&name::canonical(name)?)),
        (found, _) => found?,
    };
    Ok((found, None))
}

/// A version of a page, the last one if the name does not say which.
pub(super) fn version(tables: &Tables<'_>, text: &str) -> Result<(String, Version)> {
    let ((id, name), version) = page_or_version(tables, text)?;
    let version = match version {
        Some(version) => Some(version),
        None => tables.last_version((id, &name))?,
    };
    let version = version.ok_or_else(|| missing(&name))?;
    Ok((name, version))
}

fn missing(name: &str) -> Error {
    Error::NoPage {
        name: name.escape_debug().to_string(),
    }
}
