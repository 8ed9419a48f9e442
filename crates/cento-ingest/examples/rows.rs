//! Reads the rows of a table and keeps none: how many there are, and the most memory that it took.
//!
//!     cargo run --release -p cento-ingest --example rows -- FILE
//!     cargo run --release -p cento-ingest --example rows -- --make ROWS FILE
//!
//! The second form writes a table to try it with, JSON lines or Parquet by the end of its name.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;

use cento_ingest::{BadRow, Form, Keys, Limits, ParquetRows, Row, Rows};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [make, rows, file] if make == "--make" => make_table(rows.parse()?, Path::new(file)),
        [file] => read_table(Path::new(file)),
        _ => Err("usage: rows [--make ROWS] FILE".into()),
    }
}

fn is_parquet(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "parquet")
}

fn read_table(file: &Path) -> Result<(), Box<dyn Error>> {
    let (keys, limit) = (Keys::default(), Limits::default().file_size);
    let rows: Box<dyn Iterator<Item = Result<Row, BadRow>>> = if is_parquet(file) {
        Box::new(ParquetRows::open(file, &keys, limit)?)
    } else {
        let reader = BufReader::with_capacity(1 << 16, File::open(file)?);
        Box::new(Rows::open(reader, Form::JsonLines, &keys, limit)?)
    };
    let (mut read, mut bad, mut bytes) = (0_u64, 0_u64, 0_u64);
    for row in rows {
        match row {
            Ok(row) => {
                read += 1;
                bytes += row.text.len() as u64;
            }
            Err(_) => bad += 1,
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "{:>6.2} GB file  {:>6.2} GB text  {read:>9} rows  {bad} bad  peak memory {}",
        file.metadata()?.len() as f64 / 1e9,
        bytes as f64 / 1e9,
        peak.unwrap_or("unknown").trim()
    );
    Ok(())
}

/// About three kilobytes of words that follow from the number.
fn text(row: u64) -> String {
    let mut text = String::with_capacity(3200);
    let mut state = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    while text.len() < 3000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        for syllable in state.to_le_bytes() {
            text.push(char::from(b'a' + syllable % 26));
            text.push(['a', 'e', 'i', 'o', 'u', ' '][usize::from(syllable >> 5) % 6]);
        }
    }
    text
}

fn make_table(rows: u64, file: &Path) -> Result<(), Box<dyn Error>> {
    const GROUP: u64 = 50_000;
    let mut output = BufWriter::with_capacity(1 << 20, File::create(file)?);
    if !is_parquet(file) {
        for row in 0..rows {
            let text = text(row);
            writeln!(
                output,
                "{{\"id\": {row}, \"year\": 1999, \"text\": \"{text}\"}}"
            )?;
        }
        return Ok(output.flush()?);
    }
    let schema = "message rows { required int64 id; required binary text (UTF8); }";
    let schema = Arc::new(parse_message_type(schema)?);
    let mut writer = SerializedFileWriter::new(output, schema, Arc::default())?;
    for start in (0..rows).step_by(usize::try_from(GROUP)?) {
        let numbers = start..rows.min(start + GROUP);
        let mut group = writer.next_row_group()?;
        while let Some(mut column) = group.next_column()? {
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(writer) => {
                    for row in numbers.clone() {
                        writer.write_batch(&[i64::try_from(row)?], None, None)?;
                    }
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    for row in numbers.clone() {
                        writer.write_batch(&[ByteArray::from(text(row).as_str())], None, None)?;
                    }
                }
                _ => return Err("a column that is not in the schema".into()),
            }
            column.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}
