//! Small documents of every format, made here.

#![allow(dead_code, reason = "each suite uses some of them")]

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A zip archive of these members.
pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default());
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The links of a part: id, kind, target.
pub(crate) fn relations(links: &[(&str, &str, &str)]) -> String {
    let mut xml = String::from("<Relationships>");
    for (id, kind, target) in links {
        let kind = format!("{RELATIONS}/{kind}");
        write!(
            xml,
            r#"<Relationship Id="{id}" Type="{kind}" Target="{target}"/>"#
        )
        .unwrap();
    }
    xml + "</Relationships>"
}

/// A Word document with this body, and with notes, a header and comments.
pub(crate) fn docx(body: &str) -> Vec<u8> {
    let document = format!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="w"
        xmlns:mc="mc"><w:body>{body}<w:sectPr><w:headerReference/></w:sectPr></w:body></w:document>"#
    );
    let note = |id: &str, text: &str| {
        format!(r#"<w:footnote w:id="{id}"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote>"#)
    };
    let notes = format!(
        r#"<w:footnotes><w:footnote w:type="separator"><w:p><w:r><w:t>-----</w:t></w:r></w:p>
        </w:footnote>{}</w:footnotes>"#,
        note("1", "A note at the foot.")
    );
    let header = "<w:hdr><w:p><w:r><w:t>Running head</w:t></w:r></w:p></w:hdr>";
    let comments = "<w:comments><w:comment><w:p><w:r><w:t>SECRET COMMENT</w:t></w:r></w:p></w:comment></w:comments>";
    let main = relations(&[("r1", "officeDocument", "word/document.xml")]);
    let parts = relations(&[
        ("r1", "footnotes", "footnotes.xml"),
        ("r2", "header", "header1.xml"),
        ("r3", "header", "header2.xml"),
        ("r4", "comments", "comments.xml"),
    ]);
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", main.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", parts.as_bytes()),
        ("word/footnotes.xml", notes.as_bytes()),
        ("word/header1.xml", header.as_bytes()),
        ("word/header2.xml", header.as_bytes()),
        ("word/comments.xml", comments.as_bytes()),
    ])
}

pub(crate) fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// Two slides, the second of which comes first, with notes.
pub(crate) fn pptx() -> Vec<u8> {
    let slide = |text: &str| {
        format!(
            r#"<p:sld><p:cSld><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody>
            <p:txBody><a:p><a:fld type="slidenum"><a:t>77</a:t></a:fld></a:p></p:txBody></p:cSld></p:sld>"#
        )
    };
    let (first, second) = (slide("Second to be shown"), slide("First to be shown"));
    let presentation = r#"<p:presentation><p:sldMasterIdLst><p:sldMasterId id="9" r:id="r9"/>
        </p:sldMasterIdLst><p:sldIdLst><p:sldId id="257" r:id="r2"/><p:sldId id="256" r:id="r1"/>
        </p:sldIdLst></p:presentation>"#;
    let links = relations(&[
        ("r1", "slide", "slides/slide1.xml"),
        ("r2", "slide", "slides/slide2.xml"),
    ]);
    let notes = relations(&[("r1", "notesSlide", "../notesSlides/notes1.xml")]);
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("ppt/presentation.xml", presentation.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", links.as_bytes()),
        ("ppt/slides/slide1.xml", first.as_bytes()),
        ("ppt/slides/slide2.xml", second.as_bytes()),
        ("ppt/slides/_rels/slide2.xml.rels", notes.as_bytes()),
        (
            "ppt/notesSlides/notes1.xml",
            slide("What the speaker says").as_bytes(),
        ),
    ])
}

