//! Readers, and what must hold of them.

mod documents;
mod files;
mod lists;
mod page;
mod programs;
mod recipe;
mod segment;
mod suffixes;
mod tables;
mod web_archives;

use std::panic::{AssertUnwindSafe, catch_unwind};

use cento_ingest::Error;

use crate::mutate::{Random, mutate};

/// A reader, sound inputs for it, and what must hold whatever it is given.
pub struct Target {
    /// What it is called.
    pub name: &'static str,
    seeds: Vec<Seed>,
    check: Check,
}

/// Gives an input of this name to a reader; an error says what does not hold.
type Check = fn(name: &str, input: &[u8]) -> Result<(), String>;

/// A sound input.
pub struct Seed {
    /// A file name: some readers look at its end.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// An input that a reader does not survive.
#[derive(Debug)]
pub struct Failure {
    /// The number of the input.
    pub number: u64,
    /// Its name.
    pub name: String,
    /// The input.
    pub input: Vec<u8>,
    /// What happened.
    pub reason: String,
}

/// All readers.
pub fn targets() -> Vec<Target> {
    vec![
        documents::target(),
        files::target(),
        tables::target(),
        lists::target(),
        recipe::target(),
        segment::target(),
        page::target(),
        suffixes::target(),
        programs::target(),
        web_archives::target(),
    ]
}

impl Target {
    /// An input of a run, and its name. The first ones are the sound inputs themselves.
    pub fn input(&self, seed: u64, number: u64) -> (&str, Vec<u8>) {
        if let Some(sound) = usize::try_from(number).ok().and_then(|n| self.seeds.get(n)) {
            return (&sound.name, sound.bytes.clone());
        }
        let mut random = Random::new(seed.rotate_left(32) ^ number);
        let [one, other] = [(); 2].map(|()| &self.seeds[random.below(self.seeds.len())]);
        (&one.name, mutate(&one.bytes, &other.bytes, &mut random))
    }

    /// Gives an input to the reader; an error says what does not hold.
    pub fn check(&self, name: &str, input: &[u8]) -> Result<(), String> {
        let check = || (self.check)(name, input);
        catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panic: {}", words.unwrap_or("without words")))
        })
    }

    /// Tries the first inputs of a run.
    pub fn run(&self, seed: u64, count: u64) -> Result<(), Failure> {
        for number in 0..count {
            let (name, input) = self.input(seed, number);
            if let Err(reason) = self.check(name, &input) {
                let name = name.to_owned();
                return Err(Failure {
                    number,
                    name,
                    input,
                    reason,
                });
            }
        }
        Ok(())
    }
}

impl Seed {
    fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Seed {
        Seed {
            name: name.into(),
            bytes: bytes.into(),
        }
    }
}

/// An input may be refused, but in a sentence, and not because a parser failed.
fn refused(error: &Error) -> Result<(), String> {
    if is_failure(error) {
        return Err(format!("the parser panicked: {error}"));
    }
    let reason = error.to_string();
    if reason.is_empty() || reason.contains('\n') {
        return Err(format!("not a sentence: {reason:?}"));
    }
    Ok(())
}

fn is_failure(error: &Error) -> bool {
    match error {
        Error::Failed(_) => true,
        Error::In { error, .. } => is_failure(error),
        Error::Parts(errors) => errors.iter().any(is_failure),
        _ => false,
    }
}

fn holds(is_true: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if is_true { Ok(()) } else { Err(otherwise()) }
}
