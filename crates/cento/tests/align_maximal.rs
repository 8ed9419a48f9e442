//! Maximal runs against the plain definition: every run of every pair of places.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]
#![allow(
    clippy::float_cmp,
    reason = "equal shares are quotients of the same two integers"
)]

use std::num::NonZeroU32;

use cento::Watch;
use cento::align::maximal::{PairOverlap, Wanted, overlap, overlaps};
use cento::align::{Aligner, Alignment, Kind, Sequence, Shortest, Vocabulary};
use proptest::prelude::*;

/// Some texts with their vocabulary.
struct Texts {
    vocabulary: Vocabulary,
    sequences: Vec<Sequence>,
}

impl Texts {
    fn read<S: AsRef<str>>(texts: &[S]) -> Texts {
        let mut vocabulary = Vocabulary::default();
        let read = |text: &S| vocabulary.read(text.as_ref());
        let sequences = texts.iter().map(read).collect();
        Texts {
            vocabulary,
            sequences,
        }
    }

    fn all(&self) -> Vec<&Sequence> {
        self.sequences.iter().collect()
    }

    fn overlap(&self, left: usize, right: usize, shortest: Shortest) -> [f64; 2] {
        let [left, right] = [left, right].map(|number| &self.sequences[number]);
        overlap(left, right, &self.vocabulary, shortest, Watch::NOBODY).unwrap()
    }

    fn align(&self, shortest: Shortest) -> Alignment {
        let [left, right] = [0, 1].map(|number| &self.sequences[number]);
        Aligner::Maximal(shortest).align(left, right, &self.vocabulary)
    }

    /// The normalised text, as the definition has it.
    fn characters(&self, number: usize) -> Vec<char> {
        let words = self.sequences[number].words().iter();
        let terms: Vec<&str> = words.map(|&word| self.vocabulary.term(word)).collect();
        terms.join(" ").chars().collect()
    }

    /// What each of two documents has of the other, by the definition.
    fn covered(&self, one: usize, other: usize, shortest: Shortest) -> [Vec<bool>; 2] {
        match shortest {
            Shortest::Chars(length) => covered(
                &self.characters(one),
                &self.characters(other),
                length.get() as usize,
            ),
            Shortest::Words(length) => covered(
                self.sequences[one].words(),
                self.sequences[other].words(),
                length.get() as usize,
            ),
        }
    }
}

/// What common runs cover of two texts: every run from every pair of places, as far as it goes.
fn covered<T: PartialEq>(left: &[T], right: &[T], shortest: usize) -> [Vec<bool>; 2] {
    let mut covered = [vec![false; left.len()], vec![false; right.len()]];
    for l in 0..left.len() {
        for r in 0..right.len() {
            let pairs = left[l..].iter().zip(&right[r..]);
            let length = pairs.take_while(|(one, other)| one == other).count();
            if length >= shortest {
                covered[0][l..l + length].fill(true);
                covered[1][r..r + length].fill(true);
            }
        }
    }
    covered
}

fn share(covered: &[bool]) -> f64 {
    let count = covered.iter().filter(|&&is_covered| is_covered).count();
    if covered.is_empty() {
        0.0
    } else {
        count as f64 / covered.len() as f64
    }
}

fn chars(length: u32) -> Shortest {
    Shortest::Chars(NonZeroU32::new(length).unwrap())
}

fn words(length: u32) -> Shortest {
    Shortest::Words(NonZeroU32::new(length).unwrap())
}

fn any_shortest() -> impl Strategy<Value = Shortest> {
    prop_oneof![(1..16u32).prop_map(chars), (1..5u32).prop_map(words)]
}

/// Texts that repeat, in letters of one to four bytes, some with more than 255 different ones.
fn any_text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => "[ab]{1,4}",
        2 => "[aé]{1,3}",
        1 => "[žя]{1,3}",
        1 => "[字文]{1,2}",
        1 => "𝒳?𐐨{1,2}",
        1 => "[a-z]{8}",
        1 => "\\PC{0,3}",
    ];
    let few = proptest::collection::vec(word, 0..40);
    let repeated = (few.clone(), 1..4usize).prop_map(|(words, times)| vec![words; times].concat());
    let many = (0..300u32).prop_map(|start| {
        let letter = |n: u32| char::from_u32(0x4e00 + start + n).unwrap().to_string();
        (0..300).map(letter).collect()
    });
    prop_oneof![6 => few, 3 => repeated, 1 => many].prop_map(|words: Vec<String>| words.join(" "))
}

