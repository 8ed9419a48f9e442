//! The files of a store: a log in segments, of which the last one grows.
//!
//! A segment begins with its number; then come records, each with its length and a checksum of where it
//! is and what it says. A process that is killed, or a power cut, leaves the end of the last segment
//! unfinished, which is cut off. What had been safely on the disk before must be there, or the store is
//! damaged: `synced` says how far that is.

use std::fs::{self, File};
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

use super::record::{Record, Totals};
use crate::error::Error;
use crate::index::private;

const MAGIC: &[u8; 8] = b"cento-s1";
/// The magic and the number.
const HEADER: u64 = 16;
/// The length and the checksum of a record.
const FRAME: usize = 12;
/// No record is longer: what claims to be is damaged.
const LONGEST: usize = 1 << 20;

const FOLDER: &str = "log";
const SUFFIX: &str = "log";
const SYNCED: &str = "synced";

/// The log of a store, open to be written.
pub(super) struct Log {
    folder: PathBuf,
    /// The segments before the last one, with their bytes.
    sealed: Vec<(u64, u64)>,
    number: u64,
    file: File,
    /// Where the next record goes.
    end: u64,
    /// What is written and not synced.
    is_unsynced: bool,
    /// Which of the two places of `synced` is next.
    turn: bool,
    /// The disk has failed: what is on it is not known.
    is_broken: bool,
    synced: File,
}

impl Log {
    /// Makes the first segment of a store in its folder.
    pub(super) fn create(store: &Path, first: &Record) -> Result<(), Error> {
        let folder = store.join(FOLDER);
        private::make_folder(&folder).map_err(at(&folder))?;
        let mut made = make_segment(&folder, 1)?;
        let bytes = framed(1, HEADER, std::slice::from_ref(first));
        let path = segment(&folder, 1);
        made.write_all(&bytes).map_err(at(&path))?;
        made.sync_all().map_err(at(&path))?;
        let path = folder.join(SYNCED);
        let mut synced = private::create(&path).map_err(at(&path))?;
        let end = HEADER + bytes.len() as u64;
        synced.write_all(&slot(1, end)).map_err(at(&path))?;
        synced.sync_all().map_err(at(&path))?;
        private::sync_folder(&folder).map_err(at(&folder))
    }

    /// Reads everything, and goes on behind the last record. `apply` is told the segment of each.
    pub(super) fn replay(store: &Path, mut apply: impl FnMut(Record, u64)) -> Result<Log, Error> {
        let folder = store.join(FOLDER);
        let numbers = segments(&folder)?;
        let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else {
            let reason = "the log of the mail store is gone; what was counted is lost";
            return Err(damaged(&folder, reason));
        };
        let (synced, safe, turn) = read_synced(&folder)?;
        for (number, expected) in numbers.iter().zip(first..) {
            if *number != expected {
                let reason = "a part of the log is missing; what was counted is lost";
                return Err(damaged(&segment(&folder, expected), reason));
            }
        }
        if last < safe.0 {
            let reason = "the end of the log is missing; what was counted is lost";
            return Err(damaged(&segment(&folder, safe.0), reason));
        }
        let mut sealed = Vec::new();
        let mut end = HEADER;
        let mut cut = 0;
        for number in numbers {
            let path = segment(&folder, number);
            let bytes = fs::read(&path).map_err(at(&path))?;
            let before = end;
            let read = read_segment(&bytes, number, |record| {
                match &record {
                    Record::Totals(totals) if number > first && totals.previous != before => {
                        return Err(format!("the segment before had {} bytes", totals.previous));
                    }
                    _ => {}
                }
                apply(record, number);
                Ok(())
            });
            end = read.map_err(|reason| damaged(&path, &reason))?;
            let length = bytes.len() as u64;
            let written = if number < last { length } else { 0 };
            let synced = if number == safe.0 { safe.1 } else { 0 };
            if end < written.max(synced) {
                let reason = format!(
                    "damaged at byte {end}; what was counted there is lost, and answers would be \
                     wrong; restore a copy, or make a new store"
                );
                return Err(damaged(&path, &reason));
            }
            if number < last {
                sealed.push((number, length));
            } else {
                cut = length - end.min(length);
            }
        }
        let path = segment(&folder, last);
        let mut options = private::options();
        let file = options
            .read(true)
            .write(true)
            .open(&path)
            .map_err(at(&path))?;
        let mut log = Log {
            folder,
            sealed,
            number: last,
            file,
            end,
            is_unsynced: false,
            turn,
            is_broken: false,
            synced,
        };
        if cut > 0 {
            log.file.set_len(end).map_err(at(&path))?;
            log.is_unsynced = true;
        }
        if end < HEADER {
            log.restart()?;
        }
        Ok(log)
    }

