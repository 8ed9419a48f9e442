//! Documents against a registry → report.
//!
//! [`verify`] finds the registered documents that share text with the ones in question;
//! [`Verification::report`] says so, with the shared passages where texts are at hand.
//!
//! ```
//! use cento::index::registry::{Facts, OnChange, Registry, Settings, Snapshot};
//! use cento::verify::{Query, VerifySettings, verify};
//! use cento::{Key, Watch};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("registry");
//! # let now = "2026-03-01T12:00:00Z";
//! # Registry::create(&path, Settings::default(), None, now)?;
//! # let mut registry = Registry::open(&path, &Key::PUBLIC, "an example")?;
//! # let facts = Facts { id: "anna".to_owned(), registered: now.to_owned(), ..Facts::default() };
//! # let text = "The town rebuilt its canal in nine years.";
//! # registry.add(registry.prepare().candidate(facts, text), OnChange::Version)?;
//! # registry.finish()?;
//! let snapshot = Snapshot::open(&path, &Key::PUBLIC, now)?;
//! let text = "They say that the town rebuilt its canal in nine years.";
//! let queries = [Query::new("ben", text, &snapshot)];
//! let settings = VerifySettings::default();
//! let mut verification = verify(&snapshot, &queries, &settings, Watch::NOBODY)?;
//! let report = verification.report(None, Watch::NOBODY)?;
//! assert_eq!(report.pairs[0].left, "ben");
//! assert_eq!(report.pairs[0].right, "registry:anna");
//! # Ok::<(), cento::Error>(())
//! ```

mod answer;
mod dense;
mod estimate;
mod exact;
mod listed;
mod of_shards;
mod query;
mod standard;
mod weight;

pub use estimate::WordPlaces;
pub use exact::{ExactOverlap, TextOfSet};
pub use of_shards::{ListedPair, is_listed};
pub use query::Query;
pub use standard::standard_from;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::digest::Digest;
use crate::discount::Discounts;
use crate::error::Error;
use crate::evidence::Texts;
use crate::index::registry::{
    Alike, Entry, KeptStretches, Rarity, Retained, Scratch, Snapshot, Which,
};
use crate::index::{DocId, Pair};
use crate::measure::Measure;
use crate::number::index32;
use crate::recipe::Recipe;
use crate::report::{
    DigestRarity, Estimate, Listed as ListedFor, Note, OwnVersion, PairReport, Registered,
    RegistryPair, Report, Setting, Summary, Top, Verified, registered_id,
};
use crate::scan::{PASSAGE_THRESHOLD, THRESHOLD};
use crate::watch::Watch;
use answer::{Answer, answer};
use estimate::parts;

/// What is to be found.
#[derive(Clone, Debug)]
pub struct VerifySettings {
    /// What makes the score.
    pub measure: Measure,
    /// The lowest score of a document that is listed. In the order of weights, one that scores lower is
    /// listed, too, if it shares enough text that few documents have.
    pub threshold: f64,
    /// What stands first in the list.
    pub order: Order,
    /// List at most so many documents for each query.
    pub top: Option<usize>,
    /// From which share of its own score on a passage is like another, in a registry of passages.
    pub passage_threshold: f64,
    /// Documents that do not count.
    pub exclude: Vec<Which>,
    /// Documents of a query's own submitter do not count.
    pub exclude_own_submitter: bool,
    /// Versions of the query itself, which have its id and its submitter, do count.
    pub include_own: bool,
    /// List also the documents that share only text that many have.
    pub include_standard: bool,
    /// The digests of templates, which count for no document; sorted.
    pub base: Vec<Digest>,
    /// What the percentages leave out of the texts. What many registered documents have is then left
    /// out of the scores, too.
    pub left_out: Discounts,
}

/// What stands first in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// What shares most of the text that few registered documents have.
    #[default]
    Weight,
    /// The highest score.
    Score,
}

impl VerifySettings {
    /// What stands first in the list of a registry. In one of passages it is the score: how many
    /// passages are alike says nothing of the text that few have.
    fn order_in(&self, snapshot: &Snapshot) -> Order {
        match snapshot.settings().recipe.passages {
            Some(_) => Order::Score,
            None => self.order,
        }
    }
}

impl Default for VerifySettings {
    fn default() -> VerifySettings {
        VerifySettings {
            measure: Measure::default(),
            threshold: THRESHOLD,
            order: Order::default(),
            top: None,
            passage_threshold: PASSAGE_THRESHOLD,
            exclude: Vec::new(),
            exclude_own_submitter: false,
            include_own: false,
            include_standard: false,
            base: Vec::new(),
            left_out: Discounts::USUAL,
        }
    }
}

