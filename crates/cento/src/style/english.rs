//! What Finkel et al. name beside shares of words, for English: syllables, passives, subordinate
//! clauses. The rules are simple ones that need no dictionary; docs/methods.md states them.

use crate::number::index32;
use crate::token::Tokens;

/// How many syllables a word has on average; nothing if no word has only letters from a to z.
pub(super) fn syllables_a_word(tokens: &Tokens) -> Option<f64> {
    let counts: Vec<u32> = tokens.terms().filter_map(syllables).collect();
    let words = counts.len() as f64;
    let all = counts.iter().map(|&count| f64::from(count)).sum::<f64>();
    (words > 0.0).then(|| all / words)
}

/// How many passive constructions there are for each word of the text: a form of *be*, at most three words of
/// the kind that may stand between, and a participle.
pub(super) fn passives_a_word(tokens: &Tokens) -> f64 {
    a_word(tokens, |sentence, place| {
        let behind = &sentence[place + 1..];
        let between = behind.iter().take(3);
        let between = between.take_while(may_stand_between).count();
        FORMS_OF_BE.contains(&sentence[place])
            && behind.get(between).is_some_and(|word| is_participle(word))
    })
}

/// How many subordinate clauses there are for each word of the text, by the words that begin them.
pub(super) fn clauses_a_word(tokens: &Tokens) -> f64 {
    a_word(tokens, |sentence, place| {
        let word = sentence[place];
        let next = sentence.get(place + 1);
        let has_subject = || next.is_some_and(|next| PRONOUNS.contains(next));
        let is_first = place == 0;
        SUBORDINATORS.contains(&word)
            || SUBORDINATORS_BEFORE_PRONOUNS.contains(&word) && has_subject()
            || RELATIVES.contains(&word) && !is_first
            || word == "that"
                && !is_first
                && (has_subject() || next.is_some_and(|next| BEHIND_THAT.contains(next)))
    })
}

/// The share of words of which something is true; they are looked at in their sentence.
///
/// By words, as the paper normalises by the length of a text, and not by sentences: a table is a
/// sentence of hundreds of words.
fn a_word(tokens: &Tokens, is_counted: impl Fn(&[&str], usize) -> bool) -> f64 {
    let words: Vec<(u32, &str)> = (0..index32(tokens.len()))
        .map(|index| (tokens.get(index).sentence, tokens.term(index)))
        .collect();
    let mut counted = 0;
    for sentence in words.chunk_by(|left, right| left.0 == right.0) {
        let sentence: Vec<&str> = sentence.iter().map(|(_, word)| *word).collect();
        let here = (0..sentence.len()).filter(|&place| is_counted(&sentence, place));
        counted += here.count();
    }
    counted as f64 / words.len().max(1) as f64
}

/// How many syllables an English word probably has: its groups of vowels, without a final e that is
/// not spoken; nothing if it is not written in the letters a to z.
fn syllables(word: &str) -> Option<u32> {
    let is_letter = |byte: &u8| byte.is_ascii_lowercase();
    let letters: Vec<u8> = word.bytes().filter(is_letter).collect();
    let is_word = word.bytes().all(|byte| is_letter(&byte) || byte == b'\'');
    if letters.is_empty() || !is_word {
        return None;
    }
    let is_vowel = |place: usize| match letters[place] {
        b'a' | b'e' | b'i' | b'o' | b'u' => true,
        // The first letter of `yes` is none.
        b'y' => place > 0,
        _ => false,
    };
    let begins = |place: &usize| is_vowel(*place) && (*place == 0 || !is_vowel(*place - 1));
    let groups = index32((0..letters.len()).filter(begins).count());
    Some(
        groups
            .saturating_sub(u32::from(has_silent_end(&letters)))
            .max(1),
    )
}

/// Whether a word ends with an e that is not spoken: `make`, `makes`, `baked`; not `table`, `boxes`,
/// `wanted`.
fn has_silent_end(letters: &[u8]) -> bool {
    let is_vowel = |letter: &u8| b"aeiouy".contains(letter);
    match letters {
        [.., before, b'l', b'e'] | [.., before, b'l', b'e', b's'] => is_vowel(before),
        [.., b's' | b'c', b'h', b'e', b's']
        | [.., b's' | b'x' | b'z' | b'c' | b'g', b'e', b's']
        | [.., b't' | b'd', b'e', b'd'] => false,
        [.., before, b'e', b's' | b'd'] | [.., before, b'e'] => !is_vowel(before),
        _ => false,
    }
}

fn may_stand_between(word: &&&str) -> bool {
    word.len() > 3 && word.ends_with("ly") || BETWEEN.contains(*word)
}

/// Whether a word is a participle of the past, as far as its form tells.
fn is_participle(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") && !NO_PARTICIPLES.contains(&word)
        || IRREGULAR_PARTICIPLES.contains(&word)
}

const FORMS_OF_BE: [&str; 8] = ["am", "are", "be", "been", "being", "is", "was", "were"];

/// Words that may stand between a form of *be* and a participle, beside those that end with *ly*.
const BETWEEN: [&str; 16] = [
    "all", "already", "also", "always", "both", "ever", "first", "just", "never", "not", "now",
    "often", "only", "still", "then", "thus",
];

