//! Documents arrive one by one at an archive while others verify theirs against it, as at Masaryk
//! University (sections 3.2 and 4.4): each is registered, found, and compared both ways with what was
//! there before. The test and the benchmark of this differ in how large the archive is.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cento::index::registry::{Facts, OnChange, Registry, Snapshot};
use cento::report::Report;
use cento::verify::{Query, VerifySettings, verify};
use cento::{Key, Measure, Watch};

const NOW: &str = "2026-03-01T12:00:00Z";
/// How many words of its own a document has, and how many of the one before it; together that makes as
/// many chunks as a document of the paper has on average.
const OWN: u64 = 1804;
const COPIED: u64 = 600;

/// How long everybody had to wait.
pub(crate) struct Waiting {
    /// From the arrival of a document until it was registered, found, and compared both ways; of each.
    pub(crate) arrivals: Vec<Duration>,
    /// How many documents others verified meanwhile.
    pub(crate) verified: u64,
    /// The longest that one of these took.
    pub(crate) longest: Duration,
}

/// Lets so many documents arrive at a registry while so many others verify.
///
/// # Panics
///
/// If a document is not found, or compared wrongly.
pub(crate) fn arrive(path: &Path, documents: u64, others: usize) -> Waiting {
    let texts: Vec<String> = (0..documents).map(text).collect();
    let latest = Mutex::new((open(path), 0));
    let is_over = AtomicBool::new(false);
    let verified = AtomicU64::new(0);
    let longest = AtomicU64::new(0);
    let arrivals = std::thread::scope(|scope| {
        for other in 0..others {
            let (texts, latest) = (&texts, &latest);
            let (is_over, verified, longest) = (&is_over, &verified, &longest);
            scope.spawn(move || {
                let mut turn = other;
                while !is_over.load(Ordering::Relaxed) {
                    turn += 1;
                    let (snapshot, arrived) = latest.lock().unwrap().clone();
                    if arrived == 0 {
                        std::thread::sleep(Duration::from_millis(1));
                        continue;
                    }
                    let number = turn % arrived;
                    let started = Instant::now();
                    let report = report(&snapshot, "somebody's", &texts[number]);
                    let took = started.elapsed().as_micros();
                    let [of_it, of_registered] = shares(&report, number);
                    assert!(
                        of_it >= 1.0 && of_registered >= 1.0,
                        "{number} is not found"
                    );
                    verified.fetch_add(1, Ordering::Relaxed);
                    longest.fetch_max(u64::try_from(took).unwrap(), Ordering::Relaxed);
                }
            });
        }
        // Whatever happens, the others end.
        let over = Over(&is_over);
        let mut registry = Registry::open(path, &Key::PUBLIC, "arrivals").unwrap();
        let mut waited = Vec::new();
        for number in 0..texts.len() {
            let started = Instant::now();
            let snapshot = register(&mut registry, path, number, &texts[number]);
            *latest.lock().unwrap() = (snapshot.clone(), number + 1);
            let report = report(&snapshot, &id(number), &texts[number]);
            waited.push(started.elapsed());
            if number > 0 {
                // The similarity of the new one to the old one, and the inverse one.
                let both = [&texts[number], &texts[number - 1]];
                let pairs = shares(&report, number - 1).into_iter().zip(expected(both));
                for (share, expected) in pairs {
                    assert!(
                        (share - expected).abs() < 1e-9,
                        "{number}: {share}, not {expected}"
                    );
                }
            }
        }
        drop(over);
        registry.finish().unwrap();
        waited
    });
    Waiting {
        arrivals,
        verified: verified.into_inner(),
        longest: Duration::from_micros(longest.into_inner()),
    }
}

/// Says that it is over when it goes out of scope.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn open(path: &Path) -> Snapshot {
    Snapshot::open(path, &Key::PUBLIC, NOW).unwrap()
}

fn register(registry: &mut Registry, path: &Path, number: usize, text: &str) -> Snapshot {
    let facts = Facts {
        id: id(number),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let candidate = registry.prepare().candidate(facts, text);
    registry.add(candidate, OnChange::Refuse).unwrap();
    assert_eq!(registry.commit().unwrap().documents, 1);
    open(path)
}

fn id(number: usize) -> String {
    format!("arrival-{number}")
}

/// What a document shares with the registered ones.
fn report(snapshot: &Snapshot, id: &str, text: &str) -> Report {
    let queries = [Query::new(id, text, snapshot)];
    let settings = VerifySettings {
        measure: Measure::Containment,
        threshold: 0.01,
        ..VerifySettings::default()
    };
    let mut verification = verify(snapshot, &queries, &settings, Watch::NOBODY).unwrap();
    verification.report(None, Watch::NOBODY).unwrap()
}

/// How much of a document is in an arrival, and the other way round.
fn shares(report: &Report, number: usize) -> [f64; 2] {
    let right = format!("registry:{}", id(number));
    let pair = report.pairs.iter().find(|pair| pair.right == right);
    pair.map_or([0.0; 2], |pair| pair.containment)
}

/// The same by the paper's definition: chunks of one that are in the other, over all of its own.
fn expected(texts: [&String; 2]) -> [f64; 2] {
    let [left, right] = texts.map(|text| {
        let words: Vec<&str> = text.split(' ').collect();
        let chunk = |window: &[&str]| {
            let mut chunk: Vec<String> = window.iter().map(|word| (*word).to_owned()).collect();
            chunk.sort_unstable();
            chunk
        };
        words
            .windows(5)
            .map(chunk)
            .collect::<BTreeSet<Vec<String>>>()
    });
    let common = left.intersection(&right).count() as f64;
    [common / left.len() as f64, common / right.len() as f64]
}

/// The text of an arrival: words of its own, with some of the one before in the middle.
fn text(number: u64) -> String {
    let own = |place: u64| word(number, place);
    let copied = OWN - COPIED..OWN;
    let before: Vec<String> = match number.checked_sub(1) {
        Some(before) => copied.map(|place| word(before, place)).collect(),
        None => Vec::new(),
    };
    let (first, last) = (0..OWN / 2, OWN / 2..OWN);
    let words: Vec<String> = first.map(own).chain(before).chain(last.map(own)).collect();
    words.join(" ")
}

fn word(document: u64, place: u64) -> String {
    let mixed = (document << 20 | place)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("w{:x}", mixed >> 16)
}
