//! What the words of documents are called: those of programs are tokens.

use cento::report::Summary;

/// What is counted in some documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Units {
    /// All are texts.
    Words,
    /// All are programs.
    Tokens,
    /// There are both.
    Both,
}

impl Units {
    /// What is counted in these documents.
    pub(crate) fn of<'d>(documents: impl IntoIterator<Item = &'d Summary>) -> Units {
        let (mut programs, mut texts) = (false, false);
        for document in documents {
            match document.language {
                Some(_) => programs = true,
                None => texts = true,
            }
        }
        match (programs, texts) {
            (true, false) => Units::Tokens,
            (true, true) => Units::Both,
            (false, _) => Units::Words,
        }
    }

    /// What one of them is called.
    pub(crate) fn one(self) -> &'static str {
        match self {
            Units::Tokens => "token",
            Units::Words | Units::Both => "word",
        }
    }

    /// What several of them are called.
    pub(crate) fn many(self) -> &'static str {
        match self {
            Units::Words => "words",
            Units::Tokens => "tokens",
            Units::Both => "words or tokens",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_tokens() {
        let text = Summary::new("a.txt", "a.txt", 9);
        let mut program = Summary::new("a.java", "a.java", 9);
        program.language = Some("java".to_owned());
        assert_eq!(Units::of([&text]), Units::Words);
        assert_eq!(Units::of([&program]), Units::Tokens);
        assert_eq!(Units::of([&text, &program]), Units::Both);
        assert_eq!(Units::of([]), Units::Words);
    }
}
