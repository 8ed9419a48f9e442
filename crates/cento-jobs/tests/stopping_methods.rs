//! Evaluations, attacks, explanations and cases: their data, and that they stop when they are told to
//! without leaving anything half done.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cento_jobs::attack::{self, TableOptions, Wanted};
use cento_jobs::eval::{self, by_itself, labelled, pan, retrieval};
use cento_jobs::explain::{self, Kind, Stage};
use cento_jobs::{Error, Result, Watch, compare, verify_case};
use serde_json::Value;
use support::{contents, stop_anywhere, text, write_class};

fn json<T: serde::Serialize>(done: &T) -> Value {
    serde_json::to_value(done).unwrap()
}

/// The options that an error is about.
#[track_caller]
fn options_of<T: std::fmt::Debug>(done: Result<T>) -> Vec<&'static str> {
    match done {
        Err(Error::Options(problems)) => problems.iter().map(|problem| problem.option).collect(),
        done => panic!("{done:?}"),
    }
}

/// Twelve topics in three versions each, and queries of which one is not a document.
fn write_collection(folder: &Path) {
    for name in ["documents", "queries"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    let version = |topic: u64, version: u64| format!("{} {}", text(topic, 200), text(version, 20));
    let mut truth = String::new();
    for topic in 0..12 {
        for number in 0..3 {
            let name = format!("{topic}-{number}.txt");
            let content = version(topic, 100 + 3 * topic + number);
            fs::write(folder.join("documents").join(&name), content).unwrap();
            if topic < 2 {
                let _ = writeln!(truth, "{topic}-0.txt\t{name}");
            }
        }
    }
    fs::write(folder.join("queries/outside.txt"), version(5, 900)).unwrap();
    truth += "outside.txt\t5-0.txt\noutside.txt\t5-1.txt\n";
    fs::write(folder.join("truth.tsv"), truth).unwrap();
}

#[test]
fn a_labelled_collection() {
    let folder = tempfile::tempdir().unwrap();
    write_collection(folder.path());
    let before = contents(folder.path());
    let options = eval::Options {
        collection: folder.path().to_owned(),
        kind: eval::Kind::Labelled(labelled::Options {
            recipes: vec!["default".to_owned(), "hz-rarest-in-collection".to_owned()],
            measures: vec!["symmetric".to_owned(), "cosine".to_owned()],
            detail: true,
            ..labelled::Options::default()
        }),
        ..eval::Options::default()
    };
    let done = json(&eval::run(&options, &Watch::NOBODY).unwrap());
    assert_eq!(done["schema"], "cento.eval/1");
    assert_eq!(done["rows"][0]["precision"], 1.0);
    assert_eq!(done["rows"][0]["details"].as_array().unwrap().len(), 3);
    stop_anywhere(
        |watch| eval::run(&options, watch),
        |_| assert_eq!(contents(folder.path()), before),
    );
}

#[test]
fn sources_that_are_to_be_listed() {
    let folder = tempfile::tempdir().unwrap();
    write_collection(folder.path());
    let before = contents(folder.path());
    let options = eval::Options {
        collection: folder.path().to_owned(),
        kind: eval::Kind::Retrieval(retrieval::Options::default()),
        ..eval::Options::default()
    };
    let done = json(&eval::run(&options, &Watch::NOBODY).unwrap());
    assert_eq!(done["doors"][0]["with_case"], 6);
    stop_anywhere(
        |watch| eval::run(&options, watch),
        |_| assert_eq!(contents(folder.path()), before),
    );
}

#[test]
fn a_collection_that_speaks_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    write_collection(folder.path());
    let options = eval::Options {
        collection: folder.path().to_owned(),
        kind: eval::Kind::ByItself(by_itself::Options::default()),
        ..eval::Options::default()
    };
    let done = json(&eval::run(&options, &Watch::NOBODY).unwrap());
    assert!(
        done["rows"][5]["advice"]["look_above"].is_number(),
        "{done}"
    );
    stop_anywhere(|watch| eval::run(&options, watch), |_| ());
}

