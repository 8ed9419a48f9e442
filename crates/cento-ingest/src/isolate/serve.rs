//! The process that reads files: answers requests until there are no more.

use std::io::{self, BufReader, BufWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::protocol::{Reply, Request, Setup, parse, receive, send, send_bytes};
use super::{failed, memory_for_file};
use crate::Error;
use crate::archive::{FoundInFile, Reader};
use crate::options::Reading;
use crate::{process, program};

/// Reads files for the process that started this one: requests come on standard input, replies go
/// to standard output.
///
/// It cannot write files, and the memory and processor time that it may take are limited. What
/// happens to it costs the other process one file. It may be told to run a program that converts a
/// file instead, which has the same limits, but may write files.
pub fn serve() -> io::Result<()> {
    // Nobody reads what a panicking parser says.
    std::panic::set_hook(Box::new(|_| {}));
    let mut requests = BufReader::new(io::stdin().lock());
    let mut replies = BufWriter::new(io::stdout().lock());
    let Some(first) = receive(&mut requests, u64::MAX)? else {
        return Ok(());
    };
    let reading = match parse(&first)? {
        Setup::Read(reading) => reading,
        Setup::Convert(conversion) => return conversion.run(),
    };
    process::follow_parent();
    process::forbid_files();
    process::limit_memory(reading.limits.memory);
    let mut reader = Reader::new(reading.clone());
    while let Some(bytes) = receive(&mut requests, u64::MAX)? {
        process::allow_time(reading.limits.time);
        let request: Request = parse(&bytes)?;
        drop(bytes);
        match request {
            Request::List(path) => {
                let path = path.path();
                process::allow_memory(memory_for_file(&path, &reading.limits));
                list(&mut reader, &path, &reading, &mut replies)?;
            }
            Request::Read(path, steps) => {
                let path = path.path();
                process::allow_memory(memory_for_file(&path, &reading.limits));
                let text = careful(&mut reader, &reading, |reader| reader.read(&path, &steps));
                send(&mut replies, &Reply::Text(text.map(Into::into)))?;
            }
            Request::Take(path, steps) => {
                let path = path.path();
                process::allow_memory(memory_for_file(&path, &reading.limits));
                let taken = careful(&mut reader, &reading, |reader| reader.take(&path, &steps));
                match taken {
                    Ok(bytes) => {
                        send(&mut replies, &Reply::Taken(Ok(())))?;
                        send_bytes(&mut replies, &bytes)?;
                    }
                    Err(error) => send(&mut replies, &Reply::Taken(Err(error)))?,
                }
            }
            Request::Parse(language) => {
                let bytes = receive(&mut requests, u64::MAX)?.unwrap_or_default();
                process::allow_memory(reading.limits.memory_for(bytes.len() as u64));
                let text = String::from_utf8_lossy(&bytes);
                let parsed = careful(&mut reader, &reading, |_| {
                    Ok(program::parse(&text, language).map(Box::new))
                });
                let parsed = parsed.unwrap_or_else(|error| Err(error.to_string()));
                send(&mut replies, &Reply::Program(parsed))?;
            }
            Request::Disguise(disguise) => {
                let bytes = receive(&mut requests, u64::MAX)?.unwrap_or_default();
                process::allow_memory(reading.limits.memory_for(bytes.len() as u64));
                let text = String::from_utf8_lossy(&bytes);
                let disguised = careful(&mut reader, &reading, |_| {
                    Ok(program::disguise(&text, disguise))
                });
                match disguised.unwrap_or_else(|error| Err(error.to_string())) {
                    Ok(text) => {
                        send(&mut replies, &Reply::Disguised(Ok(())))?;
                        send_bytes(&mut replies, text.as_bytes())?;
                    }
                    Err(reason) => send(&mut replies, &Reply::Disguised(Err(reason)))?,
                }
            }
            Request::ReadBytes(name) => {
                let bytes = receive(&mut requests, u64::MAX)?.unwrap_or_default();
                process::allow_memory(reading.limits.memory_for(bytes.len() as u64));
                let text = careful(&mut reader, &reading, |reader| {
                    reader.read_bytes(bytes, &name)
                });
                send(&mut replies, &Reply::Text(text.map(Into::into)))?;
            }
        }
    }
    Ok(())
}

/// Replies with what is found as it comes, so that a long listing shows that it goes on.
fn list(
    reader: &mut Reader,
    path: &std::path::Path,
    reading: &Reading,
    replies: &mut impl io::Write,
) -> io::Result<()> {
    const BATCH: usize = 256;
    const PATIENCE: Duration = Duration::from_secs(1);
    let mut batch = Vec::new();
    let mut sent = Instant::now();
    let mut outcome = Ok(());
    let listed = careful(reader, reading, |reader| {
        reader.list(path, &mut |found| {
            batch.push(found);
            if (batch.len() >= BATCH || sent.elapsed() > PATIENCE) && outcome.is_ok() {
                outcome = send(replies, &Reply::Found(std::mem::take(&mut batch)));
                sent = Instant::now();
                process::allow_time(reading.limits.time);
            }
        });
        Ok(())
    });
    outcome?;
    if let Err(error) = listed {
        batch.push(FoundInFile::Skipped {
            suffix: String::new(),
            error,
        });
    }
    send(replies, &Reply::Found(batch))?;
    send(replies, &Reply::Listed)
}

/// Does something with a reader, and replaces it if it panics.
pub(super) fn careful<T>(
    reader: &mut Reader,
    reading: &Reading,
    act: impl FnOnce(&mut Reader) -> Result<T, Error>,
) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(|| act(reader))).unwrap_or_else(|_| {
        *reader = Reader::new(reading.clone());
        Err(failed())
    })
}
