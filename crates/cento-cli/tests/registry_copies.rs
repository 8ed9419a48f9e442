//! A backup is a backup: what it says is copied can be found in the copy, and nothing else is replaced.
//! Registries and their copies are for their owner only.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

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
    for file in ["0000000001.cento", "0000000001.stretches"] {
        let [copy, other] = ["copy", "other"]
            .map(|registry| case.path().join(registry).join("segments").join(file));
        let length = |path: &Path| fs::metadata(path).unwrap().len();
        assert_eq!(length(&copy), length(&other));
        fs::copy(other, copy).unwrap();
    }
    assert_eq!(hits(&case, "copy", "one.txt"), 0);
    case.ok(&["registry", "backup", "copy"]);
    assert_eq!(hits(&case, "copy", "one.txt"), 1);
}

/// The files and folders below a folder that others may read, write or enter.
fn open_to_others(folder: &Path) -> Vec<PathBuf> {
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    let mut open = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        if mode(&path) & 0o077 != 0 {
            open.push(path.clone());
        }
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            waiting.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
    open
}

#[test]
fn nobody_else_on_the_machine_can_read_a_registry_or_its_copies() {
    let case = copied(&["--retain", "text"]);
    case.ok(&["registry", "export", "exported"]);
    case.ok(&["registry", "merge", "registry", "copy", "--into", "merged"]);
    for registry in ["registry", "copy", "exported", "merged"] {
        let open = open_to_others(&case.path().join(registry));
        assert_eq!(open, Vec::<PathBuf>::new(), "{registry}");
    }
    // Older programs left them open; the next writer closes them.
    let registry = case.path().join("registry");
    for (path, mode) in [
        (registry.clone(), 0o755),
        (registry.join("segments"), 0o755),
        (registry.join("catalog.sqlite"), 0o644),
    ] {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    case.write("two.txt", &text(2));
    case.ok(&["register", "two.txt"]);
    assert_eq!(open_to_others(&registry), Vec::<PathBuf>::new());
}

#[test]
fn what_was_killed_is_no_registry_and_can_be_run_again() {
    let case = copied(&["--retain", "text"]);
    case.write("new-key", "00112233445566778899aabbccddeeff");
    // As far as a command may have come: a registry that is not complete, and one that is being moved.
    let left = |folder: &str| {
        fs::create_dir_all(case.path().join(folder).join("unfinished")).unwrap();
        for file in ["catalog.sqlite", "segments"] {
            let (from, to) = (
                format!("registry/{file}"),
                format!("{folder}/unfinished/{file}"),
            );
            let mut copy = std::process::Command::new("cp");
            copy.arg("-r").args([&from, &to]).current_dir(case.path());
            let copied = copy.status().unwrap();
            assert!(copied.success());
        }
        fs::create_dir_all(case.path().join(folder).join("segments")).unwrap();
    };
    for (folder, command) in [
        (
            "rekeyed",
            &[
                "registry",
                "rekey",
                "--new-key-file",
                "new-key",
                "--into",
                "rekeyed",
            ][..],
        ),
        (
            "merged",
            &["registry", "merge", "registry", "copy", "--into", "merged"],
        ),
        ("exported", &["registry", "export", "exported"]),
    ] {
        left(folder);
        let status = case.run(&["registry", "status", "--registry", folder]);
        assert_eq!(status.code, Some(2), "{}", status.printed);
        case.ok(command);
        let key = if folder == "rekeyed" {
            "new-key"
        } else {
            "registry/key"
        };
        let verify = [
            "verify",
            "one.txt",
            "--registry",
            folder,
            "--key-file",
            key,
            "--exit-code",
        ];
        assert_eq!(case.run(&verify).code, Some(1), "{folder}");
        assert!(!case.path().join(folder).join("unfinished").exists());
    }
    // A key that was made before the registry was is used by the next attempt.
    case.write("again/key", "ffeeddccbbaa99887766554433221100");
    case.write("again/catalog.sqlite.new", "half a catalogue");
    case.ok(&["registry", "init", "--registry", "again"]);
    case.ok(&["register", "one.txt", "--registry", "again"]);
    let key = fs::read_to_string(case.path().join("again/key")).unwrap();
    assert_eq!(key, "ffeeddccbbaa99887766554433221100");
    let other = case.run(&["registry", "init", "--registry", "copy"]);
    assert!(
        other.said.contains("there is a registry already"),
        "{}",
        other.said
    );
}
