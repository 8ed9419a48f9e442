//! The whole method as one value: tokenizer, chunker, digester, selector.

mod presets;
mod text;

use std::num::NonZeroU32;
use std::sync::Arc;

pub(crate) use presets::{FINKEL, preset};
pub use presets::{PRESETS, Preset};
pub use text::ParseError;

use crate::chunk::Chunker;
use crate::digest::{Digest, Digester, Hash, Joiner, Key, Minutia, Print};
use crate::error::Error;
use crate::fingerprint::{Fingerprint, RecipeId};
use crate::fused;
use crate::number::index32;
use crate::select::{Frequencies, Selector};
use crate::style::Style;
use crate::token::{Alphabet, LetterForm, Source, Tokenizer, Tokens, View, Words, count_words};

/// How a text becomes a fingerprint.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Text → tokens.
    pub tokenizer: Tokenizer,
    /// Tokens → chunks.
    pub chunker: Chunker,
    /// Chunks → minutiae.
    pub digester: Digester,
    /// Minutiae → those that are kept.
    pub selector: Selector,
    /// What has a fingerprint of its own: the whole document, unless it is cut into passages.
    pub passages: Option<Passages>,
}

/// Passages of a document (Hoad & Zobel, further experiments); `passages:50,25`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passages {
    /// How many tokens a passage has.
    pub words: NonZeroU32,
    /// How many tokens from one passage's start to the next one's.
    pub step: NonZeroU32,
}

impl Default for Recipe {
    /// The preset `default`.
    fn default() -> Recipe {
        PRESETS[0].recipe()
    }
}

impl Recipe {
    /// The recipe of a preset's name or of a text form.
    pub fn named(name_or_text: &str) -> Result<Recipe, Error> {
        if name_or_text.contains('|') {
            return Ok(name_or_text.parse()?);
        }
        if Style::is_named(name_or_text) {
            let name = name_or_text.trim().to_owned();
            return Err(Error::NoFingerprint { name });
        }
        Preset::named(name_or_text.trim())
            .map(|preset| preset.recipe())
            .ok_or_else(|| Error::UnknownRecipe {
                name: name_or_text.trim().to_owned(),
                nearest: presets::nearest(name_or_text.trim()),
            })
    }

