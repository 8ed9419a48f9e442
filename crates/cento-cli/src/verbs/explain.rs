//! `cento explain`: any stage of a recipe, printed.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use cento::digest::Minutia;
use cento::select::Selector;
use cento::token::Tokens;
use cento::{Frequencies, Recipe};
use serde_json::json;

use crate::args::{ExplainArgs, Format, General, Stage};
use crate::config::{Settings, Typed, settle};
use crate::load::{count, single};
use crate::verbs::{explain_pair, explain_text};
use crate::{Outcome, output};

pub(crate) fn run(args: ExplainArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        method: args.method,
        reading: args.reading,
        evidence: args.evidence,
        ..Typed::default()
    };
    let settings = settle(typed, general)?;
    let file = match (args.stage, args.files.as_slice()) {
        (Stage::Pair, files) => match <&[PathBuf; 2]>::try_from(files) {
            Ok(pair) => return explain_pair::run(pair, &args.among, &settings),
            Err(_) => bail!("explain pair wants two documents"),
        },
        (_, _) if !args.among.is_empty() => bail!("--among goes with `explain pair` only"),
        (_, [file]) => file,
        (_, _) => bail!("a stage is that of one document; two go with `explain pair`"),
    };
    let input = single(file, &settings)?;
    let text = input
        .read()
        .map_err(anyhow::Error::msg)
        .with_context(|| file.display().to_string())?;
    for warning in text.warnings.iter().filter(|_| !settings.quiet) {
        output::message(&format!("warning: {}: {warning}", file.display()));
    }
    if args.stage == Stage::Text {
        return explain_text::run(&input, &text, &settings);
    }
    let recipe = &settings.scan.recipe;
    // A recipe that asks about the collection is asked about this document alone.
    let counts = recipe
        .counted()
        .map(|counted| count(&[input], &counted, &settings));
    let printed = match args.stage {
        Stage::Tokens => tokens(recipe, &text.content),
        Stage::Chunks => chunks(&settings, &text.content, &counts),
        Stage::Digests => digests(&settings, &text.content, &counts),
        Stage::Fingerprint | Stage::Pair | Stage::Text => {
            fingerprint(&settings, &text.content, &counts)
        }
    };
    let json = settings.format == Format::Json;
    output::result(&if json {
        printed.json(recipe)?
    } else {
        printed.lines.concat()
    })?;
    Ok(Outcome::Done)
}

/// A stage as lines of text and as a named list of JSON values.
struct Printed {
    name: &'static str,
    lines: Vec<String>,
    values: Vec<serde_json::Value>,
}

impl Printed {
    fn new(name: &'static str) -> Printed {
        Printed {
            name,
            lines: Vec::new(),
            values: Vec::new(),
        }
    }

    fn push(&mut self, line: &str, value: serde_json::Value) {
        self.lines.push(format!("{line}\n"));
        self.values.push(value);
    }

    fn json(&self, recipe: &Recipe) -> Result<String> {
        let value = json!({ "recipe": recipe.to_string(), self.name: self.values });
        Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
    }
}

fn tokens(recipe: &Recipe, text: &str) -> Printed {
    let tokens = recipe.tokenizer.tokens(text);
    let mut printed = Printed::new("tokens");
    for (index, term) in (0..).zip(tokens.terms()) {
        let token = tokens.get(index);
        let (start, end) = (token.source.start, token.source.end);
        let line = format!(
            "{start}..{end}\t{}\tsentence {}, paragraph {}",
            term.escape_debug(),
            token.sentence + 1,
            token.paragraph + 1
        );
        printed.push(
            &line,
            json!({
                "term": term, "start": start, "end": end,
                "sentence": token.sentence, "paragraph": token.paragraph,
            }),
        );
    }
    printed
}

fn chunks(settings: &Settings, text: &str, seen: &dyn Frequencies) -> Printed {
    let recipe = &settings.scan.recipe;
    let tokens = recipe.tokenizer.tokens(text);
    let mut printed = Printed::new("chunks");
    for chunk in recipe.chunker.chunks(&tokens, &settings.key, seen) {
        let words = recipe.digester.chunk_text(&tokens, &chunk);
        printed.push(&words.escape_debug().to_string(), json!(words));
    }
    printed
}

fn digests(settings: &Settings, text: &str, seen: &dyn Frequencies) -> Printed {
    let recipe = Recipe {
        selector: Selector::All,
        ..settings.scan.recipe.clone()
    };
    let (tokens, minutiae) = recipe.minutiae(text, &settings.key, seen);
    let mut printed = Printed::new("digests");
    for minutia in &minutiae {
        let digest = recipe.digester.printed(&tokens, minutia);
        let words = recipe.digester.chunk_text(&tokens, &minutia.chunk);
        let line = format!("{digest}  {}", words.escape_debug());
        printed.push(&line, json!({ "digest": digest, "chunk": words }));
    }
    printed
}

fn fingerprint(settings: &Settings, text: &str, seen: &dyn Frequencies) -> Printed {
    let recipe = &settings.scan.recipe;
    let (tokens, minutiae) = recipe.minutiae(text, &settings.key, seen);
    let mut printed = Printed::new("digests");
    for digest in distinct(recipe, &tokens, minutiae) {
        printed.push(&digest, json!(digest));
    }
    printed
}

/// The printed form of each distinct digest, in the order of the fingerprint.
fn distinct(recipe: &Recipe, tokens: &Tokens, mut minutiae: Vec<Minutia>) -> Vec<String> {
    minutiae.sort_by_key(|minutia| minutia.digest);
    minutiae.dedup_by_key(|minutia| minutia.digest);
    minutiae
        .iter()
        .map(|minutia| recipe.digester.printed(tokens, minutia))
        .collect()
}
