//! Passages: what must hold for every pair of texts, and texts that would make an aligner slow.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::ops::Range;

use cento::align::{Aligner, Alignment, Kind, Meanings, Sequence, Vocabulary};
use proptest::prelude::*;

struct Aligned {
    left: Sequence,
    right: Sequence,
    found: Alignment,
}

fn align(left: &str, right: &str) -> Aligned {
    let mut vocabulary = Vocabulary::default();
    let (left, right) = (vocabulary.read(left), vocabulary.read(right));
    let found = Aligner::Passages.align(&left, &right, &vocabulary);
    Aligned { left, right, found }
}

/// Words covered by passages.
fn covered(passages: impl Iterator<Item = Range<u32>>, words: u32) -> u32 {
    let mut seen = vec![false; words as usize];
    for passage in passages {
        seen[passage.start as usize..passage.end as usize].fill(true);
    }
    u32::try_from(seen.into_iter().filter(|seen| *seen).count()).unwrap()
}

impl Aligned {
    fn covered(&self) -> (u32, u32) {
        let passages = &self.found.passages;
        (
            covered(passages.iter().map(|p| p.left.clone()), self.left.len()),
            covered(passages.iter().map(|p| p.right.clone()), self.right.len()),
        )
    }

    fn kinds(&self) -> Vec<Kind> {
        self.found.passages.iter().map(|p| p.kind).collect()
    }

    /// What every alignment promises.
    fn hold_to_it(&self, left: &str, right: &str) {
        let mut start = 0;
        for passage in &self.found.passages {
            assert!(passage.left.start < passage.left.end && passage.left.end <= self.left.len());
            assert!(
                passage.right.start < passage.right.end && passage.right.end <= self.right.len()
            );
            assert!(passage.left.start >= start, "by place");
            start = passage.left.start;
            for (text, span) in [
                (left, self.left.source(&passage.left)),
                (right, self.right.source(&passage.right)),
            ] {
                assert!(text.get(span.start as usize..span.end as usize).is_some());
            }
            let words = |sequence: &Sequence, run: &Range<u32>| {
                sequence.words()[run.start as usize..run.end as usize].to_vec()
            };
            let equal = words(&self.left, &passage.left) == words(&self.right, &passage.right);
            assert_eq!(passage.kind == Kind::Exact, equal);
            assert_eq!(passage.similarity >= 1.0, equal);
            assert!(passage.similarity >= 0.0);
        }
    }
}

/// Sentences of words that are numbers in letters; few different ones make much repetition.
fn prose(different: Range<u32>, words: Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec((different, 0..12u32), words).prop_map(|words| {
        let mut text = String::new();
        let mut starts = true;
        for (number, stop) in words {
            let word = name(number);
            let first = word.chars().take(1).flat_map(char::to_uppercase);
            if starts {
                text.extend(first.chain(word.chars().skip(1)));
            } else {
                text.push_str(&word);
            }
            starts = stop == 0;
            text.push_str(if starts { ". " } else { " " });
        }
        text
    })
}

