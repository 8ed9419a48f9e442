//! The pairs at or above a threshold, found by their rarest digests.
//!
//! A pair at or above the threshold shares a known least number of the digests of its smaller
//! document (`need`). So a document may leave `need - 1` of its digests aside, those that most
//! documents have, and still meets every partner in the lists of the others, which are short. Text
//! that half of the documents have (a footer, a licence, a form) is hardly ever walked, and never
//! dropped: who was met is then counted in full. The result is exact.

use std::borrow::Borrow;

use rayon::prelude::*;

use super::{Pair, PairQuery, Sharing};
use crate::error::Error;
use crate::index::{DocId, Index, Range};
use crate::measure::{Overlap, SetMeasure};
use crate::number::index32;
use crate::watch::Watch;

/// The pairs at or above the threshold, by document numbers. Ranges that are given away are freed on
/// the way.
pub(super) fn pairs<R: Borrow<Range>>(
    ranges: Vec<R>,
    query: &PairQuery,
    sharing: &Sharing,
    watch: Watch<'_>,
) -> Result<Vec<Pair>, Error> {
    watch.go_on()?;
    let lists = Lists::of(ranges, query.max_documents, sharing);
    let mut pairs: Vec<Pair> = (0..lists.order.len())
        .into_par_iter()
        .try_fold(
            || (Met::new(lists.order.len()), Vec::new()),
            |(mut met, mut pairs), rank| {
                watch.go_on()?;
                met.pairs_of(rank, &lists, query, &mut pairs);
                Ok::<_, Error>((met, pairs))
            },
        )
        .map(|folded| folded.map(|(_, pairs)| pairs))
        .try_reduce(Vec::new, |mut all, mut more| {
            all.append(&mut more);
            Ok(all)
        })?;
    pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
    Ok(pairs)
}

/// Whether walking all lists in full would take more than so many steps.
pub(super) fn is_beyond(index: &Index, steps: u64, max_documents: Option<u32>) -> bool {
    let walking = |length: usize| (length as u64).saturating_mul(length as u64 - 1) / 2;
    let of_range = |range: &Range| {
        let lists = shared(range, max_documents).map(<[DocId]>::len);
        lists.map(walking).fold(0, u64::saturating_add)
    };
    let all = index.ranges.par_iter().map(of_range);
    all.reduce(|| 0, u64::saturating_add) > steps
}

/// The lists of the digests that count and that several documents have.
fn shared(range: &Range, max_documents: Option<u32>) -> impl Iterator<Item = &[DocId]> {
    let most = max_documents.map_or(usize::MAX, |most| most as usize);
    let counts = move |list: &&[DocId]| (2..=most).contains(&list.len());
    range.lists().filter(counts)
}

/// The least number of digests that a document of so many shares with any larger or equal one at the
/// threshold.
pub(in crate::index) fn need(measure: SetMeasure, at_least: f64, size: u32) -> u32 {
    need_of_two(measure, at_least, size, size)
}

/// The least number of digests that two documents share at the threshold, or a little less.
fn need_of_two(measure: SetMeasure, at_least: f64, smaller: u32, larger: u32) -> u32 {
    let both = f64::from(smaller) + f64::from(larger);
    let least = match measure {
        SetMeasure::Resemblance => at_least / (1.0 + at_least) * both,
        SetMeasure::Symmetric => at_least / 2.0 * both,
        SetMeasure::Containment | SetMeasure::MaxContainment => at_least * f64::from(smaller),
    };
    // A little less, so that rounding never makes it too much; at least one is shared in any case.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the size, or more than any"
    )]
    let least = (least * (1.0 - 1e-9)).ceil() as u32;
    least.max(1)
}

/// The lists, rarest digests first, and for each document the lists that it is in.
///
/// Documents are known by rank: in the order of their sizes.
struct Lists<'a> {
    sizes: &'a [u32],
    /// The document of each rank.
    order: Vec<DocId>,
    /// The ranks of the documents of each list, lists of one length together.
    members: Vec<u32>,
    /// The lengths that lists have, ascending.
    lengths: Vec<Length>,
    /// For each rank in turn the numbers of the lists that it is in, ascending.
    numbers: Vec<u32>,
    /// Where the numbers of each rank start; one more for the end.
    starts: Vec<usize>,
}

/// All lists of one length.
struct Length {
    documents: usize,
    /// The number of the first of them,
    first: u32,
    /// and where it starts in `members`.
    start: usize,
}

