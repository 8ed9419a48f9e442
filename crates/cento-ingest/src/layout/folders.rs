//! A root with one child per submission.

use std::collections::BTreeMap;

use super::{Group, Groups, Item};

/// Where the root is in every id: after the name of the path given, and after the archive or the
/// lone folder that everything else is in.
pub(super) fn top(items: &[Item], is_asked_for: bool) -> usize {
    let Some(first) = items.first() else {
        return 0;
    };
    let mut top = first.base;
    let mut is_in_archive = false;
    while let Some(length) = first.id.get(top..).and_then(|rest| rest.find('/')) {
        let (end, is_record) = (top + length, first.is_record);
        let wrapper = &first.id[..=end];
        let is_archive = first.archive_ends.contains(&end);
        // Who asks for the children of a folder means that folder.
        let may_enter = is_archive || is_in_archive || !is_asked_for;
        if is_record || !may_enter || !items.iter().all(|item| item.id.starts_with(wrapper)) {
            break;
        }
        is_in_archive |= is_archive;
        top = end + 1;
    }
    top
}

/// Every child of the root is a submission.
pub(super) fn groups(items: &[Item], top: usize) -> Groups {
    let group = |item: &Item| {
        let child = child(item, top);
        Some(Group {
            id: item.id[..top + child.len()].to_owned(),
            label: child.to_owned(),
        })
    };
    let of_items: Vec<Option<Group>> = items.iter().map(group).collect();
    let count = of_items
        .iter()
        .collect::<std::collections::BTreeSet<_>>()
        .len();
    Groups {
        of_items,
        count,
        note: None,
    }
}

/// The same where nothing else can be meant: the root holds only folders and none of them nests.
pub(super) fn assumed(items: &[Item], top: usize) -> Option<Groups> {
    let mut children: BTreeMap<&str, usize> = BTreeMap::new();
    for item in items {
        let rest = item.id.get(top..)?;
        let (child, inside) = rest.split_once('/')?;
        let is_archive = item.archive_ends.contains(&(top + child.len()));
        if item.is_record || is_archive || inside.contains('/') {
            return None;
        }
        *children.entry(child).or_default() += 1;
    }
    // A mailbox in the form of folders holds messages.
    let is_mailbox = |child: &&str| ["cur", "new", "tmp"].contains(child);
    if children.len() < 2 || children.keys().all(is_mailbox) {
        return None;
    }
    Some(groups(items, top))
}

fn child(item: &Item, top: usize) -> &str {
    let rest = item.id.get(top..).unwrap_or_default();
    // A row's place is no folder.
    if item.is_record && !rest.contains('/') {
        return rest.rsplit_once(':').map_or(rest, |(table, _)| table);
    }
    rest.split('/').next().unwrap_or_default()
}
