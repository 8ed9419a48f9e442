//! A server in this process, and a client that says exactly what it is told to.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use cento::index::registry::{Registry, Retention, Settings};
use cento::{Key, Recipe};
use cento_server::{Account, Accounts, Config, Logging, Place, Role, Server, Sets};
use serde_json::Value;
use tempfile::TempDir;

/// A server that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) page: String,
    pub(crate) folder: TempDir,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error} in {} {}", self.status, self.text());
        })
    }

    /// Expects a problem of this status and kind.
    pub(crate) fn is_problem(&self, status: u16, kind: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.headers["content-type"], "application/problem+json");
        let body = self.json();
        assert_eq!(body["status"], status);
        assert_eq!(body["type"], format!("urn:cento:problem:{kind}"));
        assert!(body["title"].is_string() && body["detail"].is_string());
    }

    /// Expects success; gives the body.
    pub(crate) fn ok(&self) -> Value {
        assert!(
            (200..300).contains(&self.status),
            "{} {}",
            self.status,
            self.text()
        );
        if self.body.is_empty() {
            return Value::Null;
        }
        self.json()
    }

    /// The session that was given.
    pub(crate) fn cookie(&self) -> String {
        let cookie = &self.headers["set-cookie"];
        cookie.split(';').next().unwrap().to_owned()
    }
}

/// What makes a server that a test needs.
pub(crate) struct Setup {
    pub(crate) folder: TempDir,
    pub(crate) config: Config,
}

impl Setup {
    pub(crate) fn new() -> Setup {
        let folder = tempfile::tempdir().unwrap();
        let listen = "127.0.0.1:0".parse().unwrap();
        let mut config = Config::new(listen, folder.path().join("data"));
        config.logging = Logging::Faults;
        Setup { folder, config }
    }

    /// With a registry that keeps this much.
    pub(crate) fn registry(mut self, retention: Retention) -> Setup {
        let path = self.folder.path().join("registry");
        make_registry(&path, retention);
        self.config.registry = Some(Place { path, key: key() });
        self
    }

    /// With an account of this name and role; its password is its name, twice and a word.
    pub(crate) fn account(self, name: &str, role: Role, sets: Option<&[&str]>) -> Setup {
        let accounts = Accounts::open(&self.config.data).unwrap();
        let account = Account {
            name: name.to_owned(),
            role,
            sets: Sets(sets.map(|sets| sets.iter().map(|&set| set.to_owned()).collect())),
        };
        accounts.add(&account, Some(&password(name))).unwrap();
        self
    }

    pub(crate) fn token(&self, name: &str) -> String {
        let accounts = Accounts::open(&self.config.data).unwrap();
        accounts.new_token(name, "test").unwrap()
    }

    pub(crate) fn change(mut self, change: impl FnOnce(&mut Config)) -> Setup {
        change(&mut self.config);
        self
    }

    pub(crate) fn start(self) -> Running {
        start(self.config, self.folder)
    }
}

pub(crate) fn key() -> Key {
    Key::new([7; 16])
}

pub(crate) fn make_registry(path: &Path, retention: Retention) {
    std::fs::create_dir_all(path).unwrap();
    let settings = Settings {
        recipe: Recipe::named("default").unwrap(),
        retention,
        kept_bits: Settings::KEPT_BITS,
        pairs: true,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(path, settings, Some(&key()), "2026-01-01T00:00:00Z").unwrap();
}

pub(crate) fn password(name: &str) -> String {
    format!("{name} {name} swan")
}

pub(crate) fn start(config: Config, folder: TempDir) -> Running {
    let (told, listening) = std::sync::mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let server = Server::bind(config).await.unwrap();
            told.send((server.address(), server.page())).unwrap();
            let stopped = async {
                let _ = stopped.await;
            };
            server.run(stopped).await.unwrap();
        });
    });
    let (address, page) = listening.recv().expect("the server starts");
    Running {
        address,
        page,
        folder,
        stop: Some(stop),
        thread: Some(thread),
    }
}

impl Running {
    /// A server in a process of its own.
    pub(crate) fn elsewhere(address: SocketAddr, page: String, folder: TempDir) -> Running {
        Running {
            address,
            page,
            folder,
            stop: None,
            thread: None,
        }
    }

    /// Stops it, waits for its end, and gives the folder back.
    pub(crate) fn stop(mut self) -> TempDir {
        self.end();
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }

    fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(
                ended.is_ok() || std::thread::panicking(),
                "the server panicked"
            );
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut all = vec![("host", self.address.to_string())];
        all.extend(
            headers
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned())),
        );
        self.raw(method, path, &all, body)
    }

    /// The same with nothing added but the length.
    pub(crate) fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, String)],
        body: &[u8],
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if !body.is_empty() || method == "POST" {
            let _ = write!(head, "content-length: {}\r\n", body.len());
        }
        head += "\r\n";
        let mut stream = self.connect();
        // A server that refuses may close before it has read everything.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body);
        read_answer(&mut stream)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(2)))
            .unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str, who: &Who) -> Answer {
        self.request("GET", path, &who.headers(), &[])
    }

    pub(crate) fn post(&self, path: &str, who: &Who, body: &[u8]) -> Answer {
        self.request("POST", path, &who.headers(), body)
    }

    pub(crate) fn post_json(&self, path: &str, who: &Who, body: &Value) -> Answer {
        let mut headers = who.headers();
        headers.push(("content-type", "application/json"));
        self.request("POST", path, &headers, body.to_string().as_bytes())
    }

    pub(crate) fn delete(&self, path: &str, who: &Who) -> Answer {
        self.request("DELETE", path, &who.headers(), &[])
    }

    /// Sends a form of fields and files.
    pub(crate) fn send_form(&self, path: &str, who: &Who, form: &Form) -> Answer {
        let mut headers = who.headers();
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        headers.push(("content-type", &kind));
        self.request("POST", path, &headers, &form.bytes())
    }

    /// Orders a job and waits for its end.
    pub(crate) fn job(&self, who: &Who, form: &Form) -> Value {
        let answer = self.send_form("/api/v1/jobs", who, form);
        assert_eq!(answer.status, 202, "{}", answer.text());
        let id = answer.json()["id"].as_str().unwrap().to_owned();
        self.wait_for(who, &id)
    }

    pub(crate) fn wait_for(&self, who: &Who, id: &str) -> Value {
        for _ in 0..1200 {
            let job = self.get(&format!("/api/v1/jobs/{id}"), who).ok();
            let state = job["state"].as_str().unwrap();
            if !["uploading", "waiting", "running"].contains(&state) {
                return job;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the job does not end");
    }

    /// Logs in with a browser.
    pub(crate) fn log_in(&self, name: &str) -> Who {
        let body = serde_json::json!({"name": name, "password": password(name)});
        let answer = self.post_json("/api/v1/session", &Who::Nobody, &body);
        answer.ok();
        self.browser(answer.cookie())
    }

    /// Opens the printed address.
    pub(crate) fn open_page(&self) -> Who {
        let path = self.page.split_once(&self.address.to_string()).unwrap().1;
        let answer = self.get(path, &Who::Nobody);
        assert_eq!(answer.status, 303, "{}", answer.text());
        self.browser(answer.cookie())
    }

    pub(crate) fn browser(&self, cookie: String) -> Who {
        let bare = Who::Browser {
            cookie: cookie.clone(),
            forms: String::new(),
        };
        let session = self.get("/api/v1/session", &bare).ok();
        let forms = session["user"]["forms"].as_str().unwrap().to_owned();
        Who::Browser { cookie, forms }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Who asks.
pub(crate) enum Who {
    Nobody,
    Token(String),
    Browser { cookie: String, forms: String },
}

impl Who {
    pub(crate) fn headers(&self) -> Vec<(&'static str, &str)> {
        match self {
            Who::Nobody => Vec::new(),
            Who::Token(token) => vec![("authorization", token)],
            Who::Browser { cookie, forms } => vec![("cookie", cookie), ("x-cento-forms", forms)],
        }
    }

    pub(crate) fn token(token: &str) -> Who {
        Who::Token(format!("Bearer {token}"))
    }
}

pub(crate) const BOUNDARY: &str = "cento-test-boundary";

/// A form of several parts.
#[derive(Clone, Default)]
pub(crate) struct Form(Vec<u8>);

impl Form {
    pub(crate) fn of(kind: &str) -> Form {
        Form::default().field("kind", kind)
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Form {
        self.0.extend_from_slice(
            format!(
                "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            )
            .as_bytes(),
        );
        self
    }

    pub(crate) fn file(self, name: &str, bytes: &[u8]) -> Form {
        self.part("file", name, bytes)
    }

    pub(crate) fn part(mut self, field: &str, name: &str, bytes: &[u8]) -> Form {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
             content-type: application/octet-stream\r\n\r\n"
        );
        self.0.extend_from_slice(head.as_bytes());
        self.0.extend_from_slice(bytes);
        self.0.extend_from_slice(b"\r\n");
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.0.clone();
        bytes.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        bytes
    }
}

pub(crate) fn read_answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A connection that is reset after the answer is as good as one that ends.
    let _ = stream.read_to_end(&mut bytes);
    parse_answer(&bytes)
}

pub(crate) fn parse_answer(bytes: &[u8]) -> Answer {
    let split = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let split = split.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let mut body = bytes[split + 4..].to_vec();
    if headers
        .get("transfer-encoding")
        .is_some_and(|coding| coding == "chunked")
    {
        body = unchunked(&body);
    }
    Answer {
        status,
        headers,
        body,
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") {
        let size = String::from_utf8_lossy(&bytes[..end]).trim().to_owned();
        let size = usize::from_str_radix(&size, 16).unwrap_or(0);
        let rest = &bytes[end + 2..];
        if size == 0 || rest.len() < size {
            break;
        }
        body.extend_from_slice(&rest[..size]);
        bytes = &rest[(size + 2).min(rest.len())..];
    }
    body
}

/// A text of so many words from a seed: the same every time, and unlike that of another seed.
pub(crate) fn text(seed: u64, words: usize) -> String {
    let syllables = [
        "ba", "cor", "del", "fin", "gra", "hel", "jo", "kam", "lor", "mi", "nas", "pe",
    ];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap()
    };
    let mut text = String::new();
    for number in 0..words {
        for _ in 0..2 + next() % 3 {
            text += syllables[next() % syllables.len()];
        }
        text += if number % 12 == 11 { ".\n" } else { " " };
    }
    text
}
