//! The languages that have a grammar, and their names.

use serde::{Deserialize, Serialize};

use crate::{detect, grammar};

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is its own name")]
pub enum Language {
    C,
    Cpp,
    CSharp,
    Java,
    Kotlin,
    Python,
    JavaScript,
    TypeScript,
    Rust,
    Go,
    Ruby,
    Php,
    Scala,
    Swift,
    Haskell,
    R,
    Sql,
    Bash,
}

impl Language {
    /// Every language, whether its grammar is built or not.
    pub const ALL: [Language; 18] = [
        Language::C,
        Language::Cpp,
        Language::CSharp,
        Language::Java,
        Language::Kotlin,
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Rust,
        Language::Go,
        Language::Ruby,
        Language::Php,
        Language::Scala,
        Language::Swift,
        Language::Haskell,
        Language::R,
        Language::Sql,
        Language::Bash,
    ];

    /// The usual name in lower case, such as `c++`.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }

    /// The language with this name or a usual short form of it, in any case.
    pub fn named(name: &str) -> Option<Language> {
        let name = name.to_lowercase();
        Language::ALL
            .into_iter()
            .find(|language| language.names().contains(&name.as_str()))
    }

    /// Whether this build has the grammar.
    pub fn is_built(self) -> bool {
        grammar::of(self, "").is_some()
    }

    /// The language of a file: its extension says it, or its first line (`#!`) where there is no
    /// extension, and its content where several languages share an extension. None for prose and
    /// for what is not known.
    pub fn of_file(name: &str, content: &str) -> Option<Language> {
        detect::of_file(name, content)
    }

    const fn names(self) -> &'static [&'static str] {
        match self {
            Language::C => &["c", "ansi-c", "c99", "c11", "c17", "c23"],
            Language::Cpp => &["c++", "cpp", "cxx", "cc", "cplusplus"],
            Language::CSharp => &["c#", "csharp", "cs", "c-sharp"],
            Language::Java => &["java"],
            Language::Kotlin => &["kotlin", "kt"],
            Language::Python => &["python", "py", "python3", "python2"],
            Language::JavaScript => &["javascript", "js", "jsx", "ecmascript", "node"],
            Language::TypeScript => &["typescript", "ts", "tsx"],
            Language::Rust => &["rust", "rs"],
            Language::Go => &["go", "golang"],
            Language::Ruby => &["ruby", "rb"],
            Language::Php => &["php"],
            Language::Scala => &["scala"],
            Language::Swift => &["swift"],
            Language::Haskell => &["haskell", "hs"],
            Language::R => &["r", "rlang"],
            Language::Sql => &["sql"],
            Language::Bash => &["bash", "sh", "shell", "zsh", "ksh"],
        }
    }
}

impl From<Language> for String {
    fn from(language: Language) -> String {
        language.name().to_owned()
    }
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(name: String) -> Result<Language, String> {
        Language::named(&name).ok_or_else(|| format!("no language is called {name:?}"))
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn every_name_means_one_language() {
        for language in Language::ALL {
            for name in language.names() {
                assert_eq!(Language::named(name), Some(language), "{name}");
            }
            assert_eq!(
                Language::named(&language.name().to_uppercase()),
                Some(language)
            );
        }
        assert_eq!(Language::named("english"), None);
    }
}
