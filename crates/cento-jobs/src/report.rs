//! What a report is completed with, whatever job made it.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use cento::chunk::Chunker;
use cento::discount::Discount;
use cento::report::{Note, Report, Setting, Skipped};
use cento_ingest::{Input, Programs};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::documents::by_id;
use crate::method::{Evidence, Method};
use crate::prepare::{describe, mark_disguises};
use crate::templates::{TemplateKind, Templates};
use crate::watch::Watch;

/// The outcome of a job whose result is a report.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The report.
    pub report: Report,
    /// The texts of the templates that do not count.
    pub templates: Vec<String>,
    /// How many documents were read.
    pub read: usize,
    /// Whether anything is at or above the threshold.
    pub is_found: bool,
}

/// As JSON it is the report.
impl Serialize for Reported {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.report.serialize(serializer)
    }
}

/// What of the documents' texts a report is to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TextOptions {
    /// Whose texts.
    pub texts: TextsOf,
    /// The SHA-256 of all other texts.
    pub hashes: bool,
}

/// The documents whose texts a report is to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextsOf {
    /// None.
    #[default]
    None,
    /// Those of listed pairs.
    Listed,
    /// All.
    All,
}

/// What a run was told that a report repeats.
pub(crate) struct Told<'a> {
    pub(crate) method: &'a Method,
    pub(crate) evidence: &'a Evidence,
    pub(crate) templates: &'a Templates,
    pub(crate) old: &'a [PathBuf],
    pub(crate) programs: &'a Programs,
}

/// Adds what the run knows and the comparison does not: what was asked for, what the layout says
/// about documents, and what was skipped.
pub(crate) fn complete(
    report: &mut Report,
    told: &Told<'_>,
    inputs: &[Input],
    skipped: Vec<Skipped>,
) {
    let Told {
        method,
        evidence,
        templates,
        old,
        programs,
    } = told;
    let mut set = |name: &str, value: Setting| {
        report.settings.insert(name.to_owned(), value);
    };
    for (name, file) in [
        ("synonyms", &evidence.synonyms),
        ("vectors", &evidence.vectors),
    ] {
        if let Some(path) = file {
            set(name, named(std::slice::from_ref(path)));
        }
    }
    if !evidence.base.is_empty() {
        set("base", named(&evidence.base));
    }
    if (templates.kinds.iter()).any(|kind| *kind != TemplateKind::Text) {
        let kinds = templates.kinds.iter().map(|kind| kind.name().to_owned());
        set("base-language", Setting::List(kinds.collect()));
    }
    if !old.is_empty() {
        set("old", named(old));
    }
    if let Some(language) = programs.name() {
        set("language", Setting::Text(language.to_owned()));
    }
    let left_out = evidence.left_out;
    if left_out.has(Discount::Common) {
        set("base-from", Setting::Text("common".to_owned()));
    }
    let counted = [Discount::Quotation, Discount::Bibliography].into_iter();
    let counted = counted.filter(|&discount| !left_out.has(discount));
    let counted: Vec<String> = counted.map(|discount| discount.to_string()).collect();
    if !counted.is_empty() {
        set("count", Setting::List(counted));
    }
    let is_keyed = method.recipe.is_keyed();
    if is_keyed {
        let key = if method.key.is_public() {
            "public"
        } else {
            "secret"
        };
        set("key", Setting::Text(key.to_owned()));
    }
    let is_whole = matches!(
        method.recipe.chunker,
        Chunker::Top { .. } | Chunker::Band { .. }
    );
    if !evidence.base.is_empty() && is_whole {
        report.notes.push(Note::TemplatesHaveNoEffect);
    }
    if is_keyed && method.key.is_public() {
        report.notes.push(Note::PublicKey);
    }
    add_layout(report, inputs);
    report.skipped = skipped;
}

/// Paths as the value of a setting.
pub(crate) fn named(paths: &[PathBuf]) -> Setting {
    let name = |path: &PathBuf| path.display().to_string();
    Setting::List(paths.iter().map(name).collect())
}

/// Adds what the layout says about documents.
pub(crate) fn add_layout(report: &mut Report, inputs: &[Input]) {
    let inputs = by_id(inputs);
    for document in &mut report.documents {
        if let Some(input) = inputs.get(document.id.as_str()) {
            describe(input, document);
        }
    }
}

/// Adds the texts with what is disguised in them, or only their hashes, that a report is to have.
pub(crate) fn add_texts(
    report: &mut Report,
    wanted: TextOptions,
    read: &(dyn Fn(&str) -> Option<String> + Sync),
    inputs: &HashMap<&str, &Input>,
    watch: &Watch<'_>,
) {
    if wanted == TextOptions::default() {
        return;
    }
    let ends = |pair: &mut cento::report::PairReport| [pair.left.clone(), pair.right.clone()];
    let listed: HashSet<String> = report.pairs_mut().flat_map(ends).collect();
    report.documents.par_iter_mut().for_each(|document| {
        if watch.is_stopped() {
            return;
        }
        let is_wanted = match wanted.texts {
            TextsOf::None => false,
            TextsOf::Listed => listed.contains(&document.id),
            TextsOf::All => true,
        };
        if is_wanted {
            document.text = read(&document.id);
            mark_disguises(document, inputs.get(document.id.as_str()).copied());
        } else if wanted.hashes {
            document.sha256 = read(&document.id).map(|text| cento_report::sha256(&text));
        }
    });
}
