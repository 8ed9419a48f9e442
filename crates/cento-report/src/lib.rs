//! A [`Report`](cento::report::Report) as text for people, as JSON and as CSV.

mod csv;
mod explain;
mod json;
mod passages;
mod text;

pub use csv::csv;
pub use explain::explained;
pub use json::json;
pub use text::text;