pub(crate) fn xlsx() -> Vec<u8> {
    let workbook = r#"<workbook><sheets><sheet name="B" r:id="r2"/>
        <sheet name="A" state="hidden" r:id="r1"/></sheets></workbook>"#;
    let strings = "<sst><si><t>shared</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>NO</t></rPh></si></sst>";
    let first = r#"<worksheet><sheetData><row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>inline</t></is></c>
        <c><f>SECRET(1)</f><v>42</v></c><c t="b"><v>1</v></c></row></sheetData></worksheet>"#;
    let second = r#"<worksheet><sheetData><row><c t="s"><v>0</v></c><c t="s"><v>99</v></c></row></sheetData></worksheet>"#;
    let links = relations(&[
        ("r1", "worksheet", "worksheets/sheet1.xml"),
        ("r2", "worksheet", "worksheets/sheet2.xml"),
        ("r3", "sharedStrings", "sharedStrings.xml"),
    ]);
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("xl/workbook.xml", workbook.as_bytes()),
        ("xl/_rels/workbook.xml.rels", links.as_bytes()),
        ("xl/sharedStrings.xml", strings.as_bytes()),
        ("xl/worksheets/sheet1.xml", first.as_bytes()),
        ("xl/worksheets/sheet2.xml", second.as_bytes()),
    ])
}

pub(crate) fn odt() -> Vec<u8> {
    let content = r##"<office:document-content><office:automatic-styles>
        <style:style style:name="T1"><style:text-properties text:display="none"/></style:style>
        <style:style style:name="T2"><style:text-properties fo:color="#ffffff"/></style:style>
        </office:automatic-styles><office:body><office:text>
        <text:tracked-changes><text:deletion><text:p>DELETED</text:p></text:deletion></text:tracked-changes>
        <text:h>A heading</text:h>
        <text:p>One<text:s text:c="2"/>two<text:tab/>three<text:note><text:note-citation>9</text:note-citation>
        <text:note-body><text:p>The note</text:p></text:note-body></text:note> four
        <office:annotation><text:p>COMMENT</text:p></office:annotation>five.</text:p>
        <text:p><text:span text:style-name="T1">HIDDEN</text:span><text:span
        text:style-name="T2">pale</text:span> &amp; ready</text:p></office:text></office:body>
        </office:document-content>"##;
    let styles = r"<office:document-styles><office:master-styles><style:master-page><style:footer>
        <text:p>At the foot</text:p></style:footer><draw:frame><text:p>Click here</text:p></draw:frame>
        </style:master-page></office:master-styles></office:document-styles>";
    zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", content.as_bytes()),
        ("styles.xml", styles.as_bytes()),
    ])
}

pub(crate) fn epub() -> Vec<u8> {
    let container =
        r#"<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>"#;
    let book = r#"<package><manifest><item id="a" href="one.xhtml"/><item id="b" href="text/the%20two.xhtml"/>
        <item id="c" href="unused.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>"#;
    let page = |text: &str| {
        format!("<html><head><title>NO TITLE</title></head><body><p>{text}</p></body></html>")
    };
    zip(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("OEBPS/book.opf", book.as_bytes()),
        ("OEBPS/one.xhtml", page("Chapter at the end").as_bytes()),
        (
            "OEBPS/text/the two.xhtml",
            page("Chapter that opens &mdash; it").as_bytes(),
        ),
        ("OEBPS/unused.xhtml", page("NOT IN THE SPINE").as_bytes()),
    ])
}

/// A PDF whose pages have these content streams.
pub(crate) fn pdf_of(streams: &[String], trailer: &str) -> Vec<u8> {
    let mut objects = vec![String::new(), String::new()];
    objects.push(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    );
    let mut kids = String::new();
    for stream in streams {
        let page = objects.len() + 1;
        write!(kids, "{page} 0 R ").unwrap();
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            page + 1
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{stream}\nendstream",
            stream.len()
        ));
    }
    objects[0].push_str("<< /Type /Catalog /Pages 2 0 R >>");
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", streams.len());
    let mut file = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        write!(file, "{} 0 obj\n{object}\nendobj\n", number + 1).unwrap();
    }
    let start = file.len();
    write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for place in places {
        writeln!(file, "{place:010} 00000 n ").unwrap();
    }
    write!(
        file,
        "trailer\n<< /Size {} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    )
    .unwrap();
    file.into_bytes()
}