    /// Writes records behind the others: all of them, or none.
    pub(super) fn append(&mut self, records: &[Record]) -> Result<(), Error> {
        self.expect_sound()?;
        let bytes = framed(self.number, self.end, records);
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(&bytes));
        if let Err(error) = written {
            // The next records would come behind half of one.
            self.is_broken = self.file.set_len(self.end).is_err();
            return Err(at(&self.path())(error));
        }
        self.end += bytes.len() as u64;
        self.is_unsynced = true;
        Ok(())
    }

    /// Gives the last segment its sums, if its making was interrupted before it had them.
    pub(super) fn complete(&mut self, totals: Totals) -> Result<(), Error> {
        if self.end > HEADER {
            return Ok(());
        }
        let previous = self.sealed.last().map_or(0, |sealed| sealed.1);
        self.append(&[Record::Totals(Totals { previous, ..totals })])
    }

    /// Makes everything safe that was written.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.expect_sound()?;
        if !self.is_unsynced {
            return Ok(());
        }
        if let Err(error) = self.file.sync_data() {
            // What the system could not write may seem to be written the next time.
            self.is_broken = true;
            return Err(at(&self.path())(error));
        }
        self.is_unsynced = false;
        self.note_synced()
    }

    /// Begins a new segment with its sums; what is in the last one is safe.
    pub(super) fn roll(&mut self, totals: Totals) -> Result<(), Error> {
        self.sync()?;
        let first = Record::Totals(Totals {
            previous: self.end,
            ..totals
        });
        let next = self.number + 1;
        let path = segment(&self.folder, next);
        let bytes = framed(next, HEADER, &[first]);
        let make = || {
            let mut file = make_segment(&self.folder, next)?;
            file.write_all(&bytes).map_err(at(&path))?;
            file.sync_all().map_err(at(&path))?;
            private::sync_folder(&self.folder).map_err(at(&self.folder))?;
            Ok(file)
        };
        let file: File = make().inspect_err(|_: &Error| {
            // The last segment goes on, and must stay the last.
            let removed = fs::remove_file(&path);
            self.is_broken = removed.is_err_and(|error| error.kind() != io::ErrorKind::NotFound);
        })?;
        self.sealed.push((self.number, self.end));
        self.file = file;
        self.number = next;
        self.end = HEADER + bytes.len() as u64;
        self.note_synced()
    }

    /// Deletes the segments before this one, which are no longer needed; says how many there were.
    pub(super) fn delete_before(&mut self, oldest: u64) -> Result<u64, Error> {
        let mut deleted = 0;
        while let Some(&(number, _)) = self.sealed.first()
            && number < oldest
        {
            let path = segment(&self.folder, number);
            fs::remove_file(&path).map_err(at(&path))?;
            self.sealed.remove(0);
            deleted += 1;
        }
        if deleted > 0 {
            private::sync_folder(&self.folder).map_err(at(&self.folder))?;
        }
        Ok(deleted)
    }

    /// The number of the segment that grows.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The number of the first segment.
    pub(super) fn first(&self) -> u64 {
        self.sealed.first().map_or(self.number, |first| first.0)
    }

    /// Bytes of the segment that grows.
    pub(super) fn length(&self) -> u64 {
        self.end
    }

    /// Bytes of all segments.
    pub(super) fn bytes(&self) -> u64 {
        self.end + self.sealed.iter().map(|sealed| sealed.1).sum::<u64>()
    }

    fn path(&self) -> PathBuf {
        segment(&self.folder, self.number)
    }

    fn expect_sound(&self) -> Result<(), Error> {
        if self.is_broken {
            let reason =
                "the disk has failed before, so nothing more is counted until it is opened again";
            return Err(damaged(&self.path(), reason));
        }
        Ok(())
    }

    /// Writes the beginning of a segment whose making was interrupted.
    fn restart(&mut self) -> Result<(), Error> {
        let path = self.path();
        let mut begin = || {
            self.file.set_len(0)?;
            self.file.rewind()?;
            self.file.write_all(&header(self.number))
        };
        begin().map_err(at(&path))?;
        self.end = HEADER;
        self.is_unsynced = true;
        Ok(())
    }

    /// Two places take turns, so that one of them is whole whenever the power fails.
    fn note_synced(&mut self) -> Result<(), Error> {
        let place = u64::from(self.turn) * SLOT as u64;
        self.turn = !self.turn;
        let note = slot(self.number, self.end);
        let written = self
            .synced
            .seek(SeekFrom::Start(place))
            .and_then(|_| self.synced.write_all(&note));
        written.map_err(at(&self.folder.join(SYNCED)))
    }
}

