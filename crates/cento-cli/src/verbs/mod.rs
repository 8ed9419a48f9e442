//! One file per verb.

mod advise;
pub(crate) mod attack;
mod attack_table;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod dedupe;
pub(crate) mod eval;
mod eval_pan;
mod eval_pan_text;
mod eval_text;
pub(crate) mod explain;
mod explain_pair;
mod explain_text;
pub(crate) mod forget;
pub(crate) mod plan;
pub(crate) mod recipes;
pub(crate) mod register;
mod register_list;
pub(crate) mod registry;
pub(crate) mod scan;
pub(crate) mod serve;
pub(crate) mod shell;
mod style;
pub(crate) mod verify;
pub(crate) mod verify_case;

use cento::chunk::Chunker;
use cento::discount::Discount;
use cento::report::{Note, Report, Setting};

use crate::config::Settings;

/// Starts as many threads as were asked for.
fn use_threads(settings: &Settings) -> anyhow::Result<()> {
    if let Some(threads) = settings.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()?;
    }
    Ok(())
}

/// Adds what only the command line knows to a report.
fn complete(report: &mut Report, settings: &Settings) {
    let names = |paths: &[std::path::PathBuf]| {
        Setting::List(
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
        )
    };
    if !settings.base.is_empty() {
        report.settings.insert("base".into(), names(&settings.base));
        if matches!(
            settings.scan.recipe.chunker,
            Chunker::Top { .. } | Chunker::Band { .. }
        ) {
            report.notes.push(Note::TemplatesHaveNoEffect);
        }
    }
    if !settings.old.is_empty() {
        report.settings.insert("old".into(), names(&settings.old));
    }
    let left_out = settings.scan.left_out;
    if left_out.has(Discount::Common) {
        let common = Setting::Text("common".to_owned());
        report.settings.insert("base-from".into(), common);
    }
    let counted = [Discount::Quotation, Discount::Bibliography]
        .into_iter()
        .filter(|&discount| !left_out.has(discount))
        .map(|discount| discount.to_string());
    let counted: Vec<String> = counted.collect();
    if !counted.is_empty() {
        report
            .settings
            .insert("count".into(), Setting::List(counted));
    }
    if settings.scan.recipe.is_keyed() {
        let key = if settings.key.is_public() {
            "public"
        } else {
            "secret"
        };
        let setting = Setting::Text(key.to_owned());
        report.settings.insert("key".into(), setting);
        if settings.key.is_public() {
            report.notes.push(Note::PublicKey);
        }
    }
}
