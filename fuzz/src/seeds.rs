//! Sound inputs. Those that the suites of other crates make are taken from there.

#![expect(
    clippy::unwrap_used,
    reason = "without its inputs there is nothing to do"
)]

#[path = "../../crates/cento-ingest/tests/containers/mod.rs"]
pub(crate) mod containers;
#[path = "../../crates/cento-ingest/tests/pack/mod.rs"]
pub(crate) mod pack;
#[path = "../../crates/cento-ingest/tests/parquet_table/mod.rs"]
pub(crate) mod parquet_table;
#[path = "../../crates/cento-report/tests/support/mod.rs"]
pub(crate) mod report;
#[path = "../../crates/cento-ingest/tests/samples/mod.rs"]
pub(crate) mod samples;
