//! What is different about programs: tokens instead of words, and tiles instead of runs.
//!
//! Equal tokens in a row say less than equal words, because all programs are made of a few kinds of
//! them. So only what an aligner found is shared, token by token.

use std::ops::Range;

use crate::align::{Alignment, Kind, Sequence};
use crate::digest::word_hash;
use crate::report::{WordClass as Class, WordMark};
use crate::token::{Source, Span, Tokens};

/// How the tokens of a program stand in its text; nothing for prose.
#[derive(Default)]
pub(super) struct Spelling(Vec<Written>);

/// A token in the text.
struct Written {
    /// How it is written, as a number.
    word: u64,
    /// Where the words begin that stand before it in its line and are no tokens, such as its type; or
    /// where it begins itself.
    start: u32,
    /// Whether other lines stand between the token before it and this one: comments, or statements that
    /// change nothing.
    is_apart: bool,
}

impl Spelling {
    pub(super) fn of(source: Source<'_>, tokens: &Tokens) -> Spelling {
        let places = (0..).map(|number| tokens.get(number).source);
        Spelling::at(source.text, places.take(tokens.len()))
    }

    fn at(text: &str, places: impl Iterator<Item = Span>) -> Spelling {
        let mut before = 0;
        let written = places.map(|Span { start, end }| {
            let between = text.get(before..start as usize).unwrap_or_default();
            before = before.max(end as usize);
            let mut lines = between.rsplit('\n');
            let words = lines.next().unwrap_or_default().trim_start();
            let skipped = if has_word(words) { words.len() } else { 0 };
            // What is left of the line of the token before it is the last of the others.
            let is_apart = lines.rev().skip(1).any(has_word);
            Written {
                word: word_hash(&text.as_bytes()[start as usize..end as usize]),
                start: start - u32::try_from(skipped).unwrap_or(0),
                is_apart,
            }
        });
        Spelling(written.collect())
    }

    fn is_equal(&self, place: u32, other: &Spelling, other_place: u32) -> bool {
        self.0[place as usize].word == other.0[other_place as usize].word
    }
}

fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// The class of each token of either side: in a tile it is verbatim if it is written the same, and
/// edited if only what it is is the same.
pub(super) fn classes(sides: [&Spelling; 2], alignment: &Alignment) -> [Vec<Class>; 2] {
    let [left, right] = sides;
    let mut classes = sides.map(|side| vec![Class::Own; side.0.len()]);
    for passage in &alignment.passages {
        for (at, other) in passage.left.clone().zip(passage.right.clone()) {
            let class = match passage.kind {
                Kind::Exact if left.is_equal(at, right, other) => Class::Verbatim,
                Kind::Exact | Kind::Edited => Class::Edited,
                Kind::Paraphrased => Class::Reworded,
            };
            let [own, others] = &mut classes;
            for class_of in [&mut own[at as usize], &mut others[other as usize]] {
                *class_of = (*class_of).max(class);
            }
        }
    }
    classes
}

/// Where the tokens are that the other program has, and those within passages that it does not have.
///
/// What stands between two tokens of a line, such as types and modifiers, is marked with them. Between
/// others there may be comments, imports or statements that change nothing, and between the paragraphs
/// of a program anything: no mark goes on from one to the next.
pub(super) fn marks(
    sequence: &Sequence,
    spelling: &Spelling,
    classes: &[Class],
    passages: impl Iterator<Item = Range<u32>>,
) -> Vec<WordMark> {
    let mut is_shown: Vec<bool> = classes.iter().map(|class| *class != Class::Own).collect();
    for passage in passages {
        is_shown[passage.start as usize..passage.end as usize].fill(true);
    }
    let mut marks: Vec<WordMark> = Vec::new();
    let mut before = None;
    let tokens = sequence.places().iter().zip(&spelling.0);
    for (((place, written), &class), is_shown) in tokens.zip(classes).zip(is_shown) {
        let here = is_shown.then_some((class, place.paragraph));
        match marks.last_mut() {
            _ if !is_shown => {}
            Some(mark) if before == here && !written.is_apart => mark.end = place.source.end,
            // Two tokens of the normal form may stand at one place, which is then not its own.
            Some(mark) if class == Class::Own && mark.end > place.source.start => continue,
            last => {
                let start = match class {
                    Class::Own => place.source.start,
                    _ => written.start.max(last.map_or(0, |mark| mark.end)),
                };
                marks.push(WordMark {
                    start: start.min(place.source.start),
                    end: place.source.end,
                    class,
                });
            }
        }
        before = here;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::Vocabulary;

    fn found(text: &str, classes: &[Class], passage: Range<u32>) -> Vec<(u32, u32, Class)> {
        let words = Vocabulary::default().read(text);
        let spelling = Spelling::at(text, words.places().iter().map(|place| place.source));
        marks(&words, &spelling, classes, [passage].into_iter())
            .iter()
            .map(|mark| (mark.start, mark.end, mark.class))
            .collect()
    }

    #[test]
    fn marks_end_with_their_paragraph() {
        let marks = found("one two\n\nthree four", &[Class::Verbatim; 4], 0..4);
        assert_eq!(marks, [(0, 7, Class::Verbatim), (9, 19, Class::Verbatim)]);
    }

    #[test]
    fn what_is_own_is_marked_within_passages() {
        let classes = [Class::Own, Class::Edited, Class::Own, Class::Verbatim];
        let marks = found("one two, three four", &classes, 1..4);
        assert_eq!(
            marks,
            [
                (4, 7, Class::Edited),
                (9, 14, Class::Own),
                (15, 19, Class::Verbatim)
            ]
        );
    }

    #[test]
    fn types_are_marked_with_what_they_stand_before() {
        let text = "void f() {\n  public int sum = a;\n  int t;\n  double r = b;\n}";
        let at = |word: &str| {
            let start = u32::try_from(text.find(word).unwrap()).unwrap();
            let end = start + u32::try_from(word.len()).unwrap();
            Span { start, end }
        };
        let places = ["f(", "sum", "= a", "r ="].map(at);
        let spelling = Spelling::at(text, places.into_iter());
        let begins = |number: usize| &text[spelling.0[number].start as usize..];
        assert!(begins(0).starts_with("void f("));
        assert!(begins(1).starts_with("public int sum"));
        assert!(begins(2).starts_with("= a"));
        assert!(begins(3).starts_with("double r"));
        let apart: Vec<bool> = spelling.0.iter().map(|written| written.is_apart).collect();
        assert_eq!(apart, [false, false, false, true]);
    }
}
