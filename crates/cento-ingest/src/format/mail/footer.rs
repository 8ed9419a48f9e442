//! What stands below a message and is not what it says: signatures, what lists add, and legal notices.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::sifted::{Envelope, LITTLE, letters};

/// The lines without signatures, what lists and services put below, and legal notices.
///
/// A small one goes even if next to nothing is left, or else all short messages of a person, a company
/// or a list would be the same one. More is never cut off than is left.
pub(super) fn without_footers<'t>(lines: &[&'t str], envelope: &Envelope) -> Vec<&'t str> {
    let lines = without_notices(lines);
    let mut above = letters(&lines);
    let mut below = Below::default();
    let mut end = lines.len();
    for (at, &line) in lines.iter().enumerate().rev() {
        above -= letters(&[line]);
        if above > 0 && below.is_footer(line, above) {
            end = at;
            below = Below::default();
        } else {
            below.add(line, envelope);
        }
    }
    lines[..end].to_vec()
}

/// What stands below a line.
#[derive(Default)]
struct Below {
    letters: usize,
    /// Lines that are not blank.
    filled: usize,
    has_long_line: bool,
    has_address: bool,
    /// Whether it says where a list is that the message came through.
    names_list: bool,
}

impl Below {
    fn add(&mut self, line: &str, envelope: &Envelope) {
        let line = line.trim();
        self.letters += letters(&[line]);
        self.filled += usize::from(!line.is_empty());
        self.has_long_line |= line.chars().count() > LONG;
        // Of more lines it makes no difference.
        if self.filled <= SERVICE_LINES {
            let low = line.to_ascii_lowercase();
            self.has_address |= low.contains('@') || low.contains("http") || low.contains("www.");
            let mut lists = envelope.lists.iter();
            self.names_list |= lists.any(|list| low.contains(list.as_str()));
        }
    }

    /// Whether this is a footer below a mark, with so many letters above.
    fn is_footer(&self, mark: &str, above: usize) -> bool {
        let is_signature = is_signature_mark(mark);
        let is_service = is_rule(mark) && self.has_address && self.filled <= SERVICE_LINES;
        if self.filled == 0 {
            return is_signature || is_rule(mark);
        }
        let is_signed = (is_signature || is_closing(mark)) && self.filled <= SIGNATURE_LINES;
        let is_small = self.letters <= SMALL && !self.has_long_line;
        is_small && (is_signed || is_service && self.names_list)
            || (is_signature || is_service) && above >= LITTLE && self.letters <= above
    }
}

/// A signature has so many lines.
const SIGNATURE_LINES: usize = 6;
/// What a list or a service adds has so many.
const SERVICE_LINES: usize = 8;
/// Letters of a footer that may be longer than the message.
const SMALL: usize = 300;
/// Characters of a line that somebody has not broken.
const LONG: usize = 80;

/// `-- ` on a line of its own.
fn is_signature_mark(line: &str) -> bool {
    matches!(line.trim_end(), "--" | "—")
}

/// A line with which a letter ends, above the name.
fn is_closing(line: &str) -> bool {
    let words = line.trim_matches(|c: char| !c.is_alphabetic());
    // Longer ones are part of the text.
    words.len() <= 40 && CLOSINGS.contains(&words.to_lowercase().as_str())
}

const CLOSINGS: [&str; 34] = [
    "regards",
    "best regards",
    "kind regards",
    "warm regards",
    "with kind regards",
    "best wishes",
    "cheers",
    "sincerely",
    "sincerely yours",
    "yours sincerely",
    "yours faithfully",
    "yours truly",
    "mit freundlichen grüßen",
    "mit freundlichem gruß",
    "freundliche grüße",
    "viele grüße",
    "beste grüße",
    "liebe grüße",
    "herzliche grüße",
    "mfg",
    "cordialement",
    "bien cordialement",
    "sincères salutations",
    "saludos",
    "saludos cordiales",
    "un saludo",
    "atentamente",
    "atenciosamente",
    "cordiali saluti",
    "distinti saluti",
    "met vriendelijke groet",
    "med vänlig hälsning",
    "med venlig hilsen",
    "med vennlig hilsen",
];

/// A line drawn across the text.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let rules = line.chars().filter(|c| "_-=*~#".contains(*c)).count();
    rules >= 5 && letters(&[line]) <= line.chars().count() / 2
}

/// The lines without the paragraphs that say who may read the message, who is liable for it, and who the
/// company is; all of them if it says nothing else.
fn without_notices<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let is_blank = |line: &str| line.trim().is_empty();
    let paragraphs = lines.chunk_by(|line, next| is_blank(line) == is_blank(next));
    let kept: Vec<&str> = paragraphs
        .filter(|paragraph| !is_notice(paragraph))
        .flatten()
        .copied()
        .collect();
    if letters(&kept) == 0 {
        return lines.to_vec();
    }
    kept
}

/// Whether a paragraph is a legal notice: it has several phrases of one, and little between them.
fn is_notice(paragraph: &[&str]) -> bool {
    let letters = letters(paragraph);
    if letters > LARGEST_NOTICE {
        return false;
    }
    let words = paragraph.iter().flat_map(|line| line.split_whitespace());
    let phrases = phrases(&words.collect::<Vec<_>>().join(" ").to_lowercase());
    phrases >= 2 && letters <= phrases * LETTERS_PER_PHRASE
}

