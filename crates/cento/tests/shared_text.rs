//! What the texts of listed pairs say: passages, what is left out of them, and the sums.

#![allow(clippy::unwrap_used, reason = "a test may fail this way")]

use cento::align::{Aligner, Meanings};
use cento::discount::{Discount, Discounts};
use cento::report::{Evidence, Note, Report};
use cento::{Document, Key, Measure, NoCollection, Recipe, ScanSettings, Texts, Watch};
use proptest::prelude::*;

const STORY: &str = "The harbour master counted the barges at dawn and wrote their names into a \
    green ledger that nobody else was allowed to touch. When the river froze he kept counting, \
    although nothing moved, because an empty page would have looked like neglect.";
const OTHER: &str = "Bread was baked twice a week in the house behind the mill, and children were \
    sent with baskets to fetch it before the frost made the lane too slippery for small shoes.";
const THIRD: &str = "Nobody remembers who planted the two pear trees, yet every spring a photograph \
    of their blossom appears in the window of the bakery together with a handwritten date.";
const TEMPLATE: &str = "Declaration of authorship: I declare that this essay is entirely my own \
    work and that every idea which I took from another person is named where I use it.";

fn settings(left_out: Discounts) -> ScanSettings {
    ScanSettings {
        recipe: Recipe::named("default").unwrap(),
        measure: Measure::MaxContainment,
        threshold: 0.0,
        left_out,
        ..ScanSettings::default()
    }
}

fn scan(texts: &[String], templates: &[&str], aligner: Aligner, left_out: Discounts) -> Report {
    let settings = settings(left_out);
    let name = |number: usize| format!("{number:03}");
    let documents = texts.iter().enumerate().map(|(number, text)| {
        let fingerprint = settings
            .recipe
            .fingerprint(text, &Key::PUBLIC, &NoCollection);
        let words = settings.recipe.count_words(text, &fingerprint);
        Document::new(name(number), words, fingerprint)
    });
    let read = |id: &str| Some(texts.get(id.parse::<usize>().ok()?)?.clone().into());
    let sources = Texts {
        aligner,
        meanings: &Meanings::none,
        read: &read,
        marks: true,
        templates: templates
            .iter()
            .map(|&text| text.to_owned().into())
            .collect(),
        key: &Key::PUBLIC,
        seen: &NoCollection,
    };
    cento::scan(
        documents.collect(),
        &settings,
        Some(&sources),
        Watch::NOBODY,
    )
    .unwrap()
}

fn only_pair(texts: &[String; 2], templates: &[&str]) -> (Report, Evidence) {
    let report = scan(texts, templates, Aligner::Passages, Discounts::USUAL);
    let evidence = report.pairs[0].evidence.clone().unwrap();
    (report, evidence)
}

fn discounts(evidence: &Evidence) -> Vec<Option<Discount>> {
    let passages = evidence.passages.iter();
    passages.map(|passage| passage.discount).collect()
}

#[test]
fn equal_texts_are_one_exact_passage() {
    let (_, evidence) = only_pair(&[STORY.to_owned(), STORY.to_owned()], &[]);
    for share in evidence.overlap.iter().chain(&evidence.net) {
        assert!((share - 1.0).abs() < 1e-12);
    }
    assert_eq!(evidence.passages.len(), 1);
    assert_eq!(evidence.longest, evidence.tally[0].words);
}

#[test]
fn an_edited_template_counts_neither_as_shared_nor_as_text() {
    let edited = TEMPLATE
        .replace("entirely my own", "my very own")
        .replace("another person", "somebody else");
    let left = format!("{TEMPLATE}\n\n{STORY}");
    let right = format!("{edited}\n\n{OTHER}");
    let (_, evidence) = only_pair(&[left, right], &[TEMPLATE]);
    assert_eq!(discounts(&evidence), [Some(Discount::Template)]);
    assert!(evidence.aligned[0] > 0.3, "{:?}", evidence.aligned);
    assert!(evidence.net[0] < 0.05, "{:?}", evidence.net);
    assert!(evidence.tally[0].left_out > 25, "{:?}", evidence.tally);
}

