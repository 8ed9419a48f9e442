//! Which words of ids and labels are names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Code;
use super::mask::Mask;

/// The names that ids and labels tell, folded to lower case, and the code of whom each one is.
pub(super) struct Names(HashMap<String, String>);

impl Names {
    /// Words of at least three letters, or with at least five digits, that fewer than half of the
    /// documents have in their names: what most of them have is no name of anybody.
    pub(super) fn of(codes: &[Code]) -> Names {
        let mut owners: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for code in codes {
            for word in words(&code.id).chain(words(&code.label)) {
                owners.entry(word).or_default().insert(&code.code);
            }
        }
        let few = (codes.len() / 2).max(1);
        let names = owners
            .into_iter()
            .filter(|(_, owners)| owners.len() <= few)
            .map(|(word, owners)| {
                let mask = match owners.first() {
                    Some(code) if owners.len() == 1 => format!("[{code}]"),
                    _ => "[name]".to_owned(),
                };
                (word, mask)
            });
        Names(names.collect())
    }

    pub(super) fn mask(&self) -> Mask<'_> {
        Mask(&self.0)
    }
}

/// The words of a path that may be names, in lower case; the extension is none.
fn words(path: &str) -> impl Iterator<Item = String> {
    let without = match path.rsplit_once('.') {
        Some((stem, extension)) if extension.len() <= 5 && !extension.contains('/') => stem,
        _ => path,
    };
    without
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| {
            let digits = word.chars().filter(char::is_ascii_digit).count();
            let letters = word.chars().count() - digits;
            digits >= 5 || (digits == 0 && letters >= if word.is_ascii() { 3 } else { 2 })
        })
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_that_may_be_names() {
        let of = |path| words(path).collect::<Vec<_>>();
        assert_eq!(
            of("hw2/Anna Novák_123456_file.docx"),
            ["anna", "novák", "123456", "file"]
        );
        assert_eq!(of("a1.txt"), Vec::<String>::new());
        assert_eq!(of("李雷.txt"), ["李雷"]);
    }
}
