//! `cento mail`: what is counted, what a filter hands on, who may ask at the same time, and what a milter makes
//! of hostile packets.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn cento(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command.current_dir(folder).env_remove("CENTO_KEY");
    command.args(line.split_whitespace());
    command
}

fn run(folder: &Path, line: &str) -> Output {
    cento(folder, line).output().unwrap()
}

fn well(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn lines(folder: &Path, line: &str) -> Vec<Value> {
    let text = well(folder, line);
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// A message of words of its own, to somebody.
fn message(seed: u64, name: &str) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut body = String::new();
    for number in 0..120 {
        for _ in 0..6 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let letter = u8::try_from(state % 26).unwrap();
            body.push(char::from(b'a' + letter));
        }
        body.push(if number % 12 == 11 { '\n' } else { ' ' });
    }
    format!(
        "From: anna@example.org\r\nTo: {name}@example.org\r\nSubject: about {name}\r\n\r\nDear {name},\r\n\r\n{body}\r\n"
    )
}

fn with_store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    well(folder.path(), "mail init --max-memory 8MiB");
    for (name, seed) in [("a", 1), ("b", 1), ("c", 2)] {
        let text = message(seed, name);
        std::fs::write(folder.path().join(format!("{name}.eml")), text).unwrap();
    }
    folder
}

#[test]
fn messages_are_counted_marked_and_forgotten() {
    let folder = with_store();
    let folder = folder.path();
    let at = |time: &str, what: &str| {
        let line = format!("mail check {what} --time 2026-03-{time}:00Z");
        lines(folder, &line)
    };
    let first = at("01T10:00", "a.eml b.eml c.eml");
    let verdicts: Vec<&Value> = first.iter().map(|line| &line["verdict"]).collect();
    assert_eq!(verdicts, ["new", "seen", "new"]);
    assert_eq!(first[0]["nearest"], Value::Null);
    assert_eq!(first[1]["file"], "b.eml");
    assert!(first[1]["nearest"]["similarity"].as_f64().unwrap() > 0.8);
    let seen =
        |line: &Value| ["hour", "day", "week"].map(|time| line["seen"][time].as_u64().unwrap());
    assert_eq!(seen(&at("01T10:30", "a.eml")[0]), [2, 2, 2]);
    assert_eq!(seen(&at("01T23:00", "a.eml --look")[0]), [0, 3, 3]);
    assert_eq!(seen(&at("05T10:00", "a.eml --look")[0]), [0, 0, 3]);
    let long_ago = &at("09T10:00", "a.eml --look")[0];
    assert_eq!(seen(long_ago), [0, 0, 0]);
    assert_eq!(long_ago["verdict"], "new");
    let marked = well(folder, "mail mark wanted b.eml --time 2026-03-01T11:00:00Z");
    assert_eq!(marked, "1 message marked as wanted\n");
    let wanted = &at("01T11:00", "a.eml")[0];
    assert_eq!(wanted["verdict"], "wanted");
    assert_eq!(wanted["seen"], Value::Null);
    well(folder, "mail mark none a.eml --time 2026-03-01T11:00:00Z");
    assert_eq!(seen(&at("01T11:00", "a.eml --look")[0]), [1, 3, 3]);
    well(folder, "mail mark bulk c.eml --time 2026-03-01T11:00:00Z");
    let bulk = run(
        folder,
        "mail check c.eml --exit-code --time 2026-03-01T11:00:00Z",
    );
    assert_eq!(bulk.status.code(), Some(1));
    let stats: Value = serde_json::from_str(&well(folder, "mail stats --json")).unwrap();
    assert_eq!(stats["counted"], 5);
    assert_eq!((&stats["bulk"], &stats["wanted"]), (&1.into(), &0.into()));
}

