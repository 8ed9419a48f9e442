//! Adds to messages of the libraries, which speak of options, the flags that help.

use anyhow::anyhow;
use cento::report::{Remedy, Skipped};
use cento_ingest::{LayoutNote, Limit};
use cento_jobs::register::Rejected;
use cento_jobs::{Error, Help, Problem, Remark};

use crate::convert;

/// Problems with options, one per line.
pub(crate) fn listed(problems: &[Problem]) -> String {
    let flag = |problem: &Problem| match problem.option {
        "" => problem.to_string(),
        _ => format!("--{problem}"),
    };
    let all: Vec<String> = problems.iter().map(flag).collect();
    all.join("\n       ")
}

/// An error of a job.
pub(crate) fn explained(error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::Options(problems) => return anyhow!(listed(problems)),
        Error::NoKey { .. } => "; give it by --key-file or in CENTO_KEY",
        Error::Library(cento::Error::NoRegistry { .. }) => "; `cento registry init` makes one",
        Error::NoArchive { .. } => "; `cento archive init` makes one",
        Error::NoPage { .. } => "; `cento archive log` lists them",
        Error::Library(cento::Error::NoMailStore { .. }) => "; `cento mail init` makes one",
        Error::NoVectors { .. } => {
            "; `cento registry init --style style-english` makes one that does"
        }
        error => &helped(Help::with(error)),
    };
    match (hint, of_format(&error)) {
        ("", None) => error.into(),
        (hint, offer) => anyhow!("{}{hint}{}", error.sentence(), offer.unwrap_or_default()),
    }
}

/// The end of a sentence about a file that a program on this machine could convert.
fn of_format(error: &Error) -> Option<String> {
    match error {
        Error::At { source, .. } | Error::Tests { source } => of_format(source),
        Error::Ingest(error) => convert::offer(error.format()?),
        _ => None,
    }
}

/// The end of a sentence about something that an option helps against.
fn helped(help: Option<Help>) -> String {
    help.map(|Help { option, does }| format!("; --{option} {does}"))
        .unwrap_or_default()
}

/// Why a document was skipped, and what allows more.
pub(crate) fn reason(skipped: &Skipped) -> String {
    let limit = skipped.limit.as_deref().and_then(Limit::named);
    format!("{}{}", skipped.reason, helped(limit.map(Help::beyond)))
}

/// A document that was not registered, with the flag that would help.
pub(crate) fn rejected(rejected: &Rejected) -> Skipped {
    let mut skipped = rejected.skipped.clone();
    if let Some(flag) = rejected.remedy.as_ref().and_then(flag) {
        skipped.reason = format!("{} ({flag})", skipped.reason);
    }
    skipped
}

/// A remark, and what would change it.
pub(crate) fn remark(remark: &Remark) -> String {
    match remark {
        Remark::Layout(note @ (LayoutNote::Folders { .. } | LayoutNote::Export { .. })) => {
            format!("{note} (--per-file takes every file as a document)")
        }
        Remark::OpenKey(_) | Remark::OpenRegistry { .. } | Remark::Odd { .. } => {
            format!("warning: {remark}")
        }
        remark => remark.to_string(),
    }
}

/// The flag of the option that a note or a remark in a report is about.
pub(crate) fn flag(remedy: &Remedy) -> Option<String> {
    let flag = match remedy {
        Remedy::Top => "--top",
        Remedy::MaxDocuments => "--max-df",
        Remedy::LeaveOutCommon => "--base-from common",
        Remedy::IncludeStandard => "--include-standard",
        Remedy::Compressor => "--compress",
        Remedy::Templates => "--base",
        Remedy::Key => "--key-file",
        Remedy::Json => "--json",
        Remedy::IdPrefix => "--id-prefix",
        _ => return None,
    };
    Some(flag.to_owned())
}
