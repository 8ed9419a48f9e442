//! The same for rows that lie in parts on many machines: what is done with each row, and with what an
//! engine that moves data has brought together.
//!
//! Every machine makes its own [`NearDuplicateParts`] from the same options; [`check`] of it shows
//! whether they are the same.
//!
//! [`check`]: NearDuplicateParts::check

use cento::Digest;
use cento::index::ClusterQuery;

use super::choose::Standing;
use super::compare::Comparison;
use super::options::{Clusters, Keep, NearDuplicates, expect_share_of_errors};
use crate::error::{Error, Problem, Result};
use crate::watch::Watch;

/// How rows are compared, and which ones are kept.
pub struct NearDuplicateParts {
    comparison: Comparison,
}

impl NearDuplicateParts {
    /// What the options mean. An input has no place among others here, and nothing is approximate.
    pub fn new(
        wanted: &NearDuplicates,
        max_errors: f64,
        watch: &Watch<'_>,
    ) -> Result<NearDuplicateParts> {
        wanted.method.warn_of_open_key(watch);
        let mut problems = Vec::new();
        expect_share_of_errors(max_errors, &mut problems);
        if wanted.approximate.is_some() {
            let reason = "a search on many machines is exact; leave it out";
            problems.push(Problem::new("approximate", reason));
        }
        if wanted.keep == Keep::Source {
            let reason =
                "rows of one table have one source; name a column by max:FIELD or min:FIELD";
            problems.push(Problem::new("keep", reason));
        }
        let comparison = Comparison::settle(wanted, problems, watch)?;
        Ok(NearDuplicateParts { comparison })
    }

    /// When documents are alike.
    pub fn query(&self) -> &ClusterQuery {
        &self.comparison.query
    }

    /// What belongs together; nothing, if only equal texts do.
    pub fn clusters(&self) -> Option<Clusters> {
        (!self.comparison.exact).then_some(self.comparison.clusters)
    }

    /// Whether none of several is kept.
    pub fn drops_all(&self) -> bool {
        self.comparison.drop_all
    }

    /// Which one of several is kept.
    pub fn keep(&self) -> &Keep {
        &self.comparison.keep
    }

    /// The field that decides which one is kept, if one does.
    pub fn field(&self) -> Option<&str> {
        self.comparison.keep.field()
    }

    /// Whether of several with the same rank the last one is preferred.
    pub fn is_last(&self) -> bool {
        self.comparison.keep.is_last()
    }

    /// The recipe, as text.
    pub fn recipe(&self) -> String {
        self.comparison.recipe.to_string()
    }

    /// A number that is the smaller the more a document is preferred, by its text and the number in the
    /// field that decides.
    pub fn rank(&self, text: &str, field: Option<f64>) -> i64 {
        self.comparison.keep.rank(&Standing {
            length: text.len() as u64,
            source: 0,
            field: field.filter(|number| number.is_finite()),
        })
    }

    /// The sorted digests of a text; an error if it is too long.
    pub fn digests(&self, text: &str) -> Result<Vec<Digest>> {
        if u32::try_from(text.len()).is_ok_and(|length| length < u32::MAX) {
            return Ok(self.comparison.fingerprint(text).digests().to_vec());
        }
        Err(Error::refused("a text is longer than 4 GiB"))
    }

    /// What a known text becomes: the same wherever recipe and key are the same.
    pub fn check(&self) -> Vec<Digest> {
        let fingerprint = self
            .comparison
            .fingerprint("the same key, and the same recipe");
        fingerprint.digests().to_vec()
    }
}