/// Pairs of which the first half of one is in the other.
fn write_corpus(folder: &Path, pairs: u64) {
    for name in ["susp", "src"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    let mut list = String::new();
    for number in 0..pairs {
        let taken = text(number, 60);
        let suspicious = format!("{taken} {}", text(100 + number, 60));
        fs::write(folder.join(format!("susp/a{number}.txt")), suspicious).unwrap();
        fs::write(folder.join(format!("src/b{number}.txt")), taken).unwrap();
        let _ = writeln!(list, "a{number}.txt b{number}.txt");
    }
    fs::write(folder.join("pairs"), list).unwrap();
}

#[test]
fn detections_appear_together_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (corpus, out) = (folder.path().join("corpus"), folder.path().join("out"));
    write_corpus(&corpus, 12);
    let before = contents(&corpus);
    let options = |output: Option<PathBuf>| eval::Options {
        collection: corpus.clone(),
        kind: eval::Kind::Pan(pan::Options {
            aligner: Some("tiling:9".to_owned()),
            output,
            ..pan::Options::default()
        }),
        ..eval::Options::default()
    };
    assert_eq!(
        options_of(eval::run(&options(None), &Watch::NOBODY)),
        ["output"]
    );
    let into_itself = options(Some(corpus.clone()));
    assert_eq!(
        options_of(eval::run(&into_itself, &Watch::NOBODY)),
        ["output"]
    );
    let options = options(Some(out.clone()));
    stop_anywhere(
        |watch| {
            let _ = fs::remove_dir_all(&out);
            eval::run(&options, watch)
        },
        |done| {
            let written = contents(&out).len();
            assert_eq!(written, if done.is_ok() { 12 } else { 0 });
            assert_eq!(out.exists(), done.is_ok());
            assert_eq!(contents(&corpus), before);
            assert_eq!(
                fs::read_dir(folder.path()).unwrap().count(),
                1 + usize::from(done.is_ok())
            );
        },
    );
}

#[test]
fn copies_appear_together_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let (class, out) = (folder.path().join("class"), folder.path().join("out"));
    write_class(&class, 9);
    let before = contents(&class);
    let options = attack::Options {
        paths: vec![class.clone()],
        kinds: vec!["swap".to_owned(), "rewrap".to_owned()],
        result: Wanted::Copies(out.clone()),
        ..attack::Options::default()
    };
    for is_there in [false, true] {
        stop_anywhere(
            |watch| {
                let _ = fs::remove_dir_all(&out);
                if is_there {
                    fs::create_dir(&out).unwrap();
                    fs::write(out.join("mine.txt"), "mine").unwrap();
                }
                attack::run(&options, watch)
            },
            |done| {
                let mut found = contents(&out);
                assert_eq!(found.remove("mine.txt").is_some(), is_there);
                match done {
                    Ok(attack::Outcome::Copies(done)) => {
                        let written = done.files.iter().map(|file| file.display().to_string());
                        assert_eq!(
                            found.into_keys().collect::<Vec<_>>(),
                            written.collect::<Vec<_>>()
                        );
                        assert_eq!(done.files.len(), 18);
                        assert_eq!(done.skipped.len(), 1);
                    }
                    Ok(done) => panic!("{done:?}"),
                    Err(_) => assert!(found.is_empty(), "{found:?}"),
                }
                assert_eq!(contents(&class), before);
                let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
                assert!(left.len() <= 2, "{left:?}");
            },
        );
    }
    // Nothing is overwritten.
    let _ = fs::remove_dir_all(&out);
    attack::run(&options, &Watch::NOBODY).unwrap();
    let copies = contents(&out);
    attack::run(&options, &Watch::NOBODY).unwrap_err();
    assert_eq!(contents(&out), copies);
}

#[test]
fn a_table_of_attacks() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    write_class(&class, 6);
    let before = contents(&class);
    let options = attack::Options {
        paths: vec![class.clone()],
        kinds: vec!["cosmetic".to_owned(), "swap".to_owned()],
        result: Wanted::Table(TableOptions {
            keys: 2,
            ..TableOptions::default()
        }),
        ..attack::Options::default()
    };
    let done = json(&attack::run(&options, &Watch::NOBODY).unwrap());
    assert_eq!(done["rows"].as_array().unwrap().len(), 8);
    assert_eq!(done["skipped"][0]["id"], "broken.pdf");
    stop_anywhere(
        |watch| attack::run(&options, watch),
        |_| assert_eq!(contents(&class), before),
    );
    let bad = attack::Options {
        kinds: vec!["swop".to_owned(), "swap".to_owned()],
        result: Wanted::Table(TableOptions {
            keys: 0,
            recipes: vec!["sieve".to_owned()],
            ..TableOptions::default()
        }),
        ..options
    };
    let problems = options_of(attack::run(&bad, &Watch::NOBODY));
    assert_eq!(problems, ["kind", "keys", "recipe"]);
}

