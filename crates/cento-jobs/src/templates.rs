//! Texts that were handed out and do not count.

use std::path::PathBuf;

use cento::select::Selector;
use cento::token::Content;
use cento::{Fingerprint, Key, NoCollection, Recipe};
use cento_ingest::{Document, Input};

use crate::documents::Reader;
use crate::error::{At as _, Result};
use crate::program;

/// The templates of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Templates {
    /// Everything that they contain.
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) texts: Vec<Content>,
    /// What each was read as.
    pub(crate) kinds: Vec<TemplateKind>,
}

impl Templates {
    /// Templates are not culled: whatever chunk a document keeps must be found in them.
    pub(crate) fn of(texts: Vec<Content>, recipe: &Recipe, key: &Key) -> Templates {
        if texts.is_empty() {
            return Templates::default();
        }
        let recipe = Recipe {
            selector: Selector::All,
            ..recipe.clone()
        };
        let mut digests = Vec::new();
        for text in &texts {
            let fingerprint = recipe.fingerprint(text, key, &NoCollection);
            digests.extend_from_slice(fingerprint.digests());
        }
        Templates {
            fingerprint: Some(Fingerprint::from_digests(recipe.id(), 0, digests)),
            texts,
            kinds: Vec::new(),
        }
    }

    /// The texts alone.
    pub(crate) fn into_texts(self) -> Vec<String> {
        let texts = self.texts.into_iter();
        texts.map(|content| content.text).collect()
    }

    /// The templates in some files, and those that the layout names.
    pub(crate) fn read(
        files: &[PathBuf],
        described: &[Input],
        reader: &Reader,
        recipe: &Recipe,
        key: &Key,
    ) -> Result<Templates> {
        let given = match files {
            [] => Vec::new(),
            files => reader.find_files(files).for_option("base")?.inputs,
        };
        let mut texts = Vec::new();
        let mut kinds = Vec::new();
        for input in given.iter().chain(described) {
            let text = input.read().at(input.id()).for_option("base")?;
            kinds.push(TemplateKind::of(&text));
            texts.push(program::content(&text));
        }
        Ok(Templates {
            kinds,
            ..Templates::of(texts, recipe, key)
        })
    }
}

/// What a template was read as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TemplateKind {
    Text,
    /// A program in a language.
    Program(String),
    /// Several programs, or some beside text, as in a notebook.
    Mixed,
}

impl TemplateKind {
    const TEXT: &str = "text";
    const MIXED: &str = "mixed";

    fn of(template: &Document) -> TemplateKind {
        match &template.programs[..] {
            [] => TemplateKind::Text,
            [one] if u64::from(one.end - one.start) == template.content.len() as u64 => {
                TemplateKind::Program(one.language.clone())
            }
            _ => TemplateKind::Mixed,
        }
    }

    /// The kind that a report names.
    pub(crate) fn named(name: &str) -> TemplateKind {
        match name {
            TemplateKind::TEXT => TemplateKind::Text,
            TemplateKind::MIXED => TemplateKind::Mixed,
            language => TemplateKind::Program(language.to_owned()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            TemplateKind::Text => TemplateKind::TEXT,
            TemplateKind::Program(language) => language,
            TemplateKind::Mixed => TemplateKind::MIXED,
        }
    }
}
