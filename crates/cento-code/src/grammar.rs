//! The grammars that this build has.

use crate::Language;

/// The grammar for a text in `language`, or none where it is not built.
#[allow(
    unreachable_patterns,
    unreachable_code,
    reason = "with every feature no language is left, and without any no grammar"
)]
#[allow(unused_variables, reason = "only TypeScript has two grammars")]
pub(crate) fn of(language: Language, text: &str) -> Option<tree_sitter::Language> {
    Some(match language {
        #[cfg(feature = "bash")]
        Language::Bash => tree_sitter_bash::LANGUAGE.into(),
        #[cfg(feature = "c")]
        Language::C => tree_sitter_c::LANGUAGE.into(),
        #[cfg(feature = "cpp")]
        Language::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        #[cfg(feature = "csharp")]
        Language::CSharp => tree_sitter_c_sharp::LANGUAGE.into(),
        #[cfg(feature = "go")]
        Language::Go => tree_sitter_go::LANGUAGE.into(),
        #[cfg(feature = "haskell")]
        Language::Haskell => tree_sitter_haskell::LANGUAGE.into(),
        #[cfg(feature = "java")]
        Language::Java => tree_sitter_java::LANGUAGE.into(),
        #[cfg(feature = "javascript")]
        Language::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
        #[cfg(feature = "kotlin")]
        Language::Kotlin => tree_sitter_kotlin_ng::LANGUAGE.into(),
        #[cfg(feature = "php")]
        Language::Php => tree_sitter_php::LANGUAGE_PHP.into(),
        #[cfg(feature = "python")]
        Language::Python => tree_sitter_python::LANGUAGE.into(),
        #[cfg(feature = "r")]
        Language::R => tree_sitter_r::LANGUAGE.into(),
        #[cfg(feature = "ruby")]
        Language::Ruby => tree_sitter_ruby::LANGUAGE.into(),
        #[cfg(feature = "rust")]
        Language::Rust => tree_sitter_rust::LANGUAGE.into(),
        #[cfg(feature = "scala")]
        Language::Scala => tree_sitter_scala::LANGUAGE.into(),
        #[cfg(feature = "sql")]
        Language::Sql => tree_sitter_sequel::LANGUAGE.into(),
        #[cfg(feature = "swift")]
        Language::Swift => tree_sitter_swift::LANGUAGE.into(),
        // Elements and casts in angle brackets exclude each other, so each has a grammar.
        #[cfg(feature = "typescript")]
        Language::TypeScript if text.contains("</") || text.contains("/>") => {
            tree_sitter_typescript::LANGUAGE_TSX.into()
        }
        #[cfg(feature = "typescript")]
        Language::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        _ => return None,
    })
}
