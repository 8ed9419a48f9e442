//! The attack of section 3 of the paper on text sifting: somebody edits a registered text a little,
//! asks, edits more where that helped, and ends with the smallest edit that is not noticed. Measured
//! in questions, with the defence and without.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "it prints what it measured")]

mod support;

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
    let (server, anna, vera, sam) = setup(Budget::default());
    let without = attack(&server, &vera, 100);
    let with = attack(&server, &sam, 100);
    let changed = without.changed.unwrap();
    println!(
        "without the defence: {} questions, {:.0} % of the words changed",
        without.questions,
        changed * 100.0
    );
    println!(
        "with it: {} questions answered, {} refused, not found",
        with.questions, with.refused
    );
    assert!(
        (6..=12).contains(&without.questions),
        "{}",
        without.questions
    );
    // Those that have next to nothing of the text in them are not about it.
    assert!((5..=6).contains(&with.questions), "{}", with.questions);
    assert!(with.changed.is_none());
    assert!(with.refused > 50);
    // It is on record.
    let log = server.get("/api/v1/audit?limit=10", &anna).ok();
    assert_eq!(log["entries"][0]["action"], "slowed");
    assert_eq!(log["entries"][0]["account"], "sam");
}

#[test]
fn five_drafts_are_answered_and_a_sixth_is_not_whoever_asks() {
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
    for changes in 10..15 {
        ask(&sam, changes).ok();
    }
    // The same words and the same delay, whatever was asked and whatever is registered of it.
    let refused = ask(&sam, 15);
    let half = words[..WORDS / 2].join(" ");
    let half = server.post("/api/v1/verifications", &sam, half.as_bytes());
    for answer in [&refused, &half] {
        answer.is_problem(429, "over-budget");
        assert_eq!(
            answer.json()["detail"],
            "not answered; ask again after 182 days"
        );
        assert_eq!(answer.headers["retry-after"], "15724800");
        assert!(answer.json().get("pairs").is_none());
    }
    assert_eq!(refused.text(), half.text());
    // The same text again tells nothing new, and another text is another family.
    ask(&sam, 12).ok();
    server
        .post("/api/v1/verifications", &sam, text(77, 300).as_bytes())
        .ok();
    for changes in 0..12 {
        ask(&vera, changes).ok();
    }
}

/// A quarter of a million other words around a text used to hide most edits of it.
#[test]
fn padding_does_not_hide_an_edit() {
    let (server, _, _, sam) = setup(Budget::default());
    let essay = text(1, WORDS);
    let words: Vec<&str> = essay.split_whitespace().collect();
    let around = text(5, 8_000);
    let mut answered = 0;
    for changes in 100..112 {
        let padded = format!("{around} {}", edited(&words, changes));
        let answer = server.post("/api/v1/verifications", &sam, padded.as_bytes());
        answered += u32::from(answer.status == 200);
    }
    assert_eq!(answered, 5);
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
