//! Which words two versions do not share, and which have moved.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::ops::Range;

use cento::align::{Aligner, Passage, Sequence, Vocabulary};
use cento_report::{Change, ChangedPart, Changes};
use serde::{Deserialize, Serialize};

use super::page::Pages;
use super::store::{Store, Tables, Version};
use super::{ArchiveOptions, find, moment};
use crate::error::{Error, Result};
use crate::watch::{Step, Watch};

/// Which versions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Of which archive.
    pub archive: ArchiveOptions,
    /// The older one, `NAME@VERSION`.
    pub left: String,
    /// The newer one; a number alone is a version of the same page.
    pub right: String,
    /// How pages are read.
    pub input: cento_ingest::Options,
}

/// What changed.
pub type Outcome = Changes;

/// Words that both have in a row, so many that they are the same text wherever they stand.
const TILE: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");
/// Fewer words than this have not moved; they are there again.
const MOVED: u32 = 5;
/// So many words may have been edited inside of what has moved.
const EDIT: u32 = 3;
/// Gaps of more than so many pairs of words are not searched for single words that stayed.
const LARGEST_GAP: usize = 4_000_000;

/// Compares two versions word by word.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let store = Store::read(&options.archive)?;
    let tables = store.tables();
    let pages = Pages::new(&store.setting("recipe")?, &options.input)?;
    let (name, left) = find::version(&tables, &options.left)?;
    let is_number = options.right.bytes().all(|byte| byte.is_ascii_digit());
    let right = if is_number {
        find::version(&tables, &format!("{name}@{}", options.right))?
    } else {
        find::version(&tables, &options.right)?
    };
    watch.begin(Step::Aligning, 0, 0);
    let text = |name: &str, version: &Version| read(&tables, &pages, name, version);
    let (old, new) = (text(&name, &left)?, text(&right.0, &right.1)?);
    let mut changes = between(&old, &new);
    watch.end();
    changes.left = called(&name, &left);
    changes.right = called(&right.0, &right.1);
    Ok(changes)
}

fn called(name: &str, version: &Version) -> String {
    let (name, number) = (name.escape_debug(), version.number);
    format!("{name}@{number} of {}", moment::written(version.time))
}

fn read(tables: &Tables<'_>, pages: &Pages, name: &str, version: &Version) -> Result<String> {
    let bytes = tables.bytes(version.payload)?;
    pages.text(name, &bytes).map_err(|reason| {
        let (name, number) = (name.escape_debug(), version.number);
        Error::refused(format!(
            "{name}@{number}: its text cannot be read: {reason}"
        ))
    })
}

/// What happened to the words of two texts.
fn between(old: &str, new: &str) -> Changes {
    let mut vocabulary = Vocabulary::default();
    let [left, right] = [old, new].map(|text| vocabulary.read(text));
    let tiles = Aligner::Tiling(TILE)
        .align(&left, &right, &vocabulary)
        .passages;
    let mut fates = Fates::new(&left, &right);
    let in_place = in_order(&tiles);
    let moved = moved(&tiles, &in_place);
    for (place, tile) in tiles.iter().enumerate() {
        if in_place.contains(&place) {
            fates.keep(tile);
        } else if moved.contains(&place) {
            fates.moves(tile);
        }
    }
    fates.fill_gaps(&left, &right);
    let texts = [Words::new(old, &left), Words::new(new, &right)];
    fates.told(&texts)
}

/// The tiles with the most words that stand in the same order in both texts.
fn in_order(tiles: &[Passage]) -> BTreeSet<usize> {
    // By their place on the left; the best sum that ends in each, and what comes before it.
    let mut order: Vec<usize> = (0..tiles.len()).collect();
    order.sort_by_key(|&tile| tiles[tile].left.start);
    let mut ends: Vec<u32> = tiles.iter().map(|tile| tile.right.start).collect();
    ends.sort_unstable();
    let mut best = Best::new(ends.len());
    let mut sums = vec![(0_u64, None); tiles.len()];
    for &tile in &order {
        let rank = ends.partition_point(|&start| start < tiles[tile].right.start);
        let (sum, before) = best.up_to(rank);
        let sum = sum + tiles[tile].left.len() as u64;
        sums[tile] = (sum, before);
        best.raise(rank, (sum, Some(tile)));
    }
    let mut next = best.up_to(tiles.len()).1;
    let mut chosen = BTreeSet::new();
    while let Some(tile) = next {
        chosen.insert(tile);
        next = sums[tile].1;
    }
    chosen
}

