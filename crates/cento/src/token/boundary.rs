//! Where sentences and paragraphs end: one rule for all tokenizers.

use std::ops::Range;

/// What separates two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Boundary {
    None,
    Sentence,
    Paragraph,
}

/// What the gap between two neighbouring tokens separates.
///
/// A blank line ends a paragraph. A sentence ends at `.`, `!`, `?` or an ellipsis that white space
/// follows, closing quotes and brackets allowed between, unless the text goes on in lower case
/// (which spares most abbreviations); and at `。`, `！`, `？` whatever follows.
pub(super) fn between(text: &str, gap: Range<usize>) -> Boundary {
    // Most gaps are one space.
    if gap.len() <= 1 {
        return Boundary::None;
    }
    let mut found = Boundary::None;
    let mut newline_pending = false;
    for (offset, c) in text[gap.clone()].char_indices() {
        match c {
            '\n' if newline_pending => return Boundary::Paragraph,
            '\n' => newline_pending = true,
            '\u{2029}' => return Boundary::Paragraph,
            _ if c.is_whitespace() => {}
            _ => {
                newline_pending = false;
                let rest = &text[gap.start + offset + c.len_utf8()..];
                if ends_sentence(c, rest) {
                    found = Boundary::Sentence;
                }
            }
        }
    }
    found
}

fn ends_sentence(c: char, rest: &str) -> bool {
    match c {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' | '…' => {
            let rest = rest.trim_start_matches(is_closer);
            let next = rest.trim_start();
            next.len() < rest.len()
                && !next
                    .trim_start_matches(is_opener)
                    .starts_with(char::is_lowercase)
        }
        _ => false,
    }
}

fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '»' | '.' | '!' | '?' | '…'
    )
}

fn is_opener(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | '[' | '{' | '“' | '‘' | '«' | '„')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Boundary) {
        let start = text.find('|').unwrap();
        let end = text.rfind('|').unwrap() - 1;
        let text = text.replace('|', "");
        assert_eq!(between(&text, start..end), expected, "{text:?}");
    }

    #[test]
    fn gaps() {
        check("one| |two", Boundary::None);
        check("one|, |two", Boundary::None);
        check("one|. |Two", Boundary::Sentence);
        check("one|.\n|Two", Boundary::Sentence);
        check("e.g|. |this", Boundary::None);
        check("3|.|14", Boundary::None);
        check("said|.\" (|He", Boundary::Sentence);
        check("one|?! |Two", Boundary::Sentence);
        check("一|。|二", Boundary::Sentence);
        check("one|\n|two", Boundary::None);
        check("one|\n \n|two", Boundary::Paragraph);
        check("one|.\r\n\r\n|two", Boundary::Paragraph);
        check("one|\n* \n|two", Boundary::None);
    }
}