/// A word of its own for each number, with nothing in common between those of neighbours.
fn name(number: u32) -> String {
    const SOUNDS: [&str; 16] = [
        "b", "ce", "d", "fo", "g", "h", "je", "k", "l", "mu", "n", "p", "ri", "s", "t", "vä",
    ];
    let mut word = String::new();
    let mut rest = number.wrapping_add(1).wrapping_mul(0x9e37_79b1);
    rest = (rest ^ (rest >> 15)).wrapping_mul(0x85eb_ca77);
    rest ^= rest >> 13;
    for _ in 0..8 {
        word.push_str(SOUNDS[(rest % 16) as usize]);
        rest /= 16;
    }
    word
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn promises_hold_for_any_text(
        left in prop_oneof![prose(0..4000, 0..400), prose(0..30, 0..300), "\\PC{0,200}"],
        right in prop_oneof![prose(0..4000, 0..400), prose(0..30, 0..300), "\\PC{0,200}"],
    ) {
        let aligned = align(&left, &right);
        aligned.hold_to_it(&left, &right);
        prop_assert_eq!(&align(&left, &right).found, &aligned.found, "every time the same");
    }

    #[test]
    fn a_text_against_itself_is_one_exact_passage(text in prop_oneof![prose(0..4000, 1..300), "\\PC{1,80}"]) {
        let aligned = align(&text, &text);
        prop_assert_eq!(aligned.covered(), (aligned.left.len(), aligned.right.len()));
        prop_assert!(!aligned.found.limited);
        prop_assert!(aligned.kinds() == [Kind::Exact] || aligned.left.is_empty());
    }

    #[test]
    fn a_planted_copy_is_found_with_its_borders(
        // Words of the surroundings that happen to go on like the copy would move its borders.
        before in prose(4000..8000, 30..200),
        copy in prose(0..4000, 45..120),
        after in prose(4000..8000, 30..200),
        start in prose(8000..12_000, 0..200),
        end in prose(8000..12_000, 30..200),
    ) {
        let left = format!("{before} Alpha beta {copy} gamma. {after}");
        let right = format!("{start} Delta {copy} epsilon zeta. {end}");
        let aligned = align(&left, &right);
        aligned.hold_to_it(&left, &right);
        let mut vocabulary = Vocabulary::default();
        let words = vocabulary.read(&copy).len();
        let first = vocabulary.read(&before).len() + 2;
        let planted = first..first + words;
        prop_assert!(aligned.found.passages.iter().any(|p| p.left == planted && p.kind == Kind::Exact));
    }

    #[test]
    fn a_long_text_with_changed_words_is_one_passage(words in prop::collection::vec(0..4000u32, 400..900), step in 4..30usize) {
        // The same line again and again is alike too, but not what corresponds.
        let text = |changed: bool| -> String {
            let word = |(at, number): (usize, &u32)| match (at % 40, at % step) {
                (0, _) => "\nAll rights in this page are reserved by the owners of it. The ".to_owned(),
                (_, 0) if changed => format!("{} ", name(10_000 + *number)),
                _ => format!("{} ", name(*number)),
            };
            words.iter().enumerate().map(word).collect()
        };
        let (left, right) = (text(true), text(false));
        let aligned = align(&left, &right);
        aligned.hold_to_it(&left, &right);
        let longest = aligned.found.passages.iter().map(|p| p.left.end - p.left.start).max();
        prop_assert!(longest.unwrap_or(0) * 10 >= aligned.left.len() * 9, "{:?}", aligned.found);
    }

    #[test]
    fn either_text_may_be_the_left_one(
        before in prose(0..4000, 30..100),
        copy in prose(0..4000, 45..120),
        after in prose(0..4000, 30..100),
    ) {
        let (left, right) = (format!("{before} {copy}"), format!("{copy} {after}"));
        let (there, back) = (align(&left, &right), align(&right, &left));
        let (a, b) = there.covered();
        prop_assert_eq!(back.covered(), (b, a));
        prop_assert!(a > 0);
    }
}

#[test]
fn short_texts() {
    assert!(align("", "").found.passages.is_empty());
    assert!(align("canal", "").found.passages.is_empty());
    assert_eq!(align("Canal!", "the canal").kinds(), []);
    assert_eq!(align("Canal!", "canal").kinds(), [Kind::Exact]);
    assert_eq!(align("\0\0\0", "\0\0").found, Alignment::default());
}

const CANAL: &str = "The old canal through the valley was dug by hand between 1792 and 1801, mostly by \
    farmers who had lost their harvest. Every lock along its course had a keeper, whose cottage \
    stood on the towpath side. When the railway arrived in the market town, the company lowered \
    its tolls twice, yet freight kept moving to the faster line. By the turn of the century only \
    gravel barges and a few pleasure boats remained. Volunteers began to clear the silted basin \
    after the war, and the first restored lock opened to a large crowd in the spring of 1974.";

const CANAL_REVISED: &str = "The old valley canal was dug by hand between 1792 and 1801, mostly by \
    farmers whose harvest had been lost. Each lock along its course had its own keeper, with a \
    cottage on the side of the towpath. When the railway came to the market town, the company \
    twice lowered its tolls, but freight still moved to the faster line. Around the turn of the \
    century only barges with gravel and some pleasure boats remained. After the war volunteers \
    began clearing the silted basin, and in the spring of 1974 the first restored lock was opened \
    before a large crowd.";

