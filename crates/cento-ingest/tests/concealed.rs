//! Text that a file has and does not show is left out, and where it would stand is remembered.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod samples;

use cento_ingest::{Concealment, Extract, Text, extract};
use samples::{docx, lines, pdf_of, relations, zip};

use Concealment::{Background, Hidden, Tiny};

fn read(bytes: impl Into<Vec<u8>>) -> Text {
    extract(bytes.into(), "sample", &Extract::default()).unwrap()
}

/// The text with each place marked by what is not shown there.
fn marked(text: &Text) -> String {
    let mut marked = text.content.clone();
    for place in text.concealed.places.iter().rev() {
        let sign = match place.why {
            Hidden => 'h',
            Background => 'b',
            Tiny => 't',
        };
        marked.insert_str(place.at as usize, &format!("<{sign}:{}>", place.text));
    }
    marked
}

#[track_caller]
fn check(bytes: impl Into<Vec<u8>>, expected: &str, [hidden, background, tiny]: [u64; 3]) {
    let text = read(bytes);
    let marked = marked(&text);
    assert!(marked.starts_with(expected), "{marked:?}");
    let found = &text.concealed;
    assert_eq!(
        [found.hidden, found.background, found.tiny],
        [hidden, background, tiny],
        "{marked}"
    );
    assert!(text.warnings.is_empty(), "{:?}", text.warnings);
}

fn run(look: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>")
}

const WHITE: &str = r#"<w:color w:val="FFFFFF"/>"#;

