//! Hoad & Zobel by the front doors: passages that are alike, percentages of the query's own score,
//! ranked lists, and queries with fewer terms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use support::{Case, text, words};

/// Everything of an anchor index's text, as a query.
const FULL: &str = "words+fold | window:4 | shiftxor:32 | all";

/// Five documents: `b` is the first half of `a` and something else, `c` has a quarter of it, `d` is
/// `a` twice, and `e` is about nothing of it.
fn documents() -> BTreeMap<&'static str, String> {
    let a: Vec<String> = (0..8).map(|part| words(part, 50)).collect();
    let of = |parts: &[usize]| {
        parts
            .iter()
            .map(|part| a[*part].clone())
            .collect::<Vec<_>>()
    };
    let own = |number: u64, count: u64| words(100 + number, count);
    BTreeMap::from([
        ("a.txt", a.join(" ")),
        (
            "b.txt",
            [of(&[0, 1, 2, 3]), vec![own(1, 200)]].concat().join(" "),
        ),
        ("c.txt", [vec![own(2, 300)], of(&[5, 6])].concat().join(" ")),
        ("d.txt", [a.clone(), a.clone()].concat().join(" ")),
        ("e.txt", [text(103), text(104)].join(" ")),
    ])
}

/// A registry of the documents, and a labelled collection of the same.
fn case(recipe: &str) -> Case {
    let case = Case::new(&["--unkeyed", "--recipe", recipe]);
    let mut truth = String::new();
    for (name, text) in documents() {
        case.write(&format!("collection/documents/{name}"), &text);
        let _ = writeln!(truth, "{name}\t{name}");
    }
    case.write("collection/truth.tsv", &truth);
    case.ok(&["register", "collection/documents"]);
    case
}

fn eval<'a>(case: &Case, more: &[&'a str]) -> Value {
    let arguments: Vec<&'a str> = [&["eval", "collection", "-q"][..], more].concat();
    case.json(&arguments)["rows"].clone()
}

/// The documents that a method ranks, by query and document: similarity, and percent over a hundred.
fn rankings(row: &Value) -> BTreeMap<(String, String), (f64, f64)> {
    let mut all = BTreeMap::new();
    for detail in row["details"].as_array().unwrap() {
        for found in detail["ranking"].as_array().into_iter().flatten() {
            let name = |value: &Value| value.as_str().unwrap().to_owned();
            let numbers = ["similarity", "percent"].map(|name| found[name].as_f64().unwrap());
            let ends = (name(&detail["query"]), name(&found["document"]));
            all.insert(ends, (numbers[0], numbers[1] / 100.0));
        }
    }
    all
}

#[track_caller]
fn assert_equal(one: (f64, f64), other: (f64, f64), what: &str) {
    let is_near = |a: f64, b: f64| (a - b).abs() < 2e-6 * a.abs().max(1.0);
    assert!(
        is_near(one.0, other.0) && is_near(one.1, other.1),
        "{what}: {one:?} {other:?}"
    );
}

