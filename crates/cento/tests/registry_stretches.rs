//! A copied page and a rewritten paragraph are found in a registry that keeps stretches, whatever
//! became of it since; one that keeps none answers as before, and says so.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::{Path, PathBuf};

use cento::align::{Aligner, Meanings};
use cento::index::registry::{
    Exclusions, Extent, Facts, KeptStretches, Names, OnChange, Registry, Retention, Scratch,
    Settings, Snapshot, Which, backup, check, export, import,
};
use cento::report::{Listed, Note, Report};
use cento::verify::{Query, VerifySettings, verify};
use cento::{Key, NoCollection, Texts, Watch};
use proptest::prelude::*;
use tempfile::TempDir;

const NOW: &str = "2026-03-01T12:00:00Z";

const PAGE: &str = "Barges carried flour along narrow canals toward distant harbours, where millers \
    weighed every sack before merchants signed their ledgers. Wardens counted lanterns while \
    sluices drained slowly, because autumn storms had broken several timber gates. Nobody repaired \
    those before winter, although carpenters offered cheap oak planks from neighbouring villages. ";

/// The page in other words and another order.
const REWRITTEN: &str = "Flour was carried by barges along canals that were narrow, toward harbours \
    far off; there every sack was weighed by millers, and merchants then signed the ledgers. The \
    lanterns were counted by wardens while slowly the sluices drained: storms of autumn had broken \
    gates made of timber. Before winter nobody repaired them, although cheap planks of oak were \
    offered by carpenters of villages near. ";

/// One with most of the page, and enough others to tell what is rare.
fn many() -> Vec<u32> {
    // Multiples of the length of the page, so that none of them has a line of it.
    let length = u32::try_from(PAGE.len()).unwrap();
    let others = (1..60).map(|number| number * length);
    std::iter::once(3).chain(others).collect()
}

/// Words of a text of its own.
fn words(author: u32, count: u32) -> String {
    let word = |number: u32| format!("w{author}x{number}z ");
    (0..count).map(word).collect()
}

/// Some have the page, or a line of it, among words of their own.
fn text(document: u32) -> String {
    let line = &PAGE[..(document as usize * 97) % PAGE.len()];
    format!(
        "{}{line}{}",
        words(document, 400),
        words(document + 1000, 300)
    )
}

struct Case {
    _folder: TempDir,
    path: PathBuf,
}

impl Case {
    fn new(stretches: KeptStretches, retention: Retention) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("registry");
        let settings = Settings {
            stretches,
            retention,
            ..Settings::default()
        };
        Registry::create(&path, settings, Some(&key()), NOW).unwrap();
        Case {
            _folder: folder,
            path,
        }
    }

    fn of(documents: &[u32], retention: Retention) -> Case {
        let case = Case::new(KeptStretches::Pairs, retention);
        let mut registry = case.open();
        for &document in documents {
            add(&mut registry, document);
        }
        registry.finish().unwrap();
        case
    }

    fn open(&self) -> Registry {
        Registry::open(&self.path, &key(), "a test").unwrap()
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.path.parent().unwrap().join(name)
    }
}

fn key() -> Key {
    Key::new([7; 16])
}

