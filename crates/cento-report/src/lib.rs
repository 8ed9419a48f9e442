//! A [`Report`](cento::report::Report) as text for people, as JSON and as CSV; the passages of a pair
//! as PAN XML.

mod characters;
mod csv;
mod explain;
mod json;
mod other;
mod pan;
mod passages;
mod text;
mod verified;

pub use characters::Characters;
pub use csv::csv;
pub use explain::explained;
pub use json::json;
pub use pan::{pan, pan_detections};
pub use text::text;
