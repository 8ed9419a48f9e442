//! Disguises of words, paragraphs and what stands around them.

use std::fmt::Write as _;

use super::{each_word, happens};
use crate::eval::random::Random;

/// Styles that show nothing.
const UNSEEN: [&str; 7] = [
    "style=\"display:none\"",
    "style=\"font-size:0\"",
    "style=\"visibility:hidden\"",
    "style=\"color:#ffffff\"",
    "style=\"opacity:0\"",
    "style=\"display:inline-block;height:0;width:0;overflow:hidden\"",
    "style=\"font-size:1px;color:white\"",
];

const FIRST_NAMES: [&str; 12] = [
    "Alice", "Bernard", "Chloe", "Dmitri", "Esther", "Farid", "Greta", "Hiro", "Ines", "Jonas",
    "Katya", "Luis",
];
const LAST_NAMES: [&str; 12] = [
    "Abbott",
    "Bianchi",
    "Castro",
    "Dupont",
    "Eriksen",
    "Fischer",
    "Grant",
    "Horvat",
    "Ivanov",
    "Jansen",
    "Kowalski",
    "Lindqvist",
];

/// Random words after a share of the words.
pub(super) fn added(body: &str, level: f64, vocabulary: &[String], random: &mut Random) -> String {
    after_words(body, level, random, |random| {
        format!(" {}", word(vocabulary, random))
    })
}

/// Words that HTML does not show after a share of the words.
pub(super) fn hidden(
    body: &str,
    level: f64,
    vocabulary: &[String],
    random: &mut Random,
    mut unseen: impl FnMut(String) -> Option<char>,
) -> String {
    after_words(body, level, random, |random| {
        let style = UNSEEN[random.below(UNSEEN.len())];
        let word = word(vocabulary, random);
        let html = format!(" <span {style}>{}</span>", super::eml::escaped(&word));
        unseen(html).map(String::from).unwrap_or_default()
    })
}

/// Random words in place of a share of the words.
pub(super) fn replaced(
    body: &str,
    level: f64,
    vocabulary: &[String],
    random: &mut Random,
) -> String {
    each_word(body, |own, out| {
        if happens(level, random) {
            out.push_str(&word(vocabulary, random));
        } else {
            out.push_str(own);
        }
    })
}

/// The text without a share of the words.
pub(super) fn dropped(body: &str, level: f64, random: &mut Random) -> String {
    each_word(body, |own, out| {
        if !happens(level, random) {
            out.push_str(own);
        }
    })
}

/// Random words below, for every word of the text as many as the level says.
pub(super) fn poisoned(
    body: &str,
    level: f64,
    vocabulary: &[String],
    random: &mut Random,
) -> String {
    let words = body.split_whitespace().count();
    let words = words.min(MOST_ADDED);
    let count = (0..words).filter(|_| happens(level, random)).count();
    let added: Vec<String> = (0..count).map(|_| word(vocabulary, random)).collect();
    format!("{}\n\n{}\n", body.trim_end(), added.join(" "))
}

/// Random strings above and below: twenty at a level of 1.
pub(super) fn busted(body: &str, level: f64, random: &mut Random) -> String {
    let mut strings = |count: usize| {
        let strings: Vec<String> = (0..count).map(|_| string(random)).collect();
        strings.join(" ")
    };
    let count = (1..=10_u8)
        .filter(|part| f64::from(*part) <= level * 10.0)
        .count()
        .max(1);
    let above = strings(count);
    let below = strings(count);
    format!("{above}\n\n{}\n\n{below}\n", body.trim_end())
}

/// The paragraphs in another order; the lines, if there is one paragraph only.
pub(super) fn shuffled(body: &str, random: &mut Random) -> String {
    let paragraphs: Vec<&str> = body
        .split("\n\n")
        .filter(|text| !text.trim().is_empty())
        .collect();
    let (parts, between) = match paragraphs.len() {
        0 | 1 => (body.lines().collect(), "\n"),
        _ => (paragraphs, "\n\n"),
    };
    let order = random.sample(parts.len(), parts.len());
    let parts: Vec<&str> = order
        .into_iter()
        .map(|part| parts[part].trim_end())
        .collect();
    parts.join(between) + "\n"
}

/// A greeting, and the name before a full stop somewhere in the text.
pub(super) fn greeted(body: &str, name: &str, random: &mut Random) -> String {
    let first = name.split(' ').next().unwrap_or(name);
    let greeting = match random.below(4) {
        0 => format!("Dear {name},"),
        1 => format!("Hello {first}!"),
        2 => format!("Hi {first},"),
        _ => format!("Good morning {name},"),
    };
    let stops: Vec<usize> = body.match_indices(". ").map(|(at, _)| at).collect();
    let mut body = body.to_owned();
    if !stops.is_empty() {
        body.insert_str(stops[random.below(stops.len())], &format!(", {first}"));
    }
    format!("{greeting}\n\n{body}")
}

/// A name out of a short list.
pub(super) fn name(random: &mut Random) -> String {
    let first = FIRST_NAMES[random.below(FIRST_NAMES.len())];
    let last = LAST_NAMES[random.below(LAST_NAMES.len())];
    format!("{first} {last}")
}

/// A link of its own for each recipient below, and a tail of its own on every link that there is.
pub(super) fn tracked(body: &str, random: &mut Random) -> String {
    let mut tracked = each_word(body, |own, out| {
        out.push_str(own);
        if own.starts_with("http://") || own.starts_with("https://") {
            let tail = string(random);
            let sign = if own.contains('?') { '&' } else { '?' };
            let _ = write!(out, "{sign}id={tail}");
        }
    });
    let (host, path, id) = (string(random), string(random), string(random));
    tracked = format!(
        "{}\n\nhttp://{host}.example.com/{path}/?u={id}\n",
        tracked.trim_end()
    );
    tracked
}

/// Every line with a mark of quotation, below a line that says who wrote it.
pub(super) fn quoted(body: &str, random: &mut Random) -> String {
    let name = name(random);
    let mut quoted = format!("On Tue, Aug 20, {name} wrote:\n");
    for line in body.lines() {
        quoted.push_str("> ");
        quoted.push_str(line);
        quoted.push('\n');
    }
    quoted
}

/// A random string of letters and digits.
pub(super) fn string(random: &mut Random) -> String {
    const SIGNS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let length = 6 + random.below(9);
    let sign = |random: &mut Random| char::from(SIGNS[random.below(SIGNS.len())]);
    (0..length).map(|_| sign(random)).collect()
}

/// So many random words are put below a text at most.
const MOST_ADDED: usize = 100_000;

fn word(vocabulary: &[String], random: &mut Random) -> String {
    match vocabulary.len() {
        0 => string(random),
        count => vocabulary[random.below(count)].clone(),
    }
}

/// Something after a share of the words, as evenly as it goes: after every fifth at 0.2.
fn after_words(
    body: &str,
    level: f64,
    random: &mut Random,
    mut something: impl FnMut(&mut Random) -> String,
) -> String {
    let mut due = 0.0;
    each_word(body, |own, out| {
        out.push_str(own);
        due += level;
        if due >= 1.0 - f64::EPSILON * 16.0 {
            due -= 1.0;
            out.push_str(&something(random));
        }
    })
}
