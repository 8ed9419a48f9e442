//! Lists of references: entries that look like references behind a heading that says so, or several
//! that leave no doubt.

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
/// Without a heading it takes three entries one after another that each have the initial of an
/// author in front, and then a year, and pages, a volume or a publisher.
pub fn bibliographies(text: &str) -> Vec<Span> {
    let headed = with_heading(text);
    let mut spans = without_heading(text);
    spans.retain(|span| {
        let apart = |other: &Span| other.end <= span.start || span.end <= other.start;
        headed.iter().all(apart)
    });
    spans.extend(headed);
    spans.sort_by_key(|span| span.start);
    spans
}

fn with_heading(text: &str) -> Vec<Span> {
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

/// So many entries are a list without a heading,
const FEWEST: usize = 3;
/// and an author's initial is among so many of an entry's first words.
const INITIAL: usize = 5;

fn without_heading(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut list: Vec<Reference> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let goes_on = list.last().is_some_and(|last| last.lines <= PATIENCE);
        if has_initial(line) {
            // What came before is an entry only if it is complete.
            if !list.last().is_none_or(Reference::is_complete) {
                spans.extend(span_of(&list));
                list.clear();
            }
            list.push(Reference::new(at));
        } else if !goes_on {
            spans.extend(span_of(&list));
            list.clear();
        }
        if let Some(last) = list.last_mut() {
            last.add(line, end);
        }
        at = end;
    }
    spans.extend(span_of(&list));
    spans
}

/// The bytes of the complete entries, if they are enough for a list.
fn span_of(list: &[Reference]) -> Option<Span> {
    let complete = list.iter().take_while(|entry| entry.is_complete());
    let complete = &list[..complete.count()];
    (complete.len() >= FEWEST).then(|| Span {
        start: index32(complete[0].start),
        end: index32(complete[complete.len() - 1].end),
    })
}

/// What looks like a reference.
struct Reference {
    start: usize,
    /// Where the line ends that completes it.
    end: usize,
    lines: usize,
    has_year: bool,
    /// Pages, a volume or a publisher.
    has_source: bool,
}

impl Reference {
    fn new(start: usize) -> Reference {
        Reference {
            start,
            end: start,
            lines: 0,
            has_year: false,
            has_source: false,
        }
    }

    fn add(&mut self, line: &str, end: usize) {
        if line.trim().is_empty() {
            return;
        }
        self.lines += 1;
        // What follows a complete entry may be something else.
        if !self.is_complete() {
            self.has_year |= has_year(line);
            self.has_source |= has_source(line);
            self.end = end;
        }
    }

    fn is_complete(&self) -> bool {
        self.has_year && self.has_source
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
            piece.len() <= 5 && is_year(digits)
        })
}

fn is_year(digits: &str) -> bool {
    let year = digits.parse::<u32>();
    digits.len() == 4 && year.is_ok_and(|year| (1500..2100).contains(&year))
}

/// A single capital with a full stop, such as `J.` or `J.-P.`, among the first words.
fn has_initial(line: &str) -> bool {
    line.split_whitespace().take(INITIAL).any(|word| {
        let mut letters = word.chars().skip_while(|c| !c.is_alphanumeric());
        letters.next().is_some_and(char::is_uppercase) && letters.next() == Some('.')
    })
}

/// Pages, a volume with its number, or what journals and publishers are called.
fn has_source(line: &str) -> bool {
    const NAMES: [&str; 8] = [
        "Journal",
        "Press",
        "Proceedings",
        "University",
        "Verlag",
        "doi",
        "pp.",
        "://",
    ];
    NAMES.iter().any(|name| line.contains(name)) || has_pages(line) || has_volume(line)
}

/// Two numbers with a dash between them that are not the years of somebody's life.
fn has_pages(line: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    line.match_indices(['-', '–']).any(|(at, dash)| {
        let before = line[..at].rsplit(|c| !is_digit(c)).next();
        let after = line[at + dash.len()..].trim_start_matches('-');
        let after = after.split(|c| !is_digit(c)).next();
        let (before, after) = (before.unwrap_or(""), after.unwrap_or(""));
        let is_life = is_year(before) && is_year(after);
        !before.is_empty() && !after.is_empty() && !is_life
    })
}

/// A number with another in parentheses behind it: `11(2)`.
fn has_volume(line: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    line.match_indices('(')
        .any(|(at, _)| line[..at].ends_with(is_digit) && line[at + 1..].starts_with(is_digit))
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

    const ENTRIES: &str = "Alder, J. (1990). Canals of the north. Water and Society, 11(2), 114-131.\n\
        [2] P. Brook and S. Heath, Flour before the railway, Review of Trade 47,\n    \
        pp. 33-58, 1994.\n\n\
        Carr, L. (2001): Locks and weirs. Harrow University Press.\n";

    #[test]
    fn entries_that_need_no_heading() {
        check(&format!("The end.\n\n{ENTRIES}"), &[ENTRIES]);
        let story = "After that the keepers went home.\n";
        check(&format!("{ENTRIES}\n{story}{story}"), &[ENTRIES]);
        let headed = format!("References\n{ENTRIES}");
        check(&headed, &[&headed]);
        let two = ENTRIES.split_inclusive("\n\n").next().unwrap();
        check(two, &[]);
    }

    #[test]
    fn lives_and_stories_are_no_list() {
        let life = "Ada B. Alder (1840-1900), who kept the lock.\n";
        check(&life.repeat(5), &[]);
        let story = "In 1990 J. Alder left the mill, and nobody knew where he went.\n";
        check(&story.repeat(5), &[]);
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
