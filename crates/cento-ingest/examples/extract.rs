//! Writes the text of each file into a folder, and a line about it: what `bench/formats` measures.
//!
//!     extract FOLDER FILE...
//!
//! The texts are `0.txt`, `1.txt` … in the order of the files. A line has the number, what the file
//! was read as (nothing if it was not), and warnings or the reason.

#![allow(clippy::print_stdout, reason = "this is a program")]

use std::path::Path;

use cento_ingest::{Extract, extract};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_default();
    for (number, file) in arguments.enumerate() {
        let bytes = std::fs::read(&file)?;
        let (kind, notes) = match extract(bytes, &file, &Extract::default()) {
            Ok(text) => {
                std::fs::write(
                    Path::new(&folder).join(format!("{number}.txt")),
                    text.content,
                )?;
                (text.kind.to_string(), text.warnings.join("; "))
            }
            Err(error) => (String::new(), error.to_string()),
        };
        let notes = notes.replace(['\t', '\n'], " ");
        println!("{number}\t{kind}\t{notes}");
    }
    Ok(())
}
