//! The ranking measures against collections of three documents, worked by hand.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use cento::index::{Hit, Index, Question, Sums, UnitIndex};
use cento::{Fingerprint, Key, Measure, NoCollection, Recipe, Shared, Side, Watch};

/// N = 3; a, b and c are in two documents each, d in one. Lengths are 3, 3 and 2.
const DOCUMENTS: [&str; 3] = ["a a b", "a b c", "c d"];

fn fingerprint(text: &str) -> Fingerprint {
    let recipe: Recipe = "words | window:1 | fast:64 | all".parse().unwrap();
    recipe.fingerprint(text, &Key::PUBLIC, &NoCollection)
}

/// Scores of all three documents for a query, 0 where they share nothing, and the query's own.
fn scores(query: &str, measure: &str) -> ([f64; 3], f64) {
    let documents = DOCUMENTS.map(fingerprint);
    let index = Index::build(&documents.each_ref(), Watch::NOBODY).unwrap();
    let measure: Measure = measure.parse().unwrap();
    let answer = index.search(
        &fingerprint(query),
        measure,
        usize::MAX,
        &mut Sums::default(),
    );
    let mut scores = [0.0; 3];
    for hit in &answer.hits {
        scores[hit.document.0 as usize] = hit.score;
        assert!((hit.share - hit.score / answer.own).abs() < 1e-12);
    }
    assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score));
    (scores, answer.own)
}

#[track_caller]
fn check(query: &str, measure: &str, expected: [f64; 3], own: f64) {
    let (scores, own_score) = scores(query, measure);
    for (score, expected) in scores.iter().zip(expected).chain([(&own_score, own)]) {
        assert!(
            (score - expected).abs() < 1e-5,
            "{measure}: {scores:?}, own {own_score}"
        );
    }
}

#[test]
fn first_document_as_query() {
    // ln(1 + 3/2) = 0.916291 for a and b; 1 + ln 2 = 1.693147 for the two a's of the document.
    check("a a b", "inner", [2.467_706, 1.832_581, 0.0], 2.467_706);
    // Over √3.
    check(
        "a a b",
        "normalized-inner",
        [1.424_731, 1.058_041, 0.0],
        1.424_731,
    );
    // W is √(1.693147² + 1) = 1.966404 and √3.
    check("a a b", "cosine", [1.254_933, 1.058_041, 0.0], 1.254_933);
    // ln(3/2) = 0.405465; a differs by one, so its term is halved.
    check(
        "a a b",
        "identity-1",
        [0.810_930, 0.608_198, 0.0],
        0.810_930,
    );
    check(
        "a a b",
        "identity-2",
        [1.832_581, 1.374_436, 0.0],
        1.832_581,
    );
    // Times f_d + f_q: 4 and 2 against itself, 3 and 2 against the second.
    check(
        "a a b",
        "identity-3",
        [5.497_744, 3.207_018, 0.0],
        5.497_744,
    );
    check(
        "a a b",
        "identity-4",
        [0.810_930, 0.608_198, 0.0],
        0.810_930,
    );
    // N / f_t = 1.5 each.
    check("a a b", "identity-5", [3.0, 2.25, 0.0], 3.0);
}

#[test]
fn lengths_that_differ() {
    // c is shared; the lengths differ by one: 1.5 / (1 + ln 2), and d counts 3 for the query itself.
    check("c d", "identity-5", [0.0, 0.885_924, 4.5], 4.5);
    check("c d", "identity-1", [0.0, 0.202_733, 1.504_077], 1.504_077);
}

#[test]
fn a_query_from_outside() {
    // x is in no document: it counts as if one had it.
    check("a x", "identity-5", [0.442_962, 0.885_924, 0.0], 4.5);
}

#[test]
fn set_measures_run_in_the_same_loop() {
    check("a a b", "containment", [1.0, 1.0, 0.0], 1.0);
    check("a b c", "containment", [2.0 / 3.0, 1.0, 1.0 / 3.0], 1.0);
    check("a b c", "max-containment", [1.0, 1.0, 0.5], 1.0);
    check("a b c", "symmetric", [0.8, 1.0, 0.4], 1.0);
    check("a b c", "resemblance", [2.0 / 3.0, 1.0, 0.25], 1.0);
}

#[test]
fn the_loop_is_the_sum_of_terms() {
    let documents = DOCUMENTS.map(fingerprint);
    let index = Index::build(&documents.each_ref(), Watch::NOBODY).unwrap();
    for measure in Measure::ALL {
        let answer = index.search(&documents[0], measure, usize::MAX, &mut Sums::default());
        for hit in &answer.hits {
            let document = &documents[hit.document.0 as usize];
            let mut sum = 0.0;
            for (digest, in_query) in documents[0].counted() {
                for (other, in_document) in document.counted().filter(|(other, _)| *other == digest)
                {
                    let documents_with = u32::try_from(index.postings_of(other).len()).unwrap();
                    let shared = Shared {
                        in_query,
                        in_document,
                        documents_with,
                    };
                    sum += measure.term(&shared, 3);
                }
            }
            let score = measure.finish(sum, &Side::of(&documents[0]), &Side::of(document));
            assert!((score - hit.score).abs() < 1e-12, "{measure}");
        }
    }
}

