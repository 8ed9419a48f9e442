//! Random numbers that are the same on every machine.
//!
//! The system's `exp` and `ln` may differ in the last bit from one machine to another, and one bit
//! can change a word; the ones here use nothing but arithmetic that IEEE 754 defines exactly.

/// What a stream of random numbers is for. Each purpose has streams of its own, so that an option
/// changes nothing but what it is about.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// The letters of the words.
    Vocabulary = 1,
    /// Which documents are copies of which.
    Plan,
    /// The words of an original.
    Body,
    /// What is changed in a copy.
    Edits,
    /// The words of the footer.
    Footer,
    /// Whether a document has the footer.
    FooterShare,
    /// The words of the paragraphs that documents have in common.
    Common,
    /// Which of them a document has.
    CommonChoice,
}

/// A stream of random numbers: xoshiro256++.
///
/// Its 256 bits of state keep the streams of millions of documents from ever running into each
/// other, which would plant copies that the truth does not know of.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of one purpose and number under a seed.
    pub fn new(seed: u64, purpose: Purpose, number: u64) -> Self {
        let mut state = mix(mix(mix(seed).wrapping_add(purpose as u64)) ^ number);
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(state)
        };
        Self {
            state: [next(), next(), next(), next()],
        }
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number from 0 to one less than `end`.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the result is below a usize"
    )]
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// A number from 0 up to but not including 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something of this probability happens.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number with mean 0 and variance 1, normal but for its tails, which end at 6.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// The natural exponential function.
pub fn exp(x: f64) -> f64 {
    const HALVINGS: i32 = 12;
    let small = x / f64::from(1 << HALVINGS);
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..12 {
        term *= small / f64::from(n);
        sum += term;
    }
    (0..HALVINGS).fold(sum, |power, _| power * power)
}

/// The natural logarithm of a number that is 1 or more.
pub fn ln(x: f64) -> f64 {
    let mut mantissa = x;
    let mut halvings = 0.0;
    while mantissa >= 2.0 {
        mantissa /= 2.0;
        halvings += 1.0;
    }
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let mut power = t;
    let mut sum = 0.0;
    for n in 0..18 {
        sum += power / f64::from(2 * n + 1);
        power *= t * t;
    }
    2.0 * sum + halvings * std::f64::consts::LN_2
}

/// Spreads every bit of a number over all bits; different numbers stay different.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_system_but_for_the_last_digits() {
        for x in [-60.0, -3.25, -1e-9, 0.0, 0.7, 1.0, 4.5_f64] {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-11, "exp {x}");
        }
        for x in [1.0, 1.5, 2.0, 3.0, 1e3, 1e7_f64] {
            assert!((ln(x) - x.ln()).abs() < 1e-13, "ln {x}");
        }
    }

    #[test]
    fn streams_of_neighbours_differ() {
        let first = |seed, purpose, number| Random::new(seed, purpose, number).bits();
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..10 {
            for number in 0..10 {
                assert!(seen.insert(first(seed, Purpose::Body, number)));
                assert!(seen.insert(first(seed, Purpose::Edits, number)));
            }
        }
    }

    #[test]
    fn draws_are_spread_evenly() {
        let mut random = Random::new(1, Purpose::Body, 0);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)));
        let normals: Vec<f64> = (0..10_000).map(|_| random.normal()).collect();
        let mean = normals.iter().sum::<f64>() / 1e4;
        let variance = normals.iter().map(|x| x * x).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.05 && (variance - 1.0).abs() < 0.05);
    }
}
