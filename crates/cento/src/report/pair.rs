//! A pair: what two documents share, by their fingerprints, by their texts, and as a registry knows it.

use serde::{Deserialize, Serialize};

use super::RegistryPair;
use super::written::{are_empty, is_false, rounded, rounded_both, rounded_if_any, seven_digits};
use crate::align::Kind;
use crate::discount::{Discount, Discounts};

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
    /// What a ranking measure comes to, of which the score is a share: that of what the query comes to
    /// against itself. Of documents in passages, how many passages are alike.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "rounded_if_any"
    )]
    pub similarity: Option<f64>,
    /// How many distinct digests they share; of documents in passages, how many passages.
    pub shared: u32,
    /// One of them has too few digests for the score to say anything, and their texts do not bear it
    /// out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub thin: bool,
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
    /// What they share by the texts themselves, where the registry has short digests and the texts are
    /// at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactPair>,
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
    /// How much of both is text that they share and that few registered documents have, if the right
    /// one comes from a registry: the geometric mean of both shares, rare text counting more.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "rounded_if_any"
    )]
    pub weight: Option<f64>,
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
    /// Why they are listed, where that is for what their texts share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<Listed>,
}

/// What two documents share by their chunks, not by short digests of them that may be equal by chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactPair {
    /// The value of the measure.
    #[serde(serialize_with = "rounded")]
    pub score: f64,
    /// How many distinct chunks they share.
    pub shared: u32,
    /// How much of the left one is in the right one, and the other way round.
    #[serde(serialize_with = "rounded_both")]
    pub containment: [f64; 2],
}

/// Why a pair is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Listed {
    /// One is in the other to the share that was asked for.
    Share,
    /// To less, but they have a passage in common that is long enough.
    Passage,
    /// They have a stretch in common that is denser than chance, and their texts are not at hand.
    Stretch,
    /// They are programs among texts, and have the score that was asked for.
    Score,
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
    /// Why they would be listed, where that is for what their texts share; none if they would not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<Listed>,
}

impl PairWithout {
    /// The larger of the two shares.
    pub fn larger_share(&self) -> f64 {
        let [left, right] = self.tally.map(Tally::net);
        left.max(right)
    }
}

impl PairReport {
    /// What decided that the pair is listed, and where: the larger share if the texts did, or else the
    /// score.
    pub fn value(&self) -> f64 {
        if self.listed.is_some() {
            self.larger_share()
        } else {
            self.score
        }
    }

    /// The larger of the two shares.
    pub fn larger_share(&self) -> f64 {
        let [left, right] = self.shares();
        left.max(right)
    }

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
    /// Where the words of each one are that are not its own, if the texts are to be shown; of programs
    /// also the tokens within passages that are.
    #[serde(default, skip_serializing_if = "are_empty")]
    pub marks: [Vec<WordMark>; 2],
    /// The passages, in the order of the left one.
    pub passages: Vec<PassageReport>,
}

impl Evidence {
    /// The passages that count: not those that are mostly text that is left out.
    pub fn counted(&self, left_out: Discounts) -> impl Iterator<Item = &PassageReport> {
        let is_out = move |passage: &&PassageReport| {
            let discount = passage.discount;
            discount.is_some_and(|discount| left_out.has(discount))
        };
        self.passages.iter().filter(move |passage| !is_out(passage))
    }

    /// How many words the longest of these has, on its shorter side.
    pub fn longest_passage(&self, left_out: Discounts) -> u32 {
        let words = |passage: &PassageReport| passage.left.words.min(passage.right.words);
        self.counted(left_out).map(words).max().unwrap_or(0)
    }

    /// How many there are.
    pub fn passages_counted(&self, left_out: Discounts) -> usize {
        self.counted(left_out).count()
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
