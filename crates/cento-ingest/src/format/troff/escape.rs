//! Escapes of troff → the characters they print.

/// A line of text without its escapes.
pub(super) fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find('\\') {
        text.push_str(&rest[..start]);
        let mut characters = rest[start + 1..].chars();
        let Some(kind) = characters.next() else {
            return text;
        };
        rest = characters.as_str();
        match kind {
            // A comment.
            '"' | '#' => return text,
            '-' => text.push('-'),
            'e' | '\\' | 'E' => text.push('\\'),
            '~' | ' ' | '0' => text.push(' '),
            't' => text.push('\t'),
            '\'' => text.push('´'),
            '`' => text.push('`'),
            '.' => text.push('.'),
            '(' => text.push_str(named(take(&mut rest, 2))),
            '[' => text.push_str(named(take_until(&mut rest, ']'))),
            '*' => text.push_str(string(take_name(&mut rest))),
            // Fonts, colours, registers, sizes.
            'f' | 'F' | 'm' | 'M' | 'n' | 'g' | 'k' | 'V' | 'Y' => {
                rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
                take_name(&mut rest);
            }
            's' => skip_size(&mut rest),
            // Movements and lines, with an argument between two marks.
            'h' | 'v' | 'w' | 'l' | 'L' | 'D' | 'X' | 'x' | 'b' | 'S' | 'H' | 'o' | 'R' | 'Z'
            | 'A' | 'B' => skip_quoted(&mut rest),
            'N' | 'C' => {
                let name = quoted(&mut rest);
                text.push_str(named(name));
            }
            // Spaces too small to see, places where a word may break, interruptions.
            _ => {}
        }
    }
    text.push_str(rest);
    text
}

fn take<'a>(rest: &mut &'a str, count: usize) -> &'a str {
    let end = rest
        .char_indices()
        .nth(count)
        .map_or(rest.len(), |(at, _)| at);
    let (taken, after) = rest.split_at(end);
    *rest = after;
    taken
}

fn take_until<'a>(rest: &mut &'a str, end: char) -> &'a str {
    let (taken, after) = rest.split_once(end).unwrap_or((rest, ""));
    *rest = after;
    taken
}

/// A name: one character, `(` and two, or any number in brackets.
fn take_name<'a>(rest: &mut &'a str) -> &'a str {
    if let Some(after) = rest.strip_prefix('(') {
        *rest = after;
        take(rest, 2)
    } else if let Some(after) = rest.strip_prefix('[') {
        *rest = after;
        take_until(rest, ']')
    } else {
        take(rest, 1)
    }
}

fn skip_size(rest: &mut &str) {
    *rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    if rest.starts_with(['(', '[']) {
        take_name(rest);
    } else if rest.starts_with('\'') {
        skip_quoted(rest);
    } else {
        take(rest, 1);
        // Sizes of two digits begin with 1, 2 or 3; of the others the second is text.
    }
}

fn quoted<'a>(rest: &mut &'a str) -> &'a str {
    let Some(mark) = rest.chars().next() else {
        return "";
    };
    *rest = &rest[mark.len_utf8()..];
    take_until(rest, mark)
}

fn skip_quoted(rest: &mut &str) {
    quoted(rest);
}

/// Characters that have a name.
fn named(name: &str) -> &'static str {
    match name {
        "em" => "—",
        "en" => "–",
        "hy" | "mi" | "-" => "-",
        "lq" | "Lq" => "“",
        "rq" | "Rq" => "”",
        "oq" => "‘",
        "cq" => "’",
        "aq" => "'",
        "dq" => "\"",
        "bu" | "ci" => "•",
        "co" => "©",
        "rg" => "®",
        "tm" => "™",
        "de" => "°",
        "rs" => "\\",
        "ti" => "~",
        "ha" => "^",
        "ga" => "`",
        "at" => "@",
        "sh" => "#",
        "Do" => "$",
        "bv" | "ba" | "or" => "|",
        "lB" => "[",
        "rB" => "]",
        "lC" => "{",
        "rC" => "}",
        "la" => "⟨",
        "ra" => "⟩",
        "<-" => "←",
        "->" => "→",
        "<=" => "≤",
        ">=" => "≥",
        "!=" => "≠",
        "mu" => "×",
        "+-" => "±",
        "sc" => "§",
        "ss" => "ß",
        ":a" => "ä",
        ":o" => "ö",
        ":u" => "ü",
        ":A" => "Ä",
        ":O" => "Ö",
        ":U" => "Ü",
        "'a" => "á",
        "'e" => "é",
        "'i" => "í",
        "'o" => "ó",
        "'u" => "ú",
        "`a" => "à",
        "`e" => "è",
        "^e" => "ê",
        "^o" => "ô",
        ",c" => "ç",
        "~n" => "ñ",
        "oa" => "å",
        "oA" => "Å",
        "/o" => "ø",
        "ae" => "æ",
        _ => "",
    }
}

/// Strings that the macro packages define.
fn string(name: &str) -> &'static str {
    match name {
        "lq" | "Lq" | "L\"" => "“",
        "rq" | "Rq" | "R\"" => "”",
        "Tm" => "™",
        "R" => "®",
        _ => "",
    }
}
