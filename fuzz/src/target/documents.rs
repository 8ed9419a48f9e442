//! Documents of every format.

use cento_ingest::{Extract, Scope, extract};

use super::{Seed, Target, holds, refused};
use crate::seeds::samples;

pub(super) fn target() -> Target {
    let seed = |(kind, bytes)| Seed::new(format!("sample.{kind}"), bytes);
    Target {
        name: "documents",
        seeds: samples::all().into_iter().map(seed).collect(),
        check,
    }
}

fn check(name: &str, input: &[u8]) -> Result<(), String> {
    // Small limits, so that what grows shows.
    for scope in [Scope::MainText, Scope::AllButCode] {
        let options = Extract {
            scope,
            text_limit: 20_000,
            unpacked_limit: 1 << 20,
            ..Extract::default()
        };
        match extract(input.to_vec(), name, &options) {
            Ok(text) => holds(text.content.len() as u64 <= options.text_limit, || {
                format!("{} bytes of text", text.content.len())
            })?,
            Err(error) => refused(&error)?,
        }
    }
    Ok(())
}
