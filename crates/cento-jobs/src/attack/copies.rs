//! Attacked copies of documents, as files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cento::report::Skipped;
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::kinds::Kind;
use super::{Original, Plan};
use crate::error::{At as _, Error, Result};
use crate::staged::{Namesakes, Staged, expect_nothing};
use crate::watch::{Step, Watch};

/// The copies that were written: all of them, or the job failed and there is none.
#[derive(Clone, Debug)]
pub struct Copies {
    /// How many documents were attacked.
    pub documents: usize,
    /// The folder that has the copies.
    pub folder: PathBuf,
    /// Their names in it.
    pub files: Vec<PathBuf>,
    /// What could not be read.
    pub skipped: Vec<Skipped>,
}

/// Writes every attacked copy, or none.
pub(super) fn write(
    originals: &[Original],
    plan: &Plan,
    folder: &Path,
    skipped: Vec<Skipped>,
    watch: &Watch<'_>,
) -> Result<Copies> {
    let files = names(originals, plan, folder)?;
    let staged = Staged::new(folder, watch).for_option("output")?;
    watch.begin(Step::Attacking, originals.len(), 0);
    originals
        .par_iter()
        .try_for_each(|original| -> Result<()> {
            for kind in fitting(plan, original) {
                watch.go_on()?;
                let copy = plan.copy(original, kind)?;
                staged.write(&file_name(original, kind), &copy)?;
            }
            watch.advance(1, 0);
            Ok(())
        })?;
    watch.go_on()?;
    staged.finish(&files, Namesakes::Keep)?;
    watch.end();
    Ok(Copies {
        documents: originals.len(),
        folder: folder.to_owned(),
        files,
        skipped,
    })
}

/// The names of the copies, none of which is taken.
fn names(originals: &[Original], plan: &Plan, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut names = BTreeSet::new();
    for original in originals {
        for kind in fitting(plan, original) {
            let name = file_name(original, kind);
            let path = folder.join(&name);
            expect_nothing(&path).for_option("output")?;
            if !names.insert(name) {
                let reason =
                    "copies of two documents would have this name; attack them one at a time";
                return Err(Error::refused(reason)).at(path.display());
            }
        }
    }
    Ok(names.into_iter().collect())
}

/// The attacks on a document.
fn fitting<'p>(plan: &'p Plan, original: &'p Original) -> impl Iterator<Item = &'p Kind> {
    plan.kinds.iter().filter(|kind| kind.fits(original))
}

/// NAME.KIND.txt, in the folders that the id names, and never outside of the output folder. A program
/// keeps its name, which may have to be that of a class, in a folder of the kind: KIND/NAME. A message
/// is NAME.KIND.eml.
fn file_name(original: &Original, kind: &Kind) -> PathBuf {
    let name = match kind {
        Kind::Text(_) => original.id.strip_suffix(".txt").unwrap_or(&original.id),
        Kind::Mail(_) => {
            let stem = original.id.strip_suffix(".eml");
            let stem = stem.or_else(|| original.id.strip_suffix(".txt"));
            stem.unwrap_or(&original.id)
        }
        Kind::Program(_) => &original.file,
    };
    let name = if name == "-" { "stdin" } else { name };
    let inside: Vec<&str> = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .collect();
    let name = inside.join("/");
    match kind {
        // A colon means something else in the names of some systems' files.
        Kind::Text(attack) => {
            let attack = attack.name().replace(':', "-");
            PathBuf::from(format!("{name}.{attack}.txt"))
        }
        Kind::Program(attack) => PathBuf::from(attack.name()).join(name),
        Kind::Mail(_) => PathBuf::from(format!("{name}.{}.eml", kind.name())),
    }
}

impl Serialize for Copies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "documents": self.documents,
            "folder": self.folder,
            "copies": self.files,
            "skipped": self.skipped,
        })
        .serialize(serializer)
    }
}
