//! Every link in every document leads somewhere: to a file that is there, and to a heading that it has.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// The documents below a folder, without what is built or installed there.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    const NOT_OURS: [&str; 5] = ["target", "dist", "node_modules", ".git", ".pytest_cache"];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !NOT_OURS.contains(&name) {
                documents(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The lines of a document outside of its code blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line);
        }
    }
    lines
}

/// What stands in the round brackets behind square ones. Code in a line is no link.
fn links(line: &str) -> Vec<&str> {
    let outside_of_code = line.split('`').step_by(2);
    let mut found = Vec::new();
    for part in outside_of_code {
        for behind in part.split("](").skip(1) {
            found.extend(behind.split_once(')').map(|(target, _)| target));
        }
    }
    found
}

/// The anchors of a document, as those who show it make them of its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).into_iter().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading
                .chars()
                .filter(|&sign| sign.is_alphanumeric() || " -_".contains(sign));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut found = Vec::new();
    documents(&root(), &mut found);
    found.sort();
    assert!(found.len() > 20, "{found:?}");
    let mut broken = Vec::new();
    let mut checked = 0;
    for document in &found {
        let text = fs::read_to_string(document).unwrap();
        for target in prose(&text).into_iter().flat_map(links) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match path {
                "" => document.clone(),
                path => document.parent().unwrap().join(path),
            };
            let is_there = file.exists()
                && (anchor.is_empty()
                    || anchors(&fs::read_to_string(&file).unwrap_or_default()).contains(anchor));
            if !is_there {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(checked > 100, "{checked}");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn what_a_link_is() {
    for (line, expected) in [
        ("no link", vec![]),
        ("[a](b.md), [c](d.md#e)", vec!["b.md", "d.md#e"]),
        ("![a picture](c.png)", vec!["c.png"]),
        ("code: `[a](b)`", vec![]),
        ("[`code`](d.md)", vec!["d.md"]),
    ] {
        assert_eq!(links(line), expected, "{line}");
    }
    let anchors = anchors("# The `a` of *b*: C\n```\n# no\n```\n");
    assert_eq!(anchors, BTreeSet::from(["the-a-of-b-c".to_owned()]));
}
