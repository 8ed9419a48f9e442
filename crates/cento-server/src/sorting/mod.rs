//! Sorting suffixes in processes of their own. Texts of strangers are compared by a library with much
//! unsafe code; what goes wrong there costs one comparison and not the server, and nothing there can
//! reach the key.
//!
//! A request is the kind of the symbols, how many there are, and the symbols; the answer is the order
//! and what each place shares, as `cento::align::SortedSuffixes` has them. All numbers are
//! little-endian.

mod serve;

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use cento::align::{SortedSuffixes, SuffixText, sort_elsewhere};

pub use serve::serve;

/// The hidden verb of these processes.
pub const VERB: &str = "sort-suffixes";

/// Symbols are bytes, or numbers of 32 bits.
const BYTES: u8 = 1;
const NUMBERS: u8 = 4;

/// Lets the suffixes of all texts be sorted by processes of this program.
pub(crate) fn isolate(program: &Path) {
    let sorters = Sorters {
        program: program.to_owned(),
        idle: Mutex::default(),
    };
    sort_elsewhere(Box::new(move |text| sorters.sort(&text)));
}

/// Processes that sort.
struct Sorters {
    program: PathBuf,
    /// Those that have nothing to do.
    idle: Mutex<Vec<Sorter>>,
}

struct Sorter {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Sorters {
    fn sort(&self, text: &SuffixText<'_>) -> Result<SortedSuffixes, String> {
        // One that waited may have been ended meanwhile; that is not the text's fault.
        let idle = self.idle().pop();
        if let Some(mut waited) = idle
            && let Ok(sorted) = waited.ask(text)
        {
            self.idle().push(waited);
            return Ok(sorted);
        }
        let started = Sorter::start(&self.program);
        let mut new = started.map_err(|error| format!("sorting cannot be started: {error}"))?;
        let sorted = new.ask(text).map_err(|error| new.post_mortem(&error))?;
        self.idle().push(new);
        Ok(sorted)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Sorter>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sorter {
    fn start(program: &Path) -> io::Result<Sorter> {
        let mut process = Command::new(program)
            .arg(VERB)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(requests), Some(answers)) => Ok(Sorter {
                process,
                requests,
                answers: BufReader::new(answers),
            }),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn ask(&mut self, text: &SuffixText<'_>) -> io::Result<SortedSuffixes> {
        let length = text.len();
        let kind = match text {
            SuffixText::Bytes(_) => BYTES,
            SuffixText::Numbers(_) => NUMBERS,
        };
        self.requests.write_all(&[kind])?;
        self.requests.write_all(&(length as u64).to_le_bytes())?;
        match text {
            SuffixText::Bytes(bytes) => self.requests.write_all(bytes)?,
            SuffixText::Numbers(numbers) => {
                let numbers = numbers.iter().map(|number| number.cast_unsigned());
                write_numbers(&mut self.requests, numbers)?;
            }
        }
        self.requests.flush()?;
        Ok(SortedSuffixes {
            order: read_numbers(&mut self.answers, length)?,
            shared: read_numbers(&mut self.answers, length)?,
        })
    }

    /// Why there is no answer.
    fn post_mortem(&mut self, error: &io::Error) -> String {
        let _ = self.process.kill();
        match self.process.wait() {
            Ok(status) => format!("sorting failed ({status})"),
            Err(_) => format!("sorting failed ({error})"),
        }
    }
}

impl Drop for Sorter {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// How many numbers are written or read at a time.
const AT_A_TIME: usize = 16 << 10;

fn write_numbers(to: &mut impl Write, numbers: impl Iterator<Item = u32>) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(AT_A_TIME * 4);
    for number in numbers {
        bytes.extend(number.to_le_bytes());
        if bytes.len() == AT_A_TIME * 4 {
            to.write_all(&bytes)?;
            bytes.clear();
        }
    }
    to.write_all(&bytes)
}

fn read_numbers(from: &mut impl Read, length: usize) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::with_capacity(length);
    let mut bytes = vec![0; AT_A_TIME * 4];
    while numbers.len() < length {
        let part = (length - numbers.len()).min(AT_A_TIME) * 4;
        from.read_exact(&mut bytes[..part])?;
        let words = bytes[..part].as_chunks::<4>().0.iter();
        numbers.extend(words.map(|word| u32::from_le_bytes(*word)));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        for length in [0, 1, AT_A_TIME - 1, AT_A_TIME, 2 * AT_A_TIME + 3] {
            let numbers: Vec<u32> = (0..).map(|n| n * 7919).take(length).collect();
            let mut bytes = Vec::new();
            write_numbers(&mut bytes, numbers.iter().copied()).unwrap();
            assert_eq!(
                read_numbers(&mut bytes.as_slice(), length).unwrap(),
                numbers
            );
        }
        assert!(read_numbers(&mut [1, 2, 3].as_slice(), 1).is_err());
    }

    #[test]
    fn a_request_is_answered_as_sorting_here_would() {
        let mut numbers = [3, 1, 2, 1, 2, 0];
        for text in [
            SuffixText::Bytes(b"banana"),
            SuffixText::Numbers(&mut numbers),
        ] {
            let mut request = Vec::new();
            request.push(if matches!(text, SuffixText::Bytes(_)) {
                BYTES
            } else {
                NUMBERS
            });
            request.extend((text.len() as u64).to_le_bytes());
            match &text {
                SuffixText::Bytes(bytes) => request.extend(*bytes),
                SuffixText::Numbers(numbers) => {
                    let numbers = numbers.iter().map(|number| number.cast_unsigned());
                    write_numbers(&mut request, numbers).unwrap();
                }
            }
            let mut answer = Vec::new();
            serve::answer(&mut request.as_slice(), &mut answer, |_| ()).unwrap();
            let expected = cento::align::sort_here(text);
            let mut answer = answer.as_slice();
            for numbers in [expected.order, expected.shared] {
                assert_eq!(read_numbers(&mut answer, numbers.len()).unwrap(), numbers);
            }
            assert!(answer.is_empty());
        }
    }
}
