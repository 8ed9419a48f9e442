//! Registering, verifying, browsing, forgetting and importing over HTTP.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fmt::Write as _;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cento::Watch;
use cento::index::registry::{Registry, Retention, Which};
use cento_server::Role;
use serde_json::{Value, json};
use support::{Form, Running, Setup, Who, key, text};

fn server() -> (Running, Who) {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None);
    let anna = Who::token(&setup.token("anna"));
    (setup.start(), anna)
}

/// The same with an account that may only submit.
fn with_a_submitter() -> (Running, Who, Who) {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .account("sam", Role::Submit, None);
    let [anna, sam] = ["anna", "sam"].map(|name| Who::token(&setup.token(name)));
    let server = setup.start();
    (server, anna, sam)
}

fn hits(server: &Running, who: &Who, text: &str) -> Vec<String> {
    let report = server
        .post("/api/v1/verifications", who, text.as_bytes())
        .ok();
    let pairs = report["pairs"].as_array().unwrap().iter();
    let id = |pair: &Value| pair["right"].as_str().unwrap().to_owned();
    pairs.map(id).collect()
}

#[test]
fn a_document_is_found_until_it_is_forgotten() {
    let (server, anna) = server();
    let essay = text(1, 500);
    assert!(hits(&server, &anna, &essay).is_empty());
    let path = "/api/v1/documents?id=theses/novak.txt&set=2026&submitter=s1&label=Nov%C3%A1k";
    let answer = server.post(path, &anna, essay.as_bytes());
    assert_eq!(answer.status, 201);
    assert_eq!(
        answer.json(),
        json!({"id": "theses/novak.txt", "registered": "new", "version": 1})
    );
    // The next question finds it.
    assert_eq!(hits(&server, &anna, &essay), ["registry:theses/novak.txt"]);
    let again = server.post(path, &anna, essay.as_bytes());
    assert_eq!(
        (again.status, again.json()["registered"].as_str()),
        (200, Some("unchanged"))
    );
    let changed = server.post(path, &anna, text(2, 500).as_bytes());
    assert_eq!(
        (changed.status, changed.json()["version"].as_u64()),
        (201, Some(2))
    );
    let refused = format!("{path}&on_change=refuse");
    server
        .post(&refused, &anna, text(3, 500).as_bytes())
        .is_problem(409, "conflict");
    let listed = server
        .get("/api/v1/documents?search=NOV%C3%81K", &anna)
        .ok();
    assert_eq!(listed["documents"].as_array().unwrap().len(), 2);
    assert_eq!(listed["documents"][0]["submitter"], "s1");
    let forget = json!({"ids": ["theses/novak.txt"]});
    assert_eq!(
        server.post_json("/api/v1/forget", &anna, &forget).ok()["forgotten"],
        2
    );
    assert!(hits(&server, &anna, &essay).is_empty());
    assert_eq!(
        server.get("/api/v1/documents", &anna).ok()["documents"],
        json!([])
    );
}

#[test]
fn a_copy_under_the_name_of_another_is_found_and_an_own_version_has_a_row() {
    let (server, anna) = server();
    let essay = text(1, 300);
    let register = |path: &str| server.post(path, &anna, essay.as_bytes());
    register("/api/v1/documents?id=two/thesis.txt&submitter=one").ok();
    register("/api/v1/documents?id=three/thesis.txt&submitter=three").ok();
    let verify = |submitter: &str| {
        let path = format!("/api/v1/verifications?name=thesis.txt&submitter={submitter}");
        let report = server.post(&path, &anna, essay.as_bytes()).ok();
        let own = report["documents"][0]["verified"]["own"].clone();
        let pairs = report["pairs"].as_array().unwrap().iter();
        let ids: Vec<String> = pairs
            .map(|pair| pair["right"].as_str().unwrap().into())
            .collect();
        (ids, own)
    };
    let both = ["registry:three/thesis.txt", "registry:two/thesis.txt"];
    assert_eq!(
        verify("two"),
        (both.map(String::from).to_vec(), Value::Null)
    );
    let (hits, own) = verify("three");
    assert_eq!(hits, ["registry:two/thesis.txt"]);
    assert_eq!(own[0]["id"], "three/thesis.txt");
    assert_eq!(
        (&own[0]["version"], &own[0]["containment"]),
        (&json!(1), &json!(1.0))
    );
}

