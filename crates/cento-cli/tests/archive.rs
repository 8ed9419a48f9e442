//! `cento archive` as people use it: what is stored of versions and why, exact bytes back, and what
//! happens to broken or hostile input.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/numbers.rs"]
mod numbers;

use std::fmt::Write as _;
use std::path::Path;

use assert_cmd::Command;
use numbers::Numbers;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with an archive in it.
struct Case(TempDir);

struct Done {
    code: Option<i32>,
    printed: Vec<u8>,
    said: String,
}

impl Case {
    fn new() -> Case {
        let case = Case(tempfile::tempdir().unwrap());
        case.ok(&["init"]);
        case
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), bytes).unwrap();
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command
            .current_dir(self.path())
            .arg("archive")
            .args(arguments);
        command.env_remove("CENTO_ARCHIVE").write_stdin(input);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("panicked"), "{said}");
        Done {
            code: output.status.code(),
            printed: output.stdout,
            said,
        }
    }

    #[track_caller]
    fn ok(&self, arguments: &[&str]) -> String {
        String::from_utf8(self.bytes(arguments)).unwrap()
    }

    #[track_caller]
    fn bytes(&self, arguments: &[&str]) -> Vec<u8> {
        let done = self.run(arguments, b"");
        assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.said);
        done.printed
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments, b"");
        assert_eq!(done.code, Some(2), "{arguments:?}: {}", done.said);
        done.said
    }

    /// The objects that a command prints, one a line.
    #[track_caller]
    fn lines(&self, arguments: &[&str]) -> Vec<Value> {
        let text = self.ok(&[arguments, &["--json"]].concat());
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Adds a version from bytes; what is said of it.
    #[track_caller]
    fn add(&self, name: &str, bytes: impl AsRef<[u8]>, time: &str) -> Value {
        self.write("added", bytes);
        let mut all = self.lines(&["add", name, "added", "--time", time]);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }
}

/// A page of some hundred words; the number changes a few of them.
fn page(story: u64, comment: &str) -> String {
    let mut numbers = Numbers(story);
    let mut text = format!("<html><head><title>News</title></head><body>\n<!-- {comment} -->\n");
    for _ in 0..40 {
        text += "<p>";
        for _ in 0..25 {
            let _ = write!(text, "{} ", word(numbers.below(4000)));
        }
        text += "</p>\n";
    }
    text + "</body></html>\n"
}

fn word(number: u64) -> String {
    let syllables = [
        "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti",
    ];
    let mut rest = number + 13;
    let mut word = String::new();
    while rest > 0 {
        word += syllables[(rest % 13) as usize];
        rest /= 13;
    }
    word
}

#[test]
fn add_decides_and_says_why() {
    let case = Case::new();
    let first = page(1, "served by web1");
    let added = case.add("http://a.example/", &first, "2026-01-01");
    assert_eq!(added["kind"], "significant");
    assert_eq!(added["stored"], "whole");
    assert_eq!(added["version"], 1);

    let added = case.add("http://a.example/", &first, "2026-01-02");
    assert_eq!(added["kind"], "same");
    assert_eq!(added["stored"], "nothing");
    assert_eq!(added["bytes"], 0);
    assert_eq!(added["version"], 2);

    // The paper's case: a comment changes, and the patch is a small part of the page.
    let noise = page(1, "served by web2 in 300 ms");
    let added = case.add("http://a.example/", &noise, "2026-01-03");
    assert_eq!(added["kind"], "text");
    assert_eq!(added["stored"], "patch");
    assert!(
        added["bytes"].as_f64().unwrap() < 0.02 * noise.len() as f64,
        "{added}"
    );

    let edited = noise
        .replacen(&word(77), "badefi", 1)
        .replacen("<p>", "<p>today ", 1);
    let added = case.add("http://a.example/", &edited, "2026-01-04");
    assert_eq!(added["kind"], "insignificant");
    assert_eq!(added["stored"], "patch");

    let added = case.add("http://a.example/", page(2, "served by web1"), "2026-01-05");
    assert_eq!(added["kind"], "significant");
    assert_eq!(added["stored"], "whole");
    assert!(
        added["reason"]
            .as_str()
            .unwrap()
            .contains("another digest than version 1")
    );

    // Equal bytes are stored once, whatever they are called.
    let added = case.add("http://b.example/", &noise, "2026-01-05");
    assert_eq!(added["stored"], "nothing");
    assert!(
        added["reason"]
            .as_str()
            .unwrap()
            .contains("http://a.example/@3")
    );

    // The same capture again is no new version.
    let again = case.add("http://a.example/", &first, "2026-01-01");
    assert_eq!(
        (&again["new"], &again["version"]),
        (&Value::Bool(false), &Value::from(1))
    );
    let log = case.lines(&["log", "http://a.example/"]);
    assert_eq!(log.len(), 5);
    assert_eq!(log[2]["whole"], 1);
    assert_eq!(log[4]["whole"], 5);
    for (version, bytes) in [(1, &first), (2, &first), (3, &noise), (4, &edited)] {
        let name = format!("http://a.example/@{version}");
        assert_eq!(case.bytes(&["get", &name]), bytes.as_bytes());
    }
    assert!(case.ok(&["check"]).contains("all is well"));
}

