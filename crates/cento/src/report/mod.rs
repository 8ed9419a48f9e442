//! What every front end renders: the result of a run as data (`cento.report/1`).

mod build;
mod histogram;
mod note;

pub use histogram::Histogram;
pub use note::{CommonLimit, Note, Remedy};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::align::Kind;
use crate::discount::{Discount, Discounts};
use crate::disguise::{Disguised, DisguisedPlace};
use crate::eval::advise::Advice;
use crate::eval::chance::Chance;

/// The version of this data.
pub const SCHEMA: &str = "cento.report/1";

/// The result of a run. Pairs come by score, highest first, then by ids; pairs with a short
/// document come after all others.
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
    /// It is only compared with, not among its like.
    #[serde(default, skip_serializing_if = "is_false")]
    pub old: bool,
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

/// Two documents and what they share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairReport {
    /// Id of one.
    pub left: String,
    /// Id of the other.
    pub right: String,
    /// The value of the chosen measure, of the larger direction where it has one.
    #[serde(serialize_with = "rounded")]
    pub score: f64,
    /// How many distinct digests they share.
    pub shared: u32,
    /// How much of the left one is in the right one, and the other way round.
    #[serde(serialize_with = "rounded_both")]
    pub containment: [f64; 2],
    /// Twice the shared digests over the sum of both.
    #[serde(serialize_with = "rounded")]
    pub symmetric: f64,
    /// The shared digests over the union.
    #[serde(serialize_with = "rounded")]
    pub resemblance: f64,
    /// The larger containment.
    #[serde(serialize_with = "rounded")]
    pub max_containment: f64,
    /// How alike the two texts compress, if that was asked for; then it is the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<Compression>,
    /// How far apart the two are, if they were compared by style.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "seven_digits"
    )]
    pub distance: Option<f64>,
    /// Whether each is the other's nearest neighbour by style, or only the right one the left one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutual: Option<bool>,
    /// What the registry knows about them, if the right one comes from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registry: Option<RegistryPair>,
    /// What their texts say, where they are at hand.
    #[serde(flatten)]
    pub evidence: Option<Evidence>,
    /// What a registry says instead, where texts are not at hand.
    #[serde(flatten)]
    pub estimate: Option<Estimate>,
    /// What they come to without text that many documents have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_common: Option<PairWithout>,
}

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

/// What a pair comes to without text that many documents have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairWithout {
    /// The value of the measure.
    #[serde(serialize_with = "rounded")]
    pub score: f64,
    /// How many distinct digests they share.
    pub shared: u32,
    /// How many each one has.
    pub digests: [u32; 2],
    /// How many words the longest run has that is equal in both.
    pub longest: u32,
    /// The words behind the shares.
    pub tally: [Tally; 2],
}

impl PairReport {
    /// How much of each one is in the other, as people are told: from the texts without what is left
    /// out, or else estimated. Only equal text reads 1.
    pub fn shares(&self) -> [f64; 2] {
        let Some(evidence) = &self.evidence else {
            let estimate = self.estimate.as_ref();
            return estimate.map_or(self.containment, |estimate| estimate.share);
        };
        let passages = &evidence.passages;
        let exact = passages.iter().all(|passage| passage.kind == Kind::Exact);
        evidence.net.map(|share| {
            if exact {
                share
            } else {
                share.min(1.0 - f64::EPSILON)
            }
        })
    }
}

/// What the texts of a pair share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The share of characters of each one's normalised text that is in exact common runs.
    #[serde(serialize_with = "rounded_both")]
    pub overlap: [f64; 2],
    /// How many words the longest run has that is equal in both.
    pub longest: u32,
    /// The share of words of each one that is verbatim or edited, what is left out included.
    #[serde(serialize_with = "rounded_both")]
    pub aligned: [f64; 2],
    /// The same without the text that is left out, which then counts neither as shared nor as text.
    #[serde(serialize_with = "rounded_both")]
    pub net: [f64; 2],
    /// How much of each one is in the other, as people are told: `net` by the name that it has on
    /// every surface.
    #[serde(default, serialize_with = "rounded_both")]
    pub share: [f64; 2],
    /// What the words of each one are to the other.
    #[serde(default)]
    pub classes: [Classes; 2],
    /// The share that is reworded, also without what is left out.
    #[serde(serialize_with = "rounded_both")]
    pub paraphrased: [f64; 2],
    /// The words behind these shares, of each one.
    pub tally: [Tally; 2],
    /// Where the words of each one are that are not its own, if the texts are to be shown.
    #[serde(default, skip_serializing_if = "are_empty")]
    pub marks: [Vec<WordMark>; 2],
    /// The passages, in the order of the left one.
    pub passages: Vec<PassageReport>,
}

impl Evidence {
    /// How many passages count: not those that are mostly text that is left out.
    pub fn passages_counted(&self, left_out: Discounts) -> usize {
        let is_out = |passage: &&PassageReport| {
            let discount = passage.discount;
            discount.is_some_and(|discount| left_out.has(discount))
        };
        self.passages.len() - self.passages.iter().filter(is_out).count()
    }
}

/// How much of a document is in a registered one whose text is not at hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The share of words of the verified one that stand in shared chunks, and the share of the
    /// registered one's digests, both without what is left out.
    #[serde(serialize_with = "rounded_both")]
    pub share: [f64; 2],
    /// Whether that is an estimate; if not, it comes from texts that the reader may not see.
    pub estimate: bool,
    /// The words behind the first share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<EstimatedWords>,
}

