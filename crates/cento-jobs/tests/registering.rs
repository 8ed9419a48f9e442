//! Registering says as much about documents as verifying does.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento_jobs::registry::{RegistryOptions, init};
use cento_jobs::{Watch, register, verify};
use support::text;

#[test]
fn documents_that_are_registered_and_verified_have_the_warnings_of_verify() {
    let folder = tempfile::tempdir().unwrap();
    let registry = RegistryOptions {
        registry: folder.path().join("registry"),
        ..RegistryOptions::default()
    };
    let made = init::Options {
        registry: registry.clone(),
        ..init::Options::default()
    };
    init::run(&made, &Watch::NOBODY).unwrap();
    let class = folder.path().join("class");
    std::fs::create_dir(&class).unwrap();
    std::fs::write(class.join("a.txt"), text(1, 200)).unwrap();
    // Cyrillic letters in place of Latin ones.
    let disguised = format!("{} a c\u{43e}\u{440}y", text(1, 200));
    std::fs::write(class.join("b.txt"), disguised).unwrap();
    let options = register::Options {
        paths: vec![class.clone()],
        registry: registry.clone(),
        verify: true,
        ..register::Options::default()
    };
    let registered = register::run(&options, &Watch::NOBODY).unwrap();
    let registered = registered.verification.unwrap().report;
    let options = verify::Options {
        paths: vec![class],
        registry,
        ..verify::Options::default()
    };
    let verified = verify::run(&options, &Watch::NOBODY).unwrap();
    let verified = verified.reported.report;
    let disguised = &registered.documents[1];
    assert_eq!(disguised.id, "b.txt");
    assert_eq!(disguised.warnings.len(), 1, "{:?}", disguised.warnings);
    // The same report, from documents to notes.
    assert_eq!(registered, verified);
}

#[test]
fn what_was_registered_is_told_document_by_document() {
    let folder = tempfile::tempdir().unwrap();
    let registry = RegistryOptions {
        registry: folder.path().join("registry"),
        ..RegistryOptions::default()
    };
    let made = init::Options {
        registry: registry.clone(),
        ..init::Options::default()
    };
    init::run(&made, &Watch::NOBODY).unwrap();
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
