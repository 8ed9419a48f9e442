//! Letters as a reader of disguised mail sees them: one form for everything that looks like a letter.
//!
//! What is read does not depend on where a word begins or ends, so that spaces and marks inside words
//! change nothing. The tables are in [`look_alikes`](super::look_alikes).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use icu_normalizer::DecomposingNormalizerBorrowed;

use super::form::{is_ignorable, is_mark};
use super::look_alikes::{ASCII, DRAWN, FILLERS, LATIN, RANGES};

/// Calls `each` for every letter of a text in the canonical form, with the bytes that it stands for.
///
/// A letter that follows the same letter is not repeated: `freeee` reads as `fre`.
pub(crate) fn each_letter(text: &str, mut each: impl FnMut(Range<usize>, char)) {
    let mut last = [None; 2];
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let mut end = at + c.len_utf8();
        let mut letters = Letters {
            source: at..end,
            last: &mut last,
            each: &mut each,
        };
        if c.is_ascii_alphanumeric() {
            letters.ascii(c);
        } else if let Some((length, letter)) = drawn(&text[at..]) {
            end = at + length;
            letters.source.end = end;
            letters.ascii(letter);
        } else if let Some(letter) = in_word(text, at, c) {
            letters.ascii(letter);
        } else if !c.is_ascii() {
            letters.other(c);
        }
        at = end;
    }
}

/// Letters on their way out.
struct Letters<'e, E> {
    source: Range<usize>,
    /// The last letter that came out, and the letter or sign of ASCII that it came from.
    last: &'e mut [Option<char>; 2],
    each: &'e mut E,
}

impl<E: FnMut(Range<usize>, char)> Letters<'_, E> {
    fn push(&mut self, letter: char) {
        if self.last[0] != Some(letter) {
            self.last[0] = Some(letter);
            (self.each)(self.source.clone(), letter);
        }
    }

    /// A letter or digit of ASCII, or a sign that is always read as a letter.
    fn ascii(&mut self, c: char) {
        let c = c.to_ascii_lowercase();
        match ASCII.iter().find(|(sign, _)| *sign == c) {
            // An m may be repeated, too.
            Some((_, letters)) if letters.len() > 1 && self.last[1] == Some(c) => {}
            Some((_, letters)) => letters.chars().for_each(|letter| self.push(letter)),
            None if c.is_ascii_alphanumeric() => self.push(c),
            None => return,
        }
        self.last[1] = Some(c);
    }

    /// A character beyond ASCII: its own look-alike, that of its parts, or itself in lower case.
    fn other(&mut self, c: char) {
        const NFKD: DecomposingNormalizerBorrowed<'static> =
            DecomposingNormalizerBorrowed::new_nfkd();
        if is_ignorable(c) || FILLERS.contains(&c) {
            return;
        }
        if let Some(letter) = look_alike(c) {
            return letter.chars().for_each(|letter| self.ascii(letter));
        }
        let mut utf8 = [0; 4];
        for part in NFKD.normalize(c.encode_utf8(&mut utf8)).chars() {
            if part.is_ascii() {
                self.ascii(part);
            } else if !is_mark(part) && part.is_alphanumeric() {
                self.part(part);
            }
        }
    }

    /// A letter without accents of any script.
    fn part(&mut self, part: char) {
        if let Some(letters) = look_alike(part) {
            return letters.chars().for_each(|letter| self.ascii(letter));
        }
        let mut small = part.to_lowercase();
        let small = small.next().filter(|_| small.next().is_none());
        let letters = confusable(part).or_else(|| confusable(small?));
        if let Some(letters) = letters {
            return letters.chars().for_each(|letter| self.ascii(letter));
        }
        self.push(small.unwrap_or(part));
        self.last[1] = None;
    }
}

/// A letter drawn with several signs: how many bytes it takes, and which letter it is.
fn drawn(text: &str) -> Option<(usize, char)> {
    // Most signs begin no drawing.
    text.starts_with(BEGINS_DRAWING).then_some(())?;
    let (drawing, letter) = DRAWN
        .iter()
        .find(|(drawing, _)| text.starts_with(drawing))?;
    Some((drawing.len(), *letter))
}

const BEGINS_DRAWING: [char; 12] = ['|', '/', '\\', '(', ')', '[', ']', '}', '<', '>', '\'', '`'];

/// The letter that a sign of ASCII stands for. Those that are punctuation as well are letters only
/// between two letters, and not where there is a sign between all of them.
fn in_word(text: &str, at: usize, sign: char) -> Option<char> {
    match sign {
        '@' | '$' => return Some(sign),
        '!' | '|' | '+' => {}
        _ => return None,
    }
    let mut before = text[..at].chars().rev();
    let mut after = text[at + 1..].chars();
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "@$".contains(c));
    let is_sign =
        |c: Option<char>| c.is_some_and(|c| c.is_ascii_punctuation() && !"@$".contains(c));
    let is_inside = is_letter(before.next()) && is_letter(after.next());
    (is_inside && !is_sign(before.next()) && !is_sign(after.next())).then_some(match sign {
        '+' => 't',
        _ => 'i',
    })
}

