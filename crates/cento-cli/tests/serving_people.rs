//! `cento serve` as people start it: accounts, the printed address, files through readers of their
//! own, and a kill in the middle of registrations.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../cento-server/tests/support/mod.rs"]
mod support;

#[path = "support/processes.rs"]
mod processes;

#[path = "support/serving.rs"]
mod serving;

use std::io::{Cursor, Write as _};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use processes::started_by;
use serving::{address, admin_token, cento, run, serve};
use support::{Form, Running, Who, text};

#[test]
fn the_printed_address_opens_it_and_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, page) = serve(folder.path());
    let server = Running::elsewhere(address(&page), page, folder);
    let who = server.open_page();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, seed) in [("a.txt", 1), ("b.html", 1), ("c.txt", 2)] {
        writer.start_file(name, options).unwrap();
        let text = text(seed, 300);
        let text = if name == "b.html" {
            format!("<!DOCTYPE html><html><body><p>{text}</p></body></html>")
        } else {
            text
        };
        writer.write_all(text.as_bytes()).unwrap();
    }
    let archive = writer.finish().unwrap().into_inner();
    let job = server.job(&who, &Form::of("pairwise").file("class.zip", &archive));
    assert_eq!(
        (&job["documents"], &job["pairs"]),
        (&3.into(), &1.into()),
        "{job}"
    );
    // Texts of strangers are compared in another process; if that one is gone, in a new one.
    for _ in 0..2 {
        let sorters = sorters(child.id());
        assert_eq!(sorters.len(), 1, "{sorters:?}");
        let killed = Command::new("kill").args(["-KILL", &sorters[0]]).status();
        assert!(killed.unwrap().success());
        let again = server.job(&who, &Form::of("pairwise").file("class.zip", &archive));
        assert_eq!(again["pairs"], 1, "{again}");
    }
    // It ends when it is asked to.
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert!(child.wait().unwrap().success());
}

/// The processes that sort suffixes for a server.
fn sorters(server: u32) -> Vec<String> {
    let started = started_by(server).into_iter();
    let sorters = started.filter(|one| one.command.contains("sort-suffixes"));
    sorters.map(|one| one.number).collect()
}

#[test]
fn accounts_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let password = run(at, &["serve", "user", "add", "anna", "--role", "admin"]);
    assert!(password.len() > 20, "{password}");
    run(
        at,
        &[
            "serve", "user", "add", "vera", "--role", "verify", "--set", "a", "--set", "b",
        ],
    );
    let token = run(at, &["serve", "user", "token", "vera", "--label", "moodle"]);
    assert!(token.starts_with("cento_"));
    let listed = run(at, &["serve", "user", "list"]);
    assert_eq!(
        listed,
        "anna  admin  all sets\nvera  verify  a, b  tokens moodle\n"
    );
    let twice = cento(at, &["serve", "user", "add", "anna", "--role", "submit"])
        .output()
        .unwrap();
    assert_eq!(twice.status.code(), Some(2));
    run(at, &["serve", "user", "remove", "vera"]);
    let exposed = tempfile::tempdir().unwrap();
    let refused = cento(exposed.path(), &["serve", "--listen", "0.0.0.0:0"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        message.contains("--allow-anyone-on-the-network"),
        "{message}"
    );
}

#[test]
fn a_new_password_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let first = run(at, &["serve", "user", "add", "anna", "--role", "admin"]);
    let second = run(at, &["serve", "user", "password", "anna"]);
    assert_ne!(first, second);
    let (mut child, page) = serve(at);
    let server = Running::elsewhere(address(&page), page, folder);
    let log_in = |password: &str| {
        let body = serde_json::json!({"name": "anna", "password": password.trim()});
        let answer = server.post_json("/api/v1/session", &Who::Nobody, &body);
        answer.status
    };
    assert_eq!((log_in(&first), log_in(&second)), (401, 200));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn flags_that_would_let_anyone_in_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    run(at, &["serve", "user", "add", "anna", "--role", "admin"]);
    for (flags, said) in [
        (vec!["--sign-in-header", "X-Remote-User"], "--trusted-proxy"),
        (vec!["--sign-in-new", "submit"], "--sign-in-header"),
        (vec!["--trusted-proxy", "proxy.example"], "10.0.0.0/24"),
        (vec!["--backup-every", "1d"], "--backup-to"),
        (
            vec!["--backup-every", "soon", "--backup-to", "copy"],
            "--backup-every",
        ),
        (vec!["--check-every", "1d"], "registry init"),
    ] {
        let mut arguments = vec!["serve", "--listen", "127.0.0.1:0"];
        arguments.extend(&flags);
        let refused = cento(at, &arguments).output().unwrap();
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{flags:?}: {message}");
        assert!(message.contains(said), "{flags:?}: {message}");
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["registry", "init"]);
    let token = admin_token(folder.path());
    let (mut child, page) = serve(folder.path());
    let server = Arc::new(Running::elsewhere(address(&page), page, folder));
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let killed = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..6_u64)
        .map(|thread| {
            let (server, who) = (Arc::clone(&server), Who::token(&token));
            let (acknowledged, killed) = (Arc::clone(&acknowledged), Arc::clone(&killed));
            std::thread::spawn(move || {
                for number in 0..100_000 {
                    let seed = thread * 1_000_000 + number;
                    let path = format!("/api/v1/documents?id=d{seed}");
                    if register(&server, &path, &who, &text(seed, 150)) {
                        acknowledged.lock().unwrap().push(seed);
                    } else {
                        assert!(killed.load(Ordering::SeqCst), "refused before the kill");
                        return;
                    }
                }
            })
        })
        .collect();
    // In the middle of it all.
    for _ in 0..600 {
        if acknowledged.lock().unwrap().len() >= 150 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    killed.store(true, Ordering::SeqCst);
    child.kill().unwrap();
    child.wait().unwrap();
    for thread in threads {
        thread.join().unwrap();
    }
    let server = Arc::into_inner(server).unwrap();
    let folder = server.stop();
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.len() >= 150, "{}", acknowledged.len());
    let (mut child, page) = serve(folder.path());
    let server = Running::elsewhere(address(&page), page, folder);
    let who = Who::token(&token);
    for seed in acknowledged.iter() {
        let report = server
            .post(
                "/api/v1/verifications?top=1",
                &who,
                text(*seed, 150).as_bytes(),
            )
            .ok();
        assert_eq!(report["pairs"][0]["right"], format!("registry:d{seed}"));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let folder = server.stop();
    let checked = run(folder.path(), &["registry", "check"]);
    assert!(!checked.contains("fault"), "{checked}");
}

/// Whether the server said that a document is registered.
fn register(server: &Running, path: &str, who: &Who, text: &str) -> bool {
    use std::io::Read as _;
    let Ok(mut stream) = std::net::TcpStream::connect(server.address) else {
        return false;
    };
    let Who::Token(token) = who else {
        return false;
    };
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nauthorization: {token}\r\n\
         content-length: {}\r\n\r\n",
        server.address,
        text.len()
    );
    let mut answer = String::new();
    let asked = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(text.as_bytes()))
        .and_then(|()| stream.read_to_string(&mut answer));
    asked.is_ok() && answer.starts_with("HTTP/1.1 201")
}
