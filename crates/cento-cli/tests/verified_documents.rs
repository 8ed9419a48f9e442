//! What `verify` says about documents: where the shared text is, what does not count, and what is only
//! standard text.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use serde_json::{Value, json};
use support::{Case, text, words};

/// What a registry may keep of documents.
const KEPT: [&str; 3] = ["digests", "spans", "text"];

/// A registry of `source`, and `new`, which took the first half of it.
fn half_copied(retain: &str) -> Case {
    let case = Case::new(&["--unkeyed", "--retain", retain]);
    case.write("source.txt", &text(1));
    let half: String = text(1).split_inclusive(' ').take(100).collect();
    case.write("new.txt", &format!("{half}{}", words(2, 100)));
    let facts = [
        "--submitter",
        "anna",
        "--set",
        "2026",
        "--date",
        "2026-03-01",
    ];
    case.ok(&[&["register", "source.txt"][..], &facts].concat());
    case
}

#[test]
fn where_only_digests_are_kept_shares_are_words_in_shared_chunks() {
    let case = half_copied("digests");
    let report = case.json(&["verify", "new.txt", "--with-text"]);
    let pair = &report["pairs"][0];
    assert_eq!(pair["share"], json!([0.5, 0.489_796]));
    assert_eq!(pair["estimate"], json!(true));
    assert_eq!(
        pair["counted"],
        json!({"words": 200, "left_out": 0, "shared": 100})
    );
    // The marked part of the new document is the part that it took.
    let shared = &pair["registry"]["shared"][0];
    let end = shared[0]["end"].as_u64().unwrap();
    let marked = &text(1)[..usize::try_from(end).unwrap()];
    assert_eq!(shared.as_array().unwrap().len(), 1);
    assert_eq!(marked.split(' ').count(), 100);
    // Who has it is said as far as it is known.
    let printed = case.ok(&["verify", "new.txt"]);
    assert!(
        printed.contains("50 %    49 %   100 %  source.txt (2026)"),
        "{printed}"
    );
    assert!(
        printed.contains("new.txt: 50 % of it is registered"),
        "{printed}"
    );
    assert!(printed.contains("shares are estimated"), "{printed}");
    let registered = &report["documents"][1]["registered"];
    assert_eq!(registered["submitter"], json!("anna"));
}

#[test]
fn where_texts_are_kept_nothing_is_estimated() {
    let case = half_copied("text");
    let report = case.json(&["verify", "new.txt"]);
    let pair = &report["pairs"][0];
    assert_eq!(pair["share"], json!([0.5, 0.5]));
    assert_eq!(pair["estimate"], Value::Null);
    assert!(!case.ok(&["verify", "new.txt"]).contains("estimated"));
}

#[test]
fn the_text_of_a_template_counts_in_no_kind_of_registry() {
    for retain in KEPT {
        let case = half_copied(retain);
        let own_template = ["verify", "new.txt", "--base", "new.txt", "--exit-code"];
        let done = case.run(&own_template);
        assert_eq!(done.code, Some(0), "{retain}: {}", done.printed);
        assert!(
            done.printed.contains("nothing of it is left to look up"),
            "{}",
            done.printed
        );
        let report = case.json(&["verify", "new.txt", "--base", "new.txt"]);
        assert_eq!(report["pairs"], json!([]), "{retain}");
        assert_eq!(report["documents"][0]["global"], json!(0.0), "{retain}");
    }
}

#[test]
fn templates_count_in_verify_as_in_scan() {
    let sheet = words(7, 60);
    for retain in KEPT {
        let case = Case::new(&["--unkeyed", "--retain", retain]);
        case.write("sheet.txt", &sheet);
        let half: String = text(1).split_inclusive(' ').take(100).collect();
        case.write("all/source.txt", &format!("{sheet} {}", text(1)));
        case.write("all/new.txt", &format!("{sheet} {half}{}", words(2, 100)));
        case.write("all/other.txt", &format!("{sheet} {}", text(3)));
        case.ok(&["register", "all/source.txt", "all/other.txt"]);
        let with = case.json(&["verify", "all/new.txt"]);
        assert_eq!(with["pairs"].as_array().unwrap().len(), 2, "{retain}");
        let without = case.json(&["verify", "all/new.txt", "--base", "sheet.txt"]);
        let recipe = without["recipe"].as_str().unwrap();
        let scan = ["scan", "all", "--base", "sheet.txt", "--recipe", recipe];
        let scanned = case.json(&scan);
        let pairs = without["pairs"].as_array().unwrap();
        assert_eq!(pairs.len(), 1, "{retain}: {without:#}");
        assert_eq!(scanned["pairs"].as_array().unwrap().len(), 1);
        let (verified, scanned) = (&pairs[0], &scanned["pairs"][0]);
        assert_eq!(verified["right"], json!("registry:source.txt"));
        for field in ["score", "containment", "shared", "resemblance"] {
            assert_eq!(verified[field], scanned[field], "{retain}: {field}");
        }
        if retain == "text" {
            assert_eq!(verified["share"], scanned["share"]);
        } else {
            assert_eq!(verified["counted"]["left_out"], json!(60));
            assert_eq!(verified["share"][0], json!(0.5));
        }
    }
}

