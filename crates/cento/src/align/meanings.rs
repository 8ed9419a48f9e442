//! Words that mean the same, from lists and vectors that a user supplies.
//!
//! Only sentences are judged by it: a synonym makes two of them alike, but it stays another word,
//! so nothing becomes equal text that is not.

use std::collections::{HashMap, HashSet};

use super::sequence::beginning;
use super::{Vocabulary, Word};
use crate::error::Error;
use crate::number::index32;

/// Groups of words that mean the same. Words that begin alike count as forms of one, as they do
/// everywhere in alignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meanings {
    /// The group of each beginning.
    groups: HashMap<Box<str>, u32>,
    next: u32,
}

/// The vectors of the words that some texts have; those of other words are never stored.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// The words that are looked for,
    words: HashSet<Box<str>>,
    /// and the beginnings of those not found yet.
    missing: HashSet<Box<str>>,
    /// The beginnings that have a vector, in the order of the file.
    found: Vec<Box<str>>,
    /// Their vectors, one after another, each of length 1.
    numbers: Vec<f32>,
    dimensions: usize,
    lines: u64,
}

/// From this cosine of their vectors on, two words mean the same.
const ALIKE: f32 = 0.7;

/// How many words of a file are compared: those that come first, which are the most frequent ones
/// in all files in use. Each is compared with each.
const COMPARED: usize = 20_000;

impl Meanings {
    /// What [`Texts::meanings`](crate::Texts::meanings) is where nothing is known of the words.
    ///
    /// # Errors
    ///
    /// None.
    pub fn none(_: &Vocabulary) -> Result<Meanings, Error> {
        Ok(Meanings::default())
    }

    /// Whether no two words mean the same.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Adds a group from a line of a list: words between commas, tabs or spaces, or a word, a colon
    /// and the others. What follows `#` is a remark. Where there are commas, tabs or a colon,
    /// spaces make expressions of several words, which are passed over. A word of several groups
    /// belongs to the first.
    ///
    /// # Errors
    ///
    /// Where one word stands alone: the reason.
    pub fn add_line(&mut self, line: &str) -> Result<(), String> {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            return Ok(());
        }
        let separators: &[char] = &[',', '\t', ':', ';'];
        let entries: Vec<&str> = if line.contains(separators) {
            let entries = line.split(separators).map(str::trim);
            entries.filter(|entry| !entry.is_empty()).collect()
        } else {
            line.split_whitespace().collect()
        };
        if entries.len() < 2 {
            return Err(format!(
                "has only `{line}`; a group is two words or more, with commas, tabs or spaces \
                 between them"
            ));
        }
        let group = self.next;
        self.next += 1;
        for entry in entries {
            let tokens = Vocabulary::tokens(entry);
            let mut terms = tokens.terms();
            if let (Some(term), None) = (terms.next(), terms.next()) {
                self.groups.entry(beginning(term).into()).or_insert(group);
            }
        }
        Ok(())
    }

    pub(super) fn group(&self, term: &str) -> Option<u32> {
        self.groups.get(beginning(term)).copied()
    }

    /// Adds two beginnings that mean the same, unless a list says otherwise.
    fn add(&mut self, leader: &str, other: &str) {
        let group = *self.groups.entry(leader.into()).or_insert_with(|| {
            self.next += 1;
            self.next - 1
        });
        self.groups.entry(other.into()).or_insert(group);
    }
}

impl Vectors {
    /// Vectors are wanted of the words of a vocabulary.
    pub fn of(vocabulary: &Vocabulary) -> Vectors {
        let numbers = 0..index32(vocabulary.len());
        let words = || numbers.clone().map(|number| vocabulary.term(Word(number)));
        Vectors {
            words: words().map(Into::into).collect(),
            missing: words().map(|word| beginning(word).into()).collect(),
            found: Vec::new(),
            numbers: Vec::new(),
            dimensions: 0,
            lines: 0,
        }
    }

    /// Takes the next line of a file in a text format of `GloVe`, `word2vec` or `fastText`: a
    /// word, then its numbers; the last two have a first line with two counts.
    ///
    /// # Errors
    ///
    /// What is wrong with the line, if its word is one of those wanted.
    pub fn add_line(&mut self, line: &str) -> Result<(), String> {
        self.lines += 1;
        let line = line.trim();
        let Some((word, numbers)) = line.split_once([' ', '\t']) else {
            return match line {
                "" => Ok(()),
                word => Err(format!("has no numbers after `{word}`")),
            };
        };
        if self.lines == 1 && is_header(word, numbers) {
            return Ok(());
        }
        if self.found.len() >= COMPARED {
            return Ok(());
        }
        let folded = word.to_lowercase();
        let stem = beginning(&folded);
        if !self.words.contains(folded.as_str()) || !self.missing.contains(stem) {
            return Ok(());
        }
        let start = self.numbers.len();
        for number in numbers.split_ascii_whitespace() {
            match number.parse::<f32>() {
                Ok(number) if number.is_finite() => self.numbers.push(number),
                _ => {
                    self.numbers.truncate(start);
                    return Err(format!("`{number}` after `{word}` is not a number"));
                }
            }
        }
        let length = self.numbers.len() - start;
        if self.dimensions == 0 {
            self.dimensions = length;
        }
        if length != self.dimensions {
            self.numbers.truncate(start);
            return Err(format!(
                "has {length} numbers after `{word}`, and the lines before have {}",
                self.dimensions
            ));
        }
        let vector = &mut self.numbers[start..];
        let norm = dot(vector, vector).sqrt();
        if norm > 0.0 {
            for number in vector.iter_mut() {
                *number /= norm;
            }
            self.missing.remove(stem);
            self.found.push(stem.into());
        } else {
            self.numbers.truncate(start);
        }
        Ok(())
    }

