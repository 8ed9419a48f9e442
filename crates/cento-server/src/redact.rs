//! What a caller may see of a report.
//!
//! Documents in sets of others show how much is shared, their set and a number, and nothing else.
//! Somebody who may submit only sees every registered document that way, and all shares in bands:
//! exact numbers would tell which small edit brought a score down (section 3 of the paper on text
//! sifting).

use std::collections::{BTreeMap, BTreeSet};

use cento::disguise::Disguised;
use cento::report::{Bytes, DigestRarity, Estimate, Note, PairReport, Report, Setting};

use crate::auth::{Role, Sets};

/// The lower ends of the bands. What is below the second is not listed.
pub(crate) const BANDS: [f64; 6] = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0];

/// Somebody who hears about registered documents.
#[derive(Clone, Debug)]
pub(crate) struct Viewer {
    pub(crate) role: Role,
    pub(crate) sets: Sets,
    /// The account, not the submitter: that is whatever they say.
    pub(crate) account: String,
}

impl Viewer {
    /// Whether a document of this submitter in this set is theirs to see.
    pub(crate) fn sees(&self, submitter: Option<&str>, set: Option<&str>) -> bool {
        let is_own = submitter == Some(self.account.as_str());
        self.sets.allow(set) && (self.role > Role::Submit || is_own)
    }
}

/// What documents that a viewer may not see are called.
pub(crate) fn hidden_name(number: u32) -> String {
    format!("registry:{number}")
}

/// Takes out of a report of a verification what a caller may not see. `numbers` are those of the
/// registered documents, by their ids in the report; `submitter` is who submitted the documents in
/// question and their own versions.
pub(crate) fn redact(
    report: &mut Report,
    viewer: &Viewer,
    submitter: Option<&str>,
    numbers: &BTreeMap<String, u32>,
) {
    let is_coarse = viewer.role == Role::Submit;
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    // What the registry calls them.
    let mut hidden: BTreeSet<String> = BTreeSet::new();
    for document in &mut report.documents {
        let Some(registered) = &mut document.registered else {
            continue;
        };
        if viewer.sees(registered.submitter.as_deref(), registered.set.as_deref()) {
            continue;
        }
        let number = numbers.get(&document.id).copied().unwrap_or(0);
        let of = match &registered.set {
            Some(set) => format!(" in {set}"),
            None => String::new(),
        };
        let name = hidden_name(number);
        names.insert(
            std::mem::replace(&mut document.id, name.clone()),
            name.clone(),
        );
        document.label = format!("document {number}{of}");
        hidden.insert(std::mem::replace(&mut registered.id, name));
        registered.version = 1;
        registered.submitter = None;
        registered.registered = String::new();
        document.words = 0;
        document.digests = 0;
        document.short = false;
        document.date = None;
        document.text = None;
        document.sha256 = None;
        document.ignored = Vec::new();
        document.disguised = Disguised::default();
        document.disguises = Vec::new();
        document.parts = Vec::new();
        document.highlights = Vec::new();
    }
    for pair in &mut report.pairs {
        if let Some(name) = names.get(&pair.right) {
            pair.right.clone_from(name);
            hide(pair);
        }
    }
    for family in &mut report.families {
        for id in family.iter_mut() {
            if let Some(name) = names.get(id) {
                id.clone_from(name);
            }
        }
        family.sort();
    }
    report.notes.retain(|note| {
        // These speak of documents in question, which may be called as registered ones are.
        let is_theirs = matches!(
            note,
            Note::OwnVersions { .. } | Note::OnlyStandard { .. } | Note::NothingToVerify { .. }
        );
        let mut ids = note.documents().into_iter();
        is_theirs || !ids.any(|id| names.contains_key(id) || hidden.contains(id))
    });
    let own = hide_own(report, viewer, submitter, numbers);
    if is_coarse {
        coarsen(report);
    }
    if !names.is_empty() {
        shared_with_visible(report);
    }
    let documents = names.len() as u64 + own;
    if documents > 0 {
        report.notes.push(Note::Hidden { documents });
    }
}

/// Leaves the share, the set and a number of own versions that the viewer may not see: whose a
/// document in question is, is whatever they say. Gives back how many those are.
fn hide_own(
    report: &mut Report,
    viewer: &Viewer,
    submitter: Option<&str>,
    numbers: &BTreeMap<String, u32>,
) -> u64 {
    let mut hidden = 0;
    let verified = report
        .documents
        .iter_mut()
        .filter_map(|document| document.verified.as_mut());
    for own in verified.flat_map(|verified| &mut verified.own) {
        if viewer.sees(submitter, own.set.as_deref()) {
            continue;
        }
        own.id = hidden_name(numbers.get(&own.report_id()).copied().unwrap_or(0));
        own.version = 1;
        own.registered = String::new();
        hidden += 1;
    }
    hidden
}

