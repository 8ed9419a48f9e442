//! The registry: what is registered is found, nothing is lost, nothing is left.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::path::Path;

use cento::index::registry::{
    Added, Exclusions, Extent, Facts, Names, OnChange, Registry, Request, Retention, Scratch,
    Settings, Snapshot, Which, backup, check, export, import, merge,
};
use cento::index::{Hit, Question, Sums, UnitIndex};
use cento::{Document, Fingerprint, Key, Measure, Recipe, Role, ScanSettings, Watch};
use tempfile::TempDir;

const NOW: &str = "2026-03-01T12:00:00Z";
const KEY: [u8; 16] = [9; 16];

fn settings(recipe: &str, retention: Retention) -> Settings {
    Settings {
        recipe: Recipe::named(recipe).unwrap(),
        retention,
        kept_bits: Settings::KEPT_BITS,
        pairs: true,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    }
}

struct Case {
    folder: TempDir,
    key: Key,
}

impl Case {
    fn new(retention: Retention) -> Case {
        Case::with(settings("default", retention))
    }

    fn with(settings: Settings) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::new(KEY);
        Registry::create(&folder.path().join("r"), settings, Some(&key), NOW).unwrap();
        Case { folder, key }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("r")
    }

    fn open(&self) -> Registry {
        Registry::open(&self.path(), &self.key, "a test").unwrap()
    }

    fn snapshot(&self) -> Snapshot {
        snapshot(&self.path())
    }

    /// Registers texts, a commit each `batch`.
    fn register(&self, texts: &[(String, String)], batch: usize) {
        let mut registry = self.open();
        for batch in texts.chunks(batch) {
            for (id, text) in batch {
                add(&mut registry, id, text);
            }
            registry.commit().unwrap();
        }
        registry.finish().unwrap();
    }
}

fn snapshot(path: &Path) -> Snapshot {
    Snapshot::open(path, &Key::new(KEY), NOW).unwrap()
}

fn facts(id: &str) -> Facts {
    Facts {
        id: id.to_owned(),
        submitter: Some(format!("submitter of {}", &id[..1])),
        set: Some(if id.contains('7') { "sevens" } else { "others" }.to_owned()),
        registered: NOW.to_owned(),
        ..Facts::default()
    }
}

fn add(registry: &mut Registry, id: &str, text: &str) -> Added {
    let candidate = registry.prepare().candidate(facts(id), text);
    registry.add(candidate, OnChange::Version).unwrap()
}

