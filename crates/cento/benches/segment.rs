//! What a segment costs: seconds to build and to merge, bytes a posting beside the least that any
//! format needs, and how fast digests and documents are looked up, warm and on one thread.
//!
//! `cargo bench -p cento --bench segment -- --postings 20000000`. The documents are generated: 2,400
//! digests each, six in ten of them in no other document, the others shared with a long tail.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use cento::index::segment::{
    Counter, Removed, Schema, Segment, build, consecutive, floor_bits, merge,
};
use cento::{Digest, Fingerprint, Recipe, Watch};

const DIGESTS: u64 = 2400;
const KEPT_BITS: u8 = 44;
/// The most postings that are gathered in memory at once.
const BATCH: u64 = 50_000_000;
const LOOKUPS: u64 = 1_000_000;
const QUERIES: u64 = 500;

fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("the first pool");
    let collection = Collection::new(postings_wanted());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let segment = written(&collection, folder.path());
    size(&segment);
    let start = Instant::now();
    segment.check(Watch::NOBODY).expect("a sound segment");
    print("check of everything, s", seconds(start));
    println!();
    lookups(&collection, &segment);
    verify(&collection, &segment);
}

fn postings_wanted() -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--postings");
    let wanted = arguments.nth(1);
    wanted.map_or(20_000_000, |number| {
        number.parse().expect("--postings wants a number")
    })
}

fn print(name: &str, value: f64) {
    println!("{name:<44} {value:>10.2}");
}

fn seconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}

/// Builds the collection in batches, two at least, and merges them.
fn written(collection: &Collection, folder: &Path) -> Segment {
    let schema = Schema::new(&collection.recipe, KEPT_BITS).expect("enough bits");
    let documents_at_once = BATCH.min(collection.postings() / 2) / DIGESTS + 1;
    let mut paths = Vec::new();
    let mut building = 0.0;
    let mut first = 0;
    while first < collection.documents {
        let behind = collection.documents.min(first + documents_at_once);
        let batch: Vec<Fingerprint> = (first..behind)
            .map(|document| collection.fingerprint(document))
            .collect();
        let path = folder.join(format!("{first}"));
        let start = Instant::now();
        build(
            &path,
            &schema,
            &batch.iter().collect::<Vec<_>>(),
            Watch::NOBODY,
        )
        .expect("a segment");
        building += seconds(start);
        paths.push(path);
        first = behind;
    }
    let parts: Vec<Segment> = paths
        .iter()
        .map(|path| Segment::open(path).expect("a segment"))
        .collect();
    let none = Removed::NONE;
    let sources = consecutive(&parts.iter().map(|part| (part, &none)).collect::<Vec<_>>());
    let path = folder.join("merged");
    let start = Instant::now();
    let summary = merge(&path, &schema, &sources, Watch::NOBODY).expect("a segment");
    let merging = seconds(start);
    println!(
        "{} documents, {} postings of {} digests, {KEPT_BITS} bits kept; one thread\n",
        summary.documents, summary.postings, summary.digests
    );
    print(&format!("build of {} segments, s", parts.len()), building);
    print("merge of them into one, s", merging);
    drop(parts);
    for path in paths {
        std::fs::remove_file(path).expect("removed");
    }
    Segment::open(&path).expect("a segment")
}

fn size(segment: &Segment) {
    let mut lengths: BTreeMap<u64, u64> = BTreeMap::new();
    let start = Instant::now();
    let mut lists = segment.lists();
    while let Some(list) = lists.next_list().expect("a sound segment") {
        *lengths.entry(list.postings.len() as u64).or_default() += 1;
    }
    let walking = seconds(start);
    let longest = lengths.last_key_value().map_or(0, |(length, _)| *length);
    let postings = segment.postings() as f64;
    let bytes = segment.bytes() as f64 / postings;
    let floor = floor_bits(KEPT_BITS, segment.documents(), lengths) / 8.0 / postings;
    print("bytes a posting", bytes);
    print("floor, bytes a posting", floor);
    print("ratio", bytes / floor);
    print("longest list", longest as f64);
    print("walk over all postings, s", walking);
}