/// What was found.
pub struct Verification<'a> {
    snapshot: &'a Snapshot,
    queries: &'a [Query],
    settings: &'a VerifySettings,
    answers: Vec<Answer>,
    /// The registered documents that are listed, by number.
    entries: BTreeMap<u32, Entry>,
}

/// Finds the registered documents that share text with these.
pub fn verify<'a>(
    snapshot: &'a Snapshot,
    queries: &'a [Query],
    settings: &'a VerifySettings,
    watch: Watch<'_>,
) -> Result<Verification<'a>, Error> {
    let done = AtomicU64::new(0);
    let answers: Vec<Answer> = queries
        .par_iter()
        .map_init(Scratch::default, |scratch, query| {
            watch.go_on()?;
            let answer = answer(snapshot, query, settings, scratch)?;
            watch.tell(
                done.fetch_add(1, Ordering::Relaxed) + 1,
                queries.len() as u64,
            );
            Ok(answer)
        })
        .collect::<Result<_, Error>>()?;
    let numbers: BTreeSet<u32> = answers
        .iter()
        .flat_map(|answer| answer.found.alike.iter().map(|alike| alike.number))
        .collect();
    let mut entries = BTreeMap::new();
    for number in numbers {
        if let Some(entry) = snapshot.entry(number)? {
            entries.insert(number, entry);
        }
    }
    Ok(Verification {
        snapshot,
        queries,
        settings,
        answers,
        entries,
    })
}

