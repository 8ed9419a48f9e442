//! A folder of broken and hostile files: nothing panics out, memory stays within its limit, and every
//! file is accounted for.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]
#![cfg(unix)]

#[path = "../../cento-ingest/tests/samples/mod.rs"]
mod samples;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a process may have, the one that scans and those that read for it: less than half of the
/// largest of the files.
const MEMORY: u64 = 500 << 20;

/// Writes the files and counts them.
fn broken(folder: &Path) -> usize {
    let write = |name: &[u8], content: &[u8]| {
        fs::write(folder.join(OsStr::from_bytes(name)), content).unwrap();
    };
    write(
        b"good.txt",
        "A good text among bad ones. ".repeat(20).as_bytes(),
    );
    write(b"empty.docx", b"");
    let mut count = 2;
    for (end, bytes) in samples::all() {
        for share in [3, 9] {
            let cut = &bytes[..bytes.len() * share / 10];
            write(format!("cut-{share}.{end}").as_bytes(), cut);
        }
        let mut flipped = bytes.clone();
        for place in (7..flipped.len()).step_by(31) {
            flipped[place] ^= 1 << (place % 8);
        }
        write(format!("flipped.{end}").as_bytes(), &flipped);
        for wrong in ["txt", "docx", "pdf", "html", "jsonl"] {
            write(format!("{end}-as.{wrong}").as_bytes(), &bytes);
        }
        count += 8;
    }
    for (name, bytes) in bombs() {
        write(name.as_bytes(), &bytes);
        count += 1;
    }
    // Bit 0 of the flags of an entry says that it needs a password.
    let mut locked = samples::zip(&[("secret.txt", b"words")]);
    let entry = locked.windows(4).rposition(|at| at == b"PK\x01\x02");
    locked[entry.unwrap() + 8] |= 1;
    write(b"locked.zip", &locked);
    let encrypt = "/Encrypt << /Filter /Standard /V 1 /R 2 /O (00) /U (00) /P -4 >>";
    let page = samples::lines(&["locked"]);
    write(b"locked.pdf", &samples::pdf_of(&[page], encrypt));
    write(b"line\nbreak.rtf", samples::RTF);
    write(b"caf\xe9 \xff.rtf", samples::RTF);
    fs::write(folder.join("gigabyte.html"), "<html><p>").unwrap();
    for name in ["gigabyte.txt", "gigabyte.html", "gigabyte.jsonl"] {
        // Sparse: all of it is there, none of it on the disk.
        let mut options = fs::OpenOptions::new();
        let file = options.create(true).append(true).open(folder.join(name));
        file.unwrap().set_len(1 << 30).unwrap();
    }
    std::os::unix::fs::symlink(folder, folder.join("circle")).unwrap();
    std::os::unix::fs::symlink("round", folder.join("round")).unwrap();
    count + 9
}

/// Small files that are large inside, or deep.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let zeros = vec![b' '; 64 << 20];
    let mut nested = samples::zip(&[("deep.txt", b"deep")]);
    for _ in 0..12 {
        nested = samples::zip(&[("in.zip", &nested)]);
    }
    let types = ("[Content_Types].xml", &b"<Types/>"[..]);
    let deep = format!("<w:document>{}", "<w:p>".repeat(200_000));
    vec![
        ("bomb.zip", samples::zip(&[("a.txt", &zeros)])),
        (
            "bomb.docx",
            samples::zip(&[types, ("word/document.xml", &zeros)]),
        ),
        ("deep.zip", nested),
        (
            "deep.docx",
            samples::zip(&[types, ("word/document.xml", deep.as_bytes())]),
        ),
        (
            "deep.html",
            "<html><body>"
                .bytes()
                .chain(b"<div>".repeat(200_000))
                .collect(),
        ),
        (
            "deep.rtf",
            b"{\\rtf1 "
                .iter()
                .copied()
                .chain(b"{".repeat(200_000))
                .collect(),
        ),
        (
            "deep.ipynb",
            b"{\"nbformat\": 4, \"cells\": "
                .iter()
                .copied()
                .chain(b"[".repeat(200_000))
                .collect(),
        ),
    ]
}

#[test]
fn nothing_panics_out_and_every_file_is_accounted_for() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("broken");
    fs::create_dir(&folder).unwrap();
    let count = broken(&folder);
    // The system itself keeps the limit: whoever asks for more is refused, and would abort.
    let limit = format!("ulimit -v {}; exec \"$@\"", MEMORY >> 10);
    let output = Command::new("sh")
        .args(["-c", &limit, "sh", env!("CARGO_BIN_EXE_cento")])
        .args([
            "scan",
            "--json",
            "--quiet",
            "--threads",
            "2",
            "--aligner",
            "none",
        ])
        .args(["--max-reader-memory", "400MiB"])
        .arg(&folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ids = |list: &str| -> Vec<String> {
        let list = report[list].as_array().unwrap().iter();
        list.map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let told: Vec<String> = [ids("documents"), ids("skipped")].concat();
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name();
        let bytes = name.as_bytes().utf8_chunks();
        let name: String = bytes
            .map(|chunk| {
                let broken = chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}"));
                chunk.valid().to_owned() + &broken.collect::<String>()
            })
            .collect();
        let is_told = |id: &String| {
            let rest = id.strip_prefix(&name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ':']))
        };
        assert!(told.iter().any(is_told), "{name} is missing");
        files += 1;
    }
    assert_eq!(files, count);
    for skipped in report["skipped"].as_array().unwrap() {
        let reason = skipped["reason"].as_str().unwrap();
        assert!(
            !reason.is_empty() && !reason.contains("the reader failed"),
            "{skipped}"
        );
    }
    let mut skipped = report["skipped"].as_array().unwrap().iter();
    let gigabyte = skipped.find(|skipped| skipped["id"] == "gigabyte.html");
    assert_eq!(
        gigabyte.unwrap()["reason"],
        "takes more than 400 MiB of memory to read"
    );
    let read = ids("documents");
    assert!(read.contains(&"rtf-as.jsonl".to_owned()));
    assert!(read.contains(&"good.txt".to_owned()));
}
