//! Saved pairs, computed again.
//!
//! A case file is the page of a single pair: it has the report, the texts and the templates, so the
//! numbers can be computed from it alone, whatever became of the documents.

mod compute;
mod differences;
mod saved;

use std::fmt;
use std::path::{Path, PathBuf};

use cento::report::{PairReport, Report};
use cento::{Key, Measure, Recipe};
use cento_ingest::Readers;
use cento_report::{PageData, ReadError};
use serde::{Deserialize, Serialize, Serializer};

pub use differences::Difference;

use crate::error::{At as _, Error, Result};
use crate::method::{GivenKey, key_given, recipe};
use crate::settings_file::read_settings;
use crate::watch::Watch;
use compute::compute;
use differences::differences;
use saved::Saved;

/// Which cases.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Their files.
    pub files: Vec<PathBuf>,
    /// A file with the words of the recipe, if it keeps only those of a dictionary.
    pub dictionary: Option<PathBuf>,
    /// The file of the secret key, if the recipe is keyed.
    pub key_file: Option<PathBuf>,
    /// The secret key itself, if there is no file.
    #[serde(skip)]
    pub key: Option<GivenKey>,
    /// Where programs are parsed.
    pub input: cento_ingest::Options,
}

/// What came out: `cento.verified/1`.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Each case, in the order of the files.
    pub cases: Vec<Case>,
    /// The version of this data.
    pub schema: &'static str,
}

impl Outcome {
    /// Whether all cases hold.
    pub fn all_hold(&self) -> bool {
        self.cases.iter().all(|case| case.holds)
    }
}

/// What came out for a case.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// The version of Cento that computed it again.
    pub checked_with: &'static str,
    /// The values that came out otherwise.
    pub differences: Vec<Difference>,
    /// Its file.
    pub file: String,
    /// Whether everything came out the same, from the texts that were recorded.
    pub holds: bool,
    /// The version of Cento that it was made with.
    pub made_with: String,
    /// Whether names were masked in its texts, so that they are not those that were compared.
    pub masked: bool,
    /// What the pair alone cannot tell.
    pub not_computed: Vec<LeftOpen>,
    /// How much of each document is in the other, as it was saved.
    #[serde(skip)]
    pub shares: [f64; 2],
    /// The two documents.
    pub texts: Vec<CaseText>,
}

/// A document of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseText {
    /// Whether it is the text whose hash was recorded.
    pub as_recorded: bool,
    /// What people call it.
    pub label: String,
    /// The hash of its text.
    pub sha256: String,
}

/// What depends on documents that are not in a case file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOpen {
    /// How many documents have a passage.
    Rarity,
    /// What the fingerprints say, where the recipe or the measure asks about the collection.
    Scores,
    /// The text that many documents have.
    Common,
}

impl fmt::Display for LeftOpen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOpen::Rarity => "how many other documents share a passage",
            LeftOpen::Scores => "digests and scores, which depend on other documents",
            LeftOpen::Common => "what is left out because many documents have it",
        })
    }
}

impl Serialize for LeftOpen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Computes cases again.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let mut cases = Vec::with_capacity(options.files.len());
    for path in &options.files {
        watch.go_on()?;
        cases.push(verify(path, options, watch)?);
    }
    Ok(Outcome {
        cases,
        schema: "cento.verified/1",
    })
}

fn verify(path: &Path, options: &Options, watch: &Watch<'_>) -> Result<Case> {
    let name = path.display();
    let page = read_settings(path, 4 << 30)?;
    let page = read(&page).at(&name)?;
    let saved = the_pair(&page).at(&name)?;
    let method = Saved::of(&page.report);
    let recipe = recipe(method.recipe(), options.dictionary.as_deref()).at(&name)?;
    let key = options.key_for(&recipe)?;
    let readers = Readers::new(&options.input);
    let now = compute(&page, recipe, &key, &readers, watch).at(&name)?;
    let not_computed = left_open(&page.report, &method);
    let differences = differences(saved, &now, &not_computed).at(&name)?;
    let texts = texts(&page);
    Ok(Case {
        checked_with: env!("CARGO_PKG_VERSION"),
        holds: differences.is_empty() && texts.iter().all(|text| text.as_recorded),
        differences,
        file: name.to_string(),
        made_with: page.report.cento.clone(),
        masked: page.report.settings.contains_key("anonymized"),
        not_computed,
        shares: saved.shares(),
        texts,
    })
}

impl Options {
    /// The key, if the recipe has use for one.
    fn key_for(&self, recipe: &Recipe) -> Result<Key> {
        if !recipe.is_keyed() {
            return Ok(Key::PUBLIC);
        }
        key_given(self.key_file.as_deref(), self.key.as_ref()).for_option("key-file")
    }
}

fn read(page: &str) -> Result<PageData> {
    cento_report::read(page).map_err(|error| {
        Error::refused(match error {
            ReadError::NotOurs => "not a page that Cento wrote".to_owned(),
            ReadError::Damaged(part) => format!("damaged: its {part} cannot be unpacked"),
            ReadError::OtherSchema(schema) => {
                format!("its data are {schema}, not {}", cento::report::SCHEMA)
            }
        })
    })
}

/// The only pair of a page.
fn the_pair(page: &PageData) -> Result<&PairReport> {
    let (pair, documents) = match page.report.pairs.as_slice() {
        [pair] => (pair, page.texts.len()),
        pairs => {
            return Err(Error::Refused(format!(
                "has {} pairs; a case file has one. Save it from the page of the pair, or compare \
                 the two documents and save that page",
                pairs.len()
            )));
        }
    };
    if documents != 2 {
        let reason = format!("has {documents} documents; a case file has two");
        return Err(Error::Refused(reason));
    }
    if pair.distance.is_some() || pair.compression.is_some() {
        let reason = "only what fingerprints and passages say can be computed again";
        return Err(Error::refused(reason));
    }
    Ok(pair)
}

fn left_open(report: &Report, method: &Saved<'_>) -> Vec<LeftOpen> {
    if report.command == "compare" {
        return Vec::new();
    }
    let mut open = vec![LeftOpen::Rarity];
    let is_set = |name: &str| method.setting(name).is_some();
    let recipe = Recipe::named(method.recipe());
    let asks = recipe.is_ok_and(|recipe| recipe.counted().is_some());
    let measure = method.measure().parse();
    let ranks = measure.is_ok_and(|measure: Measure| !measure.is_set());
    let common = is_set("base-from");
    if asks || ranks || common || is_set("max-df") {
        open.push(LeftOpen::Scores);
    }
    if common {
        open.push(LeftOpen::Common);
    }
    open
}

fn texts(page: &PageData) -> Vec<CaseText> {
    let documents = page.report.documents.iter().zip(&page.texts);
    documents
        .map(|(document, content)| {
            let sha256 = cento_report::sha256(content.as_deref().unwrap_or_default());
            CaseText {
                as_recorded: document.sha256.as_ref() == Some(&sha256),
                label: document.label.clone(),
                sha256,
            }
        })
        .collect()
}
