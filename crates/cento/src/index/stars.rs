//! Stars: which documents of a collection are kept, and which one each of the others joins.
//!
//! Documents come in the order in which they are preferred. One is kept unless one that is kept
//! already is alike; otherwise it joins the one that is most alike. Only kept documents are ever
//! compared with, so a million copies of a text cost a million comparisons with one document, and
//! the pairs inside a star are never looked at.

use super::{Index, Range};
use crate::index::pairs::frequent::{longest_within, need};
use crate::measure::{Measure, Overlap};
use crate::token::index32;

/// What becomes of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fate {
    /// The number of the kept document of its star: its own, if it is kept.
    pub star: u32,
    /// How alike the two are; 1 if it is kept.
    pub similarity: f64,
}

impl Index {
    /// The fate of each document, if the first ones are preferred. Those without digests are kept.
    ///
    /// `measure` is one of sets; `steps` as for [`PairQuery`](super::PairQuery).
    pub fn stars(&self, measure: Measure, at_least: f64, steps: u64) -> Vec<Fate> {
        let mut sky = Sky::of(self, measure, at_least, steps);
        let mut fates = Vec::with_capacity(self.sides.len());
        for document in 0..index32(self.sides.len()) {
            let fate = sky.most_alike(document, measure, at_least);
            fates.push(fate.unwrap_or_else(|| {
                sky.keep(document);
                Fate {
                    star: document,
                    similarity: 1.0,
                }
            }));
        }
        fates
    }
}

/// The kept documents, by the lists that they are in.
///
/// A list that is too long to be walked again and again is *late*. A document leaves as many late
/// lists aside as it may without missing anybody (see [`frequent`](super::pairs::frequent)).
struct Sky {
    sizes: Vec<u32>,
    /// For each document in turn its lists; those that it leaves aside are marked.
    lists: Vec<Place>,
    list_starts: Vec<usize>,
    /// Room for the kept documents of each list: first those that do not leave it aside.
    kept: Vec<u32>,
    starts: Vec<usize>,
    /// How many kept documents of each list do not leave it aside.
    near: Vec<u32>,
    /// How many do; they fill the room from its end.
    far: Vec<u32>,
    shared: Vec<u32>,
    touched: Vec<u32>,
}

/// A list of a document, and whether the document leaves it aside.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    const ASIDE: u32 = 1 << 31;

    fn list(self) -> usize {
        (self.0 & !Place::ASIDE) as usize
    }

    fn is_aside(self) -> bool {
        self.0 & Place::ASIDE != 0
    }
}

impl Sky {
    fn of(index: &Index, measure: Measure, at_least: f64, steps: u64) -> Sky {
        let longest = longest_within(index, steps, None).unwrap_or(usize::MAX);
        let documents = index.sides.len();
        let sizes: Vec<u32> = index.sides.iter().map(|side| side.digests).collect();
        let lists = || {
            let lists = index.ranges.iter().flat_map(Range::lists);
            lists.filter(|list| list.len() > 1)
        };
        let mut list_starts = vec![0; documents + 1];
        let mut starts = vec![0];
        let mut late: Vec<u32> = Vec::new();
        for (number, list) in (0..).zip(lists()) {
            starts.push(starts[starts.len() - 1] + list.len());
            for document in list {
                list_starts[document.0 as usize + 1] += 1;
            }
            if list.len() > longest {
                late.push(number);
            }
        }
        let count = starts.len() - 1;
        assert!(count < 1 << 31, "fewer than 2^31 digests are shared");
        for document in 0..documents {
            list_starts[document + 1] += list_starts[document];
        }
        let mut places = vec![Place(0); list_starts[documents]];
        let mut next = list_starts.clone();
        for (number, list) in (0..).zip(lists()) {
            for document in list {
                places[next[document.0 as usize]] = Place(number);
                next[document.0 as usize] += 1;
            }
        }
        // The longest lists are left aside first.
        let length = |list: &u32| starts[*list as usize + 1] - starts[*list as usize];
        if !late.is_empty() {
            for document in 0..documents {
                let own = &mut places[list_starts[document]..list_starts[document + 1]];
                let mut of_late: Vec<usize> = (0..own.len())
                    .filter(|&place| length(&own[place].0) > longest)
                    .collect();
                of_late.sort_by_key(|&place| (std::cmp::Reverse(length(&own[place].0)), place));
                let allowed = need(measure, at_least, sizes[document]) - 1;
                for place in of_late.into_iter().take(allowed as usize) {
                    own[place].0 |= Place::ASIDE;
                }
            }
        }
        Sky {
            sizes,
            lists: places,
            list_starts,
            kept: vec![0; starts[count]],
            near: vec![0; count],
            far: vec![0; count],
            starts,
            shared: vec![0; documents],
            touched: Vec::new(),
        }
    }

