//! What was read → a text with the tokens of the programs in it.

use std::ops::Range;

use cento::report::{Highlight, Lexical, ProgramPlace};
use cento::token::{Content, Program, Span, Token, Tokenizer, Tokens, View};
use cento_ingest::{Class, Document, Input, ProgramPart};

/// A document as it is compared: with the tokens of its programs, if it has any.
pub(crate) fn content(document: &Document) -> Content {
    content_with(document.content.clone(), &document.programs)
}

/// A text as it is compared, with the programs in it.
pub(crate) fn content_with(text: String, programs: &[ProgramPart]) -> Content {
    let program = (!programs.is_empty()).then(|| Program {
        letters: tokens(&text, programs, View::Letters),
        structure: tokens(&text, programs, View::Structure),
    });
    Content { text, program }
}

/// The language of most of a document's programs.
pub(crate) fn language(document: &Document) -> Option<&str> {
    let bytes = |language: &str| -> u32 {
        let parts = document.programs.iter();
        let parts = parts.filter(|part| part.language == language);
        parts.map(|part| part.end - part.start).sum()
    };
    let languages = document.programs.iter().map(|part| part.language.as_str());
    languages.max_by_key(|language| (bytes(language), std::cmp::Reverse(*language)))
}

/// What a highlighter colours in the programs of a document that was read.
pub(crate) fn highlights(input: &Input) -> Vec<Highlight> {
    let Ok(document) = input.read() else {
        return Vec::new();
    };
    let of_part = |part: &ProgramPart| {
        let start = part.start;
        let highlights = part
            .program
            .as_ref()
            .map_or(&[][..], |program| &program.highlights);
        let moved = move |one: &cento_ingest::Highlight| {
            let lexical = match one.class {
                Class::Keyword => Lexical::Keyword,
                Class::String => Lexical::String,
                Class::Number => Lexical::Number,
                Class::Comment => Lexical::Comment,
            };
            Highlight(start + one.start, start + one.end, lexical)
        };
        highlights.iter().map(moved).collect::<Vec<Highlight>>()
    };
    document.programs.iter().flat_map(of_part).collect()
}

/// Where the programs of a document that was read are in its text.
pub(crate) fn places(input: &Input) -> Vec<ProgramPlace> {
    let document = input.read();
    let parts = document.iter().flat_map(|document| &document.programs);
    parts
        .map(|part| ProgramPlace(part.start, part.end, part.language.clone()))
        .collect()
}

/// One view of all programs of a text. A paragraph is a subroutine, or what stands between two.
fn tokens(text: &str, programs: &[ProgramPart], view: View) -> Tokens {
    let mut all: Vec<(Token, &str)> = Vec::new();
    let lexed: Vec<Option<Tokens>> = programs
        .iter()
        .map(|part| match part.program {
            Some(_) => None,
            None => Some(Tokenizer::Code(view).tokens(text_of(text, part))),
        })
        .collect();
    let mut paragraphs = 0;
    for (part, lexed) in programs.iter().zip(&lexed) {
        let first = paragraphs;
        let mut push = |bytes: Range<u32>, paragraph: u32, term| {
            let number = first + paragraph;
            paragraphs = paragraphs.max(number + 1);
            let token = Token {
                source: Span {
                    start: part.start + bytes.start,
                    end: part.start + bytes.end,
                },
                sentence: number,
                paragraph: number,
            };
            all.push((token, term));
        };
        if let Some(program) = &part.program {
            let borders = borders(program);
            let view = match view {
                View::Letters => &program.letters,
                View::Structure | View::Both => &program.structure,
            };
            for token in view {
                let paragraph = borders.partition_point(|border| *border <= token.start);
                let paragraph = u32::try_from(paragraph).unwrap_or(u32::MAX);
                push(token.start..token.end, paragraph, program.term(*token));
            }
        } else if let Some(lexed) = lexed {
            for (number, term) in (0..).zip(lexed.terms()) {
                let token = lexed.get(number);
                let bytes = token.source.start..token.source.end;
                push(bytes, token.paragraph, term);
            }
        }
    }
    all.into_iter().collect()
}

fn text_of<'t>(text: &'t str, part: &ProgramPart) -> &'t str {
    let bytes = part.start as usize..part.end as usize;
    text.get(bytes).unwrap_or_default()
}

/// Where subroutines begin and end that are not in others.
fn borders(program: &cento_ingest::Program) -> Vec<u32> {
    let outer = program
        .subroutines
        .iter()
        .filter(|subroutine| subroutine.depth == 0);
    outer
        .flat_map(|subroutine| [subroutine.start, subroutine.end])
        .collect()
}

#[cfg(test)]
mod tests {
    /// Fingerprints of programs say by which tables their tokens were made.
    #[test]
    fn recipes_name_the_revision_of_the_grammars() {
        let grammars = cento_ingest::GRAMMAR_REVISION;
        assert_eq!(cento::token::STRUCTURE_REVISION, grammars);
    }
}
