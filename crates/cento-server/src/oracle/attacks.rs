//! The attack of section 3 of the paper on text sifting, against the budget: a registered text is
//! edited until it goes unnoticed by as little as possible. Five accounts ask in turn, and whoever is
//! refused tries the next variant with the next account. Counted are questions until the smallest
//! edit is known: unnoticed, and one edit fewer noticed. And honest use, which must not be refused.
//!
//! `cargo test -p cento-server --lib attacks -- --nocapture` prints the table; `CENTO_LONG=1` plays
//! every strategy from more seeds.

#![allow(clippy::print_stdout, reason = "it prints what it measured")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cento::index::registry::{Facts, OnChange, Registry, Retention, Settings, Snapshot};
use cento::verify::{Query, VerifySettings, verify};
use cento::{Key, Recipe, Watch};
use tempfile::TempDir;

use super::{Oracle, Sketch, Sketching, Verdict};
use crate::config::Budget;
use crate::store::Store;
use crate::time::Seconds;

const WORDS: usize = 240;
const NOW: Seconds = 1_800_000_000;
const DAY: Seconds = 86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edits {
    /// As far from each other as possible.
    Even,
    /// At random places, the same ones and more.
    Random,
    /// At random places, others for every question.
    Restarts,
    /// All words first, and then fewer and fewer.
    Undone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Padding {
    None,
    /// The same other text around every variant.
    Constant,
    /// Another one around each.
    Fresh,
}

/// What somebody tries, from a seed.
#[derive(Clone, Copy, Debug)]
struct Strategy {
    edits: Edits,
    padding: Padding,
    seed: u64,
}

/// How an attack went.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    questions: u32,
    answers: u32,
    /// How many words had to be changed, if that came out.
    changes: Option<usize>,
}

/// A registry with a text of which somebody wants to use as much as possible.
struct Scene {
    folder: TempDir,
    snapshot: Snapshot,
    text: Vec<String>,
}

impl Scene {
    fn new(recipe: &str, seed: u64) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("registry");
        let key = Key::new(*b"a key of 16 byte");
        let text = essay(seed, seed, WORDS);
        let registered = [("thesis", text.clone()), ("other", essay(9, 99, 900))];
        registry(&path, recipe, &key, &registered);
        let snapshot = Snapshot::open(&path, &key, "2026-01-02T00:00:00Z").unwrap();
        Scene {
            folder,
            snapshot,
            text,
        }
    }

    fn oracle(&self, budget: Budget) -> Oracle {
        let data = tempfile::tempdir_in(self.folder.path()).unwrap().keep();
        Oracle::new(Arc::new(Store::open(&data).unwrap()), budget)
    }

    /// What the oracle says to a question, and what would be answered.
    fn ask(&self, oracle: &Oracle, account: &str, text: &str, now: Seconds) -> Option<bool> {
        let query = Query::new("question", text, &self.snapshot);
        let sketch = Sketch::of(&Sketching {
            query: &query,
            text,
            snapshot: &self.snapshot,
        });
        let verdict = oracle.ask(account, &sketch, now).unwrap();
        (verdict == Verdict::Answer).then(|| {
            let settings = VerifySettings::default();
            let queries = [query];
            let found = verify(&self.snapshot, &queries, &settings, Watch::NOBODY);
            found.unwrap().is_found()
        })
    }

    /// The text with so many words changed.
    fn variant(&self, strategy: Strategy, changes: usize, question: u32) -> String {
        let places: Vec<usize> = match strategy.edits {
            Edits::Even => (0..changes).map(|n| n * WORDS / changes.max(1)).collect(),
            Edits::Random | Edits::Undone => shuffled(strategy.seed),
            Edits::Restarts => shuffled(strategy.seed + 1000 + u64::from(question)),
        };
        let mut words = self.text.clone();
        for &place in places.iter().take(changes) {
            words[place] = format!("xq{place}z");
        }
        let around = match strategy.padding {
            Padding::None => Vec::new(),
            Padding::Constant => essay(77, strategy.seed + 7, padding()),
            Padding::Fresh => essay(77, strategy.seed + 7000 + u64::from(question), padding()),
        };
        let (before, after) = around.split_at(around.len() / 2);
        [before, &words, after].concat().join(" ")
    }

    fn attack(&self, strategy: Strategy, budget: Budget) -> Outcome {
        let oracle = self.oracle(budget);
        let accounts = ["ann", "bob", "cyd", "dan", "eve"];
        let mut outcome = Outcome::default();
        // Who has nothing of the text is not noticed; that need not be asked.
        let (mut noticed, mut unnoticed) = (0, WORDS);
        while unnoticed - noticed > 1 && outcome.questions < most() {
            let changes = match strategy.edits {
                Edits::Undone => unnoticed - (unnoticed - noticed).div_ceil(8),
                _ => usize::midpoint(noticed, unnoticed),
            };
            let text = self.variant(strategy, changes, outcome.questions);
            let account = accounts[outcome.questions as usize % accounts.len()];
            // A thousand questions in a term.
            let now = NOW + Seconds::from(outcome.questions) * DAY / 6;
            outcome.questions += 1;
            let Some(is_noticed) = self.ask(&oracle, account, &text, now) else {
                continue;
            };
            outcome.answers += 1;
            if is_noticed {
                noticed = changes;
            } else {
                unnoticed = changes;
            }
        }
        outcome.changes = (unnoticed - noticed <= 1).then_some(unnoticed);
        outcome
    }
}

