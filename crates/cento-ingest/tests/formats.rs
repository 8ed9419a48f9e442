//! Every format gives its text, and only its text.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod samples;

use cento_ingest::{Extract, Kind, Messages, Records, Scope, Text, extract};
use samples::{docx, lines, paragraph, pdf_of, zip};

fn read(bytes: impl Into<Vec<u8>>) -> Text {
    extract(bytes.into(), "sample", &Extract::default()).unwrap()
}

fn refused(bytes: impl Into<Vec<u8>>) -> String {
    let refused = extract(bytes.into(), "sample", &Extract::default());
    refused.unwrap_err().to_string()
}

#[track_caller]
fn check(bytes: impl Into<Vec<u8>>, kind: Kind, expected: &str) {
    let text = read(bytes);
    assert_eq!(text.kind, kind);
    assert_eq!(text.content, expected);
}

#[test]
fn word_has_notes_and_headers_but_no_comments() {
    check(
        docx(&(paragraph("Café &amp; bar.") + &paragraph("Second."))),
        Kind::Word,
        "Café & bar.\n\nSecond.\n\nA note at the foot.\n\nRunning head",
    );
}

#[test]
fn word_takes_insertions_and_results_and_leaves_deletions_and_instructions() {
    let body = r#"<w:p><w:pPr><w:tabs><w:tab/></w:tabs><w:rPr><w:vanish/></w:rPr></w:pPr>
        <w:r><w:t xml:space="preserve">Kept </w:t></w:r><w:ins><w:r><w:t>inserted</w:t></w:r></w:ins>
        <w:del><w:r><w:delText>DELETED</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>MOVED</w:t></w:r></w:moveFrom>
        <w:r><w:instrText>PAGEREF</w:instrText></w:r><w:r><w:tab/><w:t>see</w:t><w:br/><w:t>below</w:t></w:r></w:p>"#;
    let content = read(docx(body)).content;
    assert!(
        content.starts_with("Kept inserted\tsee\nbelow\n\n"),
        "{content}"
    );
}

#[test]
fn word_puts_a_text_box_after_its_paragraph_and_reads_it_once() {
    let shape = "<w:txbxContent><w:p><w:r><w:t>In the box.</w:t></w:r></w:p></w:txbxContent>";
    let body = format!(
        "<w:p><w:r><w:t>Around </w:t></w:r><w:r><mc:AlternateContent><mc:Choice>{shape}</mc:Choice>\
         <mc:Fallback>{shape}</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>the box.</w:t></w:r></w:p>"
    );
    let content = read(docx(&body)).content;
    assert!(
        content.starts_with("Around the box.\n\nIn the box.\n\nA note"),
        "{content}"
    );
}

#[test]
fn word_shows_what_was_imported_into_it() {
    let main = samples::relations(&[("r1", "officeDocument", "word/document.xml")]);
    let parts = samples::relations(&[("r1", "aFChunk", "/word/chunk.htm")]);
    let document = "<w:document><w:body><w:altChunk/></w:body></w:document>";
    let bytes = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", main.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", parts.as_bytes()),
        (
            "word/chunk.htm",
            b"<html><body><p>An imported page.</p></body></html>",
        ),
    ]);
    check(bytes, Kind::Word, "An imported page.");
}

#[test]
fn slides_and_sheets_come_in_the_order_of_the_document() {
    check(
        samples::pptx(),
        Kind::Slides,
        "First to be shown\n\nWhat the speaker says\n\nSecond to be shown",
    );
    let text = read(samples::xlsx());
    assert_eq!(text.content, "shared\n\nrich text\tinline\t42");
    assert_eq!(text.warnings, ["includes 1 hidden sheet"]);
}

#[test]
fn open_document_leaves_out_deletions_and_comments() {
    let text = read(samples::odt());
    assert_eq!(
        text.content,
        "A heading\n\nOne  two\tthree four five.\n\nThe note\n\n& ready\n\nAt the foot"
    );
    assert!(text.warnings.is_empty(), "{:?}", text.warnings);
}

#[test]
fn a_book_follows_its_spine() {
    check(
        samples::epub(),
        Kind::Epub,
        "Chapter that opens — it\n\nChapter at the end",
    );
}