/// A registry of 30 documents that begin with the same declaration, and a new one that does.
fn declarations() -> Case {
    let case = Case::new(&["--unkeyed"]);
    let declaration = words(999, 40);
    for number in 0..30 {
        let name = format!("old/{number}.txt");
        case.write(&name, &format!("{declaration} {}", text(number)));
    }
    case.write("new.txt", &format!("{declaration} {}", text(100)));
    case.ok(&["register", "old"]);
    case
}

#[test]
fn what_shares_only_standard_text_is_one_line() {
    let case = declarations();
    let done = case.run(&["verify", "new.txt", "--exit-code"]);
    assert_eq!(done.code, Some(0), "{}", done.printed);
    assert!(
        done.printed
            .contains("30 more share only text that many have (--include-standard lists them)"),
        "{}",
        done.printed
    );
    let report = case.json(&["verify", "new.txt"]);
    assert_eq!(report["pairs"], json!([]));
    assert_eq!(report["documents"][0]["verified"]["standard"], json!(30));
    let all = case.json(&["verify", "new.txt", "--include-standard"]);
    assert_eq!(all["pairs"].as_array().unwrap().len(), 30);
    // A copy among them is listed.
    let half: String = text(4).split_inclusive(' ').take(60).collect();
    case.write(
        "new.txt",
        &format!("{} {half}{}", words(999, 40), words(101, 140)),
    );
    let report = case.json(&["verify", "new.txt", "--top", "5"]);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 1, "{report:#}");
    assert_eq!(report["pairs"][0]["right"], json!("registry:4.txt"));
    assert_eq!(report["documents"][0]["verified"]["standard"], json!(29));
}

#[test]
fn what_everybody_has_is_left_out_if_it_is_asked_for() {
    let case = declarations();
    let common = [
        "verify",
        "new.txt",
        "--base-from",
        "common",
        "--include-standard",
    ];
    let report = case.json(&common);
    assert_eq!(report["pairs"], json!([]));
    assert_eq!(report["documents"][0]["global"], json!(0.0));
    assert_eq!(report["settings"]["base-from"], json!("common"));
}

#[test]
fn a_bulk_mail_that_many_have_is_found() {
    let case = Case::new(&["--unkeyed"]);
    for number in 0..30 {
        case.write(
            &format!("old/{number}.txt"),
            &format!("{} {}", text(1), words(number + 2, 5)),
        );
    }
    case.ok(&["register", "old"]);
    case.write("new.txt", &text(1));
    let done = case.run(&["verify", "new.txt", "--exit-code"]);
    assert_eq!(done.code, Some(1), "{}", done.printed);
    assert!(
        done.printed.contains("30 registered documents listed"),
        "{}",
        done.printed
    );
}

#[test]
fn passages_that_are_alike_several_times_are_counted_once() {
    let case = Case::new(&["--unkeyed", "--recipe", "rank-passages"]);
    // Passages overlap and repeat themselves, so that most are like several.
    case.write(
        "thesis.txt",
        &[words(1, 60), words(1, 60), text(2)].join(" "),
    );
    case.ok(&["register", "thesis.txt"]);
    let report = case.json(&["verify", "thesis.txt", "--measure", "identity-5"]);
    let pair = &report["pairs"][0];
    assert_eq!(report["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(pair["score"], json!(1.0), "{pair:#}");
    assert_eq!(pair["similarity"], json!(12.0));
    assert_eq!(pair["containment"], json!([1.0, 1.0]));
    assert_eq!(pair["resemblance"], json!(1.0));
}
