//! A copy of a registry that grows with it: only segments that are new are copied.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::Folder;
use super::catalog::{Catalog, SegmentRow};
use super::folder::{Kind, sync};
use super::lock::Lock;
use super::vectors::Vectors;
use crate::error::Error;
use crate::index::private;
use crate::index::segment::Segment;
use crate::watch::{Steps, Watch};

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backup {
    /// How many segments the copy has.
    pub segments: u64,
    /// How many of them had to be copied.
    pub copied: u64,
    /// How many bytes that was, the catalogue not counted.
    pub bytes: u64,
    /// How many files an earlier copy had left that was interrupted; they were used or removed.
    pub left: u64,
}

/// How often a copy is begun again because a merge took a segment away.
const TRIES: usize = 5;
/// How many bytes are copied before somebody who watches is told.
const TOGETHER: u64 = 1 << 22;

/// Brings a copy of a registry up to date. The registry may be in use; the key is not copied. Nothing
/// but a copy of the same registry is ever replaced, and nobody else writes to it meanwhile.
///
/// Until the new catalogue takes the place of the old one, the copy is the one from before; one
/// that was stopped is removed again as far as it came.
pub fn backup(from: &Path, to: &Path, watch: Watch<'_>) -> Result<Backup, Error> {
    let (from, to) = (Folder::new(from), Folder::new(to));
    if !from.exists() {
        return Err(super::write::no_registry(from.path()));
    }
    from.expect_whole()?;
    expect_copy(&from, &to)?;
    let missing = to.missing();
    let segments = to.segments();
    private::make_folder(&segments).map_err(|source| Error::Io {
        path: segments,
        source,
    })?;
    let _lock = Lock::take(&to, "a backup")?;
    let left = left_in(&to)?;
    to.tighten();
    let mut tries = 0;
    loop {
        match copy(&from, &to, watch) {
            Err(Error::Io { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound && tries < TRIES =>
            {
                tries += 1;
            }
            Err(error) => {
                // What cannot be undone now is left to the next copy.
                let _ = undo(&to, &missing);
                return Err(error);
            }
            Ok(done) => return Ok(Backup { left, ..done }),
        }
    }
}

/// Removes what the copy from before does not have, and the folders if there were none.
fn undo(to: &Folder, missing: &[PathBuf]) -> Result<(), Error> {
    to.clean()?;
    if to.exists() {
        to.sweep(&numbers(to)?)?;
    } else {
        to.take_back(missing);
    }
    Ok(())
}

/// How many files are there that the copy from before does not name. Segments that are whole need not
/// be copied again; the rest is removed.
fn left_in(to: &Folder) -> Result<u64, Error> {
    let named = if to.exists() {
        numbers(to)?
    } else {
        Vec::new()
    };
    let left = to.unnamed(&named)?.len() as u64;
    Ok(left + to.clean_files()?)
}

/// The segments of a registry.
fn numbers(folder: &Folder) -> Result<Vec<u64>, Error> {
    let rows = Catalog::segments_in(&folder.catalog())?;
    Ok(rows.iter().map(|row| row.number).collect())
}

fn copy(from: &Folder, to: &Folder, watch: Watch<'_>) -> Result<Backup, Error> {
    let unfinished = to.unfinished_catalog();
    let _ = fs::remove_file(&unfinished);
    Catalog::read(from)?.copy_to(&unfinished, watch)?;
    let rows = Catalog::segments_in(&unfinished)?;
    let mut done = Backup::default();
    let mut steps = watch.steps(rows.iter().map(SegmentRow::all_bytes).sum());
    for row in &rows {
        done.segments += 1;
        let mut is_new = false;
        for (kind, bytes) in row.files() {
            let [source, target] = [from, to].map(|folder| folder.segment(kind, row.number));
            if target.exists() && is_copied(kind, &source, &target)? {
                steps.advance(bytes)?;
                continue;
            }
            let new = to.unfinished(kind, row.number);
            done.bytes += copy_file(&source, &new, &mut steps)?;
            to.finish(kind, row.number)?;
            is_new = true;
        }
        done.copied += u64::from(is_new);
    }
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    };
    // A journal that belongs to the catalogue from before must not be applied to the new one.
    for journal in ["sqlite-wal", "sqlite-shm"] {
        let path = to.catalog().with_extension(journal);
        if path.exists() {
            fs::remove_file(&path).map_err(io(&path))?;
        }
    }
    fs::rename(&unfinished, to.catalog()).map_err(io(&unfinished))?;
    sync(to.path())?;
    to.sweep(&rows.iter().map(|row| row.number).collect::<Vec<_>>())?;
    Ok(done)
}

/// Refuses to write to what is no copy of this registry: another one, one in use, anything else.
fn expect_copy(from: &Folder, to: &Folder) -> Result<(), Error> {
    let refused = |reason| {
        Err(Error::NoCopy {
            path: to.path().to_owned(),
            reason,
        })
    };
    let places = [from, to].map(|folder| fs::canonicalize(folder.path()).ok());
    if places[0].is_some() && places[0] == places[1] {
        return refused("is the registry itself");
    }
    if to.key().exists() {
        return refused("has a key in it, so it is a registry in use and no copy");
    }
    if to.exists() {
        return if Catalog::read(from)?.is_of_same(&Catalog::read(to)?)? {
            Ok(())
        } else {
            refused("is another registry")
        };
    }
    // What an earlier copy left that did not come to its end.
    let is_ours = |path: &Path| {
        let unfinished = to.unfinished_catalog();
        let is_catalog = unfinished.file_name().zip(path.file_name());
        let is_catalog = is_catalog.is_some_and(|(unfinished, name)| {
            // With its journal.
            (name.as_encoded_bytes()).starts_with(unfinished.as_encoded_bytes())
        });
        is_catalog || path == to.segments() || path == to.lock()
    };
    let mut entries = fs::read_dir(to.path()).into_iter().flatten().flatten();
    if entries.any(|entry| !is_ours(&entry.path())) {
        return refused("has other files in it");
    }
    Ok(())
}

/// Whether a segment is in the copy as it is: a number and a length would not tell.
fn is_copied(kind: Kind, source: &Path, target: &Path) -> Result<bool, Error> {
    if kind == Kind::Vectors {
        return Vectors::is_copied(source, target);
    }
    let source = Segment::open(source)?;
    Ok(Segment::open(target).is_ok_and(|copy| copy.is_same(&source)))
}

/// Copies a file; the copy is safely there when this returns. Says how many bytes it has.
fn copy_file(from: &Path, to: &Path, steps: &mut Steps<'_>) -> Result<u64, Error> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    };
    let source = File::open(from).map_err(failed(from))?;
    let target = private::create(to).map_err(failed(to))?;
    let mut bytes = 0;
    loop {
        let copied = io::copy(&mut (&source).take(TOGETHER), &mut &target).map_err(failed(to))?;
        if copied == 0 {
            target.sync_all().map_err(failed(to))?;
            return Ok(bytes);
        }
        bytes += copied;
        steps.advance(copied)?;
    }
}
