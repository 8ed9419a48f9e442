//! Documents that are like another one are removed, and one of each is kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use cento::NoCollection;
use cento::index::ClusterQuery;
use serde_json::{Value, json};

use super::choose::Chosen;
use super::compare::Comparison;
use super::corpus::Corpus;
use super::dataset::Dataset;
use super::needs::Needs;
use super::options::{Clusters, NearDuplicates, Options};
use super::outcome::NearDuplicatesOutcome;
use super::output::Output;
use super::place::DataPlace;
use super::record::Record;
use super::registered::{Known, Registered, Registration};
use super::sources::Sources;
use super::streams::is_standard;
use super::work::{Before, Work};
use super::write::{ADDED, write};
use crate::documents::Reader;
use crate::error::Result;
use crate::watch::{Remark, Watch};

/// Keeps one of each.
pub(super) fn run(
    options: &Options,
    wanted: &NearDuplicates,
    watch: &Watch<'_>,
) -> Result<NearDuplicatesOutcome> {
    let mut comparison = Comparison::of(options, wanted, watch)?;
    let folder = work_folder(options, wanted);
    watch.cleaned_up(&folder, Work::clean(&folder)?);
    let is_continued = Work::is_in(&folder);
    let output = Output::at(options, is_continued, watch)?;
    let registry = match &wanted.registry {
        Some(path) => Some(Registered::open(path, wanted, &mut comparison, watch)?),
        None => None,
    };
    let reader = Reader::for_recipes(&options.input, [&comparison.recipe]);
    let field = comparison.keep.field();
    let corpus = Corpus::find(&options.inputs, field, &reader, watch)?;
    corpus.expect_field()?;
    if options.annotate {
        corpus.expect_new(&ADDED)?;
    }
    let needs = Needs::of(&corpus, &comparison, wanted.max_memory, watch)?;
    output.expect_room(&corpus, &options.kind)?;
    let fits = needs.fits() && !wants_work(options, wanted) && !is_continued;
    needs.expect_possible(&folder, &DataPlace::disk(&options.output), fits)?;
    if comparison.exact {
        // Texts are held besides what the estimate counts.
        comparison.query.memory = needs.table.max(16 << 20);
    }
    let work = if fits {
        None
    } else {
        if is_continued {
            watch.remark(Remark::GoingOn(folder.clone()));
        }
        comparison.query.memory = needs.table;
        let run = description(wanted, &corpus, &comparison, options);
        Some(Work::open(&folder, &run)?)
    };
    let job = Job {
        options,
        wanted,
        comparison,
        corpus,
    };
    let outcome = job.finish(work, registry, output, watch)?;
    Ok(NearDuplicatesOutcome {
        is_continued,
        ..outcome
    })
}

/// Whether a run needs its folder even if it fits into memory. A registry knows its documents once they
/// are registered: if it is killed between writing and registering, only what it knew before helps.
pub(super) fn wants_work(options: &Options, wanted: &NearDuplicates) -> bool {
    let registers = wanted.registry.is_some() && !is_standard(&options.output);
    wanted.work.is_some() || registers
}

/// Where a run goes on that does not fit into memory.
pub(super) fn work_folder(options: &Options, wanted: &NearDuplicates) -> PathBuf {
    match &wanted.work {
        Some(folder) => folder.clone(),
        None if is_standard(&options.output) => Work::beside(Path::new("stdout")),
        None => Work::beside(&options.output),
    }
}

/// What is to be done.
struct Job<'a> {
    options: &'a Options,
    wanted: &'a NearDuplicates,
    comparison: Comparison,
    corpus: Corpus,
}

