//! Documents whose texts are equal, byte for byte: found by their hashes, and then compared.
//!
//! The texts of documents with equal hashes are read again, in the order of the input. The first of
//! each group is held until the last one has been compared with it. What does not fit into memory, or
//! has an equal hash and another text, waits for the next pass; so the memory changes how long it
//! takes, and never what is found.

use std::collections::{HashMap, HashSet};

use cento::{Digest, Fingerprint, Key, RecipeId};
use rayon::prelude::*;

use super::corpus::{Corpus, Identity};
use super::dataset::{Dataset, Document};
use crate::error::Result;
use crate::watch::{Step, Watch};

/// What stands for a text until texts are compared.
pub(super) fn fingerprint(text: &str, key: &Key) -> Fingerprint {
    let hash = key.content_hash(text.as_bytes());
    let (first, _) = hash.split_first_chunk().unwrap_or((&[0; 8], &[]));
    let digest = Digest(u64::from_be_bytes(*first));
    Fingerprint::from_digests(RecipeId::new("equal bytes"), 0, vec![digest])
}

/// For each document the number of the first one that has the same text. Texts of about so many bytes
/// are held in memory, and always one.
pub(super) fn equal(
    corpus: &Corpus,
    dataset: &Dataset,
    memory: u64,
    watch: &Watch<'_>,
) -> Result<Vec<u32>> {
    let documents = &dataset.documents;
    let groups = Groups::of(dataset, watch)?;
    let mut first: Vec<u32> = (0..).take(documents.len()).collect();
    let mut waiting = groups.members();
    while !waiting.is_empty() {
        let mut pass = Pass::new(&groups, &waiting, memory);
        watch.begin(Step::Comparing, 0, bytes(corpus, documents, &waiting));
        read_again(corpus, documents, &waiting, watch, |number, text| {
            if let Some(equal) = pass.compare(number, text) {
                first[number as usize] = equal;
            }
        })?;
        watch.end();
        waiting = pass.waiting;
    }
    Ok(first)
}

/// Documents with equal hashes.
struct Groups {
    /// The number of the group that a document belongs to; none if nothing is like it.
    of: Vec<u32>,
    count: usize,
}

/// The number of no group.
const ALONE: u32 = u32::MAX;

impl Groups {
    fn of(dataset: &Dataset, watch: &Watch<'_>) -> Result<Groups> {
        let mut hashes = Vec::with_capacity(dataset.documents.len());
        for (number, document) in (0..).zip(&dataset.documents) {
            if number % 1024 == 0 {
                watch.go_on()?;
            }
            let digests = dataset.store.read(number)?;
            hashes.push((digests.first().copied(), document.length, number));
        }
        hashes.sort_unstable();
        let mut of = vec![ALONE; hashes.len()];
        let is_same = |a: &(_, u64, u32), b: &(_, u64, u32)| (a.0, a.1) == (b.0, b.1);
        let groups = hashes.chunk_by(is_same).filter(|group| group.len() > 1);
        let mut count = 0;
        for (group, members) in (0..).zip(groups) {
            for (_, _, number) in members {
                of[*number as usize] = group;
            }
            count += 1;
        }
        Ok(Groups { of, count })
    }

    /// All documents that something may be equal to, in the order of the input.
    fn members(&self) -> Vec<u32> {
        let numbers = (0..).zip(&self.of);
        let members = numbers.filter(|(_, group)| **group != ALONE);
        members.map(|(number, _)| number).collect()
    }
}

/// One reading of the documents that are still to be compared.
struct Pass<'g> {
    groups: &'g Groups,
    memory: u64,
    /// How many members of each group are still to come.
    left: Vec<u32>,
    /// The first document of a group and its text.
    held: HashMap<u32, (u32, String)>,
    held_bytes: u64,
    /// Groups that did not fit: all of their members wait.
    postponed: HashSet<u32>,
    /// Those that the next pass looks at.
    waiting: Vec<u32>,
}

