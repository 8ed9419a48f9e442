//! All pairs where some digests are in so many documents that walking their lists would cost the
//! square of them: a footer, a licence, a form.
//!
//! Such a digest is not dropped, it is looked at late. A pair at or above the threshold shares a known
//! least number of the digests of its smaller document (`need`). So a document may leave up to
//! `need - 1` of its most frequent digests aside, count what it shares in the others, and still
//! meets every partner; only for the few that can still reach the threshold it is then looked up
//! whether they have the digests that were left aside. The result is exact.

use rayon::prelude::*;

use super::{Entry, Pair, PairQuery};
use crate::index::{DocId, Index, Range};
use crate::measure::{Measure, Overlap};
use crate::token::index32;

/// The pairs at or above the threshold, by document numbers, if lists of more than `longest`
/// documents are looked at late.
pub(super) fn pairs(index: &Index, query: &PairQuery, longest: usize, sizes: &[u32]) -> Vec<Pair> {
    let plan = Plan::of(index, query, longest, sizes);
    let mut pairs: Vec<Pair> = (0..plan.order.len())
        .into_par_iter()
        .fold(
            || (Counts::new(plan.order.len()), Vec::new()),
            |(mut counts, mut pairs), rank| {
                counts.pairs_of(rank, &plan, query, &mut pairs);
                (counts, pairs)
            },
        )
        .map(|(_, pairs)| pairs)
        .reduce(Vec::new, |mut all, mut more| {
            all.append(&mut more);
            all
        });
    pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
    pairs
}

/// The length from which on lists are too long to be walked, if walking all would take more than so
/// many steps.
pub(in crate::index) fn longest_within(
    index: &Index,
    steps: u64,
    max_documents: Option<u32>,
) -> Option<usize> {
    let most = max_documents.map_or(usize::MAX, |most| most as usize);
    let mut lengths: Vec<usize> = index
        .ranges
        .iter()
        .flat_map(Range::lists)
        .map(<[DocId]>::len)
        .filter(|length| (2..=most).contains(length))
        .collect();
    lengths.sort_unstable();
    let mut sum = 0u64;
    for (place, &length) in lengths.iter().enumerate() {
        sum = sum.saturating_add((length as u64).saturating_mul(length as u64 - 1) / 2);
        if sum > steps {
            // Equal lengths are treated alike.
            let shorter = lengths[..place].iter().rev().find(|other| **other < length);
            return Some(shorter.copied().unwrap_or(1));
        }
    }
    None
}

/// The least number of digests that a document of so many shares with any larger or equal one at the
/// threshold.
pub(in crate::index) fn need(measure: Measure, at_least: f64, size: u32) -> u32 {
    let share = match measure {
        Measure::Resemblance => 2.0 * at_least / (1.0 + at_least),
        _ => at_least,
    };
    // A little less, so that rounding never makes it too much; at least one is shared in any case.
    let least = share * f64::from(size) * (1.0 - 1e-9);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the size"
    )]
    let least = least.ceil() as u32;
    least.clamp(1, size.max(1))
}

/// Everything by rank: documents in the order of their sizes.
struct Plan<'a> {
    sizes: &'a [u32],
    /// The document of each rank.
    order: Vec<DocId>,
    /// The documents of all lists as ranks, ascending within a list; the last of a list is marked.
    members: Vec<Entry>,
    /// Where the lists that are looked at late start in `members`; one more for the end.
    late: Vec<std::ops::Range<usize>>,
    /// For each rank in turn the places just behind it in the lists that it walks.
    walks: Vec<u32>,
    walk_starts: Vec<usize>,
    /// For each rank in turn the lists that it leaves aside.
    aside: Vec<u32>,
    aside_starts: Vec<usize>,
}

