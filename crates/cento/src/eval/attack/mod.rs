//! Attacks on a text: what a plagiarist does to it so that it is not found (text sifting, section
//! 3), and the disguises of today.
//!
//! An attack is a pure function of the text, the vocabulary and a seed, so that whoever doubts a
//! table can make the same attacked copies again.

mod disguise;
pub mod mail;
mod pieces;
mod scramble;
mod synonyms;

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::random::Random;
use crate::error::Error;
use pieces::Pieces;

/// What is done to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attack {
    /// Upper case, more spaces and punctuation, other line breaks (section 3.1); `cosmetic`.
    Cosmetic,
    /// An edit in every window of ten words (section 3.4); `intelligent-add` and so on.
    Intelligent(Edit),
    /// As many edits at random places (section 3.4); `random-add` and so on.
    Random(Edit),
    /// One word changed at a random place in every stretch of so many words, by somebody who knows
    /// the recipe and not the key; `adapted:N`.
    Adapted(NonZeroU32),
    /// As many random words as there are, in one block in the middle (section 3.3); `large-add`.
    LargeAdd,
    /// A third of the words taken out in one block (section 3.3); `large-delete`.
    LargeDelete,
    /// Five blocks, none of which stays in its place (section 3.3); `large-rearrange`.
    LargeRearrange,
    /// Words replaced by synonyms wherever a short English list has one; `synonym`.
    Synonym,
    /// A letter of every third word replaced by its Cyrillic look-alike; `homoglyph`.
    Homoglyph,
    /// An invisible character inside every third word; `zero-width`.
    ZeroWidth,
    /// Paragraphs filled to 50 columns; `rewrap`.
    Rewrap,
    /// Every tenth pair of neighbouring words swapped; `swap`.
    Swap,
}

/// What a scrambling attack does to single words (section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Puts random words in.
    Add,
    /// Takes words out.
    Delete,
    /// Replaces words by different random ones.
    Change,
    /// All three: in turn if intelligent, and fewer of each if random.
    Combine,
}

impl Edit {
    const ALL: [Edit; 4] = [Edit::Add, Edit::Delete, Edit::Change, Edit::Combine];

    fn index(self) -> usize {
        match self {
            Edit::Add => 0,
            Edit::Delete => 1,
            Edit::Change => 2,
            Edit::Combine => 3,
        }
    }
}

const INTELLIGENT: [&str; 4] = [
    "intelligent-add",
    "intelligent-delete",
    "intelligent-change",
    "intelligent-combine",
];
const RANDOM: [&str; 4] = [
    "random-add",
    "random-delete",
    "random-change",
    "random-combine",
];
/// The stretch of `adapted` that [`Attack::ALL`] has: the window of the paper's experiments.
const TEN: NonZeroU32 = NonZeroU32::new(10).expect("ten is not zero");

impl Attack {
    /// The eight attacks of the paper's Table 2, in its order.
    pub const PAPER: [Attack; 8] = [
        Attack::Intelligent(Edit::ALL[0]),
        Attack::Intelligent(Edit::ALL[1]),
        Attack::Intelligent(Edit::ALL[2]),
        Attack::Intelligent(Edit::ALL[3]),
        Attack::Random(Edit::ALL[0]),
        Attack::Random(Edit::ALL[1]),
        Attack::Random(Edit::ALL[2]),
        Attack::Random(Edit::ALL[3]),
    ];

    /// All attacks; of the adapted ones that with stretches of ten words.
    pub const ALL: [Attack; 18] = [
        Attack::Cosmetic,
        Attack::PAPER[0],
        Attack::PAPER[1],
        Attack::PAPER[2],
        Attack::PAPER[3],
        Attack::PAPER[4],
        Attack::PAPER[5],
        Attack::PAPER[6],
        Attack::PAPER[7],
        Attack::Adapted(TEN),
        Attack::LargeAdd,
        Attack::LargeDelete,
        Attack::LargeRearrange,
        Attack::Synonym,
        Attack::Homoglyph,
        Attack::ZeroWidth,
        Attack::Rewrap,
        Attack::Swap,
    ];

