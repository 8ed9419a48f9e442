//! What was typed and what the configuration files say → what it means.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use cento::align::Aligner;
use cento::discount::{Discount, Discounts};
use cento::style::Style;
use cento::token::{Alphabet, Tokenizer, WordList, Words};
use cento::{Key, Measure, Recipe, ScanSettings};
use cento_ingest::Shelf;
use serde::{Deserialize, Serialize};

use crate::args::{
    BaseFrom, EvidenceOptions, Format, General, ManyOptions, MethodOptions, ReadOptions,
    WhichRegistry,
};
use crate::input;

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
    pub(crate) base: Option<Vec<PathBuf>>,
    pub(crate) base_from: Option<BaseFrom>,
    pub(crate) count_quotes: Option<bool>,
    pub(crate) count_bibliography: Option<bool>,
    pub(crate) with_text: Option<bool>,
    pub(crate) old: Option<Vec<PathBuf>>,
    pub(crate) top: Option<usize>,
    pub(crate) max_df: Option<u32>,
    pub(crate) advise: Option<bool>,
    pub(crate) threads: Option<usize>,
    pub(crate) quiet: Option<bool>,
    pub(crate) per_folder: Option<bool>,
    pub(crate) include: Option<Vec<String>>,
    pub(crate) exclude: Option<Vec<String>>,
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
}

/// What it all means.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub(crate) struct Settings {
    pub(crate) scan: ScanSettings,
    /// What finds the shared text of listed pairs; without it their texts are not looked at.
    pub(crate) aligner: Option<Aligner>,
    /// The recipe's name or text form as it was given.
    pub(crate) recipe_name: String,
    pub(crate) key: Key,
    pub(crate) format: Format,
    pub(crate) strict: bool,
    pub(crate) quiet: bool,
    pub(crate) advise: bool,
    pub(crate) with_text: bool,
    pub(crate) threads: Option<usize>,
    pub(crate) base: Vec<PathBuf>,
    pub(crate) old: Vec<PathBuf>,
    pub(crate) dictionary: Option<PathBuf>,
    pub(crate) key_file: Option<PathBuf>,
    /// Which files count, what belongs together, and how it is read.
    pub(crate) input: cento_ingest::Options,
    pub(crate) shelf: Arc<Shelf>,
    /// Where the registry is.
    pub(crate) registry: PathBuf,
    /// The command that says where the text of a registered document is.
    pub(crate) texts: Option<Vec<String>>,
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

/// What `--recipe` names.
#[derive(PartialEq)]
pub(crate) enum Method {
    /// Fingerprints, by the recipe in the settings.
    Fingerprints,
    /// Vectors. The recipe, measure and threshold in the settings have no say.
    Style(Style),
}

/// Settles everything, for the verbs that understand styles as well as recipes.
pub(crate) fn settle_method(typed: Typed, general: &General) -> Result<(Method, Settings)> {
    let (typed, file) = keys(typed, general)?;
    let name = typed.recipe.clone().or_else(|| file.recipe.clone());
    let Some(name) = name.filter(|name| Style::is_named(name)) else {
        return Ok((Method::Fingerprints, resolve(typed.or(file))?));
    };
    let style: Style = name.parse().context("--recipe")?;
    let in_vain = in_vain(&typed);
    if !in_vain.is_empty() {
        bail!(
            "{}: no use with a style recipe, which has neither digests nor scores",
            in_vain.join(", ")
        );
    }
    // A file may have settings for all other runs; here they are not wanted.
    let rest = Keys {
        recipe: None,
        measure: None,
        threshold: None,
        dictionary: None,
        key_file: None,
        base: None,
        base_from: None,
        aligner: None,
        max_df: None,
        advise: None,
        ..typed.or(file)
    };
    let settings = Settings {
        recipe_name: name,
        ..resolve(rest)?
    };
    Ok((Method::Style(style), settings))
}

/// What was typed that a style has no use for.
fn in_vain(typed: &Keys) -> Vec<&'static str> {
    let given = [
        ("--measure", typed.measure.is_some()),
        ("--threshold", typed.threshold.is_some()),
        ("--dictionary", typed.dictionary.is_some()),
        ("--key-file", typed.key_file.is_some()),
        ("--base", typed.base.is_some()),
        ("--base-from", typed.base_from.is_some()),
        ("--aligner", typed.aligner.is_some()),
        ("--count-quotes", typed.count_quotes.is_some()),
        ("--count-bibliography", typed.count_bibliography.is_some()),
        ("--max-df", typed.max_df.is_some()),
        ("--advise", typed.advise.is_some()),
    ];
    given
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
        .collect()
}

/// Settles everything: the command line wins over `--config`, which wins over ./cento.toml, which
/// wins over the defaults. All bad values are reported together.
pub(crate) fn settle(typed: Typed, general: &General) -> Result<Settings> {
    let (typed, file) = keys(typed, general)?;
    resolve(typed.or(file))
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
    let here = Path::new("cento.toml");
    let mut file = match &general.config {
        Some(path) => read(path)?,
        None => Keys::default(),
    };
    if here.exists() {
        file = file.or(read(here)?);
    }
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
        base: Some(evidence.base).filter(|paths| !paths.is_empty()),
        base_from: many.base_from,
        count_quotes: evidence.count_quotes.then_some(true),
        count_bibliography: evidence.count_bibliography.then_some(true),
        with_text: evidence.with_text.then_some(true),
        old: Some(many.old).filter(|paths| !paths.is_empty()),
        top: many.top,
        max_df: many.max_df,
        advise: many.advise.then_some(true),
        threads: general.threads,
        quiet: general.quiet.then_some(true),
        registry: which.registry,
        ..input::keys(reading.input)
    };
    Ok((typed, file))
}

