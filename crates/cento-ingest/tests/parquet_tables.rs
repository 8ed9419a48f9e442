//! Parquet files as other programs write them, and damaged ones: rows are documents.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]
#![cfg(feature = "parquet")]

mod parquet_table;

use std::fs;
use std::path::Path;

use cento_ingest::{Finding, Keys, Options, ParquetRows, Readers, Row, find};
use parquet::basic::{Compression, ZstdLevel};
use parquet_table::{table, text};
use proptest::prelude::*;

fn found(path: &Path, options: &Options) -> (Finding, Readers) {
    let readers = Readers::new(options);
    let finding = find(&[path.to_path_buf()], options, &readers).unwrap();
    (finding, readers)
}

#[test]
fn rows_of_all_groups_are_documents() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("table.bin");
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(parquet::basic::GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
        Compression::BROTLI(parquet::basic::BrotliLevel::default()),
    ] {
        // The name says nothing: content decides.
        fs::write(&path, table(&[0..40, 40..41, 41..100], compression)).unwrap();
        let (finding, readers) = found(&path, &Options::default());
        assert_eq!(finding.skipped.len(), 14);
        let empty = &finding.skipped[0];
        assert_eq!(
            (empty.id.as_str(), empty.error.to_string().as_str()),
            ("table.bin:14", "its field text is empty")
        );
        assert_eq!(finding.documents.len(), 86);
        // Backwards and forwards, so that pages are gone to and passed over.
        for source in finding.documents.iter().rev().chain(&finding.documents) {
            let row: i64 = source.id.parse().unwrap();
            assert_eq!(readers.read(source).unwrap().content, text(row).unwrap());
        }
    }
    let rows = ParquetRows::open(&path, &Keys::default(), 1 << 20).unwrap();
    assert_eq!(
        (rows.row_count(), rows.left_out()),
        (100, &["tags".to_owned()][..])
    );
    let rows: Vec<Row> = rows.filter_map(Result::ok).collect();
    let fields = serde_json::json!({ "id": 45, "day": "1970-02-15", "score": null });
    let row = rows.iter().find(|row| row.line == 46).unwrap();
    assert_eq!(serde_json::Value::Object(row.fields.clone()), fields);
    assert_eq!((row.id.as_deref(), row.offset), (Some("45"), 45));
}

#[test]
fn columns_that_cannot_be_read_are_named() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.parquet");
    fs::write(&path, table(&[0..3, 3..5], Compression::SNAPPY)).unwrap();
    let open = |text: &str, id: Option<&str>| {
        let keys = Keys {
            text: Some(text.to_owned()),
            id: id.map(str::to_owned),
        };
        ParquetRows::open(&path, &keys, 100)
    };
    let refused = |text, id| open(text, id).err().unwrap().to_string();
    assert_eq!(
        refused("words", None),
        "no field named words; there are id, text, day, score"
    );
    assert_eq!(
        refused("text", Some("key")),
        "no field named key; there are id, text, day, score"
    );
    assert_eq!(
        refused("tags", None),
        "its field tags is nested; only plain columns are read"
    );
    assert_eq!(refused("day", None), "its field day is not text but INT32");
    // A row that is too long costs itself only.
    let rows: Vec<_> = open("text", Some("day")).unwrap().collect();
    assert_eq!(rows.len(), 5);
    let error = &rows[4].as_ref().unwrap_err().error;
    assert_eq!(error.to_string(), "longer than 100 bytes");
    let mut options = Options::default();
    options.reading.keys.id = Some("day".to_owned());
    let (finding, _) = found(&path, &options);
    assert_eq!(finding.documents[1].id, "1970-01-02");
}

#[test]
fn packed_and_damaged_tables() {
    let root = tempfile::tempdir().unwrap();
    let whole = table(&[0..20, 20..40], Compression::SNAPPY);
    let zip = {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file("in/a.parquet", options).unwrap();
        std::io::Write::write_all(&mut writer, &whole).unwrap();
        writer.finish().unwrap().into_inner()
    };
    fs::write(root.path().join("a.zip"), zip).unwrap();
    fs::write(root.path().join("cut.parquet"), &whole[..whole.len() / 2]).unwrap();
    fs::write(
        root.path().join("text.parquet"),
        "only words under a wrong name",
    )
    .unwrap();
    // A page in the first row group becomes nonsense: the second is still read.
    let mut broken = whole.clone();
    let place = broken
        .windows(8)
        .position(|part| part == b"the text")
        .unwrap();
    broken[place - 40..place + 400].fill(0xaa);
    fs::write(root.path().join("broken.parquet"), broken).unwrap();
    let (finding, readers) = found(root.path(), &Options::default());
    let reason = |id: &str| {
        let found = finding.skipped.iter().find(|skipped| skipped.id == id);
        found.unwrap().error.to_string()
    };
    assert!(reason("cut.parquet").starts_with("Parquet table: damaged ("));
    let rest = finding
        .skipped
        .iter()
        .find(|skipped| skipped.id.starts_with("broken.parquet:"));
    let rest = rest.unwrap().error.to_string();
    assert!(rest.contains("more rows with it"), "{rest}");
    let of = |file: &str| {
        let parts = finding.documents.iter().flat_map(|source| &source.parts);
        parts.filter(|part| part.file.starts_with(file)).count()
    };
    assert_eq!((of("a.zip/in/a.parquet:"), of("text.parquet")), (35, 1));
    assert!(of("broken.parquet:") >= 17);
    for source in &finding.documents {
        readers.read(source).unwrap();
    }
}

/// Reads a table in every way, whatever becomes of it.
fn survive(bytes: &[u8]) {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.parquet");
    fs::write(&path, bytes).unwrap();
    if let Ok(rows) = ParquetRows::open(&path, &Keys::default(), 1 << 20) {
        for row in rows.take(1000).flatten() {
            assert!(row.text.len() < 1 << 20);
        }
    }
    let mut options = Options::default();
    options.reading.limits.entries = 1000;
    let (finding, readers) = found(&path, &options);
    assert!(!finding.documents.is_empty() || !finding.skipped.is_empty());
    for source in finding.documents.iter().take(100) {
        let _ = readers.read(source);
    }
}

#[test]
fn truncated_anywhere() {
    let whole = table(&[0..20, 20..30], Compression::SNAPPY);
    for length in (0..whole.len()).step_by(7) {
        survive(&whole[..length]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn bytes_changed(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..10),
        is_footer in any::<bool>(),
    ) {
        let mut bytes = table(&[0..20, 20..30], Compression::SNAPPY);
        let (length, _) = bytes.split_last_chunk::<8>().unwrap();
        let footer = u32::from_le_bytes(bytes[length.len()..length.len() + 4].try_into().unwrap());
        let start = if is_footer { length.len() - footer as usize } else { 0 };
        for (place, byte) in places {
            let place = start + place.index(bytes.len() - start);
            bytes[place] = byte;
        }
        survive(&bytes);
    }
}