impl<'a> Plan<'a> {
    fn of(index: &Index, query: &PairQuery, longest: usize, sizes: &'a [u32]) -> Plan<'a> {
        let mut order: Vec<DocId> = (0..index32(sizes.len())).map(DocId).collect();
        order.sort_by_key(|document| (sizes[document.0 as usize], *document));
        let mut rank = vec![0u32; sizes.len()];
        for (place, document) in (0..).zip(&order) {
            rank[document.0 as usize] = place;
        }
        let most = query.max_documents.map_or(usize::MAX, |most| most as usize);
        let lists = || {
            let lists = index.ranges.iter().flat_map(Range::lists);
            lists.filter(|list| (2..=most).contains(&list.len()))
        };
        let total = lists().map(<[DocId]>::len).sum();
        let mut members: Vec<Entry> = Vec::with_capacity(total);
        let mut late: Vec<std::ops::Range<usize>> = Vec::new();
        for list in lists() {
            let start = members.len();
            members.extend(list.iter().map(|document| Entry(rank[document.0 as usize])));
            members[start..].sort_unstable_by_key(|entry| entry.0);
            if let Some(last) = members.last_mut() {
                last.0 |= Entry::LAST;
            }
            if list.len() > longest {
                late.push(start..members.len());
            }
        }
        // The longest first: those are left aside as long as that is allowed.
        late.sort_by_key(|list| (std::cmp::Reverse(list.len()), list.start));
        let mut allowed: Vec<u32> = order
            .iter()
            .map(|document| need(query.measure, query.at_least, sizes[document.0 as usize]) - 1)
            .collect();
        let mut is_aside = vec![false; members.len()];
        let mut aside_starts = vec![0; order.len() + 1];
        for list in &late {
            for place in list.clone() {
                let rank = members[place].document();
                if allowed[rank] > 0 {
                    allowed[rank] -= 1;
                    is_aside[place] = true;
                    aside_starts[rank + 1] += 1;
                }
            }
        }
        let mut walk_starts = vec![0; order.len() + 1];
        for (entry, is_aside) in members.iter().zip(&is_aside) {
            if !is_aside && !entry.is_last() {
                walk_starts[entry.document() + 1] += 1;
            }
        }
        for rank in 0..order.len() {
            aside_starts[rank + 1] += aside_starts[rank];
            walk_starts[rank + 1] += walk_starts[rank];
        }
        let mut aside = vec![0; aside_starts[order.len()]];
        let mut next = aside_starts.clone();
        for (number, list) in (0..).zip(&late) {
            for place in list.clone().filter(|place| is_aside[*place]) {
                let rank = members[place].document();
                aside[next[rank]] = number;
                next[rank] += 1;
            }
        }
        let mut walks = vec![0; walk_starts[order.len()]];
        let mut next = walk_starts.clone();
        for (place, (entry, is_aside)) in members.iter().zip(&is_aside).enumerate() {
            if !is_aside && !entry.is_last() {
                walks[next[entry.document()]] = index32(place + 1);
                next[entry.document()] += 1;
            }
        }
        Plan {
            sizes,
            order,
            members,
            late,
            walks,
            walk_starts,
            aside,
            aside_starts,
        }
    }

    /// The documents behind one in each list that it walks.
    fn behind(&self, rank: usize) -> impl Iterator<Item = &[Entry]> {
        let walks = &self.walks[self.walk_starts[rank]..self.walk_starts[rank + 1]];
        walks.iter().map(|&place| &self.members[place as usize..])
    }

    /// The lists that a document leaves aside.
    fn aside(&self, rank: usize) -> &[u32] {
        &self.aside[self.aside_starts[rank]..self.aside_starts[rank + 1]]
    }

    /// Whether a document is in a list that is looked at late.
    fn is_in(&self, rank: usize, list: u32) -> bool {
        let list = &self.members[self.late[list as usize].clone()];
        list.binary_search_by_key(&rank, |entry| entry.document())
            .is_ok()
    }

    fn size(&self, rank: usize) -> u32 {
        self.sizes[self.order[rank].0 as usize]
    }
}

/// What one document shares with each larger one. One per thread, used again and again.
struct Counts {
    shared: Vec<u32>,
    touched: Vec<u32>,
}

impl Counts {
    fn new(documents: usize) -> Counts {
        Counts {
            shared: vec![0; documents],
            touched: Vec::new(),
        }
    }

    fn pairs_of(&mut self, rank: usize, plan: &Plan<'_>, query: &PairQuery, pairs: &mut Vec<Pair>) {
        for rest in plan.behind(rank) {
            for &entry in rest {
                let other = entry.document();
                if self.shared[other] == 0 {
                    self.touched.push(index32(other));
                }
                self.shared[other] += 1;
                if entry.is_last() {
                    break;
                }
            }
        }
        let aside = plan.aside(rank);
        let score = |shared: u32, other: usize| {
            let overlap = Overlap {
                shared,
                left: plan.size(rank),
                right: plan.size(other),
            };
            query.measure.score(overlap)
        };
        let document = plan.order[rank];
        for other in self.touched.drain(..) {
            let other = other as usize;
            let mut shared = std::mem::take(&mut self.shared[other]);
            let partner = plan.order[other];
            if document.0.min(partner.0) >= query.old_from {
                continue;
            }
            // Even if it had everything that was left aside, would it be enough?
            if score(shared + index32(aside.len()), other) < query.at_least {
                continue;
            }
            shared += index32(
                aside
                    .iter()
                    .filter(|list| plan.is_in(other, **list))
                    .count(),
            );
            let score = score(shared, other);
            if score >= query.at_least {
                let (left, right) = (document.min(partner), document.max(partner));
                let size = |document: DocId| plan.sizes[document.0 as usize];
                pairs.push(Pair {
                    left,
                    right,
                    overlap: Overlap {
                        shared,
                        left: size(left),
                        right: size(right),
                    },
                    score,
                });
            }
        }
    }
}
