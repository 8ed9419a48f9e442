//! The same for rows that somebody has in memory: each gets its fate, and nothing is written.
//!
//! Whoever has a table in memory takes the rows that are kept, with all that stands beside the text.
//! What is found is, row for row, what [`run`](super::run) finds in a file of the same rows.

use std::collections::HashMap;

use cento::index::DigestStore;
use cento::repeats::{Filter, TestSet, Windows};
use rayon::prelude::*;
use serde_json::Value;

use super::against::add_problems;
use super::choose::{Standing, choices, kept, kept_of_equal, rounded};
use super::compare::Comparison;
use super::contained::Search as TestSearch;
use super::corpus::{Identity, Item, number};
use super::options::{Against, NearDuplicates, expect_share_of_errors, expect_words};
use super::passages::Search as PassageSearch;
pub use super::rewrite::Action;
use super::rewrite::{Judge, Verdict};
use super::skipped::{SkippedRow, expect_few};
use crate::error::{At as _, Error, Result};
use crate::method::settled;
use crate::watch::{Step, Watch};

/// Rows of a table in memory.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'t> {
    /// Their texts. A row without one is no document.
    pub texts: &'t [Option<&'t str>],
    /// Their ids, if they have some; otherwise a row is called by its number.
    pub ids: Option<&'t [String]>,
    /// The numbers in the field that decides which one is kept, if one does.
    pub numbers: Option<&'t [Option<f64>]>,
    /// The name of the field with the text.
    pub text_key: &'t str,
    /// The largest share of the rows that may be without a text.
    pub max_errors: f64,
}

/// What becomes of a row, if near-duplicates are taken out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowFate {
    /// The number of the row that is kept in its place: its own, if it is kept.
    pub kept: usize,
    /// Whether it is kept itself.
    pub is_kept: bool,
    /// How alike the two are.
    pub similarity: f64,
}

/// What becomes of a row, if text is cut out.
#[derive(Clone, Debug, PartialEq)]
pub struct RowCut {
    /// What is to be done with it.
    pub action: Action,
    /// What stands in its text that stands elsewhere too, as spans.jsonl has it.
    pub spans: Vec<Value>,
}

/// How many bytes of text are looked at together.
const BATCH: usize = 8 << 20;

/// Finds out which rows are like another one. A row without a text has no fate.
pub fn near_duplicates(
    rows: &Rows<'_>,
    wanted: &NearDuplicates,
    watch: &Watch<'_>,
) -> Result<Vec<Option<RowFate>>> {
    wanted.method.warn_of_open_key(watch);
    let mut problems = Vec::new();
    expect_share_of_errors(rows.max_errors, &mut problems);
    let comparison = Comparison::settle(wanted, problems, watch)?;
    let documents = rows.documents()?;
    rows.expect_numbers(&documents, wanted)?;
    let store = read(&documents, &comparison, watch)?;
    let order = comparison.keep.order(documents.len(), |place| {
        let document = &documents[place as usize];
        let numbers = rows.numbers.and_then(|numbers| numbers[document.row]);
        Standing {
            length: document.text.len() as u64,
            source: 0,
            field: numbers.filter(|number| number.is_finite()),
        }
    });
    let kept = if comparison.exact {
        kept_of_equal(&order, &equal(&documents))
    } else {
        kept(&store, &order, &comparison, None, watch)?
    };
    let chosen = choices(documents.len(), &order, kept, comparison.drop_all);
    let mut fates = vec![None; rows.texts.len()];
    for (document, choice) in documents.iter().zip(chosen) {
        fates[document.row] = Some(RowFate {
            kept: documents[choice.kept].row,
            is_kept: choice.is_kept,
            similarity: rounded(choice.similarity),
        });
    }
    Ok(fates)
}

/// Cuts out passages that stand earlier. A row without a text gets nothing.
pub fn passages(rows: &Rows<'_>, min_words: u32, watch: &Watch<'_>) -> Result<Vec<Option<RowCut>>> {
    let mut problems = Vec::new();
    expect_share_of_errors(rows.max_errors, &mut problems);
    expect_words(min_words, &mut problems);
    settled(Some(()), problems)?;
    let documents = rows.documents()?;
    let bytes = documents.iter().map(|one| one.text.len() as u64).sum();
    let filter = Filter::for_text(bytes);
    watch.begin(Step::Reading, documents.len(), bytes);
    documents.par_iter().try_for_each(|document| {
        watch.go_on()?;
        filter.add(&Windows::of(document.text, min_words));
        watch.advance(1, document.text.len() as u64);
        Ok::<_, Error>(())
    })?;
    watch.end();
    rows.judged(
        &documents,
        &mut PassageSearch::new(filter, min_words),
        watch,
    )
}

