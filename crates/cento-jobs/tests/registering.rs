//! Registering says as much about documents as verifying does.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento::index::registry::Retention;
use cento::report::Remedy;
use cento_jobs::{Watch, register, verify};
use support::{new_registry, text};

#[test]
fn documents_that_are_registered_and_verified_have_the_warnings_of_verify() {
    let folder = tempfile::tempdir().unwrap();
    let registry = new_registry(&folder.path().join("registry"), Retention::Digests);
    let class = folder.path().join("class");
    std::fs::create_dir(&class).unwrap();
    std::fs::write(class.join("a.txt"), text(1, 200)).unwrap();
    // Cyrillic letters in place of Latin ones.
    let disguised = format!("{} a c\u{43e}\u{440}y", text(1, 200));
    std::fs::write(class.join("b.txt"), disguised).unwrap();
    let options = register::Options {
        paths: vec![class.clone()],
        registry: registry.clone(),
        submitter: Some("somebody".to_owned()),
        verify: true,
        ..register::Options::default()
    };
    let registered = register::run(&options, &Watch::NOBODY).unwrap();
    let registered = registered.verification.unwrap().report;
    let options = verify::Options {
        paths: vec![class],
        registry,
        submitter: Some("somebody".to_owned()),
        ..verify::Options::default()
    };
    let verified = verify::run(&options, &Watch::NOBODY).unwrap();
    let verified = verified.reported.report;
    let disguised = &registered.documents[1];
    assert_eq!(disguised.id, "b.txt");
    assert_eq!(disguised.disguised.look_alike, 1);
    // The same report, from documents to notes.
    assert_eq!(registered, verified);
}

#[test]
fn a_document_that_is_registered_and_verified_is_no_hit_of_itself() {
    let folder = tempfile::tempdir().unwrap();
    let registry = new_registry(&folder.path().join("registry"), Retention::Digests);
    let paper = folder.path().join("paper.txt");
    let register = |content: &str| {
        std::fs::write(&paper, content).unwrap();
        let options = register::Options {
            paths: vec![paper.clone()],
            registry: registry.clone(),
            verify: true,
            ..register::Options::default()
        };
        let registered = register::run(&options, &Watch::NOBODY).unwrap();
        registered.verification.unwrap().report
    };
    let first = register(&text(1, 200));
    assert!(first.pairs.is_empty());
    let own = &first.documents[0].verified.as_ref().unwrap().own;
    assert_eq!((own.len(), own[0].version), (1, 1));
    assert!((own[0].containment - 1.0).abs() < 1e-9);
    // Nobody says whose the first one is, so it counts.
    let second = register(&format!("{} {}", text(1, 200), text(2, 20)));
    let hits: Vec<&str> = second
        .pairs
        .iter()
        .map(|pair| pair.right.as_str())
        .collect();
    assert_eq!(hits, ["registry:paper.txt"]);
    let own = &second.documents[0].verified.as_ref().unwrap().own;
    assert_eq!((own.len(), own[0].version), (1, 2));
}

#[test]
fn an_id_of_another_submitter_is_refused_and_says_what_helps() {
    let folder = tempfile::tempdir().unwrap();
    let registry = new_registry(&folder.path().join("registry"), Retention::Digests);
    let paper = folder.path().join("thesis.txt");
    std::fs::write(&paper, text(1, 200)).unwrap();
    let register = |submitter: &str, prefix: &str| {
        let options = register::Options {
            paths: vec![paper.clone()],
            registry: registry.clone(),
            submitter: Some(submitter.to_owned()),
            id_prefix: prefix.to_owned(),
            ..register::Options::default()
        };
        register::run(&options, &Watch::NOBODY).unwrap()
    };
    assert_eq!(register("one", "").new, 1);
    // The file is the same, byte by byte, and still it is not `unchanged`.
    let refused = register("two", "");
    assert_eq!((refused.new, refused.unchanged), (0, 0));
    assert_eq!(refused.rejected[0].remedy, Some(Remedy::IdPrefix));
    assert_eq!(
        refused.rejected[0].skipped.reason,
        "the id is registered with submitter one, and this document comes with submitter two; it \
         needs another id"
    );
    let taken = register("two", "two/");
    assert_eq!(
        taken.documents[0].same_text_as.as_deref(),
        Some("thesis.txt")
    );
    assert_eq!(register("one", "").unchanged, 1);
}

#[test]
fn what_was_registered_is_told_document_by_document() {
    let folder = tempfile::tempdir().unwrap();
    let registry = new_registry(&folder.path().join("registry"), Retention::Digests);
    let class = folder.path().join("class");
    std::fs::create_dir(&class).unwrap();
    std::fs::write(class.join("a.txt"), text(1, 200)).unwrap();
    std::fs::write(class.join("b.txt"), text(1, 150)).unwrap();
    std::fs::write(class.join("none.txt"), "").unwrap();
    let options = register::Options {
        paths: vec![class.clone()],
        registry,
        ..register::Options::default()
    };
    let told = register::run(&options, &Watch::NOBODY).unwrap();
    let told = serde_json::to_value(told).unwrap();
    let expected = serde_json::json!({
        "schema": "cento.register/1",
        "registered": 2,
        "new": 2,
        "versions": 0,
        "unchanged": 0,
        "pairs": 1,
        "documents": [
            {"id": "a.txt", "registered": "new"},
            {"id": "b.txt", "registered": "new"},
        ],
        "skipped": [{"id": "none.txt", "reason": "empty file"}],
    });
    assert_eq!(told, expected);
    std::fs::write(class.join("b.txt"), text(2, 150)).unwrap();
    let told = register::run(&options, &Watch::NOBODY).unwrap();
    let told = serde_json::to_value(told).unwrap();
    assert_eq!(told["documents"][0]["registered"], "unchanged");
    assert_eq!(told["documents"][1]["version"], 2);
}
