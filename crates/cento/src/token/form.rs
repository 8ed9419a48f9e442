//! The one form of a word: what normalisation undoes, and which characters make words.

use std::collections::HashMap;
use std::sync::OnceLock;

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use unicode_script::{Script, UnicodeScript};

/// Appends the normal form of a word: without invisible characters, compatibility forms undone
/// (ligatures, full-width letters), composed, and in one script.
pub(super) fn normalise(word: &str, case_folded: bool, out: &mut String) {
    const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
    let visible: String = word.chars().filter(|&c| !is_ignorable(c)).collect();
    let composed = NFKC.normalize(&visible);
    // A compatibility form may bring a space or a slash with it; a term has none.
    let word: String = composed
        .chars()
        .filter(|&c| c.is_alphanumeric() || is_mark(c))
        .collect();
    let word = in_one_script(&word).unwrap_or(word);
    if case_folded {
        fold(&word, out);
    } else {
        out.push_str(&word);
    }
}

/// What normalisation undid in the words of a text and everybody can see: how many words had it.
/// What is meant not to be seen is a [`Disguise`](crate::disguise::Disguise).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// Ligatures, full-width letters and other compatibility forms.
    pub compatibility: u64,
}

impl Undone {
    /// Counts the words of a text.
    pub fn in_text(text: &str) -> Undone {
        let mut undone = Undone::default();
        if text.is_ascii() {
            return undone;
        }
        let mut at = 0;
        while let Some(piece) = super::Alphabet::Unicode.next_piece(text, at) {
            if !piece.ascii {
                undone.look_at(&text[piece.start..piece.end]);
            }
            at = piece.end;
        }
        undone
    }

    fn look_at(&mut self, word: &str) {
        const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
        const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
        let visible: String = word.chars().filter(|&c| !is_ignorable(c)).collect();
        let composed = NFKC.normalize(&visible);
        self.compatibility += u64::from(composed != NFC.normalize(&visible));
    }

    /// A sentence for people, if anything was found.
    pub fn sentence(&self) -> Option<String> {
        let what = "ligatures or full-width letters";
        match self.compatibility {
            0 => None,
            1 => Some(format!("1 word with {what} was read as a plain one")),
            count => Some(format!("{count} words with {what} were read as plain ones")),
        }
    }
}

/// Appends the lower-case form of a word, letter by letter; both Greek sigmas become one.
pub(super) fn fold(word: &str, out: &mut String) {
    for c in word.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else {
            out.extend(c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c }));
        }
    }
}

/// The word with look-alikes replaced, if it mixes Latin with another script: `cаnal` with a
/// Cyrillic а is `canal`. A word whose foreign letters all look Latin is Latin; else it is foreign.
fn in_one_script(word: &str) -> Option<String> {
    let foreign = word.chars().find(|&c| is_foreign(c))?;
    word.chars().find(char::is_ascii_alphabetic)?;
    let latin = word
        .chars()
        .filter(|&c| is_foreign(c))
        .all(|c| latin_look_alike(c).is_some());
    let replace = |c: char| match (latin, is_foreign(c)) {
        (true, true) => latin_look_alike(c),
        (false, false) => script_look_alike(c, foreign.script()),
        _ => None,
    };
    Some(word.chars().map(|c| replace(c).unwrap_or(c)).collect())
}

fn is_foreign(c: char) -> bool {
    !c.is_ascii()
        && c.is_alphabetic()
        && !matches!(
            c.script(),
            Script::Latin | Script::Common | Script::Inherited
        )
}

/// The ASCII letter that looks like `c` (Unicode's table of confusable characters).
pub(crate) fn latin_look_alike(c: char) -> Option<char> {
    // The table takes a capital I for an l; its small letter knows better.
    let mut small = c.to_lowercase();
    if let (true, Some(small), None) = (c.is_uppercase(), small.next(), small.next())
        && let Some(letter) = confusable(small)
    {
        return Some(letter.to_ascii_uppercase());
    }
    confusable(c)
}

fn confusable(c: char) -> Option<char> {
    let mut utf8 = [0; 4];
    let mut prototype = unicode_security::confusable_detection::skeleton(c.encode_utf8(&mut utf8));
    match (prototype.next(), prototype.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => Some(letter),
        _ => None,
    }
}

/// The Cyrillic or Greek letter that looks like the ASCII letter `c`.
fn script_look_alike(c: char, script: Script) -> Option<char> {
    static CYRILLIC: OnceLock<HashMap<char, char>> = OnceLock::new();
    static GREEK: OnceLock<HashMap<char, char>> = OnceLock::new();
    // The basic letters come first in both blocks' alphabets; historic ones must not win.
    let (table, letters) = match script {
        Script::Cyrillic => (&CYRILLIC, '\u{410}'..='\u{45f}'),
        Script::Greek => (&GREEK, '\u{391}'..='\u{3c9}'),
        _ => return None,
    };
    let table = table.get_or_init(|| {
        let mut table = HashMap::new();
        for letter in letters {
            if let Some(ascii) = latin_look_alike(letter) {
                table.entry(ascii).or_insert(letter);
            }
        }
        table
    });
    table.get(&c).copied()
}

/// A combining mark that goes on with the character before it.
pub(crate) fn is_mark(c: char) -> bool {
    const CLASSES: CanonicalCombiningClassMapBorrowed<'static> =
        CanonicalCombiningClassMapBorrowed::new();
    // The half-width voiced sound marks are letters to Unicode, marks to a reader.
    !c.is_ascii() && (CLASSES.get_u8(c) != 0 || matches!(c, '\u{ff9e}' | '\u{ff9f}'))
}

/// An invisible character: soft hyphen, zero-width space and joiners, direction marks, variation
/// selectors, tags.
pub(crate) fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a token is less than a word: a character or cluster of a script that writes words
/// without spaces between them.
pub(crate) fn is_part(term: &str) -> bool {
    term.chars()
        .next()
        .is_some_and(|c| is_single(c) || is_clustered(c))
}

/// A character that is a token of its own: Han, Hiragana, Katakana, Bopomofo.
pub(super) fn is_single(c: char) -> bool {
    matches!(
        c,
        '\u{2e80}'..='\u{2fdf}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3021}'..='\u{3029}'
            | '\u{3040}'..='\u{312f}'
            | '\u{31a0}'..='\u{31bf}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9d}'
            | '\u{1b000}'..='\u{1b16f}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// A character of a script that writes without spaces and is cut into character clusters: Thai,
/// Lao, Burmese, Khmer.
pub(super) fn is_clustered(c: char) -> bool {
    matches!(
        c,
        '\u{e00}'..='\u{eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{19e0}'..='\u{19ff}'
            | '\u{a9e0}'..='\u{a9ff}'
            | '\u{aa60}'..='\u{aa7f}'
    )
}
