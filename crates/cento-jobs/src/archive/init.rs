//! Make an archive.

use std::path::PathBuf;

use cento::Recipe;
use serde::{Deserialize, Serialize};

use super::ArchiveOptions;
use super::store::Store;
use crate::error::{Error, Result};
use crate::time;
use crate::watch::Watch;

/// What the archive is to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Where.
    pub archive: ArchiveOptions,
    /// The recipe whose digest says whether a change is significant: one of Plagiarex.
    pub recipe: String,
    /// From this similarity on a change is insignificant, whatever the digest says.
    pub level: f64,
    /// The difference from the version that is stored whole may be this share of the page; beyond it the
    /// page is stored whole again.
    pub patch_share: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            archive: ArchiveOptions::default(),
            recipe: "plagiarex".to_owned(),
            level: 0.9,
            patch_share: 0.25,
        }
    }
}

/// The archive that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Its folder.
    pub archive: PathBuf,
    /// The recipe of its digests.
    pub recipe: String,
    /// From this similarity on a change is insignificant.
    pub level: f64,
    /// The largest share of a page that its difference from the whole version may be.
    pub patch_share: f64,
}

/// Makes an archive.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let recipe = &options.recipe;
    let known = Recipe::named(recipe).map_err(|error| Error::option("recipe", error))?;
    if !known.leaves_out_code() {
        let reason = format!(
            "{recipe} is not a recipe of Plagiarex, which an archive needs; `plagiarex` is for pages \
             in English, `plagiarex-mixed` for all scripts"
        );
        return Err(Error::option("recipe", reason));
    }
    for (option, value) in [
        ("level", options.level),
        ("patch-share", options.patch_share),
    ] {
        if !(0.0..=1.0).contains(&value) {
            return Err(Error::option(option, format!("{value} is not from 0 to 1")));
        }
    }
    let settings = [
        ("created", time::now()),
        ("recipe", recipe.clone()),
        ("level", options.level.to_string()),
        ("patch-share", options.patch_share.to_string()),
    ];
    Store::create(&options.archive.archive, &settings, watch)?;
    Ok(Outcome {
        archive: options.archive.archive.clone(),
        recipe: recipe.clone(),
        level: options.level,
        patch_share: options.patch_share,
    })
}
