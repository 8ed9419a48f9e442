//! Text in quotation marks of many languages, and block quotations.

use crate::number::index32;
use crate::token::Span;

/// What stands in quotation marks, without the marks, and the lines that begin with `>`.
///
/// A quotation ends within its paragraph, so that a mark that is never closed does not excuse the
/// rest of the text.
pub fn quotations(text: &str) -> Vec<Span> {
    let mut spans = marked(text);
    spans.extend(block_quotations(text));
    spans.sort_by_key(|span| (span.start, span.end));
    spans
}

struct Open {
    closers: &'static [char],
    start: usize,
}

fn marked(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut open: Option<Open> = None;
    let mut before = '\n';
    let mut newline_pending = false;
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        if c == '\n' && newline_pending {
            open = None;
        }
        newline_pending = c == '\n' || (newline_pending && c.is_whitespace());
        let next = text[after..].chars().next().unwrap_or('\n');
        match &open {
            Some(Open { closers, start }) if closers.contains(&c) && closes(c, before, next) => {
                spans.push(Span {
                    start: index32(*start),
                    end: index32(at),
                });
                open = None;
            }
            _ => {
                if let Some(closers) = closers_of(c)
                    && opens(c, before, next)
                {
                    open = Some(Open {
                        closers,
                        start: after,
                    });
                }
            }
        }
        before = c;
    }
    spans
}

fn closers_of(opener: char) -> Option<&'static [char]> {
    Some(match opener {
        '"' => &['"'],
        '“' | '”' => &['”'],
        '„' => &['“', '”'],
        '«' => &['»'],
        '»' => &['«', '»'],
        '‘' => &['’'],
        '‚' => &['‘', '’'],
        '「' => &['」'],
        '『' => &['』'],
        _ => return None,
    })
}

/// An opening mark stands before a word and not behind one; those of Chinese and Japanese have no
/// spaces round them.
fn opens(c: char, before: char, next: char) -> bool {
    matches!(c, '「' | '『' | '“') || (!before.is_alphanumeric() && !next.is_whitespace())
}

/// A closing mark is not an apostrophe inside a word, nor one that could only open.
fn closes(c: char, before: char, next: char) -> bool {
    match c {
        '’' | '‘' => !next.is_alphanumeric(),
        '"' => !before.is_whitespace(),
        _ => true,
    }
}

fn block_quotations(text: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_start().starts_with('>') {
            let (start, end) = (index32(at), index32(end));
            match spans.last_mut() {
                Some(span) if span.end == start => span.end = end,
                _ => spans.push(Span { start, end }),
            }
        }
        at = end;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = quotations(text)
            .iter()
            .map(|span| &text[span.start as usize..span.end as usize])
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn marks_of_many_languages() {
        check(
            r#"He said "the canal is open" and left."#,
            &["the canal is open"],
        );
        check(
            "He said “the canal is open” and left.",
            &["the canal is open"],
        );
        check(
            "Er sagte: „Der Kanal ist offen“ – so.",
            &["Der Kanal ist offen"],
        );
        check("Il dit «le canal est ouvert».", &["le canal est ouvert"]);
        check("Er sagte »Der Kanal ist offen«.", &["Der Kanal ist offen"]);
        check(
            "‘the town’s canal is open’, he said",
            &["the town’s canal is open"],
        );
        check("他说「运河开放了」。", &["运河开放了"]);
        check(
            "a\n> quoted line\n> and one more\nb",
            &["> quoted line\n> and one more\n"],
        );
    }

    #[test]
    fn a_mark_that_is_never_closed_excuses_nothing() {
        check(
            "A 5\" pipe is narrow. Another \"line\n\nwith a new paragraph\" here",
            &[],
        );
        check("the boys’ canal isn’t theirs", &[]);
        check("\"open and \"again\" closed", &["again"]);
    }
}
