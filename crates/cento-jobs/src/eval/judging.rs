//! Queries to an index of a labelled collection, and how they go.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::time::Instant;

use cento::eval::judge::{Effectiveness, Judged};
use cento::index::{Answer, Hit, Question, Sums, UnitIndex};
use cento::{Counts, Fingerprint, Key, NoCollection, Recipe};
use rayon::prelude::*;

use super::collection::{Collection, Query};
use super::labelled::{Detail, Options, RankedDocument, Row};
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
    let all: Vec<&[Fingerprint]> = fingerprints.iter().map(Vec::as_slice).collect();
    let alike_from = recipe.passages.map(|_| options.passage_threshold);
    let units = watch.during(Step::Comparing, |watch| {
        UnitIndex::build(&all, alike_from, watch)
    })?;
    let index_seconds = start.elapsed().as_secs_f64();
    drop(fingerprints);
    let asking = Asking {
        collection,
        recipe,
        query_recipe,
        key,
        counts: &counts,
        units: &units,
    };
    let mut rows = Vec::with_capacity(methods.len());
    for method in methods {
        let start = Instant::now();
        watch.begin(Step::Comparing, collection.queries.len(), 0);
        let answers: Vec<(Judged, Vec<RankedDocument>, u64)> = collection
            .queries
            .par_iter()
            .map_init(Sums::default, |sums, query| {
                watch.go_on()?;
                let answer = asking.answer(query, method, sums);
                watch.advance(1, 0);
                let percent = |hit: &Hit| (hit.document.0, 100.0 * hit.share);
                let ranking = answer.hits.iter().map(percent).collect();
                let judged = Judged::new(ranking, &query.correct);
                let first = asking.first(&answer, query, options.top.unwrap_or(0));
                Ok((judged, first, answer.postings))
            })
            .collect::<Result<_>>()?;
        watch.end();
        let query_seconds = start.elapsed().as_secs_f64();
        let judged: Vec<Judged> = answers.iter().map(|(judged, ..)| *judged).collect();
        let postings_read = answers.iter().map(|(.., read)| read).sum();
        let details = collection.queries.iter().zip(answers);
        let details = details.map(|(query, (judged, ranking, _))| Detail {
            query: query.id.clone(),
            judged,
            ranking,
        });
        let has_details = options.detail || options.top.is_some();
        rows.push(Row {
            recipe: method.title(),
            measure: method.measure,
            // No document has more of the passages than all.
            ideal: method.measure.is_ideal() || recipe.passages.is_some(),
            query_terms: method.terms.map(NonZeroUsize::get),
            effectiveness: Effectiveness::of(&judged),
            details: has_details.then(|| details.collect()),
            postings: units.index().postings(),
            index_bytes: units.index().bytes(),
            index_seconds,
            query_seconds,
            postings_read,
        });
    }
    Ok(rows)
}

/// What all queries by a recipe have in common.
struct Asking<'a> {
    collection: &'a Collection,
    recipe: &'a Recipe,
    query_recipe: &'a Recipe,
    key: &'a Key,
    counts: &'a Option<Counts>,
    units: &'a UnitIndex,
}

impl Asking<'_> {
    /// What a method finds for a query.
    fn answer(&self, query: &Query, method: &Method, sums: &mut Sums) -> Answer {
        let by = |recipe: &Recipe| recipe.passage_fingerprints(&query.text, self.key, self.counts);
        let mut asked = by(self.query_recipe);
        if let Some(terms) = method.terms {
            for unit in &mut asked {
                *unit = self.units.rarest_terms(unit, terms.get(), query.member);
            }
        }
        // The query as the index would keep it, against which it is scored for its percentages.
        let differs = method.query.is_some() || method.terms.is_some();
        let itself = differs.then(|| by(self.recipe));
        let itself = itself.as_ref().unwrap_or(&asked);
        let both = asked.iter().zip(itself);
        let questions = both.map(|(query, itself)| Question { query, itself });
        let questions: Vec<Question<'_>> = questions.collect();
        self.units.scores(&questions, method.measure, sums)
    }

    /// The best documents, best first, then by number.
    fn first(&self, answer: &Answer, query: &Query, most: usize) -> Vec<RankedDocument> {
        let mut hits: Vec<&Hit> = answer.hits.iter().collect();
        let order = |a: &&Hit, b: &&Hit| {
            b.share
                .total_cmp(&a.share)
                .then(a.document.cmp(&b.document))
        };
        hits.sort_unstable_by(order);
        let document = |hit: &&Hit| RankedDocument {
            id: self.collection.documents[hit.document.0 as usize]
                .id
                .clone(),
            similarity: hit.score,
            percent: 100.0 * hit.share,
            correct: query.correct.contains(&hit.document.0),
        };
        hits.iter().take(most).map(document).collect()
    }
}

impl Method {
    /// What its row is called.
    fn title(&self) -> String {
        let mut title = self.name.clone();
        if let Some(query) = &self.query {
            let _ = write!(title, ", queries {}", query.selector);
        }
        if let Some(terms) = self.terms {
            let _ = write!(title, ", {terms} terms");
        }
        title
    }
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
