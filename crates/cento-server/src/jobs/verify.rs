//! Documents against the registry, as far as the one who asks may see it.

use std::path::Path;

use cento::Recipe;
use cento::index::registry::Snapshot;
use cento_jobs::verify::{Gate, Options, SearchOptions, run_on};
use cento_jobs::{
    BaseFrom, EvidenceOptions, Reader, Reported, SubmitterFrom, TextOptions, TextsOf,
};

use super::scan::{name_templates, paths, templates};
use super::watch::Watch;
use super::{Task, id_prefix};
use crate::auth::{Role, Sets};
use crate::redact::{Viewer, redact};

/// A verification that somebody asks for, with what decides how much they may see.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) threshold: f64,
    pub(crate) top: Option<usize>,
    pub(crate) set: Option<String>,
    pub(crate) submitter: Option<String>,
    pub(crate) submitter_from: Option<SubmitterFrom>,
    pub(crate) base_from: Option<BaseFrom>,
    pub(crate) role: Role,
    pub(crate) sets: Sets,
    /// The account that asks.
    pub(crate) account: String,
}

impl Question {
    pub(crate) fn of(task: &Task, account: &str) -> Question {
        Question {
            threshold: task.threshold,
            top: None,
            set: task.set.clone(),
            submitter: task.submitter.clone(),
            submitter_from: task.submitter_from.clone(),
            base_from: task.base_from,
            role: task.role.parse().unwrap_or(Role::Submit),
            sets: Sets(task.sets.clone()),
            account: account.to_owned(),
        }
    }

    /// The options of the job, without the documents, for a registry of a recipe.
    pub(crate) fn options(&self, recipe: &Recipe) -> Options {
        let is_coarse = self.role == Role::Submit;
        // What somebody may not see need not be computed, either.
        let aligner = is_coarse.then(|| "none".to_owned());
        // By scores, nothing below the lowest band is listed.
        let measure = is_coarse.then(|| recipe.measure().to_string());
        Options {
            submitter: self.submitter.clone(),
            submitter_from: self.submitter_from.clone(),
            set: self.set.clone(),
            id_prefix: id_prefix(
                self.set.as_deref(),
                self.submitter.as_deref(),
                self.submitter_from.as_ref(),
            ),
            search: SearchOptions {
                measure,
                threshold: Some(self.threshold),
                top: self.top,
                base_from: self.base_from,
                ..SearchOptions::default()
            },
            evidence: EvidenceOptions {
                aligner,
                ..EvidenceOptions::default()
            },
            ..Options::default()
        }
    }

    /// What documents share with the registry, without what is not for the one who asks.
    pub(crate) fn answer(
        &self,
        options: &Options,
        snapshot: &Snapshot,
        reader: &Reader,
        gate: &mut Gate<'_>,
        watch: &cento_jobs::Watch<'_>,
    ) -> cento_jobs::Result<Reported> {
        let outcome = run_on(options, snapshot, reader, gate, watch)?;
        let mut reported = outcome.reported;
        let viewer = Viewer {
            role: self.role,
            sets: self.sets.clone(),
            account: self.account.clone(),
        };
        let submitter = self.submitter.as_deref();
        redact(&mut reported.report, &viewer, submitter, &outcome.numbers);
        Ok(reported)
    }
}

/// Verifies the files of a job.
pub(crate) fn verify(
    question: &Question,
    folder: &Path,
    input: &cento_ingest::Options,
    snapshot: &Snapshot,
    watch: &Watch,
    gate: &mut Gate<'_>,
) -> cento_jobs::Result<Reported> {
    let mut options = question.options(&snapshot.settings().recipe);
    options.paths = paths(folder);
    options.evidence.base = templates(folder);
    options.texts = TextOptions {
        texts: TextsOf::Listed,
        hashes: true,
    };
    let reader = Reader::new(input);
    let mut verified =
        watch.follow_job(|watch| question.answer(&options, snapshot, &reader, gate, watch))?;
    name_templates(&mut verified.report, folder, &options.evidence.base);
    Ok(verified)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document that is listed for its rare text, below the lowest band, would tell more than bands do.
    #[test]
    fn coarse_answers_are_listed_by_score() {
        for (role, measure) in [
            (Role::Submit, Some("max-containment")),
            (Role::Verify, None),
        ] {
            let question = Question {
                threshold: 0.1,
                top: None,
                set: None,
                submitter: None,
                submitter_from: None,
                base_from: None,
                role,
                sets: Sets::default(),
                account: "anna".to_owned(),
            };
            let search = question.options(&Recipe::default()).search;
            assert_eq!(search.measure.as_deref(), measure);
            let ranking = Recipe::named("rank").unwrap();
            let search = question.options(&ranking).search;
            assert_eq!(search.measure.as_deref(), measure.map(|_| "identity-5"));
        }
    }
}
