//! Whose a document is, told by its id: two files of one author are no find.

use crate::error::{Error, Result};

/// A pattern such as `{author}_*.java`, in which `*` stands for any characters but `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AuthorPattern(NamePattern);

/// A pattern in which some word stands for somebody's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamePattern {
    before: Vec<Piece>,
    after: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Any,
}

const AUTHOR: &str = "{author}";

impl AuthorPattern {
    /// What was typed.
    pub(crate) fn parse(pattern: &str) -> Result<AuthorPattern> {
        let found = NamePattern::parse(pattern, AUTHOR);
        found.map(AuthorPattern).ok_or_else(|| {
            let reason =
                format!("{pattern} must say once where the author is, as `{AUTHOR}_*` does");
            Error::option("author", reason)
        })
    }

    /// The author in an id, if it matches: the shortest that does.
    pub(crate) fn author<'i>(&self, id: &'i str) -> Option<&'i str> {
        self.0.name(id)
    }
}

impl NamePattern {
    /// What was typed, if `word` is in it once.
    pub(crate) fn parse(pattern: &str, word: &str) -> Option<NamePattern> {
        let parts: Vec<&str> = pattern.split(word).collect();
        let [before, after] = parts[..] else {
            return None;
        };
        Some(NamePattern {
            before: pieces(before),
            after: pieces(after),
        })
    }

    /// The name in an id, if it matches: the shortest that does.
    pub(crate) fn name<'i>(&self, id: &'i str) -> Option<&'i str> {
        let starts = id.char_indices().map(|(at, _)| at);
        for start in starts.filter(|&at| matches(&self.before, &id[..at])) {
            let name = &id[start..];
            let longest = name.find('/').unwrap_or(name.len());
            let ends = name.char_indices().skip(1).map(|(at, _)| at);
            let mut ends = ends.chain([name.len()]).take_while(|&end| end <= longest);
            if let Some(end) = ends.find(|&end| matches(&self.after, &name[end..])) {
                return Some(&name[..end]);
            }
        }
        None
    }
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (number, text) in pattern.split('*').enumerate() {
        if number > 0 {
            pieces.push(Piece::Any);
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
    }
    pieces
}

fn matches(pieces: &[Piece], text: &str) -> bool {
    match pieces {
        [] => text.is_empty(),
        [Piece::Text(start), rest @ ..] => text
            .strip_prefix(start.as_str())
            .is_some_and(|behind| matches(rest, behind)),
        [Piece::Any, rest @ ..] => {
            let most = text.find('/').unwrap_or(text.len());
            let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            ends.any(|end| end <= most && matches(rest, &text[end..]))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use super::*;

    #[track_caller]
    fn check(pattern: &str, id: &str, expected: Option<&str>) {
        let pattern = AuthorPattern::parse(pattern).unwrap();
        assert_eq!(pattern.author(id), expected, "{id}");
    }

    #[test]
    fn ids_tell_authors() {
        check("{author}_*", "novak_hw1.java", Some("novak"));
        check("{author}_*", "novak_jana_hw1.java", Some("novak"));
        check("*/{author}/*", "week1/novak/Main.java", Some("novak"));
        check("*/{author}/*", "novak/Main.java", None);
        check("hw*-{author}.c", "hw12-jana.c", Some("jana"));
        check("{author}", "žofie", Some("žofie"));
        check("{author}*", "", None);
    }

    #[test]
    fn a_pattern_names_one_author() {
        for pattern in ["*.java", "{author}-{author}", ""] {
            assert!(AuthorPattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
