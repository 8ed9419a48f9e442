//! Where reports go: files, folders, codes instead of names, and cases that are computed again.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Runs a command that must end so; what it printed and said.
fn run(arguments: &[&str], code: i32) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cento"))
        .current_dir(examples())
        .env("BROWSER", "true")
        .args(arguments)
        .output()
        .unwrap();
    let [printed, said] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(!said.contains("panicked"), "{said}");
    (printed, said)
}

fn scan(options: &[&str], code: i32) -> (String, String) {
    let mut arguments = vec!["scan", "essays", "--base", "template.txt"];
    arguments.extend(options);
    run(&arguments, code)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_folder_has_every_format_and_is_the_same_again() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("out");
    let path = out.to_str().unwrap();
    let (printed, said) = scan(&["-o", path], 0);
    assert_eq!(printed, "");
    assert!(said.contains("out written: 5 pairs"), "{said}");
    let expected = [
        "files.csv",
        "graph.dot",
        "graph.graphml",
        "metadata.csv",
        "pairs.csv",
        "pan",
        "passages.jsonl",
        "report.html",
        "report.json",
        "results.csv",
        "run.json",
    ];
    assert_eq!(files(&out), expected);
    assert_eq!(files(&out.join("pan")).len(), 6);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let before: Vec<String> = expected
        .iter()
        .filter(|name| **name != "pan")
        .map(|name| read(name))
        .collect();
    let run: Value = serde_json::from_str(&read("run.json")).unwrap();
    assert_eq!(run["schema"], "cento.run/1");
    assert_eq!(run["counts"]["documents"], 12);
    assert_eq!(run["counts"]["pairs_compared"], 66);
    assert_eq!(run["config"]["threshold"], 0.1);
    assert_eq!(run["config"]["max-time"], 60.0);
    for document in run["documents"].as_array().unwrap() {
        assert_eq!(document["text_sha256"].as_str().unwrap().len(), 64);
    }
    let report: Value = serde_json::from_str(&read("report.json")).unwrap();
    assert!(report["documents"][0].get("text").is_none());
    assert!(report["documents"][0]["position"].is_array());
    // Again, with one thread, over what is there; what an earlier run left is gone.
    fs::write(out.join("pan/00099-old-run.xml"), "<document/>").unwrap();
    scan(&["-o", path, "--threads", "1"], 0);
    let after: Vec<String> = expected
        .iter()
        .filter(|name| **name != "pan")
        .map(|name| read(name))
        .collect();
    // Only the number of threads differs.
    for ((name, before), after) in expected
        .iter()
        .filter(|name| **name != "pan")
        .zip(before)
        .zip(after)
    {
        assert!(*name == "run.json" || before == after, "{name}");
    }
    assert_eq!(files(&out.join("pan")).len(), 6);
}

#[test]
fn what_somebody_else_wrote_is_not_overwritten() {
    let root = tempfile::tempdir().unwrap();
    let notes = root.path().join("notes.html");
    fs::write(&notes, "<p>my notes</p>").unwrap();
    let path = notes.to_str().unwrap();
    let (_, said) = scan(&["-o", path], 2);
    assert!(said.contains("Cento did not write it"), "{said}");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "<p>my notes</p>");
    scan(&["-o", path, "--force"], 0);
    scan(&["-o", path], 0);
    let folder = root.path().join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("pairs.csv"), "my,pairs\n").unwrap();
    let (_, said) = scan(&["-o", folder.to_str().unwrap()], 2);
    assert!(said.contains("pairs.csv"), "{said}");
    assert_eq!(files(&folder), ["pairs.csv"]);
    // With another file in it, a folder is fine, and that file stays.
    fs::rename(folder.join("pairs.csv"), folder.join("mine.csv")).unwrap();
    scan(&["-o", folder.to_str().unwrap()], 0);
    assert_eq!(
        fs::read_to_string(folder.join("mine.csv")).unwrap(),
        "my,pairs\n"
    );
}

#[test]
fn a_full_disk_leaves_the_report_from_before() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("report.html");
    let path = path.to_str().unwrap();
    scan(&["-o", path], 0);
    let before = fs::read(path).unwrap();
    let script = "trap '' XFSZ; ulimit -f 20; exec \"$0\" scan essays -o \"$1\"";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_cento"), path])
        .current_dir(examples())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("report.html"), "{errors}");
    assert_eq!(fs::read(path).unwrap(), before);
    assert_eq!(files(root.path()), ["report.html"]);
}

