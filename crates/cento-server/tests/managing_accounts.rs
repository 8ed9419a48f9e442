//! Passwords and accounts, changed by those who have them and by administrators.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento_server::{Accounts, Openness, Role};
use serde_json::{Value, json};
use support::{Answer, Running, Setup, Who, password};

const STATUS: &str = "/api/v1/status";

fn send(server: &Running, method: &str, path: &str, who: &Who, body: &Value) -> Answer {
    let mut headers = who.headers();
    headers.push(("content-type", "application/json"));
    let path = format!("/api/v1{path}");
    server.request(method, &path, &headers, body.to_string().as_bytes())
}

fn log_in(server: &Running, name: &str, password: &str) -> Answer {
    let body = json!({"name": name, "password": password});
    server.post_json("/api/v1/session", &Who::Nobody, &body)
}

fn listed(server: &Running, who: &Who, name: &str) -> Value {
    let told = server.get("/api/v1/accounts", who).ok();
    let accounts = told["accounts"].as_array().unwrap();
    let found = accounts.iter().find(|account| account["name"] == name);
    found.cloned().unwrap_or(Value::Null)
}

fn actions(server: &Running, who: &Who) -> Vec<(String, String, Value)> {
    let audit = server.get("/api/v1/audit?limit=1000", who).ok();
    let entries = audit["entries"].as_array().unwrap().iter().rev();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    entries
        .map(|entry| {
            let (account, action) = (text(&entry["account"]), text(&entry["action"]));
            (account, action, entry["detail"].clone())
        })
        .filter(|(_, action, _)| action != "logged-in")
        .collect()
}

/// An administrator of everything, one of a set, and somebody who submits.
fn people() -> Setup {
    Setup::new()
        .account("anna", Role::Admin, None)
        .account("paul", Role::Admin, Some(&["physics"]))
        .account("sam", Role::Submit, None)
}

#[test]
fn people_change_their_own_password() {
    let setup = people();
    let token = Who::token(&setup.token("sam"));
    let server = setup.start();
    let [here, there] = [server.log_in("sam"), server.log_in("sam")];
    let change = |old: &str, new: &str, who: &Who| {
        let body = json!({"old": old, "new": new});
        send(&server, "POST", "/password", who, &body)
    };
    let (old, new) = (password("sam"), "nine grey swans");
    change("not it, sorry", new, &here).is_problem(422, "unusable");
    change(&old, "short", &here).is_problem(422, "unusable");
    change(&old, new, &Who::Nobody).is_problem(401, "not-logged-in");
    server.get(STATUS, &there).ok();
    assert_eq!(change(&old, new, &here).ok(), json!({"ended_sessions": 1}));
    // This browser stays logged in, others do not; a program keeps its token.
    server.get(STATUS, &here).ok();
    server.get(STATUS, &there).is_problem(401, "not-logged-in");
    server.get(STATUS, &token).ok();
    log_in(&server, "sam", &old).is_problem(401, "wrong-password");
    log_in(&server, "sam", new).ok();
    let anna = server.log_in("anna");
    let noted: Vec<(String, String)> = actions(&server, &anna)
        .into_iter()
        .map(|(who, action, _)| (who, action))
        .collect();
    let noted: Vec<(&str, &str)> = noted
        .iter()
        .map(|(w, a)| (w.as_str(), a.as_str()))
        .collect();
    assert_eq!(
        noted,
        [
            ("sam", "password-refused"),
            ("sam", "changed-password"),
            ("sam", "login-refused")
        ]
    );
    // Without the secret of forms no other site can change it.
    let Who::Browser { cookie, .. } = &here else {
        panic!("a browser");
    };
    let bare = Who::Browser {
        cookie: cookie.clone(),
        forms: String::new(),
    };
    change(new, "ten black swans", &bare).is_problem(403, "forged");
}

#[test]
fn guessing_the_old_password_is_slow() {
    let server = people().change(|config| config.limits.logins = 3).start();
    let sam = server.log_in("sam");
    let body = json!({"old": "wrong password", "new": "nine grey swans"});
    let refused = (0..50).find(|_| send(&server, "POST", "/password", &sam, &body).status == 429);
    assert!(refused.is_some_and(|count| count >= 3), "{refused:?}");
}

