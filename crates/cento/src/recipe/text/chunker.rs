//! The chunker stage.

use std::fmt;
use std::num::NonZeroU32;

use super::{ParseError, Stage, head};
use crate::chunk::{Chunker, Inner, Rank, Skip};

const CHUNKER: Stage = Stage("chunker");
/// The inner chunker runs once for every part of a partition, so that more would never end.
const MOST_PARTS: u32 = 1000;

pub(super) fn parse(text: &str) -> Result<Chunker, ParseError> {
    if text.contains('&') {
        let chunkers: Result<Vec<Chunker>, ParseError> = text
            .split('&')
            .map(|chunker| parse(chunker.trim()))
            .collect();
        return chunkers.map(Chunker::Union);
    }
    let (name, args) = head(text);
    let count = || CHUNKER.count(text, CHUNKER.args(text, args)?);
    match name {
        "window" => match CHUNKER.list(text, args)?[..] {
            [len] => Ok(Chunker::Window {
                len: CHUNKER.count(text, len)?,
                step: NonZeroU32::MIN,
            }),
            [len, step] => Ok(Chunker::Window {
                len: CHUNKER.count(text, len)?,
                step: CHUNKER.count(text, step)?,
            }),
            _ => Err(CHUNKER.error(
                text,
                "needs a length and perhaps a step, as in window:5 or window:3,3",
            )),
        },
        "breakpoint" => count().map(Chunker::Breakpoint),
        "sentence" if args.is_none() => Ok(Chunker::Sentence(NonZeroU32::MIN)),
        "sentence" => count().map(Chunker::Sentence),
        "paragraph" => CHUNKER.no_args(text, args).map(|()| Chunker::Paragraph),
        "top" => {
            let (words, by) = match CHUNKER.list(text, args)?[..] {
                [words] => (words, None),
                [words, by] => (words, Some(by)),
                _ => return Err(CHUNKER.error(text, TOP)),
            };
            let by = Rank::ALL.into_iter().find(|rank| rank.name() == by);
            Ok(Chunker::Top {
                count: CHUNKER.count(text, words)?,
                by: by.ok_or_else(|| CHUNKER.error(text, TOP))?,
            })
        }
        "skip" => parse_skip(text, CHUNKER.args(text, args)?).map(Chunker::Skip),
        "partition" => {
            let example = "needs a number from 2 to 1000, a comma, and `window:LEN` or `skip:LEN,SHARE`, as in partition:2,skip:10,0.3";
            let (parts, inner) = CHUNKER
                .args(text, args)?
                .split_once(',')
                .ok_or_else(|| CHUNKER.error(text, example))?;
            let parts = CHUNKER.count(text, parts)?;
            let is_inner = matches!(head(inner.trim()).0, "window" | "skip");
            if !(2..=MOST_PARTS).contains(&parts.get()) || !is_inner {
                return Err(CHUNKER.error(text, example));
            }
            let inner = match parse(inner.trim())? {
                Chunker::Window { len, step } if step.get() == 1 => Inner::Window(len),
                Chunker::Skip(skip) => Inner::Skip(skip),
                _ => return Err(CHUNKER.error(text, example)),
            };
            Ok(Chunker::Partition { parts, inner })
        }
        "bytes" => count().map(Chunker::Bytes),
        "band" => {
            let [low, high] = CHUNKER.list(text, args)?[..] else {
                return Err(CHUNKER.error(text, "needs two shares from 0 to 1, as in band:0.1,0.9"));
            };
            let (low, high) = (CHUNKER.number(text, low)?, CHUNKER.number(text, high)?);
            if !(0.0 <= low && low <= high && high <= 1.0) {
                return Err(
                    CHUNKER.error(text, "needs two shares from 0 to 1, the lower one first")
                );
            }
            Ok(Chunker::Band { low, high })
        }
        _ => {
            let choices =
                "window, breakpoint, sentence, paragraph, top, skip, partition, bytes, band";
            Err(CHUNKER.unknown("", name, choices))
        }
    }
}

/// What `top` needs.
const TOP: &str = "needs a number and perhaps `gb2312`, `jisx0208` or `scripts`, as in top:5";

fn parse_skip(text: &str, args: &str) -> Result<Skip, ParseError> {
    let share = |word| {
        let share = CHUNKER.number(text, word)?;
        let valid = 0.0 < share && share <= 1.0;
        if valid {
            Ok(share)
        } else {
            Err(CHUNKER.error(text, "needs shares above 0 and up to 1"))
        }
    };
    let args: Vec<&str> = args.split(',').map(str::trim).collect();
    match args[..] {
        ["any", add, stop] => {
            let (add, stop) = (share(add)?, share(stop)?);
            if add + stop > 1.0 {
                return Err(CHUNKER.error(text, "needs shares that do not exceed 1 together"));
            }
            Ok(Skip {
                len: None,
                add,
                stop,
            })
        }
        [len, accept] => {
            let accept = share(accept)?;
            Ok(Skip {
                len: Some(CHUNKER.count(text, len)?),
                add: accept,
                stop: accept,
            })
        }
        _ => {
            let problem = "needs a length and the share to accept, as in skip:10,0.3, or any length and the shares of A and S, as in skip:any,0.27,0.03";
            Err(CHUNKER.error(text, problem))
        }
    }
}

impl fmt::Display for Chunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chunker::Window { len, step } if step.get() == 1 => write!(f, "window:{len}"),
            Chunker::Window { len, step } => write!(f, "window:{len},{step}"),
            Chunker::Breakpoint(modulus) => write!(f, "breakpoint:{modulus}"),
            Chunker::Sentence(modulus) if modulus.get() == 1 => f.write_str("sentence"),
            Chunker::Sentence(modulus) => write!(f, "sentence:{modulus}"),
            Chunker::Paragraph => f.write_str("paragraph"),
            Chunker::Top { count, by } => match by.name() {
                None => write!(f, "top:{count}"),
                Some(by) => write!(f, "top:{count},{by}"),
            },
            Chunker::Skip(skip) => skip.fmt(f),
            Chunker::Partition {
                parts,
                inner: Inner::Window(len),
            } => {
                write!(f, "partition:{parts},window:{len}")
            }
            Chunker::Partition {
                parts,
                inner: Inner::Skip(skip),
            } => {
                write!(f, "partition:{parts},{skip}")
            }
            Chunker::Bytes(bytes) => write!(f, "bytes:{bytes}"),
            Chunker::Band { low, high } => write!(f, "band:{low},{high}"),
            Chunker::Union(chunkers) => {
                let chunkers: Vec<String> = chunkers.iter().map(ToString::to_string).collect();
                f.write_str(&chunkers.join(" & "))
            }
        }
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len {
            Some(len) => write!(f, "skip:{len},{}", self.add),
            None => write!(f, "skip:any,{},{}", self.add, self.stop),
        }
    }
}
