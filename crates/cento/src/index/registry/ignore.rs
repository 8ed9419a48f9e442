//! Standard text that does not count: declarations, forms, covers.
//!
//! A digest on the list of everywhere does not count for any document, one on the list of a set not
//! for the documents of that set. A digest is shared if it counts for both. Lists can be taken back,
//! so documents are registered whole and the lists are applied when they are compared.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::Registry;
use super::catalog::ignored::IgnoredRow;
use super::postings::Postings;
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;

/// The digests that do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoreList {
    everywhere: Vec<Digest>,
    sets: BTreeMap<String, Vec<Digest>>,
}

/// A standard text that was added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredText {
    /// What it is called.
    pub name: String,
    /// The set it is for; none if it is for all documents.
    pub set: Option<String>,
    /// How many digests it has.
    pub digests: u64,
}

impl IgnoreList {
    pub(super) fn of<'r>(rows: impl IntoIterator<Item = &'r IgnoredRow>) -> IgnoreList {
        let mut list = IgnoreList::default();
        for IgnoredRow { set, digest, .. } in rows {
            if set.is_empty() {
                list.everywhere.push(*digest);
            } else {
                list.sets.entry(set.clone()).or_default().push(*digest);
            }
        }
        for digests in list.sets.values_mut().chain([&mut list.everywhere]) {
            digests.sort_unstable();
            digests.dedup();
        }
        list
    }

    /// The list of all documents.
    pub(super) fn everywhere(&self) -> &[Digest] {
        &self.everywhere
    }

    /// The lists of single sets.
    pub(super) fn sets(&self) -> &BTreeMap<String, Vec<Digest>> {
        &self.sets
    }

    /// Whether a digest does not count for a document of a set.
    pub(super) fn has(&self, set: Option<&str>, digest: Digest) -> bool {
        let of_set = set.and_then(|set| self.sets.get(set));
        self.everywhere.binary_search(&digest).is_ok()
            || of_set.is_some_and(|digests| digests.binary_search(&digest).is_ok())
    }

    /// How many of these digests do not count for a document of a set.
    pub(super) fn count(&self, set: Option<&str>, digests: &[Digest]) -> u32 {
        if self.everywhere.is_empty() && self.sets.is_empty() {
            return 0;
        }
        let ignored = digests.iter().filter(|digest| self.has(set, **digest));
        crate::number::index32(ignored.count())
    }
}

impl Registry {
    /// Adds a standard text, for one set or for all documents: all of it, or nothing.
    pub fn ignore(&mut self, name: &str, set: Option<&str>, text: &str) -> Result<u64, Error> {
        let digests = self.prepare().template(text);
        let set = set.unwrap_or_default();
        let row = |digest: &Digest| IgnoredRow {
            name: name.to_owned(),
            set: set.to_owned(),
            digest: *digest,
        };
        let rows: Vec<IgnoredRow> = digests.digests().iter().map(row).collect();
        self.change_list(name, set, &rows)?;
        Ok(rows.len() as u64)
    }

    /// Takes a standard text back, all of it or nothing; says how many digests it had.
    pub fn heed(&mut self, name: &str, set: Option<&str>) -> Result<usize, Error> {
        self.change_list(name, set.unwrap_or_default(), &[])
    }

    /// Puts these digests in the place of a standard text, in one transaction with what does not count
    /// of each document. Says how many digests the text had before.
    fn change_list(&mut self, name: &str, set: &str, new: &[IgnoredRow]) -> Result<usize, Error> {
        self.commit()?;
        let mut rows = self.catalog.ignored()?;
        let all = rows.len();
        rows.retain(|row| row.name != name || row.set != set);
        let before = all - rows.len();
        if before == 0 && new.is_empty() {
            return Ok(0);
        }
        let counted = self.counted(IgnoreList::of(rows.iter().chain(new)))?;
        self.catalog.write(|transaction| {
            IgnoredRow::delete(name, set, transaction)?;
            for row in new {
                row.insert(transaction)?;
            }
            write(&counted, transaction)
        })?;
        Ok(before)
    }

    /// Counts anew, from the postings, what does not count of each document.
    pub fn count_anew(&mut self) -> Result<(), Error> {
        self.commit()?;
        let counted = self.counted(IgnoreList::of(&self.catalog.ignored()?))?;
        self.catalog
            .write(|transaction| write(&counted, transaction))
    }

    /// How many digests do not count, of the documents where that has changed.
    fn counted(&self, list: IgnoreList) -> Result<Vec<(u32, u32)>, Error> {
        let before = self.catalog.live(super::write::NOTHING_EXPIRED)?;
        let mut members = Vec::new();
        for set in list.sets().keys() {
            members.push(self.catalog.set_members(set)?);
        }
        let postings = Postings::new(&self.pieces, &before, list, &members);
        let counts = postings.ignored_counts()?;
        let now = |number: u32| (number, counts.get(&number).copied().unwrap_or(0));
        let changed = before.iter().filter(|before| now(before.0) != **before);
        Ok(changed.map(|(number, _)| now(*number)).collect())
    }
}

/// Writes how many digests of some documents do not count.
fn write(counted: &[(u32, u32)], connection: &Connection) -> rusqlite::Result<()> {
    let mut all = counted.iter();
    all.try_for_each(|(number, ignored)| super::Entry::set_ignored(*number, *ignored, connection))
}

/// The standard texts that were added, by set and name.
pub(super) fn texts(rows: &[IgnoredRow]) -> Vec<IgnoredText> {
    let mut texts: Vec<IgnoredText> = Vec::new();
    for row in rows {
        let set = Some(row.set.clone()).filter(|set| !set.is_empty());
        match texts.last_mut() {
            Some(last) if last.name == row.name && last.set == set => last.digests += 1,
            _ => texts.push(IgnoredText {
                name: row.name.clone(),
                set,
                digests: 1,
            }),
        }
    }
    texts
}

/// The digests of a query that count.
pub(super) fn counted(query: &Fingerprint, set: Option<&str>, list: &IgnoreList) -> Vec<Digest> {
    let digests = query.digests().iter().copied();
    digests.filter(|digest| !list.has(set, *digest)).collect()
}