/// The records of a segment, as far as they are sound; where they end.
fn read_segment(
    bytes: &[u8],
    number: u64,
    mut apply: impl FnMut(Record) -> Result<(), String>,
) -> Result<u64, String> {
    let Some(mut rest) = bytes.strip_prefix(header(number).as_slice()) else {
        // A version of another program has another magic; half of ours was being written.
        let is_begun = header(number).starts_with(bytes) || bytes.iter().all(|byte| *byte == 0);
        return if is_begun {
            Ok(0)
        } else {
            Err("no segment of a mail store, or a damaged one".to_owned())
        };
    };
    let mut end = HEADER;
    while let Some((payload, after)) = next_frame(rest, number, end) {
        let Some(record) = Record::read(payload) else {
            return Err(format!("a record at byte {end} is none of this version"));
        };
        apply(record).map_err(|reason| format!("at byte {end}: {reason}"))?;
        end += (FRAME + payload.len()) as u64;
        rest = after;
    }
    Ok(end)
}

fn next_frame(bytes: &[u8], number: u64, place: u64) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > LONGEST || length > rest.len() {
        return None;
    }
    let (payload, rest) = rest.split_at(length);
    (u64::from_le_bytes(*sum) == checksum(number, place, payload)).then_some((payload, rest))
}

/// Records as they stand in a segment from a place on.
fn framed(number: u64, place: u64, records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut payload = Vec::new();
    for record in records {
        payload.clear();
        record.write(&mut payload);
        let sum = checksum(number, place + bytes.len() as u64, &payload);
        bytes.extend_from_slice(&crate::number::index32(payload.len()).to_le_bytes());
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(&payload);
    }
    bytes
}

fn checksum(number: u64, place: u64, payload: &[u8]) -> u64 {
    let seed = number.rotate_left(32) ^ place;
    XxHash3_64::oneshot_with_seed(seed, payload)
}

fn header(number: u64) -> Vec<u8> {
    [MAGIC.as_slice(), &number.to_le_bytes()].concat()
}

fn make_segment(folder: &Path, number: u64) -> Result<File, Error> {
    let path = segment(folder, number);
    let mut file = private::create(&path).map_err(at(&path))?;
    file.write_all(&header(number)).map_err(at(&path))?;
    Ok(file)
}

fn segment(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:010}.{SUFFIX}"))
}

/// The numbers of the segments, ascending.
fn segments(folder: &Path) -> Result<Vec<u64>, Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(at(folder))?,
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let name = entry.map_err(at(folder))?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".log"));
        numbers.extend(number.and_then(|number| number.parse::<u64>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

const SLOT: usize = 24;

fn slot(number: u64, end: u64) -> Vec<u8> {
    let mut bytes = [number.to_le_bytes(), end.to_le_bytes()].concat();
    let sum = XxHash3_64::oneshot(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// How far the log was safe: the segment and its bytes; and which place is written next.
fn read_synced(folder: &Path) -> Result<(File, (u64, u64), bool), Error> {
    let path = folder.join(SYNCED);
    let options = &mut private::options();
    let mut file = options
        .read(true)
        .write(true)
        .open(&path)
        .map_err(at(&path))?;
    let mut bytes = Vec::new();
    let read = Read::by_ref(&mut file).take(4096).read_to_end(&mut bytes);
    read.map_err(at(&path))?;
    let [first, second] = [0, 1].map(|turn| {
        let slot_bytes = bytes.get(turn * SLOT..(turn + 1) * SLOT)?;
        let (number, rest) = slot_bytes.split_first_chunk()?;
        let (end, _) = rest.split_first_chunk()?;
        let (number, end) = (u64::from_le_bytes(*number), u64::from_le_bytes(*end));
        (slot(number, end) == slot_bytes).then_some((number, end))
    });
    let safe = first.max(second);
    let safe =
        safe.ok_or_else(|| damaged(&path, "damaged; restore a copy, or make a new store"))?;
    Ok((file, safe, safe == first.unwrap_or_default()))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
    let path = path.to_owned();
    |source| Error::Io { path, source }
}

fn damaged(path: &Path, reason: &str) -> Error {
    Error::Format {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}
