//! Disguises that leave a text as it is to its reader: layout, look-alikes, invisible characters.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::pieces::{Pieces, Word};
use crate::eval::random::Random;

/// Which words a disguise touches: the third, the sixth and so on.
const EVERY: usize = 3;
/// The width to which `rewrap` fills paragraphs.
const COLUMNS: usize = 50;

/// Latin letters and the Cyrillic ones that look like them.
const LOOK_ALIKES: [(char, char); 23] = [
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('i', 'і'),
    ('j', 'ј'),
    ('o', 'о'),
    ('p', 'р'),
    ('s', 'ѕ'),
    ('x', 'х'),
    ('y', 'у'),
    ('A', 'А'),
    ('B', 'В'),
    ('C', 'С'),
    ('E', 'Е'),
    ('H', 'Н'),
    ('I', 'І'),
    ('K', 'К'),
    ('M', 'М'),
    ('O', 'О'),
    ('P', 'Р'),
    ('S', 'Ѕ'),
    ('T', 'Т'),
    ('X', 'Х'),
];

/// Upper case, wider gaps, dashes and commas, line breaks elsewhere; the words stay the same words.
pub(super) fn cosmetic(pieces: &mut Pieces<'_>) {
    for (number, word) in pieces.words.iter_mut().enumerate() {
        word.text = Cow::Owned(word.text.chars().map(upper).collect());
        // Gaps without white space may be inside what a reader takes for one word.
        if word.gap.contains(char::is_whitespace) {
            let kept = word.gap.trim_end();
            let wider = match number % 8 {
                2 => " -- ",
                5 => " ,  ",
                7 => "\n\n    ",
                _ => "  ",
            };
            word.gap = Cow::Owned(format!("{kept}{wider}"));
        }
    }
}

/// The upper case of a letter, if lower case leads back: `ß` becomes `SS`, and that is another word.
fn upper(letter: char) -> char {
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(single), None) if single.to_lowercase().eq([letter]) => single,
        _ => letter,
    }
}

/// One letter of every third word becomes the Cyrillic one that looks like it, if it has any such.
pub(super) fn homoglyph(pieces: &mut Pieces<'_>, random: &mut Random) {
    let look_alike = |letter: char| LOOK_ALIKES.iter().find(|(latin, _)| *latin == letter);
    for word in every_third(pieces) {
        let letters: Vec<(usize, char)> = word
            .text
            .char_indices()
            .filter_map(|(at, letter)| Some((at, look_alike(letter)?.1)))
            .collect();
        if !letters.is_empty() {
            let (at, cyrillic) = letters[random.below(letters.len())];
            let text = word.text.to_mut();
            text.replace_range(at..=at, cyrillic.encode_utf8(&mut [0; 4]));
        }
    }
}

/// A zero-width space inside every third word, if it has an inside.
pub(super) fn zero_width(pieces: &mut Pieces<'_>, random: &mut Random) {
    for word in every_third(pieces) {
        // In front of a letter, never of a mark that belongs to the letter before it.
        let inside: Vec<usize> = word
            .text
            .char_indices()
            .skip(1)
            .filter_map(|(at, c)| c.is_alphanumeric().then_some(at))
            .collect();
        if !inside.is_empty() {
            let at = inside[random.below(inside.len())];
            word.text.to_mut().insert(at, '\u{200b}');
        }
    }
}

fn every_third<'p, 't>(pieces: &'p mut Pieces<'t>) -> impl Iterator<Item = &'p mut Word<'t>> {
    pieces.words.iter_mut().skip(EVERY - 1).step_by(EVERY)
}

/// Fills every paragraph to 50 columns; an empty line still ends a paragraph.
pub(super) fn rewrap(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut column = 0;
    for line in text.lines() {
        if line.trim().is_empty() {
            if column > 0 {
                wrapped.push('\n');
                column = 0;
            }
            wrapped.push('\n');
        }
        for word in line.split_whitespace() {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > COLUMNS {
                wrapped.push('\n');
                column = 0;
            }
            let space = if column > 0 { " " } else { "" };
            let _ = write!(wrapped, "{space}{word}");
            column += space.len() + width;
        }
    }
    if column > 0 {
        wrapped.push('\n');
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::super::Attack;
    use super::*;
    use crate::{Key, NoCollection, Recipe};

    const TEXT: &str = "The canal, in nine years,\nwas rebuilt by the town’s own people – and \
                        Straße by straße it’s paid for.\n\nNobody asked how.\n";

    #[test]
    fn cosmetics() {
        let attacked = Attack::Cosmetic.apply("One two (three), four\nfive don't.", &[], 0);
        assert_eq!(attacked, "ONE  TWO (  THREE), -- FOUR  FIVE  DON'T.");
    }

    /// What section 3.1 promises: cosmetic attacks do not change the output at all. Our words see
    /// through the disguises as well.
    #[test]
    fn the_words_are_the_same() {
        let recipe = Recipe::named("words+fold | window:3 | md5:40 | all").unwrap();
        let digests = |text: &str| recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
        for attack in [
            Attack::Cosmetic,
            Attack::Rewrap,
            Attack::ZeroWidth,
            Attack::Homoglyph,
        ] {
            for seed in 0..50 {
                let attacked = attack.apply(TEXT, &[], seed);
                assert_eq!(digests(&attacked), digests(TEXT), "{attack}: {attacked}");
                assert!(attacked != TEXT);
            }
        }
    }

    #[test]
    fn disguised_letters() {
        let attacked = Attack::Homoglyph.apply("one two tap for fun big", &[], 0);
        let changed: Vec<char> = attacked.chars().filter(|c| !c.is_ascii()).collect();
        assert_eq!(changed.len(), 2, "{attacked}");
        let attacked = Attack::ZeroWidth.apply("one two is for fun I", &[], 0);
        assert_eq!(attacked, "one two i\u{200b}s for fun I");
    }

    #[test]
    fn filled_paragraphs() {
        let text = "  one two\nthree\n\n\nfour ".to_owned() + &"x".repeat(60);
        let expected = format!("one two three\n\n\nfour\n{}\n", "x".repeat(60));
        assert_eq!(rewrap(&text), expected);
        let long = "word ".repeat(30);
        assert!(rewrap(&long).lines().all(|line| line.len() <= COLUMNS));
    }
}
