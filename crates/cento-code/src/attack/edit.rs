//! Changes of a text: what is replaced by what.

use std::collections::BTreeMap;

use super::random::Random;

/// A stretch of a text, in bytes, and what stands there instead.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl Edit {
    pub(super) fn replace(bytes: std::ops::Range<usize>, text: impl Into<String>) -> Edit {
        Edit {
            start: bytes.start,
            end: bytes.end,
            text: text.into(),
        }
    }

    pub(super) fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit::replace(at..at, text)
    }
}

/// Edits that are made together or not at all.
#[derive(Clone, Debug)]
pub(super) struct Change {
    edits: Vec<Edit>,
    /// How many statements, names or functions it touches.
    touched: usize,
}

impl Change {
    pub(super) fn new(edits: Vec<Edit>) -> Change {
        Change { edits, touched: 1 }
    }

    pub(super) fn of_two(edits: Vec<Edit>) -> Change {
        Change { edits, touched: 2 }
    }
}

/// What could be changed, and how many statements, names or functions there are.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) changes: Vec<Change>,
    pub(super) units: usize,
}

impl Plan {
    /// Changes at random until the share of units is touched or there are no more. Of two that want
    /// the same place, one is left out.
    pub(super) fn choose(mut self, level: f64, random: &mut Random) -> Vec<Change> {
        random.shuffle(&mut self.changes);
        let level = if level.is_nan() {
            0.0
        } else {
            level.clamp(0.0, 1.0)
        };
        let wanted = (level * self.units as f64).round();
        let mut touched = 0;
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        let mut chosen = Vec::new();
        for change in self.changes {
            // A short program is touched once at least, unless nothing shall be.
            if touched as f64 >= wanted && (touched > 0 || level == 0.0) {
                break;
            }
            if change.edits.iter().any(|edit| is_taken(&taken, edit)) {
                continue;
            }
            touched += change.touched;
            taken.extend(change.edits.iter().map(|edit| (edit.start, edit.end)));
            chosen.push(change);
        }
        chosen
    }
}

/// Whether an edit would touch what another one touches. Two insertions at one place are refused, too,
/// since their order would have to mean something.
fn is_taken(taken: &BTreeMap<usize, usize>, edit: &Edit) -> bool {
    let before = taken.range(..=edit.start).next_back();
    let after = taken.range(edit.start..).next();
    before.is_some_and(|(start, end)| *end > edit.start || *start == edit.start)
        || after.is_some_and(|(start, _)| *start < edit.end)
}

/// The text with all changes made, from back to front. Words that were apart stay apart: `return(a)`
/// with `b` for `(a)` is `return b`.
pub(super) fn apply(text: &str, changes: &[Change]) -> String {
    let mut edits: Vec<&Edit> = changes.iter().flat_map(|change| &change.edits).collect();
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut result = text.to_owned();
    for edit in edits.into_iter().rev() {
        let before = text[..edit.start].chars().next_back();
        let after = result[edit.end..].chars().next();
        if edit.text.ends_with(is_of_word) && after.is_some_and(is_of_word) {
            result.insert(edit.end, ' ');
        }
        result.replace_range(edit.start..edit.end, &edit.text);
        if edit.text.starts_with(is_of_word) && before.is_some_and(is_of_word) {
            result.insert(edit.start, ' ');
        }
    }
    result
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(start: usize, end: usize, text: &str) -> Change {
        Change::new(vec![Edit::replace(start..end, text)])
    }

    #[test]
    fn edits_do_not_move_each_other() {
        let changes = [
            change(4, 7, "2"),
            change(0, 3, "one hundred"),
            change(8, 8, "!"),
        ];
        assert_eq!(apply("one two three", &changes), "one hundred 2 !three");
    }

    #[test]
    fn words_stay_apart() {
        assert_eq!(apply("return(a);", &[change(6, 9, "b")]), "return b;");
        assert_eq!(apply("0or 1", &[change(0, 1, "a")]), "a or 1");
    }

    #[test]
    fn one_place_is_changed_once() {
        let plan = Plan {
            changes: vec![
                change(0, 4, "a"),
                change(2, 3, "b"),
                change(1, 6, "c"),
                change(4, 4, "d"),
                change(4, 4, "e"),
            ],
            units: 5,
        };
        let chosen = plan.choose(1.0, &mut Random::new(1));
        assert!(chosen.len() <= 3, "{chosen:?}");
        assert!(!chosen.is_empty());
    }

    #[test]
    fn a_level_is_a_share() {
        for (level, expected) in [
            (0.0, 0),
            (0.3, 3),
            (1.0, 10),
            (9.0, 10),
            (0.01, 1),
            (f64::NAN, 0),
        ] {
            let changes = (0..10).map(|at| change(2 * at, 2 * at + 1, "x")).collect();
            let plan = Plan { changes, units: 10 };
            let chosen = plan.choose(level, &mut Random::new(1));
            assert_eq!(chosen.len(), expected, "{level}");
        }
    }
}
