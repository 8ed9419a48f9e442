//! Which files count: patterns with the rules of .gitignore files.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::{Error, PatternList};

/// Patterns that a path must and must not match.
pub(crate) struct Filter {
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
}

impl Filter {
    /// An error names the pattern that is malformed.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Filter, Error> {
        Ok(Filter {
            include: patterns(PatternList::Include, include)?,
            exclude: patterns(PatternList::Exclude, exclude)?,
        })
    }

    /// Whether a path counts; it is relative to the given one.
    pub(crate) fn accepts(&self, path: &str) -> bool {
        let matches = |patterns: &Gitignore| {
            patterns
                .matched_path_or_any_parents(path.trim_start_matches('/'), false)
                .is_ignore()
        };
        self.include.as_ref().is_none_or(matches) && !self.exclude.as_ref().is_some_and(matches)
    }
}

fn patterns(list: PatternList, patterns: &[String]) -> Result<Option<Gitignore>, Error> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let broken = |pattern: &str, error: &ignore::Error| Error::Pattern {
        list,
        pattern: pattern.to_owned(),
        message: error.to_string(),
    };
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        let added = builder.add_line(None, pattern);
        added.map_err(|error| broken(pattern, &error))?;
    }
    let built = builder.build();
    let built = built.map_err(|error| broken(&patterns.join(" "), &error))?;
    Ok(Some(built))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_those_of_gitignore() {
        let list = |patterns: &[&str]| patterns.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
        let filter = Filter::new(
            &list(&["*.txt", "src/"]),
            &list(&["drafts/", "!drafts/keep.txt", "/top.txt"]),
        );
        let filter = filter.unwrap();
        for (path, expected) in [
            ("a.txt", true),
            ("b/a.txt", true),
            ("a.pdf", false),
            ("x/src/main.rs", true),
            ("drafts/a.txt", false),
            ("top.txt", false),
            ("b/top.txt", true),
            ("/odd.txt", true),
        ] {
            assert_eq!(filter.accepts(path), expected, "{path}");
        }
        let refused = Filter::new(&list(&["a{b"]), &[]).err().unwrap();
        assert!(
            refused.to_string().starts_with("include pattern a{b: "),
            "{refused}"
        );
    }
}
