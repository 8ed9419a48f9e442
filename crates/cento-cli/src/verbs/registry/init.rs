//! `cento registry init`.

use std::fmt::Write as _;

use anyhow::Result;
use cento::index::registry::Retention;
use cento_jobs::registry::init::{self, Options};

use super::settings;
use crate::args::{General, InitArgs};
use crate::run::run as watched;
use crate::{Outcome, output};

pub(super) fn run(args: InitArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let settings = settings(args.options, general)?;
    let options = Options {
        registry: settings.registry.clone(),
        recipe: Some(args.recipe),
        dictionary: args.dictionary,
        retention: args.retain.into(),
        unkeyed: args.unkeyed,
        pairs: !args.no_pairs,
        kept_bits: args.keep_bits,
        stretches: args.stretches.into(),
        style: args.style,
    };
    let done = watched(&settings, |watch| init::run(&options, watch))?;
    if json {
        output::json(&done)?;
        return Ok(Outcome::Done);
    }
    if settings.quiet {
        return Ok(Outcome::Done);
    }
    let mut text = format!("new registry in {}\n", done.registry.display());
    let _ = writeln!(text, "recipe {}", done.recipe);
    if let Some(words) = done.dictionary_words {
        let _ = writeln!(text, "its dictionary has {words} words; no others count");
    }
    text += match done.retention {
        Retention::Digests => "no word of any document is stored, only digests\n",
        Retention::Spans => "no word of any document is stored, only digests and their positions\n",
        Retention::Text => "the whole text of every document is stored\n",
    };
    if let Some(style) = &done.style {
        let _ = writeln!(
            text,
            "the style of every document is stored, as numbers that no key protects: {style}"
        );
    }
    match (done.key, done.key_place) {
        (Some(key), Some(place)) => {
            let _ = writeln!(text, "its key {key} is in {place}");
            text += "keep a copy of the key in another place: without the key the registry is useless, \
                     and everything has to be registered again\n";
        }
        _ => {
            text += "it has no key: anyone who has its files can test whether a text is in it\n";
        }
    }
    output::result(&text)?;
    Ok(Outcome::Done)
}
