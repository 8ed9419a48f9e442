//! The options that many jobs share: how texts become fingerprints, what makes a score, and what of
//! the texts counts. What was asked for becomes what it means, with all problems at once.

use std::fmt;
use std::path::{Path, PathBuf};

use cento::align::Aligner;
use cento::discount::{Discount, Discounts};
use cento::index::registry::is_open_to_others;
use cento::style::Style;
use cento::token::{Alphabet, Tokenizer, WordList, Words};
use cento::{Key, Measure, PASSAGE_THRESHOLD, Recipe};
use serde::{Deserialize, Serialize};

use crate::error::{At as _, Error, Problem, Result};
use crate::meanings::GivenMeanings;
use crate::settings_file::read_settings;
use crate::watch::{Remark, Watch};

/// How texts become fingerprints, and which pairs are listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MethodOptions {
    /// A preset's name or a text form; `default` without one.
    pub recipe: Option<String>,
    /// What makes the score; without one what the paper of the recipe scores by, and
    /// `max-containment` for recipes of no paper.
    pub measure: Option<String>,
    /// The lowest score of a listed pair, 0.1 without one.
    pub threshold: Option<f64>,
    /// A file with the only words that count, for recipes that take words.
    pub dictionary: Option<PathBuf>,
    /// The file of the secret key, for keyed recipes.
    pub key_file: Option<PathBuf>,
    /// The secret key itself, if there is no file.
    #[serde(skip)]
    pub key: Option<GivenKey>,
}

/// A secret key that does not come from a file. It is looked at only by jobs that need one.
#[derive(Clone, PartialEq, Eq)]
pub struct GivenKey {
    digits: String,
    /// Where it comes from, in words for messages.
    pub source: String,
}

impl GivenKey {
    /// 32 hex digits from somewhere.
    pub fn new(digits: String, source: impl Into<String>) -> GivenKey {
        let source = source.into();
        GivenKey { digits, source }
    }

    pub(crate) fn key(&self) -> Result<Key> {
        parse_key(&self.digits).at(&self.source)
    }
}

impl fmt::Debug for GivenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GivenKey from {}", self.source)
    }
}

/// How shared text is found, and what of it counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EvidenceOptions {
    /// An aligner's name, `passages` without one; `none` leaves the texts alone.
    pub aligner: Option<String>,
    /// A file of words that mean the same, a group on each line.
    pub synonyms: Option<PathBuf>,
    /// A file of words with their vectors, as `GloVe`, `word2vec` and `fastText` write them as text.
    pub vectors: Option<PathBuf>,
    /// Templates: what they contain does not count.
    pub base: Vec<PathBuf>,
    /// Count text in quotation marks as shared text.
    pub count_quotes: bool,
    /// Count lists of references as shared text.
    pub count_bibliography: bool,
}

/// Where template text comes from if not from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BaseFrom {
    /// Text that many of the documents have.
    Common,
}

/// What the method means.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// The recipe's name or text form as it was given.
    pub(crate) name: String,
    pub(crate) recipe: Recipe,
    pub(crate) measure: Measure,
    pub(crate) threshold: f64,
    pub(crate) key: Key,
}

/// What the options about evidence mean.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    /// Without one the texts are not looked at.
    pub(crate) aligner: Option<Aligner>,
    pub(crate) synonyms: Option<PathBuf>,
    pub(crate) vectors: Option<PathBuf>,
    pub(crate) meanings: GivenMeanings,
    pub(crate) base: Vec<PathBuf>,
    pub(crate) left_out: Discounts,
}

/// From which share of its own score on a passage is like another.
pub(crate) fn passage_threshold(given: Option<f64>, problems: &mut Vec<Problem>) -> f64 {
    let share = given.unwrap_or(PASSAGE_THRESHOLD);
    if !(share > 0.0 && share <= 1.0) {
        let reason = format!("{share} is not a share above 0 and up to 1 (half is 0.5)");
        problems.push(Problem::new("passage-threshold", reason));
    }
    share
}

/// Refuses a threshold for passages where documents have none: it would be in vain.
pub(crate) fn expect_passages(given: Option<f64>, recipe: &Recipe) -> Result<()> {
    match given {
        Some(_) if recipe.passages.is_none() => {
            let reason = "has no effect, because the recipe has no passages; leave it out, or take \
                          rank-passages";
            Err(Error::option("passage-threshold", reason))
        }
        _ => Ok(()),
    }
}

impl MethodOptions {
    /// The usual threshold.
    pub const THRESHOLD: f64 = 0.1;

    pub(crate) fn settle(&self, problems: &mut Vec<Problem>) -> Option<Method> {
        let name = self.recipe.as_deref().unwrap_or("default");
        let mut kept = |option, reason: String| problems.push(Problem { option, reason });
        let recipe = recipe(name, self.dictionary.as_deref())
            .map_err(|error| kept("recipe", error.sentence()))
            .ok();
        let measure: Result<Measure, _> = match &self.measure {
            Some(name) => name.parse(),
            None => Ok(recipe.as_ref().map(Recipe::measure).unwrap_or_default()),
        };
        let measure = measure
            .map_err(|error| kept("measure", error.to_string()))
            .ok();
        let threshold = self.threshold.unwrap_or(Self::THRESHOLD);
        if !(0.0..=1.0).contains(&threshold) {
            let reason = format!("{threshold} is not a share from 0 to 1 (10 % is 0.1)");
            kept("threshold", reason);
        }
        // A recipe that has no use for a key shall not fail over one.
        let key = match &recipe {
            Some(recipe) if !recipe.is_keyed() => Ok(Key::PUBLIC),
            _ => self.key(),
        };
        // What comes from no file says itself where it comes from.
        let option = self.key_file.as_ref().map_or("", |_| "key-file");
        let key = key.map_err(|error| kept(option, error.sentence())).ok();
        Some(Method {
            name: name.to_owned(),
            recipe: recipe?,
            measure: measure?,
            threshold,
            key: key?,
        })
    }