fn add(registry: &mut Registry, document: u32) {
    let facts = Facts {
        id: document.to_string(),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let candidate = registry.prepare().candidate(facts, &text(document));
    registry.add(candidate, OnChange::Version).unwrap();
}

fn snapshot(path: &Path) -> Snapshot {
    Snapshot::open(path, &key(), NOW).unwrap()
}

/// The documents with a dense stretch, by id, with what is said of them.
fn dense(path: &Path) -> Vec<(String, String)> {
    let snapshot = snapshot(path);
    let query = format!("{}{PAGE}{}", words(5000, 300), words(5001, 300));
    let stretches = snapshot.prepare().stretches(&query);
    let found = snapshot
        .dense(&stretches, &Exclusions::default(), &mut Scratch::default())
        .unwrap();
    let mut found: Vec<(String, String)> = found
        .iter()
        .map(|dense| {
            let id = snapshot.entry(dense.number).unwrap().unwrap().facts.id;
            let said = format!("{} {} {}", dense.shared, dense.density, dense.block);
            (id, said)
        })
        .collect();
    found.sort();
    found
}

#[derive(Clone, Debug)]
enum Step {
    Add(u32),
    Commit,
    Forget(u32),
    Compact,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..30u32).prop_map(Step::Add),
        3 => Just(Step::Commit),
        2 => (0..30u32).prop_map(Step::Forget),
        1 => Just(Step::Compact),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn only_the_documents_that_are_there_count(steps in prop::collection::vec(step(), 1..60)) {
        let case = Case::new(KeptStretches::Pairs, Retention::Digests);
        let mut registry = case.open();
        let mut present = std::collections::BTreeSet::new();
        for step in steps {
            match step {
                Step::Add(document) => {
                    add(&mut registry, document);
                    present.insert(document);
                }
                Step::Commit => {
                    registry.commit().unwrap();
                }
                Step::Forget(document) => {
                    registry.forget(&Which::Id(document.to_string())).unwrap();
                    present.remove(&document);
                }
                Step::Compact => {
                    registry.compact(Watch::NOBODY).unwrap();
                }
            }
        }
        registry.finish().unwrap();
        let present: Vec<u32> = present.into_iter().collect();
        let anew = Case::of(&present, Retention::Digests);
        prop_assert_eq!(dense(&case.path), dense(&anew.path));
    }
}

#[test]
fn copies_and_exports_have_the_stretches() {
    let case = Case::of(&[0, 1, 2, 3, 4, 5], Retention::Text);
    let expected = dense(&case.path);
    assert!(!expected.is_empty());
    let copy = case.beside("copy");
    backup(&case.path, &copy, Watch::NOBODY).unwrap();
    assert_eq!(dense(&copy), expected);
    let exported = case.beside("exported");
    export(&snapshot(&case.path), &exported, Names::Kept, Watch::NOBODY).unwrap();
    assert_eq!(dense(&exported), expected);
    let other = Case::of(&[1], Retention::Text);
    let mut registry = other.open();
    import(
        &mut registry,
        &snapshot(&exported),
        OnChange::Version,
        Watch::NOBODY,
    )
    .unwrap();
    drop(registry);
    assert_eq!(dense(&other.path), expected);
    for path in [&case.path, &copy, &exported, &other.path] {
        let checked = check(path, &key(), Extent::All, Watch::NOBODY).unwrap();
        assert_eq!((checked.faults, checked.proved), (Vec::<String>::new(), 6));
    }
}

#[test]
fn registries_that_keep_less_are_not_mixed_with_others() {
    let case = Case::of(&[0], Retention::Digests);
    let without = Case::new(KeptStretches::None, Retention::Digests);
    let refused = import(
        &mut case.open(),
        &snapshot(&without.path),
        OnChange::Version,
        Watch::NOBODY,
    );
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("it was made with --stretches none"),
        "{message}"
    );
}

#[test]
fn only_a_registry_with_stretches_needs_a_newer_program() {
    for (stretches, version) in [(KeptStretches::None, 1), (KeptStretches::Pairs, 2)] {
        let case = Case::new(stretches, Retention::Digests);
        let catalog = rusqlite::Connection::open(case.path.join("catalog.sqlite")).unwrap();
        let found: i64 = catalog
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(found, version);
    }
}

#[test]
fn stretches_are_those_of_the_key() {
    let case = Case::of(&[], Retention::Digests);
    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("registry");
    let settings = Settings {
        stretches: KeptStretches::Pairs,
        ..Settings::default()
    };
    Registry::create(&path, settings, Some(&Key::new([8; 16])), NOW).unwrap();
    let other = Snapshot::open(&path, &Key::new([8; 16]), NOW).unwrap();
    let [one, two] = [&snapshot(&case.path), &other].map(|one| one.prepare().stretches(PAGE));
    assert_eq!(one.len(), two.len());
    assert_ne!(one, two);
}

