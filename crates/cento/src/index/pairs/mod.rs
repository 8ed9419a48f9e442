//! All pairs of documents that share a digest (Finkel et al., section 2.5, for every document).

pub(super) mod rarest;
mod rows;

pub use rows::{Row, Rows};

use rayon::prelude::*;
use rows::Sample;

use super::build::{Which, build};
use super::{DocId, Index, Range, given};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::measure::{Overlap, SetMeasure};
use crate::number::index32;
use crate::report::Histogram;
use crate::watch::Watch;

/// Which pairs are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairQuery {
    /// What makes the score.
    pub measure: SetMeasure,
    /// The lowest score of a listed pair.
    pub at_least: f64,
    /// Documents from this number on are compared with the ones before it, not among themselves.
    pub old_from: u32,
    /// Digests that more documents have than this do not count, for anybody.
    pub max_documents: Option<u32>,
    /// How many steps over lists may be taken to count all pairs. If it would be more, pairs are found
    /// by their rarest digests, and those below the wanted score are not counted.
    pub steps: u64,
}

impl PairQuery {
    /// A few seconds of steps.
    pub const STEPS: u64 = 1 << 32;
}

/// Two documents that share digests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The document with the lower number.
    pub left: DocId,
    /// The other one.
    pub right: DocId,
    /// What they share.
    pub overlap: Overlap,
    /// The score of the query's measure.
    pub score: f64,
}

/// Everything that walking the lists brings to light.
#[derive(Clone, Debug, PartialEq)]
pub struct AllPairs {
    /// The pairs at or above the wanted score, by document numbers.
    pub pairs: Vec<Pair>,
    /// How many pairs share something but score lower; none if they were not counted.
    pub below: Option<u64>,
    /// How many pairs have which score, those that share nothing included; empty if pairs below the
    /// wanted score were not counted.
    pub scores: Histogram,
    /// What single documents share with all others; without any if pairs below the wanted score
    /// were not counted.
    pub rows: Rows,
    /// For each document, how many of its digests some other document has too.
    pub shared_with_any: Vec<u32>,
    /// For each document, how many distinct digests count.
    pub sizes: Vec<u32>,
    /// How many digests did not count because too many documents have them.
    pub ignored_digests: u64,
}

impl Index {
    /// All pairs that share a digest. The cost is that of the lists, not of the possible pairs; the
    /// memory that of the postings, plus the pairs that are listed.
    pub fn pairs(&self, query: &PairQuery, watch: Watch<'_>) -> Result<AllPairs, Error> {
        let sharing = Sharing::of(self, query.max_documents);
        if query.counts_all(self) {
            let lists = Lists::of(self, query.max_documents);
            return count(&lists, sharing, query, watch);
        }
        let ranges = self.ranges.iter().collect();
        let pairs = rarest::pairs(ranges, query, &sharing, watch)?;
        Ok(sharing.with(pairs))
    }
}

impl PairQuery {
    /// Whether all pairs that share anything are counted.
    fn counts_all(&self, index: &Index) -> bool {
        self.at_least <= 0.0 || !rarest::is_beyond(index, self.steps, self.max_documents)
    }
}

/// The lists of documents that share a digest, without the digests: all that is needed to find pairs,
/// in a fraction of the memory of an index.
pub struct SharedLists(Index);

impl SharedLists {
    /// The lists of these fingerprints; the first one is document 0. Their memory is free again.
    ///
    /// # Panics
    ///
    /// If there are 2³¹ documents or more.
    pub fn take(fingerprints: Vec<Fingerprint>, watch: Watch<'_>) -> Result<SharedLists, Error> {
        let index = build(given(fingerprints), Which::Shared, watch)?;
        Ok(SharedLists(index))
    }

    /// What [`Index::pairs`] gives.
    pub fn pairs(self, query: &PairQuery, watch: Watch<'_>) -> Result<AllPairs, Error> {
        let SharedLists(index) = self;
        if !query.counts_all(&index) {
            let sharing = Sharing::of(&index, query.max_documents);
            let pairs = rarest::pairs(index.ranges, query, &sharing, watch)?;
            return Ok(sharing.with(pairs));
        }
        let (sharing, lists) = rayon::join(
            || Sharing::of(&index, query.max_documents),
            || ListsWriter::counted(&index, query.max_documents),
        );
        let mut lists = lists.start();
        // What has been copied is freed at once.
        for range in index.ranges {
            watch.go_on()?;
            for list in range.lists() {
                lists.write(list, query.max_documents);
            }
        }
        count(&lists.finish(), sharing, query, watch)
    }
}

