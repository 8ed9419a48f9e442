//! Attacked copies of texts and programs, or a table of what the attacks leave of fingerprints.

mod copies;
mod kinds;
mod system;
mod table;

use std::collections::BTreeSet;
use std::path::PathBuf;

use cento::eval::attack::mail::Message;
use cento::report::Skipped;
use cento::token::{Content, Tokenizer, Words, count_words};
use cento_code::Language;
use cento_ingest::Disguise;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use copies::Copies;
pub use table::{Column, Missed, Table};

use crate::documents::{InMemory, Reader, Unreadable, read_all};
use crate::error::{At as _, Error, Problem, Result};
use crate::method::{GivenKey, Method, MethodOptions};
use crate::program;
use crate::scan::programs::recognised;
use crate::watch::{Remark, Watch};
use kinds::{Asked, Kind};

/// What is attacked, and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The names of the attacks, or `all`; without any, all for programs and for copies, and those of
    /// the text sifting paper for a table of texts.
    pub kinds: Vec<String>,
    /// The share of a program's statements, names or functions that are touched, 0.3 without it; of
    /// the words or letters of a mail, each disguise's own without it.
    pub level: Option<f64>,
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
    /// The recipes; without any, the four systems of the paper's Table 2, and for programs the
    /// recipes that are for programs.
    pub recipes: Vec<String>,
    /// Average over so many keys: the one that was given and others that follow from their number.
    pub keys: u32,
    /// The S3 from which on a copy counts as found, or the score of a program: says how many are not.
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

/// The same for programs.
const PROGRAM_RECIPES: [&str; 3] = ["code", "code-winnow", "se-code"];

/// Attacks documents.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let mut problems = Vec::new();
    let asked = Asked::of(&options.kinds, &mut problems);
    if let Some(level) = options.level
        && !(0.0..=1.0).contains(&level)
    {
        let reason = format!("{level} is not a share from 0 to 1 (10 % is 0.1)");
        problems.push(Problem::new("level", reason));
    }
    let mut methods = match &options.result {
        Wanted::Copies(_) => Vec::new(),
        Wanted::Table(table) => methods(table, &TABLE_RECIPES, &mut problems),
    };
    if !problems.is_empty() {
        return Err(Error::Options(problems));
    }
    let input = recognised(&options.input);
    let are_for_mail = methods.iter().all(|method| method.recipe.is_for_mail());
    let reader = if are_for_mail {
        Reader::for_recipes(&input, methods.iter().map(|method| &method.recipe))
    } else {
        Reader::new(&input)
    };
    let (originals, skipped) = read(options, &reader, watch)?;
    let kinds = asked.on(&originals, &options.result)?;
    let are_programs = are_programs(&originals, &kinds, options)?;
    let plan = Plan {
        kinds,
        vocabulary: vocabulary(&originals, watch)?,
        level: options.level.unwrap_or(cento_code::Attack::LEVEL),
        mail_level: options.level,
        seed: options.seed,
        reader,
    };
    Ok(match &options.result {
        Wanted::Copies(folder) => {
            Outcome::Copies(copies::write(&originals, &plan, folder, skipped, watch)?)
        }
        Wanted::Table(wanted) => {
            if are_programs && wanted.recipes.is_empty() {
                methods = self::methods(wanted, &PROGRAM_RECIPES, &mut Vec::new());
            }
            Outcome::Table(table::measure(
                &originals, &plan, &methods, wanted, skipped, watch,
            )?)
        }
    })
}

/// Whether all documents are programs. A table cannot have both, and a level is for programs and mail.
fn are_programs(originals: &[Original], kinds: &[Kind], options: &Options) -> Result<bool> {
    let is_program = |original: &&Original| original.program.is_some();
    let programs = originals.iter().filter(is_program).count();
    let are_texts = programs == 0 && kinds.iter().all(|kind| matches!(kind, Kind::Text(_)));
    if are_texts && options.level.is_some() && !originals.is_empty() {
        let reason = "has no effect on texts; leave it out";
        return Err(Error::option("level", reason));
    }
    let is_table = matches!(options.result, Wanted::Table(_));
    if is_table && programs > 0 && programs < originals.len() {
        let reason = "texts and programs are attacked and measured in different ways; give either \
                      texts or programs";
        return Err(Error::refused(reason));
    }
    Ok(programs > 0)
}

/// A document as it was read.
struct Original {
    id: String,
    /// The only file that it has, or its id.
    file: String,
    content: Content,
    /// The language of a program.
    program: Option<Language>,
    /// It was read as a mail message, so that its text begins with the subject.
    is_message: bool,
}

impl Original {
    /// The subject and the body of a message; a text has no subject.
    fn subject_and_body(&self) -> (&str, &str) {
        let text = self.content.text.as_str();
        match text.split_once("\n\n").filter(|_| self.is_message) {
            Some((subject, body)) if !subject.contains('\n') => (subject, body),
            _ => ("", text),
        }
    }
}

