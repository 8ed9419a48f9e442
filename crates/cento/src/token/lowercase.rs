//! Plagiarex's words (Kellogg, section 2): lower-case a to z, nothing else.

use super::Builder;

/// What is stripped from both ends of a word.
pub(super) const STOPS: [char; 5] = ['.', ';', ':', '!', '?'];

/// Splits at white space, strips `. ; : ! ?` from both ends, and keeps what is then a to z only.
///
/// The paper removes punctuation "such as commas", yet its published digest of the First Quarto
/// comes out only if a word with a comma attached is rejected: `docs/methods.md`, Plagiarex.
pub(super) fn tokenize(builder: &mut Builder<'_>) {
    for word in builder.text.split_whitespace().filter_map(word) {
        builder.push_slice(word, word);
    }
}

/// The word that a piece of text between spaces is.
pub(super) fn word(piece: &str) -> Option<&str> {
    let word = piece.trim_matches(STOPS);
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word.then_some(word)
}

#[cfg(test)]
mod tests {
    use crate::token::Tokenizer;

    #[test]
    fn rejects_capitals_commas_and_digits() {
        let text = "Stand: who is that? tis I, he said; a 2nd time... (nobody)";
        let tokens = Tokenizer::Lowercase(None).tokens(text);
        let terms: Vec<&str> = tokens.terms().collect();
        assert_eq!(
            terms,
            ["who", "is", "that", "tis", "he", "said", "a", "time"]
        );
        assert_eq!(&text[tokens.source(2..3).start as usize..][..4], "that");
    }
}