/// The tiles that have moved: long ones, and short ones beside them, behind an edit.
fn moved(tiles: &[Passage], in_place: &BTreeSet<usize>) -> BTreeSet<usize> {
    let elsewhere = (0..tiles.len()).filter(|tile| !in_place.contains(tile));
    let mut order: Vec<usize> = elsewhere.collect();
    order.sort_by_key(|&tile| tiles[tile].left.start);
    let is_long = |tile: &usize| tiles[*tile].left.len() >= MOVED as usize;
    let mut moved: BTreeSet<usize> = order.iter().copied().filter(is_long).collect();
    let is_near = |end: u32, start: u32| start.checked_sub(end).is_some_and(|gap| gap <= EDIT);
    let go_on = |first: usize, next: usize| {
        let (first, next) = (&tiles[first], &tiles[next]);
        is_near(first.left.end, next.left.start) && is_near(first.right.end, next.right.start)
    };
    let pairs: Vec<(usize, usize)> = order
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .filter(|&(first, next)| go_on(first, next))
        .collect();
    for (first, next) in &pairs {
        if moved.contains(first) {
            moved.insert(*next);
        }
    }
    for (first, next) in pairs.iter().rev() {
        if moved.contains(next) {
            moved.insert(*first);
        }
    }
    moved
}

/// The largest of the first so many values, all of which may grow: a Fenwick tree.
struct Best(Vec<(u64, Option<usize>)>);

impl Best {
    fn new(count: usize) -> Best {
        Best(vec![(0, None); count + 1])
    }

    fn up_to(&self, count: usize) -> (u64, Option<usize>) {
        let mut place = count.min(self.0.len() - 1);
        let mut best = (0, None);
        while place > 0 {
            if self.0[place].0 > best.0 {
                best = self.0[place];
            }
            place &= place - 1;
        }
        best
    }

    fn raise(&mut self, rank: usize, value: (u64, Option<usize>)) {
        let mut place = rank + 1;
        while place < self.0.len() {
            if value.0 > self.0[place].0 {
                self.0[place] = value;
            }
            place += place & place.wrapping_neg();
        }
    }
}

/// What becomes of each word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Alone,
    /// It is this word of the other text.
    Kept(usize),
    Moved,
}

struct Fates {
    left: Vec<Fate>,
    right: Vec<Fate>,
}

impl Fates {
    fn new(left: &Sequence, right: &Sequence) -> Fates {
        let alone = |sequence: &Sequence| vec![Fate::Alone; sequence.words().len()];
        Fates {
            left: alone(left),
            right: alone(right),
        }
    }

    fn keep(&mut self, tile: &Passage) {
        for (left, right) in places(&tile.left).zip(places(&tile.right)) {
            self.pair(left, right);
        }
    }

    fn pair(&mut self, left: usize, right: usize) {
        self.left[left] = Fate::Kept(right);
        self.right[right] = Fate::Kept(left);
    }

    fn moves(&mut self, tile: &Passage) {
        self.left[places(&tile.left)].fill(Fate::Moved);
        self.right[places(&tile.right)].fill(Fate::Moved);
    }

    /// Keeps single words between those that are kept: the longest common subsequence of each gap.
    fn fill_gaps(&mut self, left: &Sequence, right: &Sequence) {
        let mut start = (0, 0);
        let mut gaps = Vec::new();
        for place in 0..=self.left.len() {
            let kept = match self.left.get(place) {
                Some(Fate::Kept(other)) => *other,
                Some(_) => continue,
                None => self.right.len(),
            };
            if place > start.0 && kept > start.1 {
                gaps.push((start.0..place, start.1..kept));
            }
            start = (place + 1, kept + 1);
        }
        for (of_left, of_right) in gaps {
            let is_free = |fates: &[Fate], place: &usize| fates[*place] == Fate::Alone;
            let ours: Vec<usize> = of_left.filter(|place| is_free(&self.left, place)).collect();
            let theirs: Vec<usize> = of_right
                .filter(|place| is_free(&self.right, place))
                .collect();
            if ours.len().saturating_mul(theirs.len()) > LARGEST_GAP {
                continue;
            }
            let is_same =
                |our: usize, their: usize| left.words()[ours[our]] == right.words()[theirs[their]];
            for (our, their) in common_words(ours.len(), theirs.len(), is_same) {
                self.pair(ours[our], theirs[their]);
            }
        }
    }

