//! One file of every kind that has documents in it.

#![allow(dead_code, reason = "not every suite needs every kind")]

use std::io::Write as _;

use super::{pack, samples};

/// A table of JSON lines.
pub(crate) const JSON_LINES: &str = "{\"id\": \"a\", \"text\": \"first row\", \"n\": [1, {\"m\": null}]}\n\
    {\"id\": 2, \"text\": \"the second \\u00e9\"}\n";
/// A table of comma-separated values.
pub(crate) const SEPARATED: &str =
    "id,text,note\n1,\"a, \"\"quoted\"\" text\nof two lines\",x\n2,plain,y\n";

/// One file of every kind that has documents in it.
pub(crate) fn all() -> Vec<(String, Vec<u8>)> {
    let text = "A text of several words that stands in every one of them.\n";
    let tar = pack::tar(&[
        pack::Entry::File("folder/a.txt", text.as_bytes()),
        pack::Entry::Link("link", "/etc/passwd"),
        pack::Entry::File("b.rtf", samples::RTF),
    ]);
    let inner = samples::zip(&[("c.txt", text.as_bytes())]);
    let zip = samples::zip(&[("a.txt", text.as_bytes()), ("in.zip", &inner)]);
    let mut all: Vec<(String, Vec<u8>)> = vec![
        ("a.tar".to_owned(), tar.clone()),
        ("a.zip".to_owned(), zip),
        ("a.mbox".to_owned(), samples::MBOX.into()),
        ("a.warc".to_owned(), samples::warc()),
        ("rows.jsonl".to_owned(), JSON_LINES.into()),
        ("rows.csv".to_owned(), SEPARATED.into()),
    ];
    for packing in ["gz", "bz2", "xz", "zst"] {
        all.push((format!("a.txt.{packing}"), packed(packing, text.as_bytes())));
        all.push((format!("a.tar.{packing}"), packed(packing, &tar)));
    }
    all.push(("a.warc.gz".to_owned(), packed("gz", &samples::warc())));
    all.push((
        "b.jsonl.zst".to_owned(),
        packed("zst", JSON_LINES.as_bytes()),
    ));
    all
}

fn packed(name: &str, bytes: &[u8]) -> Vec<u8> {
    match name {
        "gz" => {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(bytes).unwrap();
            packed.finish().unwrap()
        }
        "bz2" => {
            let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            packed.write_all(bytes).unwrap();
            packed.finish().unwrap()
        }
        "xz" => {
            let options = lzma_rust2::XzOptions::with_preset(0);
            let mut packed = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
            packed.write_all(bytes).unwrap();
            packed.finish().unwrap()
        }
        _ => {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            ruzstd::encoding::compress_to_vec(bytes, level)
        }
    }
}
