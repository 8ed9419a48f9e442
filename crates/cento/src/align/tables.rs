//! Tables of figures and filled-in forms, which have their labels in common with others of their
//! kind.

use crate::number::index32;
use crate::token::Span;

/// So many rows make a table.
const FEWEST: u32 = 4;

/// At most so many other words come to a figure in a row of several: the label and the units.
const WORDS_TO_A_FIGURE: usize = 3;

/// The most words of a label,
const LABEL: usize = 5;

/// and of what is filled in beside it.
const ENTRY: usize = 6;

/// The tables and forms of a text: at least four rows one after another, with at most one line
/// without a value between two of them, such as a heading.
///
/// A row is a line in which figures stand behind their label, or one with a label, a colon or a
/// tab, and a few words, which may stand on the next line.
pub(crate) fn tables(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut table: Option<Table> = None;
    let mut open: Option<Open> = None;
    for (at, line) in lines(text) {
        let end = at + line.len();
        let (kind, start) = match (Line::of(line), open.take()) {
            (Line::Open, _) => {
                open = Some(Open::new(line, at));
                (Line::Open, at)
            }
            (_, Some(open)) if open.is_filled_by(line) => (Line::Row, open.start),
            (kind, _) => (kind, at),
        };
        match (kind, &mut table) {
            (Line::Row, None) => table = Some(Table::new(start, end)),
            (Line::Row, Some(table)) => table.go_on(end),
            (Line::Open | Line::Label, Some(table)) if !table.has_label => table.has_label = true,
            (Line::Open | Line::Label | Line::Other, _) => {
                spans.extend(table.take().and_then(Table::span));
            }
        }
    }
    spans.extend(table.and_then(Table::span));
    spans
}

/// The lines that are not blank, and where each starts.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    let lines = text.split_inclusive('\n').map(move |line| {
        end += line.len();
        (end - line.len(), line)
    });
    lines.filter(|(_, line)| !line.trim().is_empty())
}

struct Table {
    start: usize,
    /// Where its last row ends.
    end: usize,
    rows: u32,
    /// Behind its last row there is a label.
    has_label: bool,
}

impl Table {
    fn new(start: usize, end: usize) -> Table {
        Table {
            start,
            end,
            rows: 1,
            has_label: false,
        }
    }

    fn go_on(&mut self, end: usize) {
        self.end = end;
        self.rows += 1;
        self.has_label = false;
    }

    fn span(self) -> Option<Span> {
        (self.rows >= FEWEST).then(|| Span {
            start: index32(self.start),
            end: index32(self.end),
        })
    }
}

/// A label and a colon at the end of a line.
struct Open {
    start: usize,
    indent: usize,
}

impl Open {
    fn new(line: &str, start: usize) -> Open {
        let indent = indent(line);
        Open { start, indent }
    }

