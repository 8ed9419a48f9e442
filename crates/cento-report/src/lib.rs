//! A [`Report`] as a page and as text for people, as JSON, CSV and graph for
//! programs; the passages of a pair as PAN XML.
//!
//! [`text`] and [`html`] are for reading, [`json`], [`csv`], [`graphml`] and [`dot`] for other
//! programs. [`html`] puts everything into one page that needs nothing else, and [`read`] gets it out
//! again. [`anonymize`] replaces names by codes first. [`Table`] is the one way to write CSV.
//!
//! ```
//! use cento::{Document, Key, NoCollection, Recipe, ScanSettings, Watch, scan};
//!
//! let recipe = Recipe::default();
//! let document = |id: &str, text: &str| {
//!     let fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
//!     let words = recipe.count_words(text, &fingerprint);
//!     Document::new(id, words, fingerprint)
//! };
//! let documents = vec![
//!     document("anna", "The town rebuilt its canal in nine years, and paid with a loan."),
//!     document("ben", "Everybody knows that the town rebuilt its canal in nine years."),
//! ];
//! let mut report = scan(documents, &ScanSettings::default(), None, Watch::NOBODY)?;
//! assert!(cento_report::text(&report, None).contains("1 pair shares 10 % or more"));
//! let page = cento_report::html(&mut report, &[]);
//! let again = cento_report::read(&page).expect("it was just written");
//! assert_eq!(again.report.pairs[0].left, "anna");
//! # Ok::<(), cento::Error>(())
//! ```

mod anonymize;
mod changes;
mod characters;
mod csv;
mod dolos;
mod explain;
mod graph;
mod jplag;
mod json;
mod layout;
mod page;
mod paint;
mod pan;
mod reuse;
mod run;
mod table;
mod text;
pub mod ui;
mod units;

pub use anonymize::{Code, anonymize, key_csv};
pub use changes::{Change, ChangedPart, Changes, Context, changes_page, changes_text};
pub use characters::Characters;
pub use csv::csv;
pub use dolos::{dolos_files, dolos_metadata, dolos_pairs};
pub use explain::explained;
pub use graph::{dot, graphml};
pub use jplag::jplag_results;
pub use json::json;
pub use layout::{GRAPH_SCALE, GRAPH_SCALE_SETTING, distance, graph_scale, place};
pub use page::{Hosted, PageData, ReadError, hosted, html, page_policy, read, with_work};
pub use paint::{Paint, Screen};
pub use pan::{pan, pan_detections, pan_pair};
pub use reuse::passages_jsonl;
pub use run::{RUN_SCHEMA, run_record};
pub use table::{Cells, Table};
pub use text::{Hint, PairRow, PairTable, counted, digits, percent, shown_on, text};

use cento::report::Report;
use sha2::{Digest as _, Sha256};

/// The SHA-256 of a text in hexadecimal digits.
pub fn sha256(text: &str) -> String {
    use std::fmt::Write as _;
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(text) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Writes the hash of each text that a report has beside it.
pub fn seal(report: &mut Report) {
    for document in &mut report.documents {
        if let Some(text) = &document.text {
            document.sha256 = Some(sha256(text));
        }
    }
}
