//! Every output format, byte for byte. `scripts/bless` rewrites the files.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::path::{Path, PathBuf};

use cento::disguise::{Disguise, Disguised, DisguisedPlace};
use cento::report::{
    DigestRarity, Highlight, Lexical, Listed, OwnVersion, ProgramPlace, Registered, Report,
    Verified,
};
use serde_json::json;
use support::{TEMPLATE, report};

#[test]
fn text() {
    check("report.txt", &cento_report::text(&report(), None));
}

#[test]
fn json() {
    check("report.json", &cento_report::json(&report()));
    for golden in ["report.json", "anonymous.json"] {
        let written = std::fs::read_to_string(folder().join(golden)).unwrap();
        let read: Report = serde_json::from_str(&written).unwrap();
        assert_eq!(cento_report::json(&read), written, "{golden}");
    }
}

#[test]
fn csv() {
    check("report.csv", &cento_report::csv(&report()));
}

#[test]
fn tables_of_dolos() {
    let report = report();
    check("pairs.csv", &cento_report::dolos_pairs(&report));
    check("files.csv", &cento_report::dolos_files(&report));
    check("metadata.csv", &cento_report::dolos_metadata(&report));
}

#[test]
fn passages() {
    let report = report();
    check(
        "passages.jsonl",
        &cento_report::passages_jsonl(&report, true),
    );
    let without = without_texts(report);
    check(
        "passages-without-text.jsonl",
        &cento_report::passages_jsonl(&without, false),
    );
}

#[test]
fn graphs() {
    let report = report();
    check("graph.graphml", &cento_report::graphml(&report));
    check("graph.dot", &cento_report::dot(&report));
}

#[test]
fn pan() {
    let report = report();
    let mut all = String::new();
    for pair in &report.pairs {
        let document = |id: &str| report.documents.iter().find(|one| one.id == id).unwrap();
        let documents = [document(&pair.left), document(&pair.right)];
        all += &cento_report::pan_pair(pair, documents).unwrap();
    }
    check("pan.xml", &all);
    let bare = without_texts(report);
    let two = [&bare.documents[0], &bare.documents[1]];
    assert_eq!(cento_report::pan_pair(&bare.pairs[0], two), None);
}

#[test]
fn record() {
    let config = json!({ "threshold": 0.1, "format": "text" });
    check("run.json", &cento_report::run_record(&report(), &config));
}

#[test]
fn anonymous() {
    let mut report = report();
    let codes = cento_report::anonymize(&mut report);
    cento_report::seal(&mut report);
    check("key.csv", &cento_report::key_csv(&codes));
    check("anonymous.json", &cento_report::json(&report));
    let json = cento_report::json(&report);
    for name in ["canal.txt", "bees", "ünïcode", "sheets", "page 1"] {
        assert!(!json.contains(name), "{name}");
    }
}

#[test]
fn csv_says_which_pairs_are_no_share() {
    let mut report = report();
    for pair in &mut report.pairs {
        pair.listed = Some(Listed::Share);
    }
    let ordinary = cento_report::csv(&report);
    assert!(!ordinary.contains("listed"), "{ordinary}");
    report.pairs[0].listed = Some(Listed::Stretch);
    let csv = cento_report::csv(&report);
    let last = csv.lines().map(|line| line.rsplit(',').next().unwrap());
    let last: Vec<&str> = last.take(3).collect();
    assert_eq!(last, ["listed", "stretch", "share"]);
}

#[test]
fn programs_have_tokens_and_languages() {
    let texts = cento_report::csv(&report());
    let mut report = report();
    for document in &mut report.documents {
        document.language = Some("java".to_owned());
        document.short = true;
    }
    let programs = cento_report::csv(&report);
    for (text, program) in texts.lines().zip(programs.lines()).skip(1) {
        assert_eq!(program, format!("{text},java,java"));
    }
    let heads = programs.lines().next().unwrap();
    assert!(heads.ends_with(",language_left,language_right"), "{heads}");
    let text = cento_report::text(&report, None);
    assert!(
        text.contains("fewer than 50 tokens: a few shared tokens weigh much"),
        "{text}"
    );
    report.command = "compare".to_owned();
    report.pairs.truncate(1);
    let (left, right) = (report.pairs[0].left.clone(), report.pairs[0].right.clone());
    report
        .documents
        .retain(|document| document.id == left || document.id == right);
    for text in [
        cento_report::text(&report, None),
        cento_report::explained(&report, 2, &[], None),
    ] {
        assert!(text.contains(" tokens"), "{text}");
        assert!(
            !text.contains(" words ") && !text.contains("word for word"),
            "{text}"
        );
    }
    let text = cento_report::text(&report, None);
    let summary = format!(" % of the tokens of {left} are in {right}");
    assert!(text.contains(&summary), "{text}");
}

