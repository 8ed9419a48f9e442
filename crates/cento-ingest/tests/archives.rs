//! Archives as people and attackers make them: what is in them is found, and nothing else happens.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod pack;

use std::fs;
use std::io::Write as _;
use std::path::Path;

use cento_ingest::{Error, Finding, Limit, Limits, Options, Readers, find};
use pack::{Entry, tar, zip};

fn found(path: &Path, options: &Options) -> (Finding, Readers) {
    let readers = Readers::new(options);
    (
        find(&[path.to_path_buf()], options, &readers).unwrap(),
        readers,
    )
}

fn ids(finding: &Finding) -> Vec<&str> {
    finding
        .documents
        .iter()
        .map(|source| source.id.as_str())
        .collect()
}

/// Why something was skipped.
#[track_caller]
fn error<'f>(finding: &'f Finding, id: &str) -> &'f Error {
    let found = finding.skipped.iter().find(|skipped| skipped.id == id);
    &found
        .unwrap_or_else(|| panic!("{id} is not among {:?}", finding.skipped))
        .error
}

#[track_caller]
fn reason(finding: &Finding, id: &str) -> String {
    error(finding, id).to_string()
}

/// The error of a limit.
fn reached(limit: Limit, message: &str) -> Error {
    Error::Limit {
        limit,
        message: message.to_owned(),
    }
}

fn limits(change: impl FnOnce(&mut Limits)) -> Options {
    let mut options = Options::default();
    change(&mut options.reading.limits);
    options
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

#[test]
fn members_are_documents_in_every_packing() {
    let root = tempfile::tempdir().unwrap();
    let text = b"A text that was compressed.\n";
    let inner = tar(&[
        Entry::File("folder/b.txt", text),
        Entry::File("c.md", b"# Three"),
    ]);
    fs::write(
        root.path().join("a.zip"),
        zip(&[("x/a.txt", text), ("b.tar", &inner)]),
    )
    .unwrap();
    fs::write(root.path().join("c.tar"), &inner).unwrap();
    fs::write(root.path().join("d.tar.gz"), gzip(&inner)).unwrap();
    fs::write(root.path().join("e.txt.gz"), gzip(text)).unwrap();
    let bzip2 = bzip2::read::BzEncoder::new(&text[..], bzip2::Compression::fast());
    let bzip2: Vec<u8> = std::io::Read::bytes(bzip2).map(Result::unwrap).collect();
    fs::write(root.path().join("f.txt.bz2"), bzip2).unwrap();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zstd = ruzstd::encoding::compress_to_vec(&text[..], level);
    // Two frames, and one to skip between them.
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0], &b"abc"[..]].concat();
    fs::write(
        root.path().join("g.txt.zst"),
        [&zstd[..], &skipped, &zstd].concat(),
    )
    .unwrap();
    fs::write(root.path().join("h.txt.xz"), pack::XZ).unwrap();
    let (finding, readers) = found(root.path(), &Options::default());
    assert_eq!(finding.skipped, []);
    assert_eq!(
        ids(&finding),
        [
            "a.zip/b.tar/c.md",
            "a.zip/b.tar/folder/b.txt",
            "a.zip/x/a.txt",
            "c.tar/c.md",
            "c.tar/folder/b.txt",
            "d.tar.gz/c.md",
            "d.tar.gz/folder/b.txt",
            "e.txt.gz",
            "f.txt.bz2",
            "g.txt.zst",
            "h.txt.xz",
        ]
    );
    // Backwards, so that what was streamed past must be opened again.
    for source in finding.documents.iter().rev() {
        let document = readers.read(source).unwrap();
        let expected = match source.id.as_str() {
            id if id.ends_with("/c.md") => "# Three".to_owned(),
            "g.txt.zst" => String::from_utf8_lossy(text).repeat(2),
            _ => String::from_utf8_lossy(text).into_owned(),
        };
        assert_eq!(document.content, expected, "{}", source.id);
        assert_eq!(document.warnings, [""; 0], "{}", source.id);
    }
}

