//! Messages are counted over HTTP.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento_jobs::mail::{StoreOptions, init};
use cento_jobs::{Watch, mail};
use cento_server::Role;
use serde_json::{Value, json};
use support::{Running, Setup, Who};

fn server() -> (Running, Who, Who) {
    let setup = Setup::new()
        .account("vera", Role::Verify, None)
        .account("sam", Role::Submit, None);
    let store = StoreOptions {
        store: setup.folder.path().join("mail"),
        ..StoreOptions::default()
    };
    let options = init::Options {
        store: store.clone(),
        ..init::Options::default()
    };
    init::run(&options, &Watch::NOBODY).unwrap();
    let [vera, sam] = ["vera", "sam"].map(|name| Who::token(&setup.token(name)));
    let server = setup.change(|config| config.mail = Some(store)).start();
    (server, vera, sam)
}

/// Words that no other seed makes: the same words in another order would be much the same message.
fn words(seed: u64) -> String {
    let word = |at: u64| {
        let bits = (1000 * seed + at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let letter =
            |place: u64| char::from(b'a' + u8::try_from((bits >> (9 * place)) % 26_u64).unwrap());
        (0..7).map(letter).collect::<String>()
    };
    (0..80).map(word).collect::<Vec<_>>().join(" ")
}

fn message(seed: u64, greeting: &str) -> Vec<u8> {
    let body = words(seed);
    format!("From: a@example.org\r\nSubject: {greeting}\r\n\r\nDear {greeting},\r\n\r\n{body}\r\n")
        .into_bytes()
}

fn check(server: &Running, who: &Who, message: &[u8]) -> Value {
    server.post("/api/v1/mail/checks", who, message).ok()
}

#[test]
fn messages_are_counted_and_marked() {
    let (server, vera, _) = server();
    let first = check(&server, &vera, &message(1, "Anna"));
    assert_eq!(first["verdict"], "new");
    assert_eq!(first["seen"], json!({"hour": 0, "day": 0, "week": 0}));
    let second = check(&server, &vera, &message(1, "Ben"));
    assert_eq!(second["seen"]["hour"], 1);
    assert_eq!(second["verdict"], "seen");
    let look = "/api/v1/mail/checks?look=true&bulk_from=2&name=m1";
    for _ in 0..2 {
        let looked = server.post(look, &vera, &message(1, "Carla")).ok();
        assert_eq!(looked["seen"]["week"], 2);
        assert_eq!(
            (&looked["verdict"], &looked["file"]),
            (&json!("bulk"), &json!("m1"))
        );
    }
    assert_eq!(check(&server, &vera, &message(2, "Anna"))["verdict"], "new");
    let wanted = "/api/v1/mail/marks?mark=wanted";
    server.post(wanted, &vera, &message(1, "Dora")).ok();
    let marked = check(&server, &vera, &message(1, "Ben"));
    assert_eq!(
        (&marked["verdict"], &marked["seen"]),
        (&json!("wanted"), &Value::Null)
    );
    let short = b"Subject: hi\r\nFrom: a@example.org\r\n\r\nyes\r\n";
    assert_eq!(check(&server, &vera, short)["verdict"], "short");
    let attachment =
        b"From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf\r\n\
        Content-Disposition: attachment; filename=x.pdf\r\n\r\n%PDF-1.4\r\n";
    assert_eq!(check(&server, &vera, attachment)["verdict"], "short");
    let stats = server.get("/api/v1/mail/stats", &vera).ok();
    assert_eq!(
        (&stats["counted"], &stats["wanted"]),
        (&json!(3), &json!(1))
    );
}

#[test]
fn not_everybody_may_ask() {
    let (server, vera, sam) = server();
    let path = "/api/v1/mail/checks";
    let one = message(1, "Anna");
    server
        .post(path, &Who::Nobody, &one)
        .is_problem(401, "not-logged-in");
    server.post(path, &sam, &one).is_problem(403, "wrong-role");
    server
        .post("/api/v1/mail/marks?mark=bulk", &sam, &one)
        .is_problem(403, "wrong-role");
    server
        .post("/api/v1/mail/marks?mark=spam", &vera, &one)
        .is_problem(400, "bad-request");
    assert_eq!(check(&server, &vera, &one)["verdict"], "new");
}

#[test]
fn a_server_without_a_store_says_so() {
    let setup = Setup::new().account("vera", Role::Verify, None);
    let vera = Who::token(&setup.token("vera"));
    let server = setup.start();
    server
        .post("/api/v1/mail/checks", &vera, &message(1, "Anna"))
        .is_problem(409, "no-mail-store");
}

/// The command line asks the store that the server has open.
#[test]
fn another_process_asks_the_same_store() {
    let (server, vera, _) = server();
    check(&server, &vera, &message(1, "Anna"));
    let file = server.folder.path().join("one.eml");
    std::fs::write(&file, message(1, "Ben")).unwrap();
    let options = mail::check::Options {
        store: StoreOptions {
            store: server.folder.path().join("mail"),
            ..StoreOptions::default()
        },
        paths: vec![file],
        ..mail::check::Options::default()
    };
    let done = mail::check::run(&options, &Watch::NOBODY).unwrap();
    assert_eq!(done.messages[0].seen.unwrap().hour, 1);
    assert_eq!(
        check(&server, &vera, &message(1, "Carla"))["seen"]["hour"],
        2
    );
    // And opens it when the server has ended.
    let folder = server.stop();
    let options = mail::check::Options {
        store: StoreOptions {
            store: folder.path().join("mail"),
            ..StoreOptions::default()
        },
        paths: vec![folder.path().join("one.eml")],
        ..mail::check::Options::default()
    };
    let done = mail::check::run(&options, &Watch::NOBODY).unwrap();
    assert_eq!(done.messages[0].seen.unwrap().hour, 3);
}
