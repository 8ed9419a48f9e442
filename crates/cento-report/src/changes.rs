//! Two versions of a text as one, with what was added, removed and moved.

use std::fmt::Write as _;

use serde::Serialize;

use crate::paint::{Paint, Screen};
use crate::text::counted;
use crate::ui::{COLOURS, PAGE, Parts};

/// What changed between two versions of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Changes {
    /// What the older version is called.
    pub left: String,
    /// What the newer version is called.
    pub right: String,
    /// How many words were removed.
    pub removed: u64,
    /// How many words were added.
    pub added: u64,
    /// How many words were moved.
    pub moved: u64,
    /// How many words stayed where they were.
    pub unchanged: u64,
    /// Everything, in the order of the newer version.
    pub parts: Vec<ChangedPart>,
}

/// Some words in a row that share a fate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedPart {
    /// What happened to them.
    pub change: Change,
    /// The words, with what stands between them.
    pub text: String,
}

/// What happened to words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Nothing.
    Unchanged,
    /// Only the older version has them.
    Removed,
    /// Only the newer version has them.
    Added,
    /// The newer version has them elsewhere.
    MovedAway,
    /// The older version had them elsewhere.
    MovedHere,
}

/// How much unchanged text is shown around changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A few words before and after each change.
    Words(usize),
    /// All of it.
    All,
}

/// The changes for a terminal or a file: what was removed in `[-` and `-]`, what was added in `{+` and
/// `+}`, what was moved in `[~` and `~]` where it was and in `{~` and `~}` where it is.
pub fn changes_text(changes: &Changes, context: Context, screen: Screen) -> String {
    let mut text = String::new();
    let parts = shown(&changes.parts, context);
    for (change, words) in &parts {
        let words = words.trim_matches('\n');
        let (left, right, code) = match change {
            Some(Change::Unchanged) => ("", "", None),
            Some(Change::Removed) => ("[-", "-]", Some("31")),
            Some(Change::Added) => ("{+", "+}", Some("32")),
            Some(Change::MovedAway) => ("[~", "~]", Some("36")),
            Some(Change::MovedHere) => ("{~", "~}", Some("34")),
            None => {
                text.truncate(text.trim_end().len());
                text += if text.is_empty() { "…\n" } else { "\n…\n" };
                continue;
            }
        };
        let (words, space) = words.split_at(words.trim_end().len());
        let words = format!("{left}{}{right}", printable(words));
        let painted = match (code, screen.paint) {
            (Some(code), Paint::Colour) => format!("\u{1b}[{code}m{words}\u{1b}[0m"),
            _ => words,
        };
        text += &painted;
        text += if space.is_empty() { " " } else { space };
    }
    let (left, right, summary) = (&changes.left, &changes.right, summary(changes));
    let text = format!("--- {left}\n+++ {right}\n{summary}\n\n{}", text.trim_end());
    format!("{}\n", text.trim_end())
}

/// The changes as one page that needs nothing else.
pub fn changes_page(changes: &Changes) -> String {
    let parts = Parts::new(
        &[""],
        &[COLOURS, PAGE, include_str!("../ui/changes.css")],
        "form-action 'none'",
    );
    let mut body = String::new();
    let shown = shown(&changes.parts, Context::All);
    for (place, (change, words)) in shown.iter().enumerate() {
        if is_replaced_in_line(&shown, place) {
            let _ = write!(body, "<del>{}</del> ", escaped(words.trim_end()));
            continue;
        }
        let words = escaped(words);
        let _ = match change {
            Some(Change::Removed) => write!(body, "<del>{words}</del>"),
            Some(Change::Added) => write!(body, "<ins>{words}</ins>"),
            Some(Change::MovedAway) => write!(body, "<span class=\"moved gone\">{words}</span>"),
            Some(Change::MovedHere) => write!(body, "<span class=\"moved\">{words}</span>"),
            Some(Change::Unchanged) | None => write!(body, "{words}"),
        };
    }
    let (left, right) = (escaped(&changes.left), escaped(&changes.right));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{right}: changes – Cento</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <header class=\"bar\"><span class=\"brand\">Cento</span></header>\n<main>\n\
         <h1>{right}</h1>\n<p class=\"note\">compared with {left}: {summary}</p>\n\
         <p class=\"key\"><del>removed</del> · <ins>added</ins> · <span class=\"moved gone\">moved \
         away</span> · <span class=\"moved\">moved here</span></p>\n\
         <div class=\"changes\">{body}</div>\n</main>\n</body>\n</html>\n",
        policy = escaped(&parts.policy),
        style = parts.style,
        summary = summary(changes),
    )
}

