//! Invisible characters inside words.

use unicode_script::{Script, UnicodeScript as _};

use crate::token::{is_ignorable, is_mark};

/// Whether a word has an invisible character between two letters of scripts that have no use for it.
pub(super) fn is_in(word: &str) -> bool {
    let mut last: Option<char> = None;
    // What came since the last letter.
    let mut unseen: Vec<char> = Vec::new();
    for c in word.chars() {
        if is_ignorable(c) {
            unseen.push(c);
        } else if !is_mark(c) {
            let is_odd = |unseen: &char| last.is_some_and(|last| is_odd_between(last, *unseen, c));
            if unseen.iter().any(is_odd) {
                return true;
            }
            unseen.clear();
            last = Some(c);
        }
    }
    false
}

fn is_odd_between(left: char, unseen: char, right: char) -> bool {
    if ![left, right].into_iter().all(is_of_plain_script) {
        return false;
    }
    match unseen {
        // Where a word may be broken; how letters sort; operators of formulas.
        '\u{ad}' | '\u{34f}' | '\u{2061}'..='\u{2064}' => false,
        // German typesetters keep letters from being joined: Auf|lage.
        '\u{200c}' => left != 'f',
        // The mark at the beginning of a file, between two that were put together.
        '\u{feff}' => left.is_lowercase() && right.is_lowercase(),
        _ => true,
    }
}

/// Letters of alphabets whose words are written without joiners, separators and selectors.
fn is_of_plain_script(c: char) -> bool {
    c.is_alphabetic()
        && matches!(
            c.script(),
            Script::Latin | Script::Cyrillic | Script::Greek | Script::Armenian | Script::Georgian
        )
}
