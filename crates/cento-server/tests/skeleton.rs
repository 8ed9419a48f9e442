//! What every server does before anybody has an account: names, the way in, heads, limits, the end.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::Write as _;
use std::time::{Duration, Instant};

use cento_server::{Config, Error, Openness, Role, Server};
use support::{Setup, Who, read_answer};

#[test]
fn health_and_readiness() {
    let server = Setup::new().start();
    assert_eq!(server.get("/healthz", &Who::Nobody).text(), "ok\n");
    assert_eq!(server.get("/readyz", &Who::Nobody).text(), "ready\n");
    let metrics = server.get("/metrics", &Who::Nobody).text();
    assert!(metrics.contains("cento_uptime_seconds "), "{metrics}");
    assert!(metrics.contains("cento_requests_total{route=\"/healthz\",status=\"200\"} 1"));
    // A proxy speaks for people elsewhere.
    let forwarded = [("x-forwarded-for", "10.1.1.1")];
    let refused = server.request("GET", "/metrics", &forwarded, &[]);
    refused.is_problem(401, "not-logged-in");
}

#[test]
fn names_that_are_not_ours_are_refused() {
    let server = Setup::new().start();
    let ask = |host: &str| {
        let headers = [("host", host.to_owned())];
        server.raw("GET", "/api/v1/session", &headers, &[])
    };
    ask(&server.address.to_string()).ok();
    ask(&format!("localhost:{}", server.address.port())).ok();
    for host in ["evil.example", "127.0.0.1", "localhost", "", "127.0.0.1:1"] {
        ask(host).is_problem(421, "unknown-host");
    }
    let none = server.raw("GET", "/", &[], &[]);
    assert!([400, 421].contains(&none.status), "{}", none.status);
    let proxied = [("host", server.address.to_string())];
    let proxied = server.raw("GET", "http://evil.example/", &proxied, &[]);
    proxied.is_problem(421, "unknown-host");
    // A watcher may not know the name.
    assert_eq!(
        server
            .raw("GET", "/healthz", &[("host", "x".to_owned())], &[])
            .status,
        200
    );
}

#[test]
fn the_printed_address_works_once() {
    let server = Setup::new().start();
    server
        .get("/api/v1/jobs", &Who::Nobody)
        .is_problem(401, "not-logged-in");
    server
        .get("/open?token=wrong", &Who::Nobody)
        .is_problem(410, "gone");
    server
        .get("/open", &Who::Nobody)
        .is_problem(400, "bad-request");
    let browser = server.open_page();
    server.get("/api/v1/jobs", &browser).ok();
    let path = server
        .page
        .split_once(&server.address.to_string())
        .unwrap()
        .1;
    server.get(path, &Who::Nobody).is_problem(410, "gone");
    let session = server.get("/api/v1/session", &browser).ok();
    assert_eq!(session["user"]["role"], "admin");
    assert_eq!(session["accounts"], false);
}

#[test]
fn cookies_and_heads_are_strict() {
    let server = Setup::new().start();
    let path = server
        .page
        .split_once(&server.address.to_string())
        .unwrap()
        .1;
    let opened = server.get(path, &Who::Nobody);
    let cookie = &opened.headers["set-cookie"];
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let page = server.get("/", &Who::Nobody);
    let policy = &page.headers["content-security-policy"];
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    for part in [
        "frame-ancestors 'none'",
        "form-action 'self'",
        "connect-src 'self'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    for answer in [
        &page,
        &server.get("/api/v1/session", &Who::Nobody),
        &server.get("/no", &Who::Nobody),
    ] {
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["x-frame-options"], "DENY");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer");
        assert_eq!(answer.headers["cache-control"], "no-store");
        assert!(answer.headers["content-security-policy"].starts_with("default-src 'none'"));
    }
}

