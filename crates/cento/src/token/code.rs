//! Program text without a parser (Finkel et al., section 2.1): one lexer for the languages that look
//! like C, Python, Pascal or a shell.

use super::Builder;

/// One token per lexeme: a keyword as it is, `i` for any other identifier, `0` for a number, `"` for
/// a quoted text, and punctuation as it is. Comments and white space go.
pub(super) fn tokenize(builder: &mut Builder<'_>) {
    let text = builder.text;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, class) = if c.is_whitespace() {
            (c.len_utf8(), None)
        } else if let Some(length) = comment(&text[..at], rest) {
            (length, None)
        } else if c.is_alphabetic() || c == '_' {
            let length = prefix(rest, |c| c.is_alphanumeric() || c == '_');
            let word = &rest[..length];
            let is_keyword = KEYWORDS.binary_search(&word).is_ok();
            (length, Some(if is_keyword { word } else { "i" }))
        } else if c.is_numeric() {
            let is_part = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
            (prefix(rest, is_part), Some("0"))
        } else if matches!(c, '"' | '\'' | '`') {
            (quoted(rest, c), Some("\""))
        } else {
            (c.len_utf8(), Some(&rest[..c.len_utf8()]))
        };
        if let Some(class) = class {
            builder.push(at..at + length, class);
        }
        at += length;
    }
}

fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Length of a comment at the start of `rest`, which comes after `before`.
///
/// What begins a comment in one language is an operator in another: `#` and `--` do so only where no
/// operator would stand, and `#` not before the directives of C.
fn comment(before: &str, rest: &str) -> Option<usize> {
    let line = || Some(rest.find('\n').unwrap_or(rest.len()));
    if rest.starts_with("//") {
        return line();
    }
    if let Some(body) = rest.strip_prefix("/*") {
        return Some(body.find("*/").map_or(rest.len(), |at| at + 4));
    }
    let indent = before.trim_end_matches([' ', '\t']);
    let is_first = indent.is_empty() || indent.ends_with('\n');
    let is_apart = is_first || indent.len() < before.len();
    let is_set_off = |body: &str| is_apart && body.starts_with([' ', '\t', '\n', '\r']);
    if let Some(body) = rest.strip_prefix("--") {
        return if is_set_off(body) { line() } else { None };
    }
    let body = rest.strip_prefix('#')?;
    let word = body.trim_start_matches([' ', '\t']);
    let word = &word[..prefix(word, char::is_alphabetic)];
    let is_directive = is_first && DIRECTIVES.contains(&word);
    if !is_directive && (is_first || is_set_off(body)) {
        line()
    } else {
        None
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

/// What C's preprocessor is told.
const DIRECTIVES: &[&str] = &[
    "define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "line",
    "pragma", "undef",
];

/// Keywords of many languages, in the order of their bytes.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "False", "NULL", "None", "True", "abstract", "and", "as", "assert", "async", "await", "begin",
    "bool", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
    "def", "default", "defer", "del", "delete", "do", "done", "double", "echo", "elif", "else",
    "elseif", "elsif", "end", "ensure", "enum", "esac", "except", "extern", "false", "fi", "final",
    "finally", "float", "fn", "for", "foreach", "from", "func", "function", "global", "goto", "if",
    "impl", "import", "in", "include", "instanceof", "int", "integer", "interface", "internal",
    "is", "lambda", "let", "local", "long", "loop", "match", "module", "mut", "my", "namespace",
    "new", "next", "nil", "none", "not", "null", "object", "or", "otherwise", "our", "override",
    "package", "panic", "pass", "print", "printf", "println", "private", "proc", "procedure",
    "protected", "pub", "public", "raise", "real", "record", "ref", "repeat", "require", "rescue",
    "return", "select", "self", "short", "signed", "static", "str", "string", "struct", "sub",
    "super", "switch", "then", "this", "throw", "throws", "trait", "true", "try", "type", "typedef",
    "undefined", "union", "unit", "unless", "unsigned", "until", "use", "using", "val", "var",
    "virtual", "void", "when", "where", "while", "with", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Tokenizer, View};

    fn terms(text: &str) -> String {
        let tokens = Tokenizer::Code(View::Letters).tokens(text);
        tokens.terms().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(terms(text), expected, "{text:?}");
    }

    #[test]
    fn classes() {
        check(
            "for (int k = 0; k < n_max; k++) { s += a[k]; } // sum",
            "for ( int i = 0 ; i < i ; i + + ) { i + = i [ i ] ; }",
        );
        check(
            "while x /* not\nnow */ != 0x1F: print(\"a \\\" b\")",
            "while i ! = 0 : print ( \" )",
        );
        check("don't stop", "i \" i i");
        check("a /*/ b */ c", "i i");
        check("", "");
    }

    #[test]
    fn comments_of_other_languages() {
        check("#include <a>\n# define B 1\n", "# include < i > # i i 0");
        check("x = 1 # one\n#two\n  # three", "i = 0");
        check("n = #t; i--; a -- b\n--c\n", "i = # i ; i - - ; i - - i");
        check("-- a comment\nb", "i");
    }

    #[test]
    fn renaming_changes_nothing() {
        assert_eq!(
            terms("if (total > 10) return total;"),
            terms("if(sum_2>99)\n return  sum_2;")
        );
    }

    #[test]
    fn keywords_can_be_searched() {
        assert!(KEYWORDS.is_sorted());
    }
}
