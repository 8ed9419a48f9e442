//! The clusters of text sifting (section 2.2): tokens that need not be neighbours, chosen by a
//! secret key, so that nobody can predict which edits would miss them.

use std::num::NonZeroU32;

use siphasher::sip::SipHasher13;

use super::{Chunk, Inner, Skip, whole};
use crate::digest::{Key, Purpose};
use crate::number::index32;
use crate::token::Tokens;

/// Random skipping: every token starts a cluster, which takes the tokens that its cumulative hash
/// accepts. Clusters that the text's end cuts short are dropped.
pub(super) fn skip(tokens: &Tokens, skip: &Skip, key: &Key) -> Vec<Chunk> {
    let hashes = token_hashes(tokens, key);
    let all: Vec<u32> = (0..index32(tokens.len())).collect();
    let clusters = clusters(&all, &hashes, skip, &key.sip13(Purpose::Skip));
    if clusters.is_empty() {
        whole(tokens)
    } else {
        clusters
    }
}

/// Random partitioning: the vocabulary is split into `parts` sets, and the inner chunker runs once
/// for each set, without that set's tokens.
pub(super) fn partition(
    tokens: &Tokens,
    parts: NonZeroU32,
    inner: &Inner,
    key: &Key,
) -> Vec<Chunk> {
    let hashes = token_hashes(tokens, key);
    let partition = key.sip13(Purpose::Partition);
    let part: Vec<u64> = hashes
        .iter()
        .map(|hash| partition.hash(&hash.to_le_bytes()) % u64::from(parts.get()))
        .collect();
    let decide = key.sip13(Purpose::Skip);
    let mut chunks = Vec::new();
    for ignored in 0..u64::from(parts.get()) {
        let rest: Vec<u32> = (0..index32(tokens.len()))
            .filter(|&index| part[index as usize] != ignored)
            .collect();
        match inner {
            Inner::Window(len) => {
                let windows = rest.windows(len.get() as usize);
                chunks.extend(windows.map(|window| Chunk::Picked(window.into())));
            }
            Inner::Skip(skip) => chunks.extend(clusters(&rest, &hashes, skip, &decide)),
        }
    }
    if chunks.is_empty() {
        whole(tokens)
    } else {
        chunks
    }
}

/// Keyed hashes of the tokens, the elements of the paper's set G.
fn token_hashes(tokens: &Tokens, key: &Key) -> Vec<u64> {
    let sip = key.sip24(Purpose::Words);
    tokens
        .terms()
        .map(|term| sip.hash(term.as_bytes()))
        .collect()
}

/// One cluster from every index of `among` on, as far as they are completed.
fn clusters(among: &[u32], hashes: &[u64], skip: &Skip, decide: &SipHasher13) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for start in 0..among.len() {
        if let Some(cluster) = cluster(&among[start..], hashes, skip, decide) {
            chunks.push(Chunk::Picked(cluster.into()));
        }
    }
    chunks
}

/// The cluster that the first index of `among` starts.
///
/// With c the cumulative hash and t the next token, g(c, t) is c + t and h is `SipHash`. Where h of
/// it falls into S, t ends the cluster; where into A, t joins it; else t is skipped. With a fixed
/// length l, S is empty up to token l − 1 and A is empty at token l.
fn cluster(among: &[u32], hashes: &[u64], skip: &Skip, decide: &SipHasher13) -> Option<Vec<u32>> {
    let (&head, rest) = among.split_first()?;
    let length = skip.len.map_or(8, |len| len.get() as usize);
    let mut picked = Vec::with_capacity(length.min(among.len()));
    picked.push(head);
    if skip.len.is_some_and(|len| len.get() == 1) {
        return Some(picked);
    }
    let patience = patience(skip);
    let mut skipped = 0;
    let mut cumulative = hashes[head as usize];
    for &index in rest {
        let next = cumulative.wrapping_add(hashes[index as usize]);
        let (add, stop) = match skip.len {
            Some(len) if picked.len() + 1 == len.get() as usize => (0.0, skip.stop),
            Some(_) => (skip.add, 0.0),
            None => (skip.add, skip.stop),
        };
        let point = unit_interval(decide.hash(&next.to_le_bytes()));
        if point < stop {
            picked.push(index);
            return Some(picked);
        }
        if point < stop + add {
            picked.push(index);
            cumulative = next;
            skipped = 0;
        } else {
            skipped += 1;
            if skipped == patience {
                break;
            }
        }
    }
    None
}

