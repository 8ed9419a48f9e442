//! What stands in some texts that are in memory: the texts of a test, which should not be in what a
//! model is trained on.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Windows;
use super::windows::ByDigest;
use crate::align::Vocabulary;
use crate::number::index32;
use crate::token::{Span, Tokens};

/// Test documents, by their windows. All of them are in memory, about 60 bytes a word.
///
/// A document that is shorter than a window is looked for as a whole, if it has at least
/// [`TestSet::SHORTEST`] words.
pub struct TestSet {
    documents: Vec<TestDocument>,
    words: Vec<Known>,
    /// For each of the words which class of equal windows begins there.
    classes: Vec<u32>,
    members: Vec<Class>,
    /// Where the windows of the classes begin.
    places: Vec<u32>,
    lengths: Vec<Length>,
    numbers: HashMap<Box<str>, u32>,
}

/// A run of words that stands in a test document, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The words of the text that was looked at.
    pub words: Range<u32>,
    /// The test document that has most of it, by its number.
    pub document: u32,
    /// The bytes there.
    pub bytes: Span,
    /// The characters there.
    pub characters: Span,
}

/// What a text has of the test documents.
#[derive(Clone, Debug)]
pub struct Contained {
    /// The words of the text.
    pub tokens: Tokens,
    /// Runs, in order. Runs of different test documents may overlap.
    pub matches: Vec<Match>,
    /// How much of each test document is in the text, by their numbers.
    pub covers: Vec<TestCover>,
}

/// How much of a test document was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestCover {
    /// Its number.
    pub document: u32,
    /// How many words it has.
    pub words: u32,
    /// How many of them were found.
    pub covered: u32,
}

struct TestDocument {
    /// Its first word.
    at: u32,
    words: u32,
    /// How many words its windows have; none if it is too short to be looked for.
    length: Option<u32>,
}

struct Known {
    number: u32,
    bytes: Span,
    characters: Span,
}

/// Windows with the same words.
struct Class {
    places: Range<u32>,
    is_found: AtomicBool,
}

/// All windows of so many words.
struct Length {
    words: u32,
    /// The first class with a digest, and the others.
    classes: HashMap<u64, u32, ByDigest>,
    collided: BTreeMap<u64, Vec<u32>>,
}

const NONE: u32 = u32::MAX;

impl TestSet {
    /// The fewest words of a document that is looked for.
    pub const SHORTEST: u32 = 8;

    /// How many places of equal text are tried for the longest run.
    const TRIED: usize = 64;

