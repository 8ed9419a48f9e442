//! Sketches → stars: which documents are kept, and which one each of the others joins.
//!
//! As [`Index::stars`](crate::index::Index::stars), but a document only meets the kept ones that it
//! has a key in common with. Kept documents alone are remembered with their keys, so a million
//! copies of a text are compared with one.

use rayon::prelude::*;

use super::{Sketches, pairs};
use crate::digest::Digest;
use crate::index::{DocId, Fate};
use crate::measure::Measure;
use crate::token::index32;

impl Sketches {
    /// The fate of each document, if the first ones are preferred. Those without digests are kept.
    ///
    /// `digests` gives the sorted digests of a document; it is asked for documents that have a
    /// candidate only.
    pub fn stars<'d>(
        &self,
        measure: Measure,
        at_least: f64,
        digests: impl Fn(DocId) -> &'d [Digest],
    ) -> Vec<Fate> {
        let groups = Groups::of(self);
        let mut kept: Vec<Vec<DocId>> = vec![Vec::new(); groups.count];
        let mut seen_by: Vec<u32> = vec![u32::MAX; self.sketches.len()];
        let mut fates: Vec<Fate> = Vec::with_capacity(self.sketches.len());
        for number in 0..index32(self.sketches.len()) {
            let document = DocId(number);
            let mut best: Option<Fate> = None;
            for &group in groups.of_document(document) {
                for &other in &kept[group as usize] {
                    if std::mem::replace(&mut seen_by[other.0 as usize], number) == number {
                        continue;
                    }
                    let overlap = pairs::overlap(digests(document), digests(other));
                    let similarity = measure.score(overlap);
                    let star = other.0;
                    if similarity >= at_least && is_better(best, star, similarity) {
                        best = Some(Fate { star, similarity });
                    }
                }
            }
            if best.is_none() {
                for &group in groups.of_document(document) {
                    kept[group as usize].push(document);
                }
            }
            fates.push(best.unwrap_or(Fate {
                star: number,
                similarity: 1.0,
            }));
        }
        fates
    }
}

/// Whether a star is more alike than the best so far, or as much and earlier.
fn is_better(best: Option<Fate>, star: u32, similarity: f64) -> bool {
    best.is_none_or(|best| {
        similarity > best.similarity || similarity >= best.similarity && star < best.star
    })
}

/// The keys that several documents have, as numbers.
struct Groups {
    count: usize,
    /// For each document in turn its groups.
    groups: Vec<u32>,
    /// Where those of each document start; one more for the end.
    starts: Vec<usize>,
}

impl Groups {
    fn of(sketches: &Sketches) -> Groups {
        let in_band = |band: usize| {
            let sorted = sketches.sorted(band);
            let several = sorted.chunk_by(|a, b| a.0 == b.0).filter(|g| g.len() > 1);
            let numbered = (0u32..).zip(several);
            let members = numbered.flat_map(|(number, group)| {
                let member = move |(_, document): &(u64, DocId)| (*document, number);
                group.iter().map(member)
            });
            members.collect::<Vec<(DocId, u32)>>()
        };
        let bands: Vec<Vec<(DocId, u32)>> =
            (0..sketches.bands).into_par_iter().map(in_band).collect();
        let mut starts = vec![0; sketches.sketches.len() + 1];
        for (document, _) in bands.iter().flatten() {
            starts[document.0 as usize + 1] += 1;
        }
        for document in 1..starts.len() {
            starts[document] += starts[document - 1];
        }
        let mut groups = vec![0; starts[starts.len() - 1]];
        let mut next = starts.clone();
        let mut before = 0;
        for band in bands {
            for (document, group) in &band {
                let place = &mut next[document.0 as usize];
                groups[*place] = before + group;
                *place += 1;
            }
            before += band.last().map_or(0, |(_, last)| last + 1);
        }
        Groups {
            count: before as usize,
            groups,
            starts,
        }
    }

    fn of_document(&self, document: DocId) -> &[u32] {
        let document = document.0 as usize;
        &self.groups[self.starts[document]..self.starts[document + 1]]
    }
}
