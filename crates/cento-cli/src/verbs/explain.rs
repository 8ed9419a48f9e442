//! `cento explain`: any stage of a recipe, the text that was read, or why two documents match.

use anyhow::{Result, bail};
use cento_jobs::explain::{self, ChunkDigest, Kind, Options, ReadText, ShownStage, Token};

use crate::args::{ExplainArgs, Format, General, Stage};
use crate::config::{Typed, settle};
use crate::run::run as watched;
use crate::{Outcome, flags, output};

pub(crate) fn run(mut args: ExplainArgs, general: &General) -> Result<Outcome> {
    let kind = kind(&args)?;
    if let Some(recipe) = args.reader.take() {
        if !matches!(kind, Kind::Text { .. }) {
            bail!("--for: only `explain text` takes it; the other stages take --recipe");
        }
        args.method.recipe = Some(recipe);
    }
    let typed = Typed {
        method: args.method,
        reading: args.reading,
        evidence: args.evidence,
        ..Typed::default()
    };
    let settings = settle(typed, general)?;
    let options = Options {
        kind,
        method: settings.method.clone(),
        evidence: settings.evidence.clone(),
        input: settings.input.clone(),
    };
    let done = watched(&settings, |watch| explain::run(&options, watch))?;
    if settings.format == Format::Json {
        output::json(&done)?;
        return Ok(Outcome::Done);
    }
    output::result(&match &done {
        explain::Outcome::Stage(stage) => lines(stage),
        explain::Outcome::Pair(pair) => {
            cento_report::explained(&pair.report, pair.documents, &pair.parts, Some(flags::flag))
        }
        explain::Outcome::Text(text) => {
            if !settings.quiet {
                about(text);
            }
            let end = if text.text.ends_with('\n') { "" } else { "\n" };
            format!("{}{end}", text.text)
        }
    })?;
    Ok(Outcome::Done)
}

fn kind(args: &ExplainArgs) -> Result<Kind> {
    let stage = match args.stage {
        Stage::Pair => {
            let [left, right] = args.files.as_slice() else {
                bail!("explain pair needs two documents");
            };
            return Ok(Kind::Pair {
                files: [left.clone(), right.clone()],
                among: args.among.clone(),
            });
        }
        Stage::Text => None,
        Stage::Tokens => Some(explain::Stage::Tokens),
        Stage::Chunks => Some(explain::Stage::Chunks),
        Stage::Digests => Some(explain::Stage::Digests),
        Stage::Fingerprint => Some(explain::Stage::Fingerprint),
    };
    if !args.among.is_empty() {
        bail!("--among: only `explain pair` takes it");
    }
    let [file] = args.files.as_slice() else {
        bail!("this stage takes one document; `explain pair` takes two");
    };
    let file = file.clone();
    Ok(match stage {
        Some(stage) => Kind::Stage { stage, file },
        None => Kind::Text { file },
    })
}

/// A stage, an item a line.
fn lines(stage: &ShownStage) -> String {
    let lines: Vec<String> = match stage {
        ShownStage::Tokens { tokens, .. } => tokens.iter().map(token).collect(),
        ShownStage::Chunks { chunks, .. } => {
            let line = |words: &String| format!("{}\n", words.escape_debug());
            chunks.iter().map(line).collect()
        }
        ShownStage::Digests { digests, .. } => {
            let line = |ChunkDigest { chunk, digest }: &ChunkDigest| {
                format!("{digest}  {}\n", chunk.escape_debug())
            };
            digests.iter().map(line).collect()
        }
        ShownStage::Fingerprint { digests, .. } => {
            let line = |digest: &String| format!("{digest}\n");
            digests.iter().map(line).collect()
        }
    };
    lines.concat()
}

fn token(token: &Token) -> String {
    format!(
        "{}..{}\t{}\tsentence {}, paragraph {}\n",
        token.start,
        token.end,
        token.term.escape_debug(),
        token.sentence + 1,
        token.paragraph + 1
    )
}

/// What a text was read as.
fn about(text: &ReadText) {
    let kind = text.kind.clone();
    let kind = kind.unwrap_or_else(|| format!("{} files", text.parts.len()));
    output::message(&format!("type      {kind}"));
    if let Some(encoding) = &text.encoding {
        output::message(&format!("encoding  {encoding}"));
    }
    let language = match &text.language {
        Some(language) if language.is_reliable => language.name.to_owned(),
        Some(language) => format!("{}, a guess", language.name),
        None => "not known".to_owned(),
    };
    output::message(&format!("language  {language}"));
    output::message(&format!("words     {}", text.words));
    if let Some(seen) = &text.seen {
        let (recipe, tokens) = (&seen.recipe, seen.tokens);
        output::message(&format!(
            "for       {recipe}, which takes {tokens} tokens of it"
        ));
    }
}
