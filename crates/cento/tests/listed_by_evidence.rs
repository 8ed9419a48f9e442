//! A list that is made from what the texts share: a copied page in a long document, edited text, text
//! that everybody has, and answers to one question.

#![allow(clippy::unwrap_used, reason = "a test may fail this way")]

use cento::align::{Aligner, Meanings};
use cento::report::{Listed, PairReport, Report};
use cento::token::Content;
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
    let read = |id: &str| Some(texts.get(id.parse::<usize>().ok()?)?.clone().into());
    listed_with(texts, settings, &read)
}

fn listed_with(
    texts: &[String],
    settings: &ScanSettings,
    read: &(dyn Fn(&str) -> Option<Content> + Sync),
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

/// What there is to say about one question, and the words for it.
const SUBJECT: [&str; 6] = [
    "tides moon gravity pulls nearest ocean toward itself bulge",
    "opposite side earth water lags behind second bulge forms",
    "rotation carries coasts through both bulges twice each day",
    "spring alignment sun adds strength highest range full month",
    "neap quarter phases weaken difference between high low marks",
    "harbour funnel shape basin depth shelf amplifies local height",
];

/// What only one text says about it.
const PARAGRAPH: &str = "Fishermen along shallow estuaries noticed that tides follow the moon, because \
    gravity lifts the water facing it into a swelling bulge. Meanwhile centrifugal balance heaps the \
    ocean on the opposite side, so harbours drown twice daily and mudflats surface between. Whenever \
    moon and sun align their pull combines, and spring floods climb seawalls that ordinarily stay dry. ";

/// Numbers that look random, always the same ones.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        let next = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d);
        self.0 = next.wrapping_add(0x1405_7b7e_f767_814f);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.roll(at + 1));
        }
    }
}

/// The answer of somebody who knows the subject: in each sentence seven of the words for it, and as many
/// of their own.
fn answer(author: usize, sentences: usize) -> String {
    let mut dice = Dice(author as u64);
    let mut own = (0..).map(|word| format!("w{}{}", letters(author), letters(word)));
    let mut subject = SUBJECT;
    dice.shuffle(&mut subject);
    let sentence = |words: &&str| {
        let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        dice.shuffle(&mut words);
        words.truncate(7);
        words.extend(own.by_ref().take(7));
        dice.shuffle(&mut words);
        format!("A {}. ", words.join(" "))
    };
    subject.iter().take(sentences).map(sentence).collect()
}

/// The answers of so many honest people. Two of the first thirty happen to choose the same seven words
/// for one sentence, which is half of it and evidence for whoever sees only texts; one of them is left
/// out.
fn answers(count: usize) -> impl Iterator<Item = String> {
    let authors = (0..).filter(|author| *author != 14).take(count);
    authors.map(|author| answer(author, 5))
}

/// The paragraph as somebody rewrites it: every fourth word is their own, and words that stand
/// together change places.
fn rewritten(author: usize) -> String {
    let mut dice = Dice(1000 + author as u64);
    let mut own = (0..).map(|word| format!("v{}{}", letters(author), letters(word)));
    let sentence = |sentence: &str| {
        let words = sentence.split_whitespace();
        let mut words: Vec<String> = words
            .map(|word| match dice.roll(4) {
                0 => own.next().unwrap(),
                _ => word.to_owned(),
            })
            .collect();
        words.chunks_mut(4).for_each(|four| dice.shuffle(four));
        format!("A {}. ", words.join(" "))
    };
    PARAGRAPH.split_terminator(". ").map(sentence).collect()
}

fn listed_among(texts: &[String]) -> Vec<(usize, usize)> {
    let report = listed(texts, &by_evidence());
    let number = |id: &str| id.parse::<usize>().unwrap();
    let pairs = report.pairs.iter();
    pairs
        .map(|pair| (number(&pair.left), number(&pair.right)))
        .collect()
}

/// How many pairs of these texts would be listed if there were no others.
fn listed_by_twos(texts: &[String]) -> usize {
    let lefts = texts.iter().enumerate();
    let two = lefts.flat_map(|(at, left)| texts[at + 1..].iter().map(move |right| [left, right]));
    two.filter(|two| !listed_among(&two.map(String::clone)).is_empty())
        .count()
}

#[test]
fn the_words_of_the_question_list_no_honest_answer() {
    let texts: Vec<String> = answers(30).collect();
    let by_twos = listed_by_twos(&texts[..8]);
    assert!(by_twos >= 5, "{by_twos}");
    assert_eq!(listed_among(&texts), []);
    assert_eq!(listed_among(&texts[..12]), []);
    // Among documents about anything else the words are rarer, and who says three things in the same
    // order as somebody else may be listed.
    let mut mixed = texts[..20].to_vec();
    mixed.extend((0..80).map(|author| own(author, 12)));
    let among = listed_among(&mixed);
    assert!(among.len() <= 2, "{among:?}");
}

#[test]
fn what_is_listed_for_a_share_needs_more_than_the_words_of_the_question() {
    let mut texts: Vec<String> = answers(30).collect();
    texts[0].push_str(PAGE);
    texts[1].push_str(PAGE);
    let report = listed(&texts, &by_evidence());
    assert_eq!(ends(&report), [("000", "001", Some(Listed::Share))]);
    // The histogram says what the list says.
    assert_eq!(report.histogram.buckets[100..].iter().sum::<u64>(), 1);
}

#[test]
fn ten_who_rewrote_one_paragraph_are_listed_among_thirty_honest_answers() {
    let copy = |author| format!("{}{}", answer(100 + author, 2), rewritten(author));
    let copies: Vec<String> = (0..10).map(copy).collect();
    let by_twos = listed_by_twos(&copies);
    let texts: Vec<String> = copies.into_iter().chain(answers(30)).collect();
    let among = listed_among(&texts);
    let is_copies = |&(left, right): &(usize, usize)| left < 10 && right < 10;
    let (copies, others): (Vec<_>, Vec<_>) = among.into_iter().partition(is_copies);
    assert_eq!(others, []);
    assert!(
        copies.len() * 10 >= by_twos * 9,
        "{} of {by_twos}",
        copies.len()
    );
    for author in 0..10 {
        let partners = copies
            .iter()
            .filter(|pair| pair.0 == author || pair.1 == author);
        assert!(partners.count() >= 5, "{author}");
    }
}