#[test]
fn word_runs() {
    let body = format!(
        "<w:p>{}{}{}{}{}{}{}{}</w:p>",
        run("", "Seen"),
        run(WHITE, "x"),
        run("", "words, wh"),
        run("<w:vanish/>", "HIDDEN"),
        run(r#"<w:vanish w:val="0"/>"#, "ole here. "),
        run(WHITE, "White words.") + &run("", " and "),
        run(r#"<w:sz w:val="2"/>"#, "tiny ones") + &run(r#"<w:sz w:val="16"/>"#, "small. "),
        run(
            r#"<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>"#,
            "Yellow."
        ),
    );
    check(
        docx(&body),
        "Seen <b:x>words, wh<h:HIDDEN>ole here. <b:White words.> and <t:tiny ones>small.<b:Yellow.>\n",
        [6, 19, 8],
    );
}

#[test]
fn word_text_that_stands_on_something_is_seen() {
    let shaded = r#"<w:shd w:val="clear" w:fill="1F4E79"/>"#;
    let white = |text: &str| run(WHITE, text);
    let paragraph = |properties: &str, text: &str| {
        format!("<w:p><w:pPr>{properties}</w:pPr>{}</w:p>", white(text))
    };
    let table = |table: &str, cell: &str, text: &str| {
        format!(
            "<w:tbl><w:tblPr>{table}</w:tblPr><w:tr><w:tc><w:tcPr>{cell}</w:tcPr>{}</w:tc></w:tr></w:tbl>",
            paragraph("", text)
        )
    };
    let text_box = format!(
        "<w:p><w:r><w:txbxContent>{}</w:txbxContent></w:r></w:p>",
        paragraph("", "In a box.")
    );
    let body = [
        format!(
            "<w:p>{}</w:p>",
            run(&format!("{WHITE}{shaded}"), "On blue.")
        ),
        paragraph(shaded, "Banner."),
        table("", shaded, "Cell."),
        table(r#"<w:tblStyle w:val="Fancy"/>"#, "", "Fancy."),
        text_box,
        table("", "", "Lost."),
        format!(
            "<w:p>{}</w:p>",
            run(r#"<w:color w:val="auto"/>"#, "Automatic.")
        ),
    ]
    .concat();
    check(
        docx(&body),
        "On blue.\n\nBanner.\n\nCell.\n\nFancy.\n\nIn a box.\n\n<b:Lost.>Automatic.\n",
        [0, 5, 0],
    );
    let picture = r#"<w:p><w:r><w:drawing><wp:anchor behindDoc="1"><wp:extent cx="7560000" cy="10692000"/>
        </wp:anchor></w:drawing></w:r></w:p>"#;
    let body = format!("{picture}{}", paragraph("", "On a picture."));
    check(docx(&body), "On a picture.\n", [0; 3]);
    let black = format!(
        "<w:background w:color=\"000000\"/>{}",
        paragraph("", "On black.")
    );
    check(docx(&black), "On black.\n", [0; 3]);
}

#[test]
fn word_styles() {
    let styles = r#"<w:styles>
        <w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>
        <w:style w:type="paragraph" w:default="1" w:styleId="Normal"/>
        <w:style w:type="paragraph" w:styleId="Ghost"><w:rPr><w:vanish/></w:rPr></w:style>
        <w:style w:type="character" w:styleId="Pale"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>
        <w:style w:type="character" w:styleId="Paler"><w:basedOn w:val="Pale"/></w:style>
        <w:style w:type="paragraph" w:styleId="Banner"><w:pPr><w:shd w:fill="000000"/></w:pPr>
        <w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>
        <w:style w:type="table" w:styleId="Grid"/>
        </w:styles>"#;
    let paragraph = |style: &str, run: &str| {
        format!(r#"<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{run}</w:p>"#)
    };
    let cell = paragraph("", &run(r#"<w:rStyle w:val="Paler"/>"#, "In a grid."));
    let grid = format!(
        r#"<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>"#
    );
    let document = format!(
        "<w:document><w:body>{}{}{}{}{grid}</w:body></w:document>",
        paragraph("Normal", &run("", "Plain.")),
        paragraph("Ghost", &run("", "Ghost text.")),
        paragraph("Banner", &run("", "Title.")),
        paragraph("Normal", &run(r#"<w:rStyle w:val="Paler"/>"#, "Pale text.")),
    );
    let main = relations(&[("r1", "officeDocument", "word/document.xml")]);
    let parts = relations(&[("r1", "styles", "styles.xml")]);
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", main.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", parts.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
    ]);
    check(
        bytes,
        "Plain.\n\n<h:Ghost text.>Title.<b:Pale text.In a grid.>",
        [10, 17, 0],
    );
}

fn odt(styles: &str, body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:text>{body}</office:text></office:body></office:document-content>"
    );
    let shared = r#"<office:document-styles><office:styles>
        <style:style style:name="Ghost" style:family="text"><style:text-properties text:display="none"/></style:style>
        </office:styles></office:document-styles>"#;
    zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", content.as_bytes()),
        ("styles.xml", shared.as_bytes()),
    ])
}

#[test]
fn open_document() {
    let styles = r##"
        <style:style style:name="T1" style:family="text" style:parent-style-name="Ghost"/>
        <style:style style:name="T2" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>
        <style:style style:name="T3" style:family="text"><style:text-properties fo:font-size="1pt"/></style:style>
        <style:style style:name="T4" style:family="text"><style:text-properties fo:color="#ffffff"
            fo:background-color="#000000"/></style:style>
        <style:style style:name="P1" style:family="paragraph"><style:paragraph-properties
            fo:background-color="#003300"/></style:style>
        <style:style style:name="C1" style:family="table-cell"><style:table-cell-properties
            fo:background-color="#003300"/></style:style>"##;
    let span = |style: &str, text: &str| {
        format!(r#"<text:span text:style-name="{style}">{text}</text:span>"#)
    };
    let body = format!(
        r#"<text:p>Seen{}, {} and {} and {}.</text:p><text:p text:style-name="P1">{}</text:p>
        <table:table><table:table-row><table:table-cell table:style-name="C1"><text:p>{}</text:p>
        </table:table-cell><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row></table:table>
        <text:section text:display="none"><text:p>A section.</text:p></text:section><text:p>End.</text:p>"#,
        span("T1", "HIDDEN"),
        span("T2", "white"),
        span("T3", "tiny"),
        span("T4", "black box"),
        span("T2", "Banner."),
        span("T2", "Cell."),
        span("T2", "Lost."),
    );
    check(
        odt(styles, &body),
        "Seen<h:HIDDEN>, <b:white>and <t:tiny>and black box.\n\nBanner.\n\nCell.\n\n<b:Lost.><h:A section.>End.",
        [15, 10, 4],
    );
}

fn page(head: &str, body: &str) -> String {
    let prose = "<p>The first paragraph of this page is a sentence that is long enough to be taken for the \
        text of an article, with commas, clauses, and all that a reader expects of one.</p>";
    format!(
        "<!DOCTYPE html><html><head><title>T</title>{head}</head><body><article>{prose}{body}{prose}</article></body></html>"
    )
}

#[track_caller]
fn check_page(head: &str, body: &str, expected: &str, counts: [u64; 3]) {
    let text = read(page(head, body));
    let marked = marked(&text);
    assert!(marked.contains(expected), "{marked:?}");
    let found = &text.concealed;
    assert_eq!(
        [found.hidden, found.background, found.tiny],
        counts,
        "{marked}"
    );
}

#[test]
fn pages() {
    check_page(
        "",
        "<p>Seen wo<span style='display:none'>HID</span>rds, <b hidden>not</b> these.</p>",
        "Seen wo<h:HID>rds, <h:not>",
        [6, 0, 0],
    );
    check_page(
        "",
        "<p>One <i style='visibility: hidden'>two</i> <i style='opacity:0'>three</i> four.</p>",
        "One <h:two> <h:three> four.",
        [8, 0, 0],
    );
    check_page(
        "",
        "<p>One <font color=white>two</font> <span style='color:#FEFEFE'>three</span> four.</p>",
        "One <b:two> <b:three> four.",
        [0, 8, 0],
    );
    check_page(
        "",
        "<p>One <span style='font-size:1px'>two</span> <span style='font-size:.1em'>three</span> four.</p>",
        "One <t:two> <t:three> four.",
        [0, 0, 8],
    );
    check_page(
        "<style>/* x */ .pale { color: #fff } span#gone, .x { display: none }</style>",
        "<p>One <i class='a pale'>two</i> <span id=gone>three</span> four.</p>",
        "One <b:two> <h:three> four.",
        [5, 3, 0],
    );
    // Unclosed elements end where others begin.
    check_page(
        "",
        "<p hidden>Not this<p>But this one.",
        "But this one.",
        [7, 0, 0],
    );
}

#[test]
fn pages_whose_text_is_seen() {
    for (head, body) in [
        (
            "",
            "<div style='background:#222;color:#fff'>seen here</div>",
        ),
        (
            "",
            "<div style='background:url(x.png);color:#fff'>seen here</div>",
        ),
        (
            "",
            "<table bgcolor=black><tr><td><font color=white>seen here</font></table>",
        ),
        (
            "<link rel=stylesheet href=x.css>",
            "<p style='color:white'>seen here</p>",
        ),
        (
            "<style>.dark p { background: black }</style>",
            "<p style='color:white'>seen here</p>",
        ),
        (
            "<style>.m { display: none } .open .m { display: block }</style>",
            "<p class=m>seen here</p>",
        ),
        (
            "<style>@media print { .m { display: none } }</style>",
            "<p class=m>seen here</p>",
        ),
        (
            "",
            "<div style='font-size:0'><span style='font-size:12px'>seen here</span></div>",
        ),
        ("", "<details><summary>More</summary>seen here</details>"),
    ] {
        check_page(head, body, "seen here", [0; 3]);
    }
    // What a script will show.
    let app = "<html><body><script>show()</script><div style='display:none'><p>All of the text.</p></div></body></html>";
    check(app, "All of the text.", [0; 3]);
}

#[test]
fn rich_text() {
    check(
        br"{\rtf1\ansi Seen wo{\v HIDDEN}rds.\par}".as_slice(),
        "Seen wo<h:HIDDEN>rds.",
        [6, 0, 0],
    );
}

#[test]
fn pdf_counts_what_is_hidden_and_not_what_was_recognised() {
    let shown = lines(&["This line can be seen by everybody who opens the document."]);
    let stream = shown.replace("ET", "3 Tr (And this one can not) Tj ET");
    let text = read(pdf_of(&[stream], ""));
    assert_eq!(text.concealed.hidden, 16);
    assert!(text.concealed.places.is_empty());
    assert_eq!(text.warnings.len(), 1, "{:?}", text.warnings);
    let scan = lines(&["The words of a page that was scanned."]).replace("BT", "BT 3 Tr")
        + " q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \0 EI Q";
    let written =
        lines(&["A page of more words than the scanned one has, which everybody can see."]);
    let text = read(pdf_of(&[scan, written], ""));
    assert_eq!(text.concealed.hidden, 0);
}

#[test]
fn places_stay_where_they_are_among_notes_and_files() {
    let body = r"<w:p><w:r><w:t>Around </w:t></w:r><w:r><w:txbxContent><w:p><w:r><w:t> In the</w:t></w:r>
        <w:r><w:rPr><w:vanish/></w:rPr><w:t>NOT</w:t></w:r><w:r><w:t> box.</w:t></w:r></w:p></w:txbxContent></w:r>
        <w:r><w:rPr><w:vanish/></w:rPr><w:t>GONE</w:t></w:r><w:r><w:t> it.</w:t></w:r></w:p>";
    check(
        docx(body),
        "Around <h:GONE> it.\n\nIn the<h:NOT> box.\n\nA note",
        [7, 0, 0],
    );
}

#[test]
fn a_document_that_shows_nothing_says_so() {
    let body = format!("<w:p>{}</w:p>", run("<w:vanish/>", "HIDDEN"));
    let document = format!("<w:document><w:body>{body}</w:body></w:document>");
    let main = relations(&[("r1", "officeDocument", "word/document.xml")]);
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", main.as_bytes()),
        ("word/document.xml", document.as_bytes()),
    ]);
    let refused = extract(bytes, "sample", &Extract::default()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Word document (DOCX) that shows none of its text"
    );
}

#[test]
fn many_places_are_counted_and_the_first_are_kept() {
    let runs = (0..3000).map(|_| run("", "word") + &run(WHITE, "x"));
    let body = format!("<w:p>{}</w:p>", runs.collect::<String>());
    let text = read(docx(&body));
    assert!(text.content.starts_with("word word word"));
    assert_eq!(text.concealed.background, 3000);
    assert_eq!(text.concealed.places.len(), 2000);
}
