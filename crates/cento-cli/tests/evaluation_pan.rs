//! `cento eval --pan`, on a small corpus that the tests write.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{cento, json as json_of};

const TILING: [&str; 5] = ["eval", "-q", "--pan", "--aligner", "tiling:9"];

/// Words that no other stretch has; every other one with a letter beyond ASCII.
fn stretch(from: usize, to: usize) -> String {
    let word = |n: usize| match n % 2 {
        0 => format!("w{n}"),
        _ => format!("ž{n}"),
    };
    (from..to).map(word).collect::<Vec<_>>().join(" ")
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn truth(reference: &str, features: &str) -> String {
    format!("<document reference=\"{reference}\">\n{features}</document>\n")
}

/// Two folders: in one, each document has 40 words of its source; in the other, nothing is shared
/// but ten words of one pair.
fn corpus(root: &Path) {
    for folder in ["susp", "src", "01-nothing", "02-copied"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let write = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
    let [taken, other_taken] = [stretch(0, 40), stretch(500, 540)];
    let before = stretch(100, 150);
    write(
        "susp/suspicious-document00001.txt",
        &format!("{before}. {taken}, and"),
    );
    write(
        "src/source-document00001.txt",
        &format!("„{taken}“ {}", stretch(200, 300)),
    );
    write("susp/suspicious-document00002.txt", &other_taken);
    write("src/source-document00002.txt", &other_taken);
    write("susp/suspicious-document00003.txt", &stretch(1000, 1100));
    write("src/source-document00003.txt", &stretch(2000, 2100));
    write("src/source-document00004.txt", &stretch(1050, 1060));
    let pair = |susp: u32, src: u32| {
        format!("suspicious-document{susp:05}.txt source-document{src:05}.txt\n")
    };
    write("01-nothing/pairs", &(pair(3, 3) + &pair(3, 4)));
    write("02-copied/pairs", &(pair(1, 1) + &pair(2, 2)));
    write(
        "pairs",
        &(pair(1, 1) + &pair(2, 2) + &pair(3, 3) + &pair(3, 4)),
    );
    let feature = |source: &str, at: usize, in_source: usize, length: usize| {
        format!(
            "<feature name=\"plagiarism\" type=\"artificial\" this_offset=\"{at}\" \
             this_length=\"{length}\" source_reference=\"{source}\" \
             source_offset=\"{in_source}\" source_length=\"{length}\" />\n"
        )
    };
    let nothing = truth("suspicious-document00003.txt", "");
    for source in [3, 4] {
        let name = format!("01-nothing/suspicious-document00003-source-document{source:05}.xml");
        write(&name, &nothing);
    }
    let copied = feature(
        "source-document00001.txt",
        chars(&before) + 2,
        1,
        chars(&taken),
    );
    write(
        "02-copied/suspicious-document00001-source-document00001.xml",
        &truth("suspicious-document00001.txt", &copied),
    );
    let copied = feature("source-document00002.txt", 0, 0, chars(&other_taken));
    write(
        "02-copied/suspicious-document00002-source-document00002.xml",
        &truth("suspicious-document00002.txt", &copied),
    );
}

/// The message of a run that must fail.
fn error(arguments: &[&str], folder: &Path) -> String {
    let output = cento().args(arguments).arg(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn copies_are_found_to_the_character() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let report = json_of(&TILING, root.path());
    assert_eq!(report["schema"], "cento.eval/1");
    assert_eq!(report["aligner"], "tiling:9");
    let [nothing, copied] = [&report["folders"][0], &report["folders"][1]];
    assert_eq!(copied["folder"], "02-copied");
    for name in ["plagdet", "precision", "recall", "granularity"] {
        assert_eq!(copied[name], 1.0, "{name}");
        assert_eq!(nothing[name], Value::Null, "{name}");
    }
    assert_eq!(nothing["folder"], "01-nothing");
    assert_eq!(nothing["pairs_with_detections"], 1);
    assert_eq!(nothing["share_with_detections"], 0.5);
    // The one false detection counts for all folders together.
    assert_eq!(report["recall"], 1.0);
    assert_eq!(report["precision"], 2.0 / 3.0);
    assert_eq!(report["cases"], 2);
    assert_eq!(report["pairs"], 4);
    for name in ["detected", "half_detected"] {
        assert_eq!(copied[name], 1.0, "{name}");
        assert_eq!(report["intervals"][name], json!([1.0, 1.0]), "{name}");
    }
    // Drawn by source document, 0 to 3 of 4 detections are of cases.
    let precision = &report["intervals"]["precision"];
    assert!(precision[0].as_f64() < Some(2.0 / 3.0) && precision[1].as_f64() > Some(2.0 / 3.0));
    assert_eq!(nothing["intervals"], json!({}));
}

#[test]
fn folds_by_source_document() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let report = json_of(&[&TILING[..], &["--folds", "2"]].concat(), root.path());
    // The first and the third source are in one fold, the second and the fourth in the other.
    let folds = report["folds"].as_array().unwrap();
    let figures: Vec<_> = folds
        .iter()
        .map(|fold| (&fold["pairs"], &fold["precision"], &fold["recall"]))
        .collect();
    let [two, one, half] = [json!(2), json!(1.0), json!(0.5)];
    assert_eq!(figures, [(&two, &one, &one), (&two, &half, &one)]);
    let spread = &report["spread"];
    assert_eq!(spread[0]["folder"], "01-nothing");
    assert_eq!(spread[2]["precision"]["mean"], 0.75);
}

#[test]
fn tables_for_people_and_spreadsheets() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let printed = |format: &str| {
        let output = cento()
            .args(TILING)
            .args(["--format", format])
            .arg(root.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let table = printed("text");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[1].join(" "),
        "01-nothing 2 0 1 detections in 1 pairs (50.0 %)"
    );
    assert_eq!(
        rows[2].join(" "),
        "02-copied 2 2 2 1.0000 1.0000 1.0000 1.0000"
    );
    assert_eq!(rows[3].join(" "), "all 4 2 3 0.8000 0.6667 1.0000 1.0000");
    let csv = printed("csv");
    assert!(csv.contains("\n01-nothing,2,0,1,1,,,,,,\n"), "{csv}");
    assert!(
        csv.ends_with("\nall,4,2,3,3,0.800000,0.666667,1.000000,1.000000,1.000000,1.000000\n"),
        "{csv}"
    );
}

#[test]
fn detections_are_written_the_same_on_any_number_of_threads() {
    let root = tempfile::tempdir().unwrap();
    corpus(&root.path().join("corpus"));
    let files = |threads: &str| -> Vec<(String, String)> {
        let out = root.path().join(format!("out-{threads}/detections"));
        let run = cento()
            .args(TILING)
            .args(["--threads", threads, "-o"])
            .args([&out, &root.path().join("corpus")])
            .output()
            .unwrap();
        assert!(run.status.success());
        let entry = |entry: std::io::Result<fs::DirEntry>| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        };
        let mut files: Vec<_> = fs::read_dir(&out).unwrap().map(entry).collect();
        files.sort();
        files
    };
    let one = files("1");
    assert_eq!(one, files("3"));
    assert_eq!(one.len(), 4);
    let (name, nothing) = &one[2];
    assert_eq!(name, "suspicious-document00003-source-document00003.xml");
    assert!(nothing.contains("reference=\"suspicious-document00003.txt\">\n</document>"));
    assert!(
        one[1]
            .1
            .contains("detected-plagiarism\" this_offset=\"0\" this_length=\"199\"")
    );
}

#[test]
fn a_corpus_without_truth_and_a_single_folder() {
    let root = tempfile::tempdir().unwrap();
    let corpus_folder = root.path().join("corpus");
    corpus(&corpus_folder);
    // One folder of a corpus finds the texts beside it.
    let single = json_of(&TILING, &corpus_folder.join("02-copied"));
    assert_eq!(single["plagdet"], 1.0);
    assert_eq!(single["folders"][0]["folder"], ".");
    // A held-out corpus has the list of all pairs and no truth.
    fs::remove_dir_all(corpus_folder.join("01-nothing")).unwrap();
    fs::remove_dir_all(corpus_folder.join("02-copied")).unwrap();
    let message = error(&TILING, &corpus_folder);
    assert!(message.contains("--output: "), "{message}");
    assert!(message.contains("no truth to score"), "{message}");
    let out = root.path().join("out");
    let output = cento()
        .args(["eval", "--pan", "--aligner", "tiling", "-o"])
        .args([&out, &corpus_folder])
        .output()
        .unwrap();
    assert!(output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no truth to score"), "{message}");
    assert!(message.contains("4 pairs aligned in"), "{message}");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 4);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains('?'), "{table}");
    assert!(table.contains("detections in 3 pairs (75.0 %)"), "{table}");
}

