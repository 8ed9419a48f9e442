//! What few registered documents have comes first, and what many have does not hide it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use cento::index::registry::{Facts, OnChange, Registry, Settings, Snapshot};
use cento::report::Report;
use cento::verify::{Order, Query, VerifySettings, verify};
use cento::{Key, Measure, Watch};

const NOW: &str = "2026-03-01T12:00:00Z";

fn words(name: &str, count: u32) -> String {
    let word = |place| format!("{name}x{place}");
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// What is found for a text among some registered ones.
fn found(registered: &[(&str, String)], text: &str, settings: &VerifySettings) -> Report {
    let folder = tempfile::tempdir().unwrap();
    Registry::create(folder.path(), Settings::default(), None, NOW).unwrap();
    let mut registry = Registry::open(folder.path(), &Key::PUBLIC, "a test").unwrap();
    for (id, text) in registered {
        let facts = Facts {
            id: (*id).to_owned(),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, text);
        registry.add(candidate, OnChange::Version).unwrap();
    }
    registry.finish().unwrap();
    let snapshot = Snapshot::open(folder.path(), &Key::PUBLIC, NOW).unwrap();
    let queries = [Query::new("query", text, &snapshot)];
    let mut verification = verify(&snapshot, &queries, settings, Watch::NOBODY).unwrap();
    verification.report(None, Watch::NOBODY).unwrap()
}

fn ids(report: &Report) -> Vec<&str> {
    let pairs = report.pairs.iter();
    pairs
        .map(|pair| pair.right.strip_prefix("registry:").unwrap())
        .collect()
}

/// Nine documents with a long status section, of which one is hardly more than that, and one that
/// shares a paragraph with the query.
fn registered() -> Vec<(&'static str, String)> {
    let mut all: Vec<(&'static str, String)> = Vec::new();
    for id in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        all.push((id, format!("{} {}", words("status", 90), words(id, 200))));
    }
    all.push((
        "mostly status",
        format!("{} {}", words("status", 90), words("m", 5)),
    ));
    all.push((
        "source",
        format!("{} {}", words("paragraph", 60), words("s", 200)),
    ));
    all
}

fn query() -> String {
    let [status, paragraph, own] =
        [("status", 90), ("paragraph", 60), ("own", 150)].map(|(name, count)| words(name, count));
    format!("{status} {paragraph} {own}")
}

#[test]
fn what_few_have_comes_first() {
    let settings = VerifySettings {
        include_standard: true,
        ..VerifySettings::default()
    };
    let report = found(&registered(), &query(), &settings);
    assert_eq!(report.pairs.len(), 10);
    assert_eq!(ids(&report)[..2], ["source", "mostly status"]);
    let weights: Vec<f64> = report
        .pairs
        .iter()
        .map(|pair| pair.weight.unwrap())
        .collect();
    assert!(weights.is_sorted_by(|one, next| one >= next), "{weights:?}");
    assert!(weights[0] > 0.0 && weights[0] < 1.0);
    let top = VerifySettings {
        top: Some(1),
        ..settings.clone()
    };
    assert_eq!(ids(&found(&registered(), &query(), &top)), ["source"]);
    // Rarity changes the order and nothing else.
    let by_score = VerifySettings {
        order: Order::Score,
        ..settings
    };
    let other = found(&registered(), &query(), &by_score);
    assert_eq!(ids(&other)[0], "mostly status");
    let mut pairs = report.pairs;
    pairs.sort_by(|a, b| (b.score.total_cmp(&a.score)).then_with(|| a.right.cmp(&b.right)));
    assert_eq!(pairs, other.pairs);
}

#[test]
fn a_rare_passage_is_listed_below_the_threshold_and_a_phrase_is_not() {
    let long =
        |name: &str, passage: u32| format!("{} {}", words(name, 1400), words("passage", passage));
    let registered = [("source", long("s", 60)), ("phrase", long("p", 9))];
    let text = long("q", 60);
    let report = found(&registered, &text, &VerifySettings::default());
    assert_eq!(ids(&report), ["source"]);
    assert!(report.pairs[0].score < 0.1);
    assert_eq!(report.below_threshold, Some(1));
    // Who asks for scores gets those at the threshold.
    let by_score = VerifySettings {
        order: Order::Score,
        measure: Measure::MaxContainment,
        ..VerifySettings::default()
    };
    assert_eq!(ids(&found(&registered, &text, &by_score)), [""; 0]);
    // A short text shares a phrase with another.
    let short = |name: &str| format!("{} {}", words(name, 100), words("phrase", 12));
    let registered = [("other", short("o"))];
    let report = found(&registered, &short("q"), &VerifySettings::default());
    assert_eq!(ids(&report), [""; 0]);
}

#[test]
fn text_that_everybody_has_is_not_rare_in_a_small_registry() {
    let thesis = |name: &str| format!("{} {}", words("sheet", 80), words(name, 200));
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let registered = ids.map(|id| (id, thesis(id)));
    let report = found(&registered, &thesis("new"), &VerifySettings::default());
    assert_eq!(report.pairs, []);
    let verified = report.documents[0].verified.as_ref().unwrap();
    assert_eq!(verified.standard, 12);
}
