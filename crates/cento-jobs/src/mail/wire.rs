//! What is asked of a store, in this process or through a socket.

use cento::Digest;
use cento::index::sightings::{Answer, Counting, Mark, Nearest, Seen, Sightings, Stats};
use serde::{Deserialize, Serialize};

/// A question, or something to remember.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Request {
    Ask {
        digests: Vec<u64>,
        now: u64,
        count: bool,
    },
    Mark {
        digests: Vec<u64>,
        now: u64,
        mark: Option<String>,
    },
    Stats {
        now: u64,
    },
}

/// The answer to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Reply {
    Short,
    Known {
        nearest: Option<(u64, f64, u32, bool)>,
        seen: [u64; 3],
        mark: Option<String>,
        since: u64,
    },
    Stats([u64; 9]),
    Failed(String),
}

/// Does what is asked.
pub(super) fn act(store: &mut Sightings, request: &Request) -> Result<Reply, cento::Error> {
    let of = |digests: &[u64]| -> Vec<Digest> {
        let mut digests: Vec<Digest> = digests.iter().copied().map(Digest).collect();
        digests.sort_unstable();
        digests.dedup();
        digests
    };
    match request {
        Request::Ask {
            digests,
            now,
            count,
        } => {
            let counting = if *count {
                Counting::Count
            } else {
                Counting::Look
            };
            store
                .ask(&of(digests), *now, counting)
                .map(|answer| told(&answer))
        }
        Request::Mark { digests, now, mark } => {
            let mark: Option<Mark> = mark.as_deref().and_then(|mark| mark.parse().ok());
            let answer = store.mark(&of(digests), mark, *now)?;
            // What a person has said is worth waiting for.
            store.sync()?;
            Ok(told(&answer))
        }
        Request::Stats { now } => {
            let stats = store.stats(*now);
            Ok(Reply::Stats([
                stats.families,
                stats.bulk,
                stats.wanted,
                stats.counted,
                stats.expired,
                stats.evicted,
                stats.since,
                stats.memory,
                stats.disk,
            ]))
        }
    }
}

fn told(answer: &Answer) -> Reply {
    match *answer {
        Answer::TooShort => Reply::Short,
        Answer::Known {
            nearest,
            seen,
            mark,
            since,
        } => Reply::Known {
            nearest: nearest.map(|near| (near.family, near.similarity, near.shared, near.is_same)),
            seen: [seen.hour, seen.day, seen.week],
            mark: mark.map(|mark| mark.name().to_owned()),
            since,
        },
    }
}

impl Reply {
    /// The answer about a message, if it is one.
    pub(super) fn answer(self) -> Option<Answer> {
        match self {
            Reply::Short => Some(Answer::TooShort),
            Reply::Known {
                nearest,
                seen: [hour, day, week],
                mark,
                since,
            } => Some(Answer::Known {
                nearest: nearest.map(|(family, similarity, shared, is_same)| Nearest {
                    family,
                    similarity,
                    shared,
                    is_same,
                }),
                seen: Seen { hour, day, week },
                mark: mark.and_then(|mark| mark.parse().ok()),
                since,
            }),
            Reply::Stats(_) | Reply::Failed(_) => None,
        }
    }

    pub(super) fn stats(self) -> Option<Stats> {
        let Reply::Stats(numbers) = self else {
            return None;
        };
        let [
            families,
            bulk,
            wanted,
            counted,
            expired,
            evicted,
            since,
            memory,
            disk,
        ] = numbers;
        Some(Stats {
            families,
            bulk,
            wanted,
            counted,
            expired,
            evicted,
            since,
            memory,
            disk,
        })
    }
}
