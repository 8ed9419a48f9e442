//! Text → what is registered of it. Needs no registry, so many threads do it at once.

use super::retained::{self, Retained, SpanOf};
use super::stretches;
use super::{Facts, KeptStretches, Retention, Settings};
use crate::align::Vocabulary;
use crate::digest::Key;
use crate::error::Error;
use crate::fingerprint::{Fingerprint, RecipeId};
use crate::index::segment::Schema;
use crate::recipe::Recipe;
use crate::select::{NoCollection, Selector};
use crate::stretch::{Stretches, Terms};
use crate::style::{Style, Vector};
use crate::token::{Source, Tokens};

/// Makes candidates for a registry.
#[derive(Clone)]
pub struct Prepare {
    settings: Settings,
    schema: Schema,
    stretches_schema: Schema,
    key: Key,
}

/// A document that can be added.
pub struct Candidate {
    /// What somebody says about it.
    pub facts: Facts,
    /// The fingerprint of the document, or those of its passages.
    pub(super) units: Vec<Fingerprint>,
    pub(super) words: u64,
    pub(super) content: [u8; 16],
    pub(super) retained: Option<Vec<u8>>,
    pub(super) stretches: Stretches,
    pub(super) vector: Option<Vector>,
}

impl Prepare {
    pub(super) fn new(settings: Settings, key: Key) -> Result<Prepare, Error> {
        let schema = Schema::new(&settings.recipe, settings.kept_bits);
        let schema = schema.ok_or_else(|| Error::Registry {
            path: std::path::PathBuf::new(),
            reason: format!("{} bits of a digest are too few", settings.kept_bits),
        })?;
        Ok(Prepare {
            stretches_schema: stretches::schema(),
            settings,
            schema,
            key,
        })
    }

