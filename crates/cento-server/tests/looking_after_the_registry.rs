//! Checks and backups that the server makes by itself.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cento::index::registry::{Retention, Snapshot};
use cento_server::{Backups, Config, Error, Role, Server};
use serde_json::Value;
use support::{Running, Setup, Who, key, start, text};

fn setup(to: &Path) -> (Setup, Who) {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .change(|config| {
            config.check_every = Some(Duration::from_hours(1));
            let (every, to) = (Duration::from_hours(1), to.to_owned());
            config.backups = Some(Backups { every, to });
        });
    let anna = Who::token(&setup.token("anna"));
    (setup, anna)
}

/// What the status says about the registry, once that is so.
fn until(server: &Running, who: &Who, is_so: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let told = server.get("/api/v1/status", who).ok()["registry"].clone();
        if is_so(&told) {
            return told;
        }
        assert!(start.elapsed() < Duration::from_mins(2), "{told}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn is_over(told: &Value) -> bool {
    let is_over = |what: &str| !told[what]["latest"].is_null() && told[what]["under_way"] == false;
    is_over("check") && is_over("backup")
}

fn metric(server: &Running, name: &str) -> Option<f64> {
    let text = server.get("/metrics", &Who::Nobody).text();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    Some(line.parse().unwrap())
}

fn documents(copy: &Path) -> u64 {
    let snapshot = Snapshot::open(copy, &key(), "2030-01-01T00:00:00Z").unwrap();
    snapshot.status().unwrap().documents
}

/// The same server again, as it was set up.
fn again(server: Running, to: &Path) -> Running {
    let place = server.folder.path().join("registry");
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), server.data());
    config.logging = cento_server::Logging::Faults;
    config.registry = Some(cento_server::Place {
        path: place,
        key: key(),
    });
    config.check_every = Some(Duration::from_hours(1));
    let (every, to) = (Duration::from_hours(1), to.to_owned());
    config.backups = Some(Backups { every, to });
    start(config, server.stop())
}

#[test]
fn what_is_due_is_done_and_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let (setup, anna) = setup(&copy);
    let server = setup.start();
    let told = until(&server, &anna, is_over);
    assert_eq!(told["check"]["latest"]["account"], "(schedule)");
    assert_eq!(told["check"]["latest"]["fault_count"], 0);
    assert_eq!(told["check"]["every_seconds"], 3600);
    assert_eq!(told["backup"]["latest"]["error"], Value::Null);
    let summary = told["backup"]["summary"].as_str().unwrap();
    assert!(summary.starts_with("the last backup is "), "{summary}");
    assert_eq!(documents(&copy), 0);
    for name in ["cento_check_age_seconds", "cento_backup_age_seconds"] {
        assert!(
            metric(&server, name).is_some_and(|age| age >= 0.0),
            "{name}"
        );
    }
    assert_eq!(metric(&server, "cento_check_faults"), Some(0.0));
    assert_eq!(metric(&server, "cento_backup_failures_total"), Some(0.0));

    // The next run knows, and does nothing before it is due.
    let first = told["backup"]["latest"]["ended"].clone();
    let server = again(server, &copy);
    let told = until(&server, &anna, |_| true);
    assert_eq!(told["backup"]["latest"]["ended"], first);

    // An administrator need not wait.
    let path = "/api/v1/documents?id=a";
    server.post(path, &anna, text(1, 300).as_bytes()).ok();
    assert_eq!(server.post("/api/v1/backup", &anna, b"").status, 202);
    until(&server, &anna, |told| {
        is_over(told) && told["backup"]["latest"]["account"] == "anna"
    });
    assert_eq!(documents(&copy), 1);
    let audit = server.get("/api/v1/audit", &anna).ok();
    assert_eq!(audit["entries"][0]["action"], "backed-up");
}

#[test]
fn a_backup_that_fails_is_said_plainly() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let (setup, anna) = setup(&copy);
    let server = setup.start();
    let good = until(&server, &anna, is_over)["backup"]["latest"].clone();
    // Something else is where the copy has to go.
    let elsewhere: PathBuf = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("thesis.txt"), "not a copy").unwrap();
    let server = again(server, &elsewhere);
    assert_eq!(server.post("/api/v1/backup", &anna, b"").status, 202);
    let told = until(&server, &anna, |told| {
        is_over(told) && !told["backup"]["latest"]["error"].is_null()
    });
    let backup = &told["backup"];
    assert_eq!(backup["latest_good"], good);
    let summary = backup["summary"].as_str().unwrap();
    assert!(summary.starts_with("the last backup failed "), "{summary}");
    assert!(summary.contains("; the last good one is "), "{summary}");
    assert_eq!(metric(&server, "cento_backup_failures_total"), Some(1.0));
    assert!(metric(&server, "cento_backup_age_seconds").is_some());
    assert!(elsewhere.join("thesis.txt").exists());
}

#[test]
fn who_may_start_a_backup_and_where_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let (setup, anna) = setup(folder.path());
    let setup = setup
        .account("vera", Role::Verify, None)
        .change(|config| config.backups = None);
    let vera = Who::token(&setup.token("vera"));
    let server = setup.start();
    let start = |who: &Who| server.post("/api/v1/backup", who, b"");
    start(&vera).is_problem(403, "wrong-role");
    start(&anna).is_problem(409, "conflict");
    let told = server.get("/api/v1/status", &anna).ok();
    assert_eq!(told["registry"]["backup"], Value::Null);
    let told = server.get("/api/v1/status", &vera).ok();
    assert!(told["registry"].get("backup").is_none(), "{told}");
}

#[test]
fn without_a_registry_there_is_nothing_to_look_after() {
    let mut config = Setup::new().config;
    config.check_every = Some(Duration::from_hours(1));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refused = runtime.block_on(Server::bind(config)).map(|_| ());
    assert!(matches!(refused, Err(Error::NoRegistry)), "{refused:?}");
}