impl Verification<'_> {
    /// The registered versions of the documents in question that do not count, with the ids that
    /// they would have in the report.
    pub fn own(&self) -> impl Iterator<Item = (String, &Entry)> {
        let own = self
            .answers
            .iter()
            .flat_map(|answer| self.own_left_out(answer));
        own.map(|(entry, _)| (report_id(entry), entry))
    }

    /// The registered documents that are listed, with their ids in the report.
    pub fn listed(&self) -> impl Iterator<Item = (String, &Entry)> {
        self.entries.values().map(|entry| (report_id(entry), entry))
    }

    /// Whether anything is at or above the threshold.
    pub fn is_found(&self) -> bool {
        self.answers.iter().any(|answer| answer.found.at_least > 0)
    }

    /// What there is to say, with passages where [`Texts::read`] has both texts of a pair. The watch
    /// is told how many pairs have been aligned.
    pub fn report(&mut self, texts: Option<&Texts<'_>>, watch: Watch<'_>) -> Result<Report, Error> {
        self.look(texts, watch)?;
        self.looked_at(texts, watch)
    }

    /// The same when it is decided what is listed for a stretch.
    fn looked_at(&self, texts: Option<&Texts<'_>>, watch: Watch<'_>) -> Result<Report, Error> {
        let recipe = &self.snapshot.settings().recipe;
        let measure = self.settings.measure.to_string();
        let mut report = Report::new("verify", recipe.to_string(), measure, self.documents());
        report.set("threshold", Setting::Number(self.settings.threshold));
        if self.order() == Order::Weight {
            report.set("order", Setting::Text("weight".to_owned()));
        }
        if recipe.passages.is_some() {
            let from = Setting::Number(self.settings.passage_threshold);
            report.set("passage-threshold", from);
        }
        if let Some(top) = self.settings.top {
            report.set("top", Setting::Count(top as u64));
        }
        report.left_out = self.settings.left_out;
        let found = || self.answers.iter().map(|answer| &answer.found);
        report.at_threshold = found().map(|found| found.at_least).sum();
        report.below_threshold = Some(found().map(|found| found.below).sum());
        let alike = self.alike();
        let mut listed = report.list(
            alike.values().map(|(pair, _)| *pair).collect(),
            Top::default(),
        );
        for (pair, listed) in listed.iter().zip(&mut report.pairs) {
            let alike = alike.get(&(pair.left, pair.right));
            let weighed = alike.filter(|_| recipe.passages.is_none());
            listed.weight = weighed.map(|(_, alike)| self.weight(pair.left, alike));
            listed.similarity = alike.and_then(|(_, alike)| alike.similarity);
            let stretches = &self.answers[pair.left.0 as usize].stretches;
            let for_stretch = alike.and_then(|(_, alike)| stretches.get(&alike.number));
            listed.listed = for_stretch.map(|stretch| stretch.listed);
        }
        if self.order() == Order::Weight {
            listed = order_by_weight(&mut report, &listed);
        }
        report.leave_unlisted(report.at_threshold - listed.len() as u64);
        self.add_notes(&mut report);
        for (pair, listed) in listed.iter().zip(&mut report.pairs) {
            watch.go_on()?;
            if let Some((_, alike)) = alike.get(&(pair.left, pair.right)) {
                listed.registry = Some(self.registry_pair(pair.left, alike)?);
            }
        }
        report.connect(listed.iter());
        if let Some(texts) = texts {
            report.align(&listed, recipe, self.snapshot, texts, watch)?;
        }
        for (pair, listed) in listed.iter().zip(&mut report.pairs) {
            if listed.evidence.is_none() {
                listed.estimate = self.estimate(pair.left, listed);
            }
        }
        if report.pairs.iter().any(|pair| pair.estimate.is_some()) {
            report.notes.push(Note::Estimated);
        }
        report.mark_thin();
        Ok(report)
    }

    fn order(&self) -> Order {
        self.settings.order_in(self.snapshot)
    }

    /// The documents in question and, behind them, the registered ones that are listed.
    fn documents(&self) -> Vec<Summary> {
        let recipe = &self.snapshot.settings().recipe;
        let verified = |(query, answer): (&Query, &Answer)| {
            let own = self.own_left_out(answer);
            Summary {
                global: answer.found.global(),
                digests: answer.found.digests,
                thin: recipe.is_thin(answer.found.digests, query.words),
                warnings: query.warnings.clone(),
                disguised: query.disguised,
                verified: Some(Verified {
                    global_without_common: answer.found.global_without_common(),
                    rarity: rarity(answer.found.shared),
                    own_versions: index32(own.len()),
                    own: own.iter().map(own_version).collect(),
                    excluded: answer.excluded,
                    shared: parts(&query.spans, &all_of(&answer.shared)),
                    standard: answer.standard,
                }),
                ..Summary::new(&query.id, &query.label, query.words)
            }
        };
        let queries = self.queries.iter().zip(&self.answers).map(verified);
        queries
            .chain(self.entries.values().map(|entry| registered(entry, recipe)))
            .collect()
    }

    /// The versions of a query that do not count.
    fn own_left_out<'a>(&self, answer: &'a Answer) -> &'a [(Entry, f64)] {
        if self.settings.include_own {
            &[]
        } else {
            &answer.own
        }
    }

    /// The documents that are alike, by their places among all: a query and a registered one.
    fn alike(&self) -> BTreeMap<(DocId, DocId), (Pair, &Alike)> {
        let places: BTreeMap<u32, u32> = self
            .entries
            .keys()
            .zip(index32(self.queries.len())..)
            .map(|(number, place)| (*number, place))
            .collect();
        let mut pairs = BTreeMap::new();
        for (place, answer) in (0..).zip(&self.answers) {
            for alike in &answer.found.alike {
                let Some(&right) = places.get(&alike.number) else {
                    continue;
                };
                let pair = Pair {
                    left: DocId(place),
                    right: DocId(right),
                    overlap: alike.overlap,
                    score: alike.score,
                };
                pairs.insert((pair.left, pair.right), (pair, alike));
            }
        }
        pairs
    }

    /// How much of a query and of a registered document is text that both and few others have.
    fn weight(&self, query: DocId, alike: &Alike) -> f64 {
        let weights = &self.answers[query.0 as usize].weights;
        weights.get(&alike.number).copied().unwrap_or(0.0)
    }

    fn registry_pair(&self, query: DocId, alike: &Alike) -> Result<RegistryPair, Error> {
        let (query, answer) = (
            &self.queries[query.0 as usize],
            &self.answers[query.0 as usize],
        );
        let facts = &self.entries[&alike.number].facts;
        let is_own = |(own, _): &(Entry, f64)| own.number == alike.number;
        let digests = answer.shared.get(&alike.number);
        let digests = digests.map_or(&[][..], Vec::as_slice);
        let right = match self.snapshot.retained(alike.number)? {
            Some(Retained::Spans(spans)) => parts(&spans, digests),
            // The tokens of programs come from parsers, which are elsewhere.
            Some(Retained::Text(text)) if !self.snapshot.settings().recipe.is_for_programs() => {
                parts(&self.snapshot.spans(&text), digests)
            }
            Some(Retained::Text(_)) | None => Vec::new(),
        };
        Ok(RegistryPair {
            rarity: rarity(alike.rarity),
            same_submitter: facts.submitter.is_some() && facts.submitter == query.submitter,
            same_document: answer.own.iter().any(is_own),
            shared: [parts(&query.spans, digests), right],
            stretch: answer
                .stretches
                .get(&alike.number)
                .filter(|stretch| stretch.listed == ListedFor::Stretch)
                .and_then(|stretch| query.places.stretch(stretch.block)),
        })
    }

    /// What there is to say about a pair without its texts.
    fn estimate(&self, query: DocId, pair: &PairReport) -> Option<Estimate> {
        let (query, answer) = (
            &self.queries[query.0 as usize],
            &self.answers[query.0 as usize],
        );
        let shared = &pair.registry.as_ref()?.shared[0];
        let left_out = parts(&query.spans, &answer.left_out);
        let counted = query.places.estimate(shared, &left_out);
        // Chunks that are not in a row may cover every word: that is not all of the text.
        let is_all = pair.containment[0] >= 1.0;
        let of_query = if is_all {
            counted.share()
        } else {
            counted.share().min(1.0 - f64::EPSILON)
        };
        Some(Estimate {
            share: [of_query, pair.containment[1]],
            estimate: true,
            counted: Some(counted),
        })
    }

    fn add_notes(&self, report: &mut Report) {
        let registry = self.snapshot.settings();
        if self.order() == Order::Weight && registry.stretches == KeptStretches::None {
            report.notes.push(Note::NoStretches);
        }
        for (query, answer) in self.queries.iter().zip(&self.answers) {
            let document = || query.id.clone();
            let own = self.own_left_out(answer);
            if !own.is_empty() {
                report.notes.push(Note::OwnVersions {
                    document: document(),
                    versions: index32(own.len()),
                    containment: own.iter().fold(0.0, |most, (_, share)| most.max(*share)),
                });
            }
            if answer.standard > 0 {
                report.notes.push(Note::OnlyStandard {
                    document: document(),
                    documents: answer.standard,
                });
            }
            if answer.found.digests == 0 {
                report.notes.push(Note::NothingToVerify {
                    document: document(),
                });
            }
        }
    }
}