#[test]
fn pdf_has_a_text_layer_or_says_that_it_has_none() {
    let text = read(samples::pdf());
    assert_eq!(text.kind, Kind::Pdf);
    let words: Vec<&str> = text.content.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "The first page has a line of text and one more line below it. The second page is short."
    );
    assert!(text.warnings.is_empty(), "{:?}", text.warnings);
    let empty = refused(pdf_of(&[String::new(), String::new()], ""));
    assert_eq!(empty, "no text layer: 2 pages without text or images");
    let image = "q 200 0 0 200 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \0 EI Q".to_owned();
    let reason = "no text layer: 1 page of images; run OCR first, for example `ocrmypdf`";
    assert_eq!(refused(pdf_of(&[image], "")), reason);
}

#[test]
fn rich_text_in_its_code_pages() {
    check(
        samples::RTF,
        Kind::Rtf,
        "Plain bold text, žluťoučký.\n\nПривет 日本 €uro 😀\n\nA sentence goes on. link\nnext\tcell\n\n\
         A note at the foot.\n\nItem {braced} — end",
    );
    assert_eq!(read(samples::RTF).concealed.hidden, 6);
}

#[test]
fn a_page_gives_its_article() {
    let text = read(samples::HTML);
    assert_eq!(text.kind, Kind::Html);
    for expected in [
        "A heading",
        "Café & bar — another paragraph",
        "kept  as\nit is",
    ] {
        assert!(text.content.contains(expected), "{}", text.content);
    }
    for boilerplate in ["SECRET", "About us", "Imprint", "color"] {
        assert!(!text.content.contains(boilerplate), "{}", text.content);
    }
    // In the encoding that it says it has.
    let czech = b"<html><meta charset=iso-8859-2><p>\xbelu\xbbou\xe8k\xfd k\xf9\xf2</p></html>";
    let text = read(*czech);
    assert_eq!(
        (text.content.as_str(), text.encoding),
        ("žluťoučký kůň", Some("ISO-8859-2"))
    );
}

#[test]
fn mail_gives_its_subject_and_plain_text() {
    check(
        samples::EML,
        Kind::Mail,
        "Café plans\n\nLet us meet at the café.",
    );
    let html = samples::EML.replace("text/plain; charset=utf-8", "application/pdf; name=a.pdf");
    let text = read(html);
    assert_eq!(text.content, "Café plans\n\nHTML PART");
    assert_eq!(text.warnings, ["attachments not read: a.pdf"]);
}

/// What a header begins with that other files begin with, too.
#[test]
fn nothing_in_a_header_hides_a_message() {
    let options = Extract {
        scope: Scope::Message,
        ..Extract::default()
    };
    let body = "The gate of the harbour opens on Monday, and all who want to see it come at noon.";
    for odd in [
        "X-It's: fine",
        "X-Cento-Bulk : verdict=wanted",
        "<html: x",
        "GIF89a: x",
        "WARC/1.0: x",
        "{\\rtf: x",
        "X-A: %PDF-1.4\nX-B: startxref",
        "Subject: The gate\njunk that is no field",
    ] {
        let eml = format!("{odd}\nFrom: a@example.org\nContent-Type: text/plain\n\n{body}\n");
        let text = extract(eml.into_bytes(), "-.eml", &options).unwrap();
        assert_eq!(text.kind, Kind::Mail, "{odd}");
        assert!(text.content.contains(body), "{odd}: {}", text.content);
    }
}

fn message(text: &str) -> Text {
    cento_ingest::message(text.as_bytes(), &Extract::default()).unwrap()
}

#[test]
fn a_message_is_what_its_sender_wrote_to_everybody() {
    let head = "From: b@example.org\nTo: Anna Miller <anna@example.net>\nSubject: Re: Plans\n";
    let own = "The gate of the harbour opens on Monday, and all who want to see it come at noon.";
    let body = format!(
        "Dear Anna,\n\n{own}\nhttp://x7.example.org/?id=anna\n\nOn Monday, Anna wrote:\n> When?\n\n-- \nBob\n"
    );
    let plain = message(&format!("{head}\n{body}"));
    assert_eq!(plain.kind, Kind::Mail);
    assert_eq!(plain.content, format!("Plans\n\n\n\n{own}\nexample.org"));
    // For all others it is the whole message.
    let whole = read(format!("{head}\n{body}")).content;
    assert!(
        whole.contains("> When?") && whole.contains("Dear Anna"),
        "{whole}"
    );
}

