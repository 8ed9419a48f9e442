//! The process that sorts: answers requests until there are no more.

use std::io::{self, BufReader, BufWriter, Read, Write};

use cento::align::{SuffixText, sort_here};

use super::{BYTES, NUMBERS, read_numbers, write_numbers};

/// Sorts suffixes for the process that started this one: requests come on standard input, answers go
/// to standard output. It can open no files for writing, and its memory and processor time grow with
/// what it is given.
pub fn serve() -> io::Result<()> {
    limit::always();
    let mut requests = BufReader::new(io::stdin().lock());
    let mut answers = BufWriter::new(io::stdout().lock());
    while answer(&mut requests, &mut answers, limit::for_symbols)? {}
    Ok(())
}

/// Answers one request, if there is one.
pub(super) fn answer(
    requests: &mut impl Read,
    answers: &mut impl Write,
    limit: impl Fn(u64),
) -> io::Result<bool> {
    let mut kind = [0];
    if requests.read(&mut kind)? == 0 {
        return Ok(false);
    }
    let mut length = [0; 8];
    requests.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    limit(length);
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

#[cfg(target_os = "linux")]
mod limit {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Nothing is written to files, not even when it crashes.
    pub(super) fn always() {
        for resource in [Resource::Fsize, Resource::Core] {
            let none = Rlimit {
                current: Some(0),
                maximum: Some(0),
            };
            let _ = setrlimit(resource, none);
        }
    }

    /// What sorting so many symbols may take from now on: arrays of numbers as long as the text, and
    /// a second for a million of them where it takes a tenth.
    pub(super) fn for_symbols(symbols: u64) {
        const MEMORY: u64 = 64 << 20;
        const BYTES_A_SYMBOL: u64 = 32;
        const SECONDS: u64 = 10;
        let statistics = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = statistics
            .split(' ')
            .next()
            .and_then(|pages| pages.parse().ok());
        if let Some(pages) = pages.filter(|pages: &u64| *pages > 0) {
            let now = pages.saturating_mul(rustix::param::page_size() as u64);
            let more = symbols
                .saturating_mul(BYTES_A_SYMBOL)
                .saturating_add(MEMORY);
            set(Resource::As, now.saturating_add(more));
        }
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).tv_sec;
        let used = u64::try_from(used).unwrap_or(0);
        set(Resource::Cpu, used + SECONDS + symbols / 1_000_000);
    }

    fn set(resource: Resource, wanted: u64) {
        let maximum = getrlimit(resource).maximum;
        let limit = Rlimit {
            current: Some(maximum.map_or(wanted, |maximum| wanted.min(maximum))),
            maximum,
        };
        // Where the system refuses, there is nothing better to do.
        let _ = setrlimit(resource, limit);
    }
}

#[cfg(not(target_os = "linux"))]
mod limit {
    pub(super) fn always() {}

    pub(super) fn for_symbols(_: u64) {}
}
