//! Sorted postings → a segment file, as they come and in little memory.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use super::format::{HEADER, Header, Layout, MOST_POSTINGS, Section};
use super::schema::Sides;
use super::sink::{Done, Sink, TableDone, TableSink, scratch};
use super::{DocId, Schema};
use crate::digest::Digest;
use crate::error::Error;
use crate::index::private;
use crate::measure::Side;
use crate::number::index32;

/// Writes a segment from postings that come sorted by digest, then document.
///
/// A writer that is dropped before [`Writer::finish`] leaves a file that no reader takes for a
/// segment; it belongs to the caller, as does giving the finished file its name.
pub struct Writer {
    path: PathBuf,
    schema: Schema,
    header: Header,
    /// How many postings each document is still to get.
    missing: Vec<u32>,
    ends: Sink<File>,
    documents: Sink<File>,
    digests: TableSink<File>,
    lists: ListSamples,
    /// Posting number and count of every repeat, 12 bytes each.
    repeats: Sink<SpooledTempFile>,
    /// How many repeats have a count of which count - 1 has so many bits.
    widths: [u64; 33],
    last: Option<(u64, DocId)>,
    /// How many postings have come.
    pushed: u64,
}

/// What a segment turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many documents it has.
    pub documents: u32,
    /// How many postings.
    pub postings: u64,
    /// How many distinct digests.
    pub digests: u64,
    /// How many bytes the file has.
    pub bytes: u64,
    /// How many repeats have a count of which count - 1 has so many bits.
    #[cfg(feature = "registry")]
    pub(in crate::index) repeats: [u64; 33],
}

impl Writer {
    /// Begins a segment of documents with these sides, in the order of their numbers.
    ///
    /// The sides are those of the fingerprints cut by [`Schema::cut`], so that the distinct digests
    /// of all documents are together the number of postings.
    pub fn create(path: &Path, schema: &Schema, sides: &[Side]) -> Result<Writer, Error> {
        let header = Header::new(
            schema.digest_bits,
            schema.kept_bits,
            index32(schema.recipe.len()),
            u32::try_from(sides.len())
                .map_err(|_| format_error(path, "a segment has fewer than 2^32 documents"))?,
            sides.iter().map(|side| u64::from(side.digests)).sum(),
            schema.sides,
        );
        if schema.sides == Sides::Counts && sides.iter().any(|side| side.digests > 255) {
            return Err(format_error(
                path,
                "a small document has more than 255 digests",
            ));
        }
        let layout = Some(&header)
            .filter(|header| header.postings < MOST_POSTINGS)
            .and_then(Layout::of)
            .ok_or_else(|| format_error(path, "the segment would be too long for a file"))?;
        Writer::begin(path, schema, sides, header, &layout).map_err(|error| io_error(path, error))
    }

    fn begin(
        path: &Path,
        schema: &Schema,
        sides: &[Side],
        mut header: Header,
        layout: &Layout,
    ) -> io::Result<Writer> {
        let mut file = private::create(path)?;
        file.write_all(&[0; HEADER])?;
        let mut recipe = Sink::here(file)?;
        recipe.push_bytes(schema.recipe.as_bytes())?;
        let recipe = recipe.finish()?;
        header.checksums[Section::Recipe as usize] = recipe.checksum;
        let mut all_sides = Sink::here(recipe.out)?;
        for side in sides {
            match schema.sides {
                Sides::Whole => {
                    all_sides.push_bytes(&side.tokens.to_le_bytes())?;
                    all_sides.push_bytes(&side.digests.to_le_bytes())?;
                    all_sides.push_bytes(&side.weight.to_le_bytes())?;
                }
                Sides::Counts => all_sides.push_bytes(&side.digests.to_le_bytes()[..1])?,
            }
        }
        header.checksums[Section::Sides as usize] = all_sides.finish()?.checksum;
        // The three large sections grow side by side in one file.
        let at = |section: Section| -> io::Result<File> {
            let mut file = File::options().write(true).open(path)?;
            file.seek(SeekFrom::Start(layout.of_section(section).start))?;
            Ok(file)
        };
        Ok(Writer {
            path: path.to_owned(),
            schema: schema.clone(),
            missing: sides.iter().map(|side| side.digests).collect(),
            ends: Sink::here(at(Section::Ends)?)?,
            documents: Sink::here(at(Section::Documents)?)?,
            digests: TableSink::new(
                Sink::here(at(Section::Remainders)?)?,
                path,
                header.bucket_bits,
                header.remainder_bits(),
                0,
            ),
            lists: ListSamples::new(header.most_list_samples()),
            repeats: scratch(path),
            widths: [0; 33],
            last: None,
            pushed: 0,
            header,
        })
    }

