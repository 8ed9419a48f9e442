//! Names of uploaded files: whatever a client sends, the file ends up below its job's folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Deeper folders are flattened.
const DEPTH: usize = 16;
/// Bytes of one part of a name; most file systems allow 255.
const LONGEST: usize = 180;

/// Gives every file a place of its own.
#[derive(Default)]
pub(super) struct Names {
    /// How often a name was given, in the form that some systems cannot tell apart.
    given: HashMap<String, u32>,
}

impl Names {
    /// Where a file of this name goes, relative to the folder of all files.
    pub(super) fn place(&mut self, name: &str) -> PathBuf {
        let safe = safe(name);
        let count = self.given.entry(safe.to_lowercase()).or_default();
        *count += 1;
        if *count == 1 {
            return PathBuf::from(safe);
        }
        let number = *count;
        let path = Path::new(&safe);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let renamed = match path.extension() {
            Some(extension) => format!("{stem} ({number}).{}", extension.to_string_lossy()),
            None => format!("{stem} ({number})"),
        };
        path.with_file_name(renamed)
    }
}

/// What a job is called that was given no name: after its file, or the folder of its files.
#[derive(Default)]
pub(super) struct Title {
    first: Option<PathBuf>,
    /// Whether all files are below one folder.
    is_shared: bool,
}

impl Title {
    /// Notes that a file has come up.
    pub(super) fn add(&mut self, relative: &Path) {
        let folder = |path: &Path| {
            let has_parent = path.components().nth(1).is_some();
            let top = path.components().next();
            top.filter(|_| has_parent)
                .map(|top| top.as_os_str().to_owned())
        };
        match &self.first {
            None => {
                self.is_shared = folder(relative).is_some();
                self.first = Some(relative.to_owned());
            }
            Some(first) => self.is_shared &= folder(first) == folder(relative),
        }
    }

    /// The name of a job with so many files.
    pub(super) fn of(self, files: u64) -> String {
        let first = self.first.unwrap_or_else(|| PathBuf::from("file"));
        let name = if self.is_shared && files > 1 {
            first
                .components()
                .next()
                .map(std::path::Component::as_os_str)
        } else {
            first.file_name()
        };
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        match files {
            0 | 1 => name,
            _ if self.is_shared => name,
            files => format!("{name} and {} more", files - 1),
        }
    }
}

/// A relative path of plain parts.
fn safe(name: &str) -> String {
    let parts = name.split(['/', '\\']).map(part);
    let mut parts: Vec<String> = parts.flatten().collect();
    if parts.len() > DEPTH {
        parts.drain(..parts.len() - DEPTH);
    }
    if parts.is_empty() {
        return "file".to_owned();
    }
    parts.join("/")
}

/// One part of a path without what a file system could take for something else.
fn part(text: &str) -> Option<String> {
    let is_odd = |c: char| c.is_control() || "<>:\"|?*".contains(c);
    let mut part: String = text
        .chars()
        .map(|c| if is_odd(c) { '_' } else { c })
        .collect();
    while part.ends_with([' ', '.']) {
        part.pop();
    }
    let part = part.trim_start();
    if part.is_empty() {
        return None;
    }
    let mut end = part.len().min(LONGEST);
    while !part.is_char_boundary(end) {
        end -= 1;
    }
    // The end of a long name is what tells its format.
    let cut = if end == part.len() {
        part.to_owned()
    } else {
        let extension = Path::new(part).extension().and_then(|text| text.to_str());
        let extension = extension.filter(|text| text.len() < 20);
        let extension = extension.map(|text| format!(".{text}")).unwrap_or_default();
        format!("{}{extension}", &part[..end])
    };
    Some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_called_after_its_files() {
        for (files, expected) in [
            (&["class.zip"][..], "class.zip"),
            (&["hw1/a.txt"], "a.txt"),
            (&["hw1/a.txt", "hw1/b.txt"], "hw1"),
            (&["a.txt", "b.txt", "c.txt"], "a.txt and 2 more"),
            (&["hw1/a.txt", "hw2/b.txt"], "a.txt and 1 more"),
        ] {
            let mut title = Title::default();
            for file in files {
                title.add(Path::new(file));
            }
            assert_eq!(title.of(files.len() as u64), expected);
        }
    }

    #[test]
    fn names_stay_below_the_folder() {
        for (name, expected) in [
            ("essay.txt", "essay.txt"),
            ("a/b/c.txt", "a/b/c.txt"),
            ("../../etc/passwd", "etc/passwd"),
            ("/etc/passwd", "etc/passwd"),
            ("..\\..\\windows\\system.ini", "windows/system.ini"),
            ("C:\\x.txt", "C_/x.txt"),
            ("a/./..//b", "a/b"),
            ("..", "file"),
            ("", "file"),
            ("nul\0l.txt", "nul_l.txt"),
            ("line\nbreak", "line_break"),
            ("...hidden. . ", "...hidden"),
            ("<img src=x>.txt", "_img src=x_.txt"),
            ("čtení/труд.txt", "čtení/труд.txt"),
        ] {
            assert_eq!(safe(name), expected, "{name:?}");
            let path = PathBuf::from(safe(name));
            let is_plain = |part| matches!(part, std::path::Component::Normal(_));
            assert!(path.components().all(is_plain), "{name:?}");
        }
        let long = format!("{}.docx", "ž".repeat(300));
        let cut = PathBuf::from(safe(&long));
        assert!(safe(&long).len() < 255 && cut.extension().is_some_and(|end| end == "docx"));
    }

    #[test]
    fn no_file_takes_the_place_of_another() {
        let mut names = Names::default();
        let places = ["a.txt", "A.txt", "../a.txt", "b"].map(|name| names.place(name));
        let expected = ["a.txt", "A (2).txt", "a (3).txt", "b"].map(PathBuf::from);
        assert_eq!(places, expected);
    }
}
