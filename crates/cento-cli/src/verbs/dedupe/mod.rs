//! `cento dedupe`: one of each, and what became of the others.

mod choose;
mod dataset;
mod write;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};
use cento::{Fingerprint, Measure};
use serde_json::json;

use self::choose::{Choice, Keep, choose};
use self::dataset::{Dataset, Document};
use super::use_threads;
use crate::args::{DedupeArgs, General, MethodOptions, ReadOptions};
use crate::config::{Settings, Typed, settle};
use crate::{Outcome, output};

pub(crate) fn run(args: &DedupeArgs, general: &General) -> Result<Outcome> {
    let keep: Keep = args.keep.parse().context("--keep")?;
    let measure: Measure = args.measure.parse().context("--measure")?;
    if !measure.is_set() {
        bail!("--measure: {measure} ranks documents; duplicates want resemblance or containment");
    }
    if !(0.0..=1.0).contains(&args.threshold) || args.threshold == 0.0 {
        bail!(
            "--threshold: {} is not a share above 0 and up to 1 (80 % is 0.8)",
            args.threshold
        );
    }
    if !(0.0..=1.0).contains(&args.max_errors) {
        bail!(
            "--max-errors: {} is not a share from 0 to 1",
            args.max_errors
        );
    }
    let settings = settle(typed(args), general)?;
    use_threads(&settings)?;
    let target = write::Target::of(&args.output, &args.inputs)?;
    let mut dataset = Dataset::read(&args.inputs, &keep, &settings)?;
    dataset.expect_few_errors(args.max_errors)?;
    let fingerprints = std::mem::take(&mut dataset.fingerprints);
    let choices = choose(
        &dataset.documents,
        &fingerprints,
        &keep,
        measure,
        args.threshold,
        args.clusters,
    );
    drop::<Vec<Fingerprint>>(fingerprints);
    target.write(&dataset, &choices, args.annotate)?;
    tell(args, &dataset, &choices, &settings)?;
    Ok(Outcome::Done)
}

fn typed(args: &DedupeArgs) -> Typed {
    Typed {
        method: MethodOptions {
            recipe: Some(args.recipe.clone()),
            ..MethodOptions::default()
        },
        reading: ReadOptions {
            input: args.input.clone(),
            key_file: args.key_file.clone(),
            ..ReadOptions::default()
        },
        ..Typed::default()
    }
}

fn tell(
    args: &DedupeArgs,
    dataset: &Dataset,
    choices: &[Choice],
    settings: &Settings,
) -> Result<()> {
    let kept = choices.iter().filter(|choice| choice.is_kept).count();
    let removed = choices.len() - kept;
    let exact = choices
        .iter()
        .filter(|choice| !choice.is_kept && choice.similarity >= 1.0);
    let exact = exact.count();
    let repeated = repeated_ids(&dataset.documents);
    if args.json {
        let result = json!({
            "schema": "cento.dedupe/1",
            "recipe": settings.scan.recipe.to_string(),
            "measure": args.measure,
            "threshold": args.threshold,
            "keep": args.keep,
            "documents": choices.len(),
            "kept": kept,
            "removed": removed,
            "identical": exact,
            "skipped": dataset.skipped.len(),
            "repeated_ids": repeated.len(),
        });
        output::result(&format!("{result:#}\n"))?;
    } else {
        output::result(&format!(
            "{kept} of {} documents kept; {removed} are like one of them, {exact} of these the same \
             as far as the recipe sees\n",
            choices.len()
        ))?;
    }
    if !settings.quiet {
        for (id, count) in repeated.iter().take(5) {
            output::message(&format!(
                "warning: {count} documents have the id {}",
                id.escape_debug()
            ));
        }
        if repeated.len() > 5 {
            output::message(&format!(
                "warning: {} more ids are repeated",
                repeated.len() - 5
            ));
        }
        let skipped = dataset.skipped.len();
        if skipped > 0 {
            output::message(&format!(
                "warning: {skipped} could not be read; skipped.jsonl has their places and why"
            ));
        }
        output::message(&format!(
            "{} of {} documents read",
            choices.len(),
            choices.len() + skipped
        ));
    }
    Ok(())
}

/// Ids that several documents have.
fn repeated_ids(documents: &[Document]) -> BTreeMap<&str, u64> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for document in documents {
        *counts.entry(&document.id).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}
