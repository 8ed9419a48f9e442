//! Formats that other programs convert: which they are, and the programs that a user has named.
//!
//! Cento runs none that nobody named. Whoever names one decides what it may do; what it makes of a
//! file is read like any other file, and converted no further.

mod run;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub(crate) use run::{Conversion, convert};

/// A format that Cento does not read, but other programs do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Convertible {
    /// Word before 2007.
    Doc,
    /// Excel before 2007.
    Xls,
    /// PowerPoint before 2007.
    Ppt,
    /// A message of Outlook.
    Msg,
    /// PostScript.
    Ps,
    /// What TeX makes.
    Dvi,
    /// Scanned pages with their text.
    Djvu,
    /// `WordPerfect`.
    Wpd,
    /// A book for the Kindle.
    Mobi,
    /// Compiled help.
    Chm,
    /// A picture, which may be one of a page.
    Image,
    /// A PDF whose pages are pictures.
    Scan,
}

impl Convertible {
    /// All of them.
    pub const ALL: [Convertible; 12] = [
        Convertible::Doc,
        Convertible::Xls,
        Convertible::Ppt,
        Convertible::Msg,
        Convertible::Ps,
        Convertible::Dvi,
        Convertible::Djvu,
        Convertible::Wpd,
        Convertible::Mobi,
        Convertible::Chm,
        Convertible::Image,
        Convertible::Scan,
    ];

    /// Its name in settings and reports.
    pub fn name(self) -> &'static str {
        match self {
            Convertible::Doc => "doc",
            Convertible::Xls => "xls",
            Convertible::Ppt => "ppt",
            Convertible::Msg => "msg",
            Convertible::Ps => "ps",
            Convertible::Dvi => "dvi",
            Convertible::Djvu => "djvu",
            Convertible::Wpd => "wpd",
            Convertible::Mobi => "mobi",
            Convertible::Chm => "chm",
            Convertible::Image => "image",
            Convertible::Scan => "scan",
        }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Convertible> {
        Convertible::ALL
            .into_iter()
            .find(|format| format.name() == name)
    }

    /// Commands that are known to convert it, the better ones first. They write what they make to
    /// standard output.
    pub fn commands(self) -> &'static [&'static [&'static str]] {
        match self {
            Convertible::Doc => &[
                &["catdoc", "-d", "utf-8", "{file}"],
                &["antiword", "-m", "UTF-8.txt", "{file}"],
            ],
            Convertible::Xls => &[&["xls2csv", "-d", "utf-8", "{file}"]],
            Convertible::Ppt => &[&["catppt", "-d", "utf-8", "{file}"]],
            Convertible::Msg => &[&["msgconvert", "--outfile", "-", "{file}"]],
            Convertible::Ps => &[&["ps2pdf", "{file}", "-"], &["ps2ascii", "{file}"]],
            Convertible::Dvi => &[&["catdvi", "{file}"]],
            Convertible::Djvu => &[&["djvutxt", "{file}"]],
            Convertible::Wpd => &[&["wpd2text", "{file}"]],
            Convertible::Mobi | Convertible::Chm => &[],
            Convertible::Image => &[&["tesseract", "{file}", "-"]],
            // Without a second pass that makes a PDF for archives of it.
            Convertible::Scan => &[&["ocrmypdf", "--quiet", "--output-type", "pdf", "{file}", "-"]],
        }
    }

    /// The first of these commands whose program is in one of the folders. Nothing is run.
    pub fn command_in(self, folders: &[PathBuf]) -> Option<&'static [&'static str]> {
        let is_there = |command: &&&[&str]| {
            let program = command.first().copied().unwrap_or_default();
            folders
                .iter()
                .any(|folder| is_program(&folder.join(program)))
        };
        self.commands().iter().find(is_there).copied()
    }

    /// What the copy is called that a program gets: some programs go by that.
    fn ending(self) -> &'static str {
        match self {
            Convertible::Scan => "pdf",
            Convertible::Image => "img",
            other => other.name(),
        }
    }
}

impl fmt::Display for Convertible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let may_run = |metadata: std::fs::Metadata| metadata.permissions().mode() & 0o111 != 0;
    path.is_file() && path.metadata().is_ok_and(may_run)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.with_extension("exe").is_file()
}

