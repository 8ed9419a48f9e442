//! Recipes and fingerprints.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::UInt64Array;
use arrow_buffer::ScalarBuffer;
use cento::{Key, NoCollection, SetMeasure, overlap};
use cento_jobs::{GivenKey, Watch, key_in, parse_key};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrow::{Column, Lists, Texts};
use crate::error::{exception, of_library, of_option};
use crate::run::Audience;

/// How texts become fingerprints.
#[pyclass(frozen, eq, module = "cento", from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Recipe {
    recipe: cento::Recipe,
    key: Key,
}

#[pymethods]
impl Recipe {
    #[new]
    #[pyo3(signature = (recipe="default", *, dictionary=None, key_file=None))]
    fn new(
        recipe: &str,
        dictionary: Option<PathBuf>,
        key_file: Option<PathBuf>,
    ) -> PyResult<Recipe> {
        let recipe = cento_jobs::recipe(recipe, dictionary.as_deref())
            .map_err(|error| of_option("recipe", error.sentence()))?;
        let key = match (key_file, given_digits()) {
            _ if !recipe.is_keyed() => Key::PUBLIC,
            (Some(file), _) => {
                key_in(&file).map_err(|error| of_option("key_file", error.sentence()))?
            }
            (None, Some(digits)) => {
                parse_key(&digits).map_err(|error| of_option("CENTO_KEY", error.sentence()))?
            }
            (None, None) => Key::PUBLIC,
        };
        Ok(Recipe { recipe, key })
    }

    /// The fingerprint of a text.
    fn fingerprint(&self, py: Python<'_>, text: &str) -> Fingerprint {
        py.detach(|| Fingerprint(self.make(text)))
    }

    /// The fingerprints of a column of texts.
    #[pyo3(signature = (chunks, progress=None, threads=None))]
    fn fingerprints(
        &self,
        py: Python<'_>,
        chunks: &Bound<'_, PyAny>,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        let texts = Texts::of(chunks)?;
        let audience = Audience {
            progress,
            threads,
            ..Audience::default()
        };
        let lists = audience.run(py, |watch| {
            let texts = texts.all();
            let mut lists = Lists::default();
            let threads = rayon::current_num_threads();
            if threads == 1 {
                self.add(&texts, &mut lists, watch)?;
                return Ok(lists);
            }
            // So few at a time that the memory they take is used again and again.
            for some in runs(&texts).chunks(4 * threads) {
                let made = some.par_iter().map(|run| {
                    let mut lists = Lists::default();
                    self.add(run, &mut lists, watch).map(|()| lists)
                });
                for one in made.collect::<cento_jobs::Result<Vec<_>>>()? {
                    lists.append(&one);
                }
            }
            Ok(lists)
        })?;
        Ok(Column(Arc::new(py.detach(|| lists.finish())?)))
    }

    /// Whether a secret key has a say in it.
    #[getter]
    fn is_keyed(&self) -> bool {
        self.recipe.is_keyed()
    }

    fn __str__(&self) -> String {
        self.recipe.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Recipe({:?})", self.recipe.to_string())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        self.recipe.to_string().hash(&mut hasher);
        hasher.finish()
    }
}

impl Recipe {
    /// Adds the digests of texts, one after the other.
    fn add(
        &self,
        texts: &[Option<&str>],
        lists: &mut Lists,
        watch: &Watch<'_>,
    ) -> cento_jobs::Result<()> {
        for text in texts {
            watch.go_on()?;
            let made = text.map(|text| self.make(text));
            lists.push(made.as_ref().map(cento::Fingerprint::digests));
        }
        Ok(())
    }

    fn make(&self, text: &str) -> cento::Fingerprint {
        self.recipe.fingerprint(text, &self.key, &NoCollection)
    }
}

/// The texts in runs, each enough work for a thread.
fn runs<'a, 't>(texts: &'a [Option<&'t str>]) -> Vec<&'a [Option<&'t str>]> {
    const BYTES: usize = 256 << 10;
    let mut runs = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (place, text) in texts.iter().enumerate() {
        bytes += text.map_or(0, str::len);
        if bytes >= BYTES || place + 1 == texts.len() {
            runs.push(&texts[start..=place]);
            (start, bytes) = (place + 1, 0);
        }
    }
    runs
}

/// What a recipe makes of a text: a sorted bag of digests.
#[pyclass(frozen, eq, module = "cento")]
#[derive(PartialEq)]
pub(crate) struct Fingerprint(cento::Fingerprint);

#[pymethods]
impl Fingerprint {
    /// Its digests.
    #[getter]
    fn digests(&self) -> Column {
        let digests: Vec<u64> = self.0.digests().iter().map(|digest| digest.0).collect();
        let digests = UInt64Array::new(ScalarBuffer::from(digests), None);
        Column(Arc::new(digests))
    }

    /// How many tokens the text has.
    #[getter]
    fn tokens(&self) -> u32 {
        self.0.tokens()
    }

    /// How alike two fingerprints are.
    #[pyo3(signature = (other, measure="resemblance"))]
    fn score(&self, other: &Fingerprint, measure: &str) -> PyResult<f64> {
        let measure = measure.parse::<cento::Measure>();
        let measure: SetMeasure = measure
            .and_then(cento::Measure::expect_sets)
            .map_err(|error| of_option("measure", error))?;
        let shared = overlap(&self.0, &other.0).map_err(of_library)?;
        Ok(measure.score(shared))
    }

    fn __len__(&self) -> usize {
        self.0.digests().len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<cento.Fingerprint of {} digests: {}>",
            self.0.digests().len(),
            self.0.recipe()
        )
    }
}

/// The key of the environment.
pub(crate) fn given_key() -> Option<GivenKey> {
    given_digits().map(|digits| GivenKey::new(digits, "CENTO_KEY"))
}

fn given_digits() -> Option<String> {
    let digits = std::env::var("CENTO_KEY").ok();
    digits.filter(|digits| !digits.is_empty())
}

/// Lets a job's error end a function of Python.
pub(crate) fn raised<T>(done: cento_jobs::Result<T>) -> PyResult<T> {
    done.map_err(|error| exception(&error))
}
