//! The passages of a pair for a person at a terminal.

use cento::align::Kind;
use cento::report::{PassageReport, Place, Summary};

use super::Hint;
use super::remarks::lists_all;
use super::words::{counted, line, percent, printable};
use crate::paint::Paint;
use crate::units::Units;

/// How many passages a screen has room for.
const MOST: usize = 20;
/// How many characters of a passage are shown.
const EXCERPT: usize = 60;

/// Lists the longest passages in the order of the left text.
pub(crate) fn list(
    passages: &[PassageReport],
    documents: &[&Summary; 2],
    paint: Paint,
    hint: Option<Hint>,
    out: &mut String,
) {
    let mut longest: Vec<&PassageReport> = passages.iter().collect();
    longest.sort_by_key(|passage| std::cmp::Reverse(passage.left.words));
    longest.truncate(MOST);
    longest.sort_by_key(|passage| (passage.left.start, passage.right.start));
    for passage in &longest {
        line(out, "");
        line(out, &paint.passage(passage, &headline(passage, documents)));
        for (place, document) in [passage.left, passage.right].iter().zip(documents) {
            line(out, &shown(*place, document));
        }
    }
    if passages.len() > MOST {
        line(out, "");
        let more = passages.len() - MOST;
        line(
            out,
            &format!("{more} shorter passages; {}", lists_all(hint)),
        );
    }
}

/// How long a passage of these documents is, and what is known about it.
pub(crate) fn headline(passage: &PassageReport, documents: &[&Summary]) -> String {
    let units = Units::of(documents.iter().copied());
    // Programs whose tokens are equal may have other names in them.
    let kind = match (units, passage.kind) {
        (Units::Tokens, Kind::Exact) => "same structure".to_owned(),
        (Units::Tokens, Kind::Edited | Kind::Paraphrased) => "similar structure".to_owned(),
        (Units::Words | Units::Both, kind) => kind.to_string(),
    };
    let mut text = format!("{}, {kind}", counted(passage.left.words, units.one()));
    if passage.similarity < 1.0 {
        text = format!("{text}, {} alike", percent(passage.similarity));
    }
    if let Some(discount) = passage.discount {
        text = format!("{text}; {discount}");
    }
    if let Some(documents) = passage.documents.filter(|&count| count > 2) {
        text = format!("{text}; in {documents} documents");
    }
    text
}

/// Where a passage stands and how it begins.
pub(crate) fn shown(place: Place, document: &Summary) -> String {
    let Some(text) = &document.text else {
        let (start, end) = (place.start, place.end);
        return format!("  {}, bytes {start} to {end}", printable(&document.label));
    };
    let start = place.start as usize;
    // Programs of several files have their lines counted in each.
    let part = document.language.as_ref().and_then(|_| {
        let parts = document.parts.iter();
        parts.rev().find(|part| part.start <= place.start)
    });
    let (begins, file) = part.map_or((0, String::new()), |part| {
        (part.start as usize, format!(", {}", printable(&part.file)))
    });
    let first = text[begins..start].matches('\n').count() + 1;
    let passage = &text[start..place.end as usize];
    let last = first + passage.matches('\n').count();
    let lines = if first == last {
        format!("line {first}")
    } else {
        format!("lines {first} to {last}")
    };
    let name = printable(&document.label);
    format!("  {name}{file}, {lines}: {}", printable(&excerpt(passage)))
}

/// The beginning of a passage on one line.
fn excerpt(passage: &str) -> String {
    let mut excerpt = String::new();
    for word in passage.split_whitespace() {
        if !excerpt.is_empty() {
            excerpt.push(' ');
        }
        let room = EXCERPT.saturating_sub(excerpt.chars().count());
        if word.chars().count() > room {
            excerpt.extend(word.chars().take(if excerpt.is_empty() { room } else { 0 }));
            return format!("{}…", excerpt.trim_end());
        }
        excerpt.push_str(word);
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_fit_a_line() {
        assert_eq!(excerpt("one\n  two "), "one two");
        let long = "word ".repeat(40);
        assert_eq!(
            excerpt(&long),
            format!("{}…", "word ".repeat(12).trim_end())
        );
        assert_eq!(excerpt(&"é".repeat(100)), format!("{}…", "é".repeat(60)));
    }
}
