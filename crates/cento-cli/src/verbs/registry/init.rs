//! `cento registry init`.

use anyhow::{Context as _, Result};
use cento::index::registry::{Folder, Registry, Retention, Settings};
use cento::{Key, Recipe};
use serde_json::json;
use std::fmt::Write as _;

use super::place::{expect_empty, key_in, settings};
use crate::args::{General, InitArgs, Retain};
use crate::{Outcome, config, output, time};

pub(super) fn run(args: InitArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let settled = settings(args.options.which, None, general)?;
    let path = &settled.registry;
    expect_empty(path)?;
    let recipe = Recipe::named(&args.recipe).context("--recipe")?;
    let settings = Settings {
        recipe,
        retention: match args.retain {
            Retain::Digests => Retention::Digests,
            Retain::Spans => Retention::Spans,
            Retain::Text => Retention::Text,
        },
        kept_bits: args.keep_bits,
        pairs: !args.no_pairs,
    };
    let has_variable = std::env::var("CENTO_KEY").is_ok_and(|key| !key.is_empty());
    std::fs::create_dir_all(path).with_context(|| path.display().to_string())?;
    let (key, place): (Option<Key>, String) = if args.unkeyed {
        (None, String::new())
    } else if let Some(file) = &args.options.key_file {
        let (key, _) = key_in(file)?;
        (Some(key), file.display().to_string())
    } else if has_variable {
        (Some(config::key(None)?), "CENTO_KEY".to_owned())
    } else {
        let file = Folder::new(path).key();
        let (key, _) = key_in(&file)?;
        (Some(key), file.display().to_string())
    };
    let made = Registry::create(path, settings, key.as_ref(), &time::now());
    if made.is_err() && key.is_some() && args.options.key_file.is_none() && !has_variable {
        // A key of nothing would only be in the way.
        let _ = std::fs::remove_file(Folder::new(path).key());
    }
    made?;
    let snapshot = super::place::Place::at(path, args.options.key_file.as_deref())?.snapshot()?;
    let settings = snapshot.settings();
    if json {
        let result = json!({
            "registry": path,
            "recipe": settings.recipe.to_string(),
            "retention": settings.retention.to_string(),
            "kept_bits": settings.kept_bits,
            "pairs": settings.pairs,
            "key": key.as_ref().map(Key::name),
        });
        output::result(&format!("{result:#}\n"))?;
        return Ok(Outcome::Done);
    }
    let mut text = format!("{} is a registry now\n", path.display());
    let _ = writeln!(text, "recipe {}", settings.recipe);
    text += match settings.retention {
        Retention::Digests => "no word of any document is stored, only digests of it\n",
        Retention::Spans => {
            "no word of any document is stored, only digests and where they stand\n"
        }
        Retention::Text => "the whole text of every document is stored\n",
    };
    match key {
        Some(key) => {
            let _ = writeln!(text, "its key {} is in {place}", key.name());
            text += "keep a copy of the key in another place: without it the registry is useless, \
                     and everything has to be registered again\n";
        }
        None => {
            text += "it has no key: whoever has its files can test whether a text is in it\n";
        }
    }
    output::result(&text)?;
    Ok(Outcome::Done)
}
