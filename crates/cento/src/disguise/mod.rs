//! What a text has that its reader does not see: letters of another script that look like the
//! word's own, invisible characters, and what a file contains and does not show.
//!
//! Only what ordinary writing has no use for is named. It is a fact about a file and no verdict on a
//! person, so the rules would rather miss a disguise than see one where there is none.

mod invisible;
mod look_alike;

use serde::{Deserialize, Serialize};

use crate::number::index32;
use crate::token::Alphabet;

/// How something keeps out of a reader's sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disguise {
    /// A word has letters of another script that look like those of its own: `cаnal` with a Cyrillic
    /// а.
    LookAlike,
    /// A word has zero-width or other invisible characters inside, in a script that has no use for
    /// them.
    Invisible,
    /// The file says that this text is not to be shown.
    Hidden,
    /// The text has the colour of what it stands on.
    Background,
    /// The text is too small to be read.
    Tiny,
}

/// How much of a document is disguised: words with characters that are not what they seem, and
/// characters that are not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Disguised {
    /// Words with look-alike letters.
    #[serde(skip_serializing_if = "is_zero")]
    pub look_alike: u32,
    /// Words with invisible characters.
    #[serde(skip_serializing_if = "is_zero")]
    pub invisible: u32,
    /// Hidden characters, without white space.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: u32,
    /// Characters in the colour of their background.
    #[serde(skip_serializing_if = "is_zero")]
    pub background: u32,
    /// Characters that are too small to be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub tiny: u32,
}

/// A disguise and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisguisedPlace {
    /// First byte of the text.
    pub start: u32,
    /// One past the last byte. Text that is not shown is not part of the text, so that it only has a
    /// place where it would begin.
    pub end: u32,
    /// What it is.
    pub kind: Disguise,
    /// How many characters are not shown here.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub characters: u32,
    /// How they begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Disguised {
    /// Counts the words of a text.
    pub fn in_text(text: &str) -> Disguised {
        let mut disguised = Disguised::default();
        each(text, |_, kind| disguised.add(kind, 1));
        disguised
    }

    /// Adds some words or characters.
    pub fn add(&mut self, kind: Disguise, count: u32) {
        let counted = match kind {
            Disguise::LookAlike => &mut self.look_alike,
            Disguise::Invisible => &mut self.invisible,
            Disguise::Hidden => &mut self.hidden,
            Disguise::Background => &mut self.background,
            Disguise::Tiny => &mut self.tiny,
        };
        *counted = counted.saturating_add(count);
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Disguised::default()
    }

    /// What people are told, one part for each kind.
    pub fn remarks(&self) -> Vec<String> {
        let kinds = [
            (
                self.look_alike,
                "word",
                "with look-alike letters of another script",
            ),
            (self.invisible, "word", "with invisible characters"),
            (self.hidden, "hidden character", ""),
            (
                self.background,
                "character",
                "in the colour of the background",
            ),
            (self.tiny, "character", "too small to be read"),
        ];
        let remark = |(count, what, more): &(u32, &str, &str)| {
            let s = if *count == 1 { "" } else { "s" };
            let remark = format!("{count} {what}{s} {more}");
            (*count > 0).then(|| remark.trim_end().to_owned())
        };
        kinds.iter().filter_map(remark).collect()
    }
}

/// The words of a text that are disguised, in the order of the text; no more than `most`.
pub fn places(text: &str, most: usize) -> Vec<DisguisedPlace> {
    let mut places = Vec::new();
    each(text, |[start, end], kind| {
        places.push(DisguisedPlace {
            start: index32(start),
            end: index32(end),
            kind,
            characters: 0,
            text: None,
        });
    });
    places.sort_by_key(|place| (place.start, place.kind));
    places.truncate(most);
    places
}

