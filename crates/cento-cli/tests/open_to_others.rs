//! What other people on the machine could read is said, and nothing is made wider than it has to be.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{Case, text};

const CLOSES: &str = "`chmod -R go= registry` closes it";

/// A registry with a document, and a copy of it in `copy`.
fn case() -> Case {
    let case = Case::new(&[]);
    case.write("one.txt", &text(1));
    case.ok(&["register", "one.txt"]);
    case.ok(&["registry", "backup", "copy"]);
    case
}

fn may(case: &Case, path: &str, mode: u32) {
    fs::set_permissions(case.path().join(path), Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The warnings about what is open, of a command that must succeed.
#[track_caller]
fn warnings(case: &Case, arguments: &[&str]) -> Vec<String> {
    let done = case.run(arguments);
    assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.said);
    open(&done.said)
}

fn open(said: &str) -> Vec<String> {
    let is_open = |line: &&str| line.contains("chmod") || line.contains("open to other people");
    said.lines().filter(is_open).map(str::to_owned).collect()
}

/// Every way to open a registry and write nothing to it.
const READERS: [&[&str]; 6] = [
    &["verify", "one.txt", "--include-own"],
    &["registry", "status"],
    &["registry", "check"],
    &["registry", "list"],
    &["registry", "pairs"],
    &["registry", "backup", "copy"],
];

#[test]
fn readers_of_a_registry_say_once_that_it_is_open() {
    let case = case();
    for arguments in READERS {
        assert_eq!(warnings(&case, arguments), Vec::<String>::new());
    }
    for (path, was, is) in [
        ("registry", 0o700, 0o755),
        ("registry", 0o700, 0o710),
        ("registry/segments", 0o700, 0o750),
        ("registry/catalog.sqlite", 0o600, 0o640),
        ("registry/segments/0000000001.cento", 0o600, 0o604),
    ] {
        may(&case, path, is);
        for arguments in READERS {
            let said = warnings(&case, arguments);
            assert_eq!(said.len(), 1, "{path} {arguments:?}: {said:?}");
            assert!(said[0].starts_with("warning: the registry in registry is not closed"));
            assert!(said[0].contains(CLOSES), "{said:?}");
            assert!(said[0].contains("the next command that writes"), "{said:?}");
        }
        may(&case, path, was);
    }
    may(&case, "registry", 0o755);
    let quiet = warnings(&case, &["registry", "status", "--quiet"]);
    assert_eq!(quiet, Vec::<String>::new());
    // As it says: a command that writes closes it and has nothing to warn of.
    case.write("two.txt", &text(2));
    assert_eq!(warnings(&case, &["register", "two.txt"]).len(), 0);
    assert_eq!(mode(&case.path().join("registry")), 0o700);
    assert_eq!(warnings(&case, &["registry", "status"]).len(), 0);
}

#[test]
fn what_the_warning_says_helps() {
    let case = case();
    for path in ["registry", "registry/segments"] {
        may(&case, path, 0o755);
    }
    for path in ["registry/catalog.sqlite", "registry/key"] {
        may(&case, path, 0o644);
    }
    let said = warnings(&case, &["registry", "status"]);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("registry and its key are not closed"));
    let (command, _) = said[0].split_once("` closes it").unwrap();
    let (_, command) = command.split_once('`').unwrap();
    let mut shell = Command::new("sh");
    let done = shell.args(["-c", command]).current_dir(case.path());
    assert!(done.status().unwrap().success());
    assert_eq!(warnings(&case, &["registry", "status"]).len(), 0);
    assert_eq!(case.json(&["registry", "status"])["documents"], 1);
}

#[test]
fn a_copy_that_is_open_is_warned_of_and_closed_by_the_next_backup() {
    let case = case();
    let check = [
        "registry",
        "check",
        "--registry",
        "copy",
        "--key-file",
        "registry/key",
    ];
    assert_eq!(warnings(&case, &check).len(), 0);
    may(&case, "copy", 0o755);
    may(&case, "copy/segments/0000000001.cento", 0o644);
    let said = warnings(&case, &check);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("chmod -R go= copy"), "{said:?}");
    case.ok(&["registry", "backup", "copy"]);
    assert_eq!(warnings(&case, &check).len(), 0);
}