/// Test documents that rows are held against.
pub struct Tests {
    set: TestSet,
    ids: Vec<String>,
    wanted: Against,
}

impl Tests {
    /// Prepares test documents.
    pub fn new(tests: &Rows<'_>, wanted: &Against) -> Result<Tests> {
        let mut problems = Vec::new();
        expect_share_of_errors(tests.max_errors, &mut problems);
        add_problems(wanted, &mut problems);
        settled(Some(()), problems)?;
        if tests.texts.is_empty() {
            return Err(Error::option("against", "there are no documents in it"));
        }
        let found = tests.documents().of_tests()?;
        let contents: Vec<&str> = found.iter().map(|test| test.text).collect();
        Ok(Tests {
            set: TestSet::new(contents, wanted.min_words),
            ids: found.iter().map(|test| tests.id(test.row)).collect(),
            wanted: wanted.clone(),
        })
    }
}

/// Takes out rows with text of test documents, or cuts that text out.
pub fn against(
    rows: &Rows<'_>,
    tests: &Rows<'_>,
    wanted: &Against,
    watch: &Watch<'_>,
) -> Result<Vec<Option<RowCut>>> {
    let mut problems = Vec::new();
    expect_share_of_errors(rows.max_errors, &mut problems);
    settled(Some(()), problems)?;
    clean(rows, &Tests::new(tests, wanted)?, watch)
}

/// The same with test documents that were prepared before. What becomes of a row depends on no other.
pub fn clean(rows: &Rows<'_>, tests: &Tests, watch: &Watch<'_>) -> Result<Vec<Option<RowCut>>> {
    let documents = rows.documents()?;
    let mut search = TestSearch::new(&tests.set, &tests.ids, &tests.wanted);
    rows.judged(&documents, &mut search, watch)
}

/// A row that is a document.
struct RowDocument<'t> {
    row: usize,
    text: &'t str,
}

impl<'t> Rows<'t> {
    /// The rows with a text. Too many without one are an error, and so is a text that is too long.
    fn documents(&self) -> Result<Vec<RowDocument<'t>>> {
        let mut documents = Vec::with_capacity(self.texts.len());
        let mut skipped = Vec::new();
        for (row, text) in self.texts.iter().enumerate() {
            let reason = match text {
                Some(text) if u32::try_from(text.len()).is_ok_and(|length| length < u32::MAX) => {
                    documents.push(RowDocument { row, text });
                    continue;
                }
                Some(_) => "its text is longer than 4 GiB".to_owned(),
                None => format!("its field {} is empty", self.text_key),
            };
            skipped.push(SkippedRow {
                file: format!("row {row}"),
                line: None,
                reason,
                limit: None,
            });
        }
        number(documents.len())?;
        expect_few(&skipped, documents.len(), self.max_errors)?;
        Ok(documents)
    }

    fn id(&self, row: usize) -> String {
        match self.ids {
            Some(ids) => ids[row].clone(),
            None => row.to_string(),
        }
    }

    /// Refuses a field that decides, and in which no row has a number.
    fn expect_numbers(&self, documents: &[RowDocument<'_>], wanted: &NearDuplicates) -> Result<()> {
        let Some(field) = wanted.keep.field() else {
            return Ok(());
        };
        let number = |document: &RowDocument<'_>| self.numbers?[document.row];
        let has_one = |document| number(document).is_some_and(f64::is_finite);
        if documents.iter().any(has_one) {
            return Ok(());
        }
        let reason = format!("no document has a number in the field {field}");
        Err(Error::option("keep", reason))
    }

    /// What a judge makes of the documents, a batch at a time.
    fn judged(
        &self,
        documents: &[RowDocument<'_>],
        judge: &mut impl Judge,
        watch: &Watch<'_>,
    ) -> Result<Vec<Option<RowCut>>> {
        let bytes = documents.iter().map(|one| one.text.len() as u64).sum();
        watch.begin(Step::Comparing, documents.len(), bytes);
        let mut cuts = vec![None; self.texts.len()];
        for batch in batches(documents) {
            watch.go_on()?;
            let items = batch.iter().map(|document| Item {
                identity: Identity::Row {
                    table: 0,
                    start: document.row as u64,
                },
                id: self.id(document.row),
                text: document.text.to_owned(),
                record: None,
                number: None,
            });
            let verdicts = judge.judge(items.collect());
            for (document, (_, Verdict { action, spans })) in batch.iter().zip(verdicts) {
                cuts[document.row] = Some(RowCut { action, spans });
            }
            let bytes = batch.iter().map(|one| one.text.len() as u64).sum();
            watch.advance(batch.len() as u64, bytes);
        }
        watch.end();
        Ok(cuts)
    }
}

/// Documents in their order, with about so many bytes each.
fn batches<'d, 't>(
    documents: &'d [RowDocument<'t>],
) -> impl Iterator<Item = &'d [RowDocument<'t>]> {
    let mut rest = documents;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let is_over = |document: &RowDocument<'_>| {
            let was_over = bytes >= BATCH;
            bytes += document.text.len();
            was_over
        };
        let end = rest.iter().position(is_over).unwrap_or(rest.len());
        let (batch, others) = rest.split_at(end);
        rest = others;
        (!batch.is_empty()).then_some(batch)
    })
}

