//! A recipe of a paper brings the measure of that paper, by every front door, unless one is given.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use serde_json::{Value, json};
use support::{Case, text, words};

/// Presets of every paper, and what their papers score by.
const PRESETS: [(&str, &str); 14] = [
    ("default", "max-containment"),
    ("versions", "max-containment"),
    ("se", "symmetric"),
    ("se-sqrt", "symmetric"),
    ("ov", "symmetric"),
    ("se-code", "symmetric"),
    ("plagiarex", "max-containment"),
    ("hz-full", "containment"),
    ("hz-anchor", "containment"),
    ("rank", "identity-5"),
    ("masaryk", "containment"),
    ("masaryk-24", "containment"),
    ("sift", "max-containment"),
    ("shingle", "max-containment"),
];

/// A short text, all of which is in a long one; and another. `short.txt` is in the registry's folder
/// `docs` too, for verbs that do without a registry.
fn case(init: &[&str]) -> Case {
    let case = Case::new(&[&["--stretches", "none"], init].concat());
    let short = words(1, 400);
    case.write("docs/short.txt", &short);
    case.write("docs/long.txt", &format!("{short} {}", words(2, 1200)));
    case.write("docs/other.txt", &text(3));
    case
}

/// What was asked and what a report says of it: the measure, and the scores of its pairs.
fn scores(report: &Value) -> (String, Vec<(String, Value)>) {
    let pairs = report["pairs"].as_array().unwrap().iter();
    let name = |value: &Value| value.as_str().unwrap().to_owned();
    let scores = pairs.map(|pair| (name(&pair["right"]), pair["score"].clone()));
    (name(&report["measure"]), scores.collect())
}

const SCAN: [&str; 4] = ["scan", "docs", "-q", "--threshold"];

#[test]
fn recipes_say_what_their_papers_score_by() {
    let case = case(&[]);
    let listed = case.json(&["recipes"]);
    let of = |name: &str| {
        let mut all = listed.as_array().unwrap().iter();
        all.find(|preset| preset["name"] == name).unwrap()["measure"].clone()
    };
    for (name, measure) in PRESETS {
        assert_eq!(of(name), json!(measure), "{name}");
        let page = case.ok(&["recipes", name]);
        let line = format!("\nmeasure  {measure}\n");
        assert!(page.contains(&line), "{page}");
    }
    assert_eq!(of("style"), Value::Null, "a style has distances");
    let page = case.ok(&["recipes", "style"]);
    assert!(!page.contains("measure"), "{page}");
    assert_eq!(
        case.json(&["recipes", "plagiarex-7"])[0]["measure"],
        json!("max-containment")
    );
}

#[test]
fn scan_and_compare_score_as_the_paper_does() {
    let case = case(&[]);
    let pair = ["docs/short.txt", "docs/long.txt", "-q", "--recipe"];
    for (name, measure) in PRESETS {
        let usual = case.json(&[&SCAN[..], &["0.01", "--recipe", name]].concat());
        let asked = ["0.01", "--recipe", name, "--measure", measure];
        let asked = case.json(&[&SCAN[..], &asked].concat());
        assert_eq!(scores(&usual), scores(&asked), "{name}");
        assert_eq!(usual["measure"], json!(measure), "{name}");
        assert_eq!(usual, asked, "{name}: all of the report is the same");
        for verb in [&["compare"][..], &["explain", "pair"]] {
            let usual = case.json(&[verb, &pair, &[name]].concat());
            let asked = case.json(&[verb, &pair, &[name, "--measure", measure]].concat());
            assert_eq!(usual, asked, "{verb:?} {name}");
            assert_eq!(usual["measure"], json!(measure), "{verb:?} {name}");
        }
    }
    // Who chooses a measure gets it, and who writes a recipe out means the same recipe.
    let given = case.json(
        &[
            &SCAN[..],
            &["0.01", "--recipe", "se", "--measure", "resemblance"],
        ]
        .concat(),
    );
    assert_eq!(given["measure"], json!("resemblance"));
    for (text, measure) in [
        (
            "words+ascii | breakpoint:10 | md5:40 | variance:0.1",
            "symmetric",
        ),
        (
            "words+ascii | breakpoint:11 | md5:40 | variance:0.1",
            "max-containment",
        ),
        ("words+fold+stop|window:1|fast:64|all", "identity-5"),
    ] {
        let report = case.json(&[&SCAN[..], &["0.01", "--recipe", text]].concat());
        assert_eq!(report["measure"], json!(measure), "{text}");
    }
    // A dictionary makes no other method of it.
    case.write("words.txt", &words(1, 400).replace(' ', "\n"));
    let dictionary = ["0.01", "--recipe", "masaryk", "--dictionary", "words.txt"];
    let report = case.json(&[&SCAN[..], &dictionary].concat());
    assert_eq!(report["measure"], json!("containment"));
}

#[test]
fn a_file_of_settings_says_which_measure_is_in_force() {
    let case = case(&[]);
    for (name, measure) in PRESETS {
        let printed = case.ok(&["config", "--recipe", name]);
        let line = format!("measure = \"{measure}\"");
        assert!(printed.lines().any(|found| found == line), "{printed}");
    }
    // A report that is written down says it, too.
    case.ok(&["scan", "docs", "-q", "--recipe", "se", "-o", "out"]);
    let read = std::fs::read_to_string(case.path().join("out/run.json")).unwrap();
    let manifest: Value = serde_json::from_str(&read).unwrap();
    assert_eq!(
        manifest["config"]["measure"],
        json!("symmetric"),
        "{manifest:#}"
    );
}