#[test]
fn quotations_and_references_are_recognised_on_their_own_side() {
    let left = format!("{OTHER} He writes: \u{201c}{STORY}\u{201d} and nothing more.");
    let right = format!("{STORY} {THIRD}");
    let (report, evidence) = only_pair(&[left, right], &[]);
    assert!(evidence.aligned[0] > 0.4, "{:?}", evidence.aligned);
    assert!(evidence.net[0] < 0.1, "{:?}", evidence.net);
    assert!(evidence.net[1] > 0.4, "{:?}", evidence.net);
    assert_eq!(report.documents[0].ignored[0].kind, Discount::Quotation);
    let list = "Alder, J. (1990). Canals of the north and the men who dug them. Harrow Press.\n\
        Brook, T. (1985). Locks, weirs and the price of water in seven market towns. Mill House.\n";
    let [left, right] = [STORY, OTHER].map(|text| format!("{text}\n\nReferences\n\n{list}"));
    let (_, evidence) = only_pair(&[left, right], &[]);
    assert_eq!(discounts(&evidence), [Some(Discount::Bibliography)]);
    assert!(evidence.net[0].abs() < 1e-12);
}

#[test]
fn what_many_have_is_proposed_and_left_out_only_on_demand() {
    let own = |number: usize| {
        let words: Vec<String> = (0..80).map(|n| format!("w{number}x{n}")).collect();
        words.join(" ")
    };
    let texts: Vec<String> = (0..12)
        .map(|number| match number {
            0..6 => format!("{} {TEMPLATE}", own(number)),
            _ => own(number),
        })
        .collect();
    let report = scan(&texts, &[], Aligner::Passages, Discounts::USUAL);
    assert_eq!(report.pairs.len(), 15);
    let evidence = report.pairs[0].evidence.as_ref().unwrap();
    assert_eq!(discounts(evidence), [Some(Discount::Common)]);
    assert_eq!(evidence.passages[0].documents, Some(6));
    assert!(evidence.net[0] > 0.2, "{:?}", evidence.net);
    let is_proposal = |note: &Note| {
        matches!(
            note,
            Note::CommonCounts {
                having: 6,
                documents: 12,
                ..
            }
        )
    };
    let proposed = report.notes.iter().any(is_proposal);
    assert!(proposed, "{:?}", report.notes);
    let left_out = Discounts::USUAL.with(Discount::Common);
    let report = scan(&texts, &[], Aligner::Passages, left_out);
    assert!(report.pairs.is_empty(), "{:?}", report.pairs);
}

/// Turns of phrase that many use and that stand side by side in one document are no text that many have.
#[test]
fn a_note_speaks_of_text_that_documents_have() {
    let words: Vec<&str> = STORY.split(' ').take(36).collect();
    let turns: Vec<String> = words.chunks(6).map(|turn| turn.join(" ")).collect();
    let apart = |number: usize| -> String {
        let own = (0..6).map(|place| paragraph(100 * number + place, 20));
        let parts = turns.iter().cloned().zip(own);
        let parts: Vec<String> = parts.flat_map(|(turn, own)| [turn, own]).collect();
        parts.join(" ")
    };
    let texts: Vec<String> = (0..12)
        .map(|number| match number {
            0 => format!("{} {}", turns.join(" "), paragraph(0, 80)),
            1..7 => apart(number),
            _ => paragraph(number, 80),
        })
        .collect();
    let report = scan(&texts, &[], Aligner::Passages, Discounts::USUAL);
    assert!(!report.pairs.is_empty());
    let of_common = |note: &Note| matches!(note, Note::CommonCounts { .. });
    assert!(!report.notes.iter().any(of_common), "{:?}", report.notes);
}

/// A text is proposed once, also where some documents have it without its beginning.
#[test]
fn a_note_speaks_of_a_common_text_once() {
    let template = [TEMPLATE, STORY, OTHER, THIRD].join(" ");
    let without = |words: usize| -> String {
        let rest: Vec<&str> = template.split(' ').skip(words).collect();
        rest.join(" ")
    };
    let texts: Vec<String> = (0..24)
        .map(|number| match number {
            0..12 => format!("{} {}", paragraph(number, 80), without(number % 2 * 10)),
            _ => paragraph(number, 80),
        })
        .collect();
    let report = scan(&texts, &[], Aligner::Passages, Discounts::USUAL);
    let of_common = |note: &&Note| matches!(note, Note::CommonCounts { .. });
    let notes: Vec<&Note> = report.notes.iter().filter(of_common).collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
}

/// A paragraph of so many words, all of them different from those of other paragraphs.
fn paragraph(number: usize, words: usize) -> String {
    let words: Vec<String> = (0..words).map(|n| format!("p{number}w{n}")).collect();
    format!("A{}.", words.join(" "))
}

