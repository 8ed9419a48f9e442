//! What was typed and what the configuration files say → the options of jobs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::style::Style;
use cento_jobs::registry::RegistryOptions;
use cento_jobs::{BaseFrom, GivenKey, Problem};
use serde::{Deserialize, Serialize};

use crate::args::{
    EvidenceOptions, Format, General, ManyOptions, MethodOptions, ReadOptions, WhichRegistry,
};
use crate::{args, flags, input, output};

/// The keys of cento.toml: those of the command line, all in one place.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Keys {
    pub(crate) recipe: Option<String>,
    pub(crate) measure: Option<String>,
    pub(crate) threshold: Option<f64>,
    pub(crate) dictionary: Option<PathBuf>,
    pub(crate) key_file: Option<PathBuf>,
    pub(crate) format: Option<Format>,
    pub(crate) strict: Option<bool>,
    pub(crate) aligner: Option<String>,
    pub(crate) synonyms: Option<PathBuf>,
    pub(crate) vectors: Option<PathBuf>,
    pub(crate) base: Option<Vec<PathBuf>>,
    pub(crate) base_from: Option<BaseFrom>,
    pub(crate) count_quotes: Option<bool>,
    pub(crate) count_bibliography: Option<bool>,
    pub(crate) with_text: Option<bool>,
    pub(crate) old: Option<Vec<PathBuf>>,
    pub(crate) author: Option<String>,
    pub(crate) passage: Option<u32>,
    pub(crate) top: Option<usize>,
    pub(crate) top_documents: Option<usize>,
    pub(crate) max_df: Option<u32>,
    pub(crate) advise: Option<bool>,
    pub(crate) threads: Option<usize>,
    pub(crate) quiet: Option<bool>,
    pub(crate) per_folder: Option<bool>,
    pub(crate) include: Option<Vec<String>>,
    pub(crate) exclude: Option<Vec<String>>,
    pub(crate) follow_links: Option<bool>,
    pub(crate) language: Option<String>,
    pub(crate) text_key: Option<String>,
    pub(crate) id_key: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) max_file_size: Option<String>,
    pub(crate) max_text_size: Option<String>,
    pub(crate) max_ratio: Option<u64>,
    pub(crate) max_nesting: Option<usize>,
    pub(crate) max_entries: Option<u64>,
    pub(crate) max_time: Option<f64>,
    pub(crate) max_reader_memory: Option<String>,
    pub(crate) registry: Option<PathBuf>,
    pub(crate) texts: Option<Vec<String>>,
    pub(crate) convert: Option<BTreeMap<String, Vec<String>>>,
}

/// What it all means: the options that jobs share, and how results are shown.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub(crate) struct Settings {
    pub(crate) method: cento_jobs::MethodOptions,
    pub(crate) evidence: cento_jobs::EvidenceOptions,
    pub(crate) base_from: Option<BaseFrom>,
    /// Which files count, what belongs together, and how it is read.
    pub(crate) input: cento_ingest::Options,
    pub(crate) registry: RegistryOptions,
    /// The command that says where the text of a registered document is.
    pub(crate) texts: Option<Vec<String>>,
    pub(crate) old: Vec<PathBuf>,
    pub(crate) author: Option<String>,
    pub(crate) passage: Option<u32>,
    pub(crate) top: Option<usize>,
    pub(crate) top_documents: Option<usize>,
    pub(crate) max_df: Option<u32>,
    pub(crate) advise: bool,
    pub(crate) format: Format,
    pub(crate) strict: bool,
    pub(crate) quiet: bool,
    pub(crate) with_text: bool,
    pub(crate) threads: Option<usize>,
}

/// The options that were typed, of the groups that a verb has.
#[derive(Default)]
pub(crate) struct Typed {
    pub(crate) which: WhichRegistry,
    pub(crate) method: MethodOptions,
    pub(crate) reading: ReadOptions,
    pub(crate) evidence: EvidenceOptions,
    pub(crate) many: ManyOptions,
}

/// Settles everything: the command line wins over `--config`, which wins over ./cento.toml, which
/// wins over the user's own file, which wins over the defaults. All bad values are reported together.
pub(crate) fn settle(typed: Typed, general: &General) -> Result<Settings> {
    let (typed, file) = keys(typed, general)?;
    resolve(typed.or(file), Expect::Recipe)
}

/// The same for the verbs that understand styles as well as recipes.
pub(crate) fn settle_method(typed: Typed, general: &General) -> Result<Settings> {
    let (typed, file) = keys(typed, general)?;
    let name = typed.recipe.as_ref().or(file.recipe.as_ref());
    if !name.is_some_and(|name| Style::is_named(name)) {
        return resolve(typed.or(file), Expect::Recipe);
    }
    // A file may have settings for all other runs; a style has no use for them.
    let file = Keys {
        measure: None,
        threshold: None,
        dictionary: None,
        key_file: None,
        base: None,
        base_from: None,
        aligner: None,
        synonyms: None,
        vectors: None,
        count_quotes: None,
        count_bibliography: None,
        passage: None,
        top_documents: None,
        max_df: None,
        advise: None,
        ..file
    };
    resolve(typed.or(file), Expect::Style)
}