/// An ideal measure ranks nothing above the query itself; the others say that they are not ideal.
#[test]
fn ideal_measures() {
    for measure in Measure::ALL {
        let documents = ["a a b", "a a a a b b", "a", "b a c d e f", "a b"].map(fingerprint);
        let index = Index::build(&documents.each_ref(), Watch::NOBODY).unwrap();
        for query in &documents {
            let answer = index.search(query, measure, usize::MAX, &mut Sums::default());
            // A digest that all documents have is worth nothing to some measures.
            let best = answer.hits.first().map_or(0.0, |hit| hit.share);
            assert!(
                !measure.is_ideal() || best <= 1.0 + 1e-12,
                "{measure}: {best}"
            );
        }
    }
}

/// The paper divides by what the query document scores against itself: in an index that keeps little
/// of each document, that is the little that it would keep of the query.
#[test]
fn the_own_score_is_that_of_the_document_as_the_index_keeps_it() {
    let by = |selector: &str, text: &str| {
        let recipe: Recipe = format!("words | window:1 | shiftxor:32 | {selector}")
            .parse()
            .unwrap();
        recipe.fingerprint(text, &Key::PUBLIC, &NoCollection)
    };
    let texts = ["ab cd ab ef", "ab gh", "gh ij kl"];
    let kept = texts.map(|text| by("anchors:ab,gh", text));
    let index = Index::build(&kept.each_ref(), Watch::NOBODY).unwrap();
    let all = by("all", texts[0]);
    let question = Question {
        query: &all,
        itself: &kept[0],
    };
    for measure in Measure::ALL {
        let answer = index.scores(question, measure, &mut Sums::default());
        let copy = answer.hits.iter().find(|hit| hit.document.0 == 0).unwrap();
        assert!((copy.share - 1.0).abs() < 1e-12, "{measure}: {copy:?}");
        let alone = index.scores(&all, measure, &mut Sums::default());
        assert!(
            (alone.hits[0].score - copy.score).abs() < 1e-12,
            "{measure}"
        );
    }
    // Of three different words, one is kept: a third of the query's own digests is its own score.
    let answer = index.scores(question, Measure::Containment, &mut Sums::default());
    assert!((answer.own - 1.0 / 3.0).abs() < 1e-12, "{}", answer.own);
}

/// 50 words every 25: each passage of the query counts once, whatever it is like.
#[test]
fn passages_count_once() {
    let cut: Recipe = "words | window:1 | fast:64 | all | passages:4,2"
        .parse()
        .unwrap();
    let units = |text: &str| cut.passage_fingerprints(text, &Key::PUBLIC, &NoCollection);
    let documents = [
        "a b c d e f g h",
        "a b c d a b c d",
        "w x y z g h e f",
        "w x y z",
    ];
    let documents = documents.map(units);
    assert_eq!(documents.each_ref().map(Vec::len), [3, 3, 3, 1]);
    let all = documents.each_ref().map(Vec::as_slice);
    let index = UnitIndex::build(&all, Some(0.9), Watch::NOBODY).unwrap();
    let scores = |query: usize| -> String {
        let query: Vec<Question<'_>> = documents[query].iter().map(Question::from).collect();
        let answer = index.scores(&query, Measure::Resemblance, &mut Sums::default());
        assert!((answer.own - query.len() as f64).abs() < 1e-12);
        let percent = |hit: &Hit| format!("{:.0}", 100.0 * hit.share);
        let hits = answer.hits.iter();
        let hits: Vec<String> = hits
            .map(|hit| format!("{}: {}", hit.document.0, percent(hit)))
            .collect();
        hits.join(", ")
    };
    // a b c d is a passage of the second document twice, and e f g h one of the third.
    assert_eq!(scores(0), "0: 100, 1: 33, 2: 33");
    // Every passage of the second one is a b c d in some order.
    assert_eq!(scores(1), "0: 100, 1: 100");
    assert_eq!(scores(3), "2: 100, 3: 100");
}

#[test]
fn the_rarest_terms_that_another_document_has() {
    let documents = ["a a b c e", "a b c", "c d", "c b"].map(fingerprint);
    let units = documents.each_ref().map(std::slice::from_ref);
    let index = UnitIndex::build(&units, None, Watch::NOBODY).unwrap();
    let terms = |text: &str, most: usize, document: Option<u32>| {
        let kept = index.rarest_terms(&fingerprint(text), most, document);
        let name = |letter: &&&str| kept.digests().contains(&fingerprint(letter).digests()[0]);
        let letters = ["a", "b", "c", "d", "e", "x"];
        letters.iter().filter(name).copied().collect::<String>()
    };
    // e is in no document but the query itself, a in one other, b in two, c in three.
    assert_eq!(terms("a a b c e", 1, Some(0)), "a");
    assert_eq!(terms("a a b c e", 2, Some(0)), "ab");
    assert_eq!(terms("a a b c e", 9, Some(0)), "abc");
    // From outside, what one document has is the rarest; x finds nothing.
    assert_eq!(terms("x e a", 1, None), "e");
    let kept = index.rarest_terms(&fingerprint("a a b c e"), 1, Some(0));
    assert_eq!(kept.tokens(), 5, "its length is that of the whole query");
    assert_eq!(
        kept.counted().map(|(_, count)| count).collect::<Vec<_>>(),
        [2]
    );
}
