//! `cento archive` as people use it: what is stored of versions and why, exact bytes back, odd names and
//! differences.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/archive.rs"]
mod archive;

use archive::{Case, page, word};
use serde_json::Value;

#[test]
fn add_decides_and_says_why() {
    let case = Case::new();
    let first = page(1, "served by web1");
    let added = case.add("http://a.example/", &first, "2026-01-01");
    assert_eq!(added["kind"], "significant");
    assert_eq!(added["stored"], "whole");
    assert_eq!(added["version"], 1);

    let added = case.add("http://a.example/", &first, "2026-01-02");
    assert_eq!(added["kind"], "same");
    assert_eq!(added["stored"], "nothing");
    assert_eq!(added["bytes"], 0);
    assert_eq!(added["version"], 2);

    // The paper's case: a comment changes, and the patch is a small part of the page.
    let noise = page(1, "served by web2 in 300 ms");
    let added = case.add("http://a.example/", &noise, "2026-01-03");
    assert_eq!(added["kind"], "text");
    assert_eq!(added["stored"], "patch");
    assert!(
        added["bytes"].as_f64().unwrap() < 0.02 * noise.len() as f64,
        "{added}"
    );

    let edited = noise
        .replacen(&word(77), "badefi", 1)
        .replacen("<p>", "<p>today ", 1);
    let added = case.add("http://a.example/", &edited, "2026-01-04");
    assert_eq!(added["kind"], "insignificant");
    assert_eq!(added["stored"], "patch");

    let added = case.add("http://a.example/", page(2, "served by web1"), "2026-01-05");
    assert_eq!(added["kind"], "significant");
    assert_eq!(added["stored"], "whole");
    assert!(
        added["reason"]
            .as_str()
            .unwrap()
            .contains("another digest than version 1")
    );

    // Equal bytes are stored once, whatever they are called.
    let added = case.add("http://b.example/", &noise, "2026-01-05");
    assert_eq!(added["stored"], "nothing");
    assert!(
        added["reason"]
            .as_str()
            .unwrap()
            .contains("http://a.example/@3")
    );

    // The same capture again is no new version.
    let again = case.add("http://a.example/", &first, "2026-01-01");
    assert_eq!(
        (&again["new"], &again["version"]),
        (&Value::Bool(false), &Value::from(1))
    );
    let log = case.lines(&["log", "http://a.example/"]);
    assert_eq!(log.len(), 5);
    assert_eq!(log[2]["whole"], 1);
    assert_eq!(log[4]["whole"], 5);
    for (version, bytes) in [(1, &first), (2, &first), (3, &noise), (4, &edited)] {
        let name = format!("http://a.example/@{version}");
        assert_eq!(case.bytes(&["get", &name]), bytes.as_bytes());
    }
    assert!(case.ok(&["check"]).contains("all is well"));
}

#[test]
fn files_of_the_same_second_are_versions_of_their_own() {
    let case = Case::new();
    for (name, text) in [("a", "one text"), ("b", "another one"), ("c", "one text")] {
        case.write(name, text);
    }
    let line = ["add", "p", "a", "b", "c", "--time", "2026-01-01"];
    let kinds =
        |added: &[Value]| -> Vec<bool> { added.iter().map(|added| added["new"] == true).collect() };
    assert_eq!(kinds(&case.lines(&line)), [true, true, true]);
    assert_eq!(kinds(&case.lines(&line)), [false, false, false]);
    assert_eq!(case.lines(&["log", "p"]).len(), 3);
    assert_eq!(case.bytes(&["get", "p@3"]), b"one text");
}

#[test]
fn the_level_can_be_set() {
    let case = Case::new();
    let old = page(3, "x");
    // The longest words change, so the digest does.
    let new = old.replacen("<p>", "<p>extraordinarilylongword ", 1);
    case.add("p", &old, "2026-01-01");
    case.write("new", &new);
    let strict = [
        "add",
        "p",
        "new",
        "--time",
        "2026-01-02",
        "--level",
        "1",
        "--json",
    ];
    assert!(case.ok(&strict).contains("\"kind\":\"significant\""));
    let lax = ["add", "q", "added", "new", "--level", "0.9", "--json"];
    assert!(case.ok(&lax).contains("\"kind\":\"insignificant\""));
    let wrong = ["add", "q", "new", "--level", "1.5"];
    assert!(
        case.fails(&wrong)
            .contains("--level: 1.5 is not from 0 to 1")
    );
}

