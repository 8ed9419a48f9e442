//! `cento eval`: how well methods find what belongs together, on a labelled collection.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use cento::eval::advise::Advice;
use cento::eval::judge::{Effectiveness, Judged};
use cento::index::{Index, PairQuery, Sums};
use cento::{Counts, Fingerprint, Key, Measure, NoCollection, Recipe, Watch};
use rayon::prelude::*;

use crate::args::{EvalArgs, General, TableFormat};
use crate::config::{Settings, Typed, key, settle};
use crate::load;
use crate::progress::Progress;
use crate::verbs::{advise, eval_pan, eval_text, use_threads};
use crate::{Outcome, output};

/// One method on the collection.
pub(crate) struct Row {
    pub(crate) recipe: String,
    pub(crate) measure: Measure,
    pub(crate) effectiveness: Effectiveness,
    pub(crate) details: Vec<(String, Judged)>,
    pub(crate) postings: u64,
    pub(crate) index_bytes: u64,
    /// Seconds to make the fingerprints and the index.
    pub(crate) index_seconds: f64,
    /// Seconds for all queries.
    pub(crate) query_seconds: f64,
    /// Postings that the queries read.
    pub(crate) postings_read: u64,
}

pub(crate) fn run(args: EvalArgs, general: &General) -> Result<Outcome> {
    if args.pan {
        return eval_pan::run(args, general);
    }
    let methods = methods(&args)?;
    let typed = Typed {
        reading: args.reading,
        ..Typed::default()
    };
    let mut settings = settle(typed, general)?;
    if methods.iter().any(|method| method.recipe.is_keyed()) {
        settings.key = key(settings.key_file.as_deref())?;
    }
    let format = settings.format.of_table()?;
    use_threads(&settings)?;
    if args.by_itself {
        return by_itself(&args.collection, &methods, format, &settings);
    }
    let collection = Collection::read(&args.collection, &settings)?;
    let mut rows: Vec<Row> = Vec::new();
    // Methods that share a recipe share its index.
    for same_recipe in methods.chunk_by(|a, b| a.recipe == b.recipe && a.query == b.query) {
        rows.extend(collection.judge(same_recipe, args.passage_threshold, &settings.key)?);
    }
    let printed = match format {
        TableFormat::Text => eval_text::table(&rows, args.detail),
        TableFormat::Json => eval_text::json(&rows, args.detail)?,
        TableFormat::Csv => eval_text::csv(&rows, args.detail),
    };
    output::result(&printed)?;
    if !settings.quiet {
        output::message(&format!(
            "{} documents, {} queries",
            collection.documents.len(),
            collection.queries.len()
        ));
    }
    Ok(Outcome::Done)
}

/// `--self`: what the documents say without labels, method by method.
fn by_itself(
    folder: &Path,
    methods: &[Method],
    format: TableFormat,
    settings: &Settings,
) -> Result<Outcome> {
    let documents = folder.join("documents");
    let texts = texts(
        if documents.is_dir() {
            &documents
        } else {
            folder
        },
        settings,
    )?;
    let mut rows: Vec<(String, Measure, Option<Advice>)> = Vec::new();
    for method in methods.iter().filter(|method| method.query.is_none()) {
        let fingerprints: Vec<Fingerprint> = texts
            .par_iter()
            .map(|(_, text)| {
                method
                    .recipe
                    .fingerprint(text, &settings.key, &NoCollection)
            })
            .collect();
        let sampled: Vec<String> = advise::sample(&texts)
            .map(|(_, text)| text.clone())
            .collect();
        let related = advise::related_scores(
            &sampled,
            &method.recipe,
            method.measure,
            None,
            &settings.key,
        );
        let measure = method.measure.of_sets().filter(|_| !related.is_empty());
        let advice = if let Some(measure) = measure {
            let query = PairQuery {
                measure,
                at_least: f64::INFINITY,
                old_from: u32::MAX,
                max_documents: None,
                steps: u64::MAX,
            };
            let index = Index::build(&fingerprints.iter().collect::<Vec<_>>(), Watch::NOBODY)?;
            Advice::of(&index.pairs(&query, Watch::NOBODY)?.scores, &related)
        } else {
            None
        };
        rows.push((method.name.clone(), method.measure, advice));
    }
    let printed = match format {
        TableFormat::Json => eval_text::self_json(&rows)?,
        TableFormat::Text | TableFormat::Csv => eval_text::self_table(&rows),
    };
    output::result(&printed)?;
    Ok(Outcome::Done)
}

/// A recipe and a measure, and perhaps another selector for the queries.
struct Method {
    recipe: Recipe,
    name: String,
    query: Option<Recipe>,
    measure: Measure,
}