/// Nanoseconds a digest, present and absent, one at a time and by the fingerprint.
fn lookups(collection: &Collection, segment: &Segment) {
    let mut random = Random(77);
    let present: Vec<Digest> = (0..LOOKUPS)
        .map(|_| {
            let (document, place) = (random.below(collection.documents), random.below(DIGESTS));
            collection.digest(document, place)
        })
        .collect();
    let absent: Vec<Digest> = (0..LOOKUPS).map(|_| Digest(random.next())).collect();
    println!("{:<44} {:>10} {:>10}", "ns a lookup", "present", "absent");
    let time = |digests: &[Digest], find: &dyn Fn(&[Digest]) -> u64| {
        black_box(find(digests));
        let start = Instant::now();
        black_box(find(digests));
        1e9 * seconds(start) / digests.len() as f64
    };
    let row = |name: &str, find: &dyn Fn(&[Digest]) -> u64| {
        println!(
            "{name:<44} {:>10.0} {:>10.0}",
            time(&present, find),
            time(&absent, find)
        );
    };
    row("one at a time", &|digests| {
        let find = |digest: &Digest| segment.find_one(*digest).expect("a sound segment");
        digests
            .iter()
            .filter_map(find)
            .map(|run| u64::from(run.documents()))
            .sum()
    });
    let size = usize::try_from(DIGESTS).expect("small");
    let in_groups = |digests: &[Digest]| {
        let found = |group: &[Digest]| segment.find(group).expect("a sound segment").len() as u64;
        digests.chunks(size).map(found).sum()
    };
    row("2,400 together", &in_groups);
    println!();
}

/// Documents of 2,400 digests that are compared with all others in a second.
fn verify(collection: &Collection, segment: &Segment) {
    let new: Vec<Fingerprint> = (0..QUERIES)
        .map(|query| collection.fingerprint(collection.documents + query))
        .collect();
    let old: Vec<Fingerprint> = (0..QUERIES)
        .map(|query| collection.fingerprint(query * collection.documents / QUERIES))
        .collect();
    let mut scratch = Counter::default();
    println!(
        "{:<44} {:>10} {:>10} {:>10} {:>10}",
        "documents of 2,400 digests verified", "a second", "p50 ms", "p99 ms", "postings"
    );
    for (name, queries) in [("new ones", new), ("ones that are in it", old)] {
        let mut times = Vec::new();
        for round in 0..2 {
            for query in &queries {
                let start = Instant::now();
                let query = segment.schema().cut(query);
                let shared = segment.shared(&query, &Removed::NONE, &mut scratch);
                black_box(shared.expect("a sound segment"));
                if round == 1 {
                    times.push(seconds(start));
                }
            }
        }
        times.sort_by(f64::total_cmp);
        let rate = times.len() as f64 / times.iter().sum::<f64>();
        let percentile = |percent: usize| 1000.0 * times[times.len() * percent / 100];
        let read = |query: &Fingerprint| -> u64 {
            let found = segment.find(query.digests()).expect("a sound segment");
            found
                .iter()
                .map(|found| u64::from(found.run.documents()))
                .sum()
        };
        let postings = queries.iter().map(read).sum::<u64>() / QUERIES;
        println!(
            "{name:<44} {rate:>10.0} {:>10.2} {:>10.2} {postings:>10}",
            percentile(50),
            percentile(99)
        );
    }
}

/// Documents that are made when they are asked for.
struct Collection {
    recipe: Recipe,
    documents: u64,
}

impl Collection {
    fn new(postings: u64) -> Collection {
        Collection {
            recipe: "words+fold | window:5 | fast:64 | all"
                .parse()
                .expect("a recipe"),
            documents: (postings / DIGESTS).max(1),
        }
    }

    fn postings(&self) -> u64 {
        self.documents * DIGESTS
    }

    fn fingerprint(&self, document: u64) -> Fingerprint {
        let digests = (0..DIGESTS)
            .map(|place| self.digest(document, place))
            .collect();
        Fingerprint::from_digests(self.recipe.id(), 2404, digests)
    }

    fn digest(&self, document: u64, place: u64) -> Digest {
        let number = document * DIGESTS + place;
        let mut random = Random(number);
        if random.below(10) < 6 {
            return Digest(Random(number ^ 1 << 60).next());
        }
        // Number x of the pool is drawn with a density that falls like x to the power of -2/3.
        let uniform = random.next() as f64 / u64::MAX as f64;
        let pool = self.postings() as f64 / 4.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number in the pool"
        )]
        let shared = (pool * uniform.powi(3)) as u64;
        Digest(Random(shared ^ 1 << 61).next())
    }
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
