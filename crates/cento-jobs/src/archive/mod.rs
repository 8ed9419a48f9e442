//! Versions of pages, kept as Kellogg's Plagiarex paper has it: what changed significantly is stored
//! whole, what changed little as a patch, and what did not change not again.
//!
//! [`init`] makes an archive, [`add`] adds versions, [`log`] lists them, [`get`] gives their exact bytes
//! back, [`diff`] compares two of them word by word, [`check`] looks for damage, [`export`] writes web
//! archives, [`forget`] removes versions, and [`stats`] counts. docs/archive.md says how it decides.

pub mod add;
mod base32;
pub mod check;
mod delta;
pub mod diff;
pub mod export;
mod find;
pub mod forget;
pub mod get;
pub mod init;
pub mod log;
mod moment;
mod name;
mod pack;
mod page;
mod place;
pub mod stats;
mod store;

use std::fmt::Write as _;

pub use place::ArchiveOptions;
pub use store::Kind;

/// Bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