/// Whether a part was replaced up to the end of a line. Then the next one is on the same line.
fn is_replaced_in_line(shown: &[(Option<Change>, &str)], place: usize) -> bool {
    let ends_line = |place: usize, wanted: Change| {
        let part = shown.get(place);
        part.is_some_and(|(change, words)| *change == Some(wanted) && words.ends_with('\n'))
    };
    place > 0
        && !shown[place - 1].1.ends_with('\n')
        && ends_line(place, Change::Removed)
        && ends_line(place + 1, Change::Added)
}

fn summary(changes: &Changes) -> String {
    let Changes {
        removed,
        added,
        moved,
        unchanged,
        ..
    } = changes;
    if removed + added + moved == 0 {
        return format!("the same words, {unchanged} of them");
    }
    format!(
        "{} removed, {added} added, {moved} moved, {unchanged} unchanged",
        counted(*removed, "word")
    )
}

/// The parts that are shown; nothing stands for what is left out.
fn shown(parts: &[ChangedPart], context: Context) -> Vec<(Option<Change>, &str)> {
    let mut shown = Vec::new();
    for (place, ChangedPart { change, text }) in parts.iter().enumerate() {
        let Context::Words(words) = context else {
            shown.push((Some(*change), text.as_str()));
            continue;
        };
        if *change != Change::Unchanged {
            shown.push((Some(*change), text.as_str()));
            continue;
        }
        let before = if place == 0 { 0 } else { words };
        let after = if place + 1 == parts.len() { 0 } else { words };
        match (first_words(text, before), last_words(text, after)) {
            (Some(head), Some(tail)) if head.len() + tail.len() < text.len() => {
                if !head.is_empty() {
                    shown.push((Some(Change::Unchanged), head));
                }
                shown.push((None, ""));
                if !tail.is_empty() {
                    shown.push((Some(Change::Unchanged), tail));
                }
            }
            _ => shown.push((Some(Change::Unchanged), text.as_str())),
        }
    }
    shown
}

/// So many words from the beginning; nothing if there are not more.
fn first_words(text: &str, count: usize) -> Option<&str> {
    let mut starts = word_starts(text);
    starts.nth(count).map(|start| text[..start].trim_end())
}

fn last_words(text: &str, count: usize) -> Option<&str> {
    if count == 0 {
        return Some("");
    }
    let starts: Vec<usize> = word_starts(text).collect();
    let place = starts.len().checked_sub(count)?;
    Some(&text[starts[place]..])
}

fn word_starts(text: &str) -> impl Iterator<Item = usize> {
    let mut is_space = true;
    text.char_indices().filter_map(move |(place, character)| {
        let was_space = std::mem::replace(&mut is_space, character.is_whitespace());
        (was_space && !is_space).then_some(place)
    })
}

/// Text that cannot command a terminal.
fn printable(text: &str) -> String {
    let is_shown = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    let replaced = |character| {
        if is_shown(character) {
            character
        } else {
            '\u{fffd}'
        }
    };
    text.chars().map(replaced).collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(change: Change, text: &str) -> ChangedPart {
        ChangedPart {
            change,
            text: text.to_owned(),
        }
    }

    fn changes() -> Changes {
        Changes {
            left: "page@1".to_owned(),
            right: "page@2".to_owned(),
            removed: 1,
            added: 2,
            moved: 0,
            unchanged: 9,
            parts: vec![
                part(Change::Unchanged, "one two three four five "),
                part(Change::Removed, "old "),
                part(Change::Added, "<b> new "),
                part(Change::Unchanged, "six seven eight nine"),
            ],
        }
    }

    #[test]
    fn as_text() {
        let text = changes_text(&changes(), Context::Words(2), Screen::FILE);
        let expected = "--- page@1\n+++ page@2\n1 word removed, 2 added, 0 moved, 9 unchanged\n\n…\n\
                        four five [-old-] {+<b> new+} six seven\n…\n";
        assert_eq!(text, expected);
        let text = changes_text(&changes(), Context::All, Screen::FILE);
        assert!(text.contains("one two three four five [-old-]"), "{text}");
    }

    #[test]
    fn as_a_page_in_which_nothing_is_markup() {
        let page = changes_page(&changes());
        assert!(page.contains("<del>old </del><ins>&lt;b&gt; new </ins>six"));
        assert!(!page.contains("<script"));
    }

    #[test]
    fn what_is_replaced_at_the_end_of_a_line_is_on_that_line() {
        let page = |before: &str| {
            let parts = vec![
                part(Change::Unchanged, before),
                part(Change::Removed, "minutes\n\n"),
                part(Change::Added, "Minutes\n\n"),
            ];
            changes_page(&Changes { parts, ..changes() })
        };
        let inside = page("Council ");
        assert!(
            inside.contains("Council <del>minutes</del> <ins>Minutes\n\n</ins>"),
            "{inside}"
        );
        // A line of its own stays one.
        let own = page("Council\n");
        assert!(
            own.contains("<del>minutes\n\n</del><ins>Minutes\n\n</ins>"),
            "{own}"
        );
    }
}
