//! Uploads, progress, results, cancel, expiry, and what is left after the end.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;
use std::io::{Cursor, Write as _};
use std::time::Duration;

use cento::index::registry::Retention;
use cento_server::{Config, Logging};
use serde_json::Value;
use support::{Form, Running, Setup, Who, start, text};

/// Two documents that share half of their text, and one of its own.
fn essays() -> [(&'static str, String); 3] {
    let common = text(1, 300);
    [
        ("anna.txt", format!("{common}\n{}", text(2, 300))),
        ("ben.txt", format!("{common}\n{}", text(3, 300))),
        ("carl.txt", text(4, 300)),
    ]
}

fn archive() -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, text) in essays() {
        writer.start_file(name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn held(server: &Running, who: &Who) -> u64 {
    let status = server.get("/api/v1/status", who).ok();
    status["text_held"]["bytes"].as_u64().unwrap()
}

/// A file in the place where a folder has to be, beside one that is called as the way out would be.
#[test]
fn files_and_folders_of_one_name_are_all_kept() {
    let server = support::Setup::new().start();
    let who = server.open_page();
    let essay = support::text(1, 300);
    let mut form = support::Form::of("pairwise");
    for name in [
        "a", "2-b.txt", "a/b.txt", "3-b.txt", "a/B.txt", "", "..", "/",
    ] {
        form = form.file(name, essay.as_bytes());
    }
    let job = server.job(&who, &form);
    assert_eq!(
        (&job["state"], &job["documents"]),
        (&"done".into(), &8.into()),
        "{job}"
    );
}

#[test]
fn a_zip_becomes_a_report() {
    let server = Setup::new().start();
    let who = server.open_page();
    let job = server.job(&who, &Form::of("pairwise").file("essays.zip", &archive()));
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["documents"], 3);
    assert_eq!(job["pairs"], 1);
    let id = job["id"].as_str().unwrap();
    let path = |form: &str| format!("/api/v1/jobs/{id}/report.{form}");
    let report = server.get(&path("json"), &who).ok();
    assert_eq!(report["schema"], "cento.report/1");
    let pair = &report["pairs"][0];
    assert_eq!(
        [&pair["left"], &pair["right"]],
        ["essays.zip/anna.txt", "essays.zip/ben.txt"]
    );
    assert!(pair["containment"][0].as_f64().unwrap() > 0.4);
    let page = server.get(&path("html"), &who);
    assert!(page.text().contains("cento-report"));
    let policy = &page.headers["content-security-policy"];
    assert!(policy.contains("script-src 'sha256-") && policy.contains("frame-ancestors 'none'"));
    assert!(server.get(&path("csv"), &who).text().contains("anna.txt"));
    let hosted = server.get(&format!("/jobs/{id}/report"), &who);
    assert!(hosted.text().contains("cento-report"));
    // The files that were sent are gone, the result is not.
    let folder = server.data().join("jobs").join(id);
    assert!(!folder.join("files").exists() && folder.join("report.html").exists());
    assert!(held(&server, &who) > 0);
    assert_eq!(
        server.delete(&format!("/api/v1/jobs/{id}"), &who).status,
        204
    );
    assert!(!folder.exists());
    assert_eq!(held(&server, &who), 0);
    server.get(&path("json"), &who).is_problem(410, "gone");
}

#[test]
fn folders_templates_and_thresholds() {
    let server = Setup::new().start();
    let who = server.open_page();
    let mut form = Form::of("pairwise").field("threshold", "0.3");
    for (name, text) in essays() {
        form = form.file(&format!("class/{name}"), text.as_bytes());
    }
    let job = server.job(&who, &form);
    assert_eq!(
        (&job["documents"], &job["pairs"]),
        (&3.into(), &1.into()),
        "{job}"
    );
    let form = form.part("template", "template.txt", text(1, 300).as_bytes());
    let job = server.job(&who, &form);
    assert_eq!(
        (&job["documents"], &job["pairs"]),
        (&3.into(), &0.into()),
        "{job}"
    );
}

/// The pairwise test of Finkel et al.
#[test]
fn a_method_can_be_chosen() {
    let server = Setup::new().start();
    let who = server.open_page();
    let mut form = Form::of("pairwise");
    // Each is half of the next one.
    for number in 0..5 {
        let text = format!("{} {}", text(number, 200), text(number + 1, 200));
        form = form.file(&format!("{number}.txt"), text.as_bytes());
    }
    let as_usual = server.job(&who, &form);
    assert_eq!(as_usual["pairs"], 4, "{as_usual}");
    // A recipe brings the measure of its paper.
    for (recipe, measure) in [
        ("se", "symmetric"),
        ("rank", "identity-5"),
        ("masaryk", "containment"),
        ("default", "max-containment"),
    ] {
        let job = server.job(&who, &form.clone().field("recipe", recipe));
        let path = format!("/api/v1/jobs/{}/report.json", job["id"].as_str().unwrap());
        assert_eq!(server.get(&path, &who).json()["measure"], measure);
    }
    let form = form
        .field("recipe", "se")
        .field("measure", "symmetric")
        .field("aligner", "maximal")
        .field("top_documents", "3")
        .field("graph_scale", "250");
    let job = server.job(&who, &form);
    let report = server.get(
        &format!("/api/v1/jobs/{}/report.json", job["id"].as_str().unwrap()),
        &who,
    );
    let report = report.json();
    assert_eq!(report["measure"], "symmetric");
    assert_eq!(report["settings"]["aligner"], "maximal:60");
    assert_eq!(report["settings"]["top-documents"], 3);
    assert_eq!(report["settings"]["graph-scale"], 250.0);
    let pairs = report["pairs"].as_array().unwrap();
    let both = |pair: &Value| [pair["left"].to_string(), pair["right"].to_string()];
    let documents: BTreeSet<String> = pairs.iter().flat_map(both).collect();
    assert!((2..=3).contains(&documents.len()), "{documents:?}");
    assert!(
        pairs.iter().all(|pair| pair["longest"] == 200),
        "the texts were compared: {pairs:?}"
    );
}

#[test]
fn bad_forms() {
    let server = Setup::new()
        .change(|config| config.limits.upload = 10_000)
        .start();
    let who = server.open_page();
    let send = |form: Form| server.send_form("/api/v1/jobs", &who, &form);
    let file = |form: Form| form.file("a.txt", b"some words");
    send(Form::of("pairwise")).is_problem(422, "unusable");
    send(file(Form::default())).is_problem(422, "unusable");
    send(file(Form::of("other"))).is_problem(422, "unusable");
    send(file(Form::of("pairwise").field("threshold", "2"))).is_problem(422, "unusable");
    send(file(Form::of("pairwise").field("color", "red"))).is_problem(422, "unusable");
    for (name, value) in [
        ("recipe", "chars | window:1 | fast:64 | all"),
        ("recipe", "sift"),
        ("recipe", "rank-passages"),
        ("measure", "height"),
        ("aligner", "straight"),
        ("top_documents", "1"),
        ("graph_scale", "NaN"),
    ] {
        send(file(Form::of("pairwise").field(name, value))).is_problem(422, "unusable");
    }
    send(file(Form::of("register").field("recipe", "se"))).is_problem(422, "unusable");
    send(file(Form::of("pairwise").field("set", &"x".repeat(2000)))).is_problem(422, "unusable");
    send(file(Form::of("verify"))).is_problem(409, "no-registry");
    send(Form::of("pairwise").file("a.txt", "x".repeat(20_000).as_bytes()))
        .is_problem(413, "too-large");
    let mut headers = who.headers();
    headers.push(("content-type", "multipart/form-data; boundary=x"));
    let broken = server.request("POST", "/api/v1/jobs", &headers, b"no form at all");
    assert_eq!(broken.status, 400, "{}", broken.text());
    // Nothing of all this stays.
    assert_eq!(
        std::fs::read_dir(server.data().join("jobs"))
            .unwrap()
            .count(),
        0
    );
    server
        .send_form("/api/v1/jobs", &Who::Nobody, &Form::of("pairwise"))
        .is_problem(401, "not-logged-in");
}

#[test]
fn events_tell_how_far_it_is() {
    let server = Setup::new().start();
    let who = server.open_page();
    let form = Form::of("pairwise").file("essays.zip", &archive());
    let job = server.send_form("/api/v1/jobs", &who, &form).ok();
    let id = job["id"].as_str().unwrap();
    let events = server.get(&format!("/api/v1/jobs/{id}/events"), &who);
    assert_eq!(events.headers["content-type"], "text/event-stream");
    let text = events.text();
    assert!(text.contains("event: end\n"), "{text}");
    let last = text.rsplit("data: ").next().unwrap();
    let last: serde_json::Value = serde_json::from_str(last.trim()).unwrap();
    assert_eq!(last["state"], "done");
    // Those of a job that is over end at once.
    let again = server
        .get(&format!("/api/v1/jobs/{id}/events"), &who)
        .text();
    assert!(again.starts_with("event: end\n"), "{again}");
}

#[test]
fn cancelled_jobs_leave_nothing() {
    let server = Setup::new().change(|config| config.limits.jobs = 1).start();
    let who = server.open_page();
    let mut large = Form::of("pairwise");
    for number in 0..400 {
        large = large.file(&format!("{number}.txt"), text(number, 3000).as_bytes());
    }
    let first = server.send_form("/api/v1/jobs", &who, &large).ok();
    let second = server.send_form("/api/v1/jobs", &who, &large).ok();
    for job in [&second, &first] {
        let id = job["id"].as_str().unwrap();
        assert_eq!(
            server.delete(&format!("/api/v1/jobs/{id}"), &who).status,
            204
        );
        let state = server.get(&format!("/api/v1/jobs/{id}"), &who).ok();
        assert_eq!(state["state"], "cancelled");
        assert!(!server.data().join("jobs").join(id).exists());
        server
            .get(&format!("/api/v1/jobs/{id}/report.json"), &who)
            .is_problem(410, "gone");
    }
    assert_eq!(held(&server, &who), 0);
}

#[test]
fn the_row_is_short() {
    let server = Setup::new()
        .change(|config| {
            // None of them begins.
            config.limits.jobs = 0;
            config.limits.jobs_of_one = 2;
        })
        .start();
    let who = server.open_page();
    let form = Form::of("pairwise").file("essays.zip", &archive());
    let ids: Vec<String> = (0..2)
        .map(|_| {
            let job = server.send_form("/api/v1/jobs", &who, &form).ok();
            job["id"].as_str().unwrap().to_owned()
        })
        .collect();
    let refused = server.send_form(
        "/api/v1/jobs",
        &who,
        &Form::of("pairwise").file("a", b"words"),
    );
    refused.is_problem(429, "too-many");
    for id in ids {
        // One that waits need not wait for its turn to be cancelled.
        assert_eq!(
            server.delete(&format!("/api/v1/jobs/{id}"), &who).status,
            204
        );
        assert!(!server.data().join("jobs").join(id).exists());
    }
}

#[test]
fn jobs_that_take_too_long_fail() {
    let server = Setup::new()
        .change(|config| config.limits.job = Duration::from_millis(1))
        .start();
    let who = server.open_page();
    let mut form = Form::of("pairwise");
    for number in 0..200 {
        form = form.file(&format!("{number}.txt"), text(number, 2000).as_bytes());
    }
    let job = server.job(&who, &form);
    assert_eq!(job["state"], "failed");
    assert!(
        job["message"].as_str().unwrap().contains("longer than"),
        "{job}"
    );
    assert_eq!(held(&server, &who), 0);
}

#[test]
fn jobs_of_others_are_not_there() {
    let setup = Setup::new()
        .account("anna", cento_server::Role::Admin, None)
        .account("ben", cento_server::Role::Verify, None)
        .account("carl", cento_server::Role::Verify, None);
    let [anna, ben, carl] = ["anna", "ben", "carl"].map(|name| Who::token(&setup.token(name)));
    let server = setup.start();
    let job = server.job(&ben, &Form::of("pairwise").file("essays.zip", &archive()));
    let id = job["id"].as_str().unwrap();
    for path in ["", "/events", "/report.json", "/report.html", "/report.csv"] {
        let path = format!("/api/v1/jobs/{id}{path}");
        server.get(&path, &carl).is_problem(404, "not-found");
        assert_eq!(server.get(&path, &anna).status, 200);
    }
    server
        .delete(&format!("/api/v1/jobs/{id}"), &carl)
        .is_problem(404, "not-found");
    assert_eq!(
        server.get("/api/v1/jobs", &carl).ok()["jobs"],
        serde_json::json!([])
    );
    assert_eq!(
        server.get("/api/v1/jobs", &ben).ok()["jobs"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

fn again(folder: &tempfile::TempDir) -> Config {
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), folder.path().join("data"));
    config.logging = Logging::Faults;
    config
}

#[test]
fn a_stop_in_order_keeps_results_and_jobs() {
    let setup = Setup::new().account("anna", cento_server::Role::Admin, None);
    let anna = Who::token(&setup.token("anna"));
    let server = setup
        .change(|config| {
            config.limits.jobs = 1;
            config.limits.farewell = Duration::from_millis(1);
        })
        .start();
    let done = server.job(&anna, &Form::of("pairwise").file("essays.zip", &archive()));
    let mut large = Form::of("pairwise");
    for number in 0..200 {
        large = large.file(&format!("{number}.txt"), text(number, 3000).as_bytes());
    }
    let waiting: Vec<String> = (0..2)
        .map(|_| {
            let job = server.send_form("/api/v1/jobs", &anna, &large).ok();
            job["id"].as_str().unwrap().to_owned()
        })
        .collect();
    let folder = server.stop();
    let config = again(&folder);
    let server = start(config, folder);
    let id = done["id"].as_str().unwrap();
    assert_eq!(
        server
            .get(&format!("/api/v1/jobs/{id}/report.json"), &anna)
            .status,
        200
    );
    for id in waiting {
        let job = server.wait_for(&anna, &id);
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(job["documents"], 200);
    }
}

#[test]
fn after_a_crash_results_are_kept_as_promised_and_uploads_are_not() {
    let setup = Setup::new().account("anna", cento_server::Role::Admin, None);
    let anna = Who::token(&setup.token("anna"));
    let server = setup.start();
    let job = server.job(&anna, &Form::of("pairwise").file("essays.zip", &archive()));
    let id = job["id"].as_str().unwrap().to_owned();
    // As after a crash: a copy of the folder while the server runs.
    let copy = tempfile::tempdir().unwrap();
    copy_all(&server.data(), &copy.path().join("data"));
    std::fs::create_dir(copy.path().join("data/jobs/half-an-upload")).unwrap();
    let config = again(&copy);
    let jobs = copy.path().join("data/jobs");
    let second = start(config, copy);
    let left: Vec<_> = std::fs::read_dir(&jobs).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(!jobs.join(&id).join("files").exists());
    let [before, after] = [&server, &second].map(|server| {
        let report = server.get(&format!("/api/v1/jobs/{id}/report.json"), &anna);
        let job = server.get(&format!("/api/v1/jobs/{id}"), &anna).ok();
        (report.text(), job["expires"].clone())
    });
    assert_eq!(before, after);
}

fn copy_all(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn results_expire() {
    let server = Setup::new()
        .change(|config| config.keep = Duration::from_secs(1))
        .start();
    let who = server.open_page();
    let job = server.job(&who, &Form::of("pairwise").file("essays.zip", &archive()));
    let folder = server.data().join("jobs").join(job["id"].as_str().unwrap());
    assert_eq!(job["state"], "done");
    for _ in 0..200 {
        if !folder.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(!folder.exists(), "the result stays");
    assert_eq!(held(&server, &who), 0);
}

#[test]
fn files_are_registered_and_verified() {
    let server = Setup::new().registry(Retention::Text).start();
    let who = server.open_page();
    let form = |kind: &str| {
        Form::of(kind)
            .field("set", "2026")
            .field("submitter", "s1")
            .file("essays.zip", &archive())
    };
    let job = server.job(&who, &form("register"));
    assert_eq!(job["registered"], 3, "{job}");
    let id = job["id"].as_str().unwrap();
    let result = server
        .get(&format!("/api/v1/jobs/{id}/report.json"), &who)
        .ok();
    assert_eq!(result["documents"][0]["id"], "2026/s1/essays.zip/anna.txt");
    let table = server.get(&format!("/api/v1/jobs/{id}/report.csv"), &who);
    assert!(table.text().contains("2026/s1/essays.zip/anna.txt,new"));
    server
        .get(&format!("/api/v1/jobs/{id}/report.html"), &who)
        .is_problem(404, "not-found");
    assert_eq!(server.job(&who, &form("register"))["unchanged"], 3);
    // Their own versions are left out; what they share with each other is not.
    let job = server.job(&who, &form("verify"));
    assert_eq!(
        (&job["documents"], &job["pairs"]),
        (&3.into(), &2.into()),
        "{job}"
    );
    let other = Form::of("verify").file("copy.txt", essays()[0].1.as_bytes());
    let job = server.job(&who, &other);
    assert_eq!(job["pairs"], 2, "{job}");
    let id = job["id"].as_str().unwrap();
    let report = server
        .get(&format!("/api/v1/jobs/{id}/report.json"), &who)
        .ok();
    // The registry keeps texts, so pairs are aligned.
    assert_eq!(report["pairs"][0]["passages"][0]["kind"], "exact");
}
