//! Training data without the text of tests.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/dedupe.rs"]
mod support;

use serde_json::json;
use support::{fails, json_lines, ok, read, text, write};

/// The words in lines of eight, with capitals and punctuation where there were none.
fn disguised(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lines = words
        .chunks(8)
        .map(|line| format!("“{}”!", line.join(", ").to_uppercase()));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn wrapping_case_and_punctuation_make_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let tests = [
        json!({"id": "t1", "text": text(0, 40)}).to_string(),
        json!({"id": "t2", "text": text(100, 30)}).to_string(),
        json!({"id": "t3", "text": text(200, 9)}).to_string(),
        json!({"id": "t4", "text": "too short"}).to_string(),
    ];
    write(&folder, "test.jsonl", &tests);
    // Twenty thousand words around it.
    let long = |inside: &str| format!("{} {inside} {}", text(1000, 10_000), text(20_000, 10_000));
    let train = |change: fn(&str) -> String| {
        [
            json!({"id": "plain", "text": text(500, 100)}).to_string(),
            json!({"id": "embedded", "text": long(&change(&text(0, 40)))}).to_string(),
            json!({"id": "part", "text": format!("x {} y", change(&text(100, 15)))}).to_string(),
            json!({"id": "short", "text": change(&text(195, 20))}).to_string(),
        ]
    };
    write(&folder, "train.jsonl", &train(str::to_owned));
    write(&folder, "wrapped.jsonl", &train(disguised));
    for input in ["train", "wrapped"] {
        let printed = ok(
            &folder,
            &format!("dedupe {input}.jsonl -o {input}-out --against test.jsonl"),
        );
        assert!(
            printed
                .starts_with("3 of 4 documents contain text of 3 of 4 test documents, 2 of them"),
            "{printed}"
        );
        assert_eq!(
            read(&folder, &format!("{input}-out/removed.txt")),
            "embedded\npart\nshort\n"
        );
    }
    for name in ["contaminated.csv", "tests.csv"] {
        let (one, other) = (format!("train-out/{name}"), format!("wrapped-out/{name}"));
        assert_eq!(read(&folder, &one), read(&folder, &other));
    }
    let tests = read(&folder, "train-out/tests.csv");
    assert!(
        tests.contains("\nt1,40,40,1.000000,1,embedded,1.000000\n"),
        "{tests}"
    );
    assert!(
        tests.contains("\nt2,30,15,0.500000,1,part,0.500000\n"),
        "{tests}"
    );
    assert!(tests.contains("\nt4,2,0,0.000000,0,,0.000000\n"), "{tests}");
    let spans = json_lines(&folder, "wrapped-out/spans.jsonl");
    assert_eq!(spans.len(), 3);
    assert_eq!(spans[0]["test"]["doc_id"], "t1");
    assert_eq!(spans[0]["test"]["end"], text(0, 40).len());
    assert_eq!(spans[0]["test"]["share"], 1.0);
    assert_eq!(spans[1]["words"], 15);
    // The first character is a quotation mark of three bytes.
    let start = spans[0]["start"].as_u64().unwrap();
    assert_eq!(spans[0]["start_char"].as_u64().unwrap(), start - 2);
}

#[test]
fn a_share_and_passages() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "tests/t1.txt", &[text(0, 40)]);
    let rows = [
        json!({"id": "whole", "text": format!("Before. {}. After.", text(0, 40))}).to_string(),
        json!({"id": "half", "text": format!("Before. {}. After.", text(0, 20))}).to_string(),
    ];
    write(&folder, "train.jsonl", &rows);
    ok(
        &folder,
        "dedupe train.jsonl -o most.jsonl --against tests --min-share 0.6",
    );
    assert_eq!(read(&folder, "most.jsonl"), format!("{}\n", rows[1]));
    let table = read(&folder, "most.contaminated.csv");
    assert!(
        table.contains("\nhalf,22,20,t1.txt,0.500000,true\n"),
        "{table}"
    );
    ok(
        &folder,
        "dedupe train.jsonl -o cut.jsonl --against tests --passages",
    );
    let left: Vec<_> = json_lines(&folder, "cut.jsonl");
    assert_eq!(left[0]["text"], "Before. After.");
    assert_eq!(left[1]["text"], "Before. After.");
    ok(
        &folder,
        "dedupe train.jsonl -o all.jsonl --against tests --annotate",
    );
    let all = json_lines(&folder, "all.jsonl");
    assert_eq!(all[1]["cento"]["is_kept"], false);
    assert_eq!(all[1]["cento"]["spans"][0]["test"]["doc_id"], "t1.txt");
    let errors = fails(&folder, "dedupe train.jsonl -o x.jsonl --against nowhere");
    assert!(errors.contains("nowhere: no such file"), "{errors}");
    let errors = fails(
        &folder,
        "dedupe train.jsonl -o x.jsonl --against tests --min-share 60",
    );
    assert!(errors.contains("--min-share"), "{errors}");
}

#[test]
fn the_tests_have_fields_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let row = json!({"page": text(0, 100), "url": "u1"}).to_string();
    write(&folder, "train.jsonl", &[row]);
    let test = json!({"question": text(20, 30), "number": 7, "page": "x"}).to_string();
    write(&folder, "test.jsonl", std::slice::from_ref(&test));
    let line = "dedupe train.jsonl --text-key page --id-key url --against test.jsonl";
    ok(
        &folder,
        &format!("{line} -o out --against-text-key question --against-id-key number"),
    );
    let found = read(&folder, "out/contaminated.csv");
    assert!(found.contains("\nu1,100,30,7,1.000000,false\n"), "{found}");
    // What is wrong with the tests names the options of the tests.
    let errors = fails(&folder, &format!("{line} -o x --against-text-key query"));
    assert!(
        errors.contains("the test documents: test.jsonl: ")
            && errors.contains("--against-text-key says which one has the text"),
        "{errors}"
    );
    let errors = fails(&folder, &format!("{line} -o x"));
    assert!(errors.contains("--against-id-key says"), "{errors}");
    // Without a name of its own it is that of the data.
    let same = json!({"page": text(20, 30), "url": "t1"}).to_string();
    write(&folder, "test.jsonl", &[same]);
    ok(&folder, &format!("{line} -o same"));
    assert!(read(&folder, "same/tests.csv").contains("\nt1,30,30,"));
    let errors = fails(&folder, "dedupe train.jsonl -o x --against-text-key page");
    assert!(errors.contains("--against"), "{errors}");
}
