//! Words with letters of another script that look like their own.

use unicode_script::{Script, UnicodeScript as _};

/// What the words of a text have told so far. Some of them only mean something together with the
/// rest of the text.
#[derive(Default)]
pub(super) struct Words {
    /// How many words mixed scripts.
    mixed: u32,
    /// Words of two letters that mix scripts: `рH` is a slip of Russian keyboards.
    short: Vec<[usize; 2]>,
    /// Words of Cyrillic letters that all look Latin, and whether there is more than one.
    whole: Vec<([usize; 2], bool)>,
    /// A word cannot be written in Latin letters, so its script is used for what it is.
    is_script_used: bool,
}

/// Letters of the Cyrillic script that are printed as Latin ones are.
const CYRILLIC: &str = "АВСЕНІЈКМОРЅТУХҮҺԌԚԜӀасеорхуіјѕүһԁԛԝӏ";
/// The Latin letters that these look like.
const IN_CYRILLIC: &str = "ABCEHIJKMOPSTYXaceopxyijshdqwl";
/// The same for Greek. Small letters such as α and γ look different enough, and are symbols in the
/// middle of words: `FcγRIIa`.
const GREEK: &str = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο";
const IN_GREEK: &str = "ABEZHIKMNOPTYXo";

impl Words {
    /// Whether a word is disguised, whatever else the text says.
    pub(super) fn is_mixed(&mut self, word: &str, place: [usize; 2]) -> bool {
        let Some(letters) = Letters::of(word) else {
            return false;
        };
        let all = letters.latin + letters.other;
        match letters.mixture() {
            Mixture::None => {}
            Mixture::OtherOnly if letters.are_twins && letters.script == Script::Cyrillic => {
                if !self.is_script_used {
                    self.whole.push((place, all > 1));
                }
            }
            // A letter or two of Greek are a symbol in a text of any language.
            Mixture::OtherOnly => {
                let is_word = letters.script == Script::Cyrillic || letters.other >= 3;
                self.is_script_used |= is_word && !letters.are_twins;
            }
            Mixture::Disguise if all < 3 => self.short.push(place),
            Mixture::Disguise => {
                self.mixed += 1;
                return true;
            }
        }
        if self.is_script_used {
            self.short.clear();
            self.whole.clear();
        }
        false
    }

    /// The words that are disguised because nothing in the text speaks for another reading.
    pub(super) fn likely(self) -> impl Iterator<Item = [usize; 2]> {
        let is_mixed = self.mixed > 0 || !self.short.is_empty();
        let words = self.whole.iter().filter(|(_, is_word)| *is_word).count();
        let whole = self.whole.into_iter();
        let whole = whole.filter(move |(_, is_word)| is_mixed || *is_word && words >= ENOUGH);
        self.short.into_iter().chain(whole.map(|(place, _)| place))
    }
}

/// So many whole words in look-alikes are no quotation.
const ENOUGH: usize = 3;

enum Mixture {
    /// Latin only, or a mixture that has another reason.
    None,
    OtherOnly,
    Disguise,
}

/// The letters of a word that is of the Latin script, of one other, or of both.
struct Letters {
    latin: u32,
    other: u32,
    script: Script,
    /// All of the other script look like Latin ones.
    are_twins: bool,
    /// All Latin ones look like some of the other script.
    are_latin_twins: bool,
    /// Latin capitals only, and small letters of the other script only.
    is_inflected: bool,
}

impl Letters {
    fn of(word: &str) -> Option<Letters> {
        let mut letters = Letters {
            latin: 0,
            other: 0,
            script: Script::Common,
            are_twins: true,
            are_latin_twins: true,
            is_inflected: true,
        };
        let scripts = word.chars().filter(|c| c.is_alphabetic());
        let other = scripts
            .map(|c| c.script())
            .find(|script| !matches!(script, Script::Latin | Script::Common | Script::Inherited))?;
        letters.script = other;
        let (twins, latin_twins) = match other {
            Script::Cyrillic => (CYRILLIC, IN_CYRILLIC),
            Script::Greek => (GREEK, IN_GREEK),
            Script::Armenian | Script::Cherokee | Script::Lisu | Script::Coptic => ("", ""),
            // Other scripts have prefixes and endings that are put to Latin words.
            _ => return None,
        };
        for c in word.chars().filter(|c| c.is_alphabetic()) {
            match c.script() {
                Script::Common | Script::Inherited => {}
                Script::Latin => {
                    letters.latin += 1;
                    letters.are_latin_twins &= latin_twins.contains(c);
                    letters.is_inflected &= c.is_uppercase();
                }
                script if script == other => {
                    letters.other += 1;
                    letters.are_twins &= if twins.is_empty() {
                        crate::token::latin_look_alike(c).is_some()
                    } else {
                        twins.contains(c)
                    };
                    letters.is_inflected &= c.is_lowercase();
                }
                _ => return None,
            }
        }
        Some(letters)
    }

    fn mixture(&self) -> Mixture {
        if self.latin == 0 {
            return Mixture::OtherOnly;
        }
        // Of an abbreviation and its ending: `CEOа`.
        if self.is_inflected && self.latin > 1 {
            return Mixture::None;
        }
        // Formulas put a Latin letter to Greek ones.
        let fewest = if self.script == Script::Greek { 3 } else { 2 };
        let is_foreign_word =
            self.are_latin_twins && self.other > self.latin && self.other >= fewest;
        if self.are_twins || is_foreign_word {
            Mixture::Disguise
        } else {
            Mixture::None
        }
    }
}
