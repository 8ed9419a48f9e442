//! Documents against a registry.

mod exact;
pub mod shards;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use cento::align::Vocabulary;
use cento::index::registry::{Entry, Snapshot, Which};
use cento::report::Note;
use cento::token::Tokenizer;
use cento::verify::{Order, Query, VerifySettings, verify};
use cento::{Fingerprint, Listing, NoCollection, Recipe, Texts};
use cento_ingest::Input;
use serde::{Deserialize, Serialize, Serializer};

use self::exact::Sets;
use crate::documents::{Documents, GivenText, InMemory, Reader, Unreadable, by_id, read_all};
use crate::error::{Error, Result};
use crate::method::{
    BaseFrom, EvidenceOptions, Method, MethodOptions, expect_passages, passage_threshold, settled,
};
use crate::prepare::{About, query};
use crate::program;
use crate::registry::{RegisteredTexts, RegistryOptions, TextSources};
use crate::report::{Reported, TextOptions, TextsOf, Told, add_texts, complete};
use crate::scan::Settings;
use crate::submitter::{SubmitterFrom, Whose};
use crate::templates::Templates;
use crate::watch::{Step, Watch};

/// What is to be verified, against what.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// More documents, which are in memory.
    #[serde(skip)]
    pub given: Vec<InMemory>,
    /// More documents: texts that are in memory.
    #[serde(skip)]
    pub given_texts: Vec<GivenText>,
    /// The registry.
    pub registry: RegistryOptions,
    /// Whose the documents are.
    pub submitter: Option<String>,
    /// Where each document has a submitter of its own.
    pub submitter_from: Option<SubmitterFrom>,
    /// They are the registered documents of these ids: none of them finds itself, whoever submitted it.
    pub are_registered: bool,
    /// The set that they belong to.
    pub set: Option<String>,
    /// What stands before every id in the registry.
    pub id_prefix: String,
    /// What is looked for.
    pub search: SearchOptions,
    /// How shared text is found, and what of it counts.
    pub evidence: EvidenceOptions,
    /// How files are found and read.
    pub input: cento_ingest::Options,
    /// What of the texts the report is to have.
    pub texts: TextOptions,
}

/// What is looked for in a registry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on the command line"
)]
pub struct SearchOptions {
    /// What makes the score; without one what the paper of the registry's recipe scores by, and
    /// `max-containment` for recipes of no paper.
    pub measure: Option<String>,
    /// The lowest score of a document that is listed, 0.1 without one.
    pub threshold: Option<f64>,
    /// List at most this many registered documents for each document.
    pub top: Option<usize>,
    /// Another recipe for the documents in question; it may differ in the selector only.
    pub query_recipe: Option<String>,
    /// From which share of its own score on a passage is like another, in a registry of passages;
    /// 0.5 without one.
    pub passage_threshold: Option<f64>,
    /// Leave out what these submitters registered.
    pub exclude_submitters: Vec<String>,
    /// Leave out what the documents' own submitter registered.
    pub exclude_own_submitter: bool,
    /// Leave out these sets.
    pub exclude_sets: Vec<String>,
    /// Count registered versions of the documents themselves, too: those with the same id and the
    /// same submitter.
    pub include_own: bool,
    /// List also registered documents that share only text that many have.
    pub include_standard: bool,
    /// Text that does not count besides templates.
    pub base_from: Option<BaseFrom>,
    /// Where texts are that the registry does not keep.
    pub texts: TextSources,
    /// Say also what the scores of listed documents are by their texts, not by short digests.
    pub exact: bool,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The report.
    pub reported: Reported,
    /// The numbers of the registered documents, by their ids in the report; own versions, which are
    /// not listed there, by the ids that they would have.
    pub numbers: BTreeMap<String, u32>,
}

/// As JSON it is the report.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.reported.serialize(serializer)
    }
}

/// Decides, one question after the other, whether it is answered; if not, why.
pub type Gate<'a> = dyn FnMut(&Asked<'_>) -> Result<(), String> + 'a;

/// A question.
pub struct Asked<'a> {
    /// What is known of the document.
    pub query: &'a Query,
    /// Reads its text again.
    pub text: &'a dyn Fn() -> Result<String, String>,
}

/// Finds what documents share with those of a registry.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let snapshot = options.registry.place_to_read(watch)?.snapshot()?;
    let reader = Reader::new(&options.input);
    run_on(options, &snapshot, &reader, &mut |_| Ok(()), watch)
}