#[test]
fn a_message_in_html_is_what_a_reader_sees() {
    let head = "From: b@example.org\nSubject: Plans\nMIME-Version: 1.0\n\
                Content-Type: text/html; charset=utf-8\n\n";
    let shown = [
        "<p>Dear friends,<br>M<!--x-->art<b></b>in opens the ga<i>t</i>e</p>",
        "<p>M<span style=\"display:none\">zzz</span>artin opens the gate</p>",
        "<p>Ma<font style='font-size:0'>zzz</font>rtin opens the gate</p>",
        "<style>.q{display:none}</style><p>Martin <b class=q>zzz</b> opens the gate</p>",
        "<body bgcolor=#ffffff><p>Martin <font color=white>zzz</font> opens the gate</p>",
        "<p>Martin <span style='visibility:hidden'>zzz</span> opens the gate</p>",
        "<div style='height:0;overflow:hidden'>zzz zzz</div><p>Martin opens the gate</p>",
        "<div style='max-height:0px; overflow: hidden'>zzz zzz</div><p>Martin opens the gate</p>",
        "<span style='position:absolute;left:-9999px'>zzz</span><p>Martin opens the gate</p>",
        "<p>Martin <span style='opacity:0'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='opacity:.01'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='font: 0/0 a'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='display:/**/none'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='dis\\70 lay:none'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='color:#ffffffff'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='color:#0000'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='color:hsl(0,0%,100%)'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='position:absolute;clip:rect(0,0,0,0)'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='clip-path:inset(100%)'>zzz</span> opens the gate</p>",
        "<p>Martin <span style='transform: scale( 0 )'>zzz</span> opens the gate</p>",
        "<span style='position:absolute;right:-9999px'>zzz</span><p>Martin opens the gate</p>",
    ];
    for page in shown {
        let text = message(&format!("{head}{page}"));
        let words: Vec<&str> = text.content.split_whitespace().collect();
        assert_eq!(words.join(" "), "Plans Martin opens the gate", "{page}");
        assert_eq!(text.concealed.is_empty(), page.contains("<!--"), "{page}");
    }
    for page in [
        "<p>Martin <bdo dir=rtl>snepo</bdo> the gate</p>",
        "<p><b style='unicode-bidi:bidi-override; direction:rtl'>nitraM</b> opens the gate</p>",
        "<p>Martin \u{202e}eht snepo\u{202c} gate</p>",
        "<p style='font:bold 12px/1.5 serif'>Martin opens the gate</p>",
        "<p style='font:700 1em a;clip:rect(0,90px,20px,0);zoom:1;opacity:1'>Martin opens the gate</p>",
    ] {
        let text = message(&format!("{head}{page}"));
        let words: Vec<&str> = text.content.split_whitespace().collect();
        assert_eq!(words.join(" "), "Plans Martin opens the gate", "{page}");
        assert!(text.concealed.is_empty(), "{page}");
    }
}

#[test]
fn what_a_reply_quotes_is_not_its_own() {
    let own =
        "Friday suits me well, and I bring the maps that we spoke of, with the old quay on them.";
    let head = "From: b@example.org\nSubject: Re: Plans\nMIME-Version: 1.0\n";
    let html = "Content-Type: text/html; charset=utf-8\n\n";
    for reply in [
        format!(
            "{html}<p>{own}</p><div>On Monday, Anna wrote:</div><blockquote type=cite><p>When?</p></blockquote>"
        ),
        format!(
            "{html}<blockquote class=gmail_quote>When?<blockquote type=cite>x</blockquote>y</blockquote><p>{own}"
        ),
        format!(
            "{html}<p>{own}</p><hr><p><b>From:</b> Anna<br><b>Sent:</b> Monday<br><b>To:</b> Bob<br><b>Subject:</b> Plans</p><p>When?</p>"
        ),
        format!("\n{own}\n\nVon: Anna\nGesendet: Montag\nAn: Bob\nBetreff: Plans\n\nWhen?\n"),
        format!("\n{own}\n\nFra: Anna\nSendt: mandag\nTil: Bob\nEmne: Plans\n\nWhen?\n"),
        format!("\n{own}\n\nОт: Anna\nОтправлено: понедельник\nКому: Bob\nТема: Plans\n\nWhen?\n"),
    ] {
        let text = message(&format!("{head}{reply}"));
        let words: Vec<&str> = text.content.split_whitespace().collect();
        assert_eq!(words.join(" "), format!("Plans {own}"), "{reply}");
    }
    // A frame without any such word is a matter of looks, and a reply that says nothing shows what it quotes.
    for page in [
        format!("<blockquote>{own}</blockquote>"),
        format!("<p>Yes.</p><blockquote type=cite>{own}</blockquote>"),
        format!("<p>From: the town<br>{own}"),
    ] {
        let text = message(&format!("{head}{html}{page}"));
        assert!(text.content.contains(own), "{page}: {}", text.content);
        assert!(!text.content.contains(['\u{fdd2}', '\u{fdd3}']), "{page}");
    }
}