impl Job<'_> {
    /// Reads everything, chooses, and writes it down. It can be stopped until everything is ready;
    /// then the output gets its names, what is kept is registered, and the work is removed.
    fn finish(
        self,
        work: Option<(Work, Before)>,
        mut registry: Option<Registered>,
        mut output: Output,
        watch: &Watch<'_>,
    ) -> Result<NearDuplicatesOutcome> {
        let (corpus, comparison) = (&self.corpus, &self.comparison);
        let (mut work, before) = work.unzip();
        let reading = work.as_mut().zip(before);
        let dataset = Dataset::read(corpus, comparison, reading, watch)?;
        dataset.expect_few_errors(self.options.max_errors)?;
        let without_field = match dataset.without_field(&comparison.keep, corpus) {
            Ok(lacking) => lacking,
            Err(error) => {
                // Nobody can go on there: another field is another run.
                drop(dataset);
                work.map_or(Ok(()), Work::remove)?;
                return Err(error);
            }
        };
        let known = match &registry {
            Some(registry) => self.known(registry, &dataset, work.as_ref(), watch)?,
            None => Vec::new(),
        };
        let chosen = Chosen::of(corpus, &dataset, known, comparison, work.as_ref(), watch)?;
        let annotate = self.options.annotate;
        write(
            &mut output,
            corpus,
            &chosen,
            &dataset.skipped,
            annotate,
            watch,
        )?;
        let registration = match &mut registry {
            Some(registry) => Some(registry.add(corpus, &chosen, watch)?),
            None => None,
        };
        let outcome = NearDuplicatesOutcome {
            without_field,
            ..self.outcome(&dataset, &chosen, registration)
        };
        self.write_record(&outcome, &mut output)?;
        watch.go_on()?;
        output.finish()?;
        if let Some(registry) = registry {
            registry.finish()?;
        }
        drop(chosen);
        drop(dataset);
        work.map_or(Ok(()), Work::remove)?;
        Ok(outcome)
    }

    /// What a registry knows of the documents; with a work folder, what it knew at first.
    fn known(
        &self,
        registry: &Registered,
        dataset: &Dataset,
        work: Option<&Work>,
        watch: &Watch<'_>,
    ) -> Result<Vec<Option<Known>>> {
        if let Some(work) = work
            && let Some(known) = work.known()?
            && known.len() == dataset.documents.len()
        {
            return Ok(known);
        }
        let known = registry.known(&dataset.store, &self.comparison, watch)?;
        if let Some(work) = work {
            work.save_known(&known)?;
        }
        Ok(known)
    }

    fn write_record(&self, done: &NearDuplicatesOutcome, output: &mut Output) -> Result<()> {
        let Comparison {
            keep,
            clusters,
            query,
            exact,
            drop_all,
            ..
        } = &self.comparison;
        let mut options = json!({
            "kind": "near-duplicates",
            "keep": keep.to_string(),
            "drop_all": drop_all,
            "exact": exact,
        });
        if !exact {
            options["clusters"] = json!(clusters);
            options["measure"] = json!(done.measure);
            options["recipe"] = json!(done.recipe);
            options["threshold"] = json!(done.threshold);
            options["approximate"] = sketches(query);
            let registry = self.wanted.registry.as_ref();
            options["registry"] = json!(registry.map(|path| path.display().to_string()));
        }
        let record = Record {
            options,
            inputs: &done.sources,
            tests: None,
            counts: json!({
                "documents": done.documents,
                "kept": done.kept,
                "removed": done.removed,
                "identical": done.identical,
                "in_registry": done.in_registry,
                "repeated_ids": done.repeated_ids,
                "skipped": done.skipped,
                "without_field": done.without_field,
            }),
        };
        record.write(self.options, output)
    }

    fn outcome(
        &self,
        dataset: &Dataset,
        chosen: &Chosen<'_>,
        registration: Option<Registration>,
    ) -> NearDuplicatesOutcome {
        let (mut kept, mut in_registry, mut identical) = (0, 0, 0);
        let mut sources = Sources::of(&self.corpus);
        let mut repeated: BTreeMap<String, u64> = BTreeMap::new();
        for fate in chosen.all() {
            let characters = fate.document.characters;
            let source = self.corpus.source(fate.document.identity);
            sources.add(source, characters, fate.is_kept.then_some(characters));
            kept += usize::from(fate.is_kept);
            in_registry += usize::from(fate.is_registered);
            let is_like_kept = !fate.is_first && !fate.is_registered;
            identical += usize::from(is_like_kept && fate.similarity >= 1.0);
            *repeated.entry(fate.document.id.to_string()).or_default() += 1;
        }
        repeated.retain(|_, count| *count > 1);
        let documents = dataset.documents.len();
        let done = registration.unwrap_or_default();
        NearDuplicatesOutcome {
            documents,
            drop_all: self.comparison.drop_all,
            exact: self.comparison.exact,
            identical,
            in_registry: registration.map(|_| in_registry),
            keep: self.comparison.keep.to_string(),
            kept,
            measure: self.comparison.query.measure.to_string(),
            recipe: self.comparison.recipe.to_string(),
            registered: registration.map(|done| done.registered),
            removed: documents - kept,
            repeated_ids: repeated.len(),
            schema: "cento.dedupe/1",
            skipped: dataset.skipped.len(),
            sources: sources.finish(),
            threshold: self.comparison.query.at_least,
            without_field: None,
            repeated,
            without_words: done.without_words,
            not_read_again: done.not_read_again,
            of_submitters: done.of_submitters,
            has_packed: self.corpus.has_packed(),
            input_bytes: self.corpus.bytes(),
            is_continued: false,
        }
    }
}

/// What the work in a folder belongs to: everything that the result depends on.
fn description(
    wanted: &NearDuplicates,
    corpus: &Corpus,
    comparison: &Comparison,
    options: &Options,
) -> Value {
    let tables = corpus.tables.iter().map(|table| match &table.standard {
        Some(standard) => standard.description(),
        None => file(table.shard.path()),
    });
    let others = corpus.others.iter().map(|other| file(&other.path));
    let (recipe, query) = (&comparison.recipe, &comparison.query);
    let key = recipe.fingerprint("key check", &comparison.key, &NoCollection);
    let key = key.digests().iter().map(|digest| digest.0.to_string());
    let keys = &options.input.reading.keys;
    let mut run = json!({
        "schema": "cento.dedupe.work/3",
        "version": env!("CARGO_PKG_VERSION"),
        // What is there when the run goes on is its own: at first there was nothing.
        "output": options.output.display().to_string(),
        "tables": tables.collect::<Vec<Value>>(),
        "others": others.collect::<Vec<Value>>(),
        "text_key": keys.text,
        "id_key": keys.id,
        "recipe": recipe.to_string(),
        "key": key.collect::<Vec<String>>(),
        "measure": query.measure.to_string(),
        "threshold": query.at_least,
        "keep": comparison.keep.to_string(),
        "exact": comparison.exact,
        "clusters": comparison.clusters == Clusters::Star,
        "approximate": sketches(query),
    });
    if let Some(registry) = &wanted.registry {
        run["registry"] = json!(registry.display().to_string());
    }
    run
}

/// How sketches are made, if they are.
fn sketches(query: &ClusterQuery) -> Value {
    json!(
        query
            .sketcher
            .map(|sketcher| { json!([sketcher.bands.bands, sketcher.bands.rows, sketcher.seed]) })
    )
}

/// A file as it is now.
fn file(path: &Path) -> Value {
    let data = path.metadata().ok();
    let changed = data.as_ref().and_then(|data| data.modified().ok());
    let since = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    json!([
        path.display().to_string(),
        data.map(|data| data.len()),
        since.map(|since| since.as_nanos().to_string())
    ])
}
