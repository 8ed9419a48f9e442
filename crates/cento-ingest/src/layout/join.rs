//! The parts of a document → one text.

use std::ops::Range;

use crate::isolate::Readers;
use crate::options::size;
use crate::program::{Programs, language_of};
use crate::{CodeSpan, Concealed, Document, Error, FoundDocument, Kind, Limit, PartSpan, Text};

impl Readers {
    /// The text of a document that was found.
    ///
    /// A part that cannot be read is a warning as long as another one can be. A part that repeats
    /// another one, such as the PDF of a Word document, is left out.
    pub fn read(&self, found: &FoundDocument) -> Result<Document, Error> {
        let mut texts = Vec::with_capacity(found.parts.len());
        let mut warnings = Vec::new();
        let mut errors = Vec::new();
        let mut total = 0;
        for part in &found.parts {
            let about = |text: &str| match found.parts.len() {
                1 => text.to_owned(),
                _ => format!("{}: {text}", part.file),
            };
            warnings.extend(part.warning.as_deref().map(about));
            match self.text(&part.place) {
                Ok(mut text) => {
                    let own = std::mem::take(&mut text.warnings);
                    warnings.extend(own.iter().map(|warning| about(warning)));
                    total += text.content.len() as u64;
                    texts.push((part.file.clone(), text));
                }
                Err(error) if found.parts.len() == 1 => return Err(error),
                Err(error) => errors.push(error.at(&part.file)),
            }
            let limit = self.reading().limits.text_size;
            if total > limit {
                let message = format!("its text is larger than {}", size(limit));
                return Err(Limit::TextSize.reached(message));
            }
        }
        if texts.is_empty() {
            return Err(Error::Parts(errors));
        }
        warnings.extend(errors.iter().map(Error::to_string));
        let (mut document, code) = joined(texts, warnings);
        if !matches!(self.reading().programs, Programs::Auto | Programs::Text) {
            self.add_programs(&mut document, &code);
        }
        if !found.is_submission {
            document.parts.clear();
        }
        Ok(document)
    }
}

/// The document, and for each of its parts where it says itself that programs are.
fn joined(
    mut texts: Vec<(String, Text)>,
    mut warnings: Vec<String>,
) -> (Document, Vec<Vec<CodeSpan>>) {
    leave_out_repeats(&mut texts, &mut warnings);
    let (kind, encoding) = match texts.as_slice() {
        [(_, only)] => (Some(only.kind), only.encoding),
        _ => (None, None),
    };
    let mut parts = Vec::with_capacity(texts.len());
    let code = texts.iter_mut();
    let code = code
        .map(|(_, text)| std::mem::take(&mut text.code))
        .collect();
    let mut texts = texts.into_iter();
    let mut content = String::new();
    let mut concealed = Concealed::default();
    if let Some((file, first)) = texts.next() {
        content = first.content;
        concealed = first.concealed;
        parts.push(span(file, 0..content.len()));
    }
    for (file, text) in texts {
        // Words, sentences and paragraphs end with their part.
        content.push_str("\n\n");
        let start = content.len();
        content.push_str(&text.content);
        concealed.append(text.concealed, start);
        parts.push(span(file, start..content.len()));
    }
    let document = Document {
        content,
        kind,
        encoding,
        warnings,
        concealed,
        parts,
        programs: Vec::new(),
    };
    (document, code)
}

fn span(file: String, bytes: Range<usize>) -> PartSpan {
    let position = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
    PartSpan {
        file,
        start: position(bytes.start),
        end: position(bytes.end),
    }
}

/// A part with this share of words in common with another repeats it.
const NEARLY_EQUAL: f64 = 0.9;
/// With fewer words than this, only an equal part is a repetition.
const FEW: usize = 20;