#[test]
fn transport_changes_nothing_in_a_message() {
    let head = "From: b@example.org\nSubject: =?utf-8?q?Caf=C3=A9?=\nMIME-Version: 1.0\n";
    let expected = "Café\n\nÜber den Fluß";
    for body in [
        "Content-Type: text/plain; charset=utf-8\n\nÜber den Fluß\n",
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nw5xiZXIgZGVuIEZsdcOf\n",
        "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n!w5xi*ZXIgZG.\nVuIEZsdcOf-\n",
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n=DCber den Flu=\n=DF\n",
        "Content-Type: multipart/mixed; boundary=\"--=_x\"\n\n----=_x\nContent-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: base64\n\nw5xiZXIgZGVu\nIEZsdcOf\n\n",
        "Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain; charset=utf-8\n\nnothing of that\n--x\nContent-Type: text/html; charset=utf-8\n\n<p>&Uuml;ber den Fluß\n--x--\n",
    ] {
        assert_eq!(
            message(&format!("{head}{body}")).content,
            expected,
            "{body}"
        );
    }
}

#[test]
fn a_message_is_read_whatever_character_set_it_says() {
    let german = "Größe überall: der schöne Fluß öffnet sich über zwölf Mühlen.";
    let russian = "Гавань открывает новые ворота в понедельник, и все хотят это увидеть.";
    let western = |text: &str| {
        text.chars()
            .map(|c| u8::try_from(c).unwrap())
            .collect::<Vec<u8>>()
    };
    let cyrillic = |text: &str| {
        let byte = |c: char| match c {
            'А'..='я' => u8::try_from(u32::from(c) - 0x410 + 0xc0).unwrap(),
            c => u8::try_from(c).unwrap(),
        };
        text.chars().map(byte).collect::<Vec<u8>>()
    };
    for (said, bytes, expected) in [
        ("; charset=us-ascii", german.as_bytes().to_vec(), german),
        ("; charset=iso-8859-1", german.as_bytes().to_vec(), german),
        (
            "; charset=windows-1252",
            russian.as_bytes().to_vec(),
            russian,
        ),
        ("; charset=iso-8859-1", western(german), german),
        ("; charset=utf-8", western(german), german),
        ("", western(german), german),
        ("", cyrillic(russian), russian),
    ] {
        for kind in ["plain", "html"] {
            let head =
                format!("Subject: x\nMIME-Version: 1.0\nContent-Type: text/{kind}{said}\n\n");
            let eml = [head.as_bytes(), &bytes, b"\n"].concat();
            let text = cento_ingest::message(&eml, &Extract::default()).unwrap();
            assert_eq!(text.content, format!("x\n\n{expected}"), "{kind}{said}");
            assert!(read(eml).content.contains(expected), "{kind}{said}");
        }
    }
}

#[test]
fn a_mailbox_is_taken_apart() {
    let messages: Vec<String> = Messages::new(samples::MBOX.as_bytes(), 1 << 20)
        .map(|message| String::from_utf8(message.unwrap()).unwrap())
        .collect();
    assert_eq!(messages.len(), 2);
    assert!(
        messages[0].contains("\nFrom here on it is quoted.\nFrom now on"),
        "{}",
        messages[0]
    );
    assert!(
        messages[1].starts_with("From: b@example.org\n"),
        "{}",
        messages[1]
    );
    let text = read(samples::MBOX);
    assert_eq!(text.kind, Kind::Mailbox);
    assert!(
        text.content.ends_with("Two\n\nSecond body."),
        "{}",
        text.content
    );
    let mut limited = Messages::new(samples::MBOX.as_bytes(), 50);
    assert!(limited.next().unwrap().is_err());
    assert!(limited.next().is_none());
}