    /// The text after the attack.
    ///
    /// Words that are put in come from `vocabulary`, or from the text itself if that is empty. What
    /// stands between the words stays as it is where the attack leaves it alone. The same text,
    /// vocabulary and seed give the same bytes.
    ///
    /// # Panics
    ///
    /// If the text is 4 GiB or longer.
    pub fn apply(&self, text: &str, vocabulary: &[String], seed: u64) -> String {
        if let Attack::Rewrap = self {
            return disguise::rewrap(text);
        }
        let mut pieces = Pieces::of(text);
        if pieces.words.is_empty() {
            return text.to_owned();
        }
        // Texts of one length shall not be hit at the same places.
        let mut random = Random::new(seed ^ crate::digest::word_hash(text.as_bytes()));
        let mut source = pieces.source(vocabulary);
        match *self {
            Attack::Cosmetic => disguise::cosmetic(&mut pieces),
            Attack::Intelligent(edit) => {
                scramble::intelligent(&mut pieces, edit, &mut source, &mut random);
            }
            Attack::Random(edit) => scramble::random(&mut pieces, edit, &mut source, &mut random),
            Attack::Adapted(stretch) => {
                scramble::adapted(&mut pieces, stretch, &mut source, &mut random);
            }
            Attack::LargeAdd => scramble::large_add(&mut pieces, &mut source, &mut random),
            Attack::LargeDelete => scramble::large_delete(&mut pieces, &mut random),
            Attack::LargeRearrange => scramble::large_rearrange(&mut pieces, &mut random),
            Attack::Synonym => synonyms::replace(&mut pieces),
            Attack::Homoglyph => disguise::homoglyph(&mut pieces, &mut random),
            Attack::ZeroWidth => disguise::zero_width(&mut pieces, &mut random),
            Attack::Rewrap => unreachable!("it needs no words"),
            Attack::Swap => scramble::swap(&mut pieces),
        }
        pieces.text()
    }

    /// Its name on the command line and in tables.
    pub fn name(&self) -> Cow<'static, str> {
        let name = match self {
            Attack::Cosmetic => "cosmetic",
            Attack::Intelligent(edit) => INTELLIGENT[edit.index()],
            Attack::Random(edit) => RANDOM[edit.index()],
            Attack::Adapted(stretch) => return Cow::Owned(format!("adapted:{stretch}")),
            Attack::LargeAdd => "large-add",
            Attack::LargeDelete => "large-delete",
            Attack::LargeRearrange => "large-rearrange",
            Attack::Synonym => "synonym",
            Attack::Homoglyph => "homoglyph",
            Attack::ZeroWidth => "zero-width",
            Attack::Rewrap => "rewrap",
            Attack::Swap => "swap",
        };
        Cow::Borrowed(name)
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl FromStr for Attack {
    type Err = Error;

    fn from_str(name: &str) -> Result<Attack, Error> {
        let adapted = || {
            let stretch = name.strip_prefix("adapted:")?.parse().ok()?;
            Some(Attack::Adapted(stretch))
        };
        let named = Attack::ALL.into_iter().find(|attack| attack.name() == name);
        named.or_else(adapted).ok_or_else(|| Error::UnknownAttack {
            name: name.to_owned(),
            choices: Attack::ALL.map(choice).join(", "),
        })
    }
}

/// How a message offers an attack.
fn choice(attack: Attack) -> Cow<'static, str> {
    match attack {
        Attack::Adapted(_) => Cow::Borrowed("adapted:N"),
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn names_round_trip() {
        for attack in Attack::ALL {
            assert_eq!(attack.to_string().parse::<Attack>().unwrap(), attack);
        }
        let seven = Attack::Adapted(NonZeroU32::new(7).unwrap());
        assert_eq!("adapted:7".parse::<Attack>().unwrap(), seven);
        for wrong in ["adapted:0", "adapted:", "intelligent", ""] {
            let error = wrong.parse::<Attack>().unwrap_err().to_string();
            assert!(error.contains("large-rearrange"), "{error}");
        }
    }

    #[test]
    fn the_seed_decides() {
        let text = "one two three big five six seven eight nine ten ".repeat(9);
        let vocabulary = words("red green blue yellow");
        for attack in Attack::ALL {
            let apply = |seed| attack.apply(&text, &vocabulary, seed);
            assert_eq!(apply(7), apply(7), "{attack}");
            assert!(apply(7) != text, "{attack}");
        }
        let random = Attack::Random(Edit::Change);
        assert!(random.apply(&text, &vocabulary, 1) != random.apply(&text, &vocabulary, 2));
    }

    #[test]
    fn little_is_left_alone() {
        for attack in Attack::ALL {
            for seed in 0..20 {
                assert_eq!(attack.apply("", &[], seed), "", "{attack}");
                assert_eq!(attack.apply(" … ", &[], seed).trim(), "…", "{attack}");
                for text in ["one", "a", "漢字", "don't", "é\u{301} x"] {
                    let _ = attack.apply(text, &[], seed);
                }
            }
        }
    }

    #[test]
    fn scripts_without_spaces_keep_their_words_apart() {
        let text = "abc漢def字ghi. Ünï\u{308}cödé, ".repeat(12);
        for attack in [
            Attack::Intelligent(Edit::Delete),
            Attack::Intelligent(Edit::Add),
            Attack::Random(Edit::Combine),
            Attack::LargeRearrange,
            Attack::Swap,
        ] {
            let before = Pieces::of(&text).words.len();
            let mut known = words("abc 漢 def 字 ghi new Ünï\u{308}cödé");
            known.sort();
            let attacked = attack.apply(&text, &words("new"), 3);
            let after = Pieces::of(&attacked);
            for word in &after.words {
                assert!(known.contains(&word.text.to_string()), "{attack}: {word:?}");
            }
            assert!(after.words.len().abs_diff(before) <= before / 5, "{attack}");
        }
    }
}