/// All pairs from lists that can be walked.
fn count(
    lists: &Lists,
    sharing: Sharing,
    query: &PairQuery,
    watch: Watch<'_>,
) -> Result<AllPairs, Error> {
    let sizes = &sharing.sizes;
    let lefts = index32(sizes.len()).min(query.old_from);
    let sample = Sample::below(lefts);
    let tally = (0..lefts)
        .into_par_iter()
        .try_fold(
            || (Counter::new(sizes.len()), Tally::new(sample)),
            |(mut counter, mut tally), left| {
                watch.go_on()?;
                counter.pairs_of(DocId(left), lists, sizes, query, &mut tally);
                Ok::<_, Error>((counter, tally))
            },
        )
        .map(|folded| folded.map(|(_, tally)| tally))
        .try_reduce(|| Tally::new(sample), |left, right| Ok(left.join(right)))?;
    let counted: u64 = tally.buckets.iter().sum();
    let (new, all) = (u64::from(lefts), sizes.len() as u64);
    let possible = new * new.saturating_sub(1) / 2 + new * (all - new);
    Ok(AllPairs {
        below: Some(counted - tally.pairs.len() as u64),
        rows: sample.rows(tally.rows, sizes, counted),
        scores: Histogram {
            buckets: tally.buckets,
            zero: possible - counted,
        },
        ..sharing.with(tally.pairs)
    })
}

/// What each document has in common with any other.
struct Sharing {
    /// For each document, how many of its digests are in a list.
    shared: Vec<u32>,
    /// For each document, how many of its digests count.
    sizes: Vec<u32>,
    ignored_digests: u64,
}

impl Sharing {
    fn of(index: &Index, max_documents: Option<u32>) -> Sharing {
        let mut sharing = Sharing {
            shared: vec![0; index.documents()],
            sizes: index.sides.iter().map(|side| side.digests).collect(),
            ignored_digests: 0,
        };
        for list in index.ranges.iter().flat_map(Range::lists) {
            if !counts(list, max_documents) {
                sharing.ignored_digests += 1;
                for document in list {
                    sharing.sizes[document.0 as usize] -= 1;
                }
            } else if list.len() > 1 {
                for document in list {
                    sharing.shared[document.0 as usize] += 1;
                }
            }
        }
        sharing
    }

    /// The same with the pairs at or above the wanted score, if the others were not counted.
    fn with(self, pairs: Vec<Pair>) -> AllPairs {
        AllPairs {
            pairs,
            below: None,
            scores: Histogram::default(),
            rows: Rows::default(),
            shared_with_any: self.shared,
            sizes: self.sizes,
            ignored_digests: self.ignored_digests,
        }
    }
}

/// Whether a digest with this list counts.
fn counts(list: &[DocId], max_documents: Option<u32>) -> bool {
    max_documents.is_none_or(|most| list.len() <= most as usize)
}

/// Pairs found so far, and how many have which score.
struct Tally {
    pairs: Vec<Pair>,
    buckets: Vec<u64>,
    sample: Sample,
    rows: Vec<Row>,
}

impl Tally {
    fn new(sample: Sample) -> Tally {
        Tally {
            pairs: Vec::new(),
            buckets: vec![0; Histogram::BUCKETS],
            sample,
            rows: vec![Row::default(); sample.len()],
        }
    }

    fn add(&mut self, pair: Pair, at_least: f64) {
        let Pair { overlap, score, .. } = pair;
        self.buckets[Histogram::bucket(score)] += 1;
        for document in [pair.left, pair.right] {
            if let Some(place) = self.sample.place(document.0) {
                self.rows[place].add(overlap.shared, score);
            }
        }
        if score >= at_least {
            self.pairs.push(pair);
        }
    }

    fn join(mut self, mut behind: Tally) -> Tally {
        self.pairs.append(&mut behind.pairs);
        for (count, more) in self.buckets.iter_mut().zip(behind.buckets) {
            *count += more;
        }
        for (row, more) in self.rows.iter_mut().zip(&behind.rows) {
            row.join(more);
        }
        self
    }
}

/// The lists of the digests that several documents have, in the order in which they are counted.
///
/// A list stands with its first document, without it: what that document shares is then read in
/// one go. The documents in the middle of a list remember their places in it; the last one has
/// nobody behind it.
struct Lists {
    /// For each document in turn, the rests of the lists that it is the first of.
    entries: Vec<Entry>,
    /// Where the entries of each document start; one more for the end.
    entry_starts: Vec<usize>,
    /// For each document in turn, the places just behind it in the lists that it is in the middle of.
    places: Vec<u32>,
    /// Where the places of each document start; one more for the end.
    place_starts: Vec<usize>,
}

/// A document, and whether it is the last one of its list.
#[derive(Clone, Copy)]
struct Entry(u32);

impl Entry {
    /// Document numbers stay below 2³¹: `Index::build` checks.
    const LAST: u32 = 1 << 31;

    fn document(self) -> usize {
        (self.0 & !Entry::LAST) as usize
    }

    fn is_last(self) -> bool {
        self.0 & Entry::LAST != 0
    }
}

impl Lists {
    fn of(index: &Index, max_documents: Option<u32>) -> Lists {
        let mut lists = ListsWriter::counted(index, max_documents).start();
        for list in index.ranges.iter().flat_map(Range::lists) {
            lists.write(list, max_documents);
        }
        lists.finish()
    }

