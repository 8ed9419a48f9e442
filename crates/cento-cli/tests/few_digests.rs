//! Documents with so few digests that sharing all of them says nothing.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::cento;

/// Sentences of twelve words that nothing else has.
fn sentences(from: usize, to: usize) -> String {
    let sentence = |n: usize| {
        let words: Vec<String> = (0..11).map(|k| format!("word{n}x{k}")).collect();
        format!("Sentence{n} {}. ", words.join(" "))
    };
    (from..to).map(sentence).collect()
}

/// Two different messages whose first and sixth sentences are alike, and two letters of which the
/// second repeats most of the first.
fn messages(root: &Path) {
    let greetings = [
        "Dear members of the society. ",
        "Please write again to the office. ",
    ];
    let message = |from: usize| {
        let parts = [sentences(from, from + 4), sentences(from + 4, from + 8)];
        let [first, second] = [0, 1].map(|part| greetings[part].to_owned() + &parts[part]);
        first + &second
    };
    let write = |name: &str, text: &str| fs::write(root.join(name), text).unwrap();
    write("message-1.txt", &message(100));
    write("message-2.txt", &message(200));
    write("letter-1.txt", &sentences(300, 400));
    let most = sentences(300, 390) + &sentences(500, 510);
    write("letter-2.txt", &most);
}

/// Keeps the beginning of every fifth sentence: of the first, the sixth and so on.
const RECIPE: [&str; 2] = ["--recipe", "hz-kth-sentence"];

fn report(arguments: &[&str]) -> Value {
    let output = cento().args(arguments).arg("--json").output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = cento().args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Whether a document is thin.
fn is_thin(report: &Value, id: &str) -> bool {
    let documents = report["documents"].as_array().unwrap();
    let document = documents.iter().find(|it| it["id"] == id).unwrap();
    document["thin"] == true
}

fn has_note(report: &Value, start: &str) -> bool {
    let notes = report["notes"].as_array().unwrap();
    notes
        .iter()
        .any(|note| note.as_str().unwrap().starts_with(start))
}

const NOTE: &str = "1 pair rests on 2 of 2 digests or as few, too few to say how much is shared";

#[test]
fn different_messages_that_share_all_of_two_digests_come_last_and_marked() {
    let root = tempfile::tempdir().unwrap();
    messages(root.path());
    let folder = root.path().to_str().unwrap();
    for aligner in ["passages", "none"] {
        let arguments = [&["scan", folder, "--aligner", aligner], &RECIPE[..]].concat();
        let report = report(&arguments);
        let pairs = report["pairs"].as_array().unwrap();
        assert_eq!(pairs.len(), 2, "{aligner}");
        assert_eq!(pairs[0]["left"], "letter-1.txt");
        assert!(pairs[0]["score"].as_f64() < Some(1.0));
        assert_eq!(pairs[0]["thin"], Value::Null);
        // Scores and shares by digests stay what they are.
        assert_eq!(pairs[1]["left"], "message-1.txt");
        assert_eq!(pairs[1]["score"], 1.0);
        assert_eq!(pairs[1]["thin"], true);
        assert!(is_thin(&report, "message-2.txt") && !is_thin(&report, "letter-1.txt"));
        assert!(has_note(&report, NOTE), "{}", report["notes"]);
        let text = printed(&arguments);
        let marked: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("few digests"))
            .collect();
        assert!(marked[0].contains("message-1.txt"), "{text}");
    }
    // The only place in the list is not theirs.
    let first = report(&[&["scan", folder, "--top", "1"], &RECIPE[..]].concat());
    assert_eq!(first["pairs"][0]["left"], "letter-1.txt");
}

#[test]
fn what_the_texts_say_stands() {
    let root = tempfile::tempdir().unwrap();
    let text = sentences(0, 10);
    for name in ["one.txt", "two.txt"] {
        fs::write(root.path().join(name), &text).unwrap();
    }
    let folder = root.path().to_str().unwrap();
    let aligned = report(&[&["scan", folder], &RECIPE[..]].concat());
    assert!(is_thin(&aligned, "one.txt"));
    assert_eq!(aligned["pairs"][0]["thin"], Value::Null);
    assert!(!has_note(&aligned, "1 pair"));
    let without = [&["scan", folder, "--aligner", "none"], &RECIPE[..]].concat();
    assert_eq!(report(&without)["pairs"][0]["thin"], true);
}

#[test]
fn a_registry_says_the_same() {
    let root = tempfile::tempdir().unwrap();
    let documents = root.path().join("documents");
    fs::create_dir(&documents).unwrap();
    messages(&documents);
    let registry = root.path().join("registry");
    let registry = registry.to_str().unwrap();
    let path = |name: &str| documents.join(name).to_str().unwrap().to_owned();
    printed(&[&["registry", "init", "--registry", registry], &RECIPE[..]].concat());
    let registered = ["register", &path("message-1.txt"), &path("letter-1.txt")];
    printed(&[&registered[..], &["--registry", registry]].concat());
    let verified = ["verify", &path("message-2.txt"), &path("letter-2.txt")];
    let arguments = [&verified[..], &["--registry", registry]].concat();
    let report = report(&arguments);
    let pairs = report["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 2);
    assert_eq!(pairs[0]["thin"], Value::Null);
    assert_eq!(
        (&pairs[1]["thin"], &pairs[1]["score"]),
        (&true.into(), &1.0.into())
    );
    assert!(is_thin(&report, "registry:message-1.txt"));
    assert!(has_note(&report, NOTE), "{}", report["notes"]);
    assert!(printed(&arguments).contains("few digests"));
}

#[test]
fn one_digest_of_a_whole_document_is_enough_if_its_words_are() {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(root.path().join(name), text).unwrap();
    let longest = "extraordinarily complicated arrangements notwithstanding disagreements";
    write(
        "a.txt",
        &format!("{longest} {}", "of the old town ".repeat(20)),
    );
    write(
        "b.txt",
        &format!("{longest} {}", "in a new field ".repeat(20)),
    );
    write("c.txt", "yes, thank you");
    write("d.txt", "yes; thank you");
    let folder = root.path().to_str().unwrap();
    let arguments = ["scan", folder, "--aligner", "none", "--recipe", "plagiarex"];
    let report = report(&arguments);
    assert!(!is_thin(&report, "a.txt"));
    assert!(is_thin(&report, "c.txt"));
    let pairs = report["pairs"].as_array().unwrap();
    assert_eq!(pairs[0]["left"], "a.txt");
    assert_eq!(pairs[0]["thin"], Value::Null);
}
