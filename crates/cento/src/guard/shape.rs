//! What the addresses of endless pages look like.

use std::fmt::Write as _;

use super::address::{Address, Parameter};
use crate::digest::word_hash;

/// Addresses that differ in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    /// What they have in common, with signs where they differ; for [`Kind::Loop`] the segment that
    /// comes again, for [`Kind::Deep`] the first, for [`Kind::Session`] the parameter.
    pub(super) template: String,
    /// How often a segment comes again.
    pub(super) times: usize,
    /// The address without what may be the id of a session.
    pub(super) stripped: Option<u64>,
}

/// In which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A segment of the path comes again and again.
    Loop,
    /// The path is very long.
    Deep,
    /// A date.
    Dates,
    /// A parameter that is known to be the id of a session.
    Session,
    /// Something that looks like an id.
    Ids,
    /// The last part.
    Last,
    /// All numbers, and the values of all parameters.
    Numbers,
    /// Which parameters there are.
    Facets,
    /// In any way.
    Host,
}

/// Signs in templates.
pub(super) const DIGITS: char = '\u{1}';
pub(super) const ANYTHING: char = '\u{2}';
pub(super) const DATE: char = '\u{3}';

/// A segment that is there so often may be a loop.
pub(super) const TIMES: usize = 3;
/// Paths with more segments are deep.
pub(super) const DEPTH: usize = 10;
/// Longer templates are not kept.
const LONGEST: usize = 200;

/// The shapes that an address has.
pub(super) fn shapes(address: &Address) -> Vec<Shape> {
    let shape = |kind, template: String| Shape {
        kind,
        template,
        times: 0,
        stripped: None,
    };
    let mut all = Vec::new();
    if let Some((segment, times)) = looping(address) {
        all.push(Shape {
            times,
            ..shape(Kind::Loop, segment)
        });
    }
    if depth(address) > DEPTH {
        all.push(shape(Kind::Deep, address.segments[0].clone()));
    }
    all.extend(dates(address).map(|template| shape(Kind::Dates, template)));
    for parameter in &address.parameters {
        let is_other = |other: &Parameter| other.name != parameter.name;
        if is_session(parameter) {
            all.push(Shape {
                stripped: Some(address.name_of(is_other, |segment| segment)),
                ..shape(Kind::Session, parameter.name.clone())
            });
        }
    }
    all.extend(ids(address));
    let last = last(address);
    let numbers = numbers(address);
    if numbers.contains([DIGITS, ANYTHING]) && numbers != last {
        all.push(shape(Kind::Numbers, numbers));
    }
    all.push(shape(Kind::Last, last));
    if facets(address).count() > 1 {
        all.push(shape(Kind::Facets, format!("{}?", path(address))));
    }
    all.push(shape(Kind::Host, String::new()));
    all.retain(|shape| shape.template.len() <= LONGEST);
    all
}

/// Parameters that may choose what a list shows.
pub(super) fn facets(address: &Address) -> impl Iterator<Item = &Parameter> {
    let parameters = address.parameters.iter();
    parameters.filter(|parameter| !is_session(parameter))
}

/// A number for the part of a host that an address belongs to: what is seen in several parts is
/// navigation. Loops are one part, so that what goes round in them is none.
pub(super) fn part(address: &Address) -> u64 {
    if looping(address).is_some() {
        return word_hash(b"loop");
    }
    if depth(address) > DEPTH {
        return word_hash(b"deep");
    }
    let first = match address.segments.as_slice() {
        [first, _, ..] if is_id(first) => ANYTHING.to_string(),
        [first, _, ..] => without_digits(first),
        _ => String::new(),
    };
    let names: Vec<&str> = facets(address).map(|p| p.name.as_str()).collect();
    let name = format!("{first}/{}?{}", depth(address), names.join("&"));
    word_hash(name.as_bytes())
}

/// The segment that is there most often, if that is often.
fn looping(address: &Address) -> Option<(String, usize)> {
    let is_word = |segment: &&String| segment.contains(|c: char| c.is_alphabetic());
    let words = address.segments.iter().filter(is_word);
    let mut folded: Vec<String> = words.map(|segment| without_digits(segment)).collect();
    if folded.len() < TIMES {
        return None;
    }
    folded.sort();
    let groups = folded.chunk_by(|left, right| left == right);
    let most = groups.max_by_key(|group| (group.len(), std::cmp::Reverse(group[0].clone())))?;
    (most.len() >= TIMES).then(|| (most[0].clone(), most.len()))
}