    /// The test documents, of which runs of `length` words count.
    pub fn new<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, length: u32) -> TestSet {
        let mut set = TestSet {
            documents: Vec::new(),
            words: Vec::new(),
            classes: Vec::new(),
            members: Vec::new(),
            places: Vec::new(),
            lengths: Vec::new(),
            numbers: HashMap::new(),
        };
        let mut windows: BTreeMap<u32, Vec<(u64, u32)>> = BTreeMap::new();
        for text in texts {
            set.add(text.as_ref(), length, &mut windows);
        }
        set.classes = vec![NONE; set.words.len()];
        for (length, windows) in windows {
            set.classify(length, windows);
        }
        set
    }

    /// How many words a test document has.
    pub fn words(&self, document: u32) -> u32 {
        self.documents[document as usize].words
    }

    /// The test documents that are too short to be looked for.
    pub fn too_short(&self) -> impl Iterator<Item = u32> {
        let documents = (0..).zip(&self.documents);
        documents.filter_map(|(number, document)| document.length.is_none().then_some(number))
    }

    /// What a text has of the test documents.
    ///
    /// # Panics
    ///
    /// If the text is 4 GiB or longer.
    pub fn find(&self, text: &str) -> Contained {
        let mut tokens = Vocabulary::tokens(text);
        let mut numbers: Vec<Option<u32>> = vec![None; tokens.len()];
        let mut matches = Vec::new();
        let mut found = BTreeSet::new();
        for length in &self.lengths {
            let windows = Windows::from_tokens(tokens, length.words);
            let classes: Vec<u32> = (0..)
                .zip(windows.digests())
                .map(|(word, digest)| {
                    let class = length.class(*digest, |class| {
                        self.is_same(class, length.words, word, windows.tokens(), &mut numbers)
                    });
                    class.unwrap_or(NONE)
                })
                .collect();
            found.extend(classes.iter().copied().filter(|class| *class != NONE));
            self.match_runs(&classes, length.words, &mut matches);
            tokens = windows.into_tokens();
        }
        for class in &found {
            let class = &self.members[*class as usize];
            class.is_found.store(true, Ordering::Relaxed);
        }
        matches.sort_by_key(|run| (run.words.start, run.words.end, run.document));
        Contained {
            tokens,
            matches,
            covers: self.covers_of(found),
        }
    }

    /// How much of each test document all texts together have that were looked at.
    pub fn covers(&self) -> Vec<TestCover> {
        let classes = (0..).zip(&self.members);
        let found = classes.filter(|(_, class)| class.is_found.load(Ordering::Relaxed));
        self.covers_of(found.map(|(number, _)| number))
    }

    fn add(&mut self, text: &str, length: u32, windows: &mut BTreeMap<u32, Vec<(u64, u32)>>) {
        let at = index32(self.words.len());
        let tokens = Vocabulary::tokens(text);
        let words = index32(tokens.len());
        let shortest = TestSet::SHORTEST.min(length);
        let length = (words >= shortest && words > 0).then_some(length.min(words));
        self.documents.push(TestDocument { at, words, length });
        let Some(length) = length else {
            return;
        };
        let mut characters = Characters::default();
        for word in 0..words {
            let next = index32(self.numbers.len());
            let term = tokens.term(word);
            let number = match self.numbers.get(term) {
                Some(number) => *number,
                None => *self.numbers.entry(term.into()).or_insert(next),
            };
            let bytes = tokens.get(word).source;
            self.words.push(Known {
                number,
                bytes,
                characters: characters.of(text, bytes),
            });
        }
        let digests = Windows::from_tokens(tokens, length);
        let all = windows.entry(length).or_default();
        all.extend(digests.digests().iter().copied().zip(at..));
    }

    /// Puts windows with equal words together.
    fn classify(&mut self, words: u32, mut windows: Vec<(u64, u32)>) {
        windows.sort_unstable();
        let mut length = Length {
            words,
            classes: HashMap::default(),
            collided: BTreeMap::new(),
        };
        for group in windows.chunk_by(|left, right| left.0 == right.0) {
            let digest = group[0].0;
            let mut rest: Vec<u32> = group.iter().map(|(_, at)| *at).collect();
            // Once, unless digests collide.
            while let Some(&first) = rest.first() {
                let (same, other): (Vec<u32>, Vec<u32>) = rest.iter().partition(|at| {
                    self.numbers_at(first, words)
                        .eq(self.numbers_at(**at, words))
                });
                rest = other;
                let class = index32(self.members.len());
                let start = index32(self.places.len());
                for at in same {
                    self.classes[at as usize] = class;
                    self.places.push(at);
                }
                self.members.push(Class {
                    places: start..index32(self.places.len()),
                    is_found: AtomicBool::new(false),
                });
                match length.classes.entry(digest) {
                    std::collections::hash_map::Entry::Vacant(entry) => {
                        entry.insert(class);
                    }
                    std::collections::hash_map::Entry::Occupied(_) => {
                        length.collided.entry(digest).or_default().push(class);
                    }
                }
            }
        }
        self.lengths.push(length);
    }

    fn numbers_at(&self, at: u32, words: u32) -> impl Iterator<Item = u32> {
        let words = &self.words[at as usize..][..words as usize];
        words.iter().map(|word| word.number)
    }

    fn places_of(&self, class: u32) -> &[u32] {
        let places = &self.members[class as usize].places;
        &self.places[places.start as usize..places.end as usize]
    }

    /// Whether the words of a class stand in a text.
    fn is_same(
        &self,
        class: u32,
        length: u32,
        word: u32,
        tokens: &Tokens,
        numbers: &mut [Option<u32>],
    ) -> bool {
        let at = self.places_of(class)[0];
        (word..)
            .zip(self.numbers_at(at, length))
            .all(|(word, wanted)| {
                let number = &mut numbers[word as usize];
                let number = *number.get_or_insert_with(|| {
                    let known = self.numbers.get(tokens.term(word));
                    known.copied().unwrap_or(NONE)
                });
                number == wanted
            })
    }

    /// The runs of windows that stand in test documents, each as long as it can be.
    fn match_runs(&self, classes: &[u32], length: u32, matches: &mut Vec<Match>) {
        let mut word = 0;
        while word < classes.len() {
            if classes[word] == NONE {
                word += 1;
                continue;
            }
            let mut best: Option<(usize, u32)> = None;
            for at in self.places_of(classes[word]).iter().take(TestSet::TRIED) {
                let end = self.document_at(*at).1.end;
                let room = (end - at - length) as usize + 1;
                let here = &self.classes[*at as usize..][..room];
                let steps = here.iter().zip(&classes[word..]);
                let steps = steps.take_while(|(left, right)| left == right).count();
                if best.is_none_or(|(most, _)| steps > most) {
                    best = Some((steps, *at));
                }
            }
            let Some((steps, at)) = best else {
                break;
            };
            let run = index32(steps) - 1 + length;
            let last = &self.words[(at + run - 1) as usize];
            let first = &self.words[at as usize];
            matches.push(Match {
                words: index32(word)..index32(word) + run,
                document: self.document_at(at).0,
                bytes: Span {
                    start: first.bytes.start,
                    end: last.bytes.end,
                },
                characters: Span {
                    start: first.characters.start,
                    end: last.characters.end,
                },
            });
            word += steps;
        }
    }

    /// The document of a word, and all of its words.
    fn document_at(&self, at: u32) -> (u32, Range<u32>) {
        // A document without words of its own begins where the next one does, and stands before it.
        let next = self.documents.partition_point(|document| document.at <= at);
        let number = next.saturating_sub(1);
        let document = &self.documents[number];
        (index32(number), document.at..document.at + document.words)
    }

    fn covers_of(&self, classes: impl IntoIterator<Item = u32>) -> Vec<TestCover> {
        let mut places: Vec<u32> = Vec::new();
        for class in classes {
            places.extend_from_slice(self.places_of(class));
        }
        places.sort_unstable();
        let mut covers: Vec<TestCover> = Vec::new();
        let mut covered_to = 0;
        let mut all = 0..0;
        for at in places {
            if !all.contains(&at) {
                let (document, words) = self.document_at(at);
                all = words;
                covered_to = all.start;
                covers.push(TestCover {
                    document,
                    words: all.end - all.start,
                    covered: 0,
                });
            }
            let Some(cover) = covers.last_mut() else {
                continue;
            };
            let length = self.documents[cover.document as usize].length.unwrap_or(0);
            let end = at + length;
            cover.covered += end - at.max(covered_to);
            covered_to = end;
        }
        covers
    }
}

