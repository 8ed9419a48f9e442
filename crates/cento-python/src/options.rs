//! Keyword arguments → the options of jobs. They have the names of the flags, with underscores.

use std::path::PathBuf;
use std::time::Duration;

use cento::index::registry::OnChange;
use cento_ingest::{
    Encoding, Grouping, Isolation, Limits, Programs, Reading, not_a_size, parse_size,
};
use cento_jobs::registry::RegistryOptions;
use cento_jobs::{Approximate, BaseFrom, EvidenceOptions, MethodOptions};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::of_option;
use crate::fingerprint::given_key;
use crate::run::Audience;

/// Keyword arguments that nobody has taken yet.
pub(crate) struct Keywords<'py> {
    given: Bound<'py, PyDict>,
    /// Whose they are.
    function: &'static str,
    /// What was asked for.
    known: Vec<&'static str>,
}

/// A number of bytes, or what people write for one, such as 2GiB.
#[derive(FromPyObject)]
enum Size {
    Bytes(u64),
    Text(String),
}

/// One path, or several.
#[derive(FromPyObject)]
enum Paths {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

/// One text, or several.
#[derive(FromPyObject)]
enum Strings {
    One(String),
    Many(Vec<String>),
}

impl<'py> Keywords<'py> {
    pub(crate) fn of(
        function: &'static str,
        given: Option<&Bound<'py, PyDict>>,
        py: Python<'py>,
    ) -> PyResult<Keywords<'py>> {
        let given = match given {
            Some(given) => given.copy()?,
            None => PyDict::new(py),
        };
        Ok(Keywords {
            given,
            function,
            known: Vec::new(),
        })
    }

    /// The value of an option. None is as if it had not been given.
    pub(crate) fn take<T>(&mut self, name: &'static str) -> PyResult<Option<T>>
    where
        T: FromPyObjectOwned<'py>,
    {
        self.known.push(name);
        let Some(value) = self.given.get_item(name)? else {
            return Ok(None);
        };
        self.given.del_item(name)?;
        if value.is_none() {
            return Ok(None);
        }
        value.extract::<T>().map(Some).map_err(|error| {
            let error: PyErr = error.into();
            let py = self.given.py();
            if !(error.is_instance_of::<PyTypeError>(py)
                || error.is_instance_of::<PyValueError>(py)
                || error.is_instance_of::<PyOverflowError>(py))
            {
                // Somebody pressed Ctrl-C, for example.
                return error;
            }
            let kind = value.get_type().name();
            let kind = kind.map_or_else(|_| "this".to_owned(), |kind| kind.to_string());
            let why = error.value(py).to_string();
            let why = why.lines().next().unwrap_or_default().to_owned();
            PyTypeError::new_err(format!("{name}: {kind} is not what it takes ({why})"))
        })
    }

    fn is_set(&mut self, name: &'static str) -> PyResult<bool> {
        Ok(self.take(name)?.unwrap_or(false))
    }

    pub(crate) fn paths(&mut self, name: &'static str) -> PyResult<Vec<PathBuf>> {
        Ok(match self.take(name)? {
            None => Vec::new(),
            Some(Paths::One(path)) => vec![path],
            Some(Paths::Many(paths)) => paths,
        })
    }

    pub(crate) fn strings(&mut self, name: &'static str) -> PyResult<Vec<String>> {
        Ok(match self.take(name)? {
            None => Vec::new(),
            Some(Strings::One(text)) => vec![text],
            Some(Strings::Many(texts)) => texts,
        })
    }

    /// A number of bytes.
    pub(crate) fn size(&mut self, name: &'static str) -> PyResult<Option<u64>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Size::Bytes(bytes)) => Ok(Some(bytes)),
            Some(Size::Text(text)) => match parse_size(&text) {
                Some(bytes) => Ok(Some(bytes)),
                None => Err(of_option(name, not_a_size(&text))),
            },
        }
    }

    /// Refuses what nobody took.
    pub(crate) fn finish(self) -> PyResult<()> {
        let Some(stray) = self.given.keys().iter().next() else {
            return Ok(());
        };
        let known: Vec<&str> = (self.known.iter().copied())
            .filter(|name| !name.starts_with('_'))
            .collect();
        Err(PyTypeError::new_err(format!(
            "{}() has no option {stray}; it has {}",
            self.function,
            known.join(", ")
        )))
    }

    /// Who is told, and how many threads there are.
    pub(crate) fn audience(&mut self) -> PyResult<Audience> {
        Ok(Audience {
            progress: self.take("progress")?,
            remarks: self.take("_remarks")?,
            threads: self.take("threads")?,
        })
    }

    pub(crate) fn method(&mut self) -> PyResult<MethodOptions> {
        Ok(MethodOptions {
            recipe: self.take("recipe")?,
            measure: self.take("measure")?,
            threshold: self.take("threshold")?,
            dictionary: self.take("dictionary")?,
            key_file: self.take("key_file")?,
            key: given_key(),
        })
    }