#[test]
fn names_and_links_lead_nowhere() {
    let root = tempfile::tempdir().unwrap();
    let text = b"harmless words";
    let folder = root.path().join("in");
    fs::create_dir(&folder).unwrap();
    let names = [
        "../../outside.txt",
        "/absolute.txt",
        "C:\\drive.txt",
        "plain.txt",
    ];
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &text[..])).collect();
    fs::write(folder.join("a.zip"), zip(&members)).unwrap();
    let entries = [
        Entry::File("../../outside.txt", text),
        Entry::Link("link.txt", "/etc/passwd"),
        Entry::File("link.txt/below", text),
        Entry::Device("device"),
        Entry::File("plain.txt", text),
        Entry::File("plain.txt", b"the same name again"),
    ];
    fs::write(folder.join("b.tar"), tar(&entries)).unwrap();
    let (finding, readers) = found(&folder, &Options::default());
    assert_eq!(
        ids(&finding),
        [
            "a.zip/absolute.txt",
            "a.zip/drive.txt",
            "a.zip/outside.txt",
            "a.zip/plain.txt",
            "b.tar/link.txt/below",
            "b.tar/outside.txt",
            "b.tar/plain.txt",
            "b.tar/plain.txt (2)",
        ]
    );
    assert_eq!(
        reason(&finding, "b.tar/link.txt"),
        "link to `/etc/passwd` in an archive, not followed"
    );
    assert_eq!(reason(&finding, "b.tar/device"), "not a regular file");
    let warnings = |id: &str| {
        let source = finding
            .documents
            .iter()
            .find(|source| source.id == id)
            .unwrap();
        readers.read(source).unwrap().warnings
    };
    assert!(warnings("a.zip/outside.txt")[0].contains("`../../outside.txt`"));
    assert!(warnings("b.tar/outside.txt")[0].contains("leads outside"));
    assert_eq!(warnings("a.zip/plain.txt"), [""; 0]);
    // Nothing but the archives is on the disk.
    let on_disk: Vec<_> = walk(root.path());
    assert_eq!(on_disk.len(), 2, "{on_disk:?}");
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn bombs_do_not_go_off() {
    let root = tempfile::tempdir().unwrap();
    let zeros = vec![b'a'; 40 << 20];
    fs::write(
        root.path().join("bomb.zip"),
        zip(&[("a.txt", &zeros), ("b.txt", b"small")]),
    )
    .unwrap();
    fs::write(root.path().join("bomb.txt.gz"), gzip(&zeros)).unwrap();
    let honest = limits(|limits| limits.ratio = 2000);
    let (finding, readers) = found(root.path(), &honest);
    assert_eq!(
        ids(&finding),
        ["bomb.txt.gz", "bomb.zip/a.txt", "bomb.zip/b.txt"]
    );
    assert_eq!(
        readers.read(&finding.documents[0]).unwrap().content.len(),
        zeros.len()
    );

    let (finding, readers) = found(root.path(), &limits(|limits| limits.ratio = 100));
    let expected = reached(Limit::Ratio, "unpacks to more than 100 times its size");
    assert_eq!(*error(&finding, "bomb.zip/a.txt"), expected);
    let gzip = finding
        .documents
        .iter()
        .find(|source| source.id == "bomb.txt.gz")
        .unwrap();
    assert_eq!(readers.read(gzip).unwrap_err(), expected);

    let small = limits(|limits| (limits.file_size, limits.ratio) = (1 << 20, 2000));
    let (finding, readers) = found(root.path(), &small);
    let expected = reached(Limit::FileSize, "larger than 1 MiB");
    assert_eq!(*error(&finding, "bomb.zip/a.txt"), expected);
    let gzip = finding
        .documents
        .iter()
        .find(|source| source.id == "bomb.txt.gz")
        .unwrap();
    assert_eq!(readers.read(gzip).unwrap_err(), expected);
}