#[test]
fn files_of_the_same_second_are_versions_of_their_own() {
    let case = Case::new();
    for (name, text) in [("a", "one text"), ("b", "another one"), ("c", "one text")] {
        case.write(name, text);
    }
    let line = ["add", "p", "a", "b", "c", "--time", "2026-01-01"];
    let kinds =
        |added: &[Value]| -> Vec<bool> { added.iter().map(|added| added["new"] == true).collect() };
    assert_eq!(kinds(&case.lines(&line)), [true, true, true]);
    assert_eq!(kinds(&case.lines(&line)), [false, false, false]);
    assert_eq!(case.lines(&["log", "p"]).len(), 3);
    assert_eq!(case.bytes(&["get", "p@3"]), b"one text");
}

#[test]
fn the_level_can_be_set() {
    let case = Case::new();
    let old = page(3, "x");
    // The longest words change, so the digest does.
    let new = old.replacen("<p>", "<p>extraordinarilylongword ", 1);
    case.add("p", &old, "2026-01-01");
    case.write("new", &new);
    let strict = [
        "add",
        "p",
        "new",
        "--time",
        "2026-01-02",
        "--level",
        "1",
        "--json",
    ];
    assert!(case.ok(&strict).contains("\"kind\":\"significant\""));
    let lax = ["add", "q", "added", "new", "--level", "0.9", "--json"];
    assert!(case.ok(&lax).contains("\"kind\":\"insignificant\""));
    let wrong = ["add", "q", "new", "--level", "1.5"];
    assert!(
        case.fails(&wrong)
            .contains("--level: 1.5 is not from 0 to 1")
    );
}

#[test]
fn a_chain_is_rebased_when_its_patches_have_grown() {
    let case = Case::new();
    let mut text = page(4, "x");
    // The digest stays: no other word is as long as these.
    let kept = "abcdefghijklmnopqrs bcdefghijklmnopqrst cdefghijklmnopqrstu defghijklmnopqrstuv efghijklmnopqrstuvw";
    text = text.replacen("<p>", &format!("<p>{kept} "), 1);
    case.add("p", &text, "2026-01-01");
    let mut rebased = None;
    for version in 2..40 {
        let lines: Vec<&str> = text.lines().collect();
        let (first, rest) = (&lines[..5], &lines[5..]);
        let mut rest: Vec<String> = rest.iter().map(|line| (*line).to_owned()).collect();
        rest[version] = page(100 + version as u64, "y")
            .lines()
            .nth(9)
            .unwrap()
            .to_owned();
        text = format!("{}\n{}\n", first.join("\n"), rest.join("\n"));
        let day = format!("2026-02-{:02}", version % 28 + 1);
        let added = case.add("p", &text, &day);
        assert_eq!(added["kind"], "insignificant", "{added}");
        if added["stored"] == "whole" {
            assert!(
                added["reason"]
                    .as_str()
                    .unwrap()
                    .contains("stored whole again")
            );
            rebased = Some(version as u64);
            break;
        }
    }
    let rebased = rebased.unwrap();
    assert!(rebased > 5);
    assert_eq!(case.lines(&["log", "p"]).last().unwrap()["whole"], rebased);
    assert_eq!(case.bytes(&["get", "p"]), text.as_bytes());
}

