//! `cento dedupe`: one of each, and what became of the others.

mod against;
mod choose;
mod corpus;
mod dataset;
mod passages;
mod plan;
mod registered;
mod rewrite;
mod work;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Instant, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use cento::index::ClusterQuery;
use cento::sketch::Sketcher;
use cento::{Measure, NoCollection};
use serde_json::{Value, json};

use self::choose::{Choice, Keep, choose};
use self::dataset::{Dataset, Document, Found};
use self::plan::Plan;
use self::registered::{Known, Registered, Registration};
use self::work::{Before, Work};
use self::write::Target;
use super::plan::Forecast;
use super::use_threads;
use crate::args::{Clusters, DedupeArgs, General, MethodOptions, ReadOptions, curve};
use crate::config::{Settings, Typed, settle};
use crate::input::parse_size;
use crate::machine::{busy_seconds, size, time};
use crate::{Outcome, output};

pub(crate) fn run(args: &DedupeArgs, general: &General) -> Result<Outcome> {
    if args.passages || !args.against.is_empty() {
        let settings = settle(typed(args), general)?;
        use_threads(&settings)?;
        expect_share("--max-errors", args.max_errors)?;
        return if args.against.is_empty() {
            passages::run(args, &settings)
        } else {
            against::run(args, &settings)
        };
    }
    if args.min_words.is_some() {
        bail!("--min-words is about passages; give --passages or --against too");
    }
    let started = Instant::now();
    let mut job = Job::of(args, general)?;
    let pace = Pace {
        bytes: job.plan.input,
        started,
        quiet: job.settings.quiet,
    };
    let registry = Registered::open(args, &mut job.settings)?;
    let folder = work_folder(args);
    let goes_on = folder.join("run.json").exists();
    let target = Target::of(&args.output, &args.inputs, goes_on)?;
    let fits = job.plan.fits() && args.work.is_none() && !goes_on;
    job.plan.expect_possible(&folder, &args.output, fits)?;
    if fits {
        let outcome = job.finish(args, None, registry, &target)?;
        pace.tell();
        return Ok(outcome);
    }
    if goes_on && !job.settings.quiet {
        output::message(&format!("going on with the work in {}", folder.display()));
    }
    let (mut work, before) = Work::open(
        &folder,
        &description(args, &job.found, job.query.sketcher, &job.settings),
    )?;
    job.query.memory = job.plan.table;
    let outcome = job.finish(args, Some((&mut work, before)), registry, &target)?;
    work.remove()?;
    if !goes_on {
        pace.tell();
    }
    Ok(outcome)
}

/// How fast a run was.
struct Pace {
    bytes: u64,
    started: Instant,
    quiet: bool,
}

impl Pace {
    /// Says so, if it took long enough for anybody to wonder.
    fn tell(&self) {
        let elapsed = self.started.elapsed().as_secs_f64();
        if self.quiet || elapsed < 10.0 {
            return;
        }
        let busy = busy_seconds(elapsed);
        output::message(&format!(
            "{} in {}; {:.0} MB a second and core",
            size(self.bytes),
            time(elapsed),
            self.bytes as f64 / f64::from(1 << 20) / busy.max(0.001)
        ));
    }
}

/// What a run with these arguments will take.
pub(super) fn forecast(args: &DedupeArgs, general: &General) -> Result<Forecast> {
    let plan = Job::of(args, general)?.plan;
    let fits = plan.fits() && args.work.is_none();
    let mut disk = vec![("the output, at most", args.output.clone(), plan.input)];
    let mut notes = Vec::new();
    if fits {
        notes.push("everything fits into memory; no work folder is needed".to_owned());
    } else {
        disk.push(("work", work_folder(args), plan.work));
        notes.push(format!(
            "all documents are gone through {} times; to hold everything in memory would take {}",
            plan.passes,
            size(plan.all_in_memory)
        ));
    }
    Ok(Forecast {
        whole: plan.sample.whole(plan.input),
        seconds: plan.seconds,
        memory: plan.all_in_memory.min(plan.limit),
        disk,
        notes,
    })
}

