//! `cento eval --retrieval`, on small collections that the tests write and whose figures are worked
//! out by hand.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json as value};
use support::{cento, json};

const RETRIEVAL: [&str; 3] = ["eval", "-q", "--retrieval"];

/// Words that no other stretch has.
fn stretch(from: usize, to: usize) -> String {
    let words: Vec<String> = (from..to).map(|n| format!("word{n}")).collect();
    words.join(" ")
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Four kinds of pairs, with sources of 200 words each:
///
/// - `a` takes 150 words of `one` and 100 of `two`: both are listed, `one` first.
/// - `b` takes 60 words of `one`; nothing else of it is anywhere.
/// - `c` takes three words of `three` among 200 of its own: not listed.
/// - `d` has nothing of `two`, and `e` has 120 words of `three` that no XML knows of.
fn corpus(root: &Path) {
    let sources = [("one", 1000), ("two", 2000), ("three", 3000)];
    for (name, from) in sources {
        write(root, &format!("src/{name}.txt"), &stretch(from, from + 200));
    }
    let taken = |parts: &[(usize, usize)]| {
        let parts: Vec<String> = parts.iter().map(|&(from, to)| stretch(from, to)).collect();
        parts.join(" ")
    };
    write(root, "susp/a.txt", &taken(&[(1000, 1150), (2000, 2100)]));
    write(root, "susp/b.txt", &taken(&[(5000, 5100), (1000, 1060)]));
    write(root, "susp/c.txt", &taken(&[(6000, 6200), (3000, 3003)]));
    write(root, "susp/d.txt", &stretch(7000, 7200));
    write(root, "susp/e.txt", &taken(&[(8000, 8100), (3000, 3120)]));
    let kinds: [(&str, &[(&str, &str)]); 3] = [
        ("01-nothing", &[("d", "two"), ("e", "three")]),
        ("02-copied", &[("a", "one"), ("a", "two"), ("b", "one")]),
        ("03-little", &[("c", "three")]),
    ];
    for (kind, pairs) in kinds {
        let mut list = String::new();
        for (query, source) in pairs {
            writeln!(list, "{query}.txt {source}.txt").unwrap();
            let case = format!(
                "<feature name=\"plagiarism\" this_offset=\"0\" this_length=\"9\" \
                 source_reference=\"{source}.txt\" source_offset=\"0\" source_length=\"9\" />\n"
            );
            let case = if kind == "01-nothing" { "" } else { &case };
            write(
                root,
                &format!("{kind}/{query}-{source}.xml"),
                &format!("<document reference=\"{query}.txt\">\n{case}</document>\n"),
            );
        }
        write(root, &format!("{kind}/pairs"), &list);
    }
}

/// The figures of a row: pairs, those with a case, listed ones without, then the shares.
fn row(row: &Value) -> Value {
    value!([
        row["folder"],
        row["pairs"],
        row["with_case"],
        row["listed_without_case"],
        row["listed"],
        row["among_first_1"],
        row["among_first_5"],
    ])
}

#[test]
fn figures_by_hand() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let report = json(&RETRIEVAL, root.path());
    assert_eq!(report["schema"], "cento.eval/1");
    assert_eq!(
        (&report["queries"], &report["sources"]),
        (&value!(5), &value!(3))
    );
    for (number, door) in ["scan", "verify"].into_iter().enumerate() {
        let found = &report["doors"][number];
        assert_eq!(found["door"], door);
        let rows: Vec<Value> = found["folders"]
            .as_array()
            .unwrap()
            .iter()
            .map(row)
            .collect();
        // The second source of `a` is the first of those that are left without the other.
        let expected = [
            value!(["01-nothing", 2, 0, 1, null, null, null]),
            value!(["02-copied", 3, 3, 0, 1.0, 1.0, 1.0]),
            value!(["03-little", 1, 1, 0, 0.0, 0.0, 0.0]),
        ];
        assert_eq!(rows, expected, "{door}");
        assert_eq!(row(found), value!(["all", 6, 4, 1, 0.75, 0.75, 0.75]));
        assert_eq!(found["listed_pairs"], 4);
        assert_eq!(found["listed_pairs_without_case"], 1);
        // With one source there is nothing to draw; with others, the figure is in its interval.
        assert_eq!(found["folders"][2]["intervals"]["listed"], Value::Null);
        assert_eq!(
            found["folders"][1]["intervals"]["listed"],
            value!([1.0, 1.0])
        );
        let all = &found["intervals"]["listed"];
        assert!(all[0].as_f64() <= Some(0.75) && all[1].as_f64() >= Some(0.75));
    }
    let unnamed = report["listed_without_case"].as_array().unwrap();
    assert_eq!(unnamed.len(), 1);
    assert_eq!(unnamed[0]["query"], "e.txt");
    assert_eq!(unnamed[0]["source"], "three.txt");
    assert_eq!(unnamed[0]["folder"], "01-nothing");
    assert_eq!(unnamed[0]["scan"]["rank"], 1);
    assert!(unnamed[0]["verify"]["share"][0].as_f64() > Some(0.5));
    let missed = report["missed"].as_array().unwrap();
    assert_eq!(missed.len(), 1);
    assert_eq!(missed[0]["query"], "c.txt");
}

