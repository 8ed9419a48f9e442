//! Who gets in: passwords that others guess at, addresses behind proxies.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento_server::{Config, Role, Server, SignIn};
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

/// How many wrong passwords are looked at before one is refused for being one too many. Each comes from
/// an address of its own and for a name of its own, if these say so.
fn guesses(server: &Running, from: impl Fn(usize) -> (String, String)) -> usize {
    let refused = (0..200).find(|n| {
        let (address, name) = from(*n);
        let status = try_from(server, &address, &name, "wrong password").status;
        assert!(matches!(status, 401 | 429), "{status}");
        status == 429
    });
    refused.expect("guessing is slowed")
}

#[test]
fn ten_wrong_passwords_do_not_keep_the_owner_out() {
    let server = behind_proxy(|_| ());
    let session = try_from(&server, "192.0.2.9", "anna", &password("anna"));
    let session = server.browser(session.cookie());
    let attacker = "198.51.100.1";
    let counted = guesses(&server, |_| (attacker.to_owned(), "anna".to_owned()));
    assert!(counted >= 10);
    let right = password("anna");
    let refused = try_from(&server, attacker, "anna", &right);
    refused.is_problem(429, "too-many");
    assert!(refused.headers["retry-after"].parse::<u64>().unwrap() >= 1);
    // From an address where nobody has logged in, too.
    try_from(&server, "192.0.2.8", "anna", &right).ok();
    // Nor does it stop who is in.
    server.get("/api/v1/status", &session).ok();
    // Nor those at the same address who have an account of their own.
    try_from(&server, attacker, "ben", &password("ben")).ok();
}

#[test]
fn one_address_does_not_guess_for_many_accounts() {
    let server = behind_proxy(|config| config.limits.logins_of_address = 5);
    let counted = guesses(&server, |n| ("198.51.100.1".to_owned(), format!("name{n}")));
    assert!(counted >= 5);
    try_from(&server, "198.51.100.2", "anna", &password("anna")).ok();
}

#[test]
fn right_passwords_are_not_counted() {
    let server = behind_proxy(|config| {
        config.limits.logins = 2;
        config.limits.logins_of_address = 2;
        config.limits.logins_of_account = 2;
    });
    for _ in 0..5 {
        try_from(&server, "192.0.2.8", "anna", &password("anna")).ok();
    }
}

#[test]
fn many_addresses_are_slowed_but_not_those_where_the_owner_was() {
    let few = |config: &mut Config| config.limits.logins_of_account = 4;
    let everywhere = |n| (format!("198.51.100.{n}"), "anna".to_owned());
    let server = behind_proxy(few);
    let right = password("anna");
    try_from(&server, "192.0.2.8", "anna", &right).ok();
    assert!(guesses(&server, everywhere) >= 4);
    try_from(&server, "203.0.113.1", "anna", &right).is_problem(429, "too-many");
    try_from(&server, "192.0.2.8", "anna", &right).ok();
    // Others are not slowed.
    try_from(&server, "203.0.113.1", "ben", &password("ben")).ok();
    // The next run knows where she was.
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), server.data());
    config.logging = cento_server::Logging::Faults;
    config.proxies = vec!["127.0.0.1".parse().unwrap()];
    few(&mut config);
    let server = support::start(config, server.stop());
    assert!(guesses(&server, everywhere) >= 4);
    try_from(&server, "192.0.2.8", "anna", &right).ok();
}

#[test]
fn addresses_of_version_6_count_by_their_network() {
    let server = behind_proxy(|config| config.limits.logins = 3);
    let counted = guesses(&server, |n| {
        (format!("2001:db8:1:2::{n}"), "anna".to_owned())
    });
    assert!((3..20).contains(&counted), "{counted}");
    let neighbour = "2001:db8:1:3::1";
    try_from(&server, neighbour, "anna", &password("anna")).ok();
}

#[test]
fn nothing_tells_which_accounts_there_are() {
    let server = behind_proxy(|config| config.limits.logins = 2);
    let told = ["anna", "nobody"].map(|name| {
        let wrong = try_from(&server, "198.51.100.1", name, "wrong").text();
        guesses(&server, |_| ("198.51.100.1".to_owned(), name.to_owned()));
        (
            wrong,
            try_from(&server, "198.51.100.1", name, "wrong").text(),
        )
    });
    assert_eq!(told[0], told[1]);
}

/// A server whose proxy says who people are.
fn signed_in_at_the_proxy(change: impl FnOnce(&mut Config)) -> Running {
    behind_proxy(|config| {
        let header = "X-Remote-User".to_owned();
        config.sign_in = Some(SignIn { header, new: None });
        change(config);
    })
}

const STATUS: &str = "/api/v1/status";

