//! Disguises of a bulk mail: what its senders do so that no two copies are the same to a program, and
//! all are to a reader.

mod eml;
mod letters;
mod words;

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::eval::random::Random;

/// One disguise of a mail message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disguise {
    /// A mark between all letters of a word: `m.a.r.k`; `mail-marks`.
    Marks,
    /// A space between all letters of a word; `mail-spaces`.
    Spaces,
    /// One space or line break inside a word; `mail-split`.
    Split,
    /// Digits and signs for letters: `l3773r`; `mail-leet`.
    Leet,
    /// Letters of other scripts that look the same; `mail-look-alikes`.
    LookAlikes,
    /// Characters that show nothing inside words; `mail-zero-width`.
    ZeroWidth,
    /// Letters written twice or three times; `mail-repeats`.
    Repeats,
    /// A wrong letter in a word; `mail-typos`.
    Typos,
    /// Random words among the others; `mail-words`.
    Words,
    /// Random words in place of others; `mail-replace`.
    Replace,
    /// Words left out; `mail-drop`.
    Drop,
    /// Random words that HTML does not show; `mail-hidden`.
    Hidden,
    /// Comments of HTML inside words; `mail-comments`.
    Comments,
    /// Random strings in the subject, above and below; `mail-hash-buster`.
    HashBuster,
    /// A text of random words below; `mail-poison`.
    Poison,
    /// Paragraphs in another order; `mail-shuffle`.
    Shuffle,
    /// A greeting by name, and the name in the text; `mail-greeting`.
    Greeting,
    /// A link that is another one for each recipient; `mail-tracking`.
    Tracking,
    /// The message as a reply quotes it; `mail-quoted`.
    Quoted,
    /// Another transfer encoding; `mail-transport`.
    Transport,
}

impl Disguise {
    /// All of them.
    pub const ALL: [Disguise; 20] = [
        Disguise::Marks,
        Disguise::Spaces,
        Disguise::Split,
        Disguise::Leet,
        Disguise::LookAlikes,
        Disguise::ZeroWidth,
        Disguise::Repeats,
        Disguise::Typos,
        Disguise::Words,
        Disguise::Replace,
        Disguise::Drop,
        Disguise::Hidden,
        Disguise::Comments,
        Disguise::HashBuster,
        Disguise::Poison,
        Disguise::Shuffle,
        Disguise::Greeting,
        Disguise::Tracking,
        Disguise::Quoted,
        Disguise::Transport,
    ];

    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Disguise::Marks => "mail-marks",
            Disguise::Spaces => "mail-spaces",
            Disguise::Split => "mail-split",
            Disguise::Leet => "mail-leet",
            Disguise::LookAlikes => "mail-look-alikes",
            Disguise::ZeroWidth => "mail-zero-width",
            Disguise::Repeats => "mail-repeats",
            Disguise::Typos => "mail-typos",
            Disguise::Words => "mail-words",
            Disguise::Replace => "mail-replace",
            Disguise::Drop => "mail-drop",
            Disguise::Hidden => "mail-hidden",
            Disguise::Comments => "mail-comments",
            Disguise::HashBuster => "mail-hash-buster",
            Disguise::Poison => "mail-poison",
            Disguise::Shuffle => "mail-shuffle",
            Disguise::Greeting => "mail-greeting",
            Disguise::Tracking => "mail-tracking",
            Disguise::Quoted => "mail-quoted",
            Disguise::Transport => "mail-transport",
        }
    }

    /// The level where none is given: a share of the words, or of the letters that can be disguised.
    /// One without a level has none.
    pub fn usual_level(self) -> Option<f64> {
        match self {
            Disguise::Words => Some(0.2),
            Disguise::Replace | Disguise::Drop | Disguise::Typos | Disguise::Repeats => Some(0.1),
            Disguise::Poison => Some(0.5),
            Disguise::Marks
            | Disguise::Spaces
            | Disguise::Split
            | Disguise::Leet
            | Disguise::LookAlikes
            | Disguise::ZeroWidth
            | Disguise::Hidden
            | Disguise::Comments
            | Disguise::HashBuster => Some(0.3),
            Disguise::Shuffle
            | Disguise::Greeting
            | Disguise::Tracking
            | Disguise::Quoted
            | Disguise::Transport => None,
        }
    }
}

