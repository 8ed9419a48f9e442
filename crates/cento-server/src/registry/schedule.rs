//! Checks and backups by the clock. When they were last done is kept over restarts, so a server that is
//! started every day still does what is due every week.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::{check, copies};
use crate::app::App;
use crate::error::Error;
use crate::time::{self, Seconds};

/// Who does what nobody asked for. No account can have this name.
const CLOCK: &str = "(schedule)";
/// What failed is tried again after this long, if it is not due earlier.
const AGAIN: Duration = Duration::from_hours(1);

/// Starts what is due.
pub(crate) fn start_due(app: &Arc<App>) -> Result<(), Error> {
    let Some((shared, _)) = app.registry.get() else {
        return Ok(());
    };
    let now = time::now();
    if let Some(every) = app.config.check_every
        && is_due(&check::latest(&app.store)?, every, now)
    {
        app.checks.start(app, shared.place(), CLOCK);
    }
    if let Some(backups) = &app.config.backups {
        let latest = copies::Latest::read(&app.store)?.any;
        let every = if latest["error"].is_null() {
            backups.every
        } else {
            backups.every.min(AGAIN)
        };
        if is_due(&latest, every, now) {
            app.copies.start(app, shared.place(), &backups.to, CLOCK);
        }
    }
    Ok(())
}

fn is_due(latest: &Value, every: Duration, now: Seconds) -> bool {
    // A clock that was set back must not end it all.
    copies::ended(latest).is_none_or(|ended| ended > now || ended + time::seconds(every) <= now)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn due_after_a_while() {
        let hour = Duration::from_hours(1);
        let at = |seconds| json!({"ended": time::text(seconds)});
        assert!(is_due(&Value::Null, hour, 100_000));
        assert!(!is_due(&at(100_000 - 3599), hour, 100_000));
        assert!(is_due(&at(100_000 - 3600), hour, 100_000));
        assert!(is_due(&at(200_000), hour, 100_000));
    }
}
