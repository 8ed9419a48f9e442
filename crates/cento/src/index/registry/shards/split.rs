//! A registry → shards. All of them appear, or none.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::super::catalog::{Catalog, Origin, SegmentRow, StretchesRow, retained};
use super::super::folder::sync;
use super::super::postings::Piece;
use super::super::{Folder, Snapshot};
use super::manifest::{By, MANIFEST, Manifest, Range, Shard, SliceFile, SliceKind};
use crate::error::Error;
use crate::index::DocId;
use crate::index::private;
use crate::index::segment::{Cutter, DigestRange, MergeInput, Segment, merge};
use crate::watch::Watch;

/// What was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharded {
    /// How many documents all shards have together.
    pub documents: u64,
    /// How many postings each shard has, those of stretches not counted.
    pub postings: Vec<u64>,
    /// How many bytes the files of each shard have, catalogues not counted.
    pub bytes: Vec<u64>,
    /// Whether the registry has a key, which was not copied.
    pub needs_key: bool,
}

/// More shards than this nobody can want: their folders are named by four digits.
const MOST: u32 = 9999;

/// Cuts a registry into so many shards in a folder where there is nothing. They appear complete or not
/// at all.
pub fn shard(
    from: &Snapshot,
    to: &Path,
    by: By,
    count: u32,
    watch: Watch<'_>,
) -> Result<Sharded, Error> {
    let refused = |path: &Path, reason: &str| Error::Registry {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let source = from.folder().path();
    if from.is_sharded() {
        let reason = "it is cut into shards already; join them first, or cut the registry itself";
        return Err(refused(source, reason));
    }
    if from.settings().style.is_some() {
        let reason = "it keeps vectors of style, which are not looked up by digest; a registry with \
                      --style cannot be cut into shards";
        return Err(refused(source, reason));
    }
    if !(1..=MOST).contains(&count) {
        let reason = format!("{count} shards are not possible; give a number from 1 to {MOST}");
        return Err(refused(to, &reason));
    }
    let folder = Folder::new(to);
    if folder.exists() {
        return Err(refused(
            to,
            "there is a registry already; name a new folder",
        ));
    }
    let missing = folder.missing();
    folder.clean()?;
    let place = folder.unfinished_registry();
    let done = make(from, &place, by, count, watch)
        .and_then(|manifest| appear(&place, &folder, &manifest).map(|()| manifest));
    match done {
        Err(error) => {
            folder.take_back(&missing);
            Err(error)
        }
        Ok(manifest) => {
            let _ = fs::remove_dir_all(place.path());
            sharded(from, to, &manifest)
        }
    }
}

fn sharded(from: &Snapshot, to: &Path, manifest: &Manifest) -> Result<Sharded, Error> {
    let mut postings = Vec::new();
    for shard in &manifest.shards {
        let folder = Folder::new(&to.join(&shard.folder));
        let mut of_shard = 0;
        for file in &shard.slices {
            if file.kind == SliceKind::Digests {
                let path = folder.segment(file.kind.kind(), file.segment);
                of_shard += Segment::open(&path)?.postings();
            }
        }
        postings.push(of_shard);
    }
    let bytes = |shard: &Shard| shard.slices.iter().map(|file| file.bytes).sum();
    Ok(Sharded {
        documents: manifest.documents,
        postings,
        bytes: manifest.shards.iter().map(bytes).collect(),
        needs_key: from.key_name().is_some(),
    })
}

/// Makes everything in a folder that nobody looks into.
fn make(
    from: &Snapshot,
    place: &Folder,
    by: By,
    count: u32,
    watch: Watch<'_>,
) -> Result<Manifest, Error> {
    make_folder(place.path())?;
    let mut manifest = Manifest::new(by, super::open::origin(&from.catalog())?);
    manifest.documents = from.status()?.documents;
    manifest.last_document = from.catalog().next_document()?.saturating_sub(1);
    manifest.last_segment = from.catalog().next_segment()?.saturating_sub(1);
    let ranges: Vec<Range> = match by {
        By::Digests => DigestRange::equal(count)
            .into_iter()
            .map(Range::of_digests)
            .collect(),
        By::Documents => document_ranges(from, count),
    };
    for (number, range) in (1..).zip(ranges) {
        let folder = format!("{number:04}");
        make_folder(&place.path().join(&folder).join("segments"))?;
        manifest.shards.push(Shard {
            folder,
            range,
            catalog: None,
            slices: Vec::new(),
        });
    }
    match by {
        By::Digests => cut_digests(from, place, &mut manifest, watch)?,
        By::Documents => cut_documents(from, place, &mut manifest, watch)?,
    }
    for number in 0..manifest.shards.len() {
        manifest.write_label(place.path(), number)?;
    }
    manifest.write(place.path())?;
    let catalog = place.unfinished_catalog();
    from.catalog().copy_to(&catalog, watch)?;
    Catalog::put_in_place(place)?;
    Ok(manifest)
}

/// Moves shards to where they are to be; the catalogue comes last, and with it the registry.
fn appear(place: &Folder, to: &Folder, manifest: &Manifest) -> Result<(), Error> {
    let names = manifest.shards.iter().map(|shard| shard.folder.as_str());
    for name in names.chain([MANIFEST]) {
        rename(&place.path().join(name), &to.path().join(name))?;
    }
    sync(to.path())?;
    rename(&place.catalog(), &to.catalog())?;
    sync(to.path())
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(|source| Error::Io {
        path: from.to_owned(),
        source,
    })
}

fn make_folder(path: &Path) -> Result<(), Error> {
    private::make_folder(path).map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })
}

