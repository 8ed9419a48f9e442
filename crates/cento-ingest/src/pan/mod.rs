//! Corpora of the PAN competitions on text alignment: which pairs there are, their texts, and what
//! is known about them.
//!
//! ```text
//! DIR/pairs                    suspicious-documentNNNNN.txt source-documentNNNNN.txt, a pair a line
//! DIR/susp, DIR/src            the texts
//! DIR/0N-kind/pairs            the pairs of one kind
//! DIR/0N-kind/SUSP-SRC.xml     the truth about a pair; a held-out corpus has none
//! ```

mod truth;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use truth::{PanCase, parse_truth};

use crate::Error;

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
    /// Whether there is a truth about them.
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
    pub fn open(root: &Path) -> Result<PanCorpus, Error> {
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
            let reason =
                "no pairs in it; a PAN corpus has a file `pairs`, or folders with one each";
            return Err(Error::Empty(reason.to_owned()).at(root.display()));
        }
        Ok(PanCorpus {
            root: root.to_owned(),
            folders,
        })
    }

    /// The texts of a pair: of the suspicious document, then of the source. Errors name the file.
    pub fn texts(&self, pair: &PanPair) -> Result<[String; 2], Error> {
        Ok([
            read_text(&self.find("susp", &pair.suspicious)?)?,
            read_text(&self.find("src", &pair.source)?)?,
        ])
    }

    /// The folder of the suspicious documents and that of the sources. Errors name the folder.
    pub fn text_folders(&self) -> Result<[PathBuf; 2], Error> {
        let find = |kind: &str| {
            let here = self.root.join(kind);
            let places = [here.clone(), self.root.join("..").join(kind)];
            let found = places.into_iter().find(|path| path.is_dir());
            found.ok_or_else(|| Error::Io("no such folder".to_owned()).at(here.display()))
        };
        Ok([find("susp")?, find("src")?])
    }

    /// Where a text is: beside the pairs, or one level up if only one folder was given.
    fn find(&self, kind: &str, name: &str) -> Result<PathBuf, Error> {
        let here = self.root.join(kind).join(name);
        let places = [here.clone(), self.root.join("..").join(kind).join(name)];
        let found = places.into_iter().find(|path| path.is_file());
        found.ok_or_else(|| Error::Io("no such file".to_owned()).at(here.display()))
    }
}

impl PanFolder {
    fn open(name: String, path: PathBuf) -> Result<PanFolder, Error> {
        let list = path.join("pairs");
        let mut folder = PanFolder {
            name,
            pairs: parse_pairs(&read(&list)?).map_err(|error| error.at(list.display()))?,
            path,
            has_truth: false,
        };
        folder.has_truth = folder.look_for_truth();
        Ok(folder)
    }

    /// The truth about one of its pairs. Errors name the file.
    pub fn truth(&self, pair: &PanPair) -> Result<Vec<PanCase>, Error> {
        let path = self.truth_path(pair);
        parse_truth(&read(&path)?, &pair.source).map_err(|error| error.at(path.display()))
    }

    /// The file with the truth about one of its pairs.
    pub fn truth_path(&self, pair: &PanPair) -> PathBuf {
        self.path.join(pair.file_name())
    }

    fn look_for_truth(&self) -> bool {
        let mut pairs = self.pairs.iter();
        pairs.any(|pair| self.truth_path(pair).is_file())
    }
}

impl PanPair {
    /// The name of the file with the truth about the pair, or with what was detected in it.
    pub fn file_name(&self) -> String {
        let stem = |name: &str| name.strip_suffix(".txt").unwrap_or(name).to_owned();
        format!("{}-{}.xml", stem(&self.suspicious), stem(&self.source))
    }
}

/// The lines of a file `pairs`.
fn parse_pairs(text: &str) -> Result<Vec<PanPair>, Error> {
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
            [_, _] => return Err(needs(number, "file names, not paths")),
            _ => {
                let names = "the names of a suspicious document and a source";
                return Err(needs(number, names));
            }
        }
    }
    Ok(pairs)
}

fn needs(line: u64, names: &str) -> Error {
    Error::Damaged(format!("needs {names}")).at(format_args!("line {line}"))
}

/// Whether a name is no path: files are written under it.
fn is_plain(name: &str) -> bool {
    !name.contains(['/', '\\', ':']) && name != "." && name != ".."
}

fn subfolders(root: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let unreadable = |error: std::io::Error| Error::cannot_read(&error).at(root.display());
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
fn read(path: &Path) -> Result<String, Error> {
    let mut text = std::fs::read_to_string(path)
        .map_err(|error| Error::cannot_read(&error).at(path.display()))?;
    if text.starts_with(MARK) {
        text.remove(0);
    }
    Ok(text)
}

const MARK: char = '\u{feff}';

/// A document's text with every character of the file, because offsets are counted in the file: a
/// byte order mark is a character, and an empty file is a text.
fn read_text(path: &Path) -> Result<String, Error> {
    let named = |error: Error| error.at(path.display());
    let bytes = std::fs::read(path).map_err(|error| named(Error::cannot_read(&error)))?;
    if bytes.len() as u64 > crate::LARGEST {
        let advice = "larger than 4 GiB; split it into documents";
        return Err(named(Error::Unsupported(advice.to_owned())));
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
        let error = |text| parse_pairs(text).unwrap_err().to_string();
        assert!(error("a b\nc\n").starts_with("line 2: needs the names"));
        assert!(error("a b c").starts_with("line 1: needs the names"));
        assert!(error("../a b").contains("not paths"));
        assert!(error("a ..").contains("not paths"));
    }
}
