//! Segments: what is written is read, lookups equal a map, merging equals rebuilding, damage is
//! refused.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::collections::BTreeMap;
use std::path::Path;

use cento::index::segment::{
    Common, Counter, FoundDigest, MergeInput, Removed, Schema, Segment, Writer, build, consecutive,
    merge,
};
use cento::index::{DocId, Posting};
use cento::{Digest, Error, Fingerprint, Recipe, Side, Watch, overlap};
use proptest::prelude::*;

/// A recipe whose digests have so many bits.
fn recipe(digest_bits: u8) -> Recipe {
    format!("words+fold | window:5 | md5:{digest_bits} | all")
        .parse()
        .unwrap()
}

fn fingerprint(recipe: &Recipe, digests: &[u64]) -> Fingerprint {
    let tokens = u32::try_from(digests.len()).unwrap() + 4;
    let digests = digests.iter().copied().map(Digest).collect();
    Fingerprint::from_digests(recipe.id(), tokens, digests)
}

/// Every posting by kept digest and document, counted the slow way.
type Naive = BTreeMap<u64, BTreeMap<u32, u32>>;

fn naive(schema: &Schema, fingerprints: &[Fingerprint], digest_bits: u8) -> Naive {
    let dropped = digest_bits - schema.kept_bits();
    let mut map = Naive::new();
    for (document, fingerprint) in (0..).zip(fingerprints) {
        for (digest, count) in fingerprint.counted() {
            let kept = digest.0 >> dropped << dropped;
            *map.entry(kept).or_default().entry(document).or_default() += count;
        }
    }
    map
}

fn read_all(segment: &Segment) -> Result<Naive, Error> {
    let mut map = Naive::new();
    let mut lists = segment.lists();
    while let Some(list) = lists.next_list()? {
        let postings = list
            .postings
            .iter()
            .map(|posting| (posting.document.0, posting.count));
        map.insert(list.digest.0, postings.collect());
    }
    Ok(map)
}

fn build_bytes(schema: &Schema, fingerprints: &[Fingerprint]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new");
    let summary = build(
        &path,
        schema,
        &fingerprints.iter().collect::<Vec<_>>(),
        Watch::NOBODY,
    )
    .unwrap();
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(summary.bytes, bytes.len() as u64);
    bytes
}

fn segment_of(bytes: &[u8]) -> Segment {
    Segment::from_bytes(Path::new("in memory"), bytes.to_vec()).unwrap()
}

/// Digests of documents: some from a small pool that all share, some of their own, some crowded
/// into one corner of the range, some many times.
fn documents(digest_bits: u8) -> impl Strategy<Value = Vec<Vec<u64>>> {
    let all = u64::MAX >> (64 - digest_bits);
    let spread = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20);
    let digest = prop_oneof![
        5 => (0..40u64).prop_map(move |n| spread(n) & all),
        5 => any::<u64>().prop_map(move |n| n & all),
        2 => (0..3000u64).prop_map(move |n| n & all),
        1 => (0..9u64).prop_map(move |n| all - n),
    ];
    let counted = (
        digest,
        prop_oneof![20 => Just(1usize), 3 => 2..5usize, 1 => 2..300usize],
    );
    let document = proptest::collection::vec(counted, 0..60).prop_map(|counted| {
        let repeat = |(digest, count)| std::iter::repeat_n(digest, count);
        counted.into_iter().flat_map(repeat).collect::<Vec<u64>>()
    });
    proptest::collection::vec(document, 0..9)
}

/// How many bits digests have, how many are kept, and documents of such digests.
fn cases() -> impl Strategy<Value = (u8, u8, Vec<Vec<u64>>)> {
    (24..=64u8).prop_flat_map(|bits| (Just(bits), bits.min(44)..=bits, documents(bits)))
}

fn prepare(digest_bits: u8, kept_bits: u8, documents: &[Vec<u64>]) -> (Schema, Vec<Fingerprint>) {
    let recipe = recipe(digest_bits);
    let schema = Schema::new(&recipe, kept_bits).unwrap();
    let fingerprints = documents
        .iter()
        .map(|digests| fingerprint(&recipe, digests))
        .collect();
    (schema, fingerprints)
}