const MARKET: &str = "Prices on the fish market follow the weather more than the season. A week of \
    storms keeps the small boats in harbour, and restaurants pay whatever is asked for the little \
    that is landed. Buyers from the inland cities have learned to order by telephone before dawn. \
    The auction itself takes less than an hour, and most of the catch is on the road before the \
    cafes open their shutters. Young people rarely take up the trade, which is cold and badly \
    paid.";

#[test]
fn a_revised_text_is_one_passage() {
    let left = format!("{MARKET} {CANAL_REVISED}");
    let right = format!("{CANAL} {MARKET}");
    let aligned = align(&left, CANAL);
    assert_eq!(aligned.kinds().len(), 1);
    assert_ne!(aligned.kinds(), [Kind::Exact]);
    let (a, b) = aligned.covered();
    assert!(b == aligned.right.len() && aligned.left.len() - a < 90);
    assert_eq!(align(&left, &right).kinds().len(), 2);
}

#[test]
fn texts_of_one_language_without_a_common_source_share_nothing() {
    assert_eq!(align(CANAL, MARKET).kinds(), []);
}

#[test]
fn a_few_changed_words_make_a_copy_edited_but_not_several() {
    let edited = CANAL
        .replace("mostly by", "largely by")
        .replace("a few", "some");
    let aligned = align(&edited, CANAL);
    assert_eq!(aligned.kinds(), [Kind::Edited]);
    assert_eq!(aligned.covered(), (aligned.left.len(), aligned.right.len()));
    assert!(aligned.found.passages[0].similarity > 0.9);
}

#[test]
fn a_summary_is_shown_beside_the_sentences_that_it_has() {
    let sentence = |number: usize, is_reversed: bool| {
        let mut words: Vec<String> = (0..10).map(|word| format!("w{number}x{word}")).collect();
        if is_reversed {
            words.reverse();
        }
        format!("A {}. ", words.join(" "))
    };
    let summary: String = [90, 3, 8, 12, 91]
        .map(|number| sentence(number, true))
        .concat();
    let original: String = (0..16).map(|number| sentence(number, false)).collect();
    let mut vocabulary = Vocabulary::default();
    let [left, right] = [&summary, &original].map(|text| vocabulary.read(text));
    let words = |alignment: Alignment| -> Vec<(usize, usize)> {
        let passages = alignment.passages.iter();
        passages
            .map(|passage| (passage.left.len(), passage.right.len()))
            .collect()
    };
    let whole = Aligner::Passages.align(&left, &right, &vocabulary);
    assert_eq!(words(whole), [(33, 176)]);
    let shown = Aligner::Passages.align_by_sentence(&left, &right, &vocabulary);
    assert_eq!(words(shown), [(11, 11); 3]);
}

#[test]
fn shuffled_sentences_are_paraphrased() {
    let mut sentences: Vec<&str> = CANAL.split_inclusive(". ").collect();
    sentences.reverse();
    let aligned = align(&sentences.concat(), CANAL);
    assert_eq!(aligned.kinds(), [Kind::Paraphrased]);
    assert_eq!(aligned.covered(), (aligned.left.len(), aligned.right.len()));
}

#[test]
fn a_copy_that_ends_within_a_sentence_ends_there() {
    // What follows is alike only because the copy is half of its first sentence.
    let copy: String = (0..60).map(|n| name(n) + " ").collect();
    let text = |from: u32| -> String {
        let words = |range: Range<u32>| range.map(|n| name(n) + " ").collect::<String>();
        format!(
            "A{}. A {copy}{}. B{}. ",
            words(from..from + 20),
            words(from + 20..from + 30),
            words(from + 30..from + 50)
        )
    };
    let aligned = align(&text(1000), &text(2000));
    assert_eq!(aligned.kinds(), [Kind::Exact]);
    assert_eq!(aligned.covered(), (61, 61));
}

#[test]
fn one_common_word_beside_a_copy_does_not_widen_it() {
    let copy: String = (0..60).map(|n| name(n) + " ").collect();
    let text = |of: [&str; 2], from: u32| {
        let rest: String = (from..from + 30).map(|n| name(n) + " ").collect();
        format!(
            "{rest}.\n\nStudent: {} {}\n\nA {copy}. B {rest}.",
            of[0], of[1]
        )
    };
    let aligned = align(
        &text(["Ada", "Novak"], 1000),
        &text(["Jan", "Dvorak"], 2000),
    );
    assert_eq!(aligned.kinds(), [Kind::Exact]);
    assert_eq!(aligned.covered(), (62, 62), "with A and B");
}