#[test]
fn passages_agree_in_eval_verify_and_scan() {
    let case = case("rank-passages");
    for measure in ["identity-5", "cosine", "max-containment", "resemblance"] {
        let asked = ["--measure", measure];
        let rows = eval(
            &case,
            &[&asked[..], &["--recipe", "rank-passages", "--top", "9"]].concat(),
        );
        let expected = rankings(&rows[0]);
        let own = |name: &str| (name.to_owned(), name.to_owned());
        for name in documents().keys() {
            let passages = if *name == "d.txt" { 31.0 } else { 15.0 };
            assert_equal(expected[&own(name)], (passages, 1.0), name);
        }
        // Each passage counts once, so that repeating a text does not make it more than itself.
        let of_a = |name: &str| expected[&("a.txt".to_owned(), name.to_owned())];
        assert_equal(of_a("d.txt"), (15.0, 1.0), "all of a is in d");
        assert!(of_a("b.txt").1 > 0.45 && of_a("b.txt").1 < 0.6, "{measure}");
        assert!(
            of_a("c.txt").1 > 0.15 && of_a("c.txt").1 < 0.35,
            "{measure}"
        );
        assert!(!expected.contains_key(&("a.txt".to_owned(), "e.txt".to_owned())));

        // In a registry, every document in question is listed once with each that has passages of it.
        let threshold = ["--threshold", "0.01"];
        let report = case.json(
            &[
                &["verify", "collection/documents", "-q"][..],
                &asked,
                &threshold,
            ]
            .concat(),
        );
        let mut verified = BTreeMap::new();
        for pair in report["pairs"].as_array().unwrap() {
            let [left, right] = ["left", "right"].map(|side| pair[side].as_str().unwrap());
            let right = right.trim_start_matches("registry:").to_owned();
            let numbers = ["similarity", "score"].map(|name| pair[name].as_f64().unwrap());
            let again = verified.insert((left.to_owned(), right), (numbers[0], numbers[1]));
            assert_eq!(again, None, "{left} is listed twice");
        }
        assert_eq!(
            verified.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "{measure}"
        );
        for (ends, expected) in &expected {
            assert_equal(
                verified[ends],
                *expected,
                &format!("verify {measure} {ends:?}"),
            );
        }

        // In a scan, both are queries, and the larger share is the score.
        let report = case.json(
            &[
                &[
                    "scan",
                    "collection/documents",
                    "-q",
                    "--recipe",
                    "rank-passages",
                ][..],
                &asked,
                &threshold,
            ]
            .concat(),
        );
        let pairs = report["pairs"].as_array().unwrap();
        let others = expected.keys().filter(|(query, found)| query < found);
        assert_eq!(pairs.len(), others.count(), "{measure}");
        for pair in pairs {
            let [left, right] =
                ["left", "right"].map(|side| pair[side].as_str().unwrap().to_owned());
            let both = [
                expected[&(left.clone(), right.clone())],
                expected[&(right.clone(), left.clone())],
            ];
            let larger = if both[0].1 >= both[1].1 {
                both[0]
            } else {
                both[1]
            };
            let numbers = ["similarity", "score"].map(|name| pair[name].as_f64().unwrap());
            assert!(
                (numbers[1] - larger.1).abs() < 2e-6,
                "scan {measure} {left} {right}"
            );
            assert!(numbers[0] <= both[0].0.max(both[1].0) + 1e-9);
        }
        let is_remarked = report["notes"].to_string().contains("not ideal");
        assert!(!is_remarked, "no document has more than all passages");
    }
}

#[test]
fn lists_show_how_many_passages_are_alike() {
    let case = case("rank-passages");
    let printed = case.ok(&[
        "verify",
        "collection/documents/a.txt",
        "--measure",
        "identity-5",
    ]);
    assert!(
        printed.contains("4 registered documents listed"),
        "{printed}"
    );
    assert!(printed.contains("PASSAGES   SCORE"), "{printed}");
    let line = |name: &str| {
        let lines = printed.lines().filter(|line| line.ends_with(name));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line(" a.txt").len(), 1, "{printed}");
    assert!(
        line(" a.txt")[0].starts_with("      15   100 %"),
        "{printed}"
    );
    assert!(printed.contains("passage-threshold 0.5"), "{printed}");
    let scanned = case.ok(&[
        "scan",
        "collection/documents",
        "--recipe",
        "rank-passages",
        "--measure",
        "identity-5",
    ]);
    assert!(scanned.contains("PASSAGES   SCORE"), "{scanned}");
    // A measure that is given no passages of its own is another share.
    let strict = ["scan", "collection/documents", "--recipe", "rank-passages"];
    let strict = case.json(&[&strict[..], &["--passage-threshold", "1"]].concat());
    assert_eq!(strict["settings"]["passage-threshold"], json!(1.0));
    let copies = strict["pairs"].as_array().unwrap().iter();
    assert!(copies.clone().any(|pair| pair["score"] == json!(1.0)));
    for command in [
        &["scan", "collection/documents", "--recipe", "rank-passages"][..],
        &["verify", "collection/documents/a.txt"],
        &["eval", "collection"],
    ] {
        let refused = case.run(&[command, &["--passage-threshold", "7"]].concat());
        assert_eq!(refused.code, Some(2), "{}", refused.said);
        let reason = "--passage-threshold: 7 is not a share above 0 and up to 1";
        assert!(refused.said.contains(reason), "{}", refused.said);
    }
    // What would be in vain, or list nothing, is refused, too.
    for (flag, value, reason) in [
        ("--passage-threshold", "0.4", "the recipe has no passages"),
        ("--top-documents", "1", "must be at least 2"),
    ] {
        let refused = case.run(&["scan", "collection/documents", flag, value]);
        assert_eq!(refused.code, Some(2), "{}", refused.said);
        assert!(refused.said.contains(reason), "{}", refused.said);
    }
}

