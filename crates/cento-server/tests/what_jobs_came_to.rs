//! A failure never looks like a clean result: what a job says that read nothing, only some of it, was
//! not answered or was cancelled, and what people see where programs get JSON.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::{Cursor, Write as _};
use std::time::{Duration, Instant};

use cento::index::registry::Retention;
use cento_server::{Budget, Role};
use serde_json::Value;
use support::{Answer, Form, Running, Setup, Who, text};

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in files {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The same with the mark of a password on every file.
fn encrypted(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = archive(files);
    for (head, at) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let heads: Vec<usize> = (0..bytes.len() - 4)
            .filter(|&start| &bytes[start..start + 4] == head)
            .collect();
        for start in heads {
            bytes[start + at] |= 1;
        }
    }
    bytes
}

/// Expects a job without a result that says why there is none.
#[track_caller]
fn is_no_result(server: &Running, who: &Who, job: &Value, summary: &str) {
    assert_eq!(job["state"], "failed", "{job}");
    let said = job["summary"].as_str().unwrap();
    assert!(said.contains(summary), "{said}");
    assert_eq!(job["message"], job["summary"]);
    let id = job["id"].as_str().unwrap();
    server
        .get(&format!("/api/v1/jobs/{id}/report.json"), who)
        .is_problem(410, "gone");
}

#[test]
fn too_short_is_not_nothing_found() {
    let server = Setup::new().registry(Retention::Digests).start();
    let who = server.open_page();
    let short = |kind: &str| Form::of(kind).file("short.txt", b"only these few words");
    let job = server.job(&who, &short("verify"));
    assert_eq!(job["state"], "done", "{job}");
    let said = "1 of 1 document is too short to say what it shares";
    assert_eq!(job["summary"], said);
    let essay = text(1, 300);
    let job = server.job(&who, &short("pairwise").file("long.txt", essay.as_bytes()));
    let said = "1 of 2 documents is too short to say what it shares";
    assert_eq!(job["summary"], said);
}

/// Of two files with one name in an archive, only one can be unpacked; the other is named.
#[test]
fn a_file_with_the_name_of_another_is_not_lost_in_silence() {
    let server = Setup::new().start();
    let who = server.open_page();
    let [one, two, three] = [1, 2, 3].map(|seed| text(seed, 300));
    let mut bytes = archive(&[
        ("a.txt", one.as_bytes()),
        ("b.txt", two.as_bytes()),
        ("c.txt", three.as_bytes()),
    ]);
    for at in 0..bytes.len() - 5 {
        if &bytes[at..at + 5] == b"b.txt" {
            bytes[at] = b'a';
        }
    }
    let job = server.job(&who, &Form::of("pairwise").file("class.zip", &bytes));
    assert_eq!(
        job["summary"], "1 of 3 documents could not be read",
        "{job}"
    );
    let skipped = &job["skipped_documents"][0];
    assert_eq!(skipped["id"], "class.zip/a.txt");
    let reason = skipped["reason"].as_str().unwrap();
    assert!(
        reason.contains("another file of the archive has the same name"),
        "{reason}"
    );
}

#[test]
fn nothing_that_can_be_read_is_not_done() {
    let server = Setup::new().registry(Retention::Digests).start();
    let who = server.open_page();
    let words = text(1, 200);
    let secret = encrypted(&[("a.txt", words.as_bytes()), ("b.txt", words.as_bytes())]);
    let broken = &archive(&[("a.txt", words.as_bytes())])[..60];
    for kind in ["pairwise", "verify", "register"] {
        for (name, bytes, why) in [
            (
                "empty.zip",
                archive(&[]).as_slice(),
                "empty.zip: contains no documents",
            ),
            ("broken.zip", broken, "broken.zip: "),
            (
                "secret.zip",
                &secret,
                "a.txt: encrypted: remove the password first",
            ),
            ("photo.png", PICTURE, "photo.png: PNG image"),
        ] {
            let job = server.job(&who, &Form::of(kind).file(name, bytes));
            is_no_result(&server, &who, &job, why);
            is_no_result(&server, &who, &job, "no document could be ");
        }
    }
}

#[test]
fn what_could_not_be_read_is_in_the_summary() {
    let server = Setup::new().start();
    let who = server.open_page();
    let words = text(1, 200);
    let form = Form::of("pairwise").file("a.txt", words.as_bytes());
    let job = server.job(&who, &form);
    assert_eq!(
        job["summary"],
        "there is nothing to compare the only document with"
    );
    let form = form
        .file("b.png", PICTURE)
        .file("c.zip", &encrypted(&[("d.txt", words.as_bytes())]));
    let job = server.job(&who, &form);
    assert_eq!(job["state"], "done", "{job}");
    let summary = job["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("2 of 3 documents could not be read"),
        "{summary}"
    );
    let skipped = job["skipped_documents"].as_array().unwrap();
    assert_eq!(skipped.len(), 2);
    assert_eq!(skipped[0]["id"], "b.png");
    let form = form.file("e.txt", words.as_bytes());
    let job = server.job(&who, &form);
    assert_eq!(job["summary"], "2 of 4 documents could not be read");
    assert_eq!(job["pairs"], 1);
}

