//! Shards answer as the registry that they were cut from, whatever it keeps and however many there are,
//! and put together they are that registry, byte for byte.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::path::Path;

use cento::index::Question;
use cento::index::registry::{
    Arrival, Built, By, Exclusions, Extent, Facts, KeptStretches, NewDocument, OnChange, Registry,
    Request, Retention, Scratch, Settings, ShardWork, ShardedRegistry, Shared, Snapshot, Which,
    check, join, shard,
};
use cento::verify::{Order, Query, VerifySettings, is_listed, standard_from, verify};
use cento::{Key, Measure, Recipe, Watch};

const NOW: &str = "2026-03-01T12:00:00Z";
/// Of the first kind of registry; of the others one number is enough.
const COUNTS: [u32; 4] = [1, 2, 3, 7];

fn counts(place: usize) -> &'static [u32] {
    if place == 0 { &COUNTS } else { &COUNTS[2..3] }
}

fn key() -> Key {
    Key::new([7; 16])
}

/// Texts that share passages with those before and after them, some of which are long.
fn text(number: u64) -> String {
    let word = |seed: u64| format!("w{:x}", seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
    let own = (0..120 + 40 * (number % 5)).map(|place| word(number * 10_000 + place));
    let before = (0..60).map(|place| word((number / 3) * 777_777 + place));
    let all = (0..25).map(word);
    let words: Vec<String> = own.chain(before).chain(all).collect();
    words.join(" ")
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    recipe: &'static str,
    retention: Retention,
    stretches: KeptStretches,
}

const KEPT: [Kept; 5] = [
    Kept {
        recipe: "default",
        retention: Retention::Digests,
        stretches: KeptStretches::Pairs,
    },
    Kept {
        recipe: "default",
        retention: Retention::Text,
        stretches: KeptStretches::Pairs,
    },
    Kept {
        recipe: "default",
        retention: Retention::Spans,
        stretches: KeptStretches::None,
    },
    Kept {
        recipe: "masaryk-24",
        retention: Retention::Text,
        stretches: KeptStretches::Pairs,
    },
    Kept {
        recipe: "rank",
        retention: Retention::Digests,
        stretches: KeptStretches::None,
    },
];

/// A registry of several segments, with versions, sets, standard text and forgotten documents.
fn make(path: &Path, kept: Kept, documents: u64) {
    let settings = Settings {
        recipe: Recipe::named(kept.recipe).unwrap(),
        retention: kept.retention,
        kept_bits: Settings::KEPT_BITS,
        pairs: true,
        stretches: kept.stretches,
        style: None,
    };
    Registry::create(path, settings, Some(&key()), NOW).unwrap();
    let mut registry = Registry::open(path, &key(), "a test").unwrap();
    for number in 0..documents {
        let facts = Facts {
            id: format!("{:03}", number * 7 % 100),
            set: (number % 3 == 0).then(|| "essays".to_owned()),
            submitter: None,
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &text(number));
        registry.add(candidate, OnChange::Version).unwrap();
        if number % 9 == 8 {
            registry.commit().unwrap();
        }
    }
    registry.commit().unwrap();
    if documents > 4 {
        registry
            .forget_all(&[Which::Id("007".to_owned()), Which::Id("021".to_owned())])
            .unwrap();
    }
    registry.finish().unwrap();
}

/// All that a registry answers, in words.
fn answers(path: &Path, kept: Kept) -> Vec<String> {
    let snapshot = Snapshot::open(path, &key(), NOW).unwrap();
    let mut scratch = Scratch::default();
    let mut told = Vec::new();
    let mut status = snapshot.status().unwrap();
    // Of a catalogue that was copied while it had a journal the file may be shorter.
    status.catalog_bytes = 0;
    told.push(format!("{status:?}"));
    let checked = check(path, &key(), Extent::All, Watch::NOBODY).unwrap();
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    told.push(format!(
        "{} {} {}",
        checked.documents, checked.proved, checked.forgotten
    ));
    for pair in snapshot.pairs(0.0, None, Watch::NOBODY).unwrap() {
        told.push(format!("{pair:?}"));
    }
    let excluded = snapshot.exclusions(&[Which::Id("014".to_owned())]).unwrap();
    for number in [0, 1, 5, 8, 13, 77] {
        let text = text(number);
        let fingerprints = snapshot.prepare().fingerprints(&text);
        for exclusions in [&Exclusions::default(), &excluded] {
            let request = Request {
                query: &fingerprints[0],
                set: Some("essays"),
                measure: Measure::MaxContainment,
                at_least: 0.01,
                limit: 50,
                exclusions,
                base: &[],
            };
            let found = snapshot.search(&request, &mut scratch).unwrap();
            let numbers: Vec<u32> = found.alike.iter().map(|alike| alike.number).collect();
            told.push(format!("{found:?}"));
            told.push(format!(
                "{:?}",
                snapshot.shared_digests(&request, &numbers).unwrap()
            ));
            let stretches = snapshot.prepare().stretches(&text);
            let dense = snapshot.dense(&stretches, exclusions, &mut scratch);
            told.push(format!("{:?}", dense.unwrap()));
        }
        if kept.recipe == "rank" {
            let question = Question {
                query: &fingerprints[0],
                itself: &fingerprints[0],
            };
            let measure: Measure = "identity-5".parse().unwrap();
            let ranked = snapshot.rank(&[question], measure, 0.5, &excluded, &mut scratch);
            told.push(format!("{:?}", ranked.unwrap()));
        }
    }
    let mut entries = Vec::new();
    snapshot
        .entries(|entry| {
            entries.push(entry);
            Ok(())
        })
        .unwrap();
    for entry in entries {
        told.push(format!("{:?}", snapshot.retained(entry.number).unwrap()));
        told.push(format!("{entry:?}"));
    }
    told
}

/// The files of a registry's segments.
fn segments(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(path.join("segments")).unwrap();
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read(path).unwrap())
    };
    files.map(file).collect()
}

