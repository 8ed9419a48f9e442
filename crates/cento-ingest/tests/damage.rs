//! Damaged and hostile documents: nothing panics and nothing grows.
//!
//! No clock is looked at, because builders share machines: what takes forever shows as a suite that
//! does not end, and how a reader that hangs is stopped is tested where the processes are.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod long;
mod samples;

use std::fmt::Write as _;

use cento_ingest::{Error, Extract, Kind, Limit, Text, extract};
use proptest::prelude::*;
use samples::{docx, paragraph, zip};

/// Small limits, so that a leak shows.
fn limits() -> Extract {
    Extract {
        text_limit: 20_000,
        unpacked_limit: 1 << 20,
        ..Extract::default()
    }
}

/// Reads a document and checks that it kept within its limits.
#[track_caller]
fn survive(bytes: Vec<u8>, name: &str) -> Result<Text, Error> {
    let options = limits();
    let result = extract(bytes, name, &options);
    match &result {
        Ok(text) => assert!(text.content.len() as u64 <= options.text_limit, "{name}"),
        Err(error) => {
            let reason = error.to_string();
            assert!(
                !reason.ends_with("the reader failed on it"),
                "{name} panicked"
            );
            assert!(
                !reason.is_empty() && !reason.contains('\n'),
                "{name}: {reason}"
            );
        }
    }
    result
}

#[test]
fn truncated_anywhere() {
    for (name, bytes) in samples::all() {
        for length in (0..bytes.len()).step_by(long::step(1)) {
            let _ = survive(bytes[..length].to_vec(), &format!("sample.{name}"));
        }
    }
}

#[test]
fn every_byte_flipped_once() {
    for (name, bytes) in samples::all() {
        for place in (0..bytes.len()).step_by(long::step(1)) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            let _ = survive(damaged, &format!("sample.{name}"));
        }
    }
}

#[test]
fn a_name_of_two_lines_is_told_on_one() {
    let container =
        br#"<container><rootfiles><rootfile full-path="a&#10;b.opf"/></rootfiles></container>"#;
    let book = zip(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container),
    ]);
    let reason = survive(book, "a.epub").unwrap_err().to_string();
    assert!(reason.ends_with(r"it has no a\nb.opf"), "{reason}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::cases(4000)))]

    #[test]
    fn many_bytes_changed(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let all = samples::all();
        let (name, bytes) = which.get(&all);
        let mut damaged = bytes.clone();
        for (place, byte) in changes {
            let place = place.index(damaged.len());
            damaged[place] = byte;
        }
        let _ = survive(damaged, &format!("sample.{name}"));
    }

    #[test]
    fn a_member_that_is_anything(
        content in prop::collection::vec(any::<u8>(), 0..400),
        which in 0..8_usize,
    ) {
        let members = ["word/document.xml", "ppt/presentation.xml", "xl/workbook.xml", "content.xml",
            "META-INF/container.xml", "_rels/.rels", "xl/sharedStrings.xml", "META-INF/manifest.xml"];
        let bytes = zip(&[("[Content_Types].xml", b"<Types/>"), (members[which], &content)]);
        for name in ["a.docx", "a.pptx", "a.xlsx", "a.odt", "a.epub"] {
            let _ = survive(bytes.clone(), name);
        }
    }

    #[test]
    fn anything_after_the_first_bytes(
        start in prop::sample::select(vec![
            "{\\rtf1", ".TH A 1\n", "\\documentclass{a}\n", "<html>", "%PDF-1.4\n", "WARC/1.0\r\n",
            "From a 10:00 2023\nA: b\n\n", "MIME-Version: 1\nFrom: a\nTo: b\n", "{\"cells\": \"nbformat\"", "\x1f\nFile:",
        ]),
        rest in prop::collection::vec(prop::sample::select(
            "\\{}[]()$%&~`'\"-<>/!.:*#@u0123456789abfvxE\n\r\t \u{e9}\u{1f600}".chars().collect::<Vec<_>>()), 0..200),
    ) {
        let text: String = start.chars().chain(rest).collect();
        let _ = survive(text.into_bytes(), "sample");
    }
}

#[test]
fn a_bomb_in_a_package_is_refused() {
    let zeros = vec![b' '; 40 << 20];
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", &zeros),
    ]);
    assert!(bytes.len() < 100_000);
    let error = survive(bytes.clone(), "a.docx").unwrap_err();
    assert_eq!(error.to_string(), "unpacks to more than 1 MiB");
    assert_eq!(error.limit(), Some(Limit::FileSize));
    // Without a limit on the size the ratio holds it.
    let options = Extract::default();
    let error = extract(bytes, "a.docx", &options).unwrap_err();
    assert_eq!(error.to_string(), "unpacks to more than 16 MiB");
    assert_eq!(error.limit(), Some(Limit::Ratio));
}

#[test]
fn text_that_repeats_a_shared_string_is_refused() {
    let text = "word ".repeat(1000);
    let cells = r#"<c t="s"><v>0</v></c>"#.repeat(5000);
    let links = samples::relations(&[
        ("r1", "worksheet", "worksheets/sheet1.xml"),
        ("r3", "sharedStrings", "sharedStrings.xml"),
    ]);
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        (
            "xl/workbook.xml",
            br#"<workbook><sheets><sheet r:id="r1"/></sheets></workbook>"#,
        ),
        ("xl/_rels/workbook.xml.rels", links.as_bytes()),
        (
            "xl/sharedStrings.xml",
            format!("<sst><si><t>{text}</t></si></sst>").as_bytes(),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!("<sheetData><row>{cells}</row></sheetData>").as_bytes(),
        ),
    ]);
    let error = survive(bytes, "a.xlsx").unwrap_err();
    assert_eq!(error.to_string(), "more than 19.5 KiB of text");
    assert_eq!(error.limit(), Some(Limit::TextSize));
}