fn evidence_of(texts: &[String; 2]) -> Evidence {
    only_pair(texts, &[]).1
}

#[test]
fn words_that_were_put_in_between_are_not_shared() {
    let words: Vec<String> = (0..200).map(|n| format!("w{n}")).collect();
    let padded: Vec<String> = (words.chunks(5).enumerate())
        .flat_map(|(n, five)| five.iter().cloned().chain([format!("extra{n}")]))
        .collect();
    let evidence = evidence_of(&[words.join(" "), padded.join(" ")]);
    let shares = evidence.share;
    assert!((shares[0] - 1.0).abs() < 1e-12, "{shares:?}");
    assert!((shares[1] - 5.0 / 6.0).abs() < 1e-12, "{shares:?}");
}

#[test]
fn sentences_in_reverse_order_are_as_verbatim_as_before() {
    let sentences: Vec<String> = (0..12).map(|number| paragraph(number, 12)).collect();
    let reversed: Vec<String> = sentences.iter().rev().cloned().collect();
    let evidence = evidence_of(&[sentences.join(" "), reversed.join(" ")]);
    for classes in evidence.classes {
        assert!((classes.verbatim - 1.0).abs() < 1e-12, "{classes:?}");
    }
}

#[test]
fn the_longest_run_is_of_text_that_counts() {
    let [left, right] =
        [STORY, OTHER].map(|text| format!("{TEMPLATE}\n\n{text} {}", paragraph(1, 12)));
    let (_, evidence) = only_pair(&[left, right], &[TEMPLATE]);
    assert_eq!(evidence.longest, 12);
}

/// Texts from few words, some of them not ASCII, so that much is shared by chance and by design.
fn text() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "canal",
        "Über",
        "naïve",
        "lock",
        "漢字",
        "weir. ",
        "\n\n",
        "“the",
        "end”",
        "1990",
        "ﬁn",
        "References\n",
        "and",
        "of",
        "boat,",
    ]);
    prop::collection::vec(words, 0..120).prop_map(|words| words.join(" "))
}

