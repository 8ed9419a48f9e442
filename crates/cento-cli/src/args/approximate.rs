//! The options of an approximate run.

use anyhow::{Result, bail};
use cento::Measure;
use cento::sketch::{Bands, Sketcher, resemblance_at};
use clap::Args;

const APPROXIMATE: &str = "Approximate run";

/// How sketches are made, if they are wanted at all.
#[derive(Args, Clone, Default)]
pub(crate) struct ApproximateOptions {
    /// Look only at documents that their min-hash sketches say are alike: faster, but some pairs are
    /// missed; how many is printed
    #[arg(long, help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) approximate: bool,
    /// Make at most N min-hash values of a document [default: 256]
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) num_perm: Option<u32>,
    /// Put them into N bands [default: so many that 97.5 % of the pairs at the threshold are found]
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) bands: Option<u32>,
    /// Give a band N values
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) rows: Option<u32>,
    /// Make sketches from this number
    #[arg(long, value_name = "N", requires = "approximate", help_heading = APPROXIMATE, hide_short_help = true)]
    pub(crate) sketch_seed: Option<u64>,
}

impl ApproximateOptions {
    /// What makes the sketches for a threshold, if any are wanted.
    pub(crate) fn sketcher(&self, measure: Measure, threshold: f64) -> Result<Option<Sketcher>> {
        if !self.approximate {
            return Ok(None);
        }
        let values = self.num_perm.unwrap_or(Bands::VALUES);
        let bands = match (self.bands, self.rows) {
            (Some(bands), Some(rows)) => Bands { bands, rows },
            (Some(bands), None) => Bands {
                bands,
                rows: values / bands.max(1),
            },
            (None, Some(rows)) => Bands {
                bands: values / rows.max(1),
                rows,
            },
            (None, None) => {
                let Some(resemblance) = resemblance_at(measure, threshold) else {
                    bail!(
                        "--approximate: sketches tell how much documents resemble each other, not \
                         {measure}; use --measure resemblance, or give --bands and --rows"
                    );
                };
                Bands::for_resemblance(resemblance, Bands::RECALL, values)
            }
        };
        let most = Bands::MOST_VALUES;
        let product = u64::from(bands.bands) * u64::from(bands.rows);
        if !(1..=u64::from(most)).contains(&product) {
            bail!(
                "--bands, --rows: {} bands of {} values are not from 1 to {most} values",
                bands.bands,
                bands.rows
            );
        }
        if self
            .num_perm
            .is_some_and(|values| product > u64::from(values))
        {
            bail!("--bands, --rows: they make {product} values, more than --num-perm allows");
        }
        Ok(Some(Sketcher {
            bands,
            seed: self.sketch_seed.unwrap_or(1),
        }))
    }
}

/// What an approximate run finds: the threshold that its bands imply, and the S-curve.
pub(crate) fn curve(bands: Bands) -> String {
    let points: Vec<String> = (1..10)
        .map(|tenth| {
            let resemblance = f64::from(tenth) / 10.0;
            format!("{resemblance:.1}: {:.4}", bands.chance(resemblance))
        })
        .collect();
    format!(
        "approximate: {} bands of {} min-hash values; implied threshold {:.3}\nshare of pairs found, by resemblance: {}",
        bands.bands,
        bands.rows,
        bands.threshold(),
        points.join(", ")
    )
}
