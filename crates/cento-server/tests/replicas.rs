//! A server that only reads: it finds what another process registers, and no longer what is forgotten
//! there, and says so when somebody wants it to write.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::time::{Duration, Instant};

use cento::Watch;
use cento::index::registry::{By, Facts, OnChange, Registry, Retention, Snapshot, Which, shard};
use cento_server::{Role, Writing};
use serde_json::{Value, json};
use support::{Form, Running, Setup, Who, key, text};

const NOW: &str = "2026-01-01T00:00:00Z";

fn hits(server: &Running, who: &Who, text: &str) -> Vec<String> {
    let report = server
        .post("/api/v1/verifications", who, text.as_bytes())
        .ok();
    let pairs = report["pairs"].as_array().unwrap().iter();
    let id = |pair: &Value| pair["right"].as_str().unwrap().to_owned();
    pairs.map(id).collect()
}

/// Asks until the answer is the one that is waited for; says how long that took.
fn wait_for(server: &Running, who: &Who, text: &str, expected: &[&str]) -> Duration {
    let start = Instant::now();
    loop {
        let found = hits(server, who, text);
        if found == expected {
            return start.elapsed();
        }
        assert!(start.elapsed() < Duration::from_mins(2), "{found:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Everything that would write.
fn refuses_to_write(server: &Running, who: &Who, words: &str) {
    let document = "/api/v1/documents?id=new";
    let line = json!({"id": "new", "text": text(9, 100)}).to_string();
    let form = Form::of("register").file("new.txt", text(9, 100).as_bytes());
    for answer in [
        server.post(document, who, text(9, 100).as_bytes()),
        server.post("/api/v1/documents/bulk", who, line.as_bytes()),
        server.post_json("/api/v1/forget", who, &json!({"ids": ["one"]})),
        server.send_form("/api/v1/jobs", who, &form),
    ] {
        answer.is_problem(409, "read-only");
        assert!(answer.text().contains(words), "{}", answer.text());
    }
    // Pages say so before anybody chooses what to send.
    let session = server.get("/api/v1/session", who).ok();
    let told = session["read_only"].as_str().unwrap();
    assert!(told.contains(words), "{told}");
}

#[test]
fn a_replica_takes_up_what_another_process_commits() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .change(|config| config.writing = Writing::Elsewhere);
    let anna = Who::token(&setup.token("anna"));
    let path = setup.folder.path().join("registry");
    let server = setup.start();
    let essay = text(1, 500);
    assert!(hits(&server, &anna, &essay).is_empty());
    refuses_to_write(&server, &anna, "this server is a replica");
    let described = server.get("/api/v1/openapi.json", &anna).ok();
    let problems = &described["components"]["schemas"]["Problem"]["properties"]["type"];
    let listed = problems["enum"].as_array().unwrap();
    assert!(listed.contains(&"urn:cento:problem:read-only".into()));
    let told = problems["description"].as_str().unwrap();
    assert!(told.contains("read-only (409): "), "{told}");
    // The writer is never kept waiting by those who read.
    let mut writer = Registry::open(&path, &key(), "a test").unwrap();
    let facts = Facts {
        id: "one".to_owned(),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let candidate = writer.prepare().candidate(facts, &essay);
    writer.add(candidate, OnChange::Version).unwrap();
    writer.commit().unwrap();
    let took = wait_for(&server, &anna, &essay, &["registry:one"]);
    println!("a new document is found after {:.2} s", took.as_secs_f64());
    writer.forget(&Which::Id("one".to_owned())).unwrap();
    wait_for(&server, &anna, &essay, &[]);
    writer.finish().unwrap();
}

#[test]
fn a_replica_whose_registry_is_gone_is_not_ready() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .change(|config| config.writing = Writing::Elsewhere);
    let anna = Who::token(&setup.token("anna"));
    let path = setup.folder.path().join("registry");
    let away = setup.folder.path().join("away");
    let server = setup.start();
    let wait_for = |status: u16| {
        let start = Instant::now();
        loop {
            let answer = server.get("/readyz", &Who::Nobody);
            if answer.status == status {
                return answer;
            }
            assert!(
                start.elapsed() < Duration::from_mins(2),
                "{}",
                answer.text()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    wait_for(200);
    std::fs::rename(&path, &away).unwrap();
    let answer = wait_for(503);
    answer.is_problem(503, "unavailable");
    let detail = answer.text();
    assert!(detail.contains("the registry cannot be opened"), "{detail}");
    // Who asks all the same is answered from what was there.
    assert!(hits(&server, &anna, &text(1, 500)).is_empty());
    std::fs::rename(&away, &path).unwrap();
    wait_for(200);
}

#[test]
fn shards_are_served_and_only_read() {
    let setup = Setup::new()
        .registry(Retention::Text)
        .account("anna", Role::Admin, None);
    let anna = Who::token(&setup.token("anna"));
    let path = setup.folder.path().join("registry");
    let mut writer = Registry::open(&path, &key(), "a test").unwrap();
    let facts = Facts {
        id: "one".to_owned(),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let essay = text(1, 500);
    let candidate = writer.prepare().candidate(facts, &essay);
    writer.add(candidate, OnChange::Version).unwrap();
    writer.finish().unwrap();
    let shards = setup.folder.path().join("shards");
    let snapshot = Snapshot::open(&path, &key(), NOW).unwrap();
    shard(&snapshot, &shards, By::Digests, 3, Watch::NOBODY).unwrap();
    let server = setup
        .change(|config| {
            let place = config.registry.as_mut().unwrap();
            place.path = shards;
        })
        .start();
    assert_eq!(hits(&server, &anna, &essay), ["registry:one"]);
    refuses_to_write(&server, &anna, "cut into shards");
}
