//! Links and addresses in a message: only whom they lead to is the same for all who get it.

use super::sifted::Envelope;

/// Adds a line with its links as host names, addresses as their domains, and without the names of those
/// to whom the message was sent.
pub(super) fn push_reduced(line: &str, envelope: &Envelope, out: &mut String) {
    for (number, word) in line.split(' ').enumerate() {
        if number > 0 {
            out.push(' ');
        }
        if !push_link(word, out) && !push_address(word, envelope, out) {
            push_without_names(word, envelope, out);
        }
    }
}

/// Adds what a link says about where it leads; nothing for a bare number.
fn push_link(word: &str, out: &mut String) -> bool {
    // Nearly all words are none.
    let mut threes = word.as_bytes().windows(3);
    if !threes.any(|three| three == b"://" || three.eq_ignore_ascii_case(b"www")) {
        return false;
    }
    let low = word.to_ascii_lowercase();
    let start = ["http://", "https://", "ftp://"]
        .iter()
        .find_map(|scheme| low.find(scheme).map(|at| (at, at + scheme.len())))
        .or_else(|| low.find("www.").map(|at| (at, at)));
    let Some((before, host)) = start else {
        return false;
    };
    // Only marks stand before a link.
    if word[..before].contains(char::is_alphanumeric) {
        return false;
    }
    out.push_str(&word[..before]);
    let host = &low[host..];
    let end = host.find(|c: char| !c.is_alphanumeric() && !"-.@:".contains(c));
    let host = &host[..end.unwrap_or(host.len())];
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.split(':').next().unwrap_or(host);
    out.push_str(domain(host.trim_end_matches('.')));
    true
}

/// Adds the domain of an address; nothing for one that the message was sent to.
fn push_address(word: &str, envelope: &Envelope, out: &mut String) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "-._+".contains(c);
    let Some((before, after)) = word.split_once('@') else {
        return false;
    };
    let start = before.rfind(|c: char| !is_part(c));
    let start = start.map_or(0, |at| {
        at + before[at..].chars().next().map_or(1, char::len_utf8)
    });
    let local = &before[start..];
    let end = after.find(|c: char| !is_part(c)).unwrap_or(after.len());
    let host = after[..end].trim_end_matches(['.', '-', '_', '+']);
    let is_host = host.contains('.') && !host.starts_with('.');
    if local.is_empty() || !is_host {
        return false;
    }
    let scheme = before[..start].to_ascii_lowercase();
    out.push_str(if scheme.ends_with("mailto:") {
        &before[..start - "mailto:".len()]
    } else {
        &before[..start]
    });
    let address = format!("{local}@{host}").to_lowercase();
    if !envelope.addresses.contains(&address) {
        out.push_str(domain(host));
    }
    out.push_str(&after[host.len()..]);
    true
}

/// Adds a word, unless it is the name of somebody to whom the message was sent.
fn push_without_names(word: &str, envelope: &Envelope, out: &mut String) {
    let name = word.trim_matches(|c: char| !c.is_alphabetic());
    let is_name = name.starts_with(char::is_uppercase)
        && envelope
            .names
            .iter()
            .any(|known| *known == name.to_lowercase());
    match word.split_once(name) {
        Some((before, after)) if is_name => {
            out.push_str(before);
            out.push_str(after);
        }
        _ => out.push_str(word),
    }
}

/// What somebody has registered of a host name; nothing of a number.
pub(super) fn domain(host: &str) -> &str {
    if host
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return "";
    }
    let labels: Vec<&str> = host.split('.').collect();
    // `co.uk` and the like are nobody's.
    let kept = match labels.as_slice() {
        [.., second, top] if top.len() == 2 && second.len() <= 3 && labels.len() > 2 => 3,
        _ => 2,
    };
    let left_out: usize = labels
        .iter()
        .rev()
        .skip(kept)
        .map(|label| label.len() + 1)
        .sum();
    &host[left_out..]
}
