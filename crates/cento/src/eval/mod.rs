//! How well a method does: effectiveness on labelled collections (Hoad & Zobel, measuring
//! effectiveness), what attacks on a text leave of its fingerprint (text sifting, section 3), and
//! how well passages are found (plagdet); and how sure such figures are.
//!
//! ```
//! use cento::eval::judge::{Effectiveness, Judged};
//! use cento::index::{Index, Sums};
//! use cento::{Key, Measure, NoCollection, Recipe, Watch};
//!
//! let recipe = Recipe::named("rank")?;
//! let fingerprint = |text| recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
//! let documents = [
//!     "the town rebuilt its canal in nine years",
//!     "bread was dear before the war",
//!     "in nine years the canal of the town was rebuilt",
//! ]
//! .map(fingerprint);
//! let index = Index::build(&documents.each_ref(), Watch::NOBODY)?;
//! // The first document is the query, and the third is what should be found.
//! let measure: Measure = "identity-5".parse()?;
//! let answer = index.search(&documents[0], measure, 10, &mut Sums::default());
//! let others = answer.hits.iter().filter(|hit| hit.document.0 != 0);
//! let ranking = others.map(|hit| (hit.document.0, 100.0 * hit.share)).collect();
//! let judged = Judged::new(ranking, &[2].into());
//! assert_eq!(Effectiveness::of(&[judged]).queries, 1);
//! assert!(judged.precision > 0.99);
//! # Ok::<(), cento::Error>(())
//! ```

pub mod advise;
pub mod attack;
pub mod chance;
pub mod judge;
pub mod plagdet;
mod random;
pub mod resample;
