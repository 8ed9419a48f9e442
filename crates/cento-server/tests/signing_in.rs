//! Who gets in: passwords that others guess at, addresses behind proxies.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento_server::{Config, Role};
use serde_json::{Value, json};
use support::{Answer, Running, Setup, Who, password};

/// A server behind a proxy on this machine, which says where people are.
fn behind_proxy(change: impl FnOnce(&mut Config)) -> Running {
    Setup::new()
        .account("anna", Role::Admin, None)
        .account("ben", Role::Verify, None)
        .change(|config| {
            config.proxies = vec!["127.0.0.0/8".parse().unwrap()];
            change(config);
        })
        .start()
}

fn try_from(server: &Running, address: &str, name: &str, password: &str) -> Answer {
    let headers = [
        ("content-type", "application/json"),
        ("x-forwarded-for", address),
    ];
    let body = json!({"name": name, "password": password}).to_string();
    server.request("POST", "/api/v1/session", &headers, body.as_bytes())
}

fn audit(server: &Running, who: &Who) -> Vec<Value> {
    let audit = server.get("/api/v1/audit?limit=1000", who).ok();
    audit["entries"].as_array().unwrap().clone()
}

#[test]
fn the_audit_log_has_the_address_that_a_trusted_proxy_names() {
    let server = behind_proxy(|_| ());
    assert_eq!(
        try_from(&server, "1.1.1.1, 192.0.2.7", "anna", "wrong").status,
        401
    );
    let anna = try_from(&server, "192.0.2.8", "anna", &password("anna"));
    let anna = server.browser(anna.cookie());
    let entries = audit(&server, &anna);
    let seen: Vec<(&str, &str)> = entries
        .iter()
        .map(|entry| {
            let action = entry["action"].as_str().unwrap();
            (action, entry["detail"]["address"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        seen,
        [("logged-in", "192.0.2.8"), ("login-refused", "192.0.2.7")]
    );
}

#[test]
fn nobody_else_says_where_they_are() {
    let server = behind_proxy(|config| config.proxies.clear());
    let anna = try_from(&server, "192.0.2.8", "anna", &password("anna"));
    let anna = server.browser(anna.cookie());
    assert_eq!(audit(&server, &anna)[0]["detail"]["address"], "127.0.0.1");
}
