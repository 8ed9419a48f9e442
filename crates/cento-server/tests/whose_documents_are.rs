//! A class archive registers each student's files under that student, after a preview.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::{Cursor, Write as _};

use cento::index::registry::Retention;
use cento_server::Role;
use serde_json::{Value, json};
use support::{Form, Setup, Who, text};

fn zip(files: &[(&str, u64)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, seed) in files {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(text(*seed, 200).as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn moodle() -> Vec<u8> {
    zip(&[
        ("Jane Doe_1_assignsubmission_file_/essay.txt", 1),
        ("Jane Doe_1_assignsubmission_file_/notes.txt", 2),
        ("<b>Ann_2_assignsubmission_file_/essay.txt", 3),
        ("readme.txt", 4),
    ])
}

fn submitters(preview: &Value) -> Vec<(String, Value)> {
    let documents = preview["documents"].as_array().unwrap().iter();
    let one = |one: &Value| {
        (
            one["id"].as_str().unwrap().to_owned(),
            one["submitter"].clone(),
        )
    };
    documents.map(one).collect()
}

#[test]
fn an_archive_that_cannot_be_opened_is_no_empty_class() {
    let server = Setup::new()
        .registry(Retention::Digests)
        .account("vera", Role::Verify, None)
        .start();
    let vera = server.log_in("vera");
    let whole = moodle();
    let form = Form::of("register")
        .field("submitter_from", "layout")
        .field("preview", "yes")
        .file("class.zip", &whole[..whole.len() / 2])
        .file("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let job = server.send_form("/api/v1/jobs", &vera, &form).ok();
    let path = |more: &str| format!("/api/v1/jobs/{}{more}", job["id"].as_str().unwrap());
    let preview = server.get(&path("/preview"), &vera).ok();
    let skipped = preview["skipped"].as_array().unwrap();
    assert_eq!(skipped[0]["id"], "class.zip", "{preview}");
    assert!(!skipped[0]["reason"].as_str().unwrap().is_empty());
    // Nobody answered in time: that is not a result that was there once.
    let database = rusqlite::Connection::open(server.data().join("server.sqlite")).unwrap();
    let sql = "UPDATE jobs SET state = 'expired' WHERE id = ?1";
    database
        .execute(sql, [job["id"].as_str().unwrap()])
        .unwrap();
    let shown = server.get(&path(""), &vera).ok();
    assert_eq!(
        shown["summary"],
        "it was not started in time, and its files were removed; there is no result"
    );
}

#[test]
fn a_job_that_is_started_twice_at_the_same_time_runs_once() {
    let server = Setup::new()
        .registry(Retention::Digests)
        .account("vera", Role::Verify, None)
        .start();
    let vera = server.log_in("vera");
    for round in 0..5 {
        let form = Form::of("register")
            .field("set", &round.to_string())
            .field("submitter_from", "layout")
            .field("preview", "yes")
            .file("class.zip", &moodle());
        let job = server.send_form("/api/v1/jobs", &vera, &form).ok();
        let id = job["id"].as_str().unwrap();
        let path = format!("/api/v1/jobs/{id}/start");
        let answers: Vec<u16> = std::thread::scope(|scope| {
            let start = || server.post_json(&path, &vera, &json!({})).status;
            let starting: Vec<_> = (0..4).map(|_| scope.spawn(start)).collect();
            let answers = starting.into_iter().map(|one| one.join().unwrap());
            answers.collect()
        });
        let started = answers.iter().filter(|status| **status == 202).count();
        let refused = answers.iter().filter(|status| **status == 409).count();
        assert_eq!((started, refused), (1, 3), "{answers:?}");
        assert_eq!(server.wait_for(&vera, id)["registered"], 2);
    }
}

#[test]
fn a_class_is_shown_before_it_is_registered() {
    let server = Setup::new()
        .registry(Retention::Digests)
        .account("vera", Role::Verify, None)
        .account("tom", Role::Verify, None)
        .start();
    let vera = server.log_in("vera");
    let form = Form::of("register")
        .field("set", "2026")
        .field("submitter_from", "layout")
        .field("preview", "yes")
        .file("class.zip", &moodle());
    let job = server.send_form("/api/v1/jobs", &vera, &form).ok();
    assert_eq!(job["state"], "asking");
    let path = |more: &str| format!("/api/v1/jobs/{}{more}", job["id"].as_str().unwrap());
    let preview = server.get(&path("/preview"), &vera).ok();
    assert_eq!(
        submitters(&preview),
        [
            ("class.zip/<b>Ann_2".to_owned(), "<b>Ann".into()),
            ("class.zip/Jane Doe_1".to_owned(), "Jane Doe".into()),
            ("class.zip/readme.txt".to_owned(), Value::Null),
        ]
    );
    assert_eq!(
        (&preview["submitters"], &preview["unknown"]),
        (&2.into(), &1.into())
    );
    assert!(preview["notes"][0].as_str().unwrap().contains("Moodle"));
    // Nothing is registered yet, and nobody else can look or start.
    assert_eq!(
        server.get("/api/v1/documents", &vera).ok()["documents"],
        json!([])
    );
    let tom = server.log_in("tom");
    server
        .get(&path("/preview"), &tom)
        .is_problem(404, "not-found");
    server
        .post_json(&path("/start"), &tom, &json!({}))
        .is_problem(404, "not-found");
    let other = server
        .get(&path("/preview?submitter_from=%7Bsubmitter%7D.txt"), &vera)
        .ok();
    assert_eq!(other["submitters"], 1, "{other}");
    let wrong = server.get(&path("/preview?submitter_from=*.txt"), &vera);
    wrong.is_problem(422, "unusable");
    server
        .get(&path("/report.json"), &vera)
        .is_problem(409, "conflict");

    let started = server.post_json(&path("/start"), &vera, &json!({"submitter_from": "layout"}));
    assert_eq!(started.status, 202, "{}", started.text());
    let done = server.wait_for(&vera, job["id"].as_str().unwrap());
    assert_eq!(
        (&done["registered"], &done["skipped"]),
        (&2.into(), &1.into()),
        "{done}"
    );
    assert_eq!(done["summary"], "1 of 3 documents could not be registered");
    server
        .post_json(&path("/start"), &vera, &json!({}))
        .is_problem(409, "conflict");
    let listed = server.get("/api/v1/documents", &vera).ok();
    let listed: Vec<[&str; 2]> = (listed["documents"].as_array().unwrap().iter())
        .map(|one| ["id", "submitter"].map(|name| one[name].as_str().unwrap()))
        .collect();
    assert_eq!(
        listed,
        [
            ["2026/<b>Ann/class.zip/<b>Ann_2", "<b>Ann"],
            ["2026/Jane Doe/class.zip/Jane Doe_1", "Jane Doe"],
        ]
    );
    let table = server.get(&path("/report.csv"), &vera).text();
    assert!(
        table.contains("Jane Doe_1,new") && table.contains("skipped"),
        "{table}"
    );
    // Verified the same way, each document knows its own registered version.
    let form = Form::of("verify")
        .field("set", "2026")
        .field("submitter_from", "layout")
        .file("class.zip", &moodle());
    let verified = server.job(&vera, &form);
    assert_eq!(
        (&verified["documents"], &verified["pairs"]),
        (&2.into(), &0.into()),
        "{verified}"
    );
}

#[test]
fn a_pattern_says_whose_a_file_is() {
    let server = Setup::new().registry(Retention::Digests).start();
    let who = server.open_page();
    let class = zip(&[("novak_hw1.txt", 1), ("roe_hw1.txt", 2), ("odd.txt", 3)]);
    let form = Form::of("register")
        .field("submitter_from", "{submitter}_*")
        .field("submitter", "unknown")
        .file("class.zip", &class);
    let done = server.job(&who, &form);
    assert_eq!(done["registered"], 3, "{done}");
    let listed = server.get("/api/v1/documents", &who).ok().to_string();
    for id in ["novak/class.zip/novak_hw1.txt", "unknown/class.zip/odd.txt"] {
        assert!(listed.contains(id), "{listed}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .account("sam", Role::Submit, None);
    let (anna, sam) = (setup.token("anna"), setup.token("sam"));
    let (anna, sam) = (Who::token(&anna), Who::token(&sam));
    let server = setup.start();
    let class = zip(&[("novak_hw1.txt", 1)]);
    let send = |who: &Who, kind: &str, from: &str, preview: &str| {
        let form = Form::of(kind)
            .field("submitter_from", from)
            .field("preview", preview)
            .file("class.zip", &class);
        server.send_form("/api/v1/jobs", who, &form)
    };
    send(&sam, "register", "layout", "yes").is_problem(422, "unusable");
    send(&anna, "pairwise", "layout", "no").is_problem(422, "unusable");
    send(&anna, "register", "*.txt", "yes").is_problem(422, "unusable");
    send(&anna, "register", "", "yes").is_problem(422, "unusable");
    send(&anna, "register", "layout", "maybe").is_problem(422, "unusable");
    // A preview that nobody answers is cancelled like any job, and its files are gone.
    let job = send(&anna, "register", "layout", "yes").ok();
    let folder = server.data().join("jobs").join(job["id"].as_str().unwrap());
    assert!(folder.exists());
    let path = format!("/api/v1/jobs/{}", job["id"].as_str().unwrap());
    server.delete(&path, &anna).ok();
    assert!(!folder.exists());
    server
        .get(&format!("{path}/preview"), &anna)
        .is_problem(409, "conflict");
}
