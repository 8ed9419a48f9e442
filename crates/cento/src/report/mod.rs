//! What every front end renders: the result of a run as data (`cento.report/1`).

mod build;
mod histogram;
mod join;
mod note;
mod pair;
mod thin;
mod top;
mod written;

pub use histogram::Histogram;
pub use note::{CommonLimit, Note, Remedy};
pub use pair::{
    Chunks, Classes, Compression, Estimate, EstimatedWords, Evidence, ExactPair, Listed,
    PairReport, PairWithout, PassageReport, Place, Tally, WordClass, WordMark,
};
pub use thin::ENOUGH;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::discount::{Discount, Discounts};
use crate::disguise::{Disguised, DisguisedPlace};
use crate::eval::advise::Advice;
use crate::eval::chance::Chance;
pub(crate) use top::Top;
use written::{is_false, is_zero, rounded, rounded_both, rounded_if_any};

/// The version of this data.
pub const SCHEMA: &str = "cento.report/1";

/// The result of a run. Pairs come by score, highest first, then by ids; pairs with a short
/// document come after all others, and those that rest on too few digests last of all.
///
/// It is written as JSON and read from it; fields that a later version added are passed over, and
/// what was read is written as the same bytes again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of Cento.
    pub cento: String,
    /// What was run: `compare`, `scan` or `verify`.
    pub command: String,
    /// The recipe's text form.
    pub recipe: String,
    /// The measure's name.
    pub measure: String,
    /// Every other parameter that has a say in the result.
    pub settings: BTreeMap<String, Setting>,
    /// The documents, in the order of their ids.
    pub documents: Vec<Summary>,
    /// The pairs at or above the threshold.
    pub pairs: Vec<PairReport>,
    /// How many pairs are at or above the threshold, listed or not.
    pub at_threshold: u64,
    /// How many pairs share something but score below the threshold; none if that was not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_threshold: Option<u64>,
    /// How many pairs have which score.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub histogram: Histogram,
    /// What chance makes of this collection, where all pairs were counted: what the advice rests on.
    #[serde(skip)]
    pub chance: Option<Chance>,
    /// What the scores mean in this collection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
    /// What it would be without text that many documents have, if there is such text and it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_common: Option<WithoutCommon>,
    /// What the net percentages leave out of the texts.
    pub left_out: Discounts,
    /// Groups of documents that the pairs connect.
    pub families: Vec<Vec<String>>,
    /// What could not be read, and why.
    pub skipped: Vec<Skipped>,
    /// Limits that acted, and other things worth knowing.
    pub notes: Vec<Note>,
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// A count. It comes first, so that a whole number is read as one.
    Count(u64),
    /// A share.
    Number(f64),
    /// A name.
    Text(String),
    /// Several names.
    List(Vec<String>),
}

/// A piece of a program's text: where it starts and ends, in bytes, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Highlight(pub u32, pub u32, pub Lexical);

/// A program in the text of a document: where it starts and ends, in bytes, and its language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramPlace(pub u32, pub u32, pub String);

/// What a piece of a program's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each is its own name")]
pub enum Lexical {
    Keyword,
    String,
    Number,
    Comment,
}

/// One document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Its path relative to what was given.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// How many words it has.
    pub words: u64,
    /// How many distinct digests count.
    pub digests: u32,
    /// The share of its digests that some other document has too.
    #[serde(serialize_with = "rounded")]
    pub global: f64,
    /// The same without text that many documents have, if that is counted, too.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "rounded_if_any"
    )]
    pub global_without_common: Option<f64>,
    /// It has fewer than [`SHORT`] words.
    #[serde(default, skip_serializing_if = "is_false")]
    pub short: bool,
    /// It has fewer than [`ENOUGH`] digests, so few that a share of them says nothing; or too few
    /// words for a recipe that makes one digest of them.
    #[serde(default, skip_serializing_if = "is_false")]
    pub thin: bool,
    /// It is only compared with, not among its like.
    #[serde(default, skip_serializing_if = "is_false")]
    pub old: bool,
    /// The programming language, if it is a program; its words are tokens then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// When it was made, if somebody says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The files that its text was put together from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// What is odd about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What of it is disguised.
    #[serde(default, skip_serializing_if = "Disguised::is_empty")]
    pub disguised: Disguised,
    /// Where that is, if its text is here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disguises: Vec<DisguisedPlace>,
    /// The parts of it that may be left out, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<Ignored>,
    /// Where it stands in the picture of the collection, in pixels, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<[f64; 2]>,
    /// The SHA-256 of its text, where results are kept for later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Its text, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What of a program's text is a keyword, a comment and so on, if its text is here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub highlights: Vec<Highlight>,
    /// The programs in its text, if its text is here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramPlace>,
    /// What the registry says about it, if it comes from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered: Option<Registered>,
    /// What was found out about it, if it was verified against a registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
}

