//! A crawl that loops is stopped while it runs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn guard(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command.args(["archive", "guard"]).args(arguments);
    command
}

fn output(arguments: &[&str], input: &[u8]) -> Output {
    let mut process = guard(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    process.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const BODY: &str = "<html><h1>Minutes</h1><p>The county meets when it has to and says what it did.";

#[test]
fn a_crawler_gets_each_answer_before_it_asks_again() {
    let mut process = guard(&["--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut fetched = 0;
    loop {
        fetched += 1;
        let url = format!(
            "http://county.example{}/",
            "/minutes/agenda".repeat(fetched)
        );
        writeln!(stdin, "{}", json!({"url": url, "html": BODY})).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["url"], url);
        if answer["verdict"] == "stop" {
            assert_eq!(
                answer["reason"],
                "a path that goes round in circles: 8 pages in a row with hardly anything new under \
                 */agenda/*/agenda/*/agenda/*"
            );
            break;
        }
    }
    assert_eq!(fetched, 10);
    drop(stdin);
    assert!(process.wait().unwrap().success());
}

#[test]
fn archives_patterns_and_broken_lines() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = String::new();
    for at in 1..=60 {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{BODY}");
        let (year, month) = (2000 + at / 12, at % 12 + 1);
        let _ = write!(
            archive,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://club.example/cal/{year}/{month}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        );
    }
    let path = folder.path().join("crawl.warc");
    std::fs::write(&path, &archive).unwrap();
    let patterns = folder.path().join("skip.txt");
    let done = output(
        &[
            path.to_str().unwrap(),
            "--skip-patterns",
            patterns.to_str().unwrap(),
        ],
        b"",
    );
    assert!(done.status.success());
    let answers = lines(&done);
    assert_eq!(answers.len(), 60);
    assert_eq!(answers[0]["verdict"], "go");
    assert_eq!(answers[59]["verdict"], "stop");
    let told = String::from_utf8(done.stderr.clone()).unwrap();
    assert!(told.starts_with("60 pages, "), "{told}");
    assert!(told.contains("skip club.example/cal/*/*"), "{told}");
    let written = std::fs::read_to_string(&patterns).unwrap();
    assert!(
        written.contains("^https?://(www\\.)?club\\.example/cal/[0-9-]+/[0-9-]+\n"),
        "{written}"
    );
    // The same bytes on every run.
    assert_eq!(output(&[path.to_str().unwrap()], b"").stdout, done.stdout);
    let broken = output(
        &[],
        b"{\"url\":\"http://a.example/\",\"text\":\"words\"}\nnot a page\n",
    );
    assert!(broken.status.success());
    let answers = lines(&broken);
    assert_eq!(answers[1]["line"], 2);
    assert!(
        answers[1]["error"]
            .as_str()
            .unwrap()
            .starts_with("not JSON with a page")
    );
}

#[test]
fn what_cannot_be_read_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let done = output(&[folder.path().to_str().unwrap()], b"");
    assert_eq!(done.status.code(), Some(2));
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(
        told.contains("is a folder; a crawl is a web archive or a file of JSON lines"),
        "{told}"
    );
    let picture = json!({"url": "http://a.example/x.gz", "html": ""}).to_string();
    let answers = lines(&output(&[], picture.as_bytes()));
    assert_eq!(answers[0]["verdict"], "go");
}
