//! When a report is due: once a day at a time of the clock on the wall, and as soon as possible if
//! nobody was there then.

use std::path::Path;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

use crate::error::{Error, File as _, Result};
use crate::files;

/// The time of the day at which reports are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportAt(Time);

/// When the latest report was made, or would have been if anything had come.
const FILE: &str = "last-report";

impl FromStr for ReportAt {
    type Err = Error;

    fn from_str(text: &str) -> Result<ReportAt> {
        let parsed = Time::strptime("%H:%M", text.trim()).ok();
        parsed.map(ReportAt).ok_or_else(|| {
            Error::option(
                "report-at",
                format!("{text} is not a time of the day such as 02:00"),
            )
        })
    }
}

/// The day of the report that is due, if one is. Nothing is due at the first look: what comes first
/// has time until the next night.
pub(super) fn due(done: &Path, at: ReportAt) -> Result<Option<String>> {
    let path = done.join(FILE);
    let last = match std::fs::read_to_string(&path) {
        Ok(text) => text.trim().parse::<Timestamp>().ok(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).of(&path),
    };
    match last {
        Some(last) => Ok(due_since(last, Timestamp::now(), at, &TimeZone::system())),
        None => note(done).map(|()| None),
    }
}

fn due_since(last: Timestamp, now: Timestamp, at: ReportAt, zone: &TimeZone) -> Option<String> {
    let here = now.to_zoned(zone.clone());
    let today = here.date();
    let day = if here.time() >= at.0 {
        today
    } else {
        today.yesterday().ok()?
    };
    let moment = day.to_datetime(at.0).to_zoned(zone.clone()).ok()?;
    (last < moment.timestamp()).then(|| day.to_string())
}

/// Notes that what was due is done.
pub(super) fn note(done: &Path) -> Result<()> {
    let path = done.join(FILE);
    let new = files::unfinished(&path);
    let write = || {
        std::fs::write(&new, format!("{}\n", crate::time::now()))?;
        std::fs::File::open(&new)?.sync_all()?;
        std::fs::rename(&new, &path)?;
        files::sync_name(&path)
    };
    write().of(&path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use super::*;

    #[track_caller]
    fn check(last: &str, now: &str, expected: Option<&str>) {
        let at = "02:00".parse().unwrap();
        let [last, now] = [last, now].map(|text| text.parse().unwrap());
        let due = due_since(last, now, at, &TimeZone::UTC);
        assert_eq!(due.as_deref(), expected);
    }

    #[test]
    fn once_a_day_and_late_if_need_be() {
        check("2026-11-17T02:00:05Z", "2026-11-18T01:59:59Z", None);
        check(
            "2026-11-17T02:00:05Z",
            "2026-11-18T02:00:00Z",
            Some("2026-11-18"),
        );
        check("2026-11-18T02:00:05Z", "2026-11-18T23:00:00Z", None);
        // The machine was off for two days.
        check(
            "2026-11-15T02:00:05Z",
            "2026-11-18T01:00:00Z",
            Some("2026-11-17"),
        );
        // A clock that was set back.
        check("2026-12-24T02:00:00Z", "2026-11-18T12:00:00Z", None);
    }

    #[test]
    fn times_of_the_day() {
        assert!("23:59".parse::<ReportAt>().is_ok());
        for wrong in ["", "2", "24:00", "02:60", "two"] {
            assert!(wrong.parse::<ReportAt>().is_err(), "{wrong}");
        }
    }
}