    fn lists(&self, document: u32) -> &[Place] {
        let document = document as usize;
        &self.lists[self.list_starts[document]..self.list_starts[document + 1]]
    }

    fn keep(&mut self, document: u32) {
        for place in self.list_starts[document as usize]..self.list_starts[document as usize + 1] {
            let place = self.lists[place];
            let list = place.list();
            if place.is_aside() {
                self.far[list] += 1;
                self.kept[self.starts[list + 1] - self.far[list] as usize] = document;
            } else {
                self.kept[self.starts[list] + self.near[list] as usize] = document;
                self.near[list] += 1;
            }
        }
    }

    /// The kept document that is most alike, the first of equals, if any is alike at all.
    fn most_alike(&mut self, document: u32, measure: Measure, at_least: f64) -> Option<Fate> {
        let mut aside = 0;
        for place in self.list_starts[document as usize]..self.list_starts[document as usize + 1] {
            let place = self.lists[place];
            let list = place.list();
            let start = self.starts[list];
            let near = &self.kept[start..start + self.near[list] as usize];
            let end = self.starts[list + 1];
            let far: &[u32] = if place.is_aside() {
                aside += 1;
                &[]
            } else {
                &self.kept[end - self.far[list] as usize..end]
            };
            for &other in near.iter().chain(far) {
                if self.shared[other as usize] == 0 {
                    self.touched.push(other);
                }
                self.shared[other as usize] += 1;
            }
        }
        let mut best: Option<Fate> = None;
        let touched = std::mem::take(&mut self.touched);
        for &other in &touched {
            let counted = std::mem::take(&mut self.shared[other as usize]);
            let most = counted + aside;
            let bound = self.score(document, other, most, measure);
            let wanted = best.map_or(at_least, |fate| fate.similarity);
            if bound < wanted {
                continue;
            }
            let shared = counted + self.both_aside(document, other, aside);
            let similarity = self.score(document, other, shared, measure);
            let is_better = match best {
                None => similarity >= at_least,
                Some(fate) => {
                    similarity > fate.similarity
                        || (similarity - fate.similarity).abs() < f64::EPSILON && other < fate.star
                }
            };
            if is_better {
                best = Some(Fate {
                    star: other,
                    similarity,
                });
            }
        }
        self.touched = touched;
        self.touched.clear();
        best
    }

    /// How many lists have both documents and are left aside by both.
    fn both_aside(&self, document: u32, other: u32, aside: u32) -> u32 {
        if aside == 0 {
            return 0;
        }
        let mut others = self.lists(other).iter().peekable();
        let mut count = 0;
        for place in self.lists(document).iter().filter(|place| place.is_aside()) {
            while others
                .next_if(|other| other.list() < place.list())
                .is_some()
            {}
            let both = others.next_if(|other| other.list() == place.list());
            count += u32::from(both.is_some_and(|other| other.is_aside()));
        }
        count
    }

    fn score(&self, left: u32, right: u32, shared: u32, measure: Measure) -> f64 {
        let (left, right) = (self.sizes[left as usize], self.sizes[right as usize]);
        measure.score(Overlap {
            shared: shared.min(left).min(right),
            left,
            right,
        })
    }
}
