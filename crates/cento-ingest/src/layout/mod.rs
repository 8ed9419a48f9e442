//! Files → documents: what belongs together, and what people call it.
//!
//! Every file is a document, unless the layout says otherwise: an export of a learning platform, a
//! folder per submission, or a table beside the files that describes them.

mod described;
mod export;
mod folders;
mod join;
mod note;

use std::collections::{BTreeMap, HashMap, HashSet};

pub use self::note::{LayoutNote, Platform};
use crate::isolate::Readers;
use crate::options::Grouping;
use crate::{FoundDocument, Part, Place, SkippedFile};

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
    pub(crate) documents: Vec<FoundDocument>,
    pub(crate) templates: Vec<FoundDocument>,
    pub(crate) skipped: Vec<SkippedFile>,
    /// What was assumed.
    pub(crate) notes: Vec<LayoutNote>,
}

/// Makes documents of the items under every path that was given.
pub(crate) fn lay(items: Vec<Item>, grouping: Grouping, readers: &Readers) -> Laid {
    let mut laid = Laid::default();
    let mut arguments: BTreeMap<usize, Vec<Item>> = BTreeMap::new();
    for item in items {
        arguments.entry(item.argument).or_default().push(item);
    }
    for items in arguments.into_values() {
        laid.argument(items, grouping, readers);
    }
    unique_ids(&mut laid.documents);
    unique_owners(&mut laid.documents);
    unique_labels(&mut laid.documents);
    laid.documents.sort_by(|a, b| a.id.cmp(&b.id));
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
                let count = groups.count;
                self.notes.push(LayoutNote::Folders { count });
                Some(groups)
            }),
        };
        let Some(groups) = groups else {
            self.documents.extend(items.into_iter().map(single));
            return;
        };
        self.notes.extend(groups.note);
        let mut together: BTreeMap<String, FoundDocument> = BTreeMap::new();
        for (item, group) in items.into_iter().zip(groups.of_items) {
            let Some(group) = group else {
                self.documents.push(single(item));
                continue;
            };
            let document = together
                .entry(group.id.clone())
                .or_insert_with(|| FoundDocument {
                    id: group.id,
                    owner: Some(group.label.clone()),
                    label: group.label,
                    argument: item.argument,
                    parts: Vec::new(),
                    date: None,
                    is_submission: true,
                });
            document.parts.push(part(item));
        }
        for mut document in together.into_values() {
            // Archives have their members in any order.
            document.parts.sort_by(|a, b| a.file.cmp(&b.file));
            self.documents.push(document);
        }
    }
}

/// Which submission every item is part of, if it is part of one.
pub(super) struct Groups {
    of_items: Vec<Option<Group>>,
    count: usize,
    /// What to tell about it.
    note: Option<LayoutNote>,
}

/// A submission.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    id: String,
    label: String,
}

/// A document that is one file.
fn single(item: Item) -> FoundDocument {
    let id = item.own_id.clone().unwrap_or_else(|| item.id.clone());
    FoundDocument {
        label: id.clone(),
        id,
        argument: item.argument,
        parts: vec![part(item)],
        date: None,
        is_submission: false,
        owner: None,
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

/// Archives and tables may repeat a name; the later ones get a number.
fn unique_ids(documents: &mut [FoundDocument]) {
    let mut taken: HashSet<String> = HashSet::with_capacity(documents.len());
    for document in documents {
        if taken.insert(document.id.clone()) {
            continue;
        }
        let is_own_label = document.label == document.id;
        let mut number = 2;
        let mut free = format!("{} ({number})", document.id);
        while !taken.insert(free.clone()) {
            number += 1;
            free = format!("{} ({number})", document.id);
        }
        document.id = free;
        if is_own_label {
            document.label.clone_from(&document.id);
        }
    }
}

/// Two people of the same name in one export are told apart by the rest of what it calls them.
fn unique_owners(documents: &mut [FoundDocument]) {
    let mut uses: HashMap<(usize, String), u32> = HashMap::new();
    let named = |document: &FoundDocument| Some((document.argument, document.owner.clone()?));
    for owner in documents.iter().filter_map(named) {
        *uses.entry(owner).or_default() += 1;
    }
    for document in documents {
        if named(document).is_some_and(|owner| uses.get(&owner).is_some_and(|uses| *uses > 1)) {
            let whole = document.id.rsplit('/').next();
            document.owner = whole.map(str::to_owned);
        }
    }
}

/// Documents that would have the same label are labelled with their ids.
fn unique_labels(documents: &mut [FoundDocument]) {
    let mut uses: HashMap<String, u32> = HashMap::with_capacity(documents.len());
    for document in documents.iter() {
        *uses.entry(document.label.clone()).or_default() += 1;
    }
    for document in documents {
        if uses.get(&document.label).is_some_and(|uses| *uses > 1) {
            document.label.clone_from(&document.id);
        }
    }
}