/// Shows every word that is disguised.
fn each(text: &str, mut found: impl FnMut([usize; 2], Disguise)) {
    if text.is_ascii() {
        return;
    }
    let mut scripts = look_alike::Words::default();
    let mut at = 0;
    while let Some(piece) = Alphabet::Unicode.next_piece(text, at) {
        at = piece.end;
        if piece.ascii {
            continue;
        }
        let word = &text[piece.start..piece.end];
        let place = [piece.start, piece.end];
        if invisible::is_in(word) {
            found(place, Disguise::Invisible);
        }
        if scripts.is_mixed(word, place) {
            found(place, Disguise::LookAlike);
        }
    }
    for place in scripts.likely() {
        found(place, Disguise::LookAlike);
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Disguise)]) {
        let found = places(text, usize::MAX);
        let found: Vec<(&str, Disguise)> = found
            .iter()
            .map(|place| (&text[place.start as usize..place.end as usize], place.kind))
            .collect();
        assert_eq!(found, expected, "{text:?}");
        let counted = Disguised::in_text(text);
        let of = |kind| expected.iter().filter(|(_, other)| *other == kind).count();
        assert_eq!(counted.look_alike as usize, of(Disguise::LookAlike));
        assert_eq!(counted.invisible as usize, of(Disguise::Invisible));
    }

    #[test]
    fn letters_of_another_script_inside_a_word() {
        use Disguise::LookAlike;
        check("The c\u{430}nal is old.", &[("c\u{430}nal", LookAlike)]);
        check("\u{41a}anal and Kanal", &[("\u{41a}anal", LookAlike)]);
        check(
            "a b\u{3bf}\u{3bf}k \u{39f}ne",
            &[("b\u{3bf}\u{3bf}k", LookAlike), ("\u{39f}ne", LookAlike)],
        );
        // Latin letters in a Russian and in a Greek word.
        check("Он cказал это", &[("cказал", LookAlike)]);
        check("Η κατάστασή τoυς", &[("τoυς", LookAlike)]);
        // Short words, where nothing else is of the other script.
        check("Part \u{43e}f it", &[("\u{43e}f", LookAlike)]);
    }

    #[test]
    fn whole_words_of_look_alikes_count_where_nothing_else_is_cyrillic() {
        use Disguise::LookAlike;
        let copy = "\u{441}\u{43e}\u{440}\u{443}";
        check(
            &format!("Do not {copy} the c\u{430}nal, \u{430} mill"),
            &[
                (copy, LookAlike),
                ("c\u{430}nal", LookAlike),
                ("\u{430}", LookAlike),
            ],
        );
        check(
            &format!("{copy} and {copy} and {copy} again"),
            &[(copy, LookAlike); 3],
        );
        // A quotation, and a table that a Russian keyboard wrote.
        check("The Russian word роса means dew", &[]);
        check("The words роса, оса and ухо, and море too", &[]);
        check("a box of 5 х 6 х 7 х 8", &[]);
    }

    #[test]
    fn invisible_characters_inside_a_word() {
        use Disguise::Invisible;
        check("a ca\u{200b}nal", &[("ca\u{200b}nal", Invisible)]);
        check("при\u{2060}вет мир", &[("при\u{2060}вет", Invisible)]);
        check(
            "ca\u{200d}n\u{200c}al",
            &[("ca\u{200d}n\u{200c}al", Invisible)],
        );
        check(
            "cafe\u{301}\u{200b}s",
            &[("cafe\u{301}\u{200b}s", Invisible)],
        );
        check(
            "ca\u{e0061}nal ca\u{202e}nal",
            &[("ca\u{e0061}nal", Invisible), ("ca\u{202e}nal", Invisible)],
        );
        check(
            "c\u{430}\u{200b}nal",
            &[
                ("c\u{430}\u{200b}nal", Disguise::LookAlike),
                ("c\u{430}\u{200b}nal", Invisible),
            ],
        );
    }

    #[test]
    fn ordinary_writing_has_no_disguise() {
        for text in [
            "Plain English, with naïve café, “quotes” and a no-break\u{a0}space.",
            // Whole texts of other scripts, with Latin names and numbers among them.
            "Он сказал: «Вот и всё», а потом ушёл в IT-компанию; PDF, 3D-принтер, SMSка, PRом, CEOа.",
            "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας. Το ΝΑΤΟ και η ΕΕ, USB και Wi-Fi.",
            "Україна має її мову; јесен је у Србији; Ўзбекистон.",
            "Հայաստանը գեղեցիկ երկիր է, USB և PDF։ საქართველო ლამაზია.",
            "בUSB וGPS של הPC עם iPhone. الـiPhone في المكتب",
            // Joiners and separators where they belong.
            "می\u{200c}خواهم کتاب\u{200c}ها را بخوانم",
            "क्\u{200d}ष और श्री\u{200c}मान र\u{200d}य",
            "ภาษา\u{200b}ไทย\u{200b}เขียน ភាសា\u{200b}ខ្មែរ",
            "Auf\u{200c}lage und Schiff\u{200c}fahrt",
            "👩\u{200d}👩\u{200d}👧 ok ❤\u{fe0f} and 1\u{fe0f}\u{20e3} ℹ\u{fe0f}Info \u{1f170}\u{fe0f}B",
            "葛\u{e0100}城市 and \u{182e}\u{180b}\u{1830}",
            // Where words may be broken, and what files begin with.
            "hy\u{ad}phen\u{ad}ation \u{feff}Start end\u{feff}Start",
            "a\u{200b} b \u{200b}c\u{200e} (\u{200e}d\u{202a})",
            // Symbols of the sciences.
            "5 µm, 5 μm, 10 μg, 3 kΩ, 2 Å, Δx, Δt, αβ, σ2, χ2, λν, hν, ρgh, νe and Hα",
            "TNFα, IFNγ, PPARγ, TGFβ1, NFκB, FcγRIIa, IκBα, CaMKIIα, PGC1α, αSMA, βCD",
            "cosαsinα + sinβ, sin\u{2061}x, 2\u{2062}x, x\u{2062}y, dν, ∂x, λμT, ΔAB, ΖΒΤ and ΚΑ",
            // Compatibility forms are seen by everybody.
            "the ﬁrst ﬂoor, ＣＡＮＡＬ, 𝐛𝐨𝐥𝐝 and 𝒙𝒚, Ⅷ, ½, №5, 1ª",
            "Ŋdaŋ ɛwe ɖeka, ʔaχʷa, θaq̓əm, əhti",
            "한국어 PC방 문서, 東京のABC, カタカナ",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn people_are_told_in_words() {
        let mut disguised = Disguised::in_text("c\u{430}nal ca\u{200b}nal c\u{430}nal");
        assert_eq!(
            disguised.remarks(),
            [
                "2 words with look-alike letters of another script",
                "1 word with invisible characters"
            ]
        );
        disguised = Disguised::default();
        assert!(disguised.is_empty() && disguised.remarks().is_empty());
        disguised.add(Disguise::Hidden, 240);
        disguised.add(Disguise::Background, 1);
        disguised.add(Disguise::Tiny, 3);
        assert_eq!(
            disguised.remarks(),
            [
                "240 hidden characters",
                "1 character in the colour of the background",
                "3 characters too small to be read"
            ]
        );
        assert_eq!(
            serde_json::to_string(&disguised).unwrap(),
            r#"{"hidden":240,"background":1,"tiny":3}"#
        );
    }
}
