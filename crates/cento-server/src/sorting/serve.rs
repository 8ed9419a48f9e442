//! The process that sorts: answers requests until there are no more.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::time::Duration;

use cento::align::{SuffixText, sort_here};
use cento_ingest::process;

use super::{BYTES, NUMBERS, read_numbers, write_numbers};

/// Sorts suffixes for the process that started this one: requests come on standard input, answers go
/// to standard output. It can open no files for writing, and its memory and processor time grow with
/// what it is given.
pub fn serve() -> io::Result<()> {
    process::forbid_files();
    let mut requests = BufReader::new(io::stdin().lock());
    let mut answers = BufWriter::new(io::stdout().lock());
    while answer(&mut requests, &mut answers, allow)? {}
    Ok(())
}

/// Answers one request, if there is one.
pub(super) fn answer(
    requests: &mut impl Read,
    answers: &mut impl Write,
    allow: impl Fn(u64),
) -> io::Result<bool> {
    let mut kind = [0];
    if requests.read(&mut kind)? == 0 {
        return Ok(false);
    }
    let mut length = [0; 8];
    requests.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    allow(length);
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let length = usize::try_from(length).map_err(|_| wrong())?;
    let sorted = match kind {
        [BYTES] => {
            let mut bytes = vec![0; length];
            requests.read_exact(&mut bytes)?;
            sort_here(SuffixText::Bytes(&bytes))
        }
        [NUMBERS] => {
            let numbers = read_numbers(requests, length)?;
            let mut numbers: Vec<i32> = numbers.into_iter().map(u32::cast_signed).collect();
            sort_here(SuffixText::Numbers(&mut numbers))
        }
        _ => return Err(wrong()),
    };
    for numbers in [sorted.order, sorted.shared] {
        write_numbers(answers, numbers.into_iter())?;
    }
    answers.flush()?;
    Ok(true)
}

/// What sorting so many symbols may take from now on: arrays of numbers as long as the text, and a
/// second for a million of them where it takes a tenth.
fn allow(symbols: u64) {
    const MEMORY: u64 = 64 << 20;
    const BYTES_A_SYMBOL: u64 = 32;
    const SECONDS: u64 = 10;
    process::allow_memory(
        symbols
            .saturating_mul(BYTES_A_SYMBOL)
            .saturating_add(MEMORY),
    );
    process::allow_time(Duration::from_secs(SECONDS + symbols / 1_000_000));
}