proptest! {
    /// What is written is read: through a map, from memory, one digest, many digests, all of them.
    #[test]
    fn lookups_equal_a_map((bits, kept, documents) in cases(), absent in any::<[u64; 8]>()) {
        let (schema, fingerprints) = prepare(bits, kept, &documents);
        let expected = naive(&schema, &fingerprints, bits);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("segment");
        build(&path, &schema, &fingerprints.iter().collect::<Vec<_>>(), Watch::NOBODY).unwrap();
        for segment in [Segment::open(&path).unwrap(), Segment::read(&path).unwrap()] {
            segment.check(Watch::NOBODY).unwrap();
            prop_assert_eq!(segment.schema(), &schema);
            prop_assert_eq!(&read_all(&segment).unwrap(), &expected);
            for (side, fingerprint) in segment.sides().iter().zip(&fingerprints) {
                prop_assert_eq!(*side, Side::of(&schema.cut(fingerprint)));
            }
            let dropped = bits - kept;
            let present = fingerprints.iter().flat_map(|f| f.digests().iter().map(|d| d.0));
            let mut wanted: Vec<u64> = present.chain(absent).chain(0..20).collect();
            wanted.sort_unstable();
            wanted.dedup();
            let digests: Vec<Digest> = wanted.iter().copied().map(Digest).collect();
            let mut found = segment.find(&digests).unwrap().into_iter().peekable();
            for (place, digest) in (0..).zip(digests) {
                let kept_digest = digest.0 >> dropped << dropped;
                let fits = digest.0.checked_shr(bits.into()).unwrap_or(0) == 0;
                let list = expected.get(&kept_digest).filter(|_| fits);
                let postings: Vec<Posting> = list.into_iter().flatten()
                    .map(|(&document, &count)| Posting { document: DocId(document), count })
                    .collect();
                prop_assert_eq!(&segment.postings_of(digest).unwrap(), &postings);
                let count = segment.documents_with(digest).unwrap();
                prop_assert_eq!(count as usize, postings.len());
                let batched = found.next_if(|found| found.place == place);
                prop_assert_eq!(batched.is_some(), !postings.is_empty());
                if let Some(FoundDigest { run, .. }) = batched {
                    prop_assert_eq!(Some(run), segment.find_one(digest).unwrap());
                }
            }
            prop_assert!(found.next().is_none());
        }
    }

    /// What a query shares with each document is what comparing the two says.
    #[test]
    fn shared_equals_overlap((bits, kept, documents) in cases(), removed in any::<[bool; 9]>()) {
        let (schema, fingerprints) = prepare(bits, kept, &documents);
        let segment = segment_of(&build_bytes(&schema, &fingerprints));
        let tombstones: Removed =
            (0..).zip(&removed).filter(|(_, removed)| **removed).map(|(n, _)| DocId(n)).collect();
        let mut scratch = Counter::default();
        for query in &fingerprints {
            let query = schema.cut(query);
            let common = |(document, other): (u32, &Fingerprint)| Common {
                document: DocId(document),
                digests: overlap(&query, &schema.cut(other)).unwrap().shared,
            };
            let all: Vec<Common> = (0..).zip(&fingerprints).map(common).collect();
            for tombstones in [&Removed::NONE, &tombstones] {
                let expected: Vec<Common> = all.iter().copied()
                    .filter(|common| common.digests > 0 && !tombstones.contains(common.document))
                    .collect();
                prop_assert_eq!(&segment.shared(&query, tombstones, &mut scratch).unwrap(), &expected);
                let found = segment.find(query.digests()).unwrap();
                let live = segment.live_documents_with(&found, tombstones, &mut scratch).unwrap();
                let sum: u32 = live.iter().sum();
                prop_assert_eq!(sum, expected.iter().map(|common| common.digests).sum::<u32>());
            }
        }
    }
}

