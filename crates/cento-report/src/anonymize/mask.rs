//! Names in a text → codes, and where everything else has moved to.

use std::collections::HashMap;

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
    /// that has none: `water.txt` shall not mask every drop.
    pub(super) fn in_text(&self, text: &str) -> Masked {
        let mut masked = String::with_capacity(text.len());
        let mut moved = Vec::new();
        let mut copied = 0;
        for (start, word) in words(text) {
            let has_capital = word.chars().next().is_some_and(|c| !c.is_lowercase());
            if !has_capital {
                continue;
            }
            let Some(code) = self.0.get(&word.to_lowercase()) else {
                continue;
            };
            masked.push_str(&text[copied..start]);
            let from = [start, start + word.len()].map(offset);
            let begins = masked.len();
            masked.push_str(code);
            moved.push((from, [begins, masked.len()].map(offset)));
            copied = start + word.len();
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

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
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
        let text = "By Novák. A novák is no name; NOVÁK is.";
        let masked = Mask(&names).in_text(text);
        assert_eq!(masked.text, "By [D1]. A novák is no name; [D1] is.");
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
}
