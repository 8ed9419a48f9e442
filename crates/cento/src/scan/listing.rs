//! Candidates → the list: what alignment found decides, not what made it look.

use std::collections::BTreeSet;

use super::candidates::{Candidate, candidates};
use super::found::{Found, begun, is_of_one_author};
use super::{Document, ScanSettings};
use crate::error::Error;
use crate::evidence::{self, Bar, Collection, CommonText, Counted, Firm, Texts, WithoutCommon};
use crate::index::{DocId, Index, Pair};
use crate::measure::SetMeasure;
use crate::report::{Evidence, Histogram, Listed, PairReport, PairWithout, Report, Setting, Top};
use crate::watch::Watch;

/// What decides which pairs are listed, and in which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// The score of the fingerprints.
    #[default]
    Score,
    /// What the texts share: the larger share; or a passage of so many words on either side, if it is no
    /// text that many documents have. In a scan, slight paraphrases count for neither if they have only
    /// words in common that the other documents use as well.
    Evidence {
        /// How many words.
        passage: u32,
    },
}

impl Listing {
    /// How many words a passage has for which a pair is listed, unless somebody wants it otherwise.
    pub const PASSAGE: u32 = 12;

    /// What a pair needs to be listed, if the texts decide.
    pub(crate) fn bar(self, settings: &ScanSettings) -> Option<Bar> {
        match self {
            Listing::Score => None,
            Listing::Evidence { passage } => Some(Bar {
                share: settings.threshold,
                passage,
            }),
        }
    }
}

/// A scan whose pairs have yet to be looked at.
pub(super) struct Scan<'a> {
    pub(super) documents: &'a [Document],
    pub(super) index: &'a Index,
    pub(super) found: Found,
    /// Pairs of documents with a dense stretch in common.
    pub(super) dense: Vec<(DocId, DocId)>,
    /// How many words a passage has for which a pair is listed.
    pub(super) passage: u32,
}

/// A pair that was looked at.
struct Looked {
    pair: Pair,
    also_without: bool,
    report: PairReport,
    /// What alone counts for the list, if slight paraphrases do not.
    firm: Option<Firm>,
}

impl Looked {
    /// The larger share, of what counts for the list.
    fn share(&self) -> f64 {
        (self.firm).map_or_else(|| self.report.larger_share(), |firm| firm.share)
    }

    /// Why it would be listed without text that many documents have.
    fn without(&self) -> Option<Listed> {
        self.report.without_common.as_ref()?.listed
    }
}