/// Seven sources of one document, and one that no XML names and that has more than the last five.
#[test]
fn other_true_sources_are_left_out_when_one_is_ranked() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    let mut taken = String::new();
    let mut list = String::new();
    for number in 0..7 {
        let (from, words) = (1000 * number, 100 - 5 * number);
        let source = stretch(from, from + 200);
        write(root, &format!("src/{number}.txt"), &source);
        write!(taken, "{} ", stretch(from, from + words)).unwrap();
        writeln!(list, "a.txt {number}.txt").unwrap();
        let case = format!(
            "<feature name=\"plagiarism\" this_offset=\"0\" this_length=\"9\" \
             source_reference=\"{number}.txt\" source_offset=\"0\" source_length=\"9\" />\n"
        );
        write(
            root,
            &format!("a-{number}.xml"),
            &format!("<document reference=\"a.txt\">\n{case}</document>\n"),
        );
    }
    write(root, "pairs", &list);
    taken += &stretch(9000, 9093);
    write(root, "src/other.txt", &stretch(9000, 9200));
    write(root, "susp/a.txt", &taken);
    let report = json(&RETRIEVAL, root);
    for door in [0, 1] {
        let found = &report["doors"][door];
        assert_eq!(found["listed"], 1.0);
        assert_eq!(found["among_first_1"], 2.0 / 7.0, "{found}");
        assert_eq!(found["among_first_5"], 1.0);
    }
}

#[test]
fn folds_keep_the_pairs_of_a_source_together() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let report = json(&[&RETRIEVAL[..], &["--folds", "3"]].concat(), root.path());
    let scan = &report["doors"][0];
    let folds = scan["folds"].as_array().unwrap();
    // `one`, `three` and `two` have two pairs each.
    let rows: Vec<Value> = folds.iter().map(row).collect();
    let expected = [
        value!(["all", 2, 2, 0, 1.0, 1.0, 1.0]),
        value!(["all", 2, 1, 1, 0.0, 0.0, 0.0]),
        value!(["all", 2, 1, 0, 1.0, 1.0, 1.0]),
    ];
    assert_eq!(rows, expected);
    let spread = scan["spread"].as_array().unwrap();
    let all = spread.iter().find(|row| row["folder"] == "all").unwrap();
    assert_eq!(all["listed"]["mean"], 2.0 / 3.0);
    // The variance of 1, 0 and 1 is 1/3.
    let deviation = all["listed"]["deviation"].as_f64().unwrap();
    assert!((deviation - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    for folds in ["1", "4"] {
        let output = cento()
            .args(RETRIEVAL)
            .args(["--folds", folds])
            .arg(root.path())
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains("--folds: must be at least 2, and at most 3"),
            "{message}"
        );
    }
}

