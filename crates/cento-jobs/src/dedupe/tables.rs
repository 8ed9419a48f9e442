//! The tables among the inputs, and what they are called in the output.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cento_ingest::{Form, Reading, Shard};

use super::streams::{STDIN, StandardInput, is_standard};
use crate::error::{At as _, Error, File as _, Result};
use crate::watch::Watch;

/// A shard of the dataset.
pub(super) struct Table {
    pub(super) shard: Shard,
    /// What it is called in the output.
    pub(super) name: PathBuf,
    /// The number of the input that it belongs to.
    pub(super) source: usize,
    /// It came from standard input.
    pub(super) standard: Option<StandardInput>,
}

/// An input without tables.
pub(super) struct Other {
    pub(super) path: PathBuf,
    /// The number of the input.
    pub(super) source: usize,
}

/// The tables of each input, in the order of their names, and the inputs without any.
pub(super) fn find_tables(
    inputs: &[PathBuf],
    reading: &Reading,
    watch: &Watch<'_>,
) -> Result<(Vec<Table>, Vec<Other>)> {
    let (mut tables, mut others) = (Vec::new(), Vec::new());
    expect_there(inputs)?;
    for (source, input) in inputs.iter().enumerate() {
        if is_standard(input) {
            tables.push(standard_table(source, reading, watch).at("standard input")?);
            continue;
        }
        let shards = if input.is_dir() {
            shards_in(input, watch)?
        } else {
            vec![input.clone()]
        };
        let before = tables.len();
        for path in shards {
            watch.go_on()?;
            let shard = Shard::open(&path, &reading.keys, &reading.limits).at(path.display())?;
            if let Some(shard) = shard {
                let name = name(&path, input, inputs.len() > 1);
                tables.push(Table {
                    shard,
                    name,
                    source,
                    standard: None,
                });
            }
        }
        if tables.len() == before {
            let path = input.clone();
            others.push(Other { path, source });
        }
    }
    expect_own_names(&tables)?;
    Ok((tables, others))
}

/// What comes from standard input.
fn standard_table(source: usize, reading: &Reading, watch: &Watch<'_>) -> Result<Table> {
    let standard = StandardInput::read(watch)?;
    if standard.bytes == 0 {
        return Err(Error::refused("there is nothing in it"));
    }
    let shard = Shard::open(&standard.path(), &reading.keys, &reading.limits)?;
    let is_lines = |shard: &Shard| shard.form() == Some(Form::JsonLines) && !shard.is_packed();
    match shard.filter(is_lines) {
        Some(shard) => Ok(Table {
            shard,
            name: PathBuf::from(STDIN),
            source,
            standard: Some(standard),
        }),
        None => Err(Error::refused("it must be JSON lines, and not compressed")),
    }
}

/// Refuses inputs that do not exist.
pub(super) fn expect_there(inputs: &[PathBuf]) -> Result<()> {
    let is_there = |input: &Path| is_standard(input) || input.exists();
    match inputs.iter().find(|input| !is_there(input)) {
        Some(input) => Err(Error::refused("no such file or folder")).at(input.display()),
        None => Ok(()),
    }
}

/// What a table is called: its path below the input, after the input's name if there are several.
fn name(path: &Path, input: &Path, are_several: bool) -> PathBuf {
    let inside = path.strip_prefix(input).unwrap_or(path);
    let name = if are_several || inside.as_os_str().is_empty() {
        let own = input.file_name().unwrap_or(input.as_os_str());
        Path::new(own).join(inside)
    } else {
        inside.to_owned()
    };
    name.components().collect()
}

fn expect_own_names(tables: &[Table]) -> Result<()> {
    let mut names = BTreeSet::new();
    match tables.iter().find(|table| !names.insert(&table.name)) {
        Some(table) => Err(Error::refused(format!(
            "two inputs would be written to {}; give them different names",
            table.name.display()
        ))),
        None => Ok(()),
    }
}

/// The files under a folder whose names are those of tables, sorted.
fn shards_in(folder: &Path, watch: &Watch<'_>) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        watch.go_on()?;
        for entry in std::fs::read_dir(&folder).of(&folder)? {
            let entry = entry.of(&folder)?;
            let path = entry.path();
            if entry.file_type().of(&path)?.is_dir() {
                folders.push(path);
            } else if Shard::is_name(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