/// Every row of a catalogue.
fn rows(path: &Path) -> Vec<String> {
    let catalog = rusqlite::Connection::open(path.join("catalog.sqlite")).unwrap();
    let mut all = Vec::new();
    for table in [
        "settings",
        "documents",
        "segments",
        "keepsakes",
        "ignored",
        "sqlite_sequence",
    ] {
        let mut statement = catalog.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<rusqlite::types::Value> = (0..columns)
                .map(|column| row.get(column).unwrap())
                .collect();
            all.push(format!("{table} {values:?}"));
        }
    }
    all
}

#[track_caller]
fn check_shards(kept: Kept, documents: u64, by: By, count: u32) {
    let folder = tempfile::tempdir().unwrap();
    let [whole, shards, joined] =
        ["whole", "shards", "joined"].map(|name| folder.path().join(name));
    make(&whole, kept, documents);
    let expected = answers(&whole, kept);
    let snapshot = Snapshot::open(&whole, &key(), NOW).unwrap();
    let cut = shard(&snapshot, &shards, by, count, Watch::NOBODY).unwrap();
    assert_eq!(cut.postings.len(), count as usize);
    assert_eq!(
        cut.postings.iter().sum::<u64>(),
        snapshot.status().unwrap().postings
    );
    assert_eq!(answers(&shards, kept), expected, "{kept:?} {by:?} {count}");
    let snapshot = Snapshot::open(&shards, &key(), NOW).unwrap();
    join(&snapshot, &joined, Watch::NOBODY).unwrap();
    assert_eq!(
        segments(&joined),
        segments(&whole),
        "{kept:?} {by:?} {count}"
    );
    assert_eq!(rows(&joined), rows(&whole), "{kept:?} {by:?} {count}");
    assert_eq!(answers(&joined, kept), expected);
}

#[test]
fn shards_by_digests_answer_as_one_registry() {
    for (place, kept) in KEPT.into_iter().enumerate() {
        for &count in counts(place) {
            check_shards(kept, 32, By::Digests, count);
        }
    }
}

#[test]
fn shards_by_documents_answer_as_one_registry() {
    for (place, kept) in KEPT.into_iter().enumerate() {
        for &count in counts(place) {
            check_shards(kept, 32, By::Documents, count);
        }
    }
}

#[test]
fn ranges_may_be_empty() {
    for by in [By::Digests, By::Documents] {
        for documents in [0, 1, 2] {
            check_shards(KEPT[0], documents, by, 7);
        }
    }
}

