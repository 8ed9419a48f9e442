//! How values are written: rounded to what they can say, and left out where there is nothing to say.

use serde::{Serialize as _, Serializer};

/// Six decimals: more would only show the rounding of the division.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
pub(super) fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(six_decimals(*value))
}

pub(super) fn rounded_both<S: Serializer>(
    values: &[f64; 2],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    values.map(six_decimals).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde passes by reference")]
pub(super) fn rounded_if_any<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(six_decimals).serialize(serializer)
}

/// Seven digits, as the paper prints distances: they may be tiny.
#[expect(clippy::ref_option, reason = "serde passes by reference")]
pub(super) fn seven_digits<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let digits = value.map(|value| format!("{value:.6e}").parse().unwrap_or(value));
    digits.serialize(serializer)
}

/// Rounds to six decimals, but never up to 1: only identical sets read 1.
fn six_decimals(value: f64) -> f64 {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded >= 1.0 && value < 1.0 {
        0.999_999
    } else {
        rounded
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
pub(super) fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes by reference"
)]
pub(super) fn is_zero(value: &u32) -> bool {
    *value == 0
}

pub(super) fn are_empty<T>(lists: &[Vec<T>; 2]) -> bool {
    lists.iter().all(Vec::is_empty)
}
