//! Manual pages (troff with the macros of `man` or `mdoc`): text without requests and escapes.

mod escape;

use self::escape::plain;
use super::draft::Draft;

pub(super) fn read(source: &str, draft: &mut Draft) {
    let mut reader = Reader {
        draft,
        name: String::new(),
        state: State::Text,
        is_filled: true,
    };
    for line in source.lines() {
        reader.line(line);
    }
}

struct Reader<'a> {
    draft: &'a mut Draft,
    /// What an `mdoc` page is about; its macro stands for it later.
    name: String,
    state: State,
    /// Whether lines flow into paragraphs.
    is_filled: bool,
}

#[derive(PartialEq, Eq)]
enum State {
    Text,
    /// Until a request of this name: the definition of a macro, a drawing, a formula.
    SkipUntil(&'static str),
    /// The lines of a table that say how it looks.
    TableFormat,
    /// Until the braces that a condition opened are closed.
    Condition(usize),
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        let request = line.strip_prefix(['.', '\'']).map(str::trim_start);
        match &mut self.state {
            State::SkipUntil(end) => {
                let name = request.and_then(|request| request.split_whitespace().next());
                if name == Some(end) {
                    self.state = State::Text;
                }
            }
            State::TableFormat => {
                if line.trim_end().ends_with('.') {
                    self.state = State::Text;
                }
            }
            State::Condition(depth) => {
                *depth += line.matches("\\{").count();
                *depth = depth.saturating_sub(line.matches("\\}").count());
                if *depth == 0 {
                    self.state = State::Text;
                }
            }
            State::Text => match request {
                Some(request) => self.request(request),
                None => self.words(&plain(line)),
            },
        }
    }

    fn words(&mut self, text: &str) {
        if text.trim().is_empty() {
            self.draft.paragraph();
        } else if self.is_filled {
            self.draft.push_flowing(text);
            self.draft.space();
        } else {
            self.draft.push(text);
            self.draft.push("\n");
        }
    }

    fn request(&mut self, request: &str) {
        let (name, rest) = request.split_once([' ', '\t']).unwrap_or((request, ""));
        match name {
            "de" | "am" | "ig" | "de1" => self.state = State::SkipUntil("."),
            "EQ" => self.state = State::SkipUntil("EN"),
            "PS" => self.state = State::SkipUntil("PE"),
            "TS" => self.state = State::TableFormat,
            "if" | "ie" | "el" | "while" => {
                let open = rest.matches("\\{").count();
                let left = open.saturating_sub(rest.matches("\\}").count());
                if left > 0 {
                    self.state = State::Condition(left);
                }
            }
            "nf" | "EX" | "Bd" => self.is_filled = false,
            "fi" | "EE" | "Ed" => self.is_filled = true,
            "SH" | "SS" | "Sh" | "Ss" => {
                self.is_filled = true;
                self.draft.paragraph();
                self.push_all(&arguments(rest), " ");
                self.draft.paragraph();
            }
            "TH" => {
                self.push_all(&arguments(rest)[..arguments(rest).len().min(2)], " ");
                self.draft.paragraph();
            }
            "PP" | "LP" | "P" | "HP" | "sp" | "Pp" | "TP" | "TQ" | "bp" | "It" => {
                self.draft.paragraph();
                if name == "It" {
                    self.mdoc(&arguments(rest));
                    self.draft.line();
                }
            }
            "IP" => {
                self.draft.paragraph();
                self.push_all(&arguments(rest)[..arguments(rest).len().min(1)], " ");
                self.draft.space();
            }
            "br" | "RS" | "RE" => self.draft.line(),
            "B" | "I" | "SM" | "SB" | "R" => self.emphasis(rest, " "),
            "BI" | "BR" | "IB" | "IR" | "RB" | "RI" => self.emphasis(rest, ""),
            "UR" | "MT" => {
                self.push_all(&arguments(rest), " ");
                self.draft.space();
            }
            _ => self.mdoc_request(name, rest),
        }
    }

