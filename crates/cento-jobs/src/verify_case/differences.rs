//! What came out otherwise, field by field.

use cento::report::{Evidence, PairReport, PassageReport};
use serde::Serialize;
use serde_json::Value;

use super::LeftOpen;
use crate::error::{Error, Result};

/// A value that came out otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Its name.
    pub field: String,
    /// What it is now.
    pub is: Value,
    /// What was saved.
    pub was: Value,
}

/// The differences of a saved pair and the same pair now, as far as the pair alone decides them.
pub(super) fn differences(
    saved: &PairReport,
    now: &PairReport,
    left_open: &[LeftOpen],
) -> Result<Vec<Difference>> {
    let now = &as_saved(now)?;
    let mut found = Differences::default();
    let [before, after] = [saved, now].map(|pair| pair.evidence.as_ref());
    let texts = [before, after];
    found.compare("overlap", texts.map(|found| Some(found?.overlap)));
    found.compare("aligned", texts.map(|found| Some(found?.aligned)));
    if !left_open.contains(&LeftOpen::Common) {
        found.compare("longest", texts.map(|found| Some(found?.longest)));
        found.compare("share", texts.map(|found| Some(found?.share)));
        found.compare("classes", texts.map(|found| Some(found?.classes)));
        found.compare("net", texts.map(|found| Some(found?.net)));
        found.compare("paraphrased", texts.map(|found| Some(found?.paraphrased)));
        found.compare("tally", texts.map(|found| Some(found?.tally)));
    }
    if !left_open.contains(&LeftOpen::Scores) {
        let pairs = [saved, now];
        found.compare("score", pairs.map(|pair| pair.score));
        found.compare("shared", pairs.map(|pair| pair.shared));
        found.compare("containment", pairs.map(|pair| pair.containment));
        found.compare("symmetric", pairs.map(|pair| pair.symmetric));
        found.compare("resemblance", pairs.map(|pair| pair.resemblance));
        found.compare("max_containment", pairs.map(|pair| pair.max_containment));
    }
    found.passages(texts.map(passages));
    Ok(found.0)
}

/// The pair as it would be read from a page: with the decimals that are written.
fn as_saved(pair: &PairReport) -> Result<PairReport> {
    let written = serde_json::to_value(pair).and_then(serde_json::from_value);
    written.map_err(|error| Error::Refused(error.to_string()))
}

fn passages(evidence: Option<&Evidence>) -> &[PassageReport] {
    evidence.map_or(&[], |evidence| &evidence.passages)
}

#[derive(Default)]
struct Differences(Vec<Difference>);

impl Differences {
    fn compare<T: PartialEq + Serialize>(&mut self, field: &str, [was, is]: [T; 2]) {
        if was == is {
            return;
        }
        let [was, is] = [was, is].map(|value| serde_json::to_value(value).unwrap_or_default());
        let field = field.to_owned();
        self.0.push(Difference { field, is, was });
    }

    fn passages(&mut self, both: [&[PassageReport]; 2]) {
        self.compare("number of passages", both.map(<[PassageReport]>::len));
        let [before, after] = both;
        for (number, (before, after)) in (1..).zip(before.iter().zip(after)) {
            let both = [before, after];
            let field = |name: &str| format!("passage {number}, {name}");
            self.compare(&field("left"), both.map(|passage| passage.left));
            self.compare(&field("right"), both.map(|passage| passage.right));
            self.compare(&field("kind"), both.map(|passage| passage.kind));
            self.compare(&field("similarity"), both.map(|passage| passage.similarity));
        }
    }
}