/// Orders the listed pairs by their weights, then by ids; those with a short document stay last.
fn order_by_weight(report: &mut Report, listed: &[Pair]) -> Vec<Pair> {
    let pairs = std::mem::take(&mut report.pairs);
    let is_short = |place: DocId| report.documents[place.0 as usize].short;
    let mut both: Vec<(Pair, PairReport)> = listed.iter().copied().zip(pairs).collect();
    both.sort_by(|(one, a), (other, b)| {
        let is_late = |pair: &Pair| is_short(pair.left) || is_short(pair.right);
        let weight = |pair: &PairReport| pair.weight.unwrap_or(0.0);
        (is_late(one).cmp(&is_late(other)))
            .then(weight(b).total_cmp(&weight(a)))
            .then_with(|| (&a.left, &a.right).cmp(&(&b.left, &b.right)))
    });
    let (listed, pairs) = both.into_iter().unzip();
    report.pairs = pairs;
    listed
}

/// All digests that some documents share, sorted.
fn all_of(shared: &BTreeMap<u32, Vec<Digest>>) -> Vec<Digest> {
    let all: BTreeSet<Digest> = shared.values().flatten().copied().collect();
    all.into_iter().collect()
}

fn report_id(entry: &Entry) -> String {
    registered_id(&entry.facts.id, entry.version)
}

fn registered(entry: &Entry, recipe: &Recipe) -> Summary {
    let facts = &entry.facts;
    let label = facts.label.as_ref().unwrap_or(&facts.id);
    Summary {
        digests: entry.digests - entry.ignored,
        thin: recipe.is_thin(entry.digests - entry.ignored, entry.words),
        old: true,
        date: facts.date.clone(),
        registered: Some(Registered {
            id: facts.id.clone(),
            version: entry.version,
            submitter: facts.submitter.clone(),
            set: facts.set.clone(),
            registered: facts.registered.clone(),
        }),
        ..Summary::new(report_id(entry), label, entry.words)
    }
}

fn own_version((entry, containment): &(Entry, f64)) -> OwnVersion {
    let facts = &entry.facts;
    OwnVersion {
        id: facts.id.clone(),
        version: entry.version,
        set: facts.set.clone(),
        registered: facts.registered.clone(),
        containment: *containment,
    }
}

fn rarity(rarity: Rarity) -> DigestRarity {
    let Rarity { rare, some, common } = rarity;
    DigestRarity { rare, some, common }
}
