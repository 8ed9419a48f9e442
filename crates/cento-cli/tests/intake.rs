//! What people hand in: exports, archives, tables, and files that are out to hurt.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

#[path = "../../cento-ingest/tests/samples/mod.rs"]
mod samples;
mod support;

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use serde_json::Value;
use support::{cento, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn zip(members: &[(String, String)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    for (name, content) in members {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Words that nobody else has.
fn words(of: &str, count: usize) -> String {
    let words: Vec<String> = (0..count).map(|number| format!("{of}{number}")).collect();
    words.join(" ")
}

fn ids<'r>(report: &'r Value, list: &str) -> Vec<&'r str> {
    let list = report[list].as_array().unwrap().iter();
    list.map(|entry| entry["id"].as_str().unwrap()).collect()
}

fn reason<'r>(report: &'r Value, id: &str) -> &'r str {
    let mut skipped = report["skipped"].as_array().unwrap().iter();
    let found = skipped.find(|skipped| skipped["id"] == id);
    found.unwrap_or_else(|| panic!("{id}: {}", report["skipped"]))["reason"]
        .as_str()
        .unwrap()
}

/// A document with hidden and white text between its words.
fn padded(text: &str) -> Vec<u8> {
    let run = |look: &str, text: &str| {
        format!("<w:r><w:rPr>{look}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let white = run(r#"<w:color w:val="FFFFFF"/>"#, &words("white", 100));
    let hidden = run("<w:vanish/>", "not for you");
    samples::docx(&format!("<w:p>{}{white}{hidden}</w:p>", run("", text)))
}

#[test]
fn what_a_reader_does_not_see_is_named_in_the_list_and_lowers_nothing() {
    let root = tempfile::tempdir().unwrap();
    let text = words("own", 80);
    fs::write(root.path().join("plain.txt"), &text).unwrap();
    fs::write(root.path().join("padded.docx"), padded(&text)).unwrap();
    let letters = text
        .replace("own7 ", "\u{43e}wn7 ")
        .replace("own8 ", "o\u{200b}wn8 ");
    fs::write(root.path().join("letters.txt"), letters).unwrap();
    let output = cento().arg("scan").arg(root.path()).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    for line in [
        "! letters.txt: 1 word with look-alike letters of another script, 1 word with invisible characters",
        "! padded.docx: 9 hidden characters, 690 characters in the colour of the background",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    assert!(shown.contains("letters.txt!  padded.docx!"), "{shown}");
    let report = json(&["scan", "--with-text"], root.path());
    let [letters, padded, plain] = ["letters.txt", "padded.docx", "plain.txt"].map(|id| {
        let mut documents = report["documents"].as_array().unwrap().iter();
        documents.find(|document| document["id"] == id).unwrap()
    });
    assert_eq!(letters["disguised"]["look-alike"], 1);
    assert_eq!(letters["disguises"][0]["kind"], "look-alike");
    assert_eq!(padded["disguised"]["background"], 690);
    let kinds: Vec<&Value> = padded["disguises"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| &place["kind"])
        .collect();
    assert_eq!(kinds, ["background", "hidden"]);
    assert!(plain.get("disguised").is_none() && plain.get("disguises").is_none());
    // 80 words, and the note and the head that every such sample has.
    assert_eq!(padded["words"], 87);
    let slim = json(&["scan"], root.path());
    assert!(slim["documents"][0].get("disguises").is_none());
    assert_eq!(slim["documents"][1]["disguised"]["hidden"], 9);
}

#[test]
fn a_moodle_zip_gives_names_and_no_pair_within_a_submission() {
    let root = tempfile::tempdir().unwrap();
    let mut members = Vec::new();
    for number in 0..120 {
        let prefix = format!("Student {number}_{}_assignsubmission", 8_000_000 + number);
        // The last two share what they wrote.
        let essay = words(if number < 118 { "" } else { "same" }, 80);
        let essay = essay.replace(' ', &format!(" s{} ", number.min(118)));
        members.push((format!("{prefix}_file_/essay.txt"), essay.clone()));
        members.push((
            format!("{prefix}_file_/draft.txt"),
            essay[..essay.len() / 2].to_owned(),
        ));
    }
    fs::write(root.path().join("class.zip"), zip(&members)).unwrap();
    let archive = root.path().join("class.zip");
    let report = json(&["scan", "--quiet"], &archive);
    assert_eq!(report["documents"].as_array().unwrap().len(), 120);
    assert_eq!(report["skipped"], Value::Array(Vec::new()));
    let document = &report["documents"][0];
    assert_eq!(document["id"], "class.zip/Student 0_8000000");
    assert_eq!(document["label"], "Student 0");
    assert_eq!(
        document["parts"][0]["file"],
        "class.zip/Student 0_8000000_assignsubmission_file_/draft.txt"
    );
    let pairs = report["pairs"].as_array().unwrap();
    assert!(pairs.iter().all(|pair| pair["left"] != pair["right"]));
    assert_eq!(pairs[0]["left"], "class.zip/Student 118_8000118");
    let text = cento().arg("scan").arg(&archive).output().unwrap();
    let printed = String::from_utf8(text.stdout).unwrap();
    assert!(
        printed.contains("Student 118") && !printed.contains("8000118"),
        "{printed}"
    );
    let told = String::from_utf8(text.stderr).unwrap();
    assert!(
        told.contains("Moodle export with 120 submissions"),
        "{told}"
    );
}

#[test]
fn a_zip_gives_the_pairs_of_its_folder() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/essays");
    let members: Vec<(String, String)> = fs::read_dir(&examples)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    let root = tempfile::tempdir().unwrap();
    let archive = root.path().join("essays.zip");
    fs::write(&archive, zip(&members)).unwrap();
    let folder = json(&["scan", "--quiet"], &examples);
    let packed = json(&["scan", "--quiet"], &archive);
    let without = packed.to_string().replace("essays.zip/", "");
    let packed: Value = serde_json::from_str(&without).unwrap();
    assert_eq!(packed["pairs"], folder["pairs"]);
    assert!(!folder["pairs"].as_array().unwrap().is_empty());
    assert_eq!(ids(&packed, "documents"), ids(&folder, "documents"));
}

/// A Word document with a paragraph for each of the text.
fn docx(text: &str) -> Vec<u8> {
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('\n', " ");
    let paragraphs = escaped.split("  ").map(samples::paragraph);
    samples::docx(&paragraphs.collect::<String>())
}

/// A PDF with fifty lines of the text on a page.
fn pdf(text: &str) -> Vec<u8> {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('(', "\\(")
        .replace(')', "\\)");
    let lines: Vec<&str> = escaped.lines().collect();
    let pages: Vec<String> = lines.chunks(50).map(samples::lines).collect();
    samples::pdf_of(&pages, "")
}

#[test]
fn a_zip_of_office_files_gives_the_pairs_of_their_texts() {
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    for folder in ["files", "texts"] {
        fs::create_dir(path(folder)).unwrap();
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/essays");
    let mut members: Vec<(String, Vec<u8>)> = Vec::new();
    for (number, entry) in fs::read_dir(&examples).unwrap().enumerate() {
        let essay = entry.unwrap().path();
        let text = fs::read_to_string(&essay).unwrap();
        let stem = essay.file_stem().unwrap().to_str().unwrap();
        let (name, bytes) = match number % 2 {
            0 => (format!("{stem}.docx"), docx(&text)),
            _ => (format!("{stem}.pdf"), pdf(&text)),
        };
        fs::write(path("files").join(&name), &bytes).unwrap();
        let extracted = cento()
            .args(["explain", "text", "--quiet"])
            .arg(path("files").join(&name))
            .output()
            .unwrap();
        fs::write(path("texts").join(format!("{stem}.txt")), extracted.stdout).unwrap();
        members.push((name, bytes));
    }
    let members: Vec<(&str, &[u8])> = members.iter().map(|(n, b)| (n.as_str(), &b[..])).collect();
    fs::write(path("class.zip"), samples::zip(&members)).unwrap();
    let renamed = |report: Value| -> Value {
        let text = report.to_string().replace("class.zip/", "");
        let text = text
            .replace(".docx\"", ".txt\"")
            .replace(".pdf\"", ".txt\"");
        serde_json::from_str(&text).unwrap()
    };
    let texts = json(&["scan", "--quiet"], &path("texts"));
    assert!(texts["pairs"].as_array().unwrap().len() >= 3);
    for packed in ["class.zip", "files"] {
        let scanned = renamed(json(&["scan", "--quiet"], &path(packed)));
        assert_eq!(scanned["skipped"], Value::Array(Vec::new()));
        assert_eq!(scanned["documents"].as_array().unwrap().len(), 12);
        assert_eq!(scanned["pairs"], texts["pairs"], "{packed}");
    }
    // And what was typed into them has the same pairs.
    let named = |report: &Value| -> Vec<(String, String)> {
        let pairs = report["pairs"].as_array().unwrap().iter();
        let mut named: Vec<(String, String)> = pairs
            .map(|pair| (pair["left"].to_string(), pair["right"].to_string()))
            .collect();
        named.sort();
        named
    };
    let typed = json(&["scan", "--quiet"], &examples);
    assert_eq!(named(&texts), named(&typed));
}

/// Scans with readers that do what the names of files say.
fn scan_with_faults(folder: &Path, arguments: &[&str]) -> Value {
    let output = cento()
        .args(["scan", "--json", "--quiet"])
        .args(arguments)
        .arg(folder)
        .env("CENTO_TEST_FAULTS", "1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Rich text is read by a process of its own.
fn write_rich(folder: &Path, names: &[&str]) {
    for name in names {
        let text = format!("{{\\rtf1\\ansi {}}}", words(name, 60));
        fs::write(folder.join(format!("{name}.rtf")), text).unwrap();
    }
}

#[test]
fn a_broken_reader_costs_one_file() {
    let root = tempfile::tempdir().unwrap();
    let faults = ["fault-stack", "fault-memory", "fault-exit", "fault-panic"];
    write_rich(root.path(), &faults);
    write_rich(root.path(), &["good", "after"]);
    let member = ("fault-stack-in.rtf".to_owned(), "{\\rtf1 words}".to_owned());
    let beside = (
        "beside.rtf".to_owned(),
        format!("{{\\rtf1 {}}}", words("beside", 60)),
    );
    fs::write(root.path().join("z.zip"), zip(&[member, beside])).unwrap();
    let report = scan_with_faults(root.path(), &["--max-reader-memory", "300MiB"]);
    assert_eq!(
        ids(&report, "documents"),
        ["after.rtf", "good.rtf", "z.zip/beside.rtf"]
    );
    let stack = "the reader ran out of stack on it";
    assert_eq!(reason(&report, "fault-stack.rtf"), stack);
    assert_eq!(reason(&report, "z.zip/fault-stack-in.rtf"), stack);
    // A small file gets less than all.
    let memory = reason(&report, "fault-memory.rtf");
    assert!(memory.starts_with("takes more than 256"), "{memory}");
    assert!(memory.ends_with("MiB of memory to read"), "{memory}");
    assert!(reason(&report, "fault-exit.rtf").contains("exit status: 7"));
    assert_eq!(
        reason(&report, "fault-panic.rtf"),
        "the reader failed on it"
    );
}

#[test]
fn a_reader_that_hangs_is_stopped() {
    let root = tempfile::tempdir().unwrap();
    write_rich(root.path(), &["fault-hang", "fault-spin"]);
    fs::write(root.path().join("good.txt"), words("good", 60)).unwrap();
    let report = scan_with_faults(root.path(), &["--max-time", "4"]);
    assert_eq!(ids(&report, "documents"), ["good.txt"]);
    let too_long = "takes longer than 4 s to read";
    assert_eq!(reason(&report, "fault-hang.rtf"), too_long);
    assert_eq!(reason(&report, "fault-spin.rtf"), too_long);
}

#[test]
fn a_gigabyte_without_a_line_break_is_passed_over() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.txt"), words("a", 60)).unwrap();
    // Sparse files: all of them is there, none of it on the disk.
    let sparse = |name: &str, start: &str| {
        let mut file = fs::File::create(root.path().join(name)).unwrap();
        file.write_all(start.as_bytes()).unwrap();
        file.set_len(1 << 30).unwrap();
    };
    sparse("long.txt", "words and then nothing");
    sparse(
        "rows.jsonl",
        "{\"text\": \"one row\"}\n{\"text\": \"and one without an end",
    );
    let output = cento()
        .args(["scan", "--json", "--quiet", "--max-file-size", "64MB"])
        .arg(root.path())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(ids(&report, "documents"), ["a.txt", "rows.jsonl:1"]);
    let expected = "larger than 64 MiB";
    assert_eq!(reason(&report, "long.txt"), expected);
    assert_eq!(
        reason(&report, "rows.jsonl:2"),
        expected.replace("larger", "longer")
    );
    assert!(
        report["skipped"]
            .as_array()
            .unwrap()
            .iter()
            .all(|skipped| skipped["limit"] == "file_size")
    );
    // People are told what helps.
    let output = cento()
        .args(["scan", "--max-file-size", "64MB"])
        .arg(root.path())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let expected = "long.txt skipped: larger than 64 MiB; --max-file-size allows more";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn folders_tables_and_templates() {
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    for name in ["anna", "bert"] {
        fs::create_dir_all(path("class").join(name)).unwrap();
        let text = format!("{} {}", words("given", 60), words(name, 60));
        fs::write(path("class").join(name).join("1.txt"), text).unwrap();
        fs::write(path("class").join(name).join("2.txt"), words("both", 60)).unwrap();
    }
    let template = zip(&[("template.txt".to_owned(), words("given", 60))]);
    fs::write(path("base.zip"), template).unwrap();
    let base = path("base.zip");
    let report = json(
        &["scan", "--quiet", "--base", base.to_str().unwrap()],
        &path("class"),
    );
    assert_eq!(ids(&report, "documents"), ["anna", "bert"]);
    let overlap = report["pairs"][0]["containment"][0].as_f64().unwrap();
    assert!((0.4..0.6).contains(&overlap), "{overlap}");
    let per_file = json(&["scan", "--quiet", "--per-file"], &path("class"));
    assert_eq!(per_file["documents"].as_array().unwrap().len(), 4);
    let whole = cento()
        .args(["compare", "--per-folder", "--json"])
        .args([path("class/anna"), path("class/bert")])
        .output()
        .unwrap();
    let whole: Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!(whole["documents"][0]["parts"].as_array().unwrap().len(), 2);

    let row =
        |number| serde_json::json!({ "key": format!("doc{number}"), "words": words("row", 60) });
    let rows: Vec<String> = (0..3).map(|number| row(number).to_string()).collect();
    fs::write(path("t.jsonl"), rows.join("\n")).unwrap();
    let table = json(
        &["scan", "--quiet", "--text-key", "words", "--id-key", "key"],
        &path("t.jsonl"),
    );
    assert_eq!(ids(&table, "documents"), ["doc0", "doc1", "doc2"]);
    assert_eq!(table["pairs"].as_array().unwrap().len(), 3);
}

#[test]
fn explain_text_shows_what_was_read() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("a.rtf");
    fs::write(
        &file,
        "{\\rtf1\\ansi The quick brown fox jumps over the lazy dog, again and again.}",
    )
    .unwrap();
    let output = cento()
        .args(["explain", "text"])
        .arg(&file)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text.trim(),
        "The quick brown fox jumps over the lazy dog, again and again."
    );
    let header = String::from_utf8(output.stderr).unwrap();
    assert!(header.contains("type      rich text (RTF)"), "{header}");
    assert!(header.contains("language  English"), "{header}");
    fs::write(
        root.path().join("b.txt"),
        b"caf\xe9 \xe0 la carte, tr\xe8s bien",
    )
    .unwrap();
    let report = json(&["explain", "text"], &root.path().join("b.txt"));
    assert_eq!(report["encoding"], "windows-1252");
    let forced = json(
        &["explain", "text", "--encoding", "KOI8-R"],
        &root.path().join("b.txt"),
    );
    assert_eq!(forced["encoding"], "KOI8-R");
    assert_eq!(forced["type"], "plain text");
}

#[test]
fn bad_limits_are_reported_together() {
    let output = cento()
        .args([
            "scan",
            ".",
            "--max-file-size",
            "much",
            "--max-time",
            "0",
            "--encoding",
            "klingon",
        ])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    for part in [
        "--max-file-size: much",
        "--max-time: 0",
        "--encoding: klingon",
    ] {
        assert!(errors.contains(part), "{errors}");
    }
}
