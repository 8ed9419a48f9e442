//! Times as an archive keeps them: milliseconds since 1970.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// A time as people and web archives write it, such as 2026-03-01T12:00:00Z or 2026-03-01.
pub(super) fn parsed(text: &str) -> Result<i64, String> {
    let problem = || {
        let text = text.escape_debug();
        format!("{text} is not a time such as 2026-03-01T12:00:00Z or 2026-03-01")
    };
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time.as_millisecond());
    }
    let date: Date = text.parse().map_err(|_| problem())?;
    let start = date.to_zoned(TimeZone::UTC).map_err(|_| problem())?;
    Ok(start.timestamp().as_millisecond())
}

/// The time as web archives write it.
pub(super) fn written(time: i64) -> String {
    let Ok(moment) = Timestamp::from_millisecond(time) else {
        return "unknown".to_owned();
    };
    let form = if time % 1000 == 0 {
        "%Y-%m-%dT%H:%M:%SZ"
    } else {
        "%Y-%m-%dT%H:%M:%S.%3fZ"
    };
    moment.strftime(form).to_string()
}

/// The time of the clock, or when a file was changed, to the second.
pub(super) fn of(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(0) * 1000
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_they_are_read() {
        for text in ["2004-11-19T10:20:30Z", "2026-03-01T12:00:00.250Z"] {
            assert_eq!(written(parsed(text).unwrap()), text);
        }
        assert_eq!(
            written(parsed("2026-03-01").unwrap()),
            "2026-03-01T00:00:00Z"
        );
        assert!(parsed("20260301").is_ok() || parsed("20260301").is_err());
        assert!(parsed("yesterday").is_err());
        assert!(parsed("").is_err());
    }
}