#[test]
fn nesting_and_entries_have_limits() {
    let root = tempfile::tempdir().unwrap();
    let mut nested = zip(&[("deep.txt", b"deep words")]);
    for _ in 0..3 {
        nested = zip(&[("in.zip", &nested), ("beside.txt", b"words beside")]);
    }
    fs::write(root.path().join("a.zip"), &nested).unwrap();
    let (finding, _) = found(root.path(), &Options::default());
    assert_eq!(
        ids(&finding),
        [
            "a.zip/beside.txt",
            "a.zip/in.zip/beside.txt",
            "a.zip/in.zip/in.zip/beside.txt"
        ]
    );
    assert_eq!(
        *error(&finding, "a.zip/in.zip/in.zip/in.zip"),
        reached(Limit::Nesting, "nested in more than 3 archives")
    );
    let (finding, readers) = found(root.path(), &limits(|limits| limits.nesting = 4));
    assert_eq!(finding.documents.len(), 4);
    let deep = finding
        .documents
        .iter()
        .find(|source| source.id.ends_with("deep.txt"))
        .unwrap();
    assert_eq!(readers.read(deep).unwrap().content, "deep words");

    let names: Vec<String> = (0..20).map(|number| format!("{number}.txt")).collect();
    let members: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), &b"x"[..]))
        .collect();
    fs::write(root.path().join("a.zip"), zip(&members)).unwrap();
    let (finding, _) = found(root.path(), &limits(|limits| limits.entries = 12));
    assert_eq!(finding.documents.len(), 12);
    let expected = "has more than 12 entries; the rest is not read";
    assert_eq!(*error(&finding, "a.zip"), reached(Limit::Entries, expected));
}

#[test]
fn passwords_lies_and_damage_are_told() {
    let root = tempfile::tempdir().unwrap();
    let text = "words ".repeat(1000);
    let whole = zip(&[("a.txt", text.as_bytes())]);
    let patched = |at: &[u8], offset: usize, bytes: &[u8]| {
        let mut patched = whole.clone();
        let starts: Vec<usize> = (0..whole.len())
            .filter(|&i| whole[i..].starts_with(at))
            .collect();
        let start = *starts.last().unwrap();
        patched[start + offset..start + offset + bytes.len()].copy_from_slice(bytes);
        patched
    };
    // The mark of a password is bit 0 of the flags; the size is a few bytes on.
    fs::write(
        root.path().join("locked.zip"),
        patched(b"PK\x01\x02", 8, &[1]),
    )
    .unwrap();
    fs::write(
        root.path().join("liar.zip"),
        patched(b"PK\x01\x02", 24, &[9, 0, 0, 0]),
    )
    .unwrap();
    fs::write(root.path().join("cut.zip"), &whole[..whole.len() / 2]).unwrap();
    let cut_tar = tar(&[
        Entry::File("a.txt", b"first"),
        Entry::File("b.txt", text.as_bytes()),
    ]);
    fs::write(root.path().join("cut.tar"), &cut_tar[..2048]).unwrap();
    let cut_gzip = gzip(text.as_bytes());
    fs::write(
        root.path().join("cut.txt.gz"),
        &cut_gzip[..cut_gzip.len() - 9],
    )
    .unwrap();
    let (finding, readers) = found(root.path(), &Options::default());
    assert_eq!(
        reason(&finding, "locked.zip/a.txt"),
        "encrypted: remove the password first"
    );
    assert!(reason(&finding, "cut.zip").starts_with("damaged zip archive"));
    let read = |id: &str| {
        let source = finding
            .documents
            .iter()
            .find(|source| source.id == id)
            .unwrap();
        readers.read(source)
    };
    assert_eq!(read("cut.tar/a.txt").unwrap().content, "first");
    let cut = read("cut.tar/b.txt").unwrap();
    assert!(
        cut.warnings[0].contains("read up to that point"),
        "{:?}",
        cut.warnings
    );
    assert!(text.starts_with(&cut.content) && !cut.content.is_empty());
    let cut = read("cut.txt.gz").unwrap();
    assert!(
        cut.warnings[0].contains("read up to that point"),
        "{:?}",
        cut.warnings
    );
    // Where the stated size is not the real one, nothing is read, and that is told.
    let lie = reason(&finding, "liar.zip/a.txt");
    assert!(lie.contains("damaged"), "{lie}");
}

