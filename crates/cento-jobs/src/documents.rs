//! Paths → documents that can be read, and the one way in which jobs read many of them.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use cento::report::Skipped;
use cento::token::Content;
use cento::{Counts, Fingerprint, NoCollection, Recipe};
use cento_ingest::{
    Disguise, FoundDocument, Grouping, Input, LayoutNote, Options, Programs, Readers, Scope,
};
use rayon::prelude::*;

use crate::error::{At as _, Error, Result};
use crate::program;
use crate::watch::{Remark, Step, Watch};

/// A document that is in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InMemory {
    /// What it is called: its id.
    pub name: String,
    /// What its file would have.
    pub bytes: Vec<u8>,
}

/// A text that is in memory. It is taken as it is, whatever format it may look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenText {
    /// What it is called: its id.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
}

/// What is under some paths.
#[derive(Default)]
pub(crate) struct Documents {
    pub(crate) inputs: Vec<Input>,
    /// Files that the layout names as templates.
    pub(crate) templates: Vec<Input>,
    pub(crate) skipped: Vec<Skipped>,
    /// What was assumed about the layout.
    pub(crate) notes: Vec<LayoutNote>,
}

/// Finds and reads documents.
#[derive(Clone)]
pub struct Reader {
    options: Options,
    readers: Arc<Readers>,
}

/// What of a document is read for a recipe.
fn scope_for(recipe: &Recipe) -> Scope {
    if recipe.leaves_out_code() {
        Scope::AllButCode
    } else if recipe.is_for_mail() {
        Scope::Message
    } else {
        Scope::MainText
    }
}

impl Reader {
    /// Reads as these options say, with readers of its own.
    pub fn new(options: &Options) -> Reader {
        Reader {
            options: options.clone(),
            readers: Arc::new(Readers::new(options)),
        }
    }

    /// The same for documents that become fingerprints by these recipes. If they want to see
    /// different parts of a page, all see its main text, so that they can be compared.
    pub(crate) fn for_recipes<'r>(
        options: &Options,
        recipes: impl IntoIterator<Item = &'r Recipe>,
    ) -> Reader {
        let mut options = options.clone();
        let mut recipes = recipes.into_iter().peekable();
        let is_for_programs = (recipes.peek()).is_some_and(|recipe| recipe.is_for_programs());
        let mut scopes = recipes.map(scope_for);
        if let Some(scope) = scopes.next()
            && scopes.all(|other| other == scope)
        {
            options.reading.scope = scope;
        }
        if is_for_programs && options.reading.programs == Programs::Auto {
            options.reading.programs = Programs::Recognised;
        }
        Reader::new(&options)
    }

    /// What it takes for programs.
    pub(crate) fn programs(&self) -> &Programs {
        &self.options.reading.programs
    }

    /// The same reader, or one that reads as a recipe wants it.
    #[must_use]
    pub fn for_recipe(&self, recipe: &Recipe) -> Reader {
        let is_same_scope = scope_for(recipe) == self.options.reading.scope;
        let has_programs = self.options.reading.programs != Programs::Auto;
        if is_same_scope && (has_programs || !recipe.is_for_programs()) {
            self.clone()
        } else {
            Reader::for_recipes(&self.options, [recipe])
        }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Finds documents, and tells what was assumed about the layout.
    pub(crate) fn find(&self, paths: &[PathBuf], watch: &Watch<'_>) -> Result<Documents> {
        watch.begin(Step::Finding, 0, 0);
        let found = self.find_by(paths, &self.options)?;
        for note in &found.notes {
            watch.remark(Remark::Layout(note.clone()));
        }
        watch.go_on()?;
        Ok(found)
    }

    /// The same with texts that are in memory.
    pub(crate) fn find_with(
        &self,
        paths: &[PathBuf],
        texts: &[GivenText],
        watch: &Watch<'_>,
    ) -> Result<Documents> {
        let mut found = match (paths, texts) {
            ([], [_, ..]) => Documents::default(),
            (paths, _) => self.find(paths, watch)?,
        };
        let ids = found.inputs.iter().map(|input| input.id().to_owned());
        let mut ids: HashSet<String> = ids.collect();
        for given in texts {
            if !ids.insert(given.name.clone()) {
                let reason = format!("two documents are called {}", given.name.escape_debug());
                return Err(Error::Refused(reason));
            }
        }
        if !texts.is_empty() {
            let given = texts.iter().map(|given| self.given(given));
            found.inputs.extend(given);
            // Numbers of documents follow their ids.
            found.inputs.sort_by(|one, other| one.id().cmp(other.id()));
        }
        Ok(found)
    }

    /// A text that is in memory.
    pub(crate) fn given(&self, given: &GivenText) -> Input {
        let found = FoundDocument::text(&given.name, Arc::clone(&given.text));
        Input::new(found, &self.readers)
    }

    /// The same, but every file is a document.
    pub(crate) fn find_files(&self, paths: &[PathBuf]) -> Result<Documents> {
        let options = Options {
            grouping: Grouping::PerFile,
            ..self.options.clone()
        };
        self.find_by(paths, &options)
    }

    fn find_by(&self, paths: &[PathBuf], options: &Options) -> Result<Documents> {
        let found = cento_ingest::find_inputs(paths, options, &self.readers)?;
        let skipped = found.skipped.into_iter();
        let skipped = skipped.map(|file| Unreadable::File(file.error).of(&file.id));
        Ok(Documents {
            inputs: found.inputs,
            templates: found.templates,
            skipped: skipped.collect(),
            notes: found.notes,
        })
    }

    /// A document that is in memory.
    pub(crate) fn in_memory(&self, given: &InMemory) -> Input {
        let found = FoundDocument::in_memory(&given.name, given.bytes.clone());
        Input::new(found, &self.readers)
    }

    /// A program after a disguise, which is made where foreign files are read.
    pub(crate) fn disguise(&self, text: &str, disguise: Disguise) -> Result<String> {
        let disguised = self.readers.disguise(text, disguise);
        disguised.map_err(Error::refused)
    }

    /// The only document under a path; all files under it if documents are folders.
    pub(crate) fn single(&self, path: &PathBuf) -> Result<Input> {
        let found = self.find_files(std::slice::from_ref(path))?;
        let mut inputs = found.inputs;
        if self.options.grouping == Grouping::PerFolder && inputs.len() > 1 {
            let mut whole = inputs.remove(0);
            whole.absorb(inputs);
            return Ok(whole);
        }
        let refused = |reason: &str| Err(Error::refused(reason)).at(path.display());
        match <[Input; 1]>::try_from(inputs) {
            Ok([input]) => Ok(input),
            Err(inputs) if inputs.is_empty() => match found.skipped.first() {
                Some(skipped) => refused(&skipped.reason),
                None => refused("an empty folder; give a file"),
            },
            Err(_) => refused(
                "a folder or an archive with several files; give one of them, or take each folder \
                 as one document",
            ),
        }
    }
}

