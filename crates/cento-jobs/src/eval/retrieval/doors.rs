//! The doors as people use them: what they list for each query, in which order.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use cento::report::{Report, Summary};
use cento_ingest::{Grouping, Options as Input};
use serde::Serialize;

use super::truth::Truth;
use crate::error::{File as _, Result};
use crate::eval::FilesRead;
use crate::method::{GivenKey, MethodOptions};
use crate::registry::{RegistryOptions, init};
use crate::watch::Watch;
use crate::{register, scan, verify};

/// Where a door lists a source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Place {
    /// 1 for the first source that is listed for the query.
    pub rank: usize,
    /// The value of the measure.
    pub score: f64,
    /// How much of the query is in the source, and the other way round, as people are told.
    pub share: [f64; 2],
}

/// What a door lists, by query and source.
pub(super) type Listed = BTreeMap<[String; 2], Place>;

/// What `scan` read.
pub(super) struct ScannedFiles {
    pub(super) files: FilesRead,
    /// The names of the queries' files.
    pub(super) queries: Vec<String>,
    /// How many sources there are.
    pub(super) sources: usize,
}

/// What `scan` lists of the queries as new documents and the sources as old ones.
pub(super) fn by_scan(
    truth: &Truth,
    input: &Input,
    threshold: Option<f64>,
    watch: &Watch<'_>,
) -> Result<(Listed, ScannedFiles)> {
    let options = scan::Options {
        paths: vec![truth.queries.clone()],
        old: vec![truth.sources.clone()],
        method: MethodOptions {
            threshold,
            ..MethodOptions::default()
        },
        input: one_document_a_file(input),
        only_listed: true,
        ..scan::Options::default()
    };
    let done = scan::run(&options, watch)?;
    // With two paths, the names of both stand before the ids.
    let side = |summary: &Summary| {
        let folder = if summary.old {
            &truth.sources
        } else {
            &truth.queries
        };
        let id = without_folder(&summary.id, folder).to_owned();
        if summary.old {
            Side::Source(id)
        } else {
            Side::Query(id)
        }
    };
    let documents = done.report.documents.iter();
    let old = documents.filter(|summary| summary.old).count();
    let queries = done
        .report
        .documents
        .iter()
        .filter_map(|it| match side(it) {
            Side::Query(name) => Some(name),
            Side::Source(_) => None,
        });
    let files = ScannedFiles {
        queries: queries.collect(),
        sources: old,
        files: FilesRead {
            read: done.read,
            skipped: done.report.skipped.clone(),
        },
    };
    Ok((listed(&done.report, truth, side), files))
}

/// What `verify` lists of the queries against a registry of the sources.
pub(super) fn by_verify(
    truth: &Truth,
    input: &Input,
    threshold: Option<f64>,
    watch: &Watch<'_>,
) -> Result<Listed> {
    let folder = tempfile::tempdir().of(&std::env::temp_dir())?;
    let registry = RegistryOptions {
        registry: folder.path().join("registry"),
        // The same key on every run, so that digests fall together in the same way.
        key: Some(GivenKey::new("0123456789abcdef".repeat(2), "eval")),
        ..RegistryOptions::default()
    };
    let made = init::Options {
        registry: registry.clone(),
        // Which sources are alike is not asked.
        pairs: false,
        ..init::Options::default()
    };
    init::run(&made, watch)?;
    let registering = register::Options {
        paths: vec![truth.sources.clone()],
        registry: registry.clone(),
        input: one_document_a_file(input),
        ..register::Options::default()
    };
    register::run(&registering, watch)?;
    let options = verify::Options {
        paths: vec![truth.queries.clone()],
        registry,
        // A query that has the name of a source is no version of it.
        id_prefix: "query/".to_owned(),
        search: verify::SearchOptions {
            threshold,
            ..verify::SearchOptions::default()
        },
        input: one_document_a_file(input),
        ..verify::Options::default()
    };
    let done = verify::run(&options, watch)?;
    let side = |summary: &Summary| match &summary.registered {
        Some(registered) => Side::Source(registered.id.clone()),
        None => Side::Query(summary.id.clone()),
    };
    Ok(listed(&done.reported.report, truth, side))
}

fn one_document_a_file(input: &Input) -> Input {
    Input {
        grouping: Grouping::PerFile,
        ..input.clone()
    }
}

/// What a document of a report is.
enum Side {
    /// The name of its file.
    Query(String),
    /// Its id.
    Source(String),
}

/// The pairs of a query and a source, in the order of the report.
fn listed(report: &Report, truth: &Truth, side: impl Fn(&Summary) -> Side) -> Listed {
    let sides = report.documents.iter().map(|it| (it.id.as_str(), side(it)));
    let sides: HashMap<&str, Side> = sides.collect();
    let mut listed = Listed::new();
    let mut ranks: HashMap<&str, usize> = HashMap::new();
    for pair in &report.pairs {
        let [left, right] = pair.shares();
        let both = [
            sides.get(pair.left.as_str()),
            sides.get(pair.right.as_str()),
        ];
        let (name, source, share) = match both {
            [Some(Side::Query(name)), Some(Side::Source(source))] => (name, source, [left, right]),
            [Some(Side::Source(source)), Some(Side::Query(name))] => (name, source, [right, left]),
            // Two queries: that is not what was asked.
            _ => continue,
        };
        let Some(query) = truth.ids.get(name).filter(|query| *query != source) else {
            continue;
        };
        let rank = ranks.entry(query).or_default();
        *rank += 1;
        let place = Place {
            rank: *rank,
            score: pair.score,
            share,
        };
        listed.insert([query.clone(), source.clone()], place);
    }
    listed
}

fn without_folder<'a>(id: &'a str, folder: &Path) -> &'a str {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.and_then(|name| id.strip_prefix(name)?.strip_prefix('/'))
        .unwrap_or(id)
}