/// Sentences whose words all come from a group of their own: on the left the first of it, on the
/// right the second.
fn reworded(side: u32) -> String {
    let sentence = |n: u32| {
        let words: Vec<String> = (0..12)
            .map(|word| name(1000 * side + 12 * n + word))
            .collect();
        format!("A {}. ", words.join(" "))
    };
    (0..3).map(sentence).collect()
}

#[test]
fn what_is_said_in_other_words_is_found_with_synonyms() {
    let (left, right) = (reworded(0), reworded(1));
    assert!(align(&left, &right).found.passages.is_empty());
    let mut vocabulary = Vocabulary::default();
    let sequences = [&left, &right].map(|text| vocabulary.read(text));
    let mut meanings = Meanings::default();
    for n in 0..36 {
        let line = format!("{}, {}", name(n), name(1000 + n));
        meanings.add_line(&line).unwrap();
    }
    vocabulary.apply(&meanings);
    let found = Aligner::Passages.align_by_sentence(&sequences[0], &sequences[1], &vocabulary);
    let kinds: Vec<Kind> = found.passages.iter().map(|passage| passage.kind).collect();
    assert_eq!(kinds, [Kind::Paraphrased]);
    assert_eq!(found.passages[0].left, 0..39);
}

#[test]
fn rulers_of_digits_are_no_passage() {
    let ruler = "0 1 2 3 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1\n";
    let around = |from: u32| -> String { (from..from + 30).map(|n| name(n) + " ").collect() };
    let text = |from: u32| {
        format!(
            "A{}. {ruler}{ruler}{ruler} B{}.",
            around(from),
            around(from + 50)
        )
    };
    assert!(align(&text(0), &text(1000)).found.passages.is_empty());
}

/// A table of what companies earned, in the words that all such tables have.
fn earnings(company: &str, seed: u32) -> String {
    let mut rest = seed;
    let mut number = || {
        rest = rest.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (rest >> 16) % 900 + 100
    };
    let mut row = |_| {
        let [share, before, net, rest, sales, earlier] = [0; 6].map(|_| number());
        format!(
            "Shr {share} cts vs {before} cts net {net},{rest} vs {rest},{share} revs {sales} mln \
             vs {earlier} mln\n"
        )
    };
    let rows: Vec<String> = (0..12).map(&mut row).collect();
    format!("{company} reports for the quarter.\n{}", rows.concat())
}

#[test]
fn tables_of_figures_are_not_paraphrased() {
    let aligned = align(
        &earnings("Northern Canal", 1),
        &earnings("Harbour Mills", 77),
    );
    assert!(aligned.found.passages.is_empty(), "{:?}", aligned.found);
}

/// Lines of labels, each with what `value` gives for its number.
fn labelled(title: &str, value: impl Fn(u32) -> String) -> String {
    const LABELS: [&str; 16] = [
        "Net sales",
        "Cost of sales",
        "Gross profit",
        "Selling and administrative expenses",
        "Research and development",
        "Operating income",
        "Interest expense",
        "Income before income taxes",
        "Provision for income taxes",
        "Net income",
        "Net income per share",
        "Average shares outstanding",
        "Property, plant and equipment",
        "Total current liabilities",
        "Long-term debt",
        "Dividends per share",
    ];
    let line = |(number, label): (u32, &&str)| format!("{label}{}\n", value(number));
    let lines: String = (0..).zip(&LABELS).map(line).collect();
    format!("{title}.\n{lines}")
}

#[test]
fn tables_and_forms_with_the_same_labels_have_nothing_in_common() {
    let layouts: [fn(u32) -> String; 4] = [
        |n| format!("   {},{}   {},{}", n, n % 800 + 100, n + 7, n % 700 + 200),
        |n| format!(" ... ${},{}", n % 90, n % 800 + 100),
        |n| format!("\n\n{}\n\n{}\n", n * 31, n * 57),
        |n| format!(": {} {}", name(n), name(n + 1)),
    ];
    for layout in layouts {
        let text = |title: &str, from: u32| labelled(title, |n| layout(from + 37 * n));
        let aligned = align(&text("Northern Canal", 1000), &text("Harbour Mills", 5000));
        assert!(aligned.found.passages.is_empty(), "{:?}", aligned.found);
    }
}