#[test]
fn problems_have_one_shape() {
    let server = Setup::new().start();
    let browser = server.open_page();
    server
        .get("/nowhere", &browser)
        .is_problem(404, "not-found");
    server
        .get("/api/v1/nowhere", &browser)
        .is_problem(404, "not-found");
    server
        .get("/api/v1/jobs/none", &browser)
        .is_problem(404, "not-found");
    server
        .delete("/api/v1/status", &browser)
        .is_problem(405, "wrong-method");
    server
        .get("/api/v1/audit?limit=x", &browser)
        .is_problem(400, "bad-request");
    server
        .get("/api/v1/audit?other=1", &browser)
        .is_problem(400, "bad-request");
    server
        .post("/api/v1/session", &browser, b"{}")
        .is_problem(415, "wrong-media-type");
    server
        .post("/api/v1/jobs", &browser, b"x")
        .is_problem(415, "wrong-media-type");
    server
        .get("/api/v1/documents", &browser)
        .is_problem(409, "no-registry");
}

#[test]
fn large_heads_and_bodies_are_refused() {
    let server = Setup::new()
        .change(|config| config.limits.document = 1000)
        .start();
    let browser = server.open_page();
    let long = "x".repeat(200_000);
    let answer = server.request("GET", "/", &[("x-long", &long)], &[]);
    assert_eq!(answer.status, 431);
    let many: Vec<(String, &str)> = (0..500).map(|n| (format!("x-{n}"), "y")).collect();
    let many: Vec<(&str, &str)> = many
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .collect();
    assert_eq!(server.request("GET", "/", &many, &[]).status, 431);
    let body = serde_json::json!({"name": long, "password": ""});
    server
        .post_json("/api/v1/session", &browser, &body)
        .is_problem(413, "too-large");
    assert_eq!(server.get("/healthz", &Who::Nobody).status, 200);
}

#[test]
fn slow_clients_are_cut_off() {
    let patience = Duration::from_millis(300);
    let server = Setup::new()
        .change(|config| config.limits.patience = patience)
        .start();
    let started = Instant::now();
    // A head that never ends.
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n").unwrap();
    let mut rest = Vec::new();
    let _ = std::io::Read::read_to_end(&mut stream, &mut rest);
    // A body that comes byte by byte.
    let mut stream = server.connect();
    let head = format!(
        "POST /api/v1/session HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: 50\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..10 {
        if stream.write_all(b" ").is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    read_answer(&mut stream).is_problem(408, "too-slow");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn without_accounts_it_stays_on_this_machine() {
    let exposed = |openness, with_account: bool| {
        let mut setup = Setup::new();
        if with_account {
            setup = setup.account("anna", Role::Admin, None);
        }
        let mut config: Config = setup.config;
        config.listen = "0.0.0.0:0".parse().unwrap();
        config.openness = openness;
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(Server::bind(config)).map(|_| ())
    };
    let refused = exposed(Openness::Closed, false).unwrap_err();
    assert!(matches!(refused, Error::Exposed { .. }));
    let message = refused.to_string();
    assert!(message.contains("user add") && message.contains("--allow-anyone-on-the-network"));
    exposed(Openness::Closed, true).unwrap();
    exposed(Openness::Anyone, false).unwrap();
}

#[test]
fn anyone_may_verify_but_not_administer() {
    let setup = Setup::new().registry(cento::index::registry::Retention::Digests);
    let server = setup
        .change(|config| config.openness = Openness::Anyone)
        .start();
    let visitor = server.browser(server.get("/", &Who::Nobody).cookie());
    server.get("/api/v1/documents", &visitor).ok();
    server
        .get("/api/v1/audit", &visitor)
        .is_problem(403, "wrong-role");
    let forget = serde_json::json!({"ids": ["a"]});
    server
        .post_json("/api/v1/forget", &visitor, &forget)
        .is_problem(403, "wrong-role");
}

#[test]
fn one_server_a_data_folder() {
    let setup = Setup::new();
    let data = setup.config.data.clone();
    let server = setup.start();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let second = Config::new("127.0.0.1:0".parse().unwrap(), data.clone());
    let refused = runtime.block_on(Server::bind(second)).map(|_| ());
    assert!(matches!(refused, Err(Error::InUse { .. })), "{refused:?}");
    server.stop();
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_the_data_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = Setup::new().start();
    let mode = |path: &str| {
        let path = server.data().join(path);
        path.metadata().unwrap().permissions().mode() & 0o777
    };
    assert_eq!(mode("."), 0o700);
    assert_eq!(mode("jobs"), 0o700);
    assert_eq!(mode("server.sqlite"), 0o600);
}