/// Leaves the shares of a pair.
fn hide(pair: &mut PairReport) {
    let share = pair.shares();
    pair.shared = 0;
    pair.exact = None;
    pair.weight = None;
    pair.listed = None;
    if pair.evidence.take().is_some() {
        pair.estimate = Some(Estimate {
            share,
            estimate: false,
            counted: None,
        });
    }
    if let Some(registry) = &mut pair.registry {
        registry.rarity = DigestRarity::default();
        registry.shared = [Vec::new(), Vec::new()];
        registry.stretch = None;
        registry.same_submitter = false;
        registry.same_document = false;
    }
}

/// The parts that are marked in a verified document are those that visible documents have.
fn shared_with_visible(report: &mut Report) {
    for document in &mut report.documents {
        let Some(verified) = &mut document.verified else {
            continue;
        };
        let parts = report
            .pairs
            .iter()
            .filter(|pair| pair.left == document.id)
            .filter_map(|pair| Some(&pair.registry.as_ref()?.shared[0]));
        let parts: BTreeSet<(u32, u32)> =
            parts.flatten().map(|part| (part.start, part.end)).collect();
        let mut joined: Vec<Bytes> = Vec::new();
        for (start, end) in parts {
            match joined.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => joined.push(Bytes { start, end }),
            }
        }
        verified.shared = joined;
    }
}

/// Shares become the lower ends of their bands, and everything that tells more goes.
fn coarsen(report: &mut Report) {
    for pair in &mut report.pairs {
        hide(pair);
        pair.score = band(pair.score);
        pair.containment = pair.containment.map(band);
        pair.symmetric = band(pair.symmetric);
        pair.resemblance = band(pair.resemblance);
        pair.max_containment = band(pair.max_containment);
        if let Some(estimate) = &mut pair.estimate {
            estimate.share = estimate.share.map(band);
            estimate.counted = None;
        }
    }
    for document in &mut report.documents {
        document.global = band(document.global);
        document.digests = 0;
        if let Some(verified) = &mut document.verified {
            verified.global_without_common = band(verified.global_without_common);
            verified.rarity = DigestRarity::default();
            verified.shared = Vec::new();
            verified.standard = 0;
            for own in &mut verified.own {
                own.containment = band(own.containment);
            }
        }
    }
    // How many documents there are is a number, too.
    (report.notes).retain(|note| !matches!(note, Note::OnlyStandard { .. }));
    for note in &mut report.notes {
        if let Note::OwnVersions { containment, .. } = note {
            *containment = band(*containment);
        }
    }
    // Their order would tell what the bands do not.
    report.pairs.sort_by(|a, b| {
        let names = |pair: &PairReport| (pair.left.clone(), pair.right.clone());
        (b.score.total_cmp(&a.score)).then_with(|| names(a).cmp(&names(b)))
    });
    report.below_threshold = None;
    report.settings.remove("order");
    let bands = Setting::Text("10, 25, 50, 75 and 100 %".to_owned());
    report.settings.insert("bands".to_owned(), bands);
    report.notes.push(Note::Bands);
}

/// The lower end of the band of a share.
pub(crate) fn band(share: f64) -> f64 {
    let above = BANDS.partition_point(|lower| *lower <= share);
    BANDS[above.saturating_sub(1)]
}

#[cfg(test)]
mod tests {
    use cento::report::{Bytes, Listed, PairReport, RegistryPair, StretchPlace};

    use super::{band, hide};

    /// Why a hidden document is listed, and where to look, tells more than how much is shared.
    #[test]
    fn of_a_hidden_document_only_shares_are_left() {
        let overlap = cento::Overlap {
            shared: 0,
            left: 200,
            right: 300,
        };
        let mut pair = PairReport::of("new", "registry:old", overlap, 0.0);
        pair.weight = Some(0.5);
        pair.listed = Some(Listed::Stretch);
        let (start, end) = (10, 90);
        pair.registry = Some(RegistryPair {
            rarity: cento::report::DigestRarity {
                rare: 3,
                ..Default::default()
            },
            same_submitter: true,
            same_document: true,
            shared: [vec![Bytes { start, end }], vec![Bytes { start, end }]],
            stretch: Some(StretchPlace {
                start,
                end,
                words: [1, 100],
            }),
        });
        hide(&mut pair);
        assert_eq!((pair.weight, pair.listed), (None, None));
        let registry = pair.registry.unwrap();
        assert_eq!(registry.stretch, None);
        assert_eq!(registry.shared, [Vec::new(), Vec::new()]);
        assert!(!registry.same_submitter && !registry.same_document);
    }

    #[test]
    fn bands() {
        for (share, expected) in [
            (0.0, 0.0),
            (0.099, 0.0),
            (0.1, 0.1),
            (0.249, 0.1),
            (0.5, 0.5),
            (0.999, 0.75),
            (1.0, 1.0),
        ] {
            assert!((band(share) - expected).abs() < 1e-9, "{share}");
        }
    }
}
