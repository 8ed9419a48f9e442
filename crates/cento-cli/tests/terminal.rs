//! What people see in a terminal: tables that fit it, nothing but results when they want it quiet, and
//! errors that say what is allowed.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const CENTO: &str = env!("CARGO_BIN_EXE_cento");

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// So many words that are unlike those of another seed.
fn words(seed: usize, count: usize) -> String {
    let syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"];
    let word = |n: usize| {
        let mixed = (seed * 10_000 + n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        [1, 10, 100, 1000].map(|unit| syllables[mixed / unit % 10])
    };
    let all: Vec<String> = (0..count).map(|n| word(n).concat()).collect();
    format!("{}.\n", all.join(" "))
}

/// Documents that share half of their text.
fn documents(names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (number, name) in names.iter().enumerate() {
        let text = format!("{}{}", words(0, 100), words(number + 1, 100));
        write(folder.path(), name, &text);
    }
    folder
}

fn cento(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(CENTO);
    command.current_dir(folder).args(arguments);
    command.env_remove("CENTO_KEY").env_remove("CENTO_REGISTRY");
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a terminal with so many columns shows.
#[cfg(target_os = "linux")]
fn shown(folder: &Path, columns: u32, arguments: &str) -> String {
    let line = format!("stty rows 24 cols {columns}; NO_COLOR=1 '{CENTO}' {arguments}");
    let mut command = Command::new("script");
    command.current_dir(folder).stdin(Stdio::null());
    let output = command.args(["-qec", &line, "/dev/null"]).output();
    let output = output.expect("`script` makes a terminal; Debian has it in bsdutils");
    text(&output.stdout).replace('\r', "")
}

const LONG: [&str; 3] = [
    "class/water-and-cities-anna-andersson-final.txt",
    "class/water-and-cities-ben-bengtsson-final.txt",
    "class/water-and-cities-cleo-carlsson-final.txt",
];

#[cfg(target_os = "linux")]
#[test]
fn tables_fit_the_terminal() {
    let folder = documents(&LONG);
    for columns in [60, 80, 100, 200] {
        let shown = shown(folder.path(), columns, "scan class --quiet");
        assert!(
            shown.starts_with("3 pairs share 10 % or more, or"),
            "{shown}"
        );
        let rows: Vec<&str> = shown
            .lines()
            .filter(|line| line.contains("OF L") || line.contains(" %  "))
            .collect();
        assert_eq!(rows.len(), 4, "{shown}");
        for row in rows {
            assert!(row.chars().count() <= columns as usize, "{columns}: {row}");
        }
        for name in ["anna", "ben", "cleo"] {
            assert!(shown.contains(name), "{shown}");
        }
    }
    let narrow = shown(folder.path(), 60, "scan class --quiet");
    assert!(
        narrow.contains("all names begin with water-and-cities-\n"),
        "{narrow}"
    );
}

#[test]
fn a_pipe_gets_whole_names_and_the_settings_last() {
    let folder = documents(&LONG);
    let output = cento(folder.path(), &["scan", "class", "--quiet"]);
    let shown = text(&output.stdout);
    assert!(
        shown.starts_with("3 pairs share 10 % or more, or"),
        "{shown}"
    );
    assert!(
        shown.contains(LONG[0].strip_prefix("class/").unwrap()),
        "{shown}"
    );
    assert!(
        shown
            .lines()
            .last()
            .unwrap()
            .starts_with("recipe words+fold"),
        "{shown}"
    );
    assert!(shown.contains(" OF L "), "{shown}");
}

#[test]
fn settings_that_are_written_down_mean_the_same() {
    let folder = documents(&LONG);
    let before = cento(folder.path(), &["scan", "class", "--quiet"]);
    let settings = cento(folder.path(), &["config"]);
    std::fs::write(folder.path().join("cento.toml"), &settings.stdout).unwrap();
    let after = cento(folder.path(), &["scan", "class", "--quiet"]);
    assert_eq!(text(&after.stdout), text(&before.stdout));
}

#[test]
fn quiet_is_quiet_everywhere() {
    let folder = documents(&["class/anna.txt", "class/ben.txt", "class/cleo.txt"]);
    let at = folder.path();
    std::fs::write(at.join("class/photo.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    write(at, "declaration.txt", "too short");
    write(at, "changed/anna.txt", &words(9, 100));
    let pages = at.join("pages");
    let pages = pages.to_str().unwrap();
    for line in [
        "registry init --retain text",
        "register class",
        "register changed",
        "register class --verify",
        "verify class",
        "registry status",
        "registry list",
        "registry check",
        "registry pairs --top 1",
        "registry pairs --exact --texts nowhere",
        "registry ignore add declaration.txt",
        "registry ignore list",
        "registry ignore remove declaration.txt",
        "registry export out",
        "registry import out",
        "registry backup copy",
        "registry merge registry registry --into both",
        "registry rekey --new-key-file new-key --into new",
        "forget anna.txt nobody.txt",
        "forget --expired",
        "registry compact",
        "scan class",
        "scan class -o report.html",
        "scan class -o anonymous.html --anonymize",
        "compare class/anna.txt class/ben.txt",
        "dedupe class -o clean --max-errors 1",
        "plan scan class",
        "recipes",
        "config",
        "explain text class/anna.txt",
        "explain pair class/anna.txt class/ben.txt",
        "eval class --self",
        "attack class -o copies --kind swap",
        "attack class --table",
        "serve user add anna --role admin --data data",
        "serve user token anna --data data",
        "serve user list --data data",
        "serve user remove anna --data data",
        "completions bash",
    ] {
        let arguments: Vec<&str> = line.split(' ').chain(["-q"]).collect();
        let output = cento(at, &arguments);
        assert_eq!(text(&output.stderr), "", "{line}");
        assert!(output.status.success(), "{line}");
    }
    assert!(cento(at, &["man", pages, "-q"]).stderr.is_empty());
    let mut server = Command::new(CENTO)
        .current_dir(at)
        .args(["serve", "--listen", "127.0.0.1:0", "-q"])
        .args(["--registry", "none", "--data", "data2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = String::new();
    let stdout = server.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut printed).unwrap();
    server.kill().unwrap();
    let mut said = String::new();
    server
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    server.wait().unwrap();
    assert!(printed.starts_with("http://127.0.0.1:"), "{printed}");
    assert_eq!(said, "");
}

#[test]
fn errors_are_said_however_quiet_it_is() {
    let folder = documents(&["a.txt"]);
    let output = cento(folder.path(), &["scan", "nowhere", "-q"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "error: nowhere: no such file or folder\n"
    );
}

#[test]
fn a_number_of_threads_that_cannot_be_is_refused() {
    let folder = documents(&["a.txt", "b.txt"]);
    for threads in ["0", "99999999", "many", "99999999999999999999999"] {
        for verb in [&["scan", "."][..], &["recipes"], &["registry", "status"]] {
            let arguments = [verb, &["--threads", threads]].concat();
            let output = cento(folder.path(), &arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            let expected = format!("{threads} is not a number of threads from 1 to 1024");
            let said = text(&output.stderr);
            assert!(said.contains(&expected), "{said}");
        }
    }
    write(folder.path(), "cento.toml", "threads = 99999999\n");
    let said = text(&cento(folder.path(), &["scan", "."]).stderr);
    let expected = "--threads: 99999999 is not a number of threads from 1 to 1024";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn forgetting_nothing_is_an_error() {
    let folder = documents(&["class/anna.txt", "class/ben.txt"]);
    let at = folder.path();
    for line in [&["registry", "init"][..], &["register", "class"]] {
        assert!(cento(at, line).status.success());
    }
    for (arguments, expected) in [
        (&["nobody.txt"][..], "nothing is registered as nobody.txt"),
        (&["--set", "none"], "nothing is registered in the set none"),
        (
            &["x", "--submitter", "y"],
            "nothing is registered as x or by y",
        ),
    ] {
        let output = cento(at, &[&["forget"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stderr), format!("error: {expected}\n"));
        assert_eq!(text(&output.stdout), "");
    }
    let output = cento(at, &["forget", "nobody.txt", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "{\n  \"forgotten\": 0\n}\n");
    // That nothing has expired is how it should be.
    assert!(cento(at, &["forget", "--expired"]).status.success());
    let output = cento(at, &["forget", "anna.txt", "nobody.txt"]);
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "1 document forgotten\n");
    let said = text(&output.stderr);
    assert!(
        said.contains("warning: nothing is registered as nobody.txt"),
        "{said}"
    );
}