#[test]
fn prose_beside_a_table_is_found_as_without_it() {
    let prose: String = (0..80)
        .map(|n| name(n) + if n % 10 == 9 { ". A " } else { " " })
        .collect();
    let edited = prose.replace(&name(13), "x").replace(&name(44), "y");
    let text = |prose: &str, from: u32| {
        let table = labelled("Figures", |n| format!(" {}", from + 37 * n));
        format!("{prose}.\n\n{table}")
    };
    let aligned = align(&text(&prose, 1000), &text(&edited, 5000));
    assert_eq!(aligned.kinds(), [Kind::Edited]);
    let (left, _) = aligned.covered();
    assert!((80..95).contains(&left), "{left}");
}

#[test]
fn a_copied_table_is_exact() {
    let row = |n: u32| format!("{} {} {}\n", name(n), n * 31, n * 57);
    let rows: String = (0..20).map(row).collect();
    let around = |from: u32| -> String { (from..from + 30).map(|n| name(n) + " ").collect() };
    let text = |from: u32| format!("A{}.\n{rows}B{}.", around(from), around(from + 50));
    let aligned = align(&text(1000), &text(2000));
    assert_eq!(aligned.kinds(), [Kind::Exact]);
    assert_eq!(aligned.covered(), (60, 60));
}

#[test]
fn a_script_without_spaces() {
    let canal = "山谷里的旧运河是农民在十八世纪末用双手挖成的。每座船闸旁边都有一位看守人住在小屋里。\
        铁路修到镇上以后，公司两次降低了通行费，货物还是转到更快的铁路上去了。";
    let revised = "山谷里的旧运河是十八世纪末由农民双手挖成的。每座船闸旁都有看守人住在小屋里。\
        铁路修到镇上之后，公司两次降低通行费，但是货物还是转到了更快的铁路上。";
    let market = "鱼市的价格跟着天气走，而不是跟着季节走。暴风雨的一周里小船都留在港口。\
        内地城市的买家学会了在天亮以前打电话订货，拍卖不到一个小时就结束了。";
    let left = format!("{market}{revised}");
    let aligned = align(&left, canal);
    assert_eq!(aligned.kinds().len(), 1);
    assert_eq!(aligned.covered().1, aligned.right.len());
    assert!(align(market, canal).found.passages.is_empty());
}

#[test]
fn one_word_over_and_over() {
    let aligned = align(&"word ".repeat(1_000_000), &"word ".repeat(900_000));
    assert!(aligned.found.passages.is_empty(), "one word says nothing");
}

#[test]
fn one_line_over_and_over() {
    let line = "This is line of the log and it says what it always says.\n";
    let (many, fewer) = (line.repeat(100_000), line.repeat(90_000));
    let same = align(&many, &many);
    assert_eq!(same.kinds(), [Kind::Exact]);
    assert!(!same.found.limited);
    let aligned = align(&format!("Something else first.\n{many}"), &fewer);
    assert_eq!(aligned.covered().1, aligned.right.len());
}

#[test]
fn sentences_that_are_all_alike() {
    // Neither equal nor different: every unit resembles every other.
    let text = |salt: u32| -> String {
        let line = |n: u32| {
            format!(
                "The value of row {} is {} today.\n",
                n,
                (n * 7 + salt) % 1000
            )
        };
        (0..20_000).map(line).collect()
    };
    let (left, right) = (text(1), text(5));
    align(&left, &right).hold_to_it(&left, &right);
}

#[test]
fn one_sentence_without_an_end() {
    let text = |from: u32| -> String { (from..from + 150_000).map(|n| name(n) + " ").collect() };
    let (left, right) = (text(0), text(75_000));
    let aligned = align(&left, &right);
    aligned.hold_to_it(&left, &right);
    assert_eq!(aligned.found.passages[0].left, 75_000..150_000);
}
