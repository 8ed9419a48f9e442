//! What can go wrong in the library.

use std::io;
use std::path::PathBuf;

use crate::measure::SetMeasure;
use crate::recipe::ParseError;

/// An error with what a person needs to act on it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text form of a recipe does not parse.
    #[error(transparent)]
    Recipe(#[from] ParseError),
    /// No recipe has this name.
    #[error(
        "recipe `{name}` is not known{}; give the name of a preset or four stages of your own: tokenizer | chunker | digester | selector",
        suggestion(*.nearest)
    )]
    UnknownRecipe {
        /// What was asked for.
        name: String,
        /// The preset that looks most like it.
        nearest: Option<&'static str>,
    },
    /// No measure has this name.
    #[error("measure `{name}` is not known; choose one of {choices}")]
    UnknownMeasure {
        /// What was asked for.
        name: String,
        /// What there is.
        choices: String,
    },
    /// A measure of ranks where only one of sets will do.
    #[error("{measure} ranks documents; here only {} will do", sets())]
    NotOfSets {
        /// What was asked for.
        measure: String,
    },
    /// No aligner has this name.
    #[error(
        "aligner `{name}` is not known; choose passages, maximal, maximal:60 (characters), maximal:10words or tiling:9 (words)"
    )]
    UnknownAligner {
        /// What was asked for.
        name: String,
    },
    /// The texts are longer than their exact overlap can be computed for at once.
    #[error(
        "the texts have {length} characters together, and the exact overlap takes at most {limit} at a time; compare fewer of them"
    )]
    TooLong {
        /// What they have, characters or words.
        length: u64,
        /// What is possible.
        limit: u64,
    },
    /// Suffixes were to be sorted in another process, and were not.
    #[error("the texts cannot be compared word by word: {reason}")]
    Sorting {
        /// What happened.
        reason: String,
    },
    /// No compressor has this name.
    #[error("compressor `{name}` is not known; choose one of {choices}")]
    UnknownCompressor {
        /// What was asked for.
        name: String,
        /// What there is.
        choices: String,
    },
    /// A compressor gave up.
    #[error("{by} cannot compress the texts: {source}")]
    Compress {
        /// Its name.
        by: &'static str,
        /// Why.
        source: std::io::Error,
    },
    /// The text form of a style does not parse.
    #[error("style `{text}` {problem}")]
    Style {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A style where a recipe of fingerprints is needed.
    #[error(
        "recipe `{name}` makes a vector of a document, not a fingerprint; it can only be used to compare and to scan"
    )]
    NoFingerprint {
        /// What was asked for.
        name: String,
    },
    /// A document came twice where it can come once.
    #[error(
        "document {document} came twice: some part of the data was brought twice, or two documents have the same number"
    )]
    Repeated {
        /// Its number.
        document: u64,
    },
    /// The recipe cuts documents into passages, and whole documents are to be compared.
    #[error(
        "recipe `{recipe}` works passage by passage, and here whole documents are compared; leave out its last stage, or use it with scan, verify or eval"
    )]
    Passages {
        /// The recipe.
        recipe: String,
    },
    /// No attack has this name.
    #[error("attack `{name}` is not known; choose one of {choices}")]
    UnknownAttack {
        /// What was asked for.
        name: String,
        /// What there is.
        choices: String,
    },
    /// The system refused to read or write a file.
    #[error("{} cannot be read or written", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of the index is damaged, or not what it should be.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The catalogue of a registry cannot be read or written.
    #[cfg(feature = "registry")]
    #[error("{} cannot be read or written", path.display())]
    Catalog {
        /// The file.
        path: PathBuf,
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A registry of programs that another version of Cento read.
    #[cfg(feature = "registry")]
    #[error(
        "{}: its programs were read by revision {made_by} of the normal form, and this version of Cento has revision {now}, so they cannot be compared; make a new registry and register the programs again", path.display()
    )]
    Revision {
        /// The catalogue of the registry.
        path: PathBuf,
        /// The revision that its fingerprints are of.
        made_by: u32,
        /// The one that is made now.
        now: u32,
    },
    /// The key is not the one that a registry was made with.
    #[error(
        "{}: this is not the key of this registry (it has the key {expected}, and this one is {given}); nothing was changed", path.display()
    )]
    WrongKey {
        /// The registry.
        path: PathBuf,
        /// The name of its key.
        expected: String,
        /// The name of the key that was given.
        given: String,
    },
    /// Somebody else is writing to a registry.
    #[error("{} is being written by {holder}; wait until it is done", path.display())]
    Locked {
        /// The registry.
        path: PathBuf,
        /// Who it is.
        holder: String,
    },
    /// A copy would take the place of something that is none.
    #[error(
        "{} {reason}; give a folder that is empty or not there yet, or one with an earlier copy of this registry",
        path.display()
    )]
    NoCopy {
        /// Where the copy was to go.
        path: PathBuf,
        /// What is there.
        reason: &'static str,
    },
    /// No retention has this name.
    #[error("retention `{name}` is not known; choose digests, spans or text")]
    UnknownRetention {
        /// What was asked for.
        name: String,
    },
    /// Nothing that is kept of stretches has this name.
    #[error("stretches `{name}` are not known; choose pairs or none")]
    UnknownStretches {
        /// What was asked for.
        name: String,
    },
    /// There is no registry where one was expected.
    #[error("{}: there is no registry", path.display())]
    NoRegistry {
        /// Where it was expected.
        path: PathBuf,
    },
    /// There is no mail store where one was expected.
    #[error("{}: there is no mail store", path.display())]
    NoMailStore {
        /// Where it was expected.
        path: PathBuf,
    },
    /// Something that a registry cannot do.
    #[error("{}: {reason}", path.display())]
    Registry {
        /// The registry.
        path: PathBuf,
        /// Why not, and what to do.
        reason: String,
    },
    /// Something that a mail store cannot do.
    #[error("{}: {reason}", path.display())]
    MailStore {
        /// The store.
        path: PathBuf,
        /// Why not, and what to do.
        reason: String,
    },
    /// Somebody wanted the work to end before it was done; see [`Watch`](crate::Watch).
    #[error("stopped before it was done")]
    Stopped,
    /// Two fingerprints cannot be scored against each other.
    #[error("fingerprints of different recipes cannot be compared: `{left}` and `{right}`")]
    RecipeMismatch {
        /// One recipe, without its selector.
        left: String,
        /// The other.
        right: String,
    },
}

fn sets() -> String {
    let [others @ .., last] = &SetMeasure::ALL.map(|measure| measure.to_string());
    format!("{} or {last}", others.join(", "))
}

fn suggestion(nearest: Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}