#[test]
fn a_registry_scores_as_the_paper_of_its_recipe() {
    let verify = [
        "verify",
        "docs",
        "-q",
        "--include-own",
        "--threshold",
        "0.01",
    ];
    for key in [&["--unkeyed"][..], &[]] {
        for (name, measure) in PRESETS {
            // A registry replaces the hash of masaryk by the keyed one, and has that of default then.
            let measure = match (name, key) {
                ("masaryk", []) => "max-containment",
                _ => measure,
            };
            let case = case(&[&["--recipe", name], key].concat());
            case.ok(&["register", "docs", "-q"]);
            let usual = case.json(&verify);
            let asked = case.json(&[&verify[..], &["--measure", measure]].concat());
            assert_eq!(usual["measure"], json!(measure), "{name} {key:?}");
            let sorted = |report: &Value| {
                let (measure, mut scores) = scores(report);
                scores.sort_by_key(|(id, score)| (id.clone(), score.to_string()));
                (measure, scores)
            };
            assert_eq!(sorted(&usual), sorted(&asked), "{name} {key:?}");
            // What ranks, ranks; elsewhere text that few have comes first.
            let is_ranking = measure == "identity-5";
            assert_eq!(
                usual["settings"]["order"] == "weight",
                !is_ranking,
                "{name}: {usual:#}"
            );
        }
    }
}

/// Masaryk, section 2.1: the similarity of A to B is the percentage of A's chunks that are in B.
/// Hoad and Zobel: the minutiae in common, in percent of what the query has in common with itself.
#[test]
fn containment_is_that_of_the_document_in_question() {
    for (recipe, key) in [
        ("masaryk", "--unkeyed"),
        ("masaryk-28", "--unkeyed"),
        ("hz-full", "--unkeyed"),
    ] {
        let case = case(&["--recipe", recipe, key, "--retain", "text"]);
        case.ok(&["register", "docs", "-q"]);
        let verify = [
            "verify",
            "docs",
            "-q",
            "--threshold",
            "0.01",
            "--submitter",
            "anna",
        ];
        let report = case.json(&[&verify[..], &["--with-text"]].concat());
        let mut seen = 0;
        for pair in report["pairs"].as_array().unwrap() {
            assert_eq!(pair["score"], pair["containment"][0], "{recipe} {pair:#}");
            if let Some(exact) = pair.get("exact") {
                assert_eq!(exact["score"], exact["containment"][0], "{pair:#}");
            }
            let ends = [&pair["left"], &pair["right"]].map(|id| id.as_str().unwrap());
            let score = pair["score"].as_f64().unwrap();
            match ends {
                ["short.txt", "registry:long.txt"] => assert!(score > 0.99),
                ["long.txt", "registry:short.txt"] => assert!(score > 0.2 && score < 0.3),
                _ => continue,
            }
            seen += 1;
        }
        assert_eq!(seen, 2, "{recipe} {report:#}");
        // Of a pair, which nobody asks about from one side, it is the larger direction.
        let scanned = case.json(&[&SCAN[..], &["0.01", "--recipe", recipe]].concat());
        let score = scanned["pairs"][0]["score"].as_f64().unwrap();
        assert!(score > 0.99, "{scanned:#}");
    }
}

#[test]
fn a_case_from_a_registry_is_computed_again_with_the_same_direction() {
    let case = case(&["--recipe", "masaryk", "--unkeyed", "--retain", "text"]);
    case.ok(&["register", "docs/short.txt", "-q"]);
    let verify = ["verify", "docs/long.txt", "-q"];
    let report = case.json(&verify);
    let score = report["pairs"][0]["score"].as_f64().unwrap();
    assert!(score > 0.2 && score < 0.3, "{report:#}");
    case.ok(&[&verify[..], &["-o", "case.html"]].concat());
    let again = case.ok(&["verify-case", "case.html"]);
    assert!(again.starts_with("case.html: holds"), "{again}");
}

#[test]
fn an_evaluation_takes_the_measure_of_each_recipe() {
    let case = case(&[]);
    std::fs::rename(case.path().join("docs"), case.path().join("documents")).unwrap();
    std::fs::create_dir(case.path().join("collection")).unwrap();
    std::fs::rename(
        case.path().join("documents"),
        case.path().join("collection/documents"),
    )
    .unwrap();
    case.write("collection/truth.tsv", "short.txt\tlong.txt\n");
    let measures = |more: &[&str]| -> Vec<Value> {
        let recipes = PRESETS.iter().flat_map(|(name, _)| ["--recipe", name]);
        let recipes: Vec<&str> = recipes.collect();
        let rows = case.json(&[&["eval", "collection", "-q"], &recipes[..], more].concat());
        let rows = rows["rows"].as_array().unwrap().clone();
        rows.iter().map(|row| row["measure"].clone()).collect()
    };
    let expected: Vec<Value> = PRESETS.iter().map(|(_, measure)| json!(measure)).collect();
    assert_eq!(measures(&[]), expected);
    assert_eq!(measures(&["--self"]), expected);
    let given = vec![json!("cosine"); PRESETS.len()];
    assert_eq!(measures(&["--measure", "cosine"]), given);
}