/// The ASCII letters that a character looks like by our own table.
fn look_alike(c: char) -> Option<&'static str> {
    static TABLE: OnceLock<HashMap<char, &'static str>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let rows = LATIN
            .iter()
            .flat_map(|(letters, others)| others.chars().map(move |other| (other, *letters)));
        let ranges = RANGES.iter().flat_map(|(first, letters)| {
            let places = *first..;
            places.zip(letters.split_inclusive(|_: char| true))
        });
        rows.chain(ranges).collect()
    });
    table.get(&c).copied()
}

/// The ASCII letters and digits that a character looks like by Unicode's table of confusable ones.
fn confusable(c: char) -> Option<String> {
    let mut utf8 = [0; 4];
    let skeleton = unicode_security::confusable_detection::skeleton(c.encode_utf8(&mut utf8));
    let mut letters = String::new();
    for part in skeleton {
        if !part.is_ascii_alphanumeric() {
            return None;
        }
        letters.push(part);
    }
    Some(letters).filter(|letters| !letters.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        let mut letters = String::new();
        each_letter(text, |_, letter| letters.push(letter));
        letters
    }

    #[track_caller]
    fn check(plain: &str, disguises: &[&str]) {
        for disguise in disguises {
            assert_eq!(canonical(disguise), canonical(plain), "{disguise:?}");
        }
    }

    #[test]
    fn signs_for_letters() {
        check(
            "make money at home",
            &[
                "|\\/|4K3 M0N3Y @T H0M3",
                "/\\/\\@|<e mone¥ a7 h()me",
                "rnake rnoney at horne",
                "mmaakke mmmmoney att hommme",
                "m4k€ m0ney 47 |-|ome",
            ],
        );
        check(
            "viagra",
            &["v!agra", "V|AGRA", "\\/1@gr@", "v\u{ef}agr\u{e1}"],
        );
        check("bank", &["|34nk", "8@n|<", "ba|\\|k"]);
        check("save now", &["$4ve n()w", "$ave n0vv"]);
        check("water", &["wa+er", "vvat3r", "\\/\\/ater"]);
    }

    #[test]
    fn marks_and_spaces_inside_words() {
        check(
            "links for all",
            &[
                "l!i!n!k!s f|o|r a l l",
                "l.i.n.k.s f-o-r a_l_l",
                "l*i*n*k*s ~f~o~r~ (a)(l)(l)",
                "l\u{200b}i\u{200d}n\u{ad}k\u{2060}s f\u{feff}or al\u{3164}l",
                "liinnks fooor alll",
                "l%i%n%k%s (for) a//l//l",
                "l+i+n+k+s f'o'r all!",
            ],
        );
    }

    #[test]
    fn letters_of_all_scripts() {
        check(
            "BHKMT bhkmt aceopxy",
            &[
                "ВНКМТ внкмт асеорху",
                "ΒΗΚΜΤ bhkmt aceopxy",
                "ＢＨＫＭＴ ｂｈｋｍｔ ａｃｅｏｐｘｙ",
                "𝐁𝐇𝐊𝐌𝐓 𝒷𝒽𝓀𝓂𝓉 𝖆𝖈𝖊𝖔𝖕𝖝𝖞",
                "ⒷⒽⓀⓂⓉ ⓑⓗⓚⓜⓣ ⒜⒞⒠⒪⒫⒳⒴",
                "🄱🄷🄺🄼🅃 🅑🅗🅚🅜🅣 🅰🅲🅴🅾🅿🆇🆈",
                "🇧🇭🇰🇲🇹 ʙʜᴋᴍᴛ ᴀᴄᴇᴏᴘxʏ",
                "ḂḦḰṀṪ b̶h̸k̵m̷ť āçëøṗẍý",
            ],
        );
        check("straße œuvre", &["strasse oeuvre", "STRASSE ŒUVRE"]);
    }

    #[test]
    fn every_row_of_the_tables_is_read() {
        for (letters, others) in LATIN {
            for other in others.chars() {
                let mut utf8 = [0; 4];
                let read = canonical(other.encode_utf8(&mut utf8));
                assert_eq!(read, canonical(letters), "{other}");
            }
        }
        for (drawing, letter) in DRAWN {
            assert_eq!(
                canonical(drawing),
                canonical(&letter.to_string()),
                "{drawing}"
            );
        }
    }

    #[test]
    fn texts_in_other_scripts_keep_their_letters() {
        assert_eq!(canonical("漢字かな"), "漢字かな");
        assert_eq!(canonical("Ждите"), canonical("ждите"));
        assert_eq!(canonical("ждите").chars().count(), 5);
        assert_eq!(canonical("सुनो").chars().count(), 4);
        assert_eq!(canonical("   …!?  "), "");
    }
}