#[test]
fn a_shard_of_documents_is_a_registry_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, shards] = ["whole", "shards"].map(|name| folder.path().join(name));
    make(&whole, KEPT[1], 32);
    let snapshot = Snapshot::open(&whole, &key(), NOW).unwrap();
    shard(&snapshot, &shards, By::Documents, 3, Watch::NOBODY).unwrap();
    let mut documents = 0;
    for name in ["0001", "0002", "0003"] {
        let checked = check(&shards.join(name), &key(), Extent::All, Watch::NOBODY).unwrap();
        assert!(checked.faults.is_empty(), "{:?}", checked.faults);
        assert_eq!(checked.proved, checked.documents);
        documents += checked.documents;
    }
    assert_eq!(documents, snapshot.status().unwrap().documents);
}

#[test]
fn nobody_writes_to_shards() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, shards, again] = ["whole", "shards", "again"].map(|name| folder.path().join(name));
    make(&whole, KEPT[0], 9);
    let snapshot = Snapshot::open(&whole, &key(), NOW).unwrap();
    shard(&snapshot, &shards, By::Digests, 2, Watch::NOBODY).unwrap();
    let refused = Registry::open(&shards, &key(), "a test").err().unwrap();
    assert!(refused.to_string().contains("cut into shards"), "{refused}");
    let snapshot = Snapshot::open(&shards, &key(), NOW).unwrap();
    let refused = shard(&snapshot, &again, By::Digests, 2, Watch::NOBODY).unwrap_err();
    assert!(refused.to_string().contains("join them first"), "{refused}");
    assert!(!again.exists());
}

/// Shards of which something is wrong, and what is said about it.
#[track_caller]
fn check_refused(by: By, spoil: impl FnOnce(&Path, &Path), said: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let [whole, shards, other] = ["whole", "shards", "other"].map(|name| folder.path().join(name));
    make(&whole, KEPT[0], 20);
    let snapshot = Snapshot::open(&whole, &key(), NOW).unwrap();
    shard(&snapshot, &shards, by, 3, Watch::NOBODY).unwrap();
    spoil(&shards, &other);
    let refused = Snapshot::open(&shards, &key(), NOW)
        .err()
        .unwrap()
        .to_string();
    for words in said {
        assert!(refused.contains(words), "{refused}");
    }
}

/// The middle third of all digests.
const MIDDLE: &str = "shard 2 of 3 (digests from 5555555555555555 to below aaaaaaaaaaaaaaaa)";

#[test]
fn a_missing_shard_is_an_error_that_names_its_range() {
    let remove = |shards: &Path, _: &Path| std::fs::remove_dir_all(shards.join("0002")).unwrap();
    check_refused(By::Digests, remove, &[MIDDLE, "is missing"]);
    check_refused(
        By::Documents,
        remove,
        &[
            "shard 2 of 3 (document numbers from 7 to below 14)",
            "is missing",
        ],
    );
    let remove = |shards: &Path, _: &Path| {
        let segments = shards.join("0002/segments");
        let first = std::fs::read_dir(segments).unwrap().next().unwrap();
        std::fs::remove_file(first.unwrap().path()).unwrap();
    };
    check_refused(By::Digests, remove, &[MIDDLE, "is stale or not complete"]);
}

#[test]
fn swapped_shards_are_an_error() {
    let swap = |what: &'static str| {
        move |shards: &Path, other: &Path| {
            let [one, two] = ["0002", "0003"].map(|name| shards.join(name).join(what));
            std::fs::rename(&one, other).unwrap();
            std::fs::rename(&two, &one).unwrap();
            std::fs::rename(other, &two).unwrap();
        }
    };
    for by in [By::Digests, By::Documents] {
        check_refused(by, swap(""), &["shard 2 of 3", "which has shard 3 of 3"]);
    }
    check_refused(By::Digests, swap("segments"), &[MIDDLE, "stale or foreign"]);
}

#[test]
fn a_shard_of_another_registry_is_an_error() {
    let foreign = |key: Key| {
        move |shards: &Path, other: &Path| {
            let settings = Settings::default();
            Registry::create(other, settings, Some(&key), NOW).unwrap();
            let snapshot = Snapshot::open(other, &key, NOW).unwrap();
            let cut = other.join("cut");
            shard(&snapshot, &cut, By::Digests, 3, Watch::NOBODY).unwrap();
            std::fs::remove_dir_all(shards.join("0002")).unwrap();
            std::fs::rename(cut.join("0002"), shards.join("0002")).unwrap();
        }
    };
    check_refused(By::Digests, foreign(key()), &[MIDDLE, "is foreign"]);
    let other = Key::new([8; 16]);
    let name = format!("with the key {}", other.name());
    check_refused(By::Digests, foreign(other), &[MIDDLE, "is foreign", &name]);
}

