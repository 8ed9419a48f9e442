//! What may have no end or too much of anything: links, devices, pipes, small files that take all
//! memory, readers whose run is gone.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/processes.rs"]
mod processes;

#[path = "support/registry.rs"]
mod support;

use std::fmt::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use processes::started_by;
use support::{Case, text};

#[test]
fn links_lead_nowhere_unless_that_is_asked_for() {
    let case = Case::new(&[]);
    case.write("class/ada.txt", &text(1));
    case.write("elsewhere/diary.txt", &text(1));
    for (to, link) in [
        ("../elsewhere/diary.txt", "class/file.txt"),
        ("../elsewhere", "class/folder"),
    ] {
        symlink(to, case.path().join(link)).unwrap();
    }
    let done = case.run(&["scan", "class"]);
    let hint = "file.txt skipped: link, not followed; --follow-links follows it";
    assert!(done.said.contains(hint), "{}", done.said);
    assert!(!done.printed.contains("diary"), "{}", done.printed);
    let json = case.json(&["scan", "class"]);
    assert_eq!(json["skipped"][0]["limit"], "links");
    assert_eq!(json["skipped"][0]["reason"], "link, not followed");
    let followed = case.ok(&["scan", "class", "--follow-links"]);
    assert!(followed.contains("folder/diary.txt"), "{followed}");
    case.write("cento.toml", "follow-links = true\n");
    assert_eq!(case.ok(&["scan", "class"]), followed);
}

#[test]
fn settings_must_have_an_end() {
    let case = Case::new(&[]);
    case.write("class/ada.txt", &text(1));
    let made = Command::new("mkfifo")
        .arg(case.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    case.write("large", &"# no end in sight\n".repeat(100_000));
    for (flag, file, why) in [
        ("--config", "/dev/zero", "not a regular file"),
        ("--config", "pipe", "not a regular file"),
        ("--config", "large", "larger than 1 MiB"),
        ("--key-file", "/dev/zero", "not a regular file"),
        ("--key-file", "large", "larger than 4 KiB"),
        ("--dictionary", "/dev/zero", "not a regular file"),
    ] {
        let done = case.run(&["scan", "class", "--recipe", "sift", flag, file]);
        assert_eq!(done.code, Some(2), "{flag} {file}: {}", done.said);
        assert!(
            done.said.contains(file) && done.said.contains(why),
            "{}",
            done.said
        );
    }
    for pipe in ["pipe", "/dev/zero"] {
        let done = case.run(&["scan", "class", pipe]);
        assert!(
            done.said.contains("skipped: not a regular file"),
            "{}",
            done.said
        );
    }
}

/// A kilobyte that names four billion characters.
fn greedy_pdf() -> Vec<u8> {
    let stream = |data: &str| format!("<< /Length {} >>\nstream\n{data}\nendstream", data.len());
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        stream("BT /F1 12 Tf 10 100 Td (Hello world) Tj ET"),
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H \
         /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>"
            .to_owned(),
        stream(
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def \
             1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange \
             1 beginbfrange <00000000> <FFFFFFF0> <0000> endbfrange endcmap end end",
        ),
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 1000 >>".to_owned(),
    ];
    let mut pdf = "%PDF-1.5\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        places.push(pdf.len());
        let _ = write!(pdf, "{number} 0 obj\n{object}\nendobj\n");
    }
    let table = pdf.len();
    pdf += "xref\n0 8\n0000000000 65535 f \n";
    for place in places {
        let _ = writeln!(pdf, "{place:010} 00000 n ");
    }
    let _ = write!(
        pdf,
        "trailer << /Size 8 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF"
    );
    pdf.into_bytes()
}

#[test]
fn a_small_file_does_not_get_all_memory() {
    let case = Case::new(&[]);
    let pdf = greedy_pdf();
    assert!(pdf.len() < 1500);
    std::fs::write(case.path().join("greedy.pdf"), pdf).unwrap();
    let done = case.run(&[
        "explain",
        "text",
        "greedy.pdf",
        "--max-reader-memory",
        "256MiB",
        // On a busy machine it is slow to ask for so much.
        "--max-time",
        "600",
    ]);
    assert_eq!(done.code, Some(2), "{}", done.printed);
    let expected = "takes more than 256 MiB of memory to read; --max-reader-memory allows more";
    assert!(done.said.contains(expected), "{}", done.said);
}

/// A run that waits for a reader that hangs, and that reader.
fn hanging(folder: &Path) -> (Child, u32) {
    std::fs::write(folder.join("fault-hang.html"), "<p>Hello</p>").unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_cento"))
        .args(["explain", "text", "fault-hang.html"])
        .env("CENTO_TEST_FAULTS", "1")
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let reader = wait_for(|| {
        let mut started = started_by(run.id()).into_iter();
        started.find(|one| one.command.contains("read-files"))
    });
    let reader = reader.number.parse().unwrap();
    (run, reader)
}

/// Tries again and again, for as long as anybody would wait.
fn wait_for<T>(mut found: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < end, "it does not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn readers_end_with_their_run_and_nothing_of_either_is_left_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (mut run, reader) = hanging(folder.path());
    for process in [run.id(), reader] {
        let limits = wait_for(|| std::fs::read_to_string(format!("/proc/{process}/limits")).ok());
        let core = limits
            .lines()
            .find(|line| line.starts_with("Max core file size"));
        let words: Vec<&str> = core.unwrap().split_whitespace().collect();
        assert_eq!(words[4..6], ["0", "0"], "{limits}");
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let status = format!("/proc/{reader}/stat");
    wait_for(|| {
        let stat = std::fs::read_to_string(&status).unwrap_or_default();
        let is_gone = stat.is_empty() || stat.contains(") Z ");
        is_gone.then_some(())
    });
}
