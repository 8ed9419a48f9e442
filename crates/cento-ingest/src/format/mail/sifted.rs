//! What a sender wrote to everybody: a message without replies, footers, names and tracking.
//!
//! Every rule leaves a text alone that would be gone without it, so that a message cannot hide in what
//! others only quote or add.

use std::ops::Range;

use super::links;

/// A body, as one message to many people has it.
pub(super) fn sifted(body: &str, recipients: &Recipients) -> String {
    let lines: Vec<&str> = body.lines().collect();
    let lines = without_quotations(&lines);
    let lines = without_footers(&lines);
    let mut text = String::with_capacity(body.len());
    for line in without_greeting(&lines) {
        links::push_reduced(line, recipients, &mut text);
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

/// Who a message was sent to.
#[derive(Default)]
pub(super) struct Recipients {
    /// Their addresses in lower case.
    pub(super) addresses: Vec<String>,
    /// The words of their names, and what stands before the @, in lower case.
    pub(super) names: Vec<String>,
}

impl Recipients {
    /// Adds somebody.
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
}

/// Letters and digits of lines.
fn letters(lines: &[&str]) -> usize {
    let characters = lines.iter().flat_map(|line| line.chars());
    characters.filter(|c| c.is_alphanumeric()).count()
}

/// With fewer letters than this, what is left is no message of its own.
const LITTLE: usize = 60;

/// The lines that are the sender's own; if these say next to nothing, what is quoted.
fn without_quotations<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let (head, tail) = match lines.iter().position(|line| is_original_below(line)) {
        Some(at) => lines.split_at(at),
        None => (lines, &[][..]),
    };
    let mut own: Vec<&str> = Vec::new();
    let mut quoted: Vec<&str> = Vec::new();
    for line in head {
        match unquoted(line) {
            Some(line) => {
                if !own.is_empty() {
                    drop_attribution(&mut own);
                }
                quoted.push(line);
            }
            None => own.push(line),
        }
    }
    if quoted.is_empty() && tail.is_empty() {
        return lines.to_vec();
    }
    if letters(&own) >= LITTLE {
        return own;
    }
    let below = tail.iter().skip(1).skip_while(|line| is_header(line));
    quoted.extend(below.map(|line| unquoted(line).unwrap_or(line)));
    own.extend(quoted);
    own
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
    let start = own[..end].iter().rposition(|line| line.trim().is_empty());
    let start = start.map_or(0, |blank| blank + 1);
    let start = start.max(end.saturating_sub(2));
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

/// A line below which another message is quoted as a whole.
fn is_original_below(line: &str) -> bool {
    let line = line.trim();
    let inner = line.trim_matches(['-', '_', '=', '*', '>', ' ']);
    let is_ruled = line.starts_with("--") || line.starts_with("__") || line.starts_with("==");
    let low = inner.to_lowercase();
    let is_known = ORIGINAL.iter().any(|known| low.starts_with(known));
    is_known && (is_ruled || low.ends_with(':')) && inner.chars().count() <= 40
}

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
    let line = line.trim_start_matches(['>', '*', ' ']);
    let Some((name, _)) = line.split_once(':') else {
        return line.trim().is_empty();
    };
    let name = name.trim_end_matches(['*', ' ']);
    !name.is_empty() && name.len() <= 20 && name.split_whitespace().count() == 1
}

/// The lines without signatures and what lists and services put below: never more than what is left.
fn without_footers<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let mut end = lines.len();
    loop {
        let cut = (0..end).rev().find(|&at| {
            let below = &lines[at + 1..end];
            let is_rule = is_signature_mark(lines[at])
                || is_rule(lines[at])
                    && (below.iter().all(|line| line.trim().is_empty()) || is_service(below));
            is_rule && letters(below) <= letters(&lines[..at])
        });
        match cut {
            Some(at) if letters(&lines[..at]) >= LITTLE => end = at,
            _ => return lines[..end].to_vec(),
        }
    }
}

/// `-- ` on a line of its own.
fn is_signature_mark(line: &str) -> bool {
    matches!(line.trim_end(), "--" | "—")
}

/// A line drawn across the text.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let rules = line.chars().filter(|c| "_-=*~#".contains(*c)).count();
    rules >= 5 && letters(&[line]) <= line.chars().count() / 2
}

/// A few lines with an address in them.
fn is_service(lines: &[&str]) -> bool {
    let filled = lines.iter().filter(|line| !line.trim().is_empty()).count();
    let has_address = |line: &&str| {
        let low = line.to_ascii_lowercase();
        low.contains('@') || low.contains("http") || low.contains("www.")
    };
    filled <= 8 && lines.iter().any(has_address)
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
        let mut recipients = Recipients::default();
        recipients.add(Some("Anna Miller"), Some("anna.miller@example.org"));
        let sifted = sifted(body, &recipients);
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
