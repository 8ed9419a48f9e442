//! Queries to an index of a labelled collection, and how they go.

use std::collections::BTreeMap;
use std::time::Instant;

use cento::eval::judge::{Effectiveness, Judged};
use cento::index::{Index, Sums};
use cento::{Counts, Fingerprint, Key, Measure, NoCollection, Recipe};
use rayon::prelude::*;

use super::collection::Collection;
use super::labelled::{Options, Row};
use super::methods::Method;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// Runs all queries by methods that share a recipe.
pub(super) fn judge(
    collection: &Collection,
    methods: &[Method],
    options: &Options,
    key: &Key,
    watch: &Watch<'_>,
) -> Result<Vec<Row>> {
    let recipe = &methods[0].recipe;
    let query_recipe = methods[0].query.as_ref().unwrap_or(recipe);
    let start = Instant::now();
    let counts = match recipe.counted() {
        Some(counted) => Some(count(collection, &counted, key, watch)?),
        None => None,
    };
    watch.begin(Step::Comparing, collection.documents.len(), 0);
    let fingerprints: Vec<Vec<Fingerprint>> = collection
        .documents
        .par_iter()
        .map(|text| {
            watch.go_on()?;
            let passages = recipe.passage_fingerprints(&text.content, key, &counts);
            watch.advance(1, 0);
            Ok(passages)
        })
        .collect::<Result<_>>()?;
    let owners: Vec<u32> = (0..)
        .zip(&fingerprints)
        .flat_map(|(document, passages)| std::iter::repeat_n(document, passages.len()))
        .collect();
    let all: Vec<&Fingerprint> = fingerprints.iter().flatten().collect();
    let index = watch.during(Step::Comparing, |watch| Index::build(&all, watch))?;
    let index_seconds = start.elapsed().as_secs_f64();
    drop(fingerprints);
    let units = Units {
        index: &index,
        owners: &owners,
        threshold: recipe.passages.map(|_| options.passage_threshold),
    };
    let mut rows = Vec::with_capacity(methods.len());
    for method in methods {
        let start = Instant::now();
        watch.begin(Step::Comparing, collection.queries.len(), 0);
        let answers: Vec<(Judged, u64)> = collection
            .queries
            .par_iter()
            .map_init(Sums::default, |room, query| {
                watch.go_on()?;
                let passages = query_recipe.passage_fingerprints(&query.text, key, &counts);
                let (ranking, read) = units.rank(&passages, query.member, method.measure, room);
                watch.advance(1, 0);
                Ok((Judged::new(ranking, &query.correct), read))
            })
            .collect::<Result<_>>()?;
        watch.end();
        let query_seconds = start.elapsed().as_secs_f64();
        let judged: Vec<Judged> = answers.iter().map(|(judged, _)| *judged).collect();
        let ids = collection.queries.iter().map(|query| query.id.clone());
        rows.push(Row {
            recipe: match &method.query {
                Some(query) => format!("{}, queries {}", method.name, query.selector),
                None => method.name.clone(),
            },
            measure: method.measure,
            effectiveness: Effectiveness::of(&judged),
            details: options.detail.then(|| ids.zip(judged).collect()),
            postings: index.postings(),
            index_bytes: index.bytes(),
            index_seconds,
            query_seconds,
            postings_read: answers.iter().map(|(_, read)| read).sum(),
        });
    }
    Ok(rows)
}

fn count(
    collection: &Collection,
    counted: &Recipe,
    key: &Key,
    watch: &Watch<'_>,
) -> Result<Counts> {
    watch.begin(Step::Counting, collection.documents.len(), 0);
    let mut counts = Counts::default();
    for text in &collection.documents {
        watch.go_on()?;
        counts.add(&counted.fingerprint(&text.content, key, &NoCollection));
        watch.advance(1, 0);
    }
    watch.end();
    Ok(counts)
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