#[test]
fn formats_by_name_and_by_extension() {
    let root = tempfile::tempdir().unwrap();
    let starts = [
        ("html", "<!DOCTYPE html>"),
        ("json", "{\n  \"schema\": \"cento.report/1\""),
        ("csv", "left,right,score"),
        ("graphml", "<?xml version"),
        ("dot", "// Cento"),
        ("jsonl", "{\"begin\":"),
    ];
    for (format, start) in starts {
        let (printed, _) = scan(&["-f", format], 0);
        assert!(printed.starts_with(start), "{format}: {printed}");
        let path = root.path().join(format!("report.{format}"));
        for _ in 0..2 {
            scan(&["-o", path.to_str().unwrap()], 0);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), printed, "{format}");
    }
    let (_, said) = scan(&["-o", "report.pdf"], 2);
    assert!(said.contains("no known extension"), "{said}");
    let (_, said) = scan(&["-o", "report.html", "--json"], 2);
    assert!(said.contains("another format"), "{said}");
    let (_, said) = run(&["eval", ".", "-f", "html"], 2);
    assert!(said.contains("text, json or csv"), "{said}");
}

#[test]
fn nothing_is_written_unless_asked() {
    let before = files(&examples());
    scan(&["-f", "html", "--quiet"], 0);
    assert_eq!(files(&examples()), before);
}