/// Words that end like participles and are none.
const NO_PARTICIPLES: [&str; 9] = [
    "breed", "exceed", "hundred", "indeed", "proceed", "sacred", "speed", "succeed", "wicked",
];

const IRREGULAR_PARTICIPLES: [&str; 92] = [
    "beaten",
    "begun",
    "bent",
    "bitten",
    "born",
    "borne",
    "bought",
    "bound",
    "broken",
    "brought",
    "built",
    "burnt",
    "caught",
    "chosen",
    "cut",
    "dealt",
    "done",
    "drawn",
    "driven",
    "drunk",
    "eaten",
    "fed",
    "felt",
    "forbidden",
    "forgiven",
    "forgotten",
    "fought",
    "found",
    "frozen",
    "given",
    "grown",
    "heard",
    "held",
    "hidden",
    "hit",
    "hurt",
    "kept",
    "known",
    "laid",
    "learnt",
    "led",
    "left",
    "lent",
    "lit",
    "lost",
    "made",
    "meant",
    "met",
    "mistaken",
    "overcome",
    "paid",
    "proven",
    "put",
    "read",
    "ridden",
    "risen",
    "run",
    "said",
    "seen",
    "sent",
    "set",
    "sewn",
    "shaken",
    "shot",
    "shown",
    "shut",
    "sold",
    "sought",
    "sown",
    "spent",
    "split",
    "spoken",
    "spread",
    "stolen",
    "struck",
    "stuck",
    "sung",
    "sunk",
    "sworn",
    "swept",
    "taken",
    "taught",
    "thought",
    "thrown",
    "told",
    "torn",
    "understood",
    "undertaken",
    "woken",
    "won",
    "worn",
    "written",
];

/// Words that begin a subordinate clause wherever they stand.
const SUBORDINATORS: [&str; 14] = [
    "although", "because", "if", "lest", "though", "unless", "when", "whenever", "where",
    "whereas", "wherever", "whether", "while", "whilst",
];

/// Words that begin one if a pronoun follows; otherwise they may be prepositions or adverbs.
const SUBORDINATORS_BEFORE_PRONOUNS: [&str; 7] =
    ["after", "as", "before", "once", "since", "till", "until"];

/// Words that begin one unless they are the first of a sentence, which is then a question.
const RELATIVES: [&str; 5] = ["which", "who", "whoever", "whom", "whose"];

const PRONOUNS: [&str; 8] = ["he", "i", "it", "she", "there", "they", "we", "you"];

/// What follows *that* if it begins a clause, beside pronouns.
const BEHIND_THAT: [&str; 33] = [
    "a", "an", "all", "are", "can", "could", "did", "do", "does", "had", "has", "have", "her",
    "his", "is", "its", "may", "might", "must", "my", "no", "our", "shall", "should", "some",
    "the", "their", "these", "this", "was", "were", "will", "would",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Tokenizer, Words};

    fn tokens(text: &str) -> Tokens {
        Tokenizer::Words(Words {
            fold: true,
            ..Words::default()
        })
        .tokens(text)
    }

    #[test]
    fn syllables_are_groups_of_vowels_that_are_spoken() {
        for (count, words) in [
            (
                1,
                "the and make makes baked yes house thought where used strength by whole rules",
            ),
            (
                2,
                "table tables wanted boxes places houses water yellow happy language reaches into",
            ),
            (
                3,
                "syllable animal beautiful remember telephone computer example wonderful",
            ),
            (4, "information dictionary understanding necessary"),
        ] {
            for word in words.split(' ') {
                assert_eq!(syllables(word), Some(count), "{word}");
            }
        }
        for word in ["naïve", "x86", "漢字", "2026"] {
            assert_eq!(syllables(word), None, "{word}");
        }
        assert_eq!(syllables_a_word(&tokens("The animal 42.")), Some(2.0));
        assert_eq!(syllables_a_word(&tokens("漢字 1")), None);
    }

    #[track_caller]
    fn counts(count: f64, measured: impl Fn(&Tokens) -> f64, texts: &[&str]) {
        for text in texts {
            let tokens = tokens(text);
            let found = measured(&tokens) * tokens.len() as f64;
            assert!((found - count).abs() < 1e-9, "{found}: {text}");
        }
    }

    #[test]
    fn passives_have_a_form_of_be_and_a_participle() {
        counts(
            1.0,
            passives_a_word,
            &[
                "The bridge was built in a year.",
                "It has not been repaired.",
                "The gates were often broken.",
                "Grain is carefully weighed here.",
            ],
        );
        counts(
            0.0,
            passives_a_word,
            &[
                "They built the bridge.",
                "It was indeed old.",
                "It was there. Repaired gates last.",
                "He is red.",
            ],
        );
        counts(2.0, passives_a_word, &["It was made. It is being kept."]);
        let tokens = tokens("It was made. It lasts.");
        assert!((passives_a_word(&tokens) - 1.0 / 5.0).abs() < 1e-12);
    }

    #[test]
    fn clauses_begin_with_their_words() {
        counts(
            1.0,
            clauses_a_word,
            &[
                "He left because the rain fell.",
                "The man who came in was late.",
                "We know that the gates are old.",
                "They waited until it stopped.",
                "If not now, never.",
            ],
        );
        counts(
            0.0,
            clauses_a_word,
            &[
                "Who is he?",
                "That house is old.",
                "After the rain they left.",
                "I like that colour.",
            ],
        );
    }
}
