//! The options of an approximate run.

use cento_jobs::Approximate;
use clap::Args;

const APPROXIMATE: &str = "Approximate run";

/// Whether to use sketches, and how to make them.
#[derive(Args, Clone, Default)]
pub(crate) struct ApproximateOptions {
    /// Compare only documents with similar min-hash sketches: faster, but misses some pairs; prints
    /// what share it finds
    #[arg(long, help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) approximate: bool,
    /// Make at most N min-hash values per document [default: 256]
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) num_perm: Option<u32>,
    /// Put them into N bands [default: enough to find 97.5 % of the pairs at the threshold]
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) bands: Option<u32>,
    /// Put N values into a band
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) rows: Option<u32>,
    /// The seed of the sketches
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) sketch_seed: Option<u64>,
}

impl ApproximateOptions {
    /// The options of an approximate run, if it is to be one.
    pub(crate) fn options(&self) -> Option<Approximate> {
        self.approximate.then_some(Approximate {
            num_perm: self.num_perm,
            bands: self.bands,
            rows: self.rows,
            sketch_seed: self.sketch_seed,
        })
    }
}
