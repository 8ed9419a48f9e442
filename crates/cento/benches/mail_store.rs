//! A stream of messages through a mail store: how many a second on one core, and how much memory and disk
//! it takes while campaigns come and go and everything expires.
//!
//!     cargo bench -p cento --bench mail_store                       100,000 messages
//!     cargo bench -p cento --bench mail_store -- 10000000 512       so many, in 512 MiB of memory
//!
//! Messages are sets of digests from a seed, as many as the recipe `mail` keeps. Six of ten belong to one of
//! 2,000 campaigns, each of which lasts two days and changes a third of the digests of every message; the
//! others are seen once. All of them arrive within four weeks.

#![allow(
    clippy::unwrap_used,
    reason = "a measurement that cannot go on should stop"
)]
#![allow(clippy::print_stdout, reason = "what it finds is printed")]

use std::collections::HashSet;

use cento::index::sightings::{Answer, Counting, Settings, Sightings};
use cento::message::Sameness;
use cento::{Digest, Key, Recipe};
use rustix::time::{ClockId, clock_gettime};

const START: u64 = 1_790_000_000;
const WEEKS: u64 = 4;
const CAMPAIGNS: u64 = 2000;
const LASTS: u64 = 2 * 24 * 3600;
/// What was counted is made safe about every second.
const SYNC: u64 = 5000;

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    let messages = numbers.first().copied().unwrap_or(100_000);
    let memory = numbers.get(1).copied().unwrap_or(512) << 20;
    let folder = tempfile::tempdir().unwrap();
    let key = Key::new([7; 16]);
    let settings = Settings {
        recipe: Recipe::named("mail").unwrap(),
        sameness: Sameness::MAIL,
        memory,
    };
    Sightings::create(folder.path(), &settings, &key, START).unwrap();
    let mut store = Sightings::open(folder.path(), &key, "a bench").unwrap();
    let mut numbers = Numbers(1);
    let mut tally = Tally::default();
    let mut asking = 0.0;
    let mut largest = 0;
    let mut now = START;
    for number in 0..messages {
        now = START + number * (WEEKS * 7 * 24 * 3600) / messages;
        let (message, campaign) = message(&mut numbers, now);
        let start = busy();
        let answer = store.ask(&message, now, Counting::Count).unwrap();
        if number % SYNC == 0 {
            store.sync().unwrap();
            largest = largest.max(store.stats(now).disk);
        }
        asking += busy() - start;
        tally.add(&answer, campaign);
    }
    let stats = store.stats(now);
    let peak = peak_memory();
    drop(store);
    let start = busy();
    let store = Sightings::open(folder.path(), &key, "a bench").unwrap();
    let opening = busy() - start;
    assert_eq!(store.stats(now).families, stats.families);
    let mega = |bytes: u64| bytes >> 20;
    println!("messages            {messages}");
    println!("a second and core   {:.0}", messages as f64 / asking);
    println!("memory allowed      {} MiB", mega(memory));
    println!("memory estimated    {} MiB", mega(stats.memory));
    println!("memory at most      {} MiB of the process", mega(peak));
    println!("disk at most        {} MiB", mega(largest));
    println!("families at the end {}", stats.families);
    println!("expired             {}", stats.expired);
    println!("evicted             {}", stats.evicted);
    println!("opened again in     {opening:.1} s of one core");
    println!(
        "campaigns           {} of {} later messages known",
        tally.known, tally.later
    );
    println!(
        "new                 {} of {} taken for others",
        tally.wrong,
        tally.once + tally.begun.len() as u64
    );
}

#[derive(Default)]
struct Tally {
    /// Campaigns that have begun.
    begun: HashSet<u64>,
    /// Messages of campaigns but the first of each, and how many of them were known.
    later: u64,
    known: u64,
    once: u64,
    wrong: u64,
}

impl Tally {
    fn add(&mut self, answer: &Answer, campaign: Option<u64>) {
        let is_known = matches!(answer, Answer::Known { nearest: Some(near), .. } if near.is_same);
        match campaign {
            Some(campaign) if self.begun.insert(campaign) => self.wrong += u64::from(is_known),
            Some(_) => {
                self.later += 1;
                self.known += u64::from(is_known);
            }
            None => {
                self.once += 1;
                self.wrong += u64::from(is_known);
            }
        }
    }
}

/// A message at a time, and the campaign that it belongs to.
fn message(numbers: &mut Numbers, now: u64) -> (Vec<Digest>, Option<u64>) {
    let count = 128 + numbers.below(129);
    let campaign = (numbers.below(10) < 6).then(|| {
        let place = numbers.below(CAMPAIGNS);
        (now + place * LASTS / CAMPAIGNS) / LASTS * CAMPAIGNS + place
    });
    let mut digests: Vec<Digest> = if let Some(campaign) = campaign {
        let mut own = Numbers(campaign << 20);
        let count = 128 + own.below(129);
        (0..count)
            .map(|_| {
                let digest = own.next();
                let is_changed = numbers.below(3) == 0;
                Digest(if is_changed { numbers.next() } else { digest })
            })
            .collect()
    } else {
        (0..count).map(|_| Digest(numbers.next())).collect()
    };
    digests.sort_unstable();
    digests.dedup();
    (digests, campaign)
}

struct Numbers(u64);

impl Numbers {
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

/// Seconds that this thread has kept a core busy.
fn busy() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The most memory that this process has had, in bytes; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    number.unwrap_or(0) << 10
}