#[test]
fn administrators_manage_accounts() {
    let server = people().start();
    let anna = server.log_in("anna");
    let body = json!({"name": "vera", "role": "verify", "sets": ["physics"]});
    let added = send(&server, "POST", "/accounts", &anna, &body);
    assert_eq!(added.status, 201, "{}", added.text());
    let added = added.ok();
    assert_eq!(
        (&added["role"], &added["sets"]),
        (&"verify".into(), &json!(["physics"]))
    );
    let first = added["password"].as_str().unwrap().to_owned();
    send(&server, "POST", "/accounts", &anna, &body).is_problem(409, "conflict");
    let vera = log_in(&server, "vera", &first);
    vera.ok();
    let vera = server.browser(vera.cookie());
    assert_eq!(listed(&server, &anna, "vera")["sessions"], 1);

    // Another role and other sets count at once.
    let change = |body: Value| send(&server, "PATCH", "/accounts/vera", &anna, &body).ok();
    change(json!({"role": "admin", "sets": null}));
    server.get("/api/v1/accounts", &vera).ok();
    change(json!({"role": "submit"}));
    server
        .get("/api/v1/accounts", &vera)
        .is_problem(403, "wrong-role");
    assert_eq!(listed(&server, &anna, "vera")["sets"], Value::Null);

    // Disabled: neither the login, nor the password, nor a token works.
    let token = Accounts::open(&server.data())
        .unwrap()
        .new_token("vera", "x")
        .unwrap();
    let token = Who::token(&token);
    server.get(STATUS, &token).ok();
    change(json!({"disabled": true}));
    for who in [&vera, &token] {
        server.get(STATUS, who).is_problem(401, "not-logged-in");
    }
    let refused = log_in(&server, "vera", &first);
    refused.is_problem(401, "wrong-password");
    assert_eq!(refused.text(), log_in(&server, "nobody", &first).text());
    assert_eq!(listed(&server, &anna, "vera")["disabled"], true);
    change(json!({"disabled": false}));
    server.get(STATUS, &vera).is_problem(401, "not-logged-in");
    server.get(STATUS, &token).ok();

    // A password that an administrator gives.
    let vera = server.browser(log_in(&server, "vera", &first).cookie());
    let reset = send(
        &server,
        "POST",
        "/accounts/vera/password",
        &anna,
        &json!({}),
    )
    .ok();
    let second = reset["password"].as_str().unwrap();
    assert_eq!(reset["ended_sessions"], 1);
    server.get(STATUS, &vera).is_problem(401, "not-logged-in");
    log_in(&server, "vera", &first).is_problem(401, "wrong-password");
    let vera = server.browser(log_in(&server, "vera", second).cookie());
    let chosen = json!({"password": "eleven odd swans"});
    let reset = send(&server, "POST", "/accounts/vera/password", &anna, &chosen).ok();
    assert_eq!(
        reset["password"],
        Value::Null,
        "what somebody typed is not sent back"
    );
    server.get(STATUS, &vera).is_problem(401, "not-logged-in");

    // Logins, tokens, all of it.
    let vera = server.browser(log_in(&server, "vera", "eleven odd swans").cookie());
    server.delete("/api/v1/accounts/vera/sessions", &anna).ok();
    server.get(STATUS, &vera).is_problem(401, "not-logged-in");
    let revoked = server.delete("/api/v1/accounts/vera/tokens", &anna).ok();
    assert_eq!(revoked["revoked_tokens"], 1);
    server.get(STATUS, &token).is_problem(401, "not-logged-in");
    assert_eq!(server.delete("/api/v1/accounts/vera", &anna).status, 204);
    server
        .delete("/api/v1/accounts/vera", &anna)
        .is_problem(404, "not-found");
    log_in(&server, "vera", "eleven odd swans").is_problem(401, "wrong-password");
    expect_noted(&server, &anna, &[&first, second, "eleven odd swans"]);
}

/// Expects that everything of the test above is in the audit log, and no password.
fn expect_noted(server: &Running, anna: &Who, secrets: &[&str]) {
    let noted = actions(server, anna);
    let by_anna: Vec<&str> = noted
        .iter()
        .filter(|(who, ..)| who == "anna")
        .map(|(_, action, detail)| {
            assert_eq!(detail["account"], "vera");
            action.as_str()
        })
        .collect();
    assert_eq!(
        by_anna,
        [
            "added-account",
            "changed-account",
            "changed-account",
            "changed-account",
            "changed-account",
            "reset-password",
            "reset-password",
            "ended-sessions",
            "revoked-tokens",
            "removed-account"
        ]
    );
    let all = serde_json::to_string(&noted).unwrap();
    for secret in secrets {
        assert!(!all.contains(*secret), "no password is in the audit log");
    }
}