    /// Everything in the order of the newer text.
    fn told(&self, texts: &[Words<'_>; 2]) -> Changes {
        let [old, new] = texts;
        let mut writer = Writer::default();
        let mut left = 0;
        let fate_of_left = |fate: Fate| match fate {
            Fate::Moved => Change::MovedAway,
            Fate::Alone | Fate::Kept(_) => Change::Removed,
        };
        for (right, fate) in self.right.iter().enumerate() {
            match fate {
                Fate::Kept(kept) => {
                    while left < *kept {
                        writer.push(fate_of_left(self.left[left]), old.word(left));
                        left += 1;
                    }
                    left += 1;
                    if old.word(*kept).trim() == new.word(right).trim() {
                        writer.push(Change::Unchanged, new.word(right));
                    } else {
                        writer.push(Change::Removed, old.word(*kept));
                        writer.push(Change::Added, new.word(right));
                    }
                }
                Fate::Moved | Fate::Alone => {
                    // What stood here before is told first.
                    while let Some(fate @ (Fate::Alone | Fate::Moved)) = self.left.get(left) {
                        writer.push(fate_of_left(*fate), old.word(left));
                        left += 1;
                    }
                    let change = match fate {
                        Fate::Moved => Change::MovedHere,
                        Fate::Alone | Fate::Kept(_) => Change::Added,
                    };
                    writer.push(change, new.word(right));
                }
            }
        }
        while left < self.left.len() {
            writer.push(fate_of_left(self.left[left]), old.word(left));
            left += 1;
        }
        writer.changes
    }
}

fn places(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The longest common subsequence, as pairs of places.
fn common_words(
    left: usize,
    right: usize,
    is_same: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    // The lengths for all ends of both, from the last words on.
    let width = right + 1;
    let mut lengths = vec![0_u32; (left + 1) * width];
    for our in (0..left).rev() {
        for their in (0..right).rev() {
            lengths[our * width + their] = if is_same(our, their) {
                lengths[(our + 1) * width + their + 1] + 1
            } else {
                lengths[(our + 1) * width + their].max(lengths[our * width + their + 1])
            };
        }
    }
    let (mut our, mut their) = (0, 0);
    let mut pairs = Vec::new();
    while our < left && their < right {
        if is_same(our, their) {
            pairs.push((our, their));
            our += 1;
            their += 1;
        } else if lengths[(our + 1) * width + their] >= lengths[our * width + their + 1] {
            our += 1;
        } else {
            their += 1;
        }
    }
    pairs
}

/// The words of a text, each with what follows it.
struct Words<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Words<'t> {
    fn new(text: &'t str, sequence: &Sequence) -> Words<'t> {
        let places = sequence.places().iter();
        let mut starts: Vec<usize> = places.map(|place| place.source.start as usize).collect();
        if let Some(first) = starts.first_mut() {
            *first = 0;
        }
        // What opens a word, such as a quote, belongs to it.
        for start in starts.iter_mut().skip(1) {
            let before = text[..*start].trim_end_matches(|end: char| !end.is_whitespace());
            let opening = &text[before.len()..*start];
            if !opening.chars().any(char::is_alphanumeric) {
                *start = before.len();
            }
        }
        Words { text, starts }
    }

    fn word(&self, place: usize) -> &'t str {
        let end = self.starts.get(place + 1).copied();
        let start = self.starts[place];
        &self.text[start..end.unwrap_or(self.text.len()).max(start)]
    }
}

#[derive(Default)]
struct Writer {
    changes: Changes,
}

impl Writer {
    fn push(&mut self, change: Change, word: &str) {
        let changes = &mut self.changes;
        match change {
            Change::Unchanged => changes.unchanged += 1,
            Change::Removed => changes.removed += 1,
            Change::Added => changes.added += 1,
            Change::MovedHere => changes.moved += 1,
            Change::MovedAway => {}
        }
        match changes.parts.last_mut() {
            Some(last) if last.change == change => last.text.push_str(word),
            _ => changes.parts.push(ChangedPart {
                change,
                text: word.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        let shown: Vec<String> = between(old, new)
            .parts
            .iter()
            .map(|part| {
                let text = part.text.trim();
                match part.change {
                    Change::Unchanged => text.to_owned(),
                    Change::Removed => format!("-{text}-"),
                    Change::Added => format!("+{text}+"),
                    Change::MovedAway => format!("<{text}"),
                    Change::MovedHere => format!(">{text}"),
                }
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn words_are_added_removed_and_moved() {
        check("", "", "");
        check("one two three", "one two three", "one two three");
        check("", "all is new", "+all is new+");
        check("all is gone", "", "-all is gone-");
        check(
            "the cat sat on the mat today",
            "the dog sat on the mat",
            "the -cat- +dog+ sat on the mat -today-",
        );
        check(
            "He said \"no\" twice here.",
            "He said \"yes\" twice here.",
            "He said -\"no\"- +\"yes\"+ twice here.",
        );
        check(
            "a word, and another one",
            "a Word and another one",
            "a -word,- +Word+ and another one",
        );
        let (a, b) = (
            "first of all the council met in the old hall to vote on the bridge again",
            "nobody expected that the river would rise before summer",
        );
        check(
            &format!("{a}\n{b}"),
            &format!("{b}\n{a}"),
            &format!(">{b} {a} <{b}"),
        );
        // An edit inside of what has moved.
        let c = "the treasurer read the accounts of the year that show a surplus of 200 crowns for the quay";
        let d = "the treasurer read the accounts of the year that show a surplus of 300 crowns for the quay";
        let most = "the treasurer read the accounts of the year that show a surplus of";
        let a = format!("{a} {a}").replace("again first", "once more first");
        check(
            &format!("{a}\n{c}"),
            &format!("{d}\n{a}"),
            &format!(">{most} +300+ >crowns for the quay {a} <{most} -200- <crowns for the quay"),
        );
    }
}