fn depth(address: &Address) -> usize {
    address
        .segments
        .iter()
        .filter(|segment| !segment.is_empty())
        .count()
}

fn path(address: &Address) -> String {
    address
        .segments
        .iter()
        .flat_map(|segment| ["/", segment])
        .collect()
}

fn dates(address: &Address) -> Option<String> {
    let mut template = String::new();
    let (mut has_dates, mut is_after_year) = (false, false);
    for segment in &address.segments {
        let is_year = is_year(segment);
        let is_date = is_year || is_whole_date(segment) || is_after_year && is_small(segment);
        template.push('/');
        if is_date {
            template.push(DATE);
        } else {
            template.push_str(segment);
        }
        has_dates |= is_date;
        is_after_year = is_date;
    }
    let mut sign = '?';
    for parameter in facets(address) {
        const NAMES: [&str; 7] = ["year", "month", "day", "date", "week", "yr", "mon"];
        let Parameter { name, value, .. } = parameter;
        let is_named = NAMES.contains(&name.to_ascii_lowercase().as_str());
        let is_number = value.starts_with(|c: char| c.is_ascii_digit())
            && value.chars().all(|c| c.is_ascii_digit() || c == '-');
        let is_date = is_named && is_number || is_whole_date(value);
        has_dates |= is_date;
        template.extend([sign]);
        template.push_str(name);
        template.push('=');
        if is_date {
            template.push(DATE);
        } else {
            template.push_str(value);
        }
        sign = '&';
    }
    has_dates.then_some(template)
}

fn is_small(text: &str) -> bool {
    matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_year(text: &str) -> bool {
    text.len() == 4
        && text
            .parse()
            .is_ok_and(|year: u32| (1900..2200).contains(&year))
}

/// `2004-07`, `2004-07-13`, `200407`, `20040713`.
fn is_whole_date(text: &str) -> bool {
    let is_in = |text: Option<&str>, most: u32| {
        let number = text.and_then(|text| text.parse().ok());
        number.is_some_and(|number: u32| (1..=most).contains(&number))
    };
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    let is_split = matches!(text.len(), 7 | 10) && text.matches('-').count() == text.len() / 3 - 1;
    (is_split || matches!(text.len(), 6 | 8))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.get(..4).is_some_and(is_year)
        && is_in(digits.get(4..6), 12)
        && (digits.len() == 6 || is_in(digits.get(6..8), 31))
}

/// Parameters that programs for the web keep a visit in, or where it came from.
fn is_session(parameter: &Parameter) -> bool {
    const NAMES: [&str; 16] = [
        "sid",
        "session",
        "sessionid",
        "session_id",
        "sessid",
        "phpsessid",
        "jsessionid",
        "cfid",
        "cftoken",
        "oscsid",
        "zenid",
        "aspsessionid",
        "visitorid",
        "fbclid",
        "gclid",
        "_ga",
    ];
    let name = parameter.name.to_ascii_lowercase();
    NAMES.contains(&name.as_str()) || name.starts_with("utm_") || name.starts_with("aspsessionid")
}

/// Letters and digits in turn, as no word has them; or a UUID.
fn is_id(text: &str) -> bool {
    let changes = text.as_bytes().windows(2);
    let changes = changes.filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit());
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_uuid = text.len() == 36
        && text.matches('-').count() == 4
        && text
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    is_uuid || text.len() >= 8 && is_plain && changes.count() >= 3
}

/// The shapes without each of the things that look like ids.
fn ids(address: &Address) -> Vec<Shape> {
    let has_id = address.segments.iter().any(|segment| is_id(segment));
    let parameters = facets(address).filter(|parameter| is_id(&parameter.value));
    let names: Vec<&str> = parameters
        .map(|parameter| parameter.name.as_str())
        .collect();
    if !has_id && names.is_empty() {
        return Vec::new();
    }
    // Pages that come after an id in the path are all of one visit.
    let end = address.segments.iter().position(|segment| is_id(segment));
    let folder = address.segments.iter().take(end.unwrap_or(usize::MAX));
    let mut template: String = folder.flat_map(|segment| ["/", segment]).collect();
    if end.is_some() {
        template.extend(['/', ANYTHING]);
    }
    for (at, name) in names.iter().enumerate() {
        template.push(if at == 0 { '?' } else { '&' });
        let _ = write!(template, "{name}={ANYTHING}");
    }
    // An id in a folder's name is that of a visit, if pages have names of their own.
    let is_last_own = names.is_empty()
        && !address
            .segments
            .iter()
            .rfind(|segment| !segment.is_empty())
            .is_some_and(|last| is_id(last));
    let is_kept = |parameter: &Parameter| !names.contains(&parameter.name.as_str());
    let stripped = address.name_of(is_kept, |segment| if is_id(segment) { "" } else { segment });
    vec![Shape {
        kind: Kind::Ids,
        template,
        times: usize::from(is_last_own),
        stripped: Some(stripped),
    }]
}

