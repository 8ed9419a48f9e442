//! Attacks that put words in, take them out, replace or move them (text sifting, sections 3.2–3.4).

use std::borrow::Cow;
use std::num::NonZeroU32;

use super::Edit;
use super::pieces::{Pieces, Word, WordSource};
use crate::eval::random::Random;

/// Every tenth word is attacked: no ten words in a row go without.
const PERIOD: usize = 10;

/// What happens to one word of the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A random word comes before it.
    Add,
    /// It goes.
    Delete,
    /// A different random word takes its place.
    Change,
}

/// An edit after every nine words that are left alone, so that every window of ten words has one.
///
/// Words that are deleted or changed are then the words 9, 19, 29, … of the original, and words that
/// are added are those of the attacked text, counted from 0.
pub(super) fn intelligent(
    pieces: &mut Pieces<'_>,
    edit: Edit,
    source: &mut WordSource<'_>,
    random: &mut Random,
) {
    let step = |number: usize| match edit {
        Edit::Add => Step::Add,
        Edit::Delete => Step::Delete,
        Edit::Change => Step::Change,
        Edit::Combine => [Step::Add, Step::Delete, Step::Change][number % 3],
    };
    let mut steps = Vec::new();
    let mut place = PERIOD - 1;
    while place < pieces.words.len() {
        let step = step(steps.len());
        steps.push((place, step));
        place += match step {
            // The word at this place is left alone, and the first of the next nine.
            Step::Add => PERIOD - 1,
            Step::Delete | Step::Change => PERIOD,
        };
    }
    scramble(pieces, steps, source, random);
}

/// 0.1·n edits at random places; 0.035·n of each kind if all are combined.
pub(super) fn random(
    pieces: &mut Pieces<'_>,
    edit: Edit,
    source: &mut WordSource<'_>,
    random: &mut Random,
) {
    let words = pieces.words.len();
    let share = |thousandths: usize| (words * thousandths + 500) / 1000;
    let (add, delete, change) = match edit {
        Edit::Add => (share(100), 0, 0),
        Edit::Delete => (0, share(100), 0),
        Edit::Change => (0, 0, share(100)),
        Edit::Combine => (share(35), share(35), share(35)),
    };
    // A word may be added behind the last one, and several at one place.
    let mut steps: Vec<(usize, Step)> = (0..add)
        .map(|_| (random.below(words + 1), Step::Add))
        .collect();
    let places = random.sample(delete + change, words);
    let edits = std::iter::repeat_n(Step::Delete, delete).chain(std::iter::repeat(Step::Change));
    steps.extend(places.into_iter().zip(edits));
    // Stable, so that words are added before the word at their place is deleted or changed.
    steps.sort_by_key(|&(place, _)| place);
    scramble(pieces, steps, source, random);
}

/// One word changed in every stretch of so many words; the attacker does not know which ones count,
/// and so takes any.
pub(super) fn adapted(
    pieces: &mut Pieces<'_>,
    stretch: NonZeroU32,
    source: &mut WordSource<'_>,
    random: &mut Random,
) {
    let words = pieces.words.len();
    let stretch = stretch.get() as usize;
    let steps = (0..words)
        .step_by(stretch)
        .map(|start| (start + random.below(stretch), Step::Change))
        .filter(|&(place, _)| place < words)
        .collect();
    scramble(pieces, steps, source, random);
}

/// Takes the steps, which are in the order of their places.
fn scramble(
    pieces: &mut Pieces<'_>,
    steps: Vec<(usize, Step)>,
    source: &mut WordSource<'_>,
    random: &mut Random,
) {
    let mut steps = steps.into_iter().peekable();
    let mut scrambled: Vec<Word<'_>> = Vec::with_capacity(pieces.words.len() + steps.len());
    for (place, mut word) in std::mem::take(&mut pieces.words).into_iter().enumerate() {
        let mut stays = true;
        while let Some((_, step)) = steps.next_if(|&(at, _)| at == place) {
            match step {
                Step::Add => {
                    if let Some(last) = scrambled.last_mut() {
                        last.separate();
                    }
                    scrambled.push(Word::added(source.word(random)));
                }
                Step::Delete => stays = false,
                Step::Change => word.text = Cow::Owned(source.other_than(&word.text, random)),
            }
        }
        if stays {
            // A changed word may be of a script that needs spaces where the old one needed none.
            if let Cow::Owned(_) = word.text {
                word.separate();
                if let Some(last) = scrambled.last_mut() {
                    last.separate();
                }
            }
            scrambled.push(word);
        } else if let Some(last) = scrambled.last_mut() {
            last.absorb(&word.gap);
        }
    }
    // What closes the text stays at its end.
    for _ in steps {
        let mut added = Word::added(source.word(random));
        if let Some(last) = scrambled.last_mut() {
            std::mem::swap(&mut last.gap, &mut added.gap);
        }
        scrambled.push(added);
    }
    pieces.words = scrambled;
}