#[test]
fn pairs_that_no_folder_lists_are_not_lost() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    fs::remove_dir_all(root.path().join("01-nothing")).unwrap();
    let report = json_of(&TILING, root.path());
    assert_eq!(report["folders"][0]["folder"], ".");
    assert_eq!(report["folders"][0]["pairs"], 2);
    assert_eq!(report["folders"][0]["cases"], Value::Null);
    // What is not known to be false does not count as false.
    assert_eq!(report["plagdet"], 1.0);
}

#[test]
fn errors_name_the_file() {
    let root = tempfile::tempdir().unwrap();
    let xml = "02-copied/suspicious-document00001-source-document00001.xml";
    let with = |path: &str, change: &dyn Fn(&Path)| {
        corpus(root.path());
        change(&root.path().join(path));
        let message = error(&TILING, root.path());
        let name = path.rsplit('/').next().unwrap();
        assert!(message.contains(name), "{message}");
        message
    };
    let write = |text: &'static str| move |path: &Path| fs::write(path, text).unwrap();
    let replace = |from: &'static str, to: &'static str| {
        move |path: &Path| {
            let text = fs::read_to_string(path).unwrap();
            assert!(text.contains(from));
            fs::write(path, text.replace(from, to)).unwrap();
        }
    };
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    let text = "susp/suspicious-document00001.txt";
    assert!(with(text, &remove).contains("no such file"));
    with(xml, &remove);
    assert!(with(xml, &write("<document><feature")).contains("not well-formed"));
    assert!(
        with(xml, &replace("this_length=\"", "this_length=\"9")).contains("go past the end of")
    );
    assert!(with(xml, &replace("this_length=\"", "this_length=\"-")).contains("is not a number"));
    assert!(with(xml, &replace("source_offset", "source_start")).contains("is missing"));
    assert!(with(xml, &replace("source-doc", "another-doc")).contains("source_reference is"));
    assert!(with("02-copied/pairs", &write("a.txt\n")).contains("line 1: needs the names"));
    assert!(with("02-copied/pairs", &write("../a.txt b.txt\n")).contains("not paths"));
}

