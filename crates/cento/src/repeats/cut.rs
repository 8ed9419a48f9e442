//! Taking runs of words out of a text, so that what is left reads as text.

use std::ops::Range;

use crate::number::index32;
use crate::token::{Tokens, is_part};

/// Runs in order, those that touch or overlap joined.
pub fn join(runs: impl IntoIterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = runs.into_iter().collect();
    runs.sort_unstable_by_key(|run| (run.start, run.end));
    runs.dedup_by(|next, last| {
        let joined = next.start <= last.end;
        if joined {
            last.end = last.end.max(next.end);
        }
        joined
    });
    runs
}

/// The text without some runs of its words, which are in order and apart; none if no word is left.
///
/// With the words goes the punctuation that is attached to them, and of the white space before and
/// behind them the one with fewer line breaks, at the end the one before. Words that stood apart
/// stay apart.
pub fn without(text: &str, tokens: &Tokens, runs: &[Range<u32>]) -> Option<String> {
    let all = index32(tokens.len());
    let left: usize = tokens.len() - runs.iter().map(Range::len).sum::<usize>();
    if left == 0 {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for run in runs.iter().filter(|run| !run.is_empty()) {
        let source = tokens.source(run.clone());
        let (start, end) = (source.start as usize, source.end as usize);
        let before = match run.start {
            0 => 0,
            word => tokens.get(word - 1).source.end as usize,
        };
        let behind = if run.end == all {
            text.len()
        } else {
            tokens.get(run.end).source.start as usize
        };
        let (before_it, behind_it) = (&text[before..start], &text[end..behind]);
        let cut = Cut::of(before_it, behind_it, run.start == 0, run.end == all);
        out.push_str(&text[at..before + cut.kept_before]);
        at = end + cut.left_out_behind;
        let is_glued = !out.is_empty()
            && !out.ends_with(char::is_whitespace)
            && !text[at..].starts_with(char::is_whitespace)
            && at < text.len();
        let ends_in_part = || {
            let last = out.chars().next_back();
            last.is_some_and(|c| is_part(c.encode_utf8(&mut [0; 4])))
        };
        if is_glued && !(ends_in_part() && is_part(&text[at..])) {
            out.push(' ');
        }
    }
    out.push_str(&text[at..]);
    Some(out)
}

/// How much of what is around a run goes with it.
struct Cut {
    /// Bytes that stay of what is between the word before and the run.
    kept_before: usize,
    /// Bytes that go of what is between the run and the word behind.
    left_out_behind: usize,
}

impl Cut {
    fn of(before: &str, behind: &str, is_first: bool, is_last: bool) -> Cut {
        // What is attached to the first word goes, unless it is attached to the word before too.
        let space_ends = before.rfind(char::is_whitespace).map(|at| {
            let space = before[at..].chars().next().map_or(1, char::len_utf8);
            at + space
        });
        let kept_before = match space_ends {
            Some(end) => end,
            None if is_first => 0,
            None => before.len(),
        };
        let attached = behind.find(char::is_whitespace);
        let attached = attached.unwrap_or(if space_ends.is_some() || is_first {
            behind.len()
        } else {
            0
        });
        let kept = &before[..kept_before];
        let space_before = kept.len() - kept.trim_end().len();
        let rest = &behind[attached..];
        let space_behind = rest.len() - rest.trim_start().len();
        let breaks = |space: &str| space.matches('\n').count();
        let more_behind =
            breaks(&rest[..space_behind]) > breaks(&kept[kept.len() - space_before..]);
        if (more_behind || is_last) && space_before > 0 {
            return Cut {
                kept_before: kept_before - space_before,
                left_out_behind: attached,
            };
        }
        // A text that goes on directly keeps the space before.
        Cut {
            kept_before,
            left_out_behind: attached + space_behind,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::align::Vocabulary;

    #[track_caller]
    fn check(text: &str, run: Range<u32>, expected: &str) {
        let tokens = Vocabulary::tokens(text);
        let left = without(text, &tokens, std::slice::from_ref(&run));
        assert_eq!(left.as_deref(), Some(expected), "{text:?}");
    }

    #[test]
    fn what_is_left_reads_as_text() {
        check("One two three four.", 1..3, "One four.");
        check("One. (Two, three!) Four.", 1..3, "One. Four.");
        check("One.\n\nTwo three.\n\nFour.", 1..3, "One.\n\nFour.");
        check("One two\n\nthree.", 1..2, "One\n\nthree.");
        check("One\n\ntwo three", 1..2, "One\n\nthree");
        check("  One two", 0..1, "  two");
        check("\"One\" two", 0..1, "two");
        check("One two. ", 1..2, "One ");
        check("One two", 1..2, "One");
        check("One.\n\nTwo.\n", 1..2, "One.\n");
        check("one-two-three", 1..2, "one- -three");
        check("漢字仮名", 1..3, "漢名");
        check("abc漢字def", 1..3, "abc def");
    }

    #[test]
    fn nothing_is_left_of_nothing() {
        let text = "One, two.";
        let tokens = Vocabulary::tokens(text);
        assert_eq!(without(text, &tokens, &join([0..1, 1..2])), None);
        assert_eq!(without(text, &tokens, &[]).as_deref(), Some(text));
    }

    proptest! {
        #[test]
        fn the_other_words_are_as_they_were(
            text in "([a-cé漢ก1][a-c1'’\u{301}]{0,2}[ ,.\n\u{a0}-]{0,3}){0,20}",
            cuts in proptest::collection::vec((0_u32..20, 0_u32..5), 0..4),
        ) {
            let tokens = Vocabulary::tokens(&text);
            let all = index32(tokens.len());
            let runs = join(cuts.iter().map(|(start, length)| {
                (*start).min(all)..(start + length).min(all)
            }));
            let runs: Vec<_> = runs.into_iter().filter(|run| !run.is_empty()).collect();
            let kept: Vec<&str> = (0..all)
                .filter(|word| !runs.iter().any(|run| run.contains(word)))
                .map(|word| tokens.term(word))
                .collect();
            match without(&text, &tokens, &runs) {
                Some(left) => {
                    let left = Vocabulary::tokens(&left);
                    prop_assert_eq!(left.terms().collect::<Vec<_>>(), kept);
                }
                None => prop_assert!(kept.is_empty()),
            }
        }
    }
}
