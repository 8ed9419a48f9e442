//! `cento completions` and `cento man`: for the shell and for the manual.

use std::path::Path;

use anyhow::{Context as _, Result};
use cento_jobs::files;
use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::replace::{self, Readers};
use crate::{Outcome, output};

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cento", &mut script);
    output::result(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

pub(crate) fn man(args: &ManArgs) -> Result<Outcome> {
    let mut command = Cli::command();
    if let Some(folder) = &args.folder {
        files::make_folder(folder).with_context(|| folder.display().to_string())?;
        command = command.disable_help_subcommand(true);
        command.build();
        write_pages(command, folder)?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(explained(command)).render(&mut page)?;
        output::result(&String::from_utf8_lossy(&page))?;
    }
    Ok(Outcome::Done)
}

/// Writes the page of a command and those of its verbs, each whole or as it was.
fn write_pages(command: clap::Command, folder: &Path) -> Result<()> {
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        write_pages(verb.clone(), folder)?;
    }
    let page = clap_mangen::Man::new(explained(command));
    let path = folder.join(page.get_filename());
    let mut text = Vec::new();
    page.render(&mut text)?;
    replace::file(&path, &String::from_utf8_lossy(&text), Readers::Usual)
        .with_context(|| path.display().to_string())
}

/// The manual says what every option does, also those that `-h` leaves to `--help`.
fn explained(command: clap::Command) -> clap::Command {
    command.mut_args(|argument| argument.hide_short_help(false))
}