/// Texts that share passages with each other: document n takes from n / 2 and n / 3.
fn texts(count: u64) -> Vec<(String, String)> {
    let passage = |seed: u64, words: u64| -> Vec<String> {
        let word = |n: u64| {
            let value = (seed * 1000 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            format!("word{}", value % 20_000)
        };
        (0..words).map(word).collect()
    };
    let text = |n: u64| {
        let mut words = passage(n, 60 + n % 40);
        words.extend(passage(n / 2, 20 + n % 30));
        words.extend(passage(n / 3, 15));
        words.extend(passage(1_000_000, 8));
        (format!("d{n:03}"), words.join(" "))
    };
    (0..count).map(text).collect()
}

/// What a search says, by ids.
fn found(snapshot: &Snapshot, text: &str) -> Vec<(String, u32, u32, u32)> {
    let query = snapshot.prepare().fingerprints(text);
    let request = Request {
        query: &query[0],
        set: None,
        measure: Measure::MaxContainment,
        at_least: 0.0,
        limit: usize::MAX,
        exclusions: &Exclusions::default(),
        base: &[],
    };
    let found = snapshot.search(&request, &mut Scratch::default()).unwrap();
    let mut all: Vec<(String, u32, u32, u32)> = found
        .alike
        .iter()
        .map(|alike| {
            let entry = snapshot.entry(alike.number).unwrap().unwrap();
            let overlap = alike.overlap;
            (entry.facts.id, overlap.shared, overlap.left, overlap.right)
        })
        .collect();
    all.sort();
    all
}

/// The same by `scan`, with digests as the registry keeps them.
fn scanned(texts: &[(String, String)], snapshot: &Snapshot) -> Vec<(String, String, u32)> {
    let documents: Vec<Document> = texts
        .iter()
        .map(|(id, text)| Document {
            language: None,
            author: None,
            id: id.clone(),
            label: id.clone(),
            role: Role::New,
            words: 100,
            warnings: Vec::new(),
            disguised: cento::disguise::Disguised::default(),
            stretches: cento::Stretches::default(),
            fingerprint: snapshot.prepare().fingerprints(text).remove(0),
            passages: Vec::new(),
        })
        .collect();
    let settings = ScanSettings {
        recipe: snapshot.settings().recipe.clone(),
        measure: Measure::MaxContainment,
        threshold: 0.01,
        top: None,
        top_documents: None,
        max_documents: None,
        left_out: cento::discount::Discounts::USUAL,
        count_below: true,
        ..ScanSettings::default()
    };
    let report = cento::scan(documents, &settings, None, Watch::NOBODY).unwrap();
    let mut pairs: Vec<(String, String, u32)> = report
        .pairs
        .into_iter()
        .map(|pair| (pair.left, pair.right, pair.shared))
        .collect();
    pairs.sort();
    pairs
}

fn stored_pairs(snapshot: &Snapshot) -> Vec<(String, String, u32)> {
    let pairs = snapshot.pairs(0.0, None, Watch::NOBODY).unwrap();
    let mut pairs: Vec<(String, String, u32)> = pairs
        .into_iter()
        .map(|pair| {
            let (a, b) = (pair.earlier.facts.id, pair.later.facts.id);
            let shared = pair.overlap.shared;
            if a < b {
                (a, b, shared)
            } else {
                (b, a, shared)
            }
        })
        .collect();
    pairs.sort();
    pairs
}

fn assert_sound(path: &Path) {
    let checked = check(path, &Key::new(KEY), Extent::Sample, Watch::NOBODY).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
}

#[test]
fn adding_everything_equals_scanning_everything() {
    let texts = texts(60);
    let mut answers = Vec::new();
    for batch in [1, 7, 60] {
        let case = Case::new(Retention::Digests);
        case.register(&texts, batch);
        let snapshot = case.snapshot();
        assert_eq!(stored_pairs(&snapshot), scanned(&texts, &snapshot));
        let all: Vec<_> = texts
            .iter()
            .map(|(_, text)| found(&snapshot, text))
            .collect();
        answers.push(all);
        assert_sound(&case.path());
        assert!(snapshot.status().unwrap().segments <= 4, "merged");
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn finishing_merges_what_is_due_and_was_not_begun() {
    let case = Case::new(Retention::Digests);
    let mut registry = case.open();
    for (id, text) in &texts(4) {
        add(&mut registry, id, text);
        registry.commit().unwrap();
    }
    // The merge of the four is given up with the registry, as in a process that ends.
    drop(registry);
    assert_eq!(case.snapshot().status().unwrap().segments, 4);
    case.open().finish().unwrap();
    assert_eq!(case.snapshot().status().unwrap().segments, 1);
    assert_sound(&case.path());
}

#[test]
fn the_same_again_is_nothing_and_another_text_a_version() {
    let case = Case::new(Retention::Digests);
    let texts = texts(3);
    let mut registry = case.open();
    assert_eq!(add(&mut registry, "a", &texts[0].1), Added::New);
    assert_eq!(add(&mut registry, "a", &texts[0].1), Added::Unchanged);
    registry.commit().unwrap();
    assert_eq!(add(&mut registry, "a", &texts[0].1), Added::Unchanged);
    assert_eq!(add(&mut registry, "a", &texts[1].1), Added::Version(2));
    assert_eq!(add(&mut registry, "a", &texts[2].1), Added::Version(3));
    let candidate = registry.prepare().candidate(facts("a"), "something else");
    let refused = registry.add(candidate, OnChange::Refuse).unwrap();
    assert_eq!(refused, Added::Refused);
    registry.finish().unwrap();
    let snapshot = case.snapshot();
    assert_eq!(snapshot.status().unwrap().documents, 3);
    assert_eq!(snapshot.latest("a").unwrap().unwrap().version, 3);
    assert_sound(&case.path());
}

/// Adds a text of a submitter.
fn add_of(registry: &mut Registry, id: &str, submitter: Option<&str>, text: &str) -> Added {
    let facts = Facts {
        submitter: submitter.map(str::to_owned),
        ..facts(id)
    };
    let candidate = registry.prepare().candidate(facts, text);
    registry.add(candidate, OnChange::Version).unwrap()
}

#[test]
fn an_id_belongs_to_the_submitter_who_registered_it() {
    let case = Case::new(Retention::Digests);
    let texts = texts(3);
    let mut registry = case.open();
    let (one, two) = (Some("one"), Some("two"));
    let named = |name: Option<&str>| name.map(str::to_owned);
    assert_eq!(add_of(&mut registry, "a", one, &texts[0].1), Added::New);
    assert_eq!(add_of(&mut registry, "b", None, &texts[0].1), Added::New);
    // Before they are committed, and after.
    for _ in 0..2 {
        for (id, registered, given) in [("a", one, two), ("a", one, None), ("b", None, two)] {
            // The same text, and another one.
            for text in [&texts[0].1, &texts[1].1] {
                let refused = Added::OtherSubmitter {
                    registered: named(registered),
                    given: named(given),
                };
                assert_eq!(add_of(&mut registry, id, given, text), refused);
            }
        }
        registry.commit().unwrap();
    }
    let next = Added::Version(2);
    assert_eq!(add_of(&mut registry, "a", one, &texts[1].1), next);
    assert_eq!(add_of(&mut registry, "b", None, &texts[1].1), next);
    registry.finish().unwrap();
    assert_eq!(case.snapshot().status().unwrap().documents, 4);
}

#[test]
fn the_same_text_is_known_under_another_id() {
    let case = Case::new(Retention::Digests);
    let texts = texts(2);
    let mut registry = case.open();
    let same = |registry: &Registry, id: &str| {
        let candidate = registry.prepare().candidate(facts(id), &texts[0].1);
        let same = registry.same_text(&candidate).unwrap();
        same.map(|same| (same.id, same.number))
    };
    assert_eq!(same(&registry, "a"), None);
    add(&mut registry, "x", &texts[1].1);
    add(&mut registry, "a", &texts[0].1);
    // Of its own id nothing is said; its number is the one that it gets.
    assert_eq!(same(&registry, "a"), None);
    assert_eq!(same(&registry, "b"), Some(("a".to_owned(), 2)));
    registry.commit().unwrap();
    assert_eq!(same(&registry, "a"), None);
    assert_eq!(same(&registry, "b"), Some(("a".to_owned(), 2)));
    registry.forget(&Which::Id("a".to_owned())).unwrap();
    assert_eq!(same(&registry, "b"), None);
}

#[test]
fn merging_does_not_mix_submitters() {
    let texts = texts(3);
    let cases = [Some("one"), Some("two"), None].map(|submitter| {
        let case = Case::new(Retention::Digests);
        let mut registry = case.open();
        // All have the text of the first; the others have one of their own besides.
        add_of(&mut registry, "a", submitter, &texts[0].1);
        add_of(&mut registry, "a", submitter, &texts[1].1);
        registry.finish().unwrap();
        case
    });
    let [one, two, nobody] = &cases;
    let mut results = Vec::new();
    for order in [[one, two, nobody], [nobody, two, one]] {
        let snapshots = order.map(Case::snapshot);
        let to = one.folder.path().join(format!("merged {}", results.len()));
        let all: Vec<&Snapshot> = snapshots.iter().collect();
        let absorbed = merge(&all, &to, Watch::NOBODY).unwrap();
        assert_eq!((absorbed.added, absorbed.unchanged), (2, 0));
        assert_eq!(absorbed.other_submitters.len(), 4);
        results.push(snapshot(&to).versions("a").unwrap());
    }
    assert_eq!(results[0], results[1]);
    // An import refuses, too, and a registry is not in its own way.
    let mut registry = one.open();
    let version = OnChange::Version;
    let refused = import(&mut registry, &two.snapshot(), version, Watch::NOBODY).unwrap();
    assert_eq!((refused.added, refused.other_submitters.len()), (0, 2));
    assert_eq!(
        refused.other_submitters[0].registered.as_deref(),
        Some("one")
    );
    let again = import(&mut registry, &one.snapshot(), version, Watch::NOBODY).unwrap();
    assert_eq!((again.added, again.unchanged), (0, 2));
}

#[test]
fn versions_of_several_submitters_from_before_are_kept() {
    let texts = texts(2);
    let case = Case::new(Retention::Digests);
    let mut registry = case.open();
    for (submitter, (_, text)) in ["one", "two"].iter().zip(&texts) {
        let facts = Facts {
            submitter: Some((*submitter).to_owned()),
            ..facts("a")
        };
        let candidate = registry.prepare().candidate(facts, text);
        registry.add_again(candidate).unwrap();
    }
    registry.finish().unwrap();
    let to = case.folder.path().join("export");
    let exported = export(&case.snapshot(), &to, Names::Kept, Watch::NOBODY).unwrap();
    assert_eq!(exported.documents, 2);
}

#[test]
fn what_is_forgotten_is_not_found_and_leaves_no_trace() {
    for retention in Retention::ALL {
        let case = Case::new(retention);
        let texts = texts(30);
        case.register(&texts, 4);
        let (id, text) = &texts[17];
        let before = case.snapshot();
        let content = before.latest(id).unwrap().unwrap().content;
        let mut registry = case.open();
        assert_eq!(registry.forget(&Which::Id(id.clone())).unwrap(), 1);
        let after = case.snapshot();
        assert!(found(&after, text).iter().all(|(other, ..)| other != id));
        // Who opened before still sees it.
        assert!(found(&before, text).iter().any(|(other, ..)| other == id));
        assert_eq!(
            registry.forget(&Which::Set("sevens".to_owned())).unwrap(),
            2
        );
        drop((before, after));
        assert!(registry.compact(Watch::NOBODY).unwrap().is_swept);
        drop(registry);
        let checked = check(&case.path(), &case.key, Extent::Sample, Watch::NOBODY).unwrap();
        assert_eq!(checked.faults, Vec::<String>::new());
        assert_eq!((checked.forgotten, checked.free_pages), (0, 0));
        let bytes = all_bytes(&case.path());
        assert!(!contains(&bytes, id.as_bytes()), "{retention}");
        assert!(!contains(&bytes, &content), "{retention}");
        // What is left is what would be there if the others had been registered alone.
        let others: Vec<(String, String)> = texts
            .iter()
            .filter(|(id, _)| !id.contains('7'))
            .cloned()
            .collect();
        let snapshot = case.snapshot();
        assert_eq!(stored_pairs(&snapshot), scanned(&others, &snapshot));
        let alone = Case::new(retention);
        alone.register(&others, 100);
        alone.open().compact(Watch::NOBODY).unwrap();
        assert_eq!(segments(&case.path()), segments(&alone.path()));
    }
}

fn all_bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            bytes.extend(all_bytes(&path));
        } else {
            bytes.extend(std::fs::read(&path).unwrap());
        }
    }
    bytes
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The contents of all segments.
fn segments(path: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(path.join("segments"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[test]
fn nothing_of_the_text_is_written_in_clear() {
    let case = Case::new(Retention::Digests);
    let texts = texts(12);
    let unkeyed = Recipe::named("default").unwrap();
    case.register(&texts, 5);
    for state in ["as it grew", "compacted"] {
        let bytes = all_bytes(&case.path());
        for (_, text) in &texts {
            for word in text.split(' ').filter(|word| word.len() >= 8) {
                assert!(!contains(&bytes, word.as_bytes()), "{word} {state}");
            }
            let open = unkeyed.fingerprint(text, &Key::PUBLIC, &cento::NoCollection);
            for digest in open.digests() {
                assert!(!contains(&bytes, &digest.0.to_le_bytes()), "{state}");
                assert!(!contains(&bytes, &digest.0.to_be_bytes()), "{state}");
            }
        }
        case.open().compact(Watch::NOBODY).unwrap();
    }
}

#[test]
fn a_wrong_key_is_refused_and_harms_nothing() {
    let case = Case::new(Retention::Digests);
    case.register(&texts(5), 5);
    let before = segments(&case.path());
    let wrong = Key::new([8; 16]);
    let refused = Registry::open(&case.path(), &wrong, "a test")
        .err()
        .unwrap();
    assert!(
        matches!(refused, cento::Error::WrongKey { .. }),
        "{refused}"
    );
    let refused = Snapshot::open(&case.path(), &wrong, NOW).err().unwrap();
    assert!(
        matches!(refused, cento::Error::WrongKey { .. }),
        "{refused}"
    );
    assert_eq!(segments(&case.path()), before);
    assert_sound(&case.path());
}

#[test]
fn a_second_writer_is_told_who_the_first_one_is() {
    let case = Case::new(Retention::Digests);
    let first = case.open();
    let second = Registry::open(&case.path(), &case.key, "me").err().unwrap();
    let message = second.to_string();
    assert!(message.contains("a test"), "{message}");
    assert!(
        message.contains(&std::process::id().to_string()),
        "{message}"
    );
    drop(first);
    case.open();
}

#[test]
fn merging_registries_does_not_depend_on_order_and_equals_a_rebuild() {
    let texts = texts(40);
    let (one, other, whole) = (
        Case::new(Retention::Text),
        Case::new(Retention::Text),
        Case::new(Retention::Text),
    );
    one.register(&texts[..25], 6);
    other.register(&texts[20..], 9);
    whole.register(&texts, 40);
    whole.open().compact(Watch::NOBODY).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (ab, ba) = (folder.path().join("ab"), folder.path().join("ba"));
    let absorbed = merge(&[&one.snapshot(), &other.snapshot()], &ab, Watch::NOBODY).unwrap();
    assert_eq!((absorbed.added, absorbed.unchanged), (40, 5));
    merge(&[&other.snapshot(), &one.snapshot()], &ba, Watch::NOBODY).unwrap();
    let expected = segments(&whole.path());
    assert_eq!(segments(&ab), expected);
    assert_eq!(segments(&ba), expected);
    let pairs = stored_pairs(&whole.snapshot());
    for path in [&ab, &ba] {
        assert_sound(path);
        let snapshot = snapshot(path);
        assert_eq!(stored_pairs(&snapshot), pairs);
        assert_eq!(snapshot.status().unwrap().documents, 40);
    }
}

#[test]
fn exported_and_imported() {
    let texts = texts(30);
    let case = Case::new(Retention::Spans);
    case.register(&texts, 8);
    let folder = tempfile::tempdir().unwrap();
    let (named, opaque) = (folder.path().join("named"), folder.path().join("opaque"));
    let exported = export(&case.snapshot(), &named, Names::Kept, Watch::NOBODY).unwrap();
    assert_eq!((exported.documents, exported.needs_key), (30, true));
    export(&case.snapshot(), &opaque, Names::Opaque, Watch::NOBODY).unwrap();
    for (id, _) in &texts {
        assert!(!contains(&all_bytes(&opaque), id.as_bytes()));
    }
    assert!(!contains(&all_bytes(&opaque), b"submitter of"));
    assert_sound(&opaque);
    let into = Case::new(Retention::Spans);
    into.register(&texts[..10], 10);
    let mut registry = into.open();
    let absorbed = import(
        &mut registry,
        &snapshot(&named),
        OnChange::Version,
        Watch::NOBODY,
    )
    .unwrap();
    assert_eq!((absorbed.added, absorbed.unchanged), (20, 10));
    registry.finish().unwrap();
    assert_sound(&into.path());
    let snapshot = into.snapshot();
    assert_eq!(stored_pairs(&snapshot), scanned(&texts, &snapshot));
}

#[test]
fn a_backup_copies_only_what_is_new() {
    let texts = texts(30);
    let case = Case::new(Retention::Digests);
    case.register(&texts[..10], 10);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    assert_eq!(
        backup(&case.path(), &copy, Watch::NOBODY).unwrap().copied,
        1
    );
    case.register(&texts[10..], 20);
    let again = backup(&case.path(), &copy, Watch::NOBODY).unwrap();
    assert_eq!((again.segments, again.copied), (2, 1));
    assert_eq!(
        backup(&case.path(), &copy, Watch::NOBODY).unwrap().copied,
        0
    );
    assert!(!copy.join("key").exists());
    assert_sound(&copy);
    let (own, copied) = (case.snapshot(), snapshot(&copy));
    assert_eq!(found(&own, &texts[3].1), found(&copied, &texts[3].1));
}

#[test]
fn a_copy_that_somebody_writes_to_is_not_replaced() {
    let case = Case::new(Retention::Digests);
    case.register(&texts(3), 3);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    backup(&case.path(), &copy, Watch::NOBODY).unwrap();
    let writer = Registry::open(&copy, &case.key, "somebody").unwrap();
    let refused = backup(&case.path(), &copy, Watch::NOBODY);
    assert!(
        matches!(refused, Err(cento::Error::Locked { .. })),
        "{refused:?}"
    );
    drop(writer);
    backup(&case.path(), &copy, Watch::NOBODY).unwrap();
}

#[test]
fn standard_text_does_not_count() {
    let form = "I declare that I wrote this thesis myself and named all sources that I used";
    let own = texts(12);
    let with_form = |(id, text): &(String, String)| (id.clone(), format!("{text} {form} {text}"));
    let texts: Vec<(String, String)> = own.iter().map(with_form).collect();
    let case = Case::new(Retention::Digests);
    case.register(&texts[..8], 3);
    let query = format!("{form} and nothing else of mine");
    assert_eq!(found(&case.snapshot(), &query).len(), 8);
    let mut registry = case.open();
    registry.ignore("declaration", None, form).unwrap();
    registry.finish().unwrap();
    case.register(&texts[8..], 2);
    assert_eq!(found(&case.snapshot(), &query), []);
    assert_sound(&case.path());
    // Pairs that were computed step by step are those that are computed at once.
    let stepwise = stored_pairs(&case.snapshot());
    let mut registry = case.open();
    registry.count_anew().unwrap();
    registry.finish().unwrap();
    assert_eq!(stored_pairs(&case.snapshot()), stepwise);
    // Taken back, everything is as if it had never been.
    let mut registry = case.open();
    assert!(registry.heed("declaration", None).unwrap() > 0);
    registry.finish().unwrap();
    let snapshot = case.snapshot();
    assert_eq!(found(&snapshot, &query).len(), 12);
    assert_eq!(stored_pairs(&snapshot), scanned(&texts, &snapshot));
    // For one set only, its documents alone are excused.
    let mut registry = case.open();
    registry
        .ignore("declaration", Some("sevens"), form)
        .unwrap();
    registry.finish().unwrap();
    assert_eq!(found(&case.snapshot(), &query).len(), 11);
    assert_sound(&case.path());
}

#[test]
fn expired_documents_do_not_count() {
    let case = Case::new(Retention::Digests);
    let texts = texts(2);
    let mut registry = case.open();
    for ((id, text), expires) in texts
        .iter()
        .zip(["2026-02-01T00:00:00Z", "2026-04-01T00:00:00Z"])
    {
        let facts = Facts {
            expires: Some(expires.to_owned()),
            ..facts(id)
        };
        let candidate = registry.prepare().candidate(facts, text);
        registry.add(candidate, OnChange::Version).unwrap();
    }
    registry.commit().unwrap();
    let ids = |snapshot: &Snapshot| -> Vec<String> {
        let all = found(snapshot, &texts[1].1).into_iter();
        all.map(|(id, ..)| id).collect()
    };
    assert_eq!(ids(&case.snapshot()), ["d001"]);
    assert_eq!(registry.forget(&Which::Expired(NOW.to_owned())).unwrap(), 1);
    assert_eq!(case.snapshot().status().unwrap().documents, 1);
}

#[test]
fn ranking_from_disk_equals_ranking_in_memory() {
    let texts = texts(40);
    for recipe in ["rank", "rank-passages"] {
        let case = Case::with(settings(recipe, Retention::Digests));
        case.register(&texts, 9);
        let snapshot = case.snapshot();
        let prepare = snapshot.prepare();
        let units: Vec<Vec<Fingerprint>> = texts
            .iter()
            .map(|(_, text)| prepare.fingerprints(text))
            .collect();
        let all: Vec<&[Fingerprint]> = units.iter().map(Vec::as_slice).collect();
        let alike_from = (recipe == "rank-passages").then_some(0.5);
        let index = UnitIndex::build(&all, alike_from, Watch::NOBODY).unwrap();
        let query: Vec<Question<'_>> = units[5].iter().map(Question::from).collect();
        for measure in ["cosine", "identity-5", "inner"] {
            let measure: Measure = measure.parse().unwrap();
            let answer = index.scores(&query, measure, &mut Sums::default());
            let id = |hit: &Hit| texts[hit.document.0 as usize].0.clone();
            let expected: BTreeMap<String, f64> =
                answer.hits.iter().map(|hit| (id(hit), hit.score)).collect();
            let exclusions = Exclusions::default();
            let ranked = snapshot
                .rank(&query, measure, 0.5, &exclusions, &mut Scratch::default())
                .unwrap();
            assert_eq!(ranked.len(), expected.len());
            for hit in ranked {
                let id = snapshot.entry(hit.number).unwrap().unwrap().facts.id;
                assert!((hit.score - expected[&id]).abs() < 1e-9, "{measure}");
            }
        }
    }
}

#[test]
fn what_is_kept_comes_back() {
    let texts = texts(3);
    let case = Case::new(Retention::Text);
    case.register(&texts, 2);
    let snapshot = case.snapshot();
    let number = snapshot.latest("d001").unwrap().unwrap().number;
    let kept = snapshot.retained(number).unwrap().unwrap();
    let expected = cento::index::registry::Retained::Text(texts[1].1.clone());
    assert_eq!(kept, expected);
}

#[test]
fn readers_are_not_disturbed_by_a_writer() {
    let texts = texts(80);
    let case = Case::new(Retention::Digests);
    case.register(&texts[..20], 20);
    let path = case.path();
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = || {
            let mut rounds = 0;
            let mut most = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) || rounds == 0 {
                let snapshot = snapshot(&path);
                let documents = snapshot.status().unwrap().documents;
                assert!(documents >= most, "a commit was undone");
                most = documents;
                for (id, text) in &texts[..20] {
                    let all = found(&snapshot, text);
                    let own = all.iter().find(|(other, ..)| other == id);
                    let (_, shared, left, right) = own.unwrap();
                    assert!(shared == left && left == right);
                }
                rounds += 1;
            }
        };
        scope.spawn(reader);
        scope.spawn(reader);
        let mut registry = case.open();
        for (id, text) in &texts[20..] {
            add(&mut registry, id, text);
            registry.commit().unwrap();
        }
        registry.compact(Watch::NOBODY).unwrap();
        registry.finish().unwrap();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_sound(&case.path());
}

#[test]
fn a_recipe_of_the_whole_collection_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings("hz-rarest-in-collection", Retention::Digests);
    let refused = Registry::create(folder.path(), settings, None, NOW).unwrap_err();
    assert!(refused.to_string().contains("grows"), "{refused}");
}
