//! Lists of references: a heading that says so, and entries that look like references.

use crate::number::index32;
use crate::token::Span;

/// Headings of lists of references, in lower case.
const HEADINGS: &[&str] = &[
    "bibliografia",
    "bibliografía",
    "bibliografie",
    "bibliographie",
    "bibliography",
    "cited literature",
    "further reading",
    "list of references",
    "literatur",
    "literatura",
    "literature",
    "literature cited",
    "literaturverzeichnis",
    "list of literature",
    "použitá literatura",
    "použité zdroje",
    "quellen",
    "quellenverzeichnis",
    "reference list",
    "references",
    "references cited",
    "referencias",
    "referências",
    "referenser",
    "riferimenti bibliografici",
    "références",
    "seznam literatury",
    "seznam použité literatury",
    "seznam použitých zdrojů",
    "selected bibliography",
    "sources",
    "works cited",
    "works consulted",
    "zdroje",
    "zoznam použitej literatúry",
    "литература",
    "список литературы",
    "参考文献",
    "參考文獻",
];

/// How many lines in a row may not look like part of an entry before the list is over.
const PATIENCE: usize = 4;

/// The lists of references of a text, with their headings.
///
/// A list begins behind a heading on a line of its own and goes on as long as entries follow: lines
/// with a year, a number in brackets, an address on the web, each with the lines that continue it.
pub fn bibliographies(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut list: Option<List> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if is_heading(line) {
            spans.extend(list.take().and_then(List::span));
            list = Some(List::new(at));
        } else if let Some(current) = &mut list
            && !current.goes_on(line, end)
        {
            spans.extend(list.take().and_then(List::span));
        }
        at = end;
    }
    spans.extend(list.and_then(List::span));
    spans
}

struct List {
    start: usize,
    /// Where the last line ends that belongs to an entry.
    end: usize,
    entries: usize,
    odd_lines: usize,
}

impl List {
    fn new(start: usize) -> List {
        List {
            start,
            end: start,
            entries: 0,
            odd_lines: 0,
        }
    }

    fn goes_on(&mut self, line: &str, end: usize) -> bool {
        if line.trim().is_empty() {
            return true;
        }
        if is_entry(line) {
            self.entries += 1;
            self.odd_lines = 0;
            self.end = end;
        } else {
            self.odd_lines += 1;
        }
        self.odd_lines <= PATIENCE
    }

    fn span(self) -> Option<Span> {
        (self.entries > 0).then(|| Span {
            start: index32(self.start),
            end: index32(self.end),
        })
    }
}

fn is_heading(line: &str) -> bool {
    if line.len() > 80 {
        return false;
    }
    // A number, Markdown's hashes or a colon may stand round it.
    let words = line
        .trim_matches(|c: char| !c.is_alphabetic())
        .to_lowercase();
    let words = match words.split_once(". ") {
        Some((roman, rest)) if roman.chars().all(|c| matches!(c, 'i' | 'v' | 'x')) => rest.trim(),
        _ => words.as_str(),
    };
    HEADINGS.contains(&words)
}

fn is_entry(line: &str) -> bool {
    let line = line.trim();
    let numbered =
        line.starts_with('[') && line.find(']').is_some_and(|end| (2..12).contains(&end));
    numbered
        || line.contains("://")
        || line.contains("doi:")
        || line.contains("ISBN")
        || has_year(line)
}

/// A number from 1500 to 2099 that stands alone.
fn has_year(line: &str) -> bool {
    line.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|piece| {
            let digits = piece.trim_end_matches(|c: char| c.is_ascii_lowercase());
            digits.len() == 4
                && piece.len() <= 5
                && digits
                    .parse::<u32>()
                    .is_ok_and(|year| (1500..2100).contains(&year))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = bibliographies(text)
            .iter()
            .map(|span| &text[span.start as usize..span.end as usize])
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn entries_behind_a_heading() {
        check(
            "The end.\n\nReferences\n\nAlder, J. (1990). Canals of the north.\nHarrow Press.\n\n[2] Brook, Locks.\n",
            &[
                "References\n\nAlder, J. (1990). Canals of the north.\nHarrow Press.\n\n[2] Brook, Locks.\n",
            ],
        );
        check(
            "## 7. Works cited:\nAlder, Canals, 1990a.\n",
            &["## 7. Works cited:\nAlder, Canals, 1990a.\n"],
        );
        check(
            "IV. Literatura\nNovák, Průplavy, 1990.\n",
            &["IV. Literatura\nNovák, Průplavy, 1990.\n"],
        );
    }

    #[test]
    fn the_list_ends_where_the_entries_end() {
        let story = "a plain line of the story\n".repeat(9);
        check(
            &format!("References\nAlder 1990.\n\n{story}In 1950 the town\n"),
            &["References\nAlder 1990.\n"],
        );
    }

    #[test]
    fn a_heading_alone_or_a_mention_is_no_list() {
        check(
            "Sources\n\nThe river has two sources, and both are small.\n",
            &[],
        );
        check("The references of 1990 are lost.\nAlder (1990)\n", &[]);
    }
}
