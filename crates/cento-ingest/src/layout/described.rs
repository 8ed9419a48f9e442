//! A table beside the files that describes them: the `info.csv` of Dolos.

use std::collections::BTreeMap;

use super::{Item, Laid, LayoutNote, single};
use crate::isolate::Readers;
use crate::table::records;
use crate::{Error, SkippedFile};

/// What the table says, by the names of the files.
pub(super) struct Described {
    id: String,
    rows: BTreeMap<String, Description>,
}

#[derive(Default)]
struct Description {
    label: Option<String>,
    date: Option<String>,
    is_template: bool,
}

/// The description of the files under a root, and the files without it.
pub(super) fn take(
    mut items: Vec<Item>,
    top: usize,
    readers: &Readers,
) -> (Vec<Item>, Option<Described>) {
    let is_info = |item: &Item| item.id.get(top..) == Some("info.csv");
    let Some(position) = items.iter().position(is_info) else {
        return (items, None);
    };
    let text = readers.text(&items[position].place);
    let rows = text.ok().and_then(|text| parse(&text.content));
    let Some(rows) = rows else {
        return (items, None);
    };
    let id = items.remove(position).id;
    (items, Some(Described { id, rows }))
}

impl Described {
    /// Every file is a document, as the table describes it; files that are to be ignored are
    /// templates.
    pub(super) fn apply(mut self, items: Vec<Item>, top: usize, laid: &mut Laid) {
        for item in items {
            let described = self.rows.remove(item.id.get(top..).unwrap_or_default());
            let mut document = single(item);
            let described = described.unwrap_or_default();
            document.date = described.date;
            if let Some(label) = described.label {
                document.label = label;
            }
            if described.is_template {
                laid.templates.push(document);
            } else {
                laid.documents.push(document);
            }
        }
        for file in self.rows.keys() {
            let reason = format!("listed in {}, but missing", self.id);
            laid.skipped.push(SkippedFile {
                id: file.clone(),
                error: Error::Io(reason),
            });
        }
        laid.notes.push(LayoutNote::Described {
            table: self.id,
            templates: laid.templates.len(),
        });
    }
}

/// The rows of a table that has a column of file names.
fn parse(text: &str) -> Option<BTreeMap<String, Description>> {
    let mut records = records(text.as_bytes(), None);
    let header = records.next()?;
    let column = |name: &str| {
        let same = |field: &String| field.trim().eq_ignore_ascii_case(name);
        header.fields.iter().position(same)
    };
    let file = column("filename")?;
    let (label, full_name) = (column("label").or(column("labels")), column("full_name"));
    let (date, ignored) = (column("created_at"), column("ignored"));
    let mut rows = BTreeMap::new();
    for record in records {
        let field = |column: Option<usize>| {
            let value = record.fields.get(column?)?.trim();
            (!value.is_empty()).then(|| value.to_owned())
        };
        let Some(name) = field(Some(file)) else {
            continue;
        };
        let label = match (field(full_name), field(label)) {
            (Some(name), Some(label)) if name != label => Some(format!("{name} ({label})")),
            (name, label) => name.or(label),
        };
        let is_template = field(ignored)
            .is_some_and(|value| matches!(value.to_lowercase().as_str(), "true" | "1" | "yes"));
        let description = Description {
            label,
            date: field(date),
            is_template,
        };
        rows.insert(name.trim_start_matches("./").to_owned(), description);
    }
    Some(rows)
}
