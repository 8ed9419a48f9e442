//! Paths → documents that can be read: walks, looks into archives, and lays out what belongs
//! together.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::archive::{FoundInFile, Leaf, Packing};
use crate::input::Input;
use crate::isolate::Readers;
use crate::layout::{Item, lay};
use crate::options::{Options, Reading};
use crate::walk::{Filter, WalkedFile, walk};
use crate::{Error, FoundDocument, Kind, LayoutNote, Limit, Place, Root, SkippedFile};
use crate::{detect, size, table};

/// What was found under some paths.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// The documents, in the order of their ids.
    pub documents: Vec<FoundDocument>,
    /// Files that the layout names as templates.
    pub templates: Vec<FoundDocument>,
    /// What cannot be read, in the order of the ids.
    pub skipped: Vec<SkippedFile>,
    /// What was assumed about the layout.
    pub notes: Vec<LayoutNote>,
}

/// What was found under some paths, ready to be read.
pub struct Inputs {
    /// The documents, in the order of their ids.
    pub inputs: Vec<Input>,
    /// Files that the layout names as templates.
    pub templates: Vec<Input>,
    /// What cannot be read, in the order of the ids.
    pub skipped: Vec<SkippedFile>,
    /// What was assumed about the layout.
    pub notes: Vec<LayoutNote>,
}

/// Every document under these paths; `-` is standard input.
///
/// An archive, a mailbox or a table counts as the documents in it. An id is the path relative to the
/// given path, after the name of that path if several were given.
pub fn find(paths: &[PathBuf], options: &Options, readers: &Readers) -> Result<Finding, Error> {
    let filter = Filter::new(&options.include, &options.exclude)?;
    let walked = walk(paths, options.follow_links)?;
    let found: Vec<Vec<Result<Item, SkippedFile>>> = walked
        .files
        .par_iter()
        .map(|file| look_into(file, &filter, readers))
        .collect();
    let mut items = Vec::new();
    let mut skipped = walked.skipped;
    for found in found.into_iter().flatten() {
        match found {
            Ok(item) => items.push(item),
            Err(one) => skipped.push(one),
        }
    }
    let laid = lay(items, options.grouping, readers);
    skipped.extend(laid.skipped);
    skipped.sort_by_cached_key(|one| (one.id.clone(), one.error.to_string()));
    skipped.dedup();
    Ok(Finding {
        documents: laid.documents,
        templates: laid.templates,
        skipped,
        notes: laid.notes,
    })
}

/// The same, as [`Input`]s that these readers read.
pub fn find_inputs(
    paths: &[PathBuf],
    options: &Options,
    readers: &Arc<Readers>,
) -> Result<Inputs, Error> {
    let found = find(paths, options, readers)?;
    let inputs = |documents: Vec<FoundDocument>| {
        let input = |document| Input::new(document, readers);
        documents.into_iter().map(input).collect()
    };
    Ok(Inputs {
        inputs: inputs(found.documents),
        templates: inputs(found.templates),
        skipped: found.skipped,
        notes: found.notes,
    })
}

/// The documents in a file.
fn look_into(
    file: &WalkedFile,
    filter: &Filter,
    readers: &Readers,
) -> Vec<Result<Item, SkippedFile>> {
    if file.path.as_os_str() == "-" {
        return vec![stdin(file, readers.reading())];
    }
    let mut found = Vec::new();
    let nature = nature(&file.path, readers);
    let is_foreign = !matches!(nature, Nature::Plain | Nature::Table);
    let mut each = |one: FoundInFile| {
        let suffix = match &one {
            FoundInFile::Document(leaf) => &leaf.suffix,
            FoundInFile::Skipped { suffix, .. } => suffix,
        };
        let id = format!("{}{suffix}", file.id);
        // Patterns are about what is below the path that was given.
        let below = if file.is_argument {
            file.id.len()
        } else {
            file.base
        };
        let is_given = file.is_argument && suffix.is_empty();
        if is_given || filter.accepts(&id[below..]) {
            found.push(match one {
                FoundInFile::Document(leaf) => Ok(item(file, id, leaf, is_foreign)),
                FoundInFile::Skipped { error, .. } => Err(SkippedFile { id, error }),
            });
        }
    };
    match nature {
        Nature::Plain | Nature::Foreign => each(FoundInFile::Document(Leaf {
            size: file.path.metadata().map_or(0, |metadata| metadata.len()),
            ..Leaf::default()
        })),
        Nature::Table => readers.list_here(&file.path, &mut each),
        Nature::Container => readers.list(&file.path, &mut each),
    }
    found
}

fn item(file: &WalkedFile, id: String, leaf: Leaf, is_foreign: bool) -> Item {
    let ends = leaf.archive_ends.iter();
    Item {
        id,
        own_id: leaf.id,
        argument: file.argument,
        base: file.base,
        archive_ends: ends.map(|end| file.id.len() + end).collect(),
        place: Place {
            root: Root::File(file.path.clone()),
            steps: leaf.steps,
            is_foreign,
        },
        size: leaf.size,
        is_record: leaf.is_record,
        warning: leaf.warning,
    }
}

fn stdin(file: &WalkedFile, reading: &Reading) -> Result<Item, SkippedFile> {
    let mut bytes = Vec::new();
    let limit = reading.limits.file_size;
    let limited = &mut std::io::stdin().lock().take(limit.saturating_add(1));
    let problem = match limited.read_to_end(&mut bytes) {
        Err(error) => Some(Error::cannot_read(&error)),
        Ok(count) if count as u64 > limit => {
            Some(Limit::FileSize.reached(format!("larger than {}", size(limit))))
        }
        Ok(_) => None,
    };
    if let Some(error) = problem {
        let id = file.id.clone();
        return Err(SkippedFile { id, error });
    }
    let leaf = Leaf {
        size: bytes.len() as u64,
        ..Leaf::default()
    };
    let mut item = item(file, file.id.clone(), leaf, true);
    item.place.root = Root::Memory(Arc::new(bytes));
    Ok(item)
}

/// Who reads a file.
enum Nature {
    /// Text, or something that no parser reads.
    Plain,
    /// A table in plain text.
    Table,
    /// A document in a foreign format.
    Foreign,
    /// Something that may have documents in it.
    Container,
}

/// What the first bytes of a file say.
fn nature(path: &Path, readers: &Readers) -> Nature {
    const HEAD: u64 = 16 << 10;
    let reading = readers.reading();
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    if read.is_err() {
        // Reading it will say why.
        return Nature::Plain;
    }
    let name = crate::archive::file_name(path);
    let is_container = crate::archive::is_archive(&head) || table::is_parquet(&head);
    if is_container || Packing::of(&head).is_some() {
        return Nature::Container;
    }
    if table::form(&head, &name, &reading.keys).is_some() {
        return Nature::Table;
    }
    match detect(&head, &name, &reading.extract()) {
        Ok(Kind::Mailbox | Kind::WebArchive) => Nature::Container,
        Ok(Kind::Plain | Kind::Markdown) => Nature::Plain,
        Err(error) if readers.converter(&error).is_none() => Nature::Plain,
        Ok(_) | Err(_) => Nature::Foreign,
    }
}
