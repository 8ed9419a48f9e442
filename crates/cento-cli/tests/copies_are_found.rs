//! A copy is found whatever it is called: ids are names of files, and many people use the same.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use serde_json::json;
use support::{Case, text};

/// A registry without a key, and three theses with one name.
fn three_theses() -> Case {
    let case = Case::new(&["--unkeyed"]);
    case.write("one/thesis.txt", &text(1));
    case.write("two/thesis.txt", &text(1));
    case.write("three/thesis.txt", &text(3));
    case
}

/// The same after `one` has registered a thesis.
fn with_one() -> Case {
    let case = three_theses();
    let printed = case.ok(&["register", "one", "--submitter", "one"]);
    assert_eq!(printed, "1 document registered\n");
    case
}

#[test]
fn the_same_text_of_somebody_else_is_found_under_the_same_name() {
    let case = with_one();
    let done = case.run(&["verify", "two", "--submitter", "two", "--exit-code"]);
    assert_eq!(done.code, Some(1), "{}", done.printed);
    assert!(
        done.printed
            .contains("thesis.txt: 100 % of it is registered"),
        "{}",
        done.printed
    );
    assert!(
        done.printed.contains("1 registered document listed"),
        "{}",
        done.printed
    );
}

#[test]
fn without_submitters_nothing_is_left_out() {
    let case = three_theses();
    case.ok(&["register", "one"]);
    for verify in [
        &["verify", "two", "--exit-code"][..],
        &["verify", "two", "--exit-code", "--submitter", "two"],
        &["verify", "one", "--exit-code"],
    ] {
        let done = case.run(verify);
        assert_eq!(done.code, Some(1), "{verify:?}: {}", done.printed);
    }
    let case = with_one();
    assert_eq!(case.run(&["verify", "one", "--exit-code"]).code, Some(1));
}

#[test]
fn own_versions_have_a_row_with_their_share_and_do_not_count() {
    let case = with_one();
    let half: String = text(1).split_inclusive(' ').take(100).collect();
    case.write("one/thesis.txt", &format!("{half}{}", text(7)));
    case.ok(&["register", "one", "--submitter", "one"]);
    let verify = ["verify", "one", "--submitter", "one"];
    let done = case.run(&[&verify[..], &["--exit-code"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.said);
    let rows: Vec<&str> = done
        .printed
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("own "))
        .collect();
    assert_eq!(rows.len(), 2, "{}", done.printed);
    assert!(rows[0].starts_with("own                32 % "), "{rows:?}");
    assert!(rows[0].contains("thesis.txt (version 1 of 20"), "{rows:?}");
    assert!(rows[1].starts_with("own               100 % "), "{rows:?}");
    assert!(rows[1].ends_with(", does not count)"), "{rows:?}");
    assert!(
        done.printed.contains("nothing else that is registered"),
        "{}",
        done.printed
    );
    let report = case.json(&verify);
    assert_eq!(report["pairs"], json!([]));
    let document = &report["documents"][0];
    assert_eq!(document["global"], 0.0);
    let verified = &document["verified"];
    assert_eq!(verified["own_versions"], 2);
    assert_eq!(verified["own"][0]["id"], "thesis.txt");
    assert_eq!(verified["own"][1]["version"], 2);
    assert_eq!(verified["own"][1]["containment"], 1.0);
    assert!(verified["own"][1]["registered"].is_string());
    let notes = report["notes"].to_string();
    assert!(notes.contains("one has 100 % of it"), "{notes}");
    let table = case.ok(&[&verify[..], &["-f", "csv"]].concat());
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].ends_with(",own,weight"), "{table}");
    assert!(
        rows[2].starts_with("thesis.txt,registry:thesis.txt@2,,,1.000000,"),
        "{table}"
    );
    // Unless somebody wants them to count.
    let done = case.run(&[&verify[..], &["--include-own", "--exit-code"]].concat());
    assert_eq!(done.code, Some(1));
    assert!(
        done.printed
            .contains("thesis.txt (version 2, the same document)"),
        "{}",
        done.printed
    );
}

#[test]
fn an_id_of_another_submitter_is_refused() {
    let case = with_one();
    let with_two = [
        // The same text, and one that has nothing to do with it.
        ["register", "two", "--submitter", "two"],
        ["register", "three", "--submitter", "two"],
    ];
    for register in with_two {
        let done = case.run(&register);
        assert_eq!(done.printed, "0 documents registered\n");
        assert!(
            done.said.contains(
                "thesis.txt skipped: the id is registered with submitter one, and this document \
                 comes with submitter two; it needs another id (--id-prefix)"
            ),
            "{}",
            done.said
        );
    }
    let done = case.run(&["register", "two"]);
    assert_eq!(done.printed, "0 documents registered\n");
    assert!(
        done.said.contains("comes with no submitter"),
        "{}",
        done.said
    );
    assert_eq!(case.json(&["registry", "status"])["documents"], 1);
    // What programs read names no flag.
    let told = case.json(&["register", "two", "--submitter", "two"]);
    let reason = told["skipped"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("submitter one") && !reason.contains("--"),
        "{reason}"
    );
    // And the other way round.
    let case = three_theses();
    case.ok(&["register", "one"]);
    let done = case.run(&["register", "three", "--submitter", "three"]);
    assert!(
        done.said
            .contains("registered with no submitter, and this document comes with submitter three"),
        "{}",
        done.said
    );
    // Nobody says whose they are: it is the next version, as before.
    assert_eq!(
        case.ok(&["register", "three"]),
        "0 documents registered, 1 new version\n"
    );
}

#[test]
fn what_is_registered_under_another_name_is_said_with_that_name() {
    let case = with_one();
    let prefixed = [
        "register",
        "two",
        "--submitter",
        "two",
        "--id-prefix",
        "two/",
    ];
    let told = case.json(&prefixed);
    assert_eq!(
        told["documents"],
        json!([{"id": "two/thesis.txt", "registered": "new", "same_text_as": "thesis.txt"}])
    );
    // Again it is what it was.
    let told = case.json(&prefixed);
    assert_eq!(
        told["documents"],
        json!([{"id": "two/thesis.txt", "registered": "unchanged"}])
    );
    // Of one run, too.
    case.write("four/a.txt", &text(4));
    case.write("four/b.txt", &text(4));
    let printed = case.ok(&["register", "four"]);
    assert!(printed.starts_with("2 documents registered"), "{printed}");
    assert!(
        printed.ends_with("\nb.txt: the same text is registered as a.txt\n"),
        "{printed}"
    );
}

#[test]
fn registries_of_several_submitters_are_not_mixed_up() {
    let case = with_one();
    case.ok(&["registry", "init", "--unkeyed", "--registry", "other"]);
    let other = ["--registry", "other"];
    case.ok(&[&["register", "three", "--submitter", "three"][..], &other].concat());
    let imported = case.run(&["registry", "import", "other"]);
    assert_eq!(imported.code, Some(2), "{}", imported.said);
    assert_eq!(
        imported.printed,
        "0 documents added, 0 were there already\n"
    );
    let merged = case.run(&["registry", "merge", "registry", "other", "--into", "both"]);
    assert_eq!(merged.code, Some(2), "{}", merged.said);
    assert_eq!(merged.printed, "1 document added, 0 were there already\n");
    for done in [imported, merged] {
        assert!(
            done.said
                .contains("thesis.txt refused: the id is registered with submitter "),
            "{}",
            done.said
        );
    }
}