/// Ranges of numbers with about as many documents each; forgotten ones count while they are there.
fn document_ranges(from: &Snapshot, count: u32) -> Vec<Range> {
    let rows = from.pieces().iter().flat_map(|piece| &piece.row.documents);
    let numbers: Vec<u32> = rows
        .copied()
        .collect::<BTreeSet<u32>>()
        .into_iter()
        .collect();
    let last = numbers.last().map_or(0, |last| last + 1);
    let start = |shard: u32| {
        if shard == 0 {
            return 0;
        }
        let place = numbers.len() as u64 * u64::from(shard) / u64::from(count);
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        numbers.get(place).copied().unwrap_or(last)
    };
    let range = |shard: u32| {
        let to = (shard + 1 < count).then(|| start(shard + 1));
        Range::of_documents(start(shard), to)
    };
    (0..count).map(range).collect()
}

fn kinds(piece: &Piece) -> impl Iterator<Item = (SliceKind, &Segment)> {
    let digests = piece
        .digests
        .iter()
        .map(|slice| (SliceKind::Digests, &*slice.segment));
    let stretches = piece.stretches.iter();
    digests.chain(stretches.map(|slice| (SliceKind::Stretches, &*slice.segment)))
}

fn cut_digests(
    from: &Snapshot,
    place: &Folder,
    manifest: &mut Manifest,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let segments = from.pieces().iter().flat_map(Piece::segments);
    let mut steps = watch.steps(segments.map(|segment| segment.postings()).sum());
    for piece in from.pieces() {
        let number = piece.row.number;
        for (kind, segment) in kinds(piece) {
            segment.expect_whole(watch)?;
            let mut cutter = Cutter::of(segment);
            for shard in &mut manifest.shards {
                let folder = Folder::new(&place.path().join(&shard.folder));
                let range = shard.range.digests().unwrap_or(DigestRange::ALL);
                folder.write_segment(kind.kind(), number, |path| {
                    cutter.write(path, range, &mut steps)
                })?;
                let written = Segment::open(&folder.segment(kind.kind(), number))?;
                shard.slices.push(SliceFile::of(number, kind, &written));
            }
        }
    }
    Ok(())
}

