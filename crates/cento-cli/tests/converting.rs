//! Files that other programs convert: only those that the user has named run, under limits, and what
//! they make is read like any other file.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// A folder to work in, and a user who has settings of their own.
struct Case(tempfile::TempDir);

impl Case {
    fn new() -> Case {
        let case = Case(tempfile::tempdir().unwrap());
        fs::create_dir(case.path("work")).unwrap();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command
            .current_dir(self.path("work"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env_remove("CENTO_KEY")
            .args(arguments);
        command
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments).arg("--json").output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What a run says on standard error.
    fn told(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    }

    /// The reason why the only PostScript file is skipped, with this command for it.
    fn skipped(&self, command: &[&str], flags: &[&str]) -> String {
        self.write("work/essays/page.ps", format!("%!PS\n{}", essay()));
        self.write("work/essays/page.txt", essay());
        let words: Vec<String> = command.iter().map(|word| format!("{word:?}")).collect();
        let line = format!("[convert]\nps = [{}]\n", words.join(", "));
        self.write("config/cento/cento.toml", line);
        let report = self.json(&[&["scan", "essays"], flags].concat());
        assert_eq!(report["skipped"][0]["id"], "page.ps", "{report}");
        report["skipped"][0]["reason"].as_str().unwrap().to_owned()
    }
}

fn essay() -> String {
    let words: Vec<String> = (0..120)
        .map(|number| format!("word{}", number * 7))
        .collect();
    words.join(" ")
}

/// The start of an old Word file, and the essay on the lines after it.
fn word_document() -> Vec<u8> {
    let stream = "WordDocument".bytes().flat_map(|byte| [byte, 0]);
    let magic = *b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
    let end = format!("\n{}\n", essay()).into_bytes();
    magic.into_iter().chain(stream).chain(end).collect()
}

/// The start of a PNG picture, and the essay on the lines after it.
fn picture() -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n", essay().as_bytes()].concat()
}

/// All lines but the first two, which stand for what a converter has to understand.
const CONVERT: &str = "[convert]\n\
    doc = [\"sed\", \"1d\", \"{file}\"]\n\
    ps = [\"sh\", \"-c\", \"sed 1d {file}\"]\n\
    image = [\"sed\", \"1,2d\", \"{file}\"]\n";

#[test]
fn word_postscript_and_pictures_are_read_by_the_programs_of_the_user() {
    let case = Case::new();
    case.write("work/essays/a.txt", essay());
    case.write("work/essays/b.doc", word_document());
    case.write("work/essays/c.ps", format!("%!PS\n{}", essay()));
    case.write("work/essays/d.png", picture());
    let mut packed = zip::ZipWriter::new(fs::File::create(case.path("work/essays/e.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    packed.start_file("old.doc", options).unwrap();
    packed.write_all(&word_document()).unwrap();
    packed.finish().unwrap();
    case.write("config/cento/cento.toml", CONVERT);
    let report = case.json(&["scan", "essays"]);
    let documents = report["documents"].as_array().unwrap();
    let ids: Vec<&str> = documents
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["a.txt", "b.doc", "c.ps", "d.png", "e.zip/old.doc"]);
    for pair in report["pairs"].as_array().unwrap() {
        assert_eq!(pair["score"], 1.0, "{pair}");
    }
    assert_eq!(report["pairs"].as_array().unwrap().len(), 10);
    assert_eq!(documents[1]["warnings"][0], "converted by `sed`");
    // The same by standard input.
    let stdin = case
        .command(&["explain", "text", "-"])
        .write_stdin(word_document())
        .output();
    let stdin = stdin.unwrap();
    let text = String::from_utf8(stdin.stdout).unwrap();
    assert_eq!(
        text.trim(),
        essay(),
        "{}",
        String::from_utf8_lossy(&stdin.stderr)
    );
    // What a program makes may be in any format that Cento reads.
    let line = "convert.ps = [\"sh\", \"-c\", \"echo '<html><p>Made of it.</p></html>' #{file}\"]";
    case.write("config/cento/cento.toml", line);
    let output = case
        .command(&["explain", "text", "essays/c.ps"])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap().trim(),
        "Made of it."
    );
}

#[test]
fn a_working_folder_cannot_run_programs() {
    let case = Case::new();
    case.write("work/a.ps", format!("%!PS\n{}", essay()));
    let evidence = case.path("was-run");
    let run = format!(
        "[\"sh\", \"-c\", \"touch {} {{file}}\", \"{{id}}\"]",
        evidence.display()
    );
    for line in [
        format!("[convert]\nps = {run}\n"),
        format!("texts = {run}\n"),
    ] {
        case.write("work/cento.toml", &line);
        let output = case.command(&["scan", "."]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("names programs to run"), "{told}");
        assert!(told.contains("config/cento/cento.toml"), "{told}");
        assert!(told.contains("--config cento.toml"), "{told}");
        assert!(!evidence.exists());
    }
    // Who names the file means it.
    case.write("work/cento.toml", CONVERT);
    let report = case.json(&["scan", ".", "--config", "cento.toml"]);
    let report = report["documents"].to_string();
    assert!(report.contains("converted by `sh`"), "{report}");
}

#[test]
fn programs_that_are_there_are_offered_and_not_run() {
    let case = Case::new();
    let evidence = case.path("was-run");
    let program = case.write(
        "bin/catdoc",
        format!("#!/bin/sh\ntouch {}\n", evidence.display()),
    );
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    case.write("work/essays/a.doc", word_document());
    case.write("work/essays/b.png", picture());
    case.write("work/essays/c.txt", essay());
    let told = |arguments: &[&str]| {
        let mut command = case.command(arguments);
        let output = command.env("PATH", case.path("bin")).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let scan = told(&["scan", "essays"]);
    assert!(
        scan.contains("a.doc skipped: Word 97-2003 document"),
        "{scan}"
    );
    assert!(scan.contains("can convert 1 of the 2 skipped"), "{scan}");
    assert!(
        scan.contains("[convert]\n         doc = [\"catdoc\", \"-d\", \"utf-8\", \"{file}\"]"),
        "{scan}"
    );
    assert!(scan.contains("config/cento/cento.toml"), "{scan}");
    assert!(!scan.contains("tesseract\", \""), "{scan}");
    let compare = told(&["compare", "essays/a.doc", "essays/c.txt"]);
    assert!(
        compare.contains("; `catdoc` on this machine converts it, if "),
        "{compare}"
    );
    assert!(compare.contains("convert.doc = [\"catdoc\""), "{compare}");
    assert!(!evidence.exists());
    // Nothing is offered where there is nothing.
    fs::remove_file(program).unwrap();
    let scan = told(&["scan", "essays"]);
    assert!(!scan.contains("[convert]"), "{scan}");
}

#[test]
fn a_program_that_fails_costs_its_file_only() {
    let case = Case::new();
    let reason = case.skipped(&["no-such-program", "{file}"], &[]);
    assert!(
        reason.starts_with("`no-such-program`, which is to convert it, cannot be run: "),
        "{reason}"
    );
    let script = "echo first >&2; echo cannot open {file} >&2; exit 3";
    let reason = case.skipped(&["sh", "-c", script], &[]);
    assert_eq!(
        reason,
        "`sh`, which is to convert it, failed (exit status: 3): cannot open {file}"
    );
    let reason = case.skipped(&["true", "{file}"], &[]);
    assert_eq!(reason, "what `true` has made of it: empty file");
}

#[test]
fn a_program_has_the_limits_of_readers() {
    let case = Case::new();
    let process = case.path("process");
    let hang = format!(
        "sleep 1000 & echo $! > {}; wait # {{file}}",
        process.display()
    );
    let reason = case.skipped(&["sh", "-c", &hang], &["--max-time", "1"]);
    assert_eq!(reason, "the program that converts it takes longer than 1 s");
    let process = fs::read_to_string(process).unwrap();
    let is_alive = || {
        let status = fs::read_to_string(format!("/proc/{}/stat", process.trim()));
        status.is_ok_and(|status| !status.contains(") Z "))
    };
    for _ in 0..100 {
        if is_alive() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    assert!(!is_alive(), "what it had started runs on");
    let reason = case.skipped(&["yes", "{file}"], &["--max-text-size", "1MiB"]);
    assert_eq!(
        reason,
        "the program that converts it makes more than 1 MiB of it"
    );
    // Files beyond the limit, and memory.
    let large = "head -c 3000000 /dev/zero > large || exit 9; echo written # {file}";
    let reason = case.skipped(&["sh", "-c", large], &["--max-file-size", "1MiB"]);
    assert!(reason.contains("failed"), "{reason}");
    let spin = "while :; do :; done # {file}";
    let reason = case.skipped(&["sh", "-c", spin], &["--max-time", "1"]);
    assert_eq!(reason, "the program that converts it takes longer than 1 s");
}

#[test]
fn a_program_sees_no_key_and_no_name_of_a_stranger_and_leaves_nothing() {
    let case = Case::new();
    let name = "work/essays/$(touch was-run);.ps";
    case.write(name, format!("%!PS\n{}", essay()));
    let script = "pwd; env; ls {file}; echo left > left; cat {file}";
    let line = format!("[convert]\nps = [\"sh\", \"-c\", \"{script}\"]\n");
    case.write("config/cento/cento.toml", line);
    let mut command = case.command(&["explain", "text", "essays/$(touch was-run);.ps"]);
    let key = "0123456789abcdef0123456789abcdef";
    let output = command.env("CENTO_KEY", key).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("%!PS") && text.contains("document.ps"),
        "{text}"
    );
    assert!(!text.contains(key) && !text.contains("was-run"), "{text}");
    assert!(text.contains("OMP_THREAD_LIMIT=1"), "{text}");
    let folder = text.lines().next().unwrap();
    assert!(folder.contains("/cento-"), "{folder}");
    assert!(!Path::new(folder).exists());
}

#[test]
fn what_is_wrong_with_the_settings_is_said() {
    let case = Case::new();
    case.write("work/a.txt", essay());
    let lines = "[convert]\nword = [\"catdoc\", \"{file}\"]\nps = [\"ps2ascii\"]\n";
    case.write("config/cento/cento.toml", lines);
    let told = case.told(&["scan", "."]);
    assert!(
        told.contains("[convert] word is no format; there are doc, xls"),
        "{told}"
    );
    assert!(
        told.contains("[convert] ps: no argument of ps2ascii has {file}"),
        "{told}"
    );
    // The settings in force can be looked at, and used.
    case.write("config/cento/cento.toml", CONVERT);
    let output = case.command(&["config"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("[convert]"), "{shown}");
    assert!(shown.contains("doc = ["), "{shown}");
}
