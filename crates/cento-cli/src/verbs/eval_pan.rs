//! `cento eval --pan`: how well an aligner finds the known passages of a PAN corpus.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Error, Result, bail};
use cento::align::{Aligner, Vocabulary};
use cento::eval::plagdet::{Case, CharRange, Pair, Score};
use cento_ingest::{PanCorpus, PanFolder, PanPair};
use cento_report::Characters;
use rayon::prelude::*;

use crate::args::{EvalArgs, General, TableFormat};
use crate::config::{Settings, Typed, settle};
use crate::progress::Progress;
use crate::verbs::{eval_pan_text, use_threads};
use crate::{Outcome, output};

/// What came out for a corpus.
pub(crate) struct Evaluation {
    pub(crate) aligner: Aligner,
    pub(crate) folders: Vec<FolderRow>,
    /// Of all folders whose truth is known.
    pub(crate) score: Option<Score>,
    /// Pairs in which a limit on the work acted.
    pub(crate) limited: usize,
}

/// What came out for the pairs of a folder.
#[derive(Clone)]
pub(crate) struct FolderRow {
    pub(crate) folder: String,
    pub(crate) pairs: usize,
    pub(crate) pairs_with_detections: usize,
    pub(crate) detections: usize,
    /// How many true cases there are, if it is known.
    pub(crate) cases: Option<usize>,
    /// If there are any.
    pub(crate) score: Option<Score>,
}

pub(crate) fn run(args: EvalArgs, general: &General) -> Result<Outcome> {
    let aligner: Aligner = match &args.aligner {
        Some(name) => name.parse().context("--aligner")?,
        None => Aligner::default(),
    };
    let settings = settle(
        Typed {
            reading: args.reading,
            ..Typed::default()
        },
        general,
    )?;
    let format = settings.format.of_table()?;
    use_threads(&settings)?;
    let corpus = PanCorpus::open(&args.collection).map_err(Error::msg)?;
    let has_truth = corpus.folders.iter().any(|folder| folder.has_truth);
    let beside = "no XML files beside its pairs, so there is no truth to score";
    match &args.output {
        Some(folder) => check_output(folder)?,
        None if has_truth => {}
        None => bail!(
            "{}: {beside}; give -o DIR to write the detections",
            args.collection.display()
        ),
    }
    let start = Instant::now();
    let done = align(&corpus, aligner, &settings)?;
    let seconds = start.elapsed().as_secs_f64();
    if let Some(folder) = &args.output {
        write(&done, folder)?;
    }
    let evaluation = evaluate(&done, aligner);
    output::result(&match format {
        TableFormat::Text => eval_pan_text::table(&evaluation),
        TableFormat::Json => eval_pan_text::json(&evaluation)?,
        TableFormat::Csv => eval_pan_text::csv(&evaluation),
    })?;
    if !settings.quiet {
        if evaluation.limited > 0 {
            let count = evaluation.limited;
            output::message(&format!(
                "warning: a limit on the work acted in {count} pairs; there may be more to find"
            ));
        }
        if !has_truth {
            output::message(&format!("{}: {beside}", args.collection.display()));
        }
        let pairs: usize = evaluation.folders.iter().map(|row| row.pairs).sum();
        output::message(&format!("{pairs} pairs aligned in {seconds:.1} s"));
    }
    Ok(Outcome::Done)
}

/// A pair after alignment.
struct Aligned<'c> {
    folder: &'c PanFolder,
    names: &'c PanPair,
    found: Pair,
    limited: bool,
}

/// Aligns all pairs. The first error in the order of the corpus is the one that is told.
fn align<'c>(
    corpus: &'c PanCorpus,
    aligner: Aligner,
    settings: &Settings,
) -> Result<Vec<Aligned<'c>>> {
    let pairs: Vec<(&PanFolder, &PanPair)> = corpus
        .folders
        .iter()
        .flat_map(|folder| folder.pairs.iter().map(move |names| (folder, names)))
        .collect();
    let progress = Progress::new("aligning", pairs.len(), settings.quiet);
    let done: Vec<Result<Aligned>> = pairs
        .par_iter()
        .map(|&(folder, names)| {
            let done = align_pair(corpus, folder, names, aligner);
            progress.step();
            done
        })
        .collect();
    progress.finish();
    done.into_iter().collect()
}

