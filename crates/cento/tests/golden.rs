//! Whole reports and digests of every preset, as they were when it was released.
//!
//! A preset never changes its meaning: if one of these files changes, the preset needs a new name.
//! `scripts/bless` rewrites them; the difference is for a person to look at.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use cento::report::{PairReport, Report, Summary};
use cento::select::Selector;
use cento::{
    Counts, Document, Fingerprint, Key, Measure, NoCollection, PRESETS, Preset, Recipe, Role,
    ScanSettings, Watch,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[test]
fn reports() {
    // Passages are not compared by a scan.
    for preset in PRESETS
        .iter()
        .filter(|preset| preset.recipe().passages.is_none())
    {
        let report = essays(&preset.recipe(), preset.measure.unwrap());
        check(&format!("reports/{}.txt", preset.name), &shown(&report));
        check_again::<Report>(&serde_json::to_string(&report).unwrap());
    }
}

#[test]
fn measures() {
    let line = |preset: &Preset| format!("{}: {}\n", preset.name, preset.measure.unwrap());
    let all: String = PRESETS.iter().map(line).collect();
    check("measures.txt", &all);
}

#[test]
fn old_reports_can_be_read() {
    for file in std::fs::read_dir(golden().join("reports")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with('{')) {
            if line.starts_with(r#"{"id":"#) {
                check_again::<Summary>(line);
            } else {
                check_again::<PairReport>(line);
            }
        }
    }
}

#[test]
fn what_a_later_version_adds_is_passed_over() {
    let mut report =
        serde_json::to_value(essays(&PRESETS[0].recipe(), Measure::default())).unwrap();
    let before = report.clone();
    report["new"] = "something".into();
    report["documents"][0]["new"] = 1.into();
    report["pairs"][0]["new"] = serde_json::json!({"a": []});
    let read: Report = serde_json::from_value(report).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), before);
}

#[test]
fn digests() {
    let text = std::fs::read_to_string(golden().join("many-scripts.txt")).unwrap();
    let mut all = String::new();
    for preset in PRESETS {
        let recipe = preset.recipe();
        let counts = counts(&recipe, &[text.as_str()]);
        let (tokens, minutiae) = recipe.minutiae(&text, &Key::PUBLIC, &counts);
        let printed: Vec<String> = minutiae
            .iter()
            .map(|minutia| recipe.digester.printed(&tokens, minutia))
            .collect();
        let _ = writeln!(
            all,
            "{}: {} tokens, {} digests",
            preset.name,
            tokens.len(),
            printed.len()
        );
        for digest in printed.iter().take(6) {
            let _ = writeln!(all, "  {digest}");
        }
    }
    check("digests.txt", &all);
}

/// Compares with the file, or writes it if `CENTO_BLESS` is set.
fn check(name: &str, actual: &str) {
    let path = golden().join(name);
    if std::env::var_os("CENTO_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "{name} differs from what it was:\n{actual}"
    );
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The report on the example essays, without their template.
fn essays(recipe: &Recipe, measure: Measure) -> Report {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(examples.join("essays"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| read(path)).collect();
    let counts = counts(
        recipe,
        &texts.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let whole = Recipe {
        selector: Selector::All,
        ..recipe.clone()
    };
    let template = read(&examples.join("template.txt"));
    let template = whole.fingerprint(&template, &Key::PUBLIC, &NoCollection);
    let document = |(path, text): (&PathBuf, &String)| {
        let mut fingerprint: Fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &counts);
        fingerprint.subtract(&template);
        let id = path.file_name().unwrap().to_string_lossy().into_owned();
        let words = cento::token::count_words(text);
        Document {
            language: None,
            author: None,
            label: id.clone(),
            id,
            role: Role::New,
            words,
            warnings: Vec::new(),
            disguised: cento::disguise::Disguised::default(),
            stretches: cento::Stretches::default(),
            passages: Vec::new(),
            fingerprint,
        }
    };
    let documents = paths.iter().zip(&texts).map(document).collect();
    let settings = ScanSettings {
        recipe: recipe.clone(),
        measure,
        threshold: 0.02,
        top: None,
        max_documents: None,
        left_out: cento::discount::Discounts::USUAL,
        count_below: true,
        ..ScanSettings::default()
    };
    cento::scan(documents, &settings, None, Watch::NOBODY).unwrap()
}

fn counts(recipe: &Recipe, texts: &[&str]) -> Counts {
    let mut counts = Counts::default();
    if let Some(counted) = recipe.counted() {
        for text in texts {
            counts.add(&counted.fingerprint(*text, &Key::PUBLIC, &NoCollection));
        }
    }
    counts
}

/// What is read and written again is the same, byte for byte.
#[track_caller]
fn check_again<T: Serialize + DeserializeOwned>(written: &str) {
    let read: T = serde_json::from_str(written).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), written);
}

/// The report as JSON, one document and one pair a line.
fn shown(report: &Report) -> String {
    let mut text = format!("{}\n", report.recipe);
    for document in &report.documents {
        let _ = writeln!(text, "{}", serde_json::to_string(document).unwrap());
    }
    for pair in &report.pairs {
        let _ = writeln!(text, "{}", serde_json::to_string(pair).unwrap());
    }
    let _ = writeln!(text, "{} pairs below", report.below_threshold.unwrap());
    for note in &report.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}
