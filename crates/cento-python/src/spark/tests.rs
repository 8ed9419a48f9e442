//! Test documents that rows are held against, batch after batch.

use cento_jobs::dedupe::rows::{self, Rows, Tests as Prepared};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::NOBODY;
use crate::arrow::{Table, Texts};
use crate::dedupe::{against, max_errors, of_cuts};
use crate::fingerprint::raised;
use crate::options::Keywords;
use crate::run::pool;

/// Test documents, prepared once.
#[pyclass(frozen, module = "cento._cento")]
pub(crate) struct Tests(Prepared);

#[pymethods]
impl Tests {
    #[new]
    #[pyo3(signature = (texts, text_key, ids, **options))]
    fn new(
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        text_key: &str,
        ids: Option<Vec<String>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Tests> {
        let mut keywords = Keywords::of("decontaminate", options, py)?;
        let audience = keywords.audience()?;
        let max_errors = max_errors(&mut keywords)?;
        let wanted = against(&mut keywords)?;
        keywords.finish()?;
        let texts = Texts::of(texts)?;
        let prepared = audience.run(py, |_| {
            let rows = Rows {
                texts: &texts.all(),
                ids: ids.as_deref(),
                numbers: None,
                text_key,
                max_errors,
            };
            Prepared::new(&rows, &wanted)
        })?;
        Ok(Tests(prepared))
    }

    /// What is left of rows without the text of the tests.
    fn clean(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        ids: Option<Vec<String>>,
    ) -> PyResult<Table> {
        let texts = Texts::of(texts)?;
        let cuts = py.detach(|| {
            let rows = Rows {
                texts: &texts.all(),
                ids: ids.as_deref(),
                numbers: None,
                text_key: "",
                // How many rows of all have no text is known before.
                max_errors: 1.0,
            };
            // An engine runs as many tasks as there are cores, each on one thread.
            pool(Some(1))?.install(|| raised(rows::clean(&rows, &self.0, NOBODY)))
        })?;
        of_cuts(&cuts)
    }
}
