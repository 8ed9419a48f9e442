//! The selector stage.

use std::fmt;

use super::{ParseError, Stage, head};
use crate::select::{DEFAULT_ANCHORS, Modulus, Selector, Size};

const SELECTOR: Stage = Stage("selector");

pub(super) fn parse(text: &str) -> Result<Selector, ParseError> {
    let (name, args) = head(text);
    let count = || SELECTOR.count(text, SELECTOR.args(text, args)?);
    match name {
        "all" => SELECTOR.no_args(text, args).map(|()| Selector::All),
        "first" => count().map(Selector::First),
        "random" => match SELECTOR.list(text, args)?[..] {
            [keep] => Ok(Selector::Random {
                keep: SELECTOR.count(text, keep)?,
                seed: 0,
            }),
            [keep, seed] => Ok(Selector::Random {
                keep: SELECTOR.count(text, keep)?,
                seed: seed
                    .parse()
                    .map_err(|_| SELECTOR.error(text, "needs a whole number as its seed"))?,
            }),
            _ => Err(SELECTOR.error(text, "needs a number and perhaps a seed, as in random:15")),
        },
        "modulo" if args == Some("auto") => Ok(Selector::Modulo(Modulus::Auto)),
        "modulo" => count().map(|modulus| Selector::Modulo(Modulus::Fixed(modulus))),
        "smallest" => match args {
            Some("sqrt") => Ok(Selector::Smallest(Size::Sqrt)),
            Some("linear") => Ok(Selector::Smallest(Size::Linear)),
            _ => count().map(|size| Selector::Smallest(Size::Fixed(size))),
        },
        "winnow" => count().map(Selector::Winnow),
        "sample" => count().map(Selector::Sample),
        "letters" => count().map(Selector::Letters),
        "sqrt" => SELECTOR.no_args(text, args).map(|()| Selector::SqrtLength),
        "variance" => {
            let start = SELECTOR.number(text, SELECTOR.args(text, args)?)?;
            // A smaller start would only take more rounds to get anywhere.
            if (0.001..=100.0).contains(&start) {
                Ok(Selector::VarianceLength(start))
            } else {
                Err(SELECTOR.error(text, "needs a start from 0.001 to 100, as in variance:0.1"))
            }
        }
        "anchors" => parse_anchors(text, args).map(Selector::Anchors),
        "kth-in-sentence" => count().map(Selector::KthInSentence),
        "kth-sentence" => count().map(Selector::KthSentence),
        "kth-in-paragraph" => count().map(Selector::KthInParagraph),
        "rarest-in-document" => count().map(Selector::RarestInDocument),
        "rarest-in-collection" => count().map(Selector::RarestInCollection),
        "rarest-prefix" => match SELECTOR.list(text, args)?[..] {
            [chars, keep] => Ok(Selector::RarestPrefix {
                chars: SELECTOR.count(text, chars)?,
                keep: SELECTOR.count(text, keep)?,
            }),
            _ => Err(SELECTOR.error(
                text,
                "needs a number of characters and of digests, as in rarest-prefix:3,15",
            )),
        },
        _ => {
            let choices = "all, first, random, modulo, smallest, winnow, sample, letters, sqrt, variance, anchors, kth-in-sentence, kth-sentence, kth-in-paragraph, rarest-in-document, rarest-in-collection, rarest-prefix";
            Err(SELECTOR.unknown("", name, choices))
        }
    }
}

fn parse_anchors(text: &str, args: Option<&str>) -> Result<Vec<String>, ParseError> {
    let Some(args) = args else {
        return Ok(DEFAULT_ANCHORS.map(str::to_owned).to_vec());
    };
    let anchors: Vec<String> = args
        .split(',')
        .map(|anchor| anchor.trim().to_owned())
        .collect();
    if anchors.iter().any(String::is_empty) {
        return Err(SELECTOR.error(
            text,
            "needs strings with commas between them, as in anchors:ante,orm",
        ));
    }
    Ok(anchors)
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::All => f.write_str("all"),
            Selector::First(count) => write!(f, "first:{count}"),
            Selector::Random { keep, seed: 0 } => write!(f, "random:{keep}"),
            Selector::Random { keep, seed } => write!(f, "random:{keep},{seed}"),
            Selector::Modulo(Modulus::Fixed(modulus)) => write!(f, "modulo:{modulus}"),
            Selector::Modulo(Modulus::Auto) => f.write_str("modulo:auto"),
            Selector::Smallest(Size::Fixed(size)) => write!(f, "smallest:{size}"),
            Selector::Smallest(Size::Sqrt) => f.write_str("smallest:sqrt"),
            Selector::Smallest(Size::Linear) => f.write_str("smallest:linear"),
            Selector::Winnow(window) => write!(f, "winnow:{window}"),
            Selector::Sample(most) => write!(f, "sample:{most}"),
            Selector::Letters(modulus) => write!(f, "letters:{modulus}"),
            Selector::SqrtLength => f.write_str("sqrt"),
            Selector::VarianceLength(start) => write!(f, "variance:{start}"),
            Selector::Anchors(anchors) if *anchors == DEFAULT_ANCHORS => f.write_str("anchors"),
            Selector::Anchors(anchors) => write!(f, "anchors:{}", anchors.join(",")),
            Selector::KthInSentence(k) => write!(f, "kth-in-sentence:{k}"),
            Selector::KthSentence(k) => write!(f, "kth-sentence:{k}"),
            Selector::KthInParagraph(k) => write!(f, "kth-in-paragraph:{k}"),
            Selector::RarestInDocument(keep) => write!(f, "rarest-in-document:{keep}"),
            Selector::RarestInCollection(keep) => write!(f, "rarest-in-collection:{keep}"),
            Selector::RarestPrefix { chars, keep } => write!(f, "rarest-prefix:{chars},{keep}"),
        }
    }
}