#[test]
fn key_files_wherever_they_are() {
    let case = case();
    fs::copy(case.path().join("registry/key"), case.path().join("secret")).unwrap();
    case.write("three.txt", &text(3));
    let verify = ["verify", "one.txt", "--key-file", "secret"];
    let merge = [
        "registry",
        "merge",
        "registry",
        "copy",
        "--into",
        "merged",
        "--key-file",
        "secret",
    ];
    let scan = ["scan", ".", "--recipe", "sift", "--key-file", "secret"];
    let compare = ["compare", "one.txt", "three.txt", "--key-file", "secret"];
    assert_eq!(warnings(&case, &verify).len(), 0);
    may(&case, "secret", 0o640);
    for arguments in [&verify[..], &merge, &scan, &compare] {
        let said = warnings(&case, arguments);
        let expected =
            "warning: others may read the key in secret; `chmod 600 secret` keeps it secret";
        assert_eq!(said, [expected], "{arguments:?}");
    }
    may(&case, "registry/key", 0o604);
    let said = warnings(&case, &["registry", "status"]);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("chmod 600 registry/key"), "{said:?}");
}

/// What a server says until it listens.
fn served(case: &Case, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .args(arguments);
    command.current_dir(case.path());
    command.env_remove("CENTO_KEY").env_remove("CENTO_REGISTRY");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The address comes last.
    let mut out = child.stdout.take().unwrap();
    let mut byte = [0];
    while out.read(&mut byte).unwrap() == 1 && byte != *b"\n" {}
    child.kill().unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
}

#[test]
fn a_server_says_what_it_found_open_when_it_starts() {
    let case = case();
    assert_eq!(open(&served(&case, &[])), Vec::<String>::new());
    may(&case, "registry", 0o750);
    may(&case, "cento-server", 0o755);
    let said = open(&served(&case, &[]));
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains(CLOSES), "{said:?}");
    assert!(
        said[1].starts_with("warning: cento-server with accounts"),
        "{said:?}"
    );
    assert_eq!(mode(&case.path().join("cento-server")), 0o700);
    // The server's own folder is closed; the registry waits for somebody who writes.
    assert_eq!(open(&served(&case, &[])).len(), 1);
    assert_eq!(open(&served(&case, &["--quiet"])).len(), 0);
}

/// Writes a report with texts under a umask.
#[track_caller]
fn report(case: &Case, umask: &str, to: &str) {
    let script = format!("umask {umask} && exec \"$0\" compare one.txt two.txt -o {to}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_cento")]);
    let done = shell.current_dir(case.path()).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
}

#[test]
fn reports_with_texts_are_no_wider_than_the_umask_and_stay_as_narrow_as_they_were() {
    let case = Case::new(&[]);
    case.write("one.txt", &text(1));
    case.write("two.txt", &text(1));
    for (umask, name, expected) in [
        ("077", "closed.html", 0o600),
        ("022", "open.html", 0o644),
        ("027", "group.json --with-text", 0o640),
    ] {
        report(&case, umask, name);
        let name = name.split(' ').next().unwrap();
        assert_eq!(mode(&case.path().join(name)), expected, "{name}");
    }
    let json = fs::read_to_string(case.path().join("group.json")).unwrap();
    assert!(json.contains(&text(1)), "it has the text");
    report(&case, "022", "closed.html");
    assert_eq!(mode(&case.path().join("closed.html")), 0o600);
    report(&case, "077", "folder/");
    let folder = case.path().join("folder");
    assert_eq!(mode(&folder), 0o700);
    report(&case, "022", "folder/");
    assert_eq!(mode(&folder), 0o700);
    for name in ["report.html", "report.json", "passages.jsonl"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
}
