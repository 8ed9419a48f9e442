//! A folder with an archive in it, and pages for it.
#![allow(dead_code, reason = "not every test asks for everything")]

#[path = "numbers.rs"]
mod numbers;

use std::fmt::Write as _;
use std::path::Path;

use assert_cmd::Command;
use numbers::Numbers;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with an archive in it.
pub(crate) struct Case(TempDir);

pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) printed: Vec<u8>,
    pub(crate) said: String,
}

impl Case {
    pub(crate) fn new() -> Case {
        let case = Case(tempfile::tempdir().unwrap());
        case.ok(&["init"]);
        case
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), bytes).unwrap();
    }

    pub(crate) fn run(&self, arguments: &[&str], input: &[u8]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command
            .current_dir(self.path())
            .arg("archive")
            .args(arguments);
        command.env_remove("CENTO_ARCHIVE").write_stdin(input);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("panicked"), "{said}");
        Done {
            code: output.status.code(),
            printed: output.stdout,
            said,
        }
    }

    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        String::from_utf8(self.bytes(arguments)).unwrap()
    }

    #[track_caller]
    pub(crate) fn bytes(&self, arguments: &[&str]) -> Vec<u8> {
        let done = self.run(arguments, b"");
        assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.said);
        done.printed
    }

    #[track_caller]
    pub(crate) fn fails(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments, b"");
        assert_eq!(done.code, Some(2), "{arguments:?}: {}", done.said);
        done.said
    }

    /// The objects that a command prints, one a line.
    #[track_caller]
    pub(crate) fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let text = self.ok(&[arguments, &["--json"]].concat());
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Adds a version from bytes; what is said of it.
    #[track_caller]
    pub(crate) fn add(&self, name: &str, bytes: impl AsRef<[u8]>, time: &str) -> Value {
        self.write("added", bytes);
        let mut all = self.lines(&["add", name, "added", "--time", time]);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }
}

/// A page of some hundred words; the number changes a few of them.
pub(crate) fn page(story: u64, comment: &str) -> String {
    let mut numbers = Numbers(story);
    let mut text = format!("<html><head><title>News</title></head><body>\n<!-- {comment} -->\n");
    for _ in 0..40 {
        text += "<p>";
        for _ in 0..25 {
            let _ = write!(text, "{} ", word(numbers.below(4000)));
        }
        text += "</p>\n";
    }
    text + "</body></html>\n"
}

pub(crate) fn word(number: u64) -> String {
    let syllables = [
        "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti",
    ];
    let mut rest = number + 13;
    let mut word = String::new();
    while rest > 0 {
        word += syllables[(rest % 13) as usize];
        rest /= 13;
    }
    word
}
