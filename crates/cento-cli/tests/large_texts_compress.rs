//! `cento compare --compress` on texts that are too long for a compressor's window.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use assert_cmd::Command;

/// So many different words.
fn words(count: u32) -> String {
    let word = |number: u32| format!("{:x}", number.wrapping_mul(2_654_435_761));
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_window_that_forgets_is_noted_in_text_and_data() {
    let folder = tempfile::tempdir().unwrap();
    let text = words(4_000);
    for name in ["one.txt", "other.txt"] {
        std::fs::write(folder.path().join(name), &text).unwrap();
    }
    let run = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command.current_dir(folder.path());
        command.args(["compare", "one.txt", "other.txt", "--compress"]);
        let output = command.args(options).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let remark = format!(
        "gzip sees 32768 bytes at a time, and the two texts have {}",
        2 * text.len()
    );
    let told = run(&["gzip"]);
    assert!(told.contains(&format!("note: {remark}")), "{told}");
    assert!(
        told.contains("use bzip2 or ppm or xz or zstd instead (--compress)"),
        "{told}"
    );
    let report: serde_json::Value = serde_json::from_str(&run(&["gzip", "--json"])).unwrap();
    let note = report["notes"][0].as_str().unwrap();
    assert!(note.starts_with(&remark), "{note}");
    assert!(
        report["pairs"][0]["compression"]["similarity"]
            .as_f64()
            .unwrap()
            < 0.2
    );
    let report: serde_json::Value = serde_json::from_str(&run(&["xz", "--json"])).unwrap();
    assert_eq!(report["notes"], serde_json::json!([]));
    assert!(report["pairs"][0]["score"].as_f64().unwrap() > 0.95);
}
