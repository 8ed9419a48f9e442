//! How well methods find what a person calls correct, on a labelled collection.

use cento::eval::judge::{Effectiveness, Judged};
use cento::{Measure, PASSAGE_THRESHOLD};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::collection::Collection;
use super::judging::judge;
use super::methods::methods;
use super::{FilesRead, methods_json};
use crate::documents::Reader;
use crate::error::{Error, Result};
use crate::method::passage_threshold;
use crate::watch::Watch;

/// Which methods are tried; without any, those of Hoad and Zobel's table and our own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The recipes; each is tried with each measure.
    pub recipes: Vec<String>,
    /// The measures; without any, a recipe has that of its paper.
    pub measures: Vec<String>,
    /// The recipe of the queries, if its selector differs from that of the documents.
    pub query_recipe: Option<String>,
    /// From which share of its own score on a passage is like another, for recipes with passages.
    pub passage_threshold: f64,
    /// Ask also with so few terms of each query, the rarest that another document has.
    pub query_terms: Vec<usize>,
    /// Say how every query went, not only the averages.
    pub detail: bool,
    /// Say also which documents came first, so many of them.
    pub top: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            recipes: Vec::new(),
            measures: Vec::new(),
            query_recipe: None,
            passage_threshold: PASSAGE_THRESHOLD,
            query_terms: Vec::new(),
            detail: false,
            top: None,
        }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// A row for every method.
    pub rows: Vec<Row>,
    /// How many documents there are.
    pub documents: usize,
    /// How many queries.
    pub queries: usize,
    /// What became of the files, folder by folder.
    pub files: Vec<FilesRead>,
}

/// One method on the collection.
#[derive(Clone, Debug)]
pub struct Row {
    /// The recipe as it was given; and the selector of the queries if it is another, and how many terms
    /// they have if these are not all.
    pub recipe: String,
    /// The measure.
    pub measure: Measure,
    /// No document can have more than all of a query's own score.
    pub ideal: bool,
    /// How the queries went on average.
    pub effectiveness: Effectiveness,
    /// Only so many terms of each query were asked with.
    pub query_terms: Option<usize>,
    /// How each went, if that was asked for.
    pub details: Option<Vec<Detail>>,
    /// How many postings the index has.
    pub postings: u64,
    /// How many bytes it has.
    pub index_bytes: u64,
    /// Seconds to make the fingerprints and the index.
    pub index_seconds: f64,
    /// Seconds for all queries.
    pub query_seconds: f64,
    /// Postings that the queries read.
    pub postings_read: u64,
}

/// How one query went.
#[derive(Clone, Debug)]
pub struct Detail {
    /// The id of the query.
    pub query: String,
    /// What its ranking is worth.
    pub judged: Judged,
    /// The documents that came first, as many as were asked for.
    pub ranking: Vec<RankedDocument>,
}

/// A document that was found for a query.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedDocument {
    /// Its id.
    pub id: String,
    /// The value of the measure; of passages, how many of the query's it has.
    pub similarity: f64,
    /// The same as a percentage of what the query scores against itself.
    pub percent: f64,
    /// Whether it should be found.
    pub correct: bool,
}

pub(super) fn run(options: &super::Options, kind: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let query_recipe = kind.query_recipe.as_deref();
    let mut problems = Vec::new();
    passage_threshold(Some(kind.passage_threshold), &mut problems);
    if !problems.is_empty() {
        return Err(Error::Options(problems));
    }
    let methods = methods(
        &kind.recipes,
        &kind.measures,
        query_recipe,
        &kind.query_terms,
    )?;
    let key = options.key_for(&methods)?;
    let recipes = methods.iter().map(|method| &method.recipe);
    let reader = Reader::for_recipes(&options.input, recipes);
    let collection = Collection::read(&options.collection, &reader, watch)?;
    let mut rows: Vec<Row> = Vec::new();
    // Methods that share a recipe share its index.
    for same_recipe in methods.chunk_by(|a, b| a.recipe == b.recipe && a.query == b.query) {
        rows.extend(judge(&collection, same_recipe, kind, &key, watch)?);
    }
    Ok(Outcome {
        rows,
        documents: collection.documents.len(),
        queries: collection.queries.len(),
        files: collection.files,
    })
}

/// `cento.eval/1`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        methods_json(self.rows.iter().map(Row::json)).serialize(serializer)
    }
}

impl Row {
    fn json(&self) -> Value {
        let e = &self.effectiveness;
        let mut value = json!({
            "recipe": self.recipe,
            "measure": self.measure.name(),
            "ideal": self.ideal,
            "queries": e.queries,
            "precision": e.precision,
            "recall": e.recall,
            "hfm": e.highest_false_match,
            "separation": e.separation,
            "ratio": e.ratio(),
            "complete_hfm": e.complete_highest_false_match,
            "complete_separation": e.complete_separation,
            "imprecise_queries": e.imprecise,
            "negative_queries": e.negative,
            "postings": self.postings,
            "index_bytes": self.index_bytes,
            "index_seconds": self.index_seconds,
            "query_seconds": self.query_seconds,
            "postings_read": self.postings_read,
        });
        if let Some(terms) = self.query_terms {
            value["query_terms"] = json!(terms);
        }
        if let Some(details) = &self.details {
            value["details"] = details.iter().map(Detail::json).collect();
        }
        value
    }
}

impl Detail {
    fn json(&self) -> Value {
        let mut value = json!({
            "query": self.query,
            "precision": self.judged.precision,
            "recall": self.judged.recall,
            "hfm": self.judged.highest_false_match,
            "separation": self.judged.separation,
        });
        if !self.ranking.is_empty() {
            value["ranking"] = self.ranking.iter().map(RankedDocument::json).collect();
        }
        value
    }
}

impl RankedDocument {
    fn json(&self) -> Value {
        json!({
            "document": self.id,
            "similarity": self.similarity,
            "percent": self.percent,
            "correct": self.correct,
        })
    }
}