#[test]
fn a_chain_is_rebased_when_its_patches_have_grown() {
    let case = Case::new();
    let mut text = page(4, "x");
    // The digest stays: no other word is as long as these.
    let kept = "abcdefghijklmnopqrs bcdefghijklmnopqrst cdefghijklmnopqrstu defghijklmnopqrstuv efghijklmnopqrstuvw";
    text = text.replacen("<p>", &format!("<p>{kept} "), 1);
    case.add("p", &text, "2026-01-01");
    let mut rebased = None;
    for version in 2..40 {
        let lines: Vec<&str> = text.lines().collect();
        let (first, rest) = (&lines[..5], &lines[5..]);
        let mut rest: Vec<String> = rest.iter().map(|line| (*line).to_owned()).collect();
        rest[version] = page(100 + version as u64, "y")
            .lines()
            .nth(9)
            .unwrap()
            .to_owned();
        text = format!("{}\n{}\n", first.join("\n"), rest.join("\n"));
        let day = format!("2026-02-{:02}", version % 28 + 1);
        let added = case.add("p", &text, &day);
        assert_eq!(added["kind"], "insignificant", "{added}");
        if added["stored"] == "whole" {
            assert!(
                added["reason"]
                    .as_str()
                    .unwrap()
                    .contains("stored whole again")
            );
            rebased = Some(version as u64);
            break;
        }
    }
    let rebased = rebased.unwrap();
    assert!(rebased > 5);
    assert_eq!(case.lines(&["log", "p"]).last().unwrap()["whole"], rebased);
    assert_eq!(case.bytes(&["get", "p"]), text.as_bytes());
}

#[test]
fn odd_names_and_bytes() {
    let case = Case::new();
    for (name, bytes) in [
        ("a@5", &b"one"[..]),
        ("../../etc/passwd", b"two"),
        ("two\nlines", b"three"),
        ("empty", b""),
        ("binary", b"\x00\xff\xfe\x01"),
        ("http://user@Host/p@th", b"four"),
    ] {
        case.write("file", bytes);
        case.ok(&["add", name, "file"]);
        assert_eq!(case.bytes(&["get", name]), bytes, "{name}");
        assert_eq!(case.bytes(&["get", &format!("{name}@1")]), bytes, "{name}");
    }
    let log = case.ok(&["log"]);
    assert!(log.contains("two\\nlines"), "{log}");
    case.ok(&["export", "-o", "all.warc"]);
    let other = Case::new();
    std::fs::copy(case.path().join("all.warc"), other.path().join("all.warc")).unwrap();
    other.ok(&["add", "all.warc"]);
    assert_eq!(other.bytes(&["get", "two\nlines"]), b"three");
    assert_eq!(other.bytes(&["get", "../../etc/passwd"]), b"two");
    assert!(
        case.fails(&["add", " ", "file"])
            .contains("a page needs a name")
    );
    assert!(
        case.fails(&["add", "file"])
            .contains("give the name or the address")
    );
    assert!(
        case.fails(&["add", "nothing.html"])
            .contains("no such file")
    );
    assert!(
        case.fails(&["add", "p", "missing.html"])
            .contains("missing.html")
    );
    assert!(
        case.fails(&["get", "unknown"])
            .contains("unknown: the archive has no page")
    );
    assert!(
        case.fails(&["add", "p", "file", "--time", "soon"])
            .contains("--time: soon is not a time")
    );
}

#[test]
fn differences_as_text_and_as_a_page() {
    let case = Case::new();
    case.add(
        "p",
        "<p>The council met in the old hall on Monday evening.</p>",
        "2026-01-01",
    );
    case.add(
        "p",
        "<p>The council met in the new hall on Monday evening.</p>",
        "2026-01-02",
    );
    let text = case.ok(&["diff", "p@1", "p@2"]);
    assert!(text.contains("[-old-] {+new+} hall"), "{text}");
    assert!(text.contains("1 word removed, 1 added, 0 moved"), "{text}");
    assert_eq!(case.ok(&["diff", "p@1", "2"]), text);
    case.ok(&["diff", "p@1", "2", "--html", "changes.html"]);
    let page = std::fs::read_to_string(case.path().join("changes.html")).unwrap();
    assert!(page.contains("<del>old </del><ins>new </ins>"), "{page}");
}