/// After how many tokens skipped in a row a cluster gives up.
///
/// A token that was refused is refused again as long as nothing else joins, so in a text that
/// repeats a few words for ever a cluster could look through all of it. Where words differ, this
/// many refusals in a row have a chance of e⁻³²; among letters, which are few, about one cluster in
/// a hundred gives up waiting for a rare one.
fn patience(skip: &Skip) -> u32 {
    let accepted = match skip.len {
        Some(_) => skip.add.min(skip.stop),
        None => skip.add + skip.stop,
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates"
    )]
    let patience = (32.0 / accepted).ceil() as u32;
    patience
}

/// A hash as a number in [0, 1): its upper 53 bits.
fn unit_interval(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Tokenizer, Words};

    fn fixed(len: u32) -> Skip {
        Skip {
            len: NonZeroU32::new(len),
            add: 0.3,
            stop: 0.3,
        }
    }

    fn numbered_words(count: u32) -> String {
        let words: Vec<String> = (0..count).map(|n| format!("w{n}")).collect();
        words.join(" ")
    }

    #[test]
    fn a_cluster_longer_than_any_text_takes_no_more_memory_than_the_text() {
        let text = numbered_words(20);
        let tokens = Tokenizer::Words(Words::default()).tokens(&text);
        let chunks = skip(&tokens, &fixed(u32::MAX), &Key::PUBLIC);
        assert_eq!(chunks, whole(&tokens));
    }

    #[test]
    fn clusters_have_the_fixed_length_and_keep_order() {
        let text = numbered_words(400);
        let tokens = Tokenizer::Words(Words::default()).tokens(&text);
        let chunks = skip(&tokens, &fixed(10), &Key::PUBLIC);
        assert!(chunks.len() > 340, "{}", chunks.len());
        let mut skipped = 0;
        for chunk in &chunks {
            let indices: Vec<u32> = chunk.indices().collect();
            assert_eq!(indices.len(), 10);
            assert!(indices.is_sorted());
            skipped += indices[9] - indices[0] - 9;
        }
        // On average 1 / 0.3 − 1 tokens are skipped before each of the nine that follow the head.
        let mean = f64::from(skipped) / (9 * chunks.len()) as f64;
        assert!((mean - (1.0 / 0.3 - 1.0)).abs() < 0.25, "{mean}");
    }

    /// Quadratic without a limit: minutes instead of moments.
    #[test]
    fn repeated_words_do_not_stall() {
        let text = "one two three ".repeat(100_000);
        let tokens = Tokenizer::Words(Words::default()).tokens(&text);
        for key in 0..4 {
            let chunks = skip(&tokens, &fixed(10), &Key::new([key; 16]));
            assert!(
                chunks
                    .iter()
                    .all(|chunk| chunk.len() == 10 || chunks.len() == 1)
            );
        }
    }

    #[test]
    fn a_partition_ignores_a_word_in_one_run() {
        let tokens = Tokenizer::Words(Words::default()).tokens("a b c d e f g h");
        let two = NonZeroU32::new(2).unwrap();
        let chunks = partition(&tokens, two, &Inner::Window(two), &Key::PUBLIC);
        // Every word is in exactly one of the two parts, so each run sees one part only.
        let mut seen: Vec<u32> = chunks
            .iter()
            .flat_map(|c| c.indices().collect::<Vec<_>>())
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert!(chunks.len() <= 6 && seen.len() >= 6, "{chunks:?}");
    }

    #[test]
    fn another_key_makes_other_clusters() {
        let text = numbered_words(100);
        let tokens = Tokenizer::Words(Words::default()).tokens(&text);
        let other = Key::new([1; 16]);
        assert_ne!(
            skip(&tokens, &fixed(5), &Key::PUBLIC),
            skip(&tokens, &fixed(5), &other)
        );
    }
}
