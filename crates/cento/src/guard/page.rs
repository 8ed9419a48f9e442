//! What a page says, as numbers: runs of words, and the figures in it that may be content.

use crate::digest::word_hash;

/// The runs of three words of a page.
///
/// Runs stay within a line, and a shorter line is one run, so that a list of known lines in another
/// order is nothing new. What changes by itself on a page that says the same is written as one sign:
/// dates, times, small numbers, years, ids.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Each run once, in their order. Of a long page a sample, the same runs of every page.
    pub(super) runs: Vec<Run>,
    /// Other numbers, each with the one before it: single ones come again in a table of anything.
    pub(super) figures: Vec<u64>,
    last_figure: u64,
    /// There is a word or a number on it.
    pub(super) has_words: bool,
    /// How many of the runs are held against earlier ones; the others are only remembered, for pages
    /// that are a little shorter.
    sampled: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) number: u64,
    /// Which run of the page it is.
    pub(super) at: u32,
}

/// So many runs of a page are held against earlier ones at most,
const MOST_COMPARED: usize = 128;
/// and twice as many are remembered, so that it is no matter if the next page is a bit shorter.
const MOST_KEPT: usize = 2 * MOST_COMPARED;
const MOST_FIGURES: usize = 64;
const RUN: usize = 3;
/// Words with digits in them that are at least so long are ids.
const ID_LENGTH: usize = 8;
/// More of a page is not looked at.
const MOST_TEXT: usize = 1 << 20;

impl Page {
    /// `url` is where the page is from: numbers in it are no news on the page.
    pub(super) fn of(text: &str, url: &str) -> Page {
        let mut end = text.len().min(MOST_TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut page = Page::default();
        let mut words = Vec::new();
        for line in text[..end].split(['\n', '\r', '\t']) {
            words.clear();
            page.read_line(line, url, &mut words);
            page.has_words |= !words.is_empty();
            page.add_runs(&words);
        }
        page.runs.sort_unstable_by_key(|run| (run.number, run.at));
        page.runs.dedup_by_key(|run| run.number);
        page.figures.sort_unstable();
        page.figures.dedup();
        page.figures.truncate(MOST_FIGURES);
        page.sample();
        page
    }

    /// The runs that are held against earlier ones.
    pub(super) fn compared(&self) -> impl Iterator<Item = Run> {
        let step = 1_u64 << self.sampled;
        self.runs
            .iter()
            .copied()
            .filter(move |run| run.number % step == 0)
    }

    fn read_line(&mut self, line: &str, url: &str, words: &mut Vec<u64>) {
        let mut letters = String::new();
        let mut characters = line.chars().peekable();
        loop {
            let next = characters.next();
            if let Some(c) = next
                && c.is_alphanumeric()
                && !stands_alone(c)
            {
                letters.extend(c.to_lowercase());
                continue;
            }
            let is_point = matches!(next, Some('.' | ','))
                && letters.ends_with(|c: char| c.is_ascii_digit())
                && characters.peek().is_some_and(char::is_ascii_digit);
            if is_point {
                letters.push('.');
                continue;
            }
            self.end_word(&letters, url, words);
            letters.clear();
            match next {
                None => return,
                Some(c) if stands_alone(c) => {
                    words.push(word_hash(c.encode_utf8(&mut [0; 4]).as_bytes()));
                }
                Some(_) => {}
            }
        }
    }

    fn end_word(&mut self, word: &str, url: &str, words: &mut Vec<u64>) {
        if word.is_empty() {
            return;
        }
        match reading(word) {
            Reading::Word => words.push(word_hash(word.as_bytes())),
            reading => {
                if reading == Reading::Figure && !url.contains(word) {
                    let figure = word_hash(word.as_bytes());
                    self.figures.push(mixed(self.last_figure, figure));
                    self.last_figure = figure;
                }
                if words.last() != Some(&CHANGING) {
                    words.push(CHANGING);
                }
            }
        }
    }

    fn add_runs(&mut self, words: &[u64]) {
        if words.is_empty() || words == [CHANGING] {
            return;
        }
        let length = RUN.min(words.len());
        for run in words.windows(length) {
            let number = run.iter().fold(0, |sum, word| mixed(sum, *word));
            let at = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
            self.runs.push(Run { number, at });
        }
    }

    /// Keeps runs whose numbers are multiples of a power of two, the lowest that leaves few enough.
    fn sample(&mut self) {
        let level = |most: usize| {
            let halvings = (0..63).find(|halvings| self.runs.len() >> halvings <= most);
            halvings.unwrap_or(0)
        };
        let (compared, kept) = (level(MOST_COMPARED), level(MOST_KEPT));
        self.runs.retain(|run| run.number % (1 << kept) == 0);
        self.sampled = compared;
    }
}

/// What stands for everything that changes by itself.
const CHANGING: u64 = 1;

#[derive(PartialEq, Eq)]
enum Reading {
    Word,
    /// A date, a time, a place in a list, an id.
    Changing,
    /// A number that may be what the page is about.
    Figure,
}

fn reading(word: &str) -> Reading {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return Reading::Word;
    }
    if !word
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        let is_id = word.len() >= ID_LENGTH;
        return if is_id {
            Reading::Changing
        } else {
            Reading::Word
        };
    }
    let is_year = || {
        word.parse()
            .is_ok_and(|year: u32| (1500..2300).contains(&year))
    };
    match word.matches('.').count() {
        0 if word.len() <= 2 || word.len() >= ID_LENGTH || is_year() => Reading::Changing,
        0 | 1 => Reading::Figure,
        _ => Reading::Changing,
    }
}