fn verified(case: &Case, query: &str, has_texts: bool) -> Report {
    let snapshot = snapshot(&case.path);
    let queries = [Query::new("query", query, &snapshot)];
    let settings = VerifySettings::default();
    let mut verification = verify(&snapshot, &queries, &settings, Watch::NOBODY).unwrap();
    let read = |id: &str| match id.strip_prefix("registry:") {
        Some(id) => Some(text(id.parse().ok()?).into()),
        None => Some(query.to_owned().into()),
    };
    let key = key();
    let texts = has_texts.then(|| Texts {
        aligner: Aligner::default(),
        meanings: &Meanings::none,
        read: &read,
        marks: false,
        templates: Vec::new(),
        key: &key,
        seen: &NoCollection,
    });
    verification.report(texts.as_ref(), Watch::NOBODY).unwrap()
}

fn listed(report: &Report) -> Vec<(&str, Option<Listed>)> {
    let pairs = report.pairs.iter();
    pairs
        .map(|pair| (pair.right.as_str(), pair.listed))
        .collect()
}

#[test]
fn a_rewritten_page_in_a_long_document_is_listed() {
    // Document 3 has most of the page, 0 nothing of it.
    let query = format!("{}{REWRITTEN}{}", words(6000, 1500), words(6001, 1500));
    let case = Case::of(&many(), Retention::Digests);
    let report = verified(&case, &query, false);
    assert_eq!(listed(&report), [("registry:3", Some(Listed::Stretch))]);
    let pair = &report.pairs[0];
    let place = pair.registry.as_ref().unwrap().stretch.unwrap();
    let part = &query[place.start as usize..place.end as usize];
    assert!(part.contains("weighed by millers"), "{part}");
    assert_eq!(place.words, [1451, 1550], "the page begins at word 1501");
    assert!(
        pair.shares().iter().all(|share| *share < 0.01),
        "it is a place to look at and no share of anything"
    );
    assert_eq!(
        report.documents.len(),
        2,
        "candidates that are not listed are not named"
    );
}

/// Words that say which text they are of, no two alike.
fn vocabulary(author: u32, count: u32) -> Vec<String> {
    let letters = |number: u32| -> String {
        let mixed = number.wrapping_mul(2_654_435_761) ^ author.wrapping_mul(40_503);
        let letter = |place: u32| char::from(b'a' + ((mixed >> (4 * place)) & 15) as u8);
        (0..8).map(letter).collect()
    };
    (0..count).map(letters).collect()
}

/// Each five words in another order, and every fourth word another one.
fn rewritten(words: &[String], author: u32) -> String {
    let mut others = vocabulary(author, u32::try_from(words.len()).unwrap());
    for (place, other) in others
        .iter_mut()
        .enumerate()
        .filter(|(place, _)| place % 4 > 0)
    {
        other.clone_from(&words[place]);
    }
    for five in others.chunks_mut(5) {
        five.reverse();
    }
    others.join(" ")
}

fn registered(case: &Case, documents: &[(&str, Option<&str>, String)]) {
    let mut registry = case.open();
    for (id, submitter, text) in documents {
        let facts = Facts {
            id: (*id).to_owned(),
            submitter: submitter.map(str::to_owned),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, text);
        registry.add(candidate, OnChange::Version).unwrap();
    }
    registry.finish().unwrap();
}

/// What is shared everywhere does not count against the densest stretch.
#[test]
fn a_document_rewritten_from_beginning_to_end_is_listed() {
    let case = Case::of(&many(), Retention::Digests);
    for (name, count) in [("a chapter", 2_000), ("a book", 20_000)] {
        let source = vocabulary(count, count);
        registered(&case, &[(name, None, source.join(" "))]);
        let report = verified(&case, &rewritten(&source, count + 1), false);
        let expected = format!("registry:{name}");
        assert_eq!(listed(&report), [(&*expected, Some(Listed::Stretch))]);
    }
}

