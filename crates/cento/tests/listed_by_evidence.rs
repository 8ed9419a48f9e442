//! A list that is made from what the texts share: a copied page in a long document, edited text, and
//! text that everybody has.

#![allow(clippy::unwrap_used, reason = "a test may fail this way")]

use cento::align::{Aligner, Meanings};
use cento::report::{Listed, PairReport, Report};
use cento::{
    Document, Key, Listing, NoCollection, Recipe, ScanSettings, Stretches, Texts, Watch, scan,
};

/// Sentences of a document of its own: no other number shares a word with it.
fn own(author: usize, sentences: usize) -> String {
    let sentence = |sentence: usize| {
        let words: Vec<String> = (0..12)
            .map(|word| format!("q{author}{}", letters(sentence * 12 + word)))
            .collect();
        format!("A{}. ", words.join(" "))
    };
    (0..sentences).map(sentence).collect()
}

fn letters(number: usize) -> String {
    let digit = |at: u32| char::from(b'a' + u8::try_from(number / 26_usize.pow(at) % 26).unwrap());
    (0..3).map(digit).collect()
}

const PAGE: &str = "Barges carried flour along narrow canals toward distant harbours while clerks \
    counted every sack twice before sunset. Nobody trusted those figures, because merchants bribed \
    whoever held a pencil. Inspectors arrived unannounced each winter, weighed random barrels, and \
    published shortages under the names of captains who had signed for them. ";

/// The same with other words and in another order, as somebody might who has read it.
const REWRITTEN: &str = "Along narrow canals flour was carried by barges toward far harbours, and \
    before sunset clerks counted each sack two times. Those figures nobody trusted, since whoever \
    held a pencil was bribed by merchants. Each winter inspectors arrived unannounced; random \
    barrels were weighed, and shortages published under names of captains who had signed. ";

fn documents(texts: &[String]) -> Vec<Document> {
    let recipe = Recipe::default();
    let document = |(number, text): (usize, &String)| {
        let fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
        let words = recipe.count_words(text, &fingerprint);
        Document {
            stretches: Stretches::of(text, &Key::PUBLIC),
            ..Document::new(format!("{number:03}"), words, fingerprint)
        }
    };
    texts.iter().enumerate().map(document).collect()
}

fn listed(texts: &[String], settings: &ScanSettings) -> Report {
    let read = |id: &str| texts.get(id.parse::<usize>().ok()?).cloned();
    listed_with(texts, settings, &read)
}

fn listed_with(
    texts: &[String],
    settings: &ScanSettings,
    read: &(dyn Fn(&str) -> Option<String> + Sync),
) -> Report {
    let sources = Texts {
        aligner: Aligner::Passages,
        read,
        marks: false,
        meanings: &Meanings::none,
        templates: Vec::new(),
        key: &Key::PUBLIC,
        seen: &NoCollection,
    };
    scan(documents(texts), settings, Some(&sources), Watch::NOBODY).unwrap()
}

fn by_evidence() -> ScanSettings {
    ScanSettings {
        listing: Listing::Evidence {
            passage: Listing::PASSAGE,
        },
        ..ScanSettings::default()
    }
}

fn ends(report: &Report) -> Vec<(&str, &str, Option<Listed>)> {
    let pairs = report.pairs.iter();
    pairs
        .map(|pair| (pair.left.as_str(), pair.right.as_str(), pair.listed))
        .collect()
}

#[test]
fn a_copied_page_in_a_long_document_is_listed() {
    let texts = [
        format!("{}{PAGE}{}", own(1, 60), own(2, 60)),
        own(3, 120),
        format!("{}{PAGE}{}", own(4, 20), own(5, 90)),
    ];
    let report = listed(&texts, &by_evidence());
    assert_eq!(ends(&report), [("000", "002", Some(Listed::Passage))]);
    assert_eq!((report.at_threshold, report.below_threshold), (1, Some(0)));
    assert_eq!(report.families, [["000", "002"]]);
    assert!(report.pairs[0].larger_share() < 0.1);
    // By its score nobody would have looked at it.
    assert!(listed(&texts, &ScanSettings::default()).pairs.is_empty());
}

#[test]
fn a_rewritten_page_is_listed_although_hardly_a_chunk_is_left() {
    let texts = [
        format!("{}{PAGE}{}", own(1, 60), own(2, 60)),
        format!("{}{REWRITTEN}{}", own(4, 20), own(5, 90)),
    ];
    let report = listed(&texts, &by_evidence());
    assert_eq!(ends(&report), [("000", "001", Some(Listed::Passage))]);
    assert!(report.pairs[0].score < 0.02, "{}", report.pairs[0].score);
}

#[test]
fn shares_decide_and_order() {
    let texts = [
        format!("{PAGE}{}", own(1, 5)),
        format!("{}{PAGE}", own(2, 2)),
        format!("{}{PAGE}{}", own(3, 70), own(4, 70)),
    ];
    let report = listed(&texts, &by_evidence());
    let shares: Vec<f64> = report.pairs.iter().map(PairReport::larger_share).collect();
    assert_eq!(shares.len(), 3);
    assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
    let high = ScanSettings {
        threshold: 0.6,
        listing: Listing::Evidence { passage: 1000 },
        ..by_evidence()
    };
    let report = listed(&texts, &high);
    assert!(report.pairs.iter().all(|pair| pair.larger_share() >= 0.6));
    assert_eq!(report.at_threshold, 2);
    let top = ScanSettings {
        top: Some(1),
        ..high
    };
    let report = listed(&texts, &top);
    assert_eq!((report.pairs.len(), report.at_threshold), (1, 2));
}

#[test]
fn a_passage_that_many_have_lists_nobody() {
    let texts: Vec<String> = (0..12)
        .map(|author| format!("{PAGE}{}", own(author, 120)))
        .collect();
    let report = listed(&texts, &by_evidence());
    assert_eq!(ends(&report), []);
    // Of two it is evidence.
    let report = listed(&texts[..2], &by_evidence());
    assert_eq!(report.pairs.len(), 1);
}

#[test]
fn without_text_to_read_again_the_score_is_what_is_left() {
    let texts = [
        format!("{PAGE}{}", own(1, 5)),
        format!("{PAGE}{}", own(2, 5)),
    ];
    let report = listed_with(&texts, &by_evidence(), &|_| None);
    assert_eq!(report.pairs.len(), 1);
    assert!(report.pairs[0].evidence.is_none());
    assert!(!report.notes.is_empty());
}
