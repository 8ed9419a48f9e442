//! Text that everybody has: said first, with what the list would be without it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use serde_json::{Value, json};
use support::{Case, text, words};

/// 12 essays that begin with the assignment sheet; the fourth took half of the third.
fn class() -> Case {
    let case = Case::new(&["--unkeyed"]);
    for number in 0..12 {
        let own = match number {
            3 => format!("{} {}", words(2, 100), words(50, 100)),
            number => text(number),
        };
        case.write(
            &format!("class/{number:02}.txt"),
            &format!("{} {own}", words(99, 60)),
        );
    }
    case
}

fn pairs(report: &Value) -> &Vec<Value> {
    report["pairs"].as_array().unwrap()
}

#[test]
fn an_assignment_sheet_is_the_first_line_of_a_scan() {
    let case = class();
    let printed = case.ok(&["scan", "class"]);
    let mut lines = printed.lines();
    assert_eq!(
        lines.next().unwrap(),
        "12 of 12 documents have the same 60 words; without such text 1 pair shares 10 % or more, or a \
         passage of 12 words (--base-from common)"
    );
    assert_eq!(
        lines.next().unwrap(),
        "66 pairs share 10 % or more, or a passage of 12 words"
    );
    assert!(!printed.contains("could be left out"), "{printed}");
    // Nothing is said where nothing is left to say.
    for flags in [&["--base-from", "common"][..], &["--base", "class/01.txt"]] {
        let printed = case.ok(&[&["scan", "class"], flags].concat());
        assert!(printed.starts_with("1 pair shares"), "{printed}");
    }
}

#[test]
fn the_numbers_without_it_are_those_of_a_run_without_it() {
    let case = class();
    let with = case.json(&["scan", "class"]);
    let without = case.json(&["scan", "class", "--base-from", "common"]);
    let other = &with["without_common"];
    assert_eq!(other["at_threshold"], without["at_threshold"]);
    assert_eq!(other["below_threshold"], without["below_threshold"]);
    assert_eq!(other["histogram"], without["histogram"]);
    assert_eq!(
        (&other["words"], &other["having"]),
        (&json!(60), &json!(12))
    );
    for (a, b) in with["documents"]
        .as_array()
        .unwrap()
        .iter()
        .zip(without["documents"].as_array().unwrap())
    {
        assert_eq!(a["global_without_common"], b["global"]);
    }
    let [pair] = pairs(&without).as_slice() else {
        panic!("one pair");
    };
    let same =
        |other: &&Value| (&other["left"], &other["right"]) == (&pair["left"], &pair["right"]);
    let found = &pairs(&with).iter().find(same).unwrap()["without_common"];
    for field in ["score", "shared", "longest", "tally"] {
        assert_eq!(found[field], pair[field], "{field}");
    }
    assert_eq!(without["without_common"], Value::Null);
}

#[test]
fn a_pair_that_reaches_the_threshold_only_then_is_there_too() {
    let case = Case::new(&["--unkeyed"]);
    for number in 0..6 {
        let essay = format!("{} {}", words(99, 100), words(number, 40));
        case.write(&format!("class/{number}.txt"), &essay);
    }
    // Somebody without the sheet has the essay of the first one.
    case.write("class/copy.txt", &words(0, 40));
    let scan = [
        "scan",
        "class",
        "--measure",
        "resemblance",
        "--threshold",
        "0.5",
    ];
    let report = case.json(&scan);
    assert_eq!(pairs(&report).len(), 15);
    let [only] = pairs(&report["without_common"]).as_slice() else {
        panic!("{:#}", report["without_common"]);
    };
    assert_eq!(
        (&only["left"], &only["right"]),
        (&json!("0.txt"), &json!("copy.txt"))
    );
    let without = case.json(&[&scan[..], &["--base-from", "common"]].concat());
    let [pair] = pairs(&without).as_slice() else {
        panic!("{without:#}");
    };
    for field in ["score", "shared", "longest", "tally"] {
        assert_eq!(only["without_common"][field], pair[field], "{field}");
    }
}

#[test]
fn what_does_not_count_anyway_is_not_left_out_twice() {
    let case = Case::new(&["--unkeyed"]);
    for number in 0..12 {
        // Two share a little beside the sheet, and six a declaration.
        let both = if (2..4).contains(&number) {
            words(70, 20)
        } else {
            String::new()
        };
        let six = if number < 6 {
            words(80, 30)
        } else {
            String::new()
        };
        let essay = format!("{} {both} {six} {}", words(99, 60), words(number, 100));
        case.write(&format!("class/{number:02}.txt"), &essay);
    }
    let scan = ["scan", "class", "--threshold", "0.01", "--max-df", "8"];
    let with = case.json(&scan);
    let without = case.json(&[&scan[..], &["--base-from", "common"]].concat());
    assert_eq!(with["at_threshold"], json!(15));
    assert_eq!(
        with["without_common"]["at_threshold"],
        without["at_threshold"]
    );
    assert!(pairs(&without).len() < 15);
    for pair in pairs(&without) {
        let is_it =
            |other: &&Value| (&other["left"], &other["right"]) == (&pair["left"], &pair["right"]);
        let mut all = pairs(&with).iter().chain(pairs(&with["without_common"]));
        let found = &all.find(is_it).unwrap()["without_common"];
        for field in ["score", "shared", "longest", "tally"] {
            assert_eq!(found[field], pair[field], "{field}");
        }
    }
}

#[test]
fn without_texts_nothing_is_added() {
    let case = class();
    let flags = [
        "scan",
        "class",
        "--aligner",
        "none",
        "--measure",
        "resemblance",
    ];
    let report = case.json(&flags);
    assert_eq!(report["without_common"], Value::Null);
    assert_eq!(pairs(&report)[0]["without_common"], Value::Null);
}