    /// All documents behind this one in the lists that it is the first of, list after list.
    fn behind_first(&self, document: usize) -> &[Entry] {
        &self.entries[self.entry_starts[document]..self.entry_starts[document + 1]]
    }

    /// What begins with the documents behind this one, for each list that it is in the middle of.
    fn behind_middle(&self, document: usize) -> impl Iterator<Item = &[Entry]> {
        let places = &self.places[self.place_starts[document]..self.place_starts[document + 1]];
        places.iter().map(|&place| &self.entries[place as usize..])
    }
}

/// Lists that are being put into the order in which they are counted. All lists are counted first, then written.
struct ListsWriter {
    lists: Lists,
    next_entry: Vec<usize>,
    next_place: Vec<usize>,
}

impl ListsWriter {
    /// With the lists of an index counted.
    fn counted(index: &Index, max_documents: Option<u32>) -> ListsWriter {
        let mut writer = ListsWriter {
            lists: Lists {
                entries: Vec::new(),
                entry_starts: vec![0; index.documents() + 1],
                places: Vec::new(),
                place_starts: vec![0; index.documents() + 1],
            },
            next_entry: Vec::new(),
            next_place: Vec::new(),
        };
        for list in index.ranges.iter().flat_map(Range::lists) {
            writer.count(list, max_documents);
        }
        writer
    }

    fn count(&mut self, list: &[DocId], max_documents: Option<u32>) {
        if !counts(list, max_documents) {
            return;
        }
        if let [first, middle @ .., _] = list {
            self.lists.entry_starts[first.0 as usize + 1] += list.len() - 1;
            for document in middle {
                self.lists.place_starts[document.0 as usize + 1] += 1;
            }
        }
    }

    /// Everything has been counted.
    fn start(mut self) -> ListsWriter {
        for starts in [&mut self.lists.entry_starts, &mut self.lists.place_starts] {
            let mut sum = 0;
            for start in starts.iter_mut() {
                sum += *start;
                *start = sum;
            }
        }
        let end = |starts: &[usize]| starts.last().map_or(0, |end| *end);
        let total = end(&self.lists.entry_starts);
        assert!(
            u32::try_from(total).is_ok(),
            "fewer than 2^32 postings are shared"
        );
        self.lists.entries = vec![Entry(0); total];
        self.lists.places = vec![0; end(&self.lists.place_starts)];
        self.next_entry.clone_from(&self.lists.entry_starts);
        self.next_place.clone_from(&self.lists.place_starts);
        self
    }

    fn write(&mut self, list: &[DocId], max_documents: Option<u32>) {
        if !counts(list, max_documents) {
            return;
        }
        let [first, middle @ .., end] = list else {
            return;
        };
        let Lists {
            entries, places, ..
        } = &mut self.lists;
        let start = self.next_entry[first.0 as usize];
        self.next_entry[first.0 as usize] += list.len() - 1;
        for (offset, document) in middle.iter().enumerate() {
            entries[start + offset] = Entry(document.0);
            let place = &mut self.next_place[document.0 as usize];
            places[*place] = index32(start + offset + 1);
            *place += 1;
        }
        entries[start + middle.len()] = Entry(end.0 | Entry::LAST);
    }

    fn finish(self) -> Lists {
        self.lists
    }
}

/// Counts what one document shares with each later one. One per thread, used again and again.
struct Counter {
    shared: Vec<u32>,
    /// Which blocks of `shared` have something in them.
    touched: Vec<bool>,
}

/// How many documents a block has.
const BLOCK: usize = 64;

impl Counter {
    fn new(documents: usize) -> Counter {
        Counter {
            shared: vec![0; documents],
            touched: vec![false; documents.div_ceil(BLOCK)],
        }
    }

    fn pairs_of(
        &mut self,
        left: DocId,
        lists: &Lists,
        sizes: &[u32],
        query: &PairQuery,
        tally: &mut Tally,
    ) {
        for &entry in lists.behind_first(left.0 as usize) {
            self.count(entry);
        }
        for rest in lists.behind_middle(left.0 as usize) {
            for &entry in rest {
                self.count(entry);
                if entry.is_last() {
                    break;
                }
            }
        }
        let blocks = self.touched.iter_mut().zip(self.shared.chunks_mut(BLOCK));
        for (block, (touched, shared)) in blocks.enumerate() {
            if !std::mem::take(touched) {
                continue;
            }
            for (offset, shared) in shared.iter_mut().enumerate() {
                let right = block * BLOCK + offset;
                let shared = std::mem::take(shared);
                if shared == 0 {
                    continue;
                }
                let overlap = Overlap {
                    shared,
                    left: sizes[left.0 as usize],
                    right: sizes[right],
                };
                let pair = Pair {
                    left,
                    right: DocId(index32(right)),
                    overlap,
                    score: query.measure.score(overlap),
                };
                tally.add(pair, query.at_least);
            }
        }
    }

    /// One more shared digest.
    fn count(&mut self, entry: Entry) {
        let document = entry.document();
        self.shared[document] += 1;
        self.touched[document / BLOCK] = true;
    }
}