/// Doubles the text: as many random words as it has, in one block in the middle.
pub(super) fn large_add(pieces: &mut Pieces<'_>, source: &mut WordSource<'_>, random: &mut Random) {
    let words = pieces.words.len();
    let middle = words / 2;
    if let Some(last) = middle.checked_sub(1) {
        pieces.words[last].separate();
    }
    let block: Vec<Word<'_>> = (0..words)
        .map(|_| Word::added(source.word(random)))
        .collect();
    pieces.words.splice(middle..middle, block);
}

/// Takes out a third of the words in a row, from a random word on.
pub(super) fn large_delete(pieces: &mut Pieces<'_>, random: &mut Random) {
    let third = pieces.words.len() / 3;
    let start = random.below(pieces.words.len() - third + 1);
    pieces.words.drain(start..start + third);
    if let Some(last) = start.checked_sub(1) {
        pieces.words[last].separate();
    }
}

/// Cuts the text into five blocks and permutes them so that none stays in its place.
pub(super) fn large_rearrange(pieces: &mut Pieces<'_>, random: &mut Random) {
    let words = std::mem::take(&mut pieces.words);
    let count = words.len().min(5);
    let mut order = random.sample(count, count);
    while count > 1
        && order
            .iter()
            .enumerate()
            .any(|(place, &block)| place == block)
    {
        order = random.sample(count, count);
    }
    for block in order {
        let start = words.len() * block / count;
        let end = words.len() * (block + 1) / count;
        pieces.words.extend_from_slice(&words[start..end]);
        if let Some(last) = pieces.words.last_mut() {
            last.separate();
        }
    }
}