impl Scan<'_> {
    /// Looks at all candidates and lists those that share enough.
    pub(super) fn report(
        mut self,
        settings: &ScanSettings,
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<Report, Error> {
        self.found.leave_out_own(self.documents);
        self.dense
            .retain(|&(left, right)| !is_of_one_author(self.documents, left, right));
        let mut report = begun("scan", self.documents, &self.found.pairs, settings);
        report.set("list", Setting::Text("share".to_owned()));
        report.set("passage", Setting::Count(self.passage.into()));
        report.set("aligner", Setting::Text(texts.aligner.to_string()));
        let (looked, common) = self.look(&mut report, settings, texts, watch)?;
        self.count(&mut report, &looked);
        self.list(&mut report, looked, settings.top());
        report.say_common(common.as_ref());
        report.mark_thin();
        Ok(report)
    }

    /// Aligns the candidates, and keeps those that are listed now or would be without text that many
    /// documents have.
    fn look(
        &self,
        report: &mut Report,
        settings: &ScanSettings,
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<(Vec<Looked>, Option<CommonText>), Error> {
        let ids = self.documents.iter().map(|document| document.id.as_str());
        let collection = Collection {
            ids: ids.collect(),
            frequencies: self.index,
            recipe: &settings.recipe,
        };
        let measure = settings.measure.of_sets();
        let candidates = candidates(
            self.index,
            &self.found,
            &self.dense,
            measure.unwrap_or(SetMeasure::MaxContainment),
            settings.most_documents(self.documents.len()),
        );
        let places = candidates.iter().map(|Candidate { pair, .. }| pair);
        let places: Vec<(DocId, DocId)> = places.map(|pair| (pair.left, pair.right)).collect();
        let counted = Counted {
            left_out: settings.left_out,
            also_without_common: self.found.without.is_some(),
        };
        let bar = settings.listing.bar(settings);
        let gathered = evidence::gather_for_list(&collection, &places, texts, counted, bar, watch)?;
        let found = gathered.pairs.into_iter().zip(gathered.firm);
        let looked: Vec<Looked> = candidates
            .into_iter()
            .zip(found)
            .map(|(candidate, found)| self.looked(&candidate, found, settings))
            .collect();
        report.notes.extend(gathered.notes);
        let listed = |looked: &&Looked| looked.report.listed.or(looked.without()).is_some();
        let of_pairs = looked.iter().filter(listed);
        let of_pairs: BTreeSet<DocId> = of_pairs
            .flat_map(|looked| [looked.pair.left, looked.pair.right])
            .collect();
        for (place, ignored) in gathered.ignored {
            if of_pairs.contains(&place) {
                report.documents[place.0 as usize].ignored = ignored;
            }
        }
        Ok((looked, gathered.common.into_iter().next()))
    }

    /// What was found out about a pair, and whether that is enough.
    fn looked(
        &self,
        &Candidate { pair, also_without }: &Candidate,
        (found, firm): (Option<(Evidence, Option<WithoutCommon>)>, Option<Firm>),
        settings: &ScanSettings,
    ) -> Looked {
        let id = |place: DocId| self.documents[place.0 as usize].id.as_str();
        let mut report = PairReport::of(id(pair.left), id(pair.right), pair.overlap, pair.score);
        report.without_common = self.found.without.as_ref().map(|found| found.of(&pair));
        let (evidence, without) = found.unzip();
        report.evidence = evidence;
        if let (Some(reported), Some(Some((tally, longest)))) =
            (&mut report.without_common, without)
        {
            reported.tally = tally;
            reported.longest = longest;
        }
        // A text that cannot be read again leaves what the fingerprints say.
        let evidence = report.evidence.as_ref();
        let share = firm.map_or(report.larger_share(), |firm| firm.share);
        let without = report
            .without_common
            .as_ref()
            .map(|without| match evidence {
                Some(_) => without.larger_share(),
                None => without.score,
            });
        let without = firm.map_or(without, |firm| firm.share_without_common);
        let passage = firm.map_or_else(
            || evidence.map_or(0, |evidence| settings.longest_passage(evidence)),
            |firm| firm.passage,
        );
        if let Some(bar) = settings.listing.bar(settings) {
            report.listed = bar.reason(share, passage);
            if let Some(reported) = report.without_common.as_mut().filter(|_| also_without) {
                reported.listed = without.and_then(|share| bar.reason(share, passage));
            }
        }
        Looked {
            pair,
            also_without,
            report,
            firm,
        }
    }

    /// Counts the pairs by what is known about them now: the share, where they were looked at.
    fn count(&self, report: &mut Report, looked: &[Looked]) {
        report.histogram = self.found.pairs.scores.clone();
        let mut without = self
            .found
            .without
            .as_ref()
            .map(|found| found.scores().clone());
        for looked in looked {
            report.histogram.change(looked.pair.score, looked.share());
            let pair = looked.report.without_common.as_ref();
            let pair = pair.filter(|_| looked.also_without);
            if let (Some(histogram), Some(pair)) = (&mut without, pair) {
                histogram.change(pair.score, pair.larger_share());
            }
        }
        let count = |is_listed: fn(&Looked) -> bool| {
            looked.iter().filter(|looked| is_listed(looked)).count() as u64
        };
        report.at_threshold = count(|looked| looked.report.listed.is_some());
        report.below_threshold = less(&report.histogram, report.at_threshold);
        if let (Some(histogram), Some(found)) = (without, &self.found.without) {
            let at_threshold = count(|looked| looked.without().is_some());
            let below = less(&histogram, at_threshold);
            report.without_common = Some(found.scan(at_threshold, below, histogram));
            found.add_globals(report);
        }
    }

    /// Puts the pairs into the report, in order.
    fn list(&self, report: &mut Report, looked: Vec<Looked>, top: Top) {
        let (mut listed, others): (Vec<Looked>, Vec<Looked>) = looked
            .into_iter()
            .partition(|looked| looked.report.listed.is_some());
        report.connect(listed.iter().map(|looked| &looked.pair));
        self.sort(&mut listed, |looked| looked.report.larger_share());
        let (both, all) = (
            |looked: &Looked| [looked.pair.left, looked.pair.right],
            listed.len(),
        );
        top.of(&mut listed, both);
        report.say_top(top, all - listed.len());
        report.pairs = listed.into_iter().map(|looked| looked.report).collect();
        if let Some(without) = &mut report.without_common {
            let share = |looked: &Looked| {
                let without = looked.report.without_common.as_ref();
                without.map_or(0.0, PairWithout::larger_share)
            };
            let mut more = others;
            more.retain(|looked| looked.without().is_some());
            self.sort(&mut more, share);
            top.of(&mut more, both);
            without.pairs = more.into_iter().map(|looked| looked.report).collect();
        }
    }

    /// Pairs with a short document come last, then the share decides, then the ids.
    fn sort(&self, looked: &mut [Looked], share: impl Fn(&Looked) -> f64) {
        let document = |place: DocId| &self.documents[place.0 as usize];
        let is_late = |pair: &Pair| {
            let words = [pair.left, pair.right].map(|place| document(place).words);
            words.iter().any(|words| *words < crate::report::SHORT)
        };
        looked.sort_by(|a, b| {
            let ids = |pair: &Pair| [pair.left, pair.right].map(|place| &document(place).id);
            (is_late(&a.pair).cmp(&is_late(&b.pair)))
                .then(share(b).total_cmp(&share(a)))
                .then_with(|| ids(&a.pair).cmp(&ids(&b.pair)))
        });
    }
}

/// How many pairs share something and are not listed; none if that was not counted.
fn less(histogram: &Histogram, listed: u64) -> Option<u64> {
    let sharing = histogram.sharing();
    sharing.map(|sharing| sharing.saturating_sub(listed))
}