impl fmt::Display for Disguise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Disguise {
    type Err = Error;

    fn from_str(name: &str) -> Result<Disguise, Error> {
        let named = Disguise::ALL
            .into_iter()
            .find(|disguise| disguise.name() == name);
        named.ok_or_else(|| Error::UnknownAttack {
            name: name.to_owned(),
            choices: Disguise::ALL.map(Disguise::name).join(", "),
        })
    }
}

/// A message to be disguised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    subject: String,
    body: String,
    /// HTML that shows nothing. A character of the private use area stands for each in the body.
    unseen: Vec<String>,
    /// Who it is sent to, if it calls them by name.
    recipient: Option<String>,
    encoding: Encoding,
}

/// How the body is encoded for transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Encoding {
    #[default]
    EightBit,
    Base64,
    QuotedPrintable,
}

/// The first of the characters that stand for what is not seen, and how many there are.
const FIRST_SIGN: u32 = 0xf0000;
const SIGNS: usize = 0xfffd;

impl Message {
    /// A message of this subject and plain text.
    pub fn new(subject: &str, body: &str) -> Message {
        let is_free = |c: &char| sign_number(*c).is_none_or(|number| number >= SIGNS);
        Message {
            subject: subject.split_whitespace().collect::<Vec<_>>().join(" "),
            body: body.chars().filter(is_free).collect(),
            ..Message::default()
        }
    }

    /// The message in these disguises, one after the other; words that are put in come from the
    /// vocabulary. The same message, vocabulary, level and seed give the same result.
    #[must_use]
    pub fn disguised(
        &self,
        disguises: &[Disguise],
        level: Option<f64>,
        vocabulary: &[String],
        seed: u64,
    ) -> Message {
        let mut message = self.clone();
        let seed = seed ^ crate::digest::word_hash(self.body.as_bytes());
        for (place, disguise) in disguises.iter().enumerate() {
            let mut random = Random::new(seed.wrapping_add(place as u64));
            let level = level.or(disguise.usual_level()).unwrap_or(1.0);
            message.put_on(*disguise, level, vocabulary, &mut random);
        }
        message
    }

    fn put_on(
        &mut self,
        disguise: Disguise,
        level: f64,
        vocabulary: &[String],
        random: &mut Random,
    ) {
        let body = self.body.as_str();
        self.body = match disguise {
            Disguise::Marks => {
                letters::between(body, level, &[".", "-", "_", "*", "~", "'"], random)
            }
            Disguise::Spaces => letters::between(body, level, &[" "], random),
            Disguise::Split => letters::split(body, level, random),
            Disguise::Leet => letters::leet(body, level, random),
            Disguise::LookAlikes => letters::look_alikes(body, level, random),
            Disguise::ZeroWidth => letters::zero_width(body, level, random),
            Disguise::Repeats => letters::repeats(body, level, random),
            Disguise::Typos => letters::typos(body, level, random),
            Disguise::Words => words::added(body, level, vocabulary, random),
            Disguise::Replace => words::replaced(body, level, vocabulary, random),
            Disguise::Drop => words::dropped(body, level, random),
            Disguise::Poison => words::poisoned(body, level, vocabulary, random),
            Disguise::Shuffle => words::shuffled(body, random),
            Disguise::Hidden => {
                let body = body.to_owned();
                words::hidden(&body, level, vocabulary, random, |html| self.unseen(html))
            }
            Disguise::Comments => {
                let body = body.to_owned();
                letters::comments(&body, level, random, |html| self.unseen(html))
            }
            Disguise::HashBuster => {
                let busted = words::busted(body, level, random);
                self.subject = format!("{} {}", self.subject, words::string(random));
                busted
            }
            Disguise::Greeting => {
                let name = words::name(random);
                let body = words::greeted(body, &name, random);
                self.recipient = Some(name);
                body
            }
            Disguise::Tracking => words::tracked(body, random),
            Disguise::Quoted => words::quoted(body, random),
            Disguise::Transport => {
                self.encoding = match random.below(2) {
                    0 => Encoding::Base64,
                    _ => Encoding::QuotedPrintable,
                };
                return;
            }
        };
    }