/// Several texts, some of which have pieces of others.
fn related_texts() -> impl Strategy<Value = Vec<String>> {
    let piece = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let texts = proptest::collection::vec((any_text(), piece), 2..6);
    texts.prop_map(|texts| {
        let originals: Vec<String> = texts.iter().map(|(text, _)| text.clone()).collect();
        let with_piece = |(text, (from, at)): &(String, (_, prop::sample::Index))| {
            let from: &prop::sample::Index = from;
            let other = &originals[from.index(originals.len())];
            let at = other.floor_char_boundary(at.index(other.len() + 1));
            format!("{text} {}", &other[at..])
        };
        texts.iter().map(with_piece).collect()
    })
}

proptest! {
    /// The overlap is the share that the definition has.
    #[test]
    fn overlap_equals_the_definition(texts in related_texts(), shortest in any_shortest()) {
        let texts = Texts::read(&texts);
        let found = texts.overlap(0, 1, shortest);
        let expected = texts.covered(0, 1, shortest).map(|covered| share(&covered));
        prop_assert_eq!(found, expected);
        prop_assert!(found.iter().all(|share| (0.0..=1.0).contains(share)));
    }

    /// Many documents at once give what each pair gives, and together what the definition has.
    #[test]
    fn many_equal_each_pair(
        texts in related_texts(),
        shortest in any_shortest(),
        lowest in 0.0..0.6,
    ) {
        let texts = Texts::read(&texts);
        let all = texts.all();
        let count = u32::try_from(all.len()).unwrap();
        let pairs: Vec<[u32; 2]> = (0..count)
            .flat_map(|one| (0..count).map(move |other| [one, other]))
            .collect();
        let each = |&[one, other]: &[u32; 2]| PairOverlap {
            documents: [one, other],
            overlap: texts.overlap(one as usize, other as usize, shortest),
        };
        let expected: Vec<PairOverlap> = pairs.iter().map(each).collect();
        let listed = overlaps(&all, &texts.vocabulary, shortest, Wanted::Pairs(&pairs), Watch::NOBODY).unwrap();
        prop_assert_eq!(&listed.pairs, &expected);

        let reaching = Wanted::AtLeast(lowest);
        let found = overlaps(&all, &texts.vocabulary, shortest, reaching, Watch::NOBODY).unwrap();
        let expected: Vec<PairOverlap> = expected
            .into_iter()
            .filter(|pair| pair.documents[0] < pair.documents[1])
            .filter(|pair| pair.overlap.iter().any(|&share| share > 0.0 && share >= lowest))
            .collect();
        prop_assert_eq!(found.pairs, expected);

        let global: Vec<f64> = (0..all.len())
            .map(|one| {
                let mut any = vec![false; texts.covered(one, one, shortest)[0].len()];
                for other in (0..all.len()).filter(|&other| other != one) {
                    for (any, is_covered) in any.iter_mut().zip(&texts.covered(one, other, shortest)[0]) {
                        *any |= is_covered;
                    }
                }
                share(&any)
            })
            .collect();
        prop_assert_eq!(&listed.global, &global);
        prop_assert_eq!(&found.global, &global);
    }

    /// The number of threads changes nothing.
    #[test]
    fn threads_do_not_count(texts in related_texts(), shortest in any_shortest()) {
        let texts = Texts::read(&texts);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let wanted = Wanted::AtLeast(0.1);
            pool.install(|| overlaps(&texts.all(), &texts.vocabulary, shortest, wanted, Watch::NOBODY).unwrap())
        };
        prop_assert_eq!(on(1), on(2));
    }

    /// A text is in itself, if it is long enough for a run.
    #[test]
    fn a_text_is_in_itself(text in any_text(), shortest in any_shortest()) {
        let texts = Texts::read(&[&text, &text]);
        let length = match shortest {
            Shortest::Chars(_) => texts.characters(0).len(),
            Shortest::Words(_) => texts.sequences[0].words().len(),
        };
        let is_long = length >= shortest.length() as usize;
        prop_assert_eq!(texts.overlap(0, 1, shortest), [f64::from(u8::from(is_long)); 2]);
        let passages = texts.align(shortest).passages;
        if is_long {
            let whole = 0..texts.sequences[0].len();
            prop_assert_eq!(passages.len(), 1);
            prop_assert_eq!(&passages[0].left, &whole);
            prop_assert_eq!(&passages[0].right, &whole);
        } else {
            prop_assert_eq!(passages, []);
        }
    }

    /// Passages are equal word by word, come in order, and are not more than the words.
    #[test]
    fn passages_are_equal_text(texts in related_texts(), shortest in any_shortest()) {
        let texts = Texts::read(&texts);
        let [left, right] = [0, 1].map(|number| texts.sequences[number].words());
        let Alignment { passages, limited } = texts.align(shortest);
        prop_assert!(!limited);
        prop_assert!(passages.len() <= left.len() + right.len());
        prop_assert!(passages.is_sorted_by_key(|passage| passage.left.start));
        for passage in &passages {
            prop_assert!(!passage.left.is_empty());
            let range = |words: &std::ops::Range<u32>| words.start as usize..words.end as usize;
            prop_assert_eq!(
                left.get(range(&passage.left)).unwrap(),
                right.get(range(&passage.right)).unwrap()
            );
            prop_assert_eq!((passage.kind, passage.similarity), (Kind::Exact, 1.0));
        }
    }

    /// In words, the passages show exactly what the overlap counts, on both sides.
    #[test]
    fn passages_show_all_words(texts in related_texts(), shortest in 1..5u32) {
        let texts = Texts::read(&texts);
        let alignment = texts.align(words(shortest));
        for passage in &alignment.passages {
            prop_assert!(passage.left.len() >= shortest as usize);
        }
        prop_assert_eq!(shown(&texts, &alignment), texts.covered(0, 1, words(shortest)));
    }

    /// In characters, they show what the overlap counts but for words that a run has in part: a
    /// word inside a run, with its spaces, is always shown.
    #[test]
    fn passages_show_whole_words(texts in related_texts(), shortest in 1..16u32) {
        let texts = Texts::read(&texts);
        let alignment = texts.align(chars(shortest));
        let shown = shown(&texts, &alignment);
        let covered = texts.covered(0, 1, chars(shortest));
        for side in [0, 1] {
            let [own, other] = [texts.characters(side), texts.characters(1 - side)];
            let mut start = 0;
            for (number, &word) in texts.sequences[side].words().iter().enumerate() {
                let end = start + texts.vocabulary.term(word).chars().count();
                if shown[side][number] {
                    prop_assert!(covered[side][start..end].iter().all(|&is_covered| is_covered));
                }
                let inside = start.saturating_sub(1)..(end + 1).min(own.len());
                if start > 0 && end < own.len() && is_in_run(&own, &other, inside, shortest as usize) {
                    prop_assert!(shown[side][number], "word {} of side {}", number, side);
                }
                start = end + 1;
            }
        }
    }
}

