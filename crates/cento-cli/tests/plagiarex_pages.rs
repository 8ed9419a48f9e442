//! What Plagiarex sees of pages: all words outside markup and computer code.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::fs;

use support::{cento, json};

/// What a command prints; it has to succeed.
fn printed(arguments: &[&str]) -> String {
    let output = cento().args(arguments).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    String::from_utf8(output.stdout).unwrap() + &told
}

/// An article with code in it, longer than anything in the text, and a footer.
fn page() -> String {
    let sentence = "the archive keeps a significant revision of every page it finds, and each of \
                    them gets a number and a date, so that nobody loses anything. ";
    format!(
        "<html><head><title>archives</title></head><body><nav>directory</nav><article><p>{}</p>\
         <p>Call <code>reinitializeeverything</code> first.</p><pre>unpronounceableidentifier</pre>\
         </article><footer>administration</footer></body></html>",
        sentence.repeat(5)
    )
}

#[test]
fn code_is_left_out_and_footers_and_menus_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    fs::write(&file, page()).unwrap();
    let file = file.to_str().unwrap();
    let chunk = printed(&["explain", "chunks", file, "--recipe", "plagiarex", "-q"]);
    assert_eq!(
        chunk,
        "administration,significant,directory,archives,revision\n"
    );
    let seen = printed(&["explain", "text", file, "--for", "plagiarex"]);
    assert!(
        seen.contains("administration") && !seen.contains("identifier"),
        "{seen}"
    );
    assert!(seen.contains("for       plagiarex, which takes"), "{seen}");
    // Other recipes take the article, with its code.
    let main = printed(&["explain", "text", file]);
    assert!(
        main.contains("identifier") && !main.contains("administration"),
        "{main}"
    );
    assert!(!main.contains("for       "), "{main}");
}

#[test]
fn two_pages_that_differ_in_their_code_are_equal_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let other = page().replace("unpronounceableidentifier", "anotherincomprehensiblename");
    for (name, text) in [("one.html", page()), ("two.html", other)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let report = json(&["scan", "--recipe", "plagiarex", "-q"], folder.path());
    assert_eq!(report["pairs"][0]["score"], 1.0, "{report}");
}

#[test]
fn tei_is_read_without_its_tags_and_header() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("play.xml");
    let tei = "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><p>transcriptions</p></teiHeader>\
               <text><l>ground of his distemperancie.</l><l>What entertainement the</l>\
               <l>his distempera<pb/>ture</l><l>if circumstances leade, indifferently</l></text></TEI>";
    fs::write(&file, tei).unwrap();
    let file = file.to_str().unwrap();
    let digest = printed(&[
        "explain",
        "fingerprint",
        file,
        "--recipe",
        "plagiarex",
        "-q",
    ]);
    assert_eq!(digest, "t968ghH8IC3Yv3n8JYMSVQ\n");
}

#[test]
fn for_is_only_for_the_text() {
    let output = cento()
        .args(["explain", "tokens", "a.txt", "--for", "plagiarex"])
        .output();
    let told = String::from_utf8(output.unwrap().stderr).unwrap();
    let expected = "error: --for: only `explain text` takes it; the other stages take --recipe\n";
    assert_eq!(told, expected);
}
