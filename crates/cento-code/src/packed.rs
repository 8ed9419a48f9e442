//! A program as flat arrays of numbers, which is how it crosses the border of a process.

use serde::{Deserialize, Serialize};

use crate::{Class, Highlight, Language, Program, Subroutine, Token};

/// Spans are written as the distance from the start before and a length; the third number is the
/// term, depth or class.
#[derive(Serialize, Deserialize)]
pub(crate) struct Packed {
    language: Language,
    terms: Vec<String>,
    letters: Vec<u32>,
    structure: Vec<u32>,
    subroutines: Vec<u32>,
    highlights: Vec<u32>,
}

impl From<Program> for Packed {
    fn from(program: Program) -> Packed {
        let token = |token: &Token| (token.start, token.end, u32::from(token.term));
        Packed {
            language: program.language,
            terms: program.terms,
            letters: pack(program.letters.iter().map(token)),
            structure: pack(program.structure.iter().map(token)),
            subroutines: pack(
                program
                    .subroutines
                    .iter()
                    .map(|s| (s.start, s.end, s.depth)),
            ),
            highlights: pack(
                program
                    .highlights
                    .iter()
                    .map(|h| (h.start, h.end, number(h.class))),
            ),
        }
    }
}

impl TryFrom<Packed> for Program {
    type Error = &'static str;

    fn try_from(packed: Packed) -> Result<Program, &'static str> {
        let terms = packed.terms.len();
        let token = |(start, end, term)| match u16::try_from(term) {
            Ok(term) if usize::from(term) < terms => Ok(Token { start, end, term }),
            _ => Err("a token names a term that does not exist"),
        };
        let subroutine = |(start, end, depth)| Ok(Subroutine { start, end, depth });
        let highlight = |(start, end, class)| {
            let class = class_of(class).ok_or("a highlight has no class")?;
            Ok(Highlight { start, end, class })
        };
        Ok(Program {
            language: packed.language,
            letters: unpack(&packed.letters, token)?,
            structure: unpack(&packed.structure, token)?,
            subroutines: unpack(&packed.subroutines, subroutine)?,
            highlights: unpack(&packed.highlights, highlight)?,
            terms: packed.terms,
        })
    }
}

fn pack(spans: impl Iterator<Item = (u32, u32, u32)>) -> Vec<u32> {
    let mut before = 0;
    spans
        .flat_map(|(start, end, third)| {
            let gap = start - before;
            before = start;
            [gap, end - start, third]
        })
        .collect()
}

fn unpack<T>(
    numbers: &[u32],
    make: impl Fn((u32, u32, u32)) -> Result<T, &'static str>,
) -> Result<Vec<T>, &'static str> {
    let (triples, []) = numbers.as_chunks::<3>() else {
        return Err("a list of spans is cut off");
    };
    let mut start = 0_u32;
    triples
        .iter()
        .map(|[gap, length, third]| {
            start = start.checked_add(*gap).ok_or("a span is out of range")?;
            let end = start.checked_add(*length).ok_or("a span is out of range")?;
            make((start, end, *third))
        })
        .collect()
}

fn number(class: Class) -> u32 {
    match class {
        Class::Keyword => 0,
        Class::String => 1,
        Class::Number => 2,
        Class::Comment => 3,
    }
}

fn class_of(number: u32) -> Option<Class> {
    [Class::Keyword, Class::String, Class::Number, Class::Comment]
        .into_iter()
        .find(|class| self::number(*class) == number)
}