    /// Adds a posting.
    ///
    /// Postings come in ascending order of the kept digest, then the document; anything else is
    /// refused, as are documents that were not announced or have all their postings already.
    pub fn push(&mut self, digest: Digest, document: DocId, count: u32) -> Result<(), Error> {
        let kept = self
            .schema
            .kept(digest)
            .ok_or_else(|| format_error(&self.path, "a digest has more bits than the schema"))?;
        if self.last.is_some_and(|last| last >= (kept, document)) {
            let reason = "postings must come sorted by digest and document, each once";
            return Err(format_error(&self.path, reason));
        }
        let missing = self.missing.get_mut(document.0 as usize);
        let Some(missing) = missing.filter(|missing| **missing > 0 && count > 0) else {
            let reason = format!("document {} has a posting too many", document.0);
            return Err(format_error(&self.path, &reason));
        };
        *missing -= 1;
        self.put(kept, document, count)
            .map_err(|error| io_error(&self.path, error))
    }

    /// Ends the segment: the file is complete and on the disk when this returns.
    pub fn finish(self) -> Result<Summary, Error> {
        if self.pushed != self.header.postings {
            let (pushed, promised) = (self.pushed, self.header.postings);
            let reason = format!("{promised} postings were announced and {pushed} came");
            return Err(format_error(&self.path, &reason));
        }
        let path = self.path.clone();
        self.complete().map_err(|error| io_error(&path, error))
    }

    #[inline]
    fn put(&mut self, kept: u64, document: DocId, count: u32) -> io::Result<()> {
        if self.last.is_none_or(|(last, _)| last != kept) {
            self.end_list()?;
            self.digests.push(kept, 0)?;
            self.header.digests += 1;
        } else {
            self.ends.push(0, 1)?;
        }
        self.documents
            .push(document.0.into(), self.header.document_bits.into())?;
        if count > 1 {
            self.repeats.push_bytes(&self.pushed.to_le_bytes())?;
            self.repeats.push_bytes(&count.to_le_bytes())?;
            self.widths[(32 - (count - 1).leading_zeros()) as usize] += 1;
        }
        self.last = Some((kept, document));
        self.pushed += 1;
        Ok(())
    }

    /// The posting before the next one was the last of its list.
    fn end_list(&mut self) -> io::Result<()> {
        if let Some(last) = self.pushed.checked_sub(1) {
            self.ends.push(1, 1)?;
            self.lists.push(last);
        }
        Ok(())
    }