#[test]
fn lines_of_programs_are_those_of_their_files() {
    let mut report = report();
    report.command = "compare".to_owned();
    report.pairs.truncate(1);
    let left = report.pairs[0].left.clone();
    let document = report.documents.iter_mut().find(|one| one.id == left);
    let document = document.unwrap();
    let passage = &report.pairs[0].evidence.as_ref().unwrap().passages[0];
    let begins = passage.left.start;
    document.parts = vec![cento::report::Part {
        file: "src/Main.java".to_owned(),
        start: begins,
        end: passage.left.end,
    }];
    let file = format!("{left}, src/Main.java, line");
    let pair = |report: &mut Report| {
        let ids = [report.pairs[0].left.clone(), report.pairs[0].right.clone()];
        report
            .documents
            .retain(|document| ids.contains(&document.id));
        cento_report::text(report, None)
    };
    // Texts that were put together have their lines counted as before.
    assert!(!pair(&mut report).contains(&file));
    for document in &mut report.documents {
        document.language = Some("java".to_owned());
    }
    let text = pair(&mut report);
    assert!(
        text.contains(&format!("{file} 1")) || text.contains(&format!("{file}s 1 to")),
        "{text}"
    );
}

#[test]
fn what_colours_code_goes_with_its_text() {
    let mut report = report();
    let document = &mut report.documents[0];
    let text = document.text.clone().unwrap();
    let end = u32::try_from(text.len()).unwrap();
    let last = end - 5;
    document.highlights = vec![Highlight(last, end, Lexical::Comment)];
    document.programs = vec![ProgramPlace(0, end, "c".to_owned())];
    let without = report.without_texts(|report| cento_report::json(report));
    assert!(!without.contains("highlights") && !without.contains("programs"));
    assert!(cento_report::json(&report).contains("highlights"));
    // What stands before it becomes longer or shorter.
    let name = report.documents[0].id.clone();
    let named = format!("Brandt said: {text}");
    report.documents[0].text = Some(named);
    report.documents[0].label = "brandt.txt".to_owned();
    let [from, to] = [last + 13, end + 13];
    report.documents[0].highlights = vec![Highlight(from, to, Lexical::Comment)];
    report.documents[0].programs = vec![ProgramPlace(13, to, "c".to_owned())];
    let codes = cento_report::anonymize(&mut report);
    let code = codes.iter().find(|code| code.id == name).unwrap();
    let document = report.documents.iter().find(|one| one.id == code.code);
    let document = document.unwrap();
    let masked = document.text.as_ref().unwrap();
    assert!(!masked.contains("Brandt"), "{masked}");
    let Highlight(start, end, _) = document.highlights[0];
    assert_eq!(
        &masked[start as usize..end as usize],
        &text[last as usize..]
    );
    let ProgramPlace(start, end, _) = document.programs[0];
    assert_eq!(&masked[start as usize..end as usize], text);
}

