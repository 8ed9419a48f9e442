//! Attacked copies of documents, as files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cento::eval::attack::Attack;
use cento::report::Skipped;
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::json;

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
            for attack in &plan.attacks {
                watch.go_on()?;
                let copy = attack.apply(&original.text, &plan.vocabulary, plan.seed);
                staged.write(&file_name(&original.id, attack), &copy)?;
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
        for attack in &plan.attacks {
            let name = file_name(&original.id, attack);
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

/// NAME.KIND.txt, in the folders that the id names, and never outside of the output folder.
fn file_name(id: &str, attack: &Attack) -> PathBuf {
    let id = if id == "-" { "stdin" } else { id };
    let name = id.strip_suffix(".txt").unwrap_or(id);
    let inside: Vec<&str> = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .collect();
    // A colon means something else in the names of some systems' files.
    let kind = attack.name().replace(':', "-");
    PathBuf::from(format!("{}.{kind}.txt", inside.join("/")))
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