/// Reads documents in parallel and makes something of each. What could not be read is skipped, with
/// the reason, in the order of the ids.
pub(crate) fn read_all<T: Send>(
    inputs: &[Input],
    skipped: &mut Vec<Skipped>,
    watch: &Watch<'_>,
    read: impl Fn(&Input) -> Result<T, Unreadable> + Sync,
) -> Result<Vec<T>> {
    watch.begin(Step::Reading, inputs.len(), bytes(inputs));
    let results: Vec<Option<Result<T, Skipped>>> = inputs
        .par_iter()
        .map(|input| {
            if watch.is_stopped() {
                return None;
            }
            let result = read(input).map_err(|why| why.of(input.id()));
            watch.advance(1, input.size());
            Some(result)
        })
        .collect();
    watch.end();
    watch.go_on()?;
    let mut all = Vec::with_capacity(results.len());
    for result in results.into_iter().flatten() {
        match result {
            Ok(one) => all.push(one),
            Err(reason) => skipped.push(reason),
        }
    }
    skipped.sort();
    Ok(all)
}

/// Why a document cannot be one.
#[derive(Clone, Debug)]
pub(crate) enum Unreadable {
    /// Its file could not be read.
    File(cento_ingest::Error),
    /// It has no words that the recipe sees.
    NoWords,
    /// It is a program that does nothing.
    NoCode,
    /// Something else.
    Other(String),
}

impl Unreadable {
    /// Of a document in which there is nothing that could be compared.
    pub(crate) fn empty(content: &Content) -> Unreadable {
        match content.program {
            Some(_) => Unreadable::NoCode,
            None => Unreadable::NoWords,
        }
    }

    /// The same for a job that cannot do without the document.
    pub(crate) fn error(self) -> Error {
        match self {
            Unreadable::File(error) => error.into(),
            Unreadable::NoWords | Unreadable::NoCode | Unreadable::Other(_) => {
                Error::Refused(self.of("").reason)
            }
        }
    }

    pub(crate) fn of(&self, id: &str) -> Skipped {
        match self {
            Unreadable::File(error) => Skipped {
                limit: error.limit().map(|limit| limit.name().to_owned()),
                format: error.format().map(|format| format.name().to_owned()),
                ..Skipped::new(id, error.to_string())
            },
            Unreadable::NoWords => Skipped::new(id, "no words in it"),
            Unreadable::NoCode => Skipped::new(
                id,
                "a program with nothing in it but declarations and comments",
            ),
            Unreadable::Other(reason) => Skipped::new(id, reason.as_str()),
        }
    }
}

impl From<cento_ingest::Error> for Unreadable {
    fn from(error: cento_ingest::Error) -> Unreadable {
        Unreadable::File(error)
    }
}

/// How many bytes there are to read.
pub(crate) fn bytes(inputs: &[Input]) -> u64 {
    inputs.iter().map(Input::size).sum()
}

/// Documents by their ids, to be read again.
pub(crate) fn by_id(inputs: &[Input]) -> HashMap<&str, &Input> {
    inputs.iter().map(|input| (input.id(), input)).collect()
}

/// The document frequencies of the whole collection, for the recipes that ask about it.
pub(crate) fn count(
    inputs: &[Input],
    counted: &Recipe,
    key: &cento::Key,
    watch: &Watch<'_>,
) -> Result<Counts> {
    watch.begin(Step::Counting, inputs.len(), 0);
    let mut counts = Counts::default();
    // A batch at a time, so that only its fingerprints are in memory beside the counts.
    for batch in inputs.chunks(256) {
        watch.go_on()?;
        let fingerprints: Vec<Option<Fingerprint>> = batch
            .par_iter()
            .map(|input| {
                let text = input.read().ok().filter(|_| !watch.is_stopped());
                watch.advance(1, 0);
                text.map(|text| counted.fingerprint(&program::content(&text), key, &NoCollection))
            })
            .collect();
        let fingerprints = fingerprints.iter().flatten();
        fingerprints
            .filter(|fingerprint| fingerprint.tokens() > 0)
            .for_each(|fingerprint| counts.add(fingerprint));
    }
    watch.end();
    watch.go_on()?;
    Ok(counts)
}
