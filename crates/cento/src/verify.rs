//! Documents against a registry → report.
//!
//! [`verify`] finds the registered documents that share text with the ones in question;
//! [`Verification::report`] says so, with the shared passages where texts are at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::digest::Digest;
use crate::discount::Discounts;
use crate::error::Error;
use crate::evidence::{self, Collection, Gathered, Texts};
use crate::family::families;
use crate::fingerprint::Fingerprint;
use crate::index::DocId;
use crate::index::registry::{
    Entry, Exclusions, Found, Keepsake, Rarity, Request, Room, Snapshot, SpanOf, Which,
};
use crate::measure::{Measure, Overlap, SetMeasure};
use crate::number::index32;
use crate::report::{
    Bytes, DigestRarity, Histogram, Note, PairReport, Registered, RegistryPair, Report, SCHEMA,
    SHORT, Setting, Summary, Verified,
};
use crate::scan::THRESHOLD;
use crate::watch::Watch;

/// A document in question.
#[derive(Clone, Debug)]
pub struct Query {
    /// Its id, different from all others.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// The id under which it would be registered.
    pub registry_id: String,
    /// Whose it is.
    pub submitter: Option<String>,
    /// The set it belongs to.
    pub set: Option<String>,
    /// How many words it has.
    pub words: u64,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// Its fingerprint by the registry's recipe, or those of its passages.
    pub fingerprints: Vec<Fingerprint>,
    /// Where its chunks stand.
    pub spans: Vec<SpanOf>,
}

/// What is to be found.
#[derive(Clone, Debug)]
pub struct VerifySettings {
    /// What makes the score.
    pub measure: Measure,
    /// The lowest score of a document that is listed.
    pub threshold: f64,
    /// List at most so many documents for each query.
    pub top: Option<usize>,
    /// From which share of its own score on a passage is like another, in a registry of passages.
    pub passage_threshold: f64,
    /// Documents that do not count.
    pub exclude: Vec<Which>,
    /// Documents of a query's own submitter do not count.
    pub exclude_own_submitter: bool,
    /// Versions of the query itself do count.
    pub include_own: bool,
    /// What the percentages leave out of the texts.
    pub left_out: Discounts,
}

