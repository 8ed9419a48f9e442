//! How a pairwise test compares, if not as usual.

use cento::align::Aligner;
use cento::{Measure, PRESETS, Preset};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// What whoever orders a pairwise test may choose. Finkel et al. use `se`, `symmetric`, and let `maximal`
/// look at the 20 most similar documents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Method {
    /// The name of a preset.
    pub(crate) recipe: Option<String>,
    /// Without one, that of the recipe's paper.
    pub(crate) measure: Option<String>,
    pub(crate) aligner: Option<String>,
    /// Only the pairs of so many documents, those that are most similar, are listed and aligned.
    pub(crate) top_documents: Option<usize>,
    /// The constant b of the graph's distances, 100 without one.
    pub(crate) graph_scale: Option<f64>,
}

impl Method {
    /// The names of its fields.
    pub(crate) const FIELDS: [&str; 5] = [
        "recipe",
        "measure",
        "aligner",
        "top_documents",
        "graph_scale",
    ];

    /// Takes a field of a form if it is one of these; an empty one means: as usual.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<bool, Problem> {
        let given = Some(value).filter(|value| !value.is_empty());
        match name {
            "recipe" => self.recipe = given.map(recipe).transpose()?,
            "measure" => self.measure = given.map(known::<Measure>).transpose()?,
            "aligner" => self.aligner = given.map(known::<Aligner>).transpose()?,
            "top_documents" => self.top_documents = given.map(number).transpose()?,
            "graph_scale" => self.graph_scale = given.map(scale).transpose()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The presets that can be chosen: those that do without a key, which belongs to a registry, and do
    /// not compare every passage with every other one, which one person could keep all others waiting
    /// with.
    pub(crate) fn recipes() -> impl Iterator<Item = &'static Preset> {
        let can_be_chosen = |preset: &&Preset| {
            let recipe = preset.recipe();
            !recipe.is_keyed() && recipe.passages.is_none()
        };
        PRESETS.iter().filter(can_be_chosen)
    }
}

/// Recipes that are written out are for the command line: what they cost nobody knows beforehand.
fn recipe(name: &str) -> Result<String, Problem> {
    if Method::recipes().any(|preset| preset.name == name) {
        return Ok(name.to_owned());
    }
    let names: Vec<&str> = Method::recipes().map(|preset| &*preset.name).collect();
    Err(Problem::unusable(format!(
        "recipe must be one of {}",
        names.join(", ")
    )))
}

fn known<T: std::str::FromStr<Err = cento::Error>>(name: &str) -> Result<String, Problem> {
    match name.parse::<T>() {
        Ok(_) => Ok(name.to_owned()),
        Err(error) => Err(Problem::unusable(error.to_string())),
    }
}

fn number(digits: &str) -> Result<usize, Problem> {
    let number = digits.parse().ok().filter(|number| *number >= 2);
    number.ok_or_else(|| {
        Problem::unusable("top_documents must be a number from 2 on: how many documents to look at")
    })
}

fn scale(digits: &str) -> Result<f64, Problem> {
    let number = digits.parse().ok();
    let number = number.filter(|number| (1.0..=100_000.0).contains(number));
    number.ok_or_else(|| {
        Problem::unusable("graph_scale must be a number from 1 to 100000; the paper's is 100")
    })
}
