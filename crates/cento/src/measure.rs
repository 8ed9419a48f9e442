//! Every formula on one page: how much two fingerprints have in common.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// The sizes of two sets of digests and of their intersection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// |A ∩ B|.
    pub shared: u32,
    /// |A|.
    pub left: u32,
    /// |B|.
    pub right: u32,
}

/// A formula that turns an overlap into a score from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// |A ∩ B| / |A|, the larger of the two directions (Finkel's a, Masaryk's percentage, S2).
    Containment,
    /// 2 |A ∩ B| / (|A| + |B|) (Finkel's s as his tables use it).
    Symmetric,
    /// |A ∩ B| / |A ∪ B| (text sifting's S1).
    Resemblance,
    /// |A ∩ B| / min(|A|, |B|) (text sifting's S3).
    MaxContainment,
}

impl Overlap {
    /// How much of the left one is in the right one, and the other way round.
    pub fn containment(self) -> [f64; 2] {
        [
            ratio(self.shared, self.left),
            ratio(self.shared, self.right),
        ]
    }
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 4] = [
        Measure::Containment,
        Measure::Symmetric,
        Measure::Resemblance,
        Measure::MaxContainment,
    ];

    /// The score of an overlap. Two empty fingerprints have nothing in common: 0.
    pub fn score(self, overlap: Overlap) -> f64 {
        let Overlap {
            shared,
            left,
            right,
        } = overlap;
        match self {
            Measure::Containment | Measure::MaxContainment => ratio(shared, left.min(right)),
            Measure::Symmetric => 2.0 * ratio(shared, left.saturating_add(right)),
            Measure::Resemblance => ratio(shared, left.saturating_add(right - shared)),
        }
    }

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Containment => "containment",
            Measure::Symmetric => "symmetric",
            Measure::Resemblance => "resemblance",
            Measure::MaxContainment => "max-containment",
        }
    }
}

fn ratio(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        0.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = Error;

    fn from_str(name: &str) -> Result<Measure, Error> {
        Measure::ALL
            .into_iter()
            .find(|measure| measure.name() == name)
            .ok_or_else(|| {
                let choices = Measure::ALL.map(Measure::name).join(", ");
                Error::UnknownMeasure {
                    name: name.to_owned(),
                    choices,
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(measure: Measure, overlap: [u32; 3], expected: f64) {
        let [shared, left, right] = overlap;
        let score = measure.score(Overlap {
            shared,
            left,
            right,
        });
        assert!((score - expected).abs() < 1e-12, "{measure}: {score}");
    }

    #[test]
    fn formulas() {
        check(Measure::Containment, [3, 4, 12], 0.75);
        check(Measure::Symmetric, [3, 4, 12], 6.0 / 16.0);
        check(Measure::Resemblance, [3, 4, 12], 3.0 / 13.0);
        check(Measure::MaxContainment, [3, 4, 12], 0.75);
        let [left, right] = Overlap {
            shared: 3,
            left: 4,
            right: 12,
        }
        .containment();
        assert!((left - 0.75).abs() < 1e-12 && (right - 0.25).abs() < 1e-12);
    }

    #[test]
    fn identical_is_exactly_one_and_empty_is_zero() {
        for measure in Measure::ALL {
            for size in [1, 2, 3, 7, 1_000_003] {
                let score = measure.score(Overlap {
                    shared: size,
                    left: size,
                    right: size,
                });
                assert!((score - 1.0).abs() < f64::EPSILON && score <= 1.0);
            }
            check(measure, [0, 0, 0], 0.0);
            check(measure, [0, 0, 5], 0.0);
        }
    }

    #[test]
    fn names_round_trip() {
        for measure in Measure::ALL {
            assert_eq!(measure.name().parse::<Measure>().unwrap(), measure);
        }
        assert!(
            "overlap"
                .parse::<Measure>()
                .unwrap_err()
                .to_string()
                .contains("resemblance")
        );
    }
}
