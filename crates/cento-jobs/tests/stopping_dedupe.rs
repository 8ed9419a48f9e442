//! `dedupe` that is told to stop, at any moment: the input is untouched, nothing looks finished that
//! is not, and with a work folder the run goes on to the same bytes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use cento_jobs::dedupe::{self, Against, Clusters, Kind, NearDuplicates, Options, Passages};
use cento_jobs::{Error, Event, Result, Watch};
use support::{contents, text};

/// Tables and files with near-duplicates and repeated passages, and test documents.
struct Corpus {
    folder: tempfile::TempDir,
    before: BTreeMap<String, Vec<u8>>,
}

impl Corpus {
    fn new() -> Corpus {
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(inside("tables/sub")).unwrap();
        std::fs::create_dir_all(inside("files/sub")).unwrap();
        std::fs::create_dir_all(inside("tests")).unwrap();
        for (table, name) in ["tables/1.jsonl", "tables/sub/2.csv"]
            .into_iter()
            .enumerate()
        {
            let mut rows = String::new();
            if name.ends_with("csv") {
                rows.push_str("id,text\n");
            }
            for number in 0..40u64 {
                // Every third one is like one of the other table.
                let seed = if number % 3 == 0 {
                    number
                } else {
                    number + 100 * table as u64
                };
                let text = format!("{} {}", text(seed, 90), text(900 + number % 4, 12));
                let row = if name.ends_with("csv") {
                    format!("{table}-{number},{text}")
                } else {
                    format!("{{\"id\": \"{table}-{number}\", \"text\": \"{text}\"}}")
                };
                writeln!(rows, "{row}").unwrap();
            }
            std::fs::write(inside(name), rows).unwrap();
        }
        for number in 0..20u64 {
            let name = if number % 2 == 0 {
                "files"
            } else {
                "files/sub"
            };
            let path = inside(name).join(format!("{number}.txt"));
            std::fs::write(path, format!("{} End.", text(number % 12, 90))).unwrap();
        }
        std::fs::write(inside("tests/t.txt"), text(3, 40)).unwrap();
        let before = contents(folder.path());
        Corpus { folder, before }
    }

    fn inside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn options(&self, kind: Kind, annotate: bool) -> Options {
        Options {
            inputs: vec![self.inside("tables"), self.inside("files")],
            output: self.inside("out"),
            kind,
            annotate,
            ..Options::default()
        }
    }

    fn expect_untouched(&self) {
        for (name, bytes) in &self.before {
            assert!(
                std::fs::read(self.inside(name)).unwrap() == *bytes,
                "{name}"
            );
        }
    }

    fn clear(&self) {
        for name in ["out", "work"] {
            let _ = std::fs::remove_dir_all(self.inside(name));
        }
    }
}

fn near() -> NearDuplicates {
    NearDuplicates::default()
}

fn kinds(corpus: &Corpus) -> Vec<Options> {
    let tests = vec![corpus.inside("tests")];
    let against = Against {
        tests,
        min_words: 10,
        ..Against::default()
    };
    let cut = Against {
        only_passages: true,
        ..against.clone()
    };
    let components = NearDuplicates {
        clusters: Clusters::Components,
        ..near()
    };
    let exact = NearDuplicates {
        exact: true,
        ..near()
    };
    vec![
        corpus.options(Kind::NearDuplicates(Box::new(near())), false),
        corpus.options(Kind::NearDuplicates(Box::new(exact)), false),
        corpus.options(Kind::NearDuplicates(Box::new(components)), true),
        corpus.options(Kind::Passages(Passages { min_words: 10 }), false),
        corpus.options(Kind::Passages(Passages { min_words: 10 }), true),
        corpus.options(Kind::Against(against), false),
        corpus.options(Kind::Against(cut), false),
    ]
}

/// Runs a job that is stopped when it has told or asked something so many times; what it came to,
/// and how often it did.
fn stopped_at<T>(moment: u64, job: impl FnOnce(&Watch<'_>) -> Result<T>) -> (Result<T>, u64) {
    let moments = AtomicU64::new(0);
    let tell = |_: Event| {
        moments.fetch_add(1, Ordering::SeqCst);
    };
    let stop = || moments.fetch_add(1, Ordering::SeqCst) >= moment;
    let done = job(&Watch::new(&tell, &stop));
    (done, moments.load(Ordering::SeqCst))
}

/// Some moments of a run: its first ones, its last ones, and many in between.
fn moments(all: u64, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % all
    };
    let mut moments: Vec<u64> = (0..40).map(|_| random()).collect();
    moments.extend(0..5);
    moments.extend(all.saturating_sub(6)..all);
    moments
}

fn expect_stopped<T>(done: &Result<T>, moment: u64) {
    match done {
        // The last moments are those behind everything.
        Ok(_) | Err(Error::Stopped) => {}
        Err(error) => panic!("stopped at {moment}: {}", error.sentence()),
    }
}