#[test]
fn stages_texts_and_pairs_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    write_class(&class, 12);
    let before = contents(&class);
    let [left, right] = [class.join("d002.txt"), class.join("d003.txt")];
    let of = |kind: Kind| explain::Options {
        kind,
        ..explain::Options::default()
    };
    let stage = |stage: Stage| {
        let file = left.clone();
        of(Kind::Stage { stage, file })
    };
    let kinds = [
        of(Kind::Text { file: left.clone() }),
        stage(Stage::Tokens),
        stage(Stage::Chunks),
        stage(Stage::Digests),
        stage(Stage::Fingerprint),
        of(Kind::Pair {
            files: [left.clone(), right.clone()],
            among: vec![class.clone()],
        }),
    ];
    for options in &kinds {
        stop_anywhere(
            |watch| explain::run(options, watch),
            |_| assert_eq!(contents(&class), before),
        );
    }
    let explained = |options| json(&explain::run(options, &Watch::NOBODY).unwrap());
    assert_eq!(explained(&kinds[0])["words"], 200);
    let chunks = explained(&kinds[2]);
    let digests = explained(&kinds[3]);
    assert_eq!(chunks["chunks"][0], digests["digests"][0]["chunk"]);
    let pair = explained(&kinds[5]);
    assert_eq!(pair["documents"], 12);
    assert_eq!(pair["pair"]["passages"][0]["chunks"]["two"], 196);
    let mut bare = kinds[5].clone();
    bare.evidence.aligner = Some("none".to_owned());
    assert_eq!(options_of(explain::run(&bare, &Watch::NOBODY)), ["aligner"]);
}

/// The page of a pair.
fn write_case(class: &Path, path: &Path) {
    let options = compare::Options {
        left: class.join("d002.txt"),
        right: class.join("d003.txt"),
        ..compare::Options::default()
    };
    let mut done = compare::run(&options, &Watch::NOBODY).unwrap();
    cento_report::seal(&mut done.report);
    fs::write(path, cento_report::html(&mut done.report, &done.templates)).unwrap();
}

#[test]
fn cases_hold_or_say_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    write_class(&class, 6);
    let path = folder.path().join("case.html");
    write_case(&class, &path);
    let page = fs::read_to_string(&path).unwrap();
    let options = verify_case::Options {
        files: vec![path.clone()],
        ..verify_case::Options::default()
    };
    stop_anywhere(
        |watch| verify_case::run(&options, watch),
        |_| assert_eq!(fs::read_to_string(&path).unwrap(), page),
    );
    let verify = || verify_case::run(&options, &Watch::NOBODY).unwrap();
    assert!(verify().all_hold());
    // As a browser would write it.
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut data = cento_report::read(&page).unwrap();
        let mut report = serde_json::to_value(&data.report).unwrap();
        change(&mut report);
        data.report = serde_json::from_value(report).unwrap();
        for (document, text) in data.report.documents.iter_mut().zip(data.texts) {
            document.text = text;
        }
        fs::write(&path, cento_report::html(&mut data.report, &data.templates)).unwrap();
    };
    changed(&|report| {
        assert_eq!(report["pairs"][0]["score"], 1.0);
        report["pairs"][0]["score"] = 1.into();
        report["pairs"][0]["passages"][0]["similarity"] = 1.into();
    });
    assert!(verify().all_hold(), "{:?}", verify().cases[0].differences);
    changed(&|report| {
        report["pairs"][0]["shared"] = 7.into();
        report["pairs"][0]["net"][1] = 0.25.into();
        report["pairs"][0]["passages"][0]["left"]["end"] = 9.into();
    });
    let done = json(&verify());
    let case = &done["cases"][0];
    assert_eq!(case["holds"], false);
    let fields: Vec<&str> = case["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| difference["field"].as_str().unwrap())
        .collect();
    assert_eq!(fields, ["net", "shared", "passage 1, left"]);
    assert_eq!(case["differences"][1]["was"], 7);
}