#[test]
fn a_web_archive_is_taken_apart() {
    let bytes = samples::warc();
    let records: Vec<_> = Records::new(bytes.as_slice(), 1 << 20)
        .map(Result::unwrap)
        .collect();
    let addresses: Vec<&str> = records
        .iter()
        .map(|record| record.address.as_str())
        .collect();
    assert_eq!(
        addresses,
        [
            "http://example.org/",
            "http://example.org/b.txt",
            "http://example.org/c"
        ]
    );
    assert_eq!(records[1].payload, b"in two pieces");
    let text = read(bytes);
    assert_eq!(text.kind, Kind::WebArchive);
    assert!(text.content.contains("A heading") && text.content.ends_with("A converted text."));
    assert!(!text.content.contains("SECRET"), "{}", text.content);
}

#[test]
fn manual_pages() {
    check(
        samples::TROFF,
        Kind::Troff,
        "SAMPLE 1\n\nNAME\n\nsample - shows bold text\n\nSEE ALSO\n\n-v, --verbose Say more.\n\n\
         Last “words” of printf(3).",
    );
    check(
        samples::MDOC,
        Kind::Troff,
        "SAMPLE 1\n\nNAME\n\nsample – show things\n\nSYNOPSIS\n\nsample -v file\n\nDESCRIPTION\n\n\
         See printf(3).",
    );
    check(
        samples::INFO,
        Kind::Info,
        "A manual.\n\nTop of it\n*********\n\nSome text.\n\n* More::   more of it\n\nThe rest.",
    );
}

#[test]
fn latex_without_commands() {
    let text = read(samples::LATEX);
    assert_eq!(text.kind, Kind::Latex);
    let expected = "On small things\n\nFirst steps\n\nA formula is left out, but bold words and others stay — \
         with “quotes” and Z\u{30c}lut\u{30c}ouc\u{30c}ky\u{301} ku\u{30a}n\u{30c}. See and this page, 100% of it.\n\n\
         A note at the foot.\n\n[a)] one\ntwo\n\n\\kept{as} it % is\n\nleft \tright";
    assert_eq!(text.content, expected);
}

#[test]
fn a_notebook_gives_what_was_written() {
    check(
        samples::NOTEBOOK,
        Kind::Notebook,
        "# Heading\nSome words.\n\nprint('hello')",
    );
}

#[test]
fn content_decides_before_the_name() {
    let kind = |bytes: Vec<u8>, name: &str| extract(bytes, name, &Extract::default()).unwrap().kind;
    assert_eq!(kind(samples::pdf(), "essay.docx"), Kind::Pdf);
    assert_eq!(kind(docx(&paragraph("x")), "essay.pdf"), Kind::Word);
    assert_eq!(kind(samples::RTF.to_vec(), "essay.doc"), Kind::Rtf);
    assert_eq!(kind(samples::HTML.into(), "essay.doc"), Kind::Html);
    assert_eq!(kind(samples::odt(), "essay.zip"), Kind::OpenDocument);
    assert_eq!(kind(b"just words".to_vec(), "essay.pdf"), Kind::Plain);
    assert_eq!(kind(b"# just words".to_vec(), "essay.md"), Kind::Markdown);
    assert_eq!(kind(b"<p>a fragment".to_vec(), "essay.html"), Kind::Html);
    assert_eq!(
        kind(b"\\section{One} text".to_vec(), "essay.tex"),
        Kind::Latex
    );
    assert_eq!(
        kind(b"From: the beginning\n\nof a poem".to_vec(), "essay"),
        Kind::Plain
    );
    let mut junk = b"\x01junk before it\n".to_vec();
    junk.extend(samples::pdf());
    assert_eq!(kind(junk, "essay"), Kind::Pdf);
}

#[test]
fn what_cannot_be_read_comes_with_advice() {
    let old = |stream: &str| {
        let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        bytes.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
        bytes
    };
    assert_eq!(
        refused(old("WordDocument")),
        "Word 97-2003 document: save it as DOCX, or `soffice --convert-to docx`"
    );
    assert_eq!(
        refused(old("EncryptedPackage")),
        "encrypted: remove the password first"
    );
    assert_eq!(
        refused(*b"%!PS-Adobe"),
        "PostScript: convert it with `ps2pdf`"
    );
    assert_eq!(
        refused(*b"AT&TFORM...."),
        "DjVu: extract its text with `djvutxt`"
    );
    assert!(refused(*b"\x89PNG\r\n\x1a\n").starts_with("PNG image: "));
    assert_eq!(
        refused(zip(&[("a.txt", b"text")])),
        "zip archive: unpack it first"
    );
    assert_eq!(refused(*b""), "empty file");
    assert_eq!(
        refused(*b"%PDF-1.7 no more"),
        "damaged PDF (startxref not found)"
    );
    let manifest = b"<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>";
    let locked = zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", b"\x93\x12\x00"),
    ]);
    assert_eq!(refused(locked), "encrypted: remove the password first");
}

