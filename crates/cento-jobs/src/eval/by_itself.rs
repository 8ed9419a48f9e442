//! What the documents of a collection say without labels, method by method.

use cento::eval::advise::Advice;
use cento::eval::chance::Chance;
use cento::index::{Index, PairQuery};
use cento::{Fingerprint, Key, Measure, NoCollection};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::methods::{Method, methods};
use super::{FilesRead, Text, methods_json, texts};
use crate::advise;
use crate::documents::Reader;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// Which methods are tried; without any, those of Hoad and Zobel's table and our own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The recipes; each is tried with each measure.
    pub recipes: Vec<String>,
    /// The measures; without any, a recipe has that of its paper.
    pub measures: Vec<String>,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// A row for every method.
    pub rows: Vec<Row>,
    /// What became of the files.
    pub files: FilesRead,
}

/// What a method says.
#[derive(Clone, Debug)]
pub struct Row {
    /// The recipe as it was given.
    pub recipe: String,
    /// The measure.
    pub measure: Measure,
    /// What its scores mean; none if the documents do not tell, or it is not a set measure.
    pub advice: Option<Advice>,
}

pub(super) fn run(options: &super::Options, kind: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let methods = methods(&kind.recipes, &kind.measures, None, &[])?;
    let key = options.key_for(&methods)?;
    let recipes = methods.iter().map(|method| &method.recipe);
    let reader = Reader::for_recipes(&options.input, recipes);
    let documents = options.collection.join("documents");
    let folder = if documents.is_dir() {
        &documents
    } else {
        &options.collection
    };
    let (texts, files) = texts(folder, &reader, watch)?;
    let mut rows = Vec::new();
    for method in methods.iter().filter(|method| method.query.is_none()) {
        rows.push(Row {
            recipe: method.name.clone(),
            measure: method.measure,
            advice: advice(method, &texts, &key, watch)?,
        });
    }
    Ok(Outcome { rows, files })
}

fn advice(method: &Method, texts: &[Text], key: &Key, watch: &Watch<'_>) -> Result<Option<Advice>> {
    let recipe = &method.recipe;
    // What passages of unrelated documents have in common says nothing of how many are alike.
    let Some(measure) = method
        .measure
        .of_sets()
        .filter(|_| recipe.passages.is_none())
    else {
        return Ok(None);
    };
    let sampled: Vec<String> = advise::sample(texts)
        .map(|text| text.content.clone())
        .collect();
    let related = advise::related_scores(&sampled, recipe, method.measure, None, key, watch)?;
    if related.is_empty() {
        return Ok(None);
    }
    watch.begin(Step::Comparing, texts.len(), 0);
    let fingerprints: Vec<Fingerprint> = texts
        .par_iter()
        .map(|text| {
            watch.go_on()?;
            let fingerprint = recipe.fingerprint(&text.content, key, &NoCollection);
            watch.advance(1, 0);
            Ok(fingerprint)
        })
        .collect::<Result<_>>()?;
    let query = PairQuery {
        measure,
        at_least: f64::INFINITY,
        old_from: u32::MAX,
        max_documents: None,
        steps: u64::MAX,
    };
    let pairs = watch.during(Step::Comparing, |watch| {
        let index = Index::build(&fingerprints.iter().collect::<Vec<_>>(), watch)?;
        index.pairs(&query, watch)
    })?;
    let chance = Chance::of(&pairs.rows, measure);
    Ok(chance.and_then(|chance| Advice::of(chance, &related)))
}

/// `cento.eval/1`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        methods_json(self.rows.iter().map(Row::json)).serialize(serializer)
    }
}

impl Row {
    fn json(&self) -> Value {
        json!({
            "recipe": self.recipe,
            "measure": self.measure.name(),
            "advice": self.advice,
        })
    }
}