#[test]
fn what_a_template_has_or_everybody_does_not_count() {
    let (server, anna, sam) = with_a_submitter();
    let sheet = text(90, 80);
    for number in 0..6 {
        let thesis = format!("{sheet} {}", text(number, 200));
        let path = format!("/api/v1/documents?id={number}.txt");
        server.post(&path, &anna, thesis.as_bytes()).ok();
    }
    let new = format!("{sheet} {}", text(50, 200));
    let form = |kind: &str| Form::of(kind).file("new.txt", new.as_bytes());
    let pairs = |form: &Form| server.job(&anna, form)["pairs"].as_u64().unwrap();
    assert_eq!(pairs(&form("verify")), 6);
    let with_template = form("verify").part("template", "sheet.txt", sheet.as_bytes());
    assert_eq!(pairs(&with_template), 0);
    assert_eq!(pairs(&form("verify").field("base_from", "common")), 0);
    // Who may only submit could find out by templates which part of a text is known; and what is
    // registered is registered whole.
    let send = |who: &Who, form: &Form| server.send_form("/api/v1/jobs", who, form);
    for (who, form) in [
        (&sam, with_template),
        (&sam, form("verify").field("base_from", "common")),
        (&anna, form("register").field("base_from", "common")),
        (&anna, form("verify").field("base_from", "rare")),
        (
            &anna,
            Form::of("verify").part("template", "t.txt", sheet.as_bytes()),
        ),
    ] {
        send(who, &form).is_problem(422, "unusable");
    }
}

#[test]
fn how_many_share_only_standard_text_is_not_for_everybody() {
    let (server, anna, sam) = with_a_submitter();
    let thesis = |number| format!("{} {}", text(90, 80), text(number, 200));
    for number in 0..12 {
        let path = format!("/api/v1/documents?id={number}.txt");
        server.post(&path, &anna, thesis(number).as_bytes()).ok();
    }
    let verify = |who: &Who| {
        let new = thesis(50);
        let answer = server.post("/api/v1/verifications", who, new.as_bytes());
        (answer.ok(), answer.text())
    };
    let (report, text) = verify(&anna);
    assert_eq!(report["pairs"], json!([]));
    assert_eq!(report["documents"][0]["verified"]["standard"], json!(12));
    assert!(
        text.contains("12 more share only text that many have"),
        "{text}"
    );
    let (report, text) = verify(&sam);
    assert_eq!(report["documents"][0]["verified"].get("standard"), None);
    assert!(!text.contains("share only text that many have"), "{text}");
}

