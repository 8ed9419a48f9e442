//! Names in a text → codes, and where everything else has moved to.

use std::collections::{HashMap, HashSet};

/// What stands for which name.
pub(super) struct Mask<'n>(pub(super) &'n HashMap<String, String>);

/// A text without names.
pub(super) struct Masked {
    pub(super) text: String,
    pub(super) shifted: Shifted,
}

/// What was replaced: where it stood, where its replacement stands.
pub(super) struct Shifted(Vec<([u32; 2], [u32; 2])>);

impl Mask<'_> {
    /// Replaces names that are written with a capital letter, as names are, or in a script or number
    /// that has none: `water.txt` shall not mask every drop. A name takes its neighbours with it
    /// that look like names, too: `Brandt` is known, and so `Lukas Brandt` is masked.
    pub(super) fn in_text(&self, text: &str) -> Masked {
        let words: Vec<Word> = words(text).collect();
        let small: HashSet<&str> = words
            .iter()
            .filter(|word| !word.is_capital)
            .map(|word| word.text)
            .collect();
        // A capital that is only that of a sentence is no name.
        let looks_like_name = |word: &Word| {
            word.is_capital
                && word.text.chars().all(char::is_alphabetic)
                && !small.contains(word.text.to_lowercase().as_str())
        };
        let joined = |left: &Word, right: &Word| &text[left.end()..right.start] == " ";
        let mut masked = String::with_capacity(text.len());
        let mut moved = Vec::new();
        let mut copied = 0;
        for (number, word) in words.iter().enumerate() {
            let code = word
                .is_capital
                .then(|| self.0.get(&word.text.to_lowercase()));
            let Some(code) = code.flatten().filter(|_| word.start >= copied) else {
                continue;
            };
            let before = number.checked_sub(1).map(|before| &words[before]);
            let before = before.filter(|before| {
                before.start >= copied && joined(before, word) && looks_like_name(before)
            });
            let after = words.get(number + 1);
            let after = after.filter(|after| joined(word, after) && looks_like_name(after));
            let start = before.unwrap_or(word).start;
            let end = after.unwrap_or(word).end();
            masked.push_str(&text[copied..start]);
            let begins = masked.len();
            masked.push_str(code);
            moved.push(([start, end].map(offset), [begins, masked.len()].map(offset)));
            copied = end;
        }
        masked.push_str(&text[copied..]);
        Masked {
            text: masked,
            shifted: Shifted(moved),
        }
    }
}

impl Shifted {
    /// How many names there were.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Where a span is now; a name that it cut in two is wholly in it.
    pub(super) fn span(&self, [start, end]: [u32; 2]) -> [u32; 2] {
        [self.moved(start, 0), self.moved(end, 1)]
    }

    /// The same for a span that may be empty: it stays before or behind a name, as a whole.
    pub(super) fn place(&self, [start, end]: [u32; 2]) -> [u32; 2] {
        let begins = self.moved(start, 0);
        if start == end {
            return [begins, begins];
        }
        [begins, self.moved(end, 1)]
    }

    fn moved(&self, offset: u32, edge: usize) -> u32 {
        let after = self.0.partition_point(|(from, _)| from[0] < offset);
        let Some((from, to)) = after.checked_sub(1).map(|before| self.0[before]) else {
            return offset;
        };
        if offset < from[1] {
            return to[edge];
        }
        to[1] + (offset - from[1])
    }
}

struct Word<'t> {
    start: usize,
    text: &'t str,
    /// It begins with a letter that is not a small one.
    is_capital: bool,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| Word {
            start: word.as_ptr().addr() - text.as_ptr().addr(),
            text: word,
            is_capital: word.chars().next().is_some_and(|c| !c.is_lowercase()),
        })
}

fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_masked_and_spans_move() {
        let names = HashMap::from([("novák".to_owned(), "[D1]".to_owned())]);
        let text = "By Novák. A novák is by no name; NOVÁK is.";
        let masked = Mask(&names).in_text(text);
        assert_eq!(masked.text, "By [D1]. A novák is by no name; [D1] is.");
        let place = |part: &str, text: &str| {
            let start = text.find(part).unwrap();
            [start, start + part.len()].map(offset)
        };
        for (before, after) in [
            ("By", "By"),
            ("Novák", "[D1]"),
            (". A novák is", ". A novák is"),
            (" is.", " is."),
        ] {
            let moved = masked.shifted.span(place(before, text));
            assert_eq!(moved, place(after, &masked.text), "{before}");
        }
        // In the middle of a name.
        assert_eq!(masked.shifted.span([0, 5]), [0, 7]);
    }

    #[test]
    fn neighbours_that_look_like_names_are_masked_too() {
        let names = HashMap::from([("brandt".to_owned(), "[D1]".to_owned())]);
        for (text, expected) in [
            (
                "Student: Lukas Brandt\nHe swims.",
                "Student: [D1]\nHe swims.",
            ),
            ("In Brandt we trust, in him.", "In [D1] we trust, in him."),
            ("Brandt Lukas, born 1990", "[D1], born 1990"),
            ("Lukas\nBrandt Brandt", "Lukas\n[D1]"),
        ] {
            assert_eq!(Mask(&names).in_text(text).text, expected);
        }
    }
}