proptest! {
    // Every segment is synced to the disk.
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Merging some segments is building the documents that are left, byte for byte, whatever their
    /// new numbers are.
    #[test]
    fn merging_equals_rebuilding(
        (bits, kept, documents) in cases(),
        parts in proptest::collection::vec(0..3usize, 9),
        removed in any::<[bool; 9]>(),
        shuffle in any::<u64>(),
    ) {
        let (schema, fingerprints) = prepare(bits, kept, &documents);
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); 3];
        for document in 0..fingerprints.len() {
            groups[parts[document]].push(document);
        }
        let pick = |documents: &[usize]| -> Vec<Fingerprint> {
            documents.iter().map(|&document| fingerprints[document].clone()).collect()
        };
        let segments: Vec<Segment> =
            groups.iter().map(|group| segment_of(&build_bytes(&schema, &pick(group)))).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("merged");

        let tombstones: Vec<Removed> = groups.iter().map(|group| {
            (0..).zip(group).filter(|(_, document)| removed[**document]).map(|(n, _)| DocId(n)).collect()
        }).collect();
        let sources = consecutive(&segments.iter().zip(&tombstones).collect::<Vec<_>>());
        merge(&path, &schema, &sources, Watch::NOBODY).unwrap();
        let left: Vec<usize> = groups.concat().into_iter().filter(|document| !removed[*document]).collect();
        prop_assert_eq!(std::fs::read(&path).unwrap(), build_bytes(&schema, &pick(&left)));
        Segment::open(&path).unwrap().check(Watch::NOBODY).unwrap();

        // Any other order of the documents that are left.
        let mut order = left.clone();
        order.sort_by_key(|&document| (document as u64 + 1).wrapping_mul(shuffle | 1));
        let number = |document: &usize| {
            let place = order.iter().position(|other| other == document)?;
            Some(DocId(u32::try_from(place).unwrap()))
        };
        let sources: Vec<MergeInput<'_>> = segments.iter().zip(&groups).map(|(segment, group)| MergeInput {
            segment,
            numbers: group.iter().map(number).collect(),
        }).collect();
        merge(&path, &schema, &sources, Watch::NOBODY).unwrap();
        prop_assert_eq!(std::fs::read(&path).unwrap(), build_bytes(&schema, &pick(&order)));
    }
}

/// A small segment that has everything: repeats, large counts, several buckets and documents.
fn small() -> (Schema, Vec<Fingerprint>) {
    let recipe = recipe(52);
    let schema = Schema::new(&recipe, 44).unwrap();
    let document = |seed: u64| {
        let digest = |n: u64| (seed / 2 * 10 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12;
        let mut digests: Vec<u64> = (0..20).map(digest).collect();
        digests.extend([digest(1), digest(2), digest(2)]);
        digests.extend(std::iter::repeat_n(
            digest(3),
            70_000 * usize::from(seed == 4),
        ));
        fingerprint(&recipe, &digests)
    };
    (schema, (0..6).map(document).collect())
}

/// All lists, what was found, and the postings of each query.
type Answers = (Naive, Vec<FoundDigest>, Vec<Vec<Posting>>);

/// Everything that can be asked of a segment.
fn answers(segment: &Segment, queries: &[Digest]) -> Result<Answers, Error> {
    let lists = read_all(segment)?;
    let found = segment.find(queries)?;
    let postings = queries
        .iter()
        .map(|&digest| segment.postings_of(digest))
        .collect::<Result<_, _>>()?;
    for &digest in queries {
        segment.documents_with(digest)?;
    }
    Ok((lists, found, postings))
}

fn queries(fingerprints: &[Fingerprint]) -> Vec<Digest> {
    let mut queries: Vec<Digest> = fingerprints
        .iter()
        .flat_map(|f| f.digests().to_vec())
        .collect();
    queries.extend((0..20).map(|n| Digest(n << 47)));
    queries.sort_unstable();
    queries.dedup();
    queries
}

#[track_caller]
fn assert_refused<T>(result: Result<T, Error>, what: &str) {
    match result {
        Err(Error::Format { path, reason }) => {
            assert!(path == Path::new("damaged") && !reason.is_empty());
        }
        Err(other) => panic!("{what}: {other}"),
        Ok(_) => panic!("{what}: not noticed"),
    }
}

#[test]
fn every_flipped_byte_is_refused() {
    let (schema, fingerprints) = small();
    let bytes = build_bytes(&schema, &fingerprints);
    let queries = queries(&fingerprints);
    for place in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            let what = format!("byte {place} ^ {flip:02x}");
            match Segment::from_bytes(Path::new("damaged"), damaged) {
                Err(error) => assert_refused::<()>(Err(error), &what),
                Ok(segment) => {
                    assert_refused(segment.check(Watch::NOBODY), &what);
                    // Whoever does not check may get a wrong answer, but gets one.
                    let _ = answers(&segment, &queries);
                }
            }
        }
    }
}

