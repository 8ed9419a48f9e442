//! All suffixes of a text in order, and how much each has in common with the one before it.

use super::symbols::Text;
use crate::align::suffix_sort::{SuffixText, sort};
use crate::error::Error;

/// The suffixes of a text, made in time and memory that grow with its length only, whatever the
/// text repeats.
pub(super) use crate::align::suffix_sort::SortedSuffixes as Suffixes;

impl Suffixes {
    /// Sorts the suffixes. The text is lent for writing, and is as before afterwards.
    pub(super) fn of(text: &mut Text) -> Result<Suffixes, Error> {
        sort(match text {
            Text::Bytes(bytes) => SuffixText::Bytes(bytes),
            Text::Numbers(numbers) => SuffixText::Numbers(numbers),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Both kinds of text give the order that comparing whole suffixes gives.
    fn check(symbols: &[u8]) {
        let mut expected: Vec<usize> = (0..symbols.len()).collect();
        expected.sort_by_key(|&start| &symbols[start..]);
        let common = |one: usize, other: usize| {
            let pairs = symbols[one..].iter().zip(&symbols[other..]);
            pairs.take_while(|(one, other)| one == other).count()
        };
        let mut shared = vec![0; symbols.len()];
        for pair in expected.windows(2) {
            shared[pair[1]] = common(pair[0], pair[1]);
        }
        for suffixes in of_both_kinds(symbols) {
            let numbers = |places: &[u32]| places.iter().map(|&n| n as usize).collect::<Vec<_>>();
            assert_eq!(numbers(&suffixes.order), expected);
            assert_eq!(numbers(&suffixes.shared), shared);
        }
    }

    fn of_both_kinds(symbols: &[u8]) -> [Suffixes; 2] {
        let numbers: Vec<i32> = symbols.iter().map(|&symbol| symbol.into()).collect();
        let mut text = Text::Numbers(numbers.clone());
        let of_numbers = Suffixes::of(&mut text).unwrap();
        assert!(matches!(text, Text::Numbers(after) if after == numbers));
        let of_bytes = Suffixes::of(&mut Text::Bytes(symbols.to_vec()));
        [of_bytes.unwrap(), of_numbers]
    }

    proptest! {
        #[test]
        fn order_is_that_of_sorting(
            few in prop::collection::vec(0..3u8, 0..300),
            some in prop::collection::vec(0..30u8, 0..300),
            any in prop::collection::vec(any::<u8>(), 0..600),
            times in 1..5usize,
        ) {
            check(&few);
            check(&few.repeat(times));
            check(&some.repeat(times));
            check(&any);
        }
    }

    /// As in texts whose words have one letter each.
    #[test]
    fn order_is_right_where_every_second_symbol_is_small() {
        for length in 0..70 {
            for kinds in 1..4 {
                let symbols = (0..length).map(|place: u8| match place % 2 {
                    0 => 1 + place / 2 % kinds,
                    _ => 0,
                });
                check(&symbols.collect::<Vec<u8>>());
            }
        }
    }

    /// A text is too long to sort by comparing; but a suffix is its first symbol and the suffix
    /// behind it, so that neighbours can be compared by these two.
    #[test]
    fn long_texts_are_in_order() {
        let mut fibonacci = [vec![1], vec![1, 2]];
        while fibonacci[1].len() < 100_000 {
            let next = [&fibonacci[1][..], &fibonacci[0]].concat();
            fibonacci = [std::mem::take(&mut fibonacci[1]), next];
        }
        let [_, fibonacci] = fibonacci;
        let mut state = 1_u32;
        let mut random = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0] % 26
        };
        let letters: Vec<u8> = (0..30_000).map(&mut random).collect();
        for symbols in [fibonacci, letters.repeat(4), vec![7; 100_000]] {
            for Suffixes { order, .. } in of_both_kinds(&symbols) {
                let mut rank = vec![None; symbols.len() + 1];
                for (position, &place) in order.iter().enumerate() {
                    assert_eq!(rank[place as usize].replace(position), None);
                }
                let key = |place: u32| (symbols[place as usize], rank[place as usize + 1]);
                assert!(order.is_sorted_by(|&one, &next| key(one) < key(next)));
            }
        }
    }
}