/// What the recipe's name must be that of.
#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Recipe,
    Style,
}

/// What was typed, and what the files say.
fn keys(typed: Typed, general: &General) -> Result<(Keys, Keys)> {
    let Typed {
        method,
        reading,
        evidence,
        many,
        which,
    } = typed;
    let file = of_files(general.config.as_deref())?;
    let typed = Keys {
        recipe: method.recipe,
        measure: method.measure,
        threshold: method.threshold,
        dictionary: method.dictionary,
        key_file: reading.key_file,
        format: if reading.json {
            Some(Format::Json)
        } else {
            reading.format
        },
        strict: reading.strict.then_some(true),
        aligner: evidence.aligner,
        synonyms: evidence.synonyms,
        vectors: evidence.vectors,
        base: Some(evidence.base).filter(|paths| !paths.is_empty()),
        base_from: many.base_from.map(Into::into),
        count_quotes: evidence.count_quotes.then_some(true),
        count_bibliography: evidence.count_bibliography.then_some(true),
        with_text: evidence.with_text.then_some(true),
        old: Some(many.old).filter(|paths| !paths.is_empty()),
        author: many.author,
        passage: many.passage,
        top: many.top,
        top_documents: many.top_documents,
        max_df: many.max_df,
        advise: many.advise.then_some(true),
        threads: general.threads,
        quiet: general.quiet.then_some(true),
        registry: which.registry,
        ..input::keys(reading.input)
    };
    Ok((typed, file))
}

fn resolve(keys: Keys, expect: Expect) -> Result<Settings> {
    let mut problems: Vec<Problem> = Vec::new();
    let input = input::options(&keys, &mut problems);
    let mut problem = |option: &'static str, reason: &str| {
        let reason = reason.to_owned();
        problems.push(Problem { option, reason });
    };
    if let Some(threads) = keys.threads
        && let Err(reason) = args::expect_threads(threads)
    {
        problem("threads", &reason);
    }
    if keys.quiet == Some(true) {
        output::be_quiet();
    }
    if keys.max_df.is_some_and(|most| most < 2) {
        problem(
            "max-df",
            "must be at least 2; with less, nothing could be shared",
        );
    }
    let key = given_key();
    let method = cento_jobs::MethodOptions {
        recipe: keys.recipe,
        measure: keys.measure,
        threshold: keys.threshold,
        dictionary: keys.dictionary,
        key_file: keys.key_file.clone(),
        key: key.clone(),
    };
    let evidence = cento_jobs::EvidenceOptions {
        aligner: keys.aligner,
        synonyms: keys.synonyms,
        vectors: keys.vectors,
        base: keys.base.unwrap_or_default(),
        count_quotes: keys.count_quotes.unwrap_or_default(),
        count_bibliography: keys.count_bibliography.unwrap_or_default(),
    };
    if expect == Expect::Recipe {
        let mut of_method = method.problems();
        of_method.append(&mut problems);
        problems = of_method;
        problems.extend(evidence.problems());
    }
    if !problems.is_empty() {
        bail!("{}", flags::listed(&problems));
    }
    Ok(Settings {
        method,
        evidence,
        base_from: keys.base_from,
        input,
        registry: RegistryOptions {
            registry: keys.registry.unwrap_or_else(|| PathBuf::from("registry")),
            key_file: keys.key_file,
            key,
        },
        texts: keys.texts,
        old: keys.old.unwrap_or_default(),
        author: keys.author,
        passage: keys.passage,
        top: keys.top,
        top_documents: keys.top_documents,
        max_df: keys.max_df,
        advise: keys.advise.unwrap_or_default(),
        format: keys.format.unwrap_or_default(),
        strict: keys.strict.unwrap_or_default(),
        quiet: keys.quiet.unwrap_or_default(),
        with_text: keys.with_text.unwrap_or_default(),
        threads: keys.threads,
    })
}

/// The key of the environment.
pub(crate) fn given_key() -> Option<GivenKey> {
    let digits = std::env::var("CENTO_KEY").ok();
    let digits = digits.filter(|digits| !digits.is_empty());
    digits.map(|digits| GivenKey::new(digits, "CENTO_KEY"))
}