/// What is done to the documents.
struct Plan {
    kinds: Vec<Kind>,
    /// The words of all texts: what the attacks put in.
    vocabulary: Vec<String>,
    /// The share of a program that is touched.
    level: f64,
    /// The level of disguises of mail, if one is given; each has its own without.
    mail_level: Option<f64>,
    seed: u64,
    /// Reads attacked programs as their originals were read.
    reader: Reader,
}

impl Plan {
    /// A document after an attack that fits it.
    fn copy(&self, original: &Original, kind: &Kind) -> Result<String> {
        let text = &original.content.text;
        match (kind, original.program) {
            (Kind::Mail(disguises), _) => {
                let (subject, body) = original.subject_and_body();
                let message = Message::new(subject, body);
                let copy =
                    message.disguised(disguises, self.mail_level, &self.vocabulary, self.seed);
                Ok(copy.eml())
            }
            (Kind::Text(attack), _) => Ok(attack.apply(text, &self.vocabulary, self.seed)),
            (Kind::Program(attack), Some(language)) => {
                let disguise = Disguise {
                    language,
                    attack: *attack,
                    level: self.level,
                    seed: self.seed,
                };
                self.reader.disguise(text, disguise).at(&original.id)
            }
            (Kind::Program(_), None) => Ok(text.clone()),
        }
    }

    /// The same as it is compared with its original.
    fn read(&self, original: &Original, kind: &Kind, copy: String) -> Result<Content> {
        if let Kind::Mail(_) = kind {
            let copy = InMemory {
                name: "copy.eml".to_owned(),
                bytes: copy.into_bytes(),
            };
            let read = self.reader.in_memory(&copy).read().at(&original.id)?;
            return Ok(read.content.into());
        }
        if original.program.is_none() {
            return Ok(copy.into());
        }
        // Whatever the document is called, it is a program in this language.
        let extension = match original.program {
            Some(Language::Java) => "java",
            Some(Language::Python) => "py",
            _ => "c",
        };
        let copy = InMemory {
            name: format!("copy.{extension}"),
            bytes: copy.into_bytes(),
        };
        let read = self.reader.in_memory(&copy).read().at(&original.id)?;
        Ok(program::content(&read))
    }
}

/// The recipes of a table, each with the key.
fn methods(table: &TableOptions, usual: &[&str], problems: &mut Vec<Problem>) -> Vec<Method> {
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
        [] => usual.to_vec(),
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

fn read(
    options: &Options,
    reader: &Reader,
    watch: &Watch<'_>,
) -> Result<(Vec<Original>, Vec<Skipped>)> {
    let found = reader.find(&options.paths, watch)?;
    let mut skipped = found.skipped;
    let read = read_all(&found.inputs, &mut skipped, watch, |input| {
        let text = input.read()?;
        if count_words(&text.content) == 0 {
            return Err(Unreadable::NoWords);
        }
        let program = program_in(&text)?;
        let file = match input.parts() {
            [part] => part.file.clone(),
            _ => input.id().to_owned(),
        };
        Ok((input.id().to_owned(), file, text, program))
    })?;
    let mut originals = Vec::with_capacity(read.len());
    for (id, file, text, program) in read {
        for warning in &text.warnings {
            let (id, warning) = (id.clone(), warning.clone());
            watch.remark(Remark::Odd { id, warning });
        }
        originals.push(Original {
            id,
            file,
            is_message: text.kind == Some(cento_ingest::Kind::Mail),
            content: program::content(&text),
            program,
        });
    }
    Ok((originals, skipped))
}

/// The language of a document that is a program, unless such programs cannot be attacked.
fn program_in(text: &cento_ingest::Document) -> Result<Option<Language>, Unreadable> {
    let part = match &text.programs[..] {
        [] => return Ok(None),
        [part] if (part.end - part.start) as usize == text.content.len() => part,
        _ => {
            let reason = "a program of several files; attack each file as a document of its own";
            return Err(Unreadable::Other(reason.to_owned()));
        }
    };
    let language = Language::named(&part.language);
    let known = language.filter(|language| cento_code::Attack::LANGUAGES.contains(language));
    match (known, &part.program) {
        (Some(language), Some(_)) => Ok(Some(language)),
        (Some(language), None) => {
            let reason = format!("it does not parse as {language}");
            Err(Unreadable::Other(reason))
        }
        (None, _) => {
            let languages = cento_code::Attack::LANGUAGES.map(Language::name).join(", ");
            let reason = format!(
                "a program in {}; those in {languages} can be attacked",
                part.language
            );
            Err(Unreadable::Other(reason))
        }
    }
}

/// The distinct words of all documents, sorted, so that a seed means the same on every run.
fn vocabulary(originals: &[Original], watch: &Watch<'_>) -> Result<Vec<String>> {
    let tokenizer = Tokenizer::Words(Words::default());
    let words_of = |original: &Original| -> Result<BTreeSet<String>> {
        watch.go_on()?;
        let tokens = tokenizer.tokens(original.content.text.as_str());
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
