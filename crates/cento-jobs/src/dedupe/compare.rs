//! How documents are compared: what the options of a search for near-duplicates mean.

use cento::index::ClusterQuery;
use cento::index::registry::Snapshot;
use cento::{Key, Recipe};

use super::options::{Clusters, Keep, NearDuplicates, Options};
use crate::error::{Error, Problem, Result};
use crate::method::{MethodOptions, settled};
use crate::watch::{Remark, Watch};

/// How documents are compared, and which ones are kept.
pub(super) struct Comparison {
    pub(super) recipe: Recipe,
    pub(super) key: Key,
    pub(super) query: ClusterQuery,
    pub(super) keep: Keep,
    pub(super) clusters: Clusters,
    pub(super) drop_all: bool,
    /// Texts are compared, and fingerprints are only their hashes.
    pub(super) exact: bool,
}

impl Comparison {
    /// What the options mean; says what an approximate run will find.
    pub(super) fn of(
        options: &Options,
        wanted: &NearDuplicates,
        watch: &Watch<'_>,
    ) -> Result<Comparison> {
        Comparison::settle(wanted, options.problems(), watch)
    }

    /// The same where other problems with the options are known.
    pub(super) fn settle(
        wanted: &NearDuplicates,
        mut problems: Vec<Problem>,
        watch: &Watch<'_>,
    ) -> Result<Comparison> {
        if wanted.exact && wanted.approximate.is_some() {
            let reason = "equal texts are found by their hashes, and none is missed";
            problems.push(Problem::new("approximate", reason));
        }
        if wanted.exact && wanted.registry.is_some() {
            let reason = "a registry has fingerprints, and cannot say whether texts are equal";
            problems.push(Problem::new("registry", reason));
        }
        let threshold = wanted.method.threshold;
        let threshold = threshold.unwrap_or(NearDuplicates::THRESHOLD);
        if !(threshold > 0.0 && threshold <= 1.0) {
            let reason = format!("{threshold} is not a share above 0 and up to 1 (80 % is 0.8)");
            problems.push(Problem::new("threshold", reason));
        }
        let mut method = MethodOptions {
            threshold: None,
            ..wanted.method.clone()
        };
        let usual = || NearDuplicates::MEASURE.to_owned();
        method.measure.get_or_insert_with(usual);
        let method = method.settle(&mut problems);
        let measure = method.as_ref().and_then(|method| {
            let measure = method.measure.expect_sets();
            let problem = |error| problems.push(Problem::new("measure", error));
            measure.map_err(problem).ok()
        });
        let (method, measure) = settled(method.zip(measure), problems)?;
        let sketcher = match &wanted.approximate {
            Some(approximate) => Some(approximate.sketcher(method.measure, threshold)?),
            None => None,
        };
        if let Some(sketcher) = &sketcher {
            watch.remark(Remark::Approximate(sketcher.bands));
        }
        Ok(Comparison {
            recipe: method.recipe,
            key: method.key,
            query: ClusterQuery {
                measure,
                at_least: threshold,
                memory: u64::MAX,
                sketcher,
            },
            keep: wanted.keep.clone(),
            clusters: wanted.clusters,
            drop_all: wanted.drop_all,
            exact: wanted.exact,
        })
    }

    /// The recipe and the key of a registry take the place of what was asked for, which may be the
    /// usual recipe or this one.
    pub(super) fn adopt(&mut self, snapshot: &Snapshot, asked: Option<&str>) -> Result<()> {
        let recipe = &snapshot.settings().recipe;
        if recipe.passages.is_some() {
            return Err(Error::refused(
                "it keeps passages, and duplicates are whole documents; make a registry with \
                 another recipe",
            ));
        }
        if asked.is_some_and(|asked| asked != "default") {
            let mut asked = self.recipe.clone();
            if recipe.is_keyed() {
                asked = asked.keyed();
            }
            if asked != *recipe {
                return Err(Error::refused(format!(
                    "its recipe is `{recipe}`; leave the recipe out, or make a registry with yours"
                )));
            }
        }
        self.recipe = recipe.clone();
        self.key = snapshot.prepare().key().clone();
        Ok(())
    }
}