/// What is to be done, checked before any of it is.
struct Job {
    keep: Keep,
    settings: Settings,
    found: Found,
    query: ClusterQuery,
    plan: Plan,
}

impl Job {
    fn of(args: &DedupeArgs, general: &General) -> Result<Job> {
        let keep: Keep = args.keep.parse().context("--keep")?;
        let measure: Measure = args.measure.parse().context("--measure")?;
        let sets = measure.expect_sets().context("--measure")?;
        if !(0.0..=1.0).contains(&args.threshold) || args.threshold == 0.0 {
            bail!(
                "--threshold: {} is not a share above 0 and up to 1 (80 % is 0.8)",
                args.threshold
            );
        }
        expect_share("--max-errors", args.max_errors)?;
        let limit = max_memory(args)?;
        let settings = settle(typed(args), general)?;
        use_threads(&settings)?;
        let found = Found::among(&args.inputs, &settings)?;
        let query = ClusterQuery {
            measure: sets,
            at_least: args.threshold,
            memory: u64::MAX,
            sketcher: args.approximate.sketcher(measure, args.threshold)?,
        };
        if let Some(sketcher) = query.sketcher.filter(|_| !settings.quiet) {
            output::message(&curve(sketcher.bands));
        }
        let plan = Plan::of(&found, &keep, &query, limit, &settings)?;
        Ok(Job {
            keep,
            settings,
            found,
            query,
            plan,
        })
    }

    /// Reads everything, chooses, and writes it down.
    fn finish(
        self,
        args: &DedupeArgs,
        mut work: Option<(&mut Work, Before)>,
        registry: Option<Registered>,
        target: &Target,
    ) -> Result<Outcome> {
        let Job {
            keep,
            settings,
            found,
            query,
            ..
        } = self;
        let before = work
            .as_mut()
            .map(|(work, before)| (&mut **work, std::mem::take(before)));
        let dataset = Dataset::read(found, &keep, &settings, before)?;
        dataset.expect_few_errors(args.max_errors)?;
        let known = match &registry {
            Some(registry) => registry.known(&dataset.store, &settings, &query)?,
            None => Vec::new(),
        };
        let work = work.map(|(work, _)| &*work);
        let choices = choose(
            &dataset,
            &known,
            &keep,
            args.clusters,
            &query,
            work,
            settings.quiet,
        )?;
        target.write(&dataset, &choices, &known, args.annotate)?;
        let registration = match registry {
            Some(registry) => {
                let is_kept: Vec<bool> = choices.iter().map(|choice| choice.is_kept).collect();
                Some(registry.register(&dataset, &is_kept)?)
            }
            None => None,
        };
        tell(args, &dataset, &choices, &known, registration, &settings)?;
        Ok(Outcome::Done)
    }
}

fn expect_share(option: &str, share: f64) -> Result<()> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    bail!("{option}: {share} is not a share from 0 to 1");
}

fn work_folder(args: &DedupeArgs) -> PathBuf {
    let folder = args.work.clone();
    folder.unwrap_or_else(|| Work::beside(&args.output))
}

fn max_memory(args: &DedupeArgs) -> Result<Option<u64>> {
    let Some(text) = &args.max_memory else {
        return Ok(None);
    };
    match parse_size(text) {
        Some(bytes) => Ok(Some(bytes)),
        None => bail!("--max-memory: {text} is not a size such as 500MB or 2GiB"),
    }
}

