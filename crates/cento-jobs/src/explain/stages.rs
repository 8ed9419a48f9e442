//! What each stage of a recipe makes of a text.

use cento::digest::Minutia;
use cento::select::Selector;
use cento::token::{Source, Tokens};
use cento::{Frequencies, Recipe};
use serde::Serialize;

use super::Stage;
use crate::error::Result;
use crate::method::Method;
use crate::prepare::counts_of;
use crate::watch::Watch;

/// What a stage makes of a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ShownStage {
    /// The tokens of the text.
    Tokens {
        /// The recipe's text form.
        recipe: String,
        /// The tokens, in the order of the text.
        tokens: Vec<Token>,
    },
    /// What belongs together.
    Chunks {
        /// The words of each chunk.
        chunks: Vec<String>,
        /// The recipe's text form.
        recipe: String,
    },
    /// The digest of every chunk.
    Digests {
        /// The digests, in the order of the text.
        digests: Vec<ChunkDigest>,
        /// The recipe's text form.
        recipe: String,
    },
    /// The distinct digests that are kept.
    Fingerprint {
        /// The digests in their printed form, in their order.
        digests: Vec<String>,
        /// The recipe's text form.
        recipe: String,
    },
}

/// A token and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    /// One past its last byte.
    pub end: u32,
    /// The number of its paragraph.
    pub paragraph: u32,
    /// The number of its sentence.
    pub sentence: u32,
    /// Its first byte.
    pub start: u32,
    /// What the tokenizer made of it.
    pub term: String,
}

/// A chunk and its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChunkDigest {
    /// The words.
    pub chunk: String,
    /// The digest in its printed form.
    pub digest: String,
}

/// A recipe that asks about the collection is asked about this document alone.
pub(super) fn show(
    stage: Stage,
    text: Source<'_>,
    method: &Method,
    watch: &Watch<'_>,
) -> Result<ShownStage> {
    let counts = counts_of(&method.recipe, &method.key, &[text]);
    let recipe = method.recipe.to_string();
    Ok(match stage {
        Stage::Tokens => ShownStage::Tokens {
            recipe,
            tokens: tokens(&method.recipe, text, watch)?,
        },
        Stage::Chunks => ShownStage::Chunks {
            chunks: chunks(method, text, &counts, watch)?,
            recipe,
        },
        Stage::Digests => ShownStage::Digests {
            digests: digests(method, text, &counts, watch)?,
            recipe,
        },
        Stage::Fingerprint => ShownStage::Fingerprint {
            digests: fingerprint(method, text, &counts, watch)?,
            recipe,
        },
    })
}

fn tokens(recipe: &Recipe, text: Source<'_>, watch: &Watch<'_>) -> Result<Vec<Token>> {
    let tokens = recipe.tokenizer.tokens(text);
    let token = |(index, term): (u32, &str)| {
        watch.go_on()?;
        let token = tokens.get(index);
        Ok(Token {
            end: token.source.end,
            paragraph: token.paragraph,
            sentence: token.sentence,
            start: token.source.start,
            term: term.to_owned(),
        })
    };
    (0..).zip(tokens.terms()).map(token).collect()
}

fn chunks(
    method: &Method,
    text: Source<'_>,
    seen: &dyn Frequencies,
    watch: &Watch<'_>,
) -> Result<Vec<String>> {
    let recipe = &method.recipe;
    let tokens = recipe.tokenizer.tokens(text);
    let chunks = recipe.chunker.chunks(&tokens, &method.key, seen);
    let words = |chunk| {
        watch.go_on()?;
        Ok(recipe.digester.chunk_text(&tokens, chunk))
    };
    chunks.iter().map(words).collect()
}

fn digests(
    method: &Method,
    text: Source<'_>,
    seen: &dyn Frequencies,
    watch: &Watch<'_>,
) -> Result<Vec<ChunkDigest>> {
    let recipe = Recipe {
        selector: Selector::All,
        ..method.recipe.clone()
    };
    let (tokens, minutiae) = recipe.minutiae(text, &method.key, seen);
    let digest = |minutia: &Minutia| {
        watch.go_on()?;
        Ok(ChunkDigest {
            chunk: recipe.digester.chunk_text(&tokens, &minutia.chunk),
            digest: recipe.digester.printed(&tokens, minutia),
        })
    };
    minutiae.iter().map(digest).collect()
}

fn fingerprint(
    method: &Method,
    text: Source<'_>,
    seen: &dyn Frequencies,
    watch: &Watch<'_>,
) -> Result<Vec<String>> {
    let recipe = &method.recipe;
    let (tokens, minutiae) = recipe.minutiae(text, &method.key, seen);
    watch.go_on()?;
    Ok(distinct(recipe, &tokens, minutiae))
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