/// Two passages want the same words of the longer text: which has them must not depend on who is
/// named first.
#[test]
fn passages_that_overlap_on_one_side_are_mirrored() {
    let texts = [
        "fin Über and Über weir.  漢字 of the boat, canal naïve weir.  \n\n 漢字 1990 the 漢字 and \
         Über lock",
        "boat, the naïve canal of fin fin 1990 lock 1990 References\n \n\n Über and canal canal \
         漢字 and canal boat, \n\n canal weir.  the",
    ]
    .map(str::to_owned);
    let swapped = [texts[1].clone(), texts[0].clone()];
    let [one, other] = [&texts, &swapped].map(|texts| {
        let report = scan(texts, &[], Aligner::Passages, Discounts::USUAL);
        report.pairs[0].evidence.clone().unwrap()
    });
    let [left, right] = other.classes;
    assert_eq!(one.classes, [right, left]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn evidence_is_honest(
        parts in prop::collection::vec(text(), 1..4),
        picks in prop::collection::vec(prop::collection::vec(0_usize..4, 1..4), 2..4),
        aligner in prop::sample::select(vec!["passages", "maximal:20", "maximal:4words", "tiling:4"]),
    ) {
        let texts: Vec<String> = picks
            .iter()
            .map(|pick| pick.iter().map(|&n| parts[n % parts.len()].as_str()).collect::<Vec<_>>().join(" "))
            .collect();
        let report = scan(&texts, &["canal lock boat and of weir canal"], aligner.parse().unwrap(), Discounts::USUAL);
        for document in &report.documents {
            let text = &texts[document.id.parse::<usize>().unwrap()];
            for ignored in &document.ignored {
                prop_assert!(text.get(ignored.start as usize..ignored.end as usize).is_some());
            }
        }
        for pair in &report.pairs {
            let evidence = pair.evidence.as_ref().unwrap();
            for share in evidence.overlap.iter().chain(&evidence.aligned).chain(&evidence.net) {
                prop_assert!((0.0..=1.0).contains(share));
            }
            let sides = [&pair.left, &pair.right].map(|id| &texts[id.parse::<usize>().unwrap()]);
            for passage in &evidence.passages {
                let places = [passage.left, passage.right];
                let spans: Vec<&str> = places
                    .iter()
                    .zip(sides)
                    .map(|(place, text)| &text[place.start as usize..place.end as usize])
                    .collect();
                prop_assert!(!spans[0].is_empty() && !spans[1].is_empty());
                prop_assert!((0.0..=1.0).contains(&passage.similarity));
                if passage.kind == cento::align::Kind::Exact {
                    let [left, right] = [spans[0], spans[1]].map(cento::align::Vocabulary::tokens);
                    prop_assert!(left.terms().eq(right.terms()), "{:?}", spans);
                }
            }
        }
        for pair in &report.pairs {
            let evidence = pair.evidence.as_ref().unwrap();
            for side in [0, 1] {
                let (classes, tally) = (evidence.classes[side], evidence.tally[side]);
                let all = classes.verbatim + classes.edited + classes.reworded + classes.own;
                let whole = if tally.counted() == 0 { 0.0 } else { 1.0 };
                prop_assert!((all - whole).abs() < 1e-9, "{:?}", classes);
                let share = classes.verbatim + classes.edited;
                prop_assert!((evidence.share[side] - share).abs() < 1e-9);
                prop_assert!(classes.verbatim <= evidence.share[side] + 1e-12);
            }
        }
        let again = scan(&texts, &["canal lock boat and of weir canal"], aligner.parse().unwrap(), Discounts::USUAL);
        prop_assert_eq!(report, again);
    }

    #[test]
    fn swapped_texts_give_mirrored_results(
        parts in prop::collection::vec(text(), 1..4),
        picks in prop::collection::vec(prop::collection::vec(0_usize..4, 1..4), 2..=2),
    ) {
        let texts: Vec<String> = picks
            .iter()
            .map(|pick| pick.iter().map(|&n| parts[n % parts.len()].as_str()).collect::<Vec<_>>().join(" "))
            .collect();
        let swapped = [texts[1].clone(), texts[0].clone()];
        let [one, other] = [texts.as_slice(), &swapped].map(|texts| {
            let report = scan(texts, &[], Aligner::Passages, Discounts::USUAL);
            report.pairs.first().and_then(|pair| pair.evidence.clone())
        });
        prop_assert_eq!(one.is_some(), other.is_some());
        if let (Some(one), Some(other)) = (one, other) {
            let [left, right] = other.classes;
            prop_assert_eq!(one.classes, [right, left]);
            prop_assert_eq!(one.longest, other.longest);
            let mut places: Vec<_> = one.passages.iter().map(|passage| (passage.left, passage.right)).collect();
            let mut mirrored: Vec<_> = other.passages.iter().map(|passage| (passage.right, passage.left)).collect();
            let key = |places: &(cento::report::Place, cento::report::Place)| (places.0.start, places.0.end, places.1.start, places.1.end);
            places.sort_by_key(key);
            mirrored.sort_by_key(key);
            prop_assert_eq!(places, mirrored);
        }
    }

    #[test]
    fn paragraphs_that_move_keep_their_classes(
        lengths in prop::collection::vec(20_usize..60, 2..8),
        changed in prop::collection::vec(0_usize..60, 0..8),
        order in any::<prop::sample::Index>(),
    ) {
        let paragraphs: Vec<String> = (0..).zip(&lengths).map(|(number, &words)| paragraph(number, words)).collect();
        // The copy has a word changed here and there.
        let copies: Vec<String> = (0..).zip(&paragraphs).map(|(number, text)| {
            let at = changed.get(number).copied().unwrap_or(99);
            text.split(' ').enumerate().map(|(n, word)| if n == at { "other" } else { word }).collect::<Vec<_>>().join(" ")
        }).collect();
        let moved: Vec<&String> = {
            let mut left: Vec<&String> = copies.iter().collect();
            let step = order.index(copies.len());
            left.rotate_left(step);
            left.reverse();
            left
        };
        let left = paragraphs.join("\n\n");
        let straight = evidence_of(&[left.clone(), copies.join("\n\n")]);
        let moved = evidence_of(&[left, moved.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("\n\n")]);
        let borders = u32::try_from(copies.len()).unwrap() + 1;
        for side in [0, 1] {
            let [a, b] = [straight.tally[side], moved.tally[side]];
            prop_assert!(a.verbatim.abs_diff(b.verbatim) <= 8 * borders, "{:?} {:?}", a, b);
            prop_assert!(a.shared.abs_diff(b.shared) <= 8 * borders, "{:?} {:?}", a, b);
        }
    }
}
