//! Rows of Parquet files are written again: every type, nested and repeated columns, and all that
//! the file says about itself.
#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use cento_ingest::{AddedColumn, AddedValues, Keys, Limits, ParquetEdit, Shard};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type, Int96, Int96Type,
};
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

const SCHEMA: &str = "message schema {
    required binary id (UTF8);
    optional binary text (UTF8);
    required boolean yes;
    optional int32 small (DATE);
    required int64 large (TIMESTAMP(MILLIS, true));
    required int96 old;
    optional float single;
    required double double;
    optional fixed_len_byte_array(4) fixed;
    optional group tags (LIST) {
        repeated group list {
            optional binary element (UTF8);
        }
    }
    required group place {
        optional double x;
        required int32 y;
    }
}";

/// How many rows each group has.
const GROUPS: [usize; 3] = [400, 3, 500];

fn of(row: usize) -> String {
    format!("row{row} {}", "more ".repeat(row % 5))
}

/// Writes a file; what a row has depends on its number alone.
fn write(path: &Path) {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let about = KeyValue::new("made by".to_owned(), "a test".to_owned());
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_column_compression("text".into(), Compression::SNAPPY)
        .set_column_dictionary_enabled("text".into(), false)
        .set_key_value_metadata(Some(vec![about]))
        .set_data_page_row_count_limit(50)
        .build();
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
    let mut first = 0;
    for count in GROUPS {
        let mut group = writer.next_row_group().unwrap();
        write_group(&mut group, first..first + count);
        group.close().unwrap();
        first += count;
    }
    writer.close().unwrap();
}

macro_rules! column {
    ($group:expr, $type:ty, $values:expr, $definitions:expr, $repetitions:expr) => {{
        let mut column = $group.next_column().unwrap().unwrap();
        let definitions: Option<Vec<i16>> = $definitions;
        let repetitions: Option<Vec<i16>> = $repetitions;
        column
            .typed::<$type>()
            .write_batch(
                &$values.collect::<Vec<_>>(),
                definitions.as_deref(),
                repetitions.as_deref(),
            )
            .unwrap();
        column.close().unwrap();
    }};
}

fn write_group(group: &mut SerializedRowGroupWriter<'_, File>, rows: std::ops::Range<usize>) {
    let all = || rows.clone();
    let small = |row: usize| i32::try_from(row).unwrap();
    let some = |every: usize| {
        let levels = all().map(|row| i16::from(row % every != 0));
        Some(levels.collect::<Vec<i16>>())
    };
    let with = |every: usize| all().filter(move |row| row % every != 0);
    let id = |row: usize| ByteArray::from(format!("id{row}").as_str());
    column!(group, ByteArrayType, all().map(id), None, None);
    let text = |row: usize| ByteArray::from(of(row).as_str());
    column!(group, ByteArrayType, with(7).map(text), some(7), None);
    column!(group, BoolType, all().map(|row| row % 3 == 0), None, None);
    column!(group, Int32Type, with(4).map(small), some(4), None);
    column!(
        group,
        Int64Type,
        all().map(|row| i64::from(small(row)) * 1000),
        None,
        None
    );
    let old = |row: usize| {
        let mut value = Int96::new();
        value.set_data(u32::try_from(row).unwrap(), 1, 2_450_000);
        value
    };
    column!(group, Int96Type, all().map(old), None, None);
    column!(
        group,
        FloatType,
        with(3).map(|row| row as f32),
        some(3),
        None
    );
    column!(
        group,
        DoubleType,
        all().map(|row| row as f64 / 2.0),
        None,
        None
    );
    let fixed =
        |row: usize| FixedLenByteArray::from(ByteArray::from(small(row).to_be_bytes().to_vec()));
    column!(
        group,
        FixedLenByteArrayType,
        with(5).map(fixed),
        some(5),
        None
    );
    // No list, an empty one, or one to three tags of which the second is empty.
    let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    for row in all() {
        match row % 5 {
            0 => {
                definitions.push(0);
                repetitions.push(0);
            }
            1 => {
                definitions.push(1);
                repetitions.push(0);
            }
            many => {
                for tag in 0..many - 1 {
                    repetitions.push(i16::from(tag > 0));
                    definitions.push(if tag == 1 { 2 } else { 3 });
                    if tag != 1 {
                        values.push(ByteArray::from(format!("tag{row}.{tag}").as_str()));
                    }
                }
            }
        }
    }
    column!(
        group,
        ByteArrayType,
        values.into_iter(),
        Some(definitions),
        Some(repetitions)
    );
    column!(
        group,
        DoubleType,
        with(2).map(|row| row as f64),
        some(2),
        None
    );
    column!(group, Int32Type, all().map(small), None, None);
}

