//! What a sender wrote to everybody: a message without replies, footers, names and tracking.
//!
//! Every rule leaves a text alone that would be gone without it, so that a message cannot hide in what
//! others only quote or add.

use std::ops::Range;

use super::footer::without_footers;
use super::{direction, links};
use crate::format::html::{QUOTATION, QUOTATION_END};

/// A body, as one message to many people has it.
pub(super) fn sifted(body: &str, envelope: &Envelope) -> String {
    let body = direction::as_seen(body);
    let lines: Vec<&str> = body.lines().collect();
    let lines = own(&lines, envelope);
    let mut text = String::with_capacity(body.len());
    for line in without_greeting(&lines) {
        links::push_reduced(line, envelope, &mut text);
        text.push('\n');
    }
    text
}

/// A subject without what replies, forwards and lists put before it.
pub(super) fn subject(subject: &str) -> &str {
    let mut rest = subject.trim();
    loop {
        let tag = rest
            .strip_prefix('[')
            .and_then(|tag| tag.split_once(']'))
            .map(|(_, behind)| behind.trim_start())
            .filter(|behind| !behind.is_empty());
        let mark = rest.split_once(':').and_then(|(mark, behind)| {
            let mark = mark.trim_end_matches(|c: char| c.is_ascii_digit() || "[]()^".contains(c));
            let is_mark = REPLIES.iter().any(|known| mark.eq_ignore_ascii_case(known));
            is_mark.then(|| behind.trim_start())
        });
        match tag.or(mark) {
            Some(behind) => rest = behind,
            None => return rest,
        }
    }
}

const REPLIES: [&str; 13] = [
    "re", "fw", "fwd", "aw", "wg", "sv", "vs", "antw", "tr", "rif", "odp", "enc", "res",
];

/// Who a message was sent to, and through which lists.
#[derive(Default)]
pub(super) struct Envelope {
    /// The addresses of the recipients in lower case.
    pub(super) addresses: Vec<String>,
    /// The words of their names, and what stands before the @, in lower case.
    pub(super) names: Vec<String>,
    /// The domains of the lists.
    pub(super) lists: Vec<String>,
}

impl Envelope {
    /// Adds a recipient.
    pub(super) fn add(&mut self, name: Option<&str>, address: Option<&str>) {
        let address = address.unwrap_or_default().to_lowercase();
        let local = address.split('@').next().unwrap_or_default();
        let words = name.unwrap_or_default().split(|c: char| !c.is_alphabetic());
        let parts = local.split(|c: char| !c.is_alphabetic());
        for word in words.chain(parts) {
            let word = word.to_lowercase();
            // Shorter ones are words that anybody may write.
            if word.chars().count() >= 3 && !self.names.contains(&word) {
                self.names.push(word);
            }
        }
        if address.contains('@') {
            self.addresses.push(address);
        }
    }

    /// Adds what a field of the header says about a list.
    pub(super) fn add_list(&mut self, field: &str) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
        for host in field.split(|c| !is_part(c)).take(MOST_HOSTS) {
            let host = host.trim_matches(['.', '-']).to_ascii_lowercase();
            let domain = links::domain(&host);
            if domain.contains('.') && !self.lists.iter().any(|known| known == domain) {
                self.lists.push(domain.to_owned());
            }
        }
    }
}

/// So many words of a field about a list are looked at.
const MOST_HOSTS: usize = 50;

/// Letters and digits of lines.
pub(super) fn letters(lines: &[&str]) -> usize {
    let characters = lines.iter().flat_map(|line| line.chars());
    characters.filter(|c| c.is_alphanumeric()).count()
}

/// With fewer letters than this, what is left is no message of its own.
pub(super) const LITTLE: usize = 60;

