//! How every report is made: its documents, its pairs in order, what connects them, their texts.

use std::collections::BTreeMap;
use std::mem;

use super::{Histogram, Note, PairReport, Report, SCHEMA, SHORT, Setting, Summary, Top};
use crate::discount::Discounts;
use crate::disguise::Disguised;
use crate::error::Error;
use crate::evidence::{self, Collection, CommonText, Counted, Texts};
use crate::family;
use crate::index::{DocId, Pair};
use crate::measure::{Overlap, SetMeasure};
use crate::recipe::Recipe;
use crate::select::Frequencies;
use crate::watch::Watch;

impl Report {
    /// A report without pairs.
    pub(crate) fn new(
        command: &str,
        recipe: String,
        measure: String,
        documents: Vec<Summary>,
    ) -> Report {
        Report {
            schema: SCHEMA.to_owned(),
            cento: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.to_owned(),
            recipe,
            measure,
            settings: BTreeMap::new(),
            documents,
            pairs: Vec::new(),
            at_threshold: 0,
            below_threshold: None,
            histogram: Histogram::default(),
            chance: None,
            advice: None,
            without_common: None,
            left_out: Discounts::default(),
            families: Vec::new(),
            skipped: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Says that a parameter had a say in the result.
    pub fn set(&mut self, name: &str, setting: Setting) {
        self.settings.insert(name.to_owned(), setting);
    }

    /// Shows the report while its texts, and what marks their words and places, are out of it.
    pub fn without_texts<T>(&mut self, show: impl FnOnce(&mut Report) -> T) -> T {
        let documents = self.documents.iter_mut();
        let texts: Vec<_> = documents
            .map(|document| {
                let disguises = mem::take(&mut document.disguises);
                let highlights = mem::take(&mut document.highlights);
                let programs = mem::take(&mut document.programs);
                (document.text.take(), disguises, highlights, programs)
            })
            .collect();
        let marks = |pair: &mut PairReport| {
            let evidence = pair.evidence.as_mut();
            evidence.map(|evidence| mem::take(&mut evidence.marks))
        };
        let marks: Vec<_> = self.pairs_mut().map(marks).collect();
        let shown = show(self);
        for (document, text) in self.documents.iter_mut().zip(texts) {
            (
                document.text,
                document.disguises,
                document.highlights,
                document.programs,
            ) = text;
        }
        for (pair, marks) in self.pairs_mut().zip(marks) {
            if let (Some(evidence), Some(marks)) = (&mut pair.evidence, marks) {
                evidence.marks = marks;
            }
        }
        shown
    }

    /// Lists pairs of documents, which are known by their places in the report: those with a short
    /// document come last, then the score decides, then the ids. If not all are listed, those with a
    /// thin document come last, too, so that they are in nobody's place. Gives back the pairs in the order of
    /// the list, and says how many there would be more than the `top`.
    pub(crate) fn list(&mut self, mut pairs: Vec<Pair>, top: Top) -> Vec<Pair> {
        let document = |place: DocId| &self.documents[place.0 as usize];
        let is_late = |pair: &Pair| {
            let mut both = [pair.left, pair.right].map(document).into_iter();
            both.any(|document| document.short || (document.thin && top.is_limited()))
        };
        let ids = |pair: &Pair| [pair.left, pair.right].map(|place| &document(place).id);
        pairs.sort_by(|a, b| {
            (is_late(a).cmp(&is_late(b)))
                .then(b.score.total_cmp(&a.score))
                .then_with(|| ids(a).cmp(&ids(b)))
        });
        let all = pairs.len();
        top.of(&mut pairs, |pair| [pair.left, pair.right]);
        let listed = |pair: &Pair| {
            let [left, right] = [pair.left, pair.right].map(document);
            PairReport::of(&left.id, &right.id, pair.overlap, pair.score)
        };
        self.pairs = pairs.iter().map(listed).collect();
        self.say_top(top, all - pairs.len());
        pairs
    }

    /// Says what limits the list, and that so many pairs are not in it therefore.
    pub(crate) fn say_top(&mut self, top: Top, unlisted: usize) {
        let limits = [("top", top.pairs), ("top-documents", top.documents)];
        for (name, limit) in limits {
            if let Some(limit) = limit {
                self.set(name, Setting::Count(limit as u64));
            }
        }
        self.leave_unlisted(unlisted as u64);
    }

    /// Says that so many pairs are not in the list.
    pub(crate) fn leave_unlisted(&mut self, pairs: u64) {
        if pairs > 0 {
            self.notes.push(Note::NotListed { pairs });
        }
    }

    /// The listed pairs, and behind them those that would be listed without text that many documents
    /// have.
    pub fn pairs_mut(&mut self) -> impl Iterator<Item = &mut PairReport> {
        let without = self.without_common.as_mut().into_iter();
        let more = without.flat_map(|without| &mut without.pairs);
        self.pairs.iter_mut().chain(more)
    }

    /// Says what most of the text is that many documents have. That is said of text that half of the
    /// documents have, or that makes half of the pairs; anything else is a phrase or a common source.
    pub(crate) fn say_common(&mut self, most: Option<&CommonText>) {
        let documents = self.documents.len() as u64;
        let pairs = self.at_threshold;
        match (&mut self.without_common, most) {
            (Some(without), Some(most))
                if 2 * u64::from(most.having) >= documents || 2 * without.at_threshold <= pairs =>
            {
                without.words = most.words;
                without.having = most.having;
            }
            _ => self.leave_common(),
        }
    }

    /// Says nothing of what it would be without text that many documents have.
    fn leave_common(&mut self) {
        self.without_common = None;
        for pair in &mut self.pairs {
            pair.without_common = None;
        }
        for document in &mut self.documents {
            document.global_without_common = None;
        }
    }

    /// The families that pairs make of the documents.
    pub(crate) fn connect<'p>(&mut self, pairs: impl Iterator<Item = &'p Pair>) {
        let places = pairs.map(|pair| [pair.left.0 as usize, pair.right.0 as usize]);
        let families = family::families(self.documents.len(), places);
        let id = |place: usize| self.documents[place].id.clone();
        self.families = families
            .into_iter()
            .map(|family| family.into_iter().map(id).collect())
            .collect();
    }

    /// Looks at the texts of the listed pairs, and behind them of those that would be listed without
    /// text that many documents have.
    pub(crate) fn align(
        &mut self,
        listed: &[Pair],
        recipe: &Recipe,
        frequencies: &dyn Frequencies,
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let ids = self.documents.iter().map(|document| document.id.as_str());
        let collection = Collection {
            ids: ids.collect(),
            frequencies,
            recipe,
        };
        let places: Vec<(DocId, DocId)> =
            listed.iter().map(|pair| (pair.left, pair.right)).collect();
        let counted = Counted {
            left_out: self.left_out,
            also_without_common: self.without_common.is_some(),
        };
        let mut found = evidence::gather(&collection, &places, texts, counted, watch)?;
        self.set("aligner", Setting::Text(texts.aligner.to_string()));
        self.notes.append(&mut found.notes);
        for (place, ignored) in found.ignored {
            self.documents[place.0 as usize].ignored = ignored;
        }
        for (pair, found) in self.pairs_mut().zip(found.pairs) {
            let Some((evidence, without)) = found else {
                continue;
            };
            pair.evidence = Some(evidence);
            if let Some((reported, (tally, longest))) = pair.without_common.as_mut().zip(without) {
                reported.tally = tally;
                reported.longest = longest;
            }
        }
        self.say_common(found.common.first());
        Ok(())
    }
}

impl Summary {
    /// A document of which nothing more is known than this.
    pub fn new(id: impl Into<String>, label: impl Into<String>, words: u64) -> Summary {
        Summary {
            id: id.into(),
            label: label.into(),
            words,
            digests: 0,
            global: 0.0,
            global_without_common: None,
            short: words < SHORT,
            thin: false,
            old: false,
            language: None,
            date: None,
            parts: Vec::new(),
            warnings: Vec::new(),
            disguised: Disguised::default(),
            disguises: Vec::new(),
            ignored: Vec::new(),
            position: None,
            sha256: None,
            text: None,
            highlights: Vec::new(),
            programs: Vec::new(),
            registered: None,
            verified: None,
        }
    }
}

impl PairReport {
    /// A pair by its fingerprints.
    pub fn of(
        left: impl Into<String>,
        right: impl Into<String>,
        overlap: Overlap,
        score: f64,
    ) -> PairReport {
        PairReport {
            left: left.into(),
            right: right.into(),
            score,
            similarity: None,
            shared: overlap.shared,
            thin: false,
            containment: overlap.containment(),
            symmetric: SetMeasure::Symmetric.score(overlap),
            resemblance: SetMeasure::Resemblance.score(overlap),
            max_containment: SetMeasure::MaxContainment.score(overlap),
            exact: None,
            compression: None,
            distance: None,
            mutual: None,
            weight: None,
            registry: None,
            evidence: None,
            estimate: None,
            without_common: None,
            listed: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(documents: &[(&str, u64)]) -> Report {
        let documents = documents.iter();
        let documents = documents.map(|(id, words)| Summary::new(*id, *id, *words));
        Report::new("scan", String::new(), String::new(), documents.collect())
    }

    fn pair(left: u32, right: u32, score: f64) -> Pair {
        let overlap = Overlap {
            shared: 1,
            left: 2,
            right: 4,
        };
        Pair {
            left: DocId(left),
            right: DocId(right),
            overlap,
            score,
        }
    }

    #[test]
    fn short_documents_come_late_then_scores_then_ids() {
        let mut report = report(&[("b", 60), ("c", 60), ("a", 60), ("short", 3)]);
        let pairs = vec![
            pair(0, 3, 0.9),
            pair(1, 2, 0.5),
            pair(0, 1, 0.5),
            pair(0, 2, 0.7),
        ];
        let listed = report.list(pairs, Top::pairs(3));
        let ids: Vec<(&str, &str)> = report
            .pairs
            .iter()
            .map(|pair| (pair.left.as_str(), pair.right.as_str()))
            .collect();
        assert_eq!(ids, [("b", "a"), ("b", "c"), ("c", "a")]);
        assert_eq!(listed.len(), 3);
        assert_eq!(report.notes, [Note::NotListed { pairs: 1 }]);
    }

    #[test]
    fn families_are_named_by_ids() {
        let mut report = report(&[("x", 60), ("y", 60), ("z", 60)]);
        report.connect([pair(0, 2, 0.5)].iter());
        assert_eq!(report.families, [["x", "z"]]);
    }
}
