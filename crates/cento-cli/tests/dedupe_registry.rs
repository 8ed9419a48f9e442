//! A dataset against a registry: what is registered is removed, what is kept is registered.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/dedupe.rs"]
mod support;

use serde_json::{Value, json};
use support::{fails, ok, read, text, write};
use tempfile::TempDir;

/// Two documents, the second of them twice.
fn march() -> Vec<String> {
    vec![
        json!({"id": "m1", "text": text(0, 200)}).to_string(),
        json!({"id": "m2", "text": text(1000, 200)}).to_string(),
        json!({"id": "m3", "text": text(1000, 198)}).to_string(),
    ]
}

fn documents(folder: &TempDir) -> Value {
    let status = ok(folder, "registry status --registry reg --json");
    let status: Value = serde_json::from_str(&status).unwrap();
    status["documents"].clone()
}

#[test]
fn the_next_crawl_is_checked_alone() {
    let folder = tempfile::tempdir().unwrap();
    ok(&folder, "registry init --registry reg");
    write(&folder, "march.jsonl", &march());
    let printed = ok(&folder, "dedupe march.jsonl -o march --registry reg");
    assert!(printed.contains("2 of 3 documents kept"), "{printed}");
    assert!(
        printed.contains("0 are like a registered document; 2 were registered"),
        "{printed}"
    );
    assert_eq!(documents(&folder), 2);
    // The same once more: everything is there.
    let printed = ok(&folder, "dedupe march.jsonl -o again --registry reg");
    assert!(printed.contains("0 of 3 documents kept"), "{printed}");
    assert_eq!(read(&folder, "again/march.jsonl"), "");
    assert_eq!(read(&folder, "again/removed.txt"), "m1\nm2\nm3\n");
    assert_eq!(documents(&folder), 2);
    // Another month: one old page, one new one, and a copy of the new one.
    let april = [
        json!({"id": "a1", "text": text(0, 203)}).to_string(),
        json!({"id": "a2", "text": text(5000, 100)}).to_string(),
        json!({"id": "a3", "text": text(5000, 100)}).to_string(),
    ];
    write(&folder, "april.jsonl", &april);
    ok(&folder, "dedupe april.jsonl -o april --registry reg");
    assert_eq!(
        read(&folder, "april/april.jsonl"),
        format!("{}\n", april[1])
    );
    let clusters = read(&folder, "april/clusters.csv");
    assert!(
        clusters.contains("\na1,registry:m1,false,0.98"),
        "{clusters}"
    );
    assert!(clusters.contains("\na3,a2,false,1.000000"), "{clusters}");
    assert_eq!(documents(&folder), 3);
    ok(&folder, "registry check --registry reg");
}

#[test]
fn the_recipe_is_the_registrys() {
    let folder = tempfile::tempdir().unwrap();
    ok(&folder, "registry init --registry reg --recipe masaryk");
    write(&folder, "march.jsonl", &march());
    let errors = fails(
        &folder,
        "dedupe march.jsonl -o out --registry reg --recipe winnow",
    );
    assert!(
        errors.contains("--registry: reg: its recipe is"),
        "{errors}"
    );
    assert!(!folder.path().join("out").exists());
    ok(
        &folder,
        "dedupe march.jsonl -o out --registry reg --recipe masaryk",
    );
    let errors = fails(&folder, "dedupe march.jsonl -o other --registry nowhere");
    assert!(errors.contains("nowhere"), "{errors}");
}