/// Words of a document by the chunks that they stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EstimatedWords {
    /// How many it has.
    pub words: u32,
    /// How many stand in chunks that are left out.
    pub left_out: u32,
    /// How many of the others stand in shared chunks.
    pub shared: u32,
}

impl EstimatedWords {
    /// The share of words that count.
    pub fn share(self) -> f64 {
        share(self.shared, self.words - self.left_out)
    }
}

/// What a word of one document is to the other document. A word that could be in several classes is
/// in the last of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordClass {
    /// Nothing of what follows.
    #[default]
    Own,
    /// In a paraphrased passage, and not itself found on its other side.
    Reworded,
    /// In a passage, and itself found on its other side.
    Edited,
    /// In a run of equal words.
    Verbatim,
}

/// Words in a row that are of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordMark {
    /// First byte of the text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What they are to the other document.
    pub class: WordClass,
}

/// What the words of a document that count are to another: each is in exactly one class, and these
/// are the classes' shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Classes {
    /// In a run of equal words, wherever it stands.
    #[serde(serialize_with = "rounded")]
    pub verbatim: f64,
    /// In a passage, and itself found on its other side.
    #[serde(serialize_with = "rounded")]
    pub edited: f64,
    /// In a paraphrased passage, and not itself found there.
    #[serde(serialize_with = "rounded")]
    pub reworded: f64,
    /// Everything else.
    #[serde(serialize_with = "rounded")]
    pub own: f64,
}

/// The words of one document of a pair: its share in the other is `shared / words`, and without what
/// is left out `(shared - shared_left_out) / (words - left_out)`.
///
/// Shared are the words themselves, verbatim or edited. What was put in between is not, and neither
/// are the other words that say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many it has.
    pub words: u32,
    /// How many of them are verbatim or edited.
    pub shared: u32,
    /// How many are left out.
    pub left_out: u32,
    /// How many are verbatim or edited and left out.
    pub shared_left_out: u32,
    /// How many are verbatim, without those that are left out.
    #[serde(default)]
    pub verbatim: u32,
    /// How many are reworded, without those that are left out.
    pub paraphrased: u32,
}

impl Tally {
    /// The share of words that are verbatim or edited.
    pub fn aligned(self) -> f64 {
        share(self.shared, self.words)
    }

    /// The same without the words that are left out.
    pub fn net(self) -> f64 {
        share(self.counted_shared(), self.counted())
    }

    /// The share of words that are reworded.
    pub fn paraphrased(self) -> f64 {
        share(self.paraphrased, self.counted())
    }

    /// The shares of all classes.
    pub fn classes(self) -> Classes {
        let of = |words: u32| share(words, self.counted());
        Classes {
            verbatim: of(self.verbatim),
            edited: of(self.counted_shared() - self.verbatim),
            reworded: of(self.paraphrased),
            own: of(self.counted() - self.counted_shared() - self.paraphrased),
        }
    }

    /// How many words count.
    pub fn counted(self) -> u32 {
        self.words - self.left_out
    }

    /// How many words that count are verbatim or edited.
    pub fn counted_shared(self) -> u32 {
        self.shared - self.shared_left_out
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        0.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}

/// Text of one document and the text of the other that corresponds to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PassageReport {
    /// Where it is in the left one.
    pub left: Place,
    /// Where it is in the right one.
    pub right: Place,
    /// How the two differ.
    pub kind: Kind,
    /// How alike the two are, from 0 to 1.
    #[serde(serialize_with = "rounded")]
    pub similarity: f64,
    /// How many documents have this text, as far as chunks can tell: the median of its chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<u32>,
    /// How many of the left one's chunks so many documents have.
    #[serde(skip)]
    pub chunks: Chunks,
    /// Why it may be left out: what more than half of its words are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discount: Option<Discount>,
}

/// The chunks of a passage by how many documents have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunks {
    /// One document.
    pub one: u32,
    /// Two: most likely this pair.
    pub two: u32,
    /// Three to ten.
    pub few: u32,
    /// More than ten.
    pub many: u32,
}

/// How alike two texts compress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compression {
    /// The compressor's name.
    pub by: String,
    /// From 0, nothing in common, to 1, the same text.
    #[serde(serialize_with = "rounded")]
    pub similarity: f64,
}

/// A part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// First byte of the text.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// How many words that is.
    pub words: u32,
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
}

impl Skipped {
    /// A document that could not be read for this reason, which is no limit.
    pub fn new(id: impl Into<String>, reason: impl Into<String>) -> Skipped {
        Skipped {
            id: id.into(),
            reason: reason.into(),
            limit: None,
        }
    }
}

/// Six decimals: more would only show the rounding of the division.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(six_decimals(*value))
}

fn rounded_both<S: Serializer>(values: &[f64; 2], serializer: S) -> Result<S::Ok, S::Error> {
    values.map(six_decimals).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde passes by reference")]
fn rounded_if_any<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(six_decimals).serialize(serializer)
}

/// Seven digits, as the paper prints distances: they may be tiny.
#[expect(clippy::ref_option, reason = "serde passes by reference")]
fn seven_digits<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    let digits = value.map(|value| format!("{value:.6e}").parse().unwrap_or(value));
    digits.serialize(serializer)
}

/// Rounds to six decimals, but never up to 1: only identical sets read 1.
fn six_decimals(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded >= 1.0 && value < 1.0 {
        0.999_999
    } else {
        rounded
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

fn are_empty(marks: &[Vec<WordMark>; 2]) -> bool {
    marks.iter().all(Vec::is_empty)
}