/// The lines that are the sender's own; if these say next to nothing, what is quoted, too.
fn own<'t>(lines: &[&'t str], envelope: &Envelope) -> Vec<&'t str> {
    let (head, tail) = match (0..lines.len()).find(|&at| is_original_below(&lines[at..])) {
        Some(at) => lines.split_at(at),
        None => (lines, &[][..]),
    };
    let mut own: Vec<&str> = Vec::new();
    let mut quoted: Vec<&str> = Vec::new();
    let mut depth = 0_usize;
    // Whether something was said since the last quotation, which may be who is quoted.
    let mut is_said = false;
    for line in head {
        match *line {
            QUOTATION => depth += 1,
            QUOTATION_END => depth = depth.saturating_sub(1),
            line => {
                let inner = unquoted(line).or((depth > 0).then_some(line));
                if let Some(inner) = inner {
                    quoted.push(inner);
                    if std::mem::take(&mut is_said) {
                        drop_attribution(&mut own);
                    }
                } else {
                    own.push(line);
                    is_said |= !line.trim().is_empty();
                }
            }
        }
    }
    let own = without_footers(&own, envelope);
    if letters(&own) >= LITTLE || quoted.is_empty() && tail.is_empty() {
        return own;
    }
    let is_mark = |line: &&&str| matches!(**line, QUOTATION | QUOTATION_END);
    let below = tail.iter().skip(1).skip_while(|line| is_header(line));
    let below = below.filter(|line| !is_mark(line));
    quoted.extend(below.map(|line| unquoted(line).unwrap_or(line)));
    let quoted = without_footers(&quoted, envelope);
    [own, quoted].concat()
}

/// The line without its mark of quotation, if it has one: `> text`, `>> text`, `AB> text`.
fn unquoted(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let initials = rest.bytes().take_while(u8::is_ascii_uppercase).count();
    let mut rest = rest[if initials <= 4 { initials } else { 0 }..].strip_prefix('>')?;
    loop {
        let inner = rest.trim_start();
        match inner.strip_prefix('>') {
            Some(deeper) => rest = deeper,
            None => return Some(rest.strip_prefix(' ').unwrap_or(rest)),
        }
    }
}

/// Takes away who wrote what is quoted below: a line or two that end in a colon and name a person or
/// a date.
fn drop_attribution(own: &mut Vec<&str>) {
    let end = own.iter().rposition(|line| !line.trim().is_empty());
    let Some(end) = end.filter(|end| own[*end].trim_end().ends_with(':')) else {
        return;
    };
    let first = end.saturating_sub(2);
    let blank = (first..end).rfind(|&at| own[at].trim().is_empty());
    let start = blank.map_or(first, |blank| blank + 1);
    // Only as far up as the sentence begins.
    let begins = (start..=end).rev().find(|&at| {
        let line = own[at].trim_start();
        line.starts_with("On ") || line.starts_with("Am ") || line.starts_with("Le ")
    });
    let start = begins.unwrap_or(end);
    let is_named = own[start..=end]
        .iter()
        .any(|line| line.contains(|c: char| c.is_ascii_digit() || c == '@' || c == '<'));
    let last = own[end].trim_end().trim_end_matches(':').to_lowercase();
    if is_named || WROTE.iter().any(|word| last.ends_with(word)) {
        own.truncate(start);
    }
}

const WROTE: [&str; 10] = [
    "wrote",
    "writes",
    "said",
    "schrieb",
    "écrit",
    "ecrit",
    "escribió",
    "ha scritto",
    "escreveu",
    "schreef",
];

/// Whether a message is quoted as a whole from the first of these lines on.
fn is_original_below(lines: &[&str]) -> bool {
    let Some(line) = lines.first().map(|line| line.trim()) else {
        return false;
    };
    if field_of(line).is_some_and(|field| FROM.contains(&field.as_str())) {
        let next = lines[1..].iter().filter(|line| !line.trim().is_empty());
        let fields = next.take(4).map_while(|line| field_of(line));
        return fields
            .filter(|field| ABOUT.contains(&field.as_str()))
            .count()
            >= 2;
    }
    let inner = line.trim_matches(['-', '_', '=', '*', '>', ' ']);
    let is_ruled = line.starts_with("--") || line.starts_with("__") || line.starts_with("==");
    let low = inner.to_lowercase();
    let is_known = ORIGINAL.iter().any(|known| low.starts_with(known));
    is_known && (is_ruled || low.ends_with(':')) && inner.chars().count() <= 40
}

