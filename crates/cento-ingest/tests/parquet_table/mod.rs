//! Parquet files as other programs write them.

#![allow(dead_code, reason = "not every suite needs every kind")]

use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const SCHEMA: &str = "message rows {
    required int64 id;
    optional binary text (UTF8);
    optional int32 day (DATE);
    optional double score;
    optional group tags (LIST) { repeated group list { optional binary element (UTF8); } }
}";

/// The text of a row; every seventh has none.
pub(crate) fn text(row: i64) -> Option<String> {
    (row % 7 != 6).then(|| format!("the text of row {row}, {}", "with words ".repeat(20)))
}

/// A table with these row groups.
pub(crate) fn table(groups: &[Range<i64>], compression: Compression) -> Vec<u8> {
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

/// The same, not compressed.
pub(crate) fn plain(groups: &[Range<i64>]) -> Vec<u8> {
    table(groups, Compression::UNCOMPRESSED)
}