/// Leaves out parts that have nearly the words of another: the PDF rather than what it was made
/// from, otherwise the later one. Programs that are nearly the same are two all the same.
fn leave_out_repeats(texts: &mut Vec<(String, Text)>, warnings: &mut Vec<String>) {
    if texts.len() < 2 {
        return;
    }
    let bags: Vec<Vec<u64>> = texts.iter().map(|(_, text)| bag(&text.content)).collect();
    let is_program = texts
        .iter()
        .map(|(file, text)| language_of(file, &text.content).is_some());
    let is_program: Vec<bool> = is_program.collect();
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|&number| texts[number].1.kind == Kind::Pdf);
    let mut kept: Vec<usize> = Vec::new();
    for number in order {
        let is_repeat = |&&other: &&usize| {
            if is_program[number] || is_program[other] {
                texts[number].1.content == texts[other].1.content
            } else {
                is_nearly_equal(&bags[number], &bags[other])
            }
        };
        match kept.iter().find(is_repeat) {
            Some(&other) => {
                let [part, other] = [number, other].map(|number| &texts[number].0);
                warnings.push(format!("{part} repeats {other} and is left out"));
            }
            None => kept.push(number),
        }
    }
    let mut number = 0;
    texts.retain(|_| {
        number += 1;
        kept.contains(&(number - 1))
    });
}

/// The words of a text in the order of their hashes.
fn bag(text: &str) -> Vec<u64> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let hash = |word: &str| {
        let letters = word.chars().flat_map(char::to_lowercase);
        // FNV-1a over characters; equal words are all that matters.
        letters.fold(0xcbf2_9ce4_8422_2325_u64, |hash, c| {
            (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let mut bag: Vec<u64> = words.map(hash).collect();
    bag.sort_unstable();
    bag
}

fn is_nearly_equal(left: &[u64], right: &[u64]) -> bool {
    if left.len().min(right.len()) < FEW {
        return left == right;
    }
    let (mut l, mut r, mut common) = (0, 0, 0_usize);
    while l < left.len() && r < right.len() {
        match left[l].cmp(&right[r]) {
            std::cmp::Ordering::Less => l += 1,
            std::cmp::Ordering::Greater => r += 1,
            std::cmp::Ordering::Equal => {
                (l, r, common) = (l + 1, r + 1, common + 1);
            }
        }
    }
    2.0 * common as f64 >= NEARLY_EQUAL * (left.len() + right.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: Kind, content: &str) -> Text {
        Text {
            content: content.to_owned(),
            kind,
            encoding: None,
            warnings: Vec::new(),
            concealed: Concealed::default(),
            code: Vec::new(),
        }
    }

    #[test]
    fn a_part_that_repeats_another_counts_once() {
        let essay: Vec<String> = (0..200).map(|number| format!("word{number}")).collect();
        let essay = essay.join(" ");
        let parts = vec![
            (
                "essay.pdf".to_owned(),
                text(Kind::Pdf, &format!("Page 1 {essay} page 2")),
            ),
            ("essay.docx".to_owned(), text(Kind::Word, &essay)),
            ("notes.txt".to_owned(), text(Kind::Plain, "something else")),
        ];
        let (document, _) = joined(parts, Vec::new());
        let files: Vec<&str> = document
            .parts
            .iter()
            .map(|part| part.file.as_str())
            .collect();
        assert_eq!(files, ["essay.docx", "notes.txt"]);
        assert_eq!(
            document.warnings,
            ["essay.pdf repeats essay.docx and is left out"]
        );
        let [first, second] = document.parts.as_slice() else {
            panic!("two parts")
        };
        assert_eq!(
            &document.content[first.start as usize..first.end as usize],
            essay
        );
        assert_eq!(&document.content[second.start as usize..], "something else");
    }

    #[test]
    fn programs_that_are_nearly_the_same_are_two() {
        let program = |shape: &str| {
            let body = "double side; double area() { return side * side; } ".repeat(10);
            text(Kind::Plain, &format!("class {shape} {{ {body} }}"))
        };
        let parts = vec![
            ("Circle.java".to_owned(), program("Circle")),
            ("Square.java".to_owned(), program("Square")),
            ("old/Square.java".to_owned(), program("Square")),
        ];
        let (document, _) = joined(parts, Vec::new());
        assert_eq!(document.parts.len(), 2);
        assert_eq!(
            document.warnings,
            ["old/Square.java repeats Square.java and is left out"]
        );
    }
}