impl<'a> Lists<'a> {
    fn of<R: Borrow<Range>>(
        ranges: Vec<R>,
        max_documents: Option<u32>,
        sharing: &'a Sharing,
    ) -> Lists<'a> {
        let sizes = sharing.sizes.as_slice();
        let mut order: Vec<DocId> = (0..index32(sizes.len())).map(DocId).collect();
        order.par_sort_unstable_by_key(|document| (sizes[document.0 as usize], *document));
        let mut rank = vec![0u32; sizes.len()];
        for (place, document) in (0..).zip(&order) {
            rank[document.0 as usize] = place;
        }
        let mut with_length = vec![0u32; sizes.len() + 1];
        for range in &ranges {
            for list in shared(range.borrow(), max_documents) {
                with_length[list.len()] += 1;
            }
        }
        let mut starts = vec![0];
        let mut end = 0;
        for document in &order {
            end += sharing.shared[document.0 as usize] as usize;
            starts.push(end);
        }
        let mut lengths = Vec::new();
        let mut next = vec![0; with_length.len()];
        let (mut first, mut start) = (0, 0);
        for (length, &count) in with_length
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            lengths.push(Length {
                documents: length,
                first,
                start,
            });
            next[length] = start;
            first += count;
            start += count as usize * length;
        }
        let mut members = vec![0; start];
        for range in ranges {
            for list in shared(range.borrow(), max_documents) {
                let start = &mut next[list.len()];
                for (member, document) in members[*start..].iter_mut().zip(list) {
                    *member = rank[document.0 as usize];
                }
                *start += list.len();
            }
        }
        let mut lists = Lists {
            sizes,
            order,
            members,
            lengths,
            numbers: vec![0; start],
            starts,
        };
        lists.number();
        lists
    }

    /// Tells each document the numbers of its lists. Each thread goes through all lists for some of
    /// the documents.
    fn number(&mut self) {
        const MOST_PARTS: usize = 8;
        let documents = self.order.len();
        let parts = rayon::current_num_threads().min(MOST_PARTS);
        let together = documents.div_ceil(parts).max(1);
        let mut rest = self.numbers.as_mut_slice();
        let mut tasks = Vec::new();
        for first in (0..documents).step_by(together) {
            let behind = documents.min(first + together);
            let start = self.starts[first];
            let (numbers, later) = rest.split_at_mut(self.starts[behind] - start);
            rest = later;
            let next = self.starts[first..behind].iter().map(|place| place - start);
            tasks.push((first, numbers, next.collect::<Vec<usize>>()));
        }
        let (members, lengths) = (&self.members, &self.lengths);
        tasks
            .into_par_iter()
            .for_each(|(first, numbers, mut next)| {
                let ends = lengths.iter().skip(1).map(|length| length.start);
                let ends = ends.chain([members.len()]);
                let mut number = 0;
                for (length, end) in lengths.iter().zip(ends) {
                    for list in members[length.start..end].chunks(length.documents) {
                        for &rank in list {
                            let own = (rank as usize).checked_sub(first);
                            if let Some(place) = own.and_then(|own| next.get_mut(own)) {
                                numbers[*place] = number;
                                *place += 1;
                            }
                        }
                        number += 1;
                    }
                }
            });
    }

    /// The numbers of the lists that a document is in, rarest first.
    fn of_document(&self, rank: usize) -> &[u32] {
        &self.numbers[self.starts[rank]..self.starts[rank + 1]]
    }

    /// Where the members of some lists are, given by ascending numbers.
    fn places(&self, numbers: &[u32]) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut lengths = self.lengths.iter().peekable();
        let mut current = None;
        numbers.iter().map(move |&number| {
            while let Some(length) = lengths.next_if(|length| length.first <= number) {
                current = Some(length);
            }
            let length = current.expect("a list has a length");
            let start = length.start + (number - length.first) as usize * length.documents;
            start..start + length.documents
        })
    }

    fn size(&self, rank: usize) -> u32 {
        self.sizes[self.order[rank].0 as usize]
    }
}

/// Whom one document meets, and how often. One per thread, used again and again.
struct Met {
    times: Vec<u32>,
    touched: Vec<u32>,
}

impl Met {
    fn new(documents: usize) -> Met {
        Met {
            times: vec![0; documents],
            touched: Vec::new(),
        }
    }

