//! The extension module behind the Python package `cento`.
//!
//! Arguments become the options of a job, its outcome becomes Arrow, JSON or a report; what a job does
//! is written in `cento-jobs` and nowhere else. `python/cento` has what is easier said in Python: which
//! libraries tables come from, and how progress is shown. Its `_cento.pyi` describes this module.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a function of Python owns its arguments, and signatures say so"
)]

mod archive;
mod arrow;
mod dedupe;
mod error;
mod eval;
mod fingerprint;
mod jobs;
mod options;
mod registry;
mod report;
mod run;
mod spark;

use pyo3::prelude::*;

/// The module.
#[pymodule]
mod _cento {
    #[pymodule_export]
    use crate::archive::{
        archive_add, archive_check, archive_diff, archive_forget, archive_get, archive_init,
        archive_log, archive_stats,
    };
    #[pymodule_export]
    use crate::arrow::{Column, Table};
    #[pymodule_export]
    use crate::dedupe::{
        columns_among, dedupe_against, dedupe_files, dedupe_near_duplicates, dedupe_passages,
    };
    #[pymodule_export]
    use crate::eval::eval;
    #[pymodule_export]
    use crate::fingerprint::{Fingerprint, Recipe};
    #[pymodule_export]
    use crate::jobs::{Passage, align, compare, read, scan};
    #[pymodule_export]
    use crate::registry::{forget, init, register, status, verify};
    #[pymodule_export]
    use crate::report::Report;

    #[pymodule_export]
    use crate::spark::{
        Counter, Groups, NewDocuments, Parts, Scatter, ShardWork, Shards, Tests, shards_asking,
        spark_forest, spark_frequent, spark_sample, spark_settle,
    };

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
