//! What an archive keeps: everything that was not forgotten, whoever writes at the same time, and damage is
//! named.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/archive.rs"]
mod archive;

use archive::{Case, page};

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
fn a_page_may_be_forgotten_beside_its_versions() {
    let case = Case::new();
    for story in [1, 2, 3] {
        case.add("a", page(story, "x"), "2026-01-01");
    }
    let said = case.ok(&["forget", "a@2", "a", "a@3", "a"]);
    assert!(
        said.contains("3 versions forgotten, with all versions of 1 page"),
        "{said}"
    );
    assert_eq!(case.add("a", page(4, "x"), "2026-01-01")["version"], 4);
    case.add("a@9", page(4, "x"), "2026-01-01");
    let said = case.fails(&["forget", "a@9"]);
    assert!(
        said.contains("a has no version 9") && said.contains("a@9@1"),
        "{said}"
    );
    assert!(case.fails(&["forget", "a", "nothing"]).contains("nothing"));
    assert!(case.ok(&["log"]).starts_with("a  1 version"));
}

#[test]
fn the_times_of_a_page_are_those_of_its_earliest_and_latest_version() {
    let case = Case::new();
    for (story, time) in [(1, "2026-01-02"), (2, "2026-01-03"), (3, "2026-01-01")] {
        case.add("a", page(story, "x"), time);
    }
    let listed = case.ok(&["log"]);
    assert!(
        listed.contains("2026-01-01T00:00:00Z to 2026-01-03T00:00:00Z"),
        "{listed}"
    );
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