    /// Counts how often the larger documents are in some lists, given by ascending numbers.
    fn meet(&mut self, numbers: &[u32], rank: usize, lists: &Lists<'_>) {
        /// The beginnings of so many lists are read before any of them is walked, so that they come
        /// from memory together.
        const TOGETHER: usize = 32;
        let mut places = lists.places(numbers);
        let mut begun = Vec::with_capacity(TOGETHER);
        loop {
            let some = places.by_ref().take(TOGETHER);
            begun.extend(some.map(|place| (lists.members[place.start], place)));
            if begun.is_empty() {
                return;
            }
            for (first, place) in begun.drain(..) {
                let others = &lists.members[place.start + 1..place.end];
                for other in [first].iter().chain(others) {
                    if *other as usize > rank {
                        let times = &mut self.times[*other as usize];
                        if *times == 0 {
                            self.touched.push(*other);
                        }
                        *times += 1;
                    }
                }
            }
        }
    }

    /// The pairs of a document and larger ones.
    fn pairs_of(
        &mut self,
        rank: usize,
        lists: &Lists<'_>,
        query: &PairQuery,
        pairs: &mut Vec<Pair>,
    ) {
        let document = lists.order[rank];
        let size = lists.size(rank);
        let need = need(query.measure, query.at_least, size);
        let numbers = lists.of_document(rank);
        let walked = (numbers.len() + 1).saturating_sub(need as usize);
        let (walked, aside) = numbers.split_at(walked);
        self.meet(walked, rank, lists);
        for other in self.touched.drain(..) {
            let times = std::mem::take(&mut self.times[other as usize]);
            let other = other as usize;
            let partner = lists.order[other];
            if document.0.min(partner.0) >= query.old_from {
                continue;
            }
            let need = need_of_two(query.measure, query.at_least, size, lists.size(other));
            let Some(more) = common(aside, lists.of_document(other), need.saturating_sub(times))
            else {
                continue;
            };
            let (left, right) = (document.min(partner), document.max(partner));
            let size = |document: DocId| lists.sizes[document.0 as usize];
            let overlap = Overlap {
                shared: times + more,
                left: size(left),
                right: size(right),
            };
            let score = query.measure.score(overlap);
            if score >= query.at_least {
                pairs.push(Pair {
                    left,
                    right,
                    overlap,
                    score,
                });
            }
        }
    }
}

/// How many numbers two ascending slices have in common; nothing if it is less than `need`.
fn common(few: &[u32], many: &[u32], need: u32) -> Option<u32> {
    let need = need as usize;
    let Some(first) = few.first() else {
        return (need == 0).then_some(0);
    };
    let mut many = &many[many.partition_point(|number| number < first)..];
    let mut common = 0;
    for (place, number) in few.iter().enumerate() {
        if common + few.len().saturating_sub(place).min(many.len()) < need {
            return None;
        }
        many = not_below(many, *number);
        if many.first() == Some(number) {
            common += 1;
            many = &many[1..];
        }
    }
    (common >= need).then(|| index32(common))
}

/// Those of ascending numbers that are not below `least`. They are most often near, and far away where
/// a small document is held against a huge one.
fn not_below(numbers: &[u32], least: u32) -> &[u32] {
    let mut near = 1;
    while numbers.get(near).is_some_and(|number| *number < least) {
        near *= 2;
    }
    let near = near.min(numbers.len());
    let below = numbers[..near].partition_point(|number| *number < least);
    &numbers[below..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_numbers_as_long_as_there_can_be_enough() {
        let (few, many) = ([2, 3, 5, 8], [1, 2, 4, 5, 6, 7, 8, 9]);
        assert_eq!(common(&few, &many, 0), Some(3));
        assert_eq!(common(&few, &many, 3), Some(3));
        assert_eq!(common(&few, &many, 4), None);
        assert_eq!(common(&[], &many, 0), Some(0));
        assert_eq!(common(&[], &many, 1), None);
        assert_eq!(common(&few, &[], 1), None);
    }

    #[test]
    fn numbers_that_are_not_below_another() {
        let numbers: Vec<u32> = (0..50).map(|number| 3 * number).collect();
        for least in 0..160 {
            let expected = numbers.iter().filter(|number| **number >= least).count();
            assert_eq!(not_below(&numbers, least).len(), expected, "{least}");
        }
        assert!(not_below(&[], 5).is_empty());
    }
}
