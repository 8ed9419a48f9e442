//! A document in question, and what of it counts.

use super::VerifySettings;
use super::estimate::{WordPlaces, joined};
use crate::digest::Digest;
use crate::discount::{Discount, common_from};
use crate::disguise::Disguised;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::Question;
use crate::index::registry::{Entry, Request, Snapshot, SpanOf};
use crate::measure::Overlap;
use crate::report::Bytes;
use crate::select::Frequencies as _;
use crate::stretch::{Stretches, Terms};

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
    /// It was registered just now: the latest version of its id is the document itself.
    pub is_registered: bool,
    /// How many words it has.
    pub words: u64,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// What of it is disguised.
    pub disguised: Disguised,
    /// Its fingerprint, or those of its passages: by the registry's recipe, or by one that differs in
    /// the selector.
    pub fingerprints: Vec<Fingerprint>,
    /// The same as the registry would keep them, if these were made with another selector.
    pub itself: Option<Vec<Fingerprint>>,
    /// Where its chunks stand.
    pub spans: Vec<SpanOf>,
    /// Where its words stand.
    pub places: WordPlaces,
    /// What its stretches are made of.
    pub terms: Terms,
}

impl Query {
    /// A text that would be registered under the id that it has here, of nobody and in no set.
    pub fn new(id: impl Into<String>, text: &str, snapshot: &Snapshot) -> Query {
        let id = id.into();
        let (places, terms) = WordPlaces::with_terms(text, snapshot.prepare());
        Query {
            label: id.clone(),
            registry_id: id.clone(),
            id,
            submitter: None,
            set: None,
            is_registered: false,
            words: crate::token::count_words(text),
            warnings: Vec::new(),
            disguised: Disguised::in_text(text),
            fingerprints: snapshot.prepare().fingerprints(text),
            itself: None,
            spans: snapshot.spans(text),
            places,
            terms,
        }
    }
}

impl Query {
    /// What is asked of a ranking: each fingerprint beside what the registry would keep of it.
    pub(super) fn questions(&self) -> Vec<Question<'_>> {
        let itself = self.itself.as_ref().unwrap_or(&self.fingerprints);
        let both = self.fingerprints.iter().zip(itself);
        both.map(|(query, itself)| Question { query, itself })
            .collect()
    }
}

/// What a query scores against itself as the registry would keep it, by a measure of sets. A score of 0
/// would be no measure of anything: then it counts as 1.
pub(super) fn own_score(snapshot: &Snapshot, query: &Query, request: &Request<'_>) -> f64 {
    let (Some(itself), Some(measure)) = (&query.itself, request.measure.of_sets()) else {
        return 1.0;
    };
    let counted = |fingerprint: &Fingerprint| {
        let mut digests = snapshot.counted(fingerprint, request.set);
        digests.retain(|digest| request.base.binary_search(digest).is_err());
        digests
    };
    let itself = counted(&Fingerprint::union(itself));
    let own = measure.score_for_query(Overlap::of(&counted(request.query), &itself));
    if own > 0.0 { own } else { 1.0 }
}

/// The digests of a query that do not count: those of templates, and if it was asked for those that
/// many registered documents have.
pub(super) fn left_out(
    snapshot: &Snapshot,
    query: &Fingerprint,
    settings: &VerifySettings,
) -> Vec<Digest> {
    let mut left_out = settings.base.clone();
    if settings.left_out.has(Discount::Common) {
        let from = common_from(snapshot.documents());
        let digests = query.digests().iter().copied();
        left_out.extend(digests.filter(|digest| snapshot.documents_with(*digest) >= from));
        left_out.sort_unstable();
        left_out.dedup();
    }
    left_out
}

/// The stretches of a query without the text that does not count: templates, what the registry ignores,
/// and what many have, if that is left out.
pub(super) fn stretches(
    snapshot: &Snapshot,
    query: &Query,
    whole: &Fingerprint,
    left_out: &[Digest],
) -> Stretches {
    let counted = snapshot.counted(whole, query.set.as_deref());
    let counts = |span: &SpanOf| {
        counted.binary_search(&span.digest).is_ok() && left_out.binary_search(&span.digest).is_err()
    };
    let without = query.spans.iter().filter(|span| !counts(span));
    let without: Vec<Bytes> = without
        .map(|span| Bytes {
            start: span.start,
            end: span.end,
        })
        .collect();
    let is_left_out = query.places.within(&joined(without));
    let prepare = snapshot.prepare();
    prepare.stretches_without(&query.terms, |word| is_left_out[word as usize])
}

/// The registered versions of a query itself. The id alone does not make them that: many people call
/// their files alike, and a copy under the same name must be found.
pub(super) fn own_versions(snapshot: &Snapshot, query: &Query) -> Result<Vec<Entry>, Error> {
    if query.submitter.is_none() && !query.is_registered {
        return Ok(Vec::new());
    }
    let mut versions = snapshot.versions(&query.registry_id)?;
    let latest = versions.last().map(|entry| entry.number);
    versions.retain(|entry| {
        let is_by_them = query.submitter.is_some() && entry.facts.submitter == query.submitter;
        is_by_them || (query.is_registered && Some(entry.number) == latest)
    });
    Ok(versions)
}
