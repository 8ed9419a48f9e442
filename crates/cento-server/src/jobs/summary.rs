//! What a job came to, in one sentence: a result that is none never looks like a clean one.

use std::collections::BTreeSet;

use cento::report::Skipped;
use cento_report::counted;
use serde_json::{Value, json};

use super::{Kind, Row, State};

/// How many skipped documents are named with their reasons.
const NAMED: usize = 20;
/// How many reasons a sentence has room for.
const REASONS: usize = 3;

/// What became of the documents of a job.
pub(super) struct Documents<'a> {
    pub(super) kind: Kind,
    /// How many there is a result for.
    pub(super) read: usize,
    /// How many of them are too short to say what they share, and nothing was found for.
    pub(super) short: usize,
    pub(super) skipped: &'a [Skipped],
    /// The ids of those that were read, but not answered for now.
    pub(super) refused: &'a BTreeSet<String>,
}

impl Documents<'_> {
    /// What the job came to; an error if there is no result.
    pub(super) fn outcome(&self, numbers: Value) -> Result<Value, Value> {
        let mut outcome = numbers;
        let skipped = self.skipped.iter().take(NAMED);
        let skipped: Vec<Value> = skipped
            .map(|one| json!({"id": one.id, "reason": one.reason}))
            .collect();
        if !skipped.is_empty() {
            outcome["skipped_documents"] = json!(skipped);
        }
        if self.read == 0 {
            let nothing = self.nothing();
            outcome["message"] = json!(nothing);
            return Err(outcome);
        }
        outcome["summary"] = json!(self.summary());
        Ok(outcome)
    }

    /// Why there is no result.
    fn nothing(&self) -> String {
        let (refused, unread) = self.parted();
        let mut parts = Vec::new();
        if !unread.is_empty() {
            let what = match self.kind {
                Kind::Register => "registered",
                Kind::Pairwise | Kind::Verify => "read",
            };
            parts.push(format!(
                "no document could be {what}: {}",
                reasons(&unread, Names::All)
            ));
        }
        if !refused.is_empty() {
            // The reason says that, and until when.
            parts.push(reasons(&refused, Names::IfSeveral));
        }
        if parts.is_empty() {
            return "no document could be read: there is none in what was sent".to_owned();
        }
        parts.join("; ")
    }

    /// What is missing in a result, if anything is.
    fn summary(&self) -> String {
        let (refused, unread) = self.parted();
        let all = self.read + self.skipped.len();
        let mut parts = Vec::new();
        let of = |count: usize| format!("{count} of {}", counted(all as u64, "document"));
        if !unread.is_empty() {
            let what = match self.kind {
                Kind::Register => "registered",
                Kind::Pairwise | Kind::Verify => "read",
            };
            parts.push(format!("{} could not be {what}", of(unread.len())));
        }
        if !refused.is_empty() {
            let were = if refused.len() == 1 { "was" } else { "were" };
            parts.push(format!("{} {were} not answered", of(refused.len())));
        }
        if self.short > 0 {
            let (are, they) = match self.short {
                1 => ("is", "it shares"),
                _ => ("are", "they share"),
            };
            parts.push(format!(
                "{} {are} too short to say what {they}",
                of(self.short)
            ));
        }
        if self.kind == Kind::Pairwise && self.read == 1 {
            parts.push("there is nothing to compare the only document with".to_owned());
        }
        if parts.is_empty() {
            return "done".to_owned();
        }
        parts.join("; ")
    }

    /// Those that were not answered, and those that could not be read.
    fn parted(&self) -> (Vec<&Skipped>, Vec<&Skipped>) {
        let skipped = self.skipped.iter();
        skipped.partition(|one| self.refused.contains(&one.id))
    }
}

/// Which documents are named beside their reasons.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    All,
    /// A reason that is the same for all needs no names.
    IfSeveral,
}

fn reasons(skipped: &[&Skipped], names: Names) -> String {
    let different: BTreeSet<&str> = skipped.iter().map(|one| one.reason.as_str()).collect();
    if let (Names::IfSeveral, 1, Some(first)) = (names, different.len(), skipped.first()) {
        return first.reason.clone();
    }
    let first = skipped.iter().take(REASONS);
    let mut parts: Vec<String> = first
        .map(|one| format!("{}: {}", one.id.escape_debug(), one.reason))
        .collect();
    if skipped.len() > REASONS {
        parts.push(format!("and {} more", skipped.len() - REASONS));
    }
    parts.join("; ")
}

/// What a job came to, once it has ended.
pub(super) fn of(row: &Row) -> Option<String> {
    let said = |name: &str| row.outcome[name].as_str().map(str::to_owned);
    let had_result = row.outcome["documents"].is_number();
    Some(match row.state {
        State::Uploading | State::Asking | State::Waiting | State::Running => return None,
        State::Done => said("summary").unwrap_or_else(|| "done".to_owned()),
        State::Failed => said("message").unwrap_or_else(|| "failed".to_owned()),
        State::Expired if had_result => "the result is no longer kept".to_owned(),
        State::Expired => said("message").unwrap_or_else(|| {
            "it was not started in time, and its files were removed; there is no result".to_owned()
        }),
        State::Cancelled if had_result => "the result was deleted".to_owned(),
        State::Cancelled if row.task.kind == Kind::Register => {
            "cancelled; there is no result, but documents that were registered before stay so"
                .to_owned()
        }
        State::Cancelled => "cancelled; there is no result".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(ids: &[&str]) -> Vec<Skipped> {
        let one = |id: &&str| Skipped::new(*id, "encrypted");
        ids.iter().map(one).collect()
    }

    #[track_caller]
    fn check(kind: Kind, read: usize, ids: &[&str], refused: &[&str], expected: &str) {
        let skipped = skipped(ids);
        let refused = refused.iter().map(|id| (*id).to_owned()).collect();
        let documents = Documents {
            kind,
            read,
            short: 0,
            skipped: &skipped,
            refused: &refused,
        };
        let (outcome, name) = match documents.outcome(json!({})) {
            Ok(outcome) => (outcome, "summary"),
            Err(outcome) => (outcome, "message"),
        };
        assert_eq!(outcome[name], expected);
    }

    #[test]
    fn what_is_missing_is_said() {
        use Kind::{Pairwise, Register, Verify};
        check(Pairwise, 3, &[], &[], "done");
        check(
            Pairwise,
            2,
            &["a"],
            &[],
            "1 of 3 documents could not be read",
        );
        check(
            Pairwise,
            1,
            &["a", "b"],
            &[],
            "2 of 3 documents could not be read; there is nothing to compare the only document with",
        );
        check(
            Verify,
            1,
            &["a", "b"],
            &["b"],
            "1 of 3 documents could not be read; 1 of 3 documents was not answered",
        );
        check(
            Register,
            1,
            &["a"],
            &[],
            "1 of 2 documents could not be registered",
        );
    }

    #[test]
    fn nothing_is_not_a_result() {
        use Kind::{Pairwise, Verify};
        check(
            Pairwise,
            0,
            &[],
            &[],
            "no document could be read: there is none in what was sent",
        );
        check(
            Pairwise,
            0,
            &["a", "b", "c", "d"],
            &[],
            "no document could be read: a: encrypted; b: encrypted; c: encrypted; and 1 more",
        );
        check(Verify, 0, &["a", "b"], &["a", "b"], "encrypted");
    }
}