impl Length {
    fn class(&self, digest: u64, mut is_same: impl FnMut(u32) -> bool) -> Option<u32> {
        let class = *self.classes.get(&digest)?;
        if is_same(class) {
            return Some(class);
        }
        let others = self.collided.get(&digest)?;
        others.iter().copied().find(|class| is_same(*class))
    }
}

impl TestCover {
    /// The share of the test document.
    pub fn share(&self) -> f64 {
        f64::from(self.covered) / f64::from(self.words.max(1))
    }
}

/// Bytes → characters, for spans that come in order.
#[derive(Default)]
struct Characters {
    byte: usize,
    character: u32,
}

impl Characters {
    fn of(&mut self, text: &str, bytes: Span) -> Span {
        let mut to = |byte: u32| {
            let byte = byte as usize;
            self.character += index32(text[self.byte..byte].chars().count());
            self.byte = byte;
            self.character
        };
        Span {
            start: to(bytes.start),
            end: to(bytes.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(words: &[u8]) -> String {
        words
            .iter()
            .map(|word| format!("w{word}é,"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_short_test_is_found_as_a_whole() {
        let test = "One two three four five six seven eight nine.";
        let set = TestSet::new([test, "too short", ""], 13);
        assert_eq!(set.too_short().collect::<Vec<_>>(), [1, 2]);
        let found = set.find("x ONE two\nthree four five-six seven eight nine y");
        assert_eq!(found.matches.len(), 1);
        assert_eq!(found.matches[0].words, 1..10);
        assert_eq!(found.matches[0].bytes, Span { start: 0, end: 44 });
        assert_eq!(found.covers[0].covered, 9);
        assert!(
            set.find("one two three four five six seven eight")
                .covers
                .is_empty()
        );
        assert_eq!(set.covers(), found.covers);
    }

    #[test]
    fn the_longest_place_is_named() {
        let set = TestSet::new(["a b c d x y", "z a b c d e f"], 3);
        let found = set.find("q a b c d e f q");
        let runs: Vec<(Range<u32>, u32)> = found
            .matches
            .iter()
            .map(|run| (run.words.clone(), run.document))
            .collect();
        assert_eq!(runs, [(1..7, 1)]);
        let covered: Vec<u32> = found.covers.iter().map(|cover| cover.covered).collect();
        assert_eq!(covered, [4, 6]);
    }

    proptest! {
        #[test]
        fn finds_what_the_definition_says(
            tests in proptest::collection::vec(proptest::collection::vec(0_u8..3, 0..20), 0..5),
            train in proptest::collection::vec(0_u8..4, 0..40),
            length in 1_u32..6,
        ) {
            let set = TestSet::new(tests.iter().map(|words| text(words)), length);
            let found = set.find(&text(&train));
            let size = length as usize;
            // The words of either side that a window covers which the other side has.
            let cover = |one: &[u8], others: &[&[u8]]| -> Vec<bool> {
                let mut covered = vec![false; one.len()];
                for (at, window) in one.windows(size).enumerate() {
                    if others.iter().any(|other| other.windows(size).any(|w| w == window)) {
                        covered[at..at + size].fill(true);
                    }
                }
                covered
            };
            // Documents that are shorter than a window are too short here.
            let all: Vec<&[u8]> = tests.iter().map(Vec::as_slice).collect();
            let mut covered = vec![false; train.len()];
            for run in &found.matches {
                covered[run.words.start as usize..run.words.end as usize].fill(true);
                let test = &tests[run.document as usize];
                let at = text(test)[..run.bytes.start as usize].matches(' ').count();
                let words = &train[run.words.start as usize..run.words.end as usize];
                prop_assert_eq!(words, &test[at..at + words.len()]);
                let text = text(test);
                prop_assert_eq!(
                    text[..run.bytes.end as usize].chars().count(),
                    run.characters.end as usize
                );
            }
            prop_assert_eq!(covered, cover(&train, &all));
            for (number, test) in (0..).zip(&tests) {
                let expected = cover(test, &[&train]).iter().filter(|is| **is).count();
                let given = found.covers.iter().find(|cover| cover.document == number);
                prop_assert_eq!(given.map_or(0, |cover| cover.covered as usize), expected);
            }
        }
    }
}
