//! LaTeX sources: the words that would be printed.
//!
//! Commands go, the arguments that are text stay, verbatim text stays as it is. Formulas are left
//! out: their source says how they look, and the same formula is written in many ways. No command
//! is expanded, so a source cannot grow.

mod commands;

use self::commands::{
    Environment, Group, Meaning, combining, environment, letter_accent, meaning, symbol,
};
use super::draft::Draft;
use crate::Scope;

pub(super) fn read(source: &str, draft: &mut Draft) {
    let Some((preamble, body)) = source.split_once("\n\\begin{document}") else {
        return Reader::new(source, draft).run();
    };
    // A chapter about LaTeX may show such a line.
    if !preamble.contains("\\document") {
        return Reader::new(source, draft).run();
    }
    for command in ["\\title{", "\\author{"] {
        if let Some(start) = preamble.find(command) {
            let mut rest = &preamble[start + command.len() - 1..];
            let text = take_group(&mut rest).unwrap_or_default();
            Reader::new(text, draft).run();
            draft.paragraph();
        }
    }
    let end = body.rfind("\\end{document}").unwrap_or(body.len());
    Reader::new(&body[..end], draft).run();
}

struct Reader<'a> {
    rest: &'a str,
    draft: &'a mut Draft,
    groups: Vec<Group>,
    /// What the next group is, if it is not just a group.
    next: Group,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str, draft: &'a mut Draft) -> Reader<'a> {
        Reader {
            rest: source,
            draft,
            groups: Vec::new(),
            next: Group::Plain,
        }
    }

    fn run(mut self) {
        while let Some(character) = self.rest.chars().next() {
            self.rest = &self.rest[character.len_utf8()..];
            match character {
                '\\' => self.command(),
                '%' => self.comment(),
                '{' => self.open(),
                '}' => self.close(),
                '$' => self.formula(),
                '&' => self.draft.push("\t"),
                '\n' if self
                    .rest
                    .trim_start_matches([' ', '\t', '\r'])
                    .starts_with('\n') =>
                {
                    self.draft.paragraph();
                    self.rest = self.rest.trim_start();
                }
                '~' | ' ' | '\t' | '\n' | '\r' => self.draft.space(),
                '`' | '\'' | '-' => self.ligature(character),
                _ => self.draft.push_char(character),
            }
        }
        while let Some(group) = self.groups.pop() {
            self.leave(group);
        }
    }

    /// A comment ends with its line, and the next one goes on where it began.
    fn comment(&mut self) {
        let end = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
        self.rest = self.rest[end..].trim_start_matches([' ', '\t']);
    }

    fn open(&mut self) {
        let group = std::mem::replace(&mut self.next, Group::Plain);
        if group == Group::Note {
            self.draft.open_aside();
        }
        self.groups.push(group);
    }

    fn close(&mut self) {
        if let Some(group) = self.groups.pop() {
            self.leave(group);
        }
    }

    fn leave(&mut self, group: Group) {
        match group {
            Group::Plain => {}
            Group::Note => self.draft.close_aside(),
            Group::Heading => self.draft.paragraph(),
        }
    }

    /// `$…$` or `$$…$$`, the first dollar of which has been read.
    fn formula(&mut self) {
        let mark = if let Some(rest) = self.rest.strip_prefix('$') {
            self.rest = rest;
            "$$"
        } else {
            "$"
        };
        self.skip_past(mark);
        self.draft.space();
    }

    /// Leaves out text up to a mark, but no more than a paragraph: a mark that is missing must not
    /// take the rest of the document with it.
    fn skip_past(&mut self, mark: &str) {
        let bytes = self.rest.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at..].starts_with(mark.as_bytes()) {
                at += mark.len();
                break;
            }
            if bytes[at..].starts_with(b"\n\n") {
                break;
            }
            // An escaped dollar is none. Both bytes may be part of longer characters.
            at += if bytes[at] == b'\\' && mark.starts_with('$') {
                2
            } else {
                1
            };
        }
        while !self.rest.is_char_boundary(at.min(bytes.len())) {
            at += 1;
        }
        self.rest = &self.rest[at.min(bytes.len())..];
    }

    fn ligature(&mut self, first: char) {
        for (written, printed) in [("``", "“"), ("''", "”"), ("---", "—"), ("--", "–")] {
            let tail = &written[1..];
            if written.starts_with(first) && self.rest.starts_with(tail) {
                self.rest = &self.rest[tail.len()..];
                return self.draft.push(printed);
            }
        }
        self.draft.push_char(if first == '`' { '‘' } else { first });
    }

    fn command(&mut self) {
        let length = self
            .rest
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .count();
        if length == 0 {
            return self.control_symbol();
        }
        let (name, rest) = self.rest.split_at(length);
        let rest = rest.strip_prefix('*').unwrap_or(rest);
        if let "verb" | "lstinline" = name {
            self.rest = rest;
            return self.verbatim_words();
        }
        // The white space after a command's name belongs to it.
        let trimmed = rest.trim_start_matches([' ', '\t']);
        self.rest = trimmed;
        if let Some(accent) = letter_accent(name).filter(|_| is_argument(rest)) {
            return self.accented(accent);
        }
        if let Some(text) = symbol(name) {
            self.rest = self.rest.strip_prefix("{}").unwrap_or(self.rest);
            return self.draft.push(text);
        }
        match meaning(name) {
            Meaning::Begin => self.begin(),
            Meaning::End => {
                take_group(&mut self.rest);
                self.draft.paragraph();
            }
            Meaning::Drop(count) => self.drop_arguments(count),
            Meaning::Define => self.drop_definition(),
            Meaning::Literal => {
                let text = take_group(&mut self.rest).unwrap_or_default();
                self.draft.push(text);
            }
            Meaning::Starts(group) => {
                if group == Group::Heading {
                    self.draft.paragraph();
                }
                take_option(&mut self.rest);
                self.next = group;
            }
            Meaning::Line => self.draft.line(),
            Meaning::Paragraph => self.draft.paragraph(),
            Meaning::Space => self.draft.space(),
            Meaning::Nothing => {
                take_option(&mut self.rest);
                // The name ended the word before it only if white space did.
                if trimmed.len() < rest.len() && !trimmed.starts_with('{') {
                    self.draft.space();
                }
            }
        }
    }

    fn control_symbol(&mut self) {
        let Some(symbol) = self.rest.chars().next() else {
            return;
        };
        self.rest = &self.rest[symbol.len_utf8()..];
        match symbol {
            '\\' => {
                self.rest = self.rest.strip_prefix('*').unwrap_or(self.rest);
                take_option(&mut self.rest);
                self.draft.line();
            }
            '(' => self.skip_past("\\)"),
            '[' => self.skip_past("\\]"),
            '-' | '/' | '@' | '!' => {}
            ',' | ';' | ':' | ' ' | '\n' | '\t' => self.draft.space(),
            _ => match combining(symbol) {
                Some(accent) => self.accented(accent),
                None => self.draft.push_char(symbol),
            },
        }
    }

    /// The letter that follows, with its accent.
    fn accented(&mut self, accent: char) {
        let mut letter = self.rest.trim_start();
        if let Some(inner) = letter.strip_prefix('{') {
            letter = inner;
        }
        letter = letter.strip_prefix('\\').unwrap_or(letter);
        let Some(base) = letter.chars().next().filter(|base| base.is_alphabetic()) else {
            return;
        };
        let is_braced = self.rest.trim_start().starts_with('{');
        self.rest = &letter[base.len_utf8()..];
        if is_braced {
            self.rest = self.rest.strip_prefix('}').unwrap_or(self.rest);
        }
        self.draft.push_char(base);
        self.draft.push_char(accent);
    }

    fn verbatim_words(&mut self) {
        take_option(&mut self.rest);
        let Some(mark) = self.rest.chars().next() else {
            return;
        };
        let words = &self.rest[mark.len_utf8()..];
        let close = if mark == '{' { '}' } else { mark };
        let line = words.find('\n').unwrap_or(words.len());
        let end = words[..line].find(close).unwrap_or(line);
        if self.draft.scope != Scope::AllButCode {
            self.draft.push(&words[..end]);
        }
        self.rest = words[end..].strip_prefix(close).unwrap_or(&words[end..]);
    }

    fn begin(&mut self) {
        let name = take_group(&mut self.rest).unwrap_or_default();
        let kind = environment(name);
        if let Environment::Text(count) = kind {
            self.draft.paragraph();
            take_option(&mut self.rest);
            return self.drop_arguments(count);
        }
        let end = format!("\\end{{{name}}}");
        let (inside, rest) = self.rest.split_once(&end).unwrap_or((self.rest, ""));
        self.rest = rest;
        if kind == Environment::Verbatim && self.draft.scope != Scope::AllButCode {
            self.draft.paragraph();
            self.draft.push(inside.trim_matches('\n'));
            self.draft.paragraph();
        } else {
            self.draft.space();
        }
    }

    fn drop_arguments(&mut self, count: usize) {
        for _ in 0..count {
            while take_option(&mut self.rest) {}
            take_group(&mut self.rest);
        }
    }

    /// The name of a new command, how many arguments it has, and what it stands for.
    fn drop_definition(&mut self) {
        take_group(&mut self.rest);
        let head = self.rest.find(['{', '\n']).unwrap_or(self.rest.len());
        self.rest = &self.rest[head..];
        while self.rest.starts_with('{') {
            take_group(&mut self.rest);
            while take_option(&mut self.rest) {}
        }
    }
}

fn is_argument(rest: &str) -> bool {
    rest.starts_with([' ', '{', '\\'])
}

/// Takes `[…]`, if that comes next on the line.
fn take_option(rest: &mut &str) -> bool {
    let Some(inside) = rest.strip_prefix('[') else {
        return false;
    };
    let line = inside.find('\n').unwrap_or(inside.len());
    let Some(end) = inside[..line].find(']') else {
        return false;
    };
    *rest = &inside[end + 1..];
    true
}

/// Takes `{…}`, if that comes next, and gives what is inside. A group that is never closed ends
/// with its paragraph.
fn take_group<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let inside = rest.trim_start().strip_prefix('{')?;
    let bytes = inside.as_bytes();
    let mut depth = 1_usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'\\' => at += 1,
            b'\n' if bytes[at..].starts_with(b"\n\n") => break,
            _ => {}
        }
        if depth == 0 {
            *rest = &inside[at + 1..];
            return Some(&inside[..at]);
        }
        at += 1;
    }
    let mut end = at.min(bytes.len());
    while !inside.is_char_boundary(end) {
        end += 1;
    }
    *rest = &inside[end..];
    Some(&inside[..end])
}