/// The shell as it is, the data as they are inside; script and style are tested in a browser.
#[test]
fn what_is_disguised_is_named_and_stays_in_its_place() {
    let mut report = report();
    let ordinary = (
        cento_report::text(&report, None),
        cento_report::csv(&report),
    );
    assert!(!ordinary.0.contains('!') && !ordinary.1.contains("disguised"));
    let document = &mut report.documents[2];
    let text = document
        .text
        .clone()
        .unwrap()
        .replace("Bees do", "Canal c\u{430}nal do");
    let start = u32::try_from(text.find("c\u{430}nal").unwrap()).unwrap();
    document.disguised = Disguised::in_text(&text);
    document.disguised.add(Disguise::Hidden, 6);
    document.disguises = cento::disguise::places(&text, 10);
    document.disguises.push(DisguisedPlace {
        start,
        end: start,
        kind: Disguise::Hidden,
        characters: 6,
        text: Some("HIDDEN".to_owned()),
    });
    document.text = Some(text);
    let said = "1 word with look-alike letters of another script, 6 hidden characters";
    let text = cento_report::text(&report, None);
    assert!(text.contains("bees.txt!"), "{text}");
    assert!(text.contains(&format!("\n! bees.txt: {said}\n")), "{text}");
    assert_eq!(text.matches(said).count(), 1);
    let csv = cento_report::csv(&report);
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with(",disguised_left,disguised_right")
    );
    assert!(csv.contains(said), "{csv}");
    let written = cento_report::json(&report);
    let read: Report = serde_json::from_str(&written).unwrap();
    assert_eq!(cento_report::json(&read), written);
    report.without_texts(|slim| assert!(!cento_report::json(slim).contains("HIDDEN")));
    // A name before it is masked, so that it moves; what is hidden may have names in it.
    cento_report::anonymize(&mut report);
    let moved = report
        .documents
        .iter()
        .find(|one| !one.disguised.is_empty())
        .unwrap();
    let text = moved.text.as_deref().unwrap();
    let [word, place] = moved.disguises.as_slice() else {
        panic!("{:?}", moved.disguises)
    };
    assert_eq!(&text[word.start as usize..word.end as usize], "c\u{430}nal");
    assert_eq!((place.start, place.end), (word.start, word.start));
    assert!(word.start != start && place.text.is_none());
}

#[test]
fn anonymous_registered_documents() {
    let mut report = report();
    let [new, old, ..] = report.documents.as_mut_slice() else {
        panic!("there are several documents");
    };
    new.verified = Some(Verified {
        standard: 0,
        global_without_common: 0.0,
        rarity: DigestRarity::default(),
        own_versions: 1,
        own: vec![OwnVersion {
            id: "canal.txt".to_owned(),
            version: 1,
            set: None,
            registered: "2026-03-01T12:00:00Z".to_owned(),
            containment: 1.0,
        }],
        excluded: 0,
        shared: Vec::new(),
    });
    old.registered = Some(Registered {
        id: "dora/secret.txt".to_owned(),
        version: 1,
        submitter: Some("dora".to_owned()),
        set: None,
        registered: "2026-03-01T12:00:00Z".to_owned(),
    });
    cento_report::anonymize(&mut report);
    let written = cento_report::json(&without_texts(report));
    for name in ["canal.txt", "dora", "secret"] {
        assert!(!written.contains(name), "{name} is still there");
    }
}

#[test]
fn page() {
    let mut report = report();
    let before = report.clone();
    let page = cento_report::html(&mut report, &[TEMPLATE.to_owned()]);
    assert_eq!(report, before);
    let cut = |page: &str, start: &str, end: &str| {
        let (head, rest) = page.split_once(start).unwrap();
        let (_, tail) = rest.split_once(end).unwrap();
        format!("{head}{start}…{end}{tail}")
    };
    let mut shell = cut(&page, "<style>", "</style>");
    shell = cut(&shell, "<script>", "</script>");
    shell = cut(&shell, "script-src 'sha256-", "'");
    shell = cut(&shell, "style-src 'sha256-", "'");
    for name in ["report", "texts", "templates"] {
        shell = cut(&shell, &format!("id=\"cento-{name}\">"), "</script>");
    }
    check("shell.html", &shell);
    let found = cento_report::read(&page).unwrap();
    let texts: Vec<Option<String>> = report
        .documents
        .iter()
        .map(|one| one.text.clone())
        .collect();
    assert_eq!(found.texts, texts);
    assert_eq!(found.templates, [TEMPLATE]);
    let slim = without_texts(report);
    assert_eq!(cento_report::json(&found.report), cento_report::json(&slim));
}

#[test]
fn what_is_no_page() {
    use cento_report::{ReadError, read};
    assert_eq!(read("<p>").unwrap_err(), ReadError::NotOurs);
    let damaged = "<script type=\"text/plain\" id=\"cento-report\">QUJD</script>";
    assert_eq!(read(damaged).unwrap_err(), ReadError::Damaged("report"));
}

fn without_texts(mut report: Report) -> Report {
    for document in &mut report.documents {
        document.text = None;
    }
    report
}

/// Compares with the file, or writes it if `CENTO_BLESS` is set.
fn check(name: &str, actual: &str) {
    let path = folder().join(name);
    if std::env::var_os("CENTO_BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "{name} differs from what it was:\n{actual}"
    );
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}
