//! What was assumed about a layout.

use std::fmt;

/// What was assumed about the files under a path, for people to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutNote {
    /// Every folder is one submission. [`Grouping::PerFile`](crate::Grouping::PerFile) takes every
    /// file as a document.
    Folders {
        /// How many there are.
        count: usize,
    },
    /// The names are those of an export of a learning platform.
    /// [`Grouping::PerFile`](crate::Grouping::PerFile) takes every file as a document.
    Export {
        /// Whose export it is.
        platform: Platform,
        /// How many submissions are in it.
        submissions: usize,
    },
    /// A table beside the files describes them.
    Described {
        /// The id of the table.
        table: String,
        /// How many of the files are templates.
        templates: usize,
    },
}

/// A learning platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Moodle.
    Moodle,
    /// Canvas.
    Canvas,
}

impl fmt::Display for LayoutNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutNote::Folders { count } => {
                write!(f, "{count} folders are taken as one submission each")
            }
            LayoutNote::Export {
                platform,
                submissions,
            } => write!(
                f,
                "the file names are those of a {platform:?} export with {submissions} submissions"
            ),
            LayoutNote::Described { table, templates } => {
                write!(f, "{table} describes the files")?;
                match templates {
                    0 => Ok(()),
                    count => write!(f, ", {count} of them ignored as templates"),
                }
            }
        }
    }
}
