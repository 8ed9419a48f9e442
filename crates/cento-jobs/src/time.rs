//! Times: now, and when something expires.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use crate::error::{Error, Result};

/// The time now, in UTC to the second, as registries write it.
pub(crate) fn now() -> String {
    written(Timestamp::now())
}

/// A time that was given, such as 2026-11-18T10:00:00Z, or else now: seconds since 1970.
pub(crate) fn given(text: Option<&str>) -> Result<u64> {
    let time = match text {
        None => Timestamp::now(),
        Some(text) => text.trim().parse().map_err(|_| {
            let reason = format!("{text} is not a time such as 2026-11-18T10:00:00Z");
            Error::option("time", reason)
        })?,
    };
    u64::try_from(time.as_second()).map_err(|_| Error::option("time", "it lies before 1970"))
}

/// Seconds since 1970 as registries write a time.
pub(crate) fn of_seconds(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok();
    let time = time.and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.map(written).unwrap_or_default()
}

/// When something expires that is to count for a time (90d, 12w, 6m, 1y, 24h) or until a date.
pub(crate) fn expiry(text: &str) -> Result<String, String> {
    let end = expiry_from(text.trim(), Timestamp::now());
    let problem = || format!("{text} is not a time such as 90d, 12w, 6m, 1y or 2030-12-31");
    end.ok_or_else(problem)
}

fn expiry_from(text: &str, now: Timestamp) -> Option<String> {
    if text.contains('-') {
        let date: Date = text.parse().ok()?;
        let end = date.tomorrow().ok()?.to_zoned(TimeZone::UTC).ok()?;
        return Some(written(end.timestamp()));
    }
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: i64 = number.trim().parse().ok().filter(|number| *number > 0)?;
    let span = match unit {
        "h" => Span::new().try_hours(number),
        "d" => Span::new().try_days(number),
        "w" => Span::new().try_weeks(number),
        "m" => Span::new().try_months(number),
        "y" => Span::new().try_years(number),
        _ => return None,
    };
    let end = now.to_zoned(TimeZone::UTC).checked_add(span.ok()?).ok()?;
    Some(written(end.timestamp()))
}

fn written(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use super::*;

    #[test]
    fn spans_and_dates() {
        let now: Timestamp = "2026-01-31T10:00:00Z".parse().unwrap();
        let end = |text: &str| expiry_from(text, now).unwrap();
        assert_eq!(end("90d"), "2026-05-01T10:00:00Z");
        assert_eq!(end("2w"), "2026-02-14T10:00:00Z");
        assert_eq!(end("1m"), "2026-02-28T10:00:00Z");
        assert_eq!(end("1y"), "2027-01-31T10:00:00Z");
        assert_eq!(end("24h"), "2026-02-01T10:00:00Z");
        // A date counts to its end.
        assert_eq!(end("2030-12-31"), "2031-01-01T00:00:00Z");
        for wrong in [
            "",
            "d",
            "90",
            "90x",
            "-5d",
            "0d",
            "2030-13-01",
            "ž",
            "9999999999999y",
        ] {
            assert!(expiry_from(wrong, now).is_none(), "{wrong}");
        }
    }
}
