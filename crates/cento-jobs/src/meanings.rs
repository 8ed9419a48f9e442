//! Files that say which words mean the same.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use cento::align::{Meanings, Vectors, Vocabulary};

use crate::error::{At as _, Error, Problem, Result};
use crate::settings_file::{expect_end, read_settings};

/// What is known of words before the texts are.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenMeanings {
    /// What a list of synonyms says.
    synonyms: Meanings,
    /// The vectors of words; only the texts say which of them matter.
    vectors: Option<PathBuf>,
}

/// How large a list of synonyms may be.
const MOST_SYNONYMS: u64 = 64 << 20;

/// A longer line belongs to no file of vectors.
const LONGEST_LINE: u64 = 1 << 20;

impl GivenMeanings {
    pub(crate) fn settle(
        synonyms: Option<&Path>,
        vectors: Option<&Path>,
        problems: &mut Vec<Problem>,
    ) -> GivenMeanings {
        let mut problem = |option, error: Error| {
            problems.push(Problem::new(option, error.sentence()));
        };
        let mut given = GivenMeanings::default();
        match synonyms.map(read_synonyms) {
            Some(Ok(synonyms)) => given.synonyms = synonyms,
            Some(Err(error)) => problem("synonyms", error),
            None => {}
        }
        if let Some(path) = vectors {
            match open(path) {
                Ok(_) => given.vectors = Some(path.to_owned()),
                Err(error) => problem("vectors", error.into()),
            }
        }
        given
    }

    /// Whether the words of the texts have to be known to say which mean the same.
    pub(crate) fn depend_on_texts(&self) -> bool {
        self.vectors.is_some()
    }

    /// Which of these words mean the same.
    pub(crate) fn of(&self, vocabulary: &Vocabulary) -> Result<Meanings, cento::Error> {
        let mut meanings = self.synonyms.clone();
        if let Some(path) = &self.vectors {
            read_vectors(path, vocabulary)?.group(&mut meanings);
        }
        Ok(meanings)
    }
}

fn read_synonyms(path: &Path) -> Result<Meanings> {
    let text = read_settings(path, MOST_SYNONYMS)?;
    let mut meanings = Meanings::default();
    for (number, line) in text.lines().enumerate() {
        meanings
            .add_line(line)
            .map_err(Error::refused)
            .at(format_args!("{}: line {}", path.display(), number + 1))?;
    }
    Ok(meanings)
}

/// Reads a file of vectors line by line: only those of the texts' words are kept.
fn read_vectors(path: &Path, vocabulary: &Vocabulary) -> Result<Vectors, cento::Error> {
    let wrong = |number: u64, reason: String| cento::Error::Format {
        path: path.to_owned(),
        reason: format!("line {number}: {reason}"),
    };
    let mut file = open(path)?;
    let mut vectors = Vectors::of(vocabulary);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = (&mut file).take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.map_err(|source| unreadable(path, &source))? == 0 {
            break;
        }
        if line.len() as u64 == LONGEST_LINE {
            let reason = "it is too long for a word and its numbers";
            return Err(wrong(number, reason.to_owned()));
        }
        vectors
            .add_line(&String::from_utf8_lossy(&line))
            .map_err(|reason| wrong(number, reason))?;
    }
    Ok(vectors)
}

fn open(path: &Path) -> Result<BufReader<File>, cento::Error> {
    let file = expect_end(path).and_then(|()| File::open(path));
    let file = file.map_err(|source| unreadable(path, &source))?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

fn unreadable(path: &Path, source: &std::io::Error) -> cento::Error {
    cento::Error::Format {
        path: path.to_owned(),
        reason: source.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, content: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn vocabulary() -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.read("canal waterway mill");
        vocabulary
    }

    #[test]
    fn a_problem_names_the_file_and_the_line() {
        let (_folder, path) = file("words.txt", "# words\ncanal, waterway\nmill\n");
        let mut problems = Vec::new();
        GivenMeanings::settle(Some(&path), Some(Path::new("no/such.vec")), &mut problems);
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert!(
            told[0].starts_with("synonyms: ")
                && told[0].contains("words.txt: line 3: has only `mill`")
        );
        assert!(told[1].starts_with("vectors: no/such.vec: "), "{}", told[1]);
    }

    #[test]
    fn both_files_together() {
        let (_one, synonyms) = file("words.txt", "mill: works, factory\n");
        let (_other, vectors) = file("words.vec", "3 2\ncanal 1 0\nwaterway 0.9 0.1\nboat x y\n");
        let mut problems = Vec::new();
        let given = GivenMeanings::settle(Some(&synonyms), Some(&vectors), &mut problems);
        assert!(problems.is_empty());
        let meanings = given.of(&vocabulary()).unwrap();
        let mut lists = Meanings::default();
        lists.add_line("mill: works, factory").unwrap();
        lists.add_line("canal waterway").unwrap();
        assert_eq!(meanings, lists);
    }

    #[test]
    fn a_bad_vector_is_an_error_with_its_line() {
        let (_folder, path) = file("words.vec", "boat 1 0\ncanal 1 none\n");
        let given = GivenMeanings::settle(None, Some(&path), &mut Vec::new());
        let error = given.of(&vocabulary()).unwrap_err().to_string();
        assert!(
            error.ends_with("words.vec: line 2: `none` after `canal` is not a number"),
            "{error}"
        );
    }
}