fn registry(path: &Path, recipe: &str, key: &Key, documents: &[(&str, Vec<String>)]) {
    let settings = Settings {
        recipe: Recipe::named(recipe).unwrap(),
        retention: Retention::Digests,
        kept_bits: Settings::KEPT_BITS,
        pairs: false,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(path, settings, Some(key), "2026-01-01T00:00:00Z").unwrap();
    let mut registry = Registry::open(path, key, "a test").unwrap();
    for (id, words) in documents {
        let facts = Facts {
            id: (*id).to_owned(),
            registered: "2026-01-01T00:00:00Z".to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &words.join(" "));
        registry.add(candidate, OnChange::Version).unwrap();
    }
    registry.commit().unwrap();
}

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

/// The places of words in an order of its own for each seed.
fn shuffled(seed: u64) -> Vec<usize> {
    let mut random = Random(seed);
    let mut places: Vec<usize> = (0..WORDS).collect();
    for last in (1..WORDS).rev() {
        places.swap(last, random.below(last + 1));
    }
    places
}

/// So many words on a subject: as in a language, few words are most of a text, and what belongs to
/// the subject is said again and again.
fn essay(subject: u64, seed: u64, words: usize) -> Vec<String> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9) + 5);
    let mut word = || {
        // The smallest of three: low numbers are much more common.
        let rank = (0..3).map(|_| random.below(8000)).min().unwrap();
        match random.below(6) {
            0 | 1 => ["the", "of", "and", "to", "in", "is"][random.below(6)].to_owned(),
            2 => format!("subject{subject}x{}", rank % 40),
            _ => format!("word{rank}"),
        }
    };
    (0..words).map(|_| word()).collect()
}

fn is_long() -> bool {
    std::env::var_os("CENTO_LONG").is_some()
}

/// After so many questions an attack is given up.
fn most() -> u32 {
    if is_long() { 1001 } else { 40 }
}

/// Words around a variant that has some.
fn padding() -> usize {
    if is_long() { 1000 } else { 400 }
}

fn median(mut numbers: Vec<u32>) -> u32 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

const UNLIMITED: Budget = Budget {
    questions: u32::MAX,
    window: Duration::from_hours(24 * 182),
};