#[test]
fn nobody_gets_further_than_their_account() {
    let server = people().account("ada", Role::Admin, None).start();
    let [sam, paul, anna] = ["sam", "paul", "anna"].map(|name| server.log_in(name));
    let new = json!({"name": "eve", "role": "admin"});
    let role = json!({"role": "admin", "sets": null});
    for who in [&sam, &paul] {
        for (method, path, body) in [
            ("POST", "/accounts", &new),
            ("PATCH", "/accounts/sam", &role),
            ("POST", "/accounts/anna/password", &json!({})),
            ("DELETE", "/accounts/ada", &json!({})),
            ("DELETE", "/accounts/anna/sessions", &json!({})),
            ("DELETE", "/accounts/anna/tokens", &json!({})),
        ] {
            send(&server, method, path, who, body).is_problem(403, "wrong-role");
        }
    }
    // Nobody locks themselves out by a slip.
    for (method, path, body) in [
        ("PATCH", "/accounts/anna", &json!({"role": "verify"})),
        ("PATCH", "/accounts/anna", &json!({"disabled": true})),
        ("POST", "/accounts/anna/password", &json!({})),
        ("DELETE", "/accounts/anna", &json!({})),
    ] {
        send(&server, method, path, &anna, body).is_problem(409, "conflict");
    }
    server.delete("/api/v1/accounts/anna/sessions", &anna).ok();
    server.get(STATUS, &anna).ok();
    for wrong in [
        json!({"name": "two words", "role": "submit"}),
        json!({"name": "eve", "role": "submit", "sets": []}),
        json!({"name": "eve", "role": "submit", "password": "short"}),
    ] {
        send(&server, "POST", "/accounts", &anna, &wrong).is_problem(422, "unusable");
    }
    let wrong = json!({"name": "eve", "role": "queen"});
    send(&server, "POST", "/accounts", &anna, &wrong).is_problem(400, "bad-request");
    for (method, path) in [
        ("PATCH", ""),
        ("POST", "/password"),
        ("DELETE", "/sessions"),
    ] {
        let path = format!("/accounts/nobody{path}");
        send(&server, method, &path, &anna, &json!({})).is_problem(404, "not-found");
    }
}

#[test]
fn the_last_administrator_stays() {
    // Whoever opens the printed address has no account of their own to lose.
    let server = Setup::new()
        .change(|config| config.openness = Openness::Anyone)
        .start();
    let visitor = server.browser(server.get("/", &Who::Nobody).cookie());
    let here = server.open_page();
    let add = |body: Value| send(&server, "POST", "/accounts", &here, &body);
    add(json!({"name": "sam", "role": "submit"})).is_problem(422, "unusable");
    add(json!({"name": "paul", "role": "admin", "sets": ["a"]})).is_problem(422, "unusable");
    let anna = json!({"name": "anna", "role": "admin", "password": password("anna")});
    assert_eq!(add(anna).status, 201);
    // From now on people log in.
    server
        .get(STATUS, &visitor)
        .is_problem(401, "not-logged-in");
    assert!(
        !server
            .get("/", &Who::Nobody)
            .headers
            .contains_key("set-cookie")
    );
    server.get(STATUS, &server.log_in("anna")).ok();
    for (method, body) in [
        ("DELETE", json!({})),
        ("PATCH", json!({"disabled": true})),
        ("PATCH", json!({"role": "verify"})),
        ("PATCH", json!({"sets": ["a"]})),
    ] {
        send(&server, method, "/accounts/anna", &here, &body).is_problem(409, "conflict");
    }
    // One who is disabled is no other administrator.
    assert_eq!(add(json!({"name": "ada", "role": "admin"})).status, 201);
    send(
        &server,
        "PATCH",
        "/accounts/ada",
        &here,
        &json!({"disabled": true}),
    )
    .ok();
    server
        .delete("/api/v1/accounts/anna", &here)
        .is_problem(409, "conflict");
    send(
        &server,
        "PATCH",
        "/accounts/ada",
        &here,
        &json!({"disabled": false}),
    )
    .ok();
    assert_eq!(server.delete("/api/v1/accounts/anna", &here).status, 204);
}
