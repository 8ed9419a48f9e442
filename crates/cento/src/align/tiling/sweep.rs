//! All tiles in one sweep over lengths, from the longest down.
//!
//! At each length L, the places from which L free words follow are *open*. Places with the same L
//! words to follow are a class: neighbours in the order of the suffixes. A class with open places
//! of both texts holds matches of L words. There are none of more, because those have become tiles
//! before. So the sweep only has to look at classes that grew together at L or in which a place
//! opened at L.
//!
//! A tile of L words closes the places it covers for good, and fewer than L places before it for
//! now: from there only so many words are free as lie between. They open again at that length.
//! Tiles do not overlap, so all of this happens at most as often as there are words.
//!
//! (That a greedy partition needs no search in what is left of the texts has been seen before, for
//! the common partition of two strings: Goldstein & Lewenstein 2011.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::kept::Kept;
use super::suffixes::Suffixes;

/// Words that both texts have, by the number of the first among those kept.
#[derive(Debug)]
pub(super) struct Tile {
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) words: u32,
}

/// The tiles of at least `shortest` words, in the order in which they are taken.
pub(super) fn tiles(kept: &Kept, suffixes: &Suffixes, shortest: u32) -> Vec<Tile> {
    let longest_run = |side: std::ops::Range<u32>| side.map(|at| kept.run_end(at) - at).max();
    let [lefts, rights] = kept.sides();
    let (Some(in_left), Some(in_right)) = (longest_run(0..lefts), longest_run(lefts..kept.len()))
    else {
        return Vec::new();
    };
    let longest = in_left.min(in_right);
    let mut sweep = Sweep::new(kept, suffixes, shortest, longest);
    let mut free = [lefts, rights];
    for words in (shortest..=longest).rev() {
        if free.iter().any(|&free| free < shortest) {
            break;
        }
        let placed = sweep.place(words);
        free = free.map(|free| free - placed * words);
    }
    sweep.tiles
}

struct Sweep<'a> {
    kept: &'a Kept,
    ranks: &'a [u32],
    shortest: u32,
    classes: Classes,
    open: OpenPlaces,
    taken: Vec<bool>,
    /// Ranks by the length at which they join the class of the rank before.
    joining: Agenda,
    /// Places by the length at which they open.
    opening: Agenda,
    tiles: Vec<Tile>,
}

impl<'a> Sweep<'a> {
    fn new(kept: &'a Kept, suffixes: &'a Suffixes, shortest: u32, longest: u32) -> Sweep<'a> {
        let mut joining = Agenda::new(longest, kept.len());
        for (rank, &common) in (0..).zip(&suffixes.common) {
            if common >= shortest {
                joining.add(common.min(longest), rank);
            }
        }
        let mut opening = Agenda::new(longest, kept.len());
        for place in 0..kept.len() {
            let free = kept.run_end(place) - place;
            if free >= shortest {
                opening.add(free.min(longest), place);
            }
        }
        Sweep {
            kept,
            ranks: &suffixes.ranks,
            shortest,
            classes: Classes::new(kept.len()),
            open: OpenPlaces::new(kept.len()),
            taken: vec![false; kept.words().len()],
            joining,
            opening,
            tiles: Vec::new(),
        }
    }

    /// Places all tiles of so many words; how many there are.
    fn place(&mut self, words: u32) -> u32 {
        let mut looked_at = Vec::new();
        while let Some(rank) = self.joining.next(words) {
            looked_at.push(self.classes.join(rank));
        }
        while let Some(place) = self.opening.next(words) {
            if !self.taken[place as usize] {
                let rank = self.ranks[place as usize];
                self.open.set(rank, self.side(place), place);
                looked_at.push(rank);
            }
        }
        let mut classes: Vec<u32> = looked_at
            .into_iter()
            .map(|rank| self.classes.first(rank))
            .collect();
        classes.sort_unstable();
        classes.dedup();
        // The match that starts first in the left text comes first.
        let mut matches = BinaryHeap::new();
        for class in classes {
            if let Some([left, _]) = self.first_match(class) {
                matches.push(Reverse((left, class)));
            }
        }
        let mut placed = 0;
        while let Some(Reverse((expected, class))) = matches.pop() {
            let Some([left, right]) = self.first_match(class) else {
                continue;
            };
            if left == expected {
                self.take(left, words);
                self.take(right, words);
                self.tiles.push(Tile { left, right, words });
                placed += 1;
            }
            if let Some([left, _]) = self.first_match(class) {
                matches.push(Reverse((left, class)));
            }
        }
        placed
    }

    fn side(&self, place: u32) -> usize {
        usize::from(!self.kept.is_left(place))
    }

    fn first_match(&self, class: u32) -> Option<[u32; 2]> {
        let first = self.open.first(class, self.classes.end(class));
        (!first.contains(&NONE)).then_some(first)
    }

    /// Takes the words from `start` on.
    fn take(&mut self, start: u32, words: u32) {
        for place in start..start + words {
            self.taken[place as usize] = true;
            self.close(place);
        }
        // Before it, fewer words are free than there were.
        for free in 1..words {
            let Some(place) = start.checked_sub(free) else {
                break;
            };
            let is_same_run = self.kept.run_end(place) == self.kept.run_end(start);
            if !is_same_run || self.taken[place as usize] {
                break;
            }
            self.close(place);
            if free >= self.shortest {
                self.opening.add(free, place);
            }
        }
    }

    fn close(&mut self, place: u32) {
        let rank = self.ranks[place as usize];
        self.open.set(rank, self.side(place), NONE);
    }
}