/// The address with a sign instead of the last part.
fn last(address: &Address) -> String {
    let mut facets: Vec<&Parameter> = facets(address).collect();
    if let Some(last) = facets.pop() {
        let mut template = format!("{}?", path(address));
        for Parameter { name, value, .. } in facets {
            let _ = write!(template, "{name}={value}&");
        }
        let sign = if is_number(&last.value) {
            DIGITS
        } else {
            ANYTHING
        };
        let _ = write!(template, "{}={sign}", last.name);
        return template;
    }
    let end = address
        .segments
        .iter()
        .rposition(|segment| !segment.is_empty());
    let mut template = String::new();
    for (at, segment) in address.segments.iter().enumerate() {
        template.push('/');
        if Some(at) != end {
            template.push_str(segment);
        } else if segment.contains(|c: char| c.is_ascii_digit()) && !is_id(segment) {
            template.push_str(&without_digits(segment));
        } else {
            template.push(ANYTHING);
        }
    }
    template
}

fn numbers(address: &Address) -> String {
    let mut template = String::new();
    for segment in &address.segments {
        template.push('/');
        if is_id(segment) {
            template.push(ANYTHING);
        } else {
            template.push_str(&without_digits(segment));
        }
    }
    let mut sign = '?';
    for Parameter { name, value, .. } in facets(address) {
        let value = if is_number(value) { DIGITS } else { ANYTHING };
        let _ = write!(template, "{sign}{name}={value}");
        sign = '&';
    }
    template
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A sign instead of each number.
fn without_digits(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_ascii_digit() {
            folded.push(c);
        } else if !folded.ends_with(DIGITS) {
            folded.push(DIGITS);
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn templates(url: &str, kind: Kind) -> Vec<String> {
        let address = Address::parse(url).unwrap();
        let shapes = shapes(&address)
            .into_iter()
            .filter(|shape| shape.kind == kind);
        let sign = |c| if c < ' ' { '*' } else { c };
        shapes
            .map(|shape| shape.template.chars().map(sign).collect())
            .collect()
    }

    #[track_caller]
    fn check(url: &str, kind: Kind, expected: &[&str]) {
        let url = format!("http://example.org{url}");
        assert_eq!(templates(&url, kind), expected, "{url}");
    }

    #[test]
    fn loops() {
        check("/a/b/a/b/a", Kind::Loop, &["a"]);
        check("/a/b/a/b", Kind::Loop, &[]);
        check("/dir1/dir2/dir3/", Kind::Loop, &["dir*"]);
        check("/2004/2004/2004/", Kind::Loop, &[]);
        check("/a/b/c/d/e/f/g/h/i/j/k", Kind::Deep, &["a"]);
    }

    #[test]
    fn calendars() {
        check("/cal/2004/07", Kind::Dates, &["/cal/*/*"]);
        check("/cal/2004-07-13/view", Kind::Dates, &["/cal/*/view"]);
        check(
            "/cal?month=7&year=2004",
            Kind::Dates,
            &["/cal?month=*&year=*"],
        );
        check("/cal?d=20040713", Kind::Dates, &["/cal?d=*"]);
        check("/cal?d=20041313", Kind::Dates, &[]);
        check("/12/2004b/", Kind::Dates, &[]);
    }

    #[test]
    fn ids_of_visits() {
        check("/a?x=1&sid=77", Kind::Session, &["sid"]);
        check("/a;JSESSIONID=AB12", Kind::Session, &["JSESSIONID"]);
        check("/s/8f3a02c91b/page.html", Kind::Ids, &["/s/*"]);
        check("/s/chapter10/page.html", Kind::Ids, &[]);
        check("/a?q=8f3a02c91b", Kind::Ids, &["/a?q=*"]);
    }

    #[test]
    fn the_rest() {
        check("/topic/5?page=3", Kind::Last, &["/topic/5?page=*"]);
        check("/topic/5?page=3", Kind::Numbers, &["/topic/*?page=*"]);
        check("/topic/word", Kind::Last, &["/topic/*"]);
        check("/topic/word", Kind::Numbers, &[]);
        check("/list?color=red&size=m", Kind::Facets, &["/list?"]);
        check("/list?color=red", Kind::Facets, &[]);
    }
}
