//! Parquet files as other programs write them, and damaged ones: rows are documents.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]
#![cfg(feature = "parquet")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use cento_ingest::{Finding, Keys, Options, ParquetRows, Readers, Row, find};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

const SCHEMA: &str = "message rows {
    required int64 id;
    optional binary text (UTF8);
    optional int32 day (DATE);
    optional double score;
    optional group tags (LIST) { repeated group list { optional binary element (UTF8); } }
}";

/// The text of a row; every seventh has none.
fn text(row: i64) -> Option<String> {
    (row % 7 != 6).then(|| format!("the text of row {row}, {}", "with words ".repeat(20)))
}

/// A table with these row groups.
fn table(groups: &[std::ops::Range<i64>], compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_data_page_row_count_limit(10)
        .set_write_batch_size(5)
        .set_encoding(Encoding::PLAIN)
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for rows in groups {
        let mut group = writer.next_row_group().unwrap();
        let mut number = 0;
        while let Some(mut column) = group.next_column().unwrap() {
            let rows = rows.clone();
            let all_there = vec![1; rows.clone().count()];
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(writer) => {
                    let ids: Vec<i64> = rows.collect();
                    writer.write_batch(&ids, None, None).unwrap();
                }
                ColumnWriter::Int32ColumnWriter(writer) => {
                    let days: Vec<i32> = rows.map(|row| i32::try_from(row).unwrap()).collect();
                    writer.write_batch(&days, Some(&all_there), None).unwrap();
                }
                ColumnWriter::DoubleColumnWriter(writer) => {
                    let levels = vec![0; rows.count()];
                    writer.write_batch(&[], Some(&levels), None).unwrap();
                }
                ColumnWriter::ByteArrayColumnWriter(writer) if number == 1 => {
                    let levels: Vec<i16> =
                        rows.clone().map(|row| text(row).is_some().into()).collect();
                    let texts = rows.filter_map(text);
                    let texts: Vec<ByteArray> = texts.map(|text| text.as_str().into()).collect();
                    writer.write_batch(&texts, Some(&levels), None).unwrap();
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    let none = vec![0; rows.count()];
                    writer.write_batch(&[], Some(&none), Some(&none)).unwrap();
                }
                _ => unreachable!("no other column is in the schema"),
            }
            column.close().unwrap();
            number += 1;
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

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
        assert_eq!(
            finding.skipped[0],
            (
                "table.bin:14".to_owned(),
                "its field text is empty".to_owned()
            )
        );
        assert_eq!(finding.sources.len(), 86);
        // Backwards and forwards, so that pages are gone to and passed over.
        for source in finding.sources.iter().rev().chain(&finding.sources) {
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
    let refused = |text, id| open(text, id).err().unwrap();
    assert_eq!(
        refused("words", None),
        "no field named words (--text-key); there are id, text, day, score"
    );
    assert_eq!(
        refused("text", Some("key")),
        "no field named key (--id-key); there are id, text, day, score"
    );
    assert_eq!(
        refused("tags", None),
        "its field tags is nested; only plain columns are read"
    );
    assert_eq!(refused("day", None), "its field day is not text but INT32");
    // A row that is too long costs itself only.
    let rows: Vec<_> = open("text", Some("day")).unwrap().collect();
    assert_eq!(rows.len(), 5);
    let reason = &rows[4].as_ref().unwrap_err().reason;
    assert_eq!(reason, "longer than 100 bytes; --max-file-size allows more");
    let mut options = Options::default();
    options.reading.keys.id = Some("day".to_owned());
    let (finding, _) = found(&path, &options);
    assert_eq!(finding.sources[1].id, "1970-01-02");
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
        &finding
            .skipped
            .iter()
            .find(|(skipped, _)| skipped == id)
            .unwrap()
            .1
    };
    assert!(reason("cut.parquet").starts_with("Parquet table: damaged ("));
    let rest = finding
        .skipped
        .iter()
        .find(|(id, _)| id.starts_with("broken.parquet:"));
    assert!(rest.unwrap().1.contains("more rows with it"), "{rest:?}");
    let of = |file: &str| {
        let parts = finding.sources.iter().flat_map(|source| &source.parts);
        parts.filter(|part| part.file.starts_with(file)).count()
    };
    assert_eq!((of("a.zip/in/a.parquet:"), of("text.parquet")), (35, 1));
    assert!(of("broken.parquet:") >= 17);
    for source in &finding.sources {
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
    assert!(!finding.sources.is_empty() || !finding.skipped.is_empty());
    for source in finding.sources.iter().take(100) {
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