/// A threshold for passages would be in vain where documents have none.
#[test]
fn a_registry_without_passages_refuses_a_threshold_for_them() {
    for recipe in ["default", "rank"] {
        let case = case(recipe);
        for command in [
            &["verify", "collection/documents/a.txt"][..],
            &["register", "collection/documents/a.txt", "--verify"],
        ] {
            let refused = case.run(&[command, &["--passage-threshold", "0.4"]].concat());
            assert_eq!(refused.code, Some(2), "{}", refused.said);
            let reason = "--passage-threshold: has no effect, because the recipe has no passages";
            assert!(refused.said.contains(reason), "{}", refused.said);
            case.ok(command);
        }
    }
    let case = case("rank-passages");
    let asked = ["verify", "collection/documents/a.txt"];
    let report = case.json(&[&asked[..], &["--passage-threshold", "0.4"]].concat());
    assert_eq!(report["settings"]["passage-threshold"], json!(0.4));
    let report = case.json(&asked);
    assert_eq!(report["settings"]["passage-threshold"], json!(0.5));
}

#[test]
fn a_copy_reads_a_hundred_percent_of_a_query_that_has_more_terms_than_the_index() {
    let case = case("hz-anchor");
    for measure in [
        "containment",
        "symmetric",
        "resemblance",
        "max-containment",
        "cosine",
    ] {
        let asked = ["--measure", measure, "--query-recipe", FULL];
        let evaluated = eval(
            &case,
            &[&asked[..], &["--recipe", "hz-anchor", "--top", "9"]].concat(),
        );
        let found = rankings(&evaluated[0]);
        for name in documents().keys() {
            let own = found[&((*name).to_owned(), (*name).to_owned())];
            assert!((own.1 - 1.0).abs() < 1e-9, "{measure} {name} {own:?}");
        }
        let report =
            case.json(&[&["verify", "collection/documents/a.txt", "-q"][..], &asked].concat());
        let pairs = report["pairs"].as_array().unwrap();
        let copy = pairs
            .iter()
            .find(|pair| pair["right"] == "registry:a.txt")
            .unwrap();
        assert_eq!(copy["score"], json!(1.0), "{measure}");
        // Half a copy reads about a half, whatever the index leaves out.
        let half = pairs
            .iter()
            .find(|pair| pair["right"] == "registry:b.txt")
            .unwrap();
        let score = half["score"].as_f64().unwrap();
        assert!(score > 0.25 && score < 0.75, "{measure} {score}");
    }
}

/// Heintze kept 100 digests of a document and asked with 1,000.
#[test]
fn few_digests_are_kept_and_many_asked_with() {
    let case = case("words+fold | window:4 | shiftxor:32 | smallest:20");
    let many = "words+fold | window:4 | shiftxor:32 | smallest:200";
    let asked = ["--measure", "resemblance", "--query-recipe", many];
    let report = case.json(&[&["verify", "collection/documents/a.txt"][..], &asked].concat());
    assert_eq!(
        report["pairs"][0]["score"],
        json!(1.0),
        "{:#}",
        report["pairs"][0]
    );
}

