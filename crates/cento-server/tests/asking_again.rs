//! The attack of section 3 of the paper on text sifting: somebody edits a registered text a little,
//! asks, edits more where that helped, and ends with the smallest edit that is not noticed. Measured
//! in questions, with the defence and without.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "it prints what it measured")]

mod support;

use std::time::Duration;

use cento::index::registry::Retention;
use cento_server::{Budget, Role};
use support::{Running, Setup, Who, text};

/// How an attack went.
struct Attack {
    questions: u32,
    refused: u32,
    /// The share of words that had to be changed, if it found out.
    changed: Option<f64>,
}

const WORDS: usize = 800;

/// The text with every `gap`-th word replaced: windows of five words need one of them.
fn edited(words: &[&str], changes: usize) -> String {
    let places: Vec<usize> = (0..changes)
        .map(|n| n * words.len() / changes.max(1))
        .collect();
    let mut edited: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    for (number, place) in places.into_iter().enumerate() {
        edited[place] = format!("xq{number}z");
    }
    edited.join(" ")
}

/// Finds the least number of changed words by halving what is left between noticed and not.
fn attack(server: &Running, who: &Who, most: u32) -> Attack {
    let essay = text(1, WORDS);
    let words: Vec<&str> = essay.split_whitespace().collect();
    let mut attack = Attack {
        questions: 0,
        refused: 0,
        changed: None,
    };
    let (mut noticed, mut unnoticed) = (0, words.len());
    while unnoticed - noticed > 1 {
        if attack.questions + attack.refused >= most {
            return attack;
        }
        let middle = usize::midpoint(noticed, unnoticed);
        let answer = server.post(
            "/api/v1/verifications",
            who,
            edited(&words, middle).as_bytes(),
        );
        if answer.status == 429 {
            answer.is_problem(429, "over-budget");
            attack.refused += 1;
            continue;
        }
        attack.questions += 1;
        if answer.ok()["pairs"].as_array().unwrap().is_empty() {
            unnoticed = middle;
        } else {
            noticed = middle;
        }
    }
    attack.changed = Some(unnoticed as f64 / words.len() as f64);
    attack
}

fn setup(budget: Budget) -> (Running, Who, Who, Who) {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .account("vera", Role::Verify, None)
        .account("sam", Role::Submit, None)
        .change(|config| config.budget = budget);
    let [anna, vera, sam] = ["anna", "vera", "sam"].map(|name| Who::token(&setup.token(name)));
    let server = setup.start();
    server
        .post(
            "/api/v1/documents?id=thesis&submitter=x",
            &anna,
            text(1, WORDS).as_bytes(),
        )
        .ok();
    (server, anna, vera, sam)
}

#[test]
fn an_evasion_costs_more_than_the_budget() {
    // Without pauses, as for an attacker who has time.
    let patient = Budget {
        questions: 5,
        window: Duration::from_hours(7 * 24),
        pause: Duration::ZERO,
    };
    let (server, anna, vera, sam) = setup(patient);
    let without = attack(&server, &vera, 100);
    let with = attack(&server, &sam, 100);
    let changed = without.changed.unwrap();
    println!(
        "without the defence: {} questions, {:.0} % of the words changed",
        without.questions,
        changed * 100.0
    );
    println!(
        "with it: {} questions answered, {} refused, not found within the week",
        with.questions, with.refused
    );
    assert!(
        (6..=12).contains(&without.questions),
        "{}",
        without.questions
    );
    // Those that have nothing of the text in them are not about it.
    assert!((5..=7).contains(&with.questions), "{}", with.questions);
    assert!(with.changed.is_none());
    assert!(with.refused > 50);
    // It is on record.
    let log = server.get("/api/v1/audit?limit=10", &anna).ok();
    assert_eq!(log["entries"][0]["action"], "slowed");
    assert_eq!(log["entries"][0]["account"], "sam");
}

#[test]
fn a_second_draft_is_not_slowed_but_a_third_is() {
    let (server, _, vera, sam) = setup(Budget::default());
    let essay = text(1, WORDS);
    let words: Vec<&str> = essay.split_whitespace().collect();
    let ask = |who: &Who, changes: usize| {
        server.post(
            "/api/v1/verifications",
            who,
            edited(&words, changes).as_bytes(),
        )
    };
    ask(&sam, 10).ok();
    ask(&sam, 12).ok();
    let slowed = ask(&sam, 14);
    slowed.is_problem(429, "over-budget");
    let wait: u64 = slowed.headers["retry-after"].parse().unwrap();
    assert!((30..=60).contains(&wait), "{wait}");
    // The same text again tells nothing new, and another text is another family.
    ask(&sam, 12).ok();
    server
        .post("/api/v1/verifications", &sam, text(77, 300).as_bytes())
        .ok();
    // A part of the text is still the text.
    let half = words[..WORDS / 2].join(" ");
    server
        .post("/api/v1/verifications", &sam, half.as_bytes())
        .is_problem(429, "over-budget");
    for changes in 0..12 {
        ask(&vera, changes).ok();
    }
}

#[test]
fn answers_are_coarse_for_those_who_submit() {
    let (server, _, vera, sam) = setup(Budget::default());
    let essay = text(1, WORDS);
    let words: Vec<&str> = essay.split_whitespace().collect();
    let text = edited(&words, 40);
    let exact = server
        .post("/api/v1/verifications", &vera, text.as_bytes())
        .ok();
    let answer = server.post("/api/v1/verifications?threshold=0.7", &sam, text.as_bytes());
    let coarse = answer.ok();
    let share = |report: &serde_json::Value| report["pairs"][0]["containment"][0].as_f64().unwrap();
    assert!(
        share(&exact) > 0.7 && share(&exact) < 0.9,
        "{}",
        share(&exact)
    );
    assert!([0.5, 0.75].contains(&share(&coarse)), "{}", share(&coarse));
    assert_eq!(coarse["pairs"][0]["shared"], 0);
    assert!(!answer.text().contains("thesis"));
    // A threshold of their own would tell the share by and by.
    assert_eq!(coarse["settings"]["threshold"], 0.1);
}

#[test]
fn templates_do_not_make_a_family() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("sam", Role::Submit, None);
    let path = setup.folder.path().join("registry");
    let form = text(50, 400);
    let mut registry =
        cento::index::registry::Registry::open(&path, &support::key(), "a test").unwrap();
    registry.ignore("form", None, &form).unwrap();
    drop(registry);
    let sam = Who::token(&setup.token("sam"));
    let server = setup.start();
    // Ten people's forms, each with a few words of its own: nobody is slowed.
    for number in 0..10 {
        let filled = format!("{form}\n{}", text(100 + number, 60));
        server
            .post("/api/v1/verifications", &sam, filled.as_bytes())
            .ok();
    }
}
