//! Exports of learning platforms, where the name of a file says whose it is.

use std::collections::BTreeSet;

use super::{Group, Groups, Item, LayoutNote, Platform};

/// The submissions of an export, if these are the names of one.
pub(super) fn groups(items: &[Item], top: usize) -> Option<Groups> {
    moodle(items).or_else(|| canvas(items, top))
}

/// Moodle: `Name_1234567_assignsubmission_file_` is a folder, or the start of a file's name. Files
/// without such a name are documents of their own.
fn moodle(items: &[Item]) -> Option<Groups> {
    let owners: Vec<Option<Owner>> = items.iter().map(moodle_owner).collect();
    let names: BTreeSet<&str> = owners.iter().flatten().map(|owner| owner.name).collect();
    let team = common_team(&names);
    let group = |owner: &Option<Owner>| {
        let owner = owner.as_ref()?;
        let name = owner.name.strip_prefix(team).unwrap_or(owner.name);
        // Without names, only the numbers tell them apart.
        let label = match name.to_lowercase().as_str() {
            "participant" => format!("{name} {}", owner.number),
            _ => name.to_owned(),
        };
        let id = format!("{}{}_{}", owner.folder, owner.name, owner.number);
        Some(Group { id, label })
    };
    named(Platform::Moodle, owners.iter().map(group).collect())
}

/// Canvas: `doejane_12345_678901_essay.docx`, with `LATE_` before the first number if it was, and
/// `doejane_12345_text.html` for text that was typed in. Only an export has nothing but such names.
fn canvas(items: &[Item], top: usize) -> Option<Groups> {
    let group = |item: &Item| {
        let file = item.id.get(top..)?.split('/').next()?;
        let (name, rest) = file.split_once('_')?;
        let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
        let (user, rest) = rest.split_once('_')?;
        let (second, _) = rest.split_once(['_', '.']).unwrap_or((rest, ""));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let is_export = !name.is_empty()
            && is_number(user)
            && (is_number(second) && rest.contains('_') || second == "text");
        is_export.then(|| Group {
            id: format!("{}{name}_{user}", &item.id[..top]),
            label: name.to_owned(),
        })
    };
    let of_items: Vec<Option<Group>> = items.iter().map(group).collect();
    if of_items.iter().any(Option::is_none) {
        return None;
    }
    named(Platform::Canvas, of_items)
}

fn named(platform: Platform, of_items: Vec<Option<Group>>) -> Option<Groups> {
    let count = of_items.iter().flatten().collect::<BTreeSet<_>>().len();
    if count == 0 {
        return None;
    }
    let note = LayoutNote::Export {
        platform,
        submissions: count,
    };
    Some(Groups {
        of_items,
        count,
        note: Some(note),
    })
}

/// Whose file it is.
struct Owner<'i> {
    /// What comes before in the id.
    folder: &'i str,
    name: &'i str,
    number: &'i str,
}

fn moodle_owner(item: &Item) -> Option<Owner<'_>> {
    const MARK: &str = "_assignsubmission_";
    let mut start = item.base;
    for part in item.id.get(item.base..)?.split('/') {
        let owner = part
            .find(MARK)
            .and_then(|mark| part[..mark].rsplit_once('_'));
        if let Some((name, number)) = owner
            && !name.is_empty()
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Some(Owner {
                folder: &item.id[..start],
                name,
                number,
            });
        }
        start += part.len() + 1;
    }
    None
}

/// What all names begin with up to a hyphen: the team that was chosen for the export. A name with a
/// hyphen of its own is not shared by all.
fn common_team<'n>(names: &BTreeSet<&'n str>) -> &'n str {
    let (Some(first), true) = (names.first(), names.len() > 1) else {
        return "";
    };
    let hyphens = first
        .match_indices('-')
        .map(|(hyphen, _)| &first[..=hyphen]);
    let mut shared = hyphens.filter(|team| {
        names
            .iter()
            .all(|name| name.strip_prefix(team).is_some_and(|rest| !rest.is_empty()))
    });
    shared.next_back().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, Root};

    fn item(id: &str) -> Item {
        Item {
            id: id.to_owned(),
            own_id: None,
            argument: 0,
            base: 0,
            archive_ends: Vec::new(),
            place: Place {
                root: Root::File(id.into()),
                steps: Vec::new(),
                is_foreign: false,
            },
            size: 0,
            is_record: false,
            warning: None,
        }
    }

    #[track_caller]
    fn check(ids: &[&str], expected: &[Option<(&str, &str)>]) {
        let items: Vec<Item> = ids.iter().map(|id| item(id)).collect();
        let groups = groups(&items, 0).unwrap().of_items;
        let found: Vec<_> = groups
            .iter()
            .map(|group| group.as_ref().map(|g| (g.id.as_str(), g.label.as_str())))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn moodle_in_all_its_forms() {
        check(
            &[
                "Jane Doe_1234567_assignsubmission_file_/essay.docx",
                "Jane Doe_1234567_assignsubmission_file/src/main.c",
                "Jane Doe_1234567_assignsubmission_onlinetext/onlinetext.html",
                "Jo_hn-Paul_77_assignsubmission_file_essay_final.docx",
                "Participant_42_assignsubmission_onlinetext_.html",
                "readme.txt",
            ],
            &[
                Some(("Jane Doe_1234567", "Jane Doe")),
                Some(("Jane Doe_1234567", "Jane Doe")),
                Some(("Jane Doe_1234567", "Jane Doe")),
                Some(("Jo_hn-Paul_77", "Jo_hn-Paul")),
                Some(("Participant_42", "Participant 42")),
                None,
            ],
        );
    }

    #[test]
    fn a_team_before_every_name_is_left_out() {
        check(
            &[
                "w/Group A-Jane Doe_1_assignsubmission_file_a.txt",
                "w/Group A-Anna-Maria Roe_2_assignsubmission_file_b.txt",
            ],
            &[
                Some(("w/Group A-Jane Doe_1", "Jane Doe")),
                Some(("w/Group A-Anna-Maria Roe_2", "Anna-Maria Roe")),
            ],
        );
    }

    #[test]
    fn canvas_names() {
        check(
            &[
                "doejane_12345_678_essay.docx",
                "doejane_12345_679_figures.pdf",
                "roeanna_LATE_777_680_my_text.txt",
                "roejim_778_text.html",
            ],
            &[
                Some(("doejane_12345", "doejane")),
                Some(("doejane_12345", "doejane")),
                Some(("roeanna_777", "roeanna")),
                Some(("roejim_778", "roejim")),
            ],
        );
        let mixed = [item("doejane_12345_678_essay.docx"), item("notes_2024.txt")];
        assert!(groups(&mixed, 0).is_none());
    }
}