/// The same against a registry that is open, with readers that are there already.
pub fn run_on(
    options: &Options,
    snapshot: &Snapshot,
    reader: &Reader,
    gate: &mut Gate<'_>,
    watch: &Watch<'_>,
) -> Result<Outcome> {
    let reader = &reader.for_recipe(&snapshot.settings().recipe);
    let settings = settings(&options.search, &options.evidence, snapshot)?;
    exact::expect(&options.search, settings.method.measure, snapshot)?;
    let about = About {
        whose: Whose {
            submitter: options.submitter.clone(),
            from: options.submitter_from.clone(),
            id_prefix: options.id_prefix.clone(),
        },
        are_registered: options.are_registered,
        set: options.set.clone(),
        recipe: query_recipe(&options.search, snapshot)?,
    };
    let texts = options.given_texts.as_slice();
    let mut found = match (options.paths.as_slice(), texts) {
        ([], []) => Documents::default(),
        (paths, texts) => reader.find_with(paths, texts, watch)?,
    };
    let given = options.given.iter();
    found
        .inputs
        .extend(given.map(|given| reader.in_memory(given)));
    let Documents {
        inputs,
        mut skipped,
        notes,
        ..
    } = found;
    let read = read_all(&inputs, &mut skipped, watch, |input| {
        query(input, &about, snapshot)
    })?;
    let documents = by_id(&inputs);
    let mut queries = Vec::with_capacity(read.len());
    for query in read {
        let text = || match documents.get(query.id.as_str()) {
            Some(input) => input
                .read()
                .map(|text| text.content)
                .map_err(|error| error.to_string()),
            None => Err("it is gone".to_owned()),
        };
        let asked = Asked {
            query: &query,
            text: &text,
        };
        match gate(&asked) {
            Ok(()) => queries.push(query),
            Err(reason) => skipped.push(Unreadable::Other(reason).of(&query.id)),
        }
    }
    skipped.sort();
    let search = Search {
        options: &options.search,
        settings: &settings,
        snapshot,
        reader,
        texts: options.texts,
    };
    let mut outcome = search.run(&queries, &inputs, watch)?;
    let report = &mut outcome.reported.report;
    report.skipped = skipped;
    report
        .notes
        .extend(notes.iter().map(|note| Note::Layout(note.to_string())));
    Ok(outcome)
}

/// What the options mean: the recipe and the key are the registry's.
pub(crate) fn settings(
    search: &SearchOptions,
    evidence: &EvidenceOptions,
    snapshot: &Snapshot,
) -> Result<Settings> {
    let mut problems = Vec::new();
    let method = MethodOptions {
        measure: search.measure.clone(),
        threshold: search.threshold,
        ..MethodOptions::default()
    };
    let method = method.settle(&mut problems);
    let asked = evidence;
    let evidence = asked.settle(search.base_from, &mut problems);
    let passage_threshold = passage_threshold(search.passage_threshold, &mut problems);
    let (method, mut evidence) = settled(method.zip(evidence), problems)?;
    let recipe = snapshot.settings().recipe.clone();
    evidence.suit(&recipe, asked)?;
    expect_passages(search.passage_threshold, &recipe)?;
    let method = Method {
        name: recipe.to_string(),
        measure: match search.measure {
            Some(_) => method.measure,
            None => recipe.measure(),
        },
        recipe,
        key: snapshot.prepare().key().clone(),
        ..method
    };
    Ok(Settings {
        method,
        evidence,
        listing: Listing::Score,
        passage_threshold,
        author: None,
    })
}

fn query_recipe(search: &SearchOptions, snapshot: &Snapshot) -> Result<Option<Recipe>> {
    let Some(name) = &search.query_recipe else {
        return Ok(None);
    };
    let problem = |error: cento::Error| Error::option("query-recipe", error);
    let registered = &snapshot.settings().recipe;
    let dictionary = registered.word_list();
    let mut recipe = match dictionary {
        Some(list) if name.contains("keep:") => {
            let list = std::slice::from_ref(list);
            Recipe::parse_with(name, list).map_err(|error| problem(error.into()))?
        }
        _ => Recipe::named(name).map_err(problem)?,
    };
    // The registry's dictionary goes without saying.
    if let (Tokenizer::Words(words), Some(list)) = (&mut recipe.tokenizer, dictionary) {
        words.keep = Some(list.clone());
    }
    if snapshot.settings().recipe.is_keyed() {
        recipe = recipe.keyed();
    }
    // Refuses a recipe that differs in more than the selector.
    let tried = snapshot.prepare().fingerprints_by(&recipe, "");
    tried.map_err(problem)?;
    Ok(Some(recipe))
}

/// A search in a registry.
pub(crate) struct Search<'a> {
    pub(crate) options: &'a SearchOptions,
    pub(crate) settings: &'a Settings,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) reader: &'a Reader,
    pub(crate) texts: TextOptions,
}

