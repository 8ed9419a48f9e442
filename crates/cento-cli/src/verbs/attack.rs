//! `cento attack`: attacked copies of documents, or a table of what the attacks leave.

use anyhow::Result;
use cento_jobs::attack::{self, Options, TableOptions, Wanted};

use crate::args::{AttackArgs, General, TableFormat};
use crate::config::{Typed, settle};
use crate::run::{account, run as watched};
use crate::verbs::attack_table;
use crate::{Outcome, output};

pub(crate) fn run(args: &AttackArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        reading: args.reading.clone(),
        ..Typed::default()
    };
    let settings = settle(typed, general)?;
    let result = match &args.output {
        Some(folder) => Wanted::Copies(folder.clone()),
        None => Wanted::Table(TableOptions {
            recipes: args.recipes.clone(),
            keys: args.keys,
            threshold: args.threshold,
            dictionary: settings.method.dictionary.clone(),
            key_file: settings.method.key_file.clone(),
            key: settings.method.key.clone(),
        }),
    };
    let format = match result {
        Wanted::Copies(_) => TableFormat::Text,
        Wanted::Table(_) => settings.format.of_table()?,
    };
    let options = Options {
        paths: args.paths.clone(),
        kinds: args.kinds.clone(),
        level: args.level,
        seed: args.seed,
        result,
        input: settings.input.clone(),
    };
    match watched(&settings, |watch| attack::run(&options, watch))? {
        attack::Outcome::Copies(done) => {
            if !settings.quiet {
                let count = done.files.len();
                let copies = if count == 1 { "copy" } else { "copies" };
                let folder = done.folder.display();
                output::message(&format!("{count} {copies} in {folder}"));
            }
            account(done.documents, &done.skipped, &settings)?;
        }
        attack::Outcome::Table(table) => {
            match format {
                TableFormat::Json => output::json(&table)?,
                TableFormat::Text => output::result(&attack_table::text(&table))?,
                TableFormat::Csv => output::result(&attack_table::csv(&table))?,
            }
            account(table.documents, &table.skipped, &settings)?;
        }
    }
    Ok(Outcome::Done)
}