    /// The character that stands for HTML that shows nothing; none if there is too much of it.
    fn unseen(&mut self, html: String) -> Option<char> {
        let number = u32::try_from(self.unseen.len()).ok()?;
        let sign = char::from_u32(FIRST_SIGN + number).filter(|_| self.unseen.len() < SIGNS)?;
        self.unseen.push(html);
        Some(sign)
    }
}

/// Which unseen part a character stands for.
fn sign_number(c: char) -> Option<usize> {
    let number = u32::from(c).checked_sub(FIRST_SIGN)?;
    usize::try_from(number).ok()
}

/// Whether something happens to the next word or letter.
fn happens(level: f64, random: &mut Random) -> bool {
    const FINE: usize = 10_000;
    (random.below(FINE) as f64) < level * FINE as f64
}

/// What becomes of the words; white space stays.
fn each_word(body: &str, mut change: impl FnMut(&str, &mut String)) -> String {
    let mut out = String::with_capacity(body.len() * 2);
    for piece in body.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if !word.is_empty() {
            change(word, &mut out);
        }
        out.push_str(&piece[word.len()..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Likeness, Sameness};
    use crate::{Key, NoCollection, Recipe};

    const BODY: &str = "The harbour opens its new gate on Monday.\n\nEverybody who wants to see it is \
                        asked to come before noon, since the ferries leave at one o'clock.\nBring \
                        bread, cheese and a warm coat!\n\nThe council thanks all who helped to build \
                        it during nine long years of rain and mud.\n";

    fn vocabulary() -> Vec<String> {
        let words = "apple river lantern quick yellow monday seven garden window paper silver";
        words.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn names_round_trip() {
        for disguise in Disguise::ALL {
            assert_eq!(disguise.name().parse::<Disguise>().unwrap(), disguise);
        }
        let error = "mail".parse::<Disguise>().unwrap_err().to_string();
        assert!(error.contains("mail-hash-buster"), "{error}");
    }

    #[test]
    fn the_seed_decides() {
        let message = Message::new("News", BODY);
        for disguise in Disguise::ALL {
            let copy = |seed| {
                message
                    .disguised(&[disguise], None, &vocabulary(), seed)
                    .eml()
            };
            assert_eq!(copy(7), copy(7), "{disguise}");
            assert_ne!(copy(7), message.eml(), "{disguise}");
        }
    }

    #[test]
    fn little_is_left_alone() {
        for disguise in Disguise::ALL {
            for body in ["", " ", "a", "é\u{301}", "漢字", "\n\n\n", "\u{f0000}"] {
                for level in [0.0, 1.0] {
                    let message = Message::new("", body);
                    let _ = message.disguised(&[disguise; 2], Some(level), &[], 3).eml();
                }
            }
        }
    }

    #[test]
    fn disguises_of_letters_keep_the_canonical_form() {
        let recipe = Recipe::named("mail").unwrap();
        let fingerprint = |text: &str| {
            let fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
            fingerprint.digests().to_vec()
        };
        let message = Message::new("News", BODY);
        for disguise in [
            Disguise::Marks,
            Disguise::Spaces,
            Disguise::Split,
            Disguise::LookAlikes,
            Disguise::ZeroWidth,
            Disguise::Repeats,
        ] {
            let copy = message.disguised(&[disguise], Some(1.0), &[], 1);
            let likeness = Likeness::of(&fingerprint(BODY), &fingerprint(&copy.body));
            assert!(likeness.similarity() > 0.95, "{disguise}: {}", copy.body);
        }
        for disguise in [
            Disguise::Leet,
            Disguise::Words,
            Disguise::Replace,
            Disguise::Drop,
        ] {
            let copy = message.disguised(&[disguise], None, &vocabulary(), 1);
            let likeness = Likeness::of(&fingerprint(BODY), &fingerprint(&copy.body));
            assert!(Sameness::MAIL.holds(likeness), "{disguise}: {}", copy.body);
        }
    }

    #[test]
    fn several_at_once() {
        let all = [
            Disguise::Hidden,
            Disguise::Marks,
            Disguise::Comments,
            Disguise::Transport,
        ];
        let copy = Message::new("News", BODY).disguised(&all, Some(0.5), &vocabulary(), 4);
        let eml = copy.eml();
        assert!(eml.contains("text/html"), "{eml}");
        assert!(
            eml.contains("base64") || eml.contains("quoted-printable"),
            "{eml}"
        );
        assert!(eml.is_ascii());
    }
}
