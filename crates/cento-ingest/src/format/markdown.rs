//! Markdown without computer code: fenced blocks and what stands between backticks.

/// The text without code; the marks around it stay, so that words on both sides stay apart.
pub(super) fn without_code(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut prose = String::new();
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        match (fence, fence_of(line)) {
            (None, Some(opening)) => {
                push_prose(&mut kept, &mut prose);
                kept.push('\n');
                fence = Some(opening);
            }
            (None, None) => {
                prose.push_str(line);
                // Code between backticks ends with its paragraph at the latest.
                if line.trim().is_empty() {
                    push_prose(&mut kept, &mut prose);
                }
            }
            (Some(opening), Some(closing)) if closing.starts_with(opening) => {
                if line.trim() == closing {
                    fence = None;
                }
            }
            (Some(_), _) => {}
        }
    }
    push_prose(&mut kept, &mut prose);
    kept
}

/// The marks that a line begins or ends a block of code with: three or more backticks or tildes.
fn fence_of(line: &str) -> Option<&str> {
    let start = line.trim_start_matches(' ');
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = start.len() - start.trim_start_matches(mark).len();
    let is_fence = length >= 3 && line.len() - start.len() <= 3;
    // What has more of them on its line is code inside the line.
    let is_block = mark == '~' || !start[length..].contains('`');
    (is_fence && is_block).then(|| &start[..length])
}

/// Moves a paragraph without the code in its lines.
fn push_prose(kept: &mut String, prose: &mut String) {
    let mut rest = prose.as_str();
    while let Some(start) = rest.find('`') {
        let marks = run(&rest[start..]);
        let inside = start + marks;
        kept.push_str(&rest[..inside]);
        rest = match end_of_code(&rest[inside..], marks) {
            Some(end) => {
                kept.push_str(&rest[start..inside]);
                &rest[inside + end..]
            }
            None => &rest[inside..],
        };
    }
    kept.push_str(rest);
    prose.clear();
}

/// How many backticks a text begins with.
fn run(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'`').count()
}

/// Where the text behind as many backticks as opened the code begins.
fn end_of_code(text: &str, marks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('`') {
        let length = run(&text[at + start..]);
        at += start + length;
        if length == marks {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_code(text), expected);
    }

    #[test]
    fn code_is_left_out() {
        check("a `b c` d ``e ` f`` g", "a `` d ```` g");
        check("a\n```rust\nlet b;\n~~~\n```\nc\n", "a\n\nc\n");
        check("a\n~~~~\n~~~\nb\n~~~~\nc", "a\n\nc");
        check("a\n```\nb", "a\n\n");
    }

    #[test]
    fn what_is_no_code_stays() {
        check("it costs 5 ` or\n\n so `", "it costs 5 ` or\n\n so `");
        check("    ``` a\nb", "    ``` a\nb");
        check("", "");
    }
}