#[test]
fn many_versions_come_back_and_few_patches_lead_to_each() {
    let case = Case::new();
    let mut text = page(5, "0");
    let mut names = Vec::new();
    let mut all = Vec::new();
    for version in 0..150 {
        text = text.replacen(
            &format!("<!-- {version} -->"),
            &format!("<!-- {} -->", version + 1),
            1,
        );
        let name = format!("v{version:03}");
        case.write(&name, &text);
        names.push(name);
        all.push(text.clone());
    }
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let added = case.lines(&[&["add", "p"], files.as_slice()].concat());
    assert_eq!(added.len(), 150);
    for entry in case.lines(&["log", "p"]) {
        assert!(entry["patches"].as_u64().unwrap() <= 12, "{entry}");
    }
    for version in [1, 2, 3, 4, 5, 16, 17, 64, 100, 149, 150] {
        let bytes = case.bytes(&["get", &format!("p@{version}")]);
        assert_eq!(bytes, all[version - 1].as_bytes(), "{version}");
    }
    // Forgetting some loses nothing of the others.
    case.ok(&["forget", "p@1", "p@17", "p@64", "p@65"]);
    assert!(case.ok(&["check"]).contains("all is well"));
    for version in [2, 3, 16, 18, 63, 66, 100, 150] {
        let bytes = case.bytes(&["get", &format!("p@{version}")]);
        assert_eq!(bytes, all[version - 1].as_bytes(), "{version}");
    }
    assert!(
        case.fails(&["get", "p@64"])
            .contains("p has no version 64; its last one is 150")
    );
    let added = case.add(
        "p",
        "<p>Another text altogether, with nothing of it.</p>",
        "2026-05-05",
    );
    assert_eq!(added["version"], 151);
    case.ok(&["forget", "p"]);
    assert!(
        case.fails(&["log", "p"])
            .contains("`cento archive log` lists them")
    );
    assert!(
        case.ok(&["check"])
            .starts_with("0 versions and 0 payloads checked")
    );
    assert_eq!(case.ok(&["log"]), "");
}