/// Makes fingerprints.
fn read(
    documents: &[RowDocument<'_>],
    comparison: &Comparison,
    watch: &Watch<'_>,
) -> Result<DigestStore> {
    let mut store = DigestStore::in_memory();
    let bytes = documents.iter().map(|one| one.text.len() as u64).sum();
    watch.begin(Step::Reading, documents.len(), bytes);
    for batch in batches(documents) {
        let fingerprints = batch.par_iter().map(|document| {
            watch.go_on()?;
            let fingerprint = comparison.fingerprint(document.text);
            watch.advance(1, document.text.len() as u64);
            Ok(fingerprint)
        });
        for fingerprint in fingerprints.collect::<Result<Vec<_>>>()? {
            store.push(&fingerprint)?;
        }
    }
    watch.end();
    Ok(store)
}

/// For each document the number of the first one that has the same text.
fn equal(documents: &[RowDocument<'_>]) -> Vec<u32> {
    let mut first = HashMap::with_capacity(documents.len());
    let numbers = (0..).zip(documents);
    let numbers = numbers.map(|(number, document)| *first.entry(document.text).or_insert(number));
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<'t>(texts: &'t [Option<&'t str>]) -> Rows<'t> {
        Rows {
            texts,
            ids: None,
            numbers: None,
            text_key: "text",
            max_errors: 0.5,
        }
    }

    #[test]
    fn every_row_with_a_text_has_a_fate() {
        let copy = "one text that stands here twice";
        let texts = [Some(copy), None, Some("another one"), Some(copy)];
        for exact in [false, true] {
            let wanted = NearDuplicates {
                exact,
                ..NearDuplicates::default()
            };
            let fates = near_duplicates(&rows(&texts), &wanted, &Watch::NOBODY).unwrap();
            let fates: Vec<_> = fates
                .iter()
                .map(|fate| fate.map(|fate| (fate.kept, fate.is_kept)))
                .collect();
            let kept = |row| Some((row, true));
            assert_eq!(fates, [kept(0), None, kept(2), Some((0, false))]);
        }
    }

    #[test]
    fn too_many_rows_without_a_text_are_an_error() {
        let texts = [None, None, Some("a text")];
        let wanted = NearDuplicates::default();
        let error = near_duplicates(&rows(&texts), &wanted, &Watch::NOBODY).unwrap_err();
        let sentence = error.sentence();
        assert!(
            sentence.ends_with("the first is row 0: its field text is empty"),
            "{sentence}"
        );
        let error = passages(&rows(&[]), 0, &Watch::NOBODY).unwrap_err();
        assert!(matches!(error, Error::Options(_)), "{error:?}");
    }

    #[test]
    fn text_of_tests_is_removed_or_cut_out() {
        let question = "how many years did it take the town to rebuild its canal and who paid";
        let long = format!("before it {question} and after it");
        let texts = [Some("a clean text"), Some(long.as_str()), Some(question)];
        let check = |only_passages, expected: [Action; 3]| {
            let wanted = Against {
                only_passages,
                ..Against::default()
            };
            let questions = [Some(question)];
            let cuts = against(&rows(&texts), &rows(&questions), &wanted, &Watch::NOBODY).unwrap();
            let actions: Vec<Action> = cuts.into_iter().flatten().map(|cut| cut.action).collect();
            assert_eq!(actions, expected);
        };
        check(false, [Action::Keep, Action::Remove, Action::Remove]);
        let rest = Action::Change("before it and after it".to_owned());
        check(true, [Action::Keep, rest, Action::Remove]);
    }

    #[test]
    fn batches_have_all_documents_once() {
        let text = "x".repeat(BATCH / 3);
        for count in [0, 1, 4, 7, 8] {
            let documents: Vec<RowDocument<'_>> = (0..count)
                .map(|row| RowDocument { row, text: &text })
                .collect();
            let seen: Vec<usize> = batches(&documents).flatten().map(|one| one.row).collect();
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
            assert!(batches(&documents).all(|batch| !batch.is_empty() && batch.len() <= 4));
        }
    }
}