/// A word of a side that corresponds to the same word of the other.
fn word(side: char, number: u8) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    [side, letter(number / 6), letter(number % 6)]
        .iter()
        .collect()
}

/// Three sentences of twelve words each, all in the words of one side.
fn reworded(side: char) -> String {
    let sentence = |sentence: u8| {
        let words: Vec<String> = (0..12).map(|n| word(side, 12 * sentence + n)).collect();
        format!("A {}. ", words.join(" "))
    };
    (0..3).map(sentence).collect()
}

#[test]
fn lists_of_synonyms_and_vectors_as_scan_takes_them() {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let [taken, source] = ['l', 'r'].map(reworded);
    write("susp/a.txt", &taken);
    write("src/b.txt", &source);
    write("pairs", "a.txt b.txt\n");
    let length = taken.trim_end().len();
    let case = format!(
        "<feature name=\"plagiarism\" this_offset=\"0\" this_length=\"{length}\" \
         source_reference=\"b.txt\" source_offset=\"0\" source_length=\"{length}\" />\n"
    );
    write("a-b.xml", &truth("a.txt", &case));
    let mut synonyms = String::from("# words\n");
    let mut vectors = String::from("72 36\n");
    for number in 0..36 {
        let [left, right] = ['l', 'r'].map(|side| word(side, number));
        writeln!(synonyms, "{left}, {right}").unwrap();
        let place = (0..36).map(|at| if at == number { " 1" } else { " 0" });
        let place: String = place.collect();
        writeln!(vectors, "{left}{place}\n{right}{place}").unwrap();
    }
    write("words.txt", &synonyms);
    write("words.vec", &vectors);
    let eval = ["eval", "-q", "--pan"];
    let recall = |option: &str, file: &str| {
        let file = root.path().join(file);
        let given = [&eval[..], &[option, file.to_str().unwrap()]].concat();
        json_of(&given, root.path())["recall"].as_f64()
    };
    assert_eq!(json_of(&eval, root.path())["recall"], 0.0);
    assert!(recall("--synonyms", "words.txt") > Some(0.95));
    assert!(recall("--vectors", "words.vec") > Some(0.95));
    let wrong = [&eval[..], &["--synonyms", "none.txt", "--aligner", "diff"]];
    let message = error(&wrong.concat(), root.path());
    assert!(message.contains("--synonyms: none.txt"), "{message}");
    assert!(message.contains("--aligner: "), "{message}");
    let message = error(&["eval", "--vectors", "words.vec"], root.path());
    assert!(message.contains("--pan"), "{message}");
}

#[test]
fn what_cannot_be_asked() {
    let root = tempfile::tempdir().unwrap();
    corpus(root.path());
    let message = error(&["eval", "--aligner", "tiling"], root.path());
    assert!(message.contains("--pan"), "{message}");
    let message = error(&["eval", "-o", "out"], root.path());
    assert!(message.contains("--pan"), "{message}");
    let message = error(&["eval", "--pan", "--recipe", "default"], root.path());
    assert!(message.contains("--recipe"), "{message}");
    let message = error(&["eval", "--pan", "--aligner", "diff"], root.path());
    assert!(
        message.contains("--aligner: aligner `diff` is not known"),
        "{message}"
    );
    let message = error(&["eval", "--pan"], &root.path().join("susp"));
    assert!(message.contains("no pairs in it"), "{message}");
    let message = error(&["eval", "--pan"], &root.path().join("nowhere"));
    assert!(message.contains("nowhere"), "{message}");
    // The truth has the names that detections have.
    let truth = root.path().join("02-copied");
    let output = cento()
        .args(TILING)
        .arg("-o")
        .args([&truth, root.path()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("would be overwritten"), "{message}");
    assert_eq!(json_of(&TILING, root.path())["recall"], 1.0);
}
