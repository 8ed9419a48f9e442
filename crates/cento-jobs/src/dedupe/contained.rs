//! The search for the text of tests in documents.

use cento::repeats::{Contained, TestCover, TestSet, join};
use cento_report::Characters;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::corpus::Item;
use super::cut::{Cut, action};
use super::options::Against;
use super::rewrite::{Action, Judge, Verdict};

/// What has been found so far.
pub(super) struct Search<'s> {
    pub(super) tests: &'s TestSet,
    /// The ids of the test documents.
    pub(super) ids: &'s [String],
    min_share: f64,
    only_passages: bool,
    /// For each test document.
    pub(super) best: Vec<Best>,
    pub(super) contaminated: Vec<Contaminated>,
    pub(super) cut: Cut,
}

/// Where most of a test document was found.
#[derive(Clone, Default)]
pub(super) struct Best {
    pub(super) documents: u64,
    pub(super) share: f64,
    pub(super) id: String,
}

/// A document with text of a test.
pub(super) struct Contaminated {
    pub(super) id: String,
    pub(super) words: u32,
    pub(super) found: u64,
    /// The test document of which it has the largest share.
    pub(super) test: u32,
    pub(super) share: f64,
    pub(super) is_kept: bool,
}

/// A contaminated document, what it covers of test documents, and what would be cut.
type Evidence = (Contaminated, Vec<TestCover>, Cut);

impl<'s> Search<'s> {
    pub(super) fn new(tests: &'s TestSet, ids: &'s [String], wanted: &Against) -> Search<'s> {
        Search {
            tests,
            ids,
            min_share: wanted.min_share,
            only_passages: wanted.only_passages,
            best: vec![Best::default(); ids.len()],
            contaminated: Vec::new(),
            cut: Cut::default(),
        }
    }

    fn add(&mut self, (document, covers, cut): Evidence) {
        for cover in covers {
            let best = &mut self.best[cover.document as usize];
            best.documents += 1;
            if cover.share() > best.share {
                best.share = cover.share();
                best.id.clone_from(&document.id);
            }
        }
        self.contaminated.push(document);
        self.cut.add(cut);
    }

    fn judge_one(&self, item: &Item) -> (Verdict, Option<Evidence>) {
        let contained = self.tests.find(&item.text);
        let most = contained.covers.iter().copied().reduce(|best, cover| {
            if cover.share() > best.share() {
                cover
            } else {
                best
            }
        });
        let Some(most) = most else {
            let verdict = Verdict {
                action: Action::Keep,
                spans: Vec::new(),
            };
            return (verdict, None);
        };
        let runs = join(contained.matches.iter().map(|run| run.words.clone()));
        let characters = Characters::new(&item.text);
        let cut = Cut::of(&contained.tokens, &runs, &characters);
        let action = if most.share() < self.min_share {
            Action::Keep
        } else if self.only_passages {
            action(item, &contained.tokens, &runs)
        } else {
            Action::Remove
        };
        let document = Contaminated {
            id: item.id.clone(),
            words: u32::try_from(contained.tokens.len()).unwrap_or(u32::MAX),
            found: cut.words,
            test: most.document,
            share: most.share(),
            is_kept: !matches!(action, Action::Remove),
        };
        let spans = self.spans(item, &contained, &characters);
        let verdict = Verdict { action, spans };
        (verdict, Some((document, contained.covers, cut)))
    }

    fn spans(&self, item: &Item, found: &Contained, characters: &Characters<'_>) -> Vec<Value> {
        let matches = found.matches.iter();
        let span = matches.map(|run| {
            let bytes = found.tokens.source(run.words.clone());
            let cover = found
                .covers
                .iter()
                .find(|cover| cover.document == run.document);
            json!({
                "doc_id": item.id,
                "start": bytes.start,
                "end": bytes.end,
                "start_char": characters.before(bytes.start),
                "end_char": characters.before(bytes.end),
                "words": run.words.len(),
                "test": {
                    "doc_id": self.ids[run.document as usize],
                    "start": run.bytes.start,
                    "end": run.bytes.end,
                    "start_char": run.characters.start,
                    "end_char": run.characters.end,
                    "share": cover.map(|cover| (cover.share() * 1e6).round() / 1e6),
                },
            })
        });
        span.collect()
    }
}

impl Judge for Search<'_> {
    fn judge(&mut self, items: Vec<Item>) -> Vec<(Item, Verdict)> {
        let judged = items.into_par_iter().map(|item| {
            let (verdict, evidence) = self.judge_one(&item);
            (item, verdict, evidence)
        });
        let judged: Vec<(Item, Verdict, Option<Evidence>)> = judged.collect();
        let mut verdicts = Vec::with_capacity(judged.len());
        for (item, verdict, evidence) in judged {
            if let Some(evidence) = evidence {
                self.add(evidence);
            }
            verdicts.push((item, verdict));
        }
        verdicts
    }
}
