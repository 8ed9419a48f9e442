//! Seeds → chains: seeds that lie together on both sides.

use super::Seed;

/// Splits seeds wherever more than `gap` units without a seed come in a row, on one side and on the
/// other by turns, until no such gap is left. The chains come in the order of their first seeds.
pub(super) fn chains(seeds: Vec<Seed>, gap: u32) -> Vec<Vec<Seed>> {
    let mut done = Vec::new();
    let mut open = split(seeds, gap, |seed| (seed.left, seed.right));
    while let Some(chain) = open.pop() {
        let size = chain.len();
        for part in split(chain, gap, |seed| (seed.right, seed.left)) {
            let whole = part.len() == size;
            let mut parts = split(part, gap, |seed| (seed.left, seed.right));
            if whole && parts.len() == 1 {
                done.append(&mut parts);
            } else {
                open.append(&mut parts);
            }
        }
    }
    done.sort_unstable_by_key(|chain| (chain[0].left, chain[0].right));
    done
}

/// The largest gap at which a chain is one no longer, if there is any.
pub(super) fn splits_at(chain: &[Seed]) -> Option<u32> {
    let widest = |place: fn(&Seed) -> u32| {
        let mut places: Vec<u32> = chain.iter().map(place).collect();
        places.sort_unstable();
        places.windows(2).map(|two| two[1] - two[0]).max()
    };
    let widest = widest(|seed| seed.left).max(widest(|seed| seed.right))?;
    widest.checked_sub(2)
}

/// Sorts by place and splits where the first part of the place leaps.
fn split(mut seeds: Vec<Seed>, gap: u32, place: impl Fn(&Seed) -> (u32, u32)) -> Vec<Vec<Seed>> {
    seeds.sort_unstable_by_key(&place);
    seeds
        .chunk_by(|a, b| place(b).0 - place(a).0 <= gap + 1)
        .map(<[Seed]>::to_vec)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;

    #[track_caller]
    fn check(seeds: &[(u32, u32)], gap: u32, expected: &[&[(u32, u32)]]) {
        let seeds = seeds.iter().map(|&(left, right)| Seed { left, right });
        let found: Vec<Vec<(u32, u32)>> = chains(seeds.collect(), gap)
            .into_iter()
            .map(|chain| chain.iter().map(|seed| (seed.left, seed.right)).collect())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn gaps_on_either_side_split() {
        check(&[], 4, &[]);
        check(&[(0, 0), (1, 1), (6, 2)], 4, &[&[(0, 0), (1, 1), (6, 2)]]);
        check(
            &[(0, 0), (1, 1), (7, 2)],
            4,
            &[&[(0, 0), (1, 1)], &[(7, 2)]],
        );
        check(
            &[(0, 0), (1, 9), (2, 1)],
            4,
            &[&[(0, 0), (2, 1)], &[(1, 9)]],
        );
    }

    #[test]
    fn where_a_chain_splits() {
        let mut number = 1;
        let mut random = |below: u32| random(&mut number, below);
        for _ in 0..200 {
            let seeds = (0..=random(6)).map(|_| Seed {
                left: random(20),
                right: random(20),
            });
            let seeds: Vec<Seed> = seeds.collect();
            let splits = (0..20).filter(|&gap| chains(seeds.clone(), gap).len() > 1);
            assert_eq!(splits_at(&seeds), splits.max(), "{seeds:?}");
        }
    }

    #[test]
    fn a_split_on_one_side_opens_gaps_on_the_other() {
        // Without (3, 20), nothing holds (0, 0) and (6, 1) together.
        check(
            &[(0, 0), (3, 20), (6, 1)],
            2,
            &[&[(0, 0)], &[(3, 20)], &[(6, 1)]],
        );
    }
}
