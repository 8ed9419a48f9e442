//! The options of an approximate run.

use cento::Measure;
use cento::sketch::{Bands, Sketcher, resemblance_at};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How sketches are made: documents that their sketches do not call alike are not compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Approximate {
    /// Make at most this many min-hash values per document.
    pub num_perm: Option<u32>,
    /// Put them into this many bands; by default, as many as find most pairs at the threshold.
    pub bands: Option<u32>,
    /// Put this many values into a band.
    pub rows: Option<u32>,
    /// Make sketches from this number.
    pub sketch_seed: Option<u64>,
}

impl Approximate {
    /// What makes the sketches for a threshold.
    pub(crate) fn sketcher(&self, measure: Measure, threshold: f64) -> Result<Sketcher> {
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
                let resemblance = resemblance_at(measure, threshold).ok_or_else(|| {
                    Error::option(
                        "approximate",
                        format!(
                            "sketches tell how much documents resemble each other, not {measure}; \
                             choose resemblance, or say how many bands and rows"
                        ),
                    )
                })?;
                Bands::for_resemblance(resemblance, Bands::RECALL, values)
            }
        };
        let most = Bands::MOST_VALUES;
        let product = u64::from(bands.bands) * u64::from(bands.rows);
        let problem = if !(1..=u64::from(most)).contains(&product) {
            format!(
                "{} bands of {} values are not from 1 to {most} values",
                bands.bands, bands.rows
            )
        } else if self.num_perm.is_some_and(|most| product > u64::from(most)) {
            format!("bands and rows make {product} values, more than are allowed")
        } else {
            return Ok(Sketcher {
                bands,
                seed: self.sketch_seed.unwrap_or(1),
            });
        };
        Err(Error::option("bands", problem))
    }
}
