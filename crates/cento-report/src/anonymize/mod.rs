//! A report without names: codes stand for the documents everywhere, and the names that are known
//! from their ids are masked in their texts.
//!
//! What a text says about its author in other words stays; a note says so. The key that leads back
//! is returned, to be kept apart.

mod mask;
mod names;

use std::collections::HashMap;

use cento::report::{Highlight, Note, PairReport, ProgramPlace, Report, Setting};
use sha2::{Digest as _, Sha256};

use crate::table::{Cells, Table};
use mask::{Mask, Shifted};
use names::Names;

/// A code and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// What the report says.
    pub code: String,
    /// The id.
    pub id: String,
    /// What people call it.
    pub label: String,
}

/// Replaces names by codes; returns what they stand for, in the order of the codes.
pub fn anonymize(report: &mut Report) -> Vec<Code> {
    let codes = codes(report);
    let by_id: HashMap<&str, &str> = codes
        .iter()
        .map(|code| (code.id.as_str(), code.code.as_str()))
        .collect();
    let names = Names::of(&codes[..report.documents.len()]);
    let masked = mask_texts(report, &names);
    let rename = |id: &mut String| {
        if let Some(code) = by_id.get(id.as_str()) {
            (*code).clone_into(id);
        }
    };
    let speak = |text: &mut String| {
        let mut said = text.clone();
        for code in by_length(&codes) {
            said = said.replace(&code.id, &code.code);
            said = said.replace(&code.label, &code.code);
        }
        *text = names.mask().in_text(&said).text;
    };
    for document in &mut report.documents {
        rename(&mut document.id);
        document.label.clone_from(&document.id);
        for (number, part) in (1..).zip(&mut document.parts) {
            part.file = format!("{}/{number}", document.id);
        }
        document.warnings.iter_mut().for_each(&speak);
        document.sha256 = None;
        // What is not shown may name anybody, and is not masked.
        for place in &mut document.disguises {
            place.text = None;
        }
        if let Some(registered) = &mut document.registered {
            registered.id.clone_from(&document.id);
            registered.submitter = None;
        }
        for own in document
            .verified
            .iter_mut()
            .flat_map(|verified| &mut verified.own)
        {
            own.id.clone_from(&document.id);
        }
    }
    for pair in report.pairs_mut() {
        rename(&mut pair.left);
        rename(&mut pair.right);
    }
    report.families.iter_mut().flatten().for_each(&rename);
    for skipped in &mut report.skipped {
        rename(&mut skipped.id);
        speak(&mut skipped.reason);
    }
    for note in &mut report.notes {
        note.each_text(&speak);
    }
    for setting in report.settings.values_mut() {
        // Lists are of paths, and paths have names in them.
        if let Setting::List(list) = setting {
            *setting = Setting::Count(list.len() as u64);
        }
    }
    let names = Setting::Text("names".to_owned());
    report.settings.insert("anonymized".to_owned(), names);
    report.notes.push(Note::Anonymized {
        places: masked as u64,
    });
    sort(report);
    codes
}

/// The key as a table.
pub fn key_csv(codes: &[Code]) -> String {
    let mut table = Table::new(Cells::ForPeople, &["code", "id", "label"]);
    for Code { code, id, label } in codes {
        table.row([code, id, label]);
    }
    table.finish()
}

/// Codes for documents and skipped files, in an order that has nothing to do with their names.
fn codes(report: &Report) -> Vec<Code> {
    let mut codes = numbered(
        'D',
        report
            .documents
            .iter()
            .map(|document| (document.id.as_str(), document.label.as_str())),
    );
    let skipped = report.skipped.iter();
    codes.extend(numbered(
        'S',
        skipped.map(|skipped| (skipped.id.as_str(), skipped.id.as_str())),
    ));
    codes
}

fn numbered<'r>(letter: char, names: impl Iterator<Item = (&'r str, &'r str)>) -> Vec<Code> {
    let mut names: Vec<(&str, &str)> = names.collect();
    names.sort_by_cached_key(|(id, _)| (Sha256::digest(id).to_vec(), *id));
    let digits = names.len().to_string().len();
    (1..)
        .zip(names)
        .map(|(number, (id, label))| Code {
            code: format!("{letter}{number:0digits$}"),
            id: id.to_owned(),
            label: label.to_owned(),
        })
        .collect()
}

/// The longest first, so that no name is cut by a shorter one.
fn by_length(codes: &[Code]) -> Vec<&Code> {
    let mut codes: Vec<&Code> = codes.iter().filter(|code| code.id.len() > 2).collect();
    codes.sort_by_key(|code| std::cmp::Reverse(code.id.len()));
    codes
}

/// Masks names in the texts and moves everything that points into them; returns how many there were.
fn mask_texts(report: &mut Report, names: &Names) -> usize {
    let mask: Mask = names.mask();
    let mut count = 0;
    let mut shifts: HashMap<String, Shifted> = HashMap::new();
    for document in &mut report.documents {
        let Some(text) = &document.text else {
            continue;
        };
        let masked = mask.in_text(text);
        count += masked.shifted.count();
        for span in &mut document.ignored {
            [span.start, span.end] = masked.shifted.span([span.start, span.end]);
        }
        for place in &mut document.disguises {
            [place.start, place.end] = masked.shifted.place([place.start, place.end]);
        }
        for Highlight(start, end, _) in &mut document.highlights {
            [*start, *end] = masked.shifted.span([*start, *end]);
        }
        for ProgramPlace(start, end, _) in &mut document.programs {
            [*start, *end] = masked.shifted.span([*start, *end]);
        }
        for part in &mut document.parts {
            [part.start, part.end] = masked.shifted.span([part.start, part.end]);
        }
        let verified = document.verified.iter_mut();
        for part in verified.flat_map(|verified| &mut verified.shared) {
            [part.start, part.end] = masked.shifted.span([part.start, part.end]);
        }
        document.text = Some(masked.text);
        shifts.insert(document.id.clone(), masked.shifted);
    }
    for pair in report.pairs_mut() {
        let sides = [shifts.get(&pair.left), shifts.get(&pair.right)];
        for (side, shifted) in sides.into_iter().enumerate() {
            if let Some(shifted) = shifted {
                move_places(pair, side, shifted);
            }
        }
    }
    count
}

/// Moves what points into the text of one side of a pair.
fn move_places(pair: &mut PairReport, side: usize, shifted: &Shifted) {
    if let Some(evidence) = &mut pair.evidence {
        for passage in &mut evidence.passages {
            let place = [&mut passage.left, &mut passage.right]
                .into_iter()
                .nth(side);
            if let Some(place) = place {
                [place.start, place.end] = shifted.span([place.start, place.end]);
            }
        }
        for mark in &mut evidence.marks[side] {
            [mark.start, mark.end] = shifted.span([mark.start, mark.end]);
        }
    }
    if let Some(registry) = &mut pair.registry {
        for part in &mut registry.shared[side] {
            [part.start, part.end] = shifted.span([part.start, part.end]);
        }
    }
}

/// The order of the ids is that of the codes now.
fn sort(report: &mut Report) {
    report
        .documents
        .sort_by(|a, b| (a.old, &a.id).cmp(&(b.old, &b.id)));
    report.families.iter_mut().for_each(|family| family.sort());
    report
        .families
        .sort_by(|a, b| (b.len().cmp(&a.len())).then_with(|| a.cmp(b)));
    report.skipped.sort();
}