/// Which words of both texts are in a passage.
fn shown(texts: &Texts, alignment: &Alignment) -> [Vec<bool>; 2] {
    let mut shown = [0, 1].map(|number| vec![false; texts.sequences[number].words().len()]);
    for passage in &alignment.passages {
        for (shown, words) in shown.iter_mut().zip([&passage.left, &passage.right]) {
            shown[words.start as usize..words.end as usize].fill(true);
        }
    }
    shown
}

/// Whether some common run of at least `shortest` has all of `part`.
fn is_in_run(own: &[char], other: &[char], part: std::ops::Range<usize>, shortest: usize) -> bool {
    (0..=part.start).any(|start| {
        let least = shortest.max(part.end - start);
        let run = own.get(start..start + least);
        run.is_some_and(|run| other.windows(least).any(|window| window == run))
    })
}

/// Text that repeats itself must not cost more than other text of its length.
#[test]
fn repetition_is_no_trouble() {
    let word = |times: usize| "a ".repeat(times);
    let line = |times: usize| {
        "the same line over and over again and never a word of difference\n".repeat(times)
    };
    let marked = |times: usize| {
        let line =
            |n| format!("the same line over and over again and never a word of difference {n}\n");
        (0..times).map(line).collect::<String>()
    };
    let cases = [
        (word(30_000), word(30_000), 1),
        (word(30_000), word(15_001), 3),
        (line(1500), line(1500), 1),
        (line(1500), line(1), 1501),
        (line(1500), line(720), 4),
        (marked(1500), line(1), 1500),
        (marked(600), marked(600) + &marked(300), 1200),
    ];
    for (left, right, most) in cases {
        let texts = Texts::read(&[left, right]);
        let alignment = texts.align(Shortest::DEFAULT);
        let count = alignment.passages.len();
        assert!(!alignment.limited);
        assert!((1..=most).contains(&count), "{count} instead of {most}");
        assert!(texts.overlap(0, 1, Shortest::DEFAULT)[1] > 0.9);
    }
}

#[test]
fn many_copies_of_one_text() {
    let text = "somebody wrote this once and a hundred others have put their name under it since";
    let texts = Texts::read(&vec![text; 100]);
    let found = overlaps(
        &texts.all(),
        &texts.vocabulary,
        Shortest::DEFAULT,
        Wanted::AtLeast(1.0),
        Watch::NOBODY,
    )
    .unwrap();
    assert_eq!(found.pairs.len(), 100 * 99 / 2);
    assert!(found.pairs.iter().all(|pair| pair.overlap == [1.0, 1.0]));
    assert_eq!(found.global, vec![1.0; 100]);
}
