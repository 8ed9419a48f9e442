//! Which source each query has taken from: a PAN corpus, or queries with their families.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cento_ingest::{Input, PanCorpus};
use tempfile::TempDir;

use super::doors::ScannedFiles;
use crate::documents::{Reader, by_id};
use crate::error::{At as _, Error, File as _, Result};
use crate::eval::collection::parse_truth;
use crate::eval::figure::folds_of;
use crate::settings_file::read_settings;
use crate::watch::Watch;

pub(super) struct Truth {
    /// The folder of the queries.
    pub(super) queries: PathBuf,
    /// The folder of the sources.
    pub(super) sources: PathBuf,
    /// The ids of the queries by the names of their files.
    pub(super) ids: BTreeMap<String, String>,
    /// What is known of a query and a source.
    pub(super) named: BTreeMap<[String; 2], Named>,
    /// Where the queries are if they had to be copied.
    _copies: Option<TempDir>,
}

pub(super) struct Named {
    /// The folder that names the pair: its kind.
    pub(super) folder: String,
    /// Pairs of different groups have no source in common.
    pub(super) group: String,
    /// Whether the query has taken from the source.
    pub(super) has_case: bool,
}

impl Truth {
    pub(super) fn of(
        root: &Path,
        input: &cento_ingest::Options,
        watch: &Watch<'_>,
    ) -> Result<Truth> {
        if root.join("truth.tsv").is_file() {
            return Truth::of_families(root, input, watch);
        }
        Truth::of_pan(&PanCorpus::open(root)?, root, watch)
    }

    fn of_pan(corpus: &PanCorpus, root: &Path, watch: &Watch<'_>) -> Result<Truth> {
        let [queries, sources] = corpus.text_folders()?;
        let mut named = BTreeMap::new();
        // Without XML nobody knows whether a pair has a case, so it counts for nothing.
        for folder in corpus.folders.iter().filter(|folder| folder.has_truth) {
            watch.go_on()?;
            for pair in &folder.pairs {
                let known = Named {
                    folder: folder.name.clone(),
                    group: pair.source.clone(),
                    has_case: !folder.truth(pair)?.is_empty(),
                };
                named.insert([pair.suspicious.clone(), pair.source.clone()], known);
            }
        }
        if named.is_empty() {
            let reason = "no XML files beside its pairs, so there is no truth to score";
            return Err(Error::refused(reason)).at(root.display());
        }
        let queries_named = named
            .keys()
            .map(|[query, _]| (query.clone(), query.clone()));
        Ok(Truth {
            ids: queries_named.collect(),
            queries,
            sources,
            named,
            _copies: None,
        })
    }

    /// Queries may be documents of the collection themselves, so they are looked at as copies, and a
    /// document is not its own source.
    fn of_families(root: &Path, input: &cento_ingest::Options, watch: &Watch<'_>) -> Result<Truth> {
        let reader = Reader::new(input);
        let sources = root.join("documents");
        let documents = reader.find_files(std::slice::from_ref(&sources))?.inputs;
        let outside = match root.join("queries") {
            folder if folder.exists() => reader.find_files(&[folder])?.inputs,
            _ => Vec::new(),
        };
        let (documents, outside) = (by_id(&documents), by_id(&outside));
        let path = root.join("truth.tsv");
        let text = read_settings(&path, 1 << 30)?;
        let families = parse_truth(&text, &path, |id| documents.contains_key(id))?;
        let copies = tempfile::tempdir().of(&std::env::temp_dir())?;
        let queries = copies.path().join("queries");
        fs::create_dir(&queries).of(&queries)?;
        let mut ids = BTreeMap::new();
        for (number, &id) in families.keys().enumerate() {
            watch.go_on()?;
            let Some(input) = outside.get(id).or_else(|| documents.get(id)) else {
                let reason = format!("query `{id}` is neither under queries/ nor under documents/");
                return Err(Error::refused(reason)).at(path.display());
            };
            let name = copy(input, number, &queries)?;
            ids.insert(name, id.to_owned());
        }
        Ok(Truth {
            ids,
            queries,
            sources,
            named: named(&families),
            _copies: Some(copies),
        })
    }

    /// The folders that name pairs, sorted.
    pub(super) fn folders(&self) -> Vec<&str> {
        let folders = self.named.values().map(|named| named.folder.as_str());
        folders.collect::<BTreeSet<&str>>().into_iter().collect()
    }

    /// The fold of every group.
    pub(super) fn folds(&self, count: usize) -> Result<BTreeMap<&str, usize>> {
        folds_of(self.named.values().map(|named| named.group.as_str()), count)
    }

    /// How many of the queries were read.
    pub(super) fn queries_read(&self, files: &ScannedFiles) -> usize {
        let read = files.queries.iter();
        read.filter(|name| self.ids.contains_key(*name)).count()
    }
}

/// Writes the text of a query into a folder; the name of the file, which ends as that of its own.
fn copy(input: &Input, number: usize, folder: &Path) -> Result<String> {
    let id = input.id();
    let own = id.rsplit('/').next().unwrap_or(id);
    let name = format!("{number:06}-{own}");
    let path = folder.join(&name);
    fs::write(&path, input.read()?.content).of(&path)?;
    Ok(name)
}

/// The pairs of queries and the documents that are correct for them. Documents that are correct for
/// one query are alike, so they are of one group, with all that hang together with them.
fn named(families: &BTreeMap<&str, BTreeSet<&str>>) -> BTreeMap<[String; 2], Named> {
    let mut groups: BTreeMap<&str, &str> = BTreeMap::new();
    for family in families.values() {
        let known = family.iter().filter_map(|source| groups.get(source));
        let known: BTreeSet<&str> = known.copied().collect();
        let Some(&first) = known.iter().chain(family).min() else {
            continue;
        };
        groups.extend(family.iter().map(|&source| (source, first)));
        for group in groups.values_mut().filter(|group| known.contains(*group)) {
            *group = first;
        }
    }
    let mut named = BTreeMap::new();
    for (&query, family) in families {
        for &source in family.iter().filter(|source| **source != query) {
            let known = Named {
                folder: ".".to_owned(),
                group: groups[source].to_owned(),
                has_case: true,
            };
            named.insert([query.to_owned(), source.to_owned()], known);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_that_share_a_document_are_one_group() {
        let families: BTreeMap<&str, BTreeSet<&str>> = [
            ("p", ["d", "e"].into()),
            ("q", ["a", "q"].into()),
            ("r", ["e", "f"].into()),
            ("s", ["f", "g"].into()),
        ]
        .into();
        let named = named(&families);
        let group = |query: &str, source: &str| {
            let pair = [query.to_owned(), source.to_owned()];
            named.get(&pair).map(|named| named.group.as_str())
        };
        assert_eq!(group("p", "d"), Some("d"));
        assert_eq!(group("s", "g"), Some("d"));
        assert_eq!(group("q", "a"), Some("a"));
        assert_eq!(group("q", "q"), None, "nothing is its own source");
    }
}
