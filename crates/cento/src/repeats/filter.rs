//! Which windows may come again: what the first pass over a corpus remembers.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Windows;
use super::windows::mixed;

/// For every digest whether it was seen once or more often, in two bits at each of four places.
///
/// It may say of a window that it comes again where it does not, never the other way round; and it
/// says the same in whatever order windows are added, by however many threads.
pub struct Filter {
    /// Thirty-two pairs of bits each.
    words: Vec<AtomicU64>,
}

impl Filter {
    /// At most 8 GiB.
    const MOST_WORDS: u64 = 1 << 30;

    /// A filter for so many bytes of text: it takes two thirds of them, and at most 8 GiB. Of text
    /// with six bytes a word, one window in 400 is then said to come again that does not; of more than
    /// 12 GiB of text, more.
    pub fn for_text(bytes: u64) -> Filter {
        let words = (bytes / 12).clamp(1 << 8, Filter::MOST_WORDS);
        let words = usize::try_from(words).unwrap_or(usize::MAX);
        Filter {
            words: std::iter::repeat_with(AtomicU64::default)
                .take(words)
                .collect(),
        }
    }

    /// Remembers the windows of a text.
    pub fn add(&self, windows: &Windows) {
        for digest in windows.digests() {
            for pair in self.pairs(*digest) {
                let (word, once) = self.place(pair);
                let before = word.fetch_or(once, Ordering::Relaxed);
                if before & once != 0 && before & (once << 1) == 0 {
                    word.fetch_or(once << 1, Ordering::Relaxed);
                }
            }
        }
    }

    /// Whether a window may have been added more than once.
    pub fn may_come_again(&self, digest: u64) -> bool {
        self.pairs(digest).into_iter().all(|pair| {
            let (word, once) = self.place(pair);
            word.load(Ordering::Relaxed) & (once << 1) != 0
        })
    }

    /// How many bytes it takes.
    pub fn size(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// The pairs of bits of a digest.
    fn pairs(&self, digest: u64) -> [u64; 4] {
        let step = mixed(!digest) | 1;
        let number = self.words.len() as u128 * 32;
        [0, 1, 2, 3].map(|place: u64| {
            let hash = digest.wrapping_add(place.wrapping_mul(step));
            u64::try_from((u128::from(hash) * number) >> 64).unwrap_or(0)
        })
    }

    fn place(&self, pair: u64) -> (&AtomicU64, u64) {
        let word = usize::try_from(pair / 32).unwrap_or(usize::MAX);
        (&self.words[word], 1 << (2 * (pair % 32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_is_never_missed() {
        let filter = Filter::for_text(10_000);
        let text = |from: u32, words: u32| -> String {
            (from..from + words)
                .map(|n| format!("w{n}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let (left, right) = (
            Windows::of(&text(0, 300), 5),
            Windows::of(&text(200, 300), 5),
        );
        filter.add(&left);
        filter.add(&right);
        let shared = &left.digests()[200..];
        assert!(shared.iter().all(|digest| filter.may_come_again(*digest)));
        let others = left.digests()[..196].iter();
        let wrong = others.filter(|digest| filter.may_come_again(**digest));
        assert!(wrong.count() < 20);
    }
}