#[test]
fn mailboxes_and_web_archives_are_taken_apart() {
    let root = tempfile::tempdir().unwrap();
    let message = |number: u32| {
        format!(
            "From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nTo: b@example.org\n\
             Subject: Number {number}\nMessage-ID: <{number}@example.org>\n\nBody {number}.\n\n"
        )
    };
    let mailbox = format!("{}{}", message(1), message(2));
    fs::write(root.path().join("in.mbox"), &mailbox).unwrap();
    let record = |address: &str, text: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {address}\r\n\
             Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        )
    };
    let web = ["http://example.org/a", "http://example.org/b"].map(|a| record(a, "Page text."));
    fs::write(
        root.path().join("web.warc.gz"),
        gzip(web.concat().as_bytes()),
    )
    .unwrap();
    let (finding, readers) = found(root.path(), &Options::default());
    assert_eq!(
        ids(&finding),
        [
            "in.mbox/1",
            "in.mbox/2",
            "web.warc.gz/http://example.org/a",
            "web.warc.gz/http://example.org/b",
        ]
    );
    let texts: Vec<String> = finding
        .documents
        .iter()
        .rev()
        .map(|source| readers.read(source).unwrap().content)
        .collect();
    assert!(
        texts[0].contains("Page text.") && texts[2].contains("Body 2."),
        "{texts:?}"
    );
}

#[test]
fn patterns_choose_in_folders_and_archives() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.txt"), "words").unwrap();
    fs::write(root.path().join("b.md"), "words").unwrap();
    let members: [(&str, &[u8]); 3] = [("c.txt", b"c"), ("drafts/d.txt", b"d"), ("e.md", b"e")];
    fs::write(root.path().join("in.zip"), zip(&members)).unwrap();
    let options = Options {
        include: vec!["*.txt".to_owned()],
        exclude: vec!["drafts/".to_owned()],
        ..Options::default()
    };
    assert_eq!(
        ids(&found(root.path(), &options).0),
        ["a.txt", "in.zip/c.txt"]
    );
    assert_eq!(
        ids(&found(&root.path().join("in.zip"), &options).0),
        ["in.zip/c.txt"]
    );
    assert_eq!(ids(&found(&root.path().join("b.md"), &options).0), ["b.md"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_talks_nonsense_costs_one_file() {
    use cento_ingest::Isolation;
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.rtf"), "{\\rtf1 words}").unwrap();
    fs::write(root.path().join("b.zip"), zip(&[("c.txt", b"words")])).unwrap();
    for (program, expected) in [
        // An echo, a length that cannot be, one that never comes true, noise, and silence.
        ("cat", "it gave a wrong answer"),
        ("printf '1234567890'; cat >&2", "it gave a wrong answer"),
        (
            "head -c 99 >/dev/null; printf '\\17\\0\\0\\0\\0\\0\\0\\0{'",
            "the reader failed on it",
        ),
        ("yes", "it gave a wrong answer"),
        ("sleep 60", "takes longer than 0.5 s"),
    ] {
        let mut options = limits(|limits| limits.time = std::time::Duration::from_millis(500));
        options.isolation = Isolation::Worker {
            program: "sh".into(),
            arguments: vec!["-c".to_owned(), program.to_owned()],
        };
        let (finding, readers) = found(root.path(), &options);
        assert!(
            reason(&finding, "b.zip").contains(expected),
            "{program}: {:?}",
            finding.skipped
        );
        assert_eq!(ids(&finding), ["a.rtf"]);
        let refused = readers.read(&finding.documents[0]).unwrap_err();
        let refused = refused.to_string();
        assert!(refused.contains(expected), "{program}: {refused}");
    }
}
