//! Two reports on different documents of one run → one.

use super::{Histogram, Listed, Note, PairReport, Report, Setting};

impl Report {
    /// Adds the report on the programs of a run to that on its texts, which it was never compared with.
    ///
    /// A score decides which programs are listed; the larger share says where, as it does for texts.
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
        // Those of programs are not counted by their shares.
        self.histogram = Histogram::default();
        self.families.extend(programs.families);
        self.families
            .sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        self.skipped.extend(programs.skipped);
        self.skipped.sort();
        self.notes.extend(programs.notes);
        self.count_not_listed_once();
        self
    }

    /// Says once how many pairs are not listed, whatever they are of.
    fn count_not_listed_once(&mut self) {
        let mut all = 0;
        self.notes.retain(|note| match note {
            Note::NotListed { pairs } => {
                all += pairs;
                false
            }
            _ => true,
        });
        if all > 0 {
            self.notes.push(Note::NotListed { pairs: all });
        }
    }
}

impl Report {
    /// Adds what is known of the only text among programs, or the only program among texts.
    #[must_use]
    pub fn with_only(mut self, other: Report) -> Report {
        for document in &other.documents {
            self.notes.push(Note::OnlyOne {
                document: document.id.clone(),
                is_program: document.language.is_some(),
            });
        }
        self.documents.extend(other.documents);
        self.documents.sort_by(|a, b| a.id.cmp(&b.id));
        let others = other.notes.into_iter();
        self.notes
            .extend(others.filter(|note| *note != Note::NothingToCompare));
        self
    }
}

/// Both lists as one, by the larger share; texts keep their order.
fn merged(texts: Vec<PairReport>, mut programs: Vec<PairReport>) -> Vec<PairReport> {
    for program in &mut programs {
        program.listed = Some(Listed::Score);
    }
    programs.sort_by(|a, b| {
        let larger = b.larger_share().total_cmp(&a.larger_share());
        larger.then_with(|| (&a.left, &a.right).cmp(&(&b.left, &b.right)))
    });
    let mut all = Vec::with_capacity(texts.len() + programs.len());
    let mut programs = programs.into_iter().peekable();
    for text in texts {
        let is_first = |program: &PairReport| program.larger_share() > text.larger_share();
        while let Some(program) = programs.next_if(is_first) {
            all.push(program);
        }
        all.push(text);
    }
    all.extend(programs);
    all
}
