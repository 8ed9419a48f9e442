//! The store as a whole: what it answers, and that it still does after it was closed, killed or cut short.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::message::Sameness;

const NOON: u64 = 1_794_830_400;
const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;
const KEY: Key = Key::PUBLIC;

fn settings(memory: u64) -> Settings {
    Settings {
        recipe: "letters+canonical | window:7 | keyed:64 | all"
            .parse()
            .unwrap(),
        sameness: Sameness {
            share: 0.4,
            evidence: 4,
            enough: 100,
        },
        memory,
    }
}

fn made(memory: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    Sightings::create(folder.path(), &settings(memory), &KEY, NOON - 30 * DAY).unwrap();
    folder
}

fn open(folder: &Path) -> Sightings {
    Sightings::open(folder, &KEY, "a test").unwrap()
}

/// The digests of a message of its own, of which so many are replaced.
fn message(number: u64, replaced: usize) -> Vec<Digest> {
    let digest = |salt: u64, place: usize| {
        let mixed = (number * 1000 + place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Digest((mixed ^ salt).wrapping_mul(0xff51_afd7_ed55_8ccd))
    };
    let mut digests: Vec<Digest> = (0..40)
        .map(|place| digest(u64::from(place < replaced) * 77 * replaced as u64, place))
        .collect();
    digests.sort_unstable();
    digests
}

fn seen(answer: &Answer) -> (u64, u64, u64) {
    match answer {
        Answer::Known { seen, .. } => (seen.hour, seen.day, seen.week),
        Answer::TooShort => panic!("too short"),
    }
}

fn count(store: &mut Sightings, digests: &[Digest], now: u64) -> (u64, u64, u64) {
    seen(&store.ask(digests, now, Counting::Count).unwrap())
}

fn look(store: &mut Sightings, digests: &[Digest], now: u64) -> (u64, u64, u64) {
    seen(&store.ask(digests, now, Counting::Look).unwrap())
}

fn segments(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("log")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "log"))
        .collect();
    logs.sort();
    logs
}

#[test]
fn messages_nearly_the_same_are_counted_together() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    assert_eq!(count(&mut store, &message(1, 0), NOON - 2 * DAY), (0, 0, 0));
    assert_eq!(
        count(&mut store, &message(1, 5), NOON - 30 * MINUTE),
        (0, 0, 1)
    );
    assert_eq!(count(&mut store, &message(1, 15), NOON), (1, 1, 2));
    // Another message, and one that is too much changed.
    assert_eq!(count(&mut store, &message(2, 0), NOON), (0, 0, 0));
    assert_eq!(count(&mut store, &message(1, 30), NOON), (0, 0, 0));
    // Asking is not counting.
    assert_eq!(look(&mut store, &message(1, 3), NOON), (2, 2, 3));
    assert_eq!(look(&mut store, &message(1, 3), NOON), (2, 2, 3));
    assert_eq!(store.stats(NOON).families, 3);
    assert_eq!(store.stats(NOON).counted, 5);
}

#[test]
fn few_digests_say_nothing() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    let short = &message(1, 0)[..6];
    let answer = store.ask(short, NOON, Counting::Count).unwrap();
    assert_eq!(answer, Answer::TooShort);
    assert_eq!(store.stats(NOON).families, 0);
}

#[test]
fn marks_decide_and_can_be_taken_back() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    let (bulk, letter) = (message(1, 0), message(2, 0));
    store.mark(&bulk, Some(Mark::Bulk), NOON).unwrap();
    count(&mut store, &letter, NOON);
    store.mark(&letter, Some(Mark::Wanted), NOON).unwrap();
    drop(store);
    let mut store = open(folder.path());
    let now = NOON + 30 * DAY;
    let mark = |answer: Answer| match answer {
        Answer::Known { mark, .. } => mark,
        Answer::TooShort => None,
    };
    assert_eq!(count(&mut store, &bulk, now), (0, 0, 0));
    assert_eq!(count(&mut store, &bulk, now), (1, 1, 1));
    assert_eq!(
        mark(store.ask(&bulk, now, Counting::Count).unwrap()),
        Some(Mark::Bulk)
    );
    // What is wanted is never counted.
    for _ in 0..3 {
        assert_eq!(count(&mut store, &letter, now), (0, 0, 0));
    }
    let answer = store.ask(&letter, now, Counting::Count).unwrap();
    assert_eq!(mark(answer), Some(Mark::Wanted));
    assert_eq!(mark(store.mark(&letter, None, now).unwrap()), None);
    count(&mut store, &letter, now);
    assert_eq!(count(&mut store, &letter, now), (1, 1, 1));
}

#[test]
fn what_was_counted_is_there_after_it_was_opened_again() {
    let folder = made(LEAST_MEMORY);
    for number in 0..10 {
        let mut store = open(folder.path());
        assert_eq!(count(&mut store, &message(1, 0), NOON).0, number);
        count(&mut store, &message(100 + number, 0), NOON);
    }
    let store = open(folder.path());
    assert_eq!(store.stats(NOON).families, 11);
    assert_eq!(store.stats(NOON).counted, 20);
}

#[test]
fn only_one_has_it_open() {
    let folder = made(LEAST_MEMORY);
    let _store = open(folder.path());
    let second = Sightings::open(folder.path(), &KEY, "another");
    assert!(matches!(second.err().unwrap(), Error::Locked { .. }));
}

#[test]
fn another_key_is_refused() {
    let folder = made(LEAST_MEMORY);
    let other = Sightings::open(folder.path(), &Key::new([1; 16]), "a test");
    assert!(other.err().unwrap().to_string().contains("not the key"));
}