#[test]
fn a_run_without_a_work_folder_leaves_nothing() {
    let corpus = Corpus::new();
    for (number, options) in kinds(&corpus).into_iter().enumerate() {
        let (whole, all) = stopped_at(u64::MAX, |watch| dedupe::run(&options, watch));
        let whole = whole.unwrap();
        let expected = contents(&corpus.inside("out"));
        assert!(
            expected.contains_key("removed.txt"),
            "{:?}",
            expected.keys()
        );
        assert!(expected.keys().all(|name| !name.contains(".part")));
        let mut stopped = 0;
        for moment in moments(all, number as u64 + 1) {
            corpus.clear();
            let (done, _) = stopped_at(moment, |watch| dedupe::run(&options, watch));
            expect_stopped(&done, moment);
            corpus.expect_untouched();
            if let Ok(done) = done {
                assert_eq!(done, whole);
                assert_eq!(contents(&corpus.inside("out")), expected);
            } else {
                stopped += 1;
                assert!(
                    !corpus.inside("out").exists(),
                    "{:?} at {moment}",
                    options.kind
                );
            }
        }
        assert!(stopped > 40, "{stopped}");
        corpus.clear();
    }
}

fn with_work(corpus: &Corpus, wanted: NearDuplicates) -> Options {
    let wanted = NearDuplicates {
        work: Some(corpus.inside("work")),
        ..wanted
    };
    corpus.options(Kind::NearDuplicates(Box::new(wanted)), false)
}

#[test]
fn a_run_with_a_work_folder_goes_on() {
    let corpus = Corpus::new();
    let components = NearDuplicates {
        clusters: Clusters::Components,
        drop_all: true,
        ..near()
    };
    let exact = NearDuplicates {
        exact: true,
        ..near()
    };
    for wanted in [near(), components, exact] {
        let options = with_work(&corpus, wanted);
        let (whole, all) = stopped_at(u64::MAX, |watch| dedupe::run(&options, watch));
        whole.unwrap();
        let expected = contents(&corpus.inside("out"));
        let mut continued = 0;
        for moment in moments(all, 99) {
            corpus.clear();
            let (done, _) = stopped_at(moment, |watch| dedupe::run(&options, watch));
            expect_stopped(&done, moment);
            if done.is_ok() {
                continue;
            }
            corpus.expect_untouched();
            assert!(!corpus.inside("out").exists(), "at {moment}");
            continued += u32::from(corpus.inside("work").exists());
            dedupe::run(&options, &Watch::NOBODY).unwrap();
            assert_eq!(contents(&corpus.inside("out")), expected, "at {moment}");
            assert!(!corpus.inside("work").exists());
        }
        assert!(continued > 10, "{continued}");
        corpus.clear();
    }
}

#[test]
fn a_run_goes_on_to_its_own_output_only() {
    let corpus = Corpus::new();
    let options = with_work(&corpus, near());
    let (_, all) = stopped_at(u64::MAX, |watch| dedupe::run(&options, watch));
    corpus.clear();
    let (done, _) = stopped_at(all * 3 / 4, |watch| dedupe::run(&options, watch));
    assert!(matches!(done, Err(Error::Stopped)));
    assert!(corpus.inside("work").exists());
    let other = Options {
        output: corpus.inside("tests"),
        ..options.clone()
    };
    let error = dedupe::run(&other, &Watch::NOBODY).unwrap_err().sentence();
    assert!(
        error.contains("another run") && error.contains("output"),
        "{error}"
    );
    corpus.expect_untouched();
    dedupe::run(&options, &Watch::NOBODY).unwrap();
    assert!(corpus.inside("out/removed.txt").exists());
}

/// How much a work folder has of its dataset.
fn documents(work: &Path) -> usize {
    let lines = std::fs::read_to_string(work.join("documents.jsonl")).unwrap_or_default();
    lines.lines().count()
}

#[test]
fn a_run_that_is_stopped_again_and_again_comes_to_its_end() {
    let corpus = Corpus::new();
    let options = with_work(&corpus, near());
    dedupe::run(&options, &Watch::NOBODY).unwrap();
    let expected = contents(&corpus.inside("out"));
    corpus.clear();
    let (mut moment, mut runs, mut read) = (10, 0, 0);
    loop {
        runs += 1;
        let (done, _) = stopped_at(moment, |watch| dedupe::run(&options, watch));
        expect_stopped(&done, moment);
        if done.is_ok() {
            break;
        }
        // What was read is not read again.
        let now = documents(&corpus.inside("work"));
        assert!(now >= read, "{now} documents after {read}");
        read = now;
        moment += 17;
    }
    assert!(runs > 5, "{runs}");
    assert_eq!(contents(&corpus.inside("out")), expected);
}