/// What is tried when nothing is asked for: the rows of Hoad & Zobel's table 6 and our own.
const DEFAULT_METHODS: [(&str, Option<&str>, &str); 9] = [
    ("rank", None, "cosine"),
    ("rank", None, "identity-5"),
    ("hz-first-r-sliding", None, "containment"),
    ("hz-anchor", None, "containment"),
    (
        "hz-anchor",
        Some("words+fold | window:4 | shiftxor:32 | all"),
        "containment",
    ),
    ("se", None, "symmetric"),
    ("default", None, "resemblance"),
    ("default", None, "symmetric"),
    ("versions", None, "resemblance"),
];

fn methods(args: &EvalArgs) -> Result<Vec<Method>> {
    let method = |name: &str, query: Option<&str>, measure: &str| -> Result<Method> {
        let recipe = Recipe::named(name).context("--recipe")?;
        let query = query
            .map(Recipe::named)
            .transpose()
            .context("--query-recipe")?;
        if let Some(query) = &query
            && query.id() != recipe.id()
        {
            bail!("--query-recipe: `{query}` may differ from `{recipe}` in the selector only");
        }
        let measure = measure.parse().context("--measure")?;
        Ok(Method {
            recipe,
            name: name.to_owned(),
            query,
            measure,
        })
    };
    if args.recipes.is_empty() && args.measures.is_empty() {
        let default =
            |(name, query, measure): &(&str, Option<&str>, &str)| method(name, *query, measure);
        return DEFAULT_METHODS.iter().map(default).collect();
    }
    let or = |given: &[String], default: &str| {
        if given.is_empty() {
            vec![default.to_owned()]
        } else {
            given.to_vec()
        }
    };
    let mut methods = Vec::new();
    for recipe in or(&args.recipes, "default") {
        for measure in or(&args.measures, "max-containment") {
            methods.push(method(&recipe, args.query_recipe.as_deref(), &measure)?);
        }
    }
    Ok(methods)
}

/// The documents of a collection and the right answers.
struct Collection {
    documents: Vec<(String, String)>,
    queries: Vec<Query>,
}

struct Query {
    id: String,
    text: String,
    /// Its number, if it is a document of the collection.
    member: Option<u32>,
    correct: BTreeSet<u32>,
}

impl Collection {
    fn read(folder: &Path, settings: &Settings) -> Result<Collection> {
        let documents = texts(&folder.join("documents"), settings)?;
        let queries = folder.join("queries");
        let outside: BTreeMap<String, String> = if queries.exists() {
            texts(&queries, settings)?.into_iter().collect()
        } else {
            BTreeMap::new()
        };
        let numbers: HashMap<&str, u32> = (0..)
            .zip(&documents)
            .map(|(number, (id, _))| (id.as_str(), number))
            .collect();
        let path = folder.join("truth.tsv");
        let truth = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let mut correct: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for (number, line) in (1..)
            .zip(truth.lines())
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let place = || format!("{}, line {number}", path.display());
            let (query, document) = line.split_once('\t').with_context(|| {
                format!("{}: wants a query id, a tab and a correct id", place())
            })?;
            let known = numbers.get(document.trim_end()).with_context(|| {
                format!(
                    "{}: `{}` is not under documents/",
                    place(),
                    document.trim_end()
                )
            })?;
            correct.entry(query).or_default().insert(*known);
        }
        let query = |(id, correct): (&str, BTreeSet<u32>)| -> Result<Query> {
            let member = numbers.get(id).copied();
            let text = match (outside.get(id), member) {
                (Some(text), _) => text,
                (None, Some(number)) => &documents[number as usize].1,
                (None, None) => bail!(
                    "{}: query `{id}` is neither under queries/ nor under documents/",
                    path.display()
                ),
            };
            Ok(Query {
                id: id.to_owned(),
                text: text.clone(),
                member,
                correct,
            })
        };
        let queries: Vec<Query> = correct.into_iter().map(query).collect::<Result<_>>()?;
        if queries.is_empty() {
            bail!("{}: no queries in it", path.display());
        }
        Ok(Collection { documents, queries })
    }

    /// Runs all queries by methods that share a recipe.
    fn judge(&self, methods: &[Method], passage_threshold: f64, key: &Key) -> Result<Vec<Row>> {
        let recipe = &methods[0].recipe;
        let query_recipe = methods[0].query.as_ref().unwrap_or(recipe);
        let start = Instant::now();
        let counts = recipe.counted().map(|counted| self.count(&counted, key));
        let fingerprints: Vec<Vec<Fingerprint>> = self
            .documents
            .par_iter()
            .map(|(_, text)| recipe.passage_fingerprints(text, key, &counts))
            .collect();
        let owners: Vec<u32> = (0..)
            .zip(&fingerprints)
            .flat_map(|(document, passages)| std::iter::repeat_n(document, passages.len()))
            .collect();
        let index = Index::build(
            &fingerprints.iter().flatten().collect::<Vec<_>>(),
            Watch::NOBODY,
        )?;
        let index_seconds = start.elapsed().as_secs_f64();
        drop(fingerprints);
        let units = Units {
            index: &index,
            owners: &owners,
            threshold: recipe.passages.map(|_| passage_threshold),
        };
        let rows = methods
            .iter()
            .map(|method| {
                let start = Instant::now();
                let answers: Vec<(Judged, u64)> = self
                    .queries
                    .par_iter()
                    .map_init(Sums::default, |room, query| {
                        let passages = query_recipe.passage_fingerprints(&query.text, key, &counts);
                        let (ranking, read) =
                            units.rank(&passages, query.member, method.measure, room);
                        (Judged::new(ranking, &query.correct), read)
                    })
                    .collect();
                let query_seconds = start.elapsed().as_secs_f64();
                let judged: Vec<Judged> = answers.iter().map(|(judged, _)| *judged).collect();
                Row {
                    recipe: match &method.query {
                        Some(query) => format!("{}, queries {}", method.name, query.selector),
                        None => method.name.clone(),
                    },
                    measure: method.measure,
                    effectiveness: Effectiveness::of(&judged),
                    details: self
                        .queries
                        .iter()
                        .map(|query| query.id.clone())
                        .zip(judged)
                        .collect(),
                    postings: index.postings(),
                    index_bytes: index.bytes(),
                    index_seconds,
                    query_seconds,
                    postings_read: answers.iter().map(|(_, read)| read).sum(),
                }
            })
            .collect();
        Ok(rows)
    }

    fn count(&self, counted: &Recipe, key: &Key) -> Counts {
        let mut counts = Counts::default();
        for (_, text) in &self.documents {
            counts.add(&counted.fingerprint(text, key, &NoCollection));
        }
        counts
    }
}