/// The name of the field, if a line is one of a header.
fn field_of(line: &str) -> Option<String> {
    let line = line.trim_start_matches(['>', '*', ' ']);
    let (name, _) = line.split_at_checked(line.find(':')?)?;
    let name = name.trim_end_matches(['*', ' ', '\u{a0}']);
    (!name.is_empty() && name.len() <= 20 && !name.contains(char::is_whitespace))
        .then(|| name.to_lowercase())
}

/// How the header of a message begins that is quoted as a whole.
const FROM: [&str; 9] = ["from", "von", "de", "da", "van", "från", "fra", "od", "от"];

/// What else is in such a header.
const ABOUT: [&str; 37] = [
    "sent",
    "date",
    "to",
    "cc",
    "subject",
    "gesendet",
    "datum",
    "an",
    "betreff",
    "envoyé",
    "à",
    "objet",
    "enviado",
    "fecha",
    "data",
    "para",
    "asunto",
    "assunto",
    "inviato",
    "a",
    "oggetto",
    "verzonden",
    "aan",
    "onderwerp",
    "till",
    "til",
    "ämne",
    "skickat",
    "sendt",
    "emne",
    "wysłano",
    "do",
    "temat",
    "отправлено",
    "дата",
    "кому",
    "тема",
];

const ORIGINAL: [&str; 9] = [
    "original message",
    "original-nachricht",
    "ursprüngliche nachricht",
    "message d'origine",
    "mensaje original",
    "messaggio originale",
    "forwarded message",
    "begin forwarded message",
    "weitergeleitete nachricht",
];

/// A header of a message that is quoted as a whole, or a blank line among them.
fn is_header(line: &str) -> bool {
    line.trim().is_empty() || field_of(line).is_some()
}

/// The lines without a greeting at their beginning.
fn without_greeting<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let filled = lines.iter().enumerate();
    let filled = filled.filter(|(_, line)| !line.trim().is_empty());
    let mut kept = lines.to_vec();
    for (at, line) in filled.take(FIRST) {
        if let Some(greeting) = greeting(line) {
            kept[at] = &line[greeting.end..];
            break;
        }
    }
    kept
}

/// A greeting is among so many first lines.
const FIRST: usize = 4;

/// Where a line greets: `Dear Mr Miller,` and `Hello Anna!`, but not `Hello` before a sentence.
fn greeting(line: &str) -> Option<Range<usize>> {
    let start = line.len() - line.trim_start().len();
    let low = line[start..].to_lowercase();
    let word = GREETINGS.iter().find(|word| {
        let behind = low.strip_prefix(**word);
        behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
    })?;
    // Lower case may take more bytes than the text has.
    let behind = line.get(start + word.len()..)?;
    let end = behind
        .find([',', '!', ':', ';'])
        .or_else(|| behind.find(" - "))
        .unwrap_or(behind.len());
    let names = behind[..end].split_whitespace().count();
    let rest = behind.len() - end;
    let is_alone = rest <= 1 || !behind[end..].starts_with(':');
    (names <= 5 && is_alone && end <= 60).then(|| {
        let sign = behind[end..].chars().next().map_or(0, char::len_utf8);
        start..start + word.len() + end + sign
    })
}

