//! A folder with files and a registry in it.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Commands run in it, so that paths are as people type them.
pub(crate) struct Case {
    folder: TempDir,
}

/// What a command came to.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) printed: String,
    pub(crate) said: String,
}

impl Case {
    /// An empty folder, with a registry made by `registry init` and these flags.
    pub(crate) fn new(init: &[&str]) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let case = Case { folder };
        case.ok(&[&["registry", "init"], init].concat());
        case
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command.current_dir(self.path()).args(arguments);
        command.env_remove("CENTO_KEY").env_remove("CENTO_REGISTRY");
        let output = command.output().unwrap();
        Done {
            code: output.status.code(),
            printed: String::from_utf8(output.stdout).unwrap(),
            said: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What a command prints that must succeed.
    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments);
        assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.said);
        done.printed
    }

    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(&[arguments, &["--json"]].concat())).unwrap()
    }
}

/// 200 words that a text of another number does not have.
pub(crate) fn text(number: u64) -> String {
    words(number, 200)
}

/// The same with any number of words.
pub(crate) fn words(number: u64, count: u64) -> String {
    let word = |place: u64| {
        let mixed = (number * 1000 + place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("w{:x}", mixed >> 32)
    };
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}
