//! Under whom documents would be registered, before anything is written.

use std::collections::BTreeSet;

use cento::report::Skipped;
use serde::Serialize;

use super::Options;
use crate::documents::{Documents, Reader};
use crate::error::Result;
use crate::submitter::Whose;
use crate::watch::Watch;

/// What would become of documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// Each of them, in the order of their ids.
    pub documents: Vec<Previewed>,
    /// How many different submitters they have.
    pub submitters: usize,
    /// How many documents would not be registered, because nothing says whose they are.
    pub unknown: usize,
    /// What no document was found in: archives that cannot be opened, files of other kinds.
    pub skipped: Vec<Skipped>,
    /// What was assumed about the layout.
    pub notes: Vec<String>,
}

/// A document that might be registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Previewed {
    /// What it is called.
    pub id: String,
    /// Its files, if it is more than one or called otherwise.
    pub files: Vec<String>,
    /// Its submitter.
    pub submitter: Option<String>,
    /// Why it has none, if it cannot be registered without.
    pub problem: Option<String>,
}

/// Says under whom documents would be registered. No document is read.
pub fn preview(options: &Options, reader: &Reader, watch: &Watch<'_>) -> Result<Preview> {
    let whose = Whose {
        submitter: options.submitter.clone(),
        from: options.submitter_from.clone(),
        id_prefix: String::new(),
    };
    let Documents {
        inputs,
        notes,
        mut skipped,
        ..
    } = reader.find(&options.paths, watch)?;
    skipped.sort();
    let documents = inputs.iter().map(|input| {
        let (submitter, problem) = match whose.of(input) {
            Ok((submitter, _)) => (submitter, None),
            Err(reason) => (None, Some(reason)),
        };
        let files = input.found().parts.iter().map(|part| part.file.clone());
        let files: Vec<String> = files.collect();
        Previewed {
            id: input.id().to_owned(),
            files: if files == [input.id()] {
                Vec::new()
            } else {
                files
            },
            submitter,
            problem,
        }
    });
    let documents: Vec<Previewed> = documents.collect();
    let submitters: BTreeSet<&str> = (documents.iter())
        .filter_map(|document| document.submitter.as_deref())
        .collect();
    Ok(Preview {
        submitters: submitters.len(),
        unknown: (documents.iter())
            .filter(|document| document.problem.is_some())
            .count(),
        skipped,
        notes: notes.iter().map(ToString::to_string).collect(),
        documents,
    })
}
