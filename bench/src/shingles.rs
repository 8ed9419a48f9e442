//! Shingles of words as rspamd's fuzzy check describes them, to set beside `mail`.

#[expect(
    deprecated,
    reason = "it is SipHash-2-4 with a key, which is what is wanted"
)]
use std::hash::{Hasher as _, SipHasher};

/// Of all three words in a row, the smallest value of each of 32 keyed hashes.
pub type Shingles = [u64; 32];

/// Those of a text, if it has three words.
pub fn shingles(text: &str) -> Option<Shingles> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut smallest = [u64::MAX; 32];
    for three in words.windows(3) {
        for (number, smallest) in smallest.iter_mut().enumerate() {
            #[expect(
                deprecated,
                reason = "it is SipHash-2-4 with a key, which is what is wanted"
            )]
            let mut hasher = SipHasher::new_with_keys(0x6d61_696c, number as u64);
            for word in three {
                hasher.write(word.as_bytes());
            }
            *smallest = (*smallest).min(hasher.finish());
        }
    }
    (words.len() >= 3).then_some(smallest)
}

/// How many two texts have in common.
pub fn in_common(left: Option<&Shingles>, right: Option<&Shingles>) -> usize {
    let (Some(left), Some(right)) = (left, right) else {
        return 0;
    };
    left.iter().zip(right).filter(|(a, b)| a == b).count()
}

/// How many pairs of different messages have more than so many in common.
pub fn false_shingles(shingles: &[Option<Shingles>], most: usize) -> usize {
    let pairs = (0..shingles.len()).flat_map(|left| (0..left).map(move |right| (left, right)));
    let common = pairs.map(|(a, b)| in_common(shingles[a].as_ref(), shingles[b].as_ref()));
    common.filter(|common| *common > most).count()
}

/// The fewest that no more than so many pairs of different messages have more of in common.
pub fn common_shingles(shingles: &[Option<Shingles>], pairs: usize) -> usize {
    (0..32)
        .find(|most| false_shingles(shingles, *most) <= pairs)
        .unwrap_or(32)
}