/// Characters of scripts without spaces between words are words.
fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        && c.is_alphanumeric()
}

/// A number for two, in their order.
pub(super) fn mixed(first: u64, second: u64) -> u64 {
    let sum = first.rotate_left(23) ^ second;
    let mixed = (sum ^ sum >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> (Vec<u64>, Vec<u64>) {
        let page = Page::of(text, "http://example.org/topic/5150");
        let mut runs: Vec<u64> = page.runs.iter().map(|run| run.number).collect();
        runs.sort_unstable();
        (runs, page.figures)
    }

    #[track_caller]
    fn check(left: &str, right: &str, is_same: bool) {
        assert_eq!(numbers(left) == numbers(right), is_same, "{left} | {right}");
    }

    #[test]
    fn what_changes_by_itself_is_no_content() {
        check(
            "Modified 3 July 2004 at 10:15:02",
            "modified 29 July 2031 at 3:59:59",
            true,
        );
        check("Session 8f3a02c91b", "Session 11c0ffee77", true);
        check("1 2 3 4", "5 6 7", true);
        check("13.07.2004", "14.07.2004", true);
        check("Topic 5150", "Topic 7", true);
        check("Topic 5151", "Topic 7", false);
        check("July 2004", "August 2004", false);
        check("at 13.5 degrees", "at 14.5 degrees", false);
        check("the X200 is small", "the X300 is small", false);
    }

    #[test]
    fn lines_in_another_order_are_the_same() {
        check("first line here\nsecond", "second\nfirst line here", true);
        check("first line here", "here line first", false);
    }

    #[test]
    fn scripts_without_spaces_have_runs() {
        assert_eq!(numbers("文字列を比較する").0.len(), 6);
    }

    #[test]
    fn of_a_long_page_a_sample_is_kept_that_shorter_pages_have_too() {
        let text = |words: usize| -> String {
            let word = |at| format!("word{}", at % 10_000);
            (0..words).map(word).collect::<Vec<String>>().join(" ")
        };
        let long = Page::of(&text(1_000), "");
        assert!(long.runs.len() <= MOST_KEPT && long.compared().count() <= long.runs.len());
        let shorter = Page::of(&text(600), "");
        let missing = shorter
            .compared()
            .filter(|run| !long.runs.iter().any(|kept| kept.number == run.number));
        assert_eq!(missing.count(), 0);
    }
}
