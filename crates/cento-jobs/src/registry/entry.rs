//! A registered document as JSON, the same wherever it is listed.

use cento::index::registry::Entry;
use serde::Serialize;

/// A registered document as `registry list --json` and `GET /documents` show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Described {
    /// Its number, which no other document ever has.
    pub number: u32,
    /// Its id.
    pub id: String,
    /// 1 for the first text with this id, 2 for the next one.
    pub version: u32,
    /// What people call it.
    pub label: Option<String>,
    /// Whose it is.
    pub submitter: Option<String>,
    /// The set it belongs to.
    pub set: Option<String>,
    /// When it was made.
    pub date: Option<String>,
    /// When it shall no longer count.
    pub expires: Option<String>,
    /// When it was registered.
    pub registered: String,
    /// How many words it has.
    pub words: u64,
    /// How many distinct digests.
    pub digests: u32,
    /// How many of them do not count, because they are those of standard text.
    pub ignored: u32,
    /// What read it.
    pub extractor: Option<String>,
}

/// Drops the hashes of an entry, which are nobody else's business.
pub fn described(entry: Entry) -> Described {
    let facts = entry.facts;
    Described {
        number: entry.number,
        id: facts.id,
        version: entry.version,
        label: facts.label,
        submitter: facts.submitter,
        set: facts.set,
        date: facts.date,
        expires: facts.expires,
        registered: facts.registered,
        words: entry.words,
        digests: entry.digests,
        ignored: entry.ignored,
        extractor: facts.extractor,
    }
}
