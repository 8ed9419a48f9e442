//! `cento completions` and `cento man`: for the shell and for the manual.

use anyhow::{Context as _, Result};
use clap::CommandFactory as _;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::{Outcome, output};

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cento", &mut script);
    output::result(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

pub(crate) fn man(args: &ManArgs) -> Result<Outcome> {
    let command = Cli::command();
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        clap_mangen::generate_to(command, folder).with_context(|| folder.display().to_string())?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        output::result(&String::from_utf8_lossy(&page))?;
    }
    Ok(Outcome::Done)
}
