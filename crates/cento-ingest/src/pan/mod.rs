//! Corpora of the PAN competitions on text alignment: which pairs there are, their texts, and what
//! is known about them.
//!
//! ```text
//! DIR/pairs                    suspicious-documentNNNNN.txt source-documentNNNNN.txt, a pair a line
//! DIR/susp, DIR/src            the texts
//! DIR/0N-kind/pairs            the pairs of one kind
//! DIR/0N-kind/SUSP-SRC.xml     what is true of a pair; a held-out corpus has none
//! ```

mod truth;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use truth::{PanCase, parse_truth};

/// The pairs of a corpus, folder by folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanCorpus {
    root: PathBuf,
    /// The folders that have pairs, sorted by name.
    pub folders: Vec<PanFolder>,
}

/// Pairs that are listed in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanFolder {
    /// Its name; `.` for the corpus itself.
    pub name: String,
    path: PathBuf,
    /// In the order of the list.
    pub pairs: Vec<PanPair>,
    /// Whether it is known what is true of them.
    pub has_truth: bool,
}

/// A pair of documents, by the names of their files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PanPair {
    /// The document that may have taken from the other.
    pub suspicious: String,
    /// The document that may have been taken from.
    pub source: String,
}

impl PanCorpus {
    /// Lists the pairs under a folder. Errors name the file.
    pub fn open(root: &Path) -> Result<PanCorpus, String> {
        let mut folders = Vec::new();
        for (name, path) in subfolders(root)? {
            if path.join("pairs").is_file() {
                folders.push(PanFolder::open(name, path)?);
            }
        }
        if root.join("pairs").is_file() {
            let mut own = PanFolder::open(".".to_owned(), root.to_owned())?;
            // The list of the corpus repeats those of its folders.
            let known: BTreeSet<&PanPair> = folders.iter().flat_map(|f| &f.pairs).collect();
            own.pairs.retain(|pair| !known.contains(pair));
            if !own.pairs.is_empty() {
                own.has_truth = own.look_for_truth();
                folders.insert(0, own);
            }
        }
        if folders.iter().all(|folder| folder.pairs.is_empty()) {
            return Err(format!(
                "{}: no pairs in it; a PAN corpus has a file `pairs`, or folders with one each",
                root.display()
            ));
        }
        Ok(PanCorpus {
            root: root.to_owned(),
            folders,
        })
    }

    /// The texts of a pair: of the suspicious document, then of the source. Errors name the file.
    pub fn texts(&self, pair: &PanPair) -> Result<[String; 2], String> {
        Ok([
            read_text(&self.find("susp", &pair.suspicious)?)?,
            read_text(&self.find("src", &pair.source)?)?,
        ])
    }

    /// Where a text is: beside the pairs, or one level up if only one folder was given.
    fn find(&self, kind: &str, name: &str) -> Result<PathBuf, String> {
        let here = self.root.join(kind).join(name);
        let places = [here.clone(), self.root.join("..").join(kind).join(name)];
        let found = places.into_iter().find(|path| path.is_file());
        found.ok_or_else(|| format!("{}: no such file", here.display()))
    }
}

impl PanFolder {
    fn open(name: String, path: PathBuf) -> Result<PanFolder, String> {
        let list = path.join("pairs");
        let mut folder = PanFolder {
            name,
            pairs: parse_pairs(&read(&list)?)
                .map_err(|reason| format!("{}, {reason}", list.display()))?,
            path,
            has_truth: false,
        };
        folder.has_truth = folder.look_for_truth();
        Ok(folder)
    }

    /// What is true of one of its pairs. Errors name the file.
    pub fn truth(&self, pair: &PanPair) -> Result<Vec<PanCase>, String> {
        let path = self.truth_path(pair);
        parse_truth(&read(&path)?, &pair.source)
            .map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// Where it is said what is true of one of its pairs.
    pub fn truth_path(&self, pair: &PanPair) -> PathBuf {
        self.path.join(pair.file_name())
    }

    fn look_for_truth(&self) -> bool {
        let mut pairs = self.pairs.iter();
        pairs.any(|pair| self.truth_path(pair).is_file())
    }
}

impl PanPair {
    /// The name of the file that says what is true of the pair, or what was detected in it.
    pub fn file_name(&self) -> String {
        let stem = |name: &str| name.strip_suffix(".txt").unwrap_or(name).to_owned();
        format!("{}-{}.xml", stem(&self.suspicious), stem(&self.source))
    }
}

/// The lines of a file `pairs`.
fn parse_pairs(text: &str) -> Result<Vec<PanPair>, String> {
    let mut pairs = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let names: Vec<&str> = line.split_whitespace().collect();
        match names[..] {
            [] => {}
            [suspicious, source] if is_plain(suspicious) && is_plain(source) => {
                pairs.push(PanPair {
                    suspicious: suspicious.to_owned(),
                    source: source.to_owned(),
                });
            }
            [_, _] => return Err(format!("line {number}: wants names of files, not paths")),
            _ => {
                return Err(format!(
                    "line {number}: wants the names of a suspicious document and of a source"
                ));
            }
        }
    }
    Ok(pairs)
}

/// The name of a file in a folder: it names no other folder, because files are written by it.
fn is_plain(name: &str) -> bool {
    !name.contains(['/', '\\', ':']) && name != "." && name != ".."
}

fn subfolders(root: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let unreadable = |error| format!("{}: {error}", root.display());
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(root).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir()
            && let Some(name) = path.file_name()
        {
            folders.push((name.to_string_lossy().into_owned(), path));
        }
    }
    folders.sort();
    Ok(folders)
}

/// A file that must be UTF-8, without its byte order mark.
fn read(path: &Path) -> Result<String, String> {
    let mut text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if text.starts_with(MARK) {
        text.remove(0);
    }
    Ok(text)
}

const MARK: char = '\u{feff}';

/// A document's text, in which every character of the file counts: offsets are places in the file,
/// so that a byte order mark is a character like another, and an empty file is a text too.
fn read_text(path: &Path) -> Result<String, String> {
    let named = |reason: String| format!("{}: {reason}", path.display());
    let bytes = std::fs::read(path).map_err(|error| named(error.to_string()))?;
    if bytes.len() as u64 > crate::LARGEST {
        return Err(named(
            "larger than 4 GiB; split it into documents".to_owned(),
        ));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => crate::text::decode(error.into_bytes(), None)
            .map(|text| text.content)
            .map_err(named),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_pairs() {
        let pairs = parse_pairs("a.txt b.txt\r\n\n  c\td.txt \n").unwrap();
        let names: Vec<String> = pairs.iter().map(PanPair::file_name).collect();
        assert_eq!(names, ["a-b.xml", "c-d.xml"]);
        let error = |text| parse_pairs(text).unwrap_err();
        assert!(error("a b\nc\n").starts_with("line 2: wants the names"));
        assert!(error("a b c").starts_with("line 1: wants the names"));
        assert!(error("../a b").contains("not paths"));
        assert!(error("a ..").contains("not paths"));
    }
}