#[test]
fn an_id_of_another_submitter_is_refused() {
    let (server, anna) = server();
    let register = |path: &str, seed: u64| server.post(path, &anna, text(seed, 300).as_bytes());
    register("/api/v1/documents?id=thesis.txt&submitter=one", 1).ok();
    for seed in [1, 2] {
        let refused = register("/api/v1/documents?id=thesis.txt&submitter=two", seed);
        refused.is_problem(409, "conflict");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(
            detail.contains("submitter one") && detail.contains("submitter two"),
            "{detail}"
        );
    }
    let copy = register("/api/v1/documents?id=copy.txt&submitter=two", 1);
    assert_eq!(copy.status, 201);
    assert_eq!(copy.json()["same_text_as"], "thesis.txt");
    // Many at once, before and after their commit.
    let mut lines = String::new();
    for (id, submitter, seed) in [
        ("thesis.txt", "three", 1),
        ("new.txt", "three", 5),
        ("new.txt", "four", 5),
        ("newer.txt", "four", 5),
    ] {
        let line = json!({"id": id, "submitter": submitter, "text": text(seed, 80)});
        let _ = writeln!(lines, "{line}");
    }
    let result = server
        .post("/api/v1/documents/bulk", &anna, lines.as_bytes())
        .ok();
    assert_eq!(result["registered"], 2, "{result}");
    let skipped: Vec<&str> = result["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skipped| skipped["id"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["new.txt", "thesis.txt"]);
    assert_eq!(
        result["documents"],
        json!([{"id": "newer.txt", "registered": "new", "same_text_as": "new.txt"}])
    );
}

#[test]
fn bad_documents() {
    let (server, anna) = server();
    let send =
        |query: &str, body: &[u8]| server.post(&format!("/api/v1/documents?{query}"), &anna, body);
    let essay = text(1, 100);
    send("", essay.as_bytes()).is_problem(400, "bad-request");
    send("id=", essay.as_bytes()).is_problem(422, "unusable");
    send("id=a", b"").is_problem(422, "unusable");
    send("id=a", b"...").is_problem(422, "unusable");
    send("id=a&other=b", essay.as_bytes()).is_problem(400, "bad-request");
    send("id=a&expires=soon", essay.as_bytes()).is_problem(422, "unusable");
    send("id=a&on_change=never", essay.as_bytes()).is_problem(400, "bad-request");
    send(&format!("id={}", "x".repeat(2000)), essay.as_bytes()).is_problem(422, "unusable");
    let verify = |query: &str, body: &[u8]| {
        server.post(&format!("/api/v1/verifications?{query}"), &anna, body)
    };
    verify("threshold=2", essay.as_bytes()).is_problem(422, "unusable");
    verify("threshold=NaN", essay.as_bytes()).is_problem(422, "unusable");
    verify("threshold=x", essay.as_bytes()).is_problem(400, "bad-request");
    verify("", b"").is_problem(422, "unusable");
    verify("", &[0, 159, 146, 150, 0, 1, 2]).is_problem(422, "unusable");
    server
        .get("/api/v1/documents?limit=0", &anna)
        .is_problem(422, "unusable");
    server
        .post_json("/api/v1/forget", &anna, &json!({}))
        .is_problem(422, "unusable");
    server
        .post_json("/api/v1/forget", &anna, &json!({"id": "x"}))
        .is_problem(400, "bad-request");
}

#[test]
fn documents_expire_and_are_paged() {
    let (server, anna) = server();
    for number in 0..5 {
        let path = format!("/api/v1/documents?id=d{number}&set=s{}", number % 2);
        server.post(&path, &anna, text(number, 100).as_bytes()).ok();
    }
    let past = "/api/v1/documents?id=old&expires=2020-01-01T00:00:00Z";
    server.post(past, &anna, text(9, 100).as_bytes()).ok();
    assert!(hits(&server, &anna, &text(9, 100)).is_empty());
    let ids = |path: &str| -> (Vec<String>, Value) {
        let page = server.get(path, &anna).ok();
        let all = page["documents"].as_array().unwrap().iter();
        let id = |document: &Value| document["id"].as_str().unwrap().to_owned();
        (all.map(id).collect(), page["next"].clone())
    };
    assert_eq!(
        ids("/api/v1/documents?limit=2"),
        (vec!["d0".into(), "d1".into()], json!("d1"))
    );
    assert_eq!(
        ids("/api/v1/documents?limit=5&after=d1").0,
        ["d2", "d3", "d4", "old"]
    );
    assert_eq!(ids("/api/v1/documents?set=s1").0, ["d1", "d3"]);
    assert_eq!(
        server
            .post_json("/api/v1/forget", &anna, &json!({"expired": true}))
            .ok()["forgotten"],
        1
    );
    let sets = json!({"sets": ["s0", "s1"]});
    assert_eq!(
        server.post_json("/api/v1/forget", &anna, &sets).ok()["forgotten"],
        5
    );
}

#[test]
fn many_lines_at_once() {
    let (server, anna) = server();
    let mut lines = String::new();
    for number in 0..300 {
        let line = json!({"id": format!("b{number}"), "text": text(number, 80), "set": "bulk"});
        let _ = writeln!(lines, "{line}");
    }
    lines += "no json\n\n";
    let _ = writeln!(lines, "{}", json!({"id": "", "text": text(1, 80)}));
    lines += &json!({"id": "last", "text": text(1000, 80)}).to_string();
    let result = server
        .post("/api/v1/documents/bulk", &anna, lines.as_bytes())
        .ok();
    assert_eq!(result["registered"], 301, "{result}");
    let skipped = result["skipped"].as_array().unwrap();
    // In the order of the ids, and one has none.
    assert_eq!(skipped.len(), 2);
    assert_eq!(skipped[1]["id"], "line 301");
    assert_eq!(hits(&server, &anna, &text(299, 80)), ["registry:b299"]);
    assert_eq!(hits(&server, &anna, &text(1000, 80)), ["registry:last"]);
    let again = server
        .post("/api/v1/documents/bulk", &anna, lines.as_bytes())
        .ok();
    assert_eq!(
        (&again["registered"], &again["unchanged"]),
        (&0.into(), &301.into())
    );
}

#[test]
fn many_register_at_once_and_each_is_found() {
    let (server, anna) = server();
    let server = Arc::new(server);
    let Who::Token(token) = &anna else {
        panic!("a token");
    };
    let threads: Vec<_> = (0..8_u64)
        .map(|thread| {
            let (server, who) = (Arc::clone(&server), Who::Token(token.clone()));
            std::thread::spawn(move || {
                for number in 0..10 {
                    let seed = thread * 100 + number;
                    let path = format!("/api/v1/documents?id=t{seed}");
                    let answer = server.post(&path, &who, text(seed, 120).as_bytes());
                    assert_eq!(answer.status, 201, "{}", answer.text());
                    assert_eq!(
                        hits(&server, &who, &text(seed, 120)),
                        [format!("registry:t{seed}")]
                    );
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn too_many_at_once_are_told_to_come_again() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .change(|config| {
            config.limits.computing = 1;
            config.limits.waiting = 2;
        });
    let token = setup.token("anna");
    let server = Arc::new(setup.start());
    let essay = Arc::new(text(1, 60_000));
    let threads: Vec<_> = (0..24)
        .map(|_| {
            let (server, who) = (Arc::clone(&server), Who::token(&token));
            let essay = Arc::clone(&essay);
            std::thread::spawn(move || {
                let answer = server.post("/api/v1/verifications", &who, essay.as_bytes());
                if answer.status == 503 {
                    answer.is_problem(503, "busy");
                    assert!(answer.headers.contains_key("retry-after"));
                }
                answer.status
            })
        })
        .collect();
    let mut statuses: Vec<u16> = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect();
    statuses.sort_unstable();
    statuses.dedup();
    assert_eq!(statuses, [200, 503]);
    assert_eq!(server.get("/healthz", &Who::Nobody).status, 200);
}

#[test]
fn what_others_write_is_seen_and_their_lock_is_respected() {
    let (server, anna) = server();
    let essay = text(1, 300);
    server
        .post("/api/v1/documents?id=a", &anna, essay.as_bytes())
        .ok();
    let path = server.folder.path().join("registry");
    // The server lets go of the registry when nobody registers.
    let started = Instant::now();
    let mut writer = loop {
        match Registry::open(&path, &key(), "a test") {
            Ok(writer) => break writer,
            Err(error) if started.elapsed() > Duration::from_mins(1) => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    };
    let busy = server.post("/api/v1/documents?id=b", &anna, text(2, 100).as_bytes());
    busy.is_problem(503, "unavailable");
    assert_eq!(writer.forget(&Which::Id("a".to_owned())).unwrap(), 1);
    drop(writer);
    let started = Instant::now();
    while !hits(&server, &anna, &essay).is_empty() {
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "it is still found"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    server
        .post("/api/v1/documents?id=b", &anna, text(2, 100).as_bytes())
        .ok();
}

#[test]
fn a_copy_can_be_made_while_it_runs() {
    let (server, anna) = server();
    server
        .post("/api/v1/documents?id=a", &anna, text(1, 300).as_bytes())
        .ok();
    let from = server.folder.path().join("registry");
    let to = server.folder.path().join("copy");
    let snapshot =
        cento::index::registry::Snapshot::open(&from, &key(), "2026-01-01T00:00:00Z").unwrap();
    let names = cento::index::registry::Names::Kept;
    let exported = cento::index::registry::export(&snapshot, &to, names, Watch::NOBODY).unwrap();
    assert_eq!(exported.documents, 1);
    server
        .post("/api/v1/documents?id=b", &anna, text(2, 300).as_bytes())
        .ok();
}

/// What a check of the registry comes to, once it has ended.
fn checked(server: &Running, who: &Who) -> Value {
    assert_eq!(server.post("/api/v1/check", who, b"").status, 202);
    let start = Instant::now();
    loop {
        let check = server.get("/api/v1/status", who).ok()["registry"]["check"].clone();
        if check["under_way"] == false {
            return check["latest"].clone();
        }
        assert!(start.elapsed() < Duration::from_mins(1), "the check ends");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_check_finds_damage_and_is_remembered() {
    let (server, anna) = server();
    let never = server.get("/api/v1/status", &anna).ok();
    assert_eq!(
        never["registry"]["check"],
        json!({"under_way": false, "every_seconds": null, "latest": null})
    );
    // One, so that no merging replaces the segment that is damaged.
    server
        .post("/api/v1/documents?id=a", &anna, text(1, 300).as_bytes())
        .ok();
    let healthy = checked(&server, &anna);
    assert_eq!(healthy["documents"], 1);
    assert_eq!(
        (&healthy["faults"], &healthy["account"]),
        (&json!([]), &json!("anna"))
    );
    let segments = server.folder.path().join("registry/segments");
    let segment = std::fs::read_dir(segments).unwrap().next().unwrap();
    let segment = segment.unwrap().path();
    // In place: the server has it mapped.
    let mut options = std::fs::File::options();
    let file = options.read(true).write(true).open(&segment).unwrap();
    let middle = file.metadata().unwrap().len() / 2;
    let mut byte = [0];
    file.read_exact_at(&mut byte, middle).unwrap();
    file.write_all_at(&[byte[0] ^ 1], middle).unwrap();
    let damaged = checked(&server, &anna);
    let name = segment.to_str().unwrap();
    let fault = damaged["faults"][0].as_str().unwrap();
    assert!(fault.contains(name), "{fault}");
    let audit = server.get("/api/v1/audit?limit=1", &anna).ok();
    assert_eq!(audit["entries"][0]["action"], "checked");
    assert_eq!(
        audit["entries"][0]["detail"]["faults"],
        damaged["fault_count"]
    );
}

#[test]
fn what_was_acknowledged_survives_the_stop() {
    let (server, anna) = server();
    for number in 0..20 {
        let path = format!("/api/v1/documents?id=d{number}");
        server.post(&path, &anna, text(number, 100).as_bytes()).ok();
    }
    let folder = server.stop();
    let path = folder.path().join("registry");
    let snapshot =
        cento::index::registry::Snapshot::open(&path, &key(), "2026-01-01T00:00:00Z").unwrap();
    assert_eq!(snapshot.status().unwrap().documents, 20);
    assert!(
        cento::index::registry::check(
            &path,
            &key(),
            cento::index::registry::Extent::Sample,
            Watch::NOBODY
        )
        .unwrap()
        .faults
        .is_empty()
    );
}

#[test]
fn neither_key_nor_fingerprints_leave_the_server() {
    let (server, anna) = server();
    let essay = text(1, 200);
    server
        .post("/api/v1/documents?id=a", &anna, essay.as_bytes())
        .ok();
    let report = server
        .post("/api/v1/verifications", &anna, essay.as_bytes())
        .text();
    let job = server.job(&anna, &Form::of("verify").file("a.txt", essay.as_bytes()));
    let id = job["id"].as_str().unwrap();
    let data = server
        .get(&format!("/api/v1/jobs/{id}/report.json"), &anna)
        .text();
    let status = server.get("/api/v1/status", &anna).text();
    let metrics = server.get("/metrics", &Who::Nobody).text();
    let digests = cento::Recipe::named("default")
        .unwrap()
        .keyed()
        .fingerprint(&essay, &key(), &cento::NoCollection);
    for answer in [report, data, status, metrics] {
        assert!(!answer.contains(&"07".repeat(16)), "the key");
        for digest in digests.digests().iter().take(50) {
            let (decimal, hex) = (digest.0.to_string(), format!("{:016x}", digest.0));
            assert!(
                !answer.contains(&decimal) && !answer.contains(&hex),
                "a digest"
            );
        }
    }
}