/// What the work in a folder belongs to: everything that the result depends on.
fn description(
    args: &DedupeArgs,
    found: &Found,
    sketcher: Option<Sketcher>,
    settings: &Settings,
) -> Value {
    let file = |path: &Path| {
        let data = path.metadata().ok();
        let changed = data.as_ref().and_then(|data| data.modified().ok());
        let since = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        json!([
            path,
            data.map(|data| data.len()),
            since.map(|since| since.as_nanos().to_string())
        ])
    };
    let tables: Vec<Value> = found
        .tables
        .iter()
        .map(|table| file(table.shard.path()))
        .collect();
    let others: Vec<Value> = found.others.iter().map(|path| file(path)).collect();
    let key = settings
        .scan
        .recipe
        .fingerprint("key check", &settings.key, &NoCollection);
    let key: Vec<String> = key
        .digests()
        .iter()
        .map(|digest| digest.0.to_string())
        .collect();
    json!({
        "schema": "cento.dedupe.work/1",
        "version": env!("CARGO_PKG_VERSION"),
        "tables": tables,
        "others": others,
        "text_key": args.input.text_key,
        "id_key": args.input.id_key,
        "recipe": settings.scan.recipe.to_string(),
        "key": key,
        "measure": args.measure,
        "threshold": args.threshold,
        "keep": args.keep,
        "clusters": args.clusters == Clusters::Star,
        "approximate": sketcher.map(|sketcher| {
            json!([sketcher.bands.bands, sketcher.bands.rows, sketcher.seed])
        }),
    })
}

fn typed(args: &DedupeArgs) -> Typed {
    Typed {
        method: MethodOptions {
            recipe: Some(args.recipe.clone()),
            ..MethodOptions::default()
        },
        reading: ReadOptions {
            input: args.input.clone(),
            key_file: args.key_file.clone(),
            ..ReadOptions::default()
        },
        ..Typed::default()
    }
}

fn tell(
    args: &DedupeArgs,
    dataset: &Dataset,
    choices: &[Choice],
    known: &[Option<Known>],
    registration: Option<Registration>,
    settings: &Settings,
) -> Result<()> {
    let kept = choices.iter().filter(|choice| choice.is_kept).count();
    let removed = choices.len() - kept;
    let in_registry = known.iter().flatten().count();
    let exact = choices
        .iter()
        .filter(|choice| !choice.is_kept && choice.similarity >= 1.0);
    let exact_in_registry = known.iter().flatten();
    let exact_in_registry = exact_in_registry.filter(|known| known.similarity >= 1.0);
    let exact = exact.count() - exact_in_registry.count();
    let repeated = repeated_ids(&dataset.documents);
    if args.json {
        let mut result = json!({
            "schema": "cento.dedupe/1",
            "recipe": settings.scan.recipe.to_string(),
            "measure": args.measure,
            "threshold": args.threshold,
            "keep": args.keep,
            "documents": choices.len(),
            "kept": kept,
            "removed": removed,
            "identical": exact,
            "skipped": dataset.skipped.len(),
            "repeated_ids": repeated.len(),
        });
        if let Some(registration) = registration {
            result["in_registry"] = json!(in_registry);
            result["registered"] = json!(registration.registered);
        }
        output::result(&format!("{result:#}\n"))?;
    } else {
        output::result(&format!(
            "{kept} of {} documents kept; {} are like one of them, {exact} of these the same \
             as far as the recipe sees\n",
            choices.len(),
            removed - in_registry,
        ))?;
        if let Some(registration) = registration {
            output::result(&format!(
                "{in_registry} are like a registered document; {} were registered\n",
                registration.registered
            ))?;
        }
    }
    if !settings.quiet {
        for (id, count) in repeated.iter().take(5) {
            output::message(&format!(
                "warning: {count} documents have the id {}",
                id.escape_debug()
            ));
        }
        if repeated.len() > 5 {
            output::message(&format!(
                "warning: {} more ids are repeated",
                repeated.len() - 5
            ));
        }
        if let Some(Registration { empty: 1.., .. }) = registration {
            output::message("warning: documents without words are not registered");
        }
        if dataset.files.iter().any(|input| input.file().is_none()) {
            output::message(
                "warning: of documents inside other files only the lists are written; unpack them \
                 to get cleaned data",
            );
        }
        let skipped = dataset.skipped.len();
        if skipped > 0 {
            output::message(&format!(
                "warning: {skipped} could not be read; skipped.jsonl has their places and why"
            ));
        }
        output::message(&format!(
            "{} of {} documents read",
            choices.len(),
            choices.len() + skipped
        ));
    }
    Ok(())
}

/// Ids that several documents have.
fn repeated_ids(documents: &[Document]) -> BTreeMap<&str, u64> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for document in documents {
        *counts.entry(&document.id).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}
