//! Documents with so few digests that sharing all of them says nothing.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{cento, json};

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

const NOTE: &str = "1 pair rests on few digests, such as 2 of 2: too few to say how much is shared";

#[test]
fn different_messages_that_share_all_of_two_digests_come_last_and_marked() {
    let root = tempfile::tempdir().unwrap();
    messages(root.path());
    let folder = root.path().to_str().unwrap();
    for aligner in ["passages", "none"] {
        let options = [&["scan", "--aligner", aligner], &RECIPE[..]].concat();
        let report = json(&options, root.path());
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
        let text = printed(&[&options[..], &[folder]].concat());
        let marked: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("few digests"))
            .collect();
        assert!(marked[0].contains("message-1.txt"), "{text}");
    }
    // The only place in the list is not theirs.
    let first = json(
        &[&["scan", "--top", "1"], &RECIPE[..]].concat(),
        root.path(),
    );
    assert_eq!(first["pairs"][0]["left"], "letter-1.txt");
}

#[test]
fn a_footer_in_common_does_not_make_messages_equal() {
    let root = tempfile::tempdir().unwrap();
    let footer = sentences(900, 902);
    for (name, from) in [("one.txt", 100), ("two.txt", 200)] {
        // Only the footer begins a fifth sentence.
        let text = footer.clone() + &sentences(from, from + 3);
        fs::write(root.path().join(name), text).unwrap();
    }
    let report = json(&[&["scan"], &RECIPE[..]].concat(), root.path());
    let pair = &report["pairs"][0];
    assert_eq!((&pair["score"], &pair["shared"]), (&1.0.into(), &1.into()));
    assert_eq!(pair["passages"].as_array().unwrap().len(), 1);
    // 24 of 60 words are less than half of what the score says.
    assert_eq!(pair["share"][0], 0.4);
    assert_eq!(pair["thin"], true);
}

#[test]
fn what_the_texts_say_stands() {
    let root = tempfile::tempdir().unwrap();
    let text = sentences(0, 10);
    for name in ["one.txt", "two.txt"] {
        fs::write(root.path().join(name), &text).unwrap();
    }
    let aligned = json(&[&["scan"], &RECIPE[..]].concat(), root.path());
    assert!(is_thin(&aligned, "one.txt"));
    assert_eq!(aligned["pairs"][0]["thin"], Value::Null);
    assert!(!has_note(&aligned, "1 pair"));
    let without = [&["scan", "--aligner", "none"], &RECIPE[..]].concat();
    assert_eq!(json(&without, root.path())["pairs"][0]["thin"], true);
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
    let (message, letter) = (path("message-2.txt"), path("letter-2.txt"));
    let arguments = ["verify", "--registry", registry, &message];
    let report = json(&arguments, Path::new(&letter));
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
    let arguments = ["scan", "--aligner", "none", "--recipe", "plagiarex"];
    let report = json(&arguments, root.path());
    assert!(!is_thin(&report, "a.txt"));
    assert!(is_thin(&report, "c.txt"));
    let pairs = report["pairs"].as_array().unwrap();
    assert_eq!(pairs[0]["left"], "a.txt");
    assert_eq!(pairs[0]["thin"], Value::Null);
}