/// No place, later than all of them.
const NONE: u32 = u32::MAX;

/// Things to do, by the length at which they are due. A thing is due once at a time.
struct Agenda {
    /// The last thing that was added for each length.
    heads: Vec<u32>,
    /// What was added before each thing.
    next: Vec<u32>,
}

impl Agenda {
    fn new(longest: u32, things: u32) -> Agenda {
        Agenda {
            heads: vec![NONE; longest as usize + 1],
            next: vec![NONE; things as usize],
        }
    }

    fn add(&mut self, length: u32, thing: u32) {
        let head = &mut self.heads[length as usize];
        self.next[thing as usize] = std::mem::replace(head, thing);
    }

    fn next(&mut self, length: u32) -> Option<u32> {
        let head = &mut self.heads[length as usize];
        if *head == NONE {
            return None;
        }
        let thing = *head;
        *head = self.next[thing as usize];
        Some(thing)
    }
}

/// Classes of neighbouring ranks; a class is named by its first rank.
struct Classes {
    /// The first rank of the class, or a rank that is nearer to it.
    towards_first: Vec<u32>,
    /// One past the last rank, for first ranks.
    ends: Vec<u32>,
}

impl Classes {
    fn new(ranks: u32) -> Classes {
        Classes {
            towards_first: (0..ranks).collect(),
            ends: (1..=ranks).collect(),
        }
    }

    /// Joins the class that starts at `rank` to the one before it; the first rank of both.
    fn join(&mut self, rank: u32) -> u32 {
        let first = self.first(rank - 1);
        self.towards_first[rank as usize] = first;
        self.ends[first as usize] = self.ends[rank as usize];
        first
    }

    fn first(&mut self, mut rank: u32) -> u32 {
        while self.towards_first[rank as usize] != rank {
            let nearer = self.towards_first[rank as usize];
            self.towards_first[rank as usize] = self.towards_first[nearer as usize];
            rank = nearer;
        }
        rank
    }

    fn end(&self, first: u32) -> u32 {
        self.ends[first as usize]
    }
}

/// The first open place of each text in any stretch of ranks: a tree of minima.
struct OpenPlaces {
    /// Node n has the minima of its children 2n and 2n + 1; leaves are the ranks.
    nodes: Vec<[u32; 2]>,
}

impl OpenPlaces {
    fn new(ranks: u32) -> OpenPlaces {
        OpenPlaces {
            nodes: vec![[NONE; 2]; 2 * ranks as usize],
        }
    }

    fn set(&mut self, rank: u32, side: usize, place: u32) {
        let mut node = self.nodes.len() / 2 + rank as usize;
        let mut least = place;
        while self.nodes[node][side] != least {
            self.nodes[node][side] = least;
            if node <= 1 {
                return;
            }
            least = least.min(self.nodes[node ^ 1][side]);
            node /= 2;
        }
    }

    fn first(&self, start: u32, end: u32) -> [u32; 2] {
        let leaves = self.nodes.len() / 2;
        let (mut from, mut to) = (leaves + start as usize, leaves + end as usize);
        let mut first = [NONE; 2];
        let mut take = |node: [u32; 2]| first = [first[0].min(node[0]), first[1].min(node[1])];
        while from < to {
            if from % 2 == 1 {
                take(self.nodes[from]);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                take(self.nodes[to]);
            }
            from /= 2;
            to /= 2;
        }
        first
    }
}
