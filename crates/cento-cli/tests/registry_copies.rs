//! A backup is a backup: what it says is copied can be found in the copy, and nothing else is replaced.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use std::fs;

use support::{Case, text, words};

/// A registry with a document, and a copy of it in `copy`.
fn copied(init: &[&str]) -> Case {
    let case = Case::new(init);
    case.write("one.txt", &text(1));
    case.ok(&["register", "one.txt"]);
    case.ok(&["registry", "backup", "copy"]);
    case
}

/// How many documents of a registry have the text of a file.
#[track_caller]
fn hits(case: &Case, registry: &str, file: &str) -> usize {
    let report = case.json(&["verify", file, "--registry", registry]);
    report["pairs"].as_array().unwrap().len()
}

#[track_caller]
fn refused(case: &Case, arguments: &[&str], why: &str) {
    let done = case.run(arguments);
    assert_eq!(done.code, Some(2), "{}{}", done.printed, done.said);
    assert!(done.said.contains(why), "{}", done.said);
    assert!(
        done.said.contains("give a folder that is empty"),
        "{}",
        done.said
    );
}

#[test]
fn another_registry_is_never_replaced() {
    let case = copied(&["--unkeyed"]);
    case.write("two.txt", &text(2));
    case.ok(&["registry", "init", "--unkeyed", "--registry", "live"]);
    case.ok(&["register", "two.txt", "--registry", "live"]);
    refused(
        &case,
        &["registry", "backup", "live"],
        "live is another registry",
    );
    assert_eq!(hits(&case, "live", "two.txt"), 1);
    // One with a key in it is in use, whosever it is.
    case.ok(&["registry", "init", "--registry", "keyed"]);
    refused(
        &case,
        &["registry", "backup", "keyed"],
        "keyed has a key in it",
    );
    refused(
        &case,
        &["registry", "backup", "registry"],
        "registry is the registry itself",
    );
    case.write("papers/letter.txt", "Dear Madam");
    refused(
        &case,
        &["registry", "backup", "papers"],
        "papers has other files in it",
    );
    assert_eq!(fs::read_dir(case.path().join("papers")).unwrap().count(), 1);
    // The copy from before is brought up to date.
    case.write("three.txt", &text(3));
    case.ok(&["register", "three.txt"]);
    case.ok(&["registry", "backup", "copy"]);
    assert_eq!(hits(&case, "copy", "three.txt"), 1);
}

#[test]
fn after_a_new_key_the_old_copy_stays_what_it_is() {
    let case = copied(&["--retain", "text"]);
    fs::copy(
        case.path().join("registry/key"),
        case.path().join("old-key"),
    )
    .unwrap();
    case.write("new-key", "00112233445566778899aabbccddeeff");
    let rekey = [
        "registry",
        "rekey",
        "--into",
        "rekeyed",
        "--new-key-file",
        "new-key",
    ];
    case.ok(&rekey);
    let with = ["--registry", "rekeyed", "--key-file", "new-key"];
    let backup = [&["registry", "backup", "copy"], &with[..]].concat();
    refused(&case, &backup, "copy is another registry");
    let verify = [
        "verify",
        "one.txt",
        "--registry",
        "copy",
        "--key-file",
        "old-key",
        "--exit-code",
    ];
    assert_eq!(case.run(&verify).code, Some(1));
    // A new place has the new one.
    case.ok(&[&["registry", "backup", "new-copy"], &with[..]].concat());
    let verify = [
        "verify",
        "one.txt",
        "--registry",
        "new-copy",
        "--key-file",
        "new-key",
        "--exit-code",
    ];
    assert_eq!(case.run(&verify).code, Some(1));
}

#[test]
fn a_segment_of_the_same_length_is_not_taken_for_the_same() {
    let case = copied(&["--unkeyed"]);
    // As many words, and each as long: only the content differs.
    let other = words(1, 200).replace('w', "v");
    case.write("other.txt", &other);
    case.ok(&["registry", "init", "--unkeyed", "--registry", "other"]);
    case.ok(&["register", "other.txt", "--registry", "other"]);
    let segment = |registry: &str| {
        let folder = case.path().join(registry).join("segments");
        fs::read_dir(folder)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path()
    };
    let length = |registry: &str| fs::metadata(segment(registry)).unwrap().len();
    assert_eq!(length("copy"), length("other"));
    fs::copy(segment("other"), segment("copy")).unwrap();
    assert_eq!(hits(&case, "copy", "one.txt"), 0);
    case.ok(&["registry", "backup", "copy"]);
    assert_eq!(hits(&case, "copy", "one.txt"), 1);
}