fn warc(records: &[(&str, &str, &str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (kind, address, more, block) in records {
        let head = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\n{more}\
             WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{:012}>\r\nContent-Length: {}\r\n\r\n",
            bytes.len(),
            block.len()
        );
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(block);
        bytes.extend_from_slice(b"\r\n\r\n");
    }
    bytes
}

const HTTP: &str = "Content-Type: application/http; msgtype=response\r\n";

fn response(head: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{head}\r\n").as_bytes(), body].concat()
}

#[test]
fn web_archives_go_in_and_out() {
    use std::io::Write as _;
    let case = Case::new();
    let text = page(6, "x");
    let chunked = format!("{:x}\r\n{text}\r\n0\r\n\r\n", text.len());
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let first = format!("WARC-Date: 2026-01-01T00:00:00Z\r\n{HTTP}");
    let second = format!("WARC-Date: 2026-01-02T00:00:00Z\r\n{HTTP}");
    let refers = "WARC-Date: 2026-01-03T00:00:00Z\r\nWARC-Refers-To-Target-URI: http://a/1\r\n\
                  WARC-Refers-To-Date: 2026-01-01T00:00:00Z\r\n";
    let unknown = "WARC-Date: 2026-01-03T00:00:00Z\r\n\
                   WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n";
    let one = response("Transfer-Encoding: chunked\r\n", chunked.as_bytes());
    let two = response("Content-Encoding: gzip\r\n", &packed);
    let head = response("", b"");
    let bytes = warc(&[
        (
            "warcinfo",
            "",
            "WARC-Date: 2026-01-01T00:00:00Z\r\n",
            b"software: x\r\n",
        ),
        ("response", "http://A/1", &first, &one),
        ("response", "http://b/2", &second, &two),
        ("revisit", "http://a/3", &format!("{refers}{HTTP}"), &head),
        ("revisit", "http://a/4", &format!("{unknown}{HTTP}"), &head),
        (
            "resource",
            "http://a/5",
            "WARC-Date: 2026-01-04T00:00:00Z\r\n",
            b"a short text",
        ),
        ("request", "http://a/1", &first, b"GET / HTTP/1.1\r\n\r\n"),
    ]);
    case.write("in.warc", &bytes);
    let done = case.run(&["add", "in.warc", "--json"], b"");
    assert_eq!(done.code, Some(0), "{}", done.said);
    let said = &done.said;
    assert!(
        said.contains("http://a/4 skipped: a record of a revisit"),
        "{said}"
    );
    assert!(said.contains("4 versions added, 1 skipped"), "{said}");
    // The page is one, however it was transferred.
    for name in ["http://a/1", "http://b/2", "http://a/3"] {
        assert_eq!(case.bytes(&["get", name]), text.as_bytes(), "{name}");
    }
    assert_eq!(case.bytes(&["get", "http://b/2", "--transferred"]), packed);
    assert_eq!(
        case.bytes(&["get", "http://a/1", "--transferred"]),
        chunked.as_bytes()
    );
    assert_eq!(
        case.lines(&["log", "http://a/3"])[0]["time"],
        "2026-01-03T00:00:00Z"
    );

    for name in ["out.warc.gz", "out.warc"] {
        case.ok(&["export", "-o", name]);
        let other = Case::new();
        let out = std::fs::read(case.path().join(name)).unwrap();
        if name.ends_with("warc") {
            let text = String::from_utf8_lossy(&out).into_owned();
            assert!(text.contains("WARC-Type: revisit"), "{text}");
            assert!(
                text.contains("WARC-Refers-To-Target-URI: http://A/1"),
                "{text}"
            );
            let find = |block: &[u8]| out.windows(block.len()).any(|window| window == block);
            assert!(find(&one) && find(&two));
        }
        other.write(name, &out);
        let done = other.run(&["add", name], b"");
        assert!(done.said.contains("4 versions added\n"), "{}", done.said);
        for page in ["http://a/1", "http://b/2", "http://a/3", "http://a/5"] {
            let [here, there] = [&case, &other].map(|it| it.bytes(&["get", page, "--transferred"]));
            assert_eq!(here, there);
            let [here, there] = [&case, &other].map(|it| it.lines(&["log", page]));
            assert_eq!(here[0]["time"], there[0]["time"]);
        }
        assert!(other.ok(&["check"]).contains("all is well"));
    }
    // Only the records of one page, from a web archive or from standard input.
    let other = Case::new();
    let done = other.run(&["add", "http://a/5", "-"], &bytes);
    assert!(done.said.contains("1 version added"), "{}", done.said);
    let done = other.run(&["add", "http://nowhere/", "-"], &bytes);
    assert!(
        done.said.contains("there is no record of http://nowhere/"),
        "{}",
        done.said
    );
}

#[test]
fn a_digest_finds_what_a_revisit_refers_to() {
    let case = Case::new();
    let first = format!("WARC-Date: 2026-01-01T00:00:00Z\r\n{HTTP}");
    // SHA-1 of "abc".
    let later = format!(
        "WARC-Date: 2026-01-02T00:00:00Z\r\n\
         WARC-Payload-Digest: sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5\r\n{HTTP}"
    );
    case.write(
        "in.warc",
        warc(&[
            ("response", "http://a/1", &first, &response("", b"abc")),
            ("revisit", "http://other/", &later, &response("", b"")),
        ]),
    );
    case.ok(&["add", "in.warc"]);
    assert_eq!(case.bytes(&["get", "http://other/"]), b"abc");
}

#[test]
fn odd_names_and_bytes() {
    let case = Case::new();
    for (name, bytes) in [
        ("a@5", &b"one"[..]),
        ("../../etc/passwd", b"two"),
        ("two\nlines", b"three"),
        ("empty", b""),
        ("binary", b"\x00\xff\xfe\x01"),
        ("http://user@Host/p@th", b"four"),
    ] {
        case.write("file", bytes);
        case.ok(&["add", name, "file"]);
        assert_eq!(case.bytes(&["get", name]), bytes, "{name}");
        assert_eq!(case.bytes(&["get", &format!("{name}@1")]), bytes, "{name}");
    }
    let log = case.ok(&["log"]);
    assert!(log.contains("two\\nlines"), "{log}");
    case.ok(&["export", "-o", "all.warc"]);
    let other = Case::new();
    std::fs::copy(case.path().join("all.warc"), other.path().join("all.warc")).unwrap();
    other.ok(&["add", "all.warc"]);
    assert_eq!(other.bytes(&["get", "two\nlines"]), b"three");
    assert_eq!(other.bytes(&["get", "../../etc/passwd"]), b"two");
    assert!(
        case.fails(&["add", " ", "file"])
            .contains("a page needs a name")
    );
    assert!(
        case.fails(&["add", "file"])
            .contains("give the name or the address")
    );
    assert!(
        case.fails(&["add", "nothing.html"])
            .contains("no such file")
    );
    assert!(
        case.fails(&["add", "p", "missing.html"])
            .contains("missing.html")
    );
    assert!(
        case.fails(&["get", "unknown"])
            .contains("unknown: the archive has no page")
    );
    assert!(
        case.fails(&["add", "p", "file", "--time", "soon"])
            .contains("--time: soon is not a time")
    );
}

#[test]
fn broken_web_archives_are_read_as_far_as_they_go() {
    let case = Case::new();
    let date = "WARC-Date: 2026-01-01T00:00:00Z\r\n";
    let good = warc(&[("resource", "http://a/", date, b"the first page")]);
    let cut = [good.as_slice(), &good[..good.len() - 9]].concat();
    case.write("cut.warc", cut);
    let done = case.run(&["add", "cut.warc"], b"");
    assert!(
        done.said.contains("should have 14 bytes and has 9"),
        "{}",
        done.said
    );
    assert_eq!(case.bytes(&["get", "http://a/"]), b"the first page");
    let undated = warc(&[
        ("resource", "http://b/", "", b"x"),
        ("resource", "", date, b"y"),
    ]);
    case.write("odd.warc", undated);
    let said = case.fails(&["add", "odd.warc"]);
    assert!(
        said.contains("odd.warc: http://b/ skipped: its WARC-Date is not a time"),
        "{said}"
    );
    assert!(
        said.contains("odd.warc skipped: a record without an address"),
        "{said}"
    );
}

/// A record that says how long it is, rightly or not.
fn record(address: Option<&str>, length: &str, block: &[u8]) -> Vec<u8> {
    let address = address.map_or(String::new(), |it| format!("WARC-Target-URI: {it}\r\n"));
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\n{address}WARC-Date: 2026-01-01T00:00:00Z\r\n{HTTP}\
         Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

#[test]
fn hostile_records_do_no_harm() {
    use std::io::Write as _;
    let body = response("", b"<p>a page that is as it should be</p>");
    let length = body.len().to_string();
    let good = record(Some("http://good/"), &length, &body);
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(&vec![b'x'; 30 << 20]).unwrap();
    let bomb = response("Content-Encoding: gzip\r\n", &bomb.finish().unwrap());
    let bomb_length = bomb.len().to_string();
    let chunks = response("Transfer-Encoding: chunked\r\n", b"zz\r\nabc");
    let chunks_length = chunks.len().to_string();
    // What comes before the sound record, what is said, and whether that is still found.
    for (hostile, said, is_found) in [
        (
            record(None, &length, &body),
            "in.warc skipped: a record without an address",
            true,
        ),
        (
            record(Some("http://long/"), "99999999999999", &body),
            "the record of http://long/ is larger than 1 GiB",
            false,
        ),
        (
            record(Some("http://none/"), "-5", &body),
            "a record does not say how long it is",
            false,
        ),
        (
            record(Some("http://short/"), "20", &body),
            "damaged web archive",
            false,
        ),
        // Whoever packs zeros to a thousandth of their size gets them back packed.
        (
            record(Some("http://bomb/"), &bomb_length, &bomb),
            "2 versions added",
            true,
        ),
        (
            record(Some("http://chunks/"), &chunks_length, &chunks),
            "2 versions added",
            true,
        ),
        (
            [good.clone(), good.clone()].concat(),
            "1 version added, 2 there already",
            true,
        ),
        (
            [
                b"WARC/1.0\r\n".to_vec(),
                vec![0xff; 5000],
                b"\r\n\r\n".to_vec(),
            ]
            .concat(),
            "a record does not say how long it is",
            false,
        ),
    ] {
        let case = Case::new();
        case.write("in.warc", [hostile, good.clone()].concat());
        let done = case.run(&["add", "in.warc"], b"");
        assert!(done.said.contains(said), "{said}: {}", done.said);
        let got = case.run(&["get", "http://good/"], b"");
        assert_eq!(got.code, Some(if is_found { 0 } else { 2 }), "{said}");
        assert!(case.ok(&["check"]).contains("all is well"), "{said}");
    }
    let case = Case::new();
    case.write(
        "bomb.warc",
        record(Some("http://bomb/"), &bomb_length, &bomb),
    );
    let added = &case.lines(&["add", "bomb.warc"])[0];
    assert!(added["length"].as_u64().unwrap() < 100_000, "{added}");
}

#[test]
fn bytes_that_several_pages_have_stay_until_the_last_of_them_is_forgotten() {
    let case = Case::new();
    let (first, edited) = (page(8, "x"), page(8, "y"));
    for name in ["one", "two"] {
        case.add(name, &first, "2026-01-01");
        case.add(name, &edited, "2026-01-02");
    }
    let stats = case.ok(&["stats"]);
    assert!(
        stats.contains("1 whole") && stats.contains("1 as patch"),
        "{stats}"
    );
    case.ok(&["forget", "one"]);
    assert_eq!(case.bytes(&["get", "two@1"]), first.as_bytes());
    assert_eq!(case.bytes(&["get", "two@2"]), edited.as_bytes());
    // The whole goes, and the patch against it becomes whole.
    case.ok(&["forget", "two@1"]);
    assert_eq!(case.bytes(&["get", "two@2"]), edited.as_bytes());
    assert!(
        case.fails(&["get", "two@1"])
            .contains("two has no version 1")
    );
    assert!(case.ok(&["check"]).contains("all is well"));
    case.ok(&["forget", "two"]);
    assert!(
        case.ok(&["check"])
            .starts_with("0 versions and 0 payloads checked")
    );
}

#[test]
fn the_number_of_a_forgotten_version_is_not_given_again() {
    let case = Case::new();
    let number =
        |story, name: &str| case.add(name, page(story, "x"), "2026-01-01")["version"].clone();
    for story in [1, 2, 3] {
        number(story, "http://a.example/");
    }
    case.ok(&["forget", "http://a.example/@3"]);
    assert_eq!(number(4, "http://a.example/"), 4);
    case.ok(&["forget", "http://a.example/@4", "http://a.example/@1"]);
    case.ok(&["forget", "http://a.example/@2"]);
    assert_eq!(case.ok(&["log"]), "");
    assert_eq!(number(1, "http://a.example/"), 5);
    case.ok(&["forget", "http://a.example/"]);
    // Forgetting an earlier one does not lower what is known of later ones.
    for expected in [6, 7, 8] {
        assert_eq!(number(expected, "http://a.example/"), expected);
    }
    case.ok(&["forget", "http://a.example/@8"]);
    case.ok(&["forget", "http://a.example/@6"]);
    assert_eq!(number(9, "http://a.example/"), 9);
    // Other pages count for themselves.
    assert_eq!(number(9, "other"), 1);
    assert!(case.ok(&["check"]).contains("all is well"));
}

#[test]
fn the_name_of_a_forgotten_page_is_not_kept() {
    let case = Case::new();
    case.add("http://secret.example/", page(1, "x"), "2026-01-01");
    case.ok(&["forget", "http://secret.example/"]);
    let kept = std::fs::read(case.path().join("archive/catalog.sqlite")).unwrap();
    assert!(!kept.windows(14).any(|bytes| bytes == b"secret.example"));
}

#[test]
fn an_archive_of_an_earlier_program_is_read_and_written() {
    let case = Case::new();
    case.add("p", page(1, "x"), "2026-01-01");
    case.add("p", page(2, "x"), "2026-01-02");
    let open = || rusqlite::Connection::open(case.path().join("archive/catalog.sqlite")).unwrap();
    let sql = "DROP TABLE forgotten; PRAGMA user_version = 1";
    open().execute_batch(sql).unwrap();
    assert_eq!(case.lines(&["log", "p"]).len(), 2);
    assert!(case.ok(&["check"]).contains("all is well"));
    let version = || -> i64 {
        let version = open().pragma_query_value(None, "user_version", |row| row.get(0));
        version.unwrap()
    };
    // Readers leave it as it is.
    assert_eq!(version(), 1);
    case.ok(&["forget", "p@2"]);
    assert_eq!(version(), 2);
    assert_eq!(case.add("p", page(3, "x"), "2026-01-03")["version"], 3);
    assert!(case.ok(&["check"]).contains("all is well"));
    open()
        .execute("UPDATE forgotten SET version = 1", [])
        .unwrap();
    let done = case.run(&["check"], b"");
    assert_eq!(done.code, Some(2));
    let printed = String::from_utf8(done.printed).unwrap();
    assert!(
        printed.contains("what is known of forgotten versions is damaged"),
        "{printed}"
    );
    case.write("file", page(4, "x"));
    assert!(
        case.fails(&["add", "p", "file"])
            .contains("what is known of forgotten versions of p is damaged")
    );
}

#[test]
fn several_writers_at_once_lose_nothing() {
    let case = Case::new();
    let names: Vec<String> = (0..6).map(|number| format!("page {number}")).collect();
    std::thread::scope(|scope| {
        for (number, name) in names.iter().enumerate() {
            let case = &case;
            scope.spawn(move || {
                let file = format!("file {number}");
                case.write(&file, page(20 + number as u64, "x"));
                // Whoever comes while another writes is told so, and tries again.
                loop {
                    let done = case.run(&["add", name, &file], b"");
                    if done.code == Some(0) {
                        return;
                    }
                    assert!(done.said.contains("one writer at a time"), "{}", done.said);
                }
            });
        }
    });
    for (number, name) in names.iter().enumerate() {
        let bytes = case.bytes(&["get", name]);
        assert_eq!(bytes, page(20 + number as u64, "x").as_bytes());
        assert_eq!(case.lines(&["log", name]).len(), 1);
    }
    assert!(case.ok(&["check"]).contains("all is well"));
}

#[test]
fn what_is_exported_is_the_same_in_another_archive() {
    let case = Case::new();
    let mut text = page(9, "0");
    for version in 0..12 {
        case.add(
            "http://a.example/",
            &text,
            &format!("2026-01-{:02}", version + 1),
        );
        text = match version {
            4 => page(10, "0"),
            7 => text,
            _ => text.replacen("<p>", &format!("<p>{} ", word(version)), 1),
        };
    }
    case.add("other name", &text, "2026-02-01");
    case.ok(&["export", "-o", "all.warc.gz"]);
    let other = Case::new();
    std::fs::copy(
        case.path().join("all.warc.gz"),
        other.path().join("in.warc.gz"),
    )
    .unwrap();
    other.ok(&["add", "in.warc.gz"]);
    for name in ["http://a.example/", "other name"] {
        let what = |case: &Case| -> Vec<Vec<Value>> {
            let fields = [
                "version",
                "time",
                "kind",
                "similarity",
                "digest",
                "sha256",
                "whole",
            ];
            let entries = case.lines(&["log", name]).into_iter();
            entries
                .map(|entry| fields.map(|field| entry[field].clone()).to_vec())
                .collect()
        };
        assert_eq!(what(&case), what(&other), "{name}");
    }
    other.ok(&["export", "-o", "again.warc.gz"]);
    let [one, two] = [(&case, "all.warc.gz"), (&other, "again.warc.gz")]
        .map(|(case, name)| std::fs::read(case.path().join(name)).unwrap());
    assert_eq!(one, two);
}

#[test]
fn damage_is_found_and_named() {
    let case = Case::new();
    case.add("p", page(7, "x"), "2026-01-01");
    case.add("p", page(7, "y"), "2026-01-02");
    let open = || rusqlite::Connection::open(case.path().join("archive/catalog.sqlite")).unwrap();
    let sql = "UPDATE payloads SET packed = CAST(substr(packed, 1, 40) || x'00' || substr(packed, 42) AS BLOB) \
               WHERE id = 1";
    open().execute(sql, []).unwrap();
    let done = case.run(&["check"], b"");
    assert_eq!(done.code, Some(2));
    let printed = String::from_utf8(done.printed).unwrap();
    assert!(
        printed.contains("fault: p@1: it cannot be given back"),
        "{printed}"
    );
    assert!(
        printed.contains("fault: p@2: it cannot be given back"),
        "{printed}"
    );
    assert!(case.fails(&["get", "p@1"]).contains("payload 1 is damaged"));

    let case = Case::new();
    case.add("p", page(7, "x"), "2026-01-01");
    let open = || rusqlite::Connection::open(case.path().join("archive/catalog.sqlite")).unwrap();
    open()
        .execute("UPDATE versions SET time = time + 1", [])
        .unwrap();
    let printed = String::from_utf8(case.run(&["check"], b"").printed).unwrap();
    assert!(
        printed.contains("p@1: its entry does not have its checksum"),
        "{printed}"
    );

    open().pragma_update(None, "user_version", 9).unwrap();
    let said = case.fails(&["log"]);
    assert!(said.contains("a newer Cento made this archive"), "{said}");
    assert!(
        case.fails(&["log", "--archive", "none"])
            .contains("`cento archive init` makes one")
    );
}

#[test]
fn one_writer_at_a_time() {
    let case = Case::new();
    let file = std::fs::File::options()
        .read(true)
        .write(true)
        .open(case.path().join("archive/lock"))
        .unwrap();
    file.lock().unwrap();
    case.write("file", "text");
    let said = case.fails(&["add", "p", "file"]);
    assert!(said.contains("is writing to it"), "{said}");
    // Readers do not mind.
    case.ok(&["log"]);
}

#[test]
fn differences_as_text_and_as_a_page() {
    let case = Case::new();
    case.add(
        "p",
        "<p>The council met in the old hall on Monday evening.</p>",
        "2026-01-01",
    );
    case.add(
        "p",
        "<p>The council met in the new hall on Monday evening.</p>",
        "2026-01-02",
    );
    let text = case.ok(&["diff", "p@1", "p@2"]);
    assert!(text.contains("[-old-] {+new+} hall"), "{text}");
    assert!(text.contains("1 word removed, 1 added, 0 moved"), "{text}");
    assert_eq!(case.ok(&["diff", "p@1", "2"]), text);
    case.ok(&["diff", "p@1", "2", "--html", "changes.html"]);
    let page = std::fs::read_to_string(case.path().join("changes.html")).unwrap();
    assert!(page.contains("<del>old </del><ins>new </ins>"), "{page}");
}