impl Search<'_> {
    /// What documents share with those of the registry.
    pub(crate) fn run(
        &self,
        queries: &[Query],
        inputs: &[Input],
        watch: &Watch<'_>,
    ) -> Result<Outcome> {
        let snapshot = self.snapshot;
        let registered = RegisteredTexts::new(snapshot, &self.options.texts, self.reader);
        let method = &self.settings.method;
        let templates = Templates::read(
            &self.settings.evidence.base,
            &[],
            self.reader,
            &method.recipe,
            &method.key,
        )?;
        let verifying = self.verifying(&templates);
        let documents = by_id(inputs);
        let read = |id: &str| Some(program::content(&documents.get(id)?.read().ok()?));
        let mut verification = watch.during(Step::Comparing, |watch| {
            verify(snapshot, queries, &verifying, watch)
        })?;
        let known = verification.listed().chain(verification.candidates());
        let known = known.map(|(id, entry)| (id, entry.clone()));
        let entries: HashMap<String, Entry> = known.collect();
        let read = |id: &str| match entries.get(id) {
            Some(entry) => registered.read(entry),
            None => read(id),
        };
        let read_text = |id: &str| Some(read(id)?.text);
        let aligner = self.settings.evidence.aligner;
        let aligner = aligner.filter(|_| registered.are_at_hand());
        let meanings = |words: &Vocabulary| self.settings.evidence.meanings.of(words);
        let texts = aligner.map(|aligner| Texts {
            aligner,
            meanings: &meanings,
            read: &read,
            marks: self.texts.texts != TextsOf::None,
            templates: templates.texts.clone(),
            key: &method.key,
            seen: &NoCollection,
        });
        let mut report = watch.during(Step::Aligning, |watch| {
            verification.report(texts.as_ref(), watch)
        })?;
        // What is missing is said by the texts, with the reason.
        report
            .notes
            .retain(|note| !matches!(note, Note::NotAligned { .. } | Note::MoreNotAligned { .. }));
        // A report does not name what was only looked at.
        let listed = verification.listed();
        let listed: BTreeSet<&str> = listed.map(|(_, entry)| entry.facts.id.as_str()).collect();
        let mut missing = registered.notes();
        missing.retain(|note| note.documents().iter().all(|id| listed.contains(id)));
        report.notes.extend(missing);
        if self.is_exact(&registered) {
            let sets = Sets::new(queries, &entries);
            let measure = method.measure;
            exact::add(
                &mut report,
                snapshot,
                measure,
                &verifying.base,
                &sets,
                &read_text,
                watch,
            );
        }
        add_texts(&mut report, self.texts, &read_text, &documents, watch);
        watch.go_on()?;
        let numbers: BTreeMap<String, u32> = verification
            .listed()
            .chain(verification.own())
            .map(|(id, entry)| (id, entry.number))
            .collect();
        let told = Told {
            method,
            evidence: &self.settings.evidence,
            templates: &templates,
            old: &[],
            programs: self.reader.programs(),
        };
        complete(&mut report, &told, inputs, Vec::new());
        Ok(Outcome {
            reported: Reported {
                report,
                templates: templates.into_texts(),
                read: queries.len(),
                is_found: verification.is_found(),
            },
            numbers,
        })
    }

    /// Whether exact scores are asked for, or somebody is to look at a page for which digests are too
    /// short to rely on.
    fn is_exact(&self, registered: &RegisteredTexts<'_>) -> bool {
        let is_looked_at = self.texts.texts != TextsOf::None && exact::are_short(self.snapshot);
        registered.are_at_hand() && (self.options.exact || is_looked_at)
    }

    fn verifying(&self, templates: &Templates) -> VerifySettings {
        let prepare = self.snapshot.prepare();
        let base = templates.texts.iter().map(|text| prepare.template(text));
        let base = Fingerprint::union(&base.collect::<Vec<_>>());
        let search = self.options;
        let submitters = search.exclude_submitters.iter().cloned();
        let sets = search.exclude_sets.iter().cloned();
        VerifySettings {
            measure: self.settings.method.measure,
            threshold: self.settings.method.threshold,
            // Who asks for a measure wants to see what it says, and one that ranks has a say in what is
            // rare itself.
            order: if search.measure.is_some() || !self.settings.method.measure.is_set() {
                Order::Score
            } else {
                Order::Weight
            },
            top: search.top,
            passage_threshold: self.settings.passage_threshold,
            exclude: submitters
                .map(Which::Submitter)
                .chain(sets.map(Which::Set))
                .collect(),
            exclude_own_submitter: search.exclude_own_submitter,
            include_own: search.include_own,
            include_standard: search.include_standard,
            base: base.digests().to_vec(),
            left_out: self.settings.evidence.left_out,
        }
    }
}
