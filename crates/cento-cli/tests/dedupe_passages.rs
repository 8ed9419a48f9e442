//! Repeated passages on the command line: cut out, and the first place stays.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/dedupe.rs"]
mod support;

use serde_json::{Value, json};
use support::{fails, json_lines, ok, read, text, write};

/// Two documents with the same 60 words in the middle, and one that has nothing else.
fn corpus() -> Vec<String> {
    let shared = text(0, 60);
    vec![
        json!({"id": "a", "text": format!("{}. {shared}. {}", text(100, 20), text(200, 20))})
            .to_string(),
        format!(
            "{{ \"n\": 1.50,\"text\":\"{}. {}.\\n\\nThe end.\" ,\"id\":\"b\" }}",
            text(300, 20),
            shared.to_uppercase()
        ),
        json!({"id": "c", "text": shared.replace(' ', "\n")}).to_string(),
        json!({"id": "d", "text": text(400, 70)}).to_string(),
    ]
}

#[test]
fn the_first_place_stays_and_other_bytes_do_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let lines = corpus();
    write(&folder, "in.jsonl", &lines);
    let printed = ok(&folder, "dedupe in.jsonl -o out.jsonl --passages");
    assert!(printed.starts_with("120 words"), "{printed}");
    let expected = format!(
        "{}\n{{ \"n\": 1.50,\"text\":\"{}.\\n\\nThe end.\" ,\"id\":\"b\" }}\n{}\n",
        lines[0],
        text(300, 20),
        lines[3]
    );
    assert_eq!(read(&folder, "out.jsonl"), expected);
    assert_eq!(read(&folder, "out.removed.txt"), "c\n");
    let spans = json_lines(&folder, "out.spans.jsonl");
    assert_eq!(spans.len(), 2);
    let rows: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (span, row) in spans.iter().zip([&rows[1], &rows[2]]) {
        let cut = |row: &Value, from: &Value, to: &Value| {
            let text = row["text"].as_str().unwrap();
            let place = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
            text[place(from)..place(to)]
                .to_lowercase()
                .replace('\n', " ")
        };
        assert_eq!(cut(row, &span["start"], &span["end"]), text(0, 60));
        let first = &span["first"];
        assert_eq!(first["doc_id"], "a");
        assert_eq!(cut(&rows[0], &first["start"], &first["end"]), text(0, 60));
        assert_eq!(span["words"], 60);
    }
    // Once more: nothing is left to cut.
    let again = ok(&folder, "dedupe out.jsonl -o again.jsonl --passages");
    assert!(again.starts_with("0 words"), "{again}");
    assert_eq!(read(&folder, "again.jsonl"), expected);
}

#[test]
fn characters_are_counted_as_well_as_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let shared = "ž ".repeat(10);
    let rows = [
        json!({"id": "a", "text": shared.trim_end()}).to_string(),
        json!({"id": "b", "text": format!("ééé {shared}x")}).to_string(),
    ];
    write(&folder, "in.jsonl", &rows);
    ok(
        &folder,
        "dedupe in.jsonl -o out.jsonl --passages --min-words 10",
    );
    let span = &json_lines(&folder, "out.spans.jsonl")[0];
    let place = |name: &str| span[name].as_u64().unwrap();
    assert_eq!((place("start"), place("end")), (7, 36));
    assert_eq!((place("start_char"), place("end_char")), (4, 23));
    assert!(read(&folder, "out.jsonl").contains("\"ééé x\""));
}

#[test]
fn within_one_document_and_between_shards() {
    let folder = tempfile::tempdir().unwrap();
    let header = "id,text".to_owned();
    let twice = format!("{} and {}", text(0, 20), text(0, 20));
    write(&folder, "in/1.csv", &[header.clone(), format!("1,{twice}")]);
    write(
        &folder,
        "in/2.csv",
        &[header.clone(), format!("2,\"{}, tail\"", text(0, 20))],
    );
    ok(&folder, "dedupe in -o out --passages --min-words 20");
    assert_eq!(
        read(&folder, "out/1.csv"),
        format!("{header}\n1,{} and\n", text(0, 20))
    );
    assert_eq!(
        read(&folder, "out/2.csv"),
        format!("{header}\n2,\"tail\"\n")
    );
}

#[test]
fn annotated_texts_stay() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in.jsonl", &corpus());
    ok(
        &folder,
        "dedupe in.jsonl -o out.jsonl --passages --annotate",
    );
    let rows = json_lines(&folder, "out.jsonl");
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1]["cento"]["spans"][0]["first"]["doc_id"], "a");
    assert_eq!(rows[2]["cento"]["is_kept"], false);
    assert_eq!(rows[0]["cento"]["spans"], json!([]));
}

#[test]
fn the_same_bytes_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let line = |n: usize| {
        let text = format!(
            "{} {} {}",
            text(n * 7 % 50, 30),
            text(n, 12),
            text(n * 13 % 90, 25)
        );
        json!({"text": text}).to_string()
    };
    write(&folder, "in.jsonl", &(0..300).map(line).collect::<Vec<_>>());
    for threads in ["1", "4"] {
        ok(
            &folder,
            &format!(
                "dedupe in.jsonl -o {threads}.jsonl --passages --min-words 10 --threads {threads}"
            ),
        );
    }
    for name in ["jsonl", "spans.jsonl", "removed.txt"] {
        assert_eq!(
            read(&folder, &format!("1.{name}")),
            read(&folder, &format!("4.{name}"))
        );
    }
}

#[test]
fn files_are_cut_too() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in/a.txt", &[text(0, 20)]);
    write(
        &folder,
        "in/b.txt",
        &[format!("Before {} after", text(0, 20))],
    );
    ok(&folder, "dedupe in -o out --passages --min-words 20");
    assert_eq!(read(&folder, "out/kept/a.txt"), text(0, 20) + "\n");
    assert_eq!(read(&folder, "out/kept/b.txt"), "Before after\n");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in.jsonl", &corpus());
    let errors = fails(&folder, "dedupe in.jsonl -o out.jsonl --min-words 10");
    assert!(errors.contains("give --passages or --against"), "{errors}");
    let errors = fails(
        &folder,
        "dedupe in.jsonl -o out.jsonl --passages --keep last",
    );
    assert!(errors.contains("--keep"), "{errors}");
    let errors = fails(&folder, "dedupe in.jsonl -o out.csv --passages");
    assert!(errors.contains("same ending"), "{errors}");
}
