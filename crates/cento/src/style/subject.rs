//! Words of a subject: how much of a text is about it.

use std::collections::BTreeSet;
use std::fmt;

use crate::token::Tokens;

/// The words of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One that has a name.
    Named(&'static str),
    /// Any words; `@wine=cask+vintage`.
    Own {
        /// What it is called.
        name: String,
        /// The words, in lower case.
        words: Vec<String>,
    },
}

impl Subject {
    /// One of those that have a name.
    pub(super) fn named(name: &str) -> Option<Subject> {
        let mut all = SUBJECTS.iter();
        let found = all.find(|(known, _, _)| *known == name);
        found.map(|(known, _, _)| Subject::Named(known))
    }

    /// The share of words that are of the subject; a final s does not count.
    pub(super) fn share(&self, tokens: &Tokens) -> f64 {
        let words: BTreeSet<&str> = match self {
            Subject::Named(name) => words_of(name).split_ascii_whitespace().collect(),
            Subject::Own { words, .. } => words.iter().map(String::as_str).collect(),
        };
        let is_of = |word: &&str| {
            words.contains(word)
                || word
                    .strip_suffix('s')
                    .is_some_and(|one| words.contains(one))
        };
        tokens.terms().filter(is_of).count() as f64 / tokens.len() as f64
    }

    /// How much the shares of unrelated texts differ.
    pub(super) fn spread(&self) -> f64 {
        match self {
            Subject::Named(name) => {
                let mut all = SUBJECTS.iter();
                let found = all.find(|(known, _, _)| known == name);
                found.map_or(OWN_SPREAD, |(_, spread, _)| *spread)
            }
            Subject::Own { .. } => OWN_SPREAD,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Named(name) => write!(f, "@{name}"),
            Subject::Own { name, words } => write!(f, "@{name}={}", words.join("+")),
        }
    }
}

fn words_of(name: &str) -> &'static str {
    let mut all = SUBJECTS.iter();
    let found = all.find(|(known, _, _)| *known == name);
    found.map_or("", |(_, _, words)| words)
}

/// The unit of a subject of somebody's own: one word in a hundred.
const OWN_SPREAD: f64 = 0.01;

/// English words of some subjects, and the standard deviation of their shares in the same 311 texts as
/// for the other measurements.
pub(super) const SUBJECTS: [(&str, f64, &str); 4] = [
    (
        "computing",
        0.0401,
        "address algorithm array bit browser buffer byte cache client code compiler computer \
         connection database device directory disk download email encryption error field file \
         format function hardware header host input integer interface internet keyboard link \
         machine memory message network node online output packet parameter parser password port \
         processor program protocol query request router screen server session software source \
         storage string syntax system table terminal text token user value variable version web \
         website",
    ),
    (
        "economics",
        0.0338,
        "account asset bank bond budget business capital cash commerce company competition consumer \
         corporation cost credit currency customer debt deficit demand dividend economic economy \
         employment enterprise equity exchange export finance financial firm fiscal fund growth \
         import income industry inflation insurance interest investment investor labour labor loan \
         manufacturer market merchant monetary money mortgage payment pension price production \
         profit rate recession revenue salary sale sector share shareholder stock supply tariff tax \
         trade treasury unemployment wage wealth",
    ),
    (
        "law",
        0.0077,
        "accused act agreement appeal arrest attorney bail bill charge civil claim clause \
         constitution contract convict conviction copyright counsel court crime criminal damages \
         defendant evidence federal fraud guilty hearing illegal innocent judge judgment judicial \
         jurisdiction jury justice law lawsuit lawyer legal legislation liability liable license \
         litigation offence offense parole patent penalty plaintiff police prison prosecution \
         prosecutor regulation rights rule ruling sentence statute suspect sue testify testimony \
         tort treaty trial verdict warrant witness",
    ),
    (
        "medicine",
        0.0127,
        "acute allergy anatomy antibiotic artery bacteria blood body bone brain cancer cell chronic \
         clinic clinical cure diabetes diagnosis diet disease doctor dose drug fever gene genetic \
         heart health hospital immune infection injury kidney liver lung medical medicine muscle \
         nerve nurse organ pain patient pharmacy physician pregnancy prescription protein pulse \
         skin stomach stroke surgeon surgery symptom syndrome therapy tissue toxic treatment tumor \
         tumour vaccine vein virus vitamin wound",
    ),
];
