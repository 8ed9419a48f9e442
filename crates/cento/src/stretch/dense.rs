//! All pairs of documents with a stretch in common that is denser than chance.
//!
//! The lists of blocks that have a pair of words stand side by side in memory, eight bytes an entry.
//! Pairs of words that many blocks have say nothing and would cost most, so they are left out; of what
//! is left, each counts for the more the fewer have it.

use rayon::prelude::*;

use super::{MOST, Stretches, weight};
use crate::error::Error;
use crate::index::DocId;
use crate::number::index32;
use crate::watch::Watch;

/// Two stretches are looked at if they share so many pairs of words that nobody else has; one that more
/// have counts for less.
const DENSE: f32 = 1.5;

/// The more stretches two documents have, the more their densest ones share by chance: so much more is
/// asked for each time their number is multiplied by e.
const MORE: f32 = 0.2;

/// A pair of words that more blocks have counts for nothing. This many are left to whoever repeats what he copied so
/// that it is rare no more.
const LONGEST: usize = 1000;

/// The pairs of documents, the lower number first, in ascending order. Documents from `old_from` on are
/// not compared among themselves.
pub(crate) fn dense_pairs(
    stretches: Vec<Stretches>,
    old_from: u32,
    watch: Watch<'_>,
) -> Result<Vec<(DocId, DocId)>, Error> {
    let rare = Rare::of(stretches, watch)?;
    let documents = rare.documents();
    let lefts = documents.min(old_from);
    let found: Vec<Vec<(DocId, DocId)>> = (0..lefts)
        .into_par_iter()
        .map_init(
            || Tally::new(&rare),
            |tally, left| {
                watch.go_on()?;
                Ok(tally.dense_with(left, &rare))
            },
        )
        .collect::<Result<_, Error>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// The rare pairs of words, and the blocks that have each.
struct Rare {
    /// The first block of each document; one more for the end.
    first: Vec<u32>,
    /// The document of each block.
    document: Vec<u32>,
    /// The blocks of all lists, list after list, ascending in each.
    blocks: Vec<u32>,
    /// Where the lists start; one more for the end.
    starts: Vec<u32>,
    /// For each block in turn the lists that it is in.
    lists: Vec<u32>,
    /// Where the lists of each block start; one more for the end.
    list_starts: Vec<u32>,
    /// What each list counts for.
    weights: Vec<f32>,
}

impl Rare {
    fn of(stretches: Vec<Stretches>, watch: Watch<'_>) -> Result<Rare, Error> {
        let mut first = vec![0];
        let mut document = Vec::new();
        for (number, stretches) in stretches.iter().enumerate() {
            document.extend((0..stretches.blocks).map(|_| index32(number)));
            first.push(index32(document.len()));
        }
        let count = stretches.iter().map(Stretches::len).sum();
        let mut entries: Vec<u64> = Vec::with_capacity(count);
        for (stretches, &first) in stretches.into_iter().zip(&first) {
            watch.go_on()?;
            // 32 bits of a digest are enough for a collection that is in memory.
            let entry = |(digest, block): (u64, u32)| digest >> 4 << 32 | u64::from(first + block);
            entries.extend(stretches.entries().map(entry));
        }
        entries.par_sort_unstable();
        entries.dedup();
        watch.go_on()?;
        let block = |entry: &u64| {
            u32::try_from(entry & u64::from(u32::MAX)).expect("only 32 bits are left")
        };
        let of = |entry: &u64| document[block(entry) as usize];
        let mut blocks = Vec::new();
        let mut starts = vec![0];
        let mut weights = Vec::new();
        for list in entries.chunk_by(|a, b| a >> 32 == b >> 32) {
            let having = list.chunk_by(|a, b| of(a) == of(b)).count();
            // What only one document has finds nothing.
            if list.len() > LONGEST || !(2..=MOST).contains(&having) {
                continue;
            }
            blocks.extend(list.iter().map(block));
            starts.push(index32(blocks.len()));
            weights.push(weight(having - 1));
        }
        drop(entries);
        let (lists, list_starts) = by_block(&blocks, &starts, document.len());
        Ok(Rare {
            first,
            document,
            blocks,
            starts,
            lists,
            list_starts,
            weights,
        })
    }

    fn documents(&self) -> u32 {
        index32(self.first.len() - 1)
    }

    /// The blocks of a document.
    fn blocks_of(&self, document: u32) -> std::ops::Range<u32> {
        self.first[document as usize]..self.first[document as usize + 1]
    }

    fn list(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.blocks[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The lists that a block is in.
    fn of_block(&self, block: u32) -> &[u32] {
        let block = block as usize;
        &self.lists[self.list_starts[block] as usize..self.list_starts[block + 1] as usize]
    }
}

/// Rare of blocks → for each block its lists, ascending.
fn by_block(blocks: &[u32], starts: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut list_starts = vec![0u32; count + 1];
    for &block in blocks {
        list_starts[block as usize + 1] += 1;
    }
    for block in 0..count {
        list_starts[block + 1] += list_starts[block];
    }
    let mut next = list_starts.clone();
    let mut lists = vec![0; blocks.len()];
    for (number, bounds) in (0..).zip(starts.windows(2)) {
        for &block in &blocks[bounds[0] as usize..bounds[1] as usize] {
            lists[next[block as usize] as usize] = number;
            next[block as usize] += 1;
        }
    }
    (lists, list_starts)
}

/// What the stretch that starts at each block shares with one stretch of the document in question.
struct Tally {
    sums: Vec<f32>,
    touched: Vec<u32>,
    /// The lists of that stretch.
    lists: Vec<u32>,
}

impl Tally {
    fn new(all: &Rare) -> Tally {
        Tally {
            sums: vec![0.0; all.document.len()],
            touched: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// The documents behind this one that have a dense stretch in common with it.
    fn dense_with(&mut self, left: u32, all: &Rare) -> Vec<(DocId, DocId)> {
        let own = all.blocks_of(left);
        let mut found = Vec::new();
        for block in own.clone() {
            self.lists.clear();
            for block in block..(block + 2).min(own.end) {
                self.lists.extend_from_slice(all.of_block(block));
            }
            self.lists.sort_unstable();
            self.lists.dedup();
            self.add(own.end, all);
            for block in self.touched.drain(..) {
                let sum = std::mem::take(&mut self.sums[block as usize]);
                let right = all.document[block as usize];
                let stretches = own.len() as f32 * all.blocks_of(right).len() as f32;
                if sum >= DENSE + MORE * stretches.ln() {
                    found.push(right);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let pair = |right: u32| (DocId(left), DocId(right));
        found.into_iter().map(pair).collect()
    }

    /// Adds what the stretch shares with those that start at `behind` or later.
    fn add(&mut self, behind: u32, all: &Rare) {
        for number in 0..self.lists.len() {
            let list = all.list(self.lists[number]);
            let weight = all.weights[self.lists[number] as usize];
            let list = &list[list.partition_point(|&block| block < behind)..];
            // The stretch that starts at a block ends with the next; it counts a list once.
            let mut counted = u32::MAX;
            for &block in list {
                let begins = all.first[all.document[block as usize] as usize];
                if block > begins && counted != block - 1 {
                    self.count(block - 1, weight);
                }
                self.count(block, weight);
                counted = block;
            }
        }
    }

    fn count(&mut self, block: u32, weight: f32) {
        let sum = &mut self.sums[block as usize];
        if *sum == 0.0 {
            self.touched.push(block);
        }
        *sum += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Key;

    /// Words of a text of its own.
    fn words(author: u32, count: u32) -> String {
        let word = |number: u32| format!("w{author}x{number}z ");
        (0..count).map(word).collect()
    }

    fn pairs(texts: &[String], old_from: u32) -> Vec<(u32, u32)> {
        let stretches = texts.iter().map(|text| Stretches::of(text, &Key::PUBLIC));
        let found = dense_pairs(stretches.collect(), old_from, Watch::NOBODY);
        let found = found.expect("nobody stops it");
        found
            .iter()
            .map(|(left, right)| (left.0, right.0))
            .collect()
    }

    #[test]
    fn a_sentence_in_long_documents_is_found() {
        let sentence = "barges carried flour along narrow canals toward distant harbours ";
        let texts = [
            words(1, 3000),
            format!("{}{sentence}{}", words(2, 1700), words(3, 1300)),
            format!("{}{sentence}{}", words(4, 90), words(5, 2500)),
        ];
        assert_eq!(pairs(&texts, u32::MAX), [(1, 2)]);
        assert_eq!(pairs(&texts, 1), [], "old ones are not compared");
        assert_eq!(pairs(&texts, 2), [(1, 2)]);
    }

    #[test]
    fn words_in_another_order_are_found_and_words_far_apart_are_not() {
        let one = "barges carried flour along narrow canals toward distant harbours ";
        let turned = "carried barges along flour canals narrow distant toward harbours ";
        let texts = [
            format!("{}{one}{}", words(1, 500), words(2, 500)),
            format!("{}{turned}{}", words(3, 500), words(4, 500)),
        ];
        assert_eq!(pairs(&texts, u32::MAX), [(0, 1)]);
        let apart: Vec<String> = one
            .split(' ')
            .map(|word| format!("{word} {}", words(5, 60)))
            .collect();
        let far = apart.concat();
        let texts = [texts[0].clone(), far];
        assert_eq!(pairs(&texts, u32::MAX), []);
    }

    #[test]
    fn repeating_what_was_copied_does_not_hide_it() {
        let sentence = "barges carried flour along narrow canals toward distant harbours ";
        let texts = [
            format!("{}{sentence}{}", words(1, 900), words(2, 900)),
            format!("{}{}", words(3, 500), sentence.repeat(300)),
        ];
        assert_eq!(pairs(&texts, u32::MAX), [(0, 1)]);
    }

    #[test]
    fn what_everybody_has_finds_nobody() {
        let status = "This memo provides information about standards without specifying anything ";
        let texts: Vec<String> = (0..60)
            .map(|author| format!("{status}{}", words(author, 200)))
            .collect();
        assert_eq!(pairs(&texts, u32::MAX), []);
        assert_eq!(pairs(&texts[..3], u32::MAX), [(0, 1), (0, 2), (1, 2)]);
    }
}