fn cut_documents(
    from: &Snapshot,
    place: &Folder,
    manifest: &mut Manifest,
    watch: Watch<'_>,
) -> Result<(), Error> {
    for shard in &mut manifest.shards {
        let folder = Folder::new(&place.path().join(&shard.folder));
        let (first, behind) = shard.range.documents().unwrap_or_default();
        let is_here = |number: u32| number >= first && behind.is_none_or(|to| number < to);
        let origin = Origin {
            settings: from.settings().clone(),
            key: from.key_name().map(str::to_owned),
            created: from.created().to_owned(),
        };
        Catalog::create(&folder, &origin)?;
        let mut rows: Vec<SegmentRow> = Vec::new();
        for piece in from.pieces() {
            let row = &piece.row;
            let documents: Vec<u32> = (row.documents.iter().copied())
                .filter(|number| is_here(*number))
                .collect();
            if documents.is_empty() {
                continue;
            }
            let mut part = SegmentRow {
                number: row.number,
                documents,
                postings: 0,
                bytes: 0,
                stretches: None,
                vectors: None,
            };
            for (kind, segment) in kinds(piece) {
                let owners: Vec<u32> = match kind {
                    SliceKind::Digests => row.documents.clone(),
                    SliceKind::Stretches => row
                        .stretches
                        .iter()
                        .flat_map(StretchesRow::owners)
                        .collect(),
                };
                let mut next = 0;
                let mut number = |owner: &u32| {
                    is_here(*owner).then(|| {
                        next += 1;
                        DocId(next - 1)
                    })
                };
                let input = MergeInput {
                    segment,
                    numbers: owners.iter().map(&mut number).collect(),
                };
                let written = folder.write_segment(kind.kind(), row.number, |path| {
                    merge(path, segment.schema(), &[input], watch.silent())
                })?;
                let file = Segment::open(&folder.segment(kind.kind(), row.number))?;
                shard.slices.push(SliceFile::of(row.number, kind, &file));
                match kind {
                    SliceKind::Digests => {
                        part.postings = written.postings;
                        part.bytes = written.bytes;
                    }
                    SliceKind::Stretches => {
                        let all = row.stretches.iter().flat_map(|row| &row.documents);
                        part.stretches = Some(StretchesRow {
                            documents: all.copied().filter(|(one, _)| is_here(*one)).collect(),
                            postings: written.postings,
                            bytes: written.bytes,
                        });
                    }
                }
            }
            rows.push(part);
        }
        shard.catalog = Some(write_catalog(from, &folder, &rows, is_here, watch)?);
    }
    Ok(())
}

/// Registers the documents of a shard in its own catalogue; gives back what tells it from others.
fn write_catalog(
    from: &Snapshot,
    folder: &Folder,
    rows: &[SegmentRow],
    is_here: impl Fn(u32) -> bool,
    watch: Watch<'_>,
) -> Result<String, Error> {
    let source = from.catalog();
    let mut entries = Vec::new();
    source.entries(|entry| {
        watch.go_on()?;
        if is_here(entry.number) {
            entries.push(entry);
        }
        Ok(())
    })?;
    entries.sort_by_key(|entry| entry.number);
    let mut kept = Vec::new();
    for entry in &entries {
        let packed = source.retained(entry.number)?;
        kept.extend(packed.map(|packed| (entry.number, packed)));
    }
    let ignored = source.ignored()?;
    let mut catalog = Catalog::open(folder)?;
    catalog.write(|transaction| {
        for entry in &entries {
            entry.insert(transaction)?;
        }
        for (number, packed) in &kept {
            retained::insert(*number, packed, transaction)?;
        }
        for row in &ignored {
            row.insert(transaction)?;
        }
        for row in rows {
            row.insert(transaction)?;
        }
        Ok(())
    })?;
    let state = catalog.state()?;
    drop(catalog);
    Catalog::without_journal(folder)?;
    // A journal of its making may be left; nobody opens a shard who would remove it.
    folder.clean_files()?;
    Ok(state)
}
