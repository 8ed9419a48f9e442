//! A registry in which only the words of a dictionary count, and which keeps that dictionary.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

#[path = "support/registry.rs"]
mod registry;

use registry::{Case, text};

/// A case whose registry has a dictionary of these words.
fn with_dictionary(dictionary: &str) -> Case {
    let case = Case::new(&["--registry", "other", "--recipe", "masaryk"]);
    case.write("words.txt", dictionary);
    let init = ["registry", "init", "--recipe", "masaryk", "--dictionary"];
    let told = case.ok(&[&init[..], &["words.txt", "--retain", "text"]].concat());
    assert!(told.contains("words+fold+keep:"), "{told}");
    assert!(told.contains("its dictionary has 200 words"), "{told}");
    // Nobody needs the file any more.
    std::fs::remove_file(case.path().join("words.txt")).unwrap();
    case
}

/// The known words with an unknown one of its own after each.
fn noisy(known: &str, noise: &str) -> String {
    let pairs = known.split(' ').enumerate();
    let pairs = pairs.map(|(place, word)| format!("{word} {noise}{place}"));
    pairs.collect::<Vec<_>>().join(" ")
}

fn score(case: &Case, flags: &[&str]) -> f64 {
    let verify = ["verify", "query.txt", "--measure", "containment"];
    let report = case.json(&[&verify[..], flags].concat());
    report["pairs"][0]["score"].as_f64().unwrap_or(0.0)
}

#[test]
fn only_words_of_the_dictionary_count() {
    let known = text(1);
    let case = with_dictionary(&known.replace(' ', "\n").to_uppercase());
    case.write("essay.txt", &noisy(&known, "noise"));
    case.write("query.txt", &noisy(&known, "other"));
    for registry in ["registry", "other"] {
        case.ok(&["register", "essay.txt", "--registry", registry]);
    }
    assert!((score(&case, &[]) - 1.0).abs() < 1e-9);
    // Without a dictionary they have nothing in common.
    assert!(score(&case, &["--registry", "other", "--threshold", "0"]) < 1e-9);
    // Another recipe of the query has the registry's dictionary, said or unsaid.
    let query = "words+fold | window:5 | md5:64+sorted | modulo:2";
    let recipe = case.json(&["registry", "status"])["recipe"].clone();
    let recipe = recipe.as_str().unwrap();
    assert!(recipe.contains("+keep:"), "{recipe}");
    let named = recipe.replace("| all", "| modulo:2");
    for recipe in [query, named.as_str()] {
        assert!((score(&case, &["--query-recipe", recipe]) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn the_dictionary_goes_wherever_the_registry_goes() {
    let known = text(1);
    let case = with_dictionary(&known);
    case.write("essay.txt", &noisy(&known, "noise"));
    case.write("query.txt", &noisy(&known, "other"));
    case.ok(&["register", "essay.txt"]);
    let status = case.json(&["registry", "status"]);
    assert_eq!(status["dictionary_words"], 200);
    assert!(
        case.ok(&["registry", "status"])
            .contains("dictionary  200 words")
    );
    assert_eq!(
        case.json(&["registry", "check"])["faults"],
        serde_json::json!([])
    );
    case.ok(&["registry", "backup", "copy"]);
    case.ok(&["registry", "export", "exported"]);
    case.ok(&["registry", "merge", "registry", "copy", "--into", "merged"]);
    let key = ["--key-file", "registry/key"];
    for registry in ["copy", "exported", "merged"] {
        let flags = [&["--registry", registry][..], &key].concat();
        assert!((score(&case, &flags) - 1.0).abs() < 1e-9, "{registry}");
    }
    // A registry without it is another one.
    let refused = case.run(&["registry", "import", "exported", "--registry", "other"]);
    assert_eq!(refused.code, Some(2), "{}", refused.said);
}

#[test]
fn what_is_wrong_with_a_dictionary_is_said() {
    let case = Case::new(&["--registry", "other"]);
    case.write("empty.txt", " --- \n");
    let init = |flags: &[&str]| {
        let done = case.run(&[&["registry", "init", "--dictionary"], flags].concat());
        assert_eq!(done.code, Some(2), "{}", done.said);
        assert!(!case.path().join("registry").exists());
        done.said
    };
    let missing = init(&["missing.txt"]);
    assert!(missing.contains("--dictionary: missing.txt"), "{missing}");
    let empty = init(&["empty.txt"]);
    assert!(
        empty.contains("--dictionary: empty.txt has no words"),
        "{empty}"
    );
    case.write("words.txt", "some words");
    let plagiarex = init(&["words.txt", "--recipe", "plagiarex"]);
    assert!(plagiarex.contains("does not take words"), "{plagiarex}");
}

#[test]
fn a_damaged_dictionary_is_noticed() {
    let case = with_dictionary(&text(1));
    case.write("essay.txt", &text(1));
    case.ok(&["register", "essay.txt"]);
    let catalog = rusqlite::Connection::open(case.path().join("registry/catalog.sqlite")).unwrap();
    let sql = "UPDATE settings SET value = replace(value, 'w', 'v') WHERE name = 'dictionary'";
    catalog.execute(sql, []).unwrap();
    drop(catalog);
    let done = case.run(&["verify", "essay.txt"]);
    assert_eq!(done.code, Some(2));
    assert!(
        done.said.contains("its setting `dictionary` is wrong"),
        "{}",
        done.said
    );
}