#[test]
fn every_cut_is_refused() {
    let (schema, fingerprints) = small();
    let bytes = build_bytes(&schema, &fingerprints);
    for length in 0..bytes.len() {
        let cut = bytes[..length].to_vec();
        assert_refused(
            Segment::from_bytes(Path::new("damaged"), cut),
            &format!("cut at {length}"),
        );
    }
    for longer in [1, 8, 4096] {
        let mut longer_bytes = bytes.clone();
        longer_bytes.resize(bytes.len() + longer, 0);
        assert_refused(
            Segment::from_bytes(Path::new("damaged"), longer_bytes),
            "longer",
        );
    }
}

#[test]
fn files_that_are_no_segments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for open in [Segment::open, Segment::read] {
        assert!(matches!(open(&path), Err(Error::Io { .. })));
        assert!(matches!(open(folder.path()), Err(Error::Io { .. })));
    }
    for content in [String::new(), "text".to_owned(), "long text ".repeat(1000)] {
        std::fs::write(&path, content).unwrap();
        for open in [Segment::open, Segment::read] {
            assert!(matches!(open(&path), Err(Error::Format { .. })));
        }
    }
}

#[test]
fn a_writer_refuses_what_it_was_not_promised() {
    let (schema, _) = small();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let side = Side {
        tokens: 9,
        digests: 2,
        weight: 1.5,
    };
    let check = |postings: &[(u64, u32, u32)], expected: &str| {
        let mut writer = Writer::create(&path, &schema, &[side, side]).unwrap();
        let pushed = postings.iter().try_for_each(|&(digest, document, count)| {
            writer.push(Digest(digest << 8), DocId(document), count)
        });
        let error = pushed
            .and_then(|()| writer.finish().map(|_| ()))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
        assert!(matches!(Segment::open(&path), Err(Error::Format { .. })));
    };
    check(&[], "4 postings were announced and 0 came");
    check(
        &[(1, 0, 1), (2, 0, 1), (2, 1, 1)],
        "4 postings were announced and 3 came",
    );
    check(&[(1, 0, 1), (1, 0, 1)], "sorted");
    check(&[(1, 1, 1), (1, 0, 1)], "sorted");
    check(&[(2, 0, 1), (1, 0, 1)], "sorted");
    check(
        &[(1, 0, 1), (2, 0, 1), (3, 0, 1)],
        "document 0 has a posting too many",
    );
    check(&[(1, 2, 1)], "document 2 has a posting too many");
    check(&[(1, 0, 0)], "document 0");
    check(&[(1 << 44, 0, 1)], "more bits");
    let file_in_file = path.join("file");
    assert!(matches!(
        Writer::create(&file_in_file, &schema, &[]),
        Err(Error::Io { .. })
    ));
}

#[test]
fn segments_of_nothing() {
    let recipe = recipe(64);
    let schema = Schema::new(&recipe, 64).unwrap();
    for documents in [0, 1, 3] {
        let fingerprints: Vec<Fingerprint> =
            (0..documents).map(|_| fingerprint(&recipe, &[])).collect();
        let segment = segment_of(&build_bytes(&schema, &fingerprints));
        segment.check(Watch::NOBODY).unwrap();
        assert_eq!(segment.documents(), documents);
        assert!(read_all(&segment).unwrap().is_empty());
        assert!(
            segment
                .find(&[Digest(0), Digest(u64::MAX)])
                .unwrap()
                .is_empty()
        );
    }
    assert_eq!(Schema::new(&recipe, 43), None);
}

