//! A message in, the same message out, with what is known about it in its header.
//!
//! Whatever goes wrong, the message comes out: without a verdict then, and the reason is told.

use cento_ingest::{with_field, without_field};

use super::check::Options;
use super::{Checked, Desk, Duty, HEADER};
use crate::documents::InMemory;
use crate::error::{Error, Result};
use crate::time;
use crate::watch::Watch;

/// The message that comes out.
#[derive(Debug)]
pub struct Outcome {
    /// All of it.
    pub message: Vec<u8>,
    /// What is known about it, or why nothing is.
    pub checked: Result<Checked>,
}

/// Puts what is known about a message into its header. A field of the same name that came with it is taken
/// out: whoever sent the message could have written it.
pub fn run(options: &Options, message: &[u8], watch: &Watch<'_>) -> Outcome {
    let (message, _) = without_field(message, HEADER);
    let checked = check(options, &message, watch);
    let message = match &checked {
        Ok(checked) => with_field(&message, HEADER, &checked.header()),
        Err(_) => message,
    };
    Outcome { message, checked }
}

fn check(options: &Options, message: &[u8], watch: &Watch<'_>) -> Result<Checked> {
    let limit = options.input.reading.limits.file_size;
    if message.len() as u64 > limit {
        let limit = cento_ingest::size(limit);
        return Err(Error::refused(format!(
            "the message is larger than {limit}"
        )));
    }
    let now = time::given(options.time.as_deref())?;
    let desk = Desk::open(
        &options.store,
        &options.input,
        "mail check",
        Duty::Once,
        watch,
    )?;
    let message = InMemory {
        name: "message".to_owned(),
        bytes: message.to_vec(),
    };
    let checked = desk.check(&message, now, !options.look, options.bulk_from)?;
    desk.sync()?;
    Ok(checked)
}