/// An index of documents or of their passages.
struct Units<'a> {
    index: &'a Index,
    /// The document that each unit belongs to.
    owners: &'a [u32],
    /// Units are passages: a document's score is how many pairs of them reach this share.
    threshold: Option<f64>,
}

impl Units<'_> {
    /// Documents with percentages of the query's own score, and how many postings were read.
    fn rank(
        &self,
        query: &[Fingerprint],
        member: Option<u32>,
        measure: Measure,
        room: &mut Sums,
    ) -> (Vec<(u32, f64)>, u64) {
        let mut read = 0;
        let Some(threshold) = self.threshold else {
            let answer = self.index.scores(&query[0], measure, room);
            let percent = |hit: &cento::index::Hit| (hit.document.0, 100.0 * hit.share);
            return (answer.hits.iter().map(percent).collect(), answer.postings);
        };
        let mut alike: BTreeMap<u32, u32> = BTreeMap::new();
        for passage in query {
            let answer = self.index.scores(passage, measure, room);
            read += answer.postings;
            for hit in answer.hits.iter().filter(|hit| hit.share >= threshold) {
                *alike
                    .entry(self.owners[hit.document.0 as usize])
                    .or_default() += 1;
            }
        }
        // A query from outside would find each of its passages once.
        let itself = member.and_then(|number| alike.get(&number).copied());
        let own =
            f64::from(itself.unwrap_or_else(|| u32::try_from(query.len()).unwrap_or(u32::MAX)));
        let percent = |(document, count): (u32, u32)| (document, 100.0 * f64::from(count) / own);
        (alike.into_iter().map(percent).collect(), read)
    }
}

/// The ids and texts of a folder's files; those that cannot be read are told on the way.
fn texts(folder: &Path, settings: &Settings) -> Result<Vec<(String, String)>> {
    let inputs = load::find_files(&[folder.to_path_buf()], settings)?.inputs;
    let progress = Progress::reading(inputs.len(), load::bytes(&inputs), settings.quiet);
    let texts: Vec<(String, Result<String, String>)> = inputs
        .par_iter()
        .map(|input| {
            let text = input.read().map(|text| text.content);
            progress.read(input.size());
            (input.id().to_owned(), text)
        })
        .collect();
    progress.finish();
    let mut read = Vec::with_capacity(texts.len());
    let mut skipped = Vec::new();
    for (id, text) in texts {
        match text {
            Ok(text) => read.push((id, text)),
            Err(reason) => skipped.push(cento::report::Skipped::new(id, reason)),
        }
    }
    load::account(read.len(), &skipped, settings)?;
    Ok(read)
}