/// A document of a registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registered {
    /// Its id there.
    pub id: String,
    /// 1 for the first text with this id, 2 for the next one.
    pub version: u32,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitter: Option<String>,
    /// The set it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// When it was registered.
    pub registered: String,
}

/// A document that was verified against a registry. Its share in all of the registry is
/// [`Summary::global`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verified {
    /// The same share without what more than a hundred documents have, which then counts neither as
    /// shared nor as text.
    #[serde(serialize_with = "rounded")]
    pub global_without_common: f64,
    /// Its digests that are in the registry, by how many documents have them.
    pub rarity: DigestRarity,
    /// How many registered versions of the same document do not count for anything.
    pub own_versions: u32,
    /// Those versions, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<OwnVersion>,
    /// How many other documents were left out, because somebody wanted it so.
    pub excluded: u32,
    /// The parts of its text that the listed documents have.
    pub shared: Vec<Bytes>,
    /// How many more registered documents are not listed, because they share only text that many
    /// have.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub standard: u32,
}

/// A registered version of a document that was verified: it has the same id and the same submitter,
/// or was registered just now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnVersion {
    /// Its id in the registry.
    pub id: String,
    /// 1 for the first text with this id, 2 for the next one.
    pub version: u32,
    /// The set it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// When it was registered.
    pub registered: String,
    /// How much of the document is in it.
    #[serde(serialize_with = "rounded")]
    pub containment: f64,
}

impl OwnVersion {
    /// The id that it would have in the report if it were listed.
    pub fn report_id(&self) -> String {
        registered_id(&self.id, self.version)
    }
}

/// The id of a registered document in a report: nothing that is verified has it.
pub(crate) fn registered_id(id: &str, version: u32) -> String {
    match version {
        1 => format!("registry:{id}"),
        version => format!("registry:{id}@{version}"),
    }
}

/// Digests by how many documents of a registry have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestRarity {
    /// One to three.
    pub rare: u32,
    /// Four to a hundred.
    pub some: u32,
    /// More than a hundred.
    pub common: u32,
}

/// Some bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What one part of two fingerprints has to do with the score of their pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScorePart {
    /// Which part, as in `structure, 8 tokens`.
    pub name: String,
    /// How many digests of each document belong to it.
    pub digests: [u32; 2],
    /// How many of them both have.
    pub shared: u32,
    /// What the digests of each document weigh by the measure.
    #[serde(serialize_with = "rounded_both")]
    pub weight: [f64; 2],
    /// What the shared ones weigh.
    #[serde(serialize_with = "rounded")]
    pub shared_weight: f64,
}

/// What a registry knows about a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryPair {
    /// The shared digests, by how many documents of the registry have them.
    pub rarity: DigestRarity,
    /// Both are of one submitter.
    #[serde(default, skip_serializing_if = "is_false")]
    pub same_submitter: bool,
    /// Both are versions of one document.
    #[serde(default, skip_serializing_if = "is_false")]
    pub same_document: bool,
    /// Which parts of each are shared: of the right one only if the registry keeps them.
    pub shared: [Vec<Bytes>; 2],
    /// Where the document in question has more rare pairs of words in common with the other than
    /// chance makes, if that is why it is listed. How much of that is shared is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<StretchPlace>,
}

/// Where a stretch of a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StretchPlace {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Its first and its last word, counted from 1.
    pub words: [u32; 2],
}

/// Which bytes of a document's text come from a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The file's path relative to what was given.
    pub file: String,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Bytes of a document that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Why.
    pub kind: Discount,
}

/// Documents with fewer words than this are marked short and never lead the list.
pub const SHORT: u64 = 50;

/// What a report would be without text that many documents have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WithoutCommon {
    /// Text in so many documents, or more.
    pub from: u32,
    /// How many words the most of it has that stands in one piece,
    pub words: u64,
    /// and how many documents have that piece.
    pub having: u32,
    /// How many pairs would be at or above the threshold.
    pub at_threshold: u64,
    /// How many would share something, but less; none if that was not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_threshold: Option<u64>,
    /// How many pairs would have which score.
    #[serde(default, skip_serializing_if = "Histogram::is_empty")]
    pub histogram: Histogram,
    /// The pairs that would be listed only then.
    pub pairs: Vec<PairReport>,
}

/// A document that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skipped {
    /// Its path relative to what was given.
    pub id: String,
    /// Why.
    pub reason: String,
    /// Which limit refused it, if one did, such as `file_size`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Which format it has, if other programs convert it, such as `doc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

impl Skipped {
    /// A document that could not be read for this reason, which is no limit.
    pub fn new(id: impl Into<String>, reason: impl Into<String>) -> Skipped {
        Skipped {
            id: id.into(),
            reason: reason.into(),
            limit: None,
            format: None,
        }
    }
}