#[test]
fn a_verification_that_is_refused_for_now_is_not_answered() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("sam", Role::Submit, None)
        .change(|config| {
            config.budget = Budget {
                questions: 1,
                window: Duration::from_hours(7 * 24),
            };
        });
    let sam = Who::token(&setup.token("sam"));
    let server = setup.start();
    let essay = text(1, 400);
    let verify = |essay: &str| {
        let form = Form::of("verify").file("essay.txt", essay.as_bytes());
        server.job(&sam, &form)
    };
    assert_eq!(verify(&essay)["summary"], "done");
    let job = verify(&format!("{essay} and {}", text(2, 20)));
    is_no_result(&server, &sam, &job, "not answered; ask again after 7 days");
    let form = Form::of("verify")
        .file(
            "again.txt",
            format!("{essay} or {}", text(3, 20)).as_bytes(),
        )
        .file("other.txt", text(4, 400).as_bytes());
    let job = server.job(&sam, &form);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["summary"], "1 of 2 documents was not answered");
}

#[test]
fn cancel_stops_the_work_and_leaves_no_result() {
    let server = Setup::new().registry(Retention::Digests).start();
    let who = server.open_page();
    let shared = text(1, 4000);
    for (kind, summary) in [
        ("pairwise", "cancelled; there is no result"),
        ("register", "cancelled; there is no result, but documents"),
    ] {
        let mut form = Form::of(kind);
        for number in 0..300 {
            let essay = format!("{shared} {}", text(number + 2, 500));
            form = form.file(&format!("{number}.txt"), essay.as_bytes());
        }
        let job = server.send_form("/api/v1/jobs", &who, &form).ok();
        let path = format!("/api/v1/jobs/{}", job["id"].as_str().unwrap());
        while server.get(&path, &who).ok()["state"] == "waiting" {
            std::thread::sleep(Duration::from_millis(10));
        }
        let started = Instant::now();
        assert_eq!(server.delete(&path, &who).status, 204);
        assert!(started.elapsed() < Duration::from_secs(10), "{kind}");
        let job = server.get(&path, &who).ok();
        assert_eq!(job["state"], "cancelled", "{job}");
        let said = job["summary"].as_str().unwrap();
        assert!(said.starts_with(summary), "{said}");
        assert_eq!(job["documents"], Value::Null, "{job}");
        let metrics = server.get("/metrics", &who).text();
        assert!(!metrics.contains("cento_jobs 1"), "{metrics}");
    }
    let job = server.job(
        &who,
        &Form::of("pairwise")
            .file("a.txt", shared.as_bytes())
            .file("b.txt", shared.as_bytes()),
    );
    let path = format!("/api/v1/jobs/{}", job["id"].as_str().unwrap());
    assert_eq!(server.delete(&path, &who).status, 204);
    let job = server.get(&path, &who).ok();
    assert_eq!(job["summary"], "the result was deleted");
}

/// As a browser asks for a page.
fn visit(server: &Running, path: &str, who: &Who) -> Answer {
    let mut headers = who.headers();
    headers.push(("accept", "text/html,application/xhtml+xml,*/*;q=0.8"));
    server.request("GET", path, &headers, &[])
}

#[track_caller]
fn is_page(answer: &Answer, status: u16, says: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
    let policy = &answer.headers["content-security-policy"];
    assert!(policy.contains("style-src 'sha256-"), "{policy}");
    assert!(answer.text().contains(says), "{}", answer.text());
}

#[test]
fn people_see_pages_and_programs_get_json() {
    let server = Setup::new().account("anna", Role::Admin, None).start();
    let anna = server.log_in("anna");
    let report = "/jobs/none/report";
    // Logged out: the page that asks for a name and a password.
    is_page(&visit(&server, report, &Who::Nobody), 401, "<script>");
    let none = visit(&server, report, &anna);
    is_page(&none, 404, "<h1>There is nothing here</h1>");
    is_page(&none, 404, "there is no such job");
    is_page(
        &visit(&server, "/open?token=old", &Who::Nobody),
        410,
        "<h1>This address is gone</h1>",
    );
    let markup = visit(&server, "/open?<script>x</script>", &anna);
    assert!(!markup.text().contains("<script>x"), "{}", markup.text());
    is_page(&visit(&server, "/nowhere", &anna), 404, "Back to the start");
    let job = server.job(
        &anna,
        &Form::of("pairwise")
            .file("a.txt", text(1, 99).as_bytes())
            .file("b.txt", text(2, 99).as_bytes()),
    );
    let id = job["id"].as_str().unwrap();
    server.delete(&format!("/api/v1/jobs/{id}"), &anna).ok();
    let gone = visit(&server, &format!("/jobs/{id}/report"), &anna);
    is_page(&gone, 410, "<h1>This address is gone</h1>");
    // The API answers programs, whatever they accept; so do the other addresses if they ask for data.
    visit(&server, "/api/v1/jobs", &Who::Nobody).is_problem(401, "not-logged-in");
    visit(&server, "/api/v1/nowhere", &anna).is_problem(404, "not-found");
    server
        .get(report, &Who::Nobody)
        .is_problem(401, "not-logged-in");
}