fn resolve(keys: Keys) -> Result<Settings> {
    let mut problems: Vec<String> = Vec::new();
    let recipe_name = keys.recipe.clone().unwrap_or_else(|| "default".to_owned());
    let recipe = recipe(&recipe_name, keys.dictionary.as_deref());
    let recipe = recipe
        .map_err(|error| problems.push(format!("--recipe: {error:#}")))
        .ok();
    let measure: Result<Measure, _> = keys.measure.as_deref().unwrap_or("max-containment").parse();
    let measure = measure
        .map_err(|error| problems.push(format!("--measure: {error}")))
        .ok();
    let threshold = keys.threshold.unwrap_or(0.1);
    if !(0.0..=1.0).contains(&threshold) {
        problems.push(format!(
            "--threshold: {threshold} is not a share from 0 to 1 (10 % is 0.1)"
        ));
    }
    // A recipe that has no use for a key shall not fail over one.
    let key = match &recipe {
        Some(recipe) if !recipe.is_keyed() => Ok(Key::PUBLIC),
        _ => key(keys.key_file.as_deref()),
    };
    let key = key
        .map_err(|error| problems.push(format!("{error:#}")))
        .ok();
    if keys.threads == Some(0) {
        problems.push("--threads: wants at least 1".to_owned());
    }
    if keys.max_df.is_some_and(|most| most < 2) {
        problems.push("--max-df: wants at least 2; with less, nothing could be shared".to_owned());
    }
    let input = input::options(&keys, &mut problems);
    let aligner = aligner(keys.aligner.as_deref());
    let aligner = aligner
        .map_err(|error| problems.push(format!("--aligner: {error}")))
        .ok();
    let (Some(recipe), Some(measure), Some(key), Some(aligner), true) =
        (recipe, measure, key, aligner, problems.is_empty())
    else {
        bail!("{}", problems.join("\n       "));
    };
    let mut left_out = Discounts::USUAL;
    if keys.count_quotes == Some(true) {
        left_out = left_out.without(Discount::Quotation);
    }
    if keys.count_bibliography == Some(true) {
        left_out = left_out.without(Discount::Bibliography);
    }
    if keys.base_from == Some(BaseFrom::Common) {
        left_out = left_out.with(Discount::Common);
    }
    Ok(Settings {
        scan: ScanSettings {
            recipe,
            measure,
            threshold,
            top: keys.top,
            max_documents: keys.max_df,
            left_out,
            count_below: true,
        },
        aligner,
        recipe_name,
        key,
        format: keys.format.unwrap_or_default(),
        strict: keys.strict.unwrap_or_default(),
        quiet: keys.quiet.unwrap_or_default(),
        advise: keys.advise.unwrap_or_default(),
        with_text: keys.with_text.unwrap_or_default(),
        threads: keys.threads,
        base: keys.base.unwrap_or_default(),
        old: keys.old.unwrap_or_default(),
        dictionary: keys.dictionary,
        key_file: keys.key_file,
        shelf: Arc::new(Shelf::new(&input)),
        input,
        registry: keys.registry.unwrap_or_else(|| PathBuf::from("registry")),
        texts: keys.texts,
    })
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
            base: self.base.or(other.base),
            base_from: self.base_from.or(other.base_from),
            count_quotes: self.count_quotes.or(other.count_quotes),
            count_bibliography: self.count_bibliography.or(other.count_bibliography),
            with_text: self.with_text.or(other.with_text),
            old: self.old.or(other.old),
            top: self.top.or(other.top),
            max_df: self.max_df.or(other.max_df),
            advise: self.advise.or(other.advise),
            threads: self.threads.or(other.threads),
            quiet: self.quiet.or(other.quiet),
            per_folder: self.per_folder.or(other.per_folder),
            include: self.include.or(other.include),
            exclude: self.exclude.or(other.exclude),
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
        }
    }
}

fn read(path: &Path) -> Result<Keys> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{}", path.display()))
}

/// The aligner of a name; `none` is none.
fn aligner(name: Option<&str>) -> Result<Option<Aligner>, cento::Error> {
    match name {
        Some("none") => Ok(None),
        Some(name) => name.parse().map(Some),
        None => Ok(Some(Aligner::default())),
    }
}

/// The recipe of a name or text form, with the words of a dictionary.
pub(crate) fn recipe(name: &str, dictionary: Option<&Path>) -> Result<Recipe> {
    let Some(path) = dictionary else {
        return Ok(Recipe::named(name)?);
    };
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
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
        Recipe::parse_with(name, &lists)?
    } else {
        Recipe::named(name)?
    };
    match &mut recipe.tokenizer {
        Tokenizer::Words(words) => words.keep = Some(words.list(&text)),
        _ => bail!("{name} does not take words, so --dictionary has no say; leave it out"),
    }
    Ok(recipe)
}

/// The key of a file or of the environment, or else the public one.
pub(crate) fn key(file: Option<&Path>) -> Result<Key> {
    let (source, text) = match file {
        Some(path) => {
            let name = format!("--key-file {}", path.display());
            let text = std::fs::read_to_string(path).with_context(|| name.clone())?;
            (name, text)
        }
        None => match std::env::var("CENTO_KEY") {
            Ok(text) if !text.is_empty() => ("CENTO_KEY".to_owned(), text),
            _ => return Ok(Key::PUBLIC),
        },
    };
    // The message must not repeat what was read: it may be the key with a slip.
    let bytes = hex(text.trim()).with_context(|| format!("{source}: a key is 32 hex digits"))?;
    Ok(Key::new(bytes))
}

fn hex(text: &str) -> Option<[u8; 16]> {
    if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u128::from_str_radix(text, 16).ok().map(u128::to_be_bytes)
}