    /// What a text comes to under the settings of the registry.
    pub fn candidate<'t>(&self, facts: Facts, source: impl Into<Source<'t>>) -> Candidate {
        let source = source.into();
        let text = source.text;
        let units = self.fingerprints(source);
        Candidate {
            facts,
            words: match &units[..] {
                [whole] => self.settings.recipe.count_words(source, whole),
                _ => crate::token::count_words(text),
            },
            content: self.key.content_hash(text.as_bytes()),
            retained: match self.settings.retention {
                Retention::Digests => None,
                Retention::Spans => Some(Retained::spans_of(source, self).pack()),
                Retention::Text => Some(Retained::Text(text.to_owned()).pack()),
            },
            stretches: self.stretches(text),
            vector: self.vector(text),
            units,
        }
    }

    /// A document whose fingerprints were made elsewhere, by a chunker of your own: one for the whole
    /// document, or one for each of its passages. `content` tells equal documents from changed ones.
    ///
    /// Refused if the fingerprints are of another recipe, or if the registry remembers more of a
    /// document than digests, which cannot be had from a fingerprint.
    pub fn candidate_of(
        &self,
        facts: Facts,
        fingerprints: &[Fingerprint],
        words: u64,
        content: &[u8],
    ) -> Result<Candidate, Error> {
        if self.settings.retention != Retention::Digests {
            return Err(Error::Registry {
                path: std::path::PathBuf::new(),
                reason: format!(
                    "it remembers {} of each document, and a fingerprint has none",
                    self.settings.retention
                ),
            });
        }
        let units = fingerprints.iter().map(|unit| self.query_of(unit));
        Ok(Candidate {
            facts,
            units: units.collect::<Result<_, Error>>()?,
            words,
            content: self.key.content_hash(content),
            retained: None,
            // Only a text has some.
            stretches: Stretches::default(),
            vector: None,
        })
    }

    /// A fingerprint that was made elsewhere, as the registry remembers it.
    pub fn query_of(&self, fingerprint: &Fingerprint) -> Result<Fingerprint, Error> {
        self.expect_recipe(fingerprint.recipe())?;
        Ok(self.schema.cut(fingerprint).into_owned())
    }

    /// The fingerprint of a text as the registry remembers it; of each of its passages, if the
    /// recipe has some.
    pub fn fingerprints<'t>(&self, source: impl Into<Source<'t>>) -> Vec<Fingerprint> {
        self.units(&self.settings.recipe, source.into())
    }

    /// The same by a recipe that differs in the selector.
    pub fn fingerprints_by<'t>(
        &self,
        recipe: &Recipe,
        source: impl Into<Source<'t>>,
    ) -> Result<Vec<Fingerprint>, Error> {
        self.expect_recipe(&recipe.id())?;
        Ok(self.units(recipe, source.into()))
    }

    fn units(&self, recipe: &Recipe, source: Source<'_>) -> Vec<Fingerprint> {
        let units = recipe.passage_fingerprints(source, &self.key, &NoCollection);
        let cut = |unit: &Fingerprint| self.schema.cut(unit).into_owned();
        units.iter().map(cut).collect()
    }

    /// Everything that a standard text contains, whatever a document keeps of it.
    pub fn template<'t>(&self, source: impl Into<Source<'t>>) -> Fingerprint {
        let recipe = Recipe {
            selector: Selector::All,
            passages: None,
            ..self.settings.recipe.clone()
        };
        let whole = recipe.fingerprint(source, &self.key, &NoCollection);
        self.schema.cut(&whole).into_owned()
    }

    /// Where the chunks of a text stand, by digest.
    pub fn spans<'t>(&self, source: impl Into<Source<'t>>) -> Vec<SpanOf> {
        retained::spans(source.into(), self)
    }

    /// The stretches of a text as the registry remembers them; none if it keeps none.
    pub fn stretches(&self, text: &str) -> Stretches {
        match self.settings.stretches {
            KeptStretches::None => Stretches::default(),
            KeptStretches::Pairs => {
                let terms = self.terms(&Vocabulary::tokens(text));
                self.stretches_without(&terms, |_| false)
            }
        }
    }

    /// What the stretches of a text are made of; nothing if none are kept.
    pub(crate) fn terms(&self, words: &Tokens) -> Terms {
        match self.settings.stretches {
            KeptStretches::None => Terms::default(),
            KeptStretches::Pairs => Terms::of(words, &self.key),
        }
    }

    /// The stretches of a text without those words.
    pub(crate) fn stretches_without(
        &self,
        terms: &Terms,
        is_left_out: impl Fn(u32) -> bool,
    ) -> Stretches {
        terms.registered(&self.key, is_left_out)
    }

    /// The vector of a text as the registry remembers it; none if it keeps none, or if nothing of the
    /// text can be measured.
    pub fn vector(&self, text: &str) -> Option<Vector> {
        self.settings.style.as_ref()?.vector(text)
    }

    /// The keyed hash of a file's bytes.
    pub fn file_hash(&self, bytes: &[u8]) -> [u8; 16] {
        self.key.content_hash(bytes)
    }

    /// The settings of the registry.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The key of the registry.
    pub fn key(&self) -> &Key {
        &self.key
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What segments of stretches have in common.
    pub(super) fn stretches_schema(&self) -> &Schema {
        &self.stretches_schema
    }

    /// The style of which vectors are kept.
    pub(super) fn style(&self) -> Option<&Style> {
        self.settings.style.as_ref()
    }

    /// Whether stretches are kept.
    pub(super) fn has_stretches(&self) -> bool {
        self.settings.stretches != KeptStretches::None
    }

    fn expect_recipe(&self, given: &RecipeId) -> Result<(), Error> {
        let ours = self.settings.recipe.id();
        if *given == ours {
            return Ok(());
        }
        Err(Error::RecipeMismatch {
            left: ours.to_string(),
            right: given.to_string(),
        })
    }
}

impl Candidate {
    /// How many words the document has.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// Its fingerprint, or those of its passages.
    pub fn fingerprints(&self) -> &[Fingerprint] {
        &self.units
    }

    /// Its stretches, if the registry keeps some.
    pub fn stretches(&self) -> &Stretches {
        &self.stretches
    }

    /// How many distinct digests it has, passages counted one by one.
    pub(super) fn digests(&self) -> u32 {
        let counts = self.units.iter().map(|unit| unit.digests().len());
        crate::number::index32(counts.sum())
    }
}
