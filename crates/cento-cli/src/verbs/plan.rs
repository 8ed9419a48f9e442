//! `cento plan`: what a run will take, before it is begun.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use super::{dedupe, register, scan};
use crate::args::{General, PlanArgs, PlanVerb};
use crate::estimate::Sample;
use crate::machine::{free_disk, free_memory, size, time};
use crate::{Outcome, output};

/// What a run will take.
pub(super) struct Forecast {
    /// The input as a whole, and how long it takes to go through it.
    pub(super) whole: Sample,
    pub(super) seconds: f64,
    pub(super) memory: u64,
    /// What is written, where, and how many bytes.
    pub(super) disk: Vec<(&'static str, PathBuf, u64)>,
    /// What else is good to know.
    pub(super) notes: Vec<String>,
}

pub(crate) fn run(args: &PlanArgs, general: &General) -> Result<Outcome> {
    let forecast = match &args.verb {
        PlanVerb::Dedupe(args) => dedupe::forecast(args, general)?,
        PlanVerb::Scan(args) => scan::forecast(args, general)?,
        PlanVerb::Register(args) => register::forecast(args, general)?,
    };
    let text = if args.json {
        format!("{:#}\n", forecast.to_json())
    } else {
        forecast.to_text()
    };
    output::result(&text)?;
    Ok(Outcome::Done)
}

impl Forecast {
    fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<10} {value}");
        };
        line(
            "input",
            format!(
                "{} in about {} documents, {} digests",
                size(self.whole.bytes),
                self.whole.documents,
                self.whole.digests
            ),
        );
        line("time", format!("about {}", time(self.seconds)));
        let free = free_memory().map_or_else(String::new, |free| format!(" ({} free)", size(free)));
        line("memory", format!("about {}{free}", size(self.memory)));
        for (what, place, bytes) in &self.disk {
            let free = free_disk(place);
            let free = free.map_or_else(String::new, |free| format!(" ({} free)", size(free)));
            let place = place.display();
            line(
                "disk",
                format!("about {} for {what} in {place}{free}", size(*bytes)),
            );
        }
        for note in &self.notes {
            line("note", note.clone());
        }
        text
    }

    fn to_json(&self) -> Value {
        let disk = self.disk.iter().map(|(what, place, bytes)| {
            json!({"what": what, "place": place, "bytes": bytes, "free": free_disk(place)})
        });
        json!({
            "schema": "cento.plan/1",
            "bytes": self.whole.bytes,
            "documents": self.whole.documents,
            "digests": self.whole.digests,
            "seconds": self.seconds,
            "memory": self.memory,
            "free_memory": free_memory(),
            "disk": disk.collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}