    /// Requests of `mdoc` that stand for text; all others go.
    fn mdoc_request(&mut self, name: &str, rest: &str) {
        let arguments = arguments(rest);
        match name {
            "Nm" => {
                let first = arguments.first().filter(|name| !is_punctuation(name));
                if let (true, Some(first)) = (self.name.is_empty(), first) {
                    self.name.clone_from(first);
                }
                if first.is_none() {
                    let name = self.name.clone();
                    self.draft.push(&name);
                    self.draft.space();
                }
                self.mdoc(&arguments);
            }
            "Dt" => {
                self.push_all(&arguments[..arguments.len().min(2)], " ");
                self.draft.paragraph();
            }
            "Nd" => {
                self.draft.push("– ");
                self.push_all(&arguments, " ");
                self.draft.paragraph();
            }
            _ if is_macro(name) => {
                let whole: Vec<String> = [name.to_owned()].into_iter().chain(arguments).collect();
                self.mdoc(&whole);
            }
            _ => {}
        }
    }

    /// Words among which there are names of macros.
    fn mdoc(&mut self, words: &[String]) {
        let mut prefix = "";
        let mut is_reference = false;
        for word in words {
            match word.as_str() {
                "Fl" => prefix = "-",
                "Xr" => is_reference = true,
                "Ns" => {}
                word if is_macro(word) => {}
                word if is_punctuation(word) => {
                    self.draft.unspace();
                    self.draft.push(word);
                    self.draft.space();
                }
                word if is_reference && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    self.draft.unspace();
                    self.draft.push(&format!("({word})"));
                    self.draft.space();
                    is_reference = false;
                }
                word => {
                    self.draft.push(prefix);
                    self.draft.push(word);
                    self.draft.space();
                    prefix = "";
                }
            }
        }
    }

    fn emphasis(&mut self, rest: &str, between: &str) {
        self.push_all(&arguments(rest), between);
        if self.is_filled {
            self.draft.space();
        } else {
            self.draft.push("\n");
        }
    }

    fn push_all(&mut self, arguments: &[String], between: &str) {
        self.draft.push(&arguments.join(between));
    }
}

/// The arguments of a request: words, or more in quotation marks.
fn arguments(rest: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut rest = rest.trim_start();
    while !rest.is_empty() && !rest.starts_with("\\\"") {
        let (argument, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted.split_once('"').unwrap_or((quoted, ""))
        } else {
            rest.split_at(word_end(rest))
        };
        arguments.push(plain(argument));
        rest = after.trim_start();
    }
    arguments
}

/// Where a word ends; a space after a backslash is part of it.
fn word_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b' ' | b'\t' if !is_escaped => return at,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

fn is_punctuation(word: &str) -> bool {
    matches!(word, "." | "," | ":" | ";" | ")" | "]" | "?" | "!")
}

/// A macro of `mdoc` whose arguments are text.
fn is_macro(word: &str) -> bool {
    matches!(
        word,
        "Ad" | "An"
            | "Ao"
            | "Ac"
            | "Ap"
            | "Aq"
            | "Ar"
            | "At"
            | "Bc"
            | "Bo"
            | "Bq"
            | "Bx"
            | "Brc"
            | "Bro"
            | "Brq"
            | "Cd"
            | "Cm"
            | "Dc"
            | "Do"
            | "Dq"
            | "Dv"
            | "Dl"
            | "D1"
            | "Dx"
            | "Ec"
            | "Eo"
            | "Em"
            | "Er"
            | "Ev"
            | "Fa"
            | "Fc"
            | "Fd"
            | "Fl"
            | "Fn"
            | "Fo"
            | "Ft"
            | "Fx"
            | "Ic"
            | "In"
            | "Li"
            | "Lk"
            | "Ms"
            | "Mt"
            | "Nm"
            | "No"
            | "Ns"
            | "Nx"
            | "Oc"
            | "Oo"
            | "Op"
            | "Os"
            | "Ox"
            | "Pa"
            | "Pc"
            | "Pf"
            | "Po"
            | "Pq"
            | "Qc"
            | "Ql"
            | "Qo"
            | "Qq"
            | "Sc"
            | "So"
            | "Sq"
            | "St"
            | "Sx"
            | "Sy"
            | "Ta"
            | "Tn"
            | "Ux"
            | "Va"
            | "Vt"
            | "Xc"
            | "Xo"
            | "Xr"
            | "%A"
            | "%B"
            | "%J"
            | "%N"
            | "%O"
            | "%P"
            | "%R"
            | "%T"
            | "%U"
            | "%V"
    )
}