/// The settings in force, as cento.toml would have them; a style has no scores.
pub(crate) fn effective(settings: &Settings) -> Keys {
    let Settings {
        method, evidence, ..
    } = settings;
    let name = method.recipe.as_deref().unwrap_or("default");
    let has_scores = !Style::is_named(name);
    let of_recipe = || {
        let recipe = cento_jobs::recipe(name, method.dictionary.as_deref());
        let measure = recipe.map(|recipe| recipe.measure()).unwrap_or_default();
        measure.to_string()
    };
    let measure = method.measure.clone().unwrap_or_else(of_recipe);
    let threshold = method.threshold;
    let threshold = threshold.unwrap_or(cento_jobs::MethodOptions::THRESHOLD);
    let aligner = evidence.aligner.as_deref().unwrap_or("passages");
    Keys {
        recipe: Some(name.to_owned()),
        measure: has_scores.then_some(measure),
        threshold: has_scores.then_some(threshold),
        dictionary: method.dictionary.clone(),
        key_file: method.key_file.clone(),
        format: Some(settings.format),
        strict: Some(settings.strict),
        aligner: Some(aligner.to_owned()),
        synonyms: evidence.synonyms.clone(),
        vectors: evidence.vectors.clone(),
        base: Some(evidence.base.clone()),
        base_from: settings.base_from,
        count_quotes: Some(evidence.count_quotes),
        count_bibliography: Some(evidence.count_bibliography),
        with_text: Some(settings.with_text),
        old: Some(settings.old.clone()),
        author: settings.author.clone(),
        passage: settings.passage,
        top: settings.top,
        top_documents: settings.top_documents,
        max_df: settings.max_df,
        advise: Some(settings.advise),
        threads: settings.threads,
        quiet: Some(settings.quiet),
        ..input::effective(&settings.input)
    }
}

impl Keys {
    /// These values, or those of `other` where there are none.
    fn or(self, other: Keys) -> Keys {
        Keys {
            recipe: self.recipe.or(other.recipe),
            measure: self.measure.or(other.measure),
            threshold: self.threshold.or(other.threshold),
            dictionary: self.dictionary.or(other.dictionary),
            key_file: self.key_file.or(other.key_file),
            format: self.format.or(other.format),
            strict: self.strict.or(other.strict),
            aligner: self.aligner.or(other.aligner),
            synonyms: self.synonyms.or(other.synonyms),
            vectors: self.vectors.or(other.vectors),
            base: self.base.or(other.base),
            base_from: self.base_from.or(other.base_from),
            count_quotes: self.count_quotes.or(other.count_quotes),
            count_bibliography: self.count_bibliography.or(other.count_bibliography),
            with_text: self.with_text.or(other.with_text),
            old: self.old.or(other.old),
            author: self.author.or(other.author),
            passage: self.passage.or(other.passage),
            top: self.top.or(other.top),
            top_documents: self.top_documents.or(other.top_documents),
            max_df: self.max_df.or(other.max_df),
            advise: self.advise.or(other.advise),
            threads: self.threads.or(other.threads),
            quiet: self.quiet.or(other.quiet),
            per_folder: self.per_folder.or(other.per_folder),
            include: self.include.or(other.include),
            exclude: self.exclude.or(other.exclude),
            follow_links: self.follow_links.or(other.follow_links),
            language: self.language.or(other.language),
            text_key: self.text_key.or(other.text_key),
            id_key: self.id_key.or(other.id_key),
            encoding: self.encoding.or(other.encoding),
            max_file_size: self.max_file_size.or(other.max_file_size),
            max_text_size: self.max_text_size.or(other.max_text_size),
            max_ratio: self.max_ratio.or(other.max_ratio),
            max_nesting: self.max_nesting.or(other.max_nesting),
            max_entries: self.max_entries.or(other.max_entries),
            max_time: self.max_time.or(other.max_time),
            max_reader_memory: self.max_reader_memory.or(other.max_reader_memory),
            registry: self.registry.or(other.registry),
            texts: self.texts.or(other.texts),
            convert: self.convert.or(other.convert),
        }
    }
}

/// What the files say: the one that was given, the one in the working folder, and the user's own.
fn of_files(given: Option<&Path>) -> Result<Keys> {
    let here = Path::new("cento.toml");
    let mut keys = match given {
        Some(path) => read(path)?,
        None => Keys::default(),
    };
    let is_given = given.is_some_and(|given| is_same_file(given, here));
    if here.exists() && !is_given {
        let found = read(here)?;
        expect_no_programs(&found)?;
        keys = keys.or(found);
    }
    if let Some(own) = own_file().filter(|path| path.exists()) {
        keys = keys.or(read(&own)?);
    }
    Ok(keys)
}

/// Where a user's own settings are, for all folders.
pub(crate) fn own_file() -> Option<PathBuf> {
    let folder = |name: &str| {
        let folder = PathBuf::from(std::env::var_os(name)?);
        Some(folder).filter(|folder| folder.is_absolute())
    };
    let configs = if cfg!(windows) {
        folder("APPDATA")
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))
    };
    Some(configs?.join("cento").join("cento.toml"))
}

/// The working folder may be somebody else's, such as an archive that was unpacked. What is in it must
/// not be able to run programs.
fn expect_no_programs(found: &Keys) -> Result<()> {
    let key = match (&found.convert, &found.texts) {
        (Some(_), _) => "[convert]",
        (None, Some(_)) => "texts",
        (None, None) => return Ok(()),
    };
    let own = own_file().map(|path| format!("put that into {}, or ", path.display()));
    bail!(
        "cento.toml: {key} names programs to run, and the working folder may be somebody else's; \
         if the file is your own, {}give it by --config cento.toml",
        own.unwrap_or_default()
    )
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn read(path: &Path) -> Result<Keys> {
    const MOST: u64 = 1 << 20;
    let text = cento_jobs::read_settings(path, MOST).map_err(flags::explained)?;
    toml::from_str(&text).with_context(|| format!("{}", path.display()))
}