/// A content stream that writes these lines.
pub(crate) fn lines(lines: &[&str]) -> String {
    let mut stream = String::from("BT /F1 12 Tf 72 720 Td 14 TL\n");
    for line in lines {
        writeln!(stream, "({line}) Tj T*").unwrap();
    }
    stream + "ET"
}

pub(crate) fn pdf() -> Vec<u8> {
    let first = lines(&[
        "The first page has a line of text",
        "and one more line below it.",
    ]);
    pdf_of(&[first, lines(&["The second page is short."])], "")
}

pub(crate) const RTF: &[u8] = br"{\rtf1\ansi\ansicpg1250\deff0\uc1
{\fonttbl{\f0\fnil Times;}{\f1\fnil\fcharset204 Cyr;}{\f2\fnil\fcharset128 Min;}}
{\colortbl;\red255\green255\blue255;}{\stylesheet{\s0 Normal;}}{\info{\title SECRET TITLE}}
{\*\generator SECRET;}\pard Plain \b bold\b0  text, \'9elu\'9dou\'e8k\'fd.\par
{\f1 \'cf\'f0\'e8\'e2\'e5\'f2} {\f2 \'93\'fa\'96\'7b} \u8364?uro \u-10179?\u-8704?\par
A sentence{\footnote A note at the foot.} goes on.{\v HIDDEN}{\deleted GONE}
{\field{\*\fldinst HYPERLINK SECRET}{\fldrslt link}}\line next\tab cell\par
{\pict\bin4 {}{}0123}{\listtext 1.\tab}Item \{braced\} \emdash  end}";

pub(crate) const HTML: &str = "<!DOCTYPE html><html><head><title>A title</title><style>p { color: red }</style>
<script>var secret = '<p>SECRET</p>';</script></head><body><nav><a href=x>Home</a> <a href=y>About us</a></nav>
<article><h1>A heading</h1><p>The first paragraph of this page is a sentence that is long enough to be taken for
the text of an article, with commas, clauses, and all that a reader expects of one.</p><p>Caf&eacute; &amp; bar &#8212;
another paragraph of the same kind, which goes on for a while, so that nobody can take it for a menu.</p>
<pre>kept  as
it is</pre></article><footer><a href=z>Imprint</a></footer></body></html>";

pub(crate) const TEI: &str = r#"<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>A transcription</title></teiHeader>
        <text><body><sp><speaker>Ham.</speaker><l>The ground of his distemper<hi>ancie</hi>.</l>
        <l>Of his distem<pb n="7"/>perature,</l><l>O <hi>Cour</hi>tier</l></sp>
        <p>Farewell<lb/>all.</p><p>Exeunt &amp; fin&eacute;.</p></body></text></TEI>"#;

pub(crate) const EML: &str = "From: a@example.org\r\nTo: b@example.org\r\nSubject: =?utf-8?q?Caf=C3=A9?= plans\r\n\
Message-ID: <1@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=XX\r\n\r\n\
--XX\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
Let us meet at the caf=C3=A9.\r\n--XX\r\nContent-Type: text/html\r\n\r\n<p>HTML PART</p>\r\n--XX--\r\n";

pub(crate) const MBOX: &str = "From a@example.org Mon Jan  2 10:00:00 2023\nFrom: a@example.org\nSubject: One\n\nFirst body.\n\
>From here on it is quoted.\nFrom now on it is not a separator.\n\nFrom b@example.org Tue Jan  3 11:00:00 2023\n\
From: b@example.org\nSubject: Two\n\nSecond body.\n";

