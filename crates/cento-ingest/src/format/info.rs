//! Info manuals: the nodes without the lines that link them.

use super::draft::Draft;

/// What stands between nodes.
const SEPARATOR: char = '\x1f';

pub(super) fn read(source: &str, draft: &mut Draft) {
    let mut nodes = source.split(SEPARATOR);
    // Before the first node: what the file was made of.
    let preamble = nodes.next().unwrap_or_default();
    for line in preamble.lines().filter(|line| !is_about_the_file(line)) {
        push_line(line, draft);
    }
    for node in nodes {
        let node = node.trim_start_matches(['\x0c', '\r', '\n']);
        if is_table(node) {
            continue;
        }
        draft.paragraph();
        let (first, rest) = node.split_once('\n').unwrap_or((node, ""));
        if !(first.starts_with("File:") && first.contains("Node:")) {
            push_line(first, draft);
        }
        rest.lines().for_each(|line| push_line(line, draft));
    }
}

fn push_line(line: &str, draft: &mut Draft) {
    // Marks of menus and of pictures; underlines of headings are no words anyway.
    if line.trim() == "* Menu:" || line.starts_with("\0\x08[") {
        return;
    }
    if line.trim().is_empty() {
        draft.paragraph();
    } else {
        draft.push(line);
        draft.line();
    }
}

fn is_about_the_file(line: &str) -> bool {
    let is_origin = line.starts_with("This is ") && line.contains("produced by");
    is_origin
        || line.starts_with("INFO-DIR-SECTION")
        || line.starts_with("START-INFO-DIR-ENTRY")
        || line.starts_with("END-INFO-DIR-ENTRY")
}

fn is_table(node: &str) -> bool {
    [
        "Tag Table:",
        "End Tag Table",
        "Indirect:",
        "Local Variables:",
    ]
    .iter()
    .any(|name| node.starts_with(name))
}
