//! Whether an extracted text is text.

/// Whether a good part of it is characters or words that no language has.
///
/// Fonts in a PDF map shapes to characters; where the map is wrong or missing, letters come out as
/// replacement characters, as private ones, or shifted, so that words lose their vowels.
pub(super) fn looks_garbled(text: &str) -> bool {
    let mut letters = 0;
    let mut broken = 0;
    for character in text.chars() {
        broken += usize::from(is_broken(character));
        letters += usize::from(character.is_alphabetic());
    }
    if broken * 10 > letters + broken && broken >= 10 {
        return true;
    }
    let words = text.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| word.chars().all(is_latin) && word.chars().count() >= 3);
    let (mut whole, mut without_vowel) = (0, 0);
    for word in words {
        whole += 1;
        // Abbreviations are written in capitals.
        let is_odd = !word.chars().any(is_vowel) && !word.chars().all(char::is_uppercase);
        without_vowel += usize::from(is_odd);
    }
    whole >= 50 && without_vowel * 3 > whole
}

fn is_broken(character: char) -> bool {
    matches!(
        character,
        char::REPLACEMENT_CHARACTER
            | '\u{e000}'..='\u{f8ff}'
            | '\0'..='\x08'
            | '\x0e'..='\x1f'
            | '\u{80}'..='\u{9f}'
    )
}

/// A letter of the Latin script, with or without marks.
fn is_latin(character: char) -> bool {
    character.is_ascii_alphabetic() || ('\u{c0}'..='\u{24f}').contains(&character)
}

fn is_vowel(character: char) -> bool {
    // Beyond ASCII most letters with marks are vowels, and r and l make syllables in some languages.
    !character.is_ascii() || "aeiouyAEIOUY".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_not_garbled_and_shifted_letters_are() {
        let text = "The quick brown fox jumps over the lazy dog near the old mill. ".repeat(20);
        assert!(!looks_garbled(&text));
        let shifted: String = text
            .chars()
            .map(|c| match c {
                'a'..='y' => char::from_u32(u32::from(c) + 1).unwrap_or(c),
                c => c,
            })
            .collect();
        assert!(looks_garbled(&shifted), "{shifted}");
        assert!(looks_garbled(&"\u{fffd}\u{e001}a b ".repeat(20)));
        assert!(!looks_garbled("Strč prst skrz krk."));
        assert!(!looks_garbled(&"這是一個句子。".repeat(30)));
    }
}
