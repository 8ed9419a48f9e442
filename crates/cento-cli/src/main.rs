//! `cento`: a dispatch table.

mod args;
mod config;
mod convert;
mod flags;
mod input;
mod machine;
mod output;
mod publish;
mod replace;
mod run;
mod verbs;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Verb};

/// Something at or above the threshold was found, and `--exit-code` asked to be told.
const FOUND: u8 = 1;
/// It could not be done.
const ERROR: u8 = 2;

fn main() -> ExitCode {
    machine::leave_no_memory_behind();
    let cli = Cli::parse();
    if cli.general.quiet {
        output::be_quiet();
    }
    let done = match cli.verb {
        Verb::Compare(args) => verbs::compare::run(args, &cli.general),
        Verb::Scan(args) => verbs::scan::run(args, &cli.general),
        Verb::Register(args) => verbs::register::run(&args, &cli.general),
        Verb::Verify(args) => verbs::verify::run(*args, &cli.general),
        Verb::Forget(args) => verbs::forget::run(args, &cli.general),
        Verb::Registry(args) => verbs::registry::run(args, &cli.general),
        Verb::Dedupe(args) => verbs::dedupe::run(&args, &cli.general),
        Verb::Archive(args) => verbs::archive::run(args, &cli.general),
        Verb::Mail(args) => verbs::mail::run(args, &cli.general),
        Verb::Plan(args) => verbs::plan::run(&args, &cli.general),
        Verb::Serve(args) => verbs::serve::run(*args, &cli.general),
        Verb::Watch(args) => verbs::watch::run(&args, &cli.general),
        Verb::Recipes(args) => verbs::recipes::run(&args),
        Verb::Explain(args) => verbs::explain::run(args, &cli.general),
        Verb::Eval(args) => verbs::eval::run(args, &cli.general),
        Verb::Attack(args) => verbs::attack::run(&args, &cli.general),
        Verb::VerifyCase(args) => verbs::verify_case::run(&args, cli.general.quiet),
        Verb::Config(args) => verbs::config::run(args, &cli.general),
        Verb::Completions(args) => verbs::shell::completions(&args),
        Verb::Man(args) => verbs::shell::man(&args),
        Verb::SortSuffixes => cento_server::sort_suffixes()
            .map(|()| Outcome::Done)
            .map_err(Into::into),
        Verb::ReadFiles => cento_ingest::serve()
            .map(|()| Outcome::Done)
            .map_err(Into::into),
    };
    match done {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(FOUND),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&format!("error: {error:#}"));
            ExitCode::from(ERROR)
        }
    }
}

/// How a run ended that did what it was asked.
enum Outcome {
    Done,
    Found,
}

impl Outcome {
    fn of(is_found: bool) -> Outcome {
        if is_found {
            Outcome::Found
        } else {
            Outcome::Done
        }
    }
}