#[test]
fn a_stale_shard_is_an_error() {
    // Somebody registers in one of the shards by itself.
    let register = |shards: &Path, _: &Path| {
        let mut registry = Registry::open(&shards.join("0002"), &key(), "a test").unwrap();
        let facts = Facts {
            id: "new".to_owned(),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &text(500));
        registry.add(candidate, OnChange::Version).unwrap();
        registry.finish().unwrap();
    };
    check_refused(By::Documents, register, &["shard 2 of 3", "is stale"]);
    let other_list = |shards: &Path, _: &Path| {
        let path = shards.join("shards.json");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"from\": \"5555", "\"from\": \"5556")).unwrap();
    };
    check_refused(
        By::Digests,
        other_list,
        &["shards.json", "leave something out"],
    );
}

/// Registers documents as many machines do it, one portion and one slice at a time.
fn register_in_shards(path: &Path, numbers: &[u64]) {
    let work = ShardWork::open(path, &key()).unwrap();
    let mut registry = ShardedRegistry::open(path, &key(), "a test").unwrap();
    let mut cut = BTreeMap::new();
    let mut arrivals = Vec::new();
    for &number in numbers {
        let one = work.cut(&text(number), None).unwrap();
        let facts = facts_of(number);
        arrivals.push(Arrival {
            content: one.content,
            words: one.words,
            digests: one.digests,
            ignored: one.ignored,
            blocks: one.blocks,
            retained: one.retained.clone(),
            facts: facts.clone(),
        });
        cut.insert(facts.id, one);
    }
    let batch = registry.plan(arrivals, OnChange::Version, NOW).unwrap();
    let mut built = Vec::new();
    for shard in 0..registry.shards() {
        // A machine does its work, fails before anybody hears of it, and another one does it again.
        for attempt in ["lost", "first", "second"] {
            let portions = batch.places.iter().rev();
            let portions = portions.map(|(id, unit, first_block)| NewDocument {
                unit: *unit,
                first_block: *first_block,
                tokens: cut[id].tokens,
                weight: cut[id].weight,
                portion: cut[id].portions[shard].clone(),
            });
            let slices = work.build(shard, &batch.order, attempt, portions.collect());
            if attempt != "lost" {
                built.extend(slices.unwrap());
            }
        }
    }
    registry.commit(&batch, &built).unwrap();
    while let Some(order) = registry.due(NOW).unwrap() {
        let work = ShardWork::open(path, &key()).unwrap();
        let slices = (0..registry.shards())
            .flat_map(|shard| work.merge(shard, &order, "once", Watch::NOBODY).unwrap());
        let slices: Vec<Built> = slices.collect();
        registry.replace(&order, &slices).unwrap();
    }
    let left = std::fs::read_dir(path.join("0001/segments")).unwrap();
    let left = left.map(|file| file.unwrap().path());
    assert_eq!(
        left.filter(|path| path.to_string_lossy().contains("new"))
            .count(),
        0
    );
}

fn facts_of(number: u64) -> Facts {
    Facts {
        id: format!("{number:05}"),
        registered: NOW.to_owned(),
        ..Facts::default()
    }
}

#[test]
fn what_many_machines_register_is_what_one_would_have() {
    for kept in KEPT {
        let folder = tempfile::tempdir().unwrap();
        let [whole, begun, shards, joined] =
            ["whole", "begun", "shards", "joined"].map(|name| folder.path().join(name));
        for path in [&whole, &begun] {
            let settings = Settings {
                recipe: Recipe::named(kept.recipe).unwrap(),
                retention: kept.retention,
                kept_bits: Settings::KEPT_BITS,
                pairs: true,
                stretches: kept.stretches,
                style: None,
            };
            Registry::create(path, settings, Some(&key()), NOW).unwrap();
        }
        let snapshot = Snapshot::open(&begun, &key(), NOW).unwrap();
        shard(&snapshot, &shards, By::Digests, 3, Watch::NOBODY).unwrap();
        // So often that segments merge, the last time with nothing new.
        for first in [0, 10, 20, 30, 40, 50, 60, 60] {
            let numbers: Vec<u64> = (first..first + 10).collect();
            register_in_shards(&shards, &numbers);
            let mut registry = Registry::open(&whole, &key(), "a test").unwrap();
            for number in numbers {
                let candidate = registry
                    .prepare()
                    .candidate(facts_of(number), &text(number));
                registry.add(candidate, OnChange::Version).unwrap();
            }
            registry.finish().unwrap();
        }
        assert_eq!(answers(&shards, kept), answers(&whole, kept), "{kept:?}");
        let snapshot = Snapshot::open(&shards, &key(), NOW).unwrap();
        join(&snapshot, &joined, Watch::NOBODY).unwrap();
        // Who writes waits for those who read an older state.
        drop(snapshot);
        assert_eq!(segments(&joined), segments(&whole), "{kept:?}");
        let without_identity = |path: &Path| {
            let mut rows = rows(path);
            rows.retain(|row| !row.contains("identity"));
            rows
        };
        assert_eq!(without_identity(&joined), without_identity(&whole));
        ask_shards(&shards, &whole);
    }
}

