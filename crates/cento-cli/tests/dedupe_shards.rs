//! Shards of other kinds: Parquet files, compressed tables, archives.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/dedupe.rs"]
mod support;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};
use support::{fails, json_lines, ok, read, text, write};

const SCHEMA: &str = "message schema {
    required binary id (UTF8);
    optional binary text (UTF8);
    required int64 score;
}";

/// A file of these texts, two rows in a group; their ids begin with the name.
fn write_parquet(path: &Path, name: &str, texts: &[Option<String>]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
    for (number, texts) in texts.chunks(2).enumerate() {
        let first = number * 2;
        let mut group = writer.next_row_group().unwrap();
        let ids = (first..first + texts.len()).map(|row| format!("{name}{row}"));
        let ids: Vec<ByteArray> = ids.map(|id| ByteArray::from(id.as_str())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<ByteArrayType>()
            .write_batch(&ids, None, None)
            .unwrap();
        column.close().unwrap();
        let levels: Vec<i16> = texts.iter().map(|text| i16::from(text.is_some())).collect();
        let values = texts.iter().flatten();
        let values: Vec<ByteArray> = values.map(|text| ByteArray::from(text.as_str())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        let written = column.typed::<ByteArrayType>();
        written.write_batch(&values, Some(&levels), None).unwrap();
        column.close().unwrap();
        let scores: Vec<i64> = (0..).skip(first).take(texts.len()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column
            .typed::<Int64Type>()
            .write_batch(&scores, None, None)
            .unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

fn parquet_rows(path: &Path) -> Vec<Value> {
    let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = file.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().to_json_value()).collect()
}

#[test]
fn parquet_shards_are_one_dataset() {
    let folder = tempfile::tempdir().unwrap();
    let some = |from: usize| Some(text(from, 100));
    let inside = |name: &str| folder.path().join(name);
    write_parquet(&inside("in/a.parquet"), "a", &[some(0), some(500), some(0)]);
    write_parquet(
        &inside("in/sub/b.parquet"),
        "b",
        &[some(500), some(900), some(0)],
    );
    ok(&folder, "dedupe in -o out");
    let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&parquet_rows(&inside("out/a.parquet"))), ["a0", "a1"]);
    assert_eq!(ids(&parquet_rows(&inside("out/sub/b.parquet"))), ["b1"]);
    // The field that decides is read too.
    ok(&folder, "dedupe in -o best --keep max:score");
    assert_eq!(ids(&parquet_rows(&inside("best/a.parquet"))), ["a1", "a2"]);
    ok(&folder, "dedupe in/a.parquet -o marked.parquet --annotate");
    let rows = parquet_rows(&inside("marked.parquet"));
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2]["cluster_id"], "a0");
    assert_eq!(rows[2]["is_kept"], false);
    assert_eq!(rows[2]["similarity_to_kept"], 1.0);
    assert_eq!(rows[2]["score"], 2);
    let errors = fails(&folder, "dedupe marked.parquet -o twice.parquet --annotate");
    assert!(
        errors.contains("it already has a column cluster_id"),
        "{errors}"
    );
}

#[test]
fn passages_of_parquet_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.parquet");
    let texts = [
        Some(text(0, 20)),
        None,
        Some(format!("New. {}. End.", text(0, 20))),
        Some(text(0, 20)),
    ];
    write_parquet(&path, "p", &texts);
    ok(
        &folder,
        "dedupe in.parquet -o out.parquet --passages --min-words 20 --max-errors 0.5",
    );
    let rows = parquet_rows(&folder.path().join("out.parquet"));
    let texts: Vec<&Value> = rows.iter().map(|row| &row["text"]).collect();
    assert_eq!(texts, [&json!(text(0, 20)), &json!("New. End.")]);
    assert_eq!(rows[1]["score"], 2);
    assert_eq!(read(&folder, "out.removed.txt"), "p3\n");
    let skipped = json_lines(&folder, "out.skipped.jsonl");
    assert_eq!(skipped[0]["line"], 2);
}

/// Three rows, the last like the first.
fn rows() -> Vec<String> {
    let row = |id: &str, from: usize| json!({"id": id, "text": text(from, 100)}).to_string();
    vec![row("a", 0), row("b", 500), row("c", 0)]
}

#[test]
fn compressed_shards_stay_compressed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    let all = rows().join("\n") + "\n";
    let gz = File::create(folder.path().join("in/1.jsonl.gz")).unwrap();
    let mut gz = flate2::write::GzEncoder::new(gz, flate2::Compression::fast());
    gz.write_all(all.as_bytes()).unwrap();
    gz.finish().unwrap();
    let zst = zstd::encode_all(all.as_bytes(), 1).unwrap();
    std::fs::write(folder.path().join("in/2.jsonl.zst"), zst).unwrap();
    ok(&folder, "dedupe in -o out");
    let kept = format!("{}\n{}\n", rows()[0], rows()[1]);
    let unpacked = |name: &str| {
        let mut text = String::new();
        let file = File::open(folder.path().join(name)).unwrap();
        let mut reader = flate2::read::GzDecoder::new(file);
        reader.read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!(unpacked("out/1.jsonl.gz"), kept);
    let zst = std::fs::read(folder.path().join("out/2.jsonl.zst")).unwrap();
    assert_eq!(zstd::decode_all(zst.as_slice()).unwrap(), b"");
    // One file, with and without passages.
    ok(&folder, "dedupe in/1.jsonl.gz -o one.jsonl.gz");
    assert_eq!(unpacked("one.jsonl.gz"), kept);
    assert_eq!(read(&folder, "one.removed.txt"), "c\n");
    ok(&folder, "dedupe in/1.jsonl.gz -o cut.jsonl.gz --passages");
    assert_eq!(unpacked("cut.jsonl.gz"), kept);
    let errors = fails(&folder, "dedupe in/1.jsonl.gz -o one.jsonl");
    assert!(errors.contains("a file with the same ending"), "{errors}");
}

#[test]
fn archives_are_read_and_said_not_to_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::create(folder.path().join("in.zip")).unwrap();
    let mut archive = zip::ZipWriter::new(file);
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("part.jsonl", options).unwrap();
    archive
        .write_all((rows().join("\n") + "\n").as_bytes())
        .unwrap();
    archive.finish().unwrap();
    let printed = ok(&folder, "dedupe in.zip -o out");
    assert!(printed.starts_with("2 of 3 documents kept"), "{printed}");
    assert!(folder.path().join("out/clusters.csv").exists());
    let errors = fails(&folder, "dedupe in.zip -o cut --passages");
    assert!(errors.contains("unpack it first"), "{errors}");
    write(&folder, "test.txt", &[text(0, 50)]);
    ok(
        &folder,
        "dedupe in.zip -o seen --against test.txt --annotate",
    );
    assert_eq!(json_lines(&folder, "seen/spans.jsonl").len(), 2);
}