    /// How many lines there were.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Puts words into one group whose vectors are alike. In the order of the file, a word joins
    /// the most similar of the words before it that lead a group, or leads one itself, so that the
    /// result depends on which words there are and on nothing else.
    pub fn group(&self, meanings: &mut Meanings) {
        let vector = |number: usize| &self.numbers[number * self.dimensions..][..self.dimensions];
        let mut leaders: Vec<usize> = Vec::new();
        for number in 0..self.found.len() {
            let this = vector(number);
            let mut best = (ALIKE, None);
            for &leader in &leaders {
                let alike = dot(this, vector(leader));
                if alike >= best.0 {
                    best = (alike, Some(leader));
                }
            }
            match best.1 {
                Some(leader) => meanings.add(&self.found[leader], &self.found[number]),
                None => leaders.push(number),
            }
        }
    }
}

/// How many words there are, and how many numbers each has.
fn is_header(word: &str, numbers: &str) -> bool {
    word.parse::<u64>().is_ok() && numbers.trim().parse::<u64>().is_ok()
}

/// In eight sums at a time, which is fast and always the same.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (eights, rest) = a.as_chunks::<8>();
    let (others, other_rest) = b.as_chunks::<8>();
    for (a, b) in eights.iter().zip(others) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest = rest.iter().zip(other_rest).map(|(a, b)| a * b);
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(lines: &[&str]) -> Meanings {
        let mut meanings = Meanings::default();
        for line in lines {
            meanings.add_line(line).unwrap();
        }
        meanings
    }

    #[track_caller]
    fn check(lines: &[&str], same: &[[&str; 2]], different: &[[&str; 2]]) {
        let meanings = meanings(lines);
        let is_same = |[a, b]: &[&str; 2]| {
            meanings.group(a).is_some() && meanings.group(a) == meanings.group(b)
        };
        assert!(same.iter().all(is_same), "{lines:?}");
        assert!(!different.iter().any(is_same), "{lines:?}");
    }

    #[test]
    fn lists_of_synonyms() {
        check(&["", "  # nothing"], &[], &[["canal", "waterway"]]);
        for line in [
            "canal waterway cut",
            "canal,waterway, cut # by hand",
            "Canal\tWATERWAY\tcut",
            "canal: waterway, cut",
        ] {
            check(
                &[line],
                &[["canal", "cut"], ["waterways", "canal"]],
                &[["canal", "mill"]],
            );
        }
        check(
            &["canal, narrow boat, barge"],
            &[["canal", "barge"]],
            &[["canal", "boat"]],
        );
        check(
            &["bank, shore", "bank, purse"],
            &[["bank", "shore"]],
            &[["bank", "purse"]],
        );
        assert!(Meanings::default().add_line("canal").is_err());
        assert!(Meanings::default().add_line("canal:").is_err());
    }

    fn vectors(words: &str, lines: &[&str]) -> Result<Meanings, String> {
        let mut vocabulary = Vocabulary::default();
        vocabulary.read(words);
        let mut vectors = Vectors::of(&vocabulary);
        for line in lines {
            vectors.add_line(line)?;
        }
        let mut meanings = Meanings::default();
        vectors.group(&mut meanings);
        Ok(meanings)
    }

    #[test]
    fn vectors_of_words() {
        let lines = [
            "canal 1 0.1 0",
            "mill 0 0 1",
            "Waterway 2 0 0.1",
            "boat 1 0.2 0",
        ];
        let with_header = [&["4 3"], &lines[..]].concat();
        for lines in [&lines[..], &with_header] {
            let found = vectors("the canal waterway mill", lines).unwrap();
            assert_eq!(found.group("canal"), found.group("waterways"));
            assert!(found.group("canal").is_some() && found.group("mill").is_none());
            assert!(found.group("boat").is_none(), "no text has it");
        }
    }

    #[test]
    fn lines_that_are_no_vectors() {
        let reason = |lines: &[&str]| vectors("canal mill", lines).unwrap_err();
        assert!(reason(&["canal"]).contains("no numbers"));
        assert!(reason(&["canal 1 x"]).contains("`x`"));
        assert!(reason(&["canal 1 2", "mill 1"]).contains("1 numbers"));
        assert!(
            vectors("canal", &["boat x", "", "canal 0 0"])
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn words_of_one_group_have_one_stem() {
        let mut vocabulary = Vocabulary::default();
        let words = vocabulary
            .read("barges canal boat canals ship")
            .words()
            .to_vec();
        vocabulary.apply(&meanings(&["boat, ship, barges", "canal, canals"]));
        let stems: Vec<u32> = words
            .iter()
            .map(|&word| vocabulary.stem(word).word.0)
            .collect();
        assert_eq!(stems, [0, 1, 0, 1, 0]);
    }
}