const GREETINGS: [&str; 37] = [
    "dear",
    "hi there",
    "hi",
    "hello",
    "hey",
    "greetings",
    "good morning",
    "good afternoon",
    "good evening",
    "good day",
    "attn",
    "attention",
    "sehr geehrte",
    "sehr geehrter",
    "sehr geehrtes",
    "guten tag",
    "guten morgen",
    "liebe",
    "lieber",
    "hallo",
    "bonjour",
    "cher",
    "chère",
    "hola",
    "estimado",
    "estimada",
    "querido",
    "querida",
    "caro",
    "cara",
    "gentile",
    "ciao",
    "olá",
    "prezado",
    "beste",
    "geachte",
    "hej",
];

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "The harbour opens its new gate on Monday, and everybody who wants to see it \
                        is asked to come before noon.";

    #[track_caller]
    fn check(body: &str, expected: &str) {
        let mut envelope = Envelope::default();
        envelope.add(Some("Anna Miller"), Some("anna.miller@example.org"));
        let sifted = sifted(body, &envelope);
        let words: Vec<&str> = sifted.split_whitespace().collect();
        assert_eq!(words.join(" "), expected, "{body}");
    }

    #[test]
    fn replies_and_footers() {
        check(&format!("> What opens?\n> And when?\n\n{BODY}\n"), BODY);
        check(
            &format!(
                "{BODY}\n\nOn Tue, Aug 20, 2002 at 10:01, Bob <bob@example.org>\nwrote:\n> Hm.\n"
            ),
            BODY,
        );
        check(&format!("{BODY}\n-- \nBob Smith\nPort Office\n"), BODY);
        check(
            &format!(
                "{BODY}\n_______________________\nPort mailing list\nport@example.org\n\
                 http://example.org/list\n"
            ),
            BODY,
        );
        check(
            &format!("{BODY}\n\n-----Original Message-----\nFrom: Bob\nSubject: x\n\nWhat opens?"),
            BODY,
        );
    }

    #[test]
    fn a_message_of_many_quotations_takes_no_time() {
        for text in [
            format!(
                "{BODY}\n{}{}",
                "\n".repeat(100_000),
                "> q\n\n".repeat(100_000)
            ),
            format!("{BODY}\n{}", "he wrote:\n> q\n".repeat(100_000)),
        ] {
            check(&text, BODY);
        }
    }

    #[test]
    fn nothing_hides_in_what_is_left_out() {
        let quoted: String = format!("Hm.\n> {BODY}\n");
        check(&quoted, &format!("Hm. {BODY}"));
        let below = format!("See.\n\n-----Original Message-----\nFrom: Bob\n\n{BODY}");
        check(&below, &format!("See. {BODY}"));
        let signed =
            format!("Some words of nothing at all are here, so that it is a text.\n-- \n{BODY}");
        check(
            &signed,
            &signed.split_whitespace().collect::<Vec<_>>().join(" "),
        );
    }

    #[test]
    fn greetings_and_names() {
        check(&format!("Dear Anna Miller,\n\n{BODY}"), BODY);
        check(&format!("Hi Anna! {BODY}"), BODY);
        check(
            &format!("{BODY} So come, Anna."),
            &format!("{BODY} So come, ."),
        );
        check(
            "Dear readers of this paper we have good news for all",
            "Dear readers of this paper we have good news for all",
        );
        check("Hither they came", "Hither they came");
    }

    #[test]
    fn links_and_addresses() {
        check(
            "See http://a7f3.track.example.com/x/9f8e?u=anna&id=77 or www.example.co.uk/a?b.",
            "See example.com or example.co.uk",
        );
        check(
            "Write to office@port.example.org, not to anna.miller@example.org now",
            "Write to example.org, not to now",
        );
        check(
            "At https://192.168.7.1/a or mailto:x@y.example you",
            "At or y.example you",
        );
    }

    #[test]
    fn subjects() {
        for given in [
            "Gate open",
            "Re: Gate open",
            "RE: [port] Fwd: Gate open",
            "Aw[2]: Gate open",
        ] {
            assert_eq!(subject(given), "Gate open", "{given}");
        }
        assert_eq!(subject("[port]"), "[port]");
        assert_eq!(subject("News: gate"), "News: gate");
    }
}