    /// Whether the next line is its value: a few words that are not within it, as in a program.
    fn is_filled_by(&self, line: &str) -> bool {
        let words = count(line);
        (1..=ENTRY).contains(&words) && !line.contains(OF_PROGRAMS) && indent(line) <= self.indent
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

enum Line {
    /// A label with its value.
    Row,
    /// A label whose value is to follow.
    Open,
    /// A few words without a value.
    Label,
    Other,
}

impl Line {
    fn of(line: &str) -> Line {
        let line = line.trim();
        // Most lines are prose, and longer than any row.
        if line.len() > LONGEST || line.contains(OF_PROGRAMS) {
            return Line::Other;
        }
        let words = line.split_whitespace().filter(|word| has_sign(word));
        let words: Vec<&str> = words.collect();
        let figures = words.iter().filter(|word| is_figure(word)).count();
        let others = words.len() - figures;
        let ends_in_figure = words.last().is_some_and(|word| is_figure(word));
        if others <= WORDS_TO_A_FIGURE * figures && figures > 0
            || others <= LABEL && ends_in_figure
            || is_field(line)
        {
            Line::Row
        } else if others <= LABEL && line.ends_with(':') {
            Line::Open
        } else if others <= LABEL {
            Line::Label
        } else {
            Line::Other
        }
    }
}

/// In bytes.
const LONGEST: usize = 200;

/// What assignments and blocks have, and tables have not: in programs, renamed words are worth
/// finding.
const OF_PROGRAMS: [char; 4] = [';', '{', '}', '='];

/// How many words there are.
fn count(text: &str) -> usize {
    let words = text.split_whitespace();
    words.filter(|word| has_sign(word)).count()
}

fn has_sign(word: &str) -> bool {
    word.contains(char::is_alphanumeric)
}

fn is_figure(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit()) && !word.contains(char::is_alphabetic)
}

/// Whether there are a label, a colon or a tab, and something behind it.
fn is_field(line: &str) -> bool {
    let parts = line.split_once(": ").or_else(|| line.split_once('\t'));
    let Some((label, entry)) = parts else {
        return false;
    };
    (1..=LABEL).contains(&count(label)) && (1..=ENTRY).contains(&count(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = tables(text)
            .iter()
            .map(|span| &text[span.start as usize..span.end as usize])
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn rows_of_figures() {
        let rows = "Net sales      18,611   17,020\nCost of sales  11,004   10,310\n\
                    Profit          7,607    6,710\nDividend        0.40     0.35\n";
        check(
            &format!("The year was good.\n\n{rows}\nIt ended well.\n"),
            &[rows],
        );
        let briefs = "Shr 33 cts vs 95 cts\nNet 368,914 vs 708,961\nYear\nShr 4 dlrs vs 3 dlrs\n\
                      Revs 4.58 billion vs 2.83 billion\n";
        check(briefs, &[briefs]);
        let one = "Sales 9\nProvision for income taxes 12\nTax on this and that 3\nNet 7\n";
        check(one, &[one]);
        let cells = "12,450\n\nCost of sales\n\n9,310\n\nNet\n\n44\n\n45\n";
        check(cells, &[cells]);
    }

    #[test]
    fn fields_of_a_form() {
        let form = "Name: Anna Alder\nBorn: 3 May 1981\n\nTown: Harrow\nTrade: nurse\n";
        check(&format!("Please fill in.\n{form}"), &[form]);
        let sheet = "Name\tAnna Alder\nTown\tHarrow\nTrade\tnurse\nPupils\tnone\n";
        check(sheet, &[sheet]);
    }

    #[test]
    fn values_on_lines_of_their_own() {
        let form = "Name:\n\nAnna Alder\n\nTown:\nHarrow\nBorn:\n3 May 1981\nTrade:\nnurse\n";
        check(&format!("Please fill in.\n{form}"), &[form]);
        check(
            "if a:\n  return b\nelif c:\n  return d\nelif e:\n  return f\nelse:\n  return g\n",
            &[],
        );
    }

    #[test]
    fn prose_and_programs_are_no_tables() {
        check(
            "In 1990 the mill had 12 boats and 40 men who\nloaded flour at night; by 1995 it had 3,\n\
             and in 1997 it closed for good: nobody came to\nlook for work there any more.\n",
            &[],
        );
        check("int a = 1;\nint b = 22;\nint c = a + 3;\nreturn 4;\n", &[]);
        check(
            "Anna: Did you count the sacks that came in with the last boat?\n\
               Jan: I counted them twice and wrote it down in the book.\n\
               Anna: Then somebody has taken three of them since.\n\
               Jan: It was not me, and it was not my brother either.\n",
            &[],
        );
        check("Profit 7,607\nSales 9,310\nNet 44\n", &[]);
    }

    #[test]
    fn one_line_without_a_value_may_stand_between_rows() {
        let rows = "Sales 12\nCost 9\n";
        check(
            &format!("{rows}Assets\n{rows}"),
            &[&format!("{rows}Assets\n{rows}")],
        );
        check(&format!("{rows}Assets\nof the firm\n{rows}"), &[]);
    }
}