#[test]
fn segments_that_do_not_fit_together() {
    let (schema, fingerprints) = small();
    let segment = segment_of(&build_bytes(&schema, &fingerprints));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("merged");
    let other = Schema::new(&recipe(52), 45).unwrap();
    let error = merge(
        &path,
        &other,
        &consecutive(&[(&segment, &Removed::NONE)]),
        Watch::NOBODY,
    )
    .unwrap_err();
    assert!(error.to_string().contains("44 bits kept"), "{error}");
    for numbers in [vec![], vec![Some(DocId(0)); 6], vec![Some(DocId(9)); 6]] {
        let sources = [MergeInput {
            segment: &segment,
            numbers,
        }];
        let error = merge(&path, &schema, &sources, Watch::NOBODY).unwrap_err();
        assert!(error.to_string().contains("new numbers"), "{error}");
    }
}

/// Files of every version of the format that was ever written open for ever.
#[test]
fn old_files_open() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat/segment-1.cento");
    let (schema, fingerprints) = small();
    if std::env::var_os("CENTO_BLESS").is_some() && !path.exists() {
        std::fs::write(&path, build_bytes(&schema, &fingerprints)).unwrap();
    }
    let expected = naive(&schema, &fingerprints, 52);
    for segment in [Segment::open(&path).unwrap(), Segment::read(&path).unwrap()] {
        segment.check(Watch::NOBODY).unwrap();
        assert_eq!(segment.schema(), &schema);
        assert_eq!(segment.sides().len(), fingerprints.len());
        assert_eq!(read_all(&segment).unwrap(), expected);
    }
    // As long as this is the version that is written, the same documents give the same bytes.
    assert_eq!(
        std::fs::read(&path).unwrap(),
        build_bytes(&schema, &fingerprints)
    );
}

/// Enough postings that every bit vector has many samples, with lists and counts of all lengths.
#[test]
fn a_larger_one() {
    let recipe = recipe(60);
    let schema = Schema::new(&recipe, 48).unwrap();
    let spread = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 4;
    let document = |document: u64| {
        let own = (0..300).map(|n| spread(document << 20 | n));
        // Digest n of the pool is in every n-th document, and n times in it.
        let pool = (1..200).filter(|n| document.is_multiple_of(*n));
        let shared = pool.flat_map(|n| (0..n).map(move |_| spread(n << 50)));
        fingerprint(&recipe, &own.chain(shared).collect::<Vec<u64>>())
    };
    let fingerprints: Vec<Fingerprint> = (0..600).map(document).collect();
    let bytes = build_bytes(&schema, &fingerprints);
    let segment = segment_of(&bytes);
    segment.check(Watch::NOBODY).unwrap();
    let expected = naive(&schema, &fingerprints, 60);
    assert_eq!(read_all(&segment).unwrap(), expected);
    let digests: Vec<Digest> = expected
        .keys()
        .flat_map(|&kept| [Digest(kept), Digest(kept ^ 1 << 40)])
        .collect();
    let found = segment.find(&digests).unwrap();
    let present = digests
        .iter()
        .filter(|digest| expected.contains_key(&digest.0));
    for (digest, found) in present.zip(&found) {
        assert_eq!(digests[found.place as usize], *digest);
        let mut postings = Vec::new();
        segment.read_postings(&found.run, &mut postings).unwrap();
        let counted: BTreeMap<u32, u32> =
            postings.iter().map(|p| (p.document.0, p.count)).collect();
        assert_eq!(counted, expected[&digest.0]);
    }
    let (left, right) = fingerprints.split_at(217);
    let parts = [left, right].map(|part| segment_of(&build_bytes(&schema, part)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("merged");
    let none = Removed::NONE;
    let sources = consecutive(&parts.each_ref().map(|part| (part, &none)));
    merge(&path, &schema, &sources, Watch::NOBODY).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}
