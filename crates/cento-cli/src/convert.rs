//! Offers programs that are on this machine for files that Cento does not read. It runs none of them
//! before somebody has named it.

use std::path::PathBuf;

use cento::report::Skipped;
use cento_ingest::Convertible;

use crate::config::own_file;

/// What to write where, so that files that were skipped are converted; nothing if no known program is
/// there.
pub(crate) fn offers(skipped: &[Skipped]) -> Option<String> {
    let folders = folders();
    let mut files = 0;
    let mut lines = Vec::new();
    for format in Convertible::ALL {
        let of_format = |one: &&Skipped| one.format.as_deref() == Some(format.name());
        let count = skipped.iter().filter(of_format).count();
        let command = format.command_in(&folders).filter(|_| count > 0);
        if let Some(command) = command {
            files += count;
            lines.push(format!("\n         {format} = {}", toml_list(command)));
        }
    }
    if files == 0 {
        return None;
    }
    Some(format!(
        "note: programs on this machine can convert {files} of the {} skipped; to let Cento run them, \
         put these lines into {}:\n         [convert]{}",
        skipped.len(),
        place(),
        lines.concat()
    ))
}

/// The same for one file, as the end of a sentence.
pub(crate) fn offer(format: Convertible) -> Option<String> {
    let command = format.command_in(&folders())?;
    let program = command.first().copied().unwrap_or_default();
    let line = format!("convert.{format} = {}", toml_list(command));
    Some(format!(
        "; `{program}` on this machine converts it, if {} has the line {line}",
        place()
    ))
}

/// The file that may name programs.
fn place() -> String {
    match own_file() {
        Some(path) => path.display().to_string(),
        None => "a file that --config names".to_owned(),
    }
}

/// Where the system looks for programs.
fn folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    folders.filter(|folder| folder.is_absolute()).collect()
}

fn toml_list(command: &[&str]) -> String {
    let words: Vec<String> = command.iter().map(|word| format!("\"{word}\"")).collect();
    format!("[{}]", words.join(", "))
}