    /// The fingerprint of a text, by the fused path where there is one.
    pub fn fingerprint<'t>(
        &self,
        source: impl Into<Source<'t>>,
        key: &Key,
        seen: &dyn Frequencies,
    ) -> Fingerprint {
        let source = source.into();
        match fused::digests(self, source.text, key) {
            Some((digests, tokens)) => Fingerprint::from_digests(self.id(), tokens, digests),
            None => self.staged_fingerprint(source, key, seen),
        }
    }

    /// The fingerprint of a text, stage by stage: the definition.
    pub fn staged_fingerprint<'t>(
        &self,
        source: impl Into<Source<'t>>,
        key: &Key,
        seen: &dyn Frequencies,
    ) -> Fingerprint {
        let (tokens, kept) = self.minutiae(source, key, seen);
        Fingerprint::from_minutiae(self.id(), &tokens, &kept)
    }

    /// The fingerprints of a text's passages; of the whole text if it is not cut.
    ///
    /// The last passage reaches to the end of the text and may be shorter than the others.
    pub fn passage_fingerprints<'t>(
        &self,
        source: impl Into<Source<'t>>,
        key: &Key,
        seen: &dyn Frequencies,
    ) -> Vec<Fingerprint> {
        let source = source.into();
        let text = source.text;
        let Some(Passages { words, step }) = self.passages else {
            return vec![self.fingerprint(source, key, seen)];
        };
        let tokens = self.tokenizer.tokens(text);
        let (words, step) = (words.get() as usize, step.get() as usize);
        let last = tokens.len().saturating_sub(words).div_ceil(step);
        let whole = Recipe {
            passages: None,
            ..self.clone()
        };
        let fingerprint = |number: usize| {
            let start = number * step;
            let end = (start + words).min(tokens.len());
            let span = tokens.source(index32(start)..index32(end));
            whole.fingerprint(&text[span.start as usize..span.end as usize], key, seen)
        };
        if tokens.is_empty() {
            Vec::new()
        } else {
            (0..=last).map(fingerprint).collect()
        }
    }

    /// The tokens of a text and the minutiae that are kept of it.
    pub fn minutiae<'t>(
        &self,
        source: impl Into<Source<'t>>,
        key: &Key,
        seen: &dyn Frequencies,
    ) -> (Tokens, Vec<Minutia>) {
        let tokens = self.tokenizer.tokens(source);
        let chunks = self.chunker.chunks(&tokens, key, seen);
        let minutiae = self.digester.minutiae(&tokens, chunks, key);
        let kept = self.selector.select(&tokens, minutiae, seen);
        (tokens, kept)
    }

    /// The digests of a text in document order, if the recipe has a fused path: what the benchmark
    /// of raw throughput measures.
    pub fn fused_digests(&self, text: &str, key: &Key) -> Option<Vec<Digest>> {
        fused::digests(self, text, key).map(|(digests, _)| digests)
    }

    /// How many words a text has, given its fingerprint by this recipe.
    pub fn count_words<'t>(&self, source: impl Into<Source<'t>>, fingerprint: &Fingerprint) -> u64 {
        let source = source.into();
        match &self.tokenizer {
            Tokenizer::Words(Words {
                alphabet: Alphabet::Unicode,
                stop: None,
                keep: None,
                ..
            })
            | Tokenizer::Code(View::Letters | View::Structure) => fingerprint.tokens().into(),
            Tokenizer::Code(View::Both) => {
                let aligned = Tokenizer::Code(View::Both.aligned());
                aligned.tokens(source).len() as u64
            }
            _ => count_words(source.text),
        }
    }

    /// What must agree for two fingerprints to be compared. The selector may differ: a full query
    /// against a culled index is legitimate.
    pub fn id(&self) -> RecipeId {
        RecipeId(Arc::from(text::without_selector(self)))
    }

    /// Whether the tokenizer brings disguised words into their plain form.
    pub fn is_normalising(&self) -> bool {
        match &self.tokenizer {
            Tokenizer::Words(words) => words.alphabet == Alphabet::Unicode,
            Tokenizer::Letters(letters) => letters.form == LetterForm::Canonical,
            _ => false,
        }
    }

    /// Whether it takes all words of a document but those of computer code (Kellogg, section 2), where
    /// others take the main text, code included.
    pub fn leaves_out_code(&self) -> bool {
        match &self.tokenizer {
            Tokenizer::Lowercase(_) | Tokenizer::Hanzi | Tokenizer::Kanji | Tokenizer::Scripts => {
                true
            }
            Tokenizer::Words(_) | Tokenizer::Letters(_) | Tokenizer::Chars | Tokenizer::Code(_) => {
                false
            }
        }
    }

    /// Whether it compares mail messages in disguise.
    pub fn is_for_mail(&self) -> bool {
        matches!(&self.tokenizer, Tokenizer::Letters(letters) if letters.form == LetterForm::Canonical)
    }

    /// Whether it compares programs.
    pub fn is_for_programs(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::Code(_))
    }

    /// Whether the secret key has a say in the fingerprint.
    pub fn is_keyed(&self) -> bool {
        self.digester.hash == Hash::Keyed
            || self
                .chunker
                .any(&|chunker| matches!(chunker, Chunker::Skip(_) | Chunker::Partition { .. }))
    }

    /// The same recipe with the keyed hash in place of its own, at the same number of bits.
    #[must_use]
    pub fn keyed(mut self) -> Recipe {
        self.digester = Digester {
            hash: Hash::Keyed,
            bits: self.digester.bits.min(64),
            joiner: Joiner::Space,
            ..self.digester
        };
        self
    }

    /// The recipe whose digests must be counted over the collection before this one can run, if it
    /// asks about the collection at all.
    pub fn counted(&self) -> Option<Recipe> {
        if self
            .chunker
            .any(&|chunker| matches!(chunker, Chunker::Band { .. }))
        {
            let one = NonZeroU32::MIN;
            return Some(Recipe {
                tokenizer: self.tokenizer.clone(),
                chunker: Chunker::Window {
                    len: one,
                    step: one,
                },
                digester: Digester {
                    hash: Hash::Fast,
                    bits: 64,
                    sorted: false,
                    joiner: Joiner::Space,
                    print: Print::Hex,
                },
                selector: Selector::All,
                passages: None,
            });
        }
        matches!(self.selector, Selector::RarestInCollection(_)).then(|| Recipe {
            selector: Selector::All,
            ..self.clone()
        })
    }
}
