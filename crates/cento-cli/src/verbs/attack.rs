//! `cento attack`: attacked copies of documents, or a table of what the attacks leave.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::eval::attack::Attack;
use cento::report::Skipped;
use cento::token::{Tokenizer, Words, count_words};
use rayon::prelude::*;

use super::{attack_table, use_threads};
use crate::args::{AttackArgs, General, MethodOptions};
use crate::config::{Settings, Typed, settle};
use crate::load::{account, bytes, find};
use crate::progress::Progress;
use crate::{Outcome, output};

/// A document as it was read.
pub(crate) struct Original {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// What is done to the documents.
pub(crate) struct Plan {
    pub(crate) attacks: Vec<Attack>,
    /// The words of all documents: what the attacks put in.
    pub(crate) vocabulary: Vec<String>,
    pub(crate) seed: u64,
}

/// The four systems of the paper's Table 2.
const TABLE_RECIPES: [&str; 4] = ["sift-window", "sift-skip", "sift-partition", "sift"];

pub(crate) fn run(args: &AttackArgs, general: &General) -> Result<Outcome> {
    let attacks = attacks(&args.kinds, args.table)?;
    if args.keys == 0 {
        bail!("--keys: wants at least 1");
    }
    let methods = methods(args, general)?;
    let settings = &methods[0];
    use_threads(settings)?;
    let (originals, skipped) = read(&args.paths, settings)?;
    let plan = Plan {
        attacks,
        vocabulary: vocabulary(&originals),
        seed: args.seed,
    };
    if let Some(folder) = &args.output {
        write(&originals, &plan, folder, settings)?;
    } else {
        let table = attack_table::measure(&originals, &plan, &methods, args.keys)?;
        output::result(&table.rendered(settings.format, &skipped)?)?;
    }
    account(originals.len(), &skipped, settings)?;
    Ok(Outcome::Done)
}

/// The attacks of these names; bad names are reported together.
fn attacks(names: &[String], table: bool) -> Result<Vec<Attack>> {
    if names.is_empty() && table {
        return Ok(Attack::PAPER.to_vec());
    }
    if names.is_empty() || names.iter().any(|name| name == "all") {
        return Ok(Attack::ALL.to_vec());
    }
    let mut attacks = Vec::new();
    let mut problems = Vec::new();
    for name in names {
        match name.trim().parse::<Attack>() {
            Ok(attack) if attacks.contains(&attack) => {}
            Ok(attack) => attacks.push(attack),
            Err(error) => problems.push(format!("--kind: {error}")),
        }
    }
    if !problems.is_empty() {
        bail!("{}", problems.join("\n       "));
    }
    Ok(attacks)
}

/// The settings with each recipe of the table, or with any recipe if there is no table.
fn methods(args: &AttackArgs, general: &General) -> Result<Vec<Settings>> {
    let recipes: Vec<&str> = if args.recipes.is_empty() {
        TABLE_RECIPES.to_vec()
    } else {
        args.recipes.iter().map(String::as_str).collect()
    };
    let settled = |recipe: &str| {
        let method = MethodOptions {
            recipe: Some(recipe.to_owned()),
            ..MethodOptions::default()
        };
        let typed = Typed {
            method,
            reading: args.reading.clone(),
            ..Typed::default()
        };
        settle(typed, general)
    };
    recipes.into_iter().map(settled).collect()
}

fn read(paths: &[PathBuf], settings: &Settings) -> Result<(Vec<Original>, Vec<Skipped>)> {
    let found = find(paths, settings)?;
    let mut skipped = found.skipped;
    let inputs = found.inputs;
    let progress = Progress::reading(inputs.len(), bytes(&inputs), settings.quiet);
    let read = inputs.par_iter().map(|input| {
        let text = input.read();
        progress.read(input.size());
        match text {
            Ok(text) if count_words(&text.content) == 0 => Err("no words in it".to_owned()),
            text => text,
        }
    });
    let read: Vec<_> = read.collect();
    progress.finish();
    let mut originals = Vec::with_capacity(inputs.len());
    for (input, text) in inputs.iter().zip(read) {
        let id = input.id().to_owned();
        match text {
            Ok(text) => {
                for warning in text.warnings.iter().filter(|_| !settings.quiet) {
                    output::message(&format!("warning: {}: {warning}", id.escape_debug()));
                }
                originals.push(Original {
                    id,
                    text: text.content,
                });
            }
            Err(reason) => skipped.push(Skipped::new(id, reason)),
        }
    }
    skipped.sort();
    Ok((originals, skipped))
}

/// The distinct words of all documents, sorted, so that a seed means the same on every run.
fn vocabulary(originals: &[Original]) -> Vec<String> {
    let tokenizer = Tokenizer::Words(Words::default());
    let words_of = |original: &Original| -> BTreeSet<String> {
        let tokens = tokenizer.tokens(&original.text);
        tokens.terms().map(str::to_owned).collect()
    };
    let words = originals
        .par_iter()
        .map(words_of)
        .reduce(BTreeSet::new, |mut all, mut words| {
            if all.len() < words.len() {
                std::mem::swap(&mut all, &mut words);
            }
            all.extend(words);
            all
        });
    words.into_iter().collect()
}

/// Writes every attacked copy, or none if one of them is there already.
fn write(originals: &[Original], plan: &Plan, folder: &Path, settings: &Settings) -> Result<()> {
    let mut taken = BTreeSet::new();
    for original in originals {
        for attack in &plan.attacks {
            let path = folder.join(file_name(&original.id, attack));
            if path.symlink_metadata().is_ok() {
                bail!(
                    "{}: is there already, and nothing is overwritten; give another -o",
                    path.display()
                );
            }
            if !taken.insert(path.clone()) {
                bail!(
                    "{}: copies of two documents would have this name; attack them one at a time",
                    path.display()
                );
            }
        }
    }
    let progress = Progress::new("attacking", originals.len(), settings.quiet);
    originals.par_iter().try_for_each(|original| {
        for attack in &plan.attacks {
            let path = folder.join(file_name(&original.id, attack));
            let copy = attack.apply(&original.text, &plan.vocabulary, plan.seed);
            write_new(&path, &copy).with_context(|| path.display().to_string())?;
        }
        progress.step();
        anyhow::Ok(())
    })?;
    progress.finish();
    if !settings.quiet {
        let count = taken.len();
        let copies = if count == 1 { "copy" } else { "copies" };
        output::message(&format!("{count} {copies} in {}", folder.display()));
    }
    Ok(())
}

fn write_new(path: &Path, text: &str) -> Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(())
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