#[test]
fn the_same_bytes_on_every_run_as_text_csv_json_and_files() {
    let root = tempfile::tempdir().unwrap();
    corpus(&root.path().join("corpus"));
    let printed = |format: &str, out: &str, threads: &str| {
        let out = root.path().join(out);
        let output = cento()
            .args(RETRIEVAL)
            .args([
                "--format",
                format,
                "--folds",
                "2",
                "--threads",
                threads,
                "-o",
            ])
            .args([&out, &root.path().join("corpus")])
            .output()
            .unwrap();
        assert!(output.status.success());
        let table = fs::read_to_string(out.join("pairs.csv")).unwrap();
        (String::from_utf8(output.stdout).unwrap(), table)
    };
    for format in ["text", "csv", "json"] {
        assert_eq!(printed(format, "one", "1"), printed(format, "two", "3"));
    }
    let (text, table) = printed("text", "one", "2");
    for expected in [
        "02-copied  3      1.000 (1.000–1.000)",
        "01-nothing: 1 of 2 pairs without a case are listed",
        "4 pairs are listed; no case is known of 1 of them",
        "By fold, with all pairs of a source in one fold:",
        "Mean and standard deviation of the folds:",
    ] {
        assert_eq!(text.matches(expected).count(), 2, "{expected}\n{text}");
    }
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 7, "{table}");
    assert!(
        lines[1].starts_with("a.txt,one.txt,02-copied,yes,1,"),
        "{table}"
    );
    assert!(
        lines[4].starts_with("c.txt,three.txt,03-little,yes,,,,,,,,"),
        "{table}"
    );
    let (csv, _) = printed("csv", "one", "2");
    assert!(csv.contains("\nscan,01-nothing,0,2,1,,,,\n"), "{csv}");
    assert!(
        csv.contains("\nverify,all,4,2,1,0.750000,0.750000,0.750000,0.750000\n"),
        "{csv}"
    );
}

#[test]
fn a_higher_threshold_lists_less() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let report = json(
        &[&RETRIEVAL[..], &["--threshold", "0.7"]].concat(),
        root.path(),
    );
    // Only `one` is in another document by more than 70 %.
    assert_eq!(report["doors"][0]["folders"][1]["listed"], 1.0 / 3.0);
}

#[test]
fn queries_with_their_families() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    for (name, from) in [("x", 0), ("y", 1000)] {
        for version in 0..3 {
            let text = stretch(from + 10 * version, from + 200 + 10 * version);
            write(root, &format!("documents/{name}/{version}.txt"), &text);
        }
    }
    write(root, "queries/outside.txt", &stretch(1050, 1150));
    // A query that is a document is not its own source.
    let truth = "x/0.txt\tx/0.txt\nx/0.txt\tx/1.txt\nx/0.txt\tx/2.txt\noutside.txt\ty/1.txt\n";
    write(root, "truth.tsv", truth);
    let report = json(&RETRIEVAL, root);
    assert_eq!(
        (&report["queries"], &report["sources"]),
        (&value!(2), &value!(6))
    );
    for door in [0, 1] {
        let found = &report["doors"][door];
        let found = row(&found["folders"][0]);
        assert_eq!(
            [&found[1], &found[2], &found[3]],
            [3, 3, 0].map(Value::from).each_ref()
        );
        assert_eq!(found[4], 1.0, "{found}");
    }
    // All three versions have all of the query from outside, and truth names one.
    assert_eq!(report["listed_without_case"].as_array().unwrap().len(), 2);
}

#[test]
fn what_cannot_be_asked() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let error = |arguments: &[&str]| {
        let output = cento()
            .arg("eval")
            .args(arguments)
            .arg(root.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error(&["--retrieval", "--pan"]).contains("--pan"));
    assert!(error(&["--retrieval", "--recipe", "se"]).contains("--recipe"));
    assert!(error(&["--threshold", "0.2"]).contains("--retrieval"));
    assert!(error(&["--folds", "2"]).contains("--retrieval"));
    assert!(error(&["--retrieval", "--threshold", "2"]).contains("--threshold"));
    for kind in ["01-nothing", "02-copied", "03-little"] {
        fs::remove_dir_all(root.path().join(kind)).unwrap();
    }
    assert!(error(&["--retrieval"]).contains("no pairs in it"));
    write(root.path(), "pairs", "a.txt one.txt\n");
    assert!(error(&["--retrieval"]).contains("no truth to score"));
}
