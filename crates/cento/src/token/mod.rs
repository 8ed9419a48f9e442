//! Text → tokens: the smallest elements that the methods compare.
//!
//! Every token keeps the bytes of the original text that it came from, so that whatever a later
//! stage finds can be shown in the document itself.

mod boundary;
mod canonical;
mod code;
mod form;
mod gb2312;
mod jisx0208;
mod language;
mod letters;
mod look_alikes;
mod lowercase;
mod program;
mod script;
mod slovak;
mod words;

use std::ops::Range;
use std::sync::Arc;

pub use form::Undone;
pub use gb2312::gb2312_code;
pub use jisx0208::jisx0208_code;
pub use language::Language;
pub use letters::{LetterForm, Letters};
pub use program::{Content, Program, STRUCTURE_REVISION, Source, View};
pub use script::Script;
pub use words::{Alphabet, Words};

pub(crate) use canonical::each_letter as each_canonical_letter;
pub(crate) use form::{is_ignorable, is_mark, is_part, latin_look_alike};
pub(crate) use jisx0208::is_kana;
pub(crate) use program::is_letter;
pub(crate) use words::Refiner;

use crate::number::index32;

/// A range of bytes of the original text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// One token: where it stands in the text. Its normalised form is [`Tokens::term`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The bytes of the original text.
    pub source: Span,
    /// Number of the sentence it stands in, from 0.
    pub sentence: u32,
    /// Number of the paragraph it stands in, from 0.
    pub paragraph: u32,
}

/// The tokens of one text, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    places: Vec<Token>,
    /// All terms, one after another; `ends[i]` is where term `i` ends.
    terms: String,
    ends: Vec<u32>,
}

/// How a text becomes tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// Words of any script; `words` with options.
    Words(Words),
    /// Only words of the letters a to z, as Plagiarex wants them, or of another script;
    /// `lowercase`, `lowercase:greek`.
    Lowercase(Option<Script>),
    /// Single letters and digits, or groups of several; `letters` with options.
    Letters(Letters),
    /// Chinese characters of GB 2312, one a token; `hanzi`.
    Hanzi,
    /// Japanese characters of JIS X 0208, one a token; `kanji`.
    Kanji,
    /// Plagiarex's words or characters of every script; `scripts`.
    Scripts,
    /// Every character, white space and punctuation included; `chars`.
    Chars,
    /// A program by what its tokens are, not how they are spelled; `code`, `structure:3`.
    Code(View),
}

/// A set of words with a name of its own: the digest of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordList {
    words: Arc<[Box<str>]>,
    name: u64,
}

impl Tokenizer {
    /// The tokens of a text.
    ///
    /// # Panics
    ///
    /// If the text is 4 GiB or longer: spans are 32 bits wide.
    pub fn tokens<'t>(&self, source: impl Into<Source<'t>>) -> Tokens {
        let Source { text, program } = source.into();
        assert!(
            u32::try_from(text.len()).is_ok(),
            "a text must be shorter than 4 GiB"
        );
        let mut builder = Builder::new(text);
        match self {
            Tokenizer::Words(words) => words.tokenize(&mut builder),
            Tokenizer::Lowercase(None) => lowercase::tokenize(&mut builder),
            Tokenizer::Lowercase(Some(script)) => script::tokenize(*script, &mut builder),
            Tokenizer::Letters(letters) => letters.tokenize(&mut builder),
            Tokenizer::Hanzi => gb2312::tokenize(&mut builder),
            Tokenizer::Kanji => jisx0208::tokenize(&mut builder),
            Tokenizer::Scripts => script::tokenize_all(&mut builder),
            Tokenizer::Chars => {
                for (start, c) in text.char_indices() {
                    builder.push(
                        start..start + c.len_utf8(),
                        &text[start..start + c.len_utf8()],
                    );
                }
            }
            Tokenizer::Code(view) => {
                if let Some(program) = program {
                    return program.tokens(*view);
                }
                code::tokenize(&mut builder);
                if *view == View::Both {
                    let tokens = builder.finish();
                    return program::with_letters(tokens.clone(), &tokens);
                }
            }
        }
        builder.finish()
    }
}

impl Tokens {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The token at `index`.
    pub fn get(&self, index: u32) -> Token {
        self.places[index as usize]
    }

    /// The normalised form of the token at `index`.
    pub fn term(&self, index: u32) -> &str {
        let index = index as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.terms[start as usize..self.ends[index] as usize]
    }

    /// All normalised forms, in order.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        (0..index32(self.len())).map(|index| self.term(index))
    }

    /// The bytes of the original text from the first to the last token of a run.
    ///
    /// # Panics
    ///
    /// If the run is empty or reaches past the last token.
    pub fn source(&self, run: Range<u32>) -> Span {
        let Span { start, end } = self.get(run.start).source;
        Span {
            start,
            // Only programs have tokens that stand before others and come behind them.
            end: self.get(run.end - 1).source.end.max(end),
        }
    }

    fn push(&mut self, token: Token, term: &str) {
        self.terms.push_str(term);
        self.places.push(token);
        self.ends
            .push(u32::try_from(self.terms.len()).expect("terms stay shorter than 4 GiB"));
    }
}

impl WordList {
    /// A list of these words, in any order, repeated or not.
    pub fn new<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> WordList {
        let mut words: Vec<Box<str>> = words.into_iter().map(|word| word.as_ref().into()).collect();
        words.sort_unstable();
        words.dedup();
        let name = crate::digest::name_of(words.iter().map(|word| word.as_bytes()));
        WordList {
            words: words.into(),
            name,
        }
    }

    /// Whether `word` is on the list.
    pub fn contains(&self, word: &str) -> bool {
        self.words
            .binary_search_by(|entry| (**entry).cmp(word))
            .is_ok()
    }

    /// Its words in the order of their bytes.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(|word| &**word)
    }

    /// What stands for the list in a recipe's text form: 16 hex digits of its content's digest.
    pub fn name(&self) -> String {
        format!("{:016x}", self.name)
    }
}

/// How many words a text has, whatever a recipe takes for its tokens.
pub fn count_words(text: &str) -> u64 {
    let mut at = 0;
    let mut words = 0;
    while let Some(piece) = Alphabet::Unicode.next_piece(text, at) {
        words += 1;
        at = piece.end;
    }
    words
}

/// Collects tokens in order and counts sentences and paragraphs in the gaps between them.
struct Builder<'t> {
    text: &'t str,
    tokens: Tokens,
    last_end: usize,
    sentence: u32,
    paragraph: u32,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Builder {
            text,
            tokens: Tokens::default(),
            last_end: 0,
            sentence: 0,
            paragraph: 0,
        }
    }

    fn push(&mut self, source: Range<usize>, term: &str) {
        if !self.tokens.is_empty() {
            match boundary::between(self.text, self.last_end..source.start) {
                boundary::Boundary::None => {}
                boundary::Boundary::Sentence => self.sentence += 1,
                boundary::Boundary::Paragraph => {
                    self.sentence += 1;
                    self.paragraph += 1;
                }
            }
        }
        self.last_end = source.end;
        let span = Span {
            start: index32(source.start),
            end: index32(source.end),
        };
        let token = Token {
            source: span,
            sentence: self.sentence,
            paragraph: self.paragraph,
        };
        self.tokens.push(token, term);
    }

    /// The same for a slice of the text.
    fn push_slice(&mut self, written: &'t str, term: &str) {
        let start = written.as_ptr() as usize - self.text.as_ptr() as usize;
        self.push(start..start + written.len(), term);
    }

    fn finish(self) -> Tokens {
        self.tokens
    }
}
