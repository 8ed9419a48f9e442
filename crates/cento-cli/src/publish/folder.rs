//! `-o DIR`: the report in every format.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use cento::report::{Report, Summary};
use cento_jobs::files;
use serde_json::Value;

use super::{Publication, own, write};
use crate::config::{Settings, effective};

/// The page.
pub(super) const PAGE: &str = "report.html";
const RECORD: &str = "run.json";
/// The folder of PAN XML, one file per pair.
const PAN: &str = "pan";
const FILES: [&str; 10] = [
    PAGE,
    "report.json",
    "pairs.csv",
    "files.csv",
    "metadata.csv",
    "results.csv",
    "passages.jsonl",
    "graph.graphml",
    "graph.dot",
    RECORD,
];

/// A folder whose record is ours may be written again; in any other one, no file of ours may exist.
pub(super) fn check(folder: &Path) -> Result<()> {
    let record = folder.join(RECORD);
    if record.is_file() && own::is_ours(&record)? {
        return Ok(());
    }
    FILES
        .iter()
        .try_for_each(|name| own::check(&folder.join(name)))
}

impl Publication {
    /// Writes everything; returns how many bytes that is.
    pub(super) fn write_folder(
        &self,
        report: &mut Report,
        templates: &[String],
        folder: &Path,
        settings: &Settings,
    ) -> Result<usize> {
        let pan = folder.join(PAN);
        files::make_folder(&pan).with_context(|| folder.display().to_string())?;
        let page = self.page(report, templates);
        let json = if self.in_json() {
            cento_report::json(report)
        } else {
            report.without_texts(|slim| cento_report::json(slim))
        };
        let files = if self.is_bare() {
            report.without_texts(|slim| cento_report::dolos_files(slim))
        } else {
            cento_report::dolos_files(report)
        };
        let config = config(settings, self.key.is_some())?;
        let contents = [
            page,
            json,
            cento_report::dolos_pairs(report),
            files,
            cento_report::dolos_metadata(report),
            cento_report::jplag_results(report),
            cento_report::passages_jsonl(report, !self.is_bare()),
            cento_report::graphml(report),
            cento_report::dot(report),
        ];
        let mut bytes = 0;
        for (name, content) in FILES.iter().zip(&contents) {
            write(&folder.join(name), content)?;
            bytes += content.len();
        }
        bytes += write_pan(report, &pan)?;
        // The last one: when it is there, all of the others are.
        let record = cento_report::run_record(report, &config);
        write(&folder.join(RECORD), &record)?;
        Ok(bytes + record.len())
    }
}

/// One file per pair and the list of them, as the evaluators of PAN read it.
fn write_pan(report: &Report, folder: &Path) -> Result<usize> {
    let documents: HashMap<&str, &Summary> = report
        .documents
        .iter()
        .map(|document| (document.id.as_str(), document))
        .collect();
    let mut bytes = 0;
    let mut list = String::new();
    let mut names = HashSet::new();
    for (number, pair) in (1..).zip(&report.pairs) {
        let (Some(left), Some(right)) = (
            documents.get(pair.left.as_str()),
            documents.get(pair.right.as_str()),
        ) else {
            continue;
        };
        if let Some(xml) = cento_report::pan_pair(pair, [left, right]) {
            let _ = writeln!(list, "{} {}", pair.left, pair.right);
            let name = pan_name(number, &pair.left, &pair.right);
            write(&folder.join(&name), &xml)?;
            names.insert(name);
            bytes += xml.len();
        }
    }
    write(&folder.join("pairs"), &list)?;
    remove_old(folder, &names)?;
    Ok(bytes + list.len())
}

/// A file name of a pair; the number keeps those apart that are alike in the characters it may have.
fn pan_name(number: u32, left: &str, right: &str) -> String {
    let plain = |id: &str| -> String {
        let allowed = |c: char| {
            if c.is_ascii_alphanumeric() || "._".contains(c) {
                c
            } else {
                '_'
            }
        };
        id.chars().map(allowed).take(80).collect()
    };
    format!("{number:05}-{}-{}.xml", plain(left), plain(right))
}

/// The files of an earlier run, which may have had more pairs, or may not have come to its end.
fn remove_old(folder: &Path, names: &HashSet<String>) -> Result<()> {
    let is_pan = |name: &str| {
        let hidden = name
            .strip_prefix('.')
            .and_then(|name| name.strip_suffix(".new"));
        let name = hidden.unwrap_or(name);
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &name[digits..];
        digits >= 5 && rest.starts_with('-') && rest.strip_suffix(".xml").is_some()
    };
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| is_pan(name) && !names.contains(name)) {
            std::fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// Every setting in force; without paths, which have names in them, if there shall be none.
fn config(settings: &Settings, is_anonymous: bool) -> Result<Value> {
    let mut config = serde_json::to_value(effective(settings))?;
    if let Value::Object(keys) = &mut config {
        keys.retain(|_, value| !value.is_null());
        if is_anonymous {
            for path in [
                "base",
                "old",
                "dictionary",
                "synonyms",
                "vectors",
                "key-file",
                "include",
                "exclude",
            ] {
                keys.remove(path);
            }
        }
    }
    Ok(config)
}