/// What the shards say one by one, summed up, is what the registry says.
fn ask_shards(shards: &Path, whole: &Path) {
    let snapshot = Snapshot::open(whole, &key(), NOW).unwrap();
    let work = ShardWork::open(shards, &key()).unwrap();
    let writer = ShardedRegistry::open(shards, &key(), "a test").unwrap();
    let commit = writer.commit_at(NOW).unwrap();
    // Who only reads does not begin while somebody writes.
    let refused = work.commit_at(NOW).unwrap_err();
    assert!(refused.to_string().contains("a test"), "{refused}");
    drop(writer);
    assert_eq!(work.commit_at(NOW).unwrap(), commit);
    let from = standard_from(&snapshot);
    let mut counters: Vec<_> = (0..work.shards())
        .map(|shard| work.counter(shard, &commit, from).unwrap())
        .collect();
    let summer = work.summer(&commit).unwrap();
    let mut scratch = Scratch::default();
    for number in [0, 5, 33, 500] {
        let question = work.question(&text(number), None).unwrap();
        let counts: Vec<Vec<u8>> = counters
            .iter_mut()
            .zip(&question.portions)
            .map(|(counter, portion)| counter.count(portion).unwrap().unwrap())
            .collect();
        let counts: Vec<(usize, &[u8])> = counts.iter().map(Vec::as_slice).enumerate().collect();
        for measure in [Measure::Containment, Measure::Resemblance] {
            let query = &snapshot.prepare().fingerprints(&text(number))[0];
            let request = Request {
                query,
                set: None,
                measure,
                at_least: 0.05,
                limit: 20,
                exclusions: &Exclusions::default(),
                base: &[],
            };
            let found = snapshot.search(&request, &mut scratch).unwrap();
            let listed = |shared: &Shared| shared.score >= 0.05;
            let answer = summer.answer(question.digests, &counts, measure, 20, listed);
            let (answered, known) = answer.unwrap().unwrap();
            let told: Vec<_> = answered
                .iter()
                .map(|one| (one.entry.number, one.overlap, one.score, one.rarity))
                .collect();
            let expected: Vec<_> = found
                .alike
                .iter()
                .map(|one| (one.number, one.overlap, one.score, one.rarity))
                .collect();
            assert_eq!(told, expected);
            assert_eq!(known, found.shared);
        }
        for include_standard in [false, true] {
            let settings = VerifySettings {
                threshold: 0.05,
                order: Order::Score,
                include_standard,
                ..VerifySettings::default()
            };
            let queries = [Query::new("query", &text(number), &snapshot)];
            let mut found = verify(&snapshot, &queries, &settings, Watch::NOBODY).unwrap();
            let report = found.report(None, Watch::NOBODY).unwrap();
            let expected = report
                .pairs
                .iter()
                .map(|pair| (pair.right.clone(), pair.score));
            let mut expected: Vec<_> = expected.collect();
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            let listed = |shared: &Shared| is_listed(shared, &settings);
            let answer = summer.answer(
                question.digests,
                &counts,
                settings.measure,
                usize::MAX,
                listed,
            );
            let (answered, _) = answer.unwrap().unwrap();
            let told = answered.iter();
            let told = told.map(|one| (format!("registry:{}", one.entry.facts.id), one.score));
            let mut told: Vec<_> = told.collect();
            told.sort_by(|a, b| a.0.cmp(&b.0));
            assert_eq!(told, expected);
        }
        // A shard that did not answer makes no smaller answer.
        let some = &counts[1..];
        let measure = Measure::Containment;
        let answer = summer.answer(question.digests, some, measure, 20, |_| true);
        assert_eq!(answer.unwrap(), None);
    }
}
