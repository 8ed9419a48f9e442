//! Colours on a terminal: few, and never the only sign of anything.

use cento::align::Kind;
use cento::report::PassageReport;

/// Whether there are any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A file, a pipe, or somebody who wants none.
    Plain,
    /// A terminal.
    Colour,
}

/// What a text report is shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Whether it has colours.
    pub paint: Paint,
    /// How many columns it has, if there is an end to them.
    pub width: Option<usize>,
}

impl Screen {
    /// A file or a pipe: lines are as long as they need to be.
    pub const FILE: Screen = Screen {
        paint: Paint::Plain,
        width: None,
    };
}

impl Paint {
    /// What is looked at first.
    pub(crate) fn strong(self, text: &str) -> String {
        self.wrapped("1", text)
    }

    /// What is there to be looked up.
    pub(crate) fn faint(self, text: &str) -> String {
        self.wrapped("2", text)
    }

    pub(crate) fn bar(self, text: &str) -> String {
        self.wrapped("36", text)
    }

    /// The head of a passage, in the colours of the page.
    pub(crate) fn passage(self, passage: &PassageReport, text: &str) -> String {
        let code = match (passage.discount, passage.kind) {
            (Some(_), _) => "2",
            (None, Kind::Exact) => "33",
            (None, Kind::Edited) => "34",
            (None, Kind::Paraphrased) => "35",
        };
        self.wrapped(code, text)
    }

    fn wrapped(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colour => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}
