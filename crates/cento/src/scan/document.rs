//! Documents as a scan needs them.

use crate::disguise::Disguised;
use crate::fingerprint::Fingerprint;
use crate::recipe::Recipe;
use crate::stretch::Stretches;

/// A document as a scan needs it.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its id, different from all others.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Whether it is checked or only compared with.
    pub role: Role,
    /// How many words it has.
    pub words: u64,
    /// The language of a program.
    pub language: Option<String>,
    /// Whose it is, if that is known: documents of one author are not listed with each other.
    pub author: Option<String>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// What of it is disguised.
    pub disguised: Disguised,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// The fingerprints of its passages, if the recipe cuts documents into some.
    pub passages: Vec<Fingerprint>,
    /// Its stretches, for a list that is made from what alignment finds.
    pub stretches: Stretches,
}

impl Document {
    /// A document that is checked, and of which there is nothing odd to say.
    pub fn new(id: impl Into<String>, words: u64, fingerprint: Fingerprint) -> Document {
        let id = id.into();
        Document {
            label: id.clone(),
            id,
            role: Role::New,
            words,
            language: None,
            author: None,
            warnings: Vec::new(),
            disguised: Disguised::default(),
            fingerprint,
            passages: Vec::new(),
            stretches: Stretches::default(),
        }
    }

    /// What is ranked: its fingerprint, or those of its passages.
    pub(super) fn units(&self, recipe: &Recipe) -> &[Fingerprint] {
        match recipe.passages {
            Some(_) => &self.passages,
            None => std::slice::from_ref(&self.fingerprint),
        }
    }
}

/// What a document is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It is checked against all others.
    New,
    /// The new ones are compared with it, but it is not compared with its like.
    Old,
}
