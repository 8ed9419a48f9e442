//! Disguises of single letters.

use super::{each_word, happens};
use crate::eval::random::Random;

/// Signs for letters, as leetspeak has them.
const LEET: [(char, &[&str]); 13] = [
    ('a', &["4", "@", "/\\"]),
    ('b', &["8", "|3"]),
    ('d', &["|)"]),
    ('e', &["3"]),
    ('g', &["9", "6"]),
    ('i', &["1", "!", "|"]),
    ('k', &["|<"]),
    ('l', &["1", "|"]),
    ('m', &["|\\/|", "rn"]),
    ('o', &["0", "()"]),
    ('s', &["5", "$"]),
    ('t', &["7", "+"]),
    ('z', &["2"]),
];

/// Letters and what looks like them in other scripts and forms.
const LOOK_ALIKES: [(char, &str); 40] = [
    ('a', "аɑαａ𝐚à"),
    ('b', "Ьｂ𝐛ḃ"),
    ('c', "сϲｃ𝐜ç"),
    ('d', "ԁｄ𝐝đ"),
    ('e', "еｅ𝐞é"),
    ('f', "ｆ𝐟ƒ"),
    ('g', "ɡｇ𝐠ğ"),
    ('h', "һｈ𝐡ħ"),
    ('i', "іｉ𝐢ì"),
    ('j', "јｊ𝐣ĵ"),
    ('k', "κｋ𝐤ķ"),
    ('l', "ӏｌ𝐥ł"),
    ('m', "мｍ𝐦ṁ"),
    ('n', "ｎ𝐧ñ"),
    ('o', "оοｏ𝐨ö"),
    ('p', "рρｐ𝐩ṗ"),
    ('q', "ԛｑ𝐪"),
    ('r', "ｒ𝐫ř"),
    ('s', "ѕｓ𝐬š"),
    ('t', "τｔ𝐭ť"),
    ('u', "υｕ𝐮ü"),
    ('v', "νｖ𝐯"),
    ('w', "ԝｗ𝐰ŵ"),
    ('x', "хχｘ𝐱"),
    ('y', "уｙ𝐲ý"),
    ('z', "ｚ𝐳ž"),
    ('A', "АΑＡⒶ"),
    ('B', "ВΒＢⒷ"),
    ('C', "СＣⒸ"),
    ('E', "ЕΕＥⒺ"),
    ('H', "НΗＨⒽ"),
    ('I', "ІΙＩⒾ"),
    ('K', "КΚＫⓀ"),
    ('M', "МΜＭⓂ"),
    ('N', "ΝＮⓃ"),
    ('O', "ОΟＯⓄ"),
    ('P', "РΡＰⓅ"),
    ('S', "ЅＳⓈ"),
    ('T', "ТΤＴⓉ"),
    ('X', "ХΧＸⓍ"),
];

const INVISIBLE: [char; 6] = [
    '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{ad}', '\u{feff}',
];

/// One of the marks between all letters of a share of the words.
pub(super) fn between(body: &str, level: f64, marks: &[&str], random: &mut Random) -> String {
    each_word(body, |word, out| {
        let is_touched = happens(level, random);
        let mark = marks[random.below(marks.len())];
        for (place, letter) in word.chars().enumerate() {
            if place > 0 && is_touched {
                out.push_str(mark);
            }
            out.push(letter);
        }
    })
}

/// A space or a line break inside a share of the words.
pub(super) fn split(body: &str, level: f64, random: &mut Random) -> String {
    inside(body, level, random, |random| match random.below(3) {
        0 => "\n".to_owned(),
        _ => " ".to_owned(),
    })
}

/// A character that shows nothing inside a share of the words.
pub(super) fn zero_width(body: &str, level: f64, random: &mut Random) -> String {
    inside(body, level, random, |random| {
        INVISIBLE[random.below(INVISIBLE.len())].to_string()
    })
}

/// A comment of HTML inside a share of the words.
pub(super) fn comments(
    body: &str,
    level: f64,
    random: &mut Random,
    mut unseen: impl FnMut(String) -> Option<char>,
) -> String {
    inside(body, level, random, |random| {
        let html = match random.below(3) {
            0 => format!("<!-- {} -->", random.below(10_000)),
            1 => "<b></b>".to_owned(),
            _ => format!("<span id=\"x{}\"></span>", random.below(10_000)),
        };
        unseen(html).map(String::from).unwrap_or_default()
    })
}

/// Digits and signs for a share of the letters that have any.
pub(super) fn leet(body: &str, level: f64, random: &mut Random) -> String {
    each_letter(body, |letter, out| {
        let small = letter.to_ascii_lowercase();
        match LEET.iter().find(|(known, _)| *known == small) {
            Some((_, signs)) if happens(level, random) => {
                out.push_str(signs[random.below(signs.len())]);
            }
            _ => out.push(letter),
        }
    })
}

/// Look-alikes for a share of the letters that have any.
pub(super) fn look_alikes(body: &str, level: f64, random: &mut Random) -> String {
    each_letter(body, |letter, out| {
        match LOOK_ALIKES.iter().find(|(known, _)| *known == letter) {
            Some((_, others)) if happens(level, random) => {
                let others: Vec<char> = others.chars().collect();
                out.push(others[random.below(others.len())]);
            }
            _ => out.push(letter),
        }
    })
}

/// A share of the letters twice or three times.
pub(super) fn repeats(body: &str, level: f64, random: &mut Random) -> String {
    each_letter(body, |letter, out| {
        let more = if letter.is_alphabetic() && happens(level, random) {
            1 + random.below(2)
        } else {
            0
        };
        out.extend(std::iter::repeat_n(letter, 1 + more));
    })
}

/// A wrong letter in a share of the words, or two in the wrong order.
pub(super) fn typos(body: &str, level: f64, random: &mut Random) -> String {
    each_word(body, |word, out| {
        let mut letters: Vec<char> = word.chars().collect();
        if letters.len() > 2 && happens(level, random) {
            let place = random.below(letters.len() - 1);
            if random.below(2) == 0 {
                letters.swap(place, place + 1);
            } else {
                let wrong = u8::try_from(random.below(26)).unwrap_or(0);
                letters[place] = char::from(b'a' + wrong);
            }
        }
        out.extend(letters);
    })
}

/// Something inside a share of the words that have an inside.
fn inside(
    body: &str,
    level: f64,
    random: &mut Random,
    mut something: impl FnMut(&mut Random) -> String,
) -> String {
    each_word(body, |word, out| {
        let places: Vec<usize> = word.char_indices().skip(1).map(|(at, _)| at).collect();
        if places.is_empty() || !happens(level, random) {
            return out.push_str(word);
        }
        let at = places[random.below(places.len())];
        out.push_str(&word[..at]);
        out.push_str(&something(random));
        out.push_str(&word[at..]);
    })
}

fn each_letter(body: &str, mut change: impl FnMut(char, &mut String)) -> String {
    let mut out = String::with_capacity(body.len() * 2);
    body.chars().for_each(|letter| change(letter, &mut out));
    out
}
