//! What is said about a message, as JSON and as a field of its header.

use std::fmt::Write as _;

use cento::index::sightings::{Answer, Mark, Seen};
use serde::{Deserialize, Serialize};

/// The name of the field that a message gets.
pub const HEADER: &str = "X-Cento-Bulk";

/// What is known about a message. A person, or a rule of theirs, decides what that means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Its id.
    pub file: String,
    /// The family that is most like it.
    pub nearest: Option<Near>,
    /// How often messages nearly the same were seen before this one; nothing if it is too short to say, or
    /// wanted and not counted.
    pub seen: Option<Counts>,
    /// In a word.
    pub verdict: Verdict,
    /// From when on nothing is missing in the counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// A family that is like a message.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Near {
    /// Its number.
    pub family: u64,
    /// How similar its first message is, from 0 to 1.
    pub similarity: f64,
    /// How many digests both have.
    pub shared: u32,
}

/// How often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// In the last hour.
    pub hour: u64,
    /// In the last day.
    pub day: u64,
    /// In the last week.
    pub week: u64,
}

/// What it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing like it was seen within the week.
    New,
    /// It was, but not often.
    Seen,
    /// It was seen often, or is marked as bulk.
    Bulk,
    /// It is marked as wanted.
    Wanted,
    /// It is too short to say.
    Short,
}

impl Verdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::New => "new",
            Verdict::Seen => "seen",
            Verdict::Bulk => "bulk",
            Verdict::Wanted => "wanted",
            Verdict::Short => "short",
        }
    }
}

impl Checked {
    /// What an answer of a store says about a message. One that was seen so often in a day is bulk.
    pub(crate) fn of(file: &str, answer: &Answer, bulk_from: u64) -> Checked {
        let file = file.to_owned();
        let Answer::Known {
            nearest,
            seen,
            mark,
            since,
        } = answer
        else {
            return Checked {
                file,
                nearest: None,
                seen: None,
                verdict: Verdict::Short,
                since: None,
            };
        };
        let Seen { hour, day, week } = *seen;
        let is_same = nearest.is_some_and(|nearest| nearest.is_same);
        let verdict = match mark {
            Some(Mark::Wanted) => Verdict::Wanted,
            Some(Mark::Bulk) => Verdict::Bulk,
            None if is_same && day >= bulk_from => Verdict::Bulk,
            // What was seen long ago, or only marked, is not forgotten yet.
            None if is_same && week > 0 => Verdict::Seen,
            None => Verdict::New,
        };
        Checked {
            file,
            nearest: nearest.map(|nearest| Near {
                family: nearest.family,
                similarity: nearest.similarity,
                shared: nearest.shared,
            }),
            seen: (verdict != Verdict::Wanted).then_some(Counts { hour, day, week }),
            verdict,
            since: Some(crate::time::of_seconds(*since)),
        }
    }

    /// The value of the field [`HEADER`].
    pub fn header(&self) -> String {
        let mut value = format!("verdict={}", self.verdict.name());
        if let Some(Counts { hour, day, week }) = self.seen {
            let _ = write!(value, "; hour={hour}; day={day}; week={week}");
        }
        let is_like = matches!(
            self.verdict,
            Verdict::Seen | Verdict::Bulk | Verdict::Wanted
        );
        if let Some(near) = self.nearest.filter(|_| is_like) {
            let _ = write!(value, "; similarity={:.2}", near.similarity);
        }
        value
    }
}
