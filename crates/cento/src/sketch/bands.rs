//! How many values a sketch has and how they are grouped: what is found with which probability.

use crate::measure::Measure;

/// Min-hash values in bands of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// How many bands there are: more find more.
    pub bands: u32,
    /// How many values a band has: more find less that is not alike.
    pub rows: u32,
}

impl Bands {
    /// How many values there are at most unless something else is asked for.
    pub const VALUES: u32 = 256;
    /// The most values that a sketch can have.
    pub const MOST_VALUES: u32 = 1 << 14;
    /// The share of pairs that is found at the threshold unless something else is asked for.
    pub const RECALL: f64 = 0.975;

    /// The bands that find pairs of this resemblance with at least the wanted probability, with as
    /// many rows as the number of values allows: these leave the fewest pairs to be looked at in
    /// vain. If even one row is not enough, there is a band for every value.
    pub fn for_resemblance(resemblance: f64, recall: f64, values: u32) -> Bands {
        let values = values.clamp(1, Bands::MOST_VALUES);
        let mut best = Bands {
            bands: values,
            rows: 1,
        };
        for rows in 1..=values {
            let enough = (1..=values / rows)
                .map(|bands| Bands { bands, rows })
                .find(|bands| bands.chance(resemblance) >= recall);
            match enough {
                Some(bands) => best = bands,
                None => break,
            }
        }
        best
    }

    /// How many values a sketch has.
    pub fn values(self) -> u32 {
        self.bands * self.rows
    }

    /// The probability that a pair of this resemblance is found: the S-curve.
    pub fn chance(self, resemblance: f64) -> f64 {
        let in_a_band = power(resemblance.clamp(0.0, 1.0), self.rows);
        1.0 - power(1.0 - in_a_band, self.bands)
    }

    /// Where the S-curve is steepest, about: (1 / bands)^(1 / rows).
    pub fn threshold(self) -> f64 {
        (1.0 / f64::from(self.bands)).powf(1.0 / f64::from(self.rows))
    }
}

/// The resemblance that a score by another measure stands for; containment stands for none, since
/// a small document may be in a large one that it hardly resembles.
pub fn resemblance_at(measure: Measure, score: f64) -> Option<f64> {
    match measure {
        Measure::Resemblance => Some(score),
        Measure::Symmetric => Some(score / (2.0 - score)),
        _ => None,
    }
}

/// A power by multiplication alone, which gives the same on every machine.
fn power(base: f64, exponent: u32) -> f64 {
    let (mut base, mut exponent, mut product) = (base, exponent, 1.0);
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_found_as_promised_with_the_values_allowed() {
        for resemblance in [0.05, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.99, 1.0] {
            for values in [128, 256, 1000] {
                let bands = Bands::for_resemblance(resemblance, 0.975, values);
                assert!(bands.values() <= values);
                assert!(
                    bands.chance(resemblance) >= 0.975,
                    "{resemblance} {bands:?}"
                );
                assert!(bands.chance(resemblance) <= bands.chance(1.0));
            }
        }
        let half = Bands::for_resemblance(0.5, 0.975, 256);
        assert_eq!((half.bands, half.rows), (58, 4));
        assert!((half.threshold() - 0.362).abs() < 0.001);
    }

    #[test]
    fn what_cannot_be_promised_gets_all_values() {
        let bands = Bands::for_resemblance(0.001, 0.975, 256);
        assert_eq!((bands.bands, bands.rows), (256, 1));
        assert!(bands.chance(0.001) < 0.3);
        assert_eq!(Bands::for_resemblance(0.0, 0.9, 0).values(), 1);
    }
}
