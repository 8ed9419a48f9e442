//! What was done to a dataset. The fields stand in the order in which the JSON has them.

use std::collections::BTreeMap;

use serde::Serialize;

/// What was done, by the kind of run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// Documents that are like another one were taken out.
    NearDuplicates(NearDuplicatesOutcome),
    /// Passages that stand earlier.
    Passages(PassagesOutcome),
    /// The text of test documents.
    Against(AgainstOutcome),
}

/// What became of the documents of one input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceOutcome {
    /// How many bytes its files have.
    pub bytes: u64,
    /// How many characters the texts have that are kept.
    pub characters_after: u64,
    /// How many characters all of its texts have.
    pub characters_before: u64,
    /// How many documents were read.
    pub documents: u64,
    /// The input, as it was given.
    pub input: String,
    /// How many documents were kept, changed or not.
    pub kept: u64,
    /// How many documents were removed.
    pub removed: u64,
}

impl Outcome {
    /// What became of the documents of each input, in the order in which they were given.
    pub fn sources(&self) -> &[SourceOutcome] {
        match self {
            Outcome::NearDuplicates(done) => &done.sources,
            Outcome::Passages(done) => &done.sources,
            Outcome::Against(done) => &done.sources,
        }
    }
}

/// How many documents are duplicates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the run"
)]
pub struct NearDuplicatesOutcome {
    /// How many documents were read.
    pub documents: usize,
    /// None of several was kept.
    pub drop_all: bool,
    /// Only texts that are equal, byte for byte, are duplicates; recipe, measure and threshold were
    /// not used.
    pub exact: bool,
    /// How many are the same as the first of their cluster, as far as the recipe sees.
    pub identical: usize,
    /// How many are like a registered document, if there is a registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_registry: Option<usize>,
    /// Which one of several was kept.
    pub keep: String,
    /// How many documents were kept.
    pub kept: usize,
    /// What made the score.
    pub measure: String,
    /// How texts became fingerprints.
    pub recipe: String,
    /// How many documents were registered, if there is a registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered: Option<u64>,
    /// How many documents were removed.
    pub removed: usize,
    /// How many ids several documents have.
    pub repeated_ids: usize,
    /// The name of this format.
    pub schema: &'static str,
    /// How many documents could not be read.
    pub skipped: usize,
    /// What became of the documents of each input, in the order in which they were given.
    pub sources: Vec<SourceOutcome>,
    /// From which score on documents are duplicates.
    pub threshold: f64,
    /// How many documents lack the number in the field that decides which one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_field: Option<usize>,
    /// The ids that several documents have, and how many have them.
    #[serde(skip)]
    pub repeated: BTreeMap<String, u64>,
    /// How many kept documents are not registered because they have no words.
    #[serde(skip)]
    pub without_words: u64,
    /// How many kept documents are not registered because they could not be read once more.
    #[serde(skip)]
    pub not_read_again: u64,
    /// How many kept documents are not registered because a submitter has registered their ids.
    #[serde(skip)]
    pub of_submitters: u64,
    /// Some documents are inside other files, which are not written again.
    #[serde(skip)]
    pub has_packed: bool,
    /// How many bytes the input has, about.
    #[serde(skip)]
    pub input_bytes: u64,
    /// The run went on with the work of an earlier one.
    #[serde(skip)]
    pub is_continued: bool,
}

/// How much text stands earlier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassagesOutcome {
    /// How many bytes of text stand earlier.
    pub bytes: u64,
    /// How many documents have such text, and other text as well.
    pub changed: usize,
    /// The same text in characters.
    pub characters: u64,
    /// How many documents were read.
    pub documents: usize,
    /// How many were kept, changed or not.
    pub kept: usize,
    /// The fewest words of a passage.
    pub min_words: u32,
    /// How many have nothing else.
    pub removed: usize,
    /// The name of this format.
    pub schema: &'static str,
    /// How many documents could not be read.
    pub skipped: usize,
    /// What became of the documents of each input, in the order in which they were given.
    pub sources: Vec<SourceOutcome>,
    /// How many passages stand earlier.
    pub spans: usize,
    /// The same text in words.
    pub words: u64,
}

/// How much text of test documents was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstOutcome {
    /// How many bytes of text were found.
    pub bytes: u64,
    /// How many documents it was cut from.
    pub changed: usize,
    /// The same text in characters.
    pub characters: u64,
    /// How many documents contain text of a test document.
    pub contaminated: usize,
    /// How many documents were read.
    pub documents: usize,
    /// How many were kept, changed or not.
    pub kept: usize,
    /// Only documents with this share of a test document were changed or removed.
    pub min_share: f64,
    /// The fewest words of a passage.
    pub min_words: u32,
    /// How many documents were removed.
    pub removed: usize,
    /// The name of this format.
    pub schema: &'static str,
    /// How many documents could not be read.
    pub skipped: usize,
    /// What became of the documents of each input, in the order in which they were given.
    pub sources: Vec<SourceOutcome>,
    /// How many passages were found.
    pub spans: usize,
    /// How many test documents there are.
    pub tests: usize,
    /// How many of them were found, at least in part.
    pub tests_found: usize,
    /// How many were found whole.
    pub tests_found_whole: usize,
    /// How many were not looked for because they have too few words.
    pub tests_too_short: usize,
    /// The same text in words.
    pub words: u64,
    /// Test documents with fewer words were not looked for.
    #[serde(skip)]
    pub shortest_test: u32,
}