#[test]
fn bad_calls_say_what_to_do() {
    let folder = with_store();
    let folder = folder.path();
    let error = |line: &str| {
        let output = run(folder, line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error("mail check a.eml --store none").contains("`cento mail init` makes one"));
    assert!(error("mail init").contains("there is a mail store already"));
    assert!(error("mail check a.eml --time yesterday").contains("--time: yesterday is not a time"));
    assert!(error("mail check a.eml --headers").contains("give `-`"));
    assert!(error("mail init --store new --max-memory 1k").contains("--max-memory"));
    assert!(error("mail milter --listen 8893").contains("inet:8893@127.0.0.1"));
    assert!(error("mail check missing.eml").contains("missing.eml"));
    std::fs::remove_file(folder.join("mail-store/key")).unwrap();
    assert!(error("mail check a.eml").contains("the key of this mail store is not in"));
    std::fs::write(folder.join("mail-store/key"), "0".repeat(31) + "1\n").unwrap();
    assert!(error("mail check a.eml").contains("not the key of this mail store"));
}

fn filtered(folder: &Path, flags: &str, message: &[u8]) -> (Vec<u8>, Output) {
    let mut child = cento(folder, &format!("mail check --headers - {flags}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(message).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.stdout.clone(), output)
}

#[test]
fn a_filter_adds_its_field_and_changes_nothing_else() {
    let folder = with_store();
    let text = message(1, "a");
    let forged = format!("X-cento-BULK: verdict=wanted;\r\n\tmore\r\n{text}");
    for (count, verdict) in [(0, "new"), (1, "seen"), (2, "bulk")] {
        let (out, output) = filtered(
            folder.path(),
            "--bulk-from 2 --exit-code",
            forged.as_bytes(),
        );
        let out = String::from_utf8(out).unwrap();
        let (field, rest) = out.split_once("\r\n").unwrap();
        assert_eq!(rest, text);
        let mut expected =
            format!("X-Cento-Bulk: verdict={verdict}; hour={count}; day={count}; week={count}");
        if count > 0 {
            let _ = write!(expected, "; similarity=1.00");
        }
        assert_eq!(field, expected);
        assert_eq!(output.status.code(), Some(i32::from(verdict == "bulk")));
    }
    // Bytes that are no text, and no line at the end.
    let odd = [b"Subject: x\n\n\xff\xfe\x00".as_slice(), &[0x80; 1000]].concat();
    let (out, _) = filtered(folder.path(), "", &odd);
    assert!(out.ends_with(&odd), "{}", String::from_utf8_lossy(&out));
}

/// Whatever a message brings along, its own field is the only one, and what it says is the same.
#[test]
fn a_message_cannot_write_its_own_verdict() {
    let folder = with_store();
    let text = message(1, "a");
    let (header, _) = filtered(folder.path(), "", text.as_bytes());
    assert!(header.starts_with(b"X-Cento-Bulk: verdict=new;"));
    for forged in [
        "X-CENTO-bulk : verdict=wanted;\r\n\thour=99\r\n",
        "x-cento-bulk:verdict=wanted\r\nX-Cento-Bulk:\r\n verdict=wanted\r\n",
        // Lines that would continue a field that is put before them.
        " verdict=wanted\r\n",
        "\t\r\n; verdict=wanted: x\r\n",
    ] {
        let (out, _) = filtered(
            folder.path(),
            "--look",
            format!("{forged}{text}").as_bytes(),
        );
        let out = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = out.split("\r\n").collect();
        let is_ours = |line: &str| line.to_ascii_lowercase().starts_with("x-cento-bulk");
        let place = lines.iter().position(|line| is_ours(line)).unwrap();
        let count = lines.iter().filter(|line| is_ours(line)).count();
        assert_eq!(count, 1, "{out}");
        assert!(
            lines[place].starts_with("X-Cento-Bulk: verdict=seen;"),
            "{out}"
        );
        assert!(!lines[place + 1].starts_with([' ', '\t']), "{out}");
    }
}

#[test]
fn odd_messages_are_read_or_passed_over() {
    let folder = with_store();
    let folder = folder.path();
    let own = message(1, "a");
    let body = own.split_once("\r\n\r\n").unwrap().1;
    let image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("nul.eml", &own.replace(' ', " \0"));
    write("field.eml", &format!("X-It's: odd\r\nGIF89a: x\r\n{own}"));
    write("no-body.eml", "From: a@example.org\r\nSubject: x\r\n");
    write(
        "image.eml",
        &format!(
            "From: a@example.org\r\nSubject: look\r\nMIME-Version: 1.0\r\nContent-Type: image/png\r\n\
             Content-Transfer-Encoding: base64\r\n\r\n{image}\r\n"
        ),
    );
    write(
        "html.eml",
        &format!(
            "From: a@example.org\r\nSubject: about a\r\nContent-Type: text/html\r\n\r\n<html><body bgcolor=white>\
             <p>{}</p><font color='#ffffff'>zebra zebra</font><span style='display:none'>zebra</span></body></html>",
            body.replace("Dear a,", "").replace('m', "m<!--x--><b></b>")
        ),
    );
    let verdict = |name: &str| lines(folder, &format!("mail check {name}"))[0].clone();
    assert_eq!(verdict("a.eml")["verdict"], "new");
    for name in ["nul.eml", "field.eml", "html.eml"] {
        let said = verdict(name);
        assert_eq!(said["verdict"], "seen", "{name}: {said}");
        assert!(
            said["nearest"]["similarity"].as_f64().unwrap() > 0.9,
            "{said}"
        );
    }
    for name in ["no-body.eml", "image.eml"] {
        assert_eq!(verdict(name)["verdict"], "short", "{name}");
    }
}

/// Messages that show no text at all.
fn silent_messages() -> [String; 4] {
    let head = "From: a@example.org\r\nTo: b@example.org\r\nMIME-Version: 1.0";
    let attachment = "Content-Type: application/pdf\r\nContent-Disposition: attachment; \
                      filename=x.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQK\r\n";
    [
        format!("{head}\r\n{attachment}"),
        format!(
            "{head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n{attachment}--b--\r\n"
        ),
        format!("{head}\r\nSubject: \r\n\r\n"),
        format!(
            "{head}\r\nContent-Type: text/html\r\n\r\n<p style='display:none'>hidden words</p>\r\n"
        ),
    ]
}

#[test]
fn a_message_without_text_is_too_short_for_a_verdict() {
    let folder = with_store();
    let folder = folder.path();
    for (number, text) in silent_messages().iter().enumerate() {
        let name = format!("silent{number}.eml");
        std::fs::write(folder.join(&name), text).unwrap();
        let said = &lines(folder, &format!("mail check {name}"))[0];
        assert_eq!(
            (&said["verdict"], &said["seen"]),
            (&Value::from("short"), &Value::Null),
            "{text}"
        );
        let (out, output) = filtered(folder, "--exit-code", text.as_bytes());
        let expected = format!("X-Cento-Bulk: verdict=short\r\n{text}");
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(output.status.code(), Some(0));
        let marked = run(folder, &format!("mail mark bulk {name}"));
        let said = String::from_utf8(marked.stderr).unwrap();
        assert!(said.contains("too short to be told from"), "{said}");
    }
    let milter = Milter::start(folder);
    for text in silent_messages() {
        let replies = milter.answer(&text);
        assert!(
            replies.contains("hX-Cento-Bulk\0verdict=short\0"),
            "{replies}"
        );
    }
    // Nothing at all is no message.
    std::fs::write(folder.join("nothing.eml"), "").unwrap();
    let nothing = run(folder, "mail check nothing.eml");
    assert_eq!(nothing.status.code(), Some(2));
    let stats: Value = serde_json::from_str(&well(folder, "mail stats --json")).unwrap();
    assert_eq!(stats["counted"], 0);
}

#[test]
fn a_filter_without_a_store_hands_the_message_on() {
    let folder = with_store();
    let text = message(1, "a");
    let log = folder.path().join("mail-store/log/0000000001.log");
    let mut damaged = std::fs::read(&log).unwrap();
    damaged[20] ^= 1;
    std::fs::write(&log, damaged).unwrap();
    for flags in ["--store none", "", "--max-file-size 100"] {
        let (out, output) = filtered(folder.path(), flags, text.as_bytes());
        assert_eq!(String::from_utf8(out).unwrap(), text);
        assert_eq!(output.status.code(), Some(0));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("passed on without a verdict"), "{said}");
    }
}

#[test]
fn many_processes_count_together() {
    const PROCESSES: u64 = 12;
    let folder = with_store();
    let children: Vec<Child> = (0..PROCESSES)
        .map(|_| {
            let mut command = cento(folder.path(), "mail check a.eml b.eml --quiet");
            command.stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut counts = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            counts.push(line["seen"]["hour"].as_u64().unwrap());
        }
    }
    counts.sort_unstable();
    assert_eq!(counts, (0..2 * PROCESSES).collect::<Vec<_>>());
}

/// A milter that ends with the test.
struct Milter {
    child: Child,
    port: u16,
}

impl Milter {
    fn start(folder: &Path) -> Milter {
        let mut command = cento(
            folder,
            "mail milter --listen inet:0@127.0.0.1 --max-message 1MiB",
        );
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let port = line.strip_prefix("inet:").unwrap();
        let port = port.split('@').next().unwrap().parse().unwrap();
        Milter { child, port }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .unwrap();
        stream
    }

    /// The replies at the end of a message, as text.
    fn answer(&self, message: &str) -> String {
        let mut stream = self.connect();
        let (header, body) = message.split_once("\r\n\r\n").unwrap();
        let mut packets = packet(b"O\0\0\0\x06\0\0\x01\xff\0\x1f\xff\xff");
        for field in header.split("\r\n") {
            let (name, value) = field.split_once(": ").unwrap();
            packets.extend(packet(format!("L{name}\0{value}\0").as_bytes()));
        }
        packets.extend(packet(b"N"));
        packets.extend(packet(&[b"B", body.as_bytes()].concat()));
        packets.extend(packet(b"E"));
        packets.extend(packet(b"Q"));
        stream.write_all(&packets).unwrap();
        let mut replies = Vec::new();
        stream.read_to_end(&mut replies).unwrap();
        String::from_utf8_lossy(&replies).into_owned()
    }
}

impl Drop for Milter {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn packet(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap();
    [length.to_be_bytes().as_slice(), bytes].concat()
}

#[test]
fn a_milter_counts_and_is_killed_and_counts_on() {
    let folder = with_store();
    let folder = folder.path();
    for round in 0..3 {
        let milter = Milter::start(folder);
        let replies = milter.answer(&message(1, "a"));
        let expected = format!("hX-Cento-Bulk\0verdict={}", ["new", "seen", "seen"][round]);
        assert!(replies.contains(&expected), "{replies}");
        // The command line asks the process that has the store open.
        let asked = &lines(folder, "mail check b.eml")[0];
        assert_eq!(asked["seen"]["hour"], 2 * round + 1);
    }
    let asked = &lines(folder, "mail check b.eml --look")[0];
    assert_eq!(asked["seen"]["hour"], 6);
}

#[test]
fn hostile_packets_do_no_harm() {
    let folder = with_store();
    let milter = Milter::start(folder.path());
    let negotiate = packet(b"O\0\0\0\x06\0\0\x01\xff\0\x1f\xff\xff");
    let long = packet(&[b"B".to_vec(), vec![b'x'; 60_000]].concat());
    let mut state = 7u64;
    let mut hostile: Vec<Vec<u8>> = vec![
        b"\xff\xff\xff\xffB".to_vec(),
        vec![0; 64],
        packet(b"O\0"),
        packet(b"L"),
        packet(b"Lno end"),
        packet(b"Z"),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        [negotiate.clone(), packet(b"E"), packet(b"E")].concat(),
        // More than it takes of a message, and no end of it.
        [negotiate.clone(), long.repeat(40), packet(b"E")].concat(),
    ];
    for _ in 0..60 {
        let mut bytes = negotiate.clone();
        for _ in 0..40 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes.extend_from_slice(&state.to_be_bytes()[..5]);
        }
        hostile.push(bytes);
    }
    for bytes in hostile {
        // It may close the connection in the middle of this.
        let mut stream = milter.connect();
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let replies = milter.answer(&message(1, "a"));
    assert!(replies.contains("verdict=new"), "{replies}");
}

#[test]
fn mailboxes_and_maildirs_are_taken_apart() {
    let folder = with_store();
    let folder = folder.path();
    let mut mbox = String::new();
    for seed in 0..3 {
        let text = message(seed, "x").replace("\r\n", "\n");
        let _ = write!(mbox, "From x Mon Jan  1 10:00:00 2026\n{text}\n");
    }
    std::fs::write(folder.join("box"), mbox).unwrap();
    assert_eq!(lines(folder, "mail check box").len(), 3);
    for part in ["cur", "new", "tmp"] {
        std::fs::create_dir_all(folder.join("Maildir").join(part)).unwrap();
    }
    std::fs::write(folder.join("Maildir/new/1"), message(1, "y")).unwrap();
    std::fs::write(folder.join("Maildir/cur/2:2,S"), message(2, "y")).unwrap();
    let found = lines(folder, "mail check Maildir");
    let seen: Vec<&Value> = found.iter().map(|line| &line["seen"]["hour"]).collect();
    assert_eq!(seen, [1, 1]);
}
