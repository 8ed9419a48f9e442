//! The first run: one address, one administrator, one copy of the key.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento_jobs::registry::RegistryOptions;
use cento_server::{Openness, Role};
use serde_json::{Value, json};
use support::{Form, Running, Setup, Who, text};

fn new() -> Setup {
    let setup = Setup::new();
    let registry = setup.folder.path().join("registry");
    setup.change(|config| {
        config.setup = Some(RegistryOptions {
            registry,
            ..RegistryOptions::default()
        });
    })
}

fn anna() -> Value {
    json!({"name": "anna", "password": "anna anna swan"})
}

fn set_up(server: &Running, who: &Who) -> (Value, Who) {
    let answer = server.post_json("/api/v1/setup", who, &anna());
    assert_eq!(answer.status, 201, "{}", answer.text());
    (answer.json(), server.browser(answer.cookie()))
}

#[test]
fn the_printed_address_makes_an_administrator_a_registry_and_a_key() {
    let server = new().start();
    // Strangers are told nothing, and can do nothing.
    let session = server.get("/api/v1/session", &Who::Nobody).ok();
    assert_eq!(
        (&session["setup"], &session["user"]),
        (&false.into(), &Value::Null)
    );
    server
        .post_json("/api/v1/setup", &Who::Nobody, &anna())
        .is_problem(401, "not-logged-in");
    let who = server.open_page();
    assert_eq!(server.get("/api/v1/session", &who).ok()["setup"], true);
    for wrong in [
        json!({"name": "anna", "password": "short"}),
        json!({"name": "<b>", "password": "long enough"}),
    ] {
        server
            .post_json("/api/v1/setup", &who, &wrong)
            .is_problem(422, "unusable");
    }
    let registry = server.folder.path().join("registry");
    assert!(
        !registry.exists(),
        "nothing is made before everything is right"
    );
    let (made, admin) = set_up(&server, &who);
    let key = std::fs::read_to_string(registry.join("key")).unwrap();
    assert_eq!(made["key"]["file"], registry.join("key").to_str().unwrap());
    assert!(
        !made.to_string().contains(key.trim()),
        "the key is in no answer by the way"
    );
    // The one who came without an account is nobody now.
    server
        .get("/api/v1/jobs", &who)
        .is_problem(401, "not-logged-in");
    // The key is copied once, and by the one who made it.
    let copy = server.post_json("/api/v1/setup/key", &admin, &json!({}));
    assert_eq!((copy.status, copy.text()), (200, key));
    server
        .post_json("/api/v1/setup/key", &admin, &json!({}))
        .is_problem(410, "gone");
    server
        .post_json("/api/v1/setup", &admin, &anna())
        .is_problem(409, "conflict");
    // It works at once, without a restart.
    let form = Form::of("register").file("a.txt", text(1, 200).as_bytes());
    assert_eq!(server.job(&admin, &form)["registered"], 1);
    let log = server.get("/api/v1/audit", &admin).ok().to_string();
    assert!(
        log.contains("copied-key") && log.contains("added-account"),
        "{log}"
    );
    // And stays, and another run knows it all.
    let folder = server.stop();
    let mut config =
        cento_server::Config::new("127.0.0.1:0".parse().unwrap(), folder.path().join("data"));
    config.logging = cento_server::Logging::Faults;
    let again = support::start(config, folder);
    assert!(!again.page.contains("token"));
    again.log_in("anna");
}

#[test]
fn a_first_run_that_fails_half_way_can_be_sent_again() {
    let server = new().start();
    let who = server.open_page();
    let database = rusqlite::Connection::open(server.data().join("server.sqlite")).unwrap();
    let full =
        "CREATE TRIGGER full BEFORE INSERT ON accounts BEGIN SELECT RAISE(ABORT, 'full'); END";
    database.execute_batch(full).unwrap();
    let failed = server.post_json("/api/v1/setup", &who, &anna());
    assert_eq!(failed.status, 500, "{}", failed.text());
    database.execute_batch("DROP TRIGGER full").unwrap();
    // The page still offers it, and goes on with the registry that is there.
    assert_eq!(server.get("/api/v1/session", &who).ok()["setup"], true);
    let mut other = anna();
    other["retention"] = "text".into();
    let refused = server.post_json("/api/v1/setup", &who, &other);
    assert!(refused.text().contains("keeps digests only"));
    let (made, admin) = set_up(&server, &who);
    let file = server.folder.path().join("registry/key");
    assert_eq!(made["key"]["file"], file.to_str().unwrap());
    let copy = server.post_json("/api/v1/setup/key", &admin, &json!({}));
    assert_eq!(copy.text(), std::fs::read_to_string(file).unwrap());
    let form = Form::of("register").file("a.txt", text(1, 200).as_bytes());
    assert_eq!(server.job(&admin, &form)["registered"], 1);
}

#[test]
fn two_pages_at_once_make_one_administrator() {
    let server = new().start();
    let who = server.open_page();
    let send = |name: &str| {
        let body = json!({"name": name, "password": "long enough indeed"});
        server.post_json("/api/v1/setup", &who, &body).status
    };
    let mut answers = std::thread::scope(|scope| {
        let both = ["anna", "berta"].map(|name| scope.spawn(move || send(name)));
        both.map(|one| one.join().unwrap())
    });
    answers.sort_unstable();
    // The later one finds the work done, or its login ended by it.
    assert_eq!(answers[0], 201);
    assert!([401, 409].contains(&answers[1]), "{answers:?}");
    let database = rusqlite::Connection::open(server.data().join("server.sqlite")).unwrap();
    let sql = "SELECT count(*) FROM accounts";
    let accounts: i64 = database.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(accounts, 1);
}

#[test]
fn visitors_of_an_open_server_cannot_take_it() {
    let server = new()
        .change(|config| config.openness = Openness::Anyone)
        .start();
    let page = server.get("/", &Who::Nobody);
    let visitor = server.browser(page.cookie());
    assert_eq!(server.get("/api/v1/session", &visitor).ok()["setup"], false);
    server
        .post_json("/api/v1/setup", &visitor, &anna())
        .is_problem(403, "wrong-role");
}

#[test]
fn a_server_with_accounts_is_set_up() {
    let server = new().account("anna", Role::Admin, None).start();
    let who = server.log_in("anna");
    assert_eq!(server.get("/api/v1/session", &who).ok()["setup"], false);
    server
        .post_json("/api/v1/setup", &who, &anna())
        .is_problem(409, "conflict");
    server
        .post_json("/api/v1/setup/key", &who, &json!({}))
        .is_problem(410, "gone");
}
