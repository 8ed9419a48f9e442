//! Files → documents: what belongs together, and what people call it.
//!
//! Every file is a document, unless the layout says otherwise: an export of a learning platform, a
//! folder per submission, or a table beside the files that describes them.

mod described;
mod export;
mod folders;
mod join;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::isolate::Readers;
use crate::options::Grouping;
use crate::{Part, Place, Source};

/// A file, a member of an archive, a message or a row, before it is part of a document.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its path.
    pub(crate) id: String,
    /// The id that a table gives it.
    pub(crate) own_id: Option<String>,
    pub(crate) argument: usize,
    /// How much of the id is the name of the path that was given.
    pub(crate) base: usize,
    /// Where names of archives end in the id.
    pub(crate) archive_ends: Vec<usize>,
    pub(crate) place: Place,
    pub(crate) size: u64,
    pub(crate) is_record: bool,
    pub(crate) warning: Option<String>,
}

/// Documents, and what became of the rest.
#[derive(Default)]
pub(crate) struct Laid {
    pub(crate) sources: Vec<Source>,
    pub(crate) templates: Vec<Source>,
    pub(crate) skipped: Vec<(String, String)>,
    /// What was assumed.
    pub(crate) notes: Vec<String>,
}

/// Puts the items of every path that was given together to documents.
pub(crate) fn lay(items: Vec<Item>, grouping: Grouping, readers: &Readers) -> Laid {
    let mut laid = Laid::default();
    let mut arguments: BTreeMap<usize, Vec<Item>> = BTreeMap::new();
    for item in items {
        arguments.entry(item.argument).or_default().push(item);
    }
    for items in arguments.into_values() {
        laid.argument(items, grouping, readers);
    }
    unique_ids(&mut laid.sources);
    unique_labels(&mut laid.sources);
    laid.sources.sort_by(|a, b| a.id.cmp(&b.id));
    laid
}

impl Laid {
    fn argument(&mut self, items: Vec<Item>, grouping: Grouping, readers: &Readers) {
        let top = folders::top(&items, grouping == Grouping::PerFolder);
        let (items, described) = described::take(items, top, readers);
        if let Some(described) = described {
            described.apply(items, top, self);
            return;
        }
        let groups = match grouping {
            Grouping::PerFile => None,
            Grouping::PerFolder => Some(folders::groups(&items, top)),
            Grouping::Auto => export::groups(&items, top).or_else(|| {
                let groups = folders::assumed(&items, top)?;
                self.notes.push(format!(
                    "each of {} folders is taken as one submission (--per-file takes every file \
                     as a document)",
                    groups.count
                ));
                Some(groups)
            }),
        };
        let Some(groups) = groups else {
            self.sources.extend(items.into_iter().map(single));
            return;
        };
        self.notes.extend(groups.note);
        let mut together: BTreeMap<String, Source> = BTreeMap::new();
        for (item, group) in items.into_iter().zip(groups.of_items) {
            let Some(group) = group else {
                self.sources.push(single(item));
                continue;
            };
            let source = together.entry(group.id.clone()).or_insert_with(|| Source {
                id: group.id,
                label: group.label,
                argument: item.argument,
                parts: Vec::new(),
                date: None,
                is_submission: true,
            });
            source.parts.push(part(item));
        }
        for mut source in together.into_values() {
            // Archives have their members in any order.
            source.parts.sort_by(|a, b| a.file.cmp(&b.file));
            self.sources.push(source);
        }
    }
}

/// Which submission every item is part of, if it is part of one.
pub(super) struct Groups {
    of_items: Vec<Option<Group>>,
    count: usize,
    /// What to tell about it.
    note: Option<String>,
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    id: String,
    label: String,
}

/// A document that is one file.
fn single(item: Item) -> Source {
    let id = item.own_id.clone().unwrap_or_else(|| item.id.clone());
    Source {
        label: id.clone(),
        id,
        argument: item.argument,
        parts: vec![part(item)],
        date: None,
        is_submission: false,
    }
}

fn part(item: Item) -> Part {
    Part {
        file: item.id,
        place: item.place,
        size: item.size,
        warning: item.warning,
    }
}

/// Archives and tables may have the same name more than once; the later ones get a number.
fn unique_ids(sources: &mut [Source]) {
    let mut taken: HashSet<String> = HashSet::with_capacity(sources.len());
    for source in sources {
        if taken.insert(source.id.clone()) {
            continue;
        }
        let is_own_label = source.label == source.id;
        let mut number = 2;
        let mut free = format!("{} ({number})", source.id);
        while !taken.insert(free.clone()) {
            number += 1;
            free = format!("{} ({number})", source.id);
        }
        source.id = free;
        if is_own_label {
            source.label.clone_from(&source.id);
        }
    }
}

/// Documents that would be called the same are called by their ids.
fn unique_labels(sources: &mut [Source]) {
    let mut uses: HashMap<String, u32> = HashMap::with_capacity(sources.len());
    for source in sources.iter() {
        *uses.entry(source.label.clone()).or_default() += 1;
    }
    for source in sources {
        if uses.get(&source.label).is_some_and(|uses| *uses > 1) {
            source.label.clone_from(&source.id);
        }
    }
}