#[test]
fn a_trusted_proxy_says_who_somebody_is() {
    let server = signed_in_at_the_proxy(|_| ());
    let ask = |headers: &[(&str, &str)]| server.request("GET", "/api/v1/session", headers, b"");
    let told = ask(&[("X-Remote-User", "ben")]).ok();
    assert_eq!(told["user"]["name"], "ben");
    assert_eq!(
        (&told["user"]["role"], &told["user"]["by"]),
        (&"verify".into(), &"proxy".into())
    );
    server
        .request("GET", STATUS, &[("x-remote-user", "ben")], b"")
        .ok();
    // Somebody without an account is told so, with the name.
    let stranger = ask(&[("x-remote-user", "carl")]);
    stranger.is_problem(403, "no-account");
    assert!(stranger.text().contains("carl"));
    // An empty field is nobody, two are one too many, and a name is a name.
    assert_eq!(ask(&[("x-remote-user", "")]).ok()["user"], Value::Null);
    ask(&[("x-remote-user", "ben"), ("x-remote-user", "anna")]).is_problem(400, "bad-request");
    ask(&[("x-remote-user", "(this machine)")]).is_problem(403, "no-account");
    ask(&[("x-remote-user", "anna, ben")]).is_problem(403, "no-account");
    assert_eq!(ask(&[("x_remote_user", "ben")]).ok()["user"], Value::Null);
    // Logins of an earlier person in the same browser do not matter.
    let anna = server.log_in("anna");
    let mut both = anna.headers();
    both.push(("x-remote-user", "ben"));
    assert_eq!(ask(&both).ok()["user"]["name"], "ben");
    let entries = audit(&server, &anna);
    let of_ben: Vec<&Value> = entries
        .iter()
        .filter(|entry| entry["account"] == "ben")
        .collect();
    assert_eq!(of_ben.len(), 1, "one login: {of_ben:?}");
    assert_eq!(of_ben[0]["detail"]["by"], "proxy");
}

#[test]
fn nobody_else_says_who_somebody_is() {
    // Connections come from 127.0.0.1, and that is no proxy here.
    let server = signed_in_at_the_proxy(|config| {
        config.proxies = vec!["192.0.2.1".parse().unwrap()];
    });
    for headers in [
        vec![("x-remote-user", "anna")],
        vec![("x-remote-user", "anna"), ("x-forwarded-for", "192.0.2.1")],
        vec![("x-remote-user", "anna"), ("forwarded", "for=192.0.2.1")],
    ] {
        server
            .request("GET", STATUS, &headers, b"")
            .is_problem(401, "not-logged-in");
        let told = server.request("GET", "/api/v1/session", &headers, b"").ok();
        assert_eq!(told["user"], Value::Null);
    }
    // Their password still lets people in.
    server.get(STATUS, &server.log_in("anna")).ok();
}

#[test]
fn changes_through_the_proxy_come_from_own_pages() {
    let server = signed_in_at_the_proxy(|_| ());
    let forms = |name: &str| {
        let headers = [("x-remote-user", name)];
        let told = server.request("GET", "/api/v1/session", &headers, b"").ok();
        told["user"]["forms"].as_str().unwrap().to_owned()
    };
    let (anna, ben) = (forms("anna"), forms("ben"));
    assert_ne!(anna, ben);
    let change = |more: &[(&str, &str)]| {
        let mut headers = vec![("x-remote-user", "anna")];
        headers.extend_from_slice(more);
        server.request("POST", "/api/v1/check", &headers, b"")
    };
    change(&[]).is_problem(403, "forged");
    change(&[("x-cento-forms", &ben)]).is_problem(403, "forged");
    let foreign = [
        ("x-cento-forms", anna.as_str()),
        ("origin", "http://evil.example"),
    ];
    change(&foreign).is_problem(403, "forged");
    // Let through, to where a registry is missing.
    change(&[("x-cento-forms", &anna)]).is_problem(409, "no-registry");
}

#[test]
fn accounts_are_made_at_first_sight_only_if_that_is_asked_for() {
    let server = signed_in_at_the_proxy(|config| {
        config.sign_in.as_mut().unwrap().new = Some(Role::Submit);
    });
    let headers = [("x-remote-user", "carl@example.edu")];
    let told = server.request("GET", "/api/v1/session", &headers, b"").ok();
    assert_eq!(told["user"]["role"], "submit");
    let odd = [("x-remote-user", "carl carlson")];
    server
        .request("GET", STATUS, &odd, b"")
        .is_problem(403, "no-account");
    let anna = server.log_in("anna");
    let entries = audit(&server, &anna);
    let added = entries
        .iter()
        .find(|entry| entry["action"] == "added-account")
        .unwrap();
    assert_eq!(
        added["detail"],
        json!({"account": "carl@example.edu", "role": "submit"})
    );
    // No password is right for it.
    for guess in ["", "carl@example.edu"] {
        assert_eq!(
            try_from(&server, "192.0.2.1", "carl@example.edu", guess).status,
            401
        );
    }
}

#[test]
fn a_field_that_anyone_can_write_is_refused_at_the_start() {
    let bind = |change: &dyn Fn(&mut Config), has_account: bool| {
        let mut setup = Setup::new();
        if has_account {
            setup = setup.account("anna", Role::Admin, None);
        }
        let mut config = setup.config;
        config.proxies = vec!["127.0.0.1".parse().unwrap()];
        let header = "X-Remote-User".to_owned();
        config.sign_in = Some(SignIn { header, new: None });
        change(&mut config);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let bound = runtime.block_on(Server::bind(config));
        bound.map(|_| ()).map_err(|error| error.to_string())
    };
    let named = |name: &str| {
        let name = name.to_owned();
        move |config: &mut Config| config.sign_in.as_mut().unwrap().header.clone_from(&name)
    };
    assert_eq!(bind(&|_| (), true), Ok(()));
    let refused = bind(&|config| config.proxies.clear(), true).unwrap_err();
    assert!(refused.contains("--trusted-proxy"), "{refused}");
    for name in ["Cookie", "X-Forwarded-For", "two words", ""] {
        let refused = bind(&named(name), true).unwrap_err();
        assert!(refused.contains("--sign-in-header"), "{refused}");
    }
    let refused = bind(&|_| (), false).unwrap_err();
    assert!(refused.contains("user add"), "{refused}");
    let new = |role| move |config: &mut Config| config.sign_in.as_mut().unwrap().new = Some(role);
    assert_eq!(bind(&new(Role::Submit), false), Ok(()));
    assert!(bind(&new(Role::Admin), true).is_err());
}
