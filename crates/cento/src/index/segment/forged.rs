//! Segments whose checksums are right and whose contents are not: nothing may panic, loop or
//! allocate without measure, whatever the bytes say.

use std::path::Path;

use proptest::prelude::*;

use super::format::{HEADER, Header, Layout, Section, checksum};
use super::schema::Sides;
use super::{Counter, DocId, Lists, Removed, Schema, Segment, Writer, consecutive, merge};
use crate::digest::Digest;
use crate::error::Error;
use crate::measure::Side;
use crate::watch::Watch;

/// A sound segment of 40 documents with 30 digests each, some of them more than once.
fn sound() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sound");
    let schema = Schema::of_text(
        "words | window:5 | md5:50 | all".to_owned(),
        50,
        44,
        Sides::Whole,
    )
    .unwrap();
    let side = Side {
        tokens: 34,
        digests: 30,
        weight: 5.0,
    };
    let mut postings: Vec<(u64, u32, u32)> = Vec::new();
    for document in 0..40u32 {
        for digest in 0..30u32 {
            let number = u64::from(digest + 30 * (document / 2));
            let digest_value = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 << 6;
            let count = [1, 1, 1, 2, 1, 3, 1, 90_000][(digest % 8) as usize];
            postings.push((digest_value, document, count));
        }
    }
    postings.sort_unstable();
    let mut writer = Writer::create(&path, &schema, &[side; 40]).unwrap();
    for (digest, document, count) in postings {
        writer.push(Digest(digest), DocId(document), count).unwrap();
    }
    writer.finish().unwrap();
    std::fs::read(path).unwrap()
}

/// A file with this header, and with right checksums.
fn forged(mut header: Header, mut bytes: Vec<u8>) -> Vec<u8> {
    let possible = header
        .contradiction()
        .is_none()
        .then(|| Layout::of(&header));
    let layout = possible.flatten();
    if let Some(layout) = layout.filter(|layout| layout.file_bytes() < 1 << 20) {
        let place = |place: u64| usize::try_from(place).unwrap();
        bytes.resize(place(layout.file_bytes()), 0);
        for section in Section::ALL {
            let range = layout.of_section(section);
            header.checksums[section as usize] =
                checksum(&bytes[place(range.start)..place(range.end)]);
        }
    }
    bytes[..HEADER].copy_from_slice(&header.encode());
    bytes
}

/// Asks everything of a segment that it can be asked.
fn ask(segment: &Segment) {
    let walk = |lists: &mut Lists<'_>| -> Result<Vec<Digest>, Error> {
        let mut digests = Vec::new();
        while let Some(list) = lists.next_list()? {
            digests.push(list.digest);
        }
        Ok(digests)
    };
    let mut digests = walk(&mut segment.lists()).unwrap_or_default();
    digests.extend((0..200).map(|n: u64| Digest(n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14)));
    digests.extend([0, 1, u64::MAX, 1 << 49].map(Digest));
    digests.sort_unstable();
    for &digest in &digests {
        let _ = segment.postings_of(digest);
        let _ = segment.documents_with(digest);
    }
    let mut counter = Counter::default();
    if let Ok(found) = segment.find(&digests) {
        let _ = segment.visit(&found, &Removed::NONE, &mut counter, |_, _| ());
        let removed = [DocId(1)].into_iter().collect();
        let _ = segment.live_documents_with(&found, &removed, &mut counter);
    }
    let sound = segment.check(Watch::NOBODY);
    let folder = tempfile::tempdir().unwrap();
    let sources = consecutive(&[(segment, &Removed::NONE)]);
    let merged = merge(
        &folder.path().join("merged"),
        segment.schema(),
        &sources,
        Watch::NOBODY,
    );
    assert!(
        sound.is_err() || merged.is_ok(),
        "what is sound can be merged"
    );
}

proptest! {
    #[test]
    fn bodies_with_right_checksums(changes in proptest::collection::vec((any::<u16>(), any::<u8>()), 1..40)) {
        let mut bytes = sound();
        for (place, value) in changes {
            let place = HEADER + usize::from(place) % (bytes.len() - HEADER);
            bytes[place] = value;
        }
        let bytes = forged(Header::decode(&bytes).unwrap(), bytes);
        if let Ok(segment) = Segment::from_bytes(Path::new("forged"), bytes) {
            ask(&segment);
        }
    }

    #[test]
    fn headers_with_right_checksums(
        bits in any::<[u8; 7]>(),
        sizes in any::<[u64; 6]>(),
        shifts in any::<[u8; 6]>(),
        which in any::<u16>(),
    ) {
        let bytes = sound();
        let mut header = Header::decode(&bytes).unwrap();
        let is_changed = |field: u32| which >> field & 1 == 1;
        let small = [
            &mut header.digest_bits, &mut header.kept_bits, &mut header.bucket_bits,
            &mut header.document_bits, &mut header.list_shift, &mut header.repeat_bucket_bits,
            &mut header.count_bits,
        ];
        for ((field, value), bits) in (0..).zip(small).zip(bits) {
            if is_changed(field) { *value = bits % 70; }
        }
        let large = [&mut header.postings, &mut header.digests, &mut header.repeats, &mut header.large];
        for (((field, value), size), shift) in (7..).zip(large).zip(sizes).zip(shifts) {
            if is_changed(field) { *value = size >> (shift % 64); }
        }
        let narrow = [&mut header.documents, &mut header.recipe_bytes];
        for (((field, value), size), shift) in (11..).zip(narrow).zip(&sizes[4..]).zip(&shifts[4..]) {
            if is_changed(field) { *value = u32::try_from(*size >> 32).unwrap() >> (shift % 32); }
        }
        if let Ok(segment) = Segment::from_bytes(Path::new("forged"), forged(header, bytes)) {
            ask(&segment);
        }
    }
}