#[test]
fn a_week_later_it_is_forgotten_and_the_disk_does_not_grow() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    let mut now = NOON;
    let mut largest = 0;
    for number in 0..5000 {
        now += 10 * MINUTE;
        count(&mut store, &message(number, 0), now);
        count(&mut store, &message(0, 0), now);
        largest = largest.max(store.stats(now).disk);
    }
    let stats = store.stats(now);
    assert!(stats.families <= 1009, "{stats:?}");
    assert!(stats.evicted == 0 && stats.expired > 3_900, "{stats:?}");
    assert!(largest < 3 << 20, "{largest}");
    let (_, _, week) = look(&mut store, &message(0, 0), now);
    assert!((990..=1008).contains(&week), "{week}");
    drop(store);
    let mut store = open(folder.path());
    assert_eq!(store.stats(now), stats);
    assert_eq!(look(&mut store, &message(0, 0), now).2, week);
    let lengths = segments(folder.path());
    let lengths = lengths.iter().map(|path| path.metadata().unwrap().len());
    assert_eq!(lengths.sum::<u64>(), stats.disk);
}

#[test]
fn without_room_the_longest_unseen_goes_and_the_answer_says_so() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    let mut now = NOON;
    for number in 0..3000 {
        now += MINUTE;
        count(&mut store, &message(number, 0), now);
    }
    let stats = store.stats(now);
    assert!(
        stats.evicted > 1000 && stats.memory <= LEAST_MEMORY,
        "{stats:?}"
    );
    let kept = stats.families;
    assert!(stats.since > now - (kept + 2) * MINUTE && stats.since < now);
    // The first is gone; that nothing is known of the time is said.
    let Answer::Known { seen, since, .. } = store.ask(&message(0, 0), now, Counting::Look).unwrap()
    else {
        panic!("too short");
    };
    assert_eq!((seen.week, since), (0, stats.since));
    drop(store);
    assert_eq!(open(folder.path()).stats(now), stats);
}

#[test]
fn after_a_clock_that_was_ahead_nothing_looks_as_if_it_had_never_come() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    count(&mut store, &message(1, 0), NOON);
    count(&mut store, &message(2, 0), NOON);
    // The clock is a month ahead for one message, and right again.
    let ahead = NOON + 30 * DAY;
    count(&mut store, &message(2, 0), ahead);
    for round in 0..2 {
        assert_eq!(look(&mut store, &message(1, 0), NOON), (0, 0, 0));
        let since = store.stats(NOON).since;
        assert!(since > NOON, "round {round}: {since}");
        // What comes from now on is counted all the same.
        assert_eq!(count(&mut store, &message(3, 0), NOON).0, round);
        drop(store);
        store = open(folder.path());
    }
    // A clock that is behind loses nothing.
    count(&mut store, &message(4, 0), NOON - DAY);
    assert_eq!(look(&mut store, &message(4, 0), NOON), (0, 0, 1));
}

/// However the log is cut short behind what was synced, it opens, with a prefix of what was counted.
#[test]
fn an_end_that_was_not_finished_is_cut_off() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    for _ in 0..5 {
        count(&mut store, &message(1, 0), NOON);
    }
    store.sync().unwrap();
    let safe = store.stats(NOON).disk;
    for _ in 0..5 {
        count(&mut store, &message(1, 0), NOON);
    }
    drop(store);
    let path = segments(folder.path()).remove(0);
    let whole = fs::read(&path).unwrap();
    for length in (usize::try_from(safe).unwrap()..=whole.len()).rev() {
        fs::write(&path, &whole[..length]).unwrap();
        let mut store = open(folder.path());
        let (hour, ..) = look(&mut store, &message(1, 0), NOON);
        let record = 12 + 13;
        assert_eq!(hour, 5 + (length as u64 - safe) / record);
    }
    // What was synced must be there.
    for length in 0..usize::try_from(safe).unwrap() {
        fs::write(&path, &whole[..length]).unwrap();
        let error = Sightings::open(folder.path(), &KEY, "a test")
            .err()
            .unwrap();
        assert!(error.to_string().contains("damaged"), "{length}: {error}");
    }
}

#[test]
fn a_changed_byte_is_noticed() {
    let folder = made(LEAST_MEMORY);
    let mut store = open(folder.path());
    for number in 0..300 {
        count(&mut store, &message(number, 0), NOON);
    }
    store.sync().unwrap();
    drop(store);
    let all = segments(folder.path());
    assert!(all.len() > 1);
    for path in &all {
        let whole = fs::read(path).unwrap();
        for place in (0..whole.len()).step_by(997) {
            let mut changed = whole.clone();
            changed[place] ^= 0x10;
            fs::write(path, &changed).unwrap();
            let error = Sightings::open(folder.path(), &KEY, "a test").err();
            assert!(error.is_some(), "{} {place}", path.display());
        }
        // Cut where a record ends.
        fs::write(path, &whole[..whole.len() - 12 - 34 - 8 * 41 + 20]).unwrap();
        assert!(Sightings::open(folder.path(), &KEY, "a test").is_err());
        fs::remove_file(path).unwrap();
        assert!(Sightings::open(folder.path(), &KEY, "a test").is_err());
        fs::write(path, &whole).unwrap();
    }
    fs::remove_file(folder.path().join("log/synced")).unwrap();
    assert!(Sightings::open(folder.path(), &KEY, "a test").is_err());
}

#[test]
fn a_lost_store_is_an_error_and_never_an_empty_one() {
    let folder = made(LEAST_MEMORY);
    fs::remove_dir_all(folder.path().join("log")).unwrap();
    let error = Sightings::open(folder.path(), &KEY, "a test")
        .err()
        .unwrap();
    assert!(error.to_string().contains("lost"), "{error}");
    let none = Sightings::open(&folder.path().join("none"), &KEY, "a test");
    assert!(none.err().unwrap().to_string().contains("no mail store"));
}
