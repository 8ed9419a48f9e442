//! Program text as classes (Finkel et al., section 2.1): one generic lexer for the languages that
//! look like C, Python or Pascal.

use super::Builder;

/// One token per lexeme: a letter of its own for each keyword, `i` for any other identifier, `0`
/// for a number, `"` for a quoted text, and punctuation as it is. Comments and white space go.
pub(super) fn tokenize(builder: &mut Builder<'_>) {
    let text = builder.text;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, class) = if c.is_whitespace() {
            (c.len_utf8(), None)
        } else if let Some(length) = comment(rest) {
            (length, None)
        } else if c.is_alphabetic() || c == '_' {
            let length = prefix(rest, |c| c.is_alphanumeric() || c == '_');
            (length, Some(keyword(&rest[..length]).unwrap_or('i')))
        } else if c.is_numeric() {
            (
                prefix(rest, |c| c.is_alphanumeric() || c == '.' || c == '_'),
                Some('0'),
            )
        } else if matches!(c, '"' | '\'' | '`') {
            (quoted(rest, c), Some('"'))
        } else {
            (c.len_utf8(), Some(c))
        };
        if let Some(class) = class {
            let mut utf8 = [0; 4];
            builder.push(at..at + length, class.encode_utf8(&mut utf8));
        }
        at += length;
    }
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Length of a comment at the start of `text`. `#` is not one: in C it starts a directive.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        Some(text.find('\n').unwrap_or(text.len()))
    } else {
        let body = text.strip_prefix("/*")?;
        Some(body.find("*/").map_or(text.len(), |at| at + 4))
    }
}

/// Length of a quoted text on one line, with its quotes; an unclosed quote stands for itself.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => break,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    quote.len_utf8()
}

/// The letter of a keyword; keywords that do the same in different languages share one.
fn keyword(word: &str) -> Option<char> {
    KEYWORDS
        .iter()
        .find(|(_, words)| words.split(' ').any(|known| known == word))
        .map(|(c, _)| *c)
}

/// `i` is taken by identifiers. The letter is all that a chunk keeps of a keyword.
const KEYWORDS: &[(char, &str)] = &[
    ('f', "for foreach"),
    ('w', "while until"),
    ('d', "do loop repeat"),
    ('c', "if elif elsif unless"),
    ('e', "else otherwise"),
    ('s', "switch match select"),
    ('k', "case when"),
    ('b', "break"),
    ('n', "continue next"),
    ('r', "return"),
    ('g', "goto"),
    ('y', "yield await"),
    ('t', "try"),
    ('x', "catch except rescue"),
    ('z', "finally ensure defer"),
    ('h', "throw throws raise panic"),
    (
        'm',
        "import include using use from require package module namespace",
    ),
    ('F', "def fn func function sub procedure proc lambda"),
    ('C', "class struct record interface trait impl object union"),
    ('E', "enum"),
    ('T', "typedef type"),
    ('V', "var let const val final static"),
    ('I', "int long short byte unsigned signed integer size_t"),
    ('D', "float double real"),
    ('H', "char string str"),
    ('B', "bool boolean"),
    ('v', "void unit"),
    (
        'P',
        "public private protected internal pub extern virtual abstract override",
    ),
    ('N', "new"),
    ('X', "delete del"),
    ('S', "self this super"),
    ('u', "null nil none None NULL undefined"),
    ('j', "true True false False"),
    ('a', "and"),
    ('o', "or"),
    ('p', "not"),
    ('q', "in is instanceof"),
    ('l', "print println printf echo"),
    ('{', "begin"),
    ('}', "end"),
];

#[cfg(test)]
mod tests {
    use crate::token::Tokenizer;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(
            Tokenizer::Code.tokens(text).terms().collect::<String>(),
            expected,
            "{text:?}"
        );
    }

    #[test]
    fn classes() {
        check(
            "for (int k = 0; k < n_max; k++) { s += a[k]; } // sum",
            "f(Ii=0;i<i;i++){i+=i[i];}",
        );
        check(
            "while x /* not\nnow */ != 0x1F: print(\"a \\\" b\")",
            "wi!=0:l(\")",
        );
        check("don't stop", "i\"ii");
        check("a /*/ b */ c", "ii");
        check("", "");
    }

    #[test]
    fn renaming_changes_nothing() {
        let class = |text| Tokenizer::Code.tokens(text).terms().collect::<String>();
        assert_eq!(
            class("if (total > 10) return total;"),
            class("if(sum_2>99)\n return  sum_2;")
        );
    }
}