#[test]
fn an_encrypted_pdf_says_so() {
    let (owner, user) = ("01".repeat(32), "02".repeat(32));
    let encrypt = format!(
        "/Encrypt << /Filter /Standard /V 1 /R 2 /O <{owner}> /U <{user}> /P -44 >> /ID [<00> <00>]"
    );
    let bytes = pdf_of(&[lines(&["locked"])], &encrypt);
    assert_eq!(refused(bytes), "encrypted: remove the password first");
}

#[test]
fn an_encoding_that_is_asked_for_holds_for_texts() {
    let options = Extract {
        encoding: cento_ingest::Encoding::for_label(b"koi8-r"),
        ..Extract::default()
    };
    let text = extract(b"\xeb\xd4\xcf".to_vec(), "a.txt", &options).unwrap();
    assert_eq!(
        (text.content.as_str(), text.encoding),
        ("Кто", Some("KOI8-R"))
    );
    // It does not change documents that say themselves how they are coded.
    let docx = extract(docx(&paragraph("Café")), "a.docx", &options).unwrap();
    assert!(docx.content.starts_with("Café"));
}

/// What Plagiarex sees.
fn all_but_code(bytes: impl Into<Vec<u8>>, name: &str) -> Text {
    let options = Extract {
        scope: Scope::AllButCode,
        ..Extract::default()
    };
    extract(bytes.into(), name, &options).unwrap()
}

#[test]
fn all_words_of_a_page_but_its_code() {
    let page = "<html><head><title>A title</title><style>p {}</style></head><body>
        <nav><a href=x>menu</a></nav><p>Call <code>reinitialize_everything</code> now.</p>
        <script>hidden()</script><pre>int unpronounceableidentifier;</pre>
        <p style=\"display:none\">unseen</p><footer>all rights reserved</footer></body></html>";
    let text = all_but_code(page, "page.html");
    let words: Vec<&str> = text.content.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "A title menu Call now. all rights reserved"
    );
    // A text file in a page has its text in `pre`, and nothing else.
    let text = all_but_code(
        "<html><body><pre>a text\nfile</pre></body></html>",
        "a.html",
    );
    assert_eq!(text.content, "a text\nfile");
}

#[test]
fn code_is_left_out_of_other_formats_too() {
    let text = all_but_code(samples::NOTEBOOK, "a.ipynb");
    assert_eq!(text.content, "# Heading\nSome words.");
    let text = all_but_code("Call `f(x)`.\n```\nlet a;\n```\nThen go.", "a.md");
    assert_eq!(text.content, "Call ``.\n\nThen go.");
    let text = all_but_code(samples::LATEX, "a.tex");
    assert!(!text.content.contains("kept"), "{}", text.content);
    // All others take it as it is.
    let text = read(samples::LATEX);
    assert!(
        text.content.contains("\\kept{as} it % is"),
        "{}",
        text.content
    );
}

#[test]
fn xml_is_what_stands_between_the_tags() {
    check(
        samples::TEI,
        Kind::Xml,
        "Ham.\nThe ground of his distemperancie.\nOf his distemperature,\nO Courtier\n\nFarewell\nall.\n\nExeunt & finé.",
    );
    let guide = "<?xml version='1.0'?><book><para>Type this:</para><programlisting>let a;</programlisting></book>";
    check(guide, Kind::Xml, "Type this:\n\nlet a;");
    assert_eq!(all_but_code(guide, "a.xml").content, "Type this:");
    let czech = b"<?xml version='1.0' encoding='iso-8859-2'?><p>\xbelu\xbbou\xe8k\xfd</p>";
    check(
        czech.to_vec(),
        Kind::Xml,
        "\u{17e}lu\u{165}ou\u{10d}k\u{fd}",
    );
    // What has no text says what it has to say in its attributes.
    let settings = r#"<?xml version="1.0"?><menu><item name="open"/></menu>"#;
    check(settings, Kind::Plain, settings);
}
