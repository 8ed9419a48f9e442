//! The languages whose stop words and stems we know.

use std::collections::HashSet;
use std::sync::OnceLock;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use super::slovak;

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

    pub(super) fn stemmer(self) -> LanguageStemmer {
        match LANGUAGES[self.0].1 {
            Stems::Snowball(algorithm) => LanguageStemmer::Snowball(Stemmer::create(algorithm)),
            Stems::Slovak => LanguageStemmer::Slovak,
        }
    }
}

/// Makes the stems of a language's words.
pub(super) enum LanguageStemmer {
    Snowball(Stemmer),
    Slovak,
}

impl LanguageStemmer {
    pub(super) fn stem(&self, word: &str) -> String {
        match self {
            LanguageStemmer::Snowball(stemmer) => stemmer.stem(word).into_owned(),
            LanguageStemmer::Slovak => slovak::stem(word),
        }
    }
}

/// Where the stems of a language come from.
enum Stems {
    Snowball(Algorithm),
    /// A table of ours.
    Slovak,
}

/// Codes with the stems of each. Only languages that have both a stemmer and a list of stop words are
/// here.
const LANGUAGES: &[(&str, Stems)] = &[
    ("en", Stems::Snowball(Algorithm::English)),
    ("ar", Stems::Snowball(Algorithm::Arabic)),
    ("hy", Stems::Snowball(Algorithm::Armenian)),
    ("eu", Stems::Snowball(Algorithm::Basque)),
    ("ca", Stems::Snowball(Algorithm::Catalan)),
    ("cs", Stems::Snowball(Algorithm::Czech)),
    ("da", Stems::Snowball(Algorithm::Danish)),
    ("nl", Stems::Snowball(Algorithm::Dutch)),
    ("eo", Stems::Snowball(Algorithm::Esperanto)),
    ("et", Stems::Snowball(Algorithm::Estonian)),
    ("fi", Stems::Snowball(Algorithm::Finnish)),
    ("fr", Stems::Snowball(Algorithm::French)),
    ("de", Stems::Snowball(Algorithm::German)),
    ("el", Stems::Snowball(Algorithm::Greek)),
    ("hi", Stems::Snowball(Algorithm::Hindi)),
    ("hu", Stems::Snowball(Algorithm::Hungarian)),
    ("id", Stems::Snowball(Algorithm::Indonesian)),
    ("ga", Stems::Snowball(Algorithm::Irish)),
    ("it", Stems::Snowball(Algorithm::Italian)),
    ("lt", Stems::Snowball(Algorithm::Lithuanian)),
    ("no", Stems::Snowball(Algorithm::Norwegian)),
    ("fa", Stems::Snowball(Algorithm::Persian)),
    ("pl", Stems::Snowball(Algorithm::Polish)),
    ("pt", Stems::Snowball(Algorithm::Portuguese)),
    ("ro", Stems::Snowball(Algorithm::Romanian)),
    ("ru", Stems::Snowball(Algorithm::Russian)),
    ("sk", Stems::Slovak),
    ("es", Stems::Snowball(Algorithm::Spanish)),
    ("sv", Stems::Snowball(Algorithm::Swedish)),
    ("tr", Stems::Snowball(Algorithm::Turkish)),
    ("uk", Stems::Snowball(Algorithm::Ukrainian)),
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
        let slovak = Language::from_code("sk").unwrap();
        assert!(slovak.is_stop_word("ktorý") && !slovak.is_stop_word("kanál"));
        assert_eq!(slovak.stemmer().stem("kanálmi"), "kanal");
        assert!(Language::from_code("xx").is_none());
    }
}
