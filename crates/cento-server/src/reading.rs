//! What was read → what is compared: the command line and the server make documents of texts in
//! one way.

use cento::index::registry::Snapshot;
use cento::report::{Part, Summary};
use cento::select::Selector;
use cento::token::Undone;
use cento::verify::Query;
use cento::{Document, Fingerprint, Frequencies, Key, NoCollection, Recipe, Role};
use cento_ingest::Input;

/// How texts become fingerprints in a run.
#[derive(Clone, Copy)]
pub struct Method<'a> {
    /// The recipe.
    pub recipe: &'a Recipe,
    /// Its key.
    pub key: &'a Key,
    /// What it is told about the collection.
    pub seen: &'a dyn Frequencies,
    /// What does not count.
    pub base: Option<&'a Fingerprint>,
}

/// A document to scan, or the reason why it cannot be one.
pub fn document(input: &Input, role: Role, method: &Method<'_>) -> Result<Document, String> {
    let text = input.read()?;
    let recipe = method.recipe;
    let mut fingerprint = recipe.fingerprint(&text.content, method.key, method.seen);
    let words = recipe.count_words(&text.content, &fingerprint);
    if words == 0 {
        return Err(NO_WORDS.to_owned());
    }
    if let Some(base) = method.base {
        fingerprint.subtract(base);
    }
    Ok(Document {
        id: input.id().to_owned(),
        label: input.label().to_owned(),
        role,
        words,
        warnings: warnings(text.warnings, &text.content, recipe),
        fingerprint,
    })
}

/// The templates.
#[derive(Clone, Debug, Default)]
pub struct Base {
    /// Everything that they contain.
    pub fingerprint: Option<Fingerprint>,
    /// Their texts.
    pub texts: Vec<String>,
}

/// These texts as templates.
///
/// Templates are not culled: whatever chunk a document keeps must be found in them.
pub fn template(recipe: &Recipe, key: &Key, texts: Vec<String>) -> Base {
    if texts.is_empty() {
        return Base::default();
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
    Base {
        fingerprint: Some(Fingerprint::from_digests(recipe.id(), 0, digests)),
        texts,
    }
}

/// What is said about documents that are verified.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Whose they are.
    pub submitter: Option<String>,
    /// The set they belong to.
    pub set: Option<String>,
    /// What stands before their ids in the registry.
    pub id_prefix: String,
    /// The recipe of the documents, if it is not the registry's.
    pub recipe: Option<Recipe>,
}

/// A document to verify, or the reason why it cannot be one.
pub fn query(input: &Input, about: &About, snapshot: &Snapshot) -> Result<Query, String> {
    let text = input.read()?;
    let prepare = snapshot.prepare();
    let fingerprints = match &about.recipe {
        Some(recipe) => vec![
            prepare
                .fingerprint_by(recipe, &text.content)
                .map_err(|error| error.to_string())?,
        ],
        None => prepare.fingerprints(&text.content),
    };
    let recipe = &snapshot.settings().recipe;
    let words = match &fingerprints[..] {
        [whole] => recipe.count_words(&text.content, whole),
        _ => cento::token::count_words(&text.content),
    };
    if words == 0 {
        return Err(NO_WORDS.to_owned());
    }
    Ok(Query {
        id: input.id().to_owned(),
        label: input.label().to_owned(),
        registry_id: format!("{}{}", about.id_prefix, input.id()),
        submitter: about.submitter.clone(),
        set: about.set.clone(),
        words,
        warnings: warnings(text.warnings, &text.content, recipe),
        fingerprints,
        spans: snapshot.spans(&text.content),
    })
}

/// Adds what the layout says about a document.
pub fn describe(input: &Input, summary: &mut Summary) {
    summary.date = input.date().map(str::to_owned);
    let parts = input.parts().iter().map(|part| Part {
        file: part.file.clone(),
        start: part.start,
        end: part.end,
    });
    summary.parts = parts.collect();
}

pub(crate) const NO_WORDS: &str = "no words in it";

fn warnings(mut warnings: Vec<String>, text: &str, recipe: &Recipe) -> Vec<String> {
    if recipe.is_normalising() {
        warnings.extend(Undone::in_text(text).sentences());
    }
    warnings
}
