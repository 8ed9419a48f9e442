//! `cento eval`: how well methods find what belongs together.

use anyhow::Result;
use cento_jobs::eval::{self, FilesRead, Kind, Options, by_itself, labelled, pan, retrieval};

use crate::args::{EvalArgs, General, TableFormat};
use crate::config::{Settings, Typed, settle};
use crate::run::{account, run as watched};
use crate::verbs::{eval_pan_text, eval_retrieval_text, eval_text};
use crate::{Outcome, output};

pub(crate) fn run(args: EvalArgs, general: &General) -> Result<Outcome> {
    let kind = kind(&args);
    let typed = Typed {
        reading: args.reading,
        ..Typed::default()
    };
    let settings = settle(typed, general)?;
    let format = settings.format.of_table()?;
    let options = Options {
        collection: args.collection,
        kind,
        key_file: settings.method.key_file.clone(),
        key: settings.method.key.clone(),
        input: settings.input.clone(),
    };
    let done = watched(&settings, |watch| eval::run(&options, watch))?;
    match &done {
        eval::Outcome::Labelled(done) => files(&done.files, &settings)?,
        eval::Outcome::ByItself(done) => files(std::slice::from_ref(&done.files), &settings)?,
        eval::Outcome::Pan(_) => {}
        eval::Outcome::Retrieval(done) => files(std::slice::from_ref(&done.files), &settings)?,
    }
    match format {
        TableFormat::Json => output::json(&done)?,
        TableFormat::Text => output::result(&text(&done))?,
        TableFormat::Csv => output::result(&csv(&done))?,
    }
    if !settings.quiet {
        afterwards(&done, &options);
    }
    Ok(Outcome::Done)
}

fn kind(args: &EvalArgs) -> Kind {
    if args.pan {
        return Kind::Pan(pan::Options {
            aligner: args.aligner.clone(),
            synonyms: args.synonyms.clone(),
            vectors: args.vectors.clone(),
            folds: args.folds,
            output: args.output.clone(),
        });
    }
    if args.retrieval {
        return Kind::Retrieval(retrieval::Options {
            threshold: args.threshold,
            folds: args.folds,
            output: args.output.clone(),
        });
    }
    let (recipes, measures) = (args.recipes.clone(), args.measures.clone());
    if args.by_itself {
        return Kind::ByItself(by_itself::Options { recipes, measures });
    }
    Kind::Labelled(labelled::Options {
        recipes,
        measures,
        query_recipe: args.query_recipe.clone(),
        passage_threshold: args.passage_threshold,
        query_terms: args.query_terms.clone(),
        detail: args.detail,
        top: args.top,
    })
}

fn files(folders: &[FilesRead], settings: &Settings) -> Result<()> {
    folders
        .iter()
        .try_for_each(|files| account(files.read, &files.skipped, settings))
}

fn text(done: &eval::Outcome) -> String {
    match done {
        eval::Outcome::Labelled(done) => eval_text::table(&done.rows),
        eval::Outcome::ByItself(done) => eval_text::by_itself(&done.rows),
        eval::Outcome::Pan(done) => eval_pan_text::table(done),
        eval::Outcome::Retrieval(done) => eval_retrieval_text::table(done),
    }
}

fn csv(done: &eval::Outcome) -> String {
    match done {
        eval::Outcome::Labelled(done) => eval_text::csv(&done.rows),
        eval::Outcome::ByItself(done) => eval_text::by_itself(&done.rows),
        eval::Outcome::Pan(done) => eval_pan_text::csv(done),
        eval::Outcome::Retrieval(done) => eval_retrieval_text::csv(done),
    }
}

/// What there is to know besides.
fn afterwards(done: &eval::Outcome, options: &Options) {
    match done {
        eval::Outcome::Labelled(done) => output::message(&format!(
            "{} documents, {} queries",
            done.documents, done.queries
        )),
        eval::Outcome::ByItself(_) => {}
        eval::Outcome::Pan(done) => {
            if done.limited > 0 {
                output::message(&format!(
                    "warning: a limit was reached in {} pairs; there may be more to find",
                    done.limited
                ));
            }
            if !done.has_truth {
                output::message(&format!(
                    "{}: no XML files beside its pairs, so there is no truth to score",
                    options.collection.display()
                ));
            }
            output::message(&format!(
                "{} pairs aligned in {:.1} s",
                done.rows.all.counts.pairs, done.seconds
            ));
        }
        eval::Outcome::Retrieval(done) => output::message(&format!(
            "{} documents against {} sources, by scan and by verify in {:.1} s",
            done.queries, done.sources, done.seconds
        )),
    }
}