#[test]
fn entities_are_not_expanded() {
    let mut laughs = String::from("<!DOCTYPE w:document [<!ENTITY a0 \"ha\">");
    for number in 1..30 {
        let before = number - 1;
        write!(
            laughs,
            "<!ENTITY a{number} \"&a{before};&a{before};&a{before};\">"
        )
        .unwrap();
    }
    laughs.push_str("]><w:document><w:p><w:t>Before &a29; after</w:t></w:p></w:document>");
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", laughs.as_bytes()),
    ]);
    assert_eq!(survive(bytes, "a.docx").unwrap().content, "Before  after");
}

#[test]
fn the_ends_of_footnotes_count_as_text() {
    let notes = format!("{{\\rtf1 {}}}", "{\\footnote a}".repeat(7000));
    let error = survive(notes.into_bytes(), "a.rtf").unwrap_err();
    assert_eq!(error.limit(), Some(Limit::TextSize));
}

#[test]
fn deep_nesting_is_flat_work() {
    let deep = format!("<w:document>{}<w:t>x", "<w:p>".repeat(100_000));
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", deep.as_bytes()),
    ]);
    let reason = survive(bytes, "a.docx").unwrap_err().to_string();
    assert!(
        reason.contains("nested deeper than 1000 levels"),
        "{reason}"
    );

    for tag in [
        "<div>",
        "<b>",
        "<p><b id=1>",
        "<table><tr><td>",
        "<svg>",
        "<ul><li>",
        "<a>",
    ] {
        let page = format!("<html><p>Before</p>{}Inside", tag.repeat(50_000));
        let text = survive(page.into_bytes(), "a.html").unwrap();
        assert_eq!(text.kind, Kind::Html);
        assert!(text.content.starts_with("Before"), "{tag}");
    }
    let text = survive(
        [b"{\\rtf1 ".as_slice(), &b"{".repeat(100_000)].concat(),
        "a.rtf",
    )
    .unwrap_err();
    assert_eq!(
        text.to_string(),
        "rich text nested deeper than 10000 groups"
    );
    let cells = format!("{{\"nbformat\": 4, \"cells\": {}", "[".repeat(100_000));
    assert!(
        survive(cells.into_bytes(), "a.ipynb")
            .unwrap_err()
            .to_string()
            .starts_with("damaged notebook")
    );
    let pdf = format!("%PDF-1.4\n1 0 obj\n{}", "<< /F1 ".repeat(50_000));
    let reason = survive(pdf.into_bytes(), "a.pdf").unwrap_err();
    assert_eq!(
        reason.to_string(),
        "damaged PDF: nested deeper than 500 levels"
    );
    let math = format!(
        "\\documentclass{{a}}\n{}",
        "\\begin{x}{$\\footnote{".repeat(20_000)
    );
    let _ = survive(math.into_bytes(), "a.tex");
}

#[test]
fn long_runs_of_openings_come_to_an_end() {
    // Where the work grows with the square of the length, this takes hours.
    for piece in [
        "\\begin{verbatim}",
        "\\cite{",
        "$",
        "\\href{",
        "\\verb|",
        "\\'{",
        "`",
        "{\\",
    ] {
        let text = format!("\\documentclass{{a}}\n{}", piece.repeat(40_000));
        let _ = survive(text.into_bytes(), "a.tex");
    }
    for piece in [
        ".B \"",
        "\\*[",
        "\\h'",
        ".if n \\{",
        ".TS\n",
        "\\(",
        ".It Fl ",
    ] {
        let text = format!(".TH A 1\n{}", piece.repeat(40_000));
        let _ = survive(text.into_bytes(), "a.1");
    }
    for piece in [
        "<",
        "&",
        "&#",
        "<!--",
        "<a b=",
        "</p>",
        "<br>",
        "<pre>",
        "<textarea>",
    ] {
        let page = format!("<html>{}", piece.repeat(40_000));
        let _ = survive(page.into_bytes(), "a.html");
    }
    let attributes = format!("<html><p {}>x", "a=1 ".repeat(40_000));
    let _ = survive(attributes.into_bytes(), "a.html");
}

#[test]
fn a_damaged_part_is_read_as_far_as_it_goes_and_reported() {
    let body = paragraph("Whole.") + "<w:p><w:r><w:t>Half a sen";
    let xml = format!("<w:document>{body}");
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", xml.as_bytes()),
    ]);
    let text = survive(bytes, "a.docx").unwrap();
    assert_eq!(text.content, "Whole.\n\nHalf a sen");
    assert_eq!(
        text.warnings,
        ["XML that ends too early, read up to that point"]
    );
    let whole = docx(&paragraph("x"));
    let reason = survive(whole[..whole.len() / 2].to_vec(), "a.docx");
    let reason = reason.unwrap_err().to_string();
    assert!(
        reason.starts_with("Word document (DOCX): damaged zip archive"),
        "{reason}"
    );
}
