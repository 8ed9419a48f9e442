//! Web archives go into `cento archive` and come out of it; broken and hostile ones do no harm.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/archive.rs"]
mod archive;

use archive::{Case, page, word};
use serde_json::Value;

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
    // What adding says of a page is what the log says of it; headers are told apart.
    let first = done.printed.split(|byte| *byte == b'\n').next().unwrap();
    let added: Value = serde_json::from_slice(first).unwrap();
    let logged = &case.lines(&["log", "http://a/1"])[0];
    assert_eq!(added["bytes"], logged["stored"]);
    assert!(added["headers"].as_u64().unwrap() > 0, "{added}");
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

#[test]
fn other_bytes_than_a_record_was_written_with_are_told() {
    let case = Case::new();
    // Of "abc", and the same in other digits.
    for (number, digest) in [
        "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
        "SHA256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "md5:00",
        "sha1:neither",
    ]
    .into_iter()
    .enumerate()
    {
        let date = format!("WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Block-Digest: {digest}\r\n");
        let (good, bad) = (
            format!("http://{number}/good"),
            format!("http://{number}/bad"),
        );
        case.write(
            "in.warc",
            warc(&[
                ("resource", &good, &date, b"abc"),
                ("resource", &bad, &date, b"abd"),
            ]),
        );
        let done = case.run(&["add", "in.warc"], b"");
        let is_known = number < 2;
        assert!(!done.said.contains("good"), "{}", done.said);
        assert_eq!(
            done.said.contains(&format!("{bad}@1: the record has")),
            is_known,
            "{}",
            done.said
        );
        // It is kept, so that whoever has another copy can tell what was changed.
        assert_eq!(case.bytes(&["get", &bad]), b"abd");
    }
}

#[test]
fn bodies_in_zstd_are_unpacked() {
    // "abc" in a block as it is.
    let packed = [
        0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x19, 0, 0, b'a', b'b', b'c',
    ];
    let case = Case::new();
    let date = format!("WARC-Date: 2026-01-01T00:00:00Z\r\n{HTTP}");
    let zstd = response("Content-Encoding: zstd\r\n", &packed);
    // Some archives keep the header and undo what it says.
    let undone = response("Content-Encoding: zstd\r\n", b"abc");
    case.write(
        "in.warc",
        warc(&[
            ("response", "http://a/", &date, &zstd),
            ("response", "http://b/", &date, &undone),
        ]),
    );
    case.ok(&["add", "in.warc"]);
    for name in ["http://a/", "http://b/"] {
        assert_eq!(case.bytes(&["get", name]), b"abc");
    }
    assert_eq!(case.bytes(&["get", "http://a/", "--transferred"]), packed);
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