#[test]
fn a_page_that_is_copied_again_and_again_is_listed() {
    let case = Case::of(&many(), Retention::Digests);
    for times in [2, 5, 30] {
        let again = |number: u32| format!("{}{PAGE}", words(7000 + number, 150));
        let query: String = (0..times).map(again).collect();
        let report = verified(&case, &query, false);
        let found: Vec<&str> = listed(&report).iter().map(|(id, _)| *id).collect();
        assert_eq!(found, ["registry:3"], "{times} times");
    }
}

/// Twenty-five drafts of one thesis do not make common what it took from elsewhere.
#[test]
fn own_drafts_do_not_hide_a_source() {
    let case = Case::of(&many(), Retention::Digests);
    let thesis = |draft: u32| {
        format!(
            "{}{REWRITTEN}{}",
            words(8000, 1500),
            words(9000 + draft, 300)
        )
    };
    let drafts: Vec<_> = (0..25)
        .map(|draft| ("thesis", Some("anna"), thesis(draft)))
        .collect();
    registered(&case, &drafts);
    let snapshot = snapshot(&case.path);
    let query = Query {
        submitter: Some("anna".to_owned()),
        ..Query::new("thesis", &thesis(25), &snapshot)
    };
    let settings = VerifySettings::default();
    let queries = [query];
    let mut verification = verify(&snapshot, &queries, &settings, Watch::NOBODY).unwrap();
    let report = verification.report(None, Watch::NOBODY).unwrap();
    assert_eq!(listed(&report), [("registry:3", Some(Listed::Stretch))]);
}

/// Among two documents every pair of words is rare, which says nothing.
#[test]
fn few_documents_do_not_tell_what_is_rare() {
    let some: String = PAGE.split(' ').take(5).collect::<Vec<_>>().join(" ");
    let query = format!("{}{some} {}", words(6000, 200), words(6001, 200));
    for (documents, expected) in [(vec![0, 3], 0), (many(), 1)] {
        let case = Case::of(&documents, Retention::Digests);
        let report = verified(&case, &query, false);
        let stretches = report.pairs.iter().map(|pair| pair.listed);
        let stretches = stretches.filter(|listed| *listed == Some(Listed::Stretch));
        assert_eq!(stretches.count(), expected, "{documents:?}");
    }
}

#[test]
fn damaged_stretches_are_named() {
    let case = Case::of(&[0, 3], Retention::Text);
    let file = case.path.join("segments/0000000001.stretches");
    let sound = std::fs::read(&file).unwrap();
    for place in (0..sound.len()).step_by(sound.len() / 40) {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x10;
        std::fs::write(&file, bytes).unwrap();
        let checked = check(&case.path, &key(), Extent::All, Watch::NOBODY);
        let is_named = match checked {
            Ok(checked) => checked
                .faults
                .iter()
                .any(|fault| fault.contains("stretches")),
            Err(error) => error.to_string().contains("stretches"),
        };
        assert!(is_named, "byte {place}");
    }
}

#[test]
fn where_texts_are_at_hand_they_decide() {
    let query = format!("{}{}{}", words(6000, 1500), &PAGE[..290], words(6001, 1500));
    let case = Case::of(&[0, 3], Retention::Digests);
    let report = verified(&case, &query, true);
    let ids: Vec<&str> = listed(&report).iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["registry:3"]);
    assert!(report.pairs[0].evidence.is_some());
}

#[test]
fn a_registry_without_stretches_says_so() {
    let case = Case::new(KeptStretches::None, Retention::Digests);
    let mut registry = case.open();
    add(&mut registry, 3);
    registry.finish().unwrap();
    let query = format!("{}{REWRITTEN}{}", words(6000, 1500), words(6001, 1500));
    let report = verified(&case, &query, false);
    assert_eq!(listed(&report), []);
    assert!(report.notes.contains(&Note::NoStretches));
}