pub(crate) const TROFF: &str = ".\\\" a comment\n.TH SAMPLE 1 \"January 2023\" \"secret 1.0\"\n.de XX\nSECRET\n..\n.SH NAME\n\
sample \\- shows \\fBbold\\fP text\n.SH \"SEE ALSO\"\n.TP\n.BR \\-v \", \" \\-\\-verbose\nSay more.\n.if n \\{\\\n\
SECRET\n.\\}\n.PP\nLast \\(lqwords\\(rq of\n.IR printf (3).\n";

pub(crate) const MDOC: &str = ".Dd January 1, 2023\n.Dt SAMPLE 1\n.Os\n.Sh NAME\n.Nm sample\n.Nd show things\n.Sh SYNOPSIS\n\
.Nm\n.Op Fl v\n.Ar file\n.Sh DESCRIPTION\nSee\n.Xr printf 3 .\n";

pub(crate) const INFO: &str = "This is sample.info, produced by makeinfo version 6.8.\n\nA manual.\n\n\x1f\n\
File: sample.info,  Node: Top,  Next: More,  Up: (dir)\n\nTop of it\n*********\n\nSome text.\n\n* Menu:\n\n\
* More::   more of it\n\n\x1f\nFile: sample.info,  Node: More,  Prev: Top\n\nThe rest.\n\x1f\nTag Table:\nNode: Top\n\
\x1f\nEnd Tag Table\n";

pub(crate) const LATEX: &str = r"% SECRET
\documentclass[11pt]{article}
\usepackage{SECRET}
\title{On {\em small} things}
\begin{document}
\maketitle
\section{First steps}\label{SECRET}
A formula $x^2 + SECRET$ is left out\footnote{A note at the foot.}, but \textbf{bold words} and
\emph{others} stay~--- with ``quotes'' and \v{Z}lu\v{t}ou\v{c}k\'y k\r{u}\v{n}. % SECRET
See~\cite{SECRET} and \href{http://SECRET}{this page}, 100\% of it.

\begin{equation} SECRET \end{equation}
\begin{itemize}\item[a)] one \item two\end{itemize}
\begin{verbatim}
\kept{as} it % is
\end{verbatim}
\newcommand{\SECRET}[1]{SECRET #1}
\begin{tabular}{l|r} left & right \\ \end{tabular}
\end{document} SECRET
";

pub(crate) const NOTEBOOK: &str = r##"{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Heading\n", "Some words."]},
{"cell_type": "code", "source": "print('hello')", "outputs": [{"text": ["SECRET OUTPUT"]}], "metadata": {}}],
"metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;

pub(crate) fn warc() -> Vec<u8> {
    let record = |kind: &str, address: &str, content_type: &str, block: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\nContent-Type: {content_type}\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let page = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{HTML}");
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\nin two \r\n6\r\npieces\r\n0\r\n\r\n";
    let http = "application/http;msgtype=response";
    [
        record(
            "warcinfo",
            "",
            "application/warc-fields",
            "software: SECRET",
        ),
        record("response", "http://example.org/", http, &page),
        record(
            "request",
            "http://example.org/",
            http,
            "GET /SECRET HTTP/1.1\r\n\r\n",
        ),
        record("response", "http://example.org/b.txt", http, chunked),
        record(
            "conversion",
            "http://example.org/c",
            "text/plain",
            "A converted text.",
        ),
    ]
    .concat()
    .into_bytes()
}

/// One document of every format, with a name that says nothing.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("docx", docx(&paragraph("The body of a Word document."))),
        ("pptx", pptx()),
        ("xlsx", xlsx()),
        ("odt", odt()),
        ("epub", epub()),
        ("pdf", pdf()),
        ("rtf", RTF.to_vec()),
        ("html", HTML.into()),
        ("xml", TEI.into()),
        ("eml", EML.into()),
        ("mbox", MBOX.into()),
        ("man", TROFF.into()),
        ("mdoc", MDOC.into()),
        ("info", INFO.into()),
        ("tex", LATEX.into()),
        ("ipynb", NOTEBOOK.into()),
        ("warc", warc()),
    ]
}
