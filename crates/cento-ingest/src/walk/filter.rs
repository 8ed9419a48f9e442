//! Which files count: `--include` and `--exclude`, with the rules of .gitignore files.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns that a path must and must not match.
pub(crate) struct Filter {
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
}

impl Filter {
    /// An error names the pattern that is not one.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Filter, String> {
        Ok(Filter {
            include: patterns("--include", include)?,
            exclude: patterns("--exclude", exclude)?,
        })
    }

    /// Whether a path below what was given counts.
    pub(crate) fn accepts(&self, path: &str) -> bool {
        let matches = |patterns: &Gitignore| {
            patterns
                .matched_path_or_any_parents(path.trim_start_matches('/'), false)
                .is_ignore()
        };
        self.include.as_ref().is_none_or(matches) && !self.exclude.as_ref().is_some_and(matches)
    }
}

fn patterns(option: &str, patterns: &[String]) -> Result<Option<Gitignore>, String> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        builder
            .add_line(None, pattern)
            .map_err(|error| format!("{option} {pattern}: {error}"))?;
    }
    let built = builder
        .build()
        .map_err(|error| format!("{option}: {error}"))?;
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
        assert!(Filter::new(&list(&["a{b"]), &[]).is_err());
    }
}
