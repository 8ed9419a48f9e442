//! `cento registry shard` and `join` as people use them: the same report from shards as from the one
//! registry, and a message that says what to do when a shard is missing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use support::{Case, text, words};

fn registered(init: &[&str]) -> Case {
    let case = Case::new(init);
    for number in 0..12 {
        let own = words(number, 150);
        let shared = words(100 + number / 3, 80);
        case.write(
            &format!("docs/d{number:02}.txt"),
            &format!("{own} {shared}"),
        );
    }
    case.ok(&["register", "docs", "--set", "essays"]);
    case.write("docs/d12.txt", &text(12));
    case.ok(&["register", "docs/d12.txt"]);
    case.ok(&["forget", "d04.txt"]);
    let asked = format!("{} {} {}", words(2, 100), words(101, 80), words(500, 40));
    case.write("asked/question.txt", &asked);
    case
}

#[test]
fn reports_from_shards_are_those_of_the_registry() {
    for init in [
        &["--retain", "text"][..],
        &["--retain", "digests"],
        &["--retain", "spans", "--stretches", "none"],
        &["--recipe", "masaryk-24", "--retain", "text"],
        &["--unkeyed"],
    ] {
        let case = registered(init);
        for (by, count) in [("digests", "3"), ("documents", "2")] {
            let into = format!("shards-{by}");
            case.ok(&[
                "registry", "shard", "--by", by, "-n", count, "--into", &into,
            ]);
            if case.path().join("registry/key").exists() {
                std::fs::copy(
                    case.path().join("registry/key"),
                    case.path().join(&into).join("key"),
                )
                .unwrap();
            }
            for command in [
                &["verify", "asked", "--json"][..],
                &["verify", "docs", "--json", "--include-own"],
                &["registry", "status", "--json"],
                &["registry", "check", "--json"],
                &["registry", "list", "--json"],
                &["registry", "pairs", "--json"],
            ] {
                let of = |registry: &str| case.ok(&[command, &["--registry", registry]].concat());
                assert_eq!(of(&into), of("registry"), "{init:?} {by} {command:?}");
            }
            let joined = format!("joined-{by}");
            case.ok(&["registry", "join", &into, "--into", &joined]);
            let list = |registry: &str| {
                let key = ["--key-file", "registry/key"];
                let key = if init == ["--unkeyed"] { &[][..] } else { &key };
                let which = ["--registry", registry];
                let status = case.json(&[&["registry", "status"], &which[..], key].concat());
                assert_eq!(status["documents"], 12);
                case.ok(&[&["registry", "list", "--json"], &which[..], key].concat())
            };
            assert_eq!(list(&joined), list("registry"));
        }
    }
}

#[test]
fn what_is_wrong_with_shards_is_said_with_what_to_do() {
    let case = registered(&["--unkeyed"]);
    let shard = ["registry", "shard", "-n", "4", "--into", "shards"];
    let done = case.run(&shard);
    assert_eq!(done.code, Some(0), "{}", done.said);
    assert!(
        done.printed.starts_with("12 documents in 4 shards, "),
        "{}",
        done.printed
    );
    let refused = |arguments: &[&str], words: &[&str]| {
        let done = case.run(arguments);
        assert_eq!(done.code, Some(2), "{}{}", done.printed, done.said);
        for words in words {
            assert!(done.said.contains(words), "{}", done.said);
        }
    };
    refused(&shard, &["there is a registry already"]);
    refused(
        &["register", "asked", "--registry", "shards"],
        &["cut into shards", "cento registry join"],
    );
    refused(
        &["forget", "d01.txt", "--registry", "shards"],
        &["cut into shards"],
    );
    refused(
        &["registry", "join", "registry", "--into", "j"],
        &["not cut into shards"],
    );
    refused(
        &["registry", "shard", "-n", "0", "--into", "none"],
        &["0 is not in 1..=9999"],
    );
    std::fs::rename(case.path().join("shards/0003"), case.path().join("away")).unwrap();
    refused(
        &["verify", "asked", "--registry", "shards"],
        &[
            "shard 3 of 4 (digests from 8000000000000000 to below c000000000000000) is missing",
            "put its folder back",
        ],
    );
}

#[test]
fn damage_is_found_before_it_is_written_anew() {
    // Copied, the damaged bytes would have the right checksums, and no check would find them again.
    let case = registered(&["--unkeyed"]);
    case.ok(&["registry", "shard", "-n", "2", "--into", "shards"]);
    let damage = |segment: &str| {
        let path = case.path().join(segment).join("0000000001.cento");
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        std::fs::write(&path, bytes).unwrap();
    };
    damage("registry/segments");
    damage("shards/0002/segments");
    for command in [
        &["registry", "check"][..],
        &["registry", "compact"],
        &["registry", "shard", "-n", "2", "--into", "by-digests"],
        &[
            "registry",
            "shard",
            "-n",
            "2",
            "--by",
            "documents",
            "--into",
            "by-documents",
        ],
        &["registry", "export", "exported"],
        &[
            "registry", "merge", "registry", "shards", "--into", "merged",
        ],
        &["registry", "join", "shards", "--into", "joined"],
        &["registry", "check"],
    ] {
        let done = case.run(command);
        assert_eq!(done.code, Some(2), "{command:?}: {}", done.printed);
        let said = format!("{}{}", done.printed, done.said);
        assert!(
            said.contains("0000000001.cento: its section of ")
                && said.contains(" is damaged: the checksum differs"),
            "{command:?}: {said}"
        );
    }
    for made in ["by-digests", "by-documents", "exported", "merged", "joined"] {
        assert!(!case.path().join(made).exists(), "{made}");
    }
}