    /// What is wrong with them, if they are those of a recipe.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.settle(&mut problems);
        problems
    }

    /// The key that was given, or else the public one.
    pub(crate) fn key(&self) -> Result<Key> {
        key_given(self.key_file.as_deref(), self.key.as_ref())
    }

    /// Says so if others may read the file of the key.
    pub(crate) fn warn_of_open_key(&self, watch: &Watch<'_>) {
        if let Some(file) = self
            .key_file
            .as_ref()
            .filter(|file| is_open_to_others(file))
        {
            watch.remark(Remark::OpenKey(file.clone()));
        }
    }

    /// The style that is asked for instead of a recipe.
    pub(crate) fn style(&self) -> Result<Option<Style>> {
        let Some(name) = self.recipe.as_deref().filter(|name| Style::is_named(name)) else {
            return Ok(None);
        };
        let style = name.parse();
        style
            .map(Some)
            .map_err(|error: cento::Error| Error::option("recipe", error))
    }
}

impl EvidenceOptions {
    /// What is wrong with them.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.settle(None, &mut problems);
        problems
    }

    pub(crate) fn settle(
        &self,
        base_from: Option<BaseFrom>,
        problems: &mut Vec<Problem>,
    ) -> Option<Evidence> {
        let aligner = match self.aligner.as_deref() {
            Some("none") => Ok(None),
            Some(name) => name.parse().map(Some),
            None => Ok(Some(Aligner::default())),
        };
        let aligner = aligner.map_err(|error: cento::Error| {
            problems.push(Problem::new("aligner", error));
        });
        let (synonyms, vectors) = (self.synonyms.as_deref(), self.vectors.as_deref());
        let meanings = GivenMeanings::settle(synonyms, vectors, problems);
        let mut left_out = Discounts::USUAL;
        if self.count_quotes {
            left_out = left_out.without(Discount::Quotation);
        }
        if self.count_bibliography {
            left_out = left_out.without(Discount::Bibliography);
        }
        if base_from == Some(BaseFrom::Common) {
            left_out = left_out.with(Discount::Common);
        }
        Some(Evidence {
            aligner: aligner.ok()?,
            synonyms: self.synonyms.clone(),
            vectors: self.vectors.clone(),
            meanings,
            base: self.base.clone(),
            left_out,
        })
    }
}

impl Evidence {
    /// Takes the aligner that suits a recipe, where none is asked for.
    pub(crate) fn suit(&mut self, recipe: &Recipe, asked: &EvidenceOptions) -> Result<()> {
        if !recipe.is_for_programs() {
            return Ok(());
        }
        if self.aligner.is_some() && asked.aligner.is_none() {
            self.aligner = Some(Aligner::FOR_PROGRAMS);
        }
        match self.aligner {
            Some(Aligner::Passages) => Err(Error::option(
                "aligner",
                "`passages` is for prose; programs are compared by `tiling` or `maximal`",
            )),
            _ => Ok(()),
        }
    }
}

/// All problems as one error.
pub(crate) fn settled<T>(settled: Option<T>, problems: Vec<Problem>) -> Result<T> {
    match settled {
        Some(settled) if problems.is_empty() => Ok(settled),
        _ => Err(Error::Options(problems)),
    }
}

/// The recipe of a name or text form, with the words of a dictionary.
pub fn recipe(name: &str, dictionary: Option<&Path>) -> Result<Recipe> {
    let Some(path) = dictionary else {
        return Ok(Recipe::named(name)?);
    };
    let text = read_settings(path, MOST_WORDS)?;
    let mut recipe = if name.contains("keep:") {
        // A recipe that was printed names its dictionary in the form that its words have.
        let alphabets = [Alphabet::Unicode, Alphabet::Raw, Alphabet::Ascii];
        let forms = alphabets.iter().flat_map(|&alphabet| {
            [true, false].map(|fold| Words {
                alphabet,
                fold,
                ..Words::default()
            })
        });
        let lists: Vec<WordList> = forms.map(|words| words.list(&text)).collect();
        Recipe::parse_with(name, &lists).map_err(cento::Error::from)?
    } else {
        Recipe::named(name)?
    };
    match &mut recipe.tokenizer {
        Tokenizer::Words(words) => words.keep = Some(words.list(&text)),
        _ => {
            return Err(Error::refused(format!(
                "{name} does not take words, so a dictionary has no effect; leave it out"
            )));
        }
    }
    Ok(recipe)
}

/// The key of a file or another place, or else the public one.
pub(crate) fn key_given(file: Option<&Path>, given: Option<&GivenKey>) -> Result<Key> {
    match (file, given) {
        (Some(file), _) => key_in(file),
        (None, Some(given)) => given.key(),
        (None, None) => Ok(Key::PUBLIC),
    }
}

/// Bytes of a dictionary, and of the file of a key.
const MOST_WORDS: u64 = 256 << 20;
const MOST_OF_KEY: u64 = 4 << 10;

/// The key in a file.
pub fn key_in(file: &Path) -> Result<Key> {
    let text = read_settings(file, MOST_OF_KEY)?;
    parse_key(&text).at(file.display())
}

/// A key as it is written: 32 hex digits.
pub fn parse_key(text: &str) -> Result<Key> {
    let digits = text.trim();
    let is_key = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u128::from_str_radix(digits, 16).ok().filter(|_| is_key);
    // The message must not repeat what was read: it may be the key with a slip.
    let number = number.ok_or_else(|| Error::refused("a key is 32 hex digits"))?;
    Ok(Key::new(number.to_be_bytes()))
}