#[test]
fn the_smallest_edit_that_escapes_does_not_come_out() {
    println!("RECIPE      EDITS     PADDING   WITHOUT THE BUDGET         WITH IT");
    for recipe in ["default", "sift", "sift-guard"] {
        let mut questions = Vec::new();
        for seed in 0..if is_long() { 3 } else { 1 } {
            let scene = Scene::new(recipe, seed + 1);
            for edits in [Edits::Even, Edits::Random, Edits::Restarts, Edits::Undone] {
                for padding in [Padding::None, Padding::Constant, Padding::Fresh] {
                    // What is around a text takes most of the time.
                    let is_quick = padding == Padding::None || edits == Edits::Restarts;
                    let strategy = Strategy {
                        edits,
                        padding,
                        seed,
                    };
                    if is_quick || is_long() {
                        questions.push(told(&scene, recipe, strategy));
                    }
                }
            }
        }
        let median = median(questions);
        println!("{recipe}: median {median} questions");
        assert!(median >= most(), "{recipe}: {median}");
    }
}

/// Plays an attack with the budget and without; says and gives back how many questions it took.
fn told(scene: &Scene, recipe: &str, strategy: Strategy) -> u32 {
    let free = scene.attack(strategy, UNLIMITED);
    let limited = scene.attack(strategy, Budget::default());
    let end = match limited.changes {
        Some(changes) => format!("{changes} changes"),
        None => "not found".to_owned(),
    };
    println!(
        "{recipe:<11} {:<9} {:<9} {:>4} questions, {:>3} changes {:>4} questions, {:>4} answers, {end}",
        format!("{:?}", strategy.edits),
        format!("{:?}", strategy.padding),
        free.questions,
        free.changes.unwrap_or(0),
        limited.questions,
        limited.answers,
    );
    limited.questions
}

/// One account, 300 documents, three drafts of each over a term. All have the assignment in them and
/// a quotation from one of five registered sources, and thirty of them are on each subject.
#[test]
fn honest_use_is_not_refused() {
    let scene = Scene::new("default", 1);
    let oracle = scene.oracle(Budget::default());
    let length = if is_long() { 1000 } else { 300 };
    let assignment = essay(500, 500, length / 10);
    let sources: Vec<Vec<String>> = (0..5).map(|n| essay(n, 600 + n, 400)).collect();
    let mut random = Random(3);
    let mut documents: Vec<Vec<String>> = (0..300)
        .map(|n| {
            let source = &sources[random.below(5)];
            let from = random.below(300);
            let quoted = &source[from..from + length / 20 + random.below(length / 20)];
            let own = essay(n % 10, 10_000 + n, length / 2 + random.below(length));
            let (before, after) = own.split_at(own.len() / 2);
            [&assignment[..], before, quoted, after].concat()
        })
        .collect();
    let mut refused = 0;
    for draft in 0..3 {
        for (number, document) in (0..).zip(&mut documents) {
            for word in &mut *document {
                if draft > 0 && random.below(10) == 0 {
                    *word = format!("draft{draft}x{}", random.below(3000));
                }
            }
            let now = NOW + draft * 50 * DAY + number * 3600;
            let answer = scene.ask(&oracle, "moodle", &document.join(" "), now);
            refused += u32::from(answer.is_none());
        }
    }
    assert_eq!(refused, 0);
}

/// The same text is free whoever asks, and what was refused stays refused.
#[test]
fn the_same_text_again() {
    let scene = Scene::new("default", 1);
    let oracle = scene.oracle(Budget {
        questions: 2,
        ..Budget::default()
    });
    let ask = |account: &str, changes: usize, now| {
        let strategy = Strategy {
            edits: Edits::Even,
            padding: Padding::None,
            seed: 0,
        };
        scene
            .ask(&oracle, account, &scene.variant(strategy, changes, 0), now)
            .is_some()
    };
    assert!(ask("ann", 10, NOW) && ask("ann", 11, NOW));
    assert!(!ask("ann", 12, NOW) && !ask("ann", 12, NOW + DAY) && !ask("bob", 12, NOW));
    assert!(ask("ann", 10, NOW + DAY) && ask("bob", 11, NOW));
    // Each refusal counts from its own time on: half a year after the last one there are answers.
    assert!(!ask("ann", 13, NOW + 182 * DAY));
    assert!(!ask("ann", 13, NOW + 363 * DAY));
    assert!(ask("ann", 13, NOW + 546 * DAY));
}
