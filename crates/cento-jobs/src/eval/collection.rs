//! The documents of a labelled collection, and the right answers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::{FilesRead, Text, texts};
use crate::documents::Reader;
use crate::error::{At as _, Error, Result};
use crate::settings_file::read_settings;
use crate::watch::Watch;

pub(super) struct Collection {
    pub(super) documents: Vec<Text>,
    pub(super) queries: Vec<Query>,
    /// What became of the files, folder by folder.
    pub(super) files: Vec<FilesRead>,
}

pub(super) struct Query {
    pub(super) id: String,
    pub(super) text: String,
    /// Its number, if it is a document of the collection.
    pub(super) member: Option<u32>,
    pub(super) correct: BTreeSet<u32>,
}

impl Collection {
    pub(super) fn read(folder: &Path, reader: &Reader, watch: &Watch<'_>) -> Result<Collection> {
        let (documents, read) = texts(&folder.join("documents"), reader, watch)?;
        let mut files = vec![read];
        let queries = folder.join("queries");
        let mut outside = BTreeMap::new();
        if queries.exists() {
            let (texts, read) = texts(&queries, reader, watch)?;
            outside.extend(texts.into_iter().map(|text| (text.id, text.content)));
            files.push(read);
        }
        let path = folder.join("truth.tsv");
        let truth = read_settings(&path, 1 << 30)?;
        let numbers: HashMap<&str, u32> = (0..)
            .zip(&documents)
            .map(|(number, text)| (text.id.as_str(), number))
            .collect();
        let correct = parse_truth(&truth, &path, |id| numbers.contains_key(id))?;
        let query = |(id, correct): (&str, BTreeSet<&str>)| {
            let member = numbers.get(id).copied();
            let text = match (outside.get(id), member) {
                (Some(text), _) => text,
                (None, Some(number)) => &documents[number as usize].content,
                (None, None) => {
                    let reason =
                        format!("query `{id}` is neither under queries/ nor under documents/");
                    return Err(Error::refused(reason)).at(path.display());
                }
            };
            Ok(Query {
                id: id.to_owned(),
                text: text.clone(),
                member,
                correct: correct.iter().map(|id| numbers[id]).collect(),
            })
        };
        let queries = correct.into_iter().map(query).collect::<Result<_>>()?;
        Ok(Collection {
            documents,
            queries,
            files,
        })
    }
}

/// Which documents are correct for which query, by a table of both.
pub(super) fn parse_truth<'t>(
    truth: &'t str,
    path: &Path,
    is_document: impl Fn(&str) -> bool,
) -> Result<BTreeMap<&'t str, BTreeSet<&'t str>>> {
    let mut correct: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let lines = (1..).zip(truth.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let place = format_args!("{}, line {number}", path.display());
        let Some((query, document)) = line.split_once('\t') else {
            let reason = "needs a query id, a tab and a correct id";
            return Err(Error::refused(reason)).at(place);
        };
        let document = document.trim_end();
        if !is_document(document) {
            let reason = format!("`{document}` is not under documents/");
            return Err(Error::refused(reason)).at(place);
        }
        correct.entry(query).or_default().insert(document);
    }
    if correct.is_empty() {
        return Err(Error::refused("no queries in it")).at(path.display());
    }
    Ok(correct)
}