#[test]
fn where_nothing_false_is_found_the_highest_false_match_is_zero() {
    let case = case("default");
    case.write("collection/truth.tsv", "e.txt\te.txt\n");
    let rows = eval(&case, &["--recipe", "default", "--measure", "containment"]);
    assert_eq!(rows[0]["hfm"], json!(0.0));
    assert_eq!(rows[0]["separation"], json!(100.0));
    assert_eq!(rows[0]["complete_hfm"], json!(0.0));
    assert_eq!(rows[0]["ratio"], Value::Null);
    let printed = case.ok(&[
        "eval",
        "collection",
        "--recipe",
        "default",
        "--measure",
        "containment",
    ]);
    assert!(printed.contains("  0.00 100.00     n/a"), "{printed}");
    assert!(printed.contains("HFM   0.00  SEP 100.00"), "{printed}");
}

/// The paper's figure 1: documents in the order of their scores, with scores and percentages.
#[test]
fn a_ranking_is_printed_with_scores_and_percentages() {
    let case = case("rank");
    case.write("collection/truth.tsv", "a.txt\ta.txt\na.txt\td.txt\n");
    let asked = [
        "eval",
        "collection",
        "--recipe",
        "rank",
        "--measure",
        "identity-5",
    ];
    let printed = case.ok(&[&asked[..], &["--top", "3"]].concat());
    let first = printed
        .lines()
        .position(|line| line.contains("SIMILARITY  PERCENT"));
    let ranked: Vec<&str> = printed.lines().skip(first.unwrap() + 1).take(3).collect();
    assert!(ranked[0].starts_with("       1  "), "{printed}");
    assert!(ranked[0].ends_with("  100.00  + a.txt"), "{printed}");
    assert!(
        ranked[1].ends_with("- b.txt") || ranked[1].ends_with("+ d.txt"),
        "{printed}"
    );
    assert!(printed.contains("+ is a correct document"), "{printed}");
    let table = case.ok(&[&asked[..], &["--top", "3", "--format", "csv"]].concat());
    assert!(table.starts_with("recipe,measure,query,rank,document,similarity,percent,correct"));
    assert_eq!(table.lines().count(), 4, "{table}");
    let without = case.ok(&asked);
    assert!(!without.contains("SIMILARITY"), "{without}");
    // A registry says the same: the score beside its percentage.
    let listed = case.ok(&[
        "verify",
        "collection/documents/a.txt",
        "--measure",
        "identity-5",
    ]);
    assert!(listed.contains("SIMILARITY   SCORE"), "{listed}");
    let similarity = ranked[0].split_whitespace().nth(1).unwrap();
    assert!(
        listed.contains(&format!("{similarity}   100 %")),
        "{listed}"
    );
}

#[test]
fn queries_may_have_fewer_terms() {
    let case = case("rank");
    case.write(
        "collection/truth.tsv",
        "a.txt\ta.txt\na.txt\tb.txt\na.txt\tc.txt\na.txt\td.txt\n",
    );
    let asked = ["--recipe", "rank", "--measure", "identity-5", "--top", "9"];
    let rows = eval(
        &case,
        &[&asked[..], &["--query-terms", "5", "--query-terms", "300"]].concat(),
    );
    let names: Vec<&str> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["recipe"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["rank", "rank, 5 terms", "rank, 300 terms"]);
    let read = |row: usize| rows[row]["postings_read"].as_u64().unwrap();
    assert!(read(1) < read(2) && read(2) < read(0), "{rows:#}");
    for row in rows.as_array().unwrap() {
        let found = rankings(row);
        let own = found[&("a.txt".to_owned(), "a.txt".to_owned())];
        assert!(
            (own.1 - 1.0).abs() < 1e-9,
            "a copy has all of them: {own:?}"
        );
    }
    let refused = case.run(&["eval", "collection", "--query-terms", "0"]);
    assert_eq!(refused.code, Some(2), "{}", refused.said);
    assert!(
        refused.said.contains("--query-terms: must be at least 1"),
        "{}",
        refused.said
    );
}
