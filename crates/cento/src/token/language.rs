//! The languages whose stop words and stems we know.

use std::collections::HashSet;
use std::sync::OnceLock;

use snowball_stemmers_rs::{Algorithm, Stemmer};

/// A language, by its ISO 639-1 code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language(usize);

impl Language {
    /// English, the default of `stop` and `stem`.
    pub const ENGLISH: Language = Language(0);

    /// The language of an ISO 639-1 code such as `cs`.
    pub fn from_code(code: &str) -> Option<Language> {
        LANGUAGES
            .iter()
            .position(|(known, _)| *known == code)
            .map(Language)
    }

    /// Its ISO 639-1 code.
    pub fn code(self) -> &'static str {
        LANGUAGES[self.0].0
    }

    /// All codes, English first.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(code, _)| *code)
    }

    pub(super) fn is_stop_word(self, word: &str) -> bool {
        static LISTS: [OnceLock<HashSet<&'static str>>; LANGUAGES.len()] =
            [const { OnceLock::new() }; LANGUAGES.len()];
        let list = LISTS[self.0].get_or_init(|| {
            if self == Language::ENGLISH {
                ENGLISH_STOP_WORDS.split_whitespace().collect()
            } else {
                stop_words::lookup(self.code())
                    .unwrap_or_default()
                    .iter()
                    .copied()
                    .collect()
            }
        });
        list.contains(word)
    }

    pub(super) fn stemmer(self) -> Stemmer {
        Stemmer::create(LANGUAGES[self.0].1)
    }
}

/// Codes with the Snowball algorithm of each. Only languages that have both a stemmer and a list of
/// stop words are here.
const LANGUAGES: &[(&str, Algorithm)] = &[
    ("en", Algorithm::English),
    ("ar", Algorithm::Arabic),
    ("hy", Algorithm::Armenian),
    ("eu", Algorithm::Basque),
    ("ca", Algorithm::Catalan),
    ("cs", Algorithm::Czech),
    ("da", Algorithm::Danish),
    ("nl", Algorithm::Dutch),
    ("eo", Algorithm::Esperanto),
    ("et", Algorithm::Estonian),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("hi", Algorithm::Hindi),
    ("hu", Algorithm::Hungarian),
    ("id", Algorithm::Indonesian),
    ("ga", Algorithm::Irish),
    ("it", Algorithm::Italian),
    ("lt", Algorithm::Lithuanian),
    ("no", Algorithm::Norwegian),
    ("fa", Algorithm::Persian),
    ("pl", Algorithm::Polish),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("es", Algorithm::Spanish),
    ("sv", Algorithm::Swedish),
    ("tr", Algorithm::Turkish),
    ("uk", Algorithm::Ukrainian),
];

/// The closed-class words of English: articles, pronouns, prepositions, conjunctions, auxiliaries
/// and a few adverbs. Ready-made lists run to over a thousand words and take content with them.
const ENGLISH_STOP_WORDS: &str = "
    a about above across after again against all almost along already also although always am among
    an and another any are around as at away
    be became because become been before behind being below between both but by
    can cannot could
    did do does doing done down during
    each either else enough even ever every
    few first for from further
    get go got
    had has have having he her here hers herself him himself his how however
    i if in into is it its itself
    just
    last least less let like
    made make many may me might mine more most much must my myself
    near neither never no nor not now
    of off often on once one only onto or other others our ours ourselves out over own
    per perhaps put
    quite
    rather
    said same say see seem seen several shall she should since so some still such
    than that the their theirs them themselves then there therefore these they this those though
    through thus to together too toward towards
    under until up upon us
    very
    was we well were what when where whether which while who whom whose why will with within
    without would
    yet you your yours yourself yourselves
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_both_lists() {
        for code in Language::codes() {
            let language = Language::from_code(code).unwrap();
            assert_eq!(language.code(), code);
            assert!(
                language == Language::ENGLISH || stop_words::lookup(code).is_some(),
                "{code}"
            );
        }
        assert!(Language::ENGLISH.is_stop_word("the"));
        assert!(!Language::ENGLISH.is_stop_word("canal"));
        assert_eq!(Language::ENGLISH.stemmer().stem("canals"), "canal");
        assert!(Language::from_code("xx").is_none());
    }
}