/// How many of the phrases a text has.
fn phrases(text: &str) -> usize {
    // Every paragraph of every message is looked through, so for all phrases at once.
    static TOGETHER: LazyLock<AhoCorasick> =
        LazyLock::new(|| AhoCorasick::new(NOTICE).expect("the phrases are few and short"));
    let mut found = [false; NOTICE.len()];
    for phrase in TOGETHER.find_overlapping_iter(text) {
        found[phrase.pattern().as_usize()] = true;
    }
    found.into_iter().filter(|found| *found).count()
}

const LARGEST_NOTICE: usize = 3000;
/// A legal notice has one of the phrases for each so many letters.
const LETTERS_PER_PHRASE: usize = 150;

/// Phrases of legal notices.
const NOTICE: [&str; 71] = [
    "confidential",
    "privileged",
    "intended recipient",
    "intended solely",
    "intended only",
    "solely for the",
    "addressee",
    "in error",
    "notify the sender",
    "notify us",
    "unauthorized",
    "unauthorised",
    "prohibited",
    "disclosure",
    "dissemination",
    "liability",
    "legally",
    "by mistake",
    "copy, distribute",
    "registered office",
    "registered in",
    "company number",
    "viruses",
    "views expressed",
    "opinions expressed",
    "delete this",
    "delete it",
    "destroy",
    "vertraulich",
    "irrtümlich",
    "empfänger",
    "adressat",
    "absender",
    "vernichten",
    "unbefugt",
    "rechtlich geschützt",
    "nicht gestattet",
    "haftung",
    "geschäftsführ",
    "handelsregister",
    "amtsgericht",
    "sitz der gesellschaft",
    "ust-id",
    "confidentiel",
    "destinataire",
    "par erreur",
    "expéditeur",
    "détruire",
    "non autorisée",
    "responsabilité",
    "confidencial",
    "destinatari",
    "destinatário",
    "por error",
    "por engano",
    "remitente",
    "remetente",
    "prohibid",
    "proibid",
    "responsabilidad",
    "riservat",
    "confidenzial",
    "per errore",
    "mittente",
    "vietat",
    "responsabilità",
    "vertrouwelijk",
    "geadresseerde",
    "abusievelijk",
    "afzender",
    "aansprakelijk",
];

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "Friday is fine.";

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut envelope = Envelope::default();
        envelope.add_list("Port News <news.port.example>");
        let lines: Vec<&str> = text.lines().collect();
        let kept = without_footers(&lines, &envelope).join("\n");
        assert_eq!(kept.trim(), expected, "{text}");
    }

    #[test]
    fn small_footers_leave_short_messages() {
        let signature = "Anna Miller\nHead of Something, Port Office\n1 Quay Street\n+49 30 1234\n";
        check(&format!("{SAID}\n-- \n{signature}"), SAID);
        check(
            &format!("{SAID}\n_______\nNews of the port\nhttp://lists.port.example/news\n"),
            SAID,
        );
        check(&format!("{SAID}\n\nBest regards,\n{signature}"), SAID);
        check(
            &format!("{SAID}\n\nRegards\n\nAnna\n\n-- \n{signature}"),
            SAID,
        );
        check(
            &format!("{SAID}\n-- \n{signature}\n-- \nPort list: news@port.example\n"),
            SAID,
        );
    }

    #[test]
    fn more_is_not_cut_off_than_is_left() {
        let many = "A line of an offer\n".repeat(7);
        let long = format!("{}\n", "an offer in one line ".repeat(5));
        let elsewhere = "_______\nCheap watches\nhttp://watches.example\n";
        for below in [
            format!("-- \n{many}"),
            format!("Best regards\n{many}"),
            format!("Best regards\n{long}"),
            format!("-- \n{long}"),
            elsewhere.to_owned(),
        ] {
            let text = format!("{SAID}\n{below}");
            check(&text, text.trim());
        }
        let only = "-- \nAnna Miller\nPort Office\n";
        check(only, only.trim());
    }

    #[test]
    fn legal_notices_are_nobodys_message() {
        let notices = [
            "This e-mail is confidential and meant for the addressee only. If it came to you in \
             error, please tell us and delete it. Any disclosure of it is\nprohibited.",
            "Diese Nachricht ist vertraulich. Wenn Sie nicht der richtige Empfänger sind, \
             vernichten Sie sie bitte.",
            "Port Supplies Ltd, registered in England with number 1234, registered office 1 Quay.",
            "Ce message est confidentiel. Si vous n'êtes pas le destinataire, merci de le détruire.",
        ];
        for notice in notices {
            check(
                &format!("{SAID}\n\n{notice}\n\nAnna"),
                &format!("{SAID}\n\n\nAnna"),
            );
            check(notice, notice);
        }
        let offer = format!(
            "Watches are confidential, destroy. {}",
            "Cheap gold ".repeat(40)
        );
        check(
            &format!("{SAID}\n\n{offer}"),
            format!("{SAID}\n\n{offer}").trim(),
        );
    }

    #[test]
    fn a_message_of_nothing_but_lines_across_takes_no_time() {
        let text = "-----\nx\n\n".repeat(100_000);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            without_footers(&lines, &Envelope::default()).len(),
            lines.len()
        );
    }
}
