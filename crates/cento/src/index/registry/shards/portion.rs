//! What machines send one another: the part of a document or a question that one shard gets, and what a
//! shard says about a question. Little-endian numbers, nothing else.

use crate::digest::Digest;

/// The part of a document that one shard gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Portion {
    /// Digests and how often each occurs, ascending.
    pub(super) digests: Vec<(Digest, u32)>,
    /// Pairs of words and their blocks.
    pub(super) pairs: Vec<(u64, u32)>,
}

/// What a shard says about a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// How many digests some document has, by how rare they are.
    pub(super) known: [u32; 3],
    pub(super) tallies: Vec<Tally>,
}

/// What a document shares with a question, in the digests of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) number: u32,
    pub(super) shared: u32,
    /// Of these, those that one to three documents have,
    pub(super) rare: u32,
    /// and those that four to a hundred have.
    pub(super) some: u32,
    /// Those that so many have that it is standard text.
    pub(super) standard: u32,
}

impl Portion {
    pub(super) fn pack(&self) -> Vec<u8> {
        let mut bytes = (self.digests.len() as u64).to_le_bytes().to_vec();
        let digests = self
            .digests
            .iter()
            .map(|(digest, count)| (digest.0, *count));
        for (digest, number) in digests.chain(self.pairs.iter().copied()) {
            bytes.extend(digest.to_le_bytes());
            bytes.extend(number.to_le_bytes());
        }
        bytes
    }

    pub(super) fn unpack(bytes: &[u8]) -> Option<Portion> {
        let (count, rest) = bytes.split_first_chunk::<8>()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        let (entries, []) = rest.as_chunks::<12>() else {
            return None;
        };
        let entry = |bytes: &[u8; 12]| {
            let digest = u64::from_le_bytes(std::array::from_fn(|place| bytes[place]));
            let number = u32::from_le_bytes(std::array::from_fn(|place| bytes[8 + place]));
            (digest, number)
        };
        let (digests, pairs) = entries.split_at_checked(count)?;
        let digests: Vec<(Digest, u32)> = digests
            .iter()
            .map(entry)
            .map(|(digest, count)| (Digest(digest), count))
            .collect();
        let is_sorted = digests.is_sorted_by(|a, b| a.0 < b.0);
        is_sorted.then(|| Portion {
            digests,
            pairs: pairs.iter().map(entry).collect(),
        })
    }
}

impl Counts {
    pub(super) fn pack(&self) -> Vec<u8> {
        let tally = |tally: &Tally| {
            let rarity = [tally.rare, tally.some, tally.standard];
            [tally.number, tally.shared].into_iter().chain(rarity)
        };
        let numbers = self.known.into_iter();
        let numbers = numbers.chain(self.tallies.iter().flat_map(tally));
        numbers.flat_map(u32::to_le_bytes).collect()
    }

    pub(super) fn unpack(bytes: &[u8]) -> Option<Counts> {
        let (numbers, []) = bytes.as_chunks::<4>() else {
            return None;
        };
        let numbers: Vec<u32> = numbers
            .iter()
            .map(|bytes| u32::from_le_bytes(*bytes))
            .collect();
        let (known, tallies) = numbers.split_first_chunk::<3>()?;
        let (tallies, []) = tallies.as_chunks::<5>() else {
            return None;
        };
        Some(Counts {
            known: *known,
            tallies: tallies
                .iter()
                .map(|&[number, shared, rare, some, standard]| Tally {
                    number,
                    shared,
                    rare,
                    some,
                    standard,
                })
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let portion = Portion {
            digests: vec![(Digest(1), 1), (Digest(u64::MAX), 7)],
            pairs: vec![(5, 0), (5, 1)],
        };
        assert_eq!(Portion::unpack(&portion.pack()), Some(portion));
        assert_eq!(
            Portion::unpack(&Portion::default().pack()),
            Some(Portion::default())
        );
        let counts = Counts {
            known: [1, 2, 3],
            tallies: vec![Tally {
                number: 9,
                shared: 3,
                rare: 1,
                some: 1,
                standard: 1,
            }],
        };
        assert_eq!(Counts::unpack(&counts.pack()), Some(counts));
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let portion = Portion {
            digests: vec![(Digest(2), 1), (Digest(1), 1)],
            pairs: Vec::new(),
        };
        let packed = portion.pack();
        for bytes in [&packed[..], &packed[..7], &packed[..9], &[255; 20], &[]] {
            assert_eq!(Portion::unpack(bytes), None);
        }
        for length in [0, 8, 13, 14, 28] {
            assert_eq!(Counts::unpack(&vec![0; length]), None);
        }
    }
}