/// All rows as text, one after the other.
fn rows(path: &Path) -> Vec<String> {
    let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = file.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().to_json_value().to_string())
        .collect()
}

fn copied(edit: &ParquetEdit) -> (Vec<String>, Vec<String>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (
        folder.path().join("a.parquet"),
        folder.path().join("b.parquet"),
    );
    write(&from);
    let shard = Shard::open(&from, &Keys::default(), &Limits::default());
    let shard = shard.unwrap().unwrap();
    let out = File::create(&to).unwrap();
    shard.copy_parquet(edit, out).unwrap();
    (rows(&from), rows(&to), folder)
}

#[test]
fn some_rows_are_copied_as_they_are() {
    let total = GROUPS.iter().sum::<usize>() as u64;
    // All; every third; a few runs without the second group; none.
    let wanted: [Vec<u64>; 4] = [
        (0..total).collect(),
        (0..total).filter(|row| row % 3 == 1).collect(),
        (10..120).chain(399..400).chain(600..900).collect(),
        Vec::new(),
    ];
    for wanted in wanted {
        let (before, after, folder) = copied(&ParquetEdit {
            rows: wanted.clone(),
            ..ParquetEdit::default()
        });
        let expected = wanted
            .iter()
            .map(|row| &before[usize::try_from(*row).unwrap()]);
        assert!(after.iter().eq(expected), "{} rows", wanted.len());
        let open = |name: &str| {
            let file = File::open(folder.path().join(name)).unwrap();
            SerializedFileReader::new(file).unwrap()
        };
        let (from, to) = (open("a.parquet"), open("b.parquet"));
        let (old, new) = (from.metadata(), to.metadata());
        assert_eq!(old.file_metadata().schema(), new.file_metadata().schema());
        assert_eq!(
            old.file_metadata().key_value_metadata(),
            new.file_metadata().key_value_metadata()
        );
        for group in new.row_groups() {
            let codecs = group.columns().iter().map(ColumnChunkMetaData::compression);
            let before = old.row_group(0).columns().iter();
            assert!(codecs.eq(before.map(ColumnChunkMetaData::compression)));
        }
    }
}

#[test]
fn texts_change_and_columns_are_added() {
    let rows: Vec<u64> = (395..410).collect();
    let texts = [(396, "another\ntext".to_owned()), (409, String::new())];
    let edit = ParquetEdit {
        added: vec![
            AddedColumn {
                name: "cluster_id".to_owned(),
                values: AddedValues::Text(rows.iter().map(u64::to_string).collect()),
            },
            AddedColumn {
                name: "is_kept".to_owned(),
                values: AddedValues::Bool(rows.iter().map(|row| row % 2 == 0).collect()),
            },
            AddedColumn {
                name: "similarity_to_kept".to_owned(),
                values: AddedValues::Number(rows.iter().map(|row| *row as f64 / 1000.0).collect()),
            },
        ],
        texts: BTreeMap::from(texts.clone()),
        rows,
    };
    let (before, after, _folder) = copied(&edit);
    for (row, after) in (395_usize..410).zip(&after) {
        let mut expected: serde_json::Value = serde_json::from_str(&before[row]).unwrap();
        if let Some((_, text)) = texts.iter().find(|(place, _)| *place == row as u64) {
            expected["text"] = text.as_str().into();
        }
        expected["cluster_id"] = row.to_string().into();
        expected["is_kept"] = (row % 2 == 0).into();
        expected["similarity_to_kept"] = (row as f64 / 1000.0).into();
        let after: serde_json::Value = serde_json::from_str(after).unwrap();
        assert_eq!(after, expected);
    }
}
