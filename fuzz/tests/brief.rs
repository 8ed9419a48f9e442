//! A few thousand broken inputs, the same in every run.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use cento_fuzz::targets;

#[track_caller]
fn survives(name: &str, inputs: u64) {
    let all = targets();
    let target = all.iter().find(|target| target.name == name).unwrap();
    if let Err(failure) = target.run(1, inputs) {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("fuzz");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{name}-1-{}-{}", failure.number, failure.name));
        std::fs::write(&file, &failure.input).unwrap();
        panic!("{}: {}", file.display(), failure.reason);
    }
}

#[test]
fn documents() {
    survives("documents", 2000);
}

#[test]
fn files() {
    survives("files", 500);
}

#[test]
fn tables() {
    survives("tables", 800);
}

#[test]
fn lists() {
    survives("lists", 3000);
}

#[test]
fn recipes() {
    survives("recipes", 2000);
}

#[test]
fn segments() {
    survives("segments", 1000);
}

#[test]
fn pages() {
    survives("pages", 500);
}

#[test]
fn programs() {
    survives("programs", 400);
}