/// The command that a user has named for each format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converters(BTreeMap<Convertible, Vec<String>>);

impl Converters {
    /// What stands for the file in a command.
    pub const FILE: &'static str = "{file}";

    /// The commands of formats by their names, such as `doc` and `["catdoc", "{file}"]`; or all that is
    /// wrong with them.
    pub fn new(
        named: impl IntoIterator<Item = (String, Vec<String>)>,
    ) -> Result<Converters, Vec<String>> {
        let mut converters = BTreeMap::new();
        let mut problems = Vec::new();
        for (name, command) in named {
            match (Convertible::named(&name), fault(&command)) {
                (Some(format), None) => _ = converters.insert(format, command),
                (None, _) => {
                    let known = Convertible::ALL.map(Convertible::name).join(", ");
                    problems.push(format!("{name} is no format; there are {known}"));
                }
                (Some(format), Some(fault)) => problems.push(format!("{format}: {fault}")),
            }
        }
        if problems.is_empty() {
            Ok(Converters(converters))
        } else {
            Err(problems)
        }
    }

    /// The command for a format.
    pub fn of(&self, format: Convertible) -> Option<&[String]> {
        self.0.get(&format).map(Vec::as_slice)
    }

    /// All of them by the names of their formats.
    pub fn by_name(&self) -> BTreeMap<String, Vec<String>> {
        let named = |(format, command): (&Convertible, &Vec<String>)| {
            (format.name().to_owned(), command.clone())
        };
        self.0.iter().map(named).collect()
    }
}

/// What is wrong with a command.
fn fault(command: &[String]) -> Option<String> {
    let example = "for example [\"catdoc\", \"{file}\"]";
    let [program, arguments @ ..] = command else {
        return Some(format!(
            "the command is empty; give a program and {{file}}, {example}"
        ));
    };
    if program.is_empty() {
        return Some(format!("the program has no name; {example}"));
    }
    // It runs in a folder of its own.
    let has_folder = Path::new(program).components().count() > 1;
    if has_folder && !Path::new(program).is_absolute() {
        return Some(format!(
            "{program} is not found from everywhere; give its whole path, or its name only"
        ));
    }
    if !arguments
        .iter()
        .any(|argument| argument.contains(Converters::FILE))
    {
        return Some(format!(
            "no argument of {program} has {{file}}, which stands for the file; {example}"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, command: &[&str]) -> Result<Converters, Vec<String>> {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        Converters::new([(name.to_owned(), command)])
    }

    #[test]
    fn names_are_those_of_serde() {
        for format in Convertible::ALL {
            assert_eq!(serde_json::to_value(format).unwrap(), format.name());
            assert_eq!(Convertible::named(format.name()), Some(format));
        }
    }

    #[test]
    fn every_known_command_could_be_configured() {
        for format in Convertible::ALL {
            for command in format.commands() {
                assert!(named(format.name(), command).is_ok(), "{command:?}");
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_command_is_said() {
        let problem = |name, command: &[&str]| named(name, command).unwrap_err().join("|");
        assert!(
            problem("word", &["catdoc", "{file}"])
                .starts_with("word is no format; there are doc, xls")
        );
        assert!(problem("doc", &[]).starts_with("doc: the command is empty"));
        assert!(problem("doc", &["", "{file}"]).contains("no name"));
        assert!(problem("doc", &["catdoc"]).contains("no argument of catdoc has {file}"));
        assert!(problem("doc", &["./own", "{file}"]).contains("whole path"));
        assert!(named("doc", &["/opt/own", "--in={file}"]).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_looked_for_and_not_run() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        assert_eq!(Convertible::Doc.command_in(&folders), None);
        let program = folder.path().join("antiword");
        std::fs::write(&program, "not a program").unwrap();
        assert_eq!(Convertible::Doc.command_in(&folders), None);
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let command = Convertible::Doc.command_in(&folders).unwrap();
        assert_eq!(command[0], "antiword");
        assert_eq!(Convertible::Ps.command_in(&folders), None);
    }
}