#[test]
fn codes_stand_for_names_everywhere() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("out");
    let (_, said) = scan(&["-o", out.to_str().unwrap(), "--anonymize"], 0);
    assert!(said.contains("out.key.csv; keep it apart"), "{said}");
    let key = fs::read_to_string(root.path().join("out.key.csv")).unwrap();
    assert_eq!(key.lines().count(), 13);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(root.path().join("out.key.csv"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    for name in ["brandt", "dvorak", "lindqvist", "kowalska", "template.txt"] {
        let mut paths: Vec<PathBuf> = files(&out).iter().map(|file| out.join(file)).collect();
        paths.retain(|path| path.is_file());
        paths.extend(
            files(&out.join("pan"))
                .iter()
                .map(|file| out.join("pan").join(file)),
        );
        for path in paths {
            let text = fs::read_to_string(&path).unwrap().to_lowercase();
            assert!(!text.contains(name), "{name} in {}", path.display());
            assert!(!path.to_string_lossy().contains(name));
        }
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let found = cento_report::read(&page).unwrap();
    let texts = found
        .texts
        .into_iter()
        .flatten()
        .collect::<String>()
        .to_lowercase();
    for name in ["brandt", "lukas", "dvorak", "petra"] {
        assert!(!texts.contains(name), "{name}");
    }
    let (_, said) = scan(&["--anonymize"], 2);
    assert!(said.contains("needs a file of its own"), "{said}");
}

#[test]
fn without_texts_no_file_has_one() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("out");
    scan(&["-o", out.to_str().unwrap(), "--no-text"], 0);
    for name in files(&out).iter().filter(|name| *name != "pan") {
        let text = fs::read_to_string(out.join(name)).unwrap();
        assert!(!text.contains("swans"), "{name}");
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let found = cento_report::read(&page).unwrap();
    assert!(found.texts.iter().all(Option::is_none));
    assert!(found.templates.is_empty());
}

#[test]
fn a_browser_is_shown_the_page() {
    let root = tempfile::tempdir().unwrap();
    let page = root.path().join("report.html");
    let (_, said) = scan(&["-o", page.to_str().unwrap(), "--open"], 0);
    assert!(page.exists(), "{said}");
    let (_, said) = scan(&["-o", "report.csv", "--open"], 2);
    assert!(said.contains("--open: shows a page"), "{said}");
}

/// A case file, and its page.
fn case(root: &Path, options: &[&str]) -> (String, String) {
    let path = root.join("case.html").to_str().unwrap().to_owned();
    let mut arguments = vec![
        "compare",
        "essays/brandt.txt",
        "essays/dvorak.txt",
        "-o",
        &path,
    ];
    arguments.extend(options);
    run(&arguments, 0);
    let page = fs::read_to_string(&path).unwrap();
    (path, page)
}

#[test]
fn a_case_is_computed_again() {
    let root = tempfile::tempdir().unwrap();
    for options in [
        &["--base", "template.txt"][..],
        &["--aligner", "tiling", "--count-quotes"],
        &["--aligner", "none", "--recipe", "hz-anchor"],
        &["--recipe", "hz-rarest-in-collection", "--measure", "cosine"],
    ] {
        let (path, _) = case(root.path(), options);
        let (printed, _) = run(&["verify-case", &path], 0);
        assert!(
            printed.contains("holds: computed again"),
            "{options:?}: {printed}"
        );
        let version = env!("CARGO_PKG_VERSION");
        assert!(printed.contains(&format!("made with Cento {version}")));
    }
}

#[test]
fn a_case_that_was_tampered_with_does_not_hold() {
    let root = tempfile::tempdir().unwrap();
    let (path, page) = case(root.path(), &["--base", "template.txt"]);
    // The texts of two other essays under the same numbers.
    let (_, other) = {
        let path = root.path().join("other.html");
        let path = path.to_str().unwrap();
        run(
            &[
                "compare",
                "essays/brandt.txt",
                "essays/abara.txt",
                "-o",
                path,
            ],
            0,
        );
        (path.to_owned(), fs::read_to_string(path).unwrap())
    };
    let texts = |page: &str| {
        let start = page.find("id=\"cento-texts\">").unwrap();
        let end = start + page[start..].find("</script>").unwrap();
        (start, end)
    };
    let ((start, end), (from, to)) = (texts(&page), texts(&other));
    let forged = format!("{}{}{}", &page[..start], &other[from..to], &page[end..]);
    fs::write(&path, forged).unwrap();
    let (printed, _) = run(&["verify-case", &path, "--json"], 1);
    let verdict: Value = serde_json::from_str(&printed).unwrap();
    let verdict = &verdict["cases"][0];
    assert_eq!(verdict["holds"], false);
    assert_eq!(verdict["texts"][0]["as_recorded"], true);
    assert_eq!(verdict["texts"][1]["as_recorded"], false);
    assert!(!verdict["differences"].as_array().unwrap().is_empty());
}

#[test]
fn what_is_no_case_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let page = root.path().join("scan.html");
    let page = page.to_str().unwrap();
    scan(&["-o", page], 0);
    for (arguments, expected) in [
        (&["verify-case", page][..], "has 5 pairs"),
        (
            &["verify-case", "template.txt"],
            "not a page that Cento wrote",
        ),
        (&["verify-case", "nothing.html"], "nothing.html"),
    ] {
        let (_, said) = run(arguments, 2);
        assert!(said.contains(expected), "{said}");
    }
    let bare = root.path().join("bare.html");
    let bare = bare.to_str().unwrap();
    run(
        &[
            "compare",
            "essays/brandt.txt",
            "essays/dvorak.txt",
            "--no-text",
            "-o",
            bare,
        ],
        0,
    );
    let (_, said) = run(&["verify-case", bare], 2);
    assert!(said.contains("no texts"), "{said}");
}

/// What `scan` lists, `compare` finds, although hardly a chunk of a paraphrase is in its original.
#[test]
fn the_exit_code_of_two_is_that_of_many() {
    let pair = ["essays/grieve.txt", "essays/halloran.txt"];
    let compare = [&["compare"], &pair[..], &["--base", "template.txt"]].concat();
    let with = |more: &[&'static str], code: i32| run(&[&compare[..], more].concat(), code);
    with(&["--exit-code"], 1);
    // By its score it is not enough.
    with(&["--exit-code", "--measure", "max-containment"], 0);
    with(&["--exit-code", "--aligner", "none"], 0);
    let others = ["compare", "essays/abara.txt", "essays/brandt.txt"];
    let base = ["--base", "template.txt", "--exit-code"];
    run(&[&others[..], &base].concat(), 0);
    let report: serde_json::Value = serde_json::from_str(&with(&["--json"], 0).0).unwrap();
    assert_eq!(report["families"].as_array().unwrap().len(), 1);
}