impl<'g> Pass<'g> {
    fn new(groups: &'g Groups, waiting: &[u32], memory: u64) -> Pass<'g> {
        let mut left = vec![0; groups.count];
        for number in waiting {
            left[groups.of[*number as usize] as usize] += 1;
        }
        Pass {
            groups,
            memory,
            left,
            held: HashMap::new(),
            held_bytes: 0,
            postponed: HashSet::new(),
            waiting: Vec::new(),
        }
    }

    /// The document that the next one is equal to, if it is one before.
    fn compare(&mut self, number: u32, text: String) -> Option<u32> {
        let group = self.groups.of[number as usize];
        let left = &mut self.left[group as usize];
        *left -= 1;
        let is_last = *left == 0;
        if let Some((first, held)) = self.held.get(&group) {
            let equal = (*held == text).then_some(*first);
            if equal.is_none() {
                self.waiting.push(number);
            }
            if is_last && let Some((_, held)) = self.held.remove(&group) {
                self.held_bytes -= held.len() as u64;
            }
            return equal;
        }
        let fits = self.held.is_empty() || self.held_bytes + text.len() as u64 <= self.memory;
        if self.postponed.contains(&group) || !(fits || is_last) {
            self.postponed.insert(group);
            self.waiting.push(number);
        } else if !is_last {
            self.held_bytes += text.len() as u64;
            self.held.insert(group, (number, text));
        }
        None
    }
}

/// Reads documents again that were read before, in their order. One that cannot be read any more is
/// left out, and so equal to none.
fn read_again(
    corpus: &Corpus,
    documents: &[Document],
    wanted: &[u32],
    watch: &Watch<'_>,
    mut each: impl FnMut(u32, String),
) -> Result<()> {
    let identity = |number: u32| documents[number as usize].identity;
    let is_wanted = |wanted_one: Identity| {
        let place = wanted.binary_search_by_key(&wanted_one, |number| identity(*number));
        place.ok().map(|place| wanted[place])
    };
    for (table, _) in (0..).zip(&corpus.tables) {
        let before = |table| Identity::Row { table, start: 0 };
        let first = wanted.partition_point(|number| identity(*number) < before(table));
        let has_some = wanted
            .get(first)
            .is_some_and(|number| identity(*number) < before(table + 1));
        if !has_some {
            continue;
        }
        let mut rows = corpus.rows(table as usize, 0, watch)?;
        while let Some(batch) =
            rows.next(watch, |item| Some((is_wanted(item.identity)?, item.text)))?
        {
            for (number, text) in batch.items.into_iter().flatten().flatten() {
                each(number, text);
            }
        }
    }
    let files = wanted.iter().filter_map(|number| match identity(*number) {
        Identity::File(file) => Some((*number, &corpus.files[file as usize])),
        Identity::Row { .. } => None,
    });
    // As many as threads can be busy with, so that few texts are in memory at a time.
    for batch in files
        .collect::<Vec<_>>()
        .chunks(rayon::current_num_threads().max(1))
    {
        watch.go_on()?;
        let texts = batch.par_iter().map(|(number, input)| {
            let text = input.read().ok().map(|document| document.content);
            watch.advance(1, input.size());
            Some((*number, text?))
        });
        for (number, text) in texts.collect::<Vec<_>>().into_iter().flatten() {
            each(number, text);
        }
    }
    Ok(())
}

/// How many bytes are read again for some documents, about.
fn bytes(corpus: &Corpus, documents: &[Document], wanted: &[u32]) -> u64 {
    let mut bytes = 0;
    let mut last = None;
    for number in wanted {
        match documents[*number as usize].identity {
            Identity::Row { table, .. } if last != Some(table) => {
                bytes += corpus.tables[table as usize].shard.size();
                last = Some(table);
            }
            Identity::Row { .. } => {}
            Identity::File(file) => bytes += corpus.files[file as usize].size(),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is equal to what, whatever fits into memory, if all of these have the same hash.
    fn check(texts: &[&str], expected: &[u32]) {
        for memory in [0, 3, 1000] {
            let groups = Groups {
                of: vec![0; texts.len()],
                count: 1,
            };
            let mut first: Vec<u32> = (0..).take(texts.len()).collect();
            let mut waiting = groups.members();
            while !waiting.is_empty() {
                let mut pass = Pass::new(&groups, &waiting, memory);
                for number in &waiting {
                    let text = texts[*number as usize].to_owned();
                    if let Some(equal) = pass.compare(*number, text) {
                        first[*number as usize] = equal;
                    }
                }
                assert!(pass.waiting.len() < waiting.len());
                waiting = pass.waiting;
            }
            assert_eq!(first, expected, "{texts:?} in {memory}");
        }
    }

    #[test]
    fn equal_hashes_are_not_equal_texts() {
        check(&["a", "a"], &[0, 0]);
        check(&["a", "b", "a", "b", "c", "a"], &[0, 1, 0, 1, 4, 0]);
        check(&["abc", "abd"], &[0, 1]);
    }

    #[test]
    fn what_does_not_fit_waits() {
        // Two groups that come in turn, and memory for one text.
        let groups = Groups {
            of: vec![0, 1, 0, 1],
            count: 2,
        };
        let mut pass = Pass::new(&groups, &[0, 1, 2, 3], 1);
        let text = |number: u32| ["a", "b"][number as usize % 2].to_owned();
        let found: Vec<Option<u32>> = (0..4).map(|one| pass.compare(one, text(one))).collect();
        assert_eq!(found, [None, None, Some(0), None]);
        assert_eq!(pass.waiting, [1, 3]);
    }
}