fn align_pair<'c>(
    corpus: &PanCorpus,
    folder: &'c PanFolder,
    names: &'c PanPair,
    aligner: Aligner,
) -> Result<Aligned<'c>> {
    let texts = corpus.texts(names).map_err(Error::msg)?;
    let characters = [&texts[0], &texts[1]].map(|text| Characters::new(text));
    let cases = if folder.has_truth {
        truth(folder, names, &characters)?
    } else {
        Vec::new()
    };
    let mut vocabulary = Vocabulary::default();
    let [left, right] = [&texts[0], &texts[1]].map(|text| vocabulary.read(text));
    let alignment = aligner.align(&left, &right, &vocabulary);
    let [in_left, in_right] = &characters;
    let detections = cento_report::pan_detections(&alignment, [&left, &right], [in_left, in_right]);
    Ok(Aligned {
        folder,
        names,
        found: Pair { cases, detections },
        limited: alignment.limited,
    })
}

/// The true cases of a pair, which must lie within its texts.
fn truth(folder: &PanFolder, names: &PanPair, characters: &[Characters; 2]) -> Result<Vec<Case>> {
    let cases = folder.truth(names).map_err(Error::msg)?;
    let check = |side: &str, range: CharRange, text: &Characters, name: &str| {
        if range.end > text.len() {
            bail!(
                "{}: {side}_offset {} and {side}_length {} go past the end of {name}, which has {} characters",
                folder.truth_path(names).display(),
                range.start,
                range.len(),
                text.len()
            );
        }
        Ok(range)
    };
    let [suspicious, source] = characters;
    let case = |case: cento_ingest::PanCase| {
        Ok(Case {
            suspicious: check(
                "this",
                case.suspicious.into(),
                suspicious,
                &names.suspicious,
            )?,
            source: check("source", case.source.into(), source, &names.source)?,
        })
    };
    cases.into_iter().map(case).collect()
}

fn evaluate(done: &[Aligned], aligner: Aligner) -> Evaluation {
    let scored = done.iter().filter(|pair| pair.folder.has_truth);
    Evaluation {
        aligner,
        folders: done
            .chunk_by(|a, b| a.folder.name == b.folder.name)
            .map(folder_row)
            .collect(),
        score: Score::of(scored.map(|pair| &pair.found)),
        limited: done.iter().filter(|pair| pair.limited).count(),
    }
}

fn folder_row(pairs: &[Aligned]) -> FolderRow {
    let folder = pairs[0].folder;
    let found = || pairs.iter().map(|pair| &pair.found);
    FolderRow {
        folder: folder.name.clone(),
        pairs: pairs.len(),
        pairs_with_detections: found().filter(|pair| !pair.detections.is_empty()).count(),
        detections: found().map(|pair| pair.detections.len()).sum(),
        cases: folder
            .has_truth
            .then(|| found().map(|pair| pair.cases.len()).sum()),
        score: Score::of(found()),
    }
}

/// Detections have the file names that the truth has, so they must not go where that is.
fn check_output(folder: &Path) -> Result<()> {
    if folder.join("pairs").exists() {
        bail!(
            "-o {}: has a file `pairs`, as a corpus has, whose truth would be overwritten; give another folder",
            folder.display()
        );
    }
    std::fs::create_dir_all(folder).with_context(|| format!("-o {}", folder.display()))
}

fn write(done: &[Aligned], folder: &Path) -> Result<()> {
    for Aligned { names, found, .. } in done {
        let path = folder.join(names.file_name());
        let xml = cento_report::pan(&names.suspicious, &names.source, &found.detections);
        std::fs::write(&path, xml).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
