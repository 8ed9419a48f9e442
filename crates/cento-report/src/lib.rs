//! A [`Report`](cento::report::Report) as text for people, as JSON and as CSV.

mod csv;
mod json;
mod text;

pub use csv::csv;
pub use json::json;
pub use text::text;