    fn complete(mut self) -> io::Result<Summary> {
        self.end_list()?;
        let mut header = self.header;
        header.set_repeats(&self.widths);
        header.list_shift = self.lists.shift;
        let mut set = |section: Section, checksum: u64| {
            header.checksums[section as usize] = checksum;
        };
        let mut file = if self.pushed == 0 {
            let mut file = File::options().write(true).open(&self.path)?;
            file.seek(SeekFrom::End(0))?;
            file
        } else {
            set(Section::Ends, self.ends.finish_bits()?.checksum);
            set(Section::Documents, self.documents.finish_bits()?.checksum);
            let TableDone {
                records,
                buckets,
                samples,
            } = self.digests.finish()?;
            let mut file = records.out;
            set(Section::Remainders, records.checksum);
            set(Section::Buckets, buckets.append_to(&mut file)?);
            set(Section::BucketSamples, append(&samples, &mut file)?);
            set(
                Section::ListSamples,
                append(&self.lists.samples, &mut file)?,
            );
            file
        };
        if header.repeats > 0 {
            file = write_repeats(&mut header, self.repeats.finish()?, &self.path, file)?;
        }
        let empty = super::format::checksum(&[]);
        for section in Section::ALL {
            if header.bytes_of(section) == Some(0) {
                header.checksums[section as usize] = empty;
            }
        }
        let bytes = file.stream_position()?;
        debug_assert_eq!(
            Layout::of(&header).map(|layout| layout.file_bytes()),
            Some(bytes)
        );
        // The header last: until now the file was no segment.
        file.rewind()?;
        file.write_all(&header.encode())?;
        file.sync_all()?;
        Ok(Summary {
            documents: header.documents,
            postings: header.postings,
            digests: header.digests,
            bytes,
            #[cfg(feature = "registry")]
            repeats: self.widths,
        })
    }
}

/// Turns the repeats in scratch space into their table at the end of the file.
fn write_repeats(
    header: &mut Header,
    repeats: Done<SpooledTempFile>,
    path: &Path,
    file: File,
) -> io::Result<File> {
    let mut table = TableSink::new(
        Sink::here(file)?,
        path,
        header.repeat_bucket_bits,
        header.repeat_rest_bits(),
        header.count_bits.into(),
    );
    let mut large = scratch(path);
    let mut scratch = repeats.out;
    scratch.rewind()?;
    let mut scratch = BufReader::with_capacity(1 << 16, scratch);
    let too_large = (1u64 << header.count_bits) - 1;
    for _ in 0..header.repeats {
        let mut posting = [0; 8];
        scratch.read_exact(&mut posting)?;
        let mut count = [0; 4];
        scratch.read_exact(&mut count)?;
        let stored = u64::from(u32::from_le_bytes(count)) - 2;
        if stored >= too_large {
            large.push_bytes(&posting)?;
            large.push_bytes(&count)?;
        }
        table.push(u64::from_le_bytes(posting), stored.min(too_large))?;
    }
    let TableDone {
        records,
        buckets,
        samples,
    } = table.finish()?;
    let mut file = records.out;
    header.checksums[Section::Repeats as usize] = records.checksum;
    header.checksums[Section::RepeatBuckets as usize] = buckets.append_to(&mut file)?;
    header.checksums[Section::RepeatSamples as usize] = append(&samples, &mut file)?;
    header.checksums[Section::Large as usize] = large.finish()?.append_to(&mut file)?;
    Ok(file)
}

/// Appends numbers to a file; gives back their checksum.
fn append(numbers: &[u64], file: &mut File) -> io::Result<u64> {
    let mut sink = Sink::here(file)?;
    for number in numbers {
        sink.push_bytes(&number.to_le_bytes())?;
    }
    Ok(sink.finish()?.checksum)
}

/// The last postings of every 2^shift-th list, thinned out whenever they become too many.
struct ListSamples {
    samples: Vec<u64>,
    shift: u8,
    most: u64,
    /// How many lists there were.
    lists: u64,
}

impl ListSamples {
    fn new(most: u64) -> ListSamples {
        ListSamples {
            samples: Vec::new(),
            shift: 0,
            most,
            lists: 0,
        }
    }

    fn push(&mut self, last: u64) {
        if self.lists.trailing_zeros() >= self.shift.into() {
            self.samples.push(last);
        }
        self.lists += 1;
        while self.samples.len() as u64 > self.most {
            let mut number = 0;
            self.samples.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.shift += 1;
        }
    }
}

fn io_error(path: &Path, source: io::Error) -> Error {
    Error::Io {
        path: path.to_owned(),
        source,
    }
}

fn format_error(path: &Path, reason: &str) -> Error {
    Error::Format {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}
