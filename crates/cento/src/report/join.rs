//! Two reports on different documents of one run → one.

use super::{PairReport, Report, Setting};

impl Report {
    /// Adds the report on the programs of a run to that on its texts, which it was never compared with.
    ///
    /// Pairs stand where the number says that decides about them: of texts the larger share, of
    /// programs the score.
    #[must_use]
    pub fn with_programs(mut self, programs: Report) -> Report {
        self.settings
            .insert("programs".to_owned(), Setting::Text(programs.recipe));
        self.settings.insert(
            "programs-measure".to_owned(),
            Setting::Text(programs.measure),
        );
        for (name, value) in programs.settings {
            if self.settings.get(&name) != Some(&value) {
                self.settings.insert(format!("programs-{name}"), value);
            }
        }
        self.pairs = merged(self.pairs, programs.pairs);
        self.documents.extend(programs.documents);
        self.documents.sort_by(|a, b| a.id.cmp(&b.id));
        self.at_threshold += programs.at_threshold;
        let below = self.below_threshold.zip(programs.below_threshold);
        self.below_threshold = below.map(|(texts, programs)| texts + programs);
        self.families.extend(programs.families);
        self.families
            .sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        self.skipped.extend(programs.skipped);
        self.skipped.sort();
        self.notes.extend(programs.notes);
        self
    }
}

/// Both lists as one: each keeps its order.
fn merged(texts: Vec<PairReport>, programs: Vec<PairReport>) -> Vec<PairReport> {
    let mut all = Vec::with_capacity(texts.len() + programs.len());
    let mut programs = programs.into_iter().peekable();
    for text in texts {
        while let Some(program) = programs.next_if(|program| program.score > text.larger_share()) {
            all.push(program);
        }
        all.push(text);
    }
    all.extend(programs);
    all
}
