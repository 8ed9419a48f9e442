//! Patterns of addresses that a crawler need not fetch.

use std::fmt;

use super::shape::{ANYTHING, DATE, DEPTH, DIGITS, Kind, TIMES};

/// Addresses of a host that bring nothing new.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    host: String,
    kind: Kind,
    template: String,
}

impl Skip {
    /// `None` where all of a host is meant: that is for a person to decide.
    pub(super) fn new(host: &str, kind: Kind, template: &str) -> Option<Skip> {
        let is_pattern = kind != Kind::Host;
        is_pattern.then(|| Skip {
            host: host.to_owned(),
            kind,
            template: template.to_owned(),
        })
    }

    /// The host, without `www.`.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// A POSIX extended regular expression for whole addresses, as `wget --reject-regex` takes it.
    pub fn regex(&self) -> String {
        let host = format!("^https?://(www\\.)?{}", escaped(&self.host));
        let template = escaped(&self.template);
        match self.kind {
            Kind::Loop => {
                let again = format!("{template}/(.*/)?");
                format!(
                    "{host}/(.*/)?{}{template}([/?;]|$)",
                    again.repeat(TIMES - 1)
                )
            }
            Kind::Deep => format!("{host}/{template}/([^/?]+/){{{}}}", DEPTH - 1),
            Kind::Session => format!("{host}/.*[?&;]{template}="),
            Kind::Facets => format!("{host}{template}[^#]*=[^#]*&[^#]*="),
            Kind::Ids | Kind::Dates => format!("{host}{template}"),
            Kind::Last | Kind::Numbers | Kind::Host => format!("{host}{template}$"),
        }
    }
}

/// The pattern as a person reads it, `/cal/*`.
impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&glob(self.kind, &self.template))
    }
}

pub(super) fn glob(kind: Kind, template: &str) -> String {
    let stars: String = template
        .chars()
        .map(|c| if is_sign(c) { '*' } else { c })
        .collect();
    match kind {
        Kind::Loop => format!("*/{stars}/*/{stars}/*/{stars}/*"),
        Kind::Deep => format!("/{stars}{}", "/*".repeat(DEPTH)),
        Kind::Session => format!("*{stars}=*"),
        Kind::Facets => format!("{stars}*=*&*=*"),
        Kind::Host => "/*".to_owned(),
        Kind::Dates | Kind::Ids | Kind::Last | Kind::Numbers => stars,
    }
}

fn is_sign(c: char) -> bool {
    matches!(c, DIGITS | ANYTHING | DATE)
}

/// Literal text with what has a meaning in a regular expression escaped, and signs as classes.
fn escaped(template: &str) -> String {
    let mut regex = String::new();
    for c in template.chars() {
        match c {
            DIGITS => regex.push_str("[0-9]+"),
            DATE => regex.push_str("[0-9-]+"),
            ANYTHING => regex.push_str("[^/?&]+"),
            '.' | '+' | '*' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' | '$' | '\\' => {
                regex.extend(['\\', c]);
            }
            _ => regex.push(c),
        }
    }
    regex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_as_wget_takes_them() {
        let regex =
            |kind, template: &str| Skip::new("a.org", kind, template).map(|skip| skip.regex());
        let host = r"^https?://(www\.)?a\.org";
        assert_eq!(
            regex(Kind::Dates, "/cal/\u{3}"),
            Some(format!("{host}/cal/[0-9-]+"))
        );
        assert_eq!(
            regex(Kind::Session, "sid"),
            Some(format!("{host}/.*[?&;]sid="))
        );
        assert_eq!(
            regex(Kind::Loop, "a"),
            Some(format!("{host}/(.*/)?a/(.*/)?a/(.*/)?a([/?;]|$)"))
        );
        assert_eq!(
            regex(Kind::Last, "/x?page=\u{1}"),
            Some(format!(r"{host}/x\?page=[0-9]+$"))
        );
        assert_eq!(regex(Kind::Host, ""), None);
    }
}
