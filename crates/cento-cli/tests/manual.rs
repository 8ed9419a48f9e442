//! The manual pages: one for each command, and every option in them says what it does.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use assert_cmd::Command;

#[test]
fn every_option_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let cento = || Command::new(env!("CARGO_BIN_EXE_cento"));
    cento().arg("man").arg(folder.path()).assert().success();
    let mut pages = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        pages += 1;
        for option in page.split("\n.TP\n").skip(1) {
            let (name, text) = option.split_once('\n').unwrap();
            let first = text.lines().next().unwrap_or_default();
            assert!(!first.is_empty(), "{}: {name}", path.display());
        }
    }
    assert!(pages > 40, "{pages}");
    for name in ["cento.1", "cento-scan.1", "cento-mail-check.1"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let printed = cento().arg("man").output().unwrap().stdout;
    let page = fs::read(folder.path().join("cento.1")).unwrap();
    assert!(printed.starts_with(b".ie") && page.starts_with(b".ie"));
}
