//! What hostile uploads and clients try.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::{Cursor, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use cento::index::registry::Retention;
use cento_server::Role;
use support::{Form, Setup, Who, text};

fn zip_of(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn names_do_not_lead_out_of_the_folder() {
    let server = Setup::new().start();
    let who = server.open_page();
    let outside = server.folder.path().join("outside.txt");
    let up = format!("../../../../../../../..{}", outside.display());
    let words = text(1, 200);
    let members = [
        (up.as_str(), words.clone().into_bytes()),
        ("../../escape.txt", words.clone().into_bytes()),
        ("/etc/cento-escape.txt", words.clone().into_bytes()),
        ("..\\..\\windows.txt", words.clone().into_bytes()),
    ];
    let form = Form::of("pairwise")
        .file("evil.zip", &zip_of(&members))
        .file(&up, words.as_bytes())
        .file("../../server.sqlite", words.as_bytes())
        .file("..", words.as_bytes())
        .file("a", words.as_bytes())
        .file("a/b.txt", words.as_bytes());
    let job = server.job(&who, &form);
    assert_eq!(job["state"], "done", "{job}");
    assert!(!outside.exists());
    assert!(!std::path::Path::new("/etc/cento-escape.txt").exists());
    let inside: Vec<_> = std::fs::read_dir(server.data())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("server.sqlite"))
        .collect();
    assert_eq!(inside.len(), 2, "{inside:?}");
    assert_eq!(
        std::fs::read_dir(server.data().join("jobs"))
            .unwrap()
            .count(),
        1
    );
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_skipped() {
    let server = Setup::new()
        .change(|config| config.input.reading.limits.file_size = 64 << 20)
        .start();
    let who = server.open_page();
    let bomb = zip_of(&[
        ("bomb.txt", vec![b'a'; 200 << 20]),
        ("good.txt", text(1, 200).into_bytes()),
    ]);
    assert!(bomb.len() < 1 << 20);
    let job = server.job(
        &who,
        &Form::of("pairwise")
            .file("bomb.zip", &bomb)
            .file("b.txt", text(1, 200).as_bytes()),
    );
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["skipped"], 1, "{job}");
    assert_eq!(job["pairs"], 1, "{job}");
    // By itself it is refused.
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None);
    let anna = Who::token(&setup.token("anna"));
    let server = setup.start();
    server
        .post("/api/v1/documents?id=bomb", &anna, &bomb)
        .is_problem(422, "unusable");
    assert_eq!(server.get("/healthz", &Who::Nobody).status, 200);
}

#[test]
fn names_and_texts_stay_text() {
    let setup = Setup::new()
        .registry(Retention::Text)
        .account("anna", Role::Admin, None);
    let anna = Who::token(&setup.token("anna"));
    let server = setup.start();
    let script = "<script>alert(1)</script>";
    let essay = format!("{script} {} \"><img src=x onerror=alert(2)>", text(1, 200));
    let query =
        "id=%3Cscript%3Ealert(3)%3C/script%3E&label=%3Cb%3E&set=%22%3E%3Ci%3E&submitter=%27";
    server
        .post(
            &format!("/api/v1/documents?{query}"),
            &anna,
            essay.as_bytes(),
        )
        .ok();
    let form = Form::of("verify").file("<img src=x onerror=alert(4)>.txt", essay.as_bytes());
    let job = server.job(&anna, &form);
    assert_eq!(job["pairs"], 1, "{job}");
    let id = job["id"].as_str().unwrap();
    let page = server.get(&format!("/jobs/{id}/report"), &anna);
    let html = page.text();
    assert!(
        !html.contains("alert("),
        "something of it is in the page as it is"
    );
    assert!(page.headers["content-security-policy"].contains("default-src 'none'"));
    // Data are data: nothing that a browser would take for a page.
    for path in [
        format!("/api/v1/jobs/{id}/report.json"),
        format!("/api/v1/jobs/{id}/report.csv"),
        "/api/v1/documents".to_owned(),
        format!("/api/v1/jobs/{}", "%3Cscript%3E"),
    ] {
        let answer = server.get(&path, &anna);
        assert!(!answer.headers["content-type"].contains("html"), "{path}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    }
}

#[test]
fn ids_of_jobs_are_no_paths() {
    let server = Setup::new().start();
    let who = server.open_page();
    for id in ["..", "..%2F..", "%2e%2e", "x%00", "....//", "%2Fetc"] {
        let answer = server.get(&format!("/api/v1/jobs/{id}/report.json"), &who);
        assert!(
            [400, 404].contains(&answer.status),
            "{id} {}",
            answer.status
        );
        let answer = server.delete(&format!("/api/v1/jobs/{id}"), &who);
        assert!(
            [400, 404, 405].contains(&answer.status),
            "{id} {}",
            answer.status
        );
    }
    assert!(server.data().join("server.sqlite").exists());
}

#[test]
fn heads_cannot_be_split() {
    let server = Setup::new().account("anna", Role::Admin, None).start();
    let answer = server.get("/api/v1/jobs/x%0d%0aset-cookie:%20a=b", &Who::Nobody);
    assert!(!answer.headers.contains_key("set-cookie"));
    let answer = server.get("/%0d%0ax-evil:1", &Who::Nobody);
    assert!(!answer.headers.contains_key("x-evil"));
}

#[test]
fn one_address_does_not_hold_all_connections() {
    let server = Setup::new()
        .change(|config| {
            config.limits.connections = 6;
            config.limits.connections_of_one = 4;
        })
        .start();
    let mut held: Vec<TcpStream> = (0..4).map(|_| server.connect()).collect();
    // As long as there is no answer they are held.
    for stream in &mut held {
        stream.write_all(b"GET /healthz HTTP/1.1\r\n").unwrap();
    }
    let mut more = server.connect();
    let _ = more.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut answer = Vec::new();
    let _ = more.read_to_end(&mut answer);
    assert_eq!(answer, b"", "it is closed at once");
    // Somebody at another address comes in.
    let ask = |address: &str| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let socket = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(address.parse().unwrap()).unwrap();
            socket.connect(server.address).await.unwrap()
        });
        let mut stream = socket.into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        let request = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        let _ = stream.write_all(request);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer.starts_with("HTTP/1.1 200")
    };
    #[cfg(target_os = "linux")]
    assert!(ask("127.0.0.2:0"));
    // Those who leave make room.
    drop(held);
    let came_in = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        ask("127.0.0.1:0")
    });
    assert!(came_in);
}