/// Swaps the words 9 and 10, 19 and 20, …: every tenth pair of neighbours.
pub(super) fn swap(pieces: &mut Pieces<'_>) {
    let words = &mut pieces.words;
    for place in (PERIOD - 1..words.len().saturating_sub(1)).step_by(PERIOD) {
        let (before, after) = words.split_at_mut(place + 1);
        std::mem::swap(&mut before[place].text, &mut after[0].text);
        for neighbour in place.saturating_sub(1)..=place + 1 {
            if neighbour + 1 < words.len() {
                words[neighbour].separate();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Attack;
    use super::*;

    const TEXT: &str = "a0 a1 a2 a3 a4 a5 a6 a7 a8, (a9) a10 a11 a12 a13 a14 a15 a16 a17\n\
                        a18. A19 a20 a21 a22 a23 a24 a25 a26 a27 a28 a29!\n";

    #[track_caller]
    fn check(attack: Attack, expected: &str) {
        let vocabulary = ["new".to_owned()];
        assert_eq!(attack.apply(TEXT, &vocabulary, 1), expected);
    }

    fn count(text: &str) -> usize {
        Pieces::of(text).words.len()
    }

    fn numbered(words: u32) -> String {
        let words: Vec<String> = (0..words).map(|number| format!("w{number}")).collect();
        words.join(" ")
    }

    #[test]
    fn intelligent_attacks() {
        check(
            Attack::Intelligent(Edit::Add),
            "a0 a1 a2 a3 a4 a5 a6 a7 a8, (new a9) a10 a11 a12 a13 a14 a15 a16 a17\n\
             new a18. A19 a20 a21 a22 a23 a24 a25 a26 new a27 a28 a29!\n",
        );
        check(
            Attack::Intelligent(Edit::Delete),
            "a0 a1 a2 a3 a4 a5 a6 a7 a8, () a10 a11 a12 a13 a14 a15 a16 a17\n\
             a18. a20 a21 a22 a23 a24 a25 a26 a27 a28!\n",
        );
        check(
            Attack::Intelligent(Edit::Change),
            "a0 a1 a2 a3 a4 a5 a6 a7 a8, (new) a10 a11 a12 a13 a14 a15 a16 a17\n\
             a18. new a20 a21 a22 a23 a24 a25 a26 a27 a28 new!\n",
        );
        check(
            Attack::Intelligent(Edit::Combine),
            "a0 a1 a2 a3 a4 a5 a6 a7 a8, (new a9) a10 a11 a12 a13 a14 a15 a16 a17. \
             A19 a20 a21 a22 a23 a24 a25 a26 a27 new a29!\n",
        );
    }

    /// Section 3.4: "this ensured that every window of size 10 contained a single change".
    #[test]
    fn no_window_of_ten_is_left() {
        let text = numbered(500);
        let words: Vec<&str> = text.split_whitespace().collect();
        for edit in Edit::ALL {
            let attack = Attack::Intelligent(edit);
            let attacked = attack.apply(&text, &["new".to_owned()], 1);
            let attacked: Vec<&str> = attacked.split_whitespace().collect();
            let is_left = |window: &&[&str]| words.windows(10).any(|own| own == *window);
            assert_eq!(attacked.windows(10).filter(is_left).count(), 0, "{attack}");
            // Nor is more changed than that takes.
            let is_left = |window: &&[&str]| words.windows(9).any(|own| own == *window);
            assert!(
                attacked.windows(9).filter(is_left).count() >= 50,
                "{attack}"
            );
        }
    }

    #[test]
    fn swapped_neighbours() {
        check(
            Attack::Swap,
            "a0 a1 a2 a3 a4 a5 a6 a7 a8, (a10) a9 a11 a12 a13 a14 a15 a16 a17\n\
             a18. a20 A19 a21 a22 a23 a24 a25 a26 a27 a28 a29!\n",
        );
    }

    #[test]
    fn random_attacks_count() {
        let text = numbered(200);
        let original: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let vocabulary = ["new".to_owned()];
        for seed in 0..20 {
            let apply = |edit| Attack::Random(edit).apply(&text, &vocabulary, seed);
            let new = |text: &str| {
                text.split_whitespace()
                    .filter(|word| *word == "new")
                    .count()
            };
            let added = apply(Edit::Add);
            assert_eq!((count(&added), new(&added)), (220, 20));
            let deleted = apply(Edit::Delete);
            assert_eq!(count(&deleted), 180);
            let changed = apply(Edit::Change);
            assert_eq!((count(&changed), new(&changed)), (200, 20));
            let combined = apply(Edit::Combine);
            assert_eq!((count(&combined), new(&combined)), (200, 14));
            // What stays is in its order.
            for attacked in [added, deleted, changed, combined] {
                let mut rest = original.iter();
                let mut kept = attacked.split_whitespace().filter(|word| *word != "new");
                assert!(kept.all(|word| rest.any(|other| other == word)));
            }
        }
    }

    #[test]
    fn adapted_hits_every_stretch_once() {
        let text = numbered(70);
        let seven = Attack::Adapted(NonZeroU32::new(7).unwrap());
        let attacked = seven.apply(&text, &["new".to_owned()], 4);
        let attacked: Vec<&str> = attacked.split_whitespace().collect();
        assert_eq!(attacked.len(), 70);
        for stretch in attacked.chunks(7) {
            assert_eq!(stretch.iter().filter(|word| **word == "new").count(), 1);
        }
    }

    #[test]
    fn large_scale() {
        let text = numbered(50);
        let original: Vec<&str> = text.split_whitespace().collect();
        let vocabulary = ["new".to_owned()];
        for seed in 0..20 {
            let doubled = Attack::LargeAdd.apply(&text, &vocabulary, seed);
            let doubled: Vec<&str> = doubled.split_whitespace().collect();
            assert_eq!(doubled.len(), 100);
            assert!(doubled[25..75].iter().all(|word| *word == "new"));
            assert_eq!(&doubled[75..], &original[25..]);

            let shorter = Attack::LargeDelete.apply(&text, &vocabulary, seed);
            let shorter: Vec<&str> = shorter.split_whitespace().collect();
            assert_eq!(shorter.len(), 34);
            let breaks = shorter.windows(2).filter(|pair| {
                let number = |word: &str| word[1..].parse::<u32>().unwrap();
                number(pair[1]) != number(pair[0]) + 1
            });
            assert!(breaks.count() <= 1);

            let moved = Attack::LargeRearrange.apply(&text, &vocabulary, seed);
            let moved: Vec<&str> = moved.split_whitespace().collect();
            for block in 0..5 {
                let range = block * 10..block * 10 + 10;
                assert!(moved[range.clone()] != original[range]);
            }
            let mut sorted = moved.clone();
            let mut all = original.clone();
            sorted.sort_unstable();
            all.sort_unstable();
            assert_eq!(sorted, all);
        }
    }
}
