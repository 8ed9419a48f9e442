//! Nearest neighbours by style in a registry, on the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with essays of four kinds: about law, about ships, in Czech, and without words.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join("essays").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for number in 0..4 {
        let law = format!(
            "The court heard the case of number {number}. The judge said that the evidence was \
             given by a witness who was paid, and the jury was told so. If the law is clear, then \
             the trial is short, but the appeal that was made in the spring is not. "
        );
        let more = "The judge of a court is paid. ".repeat(number);
        write(&format!("law{number}.txt"), &(law.repeat(3) + &more));
    }
    write(
        "ships.txt",
        &"He saw ships on a wide river and we ran up to it. It had sails of red and a bell in it. \
          We all sat on a bank and had tea with him, so it was a good day for us. "
            .repeat(4),
    );
    write(
        "czech.txt",
        &"Starý mlýn stojí u řeky a voda v něm teče celou zimu. Mlynář the klobouk nosí. "
            .repeat(4),
    );
    write("none.txt", "– – –");
    folder
}

fn cento(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command.current_dir(folder).args(arguments);
    command.env_remove("CENTO_KEY").env_remove("CENTO_REGISTRY");
    command
}

#[track_caller]
fn ok(folder: &Path, arguments: &[&str]) -> String {
    let output = cento(folder, arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command says that must fail.
#[track_caller]
fn fails(folder: &Path, arguments: &[&str]) -> String {
    let output = cento(folder, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[track_caller]
fn nearest(folder: &Path, file: &str) -> Value {
    let printed = ok(folder, &["registry", "nearest", file, "--json"]);
    serde_json::from_str(&printed).unwrap()
}

fn ids(nearest: &Value) -> Vec<&str> {
    let list = nearest["documents"][0]["nearest"].as_array().unwrap();
    list.iter()
        .map(|near| near["id"].as_str().unwrap())
        .collect()
}

#[test]
fn a_registry_with_a_style_tells_who_is_near() {
    let folder = folder();
    let folder = folder.path();
    let made = ok(folder, &["registry", "init", "--style", "style-english"]);
    assert!(made.contains("numbers that no key protects: style:the,and,but,so,@syllables"));
    ok(folder, &["register", "essays"]);
    let status = ok(folder, &["registry", "status"]);
    assert!(
        status.contains("\nstyle       style:the,and,but,so,@syllables"),
        "{status}"
    );
    assert!(status.contains("@medicine, 6 vectors, "), "{status}");
    let found = nearest(folder, "essays/law1.txt");
    assert_eq!(found["schema"], "cento.nearest/1");
    assert_eq!(found["vectors"], 6);
    assert_eq!(ids(&found)[0], "law1.txt");
    let first = &found["documents"][0]["nearest"][0];
    assert_eq!(
        (&first["distance"], &first["dimensions"]),
        (&0.0.into(), &11.into())
    );
    assert!(ids(&found)[1..4].iter().all(|id| id.starts_with("law")));
    // The four words count in every language.
    let found = nearest(folder, "essays/czech.txt");
    let all = found["documents"][0]["nearest"].as_array().unwrap();
    assert_eq!(all.len(), 6);
    assert!(all.iter().all(|near| near["dimensions"] == 4));
    let text = ok(
        folder,
        &["registry", "nearest", "essays/ships.txt", "-n", "2"],
    );
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("ships.txt: looked at "), "{text}");
    assert!(lines[0].ends_with(" of 6 vectors"), "{text}");
    assert_eq!(lines[1], " DISTANCE  REGISTERED");
    assert_eq!(lines[2], "        0  ships.txt (same id)");
    assert_eq!(lines.len(), 4);
    let output = cento(folder, &["registry", "nearest", "essays"])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("none.txt skipped: it has no words"),
        "{errors}"
    );
}

#[test]
fn a_forgotten_document_is_no_neighbour_and_a_copy_has_the_others() {
    let folder = folder();
    let folder = folder.path();
    ok(
        folder,
        &["registry", "init", "--style", "style", "--retain", "text"],
    );
    for file in ["law0", "law1", "law2", "law3", "ships"] {
        ok(folder, &["register", &format!("essays/{file}.txt")]);
    }
    ok(folder, &["forget", "law1.txt"]);
    let expected = ["law0.txt", "law2.txt", "law3.txt", "ships.txt"];
    for command in [["registry", "check"], ["registry", "compact"]] {
        ok(folder, &command);
        let found = nearest(folder, "essays/law0.txt");
        let mut near = ids(&found);
        near.sort_unstable();
        assert_eq!(near, expected);
    }
    ok(folder, &["registry", "export", "exported"]);
    ok(
        folder,
        &[
            "registry",
            "rekey",
            "--new-key-file",
            "new",
            "--into",
            "renewed",
        ],
    );
    for (registry, key) in [("exported", "registry/key"), ("renewed", "new")] {
        let arguments = [
            "registry",
            "nearest",
            "essays/law0.txt",
            "--json",
            "--registry",
            registry,
            "--key-file",
            key,
        ];
        let found: Value = serde_json::from_str(&ok(folder, &arguments)).unwrap();
        assert_eq!(ids(&found).len(), 4);
        assert_eq!(found["style"], "style:the,and,but,so");
    }
}

#[test]
fn a_registry_without_a_style_says_so() {
    let folder = folder();
    let folder = folder.path();
    ok(folder, &["registry", "init"]);
    ok(folder, &["register", "essays"]);
    let status = ok(folder, &["registry", "status"]);
    assert!(!status.contains("vectors"), "{status}");
    let said = fails(folder, &["registry", "nearest", "essays/law1.txt"]);
    assert!(
        said.contains("registry: the registry keeps no vectors of style"),
        "{said}"
    );
    assert!(
        said.contains("`cento registry init --style style-english`"),
        "{said}"
    );
    let said = fails(
        folder,
        &["registry", "init", "--registry", "b", "--style", "default"],
    );
    assert!(
        said.contains("--style: style `default` is not known; choose style"),
        "{said}"
    );
    ok(
        folder,
        &[
            "registry",
            "init",
            "--registry",
            "b",
            "--style",
            "style",
            "--key-file",
            "registry/key",
        ],
    );
    let said = fails(
        folder,
        &[
            "registry",
            "merge",
            "registry",
            "b",
            "--into",
            "both",
            "--key-file",
            "registry/key",
        ],
    );
    assert!(
        said.contains("without --style") || said.contains("with --style"),
        "{said}"
    );
}