    pub(crate) fn evidence(&mut self) -> PyResult<EvidenceOptions> {
        Ok(EvidenceOptions {
            aligner: self.take("aligner")?,
            synonyms: self.take("synonyms")?,
            vectors: self.take("vectors")?,
            base: self.paths("base")?,
            count_quotes: self.is_set("count_quotes")?,
            count_bibliography: self.is_set("count_bibliography")?,
        })
    }

    pub(crate) fn base_from(&mut self) -> PyResult<Option<BaseFrom>> {
        match self.take::<String>("base_from")?.as_deref() {
            None => Ok(None),
            Some("common") => Ok(Some(BaseFrom::Common)),
            Some(other) => Err(of_option("base_from", format!("{other} is not common"))),
        }
    }

    /// What to do with an id that is registered with another text.
    pub(crate) fn on_change(&mut self) -> PyResult<OnChange> {
        match self.take::<String>("on_change")?.as_deref() {
            None | Some("version") => Ok(OnChange::Version),
            Some("refuse") => Ok(OnChange::Refuse),
            Some(other) => {
                let reason = format!("{other} is neither version nor refuse");
                Err(of_option("on_change", reason))
            }
        }
    }

    pub(crate) fn approximate(&mut self) -> PyResult<Option<Approximate>> {
        let is_wanted = self.is_set("approximate")?;
        let approximate = Approximate {
            num_perm: self.take("num_perm")?,
            bands: self.take("bands")?,
            rows: self.take("rows")?,
            sketch_seed: self.take("sketch_seed")?,
        };
        if !is_wanted && approximate != Approximate::default() {
            let reason = "num_perm, bands, rows and sketch_seed are about sketches; give \
                          approximate=True, too";
            return Err(of_option("approximate", reason));
        }
        Ok(is_wanted.then_some(approximate))
    }

    /// Which registry, and where its key comes from.
    pub(crate) fn registry(&mut self, registry: PathBuf) -> PyResult<RegistryOptions> {
        Ok(RegistryOptions {
            registry,
            key_file: self.take("key_file")?,
            key: given_key(),
        })
    }

    /// How files are found and read.
    pub(crate) fn input(&mut self) -> PyResult<cento_ingest::Options> {
        let usual = Limits::default();
        let grouping = match (self.is_set("per_folder")?, self.is_set("per_file")?) {
            (true, true) => {
                let reason = "cannot be combined with per_file; leave one of them out";
                return Err(of_option("per_folder", reason));
            }
            (true, false) => Grouping::PerFolder,
            (false, true) => Grouping::PerFile,
            (false, false) => Grouping::Auto,
        };
        let file_size = self.size("max_file_size")?;
        let text_size = self.size("max_text_size")?.unwrap_or(usual.text_size);
        Ok(cento_ingest::Options {
            reading: Reading {
                limits: Limits {
                    file_size: file_size.unwrap_or(usual.file_size),
                    // Positions in a text are 32-bit numbers.
                    text_size: text_size.min(u64::from(u32::MAX) - 1),
                    ratio: self.take("max_ratio")?.unwrap_or(usual.ratio),
                    nesting: self.take("max_nesting")?.unwrap_or(usual.nesting),
                    entries: self.take("max_entries")?.unwrap_or(usual.entries),
                    time: self.time()?.unwrap_or(usual.time),
                    memory: self.size("max_reader_memory")?.unwrap_or(usual.memory),
                },
                encoding: self.encoding()?,
                keys: cento_ingest::Keys {
                    text: self.take("text_key")?,
                    id: self.take("id_key")?,
                },
                programs: match self.take::<String>("language")? {
                    None => Programs::Auto,
                    Some(name) => {
                        Programs::named(&name).map_err(|reason| of_option("language", reason))?
                    }
                },
                ..Reading::default()
            },
            grouping,
            include: self.strings("include")?,
            exclude: self.strings("exclude")?,
            follow_links: self.is_set("follow_links")?,
            isolation: self.isolation()?,
            ..cento_ingest::Options::default()
        })
    }

    fn time(&mut self) -> PyResult<Option<Duration>> {
        let Some(seconds) = self.take("max_time")? else {
            return Ok(None);
        };
        let time = Duration::try_from_secs_f64(seconds).ok();
        let time = time.filter(|time| !time.is_zero());
        time.map(Some).ok_or_else(|| {
            let reason = format!("{seconds} is not a number of seconds above 0");
            of_option("max_time", reason)
        })
    }

    fn encoding(&mut self) -> PyResult<Option<&'static Encoding>> {
        let Some(name) = self.take::<String>("encoding")? else {
            return Ok(None);
        };
        let encoding = Encoding::for_label(name.trim().as_bytes());
        encoding.map(Some).ok_or_else(|| {
            let known = "UTF-8, windows-1250, GBK, Shift_JIS and KOI8-R are";
            of_option("encoding", format!("{name} is not known; {known}"))
        })
    }

    /// The program that reads foreign formats: this process is Python, and cannot start itself for it.
    fn isolation(&mut self) -> PyResult<Isolation> {
        Ok(match self.take("_program")? {
            Some(program) => Isolation::Worker {
                program,
                arguments: vec!["read-files".to_owned()],
            },
            None => Isolation::InProcess,
        })
    }
}