impl Default for VerifySettings {
    fn default() -> VerifySettings {
        VerifySettings {
            measure: Measure::default(),
            threshold: THRESHOLD,
            top: None,
            passage_threshold: 0.5,
            exclude: Vec::new(),
            exclude_own_submitter: false,
            include_own: false,
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

/// What was found for one query.
struct Answer {
    found: Found,
    /// How many documents were left out: versions of the query, and others.
    left_out: (u32, u32),
    /// For each listed document which digests it shares.
    shared: BTreeMap<u32, Vec<Digest>>,
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
        .map_init(Room::default, |room, query| {
            watch.go_on()?;
            let answer = answer(snapshot, query, settings, room)?;
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
    /// The registered documents that are listed, with their ids in the report.
    pub fn listed(&self) -> impl Iterator<Item = (String, &Entry)> {
        self.entries.values().map(|entry| (report_id(entry), entry))
    }

    /// Whether anything is at or above the threshold.
    pub fn is_found(&self) -> bool {
        self.answers.iter().any(|answer| answer.found.at_least > 0)
    }

    /// What there is to say, with passages where [`Texts::read`] has both texts of a pair.
    /// The watch is told how many pairs have been aligned.
    pub fn report(&self, texts: Option<&Texts<'_>>, watch: Watch<'_>) -> Result<Report, Error> {
        let places: BTreeMap<u32, u32> = self
            .entries
            .keys()
            .zip(index32(self.queries.len())..)
            .map(|(number, place)| (*number, place))
            .collect();
        let mut documents: Vec<Summary> = self.queries.iter().map(summary).collect();
        documents.extend(self.entries.values().map(registered));
        let mut pairs: Vec<(DocId, DocId, PairReport)> = Vec::new();
        for (place, (query, answer)) in (0..).zip(self.queries.iter().zip(&self.answers)) {
            let (own, others) = answer.left_out;
            let document = &mut documents[place as usize];
            document.global = answer.found.global();
            document.digests = answer.found.digests;
            document.verified = Some(Verified {
                global_without_common: answer.found.global_without_common(),
                rarity: rarity(answer.found.shared),
                own_versions: own,
                excluded: others,
                shared: parts(&query.spans, answer.shared.values().flatten()),
            });
            for alike in &answer.found.alike {
                watch.go_on()?;
                let Some(entry) = self.entries.get(&alike.number) else {
                    continue;
                };
                let digests = answer.shared.get(&alike.number);
                let registry = self.registry_pair(query, entry, alike.rarity, digests)?;
                let pair = pair(query, entry, alike.overlap, alike.score, registry);
                pairs.push((DocId(place), DocId(places[&alike.number]), pair));
            }
        }
        let is_short = |place: DocId| documents[place.0 as usize].short;
        pairs.sort_by(|a, b| {
            let late = |pair: &(DocId, DocId, PairReport)| is_short(pair.0) || is_short(pair.1);
            (late(a).cmp(&late(b)))
                .then(b.2.score.total_cmp(&a.2.score))
                .then_with(|| (&a.2.left, &a.2.right).cmp(&(&b.2.left, &b.2.right)))
        });
        let mut notes = self.notes();
        if let Some(texts) = texts {
            let mut gathered = self.gather(&documents, &pairs, texts, watch)?;
            notes.append(&mut gathered.notes);
            for (place, ignored) in gathered.ignored {
                documents[place.0 as usize].ignored = ignored;
            }
            for ((.., pair), evidence) in pairs.iter_mut().zip(gathered.pairs) {
                pair.evidence = evidence;
            }
        }
        let connected = pairs
            .iter()
            .map(|(left, right, _)| [left.0 as usize, right.0 as usize]);
        let families = families(documents.len(), connected);
        let names = |family: Vec<usize>| family.iter().map(|&n| documents[n].id.clone()).collect();
        Ok(Report {
            schema: SCHEMA.to_owned(),
            cento: env!("CARGO_PKG_VERSION").to_owned(),
            command: "verify".to_owned(),
            recipe: self.snapshot.settings().recipe.to_string(),
            measure: self.settings.measure.to_string(),
            settings: self.reported_settings(texts),
            families: families.into_iter().map(names).collect(),
            pairs: pairs.into_iter().map(|(.., pair)| pair).collect(),
            at_threshold: self
                .answers
                .iter()
                .map(|answer| answer.found.at_least)
                .sum(),
            below_threshold: Some(self.answers.iter().map(|answer| answer.found.below).sum()),
            histogram: Histogram::default(),
            advice: None,
            left_out: self.settings.left_out,
            documents,
            skipped: Vec::new(),
            notes,
        })
    }

    fn gather(
        &self,
        documents: &[Summary],
        pairs: &[(DocId, DocId, PairReport)],
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<Gathered, Error> {
        let collection = Collection {
            ids: documents
                .iter()
                .map(|document| document.id.as_str())
                .collect(),
            frequencies: self.snapshot,
            recipe: &self.snapshot.settings().recipe,
        };
        let pairs: Vec<(DocId, DocId)> = pairs
            .iter()
            .map(|(left, right, _)| (*left, *right))
            .collect();
        evidence::gather(&collection, &pairs, texts, self.settings.left_out, watch)
    }

    fn registry_pair(
        &self,
        query: &Query,
        entry: &Entry,
        shared: Rarity,
        digests: Option<&Vec<Digest>>,
    ) -> Result<RegistryPair, Error> {
        let digests = digests.map_or(&[][..], Vec::as_slice);
        let right = match self.snapshot.keepsake(entry.number)? {
            Some(Keepsake::Spans(spans)) => parts(&spans, digests),
            Some(Keepsake::Text(text)) => parts(&self.snapshot.spans(&text), digests),
            None => Vec::new(),
        };
        let submitter = &entry.facts.submitter;
        Ok(RegistryPair {
            rarity: rarity(shared),
            same_submitter: submitter.is_some() && *submitter == query.submitter,
            same_document: entry.facts.id == query.registry_id,
            shared: [parts(&query.spans, digests), right],
        })
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let more: u64 = self
            .answers
            .iter()
            .map(|answer| answer.found.at_least - answer.found.alike.len() as u64)
            .sum();
        if more > 0 {
            notes.push(Note::NotListed { pairs: more });
        }
        for (query, answer) in self.queries.iter().zip(&self.answers) {
            let document = || query.id.clone();
            let (versions, _) = answer.left_out;
            if versions > 0 {
                notes.push(Note::OwnVersions {
                    document: document(),
                    versions,
                });
            }
            if answer.found.digests == 0 {
                notes.push(Note::NothingToVerify {
                    document: document(),
                });
            }
        }
        notes
    }

    fn reported_settings(&self, texts: Option<&Texts<'_>>) -> BTreeMap<String, Setting> {
        let threshold = Setting::Number(self.settings.threshold);
        let mut reported = BTreeMap::from([("threshold".to_owned(), threshold)]);
        if let Some(texts) = texts {
            reported.insert(
                "aligner".to_owned(),
                Setting::Text(texts.aligner.to_string()),
            );
        }
        if let Some(top) = self.settings.top {
            reported.insert("top".to_owned(), Setting::Count(top as u64));
        }
        reported
    }
}

fn answer(
    snapshot: &Snapshot,
    query: &Query,
    settings: &VerifySettings,
    room: &mut Room,
) -> Result<Answer, Error> {
    let own = if settings.include_own {
        Exclusions::default()
    } else {
        snapshot.exclusions(&[Which::Id(query.registry_id.clone())])?
    };
    let mut which = settings.exclude.clone();
    if settings.exclude_own_submitter {
        which.extend(query.submitter.clone().map(Which::Submitter));
    }
    let others = snapshot.exclusions(&which)?;
    let exclusions = own.with(&others);
    let left_out = (index32(own.len()), index32(exclusions.len() - own.len()));
    let whole = Fingerprint::union(&query.fingerprints);
    let request = Request {
        query: &whole,
        set: query.set.as_deref(),
        measure: settings.measure,
        at_least: settings.threshold,
        limit: settings.top.unwrap_or(usize::MAX),
        exclusions: &exclusions,
    };
    let found = if settings.measure.is_set() {
        snapshot.search(&request, room)?
    } else {
        let from = settings.passage_threshold;
        snapshot.ranked(&request, &query.fingerprints, from, room)?
    };
    let numbers: Vec<u32> = found.alike.iter().map(|alike| alike.number).collect();
    let shared = snapshot.shared_digests(&request, &numbers)?;
    Ok(Answer {
        found,
        left_out,
        shared,
    })
}

/// The id of a registered document in a report: nothing that is verified has it.
fn report_id(entry: &Entry) -> String {
    match entry.version {
        1 => format!("registry:{}", entry.facts.id),
        version => format!("registry:{}@{version}", entry.facts.id),
    }
}

fn summary(query: &Query) -> Summary {
    Summary {
        id: query.id.clone(),
        label: query.label.clone(),
        words: query.words,
        digests: 0,
        global: 0.0,
        short: query.words < SHORT,
        old: false,
        date: None,
        parts: Vec::new(),
        warnings: query.warnings.clone(),
        ignored: Vec::new(),
        text: None,
        position: None,
        sha256: None,
        registered: None,
        verified: None,
    }
}

fn registered(entry: &Entry) -> Summary {
    let facts = &entry.facts;
    Summary {
        id: report_id(entry),
        label: facts.label.clone().unwrap_or_else(|| facts.id.clone()),
        words: entry.words,
        digests: entry.digests - entry.ignored,
        global: 0.0,
        short: entry.words < SHORT,
        old: true,
        date: facts.date.clone(),
        parts: Vec::new(),
        warnings: Vec::new(),
        ignored: Vec::new(),
        text: None,
        position: None,
        sha256: None,
        registered: Some(Registered {
            id: facts.id.clone(),
            version: entry.version,
            submitter: facts.submitter.clone(),
            set: facts.set.clone(),
            registered: facts.registered.clone(),
        }),
        verified: None,
    }
}

fn pair(
    query: &Query,
    entry: &Entry,
    overlap: Overlap,
    score: f64,
    registry: RegistryPair,
) -> PairReport {
    PairReport {
        left: query.id.clone(),
        right: report_id(entry),
        score,
        shared: overlap.shared,
        containment: overlap.containment(),
        symmetric: SetMeasure::Symmetric.score(overlap),
        resemblance: SetMeasure::Resemblance.score(overlap),
        max_containment: SetMeasure::MaxContainment.score(overlap),
        compression: None,
        distance: None,
        mutual: None,
        registry: Some(registry),
        evidence: None,
    }
}

fn rarity(rarity: Rarity) -> DigestRarity {
    let Rarity { rare, some, common } = rarity;
    DigestRarity { rare, some, common }
}

/// The bytes that some digests cover, in order and without overlap.
fn parts<'d>(spans: &[SpanOf], digests: impl IntoIterator<Item = &'d Digest>) -> Vec<Bytes> {
    let wanted: BTreeSet<Digest> = digests.into_iter().copied().collect();
    let mut parts: Vec<Bytes> = spans
        .iter()
        .filter(|span| wanted.contains(&span.digest))
        .map(|span| Bytes {
            start: span.start,
            end: span.end,
        })
        .collect();
    parts.sort_unstable_by_key(|part| (part.start, part.end));
    parts.dedup_by(|next, last| {
        let joined = next.start <= last.end;
        if joined {
            last.end = last.end.max(next.end);
        }
        joined
    });
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined() {
        let span = |digest, start, end| SpanOf {
            digest: Digest(digest),
            start,
            end,
        };
        let spans = [
            span(1, 0, 10),
            span(2, 5, 12),
            span(3, 20, 30),
            span(1, 40, 50),
        ];
        let found = parts(&spans, &[Digest(1), Digest(2)]);
        let found: Vec<(u32, u32)> = found.iter().map(|part| (part.start, part.end)).collect();
        assert_eq!(found, [(0, 12), (40, 50)]);
    }
}
