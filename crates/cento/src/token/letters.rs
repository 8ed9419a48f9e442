//! Letters as tokens: mail in disguise (text sifting, section 1.1) and consonants (Koala).

use std::num::NonZeroU32;
use std::ops::Range;

use super::{Builder, canonical};

/// Single letters and digits, folded, or groups of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    /// Which letters, in which form.
    pub form: LetterForm,
    /// How many letters make a token; `letters:3`.
    pub group: NonZeroU32,
}

/// Which letters are tokens, and in which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterForm {
    /// All letters and digits in lower case.
    Plain,
    /// An aggressive canonical form that undoes the tricks of bulk mail; `+canonical`.
    Canonical,
    /// Only the consonants of the Latin alphabet (Heintze's Koala); `+consonants`.
    Consonants,
}

impl Letters {
    /// Whether the tokens are single letters in the canonical form.
    pub(crate) fn is_canonical(&self) -> bool {
        self.form == LetterForm::Canonical && self.group.get() == 1
    }

    pub(super) fn tokenize(&self, builder: &mut Builder<'_>) {
        let text = builder.text;
        let group = self.group.get();
        let mut term = String::new();
        let mut letters = 0;
        let mut start = 0;
        let mut end = 0;
        each_letter(text, self.form, |source, letter| {
            if letters == 0 {
                start = source.start;
            }
            term.push(letter);
            letters += 1;
            end = source.end;
            if letters == group {
                builder.push(start..end, &term);
                term.clear();
                letters = 0;
            }
        });
        // What is left over at the end is a token all the same, or a short text would have none.
        if letters > 0 {
            builder.push(start..end, &term);
        }
    }
}

fn each_letter(text: &str, form: LetterForm, mut each: impl FnMut(Range<usize>, char)) {
    if form == LetterForm::Canonical {
        return canonical::each_letter(text, each);
    }
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let end = at + c.len_utf8();
        match form {
            LetterForm::Plain => {
                if c.is_alphanumeric() {
                    c.to_lowercase().for_each(|letter| each(at..end, letter));
                }
            }
            LetterForm::Consonants => {
                let letter = c.to_ascii_lowercase();
                if letter.is_ascii_alphabetic() && !matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u') {
                    each(at..end, letter);
                }
            }
            LetterForm::Canonical => unreachable!("it has a form of its own"),
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Tokenizer;

    #[track_caller]
    fn check(form: LetterForm, group: u32, text: &str, expected: &str) {
        let group = NonZeroU32::new(group).unwrap();
        let tokens = Tokenizer::Letters(Letters { form, group }).tokens(text);
        assert_eq!(
            tokens.terms().collect::<Vec<_>>().join(" "),
            expected,
            "{text:?}"
        );
    }

    #[test]
    fn forms() {
        check(LetterForm::Plain, 1, "A b, 3é", "a b 3 é");
        check(LetterForm::Plain, 3, "A b, 3éz", "ab3 éz");
        check(LetterForm::Consonants, 1, "The Canal, 1999", "t h c n l");
    }

    #[test]
    fn disguised_mail_reads_the_same() {
        for disguise in [
            "Fake Links",
            "f.a.k.e l!inks",
            "FA|<E LINKS",
            "fаkе 1inks",
            "F4K3 l\u{200b}ínk5",
        ] {
            check(LetterForm::Canonical, 1, disguise, "f a k e i n k s");
        }
    }
}
