//! `cento registry check` and what it can repair, as people run it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use support::{Case, text};

/// Three documents, of which two are nearly the same.
fn case() -> Case {
    let case = Case::new(&["--retain", "text"]);
    case.write("class/ada.txt", &text(1));
    case.write("class/ben.txt", &format!("{} and more", text(1)));
    case.write("class/cyd.txt", &text(2));
    case.ok(&["register", "class"]);
    case
}

fn damage(case: &Case, sql: &str) {
    let path = case.path().join("registry/catalog.sqlite");
    let catalog = rusqlite::Connection::open(path).unwrap();
    assert!(catalog.execute(sql, []).unwrap() > 0);
}

#[test]
fn a_check_says_what_it_proved() {
    let case = case();
    let text = case.ok(&["registry", "check"]);
    let expected = "3 documents proved by what is kept of them\n";
    assert!(text.contains(expected), "{text}");
    let json = case.json(&["registry", "check", "--all"]);
    assert_eq!((&json["proved"], &json["pairs"]), (&3.into(), &1.into()));
    assert_eq!(json["repaired"], serde_json::json!([]));
}

#[test]
fn standard_text_that_is_counted_wrong_is_counted_anew() {
    let case = case();
    case.write("form.txt", &text(2));
    case.ok(&["registry", "ignore", "add", "form.txt"]);
    damage(&case, "DELETE FROM ignored");
    let done = case.run(&["registry", "check"]);
    assert_eq!(done.code, Some(2), "{}", done.said);
    let fault = "cyd.txt has another number of digests that do not count";
    assert!(done.printed.contains(fault), "{}", done.printed);
    assert!(
        done.said.contains("cento registry check --repair"),
        "{}",
        done.said
    );
    let repaired = case.ok(&["registry", "check", "--repair"]);
    assert!(
        repaired.contains(&format!("repaired: {fault}")),
        "{repaired}"
    );
    assert!(!repaired.contains("fault:"), "{repaired}");
    let again = case.ok(&["registry", "check", "--repair"]);
    assert!(!again.contains("repaired:"), "{again}");
}

#[test]
fn a_damaged_row_is_named() {
    let case = case();
    damage(
        &case,
        "UPDATE documents SET words = words + 1 WHERE number = 1",
    );
    let done = case.run(&["registry", "check", "--repair"]);
    assert_eq!(done.code, Some(2), "{}", done.said);
    let expected = "registry/catalog.sqlite: a row is damaged: its checksum differs";
    assert!(done.said.contains(expected), "{}", done.said);
}

#[test]
fn what_cannot_be_repaired_is_named() {
    let case = case();
    damage(
        &case,
        "UPDATE keepsakes SET content = x'00' WHERE document = 1",
    );
    let done = case.run(&["registry", "check", "--repair"]);
    assert_eq!(done.code, Some(2), "{}", done.said);
    assert!(
        done.printed
            .contains("fault: what is kept of ada.txt is damaged"),
        "{}",
        done.printed
    );
    assert!(
        done.said
            .contains("cannot be repaired: restore it from a backup"),
        "{}",
        done.said
    );
}

#[test]
fn a_check_without_the_key_says_where_it_was_looked_for() {
    let case = case();
    std::fs::rename(case.path().join("registry/key"), case.path().join("key")).unwrap();
    let done = case.run(&["registry", "check"]);
    assert_eq!(done.code, Some(2));
    assert!(
        done.said
            .contains("and it is not in registry/key; give it by --key-file or in CENTO_KEY"),
        "{}",
        done.said
    );
    case.ok(&["registry", "check", "--key-file", "key"]);
}
