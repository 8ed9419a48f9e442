//! Numbers for those who watch the server (Prometheus' text format).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;

/// Upper bounds of the times that answers took, in seconds.
const BOUNDS: [f64; 9] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// What has been counted since the start.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
}

#[derive(Default)]
struct Times {
    /// Answers up to each bound, and all others.
    counts: [u64; BOUNDS.len() + 1],
    seconds: f64,
}

impl Metrics {
    /// An answer was given.
    pub(crate) fn answered(&self, route: &str, status: StatusCode, took: Duration) {
        let seconds = took.as_secs_f64();
        let place = BOUNDS.partition_point(|bound| *bound < seconds);
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        *routes
            .entry((route.to_owned(), status.as_u16()))
            .or_default() += 1;
        drop(routes);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let times = times.entry(route.to_owned()).or_default();
        times.counts[place] += 1;
        times.seconds += seconds;
    }

    /// Everything that was counted, and these numbers of the moment: name, explanation, value.
    pub(crate) fn text(&self, moment: &[(&str, &str, f64)]) -> String {
        let mut text = String::new();
        let head = |text: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        for (name, help, value) in moment {
            let is_counter = name.ends_with("_total");
            let kind = if is_counter { "counter" } else { "gauge" };
            head(&mut text, name, kind, help);
            let _ = writeln!(text, "{name} {value}");
        }
        let name = "cento_requests_total";
        head(&mut text, name, "counter", "Requests by route and status");
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in routes.iter() {
            let _ = writeln!(
                text,
                "{name}{{route=\"{route}\",status=\"{status}\"}} {count}"
            );
        }
        drop(routes);
        let name = "cento_request_seconds";
        head(&mut text, name, "histogram", "Time until an answer began");
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        for (route, times) in times.iter() {
            let mut sum = 0;
            for (bound, count) in BOUNDS.iter().zip(times.counts) {
                sum += count;
                let _ = writeln!(
                    text,
                    "{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {sum}"
                );
            }
            sum += times.counts[BOUNDS.len()];
            let _ = writeln!(text, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {sum}");
            let _ = writeln!(text, "{name}_sum{{route=\"{route}\"}} {}", times.seconds);
            let _ = writeln!(text, "{name}_count{{route=\"{route}\"}} {sum}");
        }
        text
    }
}
