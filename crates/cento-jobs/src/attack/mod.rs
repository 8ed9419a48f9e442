//! Attacked copies of documents, or a table of what the attacks leave of fingerprints.

mod copies;
mod system;
mod table;

use std::collections::BTreeSet;
use std::path::PathBuf;

use cento::eval::attack::Attack;
use cento::report::Skipped;
use cento::token::{Tokenizer, Words, count_words};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use copies::Copies;
pub use table::{Column, Missed, Table};

use crate::documents::{Reader, Unreadable, read_all};
use crate::error::{Error, Problem, Result};
use crate::method::{GivenKey, Method, MethodOptions};
use crate::watch::{Remark, Watch};

/// What is attacked, and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The names of the attacks, or `all`; without any, all for copies, and those of the text
    /// sifting paper for a table.
    pub kinds: Vec<String>,
    /// What decides the random choices: the same seed makes the same copies.
    pub seed: u64,
    /// What is made of it.
    pub result: Wanted,
    /// How files are found and read.
    pub input: cento_ingest::Options,
}

/// What is made of attacked documents.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// Copies in this folder.
    Copies(PathBuf),
    /// A table of what is left of fingerprints.
    Table(TableOptions),
}

/// Whose fingerprints a table is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableOptions {
    /// The recipes; without any, the four systems of the paper's Table 2.
    pub recipes: Vec<String>,
    /// Average over so many keys: the one that was given and others that follow from their number.
    pub keys: u32,
    /// The S3 from which on a copy counts as found: says how many are not.
    pub threshold: Option<f64>,
    /// A file with the only words that count, for recipes that take words.
    pub dictionary: Option<PathBuf>,
    /// The file of the secret key, for keyed recipes.
    pub key_file: Option<PathBuf>,
    /// The secret key itself, if there is no file.
    #[serde(skip)]
    pub key: Option<GivenKey>,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted::Table(TableOptions::default())
    }
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions {
            recipes: Vec::new(),
            keys: 1,
            threshold: None,
            dictionary: None,
            key_file: None,
            key: None,
        }
    }
}

/// What was made.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// Copies.
    Copies(Copies),
    /// A table.
    Table(Table),
}

/// The four systems of the paper's Table 2.
const TABLE_RECIPES: [&str; 4] = ["sift-window", "sift-skip", "sift-partition", "sift"];

/// Attacks documents.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let mut problems = Vec::new();
    let attacks = attacks(options, &mut problems);
    let methods = match &options.result {
        Wanted::Copies(_) => Vec::new(),
        Wanted::Table(table) => methods(table, &mut problems),
    };
    if !problems.is_empty() {
        return Err(Error::Options(problems));
    }
    let (originals, skipped) = read(options, watch)?;
    let plan = Plan {
        attacks,
        vocabulary: vocabulary(&originals, watch)?,
        seed: options.seed,
    };
    Ok(match &options.result {
        Wanted::Copies(folder) => {
            Outcome::Copies(copies::write(&originals, &plan, folder, skipped, watch)?)
        }
        Wanted::Table(wanted) => Outcome::Table(table::measure(
            &originals, &plan, &methods, wanted, skipped, watch,
        )?),
    })
}

/// A document as it was read.
struct Original {
    id: String,
    text: String,
}

/// What is done to the documents.
struct Plan {
    attacks: Vec<Attack>,
    /// The words of all documents: what the attacks put in.
    vocabulary: Vec<String>,
    seed: u64,
}

/// The attacks that were asked for.
fn attacks(options: &Options, problems: &mut Vec<Problem>) -> Vec<Attack> {
    let names = &options.kinds;
    if names.is_empty() && matches!(options.result, Wanted::Table(_)) {
        return Attack::PAPER.to_vec();
    }
    if names.is_empty() || names.iter().any(|name| name == "all") {
        return Attack::ALL.to_vec();
    }
    let mut attacks = Vec::new();
    for name in names {
        match name.trim().parse::<Attack>() {
            Ok(attack) if attacks.contains(&attack) => {}
            Ok(attack) => attacks.push(attack),
            Err(error) => problems.push(Problem::new("kind", error)),
        }
    }
    attacks
}

/// The recipes of a table, each with the key.
fn methods(table: &TableOptions, problems: &mut Vec<Problem>) -> Vec<Method> {
    if table.keys == 0 {
        problems.push(Problem::new("keys", "must be at least 1"));
    }
    if let Some(threshold) = table.threshold
        && !(0.0..=1.0).contains(&threshold)
    {
        let reason = format!("{threshold} is not a share from 0 to 1 (10 % is 0.1)");
        problems.push(Problem::new("threshold", reason));
    }
    let recipes: Vec<&str> = match table.recipes.as_slice() {
        [] => TABLE_RECIPES.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    };
    let method = |recipe: &str| {
        let options = MethodOptions {
            recipe: Some(recipe.to_owned()),
            dictionary: table.dictionary.clone(),
            key_file: table.key_file.clone(),
            key: table.key.clone(),
            ..MethodOptions::default()
        };
        options.settle(problems)
    };
    let methods = recipes.into_iter().filter_map(method).collect();
    problems.dedup();
    methods
}

fn read(options: &Options, watch: &Watch<'_>) -> Result<(Vec<Original>, Vec<Skipped>)> {
    let found = Reader::new(&options.input).find(&options.paths, watch)?;
    let mut skipped = found.skipped;
    let read = read_all(&found.inputs, &mut skipped, watch, |input| {
        let text = input.read()?;
        if count_words(&text.content) == 0 {
            return Err(Unreadable::NoWords);
        }
        Ok((input.id().to_owned(), text))
    })?;
    let mut originals = Vec::with_capacity(read.len());
    for (id, text) in read {
        for warning in text.warnings {
            let id = id.clone();
            watch.remark(Remark::Odd { id, warning });
        }
        let text = text.content;
        originals.push(Original { id, text });
    }
    Ok((originals, skipped))
}

/// The distinct words of all documents, sorted, so that a seed means the same on every run.
fn vocabulary(originals: &[Original], watch: &Watch<'_>) -> Result<Vec<String>> {
    let tokenizer = Tokenizer::Words(Words::default());
    let words_of = |original: &Original| -> Result<BTreeSet<String>> {
        watch.go_on()?;
        let tokens = tokenizer.tokens(&original.text);
        Ok(tokens.terms().map(str::to_owned).collect())
    };
    let words =
        originals
            .par_iter()
            .map(words_of)
            .try_reduce(BTreeSet::new, |mut all, mut words| {
                if all.len() < words.len() {
                    std::mem::swap(&mut all, &mut words);
                }
                all.extend(words);
                Ok(all)
            })?;
    Ok(words.into_iter().collect())
}
