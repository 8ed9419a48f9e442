//! Times as the registry and the server's database write them: UTC, to the second.

use std::time::Duration;

use jiff::Timestamp;

/// Seconds since 1970.
pub(crate) type Seconds = i64;

pub(crate) fn now() -> Seconds {
    Timestamp::now().as_second()
}

/// The time now as registries write it.
pub(crate) fn now_text() -> String {
    text(now())
}

/// The time now to the millisecond.
pub(crate) fn now_exact() -> String {
    Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%S.%3fZ")
        .to_string()
}

pub(crate) fn text(seconds: Seconds) -> String {
    let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The seconds of a time that [`text`] wrote.
pub(crate) fn parse(text: &str) -> Option<Seconds> {
    text.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

/// The seconds of a duration, or as many as fit.
pub(crate) fn seconds(duration: Duration) -> Seconds {
    Seconds::try_from(duration.as_secs()).unwrap_or(Seconds::MAX / 4)
}

/// How long until then; nothing if it has passed.
pub(crate) fn until(then: Seconds, now: Seconds) -> Duration {
    Duration::from_secs(u64::try_from(then.saturating_sub(now)).unwrap_or(0))
}

/// A time for people: in the largest unit that is not below one.
pub(crate) fn span(duration: Duration) -> String {
    let seconds = duration.as_secs().max(1);
    let (count, unit) = match seconds {
        0..=119 => (seconds, "second"),
        120..=7199 => (seconds.div_ceil(60), "minute"),
        7200..=172_799 => (seconds.div_ceil(3600), "hour"),
        _ => (seconds.div_ceil(86_400), "day"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_for_people() {
        let spans = [0, 1, 90, 120, 3601, 90_000, 7 * 86_400].map(|s| span(Duration::from_secs(s)));
        assert_eq!(
            spans,
            [
                "1 second",
                "1 second",
                "90 seconds",
                "2 minutes",
                "61 minutes",
                "25 hours",
                "7 days"
            ]
        );
        assert_eq!(text(0), "1970-01-01T00:00:00Z");
        assert_eq!(
            (parse(&text(1_800_000_000)), parse("?")),
            (Some(1_800_000_000), None)
        );
    }
}
